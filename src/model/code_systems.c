// Systems in minimal coordinates that come compiled in: gallery problems whose model is code.
#include "zn/model.h"

extern const zn_code_system zn_slider_crank;

static const zn_code_system *const table[] = {
    &zn_slider_crank, // gallery/slider-crank/model.c
};

enum { SYSTEMS = sizeof table / sizeof *table };

int                   zn_code_system_count(void) { return SYSTEMS; }
const zn_code_system *zn_code_system_at(int index) { return index >= 0 && index < SYSTEMS ? table[index] : NULL; }
