// Nodes that turn at will on the interface. Their spins are in axes of their own, which each part carries along by
// itself: with equal spins both copies turn alike, if they turn by the same vectors. A step of H and m steps of h do
// not: the vectors differ as the ways of translations do, by s = H <W> - sum h W_half, bounded by H^2/12 of the
// acceleration, and turns do not commute, by H^3/12 W x W' in a step, which adds up without end. Spins that meet hold
// no rotations together: the difference of two rotations is carried along by them. So that the copies stay what
// translations are to each other, R_coarse = R_fine exp(s~), a coarse step moves its copy by
//     e = log(R_coarse' R_fine exp(s~))
// of its beginning beside its velocities. In small rotations e = 0: what is known of stability is not touched. With
// equal steps s and e are rounding, and two parts are the whole. The work of e: newmark_partner.c; of explicit parts it
// is in the line "numerical" with the potentials, whose differences are taken.
//
// Inertia forces of rotation depend on the spin at the end of a step, and this on the links. A part that is linearised
// sees to it in its corrections; an explicit one finds its free velocity anew with the links that follow from the last,
// until nothing changes: by h |W| / 2 of itself in a round.
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "scheme/multirate.h"

// --- which they are ------------------------------------------------------------------------------

static bool turns_at_will(const zn_system *sys, int slot)
{
    const zn_layout_node *node = &sys->layout.node[slot / 6];
    return node->kind == ZN_FRAME3 && !node->small && slot % 6 >= 3;
}

// The link of each rotation of a node, -1: it has none.
static int find_link(int links, const int *slot, int wanted)
{
    int i = 0;
    while (i < links && slot[i] != wanted)
        i++;
    return i < links ? i : -1;
}

zn_status multirate_turns_create(const zn_system *sys, const int *slot, const zn_system *fine, multirate_part *c)
{
    const zn_system *coarse = c->part.sys;
    int              most = 0;
    for (int i = 0; i < c->links; i++)
        most += turns_at_will(sys, slot[i]) && slot[i] % 6 == 3;
    c->turn = ZN_NEW(multirate_turn, most);
    c->apart = ZN_NEW(double, 3 * (size_t)most);
    c->shift = ZN_NEW(double, c->links);
    if (!c->turn || !c->apart || !c->shift)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < c->links; i++) {
        if (!turns_at_will(sys, slot[i]) || slot[i] % 6 != 3)
            continue;
        multirate_turn *turn = &c->turn[c->turns++];
        int             node = slot[i] / 6;
        for (int k = 0; k < 3; k++) {
            turn->link[k] = find_link(c->links, slot, slot[i] + k);
            ZN_ASSERT(turn->link[k] >= 0); // its rotations are free all three, or none
        }
        turn->fine = fine->layout.node[node].q + 3;
        turn->coarse = coarse->layout.node[node].q + 3;
    }
    return ZN_OK;
}

void multirate_turns_destroy(multirate_part *c)
{
    free(c->turn);
    free(c->apart);
    free(c->shift);
}

void multirate_turns_list(multirate_part *c, zn_blob *blob)
{
    if (c->turns == 0)
        return;
    zn_blob_doubles(blob, c->apart, 3 * c->turns);
    zn_blob_doubles(blob, c->shift, c->links);
}

void multirate_turns_start(multirate_part *c)
{
    for (int i = 0; i < 3 * c->turns; i++)
        c->apart[i] = 0;
    for (int i = 0; i < c->links && c->turns > 0; i++)
        c->shift[i] = 0;
}

// --- what holds them together --------------------------------------------------------------------

void multirate_turns_part(multirate_part *c, double sign, const double *way)
{
    for (int k = 0; k < c->turns; k++)
        for (int i = 0; i < 3; i++)
            c->apart[3 * k + i] += sign * way[c->turn[k].link[i]];
}

static zn_quat rotation_at(const double *q) { return (zn_quat){q[0], q[1], q[2], q[3]}; }

void multirate_turns_join(multirate_part *c, const zn_state *fine)
{
    for (int k = 0; k < c->turns; k++) {
        const multirate_turn *turn = &c->turn[k];
        const double         *s = c->apart + 3 * k;
        zn_quat wanted = zn_quat_product(rotation_at(fine->q + turn->fine), zn_so3_exp((zn_vec3){s[0], s[1], s[2]}));
        zn_quat own = zn_quat_conjugate(rotation_at(c->state->q + turn->coarse));
        zn_vec3 e = zn_so3_log(zn_quat_product(own, wanted));
        c->shift[turn->link[0]] = e.x;
        c->shift[turn->link[1]] = e.y;
        c->shift[turn->link[2]] = e.z;
    }
}

// --- inertia forces of rotation ------------------------------------------------------------------

zn_status multirate_spin(multirate_part *p, const double *force, double *scratch, double *velocity, bool *same)
{
    const double rounding = 1e-15;
    double       worst = 0, size = 0;
    for (int i = 0; i < p->links; i++)
        scratch[i] = velocity[i];
    ZN_TRY(multirate_partner(p)->spin(p->self, p->state, multirate_links_of(p), force, velocity));
    for (int i = 0; i < p->links; i++) {
        size = fmax(size, fabs(velocity[i]));
        worst = fmax(worst, fabs(velocity[i] - scratch[i]));
    }
    *same = *same && worst <= rounding * size;
    return ZN_OK;
}
