// libFuzzer target: any bytes as a URDF file. Whatever they are, the reader returns a status, leaks nothing and does
// nothing undefined; what it accepts is written, and has no number in it that is none.
#include <stdlib.h>
#include <string.h>

#include "io/robot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_robot(const zn_robot *robot, bool part)
{
    char  *text = NULL;
    size_t length = 0;
    FILE  *out = open_memstream(&text, &length);
    if (out == NULL)
        return;
    zn_robot_write(robot, "input.urdf", part, out);
    fclose(out);
    if (length == 0 || strstr(text, ": nan") != NULL || strstr(text, "[nan") != NULL || strstr(text, ", nan") != NULL ||
        strstr(text, "inf]") != NULL)
        __builtin_trap();
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int way = 0; way < 2; way++) {
        char     message[500] = "";
        zn_robot robot;
        bool good = zn_urdf_parse((const char *)data, size, "input.urdf", &robot, message, sizeof message) == ZN_OK &&
                    zn_robot_place(&robot, "input.urdf", way == 1, message, sizeof message) == ZN_OK;
        if (good)
            write_robot(&robot, way == 1);
        else if (message[0] == '\0')
            __builtin_trap();
        zn_robot_clear(&robot);
    }
    return 0;
}
