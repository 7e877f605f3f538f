// See blame.h.
#include "base/blame.h"

_Thread_local zn_blame zn_blame_last = {.contact = {-1, 0}};
