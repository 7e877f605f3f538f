// make_hostile FILE WHERE KIND SECRET: replaces an attribute ("object@name") or dataset of a result file, see
// hostile_files.h.
#include <stdbool.h>
#include <stdio.h>

#include "hostile_files.h"

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    hostile_kind kind = (hostile_kind)atoi(argv[3]);
    bool         attribute = strchr(argv[2], '@') != NULL;
    if (kind < 0 || kind >= (attribute ? HOSTILE_VALUES : HOSTILE_KINDS))
        return 2;
    bool ok = attribute ? hostile_attribute(argv[1], argv[2], kind) : hostile_dataset(argv[1], argv[2], kind, argv[4]);
    return ok ? 0 : 1;
}
