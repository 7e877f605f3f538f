/// Modes in a result file: pictures of one swing each, for 'zeno view' and ParaView.
#ifndef ZENO_MODES_RESULT_H
#define ZENO_MODES_RESULT_H

#include "simulation.h"

/// Write modes about q. The time of the file counts modes: around k, from k - 1/2 to k + 1/2, mode k swings once, in
/// `amplitude` of each. Rows have frequency [Hz] and square [1/s^2] of mode k at time k.
zn_status modes_write(const char *path, const simulation *s, const double *q, const zn_modes *modes,
                      const char *command, zn_log log);

#endif
