/// Measures on a run, as reference values name them: "final(height)", "impacts(floor)", "penetration" ...
#ifndef ZENO_MEASURE_H
#define ZENO_MEASURE_H

#include "memory_recorder.h"

/// Value of the measure `text`. False, with the reason in `message`, when the run has no such thing.
///
///     final(NAME)  min(NAME)  max(NAME)  at(NAME,t)  mean(NAME,t1,t2)     of a record, NAME or NAME.component
///     events(CONTACT)  impacts(CONTACT)  duration(CONTACT,k)  span(CONTACT)  impulse(CONTACT)  peak(CONTACT)
///     penetration  velocity  complementarity  newton  closure  ledger(LINE)    of the certificate
///     energy_drift                                 largest change of the record "energy" over its first value
bool measure(const char *text, const memory_record *record, double *value, char *message, size_t size);

#endif
