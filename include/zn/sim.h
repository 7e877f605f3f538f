/// @file sim.h
/// The driver: stepping with retry, recorded quantities, events, energy ledger, certificate.
#ifndef ZN_SIM_H
#define ZN_SIM_H

#include "zn/scheme.h"
#include "zn/statics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zn_sim zn_sim;

// --- what is recorded ----------------------------------------------------------------------------

/// One recorded quantity, "object.quantity[.component]": see zn_quantity_count for the list.
typedef struct zn_record_def {
    const char *name;  ///< under which it is stored
    const char *path;  ///< "block.angle", "floor.force", "rod[0].velocity.x", "ledger"
    const char *place; ///< where it stands, "model.yaml:7:13: ", to begin messages about it with; NULL: nowhere
} zn_record_def;

/// A resolved record: `columns` values per row, from `offset` on.
typedef struct zn_series {
    const char *name, *path;
    const char *unit;       ///< "m", "m/s", "N s", "" ...
    const char *components; ///< names of the columns separated by blanks; "" for a scalar
    int         offset, columns;
} zn_series;

/// Every quantity an object can be asked for, for help texts and the reference manual.
ZN_API int  zn_quantity_count(void);
/// owner: "node", "part", "contact" or "" (of the whole run).
ZN_API void zn_quantity_describe(int index, const char **owner, const char **name, const char **unit,
                                 const char **help);

// --- events --------------------------------------------------------------------------------------

/// One stay in contact. An impact acts within a single step; a lasting contact in several.
typedef struct zn_event {
    zn_contact_id contact;
    const char   *name; ///< of the contact
    bool          impact;
    bool          open;       ///< false: still closed when the run ended
    double        closed_at;  ///< start of the first step with an impulse [s]
    double        opened_at;  ///< end of the last one [s]
    double        impulse;    ///< [N s]
    double        peak_force; ///< largest impulse / step [N]
    double        approach;   ///< normal velocity before [m/s]
    const char   *pair;       ///< which two, "ball[3], floor", while a recorder is told; "" where nobody knows
} zn_event;

// --- certificate ---------------------------------------------------------------------------------

typedef struct zn_worst {
    double        value;
    double        time;    ///< of the step that had it
    zn_contact_id contact; ///< or none in particular
} zn_worst;

typedef struct zn_iterations {
    int64_t total;
    int     max;
} zn_iterations;

// clang-format off
/// What a certificate measures and limits may bound, all there is to know of each in one row: its name in structs, files
/// and JSON; label; unit; its dimension in model files; meaning of the limit. What a scheme does not measure is NaN.
#define ZN_WORST_LIST(X) \
    X(penetration, "penetration", "m", LENGTH, "largest depth of a contact point inside an obstacle") \
    X(capture, "deepest capture", "m", LENGTH, "largest depth behind a face at which a point became a contact") \
    X(velocity, "velocity violation", "m/s", VELOCITY, \
      "largest violation of the impact law; not measured by schatzman_paoli") \
    X(joint, "joint violation", "m", LENGTH, "largest violation of a joint at position level") \
    X(joint_velocity, "joint velocity", "m/s", VELOCITY, "largest violation of a joint at velocity level") \
    X(coulomb_position, "Coulomb, position", "m", LENGTH, \
      "largest distance from the law of contact and friction at position level; measured by nsga") \
    X(coulomb_velocity, "Coulomb, velocity", "m/s", VELOCITY, \
      "largest distance from the law of contact and friction at velocity level, with the rows at the end; measured by " \
      "nsga, moreau_jean and the projected schemes") \
    X(rolling_velocity, "rolling, velocity", "m/s", VELOCITY, \
      "largest distance from the laws of rolling and spinning friction, spins times the radius of the contact; measured " \
      "as coulomb_velocity, where contacts have such friction") \
    X(rounding_position, "rounding, position", "m", LENGTH, \
      "largest part of a distance from the law, at position level, that is taken for rounding of large terms that " \
      "cancel and does not keep Newton's method going; measured by nsga") \
    X(rounding_velocity, "rounding, velocity", "m/s", VELOCITY, \
      "the same at velocity level; measured by nsga") \
    X(shift, "projection residual", "m", LENGTH, \
      "largest residual of the position equation of projected schemes, q - q_k - h v - G' tau with the rows at the end; " \
      "measured with metric: identity") \
    X(reach, "reach of projection", "", NONE, \
      "how far a position correction moved either side of a joint or contact along it, of the gap that it corrected; " \
      "measured by nsga and projected schemes; without a limit the run warns") \
    X(complementarity, "complementarity", "", NONE, "largest residual of the contact problem") \
    X(newton, "Newton residual", "", NONE, "largest relative residual of the equations of motion") \
    X(closure, "energy closure", "", NONE, "largest gap in the energy ledger, relative") \
    X(energy_created, "energy created", "", NONE, \
      "energy that contacts, projection, joints and the scheme gave, of the energy that moves; without a limit the run warns") \
    X(projection, "projection energy", "", NONE, \
      "largest energy of the position projection since the start, of the energy that moves") \
    X(numerical, "numerical energy", "", NONE, \
      "largest numerical dissipation or gain since the start, of the energy that moves") \
    X(constraint, "constraint energy", "", NONE, \
      "largest energy that joints and lasting contacts took or gave since the start only because their directions turned " \
      "within steps, of the energy that moves; measured by nsga, moreau_jean and the projected schemes; without a limit the run " \
      "warns") \
    X(linear_momentum, "linear momentum", "", NONE, \
      "largest change of the linear momentum since the start, of the largest sum of the sizes of all momenta; measured by " \
      "energy_momentum, along axes along which nothing acts from outside") \
    X(angular_momentum, "angular momentum", "", NONE, \
      "the same of the angular momentum about the origin") \
    X(spin_momentum, "angular, about centre", "", NONE, \
      "the same of the angular momentum about the centre of mass, which gravity does not change") \
    X(debt, "debt of jumps", "", NONE, \
      "largest energy that jumps of the velocity after impacts could not give back, of the energy that moves; measured " \
      "by energy_momentum") \
    X(contact_frames, "contact frames", "", NONE, "the most contact frames that acted in one step") \
    X(segment_changes, "changes of segment", "", NONE, \
      "how many contacts went on to a neighbouring facet within a step") \
    X(repeated_sets, "repeated sets", "", NONE, \
      "how often an active set of contacts came again within a step, so that another search had to find the right one") \
    X(unfinished_impacts, "unfinished impacts", "", NONE, \
      "how many sequences of impacts (impact: sequential) had no end, so that what still approached was stopped without " \
      "rebound") \
    X(late_contacts, "late contacts", "", NONE, \
      "how many contacts of shapes were not near at the start of a step and inside at its end, so that it was taken again " \
      "with them") \
    X(step_changes, "changes of the step", "", NONE, \
      "how often the step followed the critical step, by the option follow; the time of the last one") \
    X(added_mass, "added mass", "kg", MASS, "mass that small elements got, by the option mass_scaling") \
    X(halved_steps, "halved steps", "", NONE, "how many steps failed and were taken in two halves, halves included") \
    X(failed_solves, "failed solves", "", NONE, \
      "how many contact problems a solver left open before another way, or a coarser tolerance, led to an answer")
// clang-format on

/// Without a limit on energy_created a run warns when contacts, whose work is never positive in mechanics, gave more
/// than the first part of the energy that moves, or all lines together more than the second.
#define ZN_CREATED_BY_CONTACTS 0.01
#define ZN_CREATED_AT_ALL      0.05

/// Without a limit on constraint a run warns when joints and lasting contacts took or gave more than the first part of
/// the energy that moves by turning within steps; or more than the second part, where that is more than the third part
/// of all that kinetic and potential energy changed: a top spins fast and falls by little. What loads, motors and
/// drives have brought counts with both.
#define ZN_TURNED_AT_ALL 0.05
#define ZN_TURNED_LITTLE 0.005
#define ZN_TURNED_CHANGE 0.25

/// How far a run can be trusted: the worst of each step so far.
typedef struct zn_certificate {
    int64_t steps;             ///< committed, subdivided ones counted one by one
    int64_t retries;           ///< attempts that failed and were repeated with half the step
    int64_t failed_iterations; ///< of Newton and of contact solvers, in attempts that failed
#define ZN_WORST_FIELD(name, ...) zn_worst name;
    ZN_WORST_LIST(ZN_WORST_FIELD) ///< energy_created: sum of `gave` over energy_moved, and the step that gave most
#undef ZN_WORST_FIELD
    zn_ledger_line created_line;          ///< the line that gave most in one step; ZN_LEDGER_LINES: none
    double         gave[ZN_LEDGER_LINES]; ///< contact (friction included): sum of works that are positive; projection,
                                          ///< numerical and, where no joint is driven, joint: largest rise of the
                                          ///< line; others 0 [J]
    double         energy_moved; ///< largest kinetic energy and range of the potential so far, and what contact forces
                                 ///< do on the rounding of gaps [J]
    double         energy_changed; ///< ranges of the kinetic and of the potential energy so far [J]
    zn_iterations  newton_iterations, projection_iterations, activation_iterations, solver_iterations;
    double         energy_start;            ///< kinetic + strain + gravity [J]
    double         ledger[ZN_LEDGER_LINES]; ///< stored energies now; entered energies since the start [J]
    int64_t        impacts, lasting_contacts;
    double         negative; ///< eigenvalues of the stiffness of the equilibrium, the last one or that of the start,
                             ///< which are negative: > 0 means unstable. NaN: there is none, or they were not counted
    double         unstable_from;            ///< load factor of the first load step that was unstable; NaN: none
    zn_vec3        momentum_start, momentum; ///< [N s]
    zn_vec3        angular_start, angular;   ///< about the origin [N m s]
    zn_linsolver_info linear_solver;
    double            loop_seconds; ///< wall time of the time loop, recording included
} zn_certificate;

/// Limits a run must keep; NaN (default): none.
typedef struct zn_limits {
#define ZN_LIMIT_FIELD(name, ...) double name;
    ZN_WORST_LIST(ZN_LIMIT_FIELD)
#undef ZN_LIMIT_FIELD
} zn_limits;

// --- frames --------------------------------------------------------------------------------------

/// How a contact acted last. Without friction it is neither sticking nor slipping: closed.
typedef enum zn_contact_state {
    ZN_CONTACT_OPEN,
    ZN_CONTACT_CLOSED,
    ZN_CONTACT_STICKING,
    ZN_CONTACT_SLIPPING
} zn_contact_state;

/// A contact that acted since the frame before.
typedef struct zn_frame_contact {
    zn_contact_id    contact;
    zn_contact_state state;      ///< in the last step in which it acted
    int              steps;      ///< in which it acted
    double           impulse[3]; ///< normal and tangents, sum since the frame before [N s]; statics: force [N]
} zn_frame_contact;

/// Effort since the frame before, by name.
#define ZN_EFFORT_LIST(X)                                                                                              \
    X(steps)                                                                                                           \
    X(retries)                                                                                                         \
    X(newton) X(projection) X(activation) X(solver) X(newton_max) X(projection_max) X(activation_max) X(solver_max)

typedef enum zn_effort_column {
#define ZN_EFFORT_ENUM(name) ZN_EFFORT_##name,
    ZN_EFFORT_LIST(ZN_EFFORT_ENUM)
#undef ZN_EFFORT_ENUM
        ZN_EFFORT_COLUMNS
} zn_effort_column;

/// The whole configuration at one time, for pictures: much rarer than rows.
typedef struct zn_frame {
    double                  t;
    int                     nq, n_all; ///< lengths of q and v
    const double           *q, *v;
    const double           *ledger; ///< ZN_LEDGER_LINES: stored now, entered since the start [J]
    const double           *effort; ///< ZN_EFFORT_COLUMNS: iterations of all steps and the most of one step
    int                     contact_count;
    const zn_frame_contact *contacts; ///< ascending ids
} zn_frame;

// --- driver --------------------------------------------------------------------------------------

/// Receives what a run produces. Any function may be NULL. A status other than ZN_OK stops the run.
typedef struct zn_recorder {
    void *user;
    zn_status (*begin)(void *user, int series_count, const zn_series *series, int columns);
    zn_status (*row)(void *user, double t, const double *values);
    zn_status (*event)(void *user, const zn_event *event);
    zn_status (*end)(void *user, const zn_certificate *certificate, zn_status outcome);
    zn_status (*frame)(void *user, const zn_frame *frame);
    /// All that zn_sim_restart needs, after the row and the frame of time t. The bytes stay until the next one, or
    /// until the simulation is destroyed.
    zn_status (*checkpoint)(void *user, double t, const void *data, size_t size);
} zn_recorder;

typedef struct zn_sim_def {
    size_t        size; ///< set by the default function; do not touch
    zn_scheme_def scheme;
    double        start;    ///< t0 [s], default 0
    double        step;     ///< h [s], > 0
    double        step_cfl; ///< > 0: h in parts of the critical step, see zn_sim_def_resolve; default 0
    double        until;    ///< end time [s]; the last grid point t0 + k h <= until + h/1e6; multirate: the first
                            ///< coarse time from there on
    bool          start_at_equilibrium; ///< of the forces at t0, with v = 0; default false
    double        start_penetration; ///< how deep inside a contact may be at the start of a motion [m]; NaN (default):
                                     ///< limits.penetration, or a thousandth of the size of the model
    bool          statics;           ///< no motion: one step per load step of `equilibrium`, whose time is the load
                                     ///< factor from 0 to 1; scheme, step and until are not used. Default false
    zn_equilibrium_def equilibrium;  ///< of both; its log is the one below
    int                max_subdivisions; ///< halvings of a failing step, default 8
    int                record_every;     ///< steps between rows, default 1; the last step is always recorded.
                                         ///< multirate: of coarse steps when a record shows the coarse part
    int                frames; ///< about how many configurations the recorder gets, evenly over the run, with the
                               ///< first and the last; 0: none; -1 (default): 500, fewer of a large model
    int checkpoint_every;      ///< steps between checkpoints, default 100; 0: none. The last bits of nonlinear
                          ///< models depend on it, whether the recorder takes checkpoints or not. multirate: frames
                          ///< and checkpoints are of coarse times
    int record_count;
    const zn_record_def *records; ///< copied
    zn_limits            limits;
    zn_recorder          recorder;
    /// Called after every step (multirate: coarse step); a status other than ZN_OK stops the run (ZN_INTERRUPTED for
    /// Ctrl-C). May be NULL.
    zn_status (*progress)(void *user, const zn_sim *sim);
    void  *progress_user;
    zn_log log;
} zn_sim_def;

ZN_API void              zn_sim_def_reset(zn_sim_def *def); ///< see ZN_DECLARE_DEF
static inline zn_sim_def zn_sim_def_default(void)
{
    zn_sim_def def;
    def.size = sizeof def;
    def.scheme.size = sizeof def.scheme;
    def.equilibrium.size = sizeof def.equilibrium;
    zn_sim_def_reset(&def);
    return def;
}
/// Turn step_cfl into a step: the critical step in the initial configuration (zn_system_critical_step) times it. Needs
/// a lumped mass. zn_sim_create does the same on its copy.
ZN_API zn_status zn_sim_def_resolve(const zn_system *sys, zn_sim_def *def);
/// `sys` is borrowed. Fails with a message naming the record, option or value at fault.
ZN_API zn_status zn_sim_create(const zn_system *sys, const zn_sim_def *def, zn_sim **out);
ZN_API zn_sim   *zn_sim_destroy(zn_sim *sim); ///< accepts NULL, returns NULL
/// Go on from a checkpoint of the same model, scheme, step and start: zn_sim_run then takes the steps that are left,
/// with the bits of the run that wrote it, and records only these; the certificate covers the whole run. `until`,
/// records and frames may differ. What differs otherwise, or is damaged, is told; the simulation can only be destroyed
/// then.
ZN_API zn_status zn_sim_restart(zn_sim *sim, const void *data, size_t size);
/// One step of the time grid, subdivided when it fails. multirate: between coarse times what belongs to the coarse part
/// is NaN in the state and the values, and the ledger of the certificate is that of the last coarse time.
ZN_API zn_status zn_sim_step(zn_sim *sim);
/// All steps, with recorder.begin before and recorder.end after, whatever the outcome.
ZN_API zn_status zn_sim_run(zn_sim *sim);

/// The def as it runs: with the step resolved, rows, checkpoints and the end at times at which the whole state is
/// known.
ZN_API const zn_sim_def          *zn_sim_get_def(const zn_sim *sim);
ZN_API const zn_state            *zn_sim_state(const zn_sim *sim);
ZN_API const zn_certificate      *zn_sim_certificate(const zn_sim *sim);
ZN_API const zn_step_info        *zn_sim_last_step(const zn_sim *sim);
/// Of the last load step, or of the start; NULL when there was none.
ZN_API const zn_equilibrium_info *zn_sim_equilibrium(const zn_sim *sim);
ZN_API int64_t                    zn_sim_grid_steps(const zn_sim *sim); ///< of the whole run
ZN_API int64_t                    zn_sim_grid_index(const zn_sim *sim); ///< done so far
/// Values of all records now; `zn_sim_columns` of them.
ZN_API zn_status                  zn_sim_values(const zn_sim *sim, double *values);
ZN_API int                        zn_sim_columns(const zn_sim *sim);
ZN_API int                        zn_sim_series_count(const zn_sim *sim);
ZN_API const zn_series           *zn_sim_series(const zn_sim *sim);

ZN_API zn_limits zn_limits_none(void); ///< all NaN
/// How many limits are set on what the scheme does not measure; each is written to the log.
ZN_API int       zn_sim_refuse_limits(const zn_sim *sim);
/// Is energy created beyond what is usual? See ZN_CREATED_BY_CONTACTS.
ZN_API bool      zn_certificate_is_created(const zn_certificate *certificate);
/// Is what directions took or gave by turning within steps beyond what is usual? See ZN_TURNED_AT_ALL.
ZN_API bool      zn_certificate_is_turned(const zn_certificate *certificate);
/// Has a position correction moved something further than ZN_REACH_FAR?
ZN_API bool      zn_certificate_reaches_far(const zn_certificate *certificate);
/// How many limits the certificate breaks; each is written to the log, with value, limit, time and contact. Warns of
/// energy that was created or lost by turning, and of corrections that reach far, when no limit is set on them.
ZN_API int       zn_certificate_check(const zn_certificate *certificate, const zn_limits *limits, const zn_system *sys,
                                      const zn_log *log);

// --- studies of convergence ----------------------------------------------------------------------

/// Error of a series against its reference, e = values - reference, over rows a step h apart.
typedef struct zn_norms {
    double uniform; ///< max |e|
    double l1;      ///< h sum |e|
    double l2;      ///< sqrt(h sum e^2)
    double rel_l1;  ///< sum |e| / sum |reference|; NaN when the reference is zero
} zn_norms;

/// ZN_ERR_ARGUMENT without rows, ZN_NOT_FINITE when a value or a reference is no number.
ZN_API zn_status zn_error_norms(int64_t count, double h, const double *values, const double *reference, zn_norms *out);

/// Hausdorff distance of two graphs over the same times, which ascend: both linear between them, so that a jump is a
/// steep line that belongs to the graph (Moreau's filled-in graph). The distance of (t, x) and (s, y) is
/// max(|t - s|/time, |x - y|/value). A jump that comes late by d is d/time away, however high it is. Measured at the
/// given times, by bisection to ten digits. ZN_ERR_ARGUMENT: no rows, or a scale that is not positive.
ZN_API zn_status zn_graph_distance(int64_t count, const double *t, const double *a, const double *b, double time,
                                   double value, double *out);

/// error = constant step^order, by least squares of the logarithms.
typedef struct zn_order {
    double order, constant;
    double deviation; ///< standard error of the order; NaN for two points
    int    count;     ///< pairs used: those with a positive, finite error
} zn_order;

/// ZN_ERR_ARGUMENT when fewer than two different steps have an error to fit.
ZN_API zn_status zn_fit_order(int count, const double *steps, const double *errors, zn_order *out);

/// Step sizes from `from` to `to` in equal ratios. Unless `exact`, each is moved by up to an eighth of the ratio (on
/// the logarithmic scale), so that no impact time falls on the grid of several of them.
ZN_API void zn_study_steps(int count, double from, double to, bool exact, double *steps);

/// Linear between the rows around t (t ascending); the first or last value outside. NaN without rows. `stride` is the
/// distance of two values of the same column.
ZN_API double zn_interpolate(int64_t rows, const double *times, const double *values, int stride, double t);

#ifdef __cplusplus
}
#endif
#endif
