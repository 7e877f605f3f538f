/// Force of a spring along one coordinate x, a length or an angle, whatever that is a function of.
#ifndef ZN_MODEL_ELEMENT_SPRING_LAW_H
#define ZN_MODEL_ELEMENT_SPRING_LAW_H

#include "model/signal.h"
#include "zn/spring.h"

/// One of: in proportion to x - rest on both sides or on one, a table over x - rest, a function of x, rate and t.
typedef struct zn_pull {
    double               stiffness, damping, rest;
    const zn_signal     *moving; ///< rest as a function of time; NULL: it stays
    const zn_spring_law *law;    ///< NULL: in proportion
    zn_spring_side       side;
} zn_pull;

/// What it does at one place, or on the mean between two.
typedef struct zn_pull_value {
    double elastic;   ///< force that has a potential
    double applied;   ///< force of a function, without its rate
    double viscous;   ///< what the rate adds
    double stiffness; ///< derivative of their sum by x; between two places by the second x
    double damping;   ///< derivative by the rate
    double growth;    ///< dV/dt at rest, as the rest moves; between two places its integral
} zn_pull_value;

static inline double zn_pull_force(const zn_pull_value *v) { return v->elastic + v->applied + v->viscous; }

zn_pull_value zn_pull_at(const zn_pull *p, double x, double rate, double t);
/// Strain energy.
double        zn_pull_energy(const zn_pull *p, double x, double t);
/// elastic . (x_1 - x_0) + growth = V_1 - V_0 to rounding, however far apart they are; `rate` is the mean one.
zn_pull_value zn_pull_between(const zn_pull *p, const double x[2], double rate, const double t[2]);

/// Force in proportion to x - rest everywhere, and the rest stays.
bool      zn_pull_is_linear(const zn_pull *p);
/// Depends on the rate.
bool      zn_pull_is_damped(const zn_pull *p);
/// A formula of variables zn_spring_variable as a law; takes the formula over, even on failure.
zn_status zn_spring_law_take(zn_expression *e, zn_spring_law **out);
/// Number of a variable in such formulas: 0 for the coordinate, whose name is `coordinate` (a const char *), 1 for
/// "rate"; -1: there is none of that name.
int       zn_spring_variable(void *coordinate, const char *name);
/// Is the work of this law that of a load?
bool      zn_spring_law_is_applied(const zn_spring_law *law);

#endif
