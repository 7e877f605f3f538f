/// Faults of a file: collected while it is read, then written to the log in the order of their places.
#ifndef ZN_IO_FAULTS_H
#define ZN_IO_FAULTS_H

#include <stdbool.h>

#include "zn/base.h"

enum { ZN_FAULTS_MAX = 20, ZN_WARNINGS_MAX = 20, ZN_FAULT_LENGTH = 480 };

/// Where faults are being found: the file, and which copy of what stands in it.
typedef struct zn_fault_place {
    const char *file;     ///< borrowed
    const void *copy;     ///< a mark of the copy; NULL: there is only one
    char        note[96]; ///< "i = 7", or ""
} zn_fault_place;

typedef struct zn_fault_entry {
    int            line, column, times; ///< times: the same place in so many other copies
    zn_fault_place place;
    char           text[ZN_FAULT_LENGTH];
} zn_fault_entry;

typedef struct zn_faults {
    const char     *file;          ///< the first one; borrowed
    zn_fault_place  place;         ///< now; without a file: in the first one
    int             kept, merged;  ///< entries; faults that are in one of another copy
    int             count;         ///< all faults, kept or not
    bool            out_of_memory; ///< sticky: whoever reads the file ends with ZN_ERR_MEMORY
    zn_fault_entry *entry;         ///< ZN_FAULTS_MAX, borrowed
    const zn_log   *log;           ///< where warnings go at once; NULL: nowhere
    int             warned;        ///< places with a warning: these
    int             warned_at[ZN_WARNINGS_MAX][2];
} zn_faults;

/// Add a fault; line 0: it has no place in the file. Control characters in the text become '?'. What is wrong at one
/// place in many copies is told of the first of them.
void zn_fault(zn_faults *faults, int line, int column, const char *format, ...) ZN_PRINTF(4, 5);

/// "file:line:column: warning: text", once for each place.
void zn_warn_at(zn_faults *faults, int line, int column, const char *format, ...) ZN_PRINTF(4, 5);

/// True when so many are known that more are not worth a search.
bool zn_faults_are_enough(const zn_faults *faults);

/// Write "file:line:column: text" for each, sorted by place, and forget them.
void zn_faults_flush(zn_faults *faults, const zn_log *log);

/// The candidate nearest to a misspelt word.
typedef struct zn_guess {
    const char *word;
    int         distance;
    char        best[64];
} zn_guess;

zn_guess    zn_guess_begin(const char *word);
void        zn_guess_offer(zn_guess *guess, const char *candidate);
/// Offer every word of a blank-separated list.
void        zn_guess_offer_words(zn_guess *guess, const char *words);
/// ", did you mean 'best'?" in `buffer`, or "" when nothing is near.
const char *zn_guess_text(const zn_guess *guess, char buffer[96]);

/// Take the next word of a blank-separated list into `word`; false at the end.
bool zn_next_word(const char **list, char word[64]);

#endif
