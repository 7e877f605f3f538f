/// Options of a verb: --name value, --name=value, -n value; "--" ends them.
#ifndef ZENO_OPTIONS_H
#define ZENO_OPTIONS_H

#include <stdbool.h>

/// Borrowed texts in an owned array.
typedef struct text_list {
    int          count;
    const char **items;
} text_list;

typedef enum option_kind {
    OPTION_FLAG,     ///< bool
    OPTION_TEXT,     ///< const char *
    OPTION_OPTIONAL, ///< const char *, "" when given without "=value"
    OPTION_NUMBER,   ///< double
    OPTION_TIME,     ///< double, in seconds: "0.5", "500 ms"
    OPTION_STEP,     ///< step_option
    OPTION_LIST,     ///< text_list, may be given several times
    OPTION_MARK,     ///< text_list, gets "--name": keeps its place among the items of another option
} option_kind;

/// A time step [s], or with "cfl" behind the number that many critical steps.
typedef struct step_option {
    double value; ///< NaN: not given
    bool   cfl;
} step_option;

typedef struct option {
    const char *name;   ///< without the dashes
    char        letter; ///< short form, 0: none
    option_kind kind;
    void       *value;
} option;

/// Read argv[1] ... argv[argc - 1]; what is no option goes to `rest`. Prints what is wrong and returns false.
/// Lists are destroyed with text_list_free, whatever is returned.
bool options_parse(const char *verb, int count, const option *options, int argc, char **argv, text_list *rest);
bool text_list_push(text_list *list, const char *text); ///< false after a message: memory is exhausted
void text_list_free(text_list *list);

/// Folders of --allow-path: files that models may read there, beside their own folders. The same for all that one
/// command reads.
extern text_list allowed_paths;
#define OPTION_ALLOW_PATH                                                                                              \
    {                                                                                                                  \
        "allow-path", 0, OPTION_LIST, &allowed_paths                                                                   \
    }

/// A whole text as a finite number.
bool parse_number(const char *text, double *out);

/// argv as one line, as a shell would take it, behind "zeno". Destroy with free(); NULL when memory is exhausted.
char *command_line(int argc, char **argv);

#endif
