// Laws of springs. With the elongation e = x - L(t), L the rest, the elastic force F(e) is linear between knots, of
// which springs in proportion have none, one-sided ones one (e = 0), tables many:
//     F = F_i + s_i (e - e_i),   V = int_0^e F,   dV/dt at rest = -F dL/dt, the work of whoever moves the rest
// Between two places the mean of F on the way from e_0 to e_1 takes V_1 - V_0 exactly. It is the sum over the pieces of
// the way, without a difference of energies: with z from 0 to 1 along the way
//     F^ = int_0^1 F dz = sum of the forces in the middle of pieces times their share,   dF^/de_1 = int_0^1 z F' dz
// A damper adds c dx/dt. That of a one-sided spring is held within +-|F|: the sum neither changes its sign nor jumps
// when the spring takes hold, and it never gives energy.
#include "model/element/spring_law.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/assert.h"

struct zn_spring_law {
    int     count; // knots; 0: a function
    double *x, *force, *potential;
    double (*at)(void *user, double x, double rate, double t, double *slope);
    void (*destroy)(void *user);
    void *user;
};

// --- making ----------------------------------------------------------------------------------------

zn_spring_law *zn_spring_law_destroy(zn_spring_law *law)
{
    ZN_ALIVE(law);
    if (!law)
        return NULL;
    if (law->destroy)
        law->destroy(law->user);
    free(law->x);
    free(law->force);
    free(law->potential);
    zn_retire(law, sizeof *law);
    return NULL;
}

static bool is_ascending(int count, const double *x, const double *force)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(x[i]) || !isfinite(force[i]) || (i > 0 && !(x[i] > x[i - 1])))
            return false;
    return count >= 2;
}

zn_status zn_spring_law_table(int count, const double *elongation, const double *force, zn_spring_law **out)
{
    if (!elongation || !force || !is_ascending(count, elongation, force))
        return ZN_ERR_ARGUMENT;
    zn_spring_law *law = ZN_NEW(zn_spring_law, 1);
    if (!law)
        return ZN_ERR_MEMORY;
    law->count = count;
    law->x = ZN_NEW(double, count);
    law->force = ZN_NEW(double, count);
    law->potential = ZN_NEW(double, count);
    if (!law->x || !law->force || !law->potential) {
        zn_spring_law_destroy(law);
        return ZN_ERR_MEMORY;
    }
    memcpy(law->x, elongation, (size_t)count * sizeof *law->x);
    memcpy(law->force, force, (size_t)count * sizeof *law->force);
    for (int i = 1; i < count; i++)
        law->potential[i] = law->potential[i - 1] + 0.5 * (force[i - 1] + force[i]) * (law->x[i] - law->x[i - 1]);
    const zn_pull whole = {.law = law};
    double        zero = zn_pull_energy(&whole, 0, 0);
    for (int i = 0; i < count; i++)
        law->potential[i] -= zero;
    *out = law;
    return ZN_OK;
}

zn_status zn_spring_law_callback(double (*at)(void *user, double x, double rate, double t, double *slope), void *user,
                                 void (*destroy)(void *user), zn_spring_law                                    **out)
{
    if (!at)
        return ZN_ERR_ARGUMENT;
    zn_spring_law *law = ZN_NEW(zn_spring_law, 1);
    if (!law)
        return ZN_ERR_MEMORY;
    law->at = at;
    law->user = user;
    law->destroy = destroy;
    *out = law;
    return ZN_OK;
}

int zn_spring_variable(void *coordinate, const char *name)
{
    return strcmp(name, coordinate) == 0 ? 0 : strcmp(name, "rate") == 0 ? 1 : -1;
}

static double formula_at(void *user, double x, double rate, double t, double *slope)
{
    const double variables[2] = {x, rate};
    return zn_expression_gradient(user, 2, variables, t, slope, NULL);
}

static void forget_formula(void *user) { zn_expression_destroy(user); }

zn_status zn_spring_law_take(zn_expression *e, zn_spring_law **out)
{
    zn_status status = zn_spring_law_callback(formula_at, e, forget_formula, out);
    if (status != ZN_OK)
        zn_expression_destroy(e);
    return status;
}

zn_status zn_spring_law_formula(const char *text, const char *coordinate, int count, const char *const *names,
                                const double *values, char *message, size_t size, zn_spring_law **out)
{
    if (!text || !coordinate || !out)
        return ZN_ERR_ARGUMENT;
    zn_expression_error error = {0};
    zn_expression      *e = NULL;
    zn_expression_def   def = {.text = text,
                               .constants = {count, names, values},
                               .time = true,
                               .variable = zn_spring_variable,
                               .user = (void *)coordinate};
    zn_status           status = zn_expression_compile(&def, &error, &e);
    if (status == ZN_OK)
        return zn_spring_law_take(e, out);
    if (message && size > 0)
        snprintf(message, size, "character %d: %s", error.position + 1, error.message);
    return status;
}

bool zn_spring_law_is_applied(const zn_spring_law *law) { return law && law->at; }

bool zn_pull_is_linear(const zn_pull *p) { return !p->law && p->side == ZN_SPRING_BOTH && !p->moving; }

bool zn_pull_is_damped(const zn_pull *p) { return p->damping > 0 || zn_spring_law_is_applied(p->law); }

// --- pieces ----------------------------------------------------------------------------------------

// Where F is linear: F = force + slope (e - knot) up to `end`.
typedef struct piece {
    double knot, force, slope, potential, end;
} piece;

// The piece at e and to the right of it.
static piece piece_of_table(const zn_spring_law *law, double e)
{
    int low = 0, high = law->count - 1;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        *(law->x[middle] <= e ? &low : &high) = middle;
    }
    double slope = (law->force[high] - law->force[low]) / (law->x[high] - law->x[low]);
    double end = high == law->count - 1 ? INFINITY : law->x[high]; // the first and the last piece go on
    return (piece){law->x[low], law->force[low], slope, law->potential[low], end};
}

static piece piece_at(const zn_pull *p, double e)
{
    if (p->law)
        return piece_of_table(p->law, e);
    if (p->side == ZN_SPRING_BOTH)
        return (piece){0, 0, p->stiffness, 0, INFINITY};
    bool acts = (p->side == ZN_SPRING_PULL) == (e >= 0);
    return (piece){0, 0, acts ? p->stiffness : 0, 0, e >= 0 ? INFINITY : 0};
}

static double force_of(const piece *s, double e) { return s->force + s->slope * (e - s->knot); }

static double rest_at(const zn_pull *p, double t) { return p->moving ? zn_signal_at(p->moving, t) : p->rest; }

double zn_pull_energy(const zn_pull *p, double x, double t)
{
    if (zn_spring_law_is_applied(p->law))
        return 0;
    double e = x - rest_at(p, t);
    piece  s = piece_at(p, e);
    return s.potential + (e - s.knot) * (s.force + 0.5 * s.slope * (e - s.knot));
}

// --- forces ----------------------------------------------------------------------------------------

static void add_damper(const zn_pull *p, double rate, zn_pull_value *out)
{
    double most = fabs(out->elastic), slope = out->stiffness;
    out->viscous = p->damping * rate;
    out->damping = p->damping;
    if (p->side == ZN_SPRING_BOTH || fabs(out->viscous) <= most)
        return;
    double sign = out->viscous > 0 ? 1 : -1;
    out->viscous = sign * most;
    out->stiffness += p->side == ZN_SPRING_PULL ? sign * slope : -sign * slope;
    out->damping = 0;
}

static zn_pull_value apply(const zn_spring_law *law, double x, double rate, double t)
{
    double slope[2] = {0, 0}, ignored[2], all = law->at(law->user, x, rate, t, slope);
    double still = rate != 0 ? law->at(law->user, x, 0, t, ignored) : all;
    return (zn_pull_value){.applied = still, .viscous = all - still, .stiffness = slope[0], .damping = slope[1]};
}

zn_pull_value zn_pull_at(const zn_pull *p, double x, double rate, double t)
{
    if (zn_spring_law_is_applied(p->law))
        return apply(p->law, x, rate, t);
    double        e = x - rest_at(p, t);
    piece         s = piece_at(p, e);
    zn_pull_value out = {.elastic = force_of(&s, e), .stiffness = s.slope};
    if (p->moving)
        out.growth = -out.elastic * zn_signal_rate(p->moving, t);
    add_damper(p, rate, &out);
    return out;
}

// F^ and dF^/de_1.
static double mean_force(const zn_pull *p, double e0, double e1, double *slope)
{
    double low = fmin(e0, e1), high = fmax(e0, e1), way = high - low, sum = 0, end;
    piece  s = piece_at(p, low);
    *slope = 0.5 * s.slope;
    if (!(s.end < high)) // the usual case
        return force_of(&s, 0.5 * (e0 + e1));
    *slope = 0;
    for (double at = low; at < high; at = end) {
        s = piece_at(p, at);
        end = fmin(s.end, high);
        double first = (at - low) / way, last = (end - low) / way;
        sum += (last - first) * force_of(&s, 0.5 * (at + end));
        // z runs from e_0 on
        *slope += 0.5 * s.slope * (last - first) * (e1 >= e0 ? last + first : 2 - last - first);
    }
    return sum;
}

zn_pull_value zn_pull_between(const zn_pull *p, const double x[2], double rate, const double t[2])
{
    if (zn_spring_law_is_applied(p->law)) {
        zn_pull_value out = apply(p->law, 0.5 * (x[0] + x[1]), rate, 0.5 * (t[0] + t[1]));
        out.stiffness *= 0.5;
        return out;
    }
    double        rest[2] = {rest_at(p, t[0]), rest_at(p, t[1])};
    zn_pull_value out = {0};
    out.elastic = mean_force(p, x[0] - rest[0], x[1] - rest[1], &out.stiffness);
    out.growth = -out.elastic * (rest[1] - rest[0]);
    add_damper(p, rate, &out);
    return out;
}
