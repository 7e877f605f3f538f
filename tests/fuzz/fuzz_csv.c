// libFuzzer target: any bytes as a table of a load or motion. It is refused with a message, or its times increase and
// all its numbers are finite.
#include <math.h>

#include "io/csv_series.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int column = 2; column < 4; column++) {
        char          message[300] = "";
        zn_csv_series s = {0};
        if (zn_csv_series_parse((const char *)data, size, "input.csv", column, &s, message, sizeof message) != ZN_OK) {
            if (message[0] == '\0')
                __builtin_trap();
            continue;
        }
        for (int i = 0; i < s.count; i++)
            if (!isfinite(s.t[i]) || !isfinite(s.y[i]) || (i > 0 && !(s.t[i] > s.t[i - 1])))
                __builtin_trap();
        zn_csv_series_clear(&s);
    }
    return 0;
}
