/// The results of a study as they come, in a file: what is in it need not be run again.
#ifndef ZENO_JOURNAL_H
#define ZENO_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workers.h"
#include "zn/io.h"

typedef struct journal journal;

/// Digest of all that decides what comes out (64 bits, FNV-1a); begin with DIGEST_BEGIN.
#define DIGEST_BEGIN UINT64_C(0xcbf29ce484222325)
uint64_t digest_bytes(uint64_t digest, const void *bytes, size_t size);
uint64_t digest_text(uint64_t digest, const char *text); ///< with its end; NULL differs from ""
uint64_t digest_number(uint64_t digest, double number);
uint64_t digest_problem(const zn_problem *problem); ///< the model file and all files it read

/// What a study is: one with another is refused.
typedef struct journal_key {
    uint64_t model, settings;
} journal_key;

/// Open the file of a study, or begin it. Rows it has become done in `w`, which must be allocated; false after a
/// message.
bool        journal_open(const char *path, journal_key key, row_work *w, journal **out);
bool        journal_add(journal *j, int row, const void *result); ///< false after a message
const char *journal_path(const journal *j);
journal    *journal_close(journal *j); ///< accepts NULL, returns NULL

#endif
