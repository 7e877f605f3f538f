// The one variable of the library outside of its objects: zero but in a test of failures.
#include "base/fault.h"

_Thread_local int zn_fault_countdown = 0;
