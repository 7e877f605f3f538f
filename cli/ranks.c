// A run in one process.
#include "ranks.h"

#include <stdlib.h>

bool ranks_begin(void) { return true; }
int  ranks_end(int exit_status) { return exit_status; }
int  ranks_count(void) { return 1; }
bool ranks_first(void) { return true; }

zn_status ranks_compile(zn_model *model, zn_sim_def *def, zn_system **out)
{
    (void)def;
    return zn_system_create(model, out);
}

void        ranks_release(zn_system *sys) { zn_system_destroy(sys); }
zn_recorder ranks_recorder(zn_recorder of_first) { return of_first; }

zn_status ranks_checkpoint(const void *data, size_t size, const void **own, size_t *own_size)
{
    *own = data;
    *own_size = size;
    return ZN_OK;
}

zn_status ranks_agree(zn_status own) { return own; }

double *ranks_final(const zn_sim *sim, int *count, const zn_series **series)
{
    double *values = calloc((size_t)zn_sim_columns(sim) + 1, sizeof *values);
    if (values != NULL && zn_sim_values(sim, values) != ZN_OK) {
        free(values);
        return NULL;
    }
    *count = zn_sim_series_count(sim);
    *series = zn_sim_series(sim);
    return values;
}
