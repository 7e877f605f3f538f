/// What must hold, said at the door of a function. On in tests and debug builds, gone in release; bad input is never a
/// matter for it, that returns a status. No side effects inside; what loops belongs where the function loops anyway.
#ifndef ZN_BASE_ASSERT_H
#define ZN_BASE_ASSERT_H

#include <assert.h>

#ifdef NDEBUG
#define ZN_ASSERT(condition) ((void)(0 && (condition))) // never evaluated, but its helpers and variables are in use
#else
#define ZN_ASSERT(condition) assert(condition)
#endif

#endif
