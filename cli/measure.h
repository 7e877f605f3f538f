/// Measures on a run, as reference values name them: "final(height)", "impacts(floor)", "penetration" ...
#ifndef ZENO_MEASURE_H
#define ZENO_MEASURE_H

#include "memory_recorder.h"
#include "simulation.h"

/// Value of the measure `text`. False, with the reason in `message`, when the run has no such thing.
///
///     final(NAME)  min(NAME)  max(NAME)  at(NAME,t)  mean(NAME,t1,t2)  highest(NAME,T)
///                                                          of a record, NAME or NAME.component
///     events(CONTACT)  impacts(CONTACT)  duration(CONTACT,k)  span(CONTACT)  impulse(CONTACT)  peak(CONTACT)
///     penetration  velocity ... (ZN_WORST_LIST)  ledger(LINE)                  of the certificate
///     energy_drift                                 largest change of the record "energy" over its first value
bool measure(const char *text, const memory_record *record, double *value, char *message, size_t size);
/// Can a run have this measure? False with the reason and what is admissible. Names of records and contacts are looked
/// up in `s`, with its series in `record`, unless s or its simulation is NULL.
bool measure_check_record(const char *name, const simulation *s, const memory_record *record, char *message,
                          size_t size); ///< NAME or NAME.component alone
bool measure_check(const char *text, const simulation *s, const memory_record *record, char *message, size_t size);

#endif
