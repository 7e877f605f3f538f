/// Reads HDF5 files that anyone may have made. Nothing in them is believed: number of values, shape and type are looked
/// at before memory is touched, and nothing leads out of the file: no soft or external links, no external or virtual
/// storage, no filters but those named here. The only file that calls H5Aread and H5Dread. Callers keep HDF5 quiet
/// (zn_result_quiet_begin), which also keeps it from loading code.
#ifndef ZN_IO_HDF5_READ_H
#define ZN_IO_HDF5_READ_H

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

/// Which filters the data may have gone through.
typedef enum zn_hdf5_filters {
    ZN_HDF5_PLAIN,  ///< none: results
    ZN_HDF5_PACKED, ///< deflate and shuffle: problems that others wrote
} zn_hdf5_filters;

/// Open to read; `unfinished`: also one that is being written or was left so. Negative when HDF5 cannot.
hid_t zn_hdf5_open(const char *path, bool unfinished);

/// Does the path "a/b/c" lead somewhere in this file, by hard links only?
bool  zn_hdf5_exists(hid_t parent, const char *path);
/// What is at that path; negative when there is nothing that may be read.
hid_t zn_hdf5_group(hid_t parent, const char *path);
hid_t zn_hdf5_dataset(hid_t parent, const char *path, zn_hdf5_filters filters);

/// What a file may show in all: as many values and characters as it has bytes, and a million when it has just begun.
/// Links show the same bytes as often as they like. Whoever keeps what grows with their number takes from it.
int64_t zn_hdf5_room(hid_t file);
bool    zn_hdf5_take(int64_t *room, int64_t count); ///< false: there is not as much left

/// One value of an open attribute or dataset, which has no other.
bool  zn_hdf5_is_number(hid_t object);
bool  zn_hdf5_is_text(hid_t object);
bool  zn_hdf5_read_int(hid_t object, int *value);
bool  zn_hdf5_read_number(hid_t object, double *value);
/// A text of fixed length, at most 64 MB, with a NUL behind it whatever the file says and without control characters
/// (zn_text_tame); NULL when it is none, or a dataset without as many bytes in the file. Destroy with free().
char *zn_hdf5_read_text(hid_t object);
/// The same of an attribute by its name.
bool  zn_hdf5_attribute_int(hid_t object, const char *name, int *value);
bool  zn_hdf5_attribute_number(hid_t object, const char *name, double *value);
char *zn_hdf5_attribute_text(hid_t object, const char *name);

/// Rows of a dataset of rank 1 or 2, and its columns (may be NULL with rank 1); negative when it has another shape, or
/// more values than its file has bytes.
int64_t zn_hdf5_rows(hid_t dataset, int rank, int *columns);

/// Rows [first, first + count) into columns [offset, offset + columns) of a row-major table `width` wide.
typedef struct zn_hdf5_block {
    int64_t first, count;
    int     columns, offset, width;
} zn_hdf5_block;

/// `type`: of a value in memory. Refused is a dataset of another rank, with other columns, with fewer rows, of another
/// type.
bool zn_hdf5_read_block(hid_t dataset, hid_t type, int rank, zn_hdf5_block block, void *out);

/// Number of values of a single one or a list; negative when it is neither.
int64_t zn_hdf5_count(hid_t dataset);
/// Do values of this dataset fit into those of a type in memory? Integers may become floating, not the other way.
bool    zn_hdf5_fits(hid_t dataset, hid_t type);
/// All values of a list that has `count`.
bool    zn_hdf5_read_list(hid_t dataset, hid_t type, int64_t count, void *out);

#endif
