/// What the values and names of an object mean where it stands: the constants it may use, the group whose names it
/// knows, the frame its vectors are in, the file it comes from. Objects that are copies of one another share their
/// keys and differ in this alone.
#ifndef ZN_IO_SCOPE_H
#define ZN_IO_SCOPE_H

#include "io/yaml.h"
#include "model/expression.h"
#include "zn/math.h"

#define ZN_SCOPE_MARK "::" ///< between a group and a name in it

enum { ZN_INDICES = 3 }; ///< most indices of a `repeat`

/// Axes that are moved and turned: x in them is origin + R x outside.
typedef struct zn_axes {
    bool    moved, turned; ///< moved: anything at all
    zn_vec3 origin;
    zn_quat turn;
    double  angle; ///< planar models
} zn_axes;

zn_axes zn_axes_make(zn_vec3 origin, zn_quat turn, double angle);
/// The frame `inner` that is given in the axes of `outer`.
zn_axes zn_axes_compose(const zn_axes *outer, const zn_axes *inner);
zn_vec3 zn_axes_direction(const zn_axes *frame, zn_vec3 x);
zn_vec3 zn_axes_place(const zn_axes *frame, zn_vec3 x);

/// A name of an object, material or group, and its copies.
typedef struct zn_declared {
    const char            *name;
    bool                   material;    ///< these have a space of names of their own
    bool                   plain;       ///< an object, bound under this name
    const zn_yaml_node    *first, *key; ///< first: of the copies, which follow one another; NULL: it is no repeat
    int                    copies;
    int                    order; ///< in which names were met
    const struct zn_scope *scope; ///< where `key` stands
} zn_declared;

/// The names of the file or of a group.
typedef struct zn_space {
    const char            *prefix; ///< "left::", or ""
    const struct zn_space *outer;  ///< where a name is sought that is not here; NULL: the file
    int                    count, capacity;
    zn_declared           *list; ///< sorted as soon as all are known
} zn_space;

/// The file, a group or an included file.
typedef struct zn_level {
    const char     *file;   ///< for messages
    const char     *folder; ///< of its file, from that of the first file: "", or "parts/"
    const char     *note;   ///< indices of the groups around: "i = 2", or ""
    const zn_space *space;
    zn_axes         frame;
    int             count;  ///< constants, without the indices of the object
    const char    **names;  ///< room for ZN_INDICES more
    double         *values; ///< the same
} zn_level;

typedef struct zn_scope {
    const zn_level    *level;
    int                indices;
    const char *const *names; ///< of the indices
    int                index[ZN_INDICES];
} zn_scope;

/// Indices as text, "i = 7, j = 2".
void zn_scope_note(const zn_scope *scope, char *text, size_t size);

/// The declaration of a word in the space or around it; `found` (may be NULL) gets the space it is in. NULL: none.
const zn_declared *zn_space_find(const zn_space *space, const char *word, size_t length, bool material,
                                 const zn_space **found);
/// Bytes of the word that a reference begins with: "left" of "left::finger[2].angle".
size_t             zn_space_word(const char *reference);

#endif
