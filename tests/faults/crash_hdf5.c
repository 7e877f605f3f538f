// Preloaded: HDF5 crashes when the first values are read, or the process ends by the signal CRASH_BY.
#include <signal.h>
#include <stdlib.h>

int H5Dread(void);

int H5Dread(void)
{
    const char *by = getenv("CRASH_BY");
    raise(by != NULL ? atoi(by) : SIGSEGV);
    return -1;
}
