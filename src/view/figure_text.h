/// Text in figures: made valid, measured by estimate, cut to the room there is.
#ifndef ZN_VIEW_FIGURE_TEXT_H
#define ZN_VIEW_FIGURE_TEXT_H

#include <stddef.h>

enum { ZN_FIGURE_TEXT = 512 };

/// Copy of `text` (NULL: "") as valid UTF-8 without control characters, cut with an ellipsis to `room` pixels at font
/// size `size`. Returns `out`.
const char *zn_text_fit(const char *text, double size, double room, char out[ZN_FIGURE_TEXT]);

/// Width in pixels of valid UTF-8 in a wide sans-serif font; rather too much than too little.
double zn_text_width(const char *text, double size);

#endif
