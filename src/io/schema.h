/// Objects of a model file described as tables, and the one reader that fills C structs from them.
#ifndef ZN_IO_SCHEMA_H
#define ZN_IO_SCHEMA_H

#include "io/inputs.h"
#include "io/scope.h"
#include "io/units.h"
#include "io/yaml.h"
#include "model/expression.h"
#include "zn/model.h"
#include "zn/option.h"

/// What the value of a key may be, and the C field it fills.
typedef enum zn_key_kind {
    ZN_KEY_NUMBER,  ///< double
    ZN_KEY_INTEGER, ///< int
    ZN_KEY_BOOL,    ///< bool
    ZN_KEY_TEXT,    ///< const char *, one of `choices` where there are any
    ZN_KEY_CHOICE,  ///< int or enum, place in `choices`
    ZN_KEY_FLAGS,   ///< unsigned, bit per place in `choices`
    ZN_KEY_VECTOR,  ///< zn_vec3; two numbers in planar models, else three
    ZN_KEY_NAME,    ///< zn_reference
    ZN_KEY_NAMES,   ///< zn_references
    ZN_KEY_SIGNAL,  ///< zn_signal *, owned by the struct
    ZN_KEY_SIGNALS, ///< zn_signal *[3], as a vector
    ZN_KEY_OBJECT,  ///< struct described by `object`
    ZN_KEY_MAP,     ///< const zn_yaml_node *: names with objects (`object`) or with simple values (NULL)
    ZN_KEY_OBJECTS, ///< const zn_yaml_node *: one object or a list of them (`object`), read elsewhere
    ZN_KEY_NODE,    ///< const zn_yaml_node *: read elsewhere
    ZN_KEY_FIELD,   ///< const zn_yaml_node *: a vector whose entries may depend on the place x, y, z; read elsewhere
    ZN_KEY_AXIAL,   ///< zn_vec3; one number (its z) in planar models, else three
    ZN_KEY_TENSOR,  ///< zn_mat3; one number (its zz) in planar models, else one, three or nine
    ZN_KEY_WHEN,    ///< zn_when_entry; number, or one of `choices`
    ZN_KEY_STEP,    ///< zn_step_entry; a time, or a multiple of the critical step: 0.8 cfl
    ZN_KEY_ROTATION ///< zn_quat; quaternion, or axis and angle (`object`)
} zn_key_kind;

/// In which axes a vector, a rotation or directions are given: what a group does with them that is moved and turned.
/// Keys that do not say it are refused there.
typedef enum zn_key_axes {
    ZN_AXES_UNSAID,
    ZN_AXES_OWN,        ///< of a body, or none: nothing changes
    ZN_AXES_PLACE,      ///< a point: moved and turned
    ZN_AXES_DIRECTION,  ///< turned: directions, velocities, forces
    ZN_AXES_TURN,       ///< a rotation, or an angle in the plane: the turn comes on top
    ZN_AXES_WORLD,      ///< x, y and z themselves: refused where the group is turned, unless they are all or none
    ZN_AXES_WORLD_PLACE ///< a coordinate: refused in a group that is moved at all
} zn_key_axes;

/// What a name stands for.
typedef enum zn_key_refers {
    ZN_REFERS_OBJECT,   ///< body, node, part, shape...
    ZN_REFERS_MATERIAL, ///< of the section materials
    ZN_REFERS_WORD      ///< neither: a set of a part, a word of the program
} zn_key_refers;

typedef struct zn_schema zn_schema;

typedef struct zn_schema_key {
    const char      *name;
    zn_key_kind      kind;
    zn_dimension     dimension;
    bool             required;
    zn_range         range;   ///< all zero: any finite value
    const char      *choices; ///< separated by blanks
    const zn_schema *object;
    size_t           offset;       ///< of the field
    const char      *default_text; ///< for the manual; NULL: the value in the default struct
    const char      *help;
    const char      *unless; ///< of a required key: other keys beside which it is not, separated by blanks
    zn_key_axes      axes;
    const char      *carrier;          ///< key beside it with the body in whose axes it is, unless that is the ground
    bool             carried_in_plane; ///< in space the carrier does not matter
    zn_key_refers    refers;
} zn_schema_key;

struct zn_schema {
    const char *name;  ///< of one object: "body"
    const char *title; ///< of its chapter in the manual
    const char *help;
    size_t      size; ///< of the struct, at most ZN_SCHEMA_BYTES
    void (*defaults)(void *out);
    int                  count;
    const zn_schema_key *keys;   ///< at most 64
    zn_options (*options)(void); ///< the table that the keys are made from; NULL: none
};

enum { ZN_SCHEMA_BYTES = 2048 };

/// A name used before it is known what it stands for.
typedef struct zn_reference {
    const char *name; ///< NULL: not given
    int         line, column;
} zn_reference;

/// A number, or a word in its place.
typedef struct zn_when_entry {
    double number;
    int    word; ///< 1 + its place in the choices; 0: a number was given
} zn_when_entry;

/// A time, or a multiple of the critical step.
typedef struct zn_step_entry {
    double value;
    bool   cfl;
} zn_step_entry;

typedef struct zn_references {
    int           count;
    zn_reference *items;
} zn_references;

/// What the reader needs to know beside the table.
typedef struct zn_reader {
    zn_pool     *pool;
    zn_faults   *faults;
    zn_constants constants; ///< parameters, and indices of the object
    bool         planar;
    bool         carried; ///< vectors are in the axes of a body
    const char  *path;    ///< of the model file: others are sought beside it
    zn_inputs   *inputs;  ///< where these may be, and are listed
    zn_model    *model;   ///< whose sensors, states and controls signals may use; NULL: none
    /// Called before a name is looked up there: it may be one that is still to come. True: it is there no more, and why
    /// has been told.
    bool (*declare)(void *user, const char *name);
    void           *declare_user;
    char            where[128]; ///< "body 'block'", for messages; "" for the file itself
    zn_scope        home;       ///< of the file that is read
    const zn_level *level;      ///< at present; NULL: nothing is known of it yet
} zn_reader;

/// From here on the reader is at this object, or (NULL) at the file itself.
void        zn_reader_enter(zn_reader *reader, const zn_yaml_node *object);
void        zn_reader_at(zn_reader *reader, const zn_scope *scope);
/// The full name of what a reference means here: with the group it is in, and indices as numbers. `what` is its key.
/// False after a message.
bool        zn_read_reference(zn_reader *reader, const char *what, bool material, zn_reference *reference);
/// A file that is named here, as seen from the folder of the model file; NULL: out of memory.
const char *zn_reader_file(zn_reader *reader, const char *file);

/// Fill `out`, which holds the defaults, from a map. `given` (may be NULL) gets a bit per key. False when there were
/// faults; signals read so far stay in `out` all the same.
bool zn_schema_read(zn_reader *reader, const zn_schema *schema, const zn_yaml_node *node, void *out, uint64_t *given);
/// True when the key is among `given`.
bool zn_schema_given(const zn_schema *schema, uint64_t given, const char *key);

/// Is the key in the axes of a body that the object names?
bool zn_schema_is_carried(const zn_reader *reader, const zn_schema_key *key, const zn_yaml_node *object);
/// Move what was read into `out` with the group that the object is in.
void zn_schema_move(zn_reader *reader, const zn_schema *schema, const zn_yaml_node *object, uint64_t given, void *out);
/// A vector of signals, turned with the group; `node` is a list as long as the model has directions.
bool zn_schema_turn_signals(zn_reader *reader, const zn_schema_key *key, const zn_yaml_node *node, zn_signal *out[3]);

/// One number with expression and unit; `what` names it in messages.
bool zn_read_number(zn_reader *reader, const zn_yaml_node *node, const char *what, zn_dimension dimension,
                    zn_range range, double *out);
/// A time, or a number followed by "cfl".
bool zn_read_step(zn_reader *reader, const zn_yaml_node *node, const char *what, zn_step_entry *out);
bool zn_read_bool(zn_reader *reader, const zn_yaml_node *node, const char *what, bool *out);
/// A formula of t and of variables (see zn_expression_def).
bool zn_read_formula(zn_reader *reader, const zn_yaml_node *node, const char *what,
                     int (*variable)(void *user, const char *name), void *user, zn_expression **out);
/// A signal: expression of t with a unit, or {csv: file, column: n}.
bool zn_read_signal(zn_reader *reader, const zn_yaml_node *node, const char *what, zn_dimension dimension,
                    zn_signal **out);

/// The sum of `count` signals with weights; expressions only.
bool zn_read_signal_sum(zn_reader *reader, int count, const zn_yaml_node *const *nodes, const double *weights,
                        const char *what, zn_dimension dimension, zn_signal **out);

/// Fault at a node or at its key, with `where` in front.
void zn_complain(zn_reader *reader, const zn_yaml_node *node, const char *format, ...) ZN_PRINTF(3, 4);
void zn_complain_key(zn_reader *reader, const zn_yaml_node *node, const char *format, ...) ZN_PRINTF(3, 4);
void zn_complain_at(zn_reader *reader, int line, int column, const char *format, ...) ZN_PRINTF(4, 5);

/// "> 0", "0 to 1", "" for any.
const char *zn_range_text(zn_range range, char buffer[64]);

#endif
