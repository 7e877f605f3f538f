// Running zeno-cad.
#include "cad_program.h"

#include "helper.h"
#include "terminal.h"

static const helper cad = {"zeno-cad", "ZENO_CAD", "cad", "reads STEP files with OpenCASCADE"};

bool cad_program_run(const char *step, double deflection, double seconds, cad_output *out)
{
    char data[64], triangles[64], size[64];
    *out = (cad_output){tmpfile(), tmpfile()};
    bool good = out->data != NULL && out->triangles != NULL;
    if (good) {
        snprintf(data, sizeof data, "/dev/fd/%d", fileno(out->data));
        snprintf(triangles, sizeof triangles, "/dev/fd/%d", fileno(out->triangles));
        snprintf(size, sizeof size, "%.17g", deflection);
        char *arguments[] = {NULL, (char *)step, data, triangles, size, NULL};
        good = helper_run(&cad, step, arguments, seconds);
    } else
        print_error("temporary files for zeno-cad cannot be made");
    if (!good)
        cad_output_close(out);
    return good;
}

void cad_output_close(cad_output *output)
{
    if (output->data != NULL)
        fclose(output->data);
    if (output->triangles != NULL)
        fclose(output->triangles);
    *output = (cad_output){0};
}
