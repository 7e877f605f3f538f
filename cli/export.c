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

// A format, what it is called on the command line, and where it goes when nothing is said.
typedef struct format {
    const char *option, *standard, *ask;
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
    {"csv", "-", NULL, zn_result_export_csv},
    {"vtu", NULL, "into which folder? (zeno export RESULT --vtu FOLDER)", write_vtu},
    {"xdmf", NULL, "into which file? (zeno export RESULT --xdmf FILE.xdmf)", write_xdmf},
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

// The one format that was asked for; NULL after a message.
static const format *chosen(const char *const *given)
{
    const format *f = NULL;
    int           count = 0;
    for (int i = 0; i < FORMATS; i++)
        if (given[i] != NULL) {
            f = &formats[i];
            count++;
        }
    if (count == 1)
        return f;
    print_error(count == 0 ? "to which format? (--csv, --vtu or --xdmf)" : "one format at a time (zeno help export)");
    return NULL;
}

static int export_files(const text_list *rest, const char *const *given)
{
    if (rest->count < 1) {
        print_error("which result? (zeno help export)");
        return EXIT_INPUT;
    }
    const format *f = chosen(given);
    if (f == NULL)
        return EXIT_INPUT;
    const char *value = given[f - formats];
    if (rest->count > 2 || (rest->count == 2 && value[0] != '\0')) {
        print_error("one result and one file at a time (zeno help export)");
        return EXIT_INPUT;
    }
    const char *target = value[0] != '\0' ? value : rest->count == 2 ? rest->items[1] : f->standard;
    if (target == NULL) {
        print_error("%s", f->ask);
        return EXIT_INPUT;
    }
    return export_to(f, rest->items[0], target);
}

static int export(int argc, char **argv)
{
    const char *given[FORMATS] = {NULL};
    text_list   rest = {0};
    option      table[FORMATS + 1] = {OPTION_ALLOW_PATH};
    for (int i = 0; i < FORMATS; i++)
        table[1 + i] = (option){formats[i].option, 0, OPTION_OPTIONAL, &given[i]};
    int status =
        options_parse("export", FORMATS + 1, table, argc, argv, &rest) ? export_files(&rest, given) : EXIT_INPUT;
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
