// zeno export: results in other formats.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "options.h"
#include "terminal.h"
#include "zn/io.h"

static int export_csv(const char *path, const char *target)
{
    zn_result *result;
    zn_status status = zn_result_open(path, terminal_log(), &result);
    if (status != ZN_OK)
        return EXIT_INPUT;
    status = zn_result_export_csv(result, target);
    zn_result_close(result);
    return exit_of(status);
}

static int export(int argc, char **argv)
{
    const char *csv = NULL;
    text_list rest = {0};
    const option table[] = {{"csv", 0, OPTION_OPTIONAL, &csv}};
    int status = EXIT_INPUT;
    if (!options_parse("export", 1, table, argc, argv, &rest))
        status = EXIT_INPUT;
    else if (rest.count < 1 || csv == NULL)
        print_error(rest.count < 1 ? "which result? (zeno help export)" : "to which format? (--csv)");
    else if (rest.count > 2 || (rest.count == 2 && csv[0] != '\0'))
        print_error("one result and one file at a time (zeno help export)");
    else
        status = export_csv(rest.items[0], csv[0] != '\0' ? csv : rest.count == 2 ? rest.items[1] : "-");
    text_list_free(&rest);
    return status;
}

const command export_command = {
    .name = "export",
    .summary = "convert results to CSV",
    .help = "usage: zeno export RESULT --csv [FILE]\n"
            "\n"
            "Writes all series of RESULT as one table to FILE, or to standard output: a header line\n"
            "\"t [s],name.component [unit],...\" and one line per recorded time, with all digits.\n"
            "Works on files of running and of killed runs (.part) too.\n"
            "\n"
            "examples:\n"
            "  zeno export bounce.zeno.h5 --csv bounce.csv\n"
            "  zeno export bounce.zeno.h5 --csv | head -3\n",
    .run = export,
};
