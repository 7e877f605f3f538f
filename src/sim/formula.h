/// Formulas of records: "spring.force*spring.rate [W]", names of numbers that can be recorded, earlier records and the
/// time t, with a unit behind if one is wanted.
#ifndef ZN_SIM_FORMULA_H
#define ZN_SIM_FORMULA_H

#include "sim/sim.h"

enum { ZN_FORMULA_NAME = 192 }; ///< room for a name in a formula

typedef struct zn_formula zn_formula;

/// Whether a path is one: a single name has no blanks, brackets or operators. A '-' belongs to a name unless there is a
/// blank.
bool        zn_formula_is(const char *path);
/// Length of a formula without its unit.
size_t      zn_formula_length(const char *path);
/// Length of the name at s, "group::object[3].quantity.component" or a plain word; 0: there is none.
size_t      zn_formula_name(const char *s);
/// Compile; what it reads is resolved as a record would be. Says what is wrong.
zn_status   zn_formula_create(const zn_sim *sim, const zn_record_def *record, zn_formula **out);
zn_formula *zn_formula_destroy(zn_formula *formula); ///< accepts NULL, returns NULL
const char *zn_formula_unit(const zn_formula *formula);
zn_status   zn_formula_evaluate(const zn_sim *sim, const zn_formula *formula, double *out);
/// Whether one of the quantities that it reads does this.
bool        zn_formula_any(const zn_formula *formula, bool (*does)(const zn_quantity *quantity));

#endif
