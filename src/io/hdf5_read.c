#include "io/hdf5_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum {
    // HDF5 reads a damaged piece again and waits 1, 2, 4 ... ns in between: a hundred times, its default, is for ever
    ATTEMPTS = 24,
    NUMBER_BYTES = 16,
    TEXT_BYTES = 64 * 1024 * 1024 + 1, // as long as a model can be
};

hid_t zn_hdf5_open(const char *path, bool unfinished)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = H5I_INVALID_HID;
    if (access < 0)
        return file;
    // HDF5 may lose track of what it opened in a damaged file; but a result must stay open for others in this process
    if (!unfinished)
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    file = H5Fopen(path, H5F_ACC_RDONLY, access);
    if (file < 0 && unfinished && H5Pset_metadata_read_attempts(access, ATTEMPTS) >= 0)
        file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    H5Pclose(access);
    return file;
}

int64_t zn_hdf5_room(hid_t file)
{
    const int64_t begun = 1 << 20;
    hsize_t       bytes = 0;
    return H5Fget_filesize(file, &bytes) >= 0 && bytes < (hsize_t)INT64_MAX / 2 ? begun + (int64_t)bytes : begun;
}

bool zn_hdf5_take(int64_t *room, int64_t count)
{
    bool ok = count >= 0 && count <= *room;
    *room -= ok ? count : 0;
    return ok;
}

// --- links and storage -----------------------------------------------------------------------------

static bool is_hard(hid_t parent, const char *path)
{
    H5L_info_t info;
    return H5Lexists(parent, path, H5P_DEFAULT) > 0 && H5Lget_info(parent, path, &info, H5P_DEFAULT) >= 0 &&
           info.type == H5L_TYPE_HARD;
}

bool zn_hdf5_exists(hid_t parent, const char *path)
{
    char *part = zn_copy_string(path);
    bool  ok = part != NULL && *part != '\0' && *part != '/';
    for (char *slash = part; ok && (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = '\0';
        ok = is_hard(parent, part);
    }
    ok = ok && is_hard(parent, path);
    free(part);
    return ok;
}

hid_t zn_hdf5_group(hid_t parent, const char *path)
{
    return zn_hdf5_exists(parent, path) ? H5Gopen2(parent, path, H5P_DEFAULT) : H5I_INVALID_HID;
}

// HDF5 1.10 believes what the file says of the bytes that are there: it reads beyond the memory of those that are
// stored with the head. None at all are zeros.
static bool is_stored_whole(hid_t dataset, H5D_layout_t layout)
{
    hid_t    type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    hsize_t  stored = H5Dget_storage_size(dataset), most = (hsize_t)1 << 48;
    hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    size_t   size = type >= 0 ? H5Tget_size(type) : 0;
    bool     ok = size > 0 && count >= 0 && (hsize_t)count <= most / size;
    if (layout == H5D_COMPACT || stored > 0)
        ok = ok && stored >= (hsize_t)count * size;
    if (type >= 0)
        H5Tclose(type);
    if (space >= 0)
        H5Sclose(space);
    return ok;
}

// Its values are in this very file, and no code but HDF5's own unpacks them.
static bool is_stored_here(hid_t dataset, zn_hdf5_filters filters)
{
    hid_t        creation = H5Dget_create_plist(dataset);
    H5D_layout_t layout = creation >= 0 ? H5Pget_layout(creation) : H5D_LAYOUT_ERROR;
    int          count = creation >= 0 ? H5Pget_nfilters(creation) : -1;
    bool         ok = (layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED) &&
              H5Pget_external_count(creation) == 0 && count >= 0 &&
              (layout == H5D_CHUNKED || is_stored_whole(dataset, layout));
    for (int i = 0; i < count && ok; i++) {
        unsigned     flags, config;
        size_t       values = 0;
        H5Z_filter_t filter = H5Pget_filter2(creation, (unsigned)i, &flags, &values, NULL, 0, NULL, &config);
        ok = filters == ZN_HDF5_PACKED && (filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE);
    }
    if (creation >= 0)
        H5Pclose(creation);
    return ok;
}

// In one piece in this file: only then HDF5 tells where. Saves the copies of property lists, which take longer than a
// value to read.
static bool is_plainly_stored(hid_t dataset)
{
    return H5Dget_offset(dataset) != HADDR_UNDEF && is_stored_whole(dataset, H5D_CONTIGUOUS);
}

static hid_t open_chunked(hid_t parent, const char *path)
{
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(access, 1, 0, 1); // values are read once: a cache for each dataset would only take memory
    hid_t dataset = H5Dopen2(parent, path, access);
    H5Pclose(access);
    return dataset;
}

hid_t zn_hdf5_dataset(hid_t parent, const char *path, zn_hdf5_filters filters)
{
    hid_t dataset = zn_hdf5_exists(parent, path) ? H5Dopen2(parent, path, H5P_DEFAULT) : H5I_INVALID_HID;
    if (dataset < 0 || is_plainly_stored(dataset))
        return dataset;
    H5Dclose(dataset);
    dataset = open_chunked(parent, path);
    if (dataset < 0 || is_stored_here(dataset, filters))
        return dataset;
    H5Dclose(dataset);
    return H5I_INVALID_HID;
}

// --- types -----------------------------------------------------------------------------------------

static bool fits(hid_t stored, hid_t wanted);

// Every member that is wanted is there.
static bool compound_fits(hid_t stored, hid_t wanted)
{
    int  count = H5Tget_nmembers(wanted);
    bool ok = true;
    for (int i = 0; i < count && ok; i++) {
        char *name = H5Tget_member_name(wanted, (unsigned)i);
        int   index = name != NULL ? H5Tget_member_index(stored, name) : -1;
        hid_t from = index >= 0 ? H5Tget_member_type(stored, (unsigned)index) : H5I_INVALID_HID;
        hid_t to = H5Tget_member_type(wanted, (unsigned)i);
        ok = from >= 0 && to >= 0 && fits(from, to);
        if (from >= 0)
            H5Tclose(from);
        if (to >= 0)
            H5Tclose(to);
        H5free_memory(name);
    }
    return ok;
}

static bool array_fits(hid_t stored, hid_t wanted)
{
    hsize_t a[H5S_MAX_RANK] = {0}, b[H5S_MAX_RANK] = {0};
    int     rank = H5Tget_array_ndims(wanted);
    if (rank < 1 || rank > H5S_MAX_RANK || H5Tget_array_ndims(stored) != rank || H5Tget_array_dims2(stored, a) < 0 ||
        H5Tget_array_dims2(wanted, b) < 0 || memcmp(a, b, sizeof *a * (size_t)rank) != 0)
        return false;
    hid_t from = H5Tget_super(stored), to = H5Tget_super(wanted);
    bool  ok = from >= 0 && to >= 0 && fits(from, to);
    if (from >= 0)
        H5Tclose(from);
    if (to >= 0)
        H5Tclose(to);
    return ok;
}

// May values stored so be converted to those in memory?
static bool fits(hid_t stored, hid_t wanted)
{
    H5T_class_t from = H5Tget_class(stored), to = H5Tget_class(wanted);
    size_t      bytes = H5Tget_size(stored);
    if (to == H5T_FLOAT)
        return (from == H5T_FLOAT || from == H5T_INTEGER) && bytes <= NUMBER_BYTES;
    if (from != to)
        return false;
    if (to == H5T_INTEGER)
        return bytes <= NUMBER_BYTES;
    if (to == H5T_STRING)
        return H5Tis_variable_str(stored) == 0 && bytes <= TEXT_BYTES;
    return to == H5T_COMPOUND ? compound_fits(stored, wanted) : to == H5T_ARRAY && array_fits(stored, wanted);
}

// --- single values ---------------------------------------------------------------------------------

static bool is_attribute(hid_t object) { return H5Iget_type(object) == H5I_ATTR; }

static hid_t type_of(hid_t object) { return is_attribute(object) ? H5Aget_type(object) : H5Dget_type(object); }

static hid_t space_of(hid_t object) { return is_attribute(object) ? H5Aget_space(object) : H5Dget_space(object); }

static bool is_single(hid_t object)
{
    hid_t space = space_of(object);
    bool  ok = space >= 0 && H5Sget_simple_extent_type(space) != H5S_NULL && H5Sget_simple_extent_npoints(space) == 1;
    if (space >= 0)
        H5Sclose(space);
    return ok;
}

bool zn_hdf5_fits(hid_t object, hid_t wanted)
{
    hid_t type = type_of(object);
    bool  ok = type >= 0 && fits(type, wanted);
    if (type >= 0)
        H5Tclose(type);
    return ok;
}

static bool read_whole(hid_t object, hid_t type, void *out)
{
    return is_attribute(object) ? H5Aread(object, type, out) >= 0
                                : H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
}

static bool read_single(hid_t object, hid_t type, void *out)
{
    return is_single(object) && zn_hdf5_fits(object, type) && read_whole(object, type, out);
}

bool zn_hdf5_is_number(hid_t object) { return is_single(object) && zn_hdf5_fits(object, H5T_NATIVE_DOUBLE); }

bool zn_hdf5_is_text(hid_t object) { return is_single(object) && zn_hdf5_fits(object, H5T_C_S1); }

bool zn_hdf5_read_int(hid_t object, int *value) { return read_single(object, H5T_NATIVE_INT, value); }

bool zn_hdf5_read_number(hid_t object, double *value) { return read_single(object, H5T_NATIVE_DOUBLE, value); }

// What the file has no bytes for would be zeros, as many as it says.
static bool has_bytes(hid_t object, size_t size) { return is_attribute(object) || H5Dget_storage_size(object) >= size; }

// Its end may come long before that of its dataset.
static char *trim(char *text)
{
    zn_text_tame(text);
    char *less = realloc(text, strlen(text) + 1);
    return less != NULL ? less : text;
}

char *zn_hdf5_read_text(hid_t object)
{
    if (!zn_hdf5_is_text(object))
        return NULL;
    hid_t  type = type_of(object); // as it is stored: texts are not converted
    size_t size = type >= 0 ? H5Tget_size(type) : 0;
    char  *text = size > 0 && has_bytes(object, size) ? zn_new_array(size + 1, 1) : NULL;
    if (text != NULL && !read_whole(object, type, text)) {
        free(text);
        text = NULL;
    }
    if (type >= 0)
        H5Tclose(type);
    return text != NULL ? trim(text) : NULL;
}

static hid_t attribute(hid_t object, const char *name)
{
    return H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : H5I_INVALID_HID;
}

bool zn_hdf5_attribute_int(hid_t object, const char *name, int *value)
{
    hid_t found = attribute(object, name);
    bool  ok = found >= 0 && zn_hdf5_read_int(found, value);
    if (found >= 0)
        H5Aclose(found);
    return ok;
}

bool zn_hdf5_attribute_number(hid_t object, const char *name, double *value)
{
    hid_t found = attribute(object, name);
    bool  ok = found >= 0 && zn_hdf5_read_number(found, value);
    if (found >= 0)
        H5Aclose(found);
    return ok;
}

char *zn_hdf5_attribute_text(hid_t object, const char *name)
{
    hid_t found = attribute(object, name);
    char *text = found >= 0 ? zn_hdf5_read_text(found) : NULL;
    if (found >= 0)
        H5Aclose(found);
    return text;
}

// --- tables ----------------------------------------------------------------------------------------

// Extents of a dataset of this rank.
static bool extents(hid_t dataset, int rank, hsize_t size[2])
{
    hid_t space = H5Dget_space(dataset);
    bool  ok = space >= 0 && H5Sis_simple(space) > 0 && H5Sget_simple_extent_ndims(space) == rank &&
              H5Sget_simple_extent_dims(space, size, NULL) == rank;
    if (space >= 0)
        H5Sclose(space);
    return ok;
}

// Files grow by whole chunks, so that a value needs no byte of its own while it is written; but no file has more of
// them than bytes.
static bool can_hold(hid_t dataset, hsize_t rows, hsize_t columns)
{
    hsize_t bytes = 0;
    hid_t   file = H5Iget_file_id(dataset);
    bool    ok = file >= 0 && H5Fget_filesize(file, &bytes) >= 0 && rows <= bytes / columns;
    if (file >= 0)
        H5Fclose(file);
    return ok;
}

int64_t zn_hdf5_rows(hid_t dataset, int rank, int *columns)
{
    const hsize_t most = 1 << 30;
    hsize_t       size[2] = {0, 1};
    if (!extents(dataset, rank, size) || size[1] < 1 || size[1] > most || !can_hold(dataset, size[0], size[1]))
        return -1;
    if (columns != NULL)
        *columns = (int)size[1];
    return (int64_t)size[0];
}

bool zn_hdf5_read_block(hid_t dataset, hid_t type, int rank, zn_hdf5_block b, void *out)
{
    const hsize_t from[2] = {(hsize_t)b.first, 0}, part[2] = {(hsize_t)b.count, (hsize_t)b.columns};
    const hsize_t table[2] = {(hsize_t)b.count, (hsize_t)b.width}, place[2] = {0, (hsize_t)b.offset};
    hsize_t       size[2] = {0, 1};
    if (b.first < 0 || b.count < 0 || b.columns < 1 || b.offset < 0 || b.columns > b.width - b.offset ||
        !extents(dataset, rank, size) || size[1] != (hsize_t)b.columns || (hsize_t)b.count > size[0] ||
        (hsize_t)b.first > size[0] - (hsize_t)b.count || !zn_hdf5_fits(dataset, type))
        return false;
    if (b.count == 0)
        return true;
    hid_t source = H5Dget_space(dataset), target = H5Screate_simple(2, table, NULL);
    bool  ok = source >= 0 && target >= 0 && H5Sselect_hyperslab(source, H5S_SELECT_SET, from, NULL, part, NULL) >= 0 &&
              H5Sselect_hyperslab(target, H5S_SELECT_SET, place, NULL, part, NULL) >= 0 &&
              H5Dread(dataset, type, target, source, H5P_DEFAULT, out) >= 0;
    if (source >= 0)
        H5Sclose(source);
    if (target >= 0)
        H5Sclose(target);
    return ok;
}

int64_t zn_hdf5_count(hid_t dataset)
{
    hid_t    space = H5Dget_space(dataset);
    bool     ok = space >= 0 && H5Sget_simple_extent_type(space) != H5S_NULL && H5Sget_simple_extent_ndims(space) <= 1;
    hssize_t count = ok ? H5Sget_simple_extent_npoints(space) : -1;
    if (space >= 0)
        H5Sclose(space);
    return count;
}

bool zn_hdf5_read_list(hid_t dataset, hid_t type, int64_t count, void *out)
{
    return count >= 0 && zn_hdf5_count(dataset) == count && zn_hdf5_fits(dataset, type) &&
           (count == 0 || read_whole(dataset, type, out));
}
