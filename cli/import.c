// zeno import: a model file from a robot (URDF), a part (STL, OBJ) or a scene (MJCF).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "command.h"
#include "helper.h"
#include "options.h"
#include "terminal.h"
#include "zn/io.h"

enum { PATH_BYTES = 4096 };

typedef struct import_options {
    double      scale, density, timeout; // NaN: not given
    const char *output;
    bool        hull, part, floating;
    text_list   set, rest;
} import_options;

// "joint=value", in which the name becomes a text of its own.
static bool read_values(const text_list *set, zn_parameter *values)
{
    for (int i = 0; i < set->count; i++) {
        const char *sign = strrchr(set->items[i], '=');
        if (sign == NULL || sign == set->items[i] || !parse_number(sign + 1, &values[i].value)) {
            print_error("--set %s: expected JOINT=NUMBER, in rad or m", set->items[i]);
            return false;
        }
        size_t length = (size_t)(sign - set->items[i]);
        values[i].name = calloc(1, length + 1);
        if (values[i].name == NULL) {
            print_error("out of memory");
            return false;
        }
        memcpy(values[i].name, set->items[i], length);
    }
    return true;
}

// NAME.yaml in the working folder, unless there is one: it may have been edited.
static bool choose_output(const char *file, char path[PATH_BYTES])
{
    const char *slash = strrchr(file, '/'), *name = slash != NULL ? slash + 1 : file, *dot = strrchr(name, '.');
    int         length = dot != NULL && dot > name ? (int)(dot - name) : (int)strlen(name);
    snprintf(path, PATH_BYTES, "%.*s.yaml", length < PATH_BYTES - 10 ? length : 0, name);
    if (access(path, F_OK) != 0)
        return true;
    if (strcmp(path, file) == 0)
        print_error("%s: this is no robot (URDF), part (STL, OBJ) or scene (MJCF); a model file needs no import", file);
    else
        print_error("%s: it is there already; '-o %s' writes over it", path, path);
    return false;
}

static bool ends_with(const char *file, const char *end)
{
    size_t length = strlen(file), more = strlen(end);
    return length > more && strcasecmp(file + length - more, end) == 0;
}

// Which option says nothing to this file? NULL: all do.
static const char *idle_option(const import_options *o)
{
    const char *file = o->rest.items[0];
    bool        robot = ends_with(file, ".urdf"), part = ends_with(file, ".stl") || ends_with(file, ".obj");
    bool        scene = ends_with(file, ".xml");
    return o->set.count > 0 && !robot        ? "--set"
           : o->floating && !robot           ? "--free"
           : !isnan(o->scale) && !part       ? "--scale"
           : !isnan(o->density) && !part     ? "--density"
           : !isnan(o->timeout) && !scene    ? "--timeout"
           : o->hull && !robot && !part      ? "--hull"
           : allowed_paths.count > 0 && part ? "--allow-path"
                                             : NULL;
}

static bool check_options(const import_options *o)
{
    if (o->rest.count != 1)
        print_error(o->rest.count == 0 ? "which file? (zeno help import)" : "one file at a time (zeno help import)");
    else if (idle_option(o) != NULL)
        print_error("%s: it has no meaning for '%s' (zeno help import)", idle_option(o), o->rest.items[0]);
    else if (!can_be_told(o->rest.items[0]))
        return false;
    else if (!isnan(o->scale) && !(o->scale > 0))
        print_error("--scale: %g is not positive", o->scale);
    else if (!isnan(o->density) && !(o->density > 0))
        print_error("--density: %g kg/m^3 is not positive", o->density);
    else if (!isnan(o->timeout) && !(o->timeout > 0))
        print_error("--timeout: %g s is not positive", o->timeout);
    else
        return true;
    return false;
}

// MJCF is read by MuJoCo, in a process of its own.
static zn_status write_scene(const zn_import_def *def, double seconds, FILE *out)
{
    static const helper mjcf = {"zeno-mjcf", "ZENO_MJCF", "mjcf", "reads MJCF files with MuJoCo"};
    char                path[64], block[8192];
    FILE               *data = tmpfile();
    if (data == NULL) {
        print_error("temporary files for zeno-mjcf cannot be made");
        return ZN_ERR_IO;
    }
    snprintf(path, sizeof path, "/dev/fd/%d", fileno(data));
    bool   good = false;
    char **arguments = calloc((size_t)def->allow_count + 5, sizeof *arguments);
    if (arguments != NULL) {
        arguments[1] = (char *)def->file;
        arguments[2] = path;
        arguments[3] = def->part ? "1" : "0";
        for (int i = 0; i < def->allow_count; i++)
            arguments[4 + i] = (char *)def->allow[i];
        good = helper_run(&mjcf, def->file, arguments, isnan(seconds) ? 300 : seconds);
    } else
        print_error("out of memory");
    free(arguments);
    rewind(data);
    for (size_t n; good && (n = fread(block, 1, sizeof block, data)) > 0;)
        fwrite(block, 1, n, out);
    fclose(data);
    return good ? ZN_OK : ZN_ERR_MODEL;
}

static zn_status write_model(const zn_import_def *def, double seconds)
{
    zn_new_file *file;
    ZN_TRY(zn_new_file_open(def->output, terminal_log(), &file));
    FILE *out = zn_new_file_stream(file);
    return zn_new_file_close(file, ends_with(def->file, ".xml") ? write_scene(def, seconds, out)
                                                                : zn_import(def, terminal_log(), out));
}

static int import_file(const import_options *o, const zn_parameter *values)
{
    char        path[PATH_BYTES];
    const char *file = o->rest.items[0];
    if (o->output == NULL && !choose_output(file, path))
        return EXIT_INPUT;
    zn_import_def def = zn_import_def_default();
    def.file = file;
    def.output = o->output != NULL ? o->output : path;
    def.part = o->part;
    def.hull = o->hull;
    def.free_root = o->floating;
    def.scale = o->scale;
    def.density = o->density;
    def.value_count = o->set.count;
    def.values = values;
    def.allow_count = allowed_paths.count;
    def.allow = allowed_paths.items;
    if (!spares(def.output, file))
        return EXIT_INPUT;
    zn_status status = write_model(&def, o->timeout);
    if (status == ZN_OK)
        fprintf(stderr, "%s\n", tamed(def.output));
    return exit_of(status);
}

static int import(int argc, char **argv)
{
    import_options o = {.scale = NAN, .density = NAN, .timeout = NAN};
    const option   options[] = {
          {"output", 'o', OPTION_TEXT, &o.output},
          {"part", 0, OPTION_FLAG, &o.part},
          {"hull", 0, OPTION_FLAG, &o.hull},
          {"free", 0, OPTION_FLAG, &o.floating},
          {"set", 0, OPTION_LIST, &o.set},
          {"scale", 0, OPTION_NUMBER, &o.scale},
          {"density", 0, OPTION_NUMBER, &o.density},
          {"timeout", 0, OPTION_NUMBER, &o.timeout},
          OPTION_ALLOW_PATH,
    };
    int           status = EXIT_INPUT;
    bool          good = options_parse("import", sizeof options / sizeof *options, options, argc, argv, &o.rest);
    zn_parameter *values = calloc((size_t)o.set.count + 1, sizeof *values);
    if (values == NULL)
        print_error("out of memory");
    else if (good && check_options(&o) && read_values(&o.set, values))
        status = import_file(&o, values);
    for (int i = 0; i < o.set.count && values != NULL; i++)
        free(values[i].name);
    free(values);
    text_list_free(&o.set);
    text_list_free(&o.rest);
    return status;
}

const command import_command = {
    .name = "import",
    .summary = "model file from a robot (URDF), a part (STL, OBJ) or a scene (MJCF)",
    .help =
        "usage: zeno import ROBOT.urdf [-o MODEL.yaml] [--set JOINT=VALUE]... [--free] [--hull] [--part]\n"
        "       zeno import PART.stl|PART.obj [-o MODEL.yaml] [--scale S] [--density RHO] [--hull] [--part]\n"
        "       zeno import SCENE.xml [-o MODEL.yaml] [--part] [--timeout SECONDS]\n"
        "\n"
        "Writes an ordinary model file, to be read and changed. What has no counterpart is left out and\n"
        "told in its first lines; what is unknown is an error with its line.\n"
        "\n"
        "A robot becomes bodies, shapes (<collision>), looks (<visual>, where nothing can be touched) and\n"
        "joints with their limits, damping and friction. Links that are fixed to each other are one body,\n"
        "those fixed to the root belong to the ground. Nothing touches and nothing drives until you say so.\n"
        "\n"
        "A part becomes one body with the mass of its volume, over a floor.\n"
        "\n"
        "A scene in MJCF is read by zeno-mjcf, a program of its own on MuJoCo ('make mjcf'). It is sought in\n"
        "the environment (ZENO_MJCF), beside zeno, in ../libexec/zeno and in the PATH.\n"
        "\n"
        "  -o, --output FILE     model file; default: NAME.yaml here, if there is none yet\n"
        "  --set JOINT=VALUE     angle [rad] or displacement [m] of a joint at the start; default: 0\n"
        "  --free                the root of a robot is a body of its own, not the ground\n"
        "  --allow-path DIR      let files that a robot or a scene names be in this folder too, and below it; by\n"
        "                        itself they are read in the folder of its file and below; a robot's in its package\n"
        "  --hull                convex hulls in place of meshes\n"
        "  --part                without gravity and run, for 'include' in another model file\n"
        "  --scale S             of a part: metres of one unit of its file; default: 0.001\n"
        "  --density RHO         of a part [kg/m^3]; default: 1000\n"
        "  --timeout SECONDS     end zeno-mjcf after that time; default: 300\n"
        "\n"
        "Exit status: 0 all well, 2 the file cannot be read or has a fault.\n"
        "\n"
        "examples:\n"
        "  zeno import arm.urdf --set elbow=1.2 -o arm.yaml\n"
        "  zeno import bracket.stl --density 7850\n",
    .run = import,
};
