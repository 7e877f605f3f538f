// Prints the certificate: what was measured, with units, and whether the limits of the model were kept.
#include "certificate.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "terminal.h"

const char *format_rate(double rate, char *text, size_t size)
{
    if (!(rate > 0))
        snprintf(text, size, "-");
    else if (rate < 1e3)
        snprintf(text, size, "%.3g", rate);
    else if (rate < 1e6)
        snprintf(text, size, "%.3g k", rate / 1e3);
    else
        snprintf(text, size, "%.3g M", rate / 1e6);
    return text;
}

static void put_title(FILE *out, const char *text)
{
    fprintf(out, "%s%s%s\n", style_on(out, STYLE_BOLD), text, style_off(out));
}

static void put_heading(FILE *out, const char *text)
{
    fputc('\n', out);
    put_title(out, text);
}

// The driver takes whole steps only.
static double end_of_grid(const summary *s)
{
    double end = s->start + floor((s->until - s->start) / s->step + 1e-6) * s->step;
    return fabs(s->until - end) <= 1e-6 * s->step ? s->until : end;
}

static void put_head(FILE *out, const summary *s)
{
    const zn_certificate *c = &s->certificate;
    char                  rate[16];
    put_title(out, heading_of(s->title, s->model));
    if (s->statics)
        fprintf(out, "static equilibrium\n%" PRId64 " load steps in %.3g s", c->steps, c->loop_seconds);
    else {
        fprintf(out, "%s, step %.6g s, from t = %.9g s to %.9g s", s->scheme, s->step, s->start, end_of_grid(s));
        if (end_of_grid(s) < s->until)
            fprintf(out, ", the last step before %.9g s", s->until);
        fputc('\n', out);
        fprintf(out, "%" PRId64 " steps in %.3g s (%s steps/s)", c->steps, c->loop_seconds,
                format_rate(summary_rate(s), rate, sizeof rate));
    }
    if (c->retries > 0)
        fprintf(out, ", %" PRId64 " failed and repeated with half the step", c->retries);
    if (s->outcome != NULL && strcmp(s->outcome, zn_status_text(ZN_OK)) != 0)
        fprintf(out, "; %s%s%s", style_on(out, STYLE_BAD), s->outcome, style_off(out));
    fputc('\n', out);
}

// Joints, captures, projection, momenta, changes of the step, added mass and failures only where there are any, the law
// of friction and rounding only where they were measured and are not zero.
static bool is_always_shown(const char *key)
{
    static const char *const seldom[] = {
        "joint",   "coulomb", "projection", "shift",          "halved",     "failed",    "capture", "linear",
        "angular", "spin",    "debt",       "contact_frames", "segment",    "repeated",  "rolling", "unfinished",
        "late",    "reach",   "rounding",   "step_changes",   "added_mass", "constraint"};
    bool always = true;
    for (size_t i = 0; i < sizeof seldom / sizeof *seldom; i++)
        always = always && strncmp(key, seldom[i], strlen(seldom[i])) != 0;
    return always;
}

static void put_worst(FILE *out, const summary_worst *w, bool statics)
{
    char value[40], where[128] = "", when[40];
    snprintf(when, sizeof when, statics ? "load factor %.6g" : "t = %.6g s", w->time);
    if (isnan(w->value))
        snprintf(value, sizeof value, "-"); // not measured
    else
        snprintf(value, sizeof value, "%.3g%s%s", w->value, w->unit[0] ? " " : "", w->unit);
    if (w->value > 0 && w->contact[0] != '\0')
        snprintf(where, sizeof where, "%.64s, %s", w->contact, when);
    else if (w->value > 0)
        snprintf(where, sizeof where, "%s", when);
    else if (isnan(w->value))
        snprintf(where, sizeof where, "not measured");
    if (isnan(w->limit)) {
        fprintf(out, "  %-22s %-16s %-*s%s%s%s\n", w->label, value, w->warns ? 28 : 0, where,
                w->warns ? style_on(out, STYLE_BAD) : "", w->warns ? " TOO MUCH" : "", w->warns ? style_off(out) : "");
        return;
    }
    bool kept = w->value <= w->limit; // NaN breaks it
    fprintf(out, "  %-22s %-16s %-28s limit %.3g %s%s%s\n", w->label, value, where, w->limit,
            style_on(out, kept ? STYLE_GOOD : STYLE_BAD), kept ? "kept" : "BROKEN", style_off(out));
}

static void put_iterations(FILE *out, const char *label, zn_iterations n, int64_t steps)
{
    fprintf(out, "  %-22s %-9.3g %d\n", label, steps > 0 ? (double)n.total / (double)steps : 0.0, n.max);
}

static void put_effort(FILE *out, const zn_certificate *c)
{
    fprintf(out, "\n%s%-24s %-9s %s%s\n", style_on(out, STYLE_BOLD), "iterations per step", "mean", "max",
            style_off(out));
    put_iterations(out, "Newton", c->newton_iterations, c->steps);
    put_iterations(out, "projection", c->projection_iterations, c->steps);
    put_iterations(out, "activation", c->activation_iterations, c->steps);
    put_iterations(out, "contact solver", c->solver_iterations, c->steps);
    if (c->failed_iterations > 0)
        fprintf(out, "  %-22s %" PRId64 " in all, in attempts that failed\n", "lost", c->failed_iterations);
    if (c->linear_solver.backend != NULL && c->linear_solver.backend[0] != '\0')
        fprintf(out, "  %-22s %s (factorizations %" PRId64 ", refactorizations %" PRId64 ", solves %" PRId64 ")\n",
                "linear solver", c->linear_solver.backend, c->linear_solver.factorizations,
                c->linear_solver.refactorizations, c->linear_solver.solves);
}

// Two lines are for schemes that are seldom used, and say nothing where they are zero.
static bool is_idle(const zn_certificate *c, int line)
{
    return (line == ZN_LEDGER_INTERFACE || line == ZN_LEDGER_COMPLEMENTARY) && c->ledger[line] == 0;
}

// start + what entered = what is stored at the end.
static void put_ledger(FILE *out, const zn_certificate *c, const char *note)
{
    double stored = 0;
    put_heading(out, "energy [J]");
    fprintf(out, "  %-40s %16.9g\n", "at the start", c->energy_start);
    for (int i = ZN_LEDGER_STORED; i < ZN_LEDGER_LINES; i++)
        if (!is_idle(c, i))
            fprintf(out, "  + %-38s %16.9g\n", zn_ledger_help((zn_ledger_line)i), c->ledger[i]);
    for (int i = 0; i < ZN_LEDGER_STORED; i++)
        stored += c->ledger[i];
    fprintf(out, "  %-40s %16.9g\n", "= at the end", stored);
    for (int i = 0; i < ZN_LEDGER_STORED; i++)
        fprintf(out, "    %-38s %16.9g\n", zn_ledger_help((zn_ledger_line)i), c->ledger[i]);
    if (note != NULL)
        fprintf(out, "  note: %s\n", note);
}

static void put_change(FILE *out, const char *label, zn_vec3 from, zn_vec3 to)
{
    fprintf(out, "  %-22s (%.6g, %.6g, %.6g) -> (%.6g, %.6g, %.6g)\n", label, from.x, from.y, from.z, to.x, to.y, to.z);
}

// Directions of negative stiffness that the constraints allow, and since when there are any.
static void put_stability(FILE *out, const zn_certificate *c)
{
    bool fine = c->negative == 0;
    fprintf(out, "  %-22s %s", "stability",
            style_on(out, fine              ? STYLE_GOOD
                          : c->negative > 0 ? STYLE_BAD
                                            : STYLE_PLAIN));
    if (isnan(c->negative))
        fputs("not known", out);
    else if (fine)
        fputs("no negative eigenvalue of the stiffness", out);
    else
        fprintf(out, "UNSTABLE, %.0f negative eigenvalue%s of the stiffness", c->negative, c->negative > 1 ? "s" : "");
    fputs(style_off(out), out);
    if (!isnan(c->unstable_from))
        fprintf(out, "%s from load factor %.6g on", fine ? "; unstable" : "", c->unstable_from);
    fputc('\n', out);
}

// What the equilibrium was found with, and whether the ground answers the loads.
static void put_equilibrium(FILE *out, const zn_equilibrium_info *e)
{
    zn_vec3 left = zn_vec3_add(e->load, e->support);
    int64_t factorizations = e->linear_solver.factorizations + e->linear_solver.refactorizations;
    fprintf(out, "  %-22s %d Newton, %d in pseudo-time; %" PRId64 " factorizations\n", "iterations",
            e->newton_iterations, e->relaxations, factorizations);
    fprintf(out, "  %-22s %.3g\n  %-22s %.3g m\n", "residual of forces", e->residual, "penetration", e->penetration);
    if (e->joint > 0)
        fprintf(out, "  %-22s %.3g m\n", "joint violation", e->joint);
    fprintf(out, "  %-22s (%.9g, %.9g, %.9g) N\n", "sum of loads", e->load.x, e->load.y, e->load.z);
    fprintf(out, "  %-22s (%.9g, %.9g, %.9g) N\n", "sum of supports", e->support.x, e->support.y, e->support.z);
    fprintf(out, "  %-22s %.3g N\n", "imbalance", zn_vec3_norm(left));
}

static void put_statics(FILE *out, const summary *s)
{
    put_heading(out, "equilibrium");
    if (s->equilibrium != NULL)
        put_equilibrium(out, s->equilibrium);
    put_stability(out, &s->certificate);
    put_heading(out, "worst of all load steps");
    for (int i = 0; i < SUMMARY_WORST; i++)
        if (strcmp(s->worst[i].key, "newton") == 0 || strcmp(s->worst[i].key, "penetration") == 0 ||
            strcmp(s->worst[i].key, "joint") == 0)
            put_worst(out, &s->worst[i], true);
    if (s->result != NULL)
        fprintf(out, "\nresults in %s\n", tamed(s->result));
}

// The file of 'zeno modes' has no steps: rows and frames are all of it.
static void put_modes(FILE *out, const summary *s)
{
    put_title(out, heading_of(s->title, s->model));
    fprintf(out, "modes of small motion: %" PRId64 ", which the time of the file counts\n", s->certificate.steps);
    put_stability(out, &s->certificate);
}

void certificate_print(FILE *out, const summary *s)
{
    const zn_certificate *c = &s->certificate;
    if (s->scheme != NULL && strcmp(s->scheme, "modes") == 0) {
        put_modes(out, s);
        return;
    }
    put_head(out, s);
    if (s->statics) {
        put_statics(out, s);
        return;
    }
    if (s->equilibrium != NULL) {
        put_heading(out, "equilibrium at the start");
        put_equilibrium(out, s->equilibrium);
        put_stability(out, c);
    }
    put_heading(out, "worst of all steps");
    for (int i = 0; i < SUMMARY_WORST; i++)
        if (!isnan(s->worst[i].limit) || s->worst[i].value > 0 || is_always_shown(s->worst[i].key))
            put_worst(out, &s->worst[i], false);
    put_effort(out, c);
    put_ledger(out, c, s->scheme != NULL ? zn_scheme_ledger_note(s->scheme) : NULL);
    put_heading(out, "contacts");
    fprintf(out, "  %-22s %" PRId64 "\n  %-22s %" PRId64 "\n", "impacts", c->impacts, "lasting contacts",
            c->lasting_contacts);
    put_heading(out, "momentum");
    put_change(out, "linear [N s]", c->momentum_start, c->momentum);
    put_change(out, "angular [N m s]", c->angular_start, c->angular);
    if (s->result != NULL)
        fprintf(out, "\nresults in %s\n", tamed(s->result));
}
