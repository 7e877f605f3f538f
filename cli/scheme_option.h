/// The value of --scheme: "NAME", "NAME:option=value,..." or ":option=value,...".
#ifndef ZENO_SCHEME_OPTION_H
#define ZENO_SCHEME_OPTION_H

#include <stdio.h>

#include "zn/scheme.h"

/// Change `scheme` as `text` says. Another scheme than the model's starts from the defaults; the same one, or none
/// before the colon, keeps what the model says. `scheme` borrows words from `memory`, a copy of the text, to be
/// destroyed with free(). Returns false after a message.
bool scheme_option_apply(const char *text, zn_scheme_def *scheme, char **memory);

/// All options with their values and meanings, for the help.
void scheme_options_print(FILE *out);

/// True for the name of an option of schemes, such as "theta".
bool scheme_option_is_known(const char *name);

#endif
