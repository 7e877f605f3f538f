/// Blocks of rows of an open result, for exports that do not want everything in memory.
#ifndef ZN_IO_RESULT_READER_H
#define ZN_IO_RESULT_READER_H

#include "io/hdf5_read.h"
#include "zn/io.h"

zn_status     zn_result_read_time(const zn_result *result, zn_hdf5_block block, double *table);
zn_status     zn_result_read_series(const zn_result *result, int index, zn_hdf5_block block, double *table);
/// Events [first, first + count).
zn_status     zn_result_read_events(const zn_result *result, int64_t first, int64_t count, zn_result_event *events);
/// Refuses to write over the file that is read.
zn_status     zn_result_spare(const zn_result *result, const char *path);
const zn_log *zn_result_log(const zn_result *result);
const char   *zn_result_path(const zn_result *result); ///< of the file
/// Folders of zn_result_allow.
const char *const *zn_result_allowed(const zn_result *result, int *count);
int64_t            zn_result_file(const zn_result *result); ///< HDF5 identifier, borrowed

/// Unit of a component: of "N or N m" that of forces or, where the component is about turning, of moments.
const char *zn_result_component_unit(const char *unit, const char *component);

#endif
