// make_hostile FILE WHERE KIND SECRET: replaces an attribute ("object@name") or dataset of a result file, see
// hostile_files.h. KIND text: by the text in the file SECRET.
// make_hostile STUDY TEXT study -: in the file of a study with one row, everything from TEXT on by bytes that steer a
// terminal, without an end, under a good checksum.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "hostile_files.h"

static bool replace_text(const char *path, const char *name, const char *from)
{
    static char text[1 << 16];
    FILE       *file = fopen(from, "rb");
    size_t      size = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file != NULL)
        fclose(file);
    hid_t result = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    bool  ok = size > 0 && H5Tset_size(type, size + 1) >= 0 && H5Ldelete(result, name, H5P_DEFAULT) >= 0;
    hid_t made = ok ? H5Dcreate2(result, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) : H5I_INVALID_HID;
    ok = made >= 0 && H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0 && H5Dclose(made) >= 0;
    H5Tclose(type);
    H5Sclose(space);
    return H5Fclose(result) >= 0 && ok;
}

// As in cli/journal.c: a head of 256 bytes, number, result, and the checksum of both.
static bool steer_study(const char *path, const char *where)
{
    enum { HEAD = 256, MOST = 1 << 16 };
    static unsigned char bytes[MOST];
    static const char    steering[] = "\033[31m\xc2\x9b\xe2\x80\xae\xff";
    FILE                *file = fopen(path, "r+b");
    size_t               got = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0, at = HEAD;
    size_t               end = got > HEAD + 8 && got < MOST ? got - 8 : HEAD;
    uint64_t             sum = UINT64_C(0xcbf29ce484222325);
    while (at < end && memcmp(bytes + at, where, strlen(where)) != 0)
        at++;
    bool ok = at < end;
    for (size_t i = 0; ok && at + i < end; i++)
        bytes[at + i] = (unsigned char)steering[i % (sizeof steering - 1)];
    for (size_t i = HEAD; ok && i < end; i++)
        sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    memcpy(bytes + end, &sum, sizeof sum);
    ok = ok && fseek(file, 0, SEEK_SET) == 0 && fwrite(bytes, 1, got, file) == got;
    return (file == NULL || fclose(file) == 0) && ok;
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    if (strcmp(argv[3], "study") == 0)
        return steer_study(argv[1], argv[2]) ? 0 : 1;
    if (strcmp(argv[3], "text") == 0)
        return replace_text(argv[1], argv[2], argv[4]) ? 0 : 1;
    hostile_kind kind = (hostile_kind)atoi(argv[3]);
    bool         attribute = strchr(argv[2], '@') != NULL;
    if (kind < 0 || kind >= (attribute ? HOSTILE_VALUES : HOSTILE_KINDS))
        return 2;
    bool ok = attribute ? hostile_attribute(argv[1], argv[2], kind) : hostile_dataset(argv[1], argv[2], kind, argv[4]);
    return ok ? 0 : 1;
}
