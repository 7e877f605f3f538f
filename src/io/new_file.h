/// Files as they are made: see zn_new_file in zn/io.h. Here what writers of HDF5 share with it.
#ifndef ZN_IO_NEW_FILE_H
#define ZN_IO_NEW_FILE_H

#include <sys/stat.h>

#include "zn/io.h"

/// One of very many files that can all be made again: do not wait for the disk.
void        zn_new_file_hurry(zn_new_file *file);
/// "PATH.part", malloc'ed; NULL when memory is exhausted.
char       *zn_part_name(const char *path);
/// Create a file that was not there, with a lock against other runs: nothing is followed or overwritten. What an ended
/// run left under that name is removed; what a living one writes is EAGAIN, a link ELOOP. A descriptor, or -1 with an
/// errno value in `*error`.
int         zn_new_file_create(const char *name, struct stat *status, int *error);
/// Such a file with the bytes of another one; 0, or an errno value, and then there is none.
int         zn_new_file_copy(const char *from, const char *name);
/// `part`, closed and on the disk, takes its place. 0, or an errno value.
int         zn_new_file_place(const char *part, const char *path);
/// What such an errno value means.
const char *zn_new_file_error(int error);
/// Which name it is about.
const char *zn_new_file_culprit(int error, const char *path, const char *part);

#endif
