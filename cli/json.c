// The summary of a run as one JSON object.
#include "json.h"

#include <math.h>

#include "json_writer.h"

static void vector(json_writer *w, const char *key, zn_vec3 v) { json_list(w, key, 3, (double[]){v.x, v.y, v.z}); }

static void iterations(json_writer *w, const char *key, zn_iterations n)
{
    json_open(w, key);
    json_count(w, "total", n.total);
    json_count(w, "max", n.max);
    json_close(w);
}

static void worst(json_writer *w, const summary *s)
{
    for (int i = 0; i < SUMMARY_WORST; i++) {
        const summary_worst *v = &s->worst[i];
        json_open(w, v->key);
        json_number(w, "value", v->value);
        json_text(w, "unit", v->unit);
        json_number(w, "time", v->time);
        json_text(w, "contact", v->contact[0] != '\0' ? v->contact : NULL);
        json_number(w, "limit", v->limit);
        if (!isnan(v->limit))
            json_bool(w, "kept", v->value <= v->limit);
        if (v->warns)
            json_bool(w, "warning", true);
        json_close(w);
    }
}

static void effort(json_writer *w, const zn_certificate *c)
{
    json_open(w, "iterations");
    iterations(w, "newton", c->newton_iterations);
    iterations(w, "projection", c->projection_iterations);
    iterations(w, "activation", c->activation_iterations);
    iterations(w, "solver", c->solver_iterations);
    json_close(w);
    json_open(w, "linear_solver");
    json_text(w, "backend", c->linear_solver.backend);
    json_count(w, "factorizations", c->linear_solver.factorizations);
    json_count(w, "refactorizations", c->linear_solver.refactorizations);
    json_count(w, "solves", c->linear_solver.solves);
    json_close(w);
}

static void physics(json_writer *w, const zn_certificate *c)
{
    json_open(w, "energy");
    json_number(w, "start", c->energy_start);
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        json_number(w, zn_ledger_name((zn_ledger_line)i), c->ledger[i]);
    json_close(w);
    json_open(w, "energy_gave");
    json_number(w, "contact", c->gave[ZN_LEDGER_CONTACT]);
    json_number(w, "projection", c->gave[ZN_LEDGER_PROJECTION]);
    json_number(w, "joint", c->gave[ZN_LEDGER_JOINT]);
    json_number(w, "numerical", c->gave[ZN_LEDGER_NUMERICAL]);
    json_number(w, "moved", c->energy_moved);
    json_number(w, "changed", c->energy_changed);
    json_text(w, "line", c->created_line < ZN_LEDGER_LINES ? zn_ledger_name(c->created_line) : NULL);
    json_close(w);
    json_count(w, "impacts", c->impacts);
    json_count(w, "lasting_contacts", c->lasting_contacts);
    json_number(w, "negative", c->negative);
    json_number(w, "unstable_from", c->unstable_from);
    vector(w, "momentum_start", c->momentum_start);
    vector(w, "momentum", c->momentum);
    vector(w, "angular_momentum_start", c->angular_start);
    vector(w, "angular_momentum", c->angular);
}

static void equilibrium(json_writer *w, const zn_equilibrium_info *e)
{
    json_open(w, "equilibrium");
    json_count(w, "load_steps", e->load_steps);
    json_count(w, "increments", e->increments);
    json_count(w, "retries", e->retries);
    json_count(w, "relaxations", e->relaxations);
    json_count(w, "newton_iterations", e->newton_iterations);
    json_count(w, "factorizations", e->linear_solver.factorizations + e->linear_solver.refactorizations);
    json_number(w, "residual", e->residual);
    json_number(w, "penetration", e->penetration);
    json_number(w, "joint", e->joint);
    json_number(w, "negative", e->negative >= 0 ? (double)e->negative : (double)NAN);
    json_number(w, "neutral", e->neutral >= 0 ? (double)e->neutral : (double)NAN);
    vector(w, "load", e->load);
    vector(w, "support", e->support);
    json_close(w);
}

static void last_row(json_writer *w, const summary *s)
{
    json_open(w, "final");
    for (int i = 0; i < s->series_count; i++) {
        const zn_series *series = &s->series[i];
        if (series->columns == 1)
            json_number(w, series->name, s->final[series->offset]);
        else
            json_list(w, series->name, series->columns, s->final + series->offset);
    }
    json_close(w);
}

void json_print(FILE *out, const summary *s)
{
    json_writer w = {.out = out};
    json_open(&w, NULL);
    json_text(&w, "zeno", zn_version());
    json_text(&w, "title", s->title);
    json_text(&w, "model", s->model);
    json_text(&w, "result", s->result);
    json_text(&w, "outcome", s->outcome);
    json_text(&w, "scheme", s->scheme);
    json_number(&w, "start", s->start);
    json_number(&w, "step", s->step);
    json_number(&w, "until", s->until);
    json_count(&w, "steps", s->certificate.steps);
    json_count(&w, "retries", s->certificate.retries);
    json_count(&w, "failed_iterations", s->certificate.failed_iterations);
    worst(&w, s);
    effort(&w, &s->certificate);
    if (s->equilibrium != NULL)
        equilibrium(&w, s->equilibrium);
    physics(&w, &s->certificate);
    if (s->series != NULL)
        last_row(&w, s);
    json_number(&w, "loop_seconds", s->certificate.loop_seconds);
    json_number(&w, "steps_per_second", summary_rate(s));
    json_close(&w);
    fputc('\n', out);
}
