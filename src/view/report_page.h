/// The page that reports are made of.
#ifndef ZN_VIEW_REPORT_PAGE_H
#define ZN_VIEW_REPORT_PAGE_H

#include <stddef.h>

/// HTML with one line ZN_REPORT_MARK, in place of which the data go.
const char *zn_report_page(size_t *size);

#define ZN_REPORT_MARK "<!--zeno-data-->"

#endif
