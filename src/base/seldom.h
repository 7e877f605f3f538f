/// What small steps do without: a function that hardly any call reaches stays out of line, so that its callers have
/// none of its registers to save, no room on the stack to make and, where addresses are taken, no guard to check.
#ifndef ZN_BASE_SELDOM_H
#define ZN_BASE_SELDOM_H

#if defined(__GNUC__)
#define ZN_SELDOM __attribute__((noinline, cold))
#else
#define ZN_SELDOM
#endif

#endif
