// Who is to blame. See blame.h.
#include "system/blame.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/names.h"
#include "system/system.h"

// --- finding -------------------------------------------------------------------------------------

static void find_node(const zn_system *sys, int dof, zn_blame *b)
{
    b->turns = sys->rotational[dof];
    for (int i = 0; i < sys->layout.nodes; i++)
        for (int slot = 0; slot < 6; slot++)
            if (sys->layout.node[i].dof[slot] == dof)
                b->node = i;
}

// The degree of freedom that is off most; translations and rotations have sizes of their own.
static int find_worst(const zn_system *sys, const double *r, const double *scale, double *relative)
{
    double size[2] = {0, 0};
    int    worst = -1;
    *relative = 0;
    for (int i = 0; i < sys->info.n; i++)
        size[sys->rotational[i]] = fmax(size[sys->rotational[i]], fabs(scale[i]));
    for (int i = 0; i < sys->info.n; i++) {
        double off = r[i] != 0 ? fabs(r[i]) / size[sys->rotational[i]] : 0;
        if (off > *relative || isnan(off)) {
            *relative = off;
            worst = i;
        }
    }
    return worst;
}

static void blame_gap(const zn_contact_set *set, zn_blame *b)
{
    for (int i = 0; i < set->count; i++) {
        double off = set->bilateral[i] ? fabs(set->gap[i]) : -set->gap[i];
        if (off > b->value) {
            b->value = off;
            b->contact = set->id[i];
        }
    }
    if (!zn_contact_id_is_none(b->contact))
        b->kind = ZN_BLAME_GAP;
}

zn_status zn_blame_newton(const zn_system *sys, zn_status status, const double *r, const double *scale,
                          const char *unit, double tolerance, const zn_contact_set *set)
{
    if (status != ZN_NOT_CONVERGED || zn_blame_last.kind == ZN_BLAME_CONSTRAINT)
        return status;
    zn_blame *b = &zn_blame_last;
    double    relative;
    int       worst = find_worst(sys, r, scale, &relative);
    b->problem = strcmp(unit, "m/s") == 0 ? "coupling of the levels" : "Newton's method";
    b->kind = ZN_BLAME_NOBODY;
    b->contact = zn_contact_id_none();
    b->value = 0;
    b->unit = unit;
    b->relative = relative;
    b->tolerance = tolerance;
    if (relative <= tolerance && set)
        blame_gap(set, b);
    if (b->kind == ZN_BLAME_NOBODY && worst >= 0) {
        b->kind = ZN_BLAME_BALANCE;
        b->value = fabs(r[worst]);
        find_node(sys, worst, b);
    }
    return status;
}

zn_status zn_blame_infinite(const zn_system *sys, int n, const double *x)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) {
            zn_blame_last = (zn_blame){.kind = ZN_BLAME_INFINITE, .contact = zn_contact_id_none()};
            find_node(sys, i, &zn_blame_last);
            break;
        }
    return ZN_NOT_FINITE;
}

// Few iterations tell nothing about the rate.
int zn_blame_more(const zn_blame *b)
{
    enum { FEW = 8, USUAL = 30, MOST = 200 };
    if (b->iterations < FEW)
        return USUAL;
    if (!(b->rate < 0.8) || !(b->left > 1))
        return 0;
    double more = b->iterations + 1.5 * zn_ln(b->left) / -zn_ln(b->rate);
    return more > MOST ? 0 : more < USUAL ? USUAL : (int)ceil(more / 10) * 10;
}

// --- telling -------------------------------------------------------------------------------------

static const char *kind_of(const zn_system *sys, zn_contact_id id)
{
    return sys->model->rule[zn_contact_id_rule(id)].ops->bilateral ? "joint" : "contact";
}

static const char *unit_of(const zn_blame *b)
{
    static const char *const unit[][2] = {{"N", "N m"}, {"N s", "N m s"}, {"kg m", "kg m^2"}, {"m/s", "rad/s"}};
    for (size_t i = 0; i < sizeof unit / sizeof *unit && b->turns; i++)
        if (strcmp(unit[i][0], b->unit) == 0)
            return unit[i][1];
    return b->unit;
}

static void tell_constraint(const zn_system *sys, const zn_blame *b, char *text, size_t size)
{
    const char *problem = b->problem ? b->problem : "the contact problem";
    if (zn_contact_id_is_none(b->contact))
        snprintf(text, size, "%s: residual %.2g, tolerance %.2g", problem, b->relative, b->tolerance);
    else
        snprintf(text, size, "%s: residual %.2g, tolerance %.2g, most at %s '%s' (%.2g %s)", problem, b->relative,
                 b->tolerance, kind_of(sys, b->contact), zn_contact_name(sys, b->contact), b->value, b->unit);
}

static void tell_column(const zn_system *sys, const zn_blame *b, char *text, size_t size)
{
    zn_blame own = {0};
    char     name[80];
    if (b->column < 0 || b->column >= sys->info.n) {
        snprintf(text, size, "%s", zn_status_text(ZN_SINGULAR));
        return;
    }
    find_node(sys, b->column, &own);
    snprintf(text, size, "a matrix is singular: nothing resists %s of '%s'", own.turns ? "a turn" : "a motion",
             zn_model_node_name(sys->model, own.node, name, sizeof name));
}

const char *zn_blame_text(const zn_system *sys, const zn_blame *b, char *text, size_t size)
{
    char name[80];
    text[0] = '\0';
    switch (b->kind) {
    case ZN_BLAME_BALANCE:
        snprintf(text, size, "%s: residual %.2g %s at '%s' after %d iterations, relative %.2g, tolerance %.2g",
                 b->problem, b->value, unit_of(b), zn_model_node_name(sys->model, b->node, name, sizeof name),
                 b->iterations, b->relative, b->tolerance);
        break;
    case ZN_BLAME_GAP:
        snprintf(text, size, "%s: %s '%s' is off by %.2g m after %d iterations", b->problem, kind_of(sys, b->contact),
                 zn_contact_name(sys, b->contact), b->value, b->iterations);
        break;
    case ZN_BLAME_CONSTRAINT:
        tell_constraint(sys, b, text, size);
        break;
    case ZN_BLAME_SINGULAR:
        tell_column(sys, b, text, size);
        break;
    case ZN_BLAME_INFINITE:
        snprintf(text, size, "not a finite number at '%s'", zn_model_node_name(sys->model, b->node, name, sizeof name));
        break;
    case ZN_BLAME_CROWD:
        snprintf(text, size, "out of memory: %.0f %s", b->value, b->problem);
        break;
    default:
        break;
    }
    return text;
}
