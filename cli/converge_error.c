// Errors of the runs of a study of convergence, what they are compared with, and their order.
#include <stdlib.h>
#include <string.h>

#include "converge.h"

enum { BETWEEN = 8 };

// --- reference -----------------------------------------------------------------------------------

const zn_closed_form *converge_closed(const zn_problem *p, const char *quantity)
{
    for (int i = 0; i < p->closed_form_count; i++)
        if (strcmp(p->closed_forms[i].record, quantity) == 0)
            return &p->closed_forms[i];
    return NULL;
}

size_t converge_reference_size(int64_t rows, int quantities)
{
    return sizeof(converge_reference) + (size_t)rows * (size_t)(1 + quantities) * sizeof(double);
}

void converge_keep(const converge_study *s, const bool *closed, const study_run *run, converge_reference *out)
{
    const memory_record *r = &run->record;
    int                  column;
    out->failed = run->status != ZN_OK;
    memcpy(out->message, run->message, sizeof out->message);
    if (!out->failed && r->rows > out->room) {
        out->failed = true;
        snprintf(out->message, sizeof out->message, "no memory for its rows");
    }
    out->rows = out->failed ? 0 : r->rows;
    if (out->rows > 0)
        memcpy(out->values, r->t, (size_t)out->rows * sizeof(double));
    for (int i = 0; i < s->quantities.count && !out->failed; i++) {
        double *values = out->values + out->room * (1 + i);
        if (closed[i])
            continue;
        if (!memory_record_column(r, s->quantities.items[i], &column, out->message, sizeof out->message))
            out->failed = true;
        for (int64_t k = 0; k < out->rows && !out->failed; k++)
            values[k] = r->values[k * r->columns + column];
    }
}

// --- errors --------------------------------------------------------------------------------------

static void refuse(converge_error *e, const char *message)
{
    e->failed = true;
    snprintf(e->message, sizeof e->message, "%s", message);
}

// What a quantity is compared with.
typedef struct comparison {
    const zn_closed_form     *form; // NULL: the run
    const converge_reference *run;
    int                       quantity;
} comparison;

static double reference_at(const comparison *c, double t)
{
    const converge_reference *r = c->run;
    return c->form != NULL ? zn_signal_at(c->form->value, t)
                           : zn_interpolate(r->rows, r->values, r->values + r->room * (1 + c->quantity), 1, t);
}

bool converge_wants(const converge_study *s, int norm)
{
    for (int i = 0; i < s->norm_count; i++)
        if (s->norms[i] == norm)
            return true;
    return false;
}

// Distance of the graphs over `rows` rows. The reference is also looked at between them, where it may jump; times are
// measured by the length of the window, values by the range of the reference.
static zn_status measure_graph(const comparison *c, int64_t rows, const double *t, const double *values, double *out)
{
    int64_t count = (rows - 1) * BETWEEN + 1;
    double *grid = calloc(3 * (size_t)count, sizeof *grid), *own = grid + count, *other = own + count;
    double  least = INFINITY, most = -INFINITY;
    if (grid == NULL)
        return ZN_ERR_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        int64_t k = i / BETWEEN < rows - 1 ? i / BETWEEN : rows - 2;
        double  s = (double)(i - k * BETWEEN) / BETWEEN;
        grid[i] = s < 1 ? t[k] + s * (t[k + 1] - t[k]) : t[k + 1];
        own[i] = (1 - s) * values[k] + s * values[k + 1];
        other[i] = reference_at(c, grid[i]);
        least = fmin(least, other[i]);
        most = fmax(most, other[i]);
    }
    double    range = most > least ? most - least : fabs(most);
    zn_status status =
        zn_graph_distance(count, grid, own, other, grid[count - 1] - grid[0], range > 0 ? range : 1, out);
    free(grid);
    return status;
}

// Errors of the rows in the window; both arrays have room for all rows.
static void measure_error(const converge_study *s, const comparison *c, const study_run *run, double *values,
                          double *reference, converge_error *out)
{
    const memory_record *r = &run->record;
    int                  column = 0;
    int64_t              count = 0, first = 0;
    double               graph = NAN;
    zn_norms             n;
    if (c->form == NULL && c->run->failed) {
        char message[STUDY_MESSAGE];
        snprintf(message, sizeof message, "no reference: %.200s", c->run->message);
        refuse(out, message);
        return;
    }
    if (!memory_record_column(r, s->quantities.items[c->quantity], &column, out->message, sizeof out->message)) {
        out->failed = true;
        return;
    }
    const zn_sim_def *def = zn_sim_get_def(run->simulation.sim);
    double            last = run->simulation.def.until + 1e-6 * def->step; // runs may end later, at a coarse time
    for (int64_t i = 0; i < r->rows; i++)
        if (r->t[i] >= s->from && r->t[i] <= s->to && r->t[i] <= last) {
            first = count == 0 ? i : first;
            values[count] = r->values[i * r->columns + column];
            reference[count++] = reference_at(c, r->t[i]);
        }
    zn_status status = zn_error_norms(count, def->step * def->record_every, values, reference, &n);
    if (status == ZN_OK && count > 1 && converge_wants(s, NORM_HAUSDORFF))
        status = measure_graph(c, count, r->t + first, values, &graph);
    if (status != ZN_OK)
        refuse(out, count == 0 ? "no row lies in the window" : "the quantity or its reference is not finite");
    else
        memcpy(out->norm, (double[NORMS]){n.uniform, n.l1, n.l2, n.rel_l1, graph}, sizeof out->norm);
}

void converge_measure(const converge_study *s, const bool *closed, const converge_reference *finer,
                      const study_run *run, converge_row *row, converge_error *errors)
{
    const zn_certificate *c = &run->record.certificate;
    const zn_iterations   stages[STAGES] = {c->newton_iterations, c->projection_iterations, c->activation_iterations,
                                            c->solver_iterations};
    double               *values = calloc((size_t)run->record.rows + 1, sizeof *values);
    double               *reference = calloc((size_t)run->record.rows + 1, sizeof *reference);
    for (int i = 0; i < STAGES; i++) {
        row->average[i] = study_average(&run->record, stages[i]);
        row->largest[i] = stages[i].max;
    }
    row->seconds = c->loop_seconds;
    for (int i = 0; i < s->quantities.count; i++) {
        comparison with = {.run = finer, .quantity = i};
        if (closed[i])
            with.form = converge_closed(run->simulation.problem, s->quantities.items[i]);
        if (values != NULL && reference != NULL)
            measure_error(s, &with, run, values, reference, &errors[i]);
        else
            refuse(&errors[i], "out of memory");
    }
    free(values);
    free(reference);
}

// --- order ---------------------------------------------------------------------------------------

bool converge_fit(const converge_study *s, int scheme, int quantity, int norm, zn_order *out)
{
    double *steps = calloc(2 * (size_t)s->step_count, sizeof *steps), *errors = steps + s->step_count;
    int     count = 0;
    if (steps == NULL)
        return false;
    for (int i = 0; i < s->step_count; i++) {
        const converge_error *e = error_of(s, scheme, i, quantity);
        if (row_of(s, scheme, i)->failed || e->failed)
            continue;
        steps[count] = row_of(s, scheme, i)->step;
        errors[count++] = e->norm[norm];
    }
    zn_status status = zn_fit_order(count, steps, errors, out);
    free(steps);
    return status == ZN_OK;
}
