// The model language of groups and included files. Both hold the sections of the file as well: see expand.c.
#include "io/schema_group.h"

#include "io/schema_rows.h"
#include "io/schema_table.h"

static void include_defaults(void *out) { *(zn_include_entry *)out = (zn_include_entry){0}; }

static void group_defaults(void *out) { *(zn_group_entry *)out = (zn_group_entry){.rotation = {1, 0, 0, 0}}; }

static const zn_schema_key include_keys[] = {
    {"file", ZN_KEY_TEXT, REQUIRED, FIELD(zn_include_entry, file), HELP("sought beside the file that names it")},
    {"parameters", ZN_KEY_MAP, FIELD(zn_include_entry, parameters),
     HELP("values for parameters of that file, in place of those that stand in it; they may use parameters of this "
          "file")},
};

const zn_schema zn_schema_include = {
    "include",
    "include",
    "A file whose objects become part of the model: its name, these keys, or a list of "
    "either. It is a model file without `gravity`, `run`, `limits` and `reference`; "
    "its "
    "parameters are its own. A file that includes itself is refused.",
    sizeof(zn_include_entry),
    include_defaults,
    KEYS(include_keys)};

static const zn_schema_key group_keys[] = {
    {"at", ZN_KEY_VECTOR, OWN_AXES, UNIT(LENGTH), FIELD(zn_group_entry, at), HELP("where the origin of the group is")},
    {"angle", ZN_KEY_NUMBER, UNIT(ANGLE), FIELD(zn_group_entry, angle), HELP("planar models: turns it about `at`")},
    {"rotation", ZN_KEY_ROTATION, OWN_AXES, .object = &zn_schema_turn, FIELD(zn_group_entry, rotation), DEFAULT("none"),
     HELP("the same in space")},
    {"parameters", ZN_KEY_MAP, FIELD(zn_group_entry, parameters),
     HELP("names for values used in the group, and values for parameters of the files it includes")},
    {"include", ZN_KEY_NODE, .object = &zn_schema_include, FIELD(zn_group_entry, include), DEFAULT("none"),
     HELP("files with the objects of the group")},
    {"groups", ZN_KEY_MAP, .object = &zn_schema_group, FIELD(zn_group_entry, groups), HELP("groups in the group")},
};

const zn_schema zn_schema_group = {"group",
                                   "groups",
                                   "Objects with axes of their own: these keys, and any section of named objects "
                                   "(`bodies`, `joints` ... `contacts`, `record`). Outside, what is called `finger` in "
                                   "the group `left` is `left::finger`. All that is in world axes is moved and turned "
                                   "with the group, initial velocities are turned; what cannot be is refused. A name "
                                   "in a group means what the group has by that name, else what is around it.",
                                   sizeof(zn_group_entry),
                                   group_defaults,
                                   KEYS(group_keys)};

static const zn_schema_key included_keys[] = {
    {"zeno", ZN_KEY_INTEGER, REQUIRED, FIELD(zn_group_entry, version), HELP("version of the format: 1")},
    {"title", ZN_KEY_TEXT, FIELD(zn_group_entry, title), HELP("one line for people")},
    {"planar", ZN_KEY_BOOL, FIELD(zn_group_entry, planar), HELP("as the file that includes it")},
    {"parameters", ZN_KEY_MAP, FIELD(zn_group_entry, parameters), HELP("with their defaults")},
    {"include", ZN_KEY_NODE, .object = &zn_schema_include, FIELD(zn_group_entry, include), HELP("more files")},
    {"groups", ZN_KEY_MAP, .object = &zn_schema_group, FIELD(zn_group_entry, groups), HELP("groups")},
};

const zn_schema zn_schema_included = {
    "file", "included files", "Keys of an included file.", sizeof(zn_group_entry), group_defaults, KEYS(included_keys)};
