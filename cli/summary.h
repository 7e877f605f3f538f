/// What a run measured, from a simulation or from a result file, for the table and the JSON object.
#ifndef ZENO_SUMMARY_H
#define ZENO_SUMMARY_H

#include "simulation.h"

/// A worst value with the name of its contact ("" when none in particular) and its limit (NaN: none).
typedef struct summary_worst {
    const char *key, *label, *unit;
    double      value, time, limit;
    const char *contact; ///< of energy_created also the line of the ledger
    bool        warns;   ///< no limit is set, but it is beyond what is usual
} summary_worst;

enum {
#define SUMMARY_ONE(...) +1
    SUMMARY_WORST = 0 ZN_WORST_LIST(SUMMARY_ONE)
#undef SUMMARY_ONE
};

typedef struct summary {
    const char                *title, *model, *scheme, *outcome;
    const char                *result; ///< path of the result file, NULL: none
    double                     start, step, until;
    zn_certificate             certificate;
    bool                       statics;
    const zn_equilibrium_info *equilibrium;          ///< of statics or of the start; NULL: none, or not known
    summary_worst              worst[SUMMARY_WORST]; ///< ZN_WORST_LIST
    // last row; series NULL: not known
    int                        series_count;
    const zn_series           *series;
    const double              *final;
} summary;

/// Texts are borrowed from the simulation or the result.
summary summary_of_simulation(const simulation *s, zn_status outcome);
summary summary_of_result(const zn_result *result);

/// Steps per second of wall time; NaN when it took no measurable time.
double summary_rate(const summary *s);

#endif
