// The section `springs` of a model file. Each type has a table of keys of its own.
#include "io/bind.h"

#include <string.h>

#include "base/array.h"
#include "model/element/spring_law.h"

// --- laws ------------------------------------------------------------------------------------------

// The pair [elongation, force] of a table; false after a message.
static bool read_pair(zn_reader *r, const zn_yaml_node *item, const zn_dimension unit[2], double *x, double *force)
{
    const zn_range any = {0};
    if (item->kind == ZN_YAML_LIST && item->count == 2)
        return zn_read_number(r, item->first, "table", unit[0], any, x) &&
               zn_read_number(r, item->first->next, "table", unit[1], any, force);
    zn_complain(r, item, "'table' must be a list of pairs, each of them [elongation, force]");
    return false;
}

static zn_spring_law *read_table(zn_reader *r, const zn_yaml_node *node, const zn_dimension unit[2])
{
    zn_spring_law *law = NULL;
    if (node->kind != ZN_YAML_LIST || node->count < 2) {
        zn_complain(r, node, "'table' must be a list of at least two pairs [elongation, force]");
        return NULL;
    }
    double *x = zn_pool_alloc(r->pool, 2 * (size_t)node->count, sizeof *x), *force = x + node->count;
    r->faults->out_of_memory |= x == NULL;
    int i = 0;
    for (const zn_yaml_node *item = node->first; x != NULL && item != NULL; item = item->next, i++) {
        if (!read_pair(r, item, unit, &x[i], &force[i]))
            return NULL;
        if (i > 0 && !(x[i] > x[i - 1])) {
            zn_complain(r, item, "'table' must ascend: %g follows %g", x[i], x[i - 1]);
            return NULL;
        }
    }
    if (x != NULL && zn_spring_law_table(i, x, force, &law) == ZN_ERR_MEMORY)
        r->faults->out_of_memory = true;
    return law;
}

// Table or formula; false after a message.
static bool read_law(zn_reader *r, const zn_yaml_node *table, const zn_yaml_node *formula, const char *what,
                     const char *coordinate, const zn_dimension unit[2], zn_spring_law **out)
{
    zn_expression *e;
    if (table != NULL && formula != NULL) {
        zn_complain_key(r, formula, "'%s' does not go with 'table'", what);
        return false;
    }
    if (table != NULL)
        return (*out = read_table(r, table, unit)) != NULL;
    if (formula == NULL)
        return true;
    if (!zn_read_formula(r, formula, what, zn_spring_variable, (void *)coordinate, &e))
        return false;
    zn_status status = zn_spring_law_take(e, out);
    r->faults->out_of_memory |= status == ZN_ERR_MEMORY;
    return status == ZN_OK;
}

// --- springs along a line --------------------------------------------------------------------------

// A length that stays is a number; false after a message.
static bool settle_rest(zn_reader *r, const zn_yaml_node *node, zn_spring_def *def)
{
    if (def->rest == NULL || !zn_signal_is_constant(def->rest))
        return true;
    def->rest_length = zn_signal_at(def->rest, 0);
    def->rest = zn_signal_destroy(def->rest);
    if (def->rest_length >= 0)
        return true;
    zn_complain(r, zn_yaml_get(node, "rest_length"), "'rest_length' must be >= 0 m, but is %.9g", def->rest_length);
    return false;
}

static void bind_line(zn_builder *b, const zn_yaml_node *node)
{
    static const zn_dimension unit[2] = {ZN_DIM_LENGTH, ZN_DIM_FORCE};
    zn_reader                *r = &b->reader;
    zn_spring_entry           e;
    bool                      good = zn_bind_entry(b, &zn_schema_spring, node, &e, NULL);
    e.def.name = node->key;
    good = good && settle_rest(r, node, &e.def);
    bool from = good && zn_bind_attachment(b, "from", &e.from, true, &e.def.from);
    bool to = good && zn_bind_attachment(b, "to", &e.to, true, &e.def.to);
    bool law = good && read_law(r, e.table, e.force, "force", "length", unit, &e.def.law);
    int  before = r->faults->count;
    if (from && to && law) {
        zn_bind_check(b, zn_model_add_spring(b->model, &e.def), before);
        return;
    }
    zn_signal_destroy(e.def.rest);
    zn_spring_law_destroy(e.def.law);
}

// --- torsion springs -------------------------------------------------------------------------------

// In the plane the angle of a body against the ground is that against the world, which a group turns.
static bool check_turned(zn_reader *r, const zn_yaml_node *node, const zn_torsion_entry *e)
{
    static const char *const keys[] = {"free_angle", "moment"};
    bool                     ground = strcmp(e->from.name, "ground") == 0 || strcmp(e->to.name, "ground") == 0;
    for (size_t i = 0; r->planar && r->level != NULL && r->level->frame.turned && ground && i < ZN_COUNT(keys); i++)
        if (zn_yaml_get(node, keys[i]) != NULL) {
            zn_complain_key(r, zn_yaml_get(node, keys[i]), "'%s' against the ground cannot be turned with a group",
                            keys[i]);
            return false;
        }
    return true;
}

static void bind_torsion(zn_builder *b, const zn_yaml_node *node)
{
    static const zn_dimension unit[2] = {ZN_DIM_ANGLE, ZN_DIM_TORQUE};
    zn_reader                *r = &b->reader;
    zn_torsion_entry          e;
    bool                      good = zn_bind_entry(b, &zn_schema_torsion, node, &e, NULL);
    e.def.name = node->key;
    if (good && e.def.rest != NULL && zn_signal_is_constant(e.def.rest)) {
        e.def.free_angle = zn_signal_at(e.def.rest, 0);
        e.def.rest = zn_signal_destroy(e.def.rest);
    }
    if (good && r->planar && zn_yaml_get(node, "axis") != NULL) {
        zn_complain_key(r, zn_yaml_get(node, "axis"), "'axis' is for models in space");
        good = false;
    }
    good = good && check_turned(r, node, &e);
    bool from = good && zn_bind_node(b, "from", &e.from, true, &e.def.from.node);
    bool to = good && zn_bind_node(b, "to", &e.to, true, &e.def.to.node);
    bool law = good && read_law(r, e.table, e.moment, "moment", "angle", unit, &e.def.law);
    int  before = r->faults->count;
    if (from && to && law) {
        zn_bind_check(b, zn_model_add_torsion(b->model, &e.def), before);
        return;
    }
    zn_signal_destroy(e.def.rest);
    zn_spring_law_destroy(e.def.law);
}

// --- bushings --------------------------------------------------------------------------------------

// Units of the entries: of displacements, of couplings, of rotations.
static const zn_dimension stiffness_units[3] = {ZN_DIM_STIFFNESS, ZN_DIM_FORCE, ZN_DIM_TORSION};
static const zn_dimension damping_units[3] = {ZN_DIM_DAMPING, ZN_DIM_IMPULSE, ZN_DIM_TORSION_DAMPING};

static bool read_entry(zn_reader *r, const zn_yaml_node *node, const char *what, const zn_dimension units[3], int i,
                       int j, double M[6][6])
{
    const zn_range any = {0};
    int            row = r->planar && i == 2 ? 5 : i, column = r->planar && j == 2 ? 5 : j;
    return zn_read_number(r, node, what, units[(row >= 3) + (column >= 3)], any, &M[row][column]);
}

// A diagonal, or all rows.
static bool read_matrix(zn_reader *r, const zn_yaml_node *node, const char *what, const zn_dimension units[3],
                        double M[6][6])
{
    int  size = r->planar ? 3 : 6, i = 0;
    bool good = node->kind == ZN_YAML_LIST && node->count == size;
    for (const zn_yaml_node *row = good ? node->first : NULL; row != NULL && good; row = row->next, i++) {
        int j = 0;
        if (row->kind == ZN_YAML_SCALAR) {
            if (!read_entry(r, row, what, units, i, i, M))
                return false;
            continue;
        }
        good = row->kind == ZN_YAML_LIST && row->count == size && node->first->kind == ZN_YAML_LIST;
        for (const zn_yaml_node *n = good ? row->first : NULL; n != NULL; n = n->next, j++)
            if (!read_entry(r, n, what, units, i, j, M))
                return false;
    }
    if (!good)
        zn_complain(r, node, "'%s' must be a list of %d numbers, the diagonal, or of %d rows of %d", what, size, size,
                    size);
    return good;
}

static void bind_bushing(zn_builder *b, const zn_yaml_node *node)
{
    zn_reader       *r = &b->reader;
    zn_bushing_entry e;
    if (!zn_bind_entry(b, &zn_schema_bushing, node, &e, NULL))
        return;
    if (!r->planar && zn_yaml_get(node, "angle") != NULL) {
        zn_complain_key(r, zn_yaml_get(node, "angle"), "'angle' is for planar models; in space there is 'rotation'");
        return;
    }
    e.def.name = node->key;
    if (r->planar)
        e.def.axes = zn_so3_exp(zn_vec3_make(0, 0, e.angle));
    bool from = zn_bind_node(b, "from", &e.from, true, &e.def.from.node);
    bool to = zn_bind_node(b, "to", &e.to, true, &e.def.to.node);
    if (!from || !to || !read_matrix(r, e.stiffness, "stiffness", stiffness_units, e.def.stiffness) ||
        (e.damping != NULL && !read_matrix(r, e.damping, "damping", damping_units, e.def.damping)))
        return;
    int before = r->faults->count;
    zn_bind_check(b, zn_model_add_bushing(b->model, &e.def), before);
}

// --- all -------------------------------------------------------------------------------------------

void zn_bind_spring(zn_builder *b, const zn_yaml_node *node)
{
    const zn_yaml_node *type = node->kind == ZN_YAML_MAP ? zn_yaml_get(node, "type") : NULL;
    const char         *word = type != NULL && type->kind == ZN_YAML_SCALAR ? type->text : "line";
    if (strcmp(word, "torsion") == 0)
        bind_torsion(b, node);
    else if (strcmp(word, "bushing") == 0)
        bind_bushing(b, node);
    else
        bind_line(b, node);
}
