// Parts of a problem that do not touch each other, one by one: contacts in the plane that the other solvers have left
// unsolved are usually a small part of many, and Lemke's method solves that part exactly.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/sets.h"
#include "solve/friction_call.h"
#include "solve/friction_parts.h"

static int first_row(const zn_fc_problem *p, int c)
{
    ZN_ASSERT(c >= 0 && c < p->bilateral + p->contacts);
    return c < p->bilateral ? c : p->first[c - p->bilateral];
}

static void find_parts(zn_fc_parting *s)
{
    const zn_fc_problem *p = s->p;
    for (int c = 0; c < s->count; c++) {
        s->part[c] = c;
        for (int i = first_row(p, c); i < (c + 1 < s->count ? first_row(p, c + 1) : p->n); i++)
            s->owner[i] = c;
    }
    for (int i = 0; i < p->n; i++) {
        zn_fc_row row = zn_fc_row_of(p, i);
        for (int k = 0; k < row.count; k++) {
            int j = row.column != NULL ? row.column[k] : k;
            if (row.value[k] == 0)
                continue;
            zn_sets_join(s->part, s->owner[i], s->owner[j]);
        }
    }
    for (int c = 0; c < s->count; c++)
        s->part[c] = zn_sets_find(s->part, c);
}

zn_status zn_fc_parting_create(const zn_fc_problem *p, zn_fc_workspace *memory, zn_fc_parting *s)
{
    s->p = p;
    s->count = p->bilateral + p->contacts;
    s->owner = ZN_FC_TAKE(memory, int, p->n);
    s->place = ZN_FC_TAKE(memory, int, p->n);
    s->rows = ZN_FC_TAKE(memory, int, p->n);
    s->part = ZN_FC_TAKE(memory, int, s->count);
    s->u = ZN_FC_TAKE(memory, double, p->n);
    s->excess = ZN_FC_TAKE(memory, double, s->count);
    if (!s->owner || !s->place || !s->rows || !s->part || !s->u || !s->excess)
        return ZN_ERR_MEMORY;
    find_parts(s);
    return ZN_OK;
}

// How far each part is from the law in units of the natural map.
static void measure_parts(zn_fc_parting *s, const double *r)
{
    const zn_fc_problem *p = s->p;
    zn_fc_judge(p, NULL, ZN_FC_MEASURE_NATURAL, r, s->u);
    for (int c = 0; c < s->count; c++)
        s->excess[c] = 0;
    for (int c = 0; c < s->count; c++) {
        int    i = first_row(p, c), rows = (c + 1 < s->count ? first_row(p, c + 1) : p->n) - i;
        double d = zn_fc_block_size(p, i, i + rows), mu = c < p->bilateral ? 0 : p->mu[c - p->bilateral];
        double natural =
            c < p->bilateral ? fabs(s->u[i]) / sqrt(d) : sqrt(d) * zn_fc_natural_map(rows, mu, d, r + i, s->u + i);
        s->excess[s->part[c]] = fmax(s->excess[s->part[c]], natural);
    }
}

zn_status zn_fc_parting_gather(zn_fc_parting *s, int root, zn_fc_workspace *memory, zn_fc_problem *out)
{
    const zn_fc_problem *p = s->p;
    int                  n = 0, bilateral = 0, contacts = 0;
    for (int i = 0; i < p->n; i++)
        if (s->part[s->owner[i]] == root) {
            s->place[i] = n;
            s->rows[n++] = i;
            bilateral += i < p->bilateral;
            contacts += i >= p->bilateral && first_row(p, s->owner[i]) == i;
        }
    double *W = ZN_FC_TAKE(memory, double, (size_t)n *n), *q = ZN_FC_TAKE(memory, double, n);
    double *mu = ZN_FC_TAKE(memory, double, contacts);
    int    *first = ZN_FC_TAKE(memory, int, contacts + 1);
    if (!W || !q || !mu || !first)
        return ZN_ERR_MEMORY;
    memset(W, 0, sizeof *W * (size_t)n * n);
    contacts = 0;
    for (int k = 0; k < n; k++) {
        zn_fc_row row = zn_fc_row_of(p, s->rows[k]);
        int       c = s->owner[s->rows[k]];
        q[k] = p->q[s->rows[k]];
        if (c >= p->bilateral && first_row(p, c) == s->rows[k]) {
            first[contacts] = k;
            mu[contacts++] = p->mu[c - p->bilateral];
        }
        for (int e = 0; e < row.count; e++)
            if (row.value[e] != 0)
                W[(size_t)k * n + s->place[row.column != NULL ? row.column[e] : e]] += row.value[e];
    }
    first[contacts] = n;
    ZN_ASSERT(n > 0 && (contacts == 0 || first[0] == bilateral));
    *out = (zn_fc_problem){n, bilateral, contacts, first, W, q, mu, NULL, NULL};
    return ZN_OK;
}

static zn_status solve_part(zn_fc_parting *s, int root, zn_fc_workspace *memory, double *r, int *iterations)
{
    ZN_ASSERT(root >= 0 && root < s->count && s->part[root] == root);
    zn_fc_problem part;
    zn_fc_work    work = {.tolerance = 1e-12};
    ZN_TRY(zn_fc_parting_gather(s, root, memory, &part));
    if (part.n > ZN_FC_LEMKE_PART_ROWS)
        return ZN_NOT_CONVERGED;
    ZN_TRY(zn_fc_work_create(&part, memory, true, &work));
    ZN_TRY(zn_fc_lemke(&work, iterations));
    for (int k = 0; k < part.n; k++)
        r[s->rows[k]] = work.r[k] * work.scale[k];
    return ZN_OK;
}

// The worst part again and again, while there is one beyond the tolerance.
zn_status zn_fc_solve_parts(const zn_fc_problem *p, const zn_fc_settings *settings, zn_fc_workspace *memory, double *r,
                            int *iterations)
{
    ZN_ASSERT(zn_fc_is_planar(p) && iterations);
    enum { PARTS = 16 };
    zn_fc_parting s;
    ZN_TRY(zn_fc_parting_create(p, memory, &s));
    measure_parts(&s, r);
    for (int k = 0; k < PARTS; k++) {
        int worst = 0;
        for (int c = 0; c < s.count; c++)
            worst = s.excess[c] > s.excess[worst] ? c : worst;
        if (!(s.excess[worst] > 0))
            return ZN_NOT_CONVERGED;
        zn_fc_mark mark = zn_fc_get_mark(memory);
        zn_status  status = solve_part(&s, worst, memory, r, iterations);
        zn_fc_rewind(memory, mark);
        if (status < ZN_OK)
            return status;
        s.excess[worst] = 0; // done, or as good as it gets
        if (zn_fc_judge(p, NULL, settings->measure, r, NULL) <= settings->tolerance)
            return ZN_OK;
    }
    return ZN_NOT_CONVERGED;
}
