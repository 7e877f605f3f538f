// See hdf5_changes.h.
#include "hdf5_changes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../hostile_files.h"

enum { HEAD = 8192, NAMES = 64, LONGEST = 96, LARGEST = 1 << 22, CHANGES = 8 };

void fuzz_path(const char *name, char path[64])
{
    snprintf(path, 64, "%s/zeno-fuzz-%ld-%s", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : ".", (long)getpid(), name);
}

bool fuzz_load(const char *path, fuzz_file *out)
{
    FILE *file = fopen(path, "rb");
    *out = (fuzz_file){malloc(LARGEST + 1), 0};
    if (file != NULL && out->bytes != NULL)
        out->size = fread(out->bytes, 1, LARGEST, file);
    if (out->bytes != NULL)
        out->bytes[out->size] = '\0';
    if (file != NULL)
        fclose(file);
    return out->size > 0;
}

bool fuzz_write(const fuzz_file *f, const char *path)
{
    FILE *file = fopen(path, "wb");
    bool  ok = file != NULL && fwrite(f->bytes, 1, f->size, file) == f->size;
    if (file != NULL)
        ok = fclose(file) == 0 && ok;
    return ok;
}

// --- bytes -----------------------------------------------------------------------------------------

// Bits, bytes, a small or large number, the end.
size_t fuzz_change_bytes(unsigned char *bytes, size_t length, const uint8_t *c)
{
    size_t place = (size_t)c[0] | (size_t)c[1] << 8 | (size_t)c[2] << 16;
    place %= (c[3] & 8) != 0 || length < HEAD ? length : HEAD; // most of the structure is at the beginning
    size_t room = length - place;
    switch (c[3] & 7) {
    case 0:
        bytes[place] ^= (unsigned char)(1u << (c[4] & 7));
        break;
    case 1:
        memset(bytes + place, c[4], room < 8 ? room : 8);
        break;
    case 2:
        memcpy(bytes + place, c + 4, room < 3 ? room : 3);
        break;
    case 3:
        memmove(bytes + place, bytes + length / 2, room < c[4] && room < length / 2 ? room : room / 256);
        break;
    default:
        if (c[5] == 0)
            return place + 1;
        bytes[place] = c[4];
    }
    return length;
}

// --- what the file says ------------------------------------------------------------------------------

typedef struct names {
    int  count;
    char name[NAMES][LONGEST]; // of attributes "object@name"
} names;

enum { DATASETS, ATTRIBUTES, GROUPS, KINDS };

typedef struct walk {
    names      *to;
    const char *object;
} walk;

static void keep(names *to, const char *object, const char *attribute)
{
    if (to->count < NAMES)
        snprintf(to->name[to->count++], LONGEST, "%.60s%s%.30s", object, attribute != NULL ? "@" : "",
                 attribute != NULL ? attribute : "");
}

static herr_t keep_attribute(hid_t at, const char *name, const H5A_info_t *info, void *user)
{
    (void)at, (void)info;
    walk *w = user;
    keep(w->to, w->object, name);
    return 0;
}

static herr_t keep_object(hid_t at, const char *name, const H5O_info_t *info, void *user)
{
    names *all = user;
    walk   w = {&all[ATTRIBUTES], name};
    if (info->type == H5O_TYPE_DATASET)
        keep(&all[DATASETS], name, NULL);
    if (info->type == H5O_TYPE_GROUP && strcmp(name, ".") != 0)
        keep(&all[GROUPS], name, NULL);
    H5Aiterate_by_name(at, name, H5_INDEX_NAME, H5_ITER_INC, NULL, keep_attribute, &w, H5P_DEFAULT);
    return 0;
}

static const double wild[] = {0,    1,     -1,    2,          0.5,     NAN,  INFINITY, -INFINITY,  1e308, -1e-320,
                              1e15, 1e-15, 32767, 2147483647, 1 << 20, -0.0, 3,        4294967296, 1e300, -7};

static double wild_value(uint8_t c) { return wild[c % (sizeof wild / sizeof *wild)]; }

// One value, or all, of a dataset of numbers.
static void change_values(hid_t file, const char *name, const uint8_t *c)
{
    hid_t    set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set), type = H5Dget_type(set);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    bool     number = H5Tget_class(type) == H5T_INTEGER || H5Tget_class(type) == H5T_FLOAT;
    double  *values = number && count > 0 && count < LARGEST ? calloc((size_t)count, sizeof *values) : NULL;
    if (values != NULL && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0) {
        size_t place = ((size_t)c[4] | (size_t)c[5] << 8) % (size_t)count;
        for (size_t i = 0; i < (size_t)count; i++)
            if (i == place || (c[5] & 1) != 0)
                values[i] = wild_value(c[6]);
        H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    }
    free(values);
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
}

// The same values, but more or fewer of them in one of its directions; fewer directions or one more.
static void change_extent(hid_t file, const char *name, const uint8_t *c)
{
    hsize_t size[H5S_MAX_RANK] = {0};
    hid_t   set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set), type = H5Dget_type(set);
    int     rank = H5Sget_simple_extent_dims(space, size, NULL);
    if (rank >= 0 && rank < 4) {
        const hsize_t n = rank > 0 ? size[c[4] % rank] : 0, sizes[] = {0, 1, n / 2, n - 1, n + 1, 2 * n, n + 1000};
        rank += (c[6] & 3) == 0 ? 1 : (c[6] & 3) == 1 && rank > 0 ? -1 : 0;
        size[rank > 0 ? c[4] % rank : 0] = sizes[c[5] % 7] % LARGEST;
        hsize_t all = 1;
        for (int i = 0; i < rank; i++)
            all *= size[i] = size[i] > LARGEST ? 1 : size[i];
        H5Ldelete(file, name, H5P_DEFAULT);
        hid_t shape = rank > 0 ? H5Screate_simple(rank, size, NULL) : H5Screate(H5S_SCALAR);
        hid_t made = all < LARGEST / 64 ? H5Dcreate2(file, name, type, shape, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)
                                        : H5I_INVALID_HID;
        if (made >= 0)
            H5Dclose(made); // zeros
        H5Sclose(shape);
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
}

static void change_attribute(hid_t file, const char *where, const uint8_t *c)
{
    char        object[LONGEST];
    const char *name = strrchr(where, '@') + 1;
    snprintf(object, sizeof object, "%.*s", (int)(name - 1 - where), where);
    hid_t                at = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT), type = H5Aget_type(at);
    static unsigned char bytes[1 << 16]; // more than any attribute has
    double               value = wild_value(c[6]);
    size_t               size = at >= 0 ? (size_t)H5Aget_storage_size(at) : 0;
    memset(bytes, 0, sizeof bytes);
    if (H5Tget_class(type) == H5T_FLOAT || H5Tget_class(type) == H5T_INTEGER)
        H5Awrite(at, H5T_NATIVE_DOUBLE, size == 8 || size == 4 ? (const void *)&value : (const void *)bytes);
    else if (size > 0 && size <= sizeof bytes && H5Tis_variable_str(type) == 0 &&
             H5Tdetect_class(type, H5T_VLEN) == 0 && H5Aread(at, type, bytes) >= 0) { // no pointers
        bytes[((size_t)c[4] | (size_t)c[5] << 8) % size] = c[6];
        H5Awrite(at, type, bytes);
    }
    H5Tclose(type);
    H5Aclose(at);
}

// A name of the list, or NULL.
static const char *pick(const names *list, size_t which)
{
    return list->count > 0 ? list->name[which % (size_t)list->count] : NULL;
}

// Something else under the name of a group or dataset: nothing, another one of them, what leads back to itself; or a
// dataset goes under another name into a group, where nobody expects it.
static void change_place(hid_t file, const names *all, const uint8_t *c)
{
    size_t      which = (size_t)c[0] | (size_t)c[1] << 8;
    const char *group = pick(&all[GROUPS], which), *set = pick(&all[DATASETS], which + c[4]);
    const char *other = pick(&all[GROUPS], which + 1 + c[5]), *from = (c[5] & 1) != 0 ? group : set;
    char        moved[2 * LONGEST];
    if (group == NULL || set == NULL)
        return;
    snprintf(moved, sizeof moved, "%s/%s%d", group,
             (c[5] & 2) != 0     ? "x"
             : strrchr(set, '/') ? strrchr(set, '/') + 1
                                 : set,
             c[6]);
    switch (c[6] % 5) {
    case 0:
        H5Ldelete(file, from, H5P_DEFAULT);
        break;
    case 1: // a group for a dataset, a dataset for a group
        H5Ldelete(file, from, H5P_DEFAULT);
        H5Lcreate_hard(file, from == set ? group : set, file, from, H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 2: // another group, or all of the file
        H5Ldelete(file, group, H5P_DEFAULT);
        H5Lcreate_hard(file, (c[5] & 4) != 0 ? "/" : other, file, group, H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 3:
        H5Lcreate_hard(file, set, file, moved, H5P_DEFAULT, H5P_DEFAULT);
        break;
    default:
        H5Lmove(file, set, file, moved, H5P_DEFAULT, H5P_DEFAULT);
    }
}

static void change_said(const char *path, const names *all, const uint8_t *c)
{
    const names *sets = &all[DATASETS];
    size_t       which = (size_t)c[0] | (size_t)c[1] << 8;
    const char  *set = pick(sets, which), *attribute = pick(&all[ATTRIBUTES], which);
    unsigned     how = c[3] & 7u;
    if (how == 6 && set != NULL)
        hostile_dataset(path, set, (hostile_kind)(c[4] % HOSTILE_KINDS), "/dev/null");
    if (how == 7 && attribute != NULL)
        hostile_attribute(path, attribute, (hostile_kind)(c[4] % HOSTILE_VALUES));
    hid_t file = how < 6 ? hostile_open(path) : H5I_INVALID_HID;
    if (file < 0)
        return;
    if (how < 2 && set != NULL)
        change_values(file, set, c);
    else if (how == 2)
        change_place(file, all, c);
    else if (how == 3 && set != NULL)
        change_extent(file, set, c);
    else if (how == 4 && attribute != NULL)
        change_attribute(file, attribute, c);
    else if (how == 5 && set != NULL) // another dataset in its place
        if (H5Ldelete(file, set, H5P_DEFAULT) >= 0)
            H5Lcreate_hard(file, sets->name[(which + 1u + c[4]) % (size_t)sets->count], file, set, H5P_DEFAULT,
                           H5P_DEFAULT);
    H5Fclose(file);
}

// Changes of bytes mostly end at the checksums of HDF5: in half of the inputs there are none.
static bool is_said(const uint8_t *data, size_t i) { return data[i + 3] >= 128 || (data[2] & 1) != 0; }

static void change_all_said(const char *path, const uint8_t *data, size_t size)
{
    names *all = calloc(KINDS, sizeof *all);
    hid_t  file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (all != NULL && file >= 0) {
        H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, keep_object, all);
        H5Fclose(file);
        for (size_t i = 0; i + FUZZ_CHANGE <= size; i += FUZZ_CHANGE)
            if (is_said(data, i))
                change_said(path, all, data + i);
    }
    free(all);
}

bool fuzz_write_changed(const fuzz_file *good, const uint8_t *data, size_t size, const char *path)
{
    bool said = false, bytes = false;
    size = size < CHANGES * FUZZ_CHANGE ? size : CHANGES * FUZZ_CHANGE;
    for (size_t i = 0; i + FUZZ_CHANGE <= size; i += FUZZ_CHANGE) {
        said = said || is_said(data, i);
        bytes = bytes || !is_said(data, i);
    }
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    if (!fuzz_write(good, path))
        return false;
    if (said)
        change_all_said(path, data, size);
    fuzz_file changed;
    if (!bytes || !fuzz_load(path, &changed))
        return !bytes;
    for (size_t i = 0; i + FUZZ_CHANGE <= size; i += FUZZ_CHANGE)
        if (!is_said(data, i))
            changed.size = fuzz_change_bytes(changed.bytes, changed.size, data + i);
    bool ok = fuzz_write(&changed, path);
    free(changed.bytes);
    return ok;
}
