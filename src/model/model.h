/// What a zn_model holds. Elements are kept in groups of one kind, ready to become blocks of the system.
#ifndef ZN_MODEL_MODEL_H
#define ZN_MODEL_MODEL_H

#include "model/contact/contact.h"
#include "model/element/element.h"
#include "model/names.h"
#include "model/span.h"

typedef struct zn_element_group {
    const zn_element_ops *ops;
    int                   count;
    int                   capacity; ///< of all arrays below
    int                  *node;     ///< count * ops->nodes, -1: the ground
    int                  *part;
    char                 *parameter; ///< count * ops->parameter_size
} zn_element_group;

typedef struct zn_acceleration {
    const char *name; ///< borrowed from the names
    int         parts;
    int        *part; ///< NULL: everything
    zn_signal  *signal[3];
} zn_acceleration;

typedef struct zn_node_set {
    char       *name;
    int         count;
    zn_node_id *node;
} zn_node_set;

typedef struct zn_named_shape {
    char        *name;     ///< owned
    zn_shape_def def;      ///< its name is not kept here, nor its material
    void        *data;     ///< what its kind has made of the def; NULL: nothing
    int          material; ///< number; 0: none
} zn_named_shape;

void zn_named_shape_clear(zn_named_shape *shape);

typedef struct zn_memory     zn_memory;  ///< see memory.h
typedef struct zn_control    zn_control; ///< see control.h
typedef struct zn_state_rate zn_state_rate;

typedef struct zn_node_drawing {
    int        node;
    bool       more;    ///< beside those before it, not in their place
    zn_drawing drawing; ///< owns its points, bulges and triangles
} zn_node_drawing;

void zn_drawing_clear(zn_drawing *drawing);

/// Section of a part of beams, as it is drawn.
typedef struct zn_part_section {
    int             part;
    zn_beam_section section;
    bool            carried; ///< its axes are those of the nodes
    zn_quat         axes;    ///< otherwise: of the undeformed section, to world axes
} zn_part_section;

/// A joint with play: contacts of bodies a and b, which are rules of their own.
typedef struct zn_journal {
    const char   *name; ///< borrowed from the names
    zn_attachment a, b; ///< centres of pin and hole
    zn_vec3       axis; ///< unit, in the axes of b: what moves along it is free; 0: nothing is
    double        clearance;
    bool          block;              ///< otherwise a pin or ball:
    double        pin_radius, length; ///< length 0: none
    zn_vec3       pin_axis;           ///< in the axes of a
    int           first, rules;       ///< name[0] ...
} zn_journal;

struct zn_model {
    bool    planar;
    zn_vec3 gravity;
    double  start; ///< time of the initial state
    zn_log  log;
    void (*locate)(void *user, int origin); ///< NULL: nobody wants to know
    int                     origin;         ///< of what is added now
    zn_names                names;
    int                     nodes, node_capacity;
    zn_node_def            *node;        ///< names are not kept here; NULL: a part has taken them (zn_subset_take), and
    int                     coordinates; ///< there were as many coordinates
    int                     dofs;        ///< and degrees of freedom
    int                     parts, part_capacity;
    char                  **part_name; ///< borrowed from the names
    int                     groups, group_capacity;
    zn_element_group       *group;
    int                     rules, rule_capacity;
    zn_contact_rule        *rule;
    int                     journals, journal_capacity;
    zn_journal             *journal;
    int                     accelerations, acceleration_capacity;
    zn_acceleration        *acceleration;
    int                     node_sets, node_set_capacity;
    zn_node_set            *node_set;
    int                     shapes, shape_capacity;
    zn_named_shape         *shape;
    zn_names                shape_names; ///< each once; `nodes`: how many shapes have it
    zn_names                materials;   ///< of pairs of them, and then of shapes; the first has number 1
    int                     material_pairs, material_pair_capacity;
    struct zn_material_law *material_pair;
    int                     pair_tables, pair_table_capacity;
    struct zn_pair_table  **pair_table; ///< owned, referred to by rules of pairs
    int                     holds, hold_capacity;
    int64_t                *hold; ///< nodes that joints hold together: lower << 32 | higher; 0: the ground
    int                     lagrangians, lagrangian_capacity;
    struct zn_lagrangian  **lagrangian; ///< owned
    int                     drawings, drawing_capacity;
    zn_node_drawing        *drawing;
    int                     sections, section_capacity;
    zn_part_section        *section;
    int                     memories, memory_capacity;
    zn_memory              *memory; ///< entries at the end of q
    int                     signals, signal_capacity;
    zn_signal             **signal; ///< owned, referred to by loads, joints and springs
    int                     laws, law_capacity;
    struct zn_spring_law  **law; ///< owned, referred to by springs
    int                     points, point_capacity;
    zn_attachment          *point;
    int                     spans, span_capacity;
    zn_span                *span;
    int                     controls, control_capacity;
    zn_control             *control;
    int                     states, state_capacity;
    zn_state_rate          *state; ///< first-order states
};

/// Give back the room for nodes and elements that may still come.
void zn_model_trim(zn_model *model);
/// Free what zn_model_add_lagrangian made; accepts NULL.
void zn_lagrangian_destroy(struct zn_lagrangian *lagrangian);
/// Outlines for pictures: their number, and the points of one, ZN_OUTLINE_POINTS at most.
int  zn_lagrangian_outlines(const struct zn_lagrangian *lagrangian);
int  zn_lagrangian_outline(const struct zn_lagrangian *lagrangian, const zn_layout *layout, int i, const double *q,
                           zn_vec3 *points);

/// A part made of a line of elements, whose nodes come next; the ends may be nodes that are there already.
zn_named  zn_model_name_line(const zn_model *model, int elements, zn_node_id first, zn_node_id last);
/// Building blocks of the public zn_model_add_ functions, also the door for elements and contacts of one's own.
zn_status zn_model_add_name(zn_model *model, const char *name, const char *fallback, zn_named what,
                            const zn_named **out);
zn_status zn_model_add_part(zn_model *model, const char *name, int *out);
zn_status zn_model_add_element(zn_model *model, const zn_element_ops *ops, int part, const int *node,
                               const void *parameter);
zn_status zn_model_add_contact_rule(zn_model *model, const char *name, const zn_contact_ops *ops, int64_t max_contacts,
                                    const void *parameter, size_t size);
/// The same with `rows` rows per contact: 2 with friction in the plane, 3 in space.
zn_status zn_model_add_rows_rule(zn_model *model, const char *name, const zn_contact_ops *ops, int64_t max_contacts,
                                 int rows, const void *parameter, size_t size);
/// Is there such a contact, on this piece of a surface? For ids that come from files.
bool      zn_model_knows_contact(const zn_model *model, zn_contact_id id, int piece);
/// Contacts in place of the equations of a joint between these points, see build_play.c.
zn_status zn_model_add_play(zn_model *model, const zn_joint_def *def, const zn_attachment *a, const zn_attachment *b);
/// Equations of all joints.
int       zn_model_joint_rows(const zn_model *model);
/// The model owns a signal (NULL: none) from here on, even when this fails.
zn_status zn_model_adopt(zn_model *model, zn_signal *signal);
/// Check a carried point; `what` and `name` are for messages.
zn_status zn_model_check_attachment(const zn_model *model, const zn_attachment *a, const char *what, const char *name);
/// Check restitution, friction and radius of a contact.
zn_status zn_model_check_law(const zn_model *model, const zn_contact_def *def);
/// The speed from which on restitution counts, for all rules from number `first` on.
void      zn_model_set_restitution_from(zn_model *model, int first, double speed);
/// The force by which contacts hold what they touch, likewise.
void      zn_model_set_cohesion(zn_model *model, int first, double force);
/// Rotation of a body (null: the ground) and position of a carried point in the initial configuration.
zn_quat   zn_model_initial_rotation(const zn_model *model, zn_node_id node);
zn_vec3   zn_model_initial_position(const zn_model *model, const zn_attachment *a);
/// Append a node without a name of its own; `name` is for messages.
zn_status zn_model_push_node(zn_model *model, const zn_node_def *def, const char *name);
/// Messages from here on are about the object of this name (NULL: about none).
void      zn_model_locate(const zn_model *model, const char *name);
/// What a node belongs to; NULL: nothing that has a name.
const zn_named *zn_model_owner(const zn_model *model, int node);
enum { ZN_NODE_TEXT = 96 }; ///< room for the name of a node in a message
/// Name of a node for messages, written into `text`.
const char *zn_model_node_name(const zn_model *model, int node, char *text, size_t size);

#endif
