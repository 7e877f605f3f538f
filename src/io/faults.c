// Faults of a file, and guesses at what was meant.
#include "io/faults.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Text from a file must not reach a terminal with control characters in it.
static void make_printable(char *text)
{
    zn_text_tame(text);
    for (; *text != '\0'; text++)
        if (*text == '\n' || *text == '\t' || *text == '\r')
            *text = '?';
}

// A cut text may end inside a UTF-8 character; drop the rest of it.
static void trim_utf8(char *text)
{
    size_t n = strlen(text), i = n;
    while (i > 0 && ((unsigned char)text[i - 1] & 0xC0) == 0x80)
        i--;
    if (i == 0 || (unsigned char)text[i - 1] < 0xC0)
        return;
    unsigned char lead = (unsigned char)text[i - 1];
    size_t        want = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (n - (i - 1) < want)
        text[i - 1] = '\0';
}

// The same place in another copy: it is told already.
static bool is_told(zn_faults *faults, const zn_fault_place *place, int line, int column)
{
    for (int i = 0; i < faults->kept; i++) {
        zn_fault_entry *e = &faults->entry[i];
        if (e->line != line || e->column != column || e->place.copy == place->copy ||
            strcmp(e->place.file, place->file) != 0)
            continue;
        e->times++;
        return true;
    }
    return false;
}

void zn_fault(zn_faults *faults, int line, int column, const char *format, ...)
{
    zn_fault_place place = faults->place;
    place.file = place.file != NULL ? place.file : faults->file;
    if (place.copy != NULL && line > 0 && is_told(faults, &place, line, column)) {
        faults->count += faults->count < INT_MAX;
        faults->merged++;
        return;
    }
    if (faults->kept < ZN_FAULTS_MAX) {
        zn_fault_entry *e = &faults->entry[faults->kept++];
        va_list         arguments;
        va_start(arguments, format);
        vsnprintf(e->text, sizeof e->text, format, arguments);
        va_end(arguments);
        make_printable(e->text);
        trim_utf8(e->text);
        e->line = line;
        e->column = column;
        e->times = 0;
        e->place = place;
    }
    faults->count += faults->count < INT_MAX;
}

void zn_warn_at(zn_faults *faults, int line, int column, const char *format, ...)
{
    char text[ZN_FAULT_LENGTH];
    for (int i = 0; i < faults->warned; i++)
        if (faults->warned_at[i][0] == line && faults->warned_at[i][1] == column)
            return;
    if (faults->warned == ZN_WARNINGS_MAX)
        return;
    faults->warned_at[faults->warned][0] = line;
    faults->warned_at[faults->warned++][1] = column;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    make_printable(text);
    trim_utf8(text);
    zn_log_write(faults->log, ZN_LOG_WARNING, "%s:%d:%d: warning: %s",
                 faults->place.file != NULL ? faults->place.file : faults->file, line, column, text);
}

bool zn_faults_are_enough(const zn_faults *faults)
{
    return faults->kept >= ZN_FAULTS_MAX || faults->count >= 20 * ZN_FAULTS_MAX;
}

static int by_place(const void *a, const void *b)
{
    const zn_fault_entry *x = a, *y = b;
    int                   file = strcmp(x->place.file, y->place.file);
    if (file != 0)
        return file;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return strcmp(x->text, y->text);
}

static void write_entry(const zn_fault_entry *e, const zn_log *log)
{
    char more[48] = "", note[176] = "";
    if (e->times > 0)
        snprintf(more, sizeof more, "%sand %d more", e->place.note[0] != '\0' ? ", " : "", e->times);
    if (e->place.note[0] != '\0' || e->times > 0)
        snprintf(note, sizeof note, "(%s%s) ", e->place.note, more);
    if (e->line > 0)
        zn_log_write(log, ZN_LOG_ERROR, "%s:%d:%d: %s%s", e->place.file, e->line, e->column, note, e->text);
    else
        zn_log_write(log, ZN_LOG_ERROR, "%s: %s%s", e->place.file, note, e->text);
}

void zn_faults_flush(zn_faults *faults, const zn_log *log)
{
    int hidden = faults->count - faults->kept - faults->merged;
    qsort(faults->entry, (size_t)faults->kept, sizeof *faults->entry, by_place);
    for (int i = 0; i < faults->kept; i++)
        write_entry(&faults->entry[i], log);
    if (hidden > 0)
        zn_log_write(log, ZN_LOG_ERROR, "%s: too many errors, %d more are not shown", faults->file, hidden);
    faults->count = faults->kept = faults->merged = 0;
}

// --- guesses ---------------------------------------------------------------------------------------

enum { WORD = 64 };

static char lower(char c) { return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }

// Letters to insert, delete, replace or swap with their neighbour to turn a into b; case is for free.
static int edit_distance(const char *a, const char *b)
{
    int na = (int)strlen(a), nb = (int)strlen(b);
    int row[3][WORD + 1];
    for (int j = 0; j <= nb; j++)
        row[0][j] = j;
    for (int i = 1; i <= na; i++) {
        int *now = row[i % 3], *up = row[(i + 2) % 3], *up2 = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= nb; j++) {
            int best = up[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
            best = up[j] + 1 < best ? up[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && up2[j - 2] + 1 < best)
                best = up2[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[na % 3][nb];
}

zn_guess zn_guess_begin(const char *word) { return (zn_guess){.word = word, .distance = INT_MAX}; }

void zn_guess_offer(zn_guess *guess, const char *candidate)
{
    size_t n = strlen(guess->word), m = strlen(candidate);
    if (n == 0 || n >= WORD || m >= WORD)
        return;
    int d = edit_distance(guess->word, candidate);
    int allowed = n <= 3 ? 1 : n <= 6 && strncmp(guess->word, candidate, 3) != 0 ? 2 : 3;
    if (d > allowed && n >= 3 && strncmp(guess->word, candidate, n) == 0)
        d = allowed; // an abbreviation
    if (d > allowed || d >= guess->distance || d >= (int)n)
        return;
    guess->distance = d;
    memcpy(guess->best, candidate, m + 1);
}

void zn_guess_offer_words(zn_guess *guess, const char *words)
{
    char word[WORD];
    while (zn_next_word(&words, word))
        zn_guess_offer(guess, word);
}

const char *zn_guess_text(const zn_guess *guess, char buffer[96])
{
    buffer[0] = '\0';
    if (guess->best[0] != '\0')
        snprintf(buffer, 96, ", did you mean '%s'?", guess->best);
    return buffer;
}

bool zn_next_word(const char **list, char word[64])
{
    const char *s = *list + strspn(*list, " ");
    size_t      n = strcspn(s, " ");
    if (n == 0)
        return false;
    *list = s + n;
    if (n >= WORD)
        n = WORD - 1;
    memcpy(word, s, n);
    word[n] = '\0';
    return true;
}
