/// The judge of random machines: which schemes take a machine, what their motions must keep, where they must agree.
#ifndef ZN_TESTS_MACHINE_JUDGE_H
#define ZN_TESTS_MACHINE_JUDGE_H

#include "machines/faults.h"
#include "machines/laws.h"

// --- schemes -------------------------------------------------------------------------------------

typedef struct traits {
    const char *name;
    bool        contacts, friction; ///< takes machines with them
    bool        positions;          ///< gaps and joints hold at position level
    bool        velocities;         ///< joints hold at velocity level
    bool        impacts;            ///< has a law of impact
    bool        half_energy;        ///< its energies are those of half steps
    bool        central;            ///< central differences: keeps the energy of half steps, records that of whole ones
    bool        chatters;           ///< gives energy at lasting contacts, as its paper says, and tells
    bool        approach;           ///< has the option of that name
    bool        elastic;            ///< takes impacts only where they keep energy, without tangential restitution
    bool        identity;           ///< projects in the metric of coordinates, where metres and radians are the same
} traits;

// Schemes that are not listed are new: they fail until somebody says here what they keep. multirate needs elements to
// split, which these machines of rigid bodies do not have (tests/test_multirate*.c).
static const traits schemes[] = {
    {"moreau_jean", .contacts = true, .friction = true, .velocities = true, .impacts = true, .approach = true},
    {"direct_projection", true, true, true, true, true, .chatters = true, .approach = true, .identity = true},
    {"combined_projection", true, true, true, true, true, .approach = true, .identity = true},
    {"schatzman_paoli", .contacts = true, .positions = true, .impacts = true, .half_energy = true},
    {"trapezoidal", .contacts = true, .positions = true},
    {"nsga", true, true, true, true, true, .approach = true},
    {"nsga_coupled", true, true, true, true, true, .approach = true},
    {"cd_lagrange", .contacts = true, .friction = true, .impacts = true, .central = true},
    {"newmark", .velocities = true},
    {"multirate", .contacts = true},
    {"energy_momentum", .contacts = true, .positions = true, .elastic = true},
};

static inline const traits *traits_of(const char *name)
{
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (strcmp(schemes[i].name, name) == 0)
            return &schemes[i];
    fail_msg("tests/machines/judge.h does not know the scheme '%s'", name);
    return NULL;
}

/// Central differences need a step below the critical one: 2 / w of a spring between the lighter masses.
static inline bool too_stiff(const machine *m)
{
    for (int i = 0; i < m->springs; i++) {
        const spring *s = &m->spring[i];
        double        over = 0;
        if (s->type != LINE) // the energy of half steps is known of springs along a line
            return true;
        for (int k = 0; k < 2; k++) {
            int b = k == 0 ? s->a : s->b;
            vec at = k == 0 ? s->at : s->to_at;
            if (b != GROUND)
                over += 1 / m->body[b].mass;
            if (b != GROUND && m->body[b].rigid)
                over += dot(at, at) / fmin(m->body[b].inertia.z, fmin(m->body[b].inertia.x, m->body[b].inertia.y));
        }
        if (m->step * m->step * s->stiffness * over + 2 * m->step * s->damping * over > 1)
            return true;
    }
    for (int i = 0; i < m->joints; i++)
        if (m->joint[i].travel.stiffness > 0)
            return true;
    return m->motors > 0;
}

/// What has no force or row between two states: all on travels, and elastic joints in space.
static inline bool has_no_between(const machine *m)
{
    bool any = m->motors > 0;
    for (int i = 0; i < m->joints; i++) {
        const joint *j = &m->joint[i];
        any = any || j->type == COUPLING || j->travel.driven || j->travel.limited || j->travel.stiffness > 0;
    }
    for (int i = 0; i < m->springs && !m->planar; i++)
        any = any || m->spring[i].type != LINE;
    return any;
}

static inline bool takes(const traits *s, const machine *m)
{
    if (strcmp(s->name, "multirate") == 0)
        return false;
    if (s->elastic && ((touches(m) && m->restitution != 1) || has_no_between(m)))
        return false;
    if (strcmp(s->name, "cd_lagrange") == 0 && too_stiff(m))
        return false;
    return (s->contacts || !touches(m)) && (s->friction || !rubs(m));
}

// --- laws ----------------------------------------------------------------------------------------

/// A link or rod that whips by more than a tenth of its length in a step is not resolved: such a run only has to tell
/// the truth about its energy.
static inline bool is_fine(const machine *m, const motion *x) { return m->step * fastest(m, x) < 0.1 * m->shortest; }

static inline double energy_scale(const machine *m, const motion *x)
{
    double weight = 0;
    for (int i = 0; i < m->bodies; i++)
        weight += m->body[i].mass * length(m->gravity);
    return energy_moved(m, x) + 1e-3 * weight; // a millimetre, for machines at rest
}

static inline bool has_motion(const machine *m)
{
    for (int i = 0; i < m->joints; i++)
        if (m->joint[i].type == MOTION || m->joint[i].travel.driven)
            return true;
    return false;
}

static inline void judge_geometry(const machine *m, const traits *s, const motion *x, bool resolved)
{
    double v = fastest(m, x), far = m->step * v, drift = 5 * x->rows * far * far;
    if (s->positions && !(s->impacts && m->restitution > 0 && !s->velocities)) // schatzman_paoli: gap + e gap before
        must(x, "penetration", deepest(m, x), 1e-9);
    else if (resolved)
        must(x, "penetration", deepest(m, x), 4 * far + drift + 1e-9);
    if (s->positions)
        must(x, "joint", farthest(m, x), 1e-9);
    else if (resolved)
        must(x, "joint", farthest(m, x), drift + 1e-9);
}

static inline void judge_certificate(const traits *s, const motion *x, double v)
{
    const zn_certificate *c = &x->certificate;
    double                small = 1e-8 * (1 + v);
    if (s->impacts && !isnan(c->velocity.value))
        must(x, "impact law", c->velocity.value, small);
    if (s->velocities)
        must(x, "joint velocity", c->joint_velocity.value, small);
    if (!isnan(c->coulomb_velocity.value))
        must(x, "Coulomb velocity", c->coulomb_velocity.value, small);
    if (!isnan(c->coulomb_position.value))
        must(x, "Coulomb position", c->coulomb_position.value, 1e-8);
    must(x, "complementarity", c->complementarity.value, 1e-8);
    must(x, "Newton residual", c->newton.value, 1e-9);
    must(x, "closure", c->closure.value, 1e-9);
    must(x, "failed solves", c->failed_solves.value, 0.2 * x->rows);
    must(x, "pull", x->pull, 1e-9 * x->push);
    must(x, "cone", x->outside, 1e-9 * x->push);
}

/// Nothing drives a passive machine: what its energy rises by, contacts, projection, joints and the scheme gave, and
/// the certificate must say so.
static inline void judge_energy(const machine *m, const traits *s, const motion *x)
{
    const zn_certificate *c = &x->certificate;
    double                size = energy_scale(m, x), told = c->energy_created.value * c->energy_moved;
    if (!s->half_energy)
        must(x, "energy recorded", energy_misrecorded(m, x), 1e-9 * size);
    must(x, "motor", work_misrecorded(m, x), 1e-9 * size);
    if (has_motion(m))
        return;
    double gained = s->central ? half_step_energy_gained(m, x)
                    : s->half_energy
                        ? x->energy[x->rows - 1] - x->energy[0] - x->work[x->rows - 1] // impacts take steps
                        : energy_gained(m, x);
    must(x, "energy untold", gained - told, 1e-9 * size);
}

static inline void judge_run(const machine *m, const traits *s, const motion *x)
{
    if (must(x, "status", x->status != ZN_OK, 0) == false)
        return;
    double v = fastest(m, x);
    bool   resolved = is_fine(m, x);
    must(x, "halved", (double)x->certificate.retries, resolved ? 0.05 * m->steps : 0.2 * m->steps);
    judge_geometry(m, s, x, resolved);
    judge_certificate(s, x, v);
    judge_energy(m, s, x);
    if (m->free)
        must(x, "momentum", momentum_lost(m, x, s->half_energy ? 1 : 0), 1e-10);
}

/// Energy that is created, and told, is the error of a step: less with half of it. Contacts with restitution only
/// cannot give with the rows of the end.
static inline void judge_created(const machine *m, const traits *s, const motion *x, const motion *fine)
{
    bool law = m->restitution == 0 || strstr(x->scheme, "approach=end") != NULL;
    if (s->chatters || !law || x->status != ZN_OK || fine->status != ZN_OK || !is_fine(m, x))
        return;
    bool   told = zn_certificate_is_created(&x->certificate) && zn_certificate_is_created(&fine->certificate);
    double before = x->certificate.energy_created.value, after = fine->certificate.energy_created.value;
    must(x, "energy created", told ? after : 0, 0.8 * before);
}

// --- agreement -----------------------------------------------------------------------------------

/// Motions that tend to the same limit with the step: the distance of two schemes is at most a few times what halving
/// the step changes, x and y with the step and fine ones with half of it. `end`: row of the coarse grid.
static inline void judge_agreement(const machine *m, const char *cause, const motion *x, const motion *fine_x,
                                   const motion *y, const motion *fine_y, int end, double slack)
{
    double off = distance_of(m, fine_x, 2 * end, fine_y, 2 * end);
    double own = distance_of(m, x, end, fine_x, 2 * end) + distance_of(m, y, end, fine_y, 2 * end);
    must(x, cause, off, 3 * own + slack + 1e-9);
}

/// The same machine in other axes, units or order moves the same way. y is the image.
static inline void judge_image(const machine *m, const image *f, const motion *x, motion *y, int end, const char *cause)
{
    double worst = 0;
    if (must(x, cause, y->status != ZN_OK, 0) == false)
        return;
    for (int k = 0; k < y->rows * y->bodies; k++)
        y->poses[k] = pose_back(f, &y->poses[k]);
    for (int k = 0; k <= end; k++)
        worst = fmax(worst, distance_of(m, x, k, y, k));
    must(x, cause, worst, 1e-7);
}

#endif
