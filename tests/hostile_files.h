/// Result files as someone who means harm would make them: a good one, with one attribute or dataset replaced by what
/// the program never writes.
#ifndef ZN_TESTS_HOSTILE_FILES_H
#define ZN_TESTS_HOSTILE_FILES_H

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

enum { HOSTILE_BYTES = 4096 };

/// Attributes, "object@name".
static const char *const hostile_attributes[] = {
    ".@format",
    ".@version",
    ".@title",
    ".@path",
    ".@theta",
    ".@record_every",
    ".@checkpoint_every",
    "parameters@e",
    "series/velocity@unit",
    "series/velocity@components",
};

static const char *const hostile_datasets[] = {
    "model",       "outcome",         "certificate/steps",  "certificate/penetration_contact",
    "time",        "events",          "series/velocity",    "frames/q",
    "frames/time", "frames/contacts", "frames/contact_end", "checkpoint/a",
};

/// What stands in their place. The first ones are values of an attribute or dataset, the others of a dataset only.
typedef enum hostile_kind {
    HOSTILE_INTS,                  ///< a list of many
    HOSTILE_NUMBERS,               ///< a table of many
    HOSTILE_CUBE,                  ///< of rank 3
    HOSTILE_LONG_TEXT,             ///< fixed, without an end
    HOSTILE_SHORT_TEXT,            ///< of one byte, without an end
    HOSTILE_TEXTS,                 ///< a list of texts
    HOSTILE_POINTED_TEXT,          ///< of variable length
    HOSTILE_POINTED_LIST,          ///< lists of variable length
    HOSTILE_COMPOUND,              ///< of members that nobody knows
    HOSTILE_WIDE_NUMBER,           ///< a floating number of 32 bytes
    HOSTILE_NULL,                  ///< no value at all
    HOSTILE_VALUES,                ///< as many as there are
    HOSTILE_ROWS = HOSTILE_VALUES, ///< says it has very many
    HOSTILE_COLUMNS,               ///< no rows, but 2^30 - 1 columns
    HOSTILE_EXTERNAL,              ///< its bytes are those of another file
    HOSTILE_VIRTUAL,               ///< its values are those of another file
    HOSTILE_PACKED,                ///< deflated
    HOSTILE_EXTERNAL_LINK,         ///< a link to another file
    HOSTILE_SOFT_LINK,             ///< a link to another name
    HOSTILE_GROUP,                 ///< a group
    HOSTILE_MISSING,
    HOSTILE_KINDS
} hostile_kind;

/// Destroy with H5Tclose.
static inline hid_t hostile_type(hostile_kind kind)
{
    hid_t type = H5Tcopy(kind == HOSTILE_INTS ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE);
    if (kind == HOSTILE_LONG_TEXT || kind == HOSTILE_SHORT_TEXT || kind == HOSTILE_TEXTS ||
        kind == HOSTILE_POINTED_TEXT) {
        H5Tclose(type);
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, kind == HOSTILE_POINTED_TEXT ? H5T_VARIABLE
                          : kind == HOSTILE_SHORT_TEXT ? 1
                          : kind == HOSTILE_TEXTS      ? 16
                                                       : HOSTILE_BYTES);
        H5Tset_strpad(type, H5T_STR_NULLPAD);
    }
    if (kind == HOSTILE_POINTED_LIST) {
        H5Tclose(type);
        type = H5Tvlen_create(H5T_NATIVE_DOUBLE);
    }
    if (kind == HOSTILE_COMPOUND) {
        H5Tclose(type);
        type = H5Tcreate(H5T_COMPOUND, 256);
        H5Tinsert(type, "nobody", 0, H5T_NATIVE_DOUBLE);
        H5Tinsert(type, "name", 8, H5T_NATIVE_INT);
    }
    if (kind == HOSTILE_WIDE_NUMBER) {
        H5Tset_size(type, 32);
        H5Tset_fields(type, 255, 240, 15, 0, 240);
    }
    return type;
}

/// Destroy with H5Sclose.
static inline hid_t hostile_space(hostile_kind kind)
{
    const hsize_t list[1] = {1000}, table[2] = {40, 40}, cube[3] = {8, 8, 8}, texts[1] = {50};
    switch (kind) {
    case HOSTILE_INTS:
        return H5Screate_simple(1, list, NULL);
    case HOSTILE_NUMBERS:
        return H5Screate_simple(2, table, NULL);
    case HOSTILE_CUBE:
        return H5Screate_simple(3, cube, NULL);
    case HOSTILE_TEXTS:
        return H5Screate_simple(1, texts, NULL);
    case HOSTILE_NULL:
        return H5Screate(H5S_NULL);
    default:
        return H5Screate(H5S_SCALAR);
    }
}

/// Values for any of the kinds.
static inline const void *hostile_values(hostile_kind kind)
{
    static char        bytes[65536];
    static const char *text = "pointed";
    static double      numbers[100];
    static hvl_t       list;
    list = (hvl_t){100, numbers};
    memset(bytes, 'A', sizeof bytes);
    return kind == HOSTILE_POINTED_TEXT   ? (const void *)&text
           : kind == HOSTILE_POINTED_LIST ? (const void *)&list
                                          : (const void *)bytes;
}

/// What HDF5 loses track of in such files is closed with them: it would crash over it at the end of the program.
static inline hid_t hostile_open(const char *path)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, access);
    H5Pclose(access);
    return file;
}

static inline bool hostile_attribute(const char *path, const char *where, hostile_kind kind)
{
    char        object[64];
    const char *name = strchr(where, '@') + 1;
    snprintf(object, sizeof object, "%.*s", (int)(name - 1 - where), where);
    hid_t file = hostile_open(path), type = hostile_type(kind), space = hostile_space(kind);
    bool  ok = H5Adelete_by_name(file, object, name, H5P_DEFAULT) >= 0;
    hid_t made = H5Acreate_by_name(file, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ok = ok && made >= 0 && (kind == HOSTILE_NULL || H5Awrite(made, type, hostile_values(kind)) >= 0);
    H5Aclose(made);
    H5Sclose(space);
    H5Tclose(type);
    return H5Fclose(file) >= 0 && ok;
}

/// As large as the file says, wherever the values are.
static inline bool hostile_storage(hid_t file, const char *name, hostile_kind kind, const char *secret)
{
    const hsize_t list[1] = {(hsize_t)1 << 40}, wide[2] = {0, (1 << 30) - 1}, small[1] = {16};
    const hsize_t endless[2] = {H5S_UNLIMITED, (1 << 30) - 1}, one[2] = {1, 1};
    hid_t         creation = H5Pcreate(H5P_DATASET_CREATE), space, type = H5Tcopy(H5T_NATIVE_DOUBLE);
    if (kind == HOSTILE_ROWS || kind == HOSTILE_COLUMNS) {
        space = H5Screate_simple(kind == HOSTILE_ROWS ? 1 : 2, kind == HOSTILE_ROWS ? list : wide, endless);
        H5Pset_chunk(creation, kind == HOSTILE_ROWS ? 1 : 2, one);
    } else if (kind == HOSTILE_PACKED) {
        space = H5Screate_simple(1, small, NULL);
        H5Pset_chunk(creation, 1, small);
        H5Pset_deflate(creation, 6);
    } else {
        bool text = strcmp(name, "model") == 0 || strcmp(name, "command") == 0 || strcmp(name, "outcome") == 0;
        space = text ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, small, NULL);
        if (text) {
            H5Tclose(type);
            type = H5Tcopy(H5T_C_S1);
            H5Tset_size(type, 128);
        }
        if (kind == HOSTILE_EXTERNAL)
            H5Pset_external(creation, secret, 0, 128);
        else
            H5Pset_virtual(creation, space, secret, "secret", space);
    }
    hid_t made = H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    bool  ok = made >= 0;
    if (ok)
        H5Dclose(made);
    H5Pclose(creation);
    H5Sclose(space);
    H5Tclose(type);
    return ok;
}

static inline bool hostile_values_at(hid_t file, const char *name, hostile_kind kind)
{
    hid_t type = hostile_type(kind), space = hostile_space(kind);
    hid_t made = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool  ok = made >= 0 &&
              (kind == HOSTILE_NULL || H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, hostile_values(kind)) >= 0);
    if (made >= 0)
        H5Dclose(made);
    H5Sclose(space);
    H5Tclose(type);
    return ok;
}

/// `secret`: another file, which nothing of the result may show.
static inline bool hostile_dataset(const char *path, const char *name, hostile_kind kind, const char *secret)
{
    hid_t file = hostile_open(path);
    bool  ok = file >= 0;
    // what is linked to in another place is as good as the original
    if (kind == HOSTILE_SOFT_LINK)
        ok = ok && H5Lmove(file, name, file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT) >= 0;
    else
        ok = ok && H5Ldelete(file, name, H5P_DEFAULT) >= 0;
    if (kind < HOSTILE_VALUES)
        ok = ok && hostile_values_at(file, name, kind);
    else if (kind == HOSTILE_EXTERNAL_LINK)
        ok = ok && H5Lcreate_external(secret, name, file, name, H5P_DEFAULT, H5P_DEFAULT) >= 0;
    else if (kind == HOSTILE_SOFT_LINK)
        ok = ok && H5Lcreate_soft("/elsewhere", file, name, H5P_DEFAULT, H5P_DEFAULT) >= 0;
    else if (kind == HOSTILE_GROUP) {
        hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        ok = ok && group >= 0 && H5Gclose(group) >= 0;
    } else if (kind != HOSTILE_MISSING)
        ok = ok && hostile_storage(file, name, kind, secret);
    return file >= 0 && H5Fclose(file) >= 0 && ok;
}

#endif
