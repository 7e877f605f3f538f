/// What a zn_sim holds.
#ifndef ZN_SIM_SIM_H
#define ZN_SIM_SIM_H

#include "scheme/scheme.h"
#include "base/def.h"
#include "system/system.h"
#include "zn/sim.h"

extern const zn_def_kind zn_sim_def_kind;

typedef struct zn_quantity_kind zn_quantity_kind;

/// A record, resolved: `count` objects from `index` on or in a map, one component or all of them.
typedef struct zn_quantity {
    const zn_quantity_kind *kind;
    int                     index, count;
    const int              *map;       ///< NULL: from `index` on; borrowed from the model
    int                     component; ///< -1: all
    bool                    late;      ///< shows what is known in whole states only
    // The commonest are numbers of the state as it stands: q or v of `place`, and a constant; impulses from row `place`
    // of the contact set on.
    enum { ZN_QUANTITY_OTHER, ZN_QUANTITY_Q, ZN_QUANTITY_V, ZN_QUANTITY_IMPULSE } direct;
    int                place;
    double             constant;
    // others are read by sensors, one for each column; `change`: the change of what they read in the last step over its
    // length
    struct zn_sensor  *sensor; ///< owned, as the formula
    bool               change;
    struct zn_formula *formula; ///< of other quantities; NULL: it is none
} zn_quantity;

/// Weighted sum of many numbers and the sum of their sizes.
typedef struct zn_mark {
    double sum, size;
} zn_mark;

enum { ZN_MARKS = 3 };

enum { ZN_CREATED_LINES = 3 };

/// What "energy created" is gathered from [J].
typedef struct zn_created {
    double contact;               ///< what contacts gave so far, less what those of a lasting impact took
    double sum[ZN_CREATED_LINES]; ///< projection, numerical, joint since the start
    double least[ZN_CREATED_LINES], size[ZN_CREATED_LINES]; ///< smallest and largest |sum| so far
    double turned, most_turned;                             ///< work of rows that turned so far, its largest size
    double debt;                                            ///< largest |debt| of velocity jumps so far
    double most;                                            ///< that one line gave in one step
    double kinetic, slowest, lowest, highest;               ///< largest and least kinetic energy, potentials
    double rounding;                                        ///< work of contacts on the gap tolerance
    int    lines;                                           ///< of these that count: no joints where one is driven
} zn_created;

enum { ZN_MOMENTUM_LINEAR, ZN_MOMENTUM_ANGULAR, ZN_MOMENTUM_SPIN, ZN_MOMENTA };

/// What the certificate tells of momenta is gathered from.
typedef struct zn_kept_momenta {
    bool    kept[ZN_MOMENTA][3]; ///< axes along or about which nothing acts from outside
    bool    measured;            ///< there is one
    zn_vec3 start[ZN_MOMENTA];
    double  most[ZN_MOMENTA]; ///< largest change so far
    double  size[ZN_MOMENTA]; ///< largest sum of sizes so far
} zn_kept_momenta;

struct zn_sim {
    const zn_system            *sys;
    zn_sim_def                  def;
    zn_scheme                  *scheme;      ///< NULL in statics
    struct zn_equilibrium      *equilibrium; ///< statics only
    zn_equilibrium_info         balance;     ///< of the last equilibrium; load_steps 0: there was none
    zn_state                   *state;
    zn_step_info                last;   ///< of the last committed (sub)step
    double                      last_h; ///< its size
    bool                        needs_last_v;
    double                     *last_v; ///< velocity before it, kept when a record needs it
    bool                        needs_last_q;
    double                     *last_q; ///< likewise the position, and its time
    double                      last_t;
    double                     *work, *unit; ///< n_all
    int64_t                     grid_index, grid_steps;
    int                         period; ///< steps from one whole state to the next
    bool                       *late;   ///< n_all: velocities known in whole states only; NULL: none
    zn_certificate              certificate;
    zn_created                  created;
    zn_kept_momenta             momenta;
    int                         deepest;                  ///< how often a step was halved at most
    double                      magnitude;                ///< sum of |change| of all ledger lines
    double                      entered[ZN_LEDGER_LINES]; ///< since the last whole state, not yet in the certificate
    double                      stored[ZN_LEDGER_STORED]; ///< stored energies before the last step
    double                      stored_start[ZN_LEDGER_STORED];
    // records
    int                         series_count, columns;
    zn_series                  *series;
    zn_quantity                *quantity;
    zn_quantity                *held; ///< of controls that are forces of the last step; NULL: there are no controls
    double                     *values;
    struct zn_contact_pressure *pressure; ///< at faces that contacts act on; NULL: no record asks for it
    // contacts that are closed, ascending ids; the second half receives the next list
    int                         closed_count, closed_capacity;
    zn_event                   *closed;
    int                        *closed_steps;
    int                        *owner;  ///< of each node: whose name it has, -1: none; NULL: nobody is told of events
    struct zn_frames           *frames; ///< NULL: nobody wants any
    // checkpoints
    zn_mark                     mark[ZN_MARKS]; ///< by which a model is known again
    int64_t                     checkpoints;    ///< taken so far
    zn_blob                     checkpoint[2];  ///< in turn: one that fails leaves the one before
    double                     *history;        ///< of the scheme; NULL: not yet wanted
    zn_linsolver_info           solver_before;  ///< work before the restart
    double                      loop_start;     ///< clock [s]
};

/// Resolve a path; unit, component names and number of columns go into `series`. Logs what is wrong.
zn_status zn_quantity_resolve(const zn_sim *sim, const zn_record_def *record, zn_quantity *out, zn_series *series);
void      zn_quantity_clear(zn_quantity *quantity);
bool      zn_quantity_needs_last_q(const zn_quantity *quantity);
bool      zn_quantity_needs_last_v(const zn_quantity *quantity);
zn_status zn_quantity_evaluate(const zn_sim *sim, const zn_quantity *quantity, int columns, double *values);

/// Rows, frames, checkpoints and the end of the run at whole states; what of the records is known in between. After the
/// records are resolved, before anything is made for frames and checkpoints.
zn_status                     zn_whole_begin(zn_sim *sim);
/// The velocity before a step, of the late ones that at the last whole state.
void                          zn_whole_keep_v(zn_sim *sim);
/// The state with q, v and reactions at its time.
static inline const zn_state *zn_sim_look(const zn_sim *sim)
{
    if (sim->scheme)
        zn_scheme_complete(sim->scheme, sim->state);
    return sim->state;
}

/// Samples, switches and held forces: resolved and written at the start; written after a step that began at t_before.
zn_status zn_sim_controls_begin(zn_sim *sim);
zn_status zn_sim_controls_update(zn_sim *sim, double t_before);

/// Refuse contacts that are deeper inside at the start than the def allows.
zn_status         zn_start_check(const zn_sim *sim);
/// Warn of velocities at the start that joints do not allow.
void              zn_start_velocities(const zn_sim *sim);
/// Account for one committed (sub)step of size h that ended at the current state.
void              zn_certificate_start(zn_sim *sim);
zn_status         zn_certificate_account(zn_sim *sim, double h);
/// Energy that was created: its part of the two above.
void              zn_created_start(zn_sim *sim);
void              zn_created_account(zn_sim *sim, double h);
/// Account for one load step.
void              zn_certificate_account_statics(zn_sim *sim);
/// At the end, where there are several processes: what contacts of the others did.
void              zn_certificate_merge(zn_sim *sim);
/// Change of momenta that nothing outside changes: its part of the certificate.
zn_status         zn_momenta_start(zn_sim *sim);
zn_status         zn_momenta_account(zn_sim *sim);
zn_status         zn_certificate_momenta(zn_sim *sim, zn_vec3 *linear, zn_vec3 *angular);
/// Who is told of events learns which two met.
zn_status         zn_events_begin(zn_sim *sim);
zn_status         zn_events_account(zn_sim *sim, double h);
/// Statics: begin without loads, take a load step. Dynamics: begin at an equilibrium.
zn_status         zn_statics_begin(zn_sim *sim);
zn_status         zn_statics_step(zn_sim *sim);
zn_status         zn_statics_start(zn_sim *sim);
/// How many of them are usual for configurations of that size.
int               zn_frames_usual(int nq, int n_all);
/// Configurations for pictures: what happened since the last one is gathered step by step.
zn_status         zn_frames_begin(zn_sim *sim);
struct zn_frames *zn_frames_destroy(struct zn_frames *frames); ///< accepts NULL, returns NULL
zn_status         zn_frames_account(zn_sim *sim);              ///< where somebody wants some
/// Hand the state over when a frame is due, or `anyway`.
zn_status         zn_frames_record(zn_sim *sim, bool anyway);
/// Prepare for checkpoints; hand one over, which is due.
zn_status         zn_checkpoint_begin(zn_sim *sim);
zn_status         zn_checkpoint_record(zn_sim *sim);
/// Work of the linear solver, with that before a restart.
zn_linsolver_info zn_checkpoint_linsolver(const zn_sim *sim);
/// Closed contacts, and what was gathered since the last frame, from or into a checkpoint. Frames come last in it.
zn_status         zn_events_exchange(zn_sim *sim, zn_blob *blob);
zn_status         zn_frames_exchange(zn_sim *sim, zn_blob *blob);
double            zn_seconds(void); ///< clock
/// Report contacts that are still closed when the run ends.
zn_status         zn_events_finish(zn_sim *sim);

#endif
