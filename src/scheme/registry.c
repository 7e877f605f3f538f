// All schemes, in one visible table, and the public handle around them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/cookie.h"
#include "scheme/multirate.h"
#include "scheme/scheme.h"
#include "system/system.h"

static const zn_scheme_ops *const table[] = {
    &zn_moreau_jean_ops,     &zn_direct_projection_ops, &zn_combined_projection_ops,
    &zn_schatzman_paoli_ops, &zn_trapezoidal_ops,       &zn_nsga_ops,
    &zn_nsga_coupled_ops,    &zn_cd_lagrange_ops,       &zn_newmark_ops,
    &zn_multirate_ops,
};

enum { SCHEMES = sizeof table / sizeof *table };

struct zn_scheme {
    const zn_scheme_ops *ops;
    void                *self;
};

static const char *const ledger_name[] = {
#define NAME(id, name, help) name,
    ZN_LEDGER_LIST(NAME)
#undef NAME
};

static const char *const ledger_help[] = {
#define HELP(id, name, help) help,
    ZN_LEDGER_LIST(HELP)
#undef HELP
};

const char *zn_ledger_name(zn_ledger_line line) { return ledger_name[line]; }
const char *zn_ledger_help(zn_ledger_line line) { return ledger_help[line]; }

const char *zn_smooth_name(zn_smooth smooth)
{
    static const char *const names[] = {"joints", "forces", "none"};
    return smooth <= ZN_SMOOTH_NONE ? names[smooth] : NULL;
}

const char *zn_metric_name(zn_metric metric)
{
    static const char *const names[] = {"identity", "mass", "iteration"};
    return metric <= ZN_METRIC_ITERATION ? names[metric] : NULL;
}

int         zn_scheme_count(void) { return SCHEMES; }
const char *zn_scheme_name(int index) { return index >= 0 && index < SCHEMES ? table[index]->name : NULL; }
const char *zn_scheme_help(int index) { return index >= 0 && index < SCHEMES ? table[index]->help : NULL; }

zn_scheme_def zn_scheme_def_default(void)
{
    return (zn_scheme_def){
        .scheme = "moreau_jean",
        .theta = 0.5,
        .forecast = ZN_FORECAST_EXPLICIT,
        .gamma = 0,
        .beta = 0.25,
        .rho_inf = 0.8,
        .position_friction = true,
        .penalty_factor = 1,
        .newton_tolerance = 1e-12,
        .newton_iterations = 30,
        .gap_tolerance = 1e-13,
        .solver_tolerance = 1e-12,
        .solver = "auto",
        .cookie = ZN_COOKIE,
    };
}

static zn_status check_range(const zn_log *log, const char *name, double value, double low, double high)
{
    if (value >= low && value <= high)
        return ZN_OK;
    return zn_fail(log, ZN_ERR_ARGUMENT, "scheme: %s = %g is not in [%g, %g]", name, value, low, high);
}

// `words`: the admissible ones, each followed by a blank.
static zn_status check_word(const zn_log *log, const char *name, const char *word, const char *words)
{
    size_t length = strlen(word);
    for (const char *w = words; length > 0 && *w; w = strchr(w, ' ') + 1)
        if (strncmp(w, word, length) == 0 && w[length] == ' ')
            return ZN_OK;
    return zn_fail(log, ZN_ERR_ARGUMENT, "scheme: %s '%s' is not one of: %s", name, word, words);
}

static zn_status check_options(const zn_scheme_def *def, const zn_log *log)
{
    if (def->solver)
        ZN_TRY(check_word(log, "solver", def->solver, "auto lemke pivot enumerate gauss_seidel "));
    if (def->linear_solver)
        ZN_TRY(check_word(log, "linear_solver", def->linear_solver, "dense klu mumps "));
    ZN_TRY(check_range(log, "threads", def->threads, 0, 64));
    ZN_TRY(check_range(log, "theta", def->theta, 0.5, 1));
    ZN_TRY(check_range(log, "gamma", def->gamma, 0, 2));
    ZN_TRY(check_range(log, "beta", def->beta, 0, 1));
    ZN_TRY(check_range(log, "ratio", def->ratio, 0, 1000000));
    ZN_TRY(check_range(log, "within", def->within, 0, 1e30));
    ZN_TRY(check_range(log, "rho_inf", def->rho_inf, 0, 1));
    ZN_TRY(check_range(log, "characteristic_mass", def->characteristic_mass, 0, 1e30));
    ZN_TRY(check_range(log, "penalty_factor", def->penalty_factor, 1e-12, 1e12));
    ZN_TRY(check_range(log, "newton_tolerance", def->newton_tolerance, 1e-15, 1e-3));
    ZN_TRY(check_range(log, "newton_iterations", def->newton_iterations, 1, 10000));
    ZN_TRY(check_range(log, "gap_tolerance", def->gap_tolerance, 1e-16, 1e-3));
    ZN_TRY(check_range(log, "solver_measure", def->solver_measure, ZN_FC_MEASURE_NATURAL, ZN_FC_MEASURE_FCLIB));
    return check_range(log, "solver_tolerance", def->solver_tolerance, 1e-16, 1e-2);
}

static const zn_scheme_ops *find(const char *name)
{
    for (int i = 0; i < SCHEMES; i++)
        if (name && strcmp(table[i]->name, name) == 0)
            return table[i];
    return NULL;
}

const char *zn_scheme_ledger_note(const char *name)
{
    const zn_scheme_ops *ops = find(name);
    return ops ? ops->ledger_note : NULL;
}

zn_status zn_scheme_create(const zn_scheme_def *def, const zn_system *sys, zn_scheme **out)
{
    const zn_log *log = &sys->model->log;
    ZN_CHECK_DEF(def, log);
    const zn_scheme_ops *ops = find(def->scheme);
    if (!ops)
        return zn_fail(log, ZN_ERR_ARGUMENT, "there is no scheme '%s'", def->scheme ? def->scheme : "");
    ZN_TRY(check_options(def, log));
    ZN_TRY(zn_scheme_refuse_strangers(def, ops->name, log));
    if (def->frozen_rows && !ops->frozen_rows)
        return zn_fail(log, ZN_ERR_ARGUMENT,
                       "%s: frozen_rows does not apply, positions depend on the rows at their end", ops->name);
    if (sys->info.contacts_grow && !ops->piles)
        return zn_fail(log, ZN_ERR_UNSUPPORTED, "%s: the pairs of contact rules are too many, at most %d are possible",
                       ops->name, ZN_FEW_PAIRS);
    zn_scheme *scheme = ZN_NEW(zn_scheme, 1);
    if (!scheme)
        return ZN_ERR_MEMORY;
    scheme->ops = ops;
    zn_status status = ops->create(def, sys, log, &scheme->self);
    if (status != ZN_OK)
        free(scheme);
    else
        *out = scheme;
    return status;
}

zn_status zn_multirate_describe(const zn_scheme_def *def, const zn_system *sys, double h, zn_multirate_info *out)
{
    ZN_CHECK_DEF(def, &sys->model->log);
    ZN_TRY(check_options(def, &sys->model->log));
    return multirate_describe(def, sys, h, out);
}

zn_scheme *zn_scheme_destroy(zn_scheme *scheme)
{
    if (scheme) {
        scheme->ops->destroy(scheme->self);
        free(scheme);
    }
    return NULL;
}

zn_status zn_scheme_advance(zn_scheme *scheme, zn_state *state, double h, zn_step_info *info)
{
    zn_status status = scheme->ops->step(scheme->self, state, h, info);
    if (!scheme->ops->judges_contacts)
        info->coulomb_velocity = info->coulomb_position = NAN;
    return status;
}

bool zn_scheme_keeps_step(const zn_scheme *scheme) { return scheme->ops->keeps_step; }

void zn_scheme_complete(zn_scheme *scheme, zn_state *state)
{
    if (scheme->ops->complete)
        scheme->ops->complete(scheme->self, state);
}

zn_status zn_scheme_step(zn_scheme *scheme, zn_state *state, double h, zn_step_info *info)
{
    zn_status status = zn_scheme_advance(scheme, state, h, info);
    if (status == ZN_OK)
        zn_scheme_complete(scheme, state);
    return status;
}

zn_status zn_scheme_period(zn_scheme *scheme, const zn_state *from, double h, int *out)
{
    *out = 1;
    return scheme->ops->period ? scheme->ops->period(scheme->self, from, h, out) : ZN_OK;
}

zn_status zn_scheme_part_energy(zn_scheme *scheme, const zn_system *sys, const zn_state *state, int part,
                                zn_energy *out)
{
    if (scheme->ops->part_energy && state->whole)
        return scheme->ops->part_energy(scheme->self, state, part, out);
    return zn_system_part_energy(sys, (zn_at){state->q, state->v, state->t, 0}, part, out);
}

void zn_scheme_hide(zn_scheme *scheme, zn_state *state)
{
    if (scheme->ops->hide)
        scheme->ops->hide(scheme->self, state);
}

// --- history -------------------------------------------------------------------------------------

int zn_scheme_history_size(const zn_scheme *scheme)
{
    zn_blob blob = zn_blob_counting();
    if (scheme->ops->history) {
        scheme->ops->history(scheme->self, &blob);
        return (int)(blob.size / sizeof(double));
    }
    return scheme->ops->history_size ? scheme->ops->history_size(scheme->self) : 0;
}

void zn_scheme_history_save(zn_scheme *scheme, double *history)
{
    zn_blob blob = zn_blob_into(history, sizeof *history * (size_t)zn_scheme_history_size(scheme));
    if (scheme->ops->history)
        scheme->ops->history(scheme->self, &blob);
    else if (scheme->ops->history_save)
        scheme->ops->history_save(scheme->self, history);
}

// Versions and sizes are checked before anything changes.
static zn_status load_listed(zn_scheme *scheme, const double *history, size_t bytes)
{
    zn_blob check = zn_blob_checking(history, bytes), blob = zn_blob_of(history, bytes);
    scheme->ops->history(scheme->self, &check);
    if (check.failed)
        return ZN_ERR_ARGUMENT;
    scheme->ops->history(scheme->self, &blob);
    return blob.failed ? ZN_ERR_ARGUMENT : ZN_OK;
}

zn_status zn_scheme_history_load(zn_scheme *scheme, const double *history, int size)
{
    if (size != zn_scheme_history_size(scheme))
        return ZN_ERR_ARGUMENT;
    for (int i = 0; i < size; i++)
        if (!isfinite(history[i]))
            return ZN_ERR_ARGUMENT;
    if (scheme->ops->history)
        return load_listed(scheme, history, sizeof *history * (size_t)size);
    if (scheme->ops->history_load)
        scheme->ops->history_load(scheme->self, history);
    return ZN_OK;
}

zn_linsolver_info zn_scheme_linsolver_info(const zn_scheme *scheme) { return scheme->ops->linsolver(scheme->self); }
