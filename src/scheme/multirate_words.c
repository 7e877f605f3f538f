// The words of the options `fine` and `coarse`: which elements they name.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scheme/multirate.h"

// A body or part, or some elements of a part, "beam[10:30]" (from the 10th up to the 29th); of many bodies that one
// name has, "ball[0]", "ball[1]" ..., one or all of them. In `coarse` with a ratio behind a slash.
typedef struct word {
    int         part; // -1: there is no such part
    int         first, end;
    const char *text;
    size_t      length, name; // in the list, with the ratio; without brackets
    bool        many;         // the name is that of many bodies, not of a part
    long        ratio;        // 0: none is given
} word;

// Is the name of a part that of a word? "ball[3]" has the name "ball", too.
static bool has_name(const char *part, const char *text, size_t length, bool many)
{
    return strncmp(part, text, length) == 0 && (part[length] == '\0' || (many && part[length] == '['));
}

// Length of a word without its ratio.
static size_t read_ratio(word *w)
{
    for (size_t i = w->length; i > 0; i--)
        if (w->text[i - 1] == '/') {
            char *end = NULL;
            w->ratio = strtol(w->text + i, &end, 10);
            if (i < w->length && end == w->text + w->length && w->ratio > 0)
                return i - 1;
            w->ratio = 0;
            break;
        }
    return w->length;
}

static word read_word(const zn_system *sys, const char *text)
{
    char *const *part = sys->model->part_name;
    word         w = {.part = -1, .end = INT_MAX, .text = text, .length = strcspn(text, ", ")};
    size_t       whole = read_ratio(&w);
    int          used = 0;
    for (int i = 0; i < sys->info.parts && w.part < 0; i++)
        if (has_name(part[i], text, whole, false))
            w.part = i;
    w.name = w.part >= 0 ? whole : strcspn(text, ", [");
    w.name = w.name < whole ? w.name : whole;
    if (w.part < 0 && w.name < whole &&
        (sscanf(text + w.name, "[%d:%d]%n", &w.first, &w.end, &used) != 2 || used != (int)(whole - w.name)))
        return w;
    for (int many = 0; many < 2; many++)
        for (int i = 0; i < sys->info.parts && w.part < 0 && (!many || w.name == whole); i++)
            if (has_name(part[i], text, w.name, many)) {
                w.part = i;
                w.many = many;
            }
    return w;
}

static const char *first_word(const char *list) { return list ? list + strspn(list, ", ") : ""; }
static const char *next_word(const char *p) { return first_word(p + strcspn(p, ", ")); }

bool multirate_is_listed(const zn_system *sys, const char *list, int part, int index, int *ratio)
{
    for (const char *p = first_word(list); *p; p = next_word(p)) {
        word w = read_word(sys, p);
        if (w.many ? has_name(sys->model->part_name[part], w.text, w.name, true)
                   : w.part == part && index >= w.first && index < w.end) {
            *ratio = (int)w.ratio;
            return true;
        }
    }
    return false;
}

static zn_status check_word(const zn_system *sys, const char *option, const word *w, const int *total)
{
    const zn_log *log = &sys->model->log;
    bool          coarse = strcmp(option, "coarse") == 0;
    if (w->part < 0 || (!coarse && w->ratio > 0))
        return zn_fail(log, ZN_ERR_ARGUMENT,
                       "multirate: %s: there is no body or part '%.*s'; names, or elements "
                       "as in beam[10:30], are separated by blanks or commas",
                       option, (int)w->length, w->text);
    if (w->end != INT_MAX && (w->first < 0 || w->first >= w->end || w->end > total[w->part]))
        return zn_fail(log, ZN_ERR_ARGUMENT, "multirate: %s: '%.*s': '%s' has %d elements, all of them are [0:%d]",
                       option, (int)w->length, w->text, sys->model->part_name[w->part], total[w->part], total[w->part]);
    if (coarse && (w->ratio < 1 || w->ratio > ZN_LARGEST_RATIO))
        return zn_fail(
            log, ZN_ERR_ARGUMENT,
            "multirate: coarse: '%.*s': behind a slash goes the number of fine steps in one of its own, as in "
            "beam[10:30]/100",
            (int)w->length, w->text);
    return ZN_OK;
}

zn_status multirate_check_words(const zn_system *sys, const char *option, const char *list, const int *total)
{
    for (const char *p = first_word(list); *p; p = next_word(p)) {
        word w = read_word(sys, p);
        ZN_TRY(check_word(sys, option, &w, total));
    }
    return ZN_OK;
}

int multirate_count_words(const char *list)
{
    int count = 0;
    for (const char *p = first_word(list); *p; p = next_word(p))
        count++;
    return count;
}

int multirate_list_ratios(const zn_system *sys, const zn_scheme_def *def, int *out)
{
    int count = 0;
    out[count++] = def->ratio;
    for (const char *p = first_word(def->coarse); *p; p = next_word(p)) {
        int  ratio = (int)read_word(sys, p).ratio;
        bool known = false;
        for (int i = 0; i < count; i++)
            known = known || out[i] == ratio;
        if (!known)
            out[count++] = ratio;
    }
    return count;
}
