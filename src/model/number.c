// Decimal numbers in text.
#include "model/number.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

size_t zn_number_length(const char *s)
{
    size_t i = 0, digits = 0;
    for (; is_digit(s[i]); i++)
        digits++;
    if (s[i] == '.')
        for (i++; is_digit(s[i]); i++)
            digits++;
    if (digits == 0)
        return 0;
    if (s[i] == 'e' || s[i] == 'E') {
        size_t e = i + 1;
        if (s[e] == '+' || s[e] == '-')
            e++;
        if (is_digit(s[e])) {
            while (is_digit(s[e]))
                e++;
            i = e;
        }
    }
    return i;
}

double zn_number_read(const char *text)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c == (locale_t)0)
        return strtod(text, NULL);
    locale_t before = uselocale(c);
    double   value = strtod(text, NULL);
    uselocale(before);
    freelocale(c);
    return value;
}

bool zn_number_parse(const char *text, double *out)
{
    const char *digits = text + (*text == '-' || *text == '+');
    size_t      length = zn_number_length(digits);
    if (length == 0 || digits[length] != '\0')
        return false;
    double value = zn_number_read(text);
    if (!isfinite(value))
        return false;
    *out = value;
    return true;
}
