/// Rows and second derivatives of every contact of a system against finite differences: the normal row is the gradient
/// of the gap, the tangential rows that of the tangential displacement, the curvature that of all rows together.
#ifndef ZN_TESTS_CONTACT_DERIVATIVES_H
#define ZN_TESTS_CONTACT_DERIVATIVES_H

#include "fixtures.h"

typedef struct contact_probe {
    const zn_system *sys;
    zn_contact_set  *set;
    const double    *from;   // displacements start here
    const double    *lambda; // per row
} contact_probe;

static inline void probe_slip(void *user, const double *q, double *out)
{
    const contact_probe *p = user;
    CHECK_OK(zn_contact_set_slip(p->set, p->sys, p->from, 0, q, 0, out));
}

/// Row of G over all degrees of freedom.
static inline void probe_row(const contact_probe *p, int row, double *out)
{
    memset(out, 0, sizeof *out * (size_t)zn_system_get_info(p->sys).n_all);
    for (int e = p->set->row_start[row]; e < p->set->row_start[row + 1]; e++)
        out[p->set->row_dof[e]] += p->set->row_value[e];
}

/// G' lambda, all rows.
static inline void probe_push(void *user, const double *q, double *out)
{
    const contact_probe *p = user;
    int                  n = zn_system_get_info(p->sys).n_all;
    double               row[FIXTURE_MAX];
    CHECK_OK(zn_contact_set_evaluate(p->set, p->sys, q, 0));
    memset(out, 0, sizeof *out * (size_t)n);
    for (int r = 0; r < p->set->count * p->set->stride; r++) {
        probe_row(p, r, row);
        for (int k = 0; k < n; k++)
            out[k] += p->lambda[r] * row[k];
    }
}

/// At q, with displacements from q_from: anything where they are exact, q itself where they are not.
static inline void check_contact_rows(contact_probe *p, const double *q, const double *x, double tolerance)
{
    int    n = zn_system_get_info(p->sys).n_all, rows = p->set->count * p->set->stride;
    double rate[FIXTURE_MAX], at[FIXTURE_MAX], gap[FIXTURE_MAX], row[FIXTURE_MAX];
    derivative_along(p->sys, probe_slip, p, q, x, rows, rate);
    CHECK_OK(zn_contact_set_evaluate(p->set, p->sys, q, 0));
    CHECK_OK(zn_contact_set_gaps(p->set, p->sys, q, 0, gap));
    probe_slip(p, q, at);
    for (int r = 0; r < rows; r++) {
        double along = 0;
        probe_row(p, r, row);
        for (int k = 0; k < n; k++)
            along += row[k] * x[k];
        CHECK_NEAR(along, rate[r], tolerance);
        if (r % p->set->stride == 0) {
            CHECK_NEAR(at[r], p->set->gap[r / p->set->stride], 0); // all ways to ask for the gap agree
            CHECK_NEAR(at[r], gap[r / p->set->stride], 0);
        }
    }
}

static inline void check_contact_curvature(contact_probe *p, const double *q, const double *x, double tolerance)
{
    int    n = zn_system_get_info(p->sys).n_all;
    double exact[FIXTURE_MAX], numeric[FIXTURE_MAX];
    derivative_along(p->sys, probe_push, p, q, x, n, numeric);
    CHECK_OK(zn_contact_set_curvature(p->set, p->sys, q, 0, p->lambda, x, exact));
    for (int k = 0; k < n; k++)
        CHECK_NEAR(exact[k], numeric[k], tolerance);
}

/// Between two places there is no displacement when they are the same; a difference of rotations is rounded.
static inline void check_no_slip(contact_probe *p, const double *q, bool exact)
{
    double slip[FIXTURE_MAX];
    CHECK_OK(zn_contact_set_slip(p->set, p->sys, q, 0, q, 0, slip));
    for (int r = 0; r < p->set->count * p->set->stride; r++)
        if (r % p->set->stride > 0)
            CHECK_NEAR(slip[r], 0, exact ? 0 : 1e-15);
}

/// At random places around the initial configuration, up to `reach` from it.
static inline void check_contact_derivatives(const zn_system *sys, uint64_t seed, double reach, bool exact_slip,
                                             double tolerance)
{
    contact_probe p = {.sys = sys};
    zn_state     *start = NULL;
    int           n = zn_system_get_info(sys).n_all;
    CHECK_OK(zn_state_create(sys, &start));
    CHECK_OK(zn_contact_set_create(sys, &p.set));
    for (int trial = 0; trial < 10; trial++) {
        double q[FIXTURE_MAX], from[FIXTURE_MAX], x[FIXTURE_MAX], lambda[FIXTURE_MAX];
        random_fill(&seed, reach, n, x);
        zn_system_retract(sys, start->q, x, from);
        random_fill(&seed, reach, n, x);
        zn_system_retract(sys, start->q, x, q);
        random_fill(&seed, 1, n, x);
        CHECK_OK(zn_contact_set_refresh(p.set, sys, q, 0));
        random_fill(&seed, 3, p.set->count * p.set->stride, lambda);
        assert_true(p.set->count > 0);
        p.from = exact_slip ? from : q;
        p.lambda = lambda;
        check_no_slip(&p, q, exact_slip);
        check_contact_rows(&p, q, x, tolerance);
        check_contact_curvature(&p, q, x, 10 * tolerance);
    }
    zn_contact_set_destroy(p.set);
    zn_state_destroy(start);
}

#endif
