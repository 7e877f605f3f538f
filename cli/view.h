/// Writing a report page and showing it.
#ifndef ZENO_VIEW_H
#define ZENO_VIEW_H

#include <stdbool.h>

/// Write the report about results and studies to `page` (NULL: the first of them with .html), print its path and open
/// it in a browser where there is one and `open` is true. Returns the exit status.
int view_files(int count, const char *const *files, const char *page, bool open, bool quiet);

#endif
