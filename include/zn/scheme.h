/// @file scheme.h
/// Time-stepping schemes: what one step takes, gives and reports.
#ifndef ZN_SCHEME_H
#define ZN_SCHEME_H

#include "zn/solve.h"
#include "zn/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Forecast of the gap at the end of a step, which decides what contacts act in it.
/// explicit: g_k + gamma h U_k (Acary 2013, eq. 61); free: with the velocity free of contact forces (eq. 62).
typedef enum zn_forecast { ZN_FORECAST_EXPLICIT, ZN_FORECAST_FREE } zn_forecast;

/// Metric of the position projection: q moves by N G' tau (Acary 2013, eq. 59-60).
typedef enum zn_metric {
    ZN_METRIC_IDENTITY,  ///< N = I: the smallest change of coordinates
    ZN_METRIC_MASS,      ///< N = M^-1: the smallest change in the kinetic metric
    ZN_METRIC_ITERATION, ///< N = (M + h theta C + h^2 theta^2 K)^-1: stiff parts move together
} zn_metric;

ZN_API const char *zn_metric_name(zn_metric metric); ///< "identity", "mass", "iteration"; NULL beyond

/// What the smooth part of the motion holds in nsga (Cosimo et al. 2020, section 3.1); the rest is left to the
/// corrections, which are of first order.
typedef enum zn_smooth {
    ZN_SMOOTH_JOINTS, ///< forces and joints
    ZN_SMOOTH_FORCES, ///< forces without joints
    ZN_SMOOTH_NONE,   ///< nothing: implicit Euler
} zn_smooth;

ZN_API const char *zn_smooth_name(zn_smooth smooth); ///< "joints", "forces", "none"; NULL beyond

typedef struct zn_scheme_def {
    const char *scheme;          ///< "moreau_jean", "combined_projection", ...
    double      theta;           ///< [1/2, 1], default 1/2
    zn_forecast forecast;        ///< moreau_jean, direct_projection; default explicit
    double      gamma;           ///< [0, 2], explicit forecast; default 0. newmark: >= 1/2, 0 stands for 1/2
    const char *fine;            ///< multirate: names of the bodies and parts that take every step; NULL: none
    double      within;          ///< multirate: [m], elements with all nodes that close to a contact do, too; default 0
    int         ratio;           ///< multirate: steps of the fine part in one of the others; 0 (default): by stability
    bool        fine_implicit;   ///< multirate: newmark in the fine part, too; default false: cd_lagrange
    bool        coarse_explicit; ///< multirate: cd_lagrange in the coarse part, too; default false: newmark
    double      beta;            ///< newmark: >= gamma/2; default 1/4
    zn_metric   metric;          ///< projected schemes; default identity
    bool        coupled;         ///< projected schemes: both levels in one problem; default false
    bool        frozen_rows;     ///< moreau_jean: contact rows of the start of the step, so that a linear model needs
                                 ///< one problem per step, as piles want it; default false: those of its end
    double      rho_inf;         ///< [0, 1], nsga: spectral radius at high frequency; default 0.8
    bool        neglect;         ///< nsga: leave out f_p and f* (variant DSn); default false
    zn_smooth   smooth;          ///< nsga; default joints
    bool   position_friction; ///< nsga: friction also at position level; false: variant NP, which creeps; default true
    double characteristic_mass;   ///< nsga [kg], penalties of the active sets; 0 (default): mean mass of a dof
    double penalty_factor;        ///< nsga: multiplies the penalties, never changes the answer; default 1
    double newton_tolerance;      ///< relative residual of the equations of motion; default 1e-12
    int    newton_iterations;     ///< limit, default 30
    double gap_tolerance;         ///< projection residual [m], default 1e-13; activation takes ten times it
    double solver_tolerance;      ///< on zn_lcp_residual, default 1e-12
    zn_fc_measure solver_measure; ///< what the tolerance is about in problems with friction; default natural
    const char   *solver;         ///< of complementarity problems, default "auto"
    int           threads;        ///< cd_lagrange, of large models: 0 (default) one per processor; never changes a bit
    const char   *linear_solver;  ///< NULL (default): by estimated work; "dense", "klu"
    zn_observer   observer;       ///< of the problems that are solved; default nobody
    int           cookie;
} zn_scheme_def;

ZN_API zn_scheme_def zn_scheme_def_default(void);

/// Lines of the energy ledger. The first three are stored energies at the end of the step; the others are what
/// entered during it, each by its own formula. Closure: sum of changes of the first = sum of the rest.
/// multirate: stored energies are NaN between coarse times, what enters the coarse part counts in the step that ends at
/// one.
#define ZN_LEDGER_LIST(X)                                                                                              \
    X(ZN_LEDGER_KINETIC, "kinetic", "kinetic energy")                                                                  \
    X(ZN_LEDGER_STRAIN, "strain", "strain energy")                                                                     \
    X(ZN_LEDGER_GRAVITY, "gravity", "potential of gravity")                                                            \
    X(ZN_LEDGER_LOAD, "load", "work of loads")                                                                         \
    X(ZN_LEDGER_DAMPER, "damper", "work of dampers")                                                                   \
    X(ZN_LEDGER_CONTACT, "contact", "work of contacts (impacts)")                                                      \
    X(ZN_LEDGER_FRICTION, "friction", "work of friction")                                                              \
    X(ZN_LEDGER_JOINT, "joint", "work of joints and prescribed motion")                                                \
    X(ZN_LEDGER_PROJECTION, "projection", "energy change of position projection")                                      \
    X(ZN_LEDGER_INTERFACE, "interface", "work of the links between parts")                                             \
    X(ZN_LEDGER_COMPLEMENTARY, "complementary", "complementary energy (explicit schemes)")                             \
    X(ZN_LEDGER_NUMERICAL, "numerical", "numerical dissipation of the scheme")

typedef enum zn_ledger_line {
#define ZN_LEDGER_ENUM(id, name, help) id,
    ZN_LEDGER_LIST(ZN_LEDGER_ENUM)
#undef ZN_LEDGER_ENUM
        ZN_LEDGER_LINES,
    ZN_LEDGER_STORED = ZN_LEDGER_LOAD ///< lines before this one are stored energies
} zn_ledger_line;

ZN_API const char *zn_ledger_name(zn_ledger_line line);
ZN_API const char *zn_ledger_help(zn_ledger_line line);

/// What one step reports.
typedef struct zn_step_info {
    const char *failed;                ///< stage that failed, NULL on success
    int         newton_iterations;     ///< linear (complementarity) problems at velocity level
    int         projection_iterations; ///< complementarity problems at position level
    int         activation_iterations; ///< passes over the index set
    int         solver_iterations;     ///< pivots or sweeps in all of them
    int         active;                ///< contacts taken into the velocity problem
    double      newton_residual;       ///< relative
    double      complementarity;       ///< worst zn_lcp_residual
    double      velocity_violation;    ///< worst -(U+ + e U-) of an active contact [m/s]
    double      joint_velocity;        ///< worst |G v + dg/dt| of a joint equation [m/s or rad/s]
    double coulomb_velocity; ///< worst distance from the laws of contact at velocity level [m/s]; NaN: not measured
    double coulomb_position; ///< likewise at position level [m]
    double ledger[ZN_LEDGER_LINES];
} zn_step_info;

/// Number of schemes and their words, for help texts and error messages.
ZN_API int         zn_scheme_count(void);
ZN_API const char *zn_scheme_name(int index);
ZN_API const char *zn_scheme_help(int index);
/// What the reader of the energy ledger must know about this scheme; NULL: nothing.
ZN_API const char *zn_scheme_ledger_note(const char *name);

typedef struct zn_scheme zn_scheme;

/// Refuses, with a message naming the option, what the scheme or the system cannot do. `sys` is borrowed.
ZN_API zn_status         zn_scheme_create(const zn_scheme_def *def, const zn_system *sys, zn_scheme **out);
ZN_API zn_scheme        *zn_scheme_destroy(zn_scheme *scheme); ///< accepts NULL, returns NULL
/// From state at t to t + h. On anything but ZN_OK state and history are as they were. multirate: what of the coarse
/// part is not known at t + h is NaN there, see zn_state.whole.
ZN_API zn_status         zn_scheme_step(zn_scheme *scheme, zn_state *state, double h, zn_step_info *info);
/// Private history (accelerations, older positions), for checkpoints. Sizes in doubles. Saving drops numeric factors,
/// so that a run which goes on gives the same bits as one resumed from the checkpoint; on a linear model it changes
/// none, and factors of the step just taken stay. A history of another version, of other sizes or with values that are
/// not finite is refused.
ZN_API int               zn_scheme_history_size(const zn_scheme *scheme);
ZN_API void              zn_scheme_history_save(zn_scheme *scheme, double *history);
ZN_API zn_status         zn_scheme_history_load(zn_scheme *scheme, const double *history, int size);
ZN_API zn_linsolver_info zn_scheme_linsolver_info(const zn_scheme *scheme);

/// What the scheme multirate makes of a model.
typedef struct zn_multirate_info {
    int         fine_elements, coarse_elements; ///< loads are not counted
    int         links;                          ///< degrees of freedom that both parts move
    int         ratio;                          ///< fine steps in a coarse one
    zn_critical critical;                       ///< of all that is explicit, at the start: it bounds the fine step
} zn_multirate_info;

/// Refuses what zn_scheme_create refuses about the parts. With h = 0 a ratio that is not given stays 0.
ZN_API zn_status zn_multirate_describe(const zn_scheme_def *def, const zn_system *sys, double h,
                                       zn_multirate_info *out);

#ifdef __cplusplus
}
#endif
#endif
