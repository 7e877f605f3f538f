// Gap and rows of the contacts of a set at a configuration. They are a function of contact, q and t alone, so that a
// step need not evaluate again where the last one ended.
#include <math.h>
#include <string.h>

#include "base/alive.h"
#include "base/assert.h"
#include "base/fault.h"
#include "base/seldom.h"
#include "system/contact_scratch.h"

// Rows of contact i from its product; returns the next free entry.
static int store_rows(zn_contact_set *set, int rows, int i, int entry, int entries)
{
    ZN_ASSERT(i < set->count && rows <= set->stride && entry + rows * entries <= set->row_capacity);
    for (int r = 0; r < set->stride; r++) {
        int length = r < rows ? entries : 0;
        set->row_start[i * set->stride + r] = entry;
        if (r > 0 && length > 0) // tangents share the dofs of the normal
            memcpy(set->row_dof + entry, set->row_dof + entry - entries, sizeof *set->row_dof * (size_t)length);
        entry += length;
    }
    return entry;
}

// Nothing is known.
static void begin_memo(struct zn_contact_memo *memo, const zn_found_feet *feet)
{
    memo->rule = NULL;
    memo->feet = feet;
    memo->turn.angle = NAN;
}

// The law of a contact: constants of its rule but for what turns.
static void store_law(zn_contact_set *set, const zn_contact_rule *rule, int i, const zn_contact_product *product)
{
    set->bilateral[i] = rule->ops->bilateral;
    set->restitution[i] = product->restitution;
    set->friction[i] = product->friction;
    set->tangential_restitution[i] = product->tangential_restitution;
    set->rolling[i] = product->rolling;
    set->spinning[i] = product->spinning;
    set->lever[i] = product->lever;
    set->turns[i] = product->rolls + 4 * product->spins;
    set->restitution_from[i] = product->restitution_from;
}

// A product of which gap, rate and rows are asked for, not the law: for one contact after the other, each of which
// begins without rate and entries.
static void begin_product(zn_contact_product *product, struct zn_contact_memo *memo)
{
    product->dof = NULL;
    product->value = NULL;
    for (int r = 0; r < ZN_CONTACT_ROWS - 1; r++)
        product->tangent[r] = NULL;
    product->known = false;
    product->memo = memo;
}

// Contact i again, of a rule without rows that turn: its law, and where its rows begin and what they act on, stay.
static zn_status evaluate_again(zn_contact_set *set, const zn_contact_rule *rule, const zn_layout *layout, int i,
                                const double *q, double t, zn_contact_product *product)
{
    const int *start = set->row_start + i * set->stride;
    product->rate = 0;
    product->entries = 0;
    product->dof = set->row_dof + start[0];
    product->value = set->row_value + start[0];
    for (int r = 1; r < set->stride; r++)
        product->tangent[r - 1] = r < rule->rows ? set->row_value + start[r] : NULL;
    ZN_TRY(rule->ops->evaluate(rule->parameter, layout, zn_contact_key_at(set, i), q, t, product));
    set->gap[i] = product->gap;
    set->rate[i] = product->rate;
    return ZN_OK;
}

// Contact i from entry `*entry` on. `known`: where rows begin, and what they act on.
static zn_status evaluate_one(zn_contact_set *set, const zn_system *sys, int i, const double *q, double t, bool known,
                              struct zn_contact_memo *memo, int *entry)
{
    const zn_contact_rule *rule = zn_contact_rule_of(sys, set->id[i]);
    zn_contact_product     product = {
            .dof = set->row_dof + *entry, .value = set->row_value + *entry, .known = known, .memo = memo};
    product.restitution_from = rule->restitution_from;
    double tangent[ZN_CONTACT_ROWS - 1][ZN_CONTACT_ENTRIES];
    for (int r = 0; r < ZN_CONTACT_ROWS - 1 && rule->rows > 1; r++)
        product.tangent[r] = tangent[r];
    ZN_TRY(rule->ops->evaluate(rule->parameter, &sys->layout, zn_contact_key_at(set, i), q, t, &product));
    int rows = zn_contact_product_rows(rule, &product);
    ZN_ASSERT(product.entries <= sys->max_entries && *entry + rows * product.entries <= set->row_capacity);
    for (int r = 1; r < rows; r++)
        memcpy(set->row_value + *entry + r * product.entries, tangent[r - 1], sizeof(double) * (size_t)product.entries);
    set->gap[i] = product.gap;
    set->rate[i] = product.rate;
    store_law(set, rule, i, &product);
    *entry = known ? set->row_start[(i + 1) * set->stride] : store_rows(set, rows, i, *entry, product.entries);
    return ZN_OK;
}

// All contacts are evaluated.
static void place(zn_contact_set *set, const zn_system *sys, const double *q, double t, int entry)
{
    struct zn_contact_scratch *s = set->scratch;
    set->row_start[set->count * set->stride] = entry;
    set->has_rows = true;
    s->placed = !sys->fixed_contacts; // nobody follows those
    if (!s->placed)
        return;
    memcpy(s->q, q, sizeof *q * (size_t)sys->info.nq);
    s->t = t;
}

ZN_APART static zn_status evaluate_rows(zn_contact_set *set, const zn_system *sys, const zn_found_feet *feet,
                                        const double *q, double t)
{
    ZN_TRY(zn_fault_point());
    struct zn_contact_memo memo;
    zn_contact_product     again;
    int                    entry = 0;
    bool                   known = sys->fixed_contacts && set->has_rows;
    begin_memo(&memo, feet);
    begin_product(&again, &memo);
    again.known = true;
    zn_contact_set_forget_place(set);
    for (int i = 0; i < set->count; i++) {
        const zn_contact_rule *rule = zn_contact_rule_of(sys, set->id[i]);
        if (known && rule->turns == 0) {
            ZN_TRY(evaluate_again(set, rule, &sys->layout, i, q, t, &again));
            entry = set->row_start[(i + 1) * set->stride];
        } else
            ZN_TRY(evaluate_one(set, sys, i, q, t, known, &memo, &entry));
    }
    place(set, sys, q, t, entry);
    return ZN_OK;
}

static zn_status evaluate_all(zn_contact_set *set, const zn_system *sys, const zn_found_feet *feet, const double *q,
                              double t)
{
    ZN_ASSERT(q && set->count <= set->capacity);
    return sys->straight_contacts && set->has_rows ? zn_contact_set_gaps(set, sys, q, t, set->gap)
                                                   : evaluate_rows(set, sys, feet, q, t);
}

zn_status zn_contact_set_evaluate(zn_contact_set *set, const zn_system *sys, const double *q, double t)
{
    ZN_ALIVE(set);
    ZN_ALIVE(sys);
    return evaluate_all(set, sys, NULL, q, t);
}

zn_status zn_contact_set_evaluate_found(zn_contact_set *set, const zn_system *sys, const double *q, double t)
{
    return evaluate_all(set, sys, set->scratch->near.feet, q, t);
}

// --- what is known -------------------------------------------------------------------------------

static bool is_placed_at(const zn_contact_set *set, const zn_system *sys, const double *q, double t)
{
    const struct zn_contact_scratch *s = set->scratch;
    return s->placed && s->t == t && memcmp(s->q, q, sizeof *q * (size_t)sys->info.nq) == 0;
}

// Contact i is contact j of the other set.
static void take_over(zn_contact_set *set, int i, const zn_contact_set *from, int j, int *entry)
{
    int first = from->row_start[j * set->stride], count = from->row_start[(j + 1) * set->stride] - first;
    ZN_ASSERT(*entry + count <= set->row_capacity);
    for (int r = 0; r < set->stride; r++)
        set->row_start[i * set->stride + r] = from->row_start[j * set->stride + r] - first + *entry;
    memcpy(set->row_dof + *entry, from->row_dof + first, sizeof *set->row_dof * (size_t)count);
    memcpy(set->row_value + *entry, from->row_value + first, sizeof *set->row_value * (size_t)count);
    *entry += count;
    set->bilateral[i] = from->bilateral[j];
    set->gap[i] = from->gap[j];
    set->rate[i] = from->rate[j];
    set->restitution[i] = from->restitution[j];
    set->friction[i] = from->friction[j];
    set->tangential_restitution[i] = from->tangential_restitution[j];
    set->rolling[i] = from->rolling[j];
    set->spinning[i] = from->spinning[j];
    set->lever[i] = from->lever[j];
    set->turns[i] = from->turns[j];
    set->restitution_from[i] = from->restitution_from[j];
}

zn_status zn_contact_set_evaluate_after(zn_contact_set *set, const zn_contact_set *from, const zn_system *sys,
                                        const double *q, double t)
{
    ZN_ASSERT(set != from && set->stride == from->stride);
    if (sys->fixed_contacts || !is_placed_at(from, sys, q, t))
        return zn_contact_set_evaluate_found(set, sys, q, t);
    ZN_TRY(zn_fault_point());
    struct zn_contact_memo memo;
    int                    entry = 0;
    begin_memo(&memo, NULL);
    for (int i = 0, j = 0; i < set->count; i++) { // both lists ascend
        while (j < from->count && zn_contact_id_compare(from->id[j], set->id[i]) < 0)
            j++;
        if (j < from->count && zn_contact_id_same(from->id[j], set->id[i]) && from->piece[j] == set->piece[i])
            take_over(set, i, from, j, &entry);
        else
            ZN_TRY(evaluate_one(set, sys, i, q, t, false, &memo, &entry));
    }
    place(set, sys, q, t, entry);
    return ZN_OK;
}

// --- gaps ----------------------------------------------------------------------------------------

zn_status zn_contact_set_gaps(const zn_contact_set *set, const zn_system *sys, const double *q, double t, double *gap)
{
    ZN_ALIVE(set);
    ZN_ALIVE(sys);
    ZN_ASSERT(q && (gap || set->count == 0));
    ZN_TRY(zn_fault_point());
    struct zn_contact_memo memo;
    zn_contact_product     product;
    begin_memo(&memo, NULL);
    begin_product(&product, &memo);
    for (int i = 0; i < set->count; i++) {
        const zn_contact_rule *rule = zn_contact_rule_of(sys, set->id[i]);
        product.rate = 0;
        product.entries = 0;
        ZN_TRY(rule->ops->evaluate(rule->parameter, &sys->layout, zn_contact_key_at(set, i), q, t, &product));
        gap[i] = product.gap;
    }
    return ZN_OK;
}
