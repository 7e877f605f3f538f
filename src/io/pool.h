/// Memory that goes all at once: what a model file turns into while it is read. No error path can leak it.
#ifndef ZN_IO_POOL_H
#define ZN_IO_POOL_H

#include <stddef.h>

typedef struct zn_pool zn_pool;

zn_pool *zn_pool_create(void);                                         ///< NULL when memory is exhausted
zn_pool *zn_pool_destroy(zn_pool *pool);                               ///< accepts NULL, returns NULL
void    *zn_pool_alloc(zn_pool *pool, size_t count, size_t size);      ///< zeroed; NULL on overflow or exhaustion
char    *zn_pool_copy(zn_pool *pool, const char *text, size_t length); ///< with a final NUL
char    *zn_pool_string(zn_pool *pool, const char *text);              ///< NULL for NULL

#endif
