// Counting sort of points by cell: linear in their number, in an order that depends on nothing but the input.
#include "model/contact/point_grid.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"

static int most_cells(int count) { return 2 * count + 64; }

size_t zn_point_grid_bytes(int count) { return sizeof(int) * ((size_t)most_cells(count) + 1 + 2 * (size_t)count); }

static bool is_finite(zn_vec3 p) { return isfinite(p.x) && isfinite(p.y) && isfinite(p.z); }

static void bounds(int count, const zn_vec3 *point, zn_vec3 *low, zn_vec3 *high)
{
    bool any = false;
    *low = *high = (zn_vec3){0, 0, 0};
    for (int i = 0; i < count; i++) {
        if (!is_finite(point[i]))
            continue;
        if (!any)
            *low = *high = point[i];
        any = true;
        *low = (zn_vec3){fmin(low->x, point[i].x), fmin(low->y, point[i].y), fmin(low->z, point[i].z)};
        *high = (zn_vec3){fmax(high->x, point[i].x), fmax(high->y, point[i].y), fmax(high->z, point[i].z)};
    }
}

// Cells of the wanted size, or larger ones when there would be too many.
static void choose_cells(zn_point_grid *grid, zn_vec3 high, double size, int most)
{
    const double side[3] = {high.x - grid->low.x, high.y - grid->low.y, high.z - grid->low.z};
    double       total = INFINITY;
    for (grid->size = fmax(size, DBL_MIN); isfinite(grid->size); grid->size *= 1.5) {
        total = 1;
        for (int k = 0; k < 3; k++)
            total *= floor(side[k] / grid->size) + 1;
        if (total <= most)
            break;
    }
    for (int k = 0; k < 3; k++) // sides that overflow are not cut
        grid->cells[k] = total <= most ? (int)floor(side[k] / grid->size) + 1 : 1;
}

// Cell of a coordinate in one direction, held inside the grid.
static int cell_of(const zn_point_grid *grid, double distance, int direction)
{
    double cell = floor(distance / grid->size);
    return !(cell > 0) ? 0 : cell >= grid->cells[direction] ? grid->cells[direction] - 1 : (int)cell;
}

static int cell_at(const zn_point_grid *grid, zn_vec3 p)
{
    int i = cell_of(grid, p.x - grid->low.x, 0), j = cell_of(grid, p.y - grid->low.y, 1);
    return i + grid->cells[0] * (j + grid->cells[1] * cell_of(grid, p.z - grid->low.z, 2));
}

void zn_point_grid_build(int count, const zn_vec3 *point, double size, void *memory, zn_point_grid *out)
{
    ZN_ASSERT(count >= 0 && memory && out);
    zn_vec3 high;
    out->point = point;
    bounds(count, point, &out->low, &high);
    choose_cells(out, high, size, most_cells(count));
    int total = out->cells[0] * out->cells[1] * out->cells[2], *cell;
    out->start = memory;
    out->order = out->start + most_cells(count) + 1;
    cell = out->order + count;
    memset(out->start, 0, sizeof(int) * ((size_t)total + 1));
    for (int i = 0; i < count; i++) {
        cell[i] = is_finite(point[i]) ? cell_at(out, point[i]) : -1;
        if (cell[i] >= 0)
            out->start[cell[i] + 1]++;
    }
    for (int c = 0; c < total; c++)
        out->start[c + 1] += out->start[c];
    for (int i = count - 1; i >= 0; i--) // start[c + 1] runs down to start[c] of the result
        if (cell[i] >= 0)
            out->order[--out->start[cell[i] + 1]] = i;
    for (int c = 0; c < total; c++) // ends have become beginnings: shift them back
        out->start[c] = out->start[c + 1];
    int last = 0;
    for (int i = 0; i < count; i++)
        last += cell[i] >= 0;
    out->start[total] = last;
}

bool zn_point_grid_range(const zn_point_grid *grid, zn_vec3 low, zn_vec3 high, int first[3], int last[3])
{
    ZN_ASSERT(grid->start && first && last);
    const double from[3] = {low.x - grid->low.x, low.y - grid->low.y, low.z - grid->low.z};
    const double to[3] = {high.x - grid->low.x, high.y - grid->low.y, high.z - grid->low.z};
    for (int k = 0; k < 3; k++) {
        if (!(to[k] >= 0) || !(from[k] <= grid->size * grid->cells[k]))
            return false;
        first[k] = cell_of(grid, from[k], k);
        last[k] = cell_of(grid, to[k], k);
    }
    return true;
}

static bool is_in_box(zn_vec3 p, zn_vec3 low, zn_vec3 high)
{
    return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z;
}

void zn_point_grid_visit(const zn_point_grid *grid, int count, const zn_vec3 *x, double margin,
                         void (*visit)(void *user, int point), void *user)
{
    zn_vec3 low = x[0], high = x[0];
    int     first[3], last[3];
    for (int a = 1; a < count; a++) {
        low = (zn_vec3){fmin(low.x, x[a].x), fmin(low.y, x[a].y), fmin(low.z, x[a].z)};
        high = (zn_vec3){fmax(high.x, x[a].x), fmax(high.y, x[a].y), fmax(high.z, x[a].z)};
    }
    low = zn_vec3_sub(low, (zn_vec3){margin, margin, margin});
    high = zn_vec3_add(high, (zn_vec3){margin, margin, margin});
    if (!zn_point_grid_range(grid, low, high, first, last))
        return;
    for (int k = first[2]; k <= last[2]; k++)
        for (int j = first[1]; j <= last[1]; j++) {
            int row = grid->cells[0] * (j + grid->cells[1] * k);
            for (int e = grid->start[row + first[0]]; e < grid->start[row + last[0] + 1]; e++)
                if (is_in_box(grid->point[grid->order[e]], low, high))
                    visit(user, grid->order[e]);
        }
}
