/// Reading URDF files: what the walk over a file (urdf.c) and its elements (urdf_elements.c) share.
#ifndef ZN_IO_URDF_H
#define ZN_IO_URDF_H

#include <expat.h>

#include "io/robot.h"

enum { ZN_URDF_DEPTH = 8, ZN_URDF_RULES = 28 };

typedef enum zn_urdf_element {
    ZN_URDF_NOWHERE,
    ZN_URDF_ROBOT,
    ZN_URDF_LINK,
    ZN_URDF_INERTIAL,
    ZN_URDF_VISUAL,
    ZN_URDF_COLLISION,
    ZN_URDF_GEOMETRY,
    ZN_URDF_MATERIAL,
    ZN_URDF_JOINT,
    ZN_URDF_PLAIN, ///< has no children
} zn_urdf_element;

typedef struct zn_urdf_level {
    zn_urdf_element is;
    unsigned        seen; ///< bit i: rule i has been here
} zn_urdf_level;

typedef struct zn_urdf_colour {
    char name[ZN_ROBOT_NAME], text[8];
} zn_urdf_colour;

typedef struct zn_urdf_reader {
    XML_Parser       parser;
    zn_robot        *robot;
    const char      *file;
    const XML_Char **attribute;
    const char      *tag;
    zn_urdf_level    stack[ZN_URDF_DEPTH];
    int              depth, foreign; ///< foreign: so many elements deep in one that is left out
    zn_status        status;
    char            *message;
    size_t           size;
    zn_pose          pose; ///< of the inertial, visual, collision or joint being read
    zn_mat3          inertia;
    zn_robot_shape   shape;
    zn_robot_joint   joint;
    char             material[ZN_ROBOT_NAME];
    zn_urdf_colour  *colour;
    int              colours, colour_room;
} zn_urdf_reader;

/// The first fault ends the reading; its message has file and line.
void zn_urdf_fail(zn_urdf_reader *r, zn_status status, const char *format, ...) ZN_PRINTF(3, 4);
int  zn_urdf_line(const zn_urdf_reader *r);

#define ZN_URDF_FAULT(r, ...) zn_urdf_fail(r, ZN_ERR_MODEL, __VA_ARGS__)
#define ZN_URDF_NEED(r, call)                                                                                          \
    do {                                                                                                               \
        if ((call) != ZN_OK)                                                                                           \
            zn_urdf_fail(r, ZN_ERR_MEMORY, "out of memory");                                                           \
    } while (0)

static inline bool zn_urdf_is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// An element: where it may stand, and what reads it.
typedef struct zn_urdf_rule {
    zn_urdf_element in;
    const char     *tag;
    zn_urdf_element is;
    bool            once, needed;
    const char     *attributes; ///< all that it may have, NULL: any
    void (*open)(zn_urdf_reader *r);
    void (*close)(zn_urdf_reader *r);
} zn_urdf_rule;

extern const zn_urdf_rule zn_urdf_rules[ZN_URDF_RULES];

#endif
