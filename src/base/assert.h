/// What must hold, said at the door of a function. On in tests and debug builds, gone in release; bad input is never a
/// matter for it, that returns a status.
#ifndef ZN_BASE_ASSERT_H
#define ZN_BASE_ASSERT_H

#include <assert.h>

#define ZN_ASSERT(condition) assert(condition)

#endif
