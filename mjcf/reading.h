/// Which files MuJoCo may open for a scene: those in its folder and below it, and in folders that its user allows. What
/// counts is where a path leads to, links followed.
#ifndef ZENO_MJCF_READING_H
#define ZENO_MJCF_READING_H

#include <stdbool.h>
#include <stddef.h>

/// From now on; `output` is what may be written. False: `why` tells which of the folders is none.
bool reading_begin(const char *scene, const char *output, int count, char *const *folders, char *why, size_t size);
/// The first file that was kept from MuJoCo, as one line; empty: there was none.
const char *reading_refused(void);

#endif
