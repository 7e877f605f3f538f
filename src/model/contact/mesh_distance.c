// Distance of a point from a mesh: the nearest triangle by the tree, and its side by the normal of the feature that is
// nearest; of an edge that is the sum of the two normals, of a point the sum of all, each times the angle there
// (Baerentzen, Aanaes 2005), which is right for hollow and convex ones alike.
#include "model/contact/mesh_shape.h"

typedef struct finding {
    double  square; // of the distance
    zn_vec3 away;   // from the surface to the point
    zn_vec3 normal; // of the feature
} finding;

static double square_to_box(const zn_tree_node *n, zn_vec3 p)
{
    double x = fmax(0, fmax(n->low.x - p.x, p.x - n->high.x)), y = fmax(0, fmax(n->low.y - p.y, p.y - n->high.y)),
           z = fmax(0, fmax(n->low.z - p.z, p.z - n->high.z));
    return x * x + y * y + z * z;
}

static void offer(finding *f, zn_vec3 away, zn_vec3 normal)
{
    double square = zn_vec3_dot(away, away);
    if (square < f->square)
        *f = (finding){square, away, normal};
}

// The nearest point of a triangle lies in it, or on one of its edges.
static void try_triangle(const zn_mesh_shape *m, int t, zn_vec3 p, finding *f)
{
    const zn_mesh_face *face = &m->plane[m->face[t]];
    bool                over = true;
    for (int k = 0; k < 3; k++) {
        const zn_mesh_line *e = &m->edge[m->side[3 * t + k]];
        zn_vec3             d = zn_vec3_sub(p, m->point[e->a]);
        over = over && zn_vec3_dot(d, e->beyond[e->triangle[0] == t ? 0 : 1]) <= 0;
        double along = zn_vec3_dot(d, e->along);
        if (along <= 0)
            offer(f, d, m->outward[e->a]);
        else if (along >= e->length)
            offer(f, zn_vec3_sub(p, m->point[e->b]), m->outward[e->b]);
        else
            offer(f, zn_vec3_sub(d, zn_vec3_scale(along, e->along)), e->out);
    }
    if (over)
        offer(f, zn_vec3_scale(zn_vec3_dot(zn_vec3_sub(p, face->at), face->normal), face->normal), face->normal);
}

static void find_nearest(const zn_mesh_shape *m, zn_vec3 p, finding *f)
{
    int depth = 1, stack[ZN_TREE_DEPTH] = {0};
    while (depth > 0) {
        int                 number = stack[--depth];
        const zn_tree_node *n = &m->tree.node[number];
        if (!(square_to_box(n, p) < f->square))
            continue;
        for (int i = 0; i < n->count; i++)
            try_triangle(m, m->tree.order[n->first + i], p, f);
        if (n->count > 0)
            continue;
        int  first = number + 1, second = n->second;
        bool swap = square_to_box(&m->tree.node[second], p) < square_to_box(&m->tree.node[first], p);
        stack[depth++] = swap ? first : second; // the nearer one comes first
        stack[depth++] = swap ? second : first;
    }
}

double zn_mesh_distance(const zn_mesh_shape *m, zn_vec3 p, double within)
{
    finding f = {.square = within * within};
    find_nearest(m, p, &f);
    return zn_vec3_dot(f.away, f.normal) < 0 ? -sqrt(f.square) : sqrt(f.square);
}

bool zn_mesh_contains(const zn_mesh_shape *m, zn_vec3 p, double tolerance)
{
    zn_vec3 d = zn_vec3_sub(p, m->centre);
    if (fabs(d.x) > m->half.x + tolerance || fabs(d.y) > m->half.y + tolerance || fabs(d.z) > m->half.z + tolerance)
        return false;
    return zn_mesh_distance(m, p, 2 * m->extent + tolerance) <= tolerance;
}
