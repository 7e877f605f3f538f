/// What the tests of joints in the plane and in space share: three bodies, and rows and curvature of every equation
/// against finite differences.
#ifndef ZN_TESTS_JOINT_FIXTURES_H
#define ZN_TESTS_JOINT_FIXTURES_H

#include "fixtures.h"

#include "system/system.h"

enum { EQUATIONS_MAX = 6 };

/// Two rigid bodies 'a' and 'b' and a point mass 'p', not aligned with anything.
typedef struct bodies {
    zn_model  *model;
    zn_node_id a, b, p;
} bodies;

typedef struct probe {
    const zn_system *sys;
    zn_contact_set  *set;
    double           t;
} probe;

static inline void gaps_of(void *user, const double *q, double *out)
{
    probe *p = user;
    CHECK_OK(zn_contact_set_gaps(p->set, p->sys, q, p->t, out));
}

static inline void row_of(const probe *p, int i, double *out)
{
    int row = i * p->set->stride;
    memset(out, 0, sizeof *out * (size_t)p->sys->info.n_all);
    for (int k = p->set->row_start[row]; k < p->set->row_start[row + 1]; k++)
        out[p->set->row_dof[k]] += p->set->row_value[k];
}

static const double weight[EQUATIONS_MAX] = {1, -2, 0.5, 0.7, -1.1, 0.3};

static inline void weighted_rows(void *user, const double *q, double *out)
{
    probe *p = user;
    double row[FIXTURE_MAX];
    CHECK_OK(zn_contact_set_evaluate(p->set, p->sys, q, p->t));
    memset(out, 0, sizeof *out * (size_t)p->sys->info.n_all);
    for (int i = 0; i < p->set->count; i++) {
        row_of(p, i, row);
        for (int k = 0; k < p->sys->info.n_all; k++)
            out[k] += weight[i] * row[k];
    }
}

/// Tolerances: of a row, and ten times that of the curvature.
static inline void check_rows(probe *p, const double *q, const double *x, double tolerance)
{
    int    n_all = p->sys->info.n_all;
    double along[EQUATIONS_MAX], numeric[FIXTURE_MAX], exact[FIXTURE_MAX];
    CHECK_OK(zn_contact_set_refresh(p->set, p->sys, q, p->t));
    derivative_along(p->sys, gaps_of, p, q, x, p->set->count, along);
    for (int i = 0; i < p->set->count; i++) {
        double row[FIXTURE_MAX], sum = 0;
        row_of(p, i, row);
        for (int k = 0; k < n_all; k++)
            sum += row[k] * x[k];
        CHECK_NEAR(sum, along[i], tolerance);
        assert_true(p->set->bilateral[i]);
        CHECK_NEAR(p->set->restitution[i], 0, 0);
        CHECK_NEAR(p->set->friction[i], 0, 0);
    }
    derivative_along(p->sys, weighted_rows, p, q, x, n_all, numeric);
    CHECK_OK(zn_contact_set_curvature(p->set, p->sys, q, p->t, weight, x, exact));
    for (int k = 0; k < n_all; k++)
        CHECK_NEAR(exact[k], numeric[k], 10 * tolerance);
}

/// One joint: it holds at the start, and rows, rate and curvature are derivatives everywhere else. Takes the model
/// over.
static inline void check_joint(zn_model *model, const zn_joint_def *def, int equations, double spread, double tolerance,
                               uint64_t *seed, void (*check_rate)(probe *p, zn_joint_kind kind, const double *q))
{
    CHECK_OK(zn_model_add_joint(model, def));
    fixture f = compile_fixture(model);
    probe   p = {.sys = f.sys};
    assert_int_equal(f.sys->info.joints, equations);
    CHECK_OK(zn_contact_set_create(f.sys, &p.set));
    CHECK_OK(zn_contact_set_refresh(p.set, f.sys, f.sys->q0, 0));
    CHECK_BELOW(largest_of(equations, p.set->gap), 1e-15);
    for (int trial = 0; trial < 10; trial++) {
        double dq[FIXTURE_MAX], q[FIXTURE_MAX], x[FIXTURE_MAX];
        random_fill(seed, spread, f.sys->info.n_all, dq);
        random_fill(seed, 1, f.sys->info.n_all, x);
        zn_system_retract(f.sys, f.sys->q0, dq, q);
        p.t = 2 * fabs(random_unit(seed));
        check_rows(&p, q, x, tolerance);
        check_rate(&p, def->kind, q);
    }
    zn_contact_set_destroy(p.set);
    destroy_fixture(&f);
}

#endif
