// Rigid motions. See near_null.h.
#include "system/near_null.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "system/system.h"

zn_near_null *zn_near_null_destroy(zn_near_null *near)
{
    if (near) {
        free(near->node);
        free(near->motion);
        free(near);
    }
    return NULL;
}

// Unknown `dof` of a node at x: three translations and three rotations about the origin.
static void write_motion(double *motion, int slot, zn_vec3 x)
{
    const double turned[3][3] = {{0, x.z, -x.y}, {-x.z, 0, x.x}, {x.y, -x.x, 0}}; // component of e_k x X
    if (slot >= 3) {
        motion[slot] = 1;
        return;
    }
    motion[slot] = 1;
    for (int k = 0; k < 3; k++)
        motion[3 + k] = turned[slot][k];
}

static zn_vec3 position(const zn_system *sys, const zn_layout_node *node)
{
    const double *q = sys->q0 + node->q;
    int           dimension = zn_node_dimension(node->kind);
    zn_vec3       from = {dimension > 0 ? q[0] : 0, dimension > 1 ? q[1] : 0, dimension > 2 ? q[2] : 0};
    return zn_vec3_add(node->origin, from);
}

static zn_vec3 centre_of(const zn_system *sys)
{
    double sum[4] = {0}; // of all parts: motions are about one centre
    for (int i = 0; i < sys->layout.nodes; i++)
        if (sys->layout.node[i].kind != (zn_node_kind)ZN_ABSENT) {
            zn_vec3 x = position(sys, &sys->layout.node[i]);
            sum[0] += x.x;
            sum[1] += x.y;
            sum[2] += x.z;
            sum[3]++;
        }
    zn_system_sums(sys, sum, 4);
    return zn_vec3_scale(sum[3] > 0 ? 1.0 / sum[3] : 0, (zn_vec3){sum[0], sum[1], sum[2]});
}

static void fill(const zn_system *sys, zn_near_null *near)
{
    zn_vec3 centre = centre_of(sys);
    int     known = 0;
    for (int i = 0; i < sys->layout.nodes; i++) {
        const zn_layout_node *node = &sys->layout.node[i];
        zn_vec3               x = zn_vec3_sub(position(sys, node), centre);
        for (int slot = 0; slot < 6 && node->kind != (zn_node_kind)ZN_ABSENT; slot++) {
            int dof = node->dof[slot];
            if (dof < 0 || dof >= near->n)
                continue;
            near->node[dof] = near->nodes;
            write_motion(near->motion + (size_t)ZN_RIGID_MOTIONS * (size_t)dof, slot, x);
            near->solid &= slot < 3 && zn_node_dimension(node->kind) == 3;
            known++;
        }
        near->nodes++;
    }
    for (int dof = 0; dof < near->n && known < near->n; dof++) // no node's: one of its own, which moves alone
        if (near->node[dof] < 0) {
            near->node[dof] = near->nodes++;
            near->motion[(size_t)ZN_RIGID_MOTIONS * (size_t)dof] = 1;
            near->solid = false;
        }
}

static zn_status create(const zn_system *sys, zn_near_null **out)
{
    int           n = sys->info.n;
    zn_near_null *near = ZN_NEW(zn_near_null, 1);
    if (!near)
        return ZN_ERR_MEMORY;
    *near = (zn_near_null){.n = n, .solid = true, .node = ZN_NEW(int, n)};
    near->motion = ZN_NEW(double, (size_t)ZN_RIGID_MOTIONS *(size_t)n);
    *out = near;
    ZN_TRY(zn_system_agree(sys, near->node && near->motion ? ZN_OK : ZN_ERR_MEMORY));
    for (int i = 0; i < n; i++)
        near->node[i] = -1;
    fill(sys, near);
    return ZN_OK;
}

zn_status zn_system_near_null(const zn_system *sys, const char *linear_solver, zn_near_null **out)
{
    int  n = sys->info.n;
    bool automatic = linear_solver == NULL || strcmp(linear_solver, "auto") == 0;
    *out = NULL;
    if (sys->halo)
        return create(sys, out);
    if (n == 0 || (!automatic && strcmp(linear_solver, "amg") != 0) || (automatic && n < ZN_ITERATE_ROWS))
        return ZN_OK;
    return create(sys, out);
}
