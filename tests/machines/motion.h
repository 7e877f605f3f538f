/// A run of a machine: its states at the grid points, by body, and what the certificate says.
#ifndef ZN_TESTS_MACHINE_MOTION_H
#define ZN_TESTS_MACHINE_MOTION_H

#include <stdlib.h>

#include "fixtures.h"
#include "machines/text.h"

#include "zn/io.h"

typedef struct motion {
    const char    *scheme;
    zn_status      status;
    char           first[256]; ///< message
    int            bodies, rows;
    pose          *poses;   ///< rows x bodies
    double        *energy;  ///< kinetic + strain + gravity as recorded, per row
    double        *work;    ///< of motors, per row
    double        *sum;     ///< states of controllers, rows x MOST_MOTORS
    double         pull;    ///< largest pull of a contact [N s]
    double         outside; ///< largest distance of an impulse from Coulomb's cone [N s]
    double         push;    ///< largest impulse [N s]
    int            touched; ///< row before the first contact impulse; rows when there is none
    zn_certificate certificate;
} motion;

static inline void motion_end(motion *m)
{
    free(m->poses);
    free(m->energy);
    free(m->work);
    free(m->sum);
    *m = (motion){0};
}

static inline const pose *pose_at(const motion *m, int row, int number) { return &m->poses[row * m->bodies + number]; }

static inline void keep_first(void *user, zn_severity severity, const char *message)
{
    motion *m = user;
    if (m->first[0] == 0 && (severity == ZN_LOG_WARNING || severity == ZN_LOG_ERROR))
        snprintf(m->first, sizeof m->first, "%s", message);
}

// Records in the order of put_records.
static inline void take_row(motion *m, const machine *from, const double *value)
{
    for (int i = 0; i < m->bodies; i++) {
        pose *p = &m->poses[m->rows * m->bodies + i];
        *p = (pose){.r = unit};
        vec *moving[2] = {&p->x, &p->v};
        for (int k = 0; k < 2; k++, value += from->planar ? 2 : 3)
            *moving[k] = (vec){value[0], value[1], from->planar ? 0 : value[2]};
        if (!from->body[i].rigid)
            continue;
        p->r = from->planar ? turn(ez, value[0]) : of_quaternion(value);
        value += from->planar ? 1 : 4;
        p->spin = from->planar ? times(value[0], ez) : (vec){value[0], value[1], value[2]};
        value += from->planar ? 1 : 3;
    }
    m->energy[m->rows] = value[0];
    m->work[m->rows] = value[1];
    for (int i = 0; i < from->motors; i++)
        m->sum[m->rows * MOST_MOTORS + i] = value[2 + i];
    m->rows++;
}

static inline void take_impulses(motion *m, const zn_contact_set *set)
{
    for (int i = 0; i < set->count; i++) {
        const double *p = &set->impulse[i * set->stride];
        double        across = 0;
        if (set->bilateral[i])
            continue;
        for (int k = 1; k < set->stride; k++)
            across = hypot(across, p[k]);
        m->pull = fmax(m->pull, -p[0]);
        m->push = fmax(m->push, p[0]);
        m->outside = fmax(m->outside, across - set->friction[i] * fmax(p[0], 0));
        if ((p[0] != 0 || set->projection[i * set->stride] != 0) && m->touched > m->rows - 1)
            m->touched = m->rows - 1;
    }
}

static inline void motion_steps(motion *m, const machine *from, zn_sim *sim)
{
    double value[MOST_BODIES * 14 + 32];
    m->poses = calloc((size_t)(from->steps + 1) * (size_t)m->bodies, sizeof *m->poses);
    m->energy = calloc((size_t)from->steps + 1, sizeof *m->energy);
    m->work = calloc((size_t)from->steps + 1, sizeof *m->work);
    m->sum = calloc((size_t)(from->steps + 1) * MOST_MOTORS, sizeof *m->sum);
    assert_true(m->poses && m->energy && m->work && m->sum &&
                zn_sim_columns(sim) <= (int)(sizeof value / sizeof *value));
    m->touched = from->steps;
    CHECK_OK(zn_sim_values(sim, value));
    take_row(m, from, value);
    for (int k = 0; k < from->steps && m->status == ZN_OK; k++) {
        m->status = zn_sim_step(sim);
        if (m->status != ZN_OK)
            break;
        take_impulses(m, zn_sim_state(sim)->contacts);
        CHECK_OK(zn_sim_values(sim, value));
        take_row(m, from, value);
    }
    m->certificate = *zn_sim_certificate(sim);
}

/// Everything a user does: read the text, run it. With another unit of length the tolerance of gaps goes with it.
static inline motion motion_of(const machine *from, const char *scheme, double metre, bool backwards)
{
    static const char *const none[1];
    static text              t;
    motion                   m = {.scheme = scheme, .bodies = from->bodies};
    zn_problem              *problem = NULL;
    zn_system               *sys = NULL;
    zn_sim                  *sim = NULL;
    machine_text(from, scheme, backwards, &t);
    m.status = zn_problem_parse(t.bytes, t.size, "machine.yaml", 0, none, (zn_log){keep_first, &m}, &problem);
    if (m.status == ZN_OK)
        m.status = zn_system_create(problem->model, &sys);
    if (m.status == ZN_OK) {
        if (strncmp(scheme, "newmark", 7) != 0) // it has no contacts, and no such tolerance
            problem->sim.scheme.gap_tolerance *= metre;
        m.status = zn_sim_create(sys, &problem->sim, &sim);
    }
    if (m.status == ZN_OK)
        motion_steps(&m, from, sim);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(problem);
    return m;
}

#endif
