// All schemes, in one visible table, and the public handle around them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/assert.h"
#include "base/def.h"
#include "base/option.h"
#include "scheme/scheme.h"
#include "system/system.h"

static const zn_scheme_ops *const table[] = {
    &zn_moreau_jean_ops,     &zn_direct_projection_ops, &zn_combined_projection_ops,
    &zn_schatzman_paoli_ops, &zn_trapezoidal_ops,       &zn_nsga_ops,
    &zn_nsga_coupled_ops,    &zn_cd_lagrange_ops,       &zn_newmark_ops,
    &zn_multirate_ops,       &zn_energy_momentum_ops,
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

int         zn_scheme_count(void) { return SCHEMES; }
const char *zn_scheme_name(int index) { return index >= 0 && index < SCHEMES ? table[index]->name : NULL; }
const char *zn_scheme_help(int index) { return index >= 0 && index < SCHEMES ? table[index]->help : NULL; }

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

// The scheme of a def, and a copy of the def without gaps. Refuses options.
static zn_status choose(const zn_scheme_def *given, const zn_system *sys, zn_scheme_def *def, const zn_scheme_ops **ops)
{
    const zn_log *log = &sys->model->log;
    *def = zn_scheme_def_default();
    ZN_TRY(zn_def_take(&zn_scheme_def_kind, given, def, log));
    *ops = find(def->scheme);
    if (!*ops)
        return zn_fail(log, ZN_ERR_ARGUMENT, "there is no scheme '%s'", def->scheme ? def->scheme : "");
    zn_options_complete(zn_scheme_options(), def);
    ZN_TRY(zn_scheme_refuse_options(def, sys, (*ops)->name, log));
    if (*ops == &zn_cd_lagrange_ops && strcmp(def->levels, "1") != 0)
        *ops = &zn_levels_ops;
    return ZN_OK;
}

zn_status zn_scheme_create(const zn_scheme_def *given, const zn_system *sys, zn_scheme **out)
{
    ZN_ALIVE(sys);
    if (!sys || !out)
        return ZN_ERR_ARGUMENT;
    ZN_ASSERT(sys && out);
    const zn_log        *log = &sys->model->log;
    const zn_scheme_ops *ops = NULL;
    zn_scheme_def        def;
    ZN_TRY(choose(given, sys, &def, &ops));
    zn_scheme *scheme = ZN_NEW(zn_scheme, 1);
    if (!scheme)
        return ZN_ERR_MEMORY;
    scheme->ops = ops;
    zn_scheme_warn_columns(sys, &def, ops->name, log);
    zn_status status = ops->create(&def, sys, log, &scheme->self);
    if (status != ZN_OK)
        free(scheme);
    else {
        *out = scheme;
        if (ops->linsolver)
            zn_scheme_tell_split(sys, &def, ops->linsolver(scheme->self), log);
    }
    return status;
}

zn_status zn_scheme_describe(const zn_scheme_def *given, const zn_system *sys, double h, zn_scheme_info *out)
{
    ZN_ALIVE(sys);
    if (!sys || !out)
        return ZN_ERR_ARGUMENT;
    ZN_ASSERT(sys && out);
    const zn_scheme_ops *ops = NULL;
    zn_scheme_def        def;
    ZN_TRY(choose(given, sys, &def, &ops));
    *out = (zn_scheme_info){.bounded = ops->bounded};
    return ops->describe ? ops->describe(&def, sys, h, out) : ZN_OK;
}

zn_scheme *zn_scheme_destroy(zn_scheme *scheme)
{
    ZN_ALIVE(scheme);
    if (scheme) {
        scheme->ops->destroy(scheme->self);
        zn_retire(scheme, sizeof *scheme);
    }
    return NULL;
}

void zn_scheme_hide_unmeasured(const zn_scheme *scheme, zn_step_info *info)
{
    if (!scheme->ops->judges_contacts)
        info->coulomb_position = info->rounding_position = info->rounding_velocity = NAN;
    if (!scheme->ops->judges_contacts && !scheme->ops->judges_velocity)
        info->coulomb_velocity = info->rolling_velocity = info->turned_work = NAN;
    if (!scheme->ops->projects)
        info->shift = NAN;
    if (!scheme->ops->projects && !scheme->ops->judges_contacts)
        info->reach = NAN;
    if (!scheme->ops->keeps_momentum)
        info->jump_debt = NAN;
    if (scheme->ops->lacks_impact_law)
        info->velocity_violation = NAN;
}

zn_status zn_scheme_advance(zn_scheme *scheme, zn_state *state, double h, zn_step_info *info)
{
    ZN_ASSERT(scheme && state && info && h > 0);
    zn_status status = scheme->ops->step(scheme->self, state, h, info);
    zn_scheme_hide_unmeasured(scheme, info);
    return status;
}

bool zn_scheme_keeps_step(const zn_scheme *scheme) { return scheme->ops->keeps_step; }
bool zn_scheme_keeps_momentum(const zn_scheme *scheme) { return scheme->ops->keeps_momentum; }

void zn_scheme_jump(zn_scheme *scheme, bool little)
{
    if (scheme->ops->jump)
        scheme->ops->jump(scheme->self, little);
}

struct zn_team *zn_scheme_threads(const zn_scheme *scheme)
{
    return scheme && scheme->ops->threads ? scheme->ops->threads(scheme->self) : NULL;
}

void zn_scheme_complete(zn_scheme *scheme, zn_state *state)
{
    if (scheme->ops->complete)
        scheme->ops->complete(scheme->self, state);
}

zn_status zn_scheme_step(zn_scheme *scheme, zn_state *state, double h, zn_step_info *info)
{
    ZN_ALIVE(scheme);
    ZN_ALIVE(state);
    if (!scheme || !state || !info || !(h > 0) || !isfinite(h))
        return ZN_ERR_ARGUMENT;
    zn_status status = zn_scheme_advance(scheme, state, h, info);
    if (status == ZN_OK)
        zn_scheme_complete(scheme, state);
    return status;
}

zn_status zn_scheme_longest(zn_scheme *scheme, const zn_state *from, double *out)
{
    *out = INFINITY;
    return scheme->ops->longest ? scheme->ops->longest(scheme->self, from, out) : ZN_OK;
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

bool zn_scheme_splits(const zn_scheme *scheme) { return scheme->ops->part_ledger != NULL; }

zn_status zn_scheme_part_ledger(zn_scheme *scheme, const zn_state *state, int part, double out[ZN_LEDGER_LINES])
{
    ZN_ASSERT(zn_scheme_splits(scheme) && state->whole);
    return scheme->ops->part_ledger(scheme->self, state, part, out);
}

bool zn_scheme_has_detail(const zn_scheme *scheme, zn_detail which)
{
    ZN_ASSERT(which < ZN_DETAILS);
    return scheme->ops->details >> which & 1;
}

double zn_scheme_detail(const zn_scheme *scheme, zn_detail which, int place)
{
    ZN_ASSERT(zn_scheme_has_detail(scheme, which) && place >= 0);
    return scheme->ops->detail(scheme->self, which, place);
}

void zn_scheme_hide(zn_scheme *scheme, zn_state *state)
{
    if (scheme->ops->hide)
        scheme->ops->hide(scheme->self, state);
}

// --- history -------------------------------------------------------------------------------------

int zn_scheme_history_size(const zn_scheme *scheme)
{
    ZN_ALIVE(scheme);
    zn_blob blob = zn_blob_counting();
    if (scheme->ops->history)
        scheme->ops->history(scheme->self, &blob);
    return (int)(blob.size / sizeof(double));
}

void zn_scheme_history_save(zn_scheme *scheme, double *history)
{
    ZN_ALIVE(scheme);
    zn_blob blob = zn_blob_into(history, sizeof *history * (size_t)zn_scheme_history_size(scheme));
    if (scheme->ops->history)
        scheme->ops->history(scheme->self, &blob);
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
    ZN_ALIVE(scheme);
    ZN_ASSERT(history || size <= 0);
    if (size != zn_scheme_history_size(scheme))
        return ZN_ERR_ARGUMENT;
    for (int i = 0; i < size; i++)
        if (!isfinite(history[i]))
            return ZN_ERR_ARGUMENT;
    if (scheme->ops->history)
        return load_listed(scheme, history, sizeof *history * (size_t)size);
    return ZN_OK;
}

zn_linsolver_info zn_scheme_linsolver_info(const zn_scheme *scheme)
{
    ZN_ALIVE(scheme);
    ZN_ASSERT(scheme);
    return scheme->ops->linsolver(scheme->self);
}
