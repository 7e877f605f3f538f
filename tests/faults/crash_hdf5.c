// Preloaded: HDF5 crashes when the first values are read.
#include <signal.h>

int H5Dread(void);

int H5Dread(void)
{
    raise(SIGSEGV);
    return -1;
}
