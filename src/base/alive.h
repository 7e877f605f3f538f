/// Use after destroy, told in debug builds: an object that was destroyed is not given back at once, but filled with
/// what is no pointer and kept until others take its place, so that whoever is given it can say so and end the program,
/// as a broken assertion does. In release builds nothing of it is left.
#ifndef ZN_BASE_ALIVE_H
#define ZN_BASE_ALIVE_H

#include <stddef.h>
#include <stdlib.h>

#ifdef NDEBUG
#define ZN_ALIVE(object)        ((void)0)
#define zn_retire(object, size) free(object)
#else
/// First in a public function that takes an object with a destroy function; NULL is another matter.
#define ZN_ALIVE(object)        zn_check_alive(object, #object, __func__)
/// Last in a destroy function, in the place of free, which gives `size` bytes back some time later.
#define zn_retire(object, size) zn_keep_dead(object, size, __func__)
#endif

/// Does not return if `object` was destroyed not long ago: a message names `function`, its argument, and who destroyed
/// it.
void zn_check_alive(const void *object, const char *name, const char *function);
void zn_keep_dead(void *object, size_t size, const char *destroyer);

#endif
