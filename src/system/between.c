// Loops over element blocks and contacts between two states, and what lacks such operations. Gravity and uniform
// accelerations do not depend on the state: M is constant.
#include "system/between.h"

#include <string.h>

#include "base/assert.h"
#include "system/contact_scratch.h"
#include "system/system.h"

// --- what lacks ------------------------------------------------------------------------------------

// Why element e has no force between two states; NULL: it has, or needs none.
static const char *reason_of(const zn_element_block *b, int e)
{
    ZN_ASSERT(e >= 0 && e < b->count);
    if (b->ops->varying_mass)
        return "its mass depends on where it is";
    if (b->ops->between)
        return b->ops->between->lacks(b, e);
    return b->ops->force ? "none is known for this kind" : NULL;
}

static bool block_lacks(const zn_element_block *b, zn_lacking *out)
{
    for (int e = 0; e < b->count; e++) {
        const char *reason = reason_of(b, e);
        if (!reason)
            continue;
        *out = (zn_lacking){b->ops->load ? "load" : "part", b->part_name[b->part[e]], b->ops->name, reason};
        return true;
    }
    return false;
}

static bool is_straight(const zn_system *sys, const zn_contact_rule *rule)
{
    return rule->ops->straight && rule->ops->straight(rule->parameter, &sys->layout);
}

static const char *reason_of_rule(const zn_system *sys, const zn_contact_rule *rule)
{
    if (rule->turns > 0)
        return "for rolling and spinning friction none is known";
    if (rule->ops->evaluate_between)
        return rule->ops->lacks_between ? rule->ops->lacks_between(rule->parameter, &sys->layout) : NULL;
    if (is_straight(sys, rule))
        return NULL;
    return "none is known for this kind";
}

bool zn_system_lacks_between(const zn_system *sys, zn_lacking *out)
{
    for (int i = 0; i < sys->blocks; i++)
        if (block_lacks(&sys->block[i], out))
            return true;
    for (int i = 0; i < sys->model->rules; i++) {
        const zn_contact_rule *rule = &sys->model->rule[i];
        const char            *reason = reason_of_rule(sys, rule);
        if (!reason)
            continue;
        *out = (zn_lacking){rule->ops->bilateral ? "joint" : "contact", rule->name, rule->ops->name, reason};
        return true;
    }
    return false;
}

zn_status zn_system_refuse_between(const zn_system *sys, const char *scheme)
{
    ZN_ASSERT(scheme);
    zn_lacking lack;
    if (!zn_system_lacks_between(sys, &lack))
        return ZN_OK;
    return zn_fail(&sys->model->log, ZN_ERR_UNSUPPORTED, "%s: %s '%s' (%s) has no force between two states, %s", scheme,
                   lack.what, lack.name, lack.kind, lack.reason);
}

// --- elements --------------------------------------------------------------------------------------

zn_status zn_system_force_between(const zn_system *sys, zn_between s, double *f)
{
    ZN_ASSERT(f && s.from.q && s.to.q);
    zn_at load = zn_between_load(s);
    ZN_TRY(zn_fault_point());
    for (int k = 0; k < sys->info.n_all; k++)
        f[k] = (1 - load.relief) * sys->gravity_force[k];
    for (int i = 0; i < sys->blocks; i++) {
        const zn_element_block *b = &sys->block[i];
        if (b->ops->between)
            ZN_TRY(b->ops->between->force(b, s, f));
        else if (b->ops->force && b->count > 0)
            return ZN_ERR_UNSUPPORTED; // nobody asked what lacks
    }
    return zn_system_add_uniform(sys, load, false, f);
}

zn_status zn_system_load_between(const zn_system *sys, zn_between s, double *f)
{
    ZN_ASSERT(f && s.from.q && s.to.q);
    ZN_TRY(zn_fault_point());
    memset(f, 0, sizeof *f * (size_t)sys->info.n_all);
    for (int i = 0; i < sys->blocks; i++)
        if (sys->block[i].ops->load && sys->block[i].ops->between)
            ZN_TRY(sys->block[i].ops->between->force(&sys->block[i], s, f));
    return zn_system_add_uniform(sys, zn_between_load(s), false, f);
}

zn_status zn_system_growth_between(const zn_system *sys, zn_between s, double *out)
{
    ZN_ASSERT(out && s.from.q && s.to.q);
    double sum = 0;
    for (int i = 0; i < sys->blocks; i++)
        if (sys->block[i].ops->growth_between)
            ZN_TRY(sys->block[i].ops->growth_between(&sys->block[i], s, &sum));
    *out = zn_system_sum(sys, sum);
    return ZN_OK;
}

static zn_status add_operators(const zn_element_block *block, zn_between s, double a, double b, double c,
                               zn_sparse *out)
{
    const zn_element_ops *ops = block->ops;
    if (ops->between)
        return ops->between->operators ? ops->between->operators(block, s, a, b, c, out->value) : ZN_OK;
    if (ops->force && block->count > 0)
        return ZN_ERR_UNSUPPORTED;
    return ops->operators ? ops->operators(block, s.to, a, 0, 0, out->value) : ZN_OK; // mass alone
}

zn_status zn_system_operators_between(const zn_system *sys, zn_between s, double a, double b, double c, zn_sparse *out)
{
    ZN_TRY(zn_fault_point());
    zn_sparse_clear(out);
    for (int i = 0; i < sys->blocks; i++)
        ZN_TRY(add_operators(&sys->block[i], s, a, b, c, out));
    return ZN_OK;
}

static bool block_turns(const zn_system *sys, const zn_element_block *b)
{
    for (int k = 0; k < b->count * b->ops->dofs; k++)
        if (b->dof[k] >= 0 && sys->rotational[b->dof[k]])
            return true;
    return false;
}

// Mass and damping of what turns first, whose columns are multiplied, then everything else.
zn_status zn_system_step_matrix(const zn_system *sys, zn_between s, const double *way, double h, zn_sparse *out)
{
    double a = 2 / (h * h), b = 2 / h;
    if (!sys->has_rotations)
        return zn_system_operators_between(sys, s, a, b, 1, out);
    ZN_TRY(zn_fault_point());
    zn_sparse_clear(out);
    for (int i = 0; i < sys->blocks; i++)
        if (block_turns(sys, &sys->block[i]))
            ZN_TRY(add_operators(&sys->block[i], s, a, b, 0, out));
    zn_system_way_columns(sys, way, out);
    for (int i = 0; i < sys->blocks; i++) {
        bool done = block_turns(sys, &sys->block[i]);
        ZN_TRY(add_operators(&sys->block[i], s, done ? 0 : a, done ? 0 : b, 1, out));
    }
    return ZN_OK;
}

// --- contacts --------------------------------------------------------------------------------------

// Rows of one contact: normal, then tangents, of gap and force.
typedef struct contact_rows {
    int    dof[ZN_CONTACT_ENTRIES];
    double gap[3][ZN_CONTACT_ENTRIES], force[3][ZN_CONTACT_ENTRIES];
} contact_rows;

static zn_status measure(const zn_contact_set *set, const zn_system *sys, zn_between s, int i, contact_rows *rows,
                         zn_contact_product *out)
{
    const zn_contact_rule *rule = zn_contact_rule_of(sys, set->id[i]);
    double *const          force[3] = {rows->force[0], rule->rows > 1 ? rows->force[1] : NULL,
                              rule->rows > 2 ? rows->force[2] : NULL};
    *out = (zn_contact_product){
        .restitution_from = rule->restitution_from,
        .dof = rows->dof,
        .value = rows->gap[0],
        .tangent = {rule->rows > 1 ? rows->gap[1] : NULL, rule->rows > 2 ? rows->gap[2] : NULL},
    };
    if (rule->ops->evaluate_between)
        return rule->ops->evaluate_between(rule->parameter, &sys->layout, zn_contact_key_at(set, i), s, out, force);
    if (!is_straight(sys, rule))
        return ZN_ERR_UNSUPPORTED; // nobody asked what lacks
    ZN_TRY(rule->ops->evaluate(rule->parameter, &sys->layout, zn_contact_key_at(set, i), s.to.q, s.to.t, out));
    memcpy(rows->force, rows->gap, sizeof rows->gap);
    return ZN_OK;
}

// Into the set from entry `at` on; returns the next free one.
static int store(zn_contact_set *set, int i, int count, const contact_rows *rows, int entries, int at, double *force)
{
    ZN_ASSERT(entries >= 0 && at + count * entries <= set->row_capacity);
    for (int r = 0; r < set->stride; r++) {
        set->row_start[i * set->stride + r] = at;
        if (r >= count)
            continue;
        memcpy(set->row_dof + at, rows->dof, sizeof *rows->dof * (size_t)entries);
        memcpy(set->row_value + at, rows->gap[r], sizeof(double) * (size_t)entries);
        memcpy(force + at, rows->force[r], sizeof(double) * (size_t)entries);
        at += entries;
    }
    return at;
}

zn_status zn_contact_set_evaluate_between(zn_contact_set *set, const zn_system *sys, zn_between s, double *force)
{
    ZN_ASSERT(set->count == 0 || (force && force != set->row_value));
    ZN_TRY(zn_fault_point());
    zn_contact_set_forget_place(set);
    int entry = 0;
    for (int i = 0; i < set->count; i++) {
        const zn_contact_rule *rule = zn_contact_rule_of(sys, set->id[i]);
        contact_rows           rows;
        zn_contact_product     product;
        ZN_TRY(measure(set, sys, s, i, &rows, &product));
        set->bilateral[i] = rule->ops->bilateral;
        set->gap[i] = product.gap;
        set->rate[i] = product.rate;
        set->restitution[i] = product.restitution;
        set->friction[i] = product.friction;
        set->tangential_restitution[i] = product.tangential_restitution;
        set->restitution_from[i] = product.restitution_from;
        entry = store(set, i, rule->rows, &rows, product.entries, entry, force);
    }
    set->row_start[set->count * set->stride] = entry;
    set->has_rows = true;
    return ZN_OK;
}

zn_status zn_contact_set_curvature_between(const zn_contact_set *set, const zn_system *sys, zn_between s,
                                           const double *lambda, const double *x, double *y)
{
    ZN_ASSERT(lambda && x && y && x != y);
    ZN_TRY(zn_fault_point());
    memset(y, 0, sizeof *y * (size_t)sys->info.n_all);
    for (int i = 0; i < set->count; i++) {
        const zn_contact_rule *rule = zn_contact_rule_of(sys, set->id[i]);
        if (rule->ops->curvature_between)
            ZN_TRY(rule->ops->curvature_between(rule->parameter, &sys->layout, zn_contact_key_at(set, i), s,
                                                lambda + i * set->stride, x, y));
    }
    return ZN_OK;
}
