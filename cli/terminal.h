/// Messages on the terminal: where they go and how they look.
#ifndef ZENO_TERMINAL_H
#define ZENO_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#include "zn/base.h"

typedef enum style { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_GOOD, STYLE_BAD, STYLE_CAUTION } style;

/// Escape sequence that turns a style on in `out` ("" when `out` shows no colours), and the one that ends it.
const char *style_on(FILE *out, style wanted);
const char *style_off(FILE *out);

/// A text that may come from a file, or be the name of one, as it may go to a terminal (zn_text_tame). The text itself
/// where it is harmless; else a copy, good until four others are made.
const char *tamed(const char *text);
/// May a file of this name be named in a model file that is written? False after a message.
bool        can_be_told(const char *file);
/// The title of a model, or its path where it has none.
const char *heading_of(const char *title, const char *path);

/// Messages of the library on standard error: those with a place as they are, others behind "error:" or "warning:".
zn_log terminal_log(void);

/// From now on messages go there; those for which it says false are printed all the same. NULL: all are printed.
void divert_messages(bool (*to)(zn_severity severity, const char *message));
/// Print a message as the log does.
void print_message(zn_severity severity, const char *message);

/// The library may tell why a state could not be evaluated (ZN_LOG_REASON). It is kept until the next error, whose line
/// it ends. Forget it when another state could be; tell it when no error came.
void forget_reason(void);
void tell_reason(void);

/// EXIT_NUMERIC where what was printed on standard output tells what did not converge.
int failed_as_printed(void);

/// At the end of the program: no failure without a message. Memory that ran out is nobody's input, whoever met it.
int last_words(int exit_status);

/// "error: ..." on standard error.
void print_error(const char *format, ...) ZN_PRINTF(1, 2);

/// Is `output` another file than `input`? Says so if not: writing the one would destroy the other.
bool spares(const char *output, const char *input);

/// Flush `out` and check that everything arrived (a full disk, a closed pipe).
bool finish_output(FILE *out);

#endif
