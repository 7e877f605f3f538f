/// The gallery: problems that come with the program.
#ifndef ZENO_GALLERY_H
#define ZENO_GALLERY_H

#include <stdbool.h>

enum { GALLERY_PATH = 4096 };

/// Names of all problems, sorted.
typedef struct gallery {
    char   folder[GALLERY_PATH];
    int    count;
    char **names;
} gallery;

/// Find the folder and list it; prints what is wrong and returns false.
bool gallery_open(gallery *out);
void gallery_close(gallery *g);
/// Index of a problem; -1 after a message when there is none of that name.
int  gallery_find(const gallery *g, const char *name);
/// Path of a file of a problem, e.g. "model.yaml", into `path` (GALLERY_PATH bytes).
void gallery_path(const gallery *g, int index, const char *file, char *path);

/// Run all reference values of the problems, or of all when count is 0. Returns the exit status.
int gallery_verify(const gallery *g, int count, const char *const *names, bool slow, int jobs);

#endif
