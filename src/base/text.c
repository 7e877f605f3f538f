// Text that comes from a file and may go to a terminal.
#include "zn/base.h"

static bool is_control(const unsigned char *at)
{
    if (at[0] == '\r')
        return at[1] != '\n'; // alone it overwrites what was shown
    if (at[0] == '\n' || at[0] == '\t')
        return false;
    return at[0] < 0x20 || at[0] == 0x7f || (at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0);
}

const char *zn_text_control(const char *text)
{
    if (!text)
        return NULL;
    const unsigned char *at = (const unsigned char *)text;
    while (*at != '\0' && !is_control(at))
        at++;
    return *at != '\0' ? (const char *)at : NULL;
}

void zn_text_tame(char *text)
{
    if (!text)
        return;
    for (const char *at = text; (at = zn_text_control(at)) != NULL; at++) {
        char *bad = text + (at - text);
        if ((unsigned char)*bad == 0xc2)
            bad[1] = '?';
        *bad = '?';
    }
}
