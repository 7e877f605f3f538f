// Gathers what a run measured.
#include "summary.h"

#include <stdio.h>
#include <string.h>

enum {
#define INDEX(name, ...) INDEX_##name,
    ZN_WORST_LIST(INDEX)
#undef INDEX
        CREATED = INDEX_energy_created,
    TURNED = INDEX_constraint,
    REACH = INDEX_reach
};

static void fill_worst(summary *s, const zn_limits *limits, const char *const *contacts)
{
    const zn_certificate *c = &s->certificate;
    const summary_worst   all[] = {
#define WORST(name, label, unit, ...) {#name, label, unit, c->name.value, c->name.time, limits->name, "", false},
        ZN_WORST_LIST(WORST)
#undef WORST
    };
    for (int i = 0; i < SUMMARY_WORST; i++) {
        s->worst[i] = all[i];
        if (contacts[i] != NULL)
            s->worst[i].contact = contacts[i];
    }
    summary_worst *created = &s->worst[CREATED];
    created->warns = isnan(created->limit) && zn_certificate_is_created(c);
    s->worst[TURNED].warns = isnan(limits->constraint) && zn_certificate_is_turned(c);
    s->worst[REACH].warns = isnan(limits->reach) && zn_certificate_reaches_far(c);
    if (created->contact[0] == '\0' && c->created_line < ZN_LEDGER_LINES)
        created->contact = zn_ledger_name(c->created_line);
}

static const char *contact_of(const simulation *s, zn_contact_id contact)
{
    return zn_contact_id_is_none(contact) ? "" : zn_contact_name(s->sys, contact);
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
    const char *contacts[SUMMARY_WORST] = {
#define CONTACT(name, ...) contact_of(s, c->name.contact),
        ZN_WORST_LIST(CONTACT)
#undef CONTACT
    };
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
    return (zn_worst){.value = number(r, name, ""), .time = number(r, name, "_time"), .contact = zn_contact_id_none()};
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

static zn_ledger_line line_of(const char *name)
{
    int line = 0;
    while (line < ZN_LEDGER_LINES && (name == NULL || strcmp(name, zn_ledger_name((zn_ledger_line)line)) != 0))
        line++;
    return (zn_ledger_line)line;
}

static zn_certificate certificate_of(const zn_result *r)
{
    zn_certificate c = {
        .steps = count(r, "steps"),
        .retries = count(r, "retries"),
        .failed_iterations = count(r, "failed_iterations"),
#define WORST(name, ...) .name = worst(r, #name),
        ZN_WORST_LIST(WORST)
#undef WORST
            .created_line = line_of(zn_result_text(r, "energy_created_line")),
        .energy_moved = zn_result_number(r, "energy_moved"),
        .energy_changed = zn_result_number(r, "energy_changed"),
        .gave = {[ZN_LEDGER_CONTACT] = zn_result_number(r, "gave_contact"),
                 [ZN_LEDGER_PROJECTION] = zn_result_number(r, "gave_projection"),
                 [ZN_LEDGER_JOINT] = zn_result_number(r, "gave_joint"),
                 [ZN_LEDGER_NUMERICAL] = zn_result_number(r, "gave_numerical")},
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
    const zn_limits limits = {
#define LIMIT(name, ...) .name = zn_result_number(r, "limit_" #name),
        ZN_WORST_LIST(LIMIT)
#undef LIMIT
    };
    const char *contacts[SUMMARY_WORST] = {
#define CONTACT(name, ...) zn_result_text(r, #name "_contact"),
        ZN_WORST_LIST(CONTACT)
#undef CONTACT
    };
    summary out = {
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
