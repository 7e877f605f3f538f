// How much memory a model takes, told before it is built: a short file can ask for more than there is, and would only
// find out after a minute.
#include <math.h>
#include <sys/resource.h>
#include <unistd.h>

#include "io/bind.h"

// Memory of the machine, or what this process may have of it (ulimit -v).
static double most_bytes(void)
{
    struct rlimit limit;
    long          pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    double        bytes = pages > 0 && page > 0 ? (double)pages * (double)page : INFINITY;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && (double)limit.rlim_cur < bytes)
        bytes = (double)limit.rlim_cur;
    return bytes;
}

bool zn_bind_room(zn_builder *b, const zn_yaml_node *node, const char *what, double count, zn_bind_bytes each)
{
    const double giga = 1e9, there = most_bytes(), most = b->most > 0 ? fmin(b->most, there) : there;
    b->bytes += count * each;
    if (b->bytes <= most)
        return true;
    zn_complain_key(&b->reader, node, "%.0f %s: the model would take about %.3g GB, and %s %.3g GB", count, what,
                    b->bytes / giga, most < there ? "such a small result is of one with at most" : "there are",
                    most / giga);
    return false;
}
