// With R_A, p_A and R_B, p_B the placements, S and o spins and velocities at the origin of the world,
//     R = R_B' R_A,  p = R_B'(p_A - p_B),  spin = R_B'(S_A - S_B),  origin = R_B'(o_A - o_B) + spin x R_B' p_B
#include "model/contact/meet_view.h"

#include <math.h>

static zn_vec3 back(const zn_mat3 *R, zn_vec3 x)
{
    return (zn_vec3){R->m[0][0] * x.x + R->m[1][0] * x.y + R->m[2][0] * x.z,
                     R->m[0][1] * x.x + R->m[1][1] * x.y + R->m[2][1] * x.z,
                     R->m[0][2] * x.x + R->m[1][2] * x.y + R->m[2][2] * x.z};
}

static zn_mat3 turn_between(const zn_mat3 *to, const zn_mat3 *from)
{
    zn_mat3 out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out.m[i][j] = to->m[0][i] * from->m[0][j] + to->m[1][i] * from->m[1][j] + to->m[2][i] * from->m[2][j];
    return out;
}

// Second order of the motion: points turn about the centres of their bodies, normals with their body.
static double bend(const zn_near *at, double reach_a, double reach_b, double speed)
{
    double a = zn_vec3_norm(at->a.spin), b = zn_vec3_norm(at->b.spin), h = at->horizon;
    return 0.5 * h * h * (a * a * reach_a + b * b * reach_b + 2 * fmax(a, b) * speed);
}

static zn_view view(const zn_near *at, const zn_rigid *seen, const zn_feature_motion *moves, const zn_rigid *by,
                    const zn_feature_motion *with)
{
    zn_view v = {.R = turn_between(&by->rotation, &seen->rotation),
                 .p = back(&by->rotation, zn_vec3_sub(seen->position, by->position)),
                 .spin = back(&by->rotation, zn_vec3_sub(moves->spin, with->spin)),
                 .horizon = at->horizon,
                 .slack = at->slack};
    zn_vec3 s = zn_vec3_sub(moves->spin, with->spin), o = zn_vec3_sub(moves->origin, with->origin);
    v.origin = back(&by->rotation, zn_vec3_add(o, zn_vec3_cross(s, by->position)));
    return v;
}

zn_view zn_view_from_b(const zn_near *at, double reach_a, double reach_b)
{
    zn_view v = view(at, &at->A, &at->a, &at->B, &at->b);
    v.bend = bend(at, reach_a, reach_b, zn_vec3_norm(zn_view_velocity(&v, v.p)));
    v.slack += v.bend;
    return v;
}

zn_view zn_view_from_a(const zn_near *at, double reach_a, double reach_b)
{
    zn_view v = view(at, &at->B, &at->b, &at->A, &at->a);
    v.bend = bend(at, reach_a, reach_b, zn_vec3_norm(zn_view_velocity(&v, v.p)));
    v.slack += v.bend;
    return v;
}

zn_status zn_meet_swapped(zn_meet *meet, const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at,
                          zn_feature_list *out)
{
    zn_near other = *at;
    int     before = out->count;
    other.A = at->B;
    other.B = at->A;
    other.a = at->b;
    other.b = at->a;
    ZN_TRY(meet(b, a, &other, out));
    for (int k = before; k < out->count; k++)
        out->pair[k] = zn_feature_pair(zn_feature_second(out->pair[k]), zn_feature_first(out->pair[k]));
    return ZN_OK;
}
