// What cells of a kind share.
#include "model/element/element.h"

double zn_cell_length(const zn_element_block *b, int e, const zn_vec3 *X)
{
    return zn_vec3_norm(zn_vec3_sub(X[b->node[2 * e + 1]], X[b->node[2 * e]]));
}
