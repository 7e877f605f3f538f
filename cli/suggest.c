// Nearest word by edit distance: insertions, deletions, replacements and swaps of neighbours cost one each.
#include "suggest.h"

#include <string.h>

enum { WORD_MAX = 40 };

static int least(int a, int b) { return a < b ? a : b; }

// Dynamic programming over prefixes: d[i][j] is the distance of the first i and the first j characters.
static int distance(const char *a, const char *b)
{
    int d[WORD_MAX + 1][WORD_MAX + 1];
    int n = (int)strlen(a), m = (int)strlen(b);
    if (n > WORD_MAX || m > WORD_MAX)
        return WORD_MAX;
    for (int i = 0; i <= n; i++)
        d[i][0] = i;
    for (int j = 0; j <= m; j++)
        d[0][j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[n][m];
}

const char *suggest(const char *word, int count, const char *const *known)
{
    const char *best = NULL;
    int         allowed = 1 + (int)strlen(word) / 3;
    for (int i = 0; i < count; i++) {
        int away = distance(word, known[i]);
        if (away <= allowed) {
            allowed = away - 1; // only a nearer one may replace it
            best = known[i];
        }
    }
    return best;
}
