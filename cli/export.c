// zeno export: results in other formats.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "options.h"
#include "simulation.h"
#include "terminal.h"
#include "zn/scene.h"

enum { FORMATS = 3 };

// A format, what it is called on the command line, how its files end, and where it goes when nothing is said.
typedef struct format {
    const char *option, *ending, *standard, *ask;
    zn_status (*write)(const zn_result *result, const char *target);
} format;

static zn_status with_scene(const zn_result *result, const char *target,
                            zn_status (*write)(zn_scene *scene, const char *target))
{
    zn_scene *scene;
    ZN_TRY(zn_scene_open(result, terminal_log(), &scene));
    zn_status status = write(scene, target);
    zn_scene_close(scene);
    return status;
}

static zn_status write_vtu(const zn_result *result, const char *target)
{
    return with_scene(result, target, zn_scene_export_vtu);
}

static zn_status write_xdmf(const zn_result *result, const char *target)
{
    return with_scene(result, target, zn_scene_export_xdmf);
}

static const format formats[FORMATS] = {
    {"csv", ".csv", "-", NULL, zn_result_export_csv},
    {"vtu", NULL, NULL, "into which folder? (zeno export RESULT --vtu FOLDER)", write_vtu},
    {"xdmf", ".xdmf", NULL, "into which file? (zeno export RESULT --xdmf FILE.xdmf)", write_xdmf},
};

static int export_to(const format *f, const char *path, const char *target)
{
    zn_result  *result;
    struct stat status;
    char        part[4096];
    snprintf(part, sizeof part, "%s.part", path);
    if (stat(path, &status) != 0 && stat(part, &status) == 0)
        path = part; // the run goes on, or was killed
    if (result_open(path, &result) != ZN_OK)
        return EXIT_INPUT;
    zn_status outcome = f->write(result, target);
    zn_result_close(result);
    return exit_of(outcome);
}

// What was asked for: formats, with or without a target, and a target for any of them.
typedef struct wish {
    const char *given[FORMATS], *output;
} wish;

static const format *format_of(const char *output)
{
    size_t length = strlen(output);
    for (int i = 0; i < FORMATS; i++) {
        size_t ending = formats[i].ending != NULL ? strlen(formats[i].ending) : 0;
        if (ending > 0 && length > ending && strcmp(output + length - ending, formats[i].ending) == 0)
            return &formats[i];
    }
    return NULL;
}

// The one format that was asked for, by its name or by the end of the file; NULL after a message.
static const format *chosen(const wish *w)
{
    const format *f = w->output != NULL ? format_of(w->output) : NULL;
    int           count = 0;
    for (int i = 0; i < FORMATS; i++)
        if (w->given[i] != NULL) {
            f = &formats[i];
            count++;
        }
    if (f != NULL && count <= 1)
        return f;
    print_error(count == 0 ? "to which format? (--csv, --vtu or --xdmf; -o FILE.csv or FILE.xdmf)"
                           : "one format at a time (zeno help export)");
    return NULL;
}

static int export_files(const text_list *rest, const wish *w)
{
    if (rest->count < 1) {
        print_error("which result? (zeno help export)");
        return EXIT_INPUT;
    }
    const format *f = chosen(w);
    if (f == NULL)
        return EXIT_INPUT;
    const char *named = w->given[f - formats] != NULL ? w->given[f - formats] : "";
    if (rest->count + (named[0] != '\0') + (w->output != NULL) > 2) {
        print_error("one result and one file at a time (zeno help export)");
        return EXIT_INPUT;
    }
    const char *target = w->output != NULL  ? w->output
                         : named[0] != '\0' ? named
                         : rest->count == 2 ? rest->items[1]
                                            : f->standard;
    if (target == NULL) {
        print_error("%s", f->ask);
        return EXIT_INPUT;
    }
    return export_to(f, rest->items[0], target);
}

static int export(int argc, char **argv)
{
    wish      w = {0};
    text_list rest = {0};
    option    table[FORMATS + 2] = {OPTION_ALLOW_PATH, {"output", 'o', OPTION_TEXT, &w.output}};
    for (int i = 0; i < FORMATS; i++)
        table[2 + i] = (option){formats[i].option, 0, OPTION_OPTIONAL, &w.given[i]};
    int status = options_parse("export", FORMATS + 2, table, argc, argv, &rest) ? export_files(&rest, &w) : EXIT_INPUT;
    text_list_free(&rest);
    return status;
}

const command export_command = {
    .name = "export",
    .summary = "convert results to CSV, VTU or XDMF",
    .help = "usage: zeno export RESULT --csv [FILE]\n"
            "       zeno export RESULT --vtu FOLDER\n"
            "       zeno export RESULT --xdmf FILE.xdmf\n"
            "\n"
            "Writes what RESULT holds for other programs. Works on files of running and of killed runs\n"
            "(.part) too.\n"
            "\n"
            "  --csv [FILE]      all series as one table to FILE, or to standard output: a header line\n"
            "                    \"t [s],name.component [unit],...\" and one line per recorded time\n"
            "  --vtu FOLDER      the frames for ParaView: scene.pvd and contacts.pvd, one VTU file of each\n"
            "                    per frame\n"
            "  --xdmf FILE.xdmf  the same as XDMF: FILE.xdmf and FILE-contacts.xdmf, their numbers in the\n"
            "                    HDF5 file FILE.xdmf.h5\n"
            "  -o, --output FILE the same as FILE behind one of these; .csv and .xdmf need no other word\n"
            "  --allow-path DIR  let the model of RESULT read files in this folder too, and below it; needed\n"
            "                    for files that are not beside RESULT and have changed\n"
            "\n"
            "examples:\n"
            "  zeno export bounce.zeno.h5 --csv bounce.csv\n"
            "  zeno export bounce.zeno.h5 --csv | head -3\n"
            "  zeno export bounce.zeno.h5 --vtu bounce\n",
    .run = export,
    .guarded = true,
};
