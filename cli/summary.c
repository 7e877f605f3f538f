// Gathers what a run measured.
#include "summary.h"

#include <stdio.h>
#include <string.h>

// What is printed, in this order: key in results and JSON, label, unit.
enum {
    PENETRATION,
    CAPTURE,
    VELOCITY,
    JOINT,
    JOINT_VELOCITY,
    COULOMB_POSITION,
    COULOMB_VELOCITY,
    COMPLEMENTARITY,
    NEWTON,
    CLOSURE
};

static void fill_worst(summary *s, const zn_limits *limits, const char *const *contacts)
{
    const zn_certificate *c = &s->certificate;
    const zn_worst       *values[SUMMARY_WORST] = {
              &c->penetration,      &c->capture,          &c->velocity,        &c->joint,  &c->joint_velocity,
              &c->coulomb_position, &c->coulomb_velocity, &c->complementarity, &c->newton, &c->closure};
    static const summary_worst labels[SUMMARY_WORST] = {
        [PENETRATION] = {.key = "penetration", .label = "penetration", .unit = "m"},
        [CAPTURE] = {.key = "capture", .label = "deepest capture", .unit = "m"},
        [VELOCITY] = {.key = "velocity", .label = "velocity violation", .unit = "m/s"},
        [JOINT] = {.key = "joint", .label = "joint violation", .unit = "m"},
        [JOINT_VELOCITY] = {.key = "joint_velocity", .label = "joint velocity", .unit = "m/s"},
        [COULOMB_POSITION] = {.key = "coulomb_position", .label = "Coulomb, position", .unit = "m"},
        [COULOMB_VELOCITY] = {.key = "coulomb_velocity", .label = "Coulomb, velocity", .unit = "m/s"},
        [COMPLEMENTARITY] = {.key = "complementarity", .label = "complementarity", .unit = ""},
        [NEWTON] = {.key = "newton", .label = "Newton residual", .unit = ""},
        [CLOSURE] = {.key = "closure", .label = "energy closure", .unit = ""},
    };
    const double bounds[SUMMARY_WORST] = {limits->penetration,
                                          NAN,
                                          limits->velocity,
                                          limits->joint,
                                          NAN,
                                          limits->coulomb_position,
                                          limits->coulomb_velocity,
                                          limits->complementarity,
                                          NAN,
                                          limits->closure};
    for (int i = 0; i < SUMMARY_WORST; i++) {
        s->worst[i] = labels[i];
        s->worst[i].value = values[i]->value;
        s->worst[i].time = values[i]->time;
        s->worst[i].limit = bounds[i];
        s->worst[i].contact = contacts[i] != NULL ? contacts[i] : "";
    }
}

static const char *contact_of(const simulation *s, int64_t contact)
{
    return contact < 0 ? "" : zn_contact_name(s->sys, contact);
}

summary summary_of_simulation(const simulation *s, zn_status outcome)
{
    const zn_certificate *c = zn_sim_certificate(s->sim);
    summary               out = {
                      .title = s->problem->title,
                      .model = s->problem->path,
                      .scheme = s->def.scheme.scheme,
                      .outcome = zn_status_text(outcome),
                      .start = s->def.start,
                      .step = s->def.step,
                      .until = s->def.until,
                      .certificate = *c,
                      .statics = s->def.statics,
                      .equilibrium = zn_sim_equilibrium(s->sim),
    };
    const char *contacts[SUMMARY_WORST] = {[PENETRATION] = contact_of(s, c->penetration.contact),
                                           [CAPTURE] = contact_of(s, c->capture.contact),
                                           [JOINT] = contact_of(s, c->joint.contact)};
    fill_worst(&out, &s->def.limits, contacts);
    return out;
}

static double number(const zn_result *r, const char *name, const char *suffix)
{
    char full[64];
    snprintf(full, sizeof full, "%s%s", name, suffix);
    return zn_result_number(r, full);
}

// Counts are NaN in the file of a run that has not ended.
static int64_t count(const zn_result *r, const char *name)
{
    double value = zn_result_number(r, name);
    return value >= 0 && value < 9e18 ? (int64_t)value : 0;
}

static zn_worst worst(const zn_result *r, const char *name)
{
    return (zn_worst){.value = number(r, name, ""), .time = number(r, name, "_time"), .contact = -1};
}

static zn_iterations iterations(const zn_result *r, const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "%s_max", name);
    return (zn_iterations){.total = count(r, name), .max = (int)count(r, full)};
}

static zn_vec3 vector(const zn_result *r, const char *name)
{
    return (zn_vec3){number(r, name, "_x"), number(r, name, "_y"), number(r, name, "_z")};
}

static zn_certificate certificate_of(const zn_result *r)
{
    zn_certificate c = {
        .steps = count(r, "steps"),
        .retries = count(r, "retries"),
        .penetration = worst(r, "penetration"),
        .capture = worst(r, "capture"),
        .velocity = worst(r, "velocity"),
        .joint = worst(r, "joint"),
        .joint_velocity = worst(r, "joint_velocity"),
        .coulomb_position = worst(r, "coulomb_position"),
        .coulomb_velocity = worst(r, "coulomb_velocity"),
        .complementarity = worst(r, "complementarity"),
        .newton = worst(r, "newton"),
        .closure = worst(r, "closure"),
        .newton_iterations = iterations(r, "newton_iterations"),
        .projection_iterations = iterations(r, "projection_iterations"),
        .activation_iterations = iterations(r, "activation_iterations"),
        .solver_iterations = iterations(r, "solver_iterations"),
        .energy_start = zn_result_number(r, "energy_start"),
        .impacts = count(r, "impacts"),
        .lasting_contacts = count(r, "lasting_contacts"),
        .negative = zn_result_number(r, "negative"),
        .unstable_from = zn_result_number(r, "unstable_from"),
        .momentum_start = vector(r, "momentum_start"),
        .momentum = vector(r, "momentum"),
        .angular_start = vector(r, "angular_start"),
        .angular = vector(r, "angular"),
        .loop_seconds = zn_result_number(r, "loop_seconds"),
    };
    c.linear_solver = (zn_linsolver_info){.backend = zn_result_text(r, "linear_backend"),
                                          .factorizations = count(r, "factorizations"),
                                          .refactorizations = count(r, "refactorizations"),
                                          .solves = count(r, "solves")};
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        c.ledger[i] = number(r, "ledger_", zn_ledger_name((zn_ledger_line)i));
    return c;
}

summary summary_of_result(const zn_result *r)
{
    const zn_limits limits = {.penetration = zn_result_number(r, "limit_penetration"),
                              .velocity = zn_result_number(r, "limit_velocity"),
                              .joint = zn_result_number(r, "limit_joint"),
                              .coulomb_position = zn_result_number(r, "limit_coulomb_position"),
                              .coulomb_velocity = zn_result_number(r, "limit_coulomb_velocity"),
                              .complementarity = zn_result_number(r, "limit_complementarity"),
                              .closure = zn_result_number(r, "limit_closure")};
    const char     *contacts[SUMMARY_WORST] = {[PENETRATION] = zn_result_text(r, "penetration_contact"),
                                               [CAPTURE] = zn_result_text(r, "capture_contact"),
                                               [JOINT] = zn_result_text(r, "joint_contact")};
    summary         out = {
                .title = zn_result_text(r, "title"),
                .model = zn_result_text(r, "path"),
                .scheme = zn_result_text(r, "scheme"),
                .outcome = zn_result_text(r, "outcome"),
                .start = zn_result_number(r, "start"),
                .step = zn_result_number(r, "step"),
                .until = zn_result_number(r, "until"),
                .certificate = certificate_of(r),
    };
    out.statics = out.scheme != NULL && strcmp(out.scheme, "static") == 0;
    fill_worst(&out, &limits, contacts);
    return out;
}

double summary_rate(const summary *s)
{
    double seconds = s->certificate.loop_seconds;
    return seconds > 0 ? (double)s->certificate.steps / seconds : NAN;
}
