#include "base/memory.h"

#include <math.h>
#include <sys/resource.h>
#include <unistd.h>

double zn_memory_there(void)
{
    struct rlimit limit;
    long          pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    double        bytes = pages > 0 && page > 0 ? (double)pages * (double)page : INFINITY;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && (double)limit.rlim_cur < bytes)
        bytes = (double)limit.rlim_cur;
    return bytes;
}
