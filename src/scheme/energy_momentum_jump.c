// The discrete contact velocity of Miyazaki and Park (section 4.4) after Laursen and Love. A contact that closes within
// a step has taken the energy D = -Q H.d = Q (g - g')/(n_m.n) > 0. It gets it back by an impulse along its row of G at
// the end, which has neither resultant nor moment about the positions there:
//
//     v' = v* + sum b_i u_i,   u_i = h Q_i M^-1 G_i',   A_ij = u_i.M u_j / 2,   B_i = u_i.M v*
//     A_ii b_i^2 + (B_i + sum_{j != i} A_ij b_j) b_i = D_i     for every i; their sum is the balance (72)
//
// by Gauss-Seidel on the small root, then one factor for all so that the sum is exact. The other root keeps energy as
// well but turns momenta into jumps. What cannot be given back is a debt, paid at the next impact and told. Joints go
// on holding: u_i is what they leave of it (energy_momentum_hold.c). Between rigid bodies friction goes along
// (energy_momentum_rub.c).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "math/linsolver.h"
#include "scheme/energy_momentum.h"

zn_status zn_velocity_jump_create(const zn_conserving *s, zn_velocity_jump *out)
{
    bool contacts = false;
    for (int i = 0; i < s->sys->model->rules; i++)
        contacts |= !s->sys->model->rule[i].ops->bilateral;
    if (!contacts || s->n == 0)
        return ZN_OK; // nothing jumps
    ZN_TRY(zn_velocity_jump_create_hold(s, out));
    ZN_TRY(zn_conserving_mark_rigid(s->sys, &out->rigid));
    out->entries = s->sys->max_entries;
    ZN_TRY(zn_system_matrix(s->sys, &out->matrix));
    ZN_TRY(zn_linsolver_create(out->matrix, s->def.linear_solver, &out->mass));
    ZN_TRY(zn_system_operators(s->sys, (zn_at){s->sys->q0, s->sys->v0, 0, 0}, 1, 0, 0, out->matrix));
    return zn_linsolver_factor_kept(out->mass, out->matrix, true); // M is constant
}

static void release(zn_velocity_jump *j)
{
    free(j->contact);
    free(j->column);
    free(j->A);
    free(j->B);
    free(j->b);
    free(j->loss);
    free(j->share);
    free(j->rub);
    free(j->least);
    free(j->most);
    free(j->sticks);
    free(j->slope);
    free(j->slide);
    free(j->slide_dof);
    free(j->slide_used);
    free(j->rubbed);
}

void zn_velocity_jump_destroy(zn_velocity_jump *jump)
{
    release(jump);
    free(jump->hold);
    free(jump->row);
    free(jump->rate);
    free(jump->rigid);
    zn_linsolver_destroy(jump->mass);
    zn_sparse_destroy(jump->matrix);
    *jump = (zn_velocity_jump){0};
}

zn_status zn_velocity_jump_reserve(zn_velocity_jump *j, int n, int count)
{
    if (count <= j->capacity)
        return ZN_OK;
    size_t room = (size_t)count + (size_t)count / 2;
    release(j);
    j->contact = ZN_NEW(int, room);
    j->column = ZN_NEW(double, room *(size_t)n);
    j->A = ZN_NEW(double, room *room);
    j->B = ZN_NEW(double, room);
    j->b = ZN_NEW(double, room);
    j->loss = ZN_NEW(double, room);
    j->share = ZN_NEW(double, room *(size_t)j->equations);
    j->rub = ZN_NEW(double, room);
    j->least = ZN_NEW(double, room);
    j->most = ZN_NEW(double, room);
    j->sticks = ZN_NEW(bool, room);
    j->slope = ZN_NEW(double, 2 * room);
    j->slide = ZN_NEW(double, room *(size_t)j->entries);
    j->slide_dof = ZN_NEW(int, room *(size_t)j->entries);
    j->slide_used = ZN_NEW(int, room);
    j->rubbed = ZN_NEW(double, room);
    bool memory = j->contact && j->column && j->A && j->B && j->b && j->loss && j->share && j->rub && j->least &&
                  j->most && j->sticks && j->slope && j->slide && j->slide_dof && j->slide_used && j->rubbed;
    j->capacity = memory ? (int)room : 0;
    return memory ? ZN_OK : ZN_ERR_MEMORY;
}

// --- who takes part --------------------------------------------------------------------------------

// Contacts that took energy. What a lasting one takes is rounding of p times the gap.
static zn_status list_losses(zn_conserving *s)
{
    zn_velocity_jump *j = &s->jump;
    double            rounding = 4 * zn_system_resolution(s->sys, s->q, NULL);
    int               most = 0;
    for (int i = 0; i < s->set->count; i++)
        most += !s->set->bilateral[i] && s->p[i * s->set->stride] > 0;
    ZN_TRY(zn_velocity_jump_reserve(j, s->n, most));
    j->count = 0;
    for (int i = 0; i < s->set->count; i++) {
        double Q = s->p[i * s->set->stride], loss = -zn_conserving_work(s, i, 0);
        if (s->set->bilateral[i] || !(Q > 0) || !(fabs(loss) > Q * rounding))
            continue;
        j->contact[j->count] = i;
        j->loss[j->count++] = loss;
    }
    return ZN_OK;
}

// M^-1 G' with what rubs, A and B.
static zn_status respond(zn_conserving *s)
{
    zn_velocity_jump *j = &s->jump;
    zn_rows           G = zn_gap_rows(s->set);
    int               m = j->count, n = s->n;
    memset(j->column, 0, sizeof *j->column * (size_t)m * (size_t)n);
    for (int k = 0; k < m; k++) {
        double *column = j->column + (size_t)k * (size_t)n;
        zn_rows_add(G, j->contact[k] * s->set->stride, n, 1, column);
        zn_velocity_jump_add_rub(s, k, column);
    }
    ZN_TRY(zn_linsolver_solve(j->mass, m, j->column));
    for (int k = 0; k < m; k++)
        zn_velocity_jump_hold_column(s, j->column + (size_t)k * (size_t)n, j->share + k * j->held);
    for (int k = 0; k < m; k++) {
        int    row = j->contact[k] * s->set->stride;
        double u = s->h * s->p[row];
        j->B[k] = u * (zn_rows_dot(G, row, n, s->v) + zn_velocity_jump_rub_dot(s, k, s->v));
        for (int l = 0; l < m; l++)
            j->A[k * m + l] = 0.5 * u * s->h * s->p[j->contact[l] * s->set->stride] *
                              (zn_rows_dot(G, row, n, j->column + (size_t)l * (size_t)n) +
                               zn_velocity_jump_rub_dot(s, k, j->column + (size_t)l * (size_t)n));
    }
    return ZN_OK;
}

// --- how much --------------------------------------------------------------------------------------

// The small root of a b^2 + B b = loss, on the side that B at first says; false: there is none.
static bool small_root(double a, double B, double first, double loss, double *b)
{
    double root = B * B + 4 * a * loss;
    if (!(root >= 0) || !(a > 0))
        return false;
    double sum = B + (first < 0 ? -1 : 1) * sqrt(root);
    if (sum == 0)
        return false;
    *b = 2 * loss / sum;
    return true;
}

static bool sweep(zn_velocity_jump *j, double *change)
{
    int m = j->count;
    *change = 0;
    for (int i = 0; i < m; i++) {
        double B = j->B[i], old = j->b[i];
        for (int k = 0; k < m; k++)
            B += k == i ? 0 : j->A[i * m + k] * j->b[k];
        if (!small_root(j->A[i * m + i], B, j->B[i], j->loss[i], &j->b[i]))
            return false;
        *change = fmax(*change, fabs(j->b[i] - old) / (fabs(j->b[i]) + fabs(old) + 1e-300));
    }
    return true;
}

// Energy of the jump with b: s^2 A + s B for a multiple s of it.
static void sum_up(const zn_velocity_jump *j, double *A, double *B)
{
    int m = j->count;
    *A = *B = 0;
    for (int i = 0; i < m; i++) {
        *B += j->B[i] * j->b[i];
        for (int k = 0; k < m; k++)
            *A += j->A[i * m + k] * j->b[i] * j->b[k];
    }
}

// b with the energy `wanted` in all; where that cannot be, as near as it gets, and false.
static bool choose(zn_velocity_jump *j, double wanted)
{
    enum { SWEEPS = 200 };
    double change = 1, A, B, s = 1;
    bool   found = true;
    memset(j->b, 0, sizeof *j->b * (size_t)j->count);
    for (int k = 0; k < SWEEPS && found && change > 1e-14; k++)
        found = sweep(j, &change);
    for (int i = 0; i < j->count && (!found || change > 1e-3); i++)
        j->b[i] = 1;
    sum_up(j, &A, &B);
    bool whole = small_root(A, B, B, wanted, &s);
    if (!whole)
        s = A > 0 ? -B / (2 * A) : 0; // takes the most that can be taken
    for (int i = 0; i < j->count; i++)
        j->b[i] *= s;
    j->given = s * (s * A + B);
    return whole;
}

static zn_status answer(zn_conserving *s, double wanted)
{
    ZN_TRY(respond(s));
    if (choose(&s->jump, wanted))
        return ZN_OK;
    zn_velocity_jump_leave_rub(s); // friction may hinder it (Painleve)
    ZN_TRY(respond(s));
    choose(&s->jump, wanted);
    return ZN_OK;
}

zn_status zn_velocity_jump_apply(zn_conserving *s, double *debt)
{
    zn_velocity_jump *j = &s->jump;
    double            wanted = *debt;
    ZN_TRY(list_losses(s));
    j->given = j->driven = 0;
    if (j->count == 0)
        return ZN_OK;
    ZN_TRY(zn_fault_point());
    ZN_TRY(zn_velocity_jump_hold(s));
    for (int k = 0; k < j->count; k++)
        ZN_TRY(zn_velocity_jump_find_rub(s, k));
    for (int i = 0; i < j->count; i++)
        wanted += j->loss[i];
    wanted += j->taken;
    ZN_TRY(answer(s, wanted));
    for (int k = 0; k < 50 && zn_velocity_jump_bound_rub(s); k++)
        ZN_TRY(answer(s, wanted));
    *debt = wanted - j->given;
    zn_velocity_jump_book_rub(s);
    j->given -= j->taken;
    for (int i = 0; i < j->count; i++) {
        double        u = j->b[i] * s->h * s->p[j->contact[i] * s->set->stride];
        const double *column = j->column + (size_t)i * (size_t)s->n;
        for (int k = 0; k < s->n; k++)
            s->v[k] += u * column[k];
        for (int k = 0; k < j->held; k++)
            j->driven += u * j->share[i * j->held + k] * j->rate[k];
    }
    return ZN_OK;
}
