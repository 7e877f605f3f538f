// Text that comes from a file and may go to a terminal.
#include "zn/base.h"

// Bytes of the character at `at`, in UTF-8; 0: it is none.
static int length_at(const unsigned char *at)
{
    int length = at[0] < 0x80                    ? 1
                 : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
                 : (at[0] & 0xf0) == 0xe0        ? 3
                 : (at[0] & 0xf8) == 0xf0        ? 4
                                                 : 0;
    for (int i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0; // the end of the text as well
    return length;
}

// Separators of lines, and what turns the direction of the text that follows: U+2028 to U+202E, U+2066 to U+2069.
static bool turns_text(const unsigned char *at)
{
    return at[0] == 0xe2 &&
           ((at[1] == 0x80 && at[2] >= 0xa8 && at[2] <= 0xae) || (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9));
}

static bool is_control(const unsigned char *at, int length)
{
    if (length != 1)
        return length == 0 || (length == 2 && at[0] == 0xc2 && at[1] < 0xa0) || (length == 3 && turns_text(at));
    if (at[0] == '\r')
        return at[1] != '\n'; // alone it overwrites what was shown
    return (at[0] < 0x20 && at[0] != '\n' && at[0] != '\t') || at[0] == 0x7f;
}

const char *zn_text_control(const char *text)
{
    if (!text)
        return NULL;
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0';) {
        int length = length_at(at);
        if (is_control(at, length))
            return (const char *)at;
        at += length;
    }
    return NULL;
}

void zn_text_tame(char *text)
{
    if (!text)
        return;
    for (const char *at = text; (at = zn_text_control(at)) != NULL;) {
        char *bad = text + (at - text);
        int   length = length_at((const unsigned char *)bad);
        do
            *bad++ = '?';
        while (--length > 0);
        at = bad;
    }
}
