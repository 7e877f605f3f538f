/// From the tree of a model file to a zn_model: the sections of bodies, springs, parts, joints, loads and contacts.
#ifndef ZN_IO_BIND_H
#define ZN_IO_BIND_H

#include "io/bind_form.h"
#include "io/msh.h"
#include "io/profile.h"
#include "io/schema_table.h"

/// A material with its name, sorted by name.
typedef struct zn_named_material {
    const char       *name;
    bool              valid;
    zn_material_entry entry;
} zn_named_material;

/// Controls whose expressions are being read, the innermost first.
typedef struct zn_pending {
    const zn_yaml_node      *node;
    const struct zn_pending *outer;
} zn_pending;

/// What there may be many of, by the memory it takes.
typedef enum zn_room_kind {
    ZN_ROOM_BODY,
    ZN_ROOM_MEETING_BODY, ///< in contact with others
    ZN_ROOM_BAR,          ///< from here on elements
    ZN_ROOM_BEAM,
    ZN_ROOM_SOLID, ///< node of it
    ZN_ROOM_KINDS
} zn_room_kind;

typedef struct zn_room {
    double count[ZN_ROOM_KINDS];
    double joint_rows; ///< equations of all joints
    bool   planar;
} zn_room;

typedef struct zn_builder {
    zn_reader            reader;
    const zn_yaml_node  *root;
    zn_file_entry        file;
    zn_model            *model;
    int                  material_count;
    zn_named_material   *materials;
    const zn_yaml_node  *current; ///< object being added
    const zn_pending    *pending;
    int                  tried_count;
    const zn_yaml_node **tried; ///< controls that are bound, or told to be wrong
    int                  origins, origin_now;
    const zn_yaml_node **origin; ///< where the objects of the model come from: numbers of zn_model_set_origin, less 1
    zn_room              room;   ///< what was added
    double               most;   ///< bytes it may take; 0: what there is
} zn_builder;

/// Is there room for `count` of them beside all others, once they are built? Says so if not.
bool   zn_bind_room(zn_builder *builder, const zn_yaml_node *node, const char *what, double count, zn_room_kind kind);
/// The same for all lattices, bars, beams and solids of the file together, before anything is built.
bool   zn_room_ahead(zn_builder *builder);
/// Is there a rule of contacts between bodies?
bool   zn_room_bodies_meet(const zn_builder *builder);
/// Memory at the peak of a run [bytes], about.
double zn_room_bytes(const zn_room *room, const zn_scheme_def *scheme);
/// Refuse what is surely more than there is.
zn_status zn_room_check(const zn_room *room, const zn_scheme_def *scheme, const char *path, const zn_log *log);

/// Add everything to builder->model, which exists; faults go to the reader's collection.
void                zn_bind_sections(zn_builder *builder);
/// Node of the tree that describes the object of this name ("rod[3]": part rod), or NULL.
const zn_yaml_node *zn_bind_find(const zn_builder *builder, const char *name);
/// Check the key of a named object: letters, digits, '_' and '-', not reserved.
bool                zn_bind_check_name(zn_reader *reader, const zn_yaml_node *node);
/// The same for a parameter, whose name may stand in expressions.
bool                zn_bind_check_parameter(zn_reader *reader, const zn_yaml_node *node);
/// Offer all names of bodies, springs, parts, joints, loads and contacts.
void                zn_bind_offer_names(const zn_builder *builder, zn_guess *guess);
/// True for a quantity of the whole run, such as "ledger".
bool                zn_bind_is_run_quantity(const char *word);

/// What the file records, from `pool`.
void zn_bind_records(zn_builder *builder, zn_pool *pool, int *count, const zn_record_def **out);

// --- for the files that bind one section each ---

/// Name and keys of one object. `out` holds the defaults afterwards even when it fails.
bool zn_bind_entry(zn_builder *builder, const zn_schema *schema, const zn_yaml_node *node, void *out, uint64_t *given);
/// A body, a node, or (where `ground` is allowed) the ground, which is the null id; `what` is the key.
bool zn_bind_node(zn_builder *builder, const char *what, const zn_reference *ref, bool ground, zn_node_id *out);
/// The same, or a named point; its place `at` on a body has been read already.
bool zn_bind_attachment(zn_builder *builder, const char *what, const zn_reference *ref, bool ground,
                        zn_attachment *out);
/// A material of that name without faults, or NULL after a message.
const zn_named_material *zn_bind_material(zn_builder *builder, const zn_reference *ref);
/// The model has told why through its log; if it has not, the status must do.
void                     zn_bind_check(zn_builder *builder, zn_status status, int faults_before);

void zn_bind_body(zn_builder *builder, const zn_yaml_node *node);
/// The key `draw` of a body (value 0: one with faults): check it and hand it to the model.
void zn_bind_draw(zn_builder *builder, const zn_yaml_node *node, zn_node_id body);
/// What a body with the key of a form (bind_form.h) weighs and where it is; then its shape.
bool zn_bind_body_form(zn_builder *builder, const zn_yaml_node *node, uint64_t given, zn_body_entry *entry,
                       zn_form *out);
void zn_bind_body_shape(zn_builder *builder, zn_node_id body, zn_form *form);
/// Mass, inertia and place of a body with `cad`, and its drawing, whose points are the reader's. False after a message.
bool zn_bind_cad(zn_builder *builder, const zn_yaml_node *node, uint64_t given, zn_body_entry *entry, zn_drawing *out);
/// Triangles of an STL file from number `first` on (`count` 0: all), `scale` times their size, moved by `at`; in the
/// plane their shadow along z. Points are the reader's. False after a message at `node`.
bool zn_bind_stl(zn_builder *builder, const zn_yaml_node *node, const char *file, int first, int count, double scale,
                 zn_vec3 at, zn_drawing *out);
void zn_bind_part(zn_builder *builder, const zn_yaml_node *node);
void zn_bind_spring(zn_builder *builder, const zn_yaml_node *node);
/// A part with `element: solid`, which has a table of its own.
bool zn_bind_is_solid(const zn_yaml_node *node);
void zn_bind_solid(zn_builder *builder, const zn_yaml_node *node);
/// Nodes that a part made of a mesh file shares with parts of that file before it, one for each of its own, value 0:
/// none. To be freed; NULL where nothing can be shared.
zn_node_id *zn_bind_groups(zn_builder *builder, const zn_yaml_node *node, const zn_mesh *mesh, const zn_msh *msh);
enum { ZN_FACE_LENGTH = 2 * ZN_NAME_LENGTH + 2 };
/// A part and one of its sets (its name NULL: none is asked for), whose full name is written to `text`. False when one
/// does not exist.
bool zn_bind_face(zn_builder *builder, const zn_reference *part, const zn_reference *face, char text[ZN_FACE_LENGTH]);
/// False when the model has not taken over the signal.
bool zn_bind_pressure(zn_builder *builder, const zn_yaml_node *node, zn_pressure_entry *entry);
void zn_bind_point(zn_builder *builder, const zn_yaml_node *node);
void zn_bind_span(zn_builder *builder, const zn_yaml_node *node);
/// All but couplings of joints, and these, which may stand before the joints they couple.
void zn_bind_joint(zn_builder *builder, const zn_yaml_node *node);
void zn_bind_coupling(zn_builder *builder, const zn_yaml_node *node);
/// Keys about the travel of revolute and prismatic joints, and of couplings of them.
bool zn_bind_travel(zn_builder *builder, zn_joint_entry *e);
bool zn_bind_coupled_joints(zn_builder *builder, zn_joint_entry *e);
/// Where a joint has play: the keys that do not go with it, and def.play. False after a message.
bool zn_bind_play(zn_reader *reader, const zn_yaml_node *node, zn_joint_entry *entry);
void zn_bind_contact(zn_builder *builder, const zn_yaml_node *node);
/// Keys of a law that need another one. False after a message.
bool zn_bind_law(zn_reader *reader, const zn_yaml_node *node);
void zn_bind_shape(zn_builder *builder, const zn_yaml_node *node);
/// A shape with `contour`, `cam` or `gear`: kind and sides, which are those of `profile`, cleared by the caller. False
/// after a message.
bool zn_bind_contour(zn_builder *builder, const zn_yaml_node *node, const zn_outline_entry *entry, zn_shape_def *def,
                     zn_profile *profile);
/// Bodies with `lattice`; contacts with `between`.
void zn_bind_lattice(zn_builder *builder, const zn_yaml_node *node, const zn_body_entry *entry, const zn_form *form);
void zn_bind_pairs(zn_builder *builder, const zn_yaml_node *node, const zn_contact_entry *entry);
/// Entries of `materials` that are of a pair of them; the word `material` of a shape or body, false after a message.
bool zn_bind_is_pair(const zn_yaml_node *node);
void zn_bind_material_pair(zn_builder *builder, const zn_yaml_node *node, const zn_material_entry *entry);
bool zn_bind_surface_material(zn_builder *builder, const zn_yaml_node *node, const char *material);
/// Is there a shape of that name, or a body? A message says so unless, or one about its own fault has been told. `all`:
/// that word will do.
bool zn_bind_find_shape(zn_builder *b, const char *key, const zn_reference *ref, bool all);
/// Contacts with `surfaces`.
void zn_bind_surfaces(zn_builder *builder, const zn_yaml_node *node, const zn_contact_entry *entry);
/// From here on the model adds what this node says; returns what was before, for zn_bind_origin_back.
int  zn_bind_origin(zn_builder *builder, const zn_yaml_node *node);
void zn_bind_origin_back(zn_builder *builder, int before);
void zn_bind_motor(zn_builder *builder, const zn_yaml_node *node);
/// The state without its rate, and then that.
void zn_bind_state(zn_builder *builder, const zn_yaml_node *node);
void zn_bind_rate(zn_builder *builder, const zn_yaml_node *node);
void zn_bind_control(zn_builder *builder, const zn_yaml_node *node);
/// zn_reader.declare: a control that stands below where its name is used. True: it is wrong, as somebody has been told.
bool zn_bind_declare(void *builder, const char *name);
void zn_bind_system(zn_builder *builder, const zn_yaml_node *node);

#endif
