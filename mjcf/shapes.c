// Geoms as shapes, and who of them meets whom. MuJoCo lets convex hulls of meshes collide: hulls they are here.
#include <math.h>

#include "scene.h"

static bool collides(const mjModel *m, int g) { return m->geom_contype[g] != 0 || m->geom_conaffinity[g] != 0; }

static bool is_known(const mjModel *m, int g)
{
    int type = m->geom_type[g];
    return type == mjGEOM_PLANE || type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER ||
           type == mjGEOM_BOX || type == mjGEOM_MESH;
}

static bool is_shape(const mjModel *m, int g) { return collides(m, g) && is_known(m, g); }

// Points of the hull where MuJoCo has made one, else all.
static void put_mesh(scene *s, int mesh)
{
    const mjModel *m = s->model;
    const float   *vertex = &m->mesh_vert[3 * m->mesh_vertadr[mesh]];
    const int     *graph = m->mesh_graphadr[mesh] >= 0 ? &m->mesh_graph[m->mesh_graphadr[mesh]] : NULL;
    int            count = graph != NULL ? graph[0] : m->mesh_vertnum[mesh];
    fputs("hull: {points: [", s->out);
    for (int i = 0; i < count; i++) {
        const float *v = &vertex[3 * (graph != NULL ? graph[2 + count + i] : i)];
        s->odd += !isfinite(v[0]) + !isfinite(v[1]) + !isfinite(v[2]);
        fprintf(s->out, "%s[%.9g, %.9g, %.9g]", i > 0 ? ", " : "", v[0], v[1], v[2]);
    }
    fputs("]}", s->out);
}

static void put_form(scene *s, int g)
{
    const mjtNum *size = &s->model->geom_size[3 * g];
    switch (s->model->geom_type[g]) {
    case mjGEOM_SPHERE:
        fputs("sphere: ", s->out);
        put_number(s, size[0]);
        break;
    case mjGEOM_BOX:
        fputs("box: ", s->out);
        put_vector(s, (mjtNum[]){2 * size[0], 2 * size[1], 2 * size[2]});
        break;
    case mjGEOM_MESH:
        put_mesh(s, s->model->geom_dataid[g]);
        break;
    default:
        fprintf(s->out, "%s: {radius: ", s->model->geom_type[g] == mjGEOM_CAPSULE ? "capsule" : "cylinder");
        put_number(s, size[0]);
        fputs(", length: ", s->out);
        put_number(s, 2 * size[1]);
        fputs("}", s->out);
    }
}

static void put_shape(scene *s, int g)
{
    int           body = body_of(s, s->model->geom_bodyid[g]);
    const mjtNum *R = &s->data->geom_xmat[9 * g];
    mjtNum        at[3], world[4], back[4], turn[4];
    to_body(s, body, &s->data->geom_xpos[3 * g], at);
    mju_mat2Quat(world, R);
    mju_negQuat(back, body > 0 ? &s->data->xquat[4 * body] : (const mjtNum[]){1, 0, 0, 0});
    mju_mulQuat(turn, back, world);
    fprintf(s->out, "  %s: {", s->geom[g]);
    if (body > 0)
        fprintf(s->out, "body: %s, ", s->body[body]);
    if (s->model->geom_type[g] == mjGEOM_PLANE) {
        mjtNum normal[3];
        turn_to_body(s, body, (mjtNum[]){R[2], R[5], R[8]}, normal);
        fputs("plane: ", s->out);
        put_vector(s, normal);
    } else
        put_form(s, g);
    if (mju_norm3(at) > 1e-15) {
        fputs(", at: ", s->out);
        put_vector(s, at);
    }
    if (s->model->geom_type[g] != mjGEOM_PLANE && s->model->geom_type[g] != mjGEOM_SPHERE)
        put_quaternion(s, turn);
    fputs("}\n", s->out);
}

void put_shapes(scene *s)
{
    int seen = 0, unknown = 0, count = 0;
    for (int g = 0; g < s->model->ngeom; g++) {
        seen += !collides(s->model, g);
        unknown += collides(s->model, g) && !is_known(s->model, g);
        if (is_shape(s->model, g)) {
            fputs(count++ == 0 ? "shapes:\n" : "", s->out);
            put_shape(s, g);
        }
    }
    if (seen > 0)
        fprintf(s->out, "# left out: %d geoms that touch nothing\n", seen);
    if (unknown > 0)
        fprintf(s->out, "# left out: %d ellipsoids, height fields or other geoms without a counterpart\n", unknown);
}

// MuJoCo packs both bodies into one number, those of old versions counted from 1, of some in between either way.
static bool knows_excluded(void) { return mjVERSION_HEADER < 230 || mjVERSION_HEADER >= 300; }

static void excluded_pair(const scene *s, int i, int *a, int *b)
{
    const int one = mjVERSION_HEADER < 300 ? 1 : 0;
    int       signature = s->model->exclude_signature[i];
    *a = body_of(s, (signature >> 16) - one);
    *b = body_of(s, (signature & 0xffff) - one);
}

static void put_except(const scene *s)
{
    for (int i = 0; i < s->model->nexclude && knows_excluded(); i++) {
        int a, b;
        excluded_pair(s, i, &a, &b);
        fprintf(s->out, "%s[%s, %s]", i == 0 ? ", except: [" : ", ", a > 0 ? s->body[a] : "ground",
                b > 0 ? s->body[b] : "ground");
    }
    fputs(s->model->nexclude > 0 && knows_excluded() ? "]" : "", s->out);
}

// Bodies that a joint holds together do not touch each other in a model file.
static bool are_joined(const scene *s, int a, int b)
{
    const mjModel *m = s->model;
    bool           is_free = m->body_jntnum[b] == 1 && m->jnt_type[m->body_jntadr[b]] == mjJNT_FREE;
    return b > 0 && !is_free && body_of(s, m->body_parentid[b]) == a;
}

static bool is_excluded(const scene *s, int a, int b)
{
    for (int i = 0; i < s->model->nexclude && knows_excluded(); i++) {
        int one, other;
        excluded_pair(s, i, &one, &other);
        if ((one == a && other == b) || (one == b && other == a))
            return true;
    }
    return false;
}

static bool can_meet(const scene *s, int g, int h)
{
    const mjModel *m = s->model;
    int            a = body_of(s, m->geom_bodyid[g]), b = body_of(s, m->geom_bodyid[h]);
    bool           planes = m->geom_type[g] == mjGEOM_PLANE && m->geom_type[h] == mjGEOM_PLANE;
    return a != b && !planes && !are_joined(s, a, b) && !are_joined(s, b, a) && !is_excluded(s, a, b);
}

static bool anything_meets(const scene *s)
{
    for (int g = 0; g < s->model->ngeom; g++)
        for (int h = g + 1; h < s->model->ngeom && is_shape(s->model, g); h++)
            if (is_shape(s->model, h) && can_meet(s, g, h))
                return true;
    return false;
}

void put_contacts(scene *s)
{
    const mjModel *m = s->model;
    double         least = INFINITY, most = 0;
    int            masks = 0;
    for (int g = 0; g < m->ngeom; g++)
        if (is_shape(m, g)) {
            least = fmin(least, m->geom_friction[3 * g]);
            most = fmax(most, m->geom_friction[3 * g]);
            masks += m->geom_contype[g] != 1 || m->geom_conaffinity[g] != 1;
        }
    if (!anything_meets(s))
        return;
    if (least < most)
        fprintf(s->out, "# geoms have friction from %g to %g: one law with the largest; see 'material' for others\n",
                least, most);
    if (masks > 0)
        fprintf(s->out, "# contype and conaffinity of %d geoms are left out: see 'against' and 'except'\n", masks);
    if (!knows_excluded() && m->nexclude > 0)
        fprintf(s->out, "# left out: %d pairs that are excluded: see 'except'\n", (int)m->nexclude);
    fputs("contacts:\n  touch: {between: [all], friction: ", s->out);
    put_number(s, most);
    put_except(s);
    fputs("}\n", s->out);
}
