// How large the records of a run become, told before its first step: a run of a week should not find out on its last
// day.
#include <math.h>
#include <stdlib.h>
#include <sys/statvfs.h>

#include "io/result.h"
#include "io/text_file.h"

static const double giga = 1e9;

// What is left on the disk.
static double free_bytes(const char *path)
{
    struct statvfs disk;
    char          *folder = zn_text_file_beside(path, ".");
    bool           known = folder != NULL && statvfs(folder, &disk) == 0;
    free(folder);
    return known ? (double)disk.f_bavail * (double)disk.f_frsize : INFINITY;
}

zn_status zn_result_check_size(const char *path, double rows, int columns, double most, const zn_log *log)
{
    double      bytes = isfinite(rows) ? rows * sizeof(double) * columns : 0, there = free_bytes(path);
    const char *advice = "'record_every' makes fewer";
    if (bytes > most)
        return zn_fail(log, ZN_ERR_ARGUMENT,
                       "%s: %.3g rows of %d columns take %.3g GB, and the file may have %.3g GB; %s", path, rows,
                       columns, bytes / giga, most / giga, advice);
    if (bytes > there)
        zn_log_write(log, ZN_LOG_WARNING,
                     "%s: %.3g rows of %d columns take %.3g GB, and there are %.3g GB on the disk; %s", path, rows,
                     columns, bytes / giga, there / giga, advice);
    return ZN_OK;
}
