// The sparse pattern of all operators, made when it is first asked for: explicit schemes never do. Nothing else of a
// compiled system changes, and this once, under a lock: whoever evaluates operators has a matrix from here, so that
// places in it are there to be read, whichever thread made them.
#include <pthread.h>
#include <stdlib.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/assert.h"
#include "system/system.h"

struct zn_pattern {
    pthread_mutex_t lock;
    zn_sparse      *matrix; // NULL: not yet made
};

zn_pattern *zn_pattern_create(void)
{
    zn_pattern *pattern = ZN_NEW(zn_pattern, 1);
    if (pattern)
        pthread_mutex_init(&pattern->lock, NULL);
    return pattern;
}

void zn_pattern_destroy(zn_pattern *pattern)
{
    if (!pattern)
        return;
    pthread_mutex_destroy(&pattern->lock);
    zn_sparse_destroy(pattern->matrix);
    free(pattern);
}

// Fixed degrees of freedom have no equation: in the pattern they count as absent.
static zn_status build(const zn_system *sys)
{
    ZN_ASSERT(!sys->pattern->matrix);
    zn_dof_block *blocks = ZN_NEW(zn_dof_block, sys->blocks);
    int         **equation = ZN_NEW(int *, sys->blocks);
    zn_status     status = blocks && equation ? ZN_OK : ZN_ERR_MEMORY;
    for (int i = 0; status == ZN_OK && i < sys->blocks; i++) {
        const zn_element_block *b = &sys->block[i];
        int                     size = b->count * b->ops->dofs;
        equation[i] = ZN_NEW(int, size);
        if (!equation[i]) {
            status = ZN_ERR_MEMORY;
            break;
        }
        for (int k = 0; k < size; k++)
            equation[i][k] = b->dof[k] < sys->info.n ? b->dof[k] : -1;
        blocks[i] = (zn_dof_block){b->count, b->ops->dofs, equation[i]};
    }
    if (status == ZN_OK)
        status = zn_sparse_create(sys->info.n, sys->blocks, blocks, sys->scatter, &sys->pattern->matrix);
    for (int i = 0; i < sys->blocks; i++) {
        if (status == ZN_OK)
            sys->block[i].scatter = sys->scatter[i];
        if (equation)
            free(equation[i]);
    }
    free(equation);
    free(blocks);
    return status;
}

zn_status zn_system_matrix(const zn_system *sys, zn_sparse **out)
{
    ZN_ALIVE(sys);
    ZN_ASSERT(sys && out);
    pthread_mutex_lock(&sys->pattern->lock);
    zn_status status = sys->pattern->matrix ? ZN_OK : build(sys);
    pthread_mutex_unlock(&sys->pattern->lock);
    return status == ZN_OK ? zn_sparse_copy(sys->pattern->matrix, out) : status;
}
