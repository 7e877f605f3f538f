/// @file scheme.h
/// Time-stepping schemes: what one step takes, gives and reports.
#ifndef ZN_SCHEME_H
#define ZN_SCHEME_H

#include "zn/contact.h"
#include "zn/option.h"
#include "zn/solve.h"
#include "zn/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Forecast of the gap at the end of a step, which decides what contacts act in it.
/// explicit: g_k + gamma h U_k (Acary 2013, eq. 61); free: with the velocity free of contact forces (eq. 62).
typedef enum zn_forecast { ZN_FORECAST_EXPLICIT, ZN_FORECAST_FREE } zn_forecast;

/// Rows of the velocity before an impact in Newton's law U+ = -e U-: those of the start of the step, U- = G_k v_k, as
/// the papers have it, or of its end, U- = G v_k, where the impulse acts (docs/theory/impact-law.md).
typedef enum zn_approach { ZN_APPROACH_START, ZN_APPROACH_END } zn_approach;

/// Metric of the position projection: q moves by N G' tau (Acary 2013, eq. 59-60).
typedef enum zn_metric {
    ZN_METRIC_IDENTITY,  ///< N = I: the smallest change of coordinates
    ZN_METRIC_MASS,      ///< N = M^-1: the smallest change in the kinetic metric
    ZN_METRIC_ITERATION, ///< N = (M + h theta C + h^2 theta^2 K)^-1: stiff parts move together
} zn_metric;

/// What the smooth part of the motion holds in nsga (Cosimo et al. 2020, section 3.1); the rest is left to the
/// corrections, which are of first order.
typedef enum zn_smooth {
    ZN_SMOOTH_CONTACTS, ///< forces, joints and contacts that stay closed: what rests is at rest
    ZN_SMOOTH_JOINTS,   ///< forces and joints
    ZN_SMOOTH_FORCES,   ///< forces without joints
    ZN_SMOOTH_NONE,     ///< nothing: implicit Euler
} zn_smooth;

/// Where contacts of nodes with facets push between two states: along the mean of the normals at both ends (contact
/// frames, Miyazaki and Park), or the normal of the mean positions (Laursen and Love 2002).
typedef enum zn_contact_form { ZN_CONTACT_FRAMES, ZN_CONTACT_NODE_TO_SEGMENT } zn_contact_form;

/// How multirate finds the forces between an explicit and an implicit part: by a dense inverse made at the start, whose
/// memory grows with the square of the links, or by a sparse matrix that is solved with in every step.
typedef enum zn_interface_way { ZN_INTERFACE_AUTO, ZN_INTERFACE_DENSE, ZN_INTERFACE_SPARSE } zn_interface_way;

// clang-format off
/// Options of schemes, all there is to know about each in one row: type and name of the field; default; admissible
/// values; unit; the schemes it belongs to (src/scheme/options.c says which and why); MOTION, or EFFORT when another
/// value gives the same motion; meaning. Struct, default, check, refusal, model file, command line, help, result file
/// and manual are made from it.
#define ZN_SCHEME_OPTION_LIST(X) \
    X(double, theta, 0.5, ZN_BETWEEN(0, 1), NONE, THETA, MOTION, \
      "weight of the end of the step; 0.5 keeps energy, 1 damps most; below 0.5 in schatzman_paoli only, where 0 is the " \
      "explicit scheme and steps are bounded") \
    X(zn_forecast, forecast, ZN_FORECAST_EXPLICIT, ZN_WORDS("explicit free"), NONE, FORECAST, MOTION, \
      "velocity that decides which contacts act in a step: that of its start, or the one without contact forces") \
    X(zn_approach, approach, ZN_APPROACH_START, ZN_WORDS("start end"), NONE, NEWTON_LAW, MOTION, \
      "where the rows of the velocity before an impact are taken: at the start of the step as in the papers, or at its " \
      "end, where the impulse acts and contact work of an impact cannot be positive") \
    X(double, gamma, 0, ZN_BETWEEN(0, 2), NONE, GAMMA, MOTION, \
      "part of the step the explicit forecast looks ahead; newmark and multirate: weight of the end in the velocity, " \
      "at least 1/2, which 0 stands for") \
    X(double, beta, 0.25, ZN_BETWEEN(0, 1), NONE, NEWMARK, MOTION, \
      "weight of the end of the step in the displacement, at least gamma/2") \
    X(zn_metric, metric, ZN_METRIC_IDENTITY, ZN_WORDS("identity mass iteration"), NONE, PROJECTED, MOTION, \
      "metric of the position projection: coordinates, masses, or the iteration matrix, in which stiff parts move " \
      "together") \
    X(bool, coupled, false, ZN_ANY, NONE, PROJECTED, MOTION, \
      "solve both levels in one problem; the answer is the same") \
    X(bool, frozen_rows, false, ZN_ANY, NONE, FROZEN, MOTION, \
      "normals and lever arms of contacts stay those of the start of a step, one problem per step: for piles") \
    X(double, rho_inf, 0.8, ZN_BETWEEN(0, 1), NONE, NSGA, MOTION, \
      "spectral radius at high frequency; 1 keeps all, 0 removes the highest at once") \
    X(bool, neglect, false, ZN_ANY, NONE, NSGA, MOTION, \
      "leave out the force terms f_p and f* of the corrections (variant DSn)") \
    X(zn_smooth, smooth, ZN_SMOOTH_JOINTS, ZN_WORDS("contacts joints forces none"), NONE, NSGA, MOTION, \
      "what the smooth part of the motion holds: forces, joints and contacts that stay closed, so that what rests is at " \
      "rest; forces and joints; forces alone; or nothing (implicit Euler)") \
    X(bool, position_friction, true, ZN_ANY, NONE, NSGA, MOTION, \
      "friction at position level too, so that what sticks stays; false: variant NP, which creeps") \
    X(double, characteristic_mass, 0, ZN_AT_LEAST(0), MASS, NSGA, MOTION, \
      "penalties of the active sets; 0: mean mass of a degree of freedom") \
    X(double, penalty_factor, 1, ZN_BETWEEN(1e-12, 1e12), NONE, NSGA, MOTION, \
      "multiplies the penalties; never changes the answer") \
    X(const char *, fine, NULL, ZN_ANY, NONE, MULTIRATE, MOTION, \
      "bodies and parts that take every step, or some elements of them as in beam[10:30]; separated by blanks, in a " \
      "model file also by commas") \
    X(double, within, 0, ZN_AT_LEAST(0), LENGTH, MULTIRATE, MOTION, \
      "elements with all nodes that close to a node that contacts may act on take every step, too") \
    X(int, ratio, 0, ZN_BETWEEN(0, 1000000), NONE, MULTIRATE, MOTION, \
      "steps of the fine part in one of the coarse part; 0: as many as an explicit coarse part would bear") \
    X(bool, fine_implicit, false, ZN_ANY, NONE, MULTIRATE, MOTION, \
      "newmark in the fine part instead of cd_lagrange") \
    X(bool, coarse_explicit, false, ZN_ANY, NONE, MULTIRATE, MOTION, \
      "cd_lagrange in the coarse part instead of newmark: up to its own critical step") \
    X(double, newton_tolerance, 1e-12, ZN_BETWEEN(1e-15, 1e-3), NONE, NEWTON, MOTION, \
      "relative residual of the equations of motion") \
    X(int, newton_iterations, 30, ZN_BETWEEN(1, 10000), NONE, NEWTON, EFFORT, \
      "limit of Newton's method") \
    X(double, gap_tolerance, 1e-13, ZN_BETWEEN(1e-16, 1e-3), LENGTH, CONTACTS, MOTION, \
      "residual of the position projection; contacts are active up to ten times it") \
    X(const char *, solver, "auto", ZN_WORDS(ZN_SOLVER_WORDS), NONE, CONTACTS, MOTION, \
      "of contact problems. Without friction: gauss_seidel, lemke, enumerate, pivot; with friction: all but pivot, but " \
      "lemke and enumerate in the plane only. Problems of the kind that the solver does not take go to auto. " \
      "alart_curnier: nsga and nsga_coupled, one linear system for each iteration of Newton's method instead") \
    X(double, solver_tolerance, 1e-12, ZN_BETWEEN(1e-16, 1e-2), NONE, ALL, MOTION, \
      "residual of the contact problems") \
    X(zn_fc_measure, solver_measure, ZN_FC_MEASURE_NATURAL, ZN_WORDS("natural fclib"), NONE, MEASURE, MOTION, \
      "how problems with friction measure it: independent of units, or as FCLIB and Siconos do") \
    X(const char *, linear_solver, "auto", ZN_WORDS(ZN_LINSOLVER_WORDS), NONE, IMPLICIT, MOTION, \
      "of linear equations; auto: by estimated work, and from 100 000 unknowns of a solid mesh on amg: conjugate gradients " \
      "with multigrid, for symmetric matrices. Several processes (zeno-mpi) have amg, which is auto, boomeramg and mumps") \
    X(int, threads, 0, ZN_BETWEEN(0, 64), NONE, THREADS, EFFORT, \
      "threads that share large parts, and in moreau_jean the search for contacts of heaps; 0: one per processor. The " \
      "result is the same to the last bit") \
    X(zn_contact_form, contact, ZN_CONTACT_FRAMES, ZN_WORDS("frames node_to_segment"), NONE, CONSERVING, MOTION, \
      "along what nodes and facets push each other: the mean of the normals at both ends of a step, or the normal at the " \
      "mean positions, for comparison") \
    X(bool, two_sided, true, ZN_ANY, NONE, CONSERVING, MOTION, \
      "nodes of both surfaces stay out of the other one; false: only those of the first, for comparison") \
    X(bool, velocity_jump, true, ZN_ANY, NONE, CONSERVING, MOTION, \
      "give back the energy that contacts take while they close; false: impacts lose it") \
    X(bool, couple, true, ZN_ANY, NONE, CONSERVING, MOTION, \
      "friction with the couple that keeps angular momentum exactly; false: as in the paper") \
    X(zn_impact_law, impact, ZN_IMPACT_NEWTON, ZN_WORDS("newton poisson sequential"), NONE, IMPACT, MOTION, \
      "how contacts that touch at once share an impact: Newton's law in each of them; compression and expansion by " \
      "impulses; or one after the other, the fastest first, as in Newton's cradle") \
    X(const char *, levels, "1", ZN_WORDS("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 auto"), NONE, LEVELS, MOTION, \
      "small elements take 2, 4, 8 ... steps in one of the run: the most levels of steps; auto: as many as it takes. cfl " \
      "is then that of the longest step") \
    X(double, follow, 0, ZN_BETWEEN(0, 1), NONE, LEVELS, MOTION, \
      "part of the critical step that steps keep to: a step of the run is taken in as many equal ones as that needs, more " \
      "or fewer as the critical step changes; 0: one that has become too long ends the run") \
    X(double, mass_scaling, 0, ZN_AT_LEAST(0), TIME, LEVELS, MOTION, \
      "step that all elements bear: those that do not get more mass, which the certificate tells; 0: none does") \
    X(zn_interface_way, interface, ZN_INTERFACE_AUTO, ZN_WORDS("auto dense sparse"), NONE, MULTIRATE, MOTION, \
      "forces between an explicit and an implicit part: by a dense inverse made at the start, fastest for few of them, or " \
      "by a sparse matrix solved with in every step; auto: dense up to 1000 of them") \
    X(const char *, coarse, NULL, ZN_ANY, NONE, MULTIRATE, MOTION, \
      "parts with a coarse step of their own behind a slash, tower/100 deck[0:20]/10, in steps of the fine part; the rest " \
      "has `ratio`. Each divides the largest") \
    X(double, column_memory, 1000, ZN_AT_LEAST(0), NONE, SPLIT, MOTION, \
      "megabytes that dense columns, one for each row of contacts, may take for one matrix; beyond, contacts are solved " \
      "without them (docs/theory/without-columns.md)")
// clang-format on

/// Start from zn_scheme_def_default(), change what differs. Beside size, name and observer its fields are the options
/// of ZN_SCHEME_OPTION_LIST, of which new ones come last.
typedef struct zn_scheme_def {
    size_t      size;     ///< set by the default function; do not touch
    const char *scheme;   ///< "moreau_jean", "combined_projection", ...
    zn_observer observer; ///< of the problems that are solved; default nobody
#define ZN_OPTION_FIELD(type, field, ...) type field;
    ZN_SCHEME_OPTION_LIST(ZN_OPTION_FIELD)
#undef ZN_OPTION_FIELD
} zn_scheme_def;

ZN_DECLARE_DEF(zn_scheme_def);
ZN_API zn_options zn_scheme_options(void); ///< the table of ZN_SCHEME_OPTION_LIST; owners are schemes

/// Lines of the energy ledger. The first three are stored energies at the end of the step; the others are what
/// entered during it, each by its own formula. Closure: sum of changes of the first = sum of the rest.
/// multirate: stored energies are NaN between coarse times, what enters the coarse part counts in the step that ends at
/// one.
#define ZN_LEDGER_LIST(X)                                                                                              \
    X(ZN_LEDGER_KINETIC, "kinetic", "kinetic energy")                                                                  \
    X(ZN_LEDGER_STRAIN, "strain", "strain energy")                                                                     \
    X(ZN_LEDGER_GRAVITY, "gravity", "potential of gravity")                                                            \
    X(ZN_LEDGER_LOAD, "load", "work of loads")                                                                         \
    X(ZN_LEDGER_MOTOR, "motor", "work of motors and feedback")                                                         \
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

/// Corrections of positions that move things further than that many times the gaps that they close are taken for wrong.
#define ZN_REACH_FAR 10

/// What one step reports.
typedef struct zn_step_info {
    const char *failed;                ///< stage that failed, NULL on success
    int         newton_iterations;     ///< linear (complementarity) problems at velocity level
    int         projection_iterations; ///< complementarity problems at position level
    int         activation_iterations; ///< passes over the index set
    int         solver_iterations;     ///< pivots or sweeps in all of them
    int         failed_solves;         ///< contact problems that a first attempt left open
    int         failed_iterations;     ///< pivots or sweeps of these attempts, which solver_iterations holds, too
    int         active;                ///< contacts taken into the velocity problem
    double      newton_residual;       ///< relative
    double      complementarity;       ///< worst zn_lcp_residual
    double velocity_violation; ///< worst -(U+ - U*) of an active contact, U* = -e U- in Newton's law [m/s]; NaN: not
                               ///< measured
    double joint_velocity;     ///< worst |G v + dg/dt| of a joint equation [m/s or rad/s]
    double coulomb_velocity;   ///< worst distance from the laws of contact at velocity level [m/s]; NaN: not measured
    double coulomb_position;   ///< likewise at position level [m]
    double rolling_velocity; ///< worst distance from the laws of rolling and spinning alone, spins times a lever [m/s];
                             ///< NaN: not measured
    double rounding_velocity; ///< what of a distance is taken for rounding of terms that cancel [m/s]; NaN: of none
    double rounding_position; ///< likewise at position level [m]
    double shift;             ///< worst |q - q_k - h v - G' tau| with the rows at the end [m or rad]; NaN: not measured
    double reach; ///< how far the position correction moved either side of a joint or contact along it, of the gap that
                  ///< it corrected; of this process; NaN: not measured
    zn_contact_id reach_contact;   ///< which joint or contact, when reach > 0
    int           frames;          ///< contact frames that acted; 0 where contacts are none
    int           segment_changes; ///< contacts that went on to a neighbouring facet within the step
    int    repeated_sets;      ///< active sets that came again, so that the search for the right one had to be changed
    int    unfinished_impacts; ///< sequences of impacts (impact: sequential) that had no end and ended without rebound
    int    late_contacts;      ///< not near at the start of the step, inside at its end: it was taken again with them
    double added_mass;         ///< by the option mass_scaling [kg]
    double jump_debt; ///< energy that jumps of the velocity after impacts could not give back so far [J]; NaN: no jumps
    double ledger[ZN_LEDGER_LINES];
    double contact_gave; ///< what groups of contacts that act on each other gave [J]: their work, friction included, or
                         ///< what single ones gave beyond their law; where an impact takes several steps
                         ///< (schatzman_paoli) the work of all, whatever its sign
    double giver_gave;   ///< the most that one of them gave
    double turned_work; ///< P (G - G_k) v_k / 2 over joint equations and normals of contacts that stay closed [J]: what
                        ///< they took (below 0) or gave only because they turned within the step; NaN: not measured
    zn_contact_id giver; ///< the contact of that group that gave most, when giver_gave > 0
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

/// What a scheme makes of a model. Of schemes that do not split it, all but the first is zero; `critical` is not where
/// the bound is one of the scheme's own (schatzman_paoli below theta = 1/2).
typedef struct zn_scheme_info {
    bool        bounded;                        ///< steps must stay below the critical one of what is explicit
    bool        split;                          ///< into a fine and a coarse part, each with a step of its own
    int         fine_elements, coarse_elements; ///< loads are not counted
    int         links;                          ///< degrees of freedom that both parts move
    int         ratio;                          ///< fine steps in a coarse one, the longest
    zn_critical critical;                       ///< of all that is explicit, at the start: it bounds the fine step
    double      added_mass;                     ///< by the option mass_scaling [kg]
    int         levels;                         ///< of steps, with the option of that name; 0: it is not given
    int         level_elements[16];             ///< elements with steps 2^-i of that of the run
    int         coarse_parts;                   ///< with steps of their own
} zn_scheme_info;

/// Refuses options that zn_scheme_create refuses, and what it refuses about the parts. With h = 0 a ratio that is not
/// given stays 0.
ZN_API zn_status zn_scheme_describe(const zn_scheme_def *def, const zn_system *sys, double h, zn_scheme_info *out);

#ifdef __cplusplus
}
#endif
#endif
