// Both levels in one problem. See two_levels.h.
#include "constraint/two_levels.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "system/system.h"

zn_status zn_two_levels_create(const zn_system *sys, zn_response *motion, zn_response *metric, zn_two_levels *out)
{
    ZN_ASSERT(motion && metric && motion->solver && out);
    *out = (zn_two_levels){.n = sys->info.n, .motion = motion, .metric = metric};
    return zn_system_matrix(sys, &out->stiffness);
}

void zn_two_levels_destroy(zn_two_levels *t)
{
    zn_sparse_destroy(t->stiffness);
    zn_row_list_destroy(&t->both);
    free(t->effect);
    *t = (zn_two_levels){0};
}

zn_status zn_two_levels_reserve(zn_two_levels *t, int rows, int contacts)
{
    ZN_ASSERT(rows >= 0 && contacts >= 0);
    zn_row_list_destroy(&t->both);
    free(t->effect);
    t->effect = ZN_NEW(double, ((size_t)contacts + 1) * (size_t)t->n + (size_t)contacts);
    t->work = t->effect ? t->effect + (size_t)contacts * (size_t)t->n : NULL;
    t->unit = t->effect ? t->work + t->n : NULL;
    ZN_TRY(zn_row_list_create(rows + contacts, 2 * contacts, &t->both));
    return t->effect ? ZN_OK : ZN_ERR_MEMORY;
}

void zn_two_levels_list(zn_two_levels *t, const zn_row_list *velocity, const zn_row_list *position, double factor)
{
    ZN_ASSERT(velocity->rows + position->rows <= t->both.capacity && !position->friction);
    zn_row_list *both = &t->both;
    int          impulses = velocity->rows, shifts = position->rows;
    t->factor = factor;
    t->impulses = impulses;
    t->impulse_equations = velocity->equations;
    t->shifts = shifts;
    t->shift_equations = position->equations;
    both->rows = impulses + shifts;
    both->equations = velocity->equations + position->equations;
    both->contacts = velocity->contacts + position->contacts;
    both->friction = velocity->friction;
    both->follow = velocity->follow;
    both->bonds = velocity->bonds;
    for (int j = 0; j < both->rows; j++) {
        int index;
        both->row[j] = (zn_two_levels_is_impulse(t, j, &index) ? velocity : position)->row[index];
    }
    for (int c = 0; c < both->contacts; c++) {
        bool impulse = c < velocity->contacts;
        both->first[c] = impulse ? velocity->first[c] + position->equations
                                 : position->first[c - velocity->contacts] + velocity->rows;
        both->mu[c] = impulse ? velocity->mu[c] : 0;
        both->leader[c] = impulse ? velocity->leader[c] : -1;
        both->bond[c] = impulse ? velocity->bond[c] : 0;
    }
    both->first[both->contacts] = both->rows;
}

bool zn_two_levels_is_impulse(const zn_two_levels *t, int j, int *index)
{
    ZN_ASSERT(j >= 0 && j < t->both.rows && index);
    int contact_rows = t->impulses - t->impulse_equations;
    if (j < t->impulse_equations)
        return *index = j, true;
    j -= t->impulse_equations;
    if (j < t->shift_equations)
        return *index = j, false;
    j -= t->shift_equations;
    if (j < contact_rows)
        return *index = t->impulse_equations + j, true;
    return *index = t->shift_equations + j - contact_rows, false;
}

zn_status zn_two_levels_stiffness(zn_two_levels *t, const double *x, double *out)
{
    ZN_ASSERT(x != out);
    zn_sparse_multiply(t->stiffness, x, out);
    return zn_response_solve(t->motion, out);
}

// W22 = W11 in the diagonal, where tau does not move forces.
static void choose_unit(zn_two_levels *t, zn_rows G, zn_rows H, int row, int index)
{
    double impulse = zn_response_product(t->motion, G, row, H, row);
    double shift = zn_response_product(t->metric, G, row, H, row);
    t->unit[index] = impulse > 0 && shift > 0 ? t->factor * impulse / shift : t->factor;
}

static zn_status update_effects(zn_two_levels *t, zn_rows G, zn_rows H)
{
    double *work = t->work;
    for (int j = 0; j < t->both.rows; j++) {
        int index;
        if (zn_two_levels_is_impulse(t, j, &index))
            continue;
        choose_unit(t, G, H, t->both.row[j], index);
        memset(work, 0, sizeof *work * (size_t)t->n);
        zn_response_add_row(t->metric, H, t->both.row[j], 1, work);
        ZN_TRY(zn_two_levels_stiffness(t, work, t->effect + (size_t)index * (size_t)t->n));
    }
    return ZN_OK;
}

// Entry (a, b) of the operator.
static double entry(const zn_two_levels *t, zn_rows G, zn_rows H, int a, int b)
{
    int    ia, ib, row = t->both.row[a];
    double k = t->factor;
    bool   velocity = zn_two_levels_is_impulse(t, a, &ia), impulse = zn_two_levels_is_impulse(t, b, &ib);
    if (impulse) // W11, W21 / k
        return zn_response_product(t->motion, G, row, H, t->both.row[b]);
    double response = k * zn_rows_dot(G, row, t->n, t->effect + (size_t)ib * (size_t)t->n);
    if (velocity)
        return -response * t->unit[ib];                                                              // W12
    return (zn_response_product(t->metric, G, row, H, t->both.row[b]) / k - response) * t->unit[ib]; // W22 / k
}

// Columns are brought up to date for rows of both levels, whichever they are needed for.
zn_status zn_two_levels_assemble(zn_two_levels *t, zn_constraints *c, const zn_contact_set *set, zn_rows H)
{
    zn_rows G = zn_gap_rows(set);
    int     m = t->both.rows;
    ZN_ASSERT(m <= c->dense);
    c->sparse = NULL;
    c->set = set;
    ZN_TRY(zn_response_update(t->motion, set, H, &t->both));
    ZN_TRY(zn_response_update(t->metric, set, H, &t->both));
    ZN_TRY(update_effects(t, G, H));
    for (int a = 0; a < m; a++)
        for (int b = 0; b < m; b++)
            c->W[a * m + b] = entry(t, G, H, a, b);
    return ZN_OK;
}

void zn_two_levels_add(const zn_two_levels *t, zn_rows H, const double *z, double *v, double *shift)
{
    ZN_ASSERT(v != shift);
    for (int j = 0; j < t->both.rows; j++) {
        int index;
        if (zn_two_levels_is_impulse(t, j, &index)) {
            zn_response_add_row(t->motion, H, t->both.row[j], z[j], v);
            continue;
        }
        const double *effect = t->effect + (size_t)index * (size_t)t->n;
        double        tau = t->unit[index] * z[j];
        for (int i = 0; i < t->n; i++)
            v[i] -= t->factor * tau * effect[i];
        zn_response_add_row(t->metric, H, t->both.row[j], tau, shift);
    }
}
