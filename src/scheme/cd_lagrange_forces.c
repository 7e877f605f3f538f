// Forces of a step of cd_lagrange.c, whose head has the equations, and how they change velocities.
#include <string.h>

#include "base/assert.h"
#include "base/team.h"
#include "base/wide.h"
#include "scheme/cd_lagrange.h"
#include "system/system.h"

enum { SPIN_ITERATIONS = 3 }; // of the inertia forces of rotation

// All forces at (q, v, t) but those of rotation.
zn_status cd_lagrange_find_forces(cd_lagrange *s, const double *q, const double *v, double t)
{
    ZN_TRY(zn_system_internal_force(s->sys, s->team, (zn_at){q, s->force.zero, t, 0}, s->force.strain,
                                    &s->force.strain_energy));
    ZN_TRY(zn_system_growth(s->sys, (zn_at){q, s->force.zero, t, 0}, &s->force.growth));
    if (s->kinds.load)
        ZN_TRY(zn_system_load_force(s->sys, (zn_at){q, s->force.zero, t, 0}, s->force.load));
    if (s->kinds.damper)
        ZN_TRY(zn_system_velocity_force(s->sys, ZN_VELOCITY_DAMPER, (zn_at){q, v, t, 0}, s->force.zero, s->force.still,
                                        s->force.damper));
    return ZN_OK;
}

// sum of all but the forces of rotation, and v = start + factor M^-1 sum, M diagonal; in one pass.
ZN_WIDE static void add_and_kick_some(const cd_lagrange *s, double factor, int first, int last, double *restrict v)
{
    const double *load = s->kinds.load ? s->force.load : s->force.zero,
                 *damper = s->kinds.damper ? s->force.damper : s->force.zero;
    const double *gravity = s->sys->gravity_force, *strain = s->force.strain, *inverse = s->mass.inverse,
                 *start = s->start;
    double *restrict sum = s->force.sum;
    for (int i = first; i < last; i++) {
        sum[i] = gravity[i] + strain[i] + load[i] + damper[i];
        v[i] = start[i] + factor * (inverse[i] * sum[i]);
    }
}

typedef struct kick_work {
    const cd_lagrange *s;
    double             factor, *v;
} kick_work;

static void kick_slice(void *user, int k, int first, int last)
{
    const kick_work *w = user;
    (void)k, add_and_kick_some(w->s, w->factor, first, last, w->v);
}

void cd_lagrange_add_and_kick(const cd_lagrange *s, double factor, double *v)
{
    kick_work w = {s, factor, v};
    zn_team_slice(s->contact.team, s->n_all, kick_slice, &w);
}

// The sum becomes that of all processes, and v follows where they meet.
static zn_status add_others(cd_lagrange *s, zn_status own, double factor, double *v)
{
    const zn_halo *halo = s->sys->halo;
    ZN_TRY(zn_system_assemble(s->sys, own, s->force.sum));
    for (int k = 0; halo && k < halo->count; k++) {
        int i = halo->dof[k];
        v[i] = s->start[i] + factor * (s->mass.inverse[i] * s->force.sum[i]);
    }
    return ZN_OK;
}

// Inertia forces of rotation of all processes.
static zn_status find_spun(cd_lagrange *s, const double *q, double t, const double **out)
{
    zn_status own = zn_system_velocity_force(s->sys, ZN_VELOCITY_GYROSCOPIC, (zn_at){q, s->force.work, t, 0},
                                             s->force.zero, s->force.still, s->force.gyroscopic);
    *out = s->force.gyroscopic;
    if (!s->force.spun)
        return own;
    memcpy(s->force.spun, s->force.gyroscopic, sizeof *s->force.spun * (size_t)s->n_all);
    *out = s->force.spun;
    return zn_system_assemble(s->sys, own, s->force.spun);
}

zn_status cd_lagrange_add_spun(cd_lagrange *s, const double *q, const double *v, double t)
{
    const double *spun = NULL;
    if (!s->kinds.gyroscopic)
        return ZN_OK;
    memcpy(s->force.work, v, sizeof *v * (size_t)s->n_all);
    ZN_TRY(find_spun(s, q, t, &spun));
    for (int i = 0; i < s->n_all; i++)
        s->force.sum[i] += spun[i];
    return ZN_OK;
}

void cd_lagrange_kick_link(const cd_lagrange *s, int dof, double push, double *v)
{
    ZN_ASSERT(dof >= 0 && dof < s->n_all);
    int triad = s->contact.triad_of[dof];
    if (triad < 0)
        v[dof] += s->mass.inverse[dof] * push;
    for (int k = 0; triad >= 0 && k < 3; k++)
        v[s->mass.triad[triad / 3].dof[k]] += s->mass.triad[triad / 3].inverse.m[k][triad % 3] * push;
}

zn_status cd_lagrange_spin(cd_lagrange *s, double t, zn_links links, const double *force)
{
    double       *mean = s->force.work, h = s->h;
    const double *spun = s->force.gyroscopic; // of this process: parts are not cut any further
    ZN_ASSERT(s->kinds.gyroscopic && !s->force.spun);
    zn_lumped_mass_solve(&s->mass, s->force.sum, mean);
    for (int i = 0; i < s->n_all; i++) {
        mean[i] = s->start[i] + 0.5 * h * mean[i];
        s->force.sum[i] -= spun[i];
    }
    for (int i = 0; i < links.count; i++)
        cd_lagrange_kick_link(s, links.dof[i], 0.5 * h * force[i], mean);
    ZN_TRY(find_spun(s, s->q, t, &spun));
    for (int i = 0; i < s->n_all; i++)
        s->force.sum[i] += spun[i];
    zn_lumped_mass_solve(&s->mass, s->force.sum, s->force.work);
    for (int i = 0; i < s->n_all; i++)
        s->next[i] = s->start[i] + h * s->force.work[i];
    return ZN_OK;
}

// v = start + M^-1 share h sum of the forces, with the inertia forces of rotation at start + M^-1 centre h sum.
zn_status cd_lagrange_kick(cd_lagrange *s, zn_status own, const double *q, double t, double share, double centre,
                           double *v)
{
    double        h = s->h;
    const double *spun = NULL;
    if (own == ZN_OK)
        cd_lagrange_add_and_kick(s, share * h, v);
    ZN_TRY(add_others(s, own, share * h, v));
    if (!s->kinds.gyroscopic && s->mass.triads == 0)
        return ZN_OK;
    for (int k = 0; s->kinds.gyroscopic && k < SPIN_ITERATIONS; k++) {
        zn_lumped_mass_solve(&s->mass, s->force.sum, s->force.work);
        for (int i = 0; i < s->n_all; i++) {
            s->force.work[i] = s->start[i] + centre * h * s->force.work[i];
            s->force.sum[i] -= k > 0 ? spun[i] : 0;
        }
        ZN_TRY(find_spun(s, q, t, &spun));
        for (int i = 0; i < s->n_all; i++)
            s->force.sum[i] += spun[i];
    }
    zn_lumped_mass_solve(&s->mass, s->force.sum, s->force.work);
    for (int i = 0; i < s->n_all; i++)
        v[i] = s->start[i] + share * h * s->force.work[i];
    return ZN_OK;
}
