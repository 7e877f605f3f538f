/// Rows of constraints: products with them, and which of them are in a problem.
///
/// A constraint has a row of G, by which its gap changes, d(gap) = G dq, and a row of H, along which it pushes, H' p.
/// They are the same unless a scheme conserves energy between two states.
#ifndef ZN_CONSTRAINT_ROWS_H
#define ZN_CONSTRAINT_ROWS_H

#include "base/assert.h"
#include "system/contact_rows.h"
#include "zn/system.h"

/// Row k has entries [start[k], start[k + 1]).
typedef struct zn_rows {
    const int    *start, *dof;
    const double *value;
} zn_rows;

/// The gap rows of a set.
static inline zn_rows zn_gap_rows(const zn_contact_set *set)
{
    return (zn_rows){set->row_start, set->row_dof, set->row_value};
}

/// G_i x over the degrees of freedom below n (n_all: all of them).
static inline double zn_rows_dot(zn_rows rows, int i, int n, const double *x)
{
    ZN_ASSERT(i >= 0 && rows.start[i] <= rows.start[i + 1]);
    double sum = 0;
    for (int k = rows.start[i]; k < rows.start[i + 1]; k++)
        if (rows.dof[k] < n)
            sum += rows.value[k] * x[rows.dof[k]];
    return sum;
}

/// y += factor G_i', likewise.
static inline void zn_rows_add(zn_rows rows, int i, int n, double factor, double *y)
{
    ZN_ASSERT(i >= 0 && rows.start[i] <= rows.start[i + 1]);
    for (int k = rows.start[i]; k < rows.start[i + 1]; k++)
        if (rows.dof[k] < n)
            y[rows.dof[k]] += factor * rows.value[k];
}

/// The same for the gap rows of a set.
static inline double zn_row_dot(const zn_contact_set *set, int i, int n, const double *x)
{
    return zn_rows_dot(zn_gap_rows(set), i, n, x);
}

static inline void zn_row_add(const zn_contact_set *set, int i, int n, double factor, double *y)
{
    zn_rows_add(zn_gap_rows(set), i, n, factor, y);
}

/// Rows in a problem: equations first, then contacts, each with its normal before its tangents. Rows of rolling and of
/// spinning are contacts of the list on their own, which follow: see zn_fc_problem.
typedef struct zn_row_list {
    int     rows, equations, contacts;
    bool    friction; ///< some contact has tangents
    bool    follow;   ///< some contact has a leader
    int    *row;      ///< rows of the contact set
    int    *first;    ///< contacts + 1: place of the first row of each contact
    double *mu;       ///< contacts
    int    *leader;   ///< contacts: of the list, -1: none
    double *bond;     ///< contacts: by how much a normal may pull, in the unit of the multipliers
    bool    bonds;    ///< some contact may
    int     capacity;
} zn_row_list;

/// Room for so many rows and contacts, followers not counted; the list is empty then.
zn_status zn_row_list_create(int rows, int contacts, zn_row_list *out);
void      zn_row_list_destroy(zn_row_list *list);

static inline void zn_row_list_clear(zn_row_list *list)
{
    list->rows = list->equations = list->contacts = 0;
    list->friction = list->follow = list->bonds = false;
    list->first[0] = 0;
}

/// Equations come before contacts.
static inline void zn_row_list_add_equation(zn_row_list *list, int row)
{
    ZN_ASSERT(list->contacts == 0 && list->rows < list->capacity);
    list->row[list->rows++] = row;
    list->equations = list->first[0] = list->rows;
}

/// Its next rows of a contact, as one that has a leader or not.
static inline void zn_row_list_add_part(zn_row_list *list, int row, int rows, double mu, int leader)
{
    ZN_ASSERT(list->rows + rows <= list->capacity);
    list->mu[list->contacts] = mu;
    list->bond[list->contacts] = 0;
    list->leader[list->contacts++] = leader;
    for (int r = 0; r < rows; r++)
        list->row[list->rows++] = row + r;
    list->follow |= leader >= 0;
    list->first[list->contacts] = list->rows;
}

/// Of rolling and of spinning.
void zn_row_list_add_turns(zn_row_list *list, const zn_contact_set *set, int contact, zn_contact_parts parts,
                           int leader);

/// The first `rows` rows of a contact: its normal, or all of them.
static inline void zn_row_list_add_contact(zn_row_list *list, const zn_contact_set *set, int contact, int rows)
{
    ZN_ASSERT(contact < set->count && rows <= set->stride && list->rows + rows <= list->capacity);
    zn_contact_parts parts = zn_contact_parts_of(set, contact, rows);
    int              row = contact * set->stride, leader = list->contacts;
    zn_row_list_add_part(list, row, parts.own, set->friction[contact], -1);
    if (parts.own < rows)
        zn_row_list_add_turns(list, set, contact, parts, leader);
    list->friction |= rows > 1;
}

/// Let the contact that was added last pull by so much, which is not 0.
static inline void zn_row_list_bond(zn_row_list *list, double bond)
{
    int c = list->contacts - 1;
    while (list->leader[c] >= 0)
        c--;
    list->bond[c] = bond;
    list->bonds = true;
}

/// All equations of joints, in the order of the set; the list held nothing before.
void zn_row_list_add_joints(zn_row_list *list, const zn_contact_set *set);

/// Contact of the set that is the c-th of the list.
static inline int zn_row_list_contact(const zn_row_list *list, const zn_contact_set *set, int c)
{
    ZN_ASSERT(c >= 0 && c < list->contacts);
    return zn_row_contact(set, list->row[list->first[c]]);
}

#endif
