// zeno-mjcf FILE.xml OUTPUT PART [FOLDER...]: an MJCF scene, as MuJoCo compiles it, written as a model file. PART is 1
// for a file without gravity and run; files of the scene may be in FOLDERs, too. Messages go to the standard error, one
// line.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reading.h"
#include "scene.h"

static FILE *messages; // standard error; nobody else writes there

static void say_error(const char *message)
{
    fprintf(messages, "%s\n", reading_refused()[0] != '\0' ? reading_refused() : message);
    exit(1);
}

// Libraries that MuJoCo uses tell their troubles in many lines.
static bool silence_others(void)
{
    messages = fdopen(dup(STDERR_FILENO), "w");
    return messages != NULL && freopen("/dev/null", "w", stderr) != NULL;
}

// Otherwise they go to a file MUJOCO_LOG.TXT in the working folder.
static void drop_warning(const char *message) { (void)message; }

int main(int argc, char **argv)
{
    char why[400] = "";
    if (argc < 4)
        return fputs("usage: zeno-mjcf FILE.xml OUTPUT PART [FOLDER...]\n", stderr), 2;
    if (!silence_others())
        return 2;
    mju_user_error = say_error;
    mju_user_warning = drop_warning;
    if (!reading_begin(argv[1], argv[2], argc - 4, argv + 4, why, sizeof why) ||
        !scene_import(argv[1], argv[2], strcmp(argv[3], "1") == 0, why, sizeof why) || reading_refused()[0] != '\0')
        say_error(why);
    return 0;
}
