/// zeno plot --surface: a field over place and time.
#ifndef ZENO_PLOT_SURFACE_H
#define ZENO_PLOT_SURFACE_H

#include "options.h"
#include "zn/view.h"

typedef struct surface_request {
    const zn_result *result;
    const text_list *y;           ///< values from place to place; a record of several columns gives them all
    int64_t          first, rows; ///< to show
    const char      *places;      ///< "A:B", of the first and the last; NULL: they are counted from 0
    const char      *title, *time_label, *label, *place_label; ///< NULL: by default
    int              width, height;
    const char      *output;
} surface_request;

/// False after a message.
bool plot_surface(const surface_request *request);

#endif
