// Text in figures. A file format has no fonts to ask, so widths are estimated by kinds of letters.
#include "view/figure_text.h"

#include <stdint.h>
#include <string.h>

// Length in bytes of the valid character at s, 0 when there is none. XML has no surrogates, U+FFFE and U+FFFF.
static size_t character_length(const unsigned char *s)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t                length = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
    if (length < 2)
        return length;
    uint32_t code = s[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if (s[i] >> 6 != 2)
            return 0;
        code = code << 6 | (s[i] & 0x3fu);
    }
    return code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || (code & 0xfffe) == 0xfffe
               ? 0
               : length;
}

// Width of the character at s over the font size.
static double relative_width(const unsigned char *s)
{
    if (s[0] == 0xe2 && s[1] == 0x81) // raised digits
        return 0.42;
    if (s[0] == 0xc2 && (s[1] == 0xb9 || s[1] == 0xb2 || s[1] == 0xb3))
        return 0.42;
    if (s[0] >= 0x80)
        return s[0] >= 0xe3 ? 1.0 : 0.84;
    if (strchr("ijl.,:;|!'I[]()f/t\\ ", s[0]) != NULL)
        return s[0] == ' ' ? 0.32 : 0.4;
    if (strchr("mwMW%@", s[0]) != NULL)
        return 1.0;
    if (strchr("+-=<>*~^#", s[0]) != NULL)
        return s[0] == '-' ? 0.37 : 0.84;
    return s[0] >= 'A' && s[0] <= 'Z' ? 0.72 : 0.64;
}

double zn_text_width(const char *text, double size)
{
    const unsigned char *s = (const unsigned char *)text;
    double               width = 0;
    for (size_t length; *s != '\0'; s += length) {
        length = character_length(s);
        length = length > 0 ? length : 1;
        width += relative_width(s);
    }
    return width * size;
}

const char *zn_text_fit(const char *text, double size, double room, char out[ZN_FIGURE_TEXT])
{
    const char           dots[] = "\u2026";
    const unsigned char *s = (const unsigned char *)(text != NULL ? text : "");
    size_t               used = 0, short_length = 0; // bytes; of the part that leaves room for the dots
    double               width = 0;
    while (*s != '\0') {
        size_t length = character_length(s);
        double here = size * relative_width(length > 0 ? s : (const unsigned char *)"?");
        if (width + here > room || used + length + sizeof dots + 1 > ZN_FIGURE_TEXT) {
            memcpy(out + short_length, dots, sizeof dots);
            return out;
        }
        if (length > 1)
            memcpy(out + used, s, length);
        else
            out[used] = length == 0 ? '?' : *s < 0x20 || *s == 0x7f ? ' ' : (char)*s;
        used += length > 0 ? length : 1;
        s += length > 0 ? length : 1;
        width += here;
        if (width + size <= room)
            short_length = used;
    }
    out[used] = '\0';
    return out;
}
