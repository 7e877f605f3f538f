// Version of the library and the text of each status, both from one list.
#include "zn/base.h"

const char *zn_version(void) { return ZN_VERSION; }

const char *zn_status_text(zn_status status)
{
    switch (status) {
#define STATUS_TEXT(name, value, text)                                                                                 \
    case name:                                                                                                         \
        return text;
        ZN_STATUS_LIST(STATUS_TEXT)
#undef STATUS_TEXT
    }
    return "unknown status";
}
