// Datasets of a result that grow row by row, in chunks.
#include "io/result.h"

hid_t zn_result_create_growing(hid_t parent, const char *name, hid_t type, int rank, int columns, int rows)
{
    const hsize_t empty[2] = {0, (hsize_t)columns}, endless[2] = {H5S_UNLIMITED, (hsize_t)columns};
    const hsize_t chunk[2] = {(hsize_t)rows, (hsize_t)columns};
    hid_t         space = H5Screate_simple(rank, empty, endless);
    hid_t         creation = H5Pcreate(H5P_DATASET_CREATE);
    hid_t         access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk(creation, rank, chunk);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    H5Pset_chunk_cache(access, 1, 0, 1); // rows come in whole chunks: they need not be kept
    hid_t dataset = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, creation, access);
    H5Pclose(access);
    H5Pclose(creation);
    H5Sclose(space);
    return dataset;
}

// Rows of a chunk of numbers that are in memory as in the file; 0 for others.
static hsize_t plain_chunk(hid_t dataset, hid_t type, int rank)
{
    hsize_t chunk[2] = {0, 0};
    hid_t   creation = type == H5T_NATIVE_DOUBLE ? H5Dget_create_plist(dataset) : H5I_INVALID_HID;
    if (creation < 0)
        return 0;
    if (H5Pget_chunk(creation, rank, chunk) < 0)
        chunk[0] = 0;
    H5Pclose(creation);
    return chunk[0];
}

// Whole chunks, without the copies that HDF5 makes of others.
static bool append_chunks(hid_t dataset, hsize_t chunk, int columns, hsize_t written, hsize_t count,
                          const double *values)
{
    size_t size = (size_t)chunk * (size_t)columns;
    bool   ok = true;
    for (hsize_t row = 0; row < count && ok; row += chunk, values += size) {
        const hsize_t at[2] = {written + row, 0};
        ok = H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, at, size * sizeof *values, values) >= 0;
    }
    return ok;
}

bool zn_result_append(hid_t dataset, hid_t type, int rank, int columns, hsize_t written, int count, const void *values)
{
    const hsize_t size[2] = {written + (hsize_t)count, (hsize_t)columns};
    const hsize_t from[2] = {written, 0}, block[2] = {(hsize_t)count, (hsize_t)columns};
    if (H5Dset_extent(dataset, size) < 0)
        return false;
    hsize_t chunk = plain_chunk(dataset, type, rank);
    if (chunk > 0 && written % chunk == 0 && (hsize_t)count % chunk == 0)
        return append_chunks(dataset, chunk, columns, written, (hsize_t)count, values);
    hid_t target = H5Dget_space(dataset), source = H5Screate_simple(rank, block, NULL);
    bool  ok = H5Sselect_hyperslab(target, H5S_SELECT_SET, from, NULL, block, NULL) >= 0 &&
              H5Dwrite(dataset, type, source, target, H5P_DEFAULT, values) >= 0;
    H5Sclose(source);
    H5Sclose(target);
    return ok;
}
