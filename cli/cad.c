// zeno cad: mass, inertia, faces and triangles of CAD parts.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cad_print.h"
#include "cad_program.h"
#include "command.h"
#include "options.h"
#include "terminal.h"
#include "zn/io.h"

enum { HEAD_BYTES = 4096, DATA_MOST = 60 * 1024 * 1024 };

typedef struct cad_options {
    double      density, deflection, timeout; // NaN: not given
    const char *triangulation;
    bool        extract, ground;
    text_list   rest;
} cad_options;

// --- what is known -------------------------------------------------------------------------------

// A part with the text of its data and its triangles.
typedef struct part {
    char    digest[65];
    char   *stl, *yaml; // files beside it, whether they exist or not
    char   *text;
    FILE   *triangles;
    zn_cad *cad;
} part;

static void part_free(part *p)
{
    zn_cad_destroy(p->cad);
    free(p->stl);
    free(p->yaml);
    free(p->text);
    if (p->triangles != NULL)
        fclose(p->triangles);
}

static char *joined(const char *a, const char *b)
{
    char *text = malloc(strlen(a) + strlen(b) + 1);
    return text != NULL ? strcat(strcpy(text, a), b) : NULL;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

// Every STEP file has this word near its beginning.
static bool is_step(const char *path)
{
    static const char word[] = "ISO-10303-21";
    char              head[HEAD_BYTES + 1] = "";
    FILE             *file = fopen(path, "rb");
    size_t            size = file != NULL ? fread(head, 1, HEAD_BYTES, file) : 0;
    if (file != NULL)
        fclose(file);
    for (size_t i = 0; i + sizeof word - 1 <= size; i++)
        if (memcmp(head + i, word, sizeof word - 1) == 0)
            return true;
    print_error("%s: no STEP file: 'ISO-10303-21' does not stand at its beginning", path);
    return false;
}

// Data that lie beside and are of this content.
static bool take_extracted(const char *step, part *p)
{
    if (zn_cad_read(step, (zn_log){0}, &p->cad) != ZN_OK)
        return false;
    p->triangles = fopen(p->stl, "rb");
    if (p->triangles == NULL)
        p->cad = zn_cad_destroy(p->cad);
    return p->cad != NULL;
}

// The head of a data file, and behind it what zeno-cad found. NULL after a message.
static char *data_text(const char *step, const char *digest, const char *stl, FILE *data)
{
    char *text = calloc(1, HEAD_BYTES + DATA_MOST + 1);
    int   head =
        text == NULL
              ? 0
              : snprintf(text, HEAD_BYTES,
                         "# Made by 'zeno cad %s --extract' from the content with this digest. Lengths in m, axes of "
                           "the file;\n# inertia about the centre of mass for a density of 1 kg/m^3.\nzeno_cad: 1\n"
                           "sha256: %s\ntriangulation: '%s'\n",
                         name_of(step), digest, name_of(stl));
    size_t size = 0;
    rewind(data);
    if (head > 0 && head < HEAD_BYTES)
        size = fread(text + head, 1, DATA_MOST, data);
    if (size > 0 && size < DATA_MOST && !ferror(data) && memchr(text + head, '\0', size) == NULL)
        return text;
    print_error("%s: zeno-cad left %s", step, size < DATA_MOST ? "no data" : "more than 60 MB of data");
    free(text);
    return NULL;
}

static bool extract(const char *step, const cad_options *o, part *p)
{
    cad_output output;
    char       after[65];
    if (!cad_program_run(step, isnan(o->deflection) ? 0 : o->deflection, o->timeout, &output))
        return false;
    p->text = data_text(step, p->digest, p->stl, output.data);
    p->triangles = output.triangles;
    output.triangles = NULL;
    cad_output_close(&output);
    if (p->text == NULL || zn_file_digest(step, terminal_log(), after) != ZN_OK)
        return false;
    if (strcmp(after, p->digest) != 0) {
        print_error("%s: it changes while it is read", step);
        return false;
    }
    return zn_cad_parse(p->text, strlen(p->text), "data of zeno-cad", terminal_log(), &p->cad) == ZN_OK;
}

static bool open_part(const char *step, const cad_options *o, part *p)
{
    if (strpbrk(name_of(step), "'\n\r") != NULL) {
        print_error("%s: a name with a quote or a line break cannot stand in a model file", step);
        return false;
    }
    if (zn_file_digest(step, terminal_log(), p->digest) != ZN_OK || !is_step(step))
        return false;
    p->stl = joined(step, ".stl");
    p->yaml = joined(step, ".yaml");
    if (p->stl == NULL || p->yaml == NULL) {
        print_error("out of memory");
        return false;
    }
    return (!o->extract && isnan(o->deflection) && take_extracted(step, p)) || extract(step, o, p);
}

// --- files ---------------------------------------------------------------------------------------

static zn_status copy_to(const char *path, FILE *from)
{
    char         block[8192];
    zn_new_file *file;
    ZN_TRY(zn_new_file_open(path, terminal_log(), &file));
    rewind(from);
    for (size_t n; (n = fread(block, 1, sizeof block, from)) > 0;)
        fwrite(block, 1, n, zn_new_file_stream(file));
    return zn_new_file_close(file, ferror(from) ? ZN_ERR_IO : ZN_OK);
}

static zn_status write_text(const char *path, const char *text)
{
    zn_new_file *file;
    ZN_TRY(zn_new_file_open(path, terminal_log(), &file));
    fputs(text, zn_new_file_stream(file));
    return zn_new_file_close(file, ZN_OK);
}

// Triangles first: data without them would not do.
static bool write_files(const char *step, const cad_options *o, const part *p)
{
    if (o->triangulation != NULL &&
        (!spares(o->triangulation, step) || copy_to(o->triangulation, p->triangles) != ZN_OK))
        return false;
    if (!o->extract)
        return true;
    if (copy_to(p->stl, p->triangles) != ZN_OK || write_text(p->yaml, p->text) != ZN_OK)
        return false;
    fprintf(stderr, "%s and %s: %d solid%s, %d triangles\n", tamed(p->yaml), tamed(p->stl), p->cad->solid_count,
            p->cad->solid_count > 1 ? "s" : "", p->cad->whole.triangles);
    return true;
}

// --- the verb ------------------------------------------------------------------------------------

static bool check_options(const cad_options *o)
{
    if (o->rest.count != 1)
        print_error(o->rest.count == 0 ? "which part? (zeno help cad)" : "one part at a time (zeno help cad)");
    else if (!can_be_told(o->rest.items[0]) || (o->triangulation != NULL && !can_be_told(o->triangulation)))
        return false;
    else if (isnan(o->density) && !o->extract && o->triangulation == NULL)
        print_error("of which density? (zeno cad %s --density 7800)", o->rest.items[0]);
    else if (!isnan(o->density) && !(o->density > 0))
        print_error("--density: %g kg/m^3 is not positive", o->density);
    else if (!isnan(o->deflection) && !(o->deflection > 0))
        print_error("--deflection: %g m is not positive", o->deflection);
    else if (!(o->timeout > 0))
        print_error("--timeout: %g s is not positive", o->timeout);
    else
        return true;
    return false;
}

static int tell_part(const cad_options *o)
{
    const char *step = o->rest.items[0];
    part        p = {0};
    bool        good = open_part(step, o, &p) && write_files(step, o, &p);
    if (good && !isnan(o->density)) {
        cad_look look = {name_of(step), o->density, o->triangulation, o->ground};
        cad_print(stdout, p.cad, &look);
    }
    part_free(&p);
    return good && finish_output(stdout) ? EXIT_FINE : EXIT_INPUT;
}

static int cad(int argc, char **argv)
{
    cad_options  o = {.density = NAN, .deflection = NAN, .timeout = 300};
    const option options[] = {
        {"density", 0, OPTION_NUMBER, &o.density}, {"extract", 0, OPTION_FLAG, &o.extract},
        {"ground", 0, OPTION_FLAG, &o.ground},     {"triangulation", 0, OPTION_TEXT, &o.triangulation},
        {"timeout", 0, OPTION_NUMBER, &o.timeout}, {"deflection", 0, OPTION_NUMBER, &o.deflection},
    };
    int status = EXIT_INPUT;
    if (options_parse("cad", sizeof options / sizeof *options, options, argc, argv, &o.rest) && check_options(&o))
        status = tell_part(&o);
    text_list_free(&o.rest);
    return status;
}

const command cad_command = {
    .name = "cad",
    .summary = "mass, inertia and faces of a CAD part (STEP)",
    .help = "usage: zeno cad PART.step [--density RHO] [--ground] [--triangulation FILE.stl] [--extract]\n"
            "       [--deflection D] [--timeout SECONDS]\n"
            "\n"
            "Prints what a model file needs to know of each solid of a STEP file, in SI units and the axes\n"
            "of the file: mass, centre of mass, inertia about it, size, and its faces as planes, cylinders,\n"
            "bores, cones, spheres and tori with their extents (others with their area). Several solids:\n"
            "each by its name, and the whole.\n"
            "\n"
            "STEP files are read by zeno-cad, a program of its own on OpenCASCADE ('make cad'), unless their\n"
            "data have been extracted before and lie beside. It is sought in the environment (ZENO_CAD),\n"
            "beside zeno, in ../libexec/zeno and in the PATH.\n"
            "\n"
            "  --density RHO         density [kg/m^3]\n"
            "  --ground              faces for a part that rests: of no body, from the origin of the file\n"
            "  --triangulation FILE  write the surface as triangles (STL in metres): draw: {stl: FILE}\n"
            "  --extract             write PART.step.yaml and PART.step.stl, from which bodies with\n"
            "                        'cad: PART.step' take their mass and looks, without OpenCASCADE\n"
            "  --deflection D        of triangles from the surface, at most [m]; default: size/1000\n"
            "  --timeout SECONDS     end zeno-cad after that time; default 300\n"
            "\n"
            "Exit status: 0 all well, 2 the file cannot be read, or is no STEP file with solids.\n"
            "\n"
            "examples:\n"
            "  zeno cad lever.step --density 7800\n"
            "  zeno cad lever.step --extract\n",
    .run = cad,
};
