// Statistics of a sample x_1 ... x_n:
//     mean = sum x / n,  deviation^2 = sum (x - mean)^2 / (n - 1),  error = deviation / sqrt(n),
// quantiles linear between the sorted values, the k-th of which (from 0) has the level k / (n - 1). Sums run over the
// sorted values, so that the order of the sample does not matter. The histogram has 1 + log2 n bins (Sturges), one for
// each number where all are whole.
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

#include "terminal.h"

const double quantile_levels[QUANTILES] = {0.05, 0.25, 0.5, 0.75, 0.95};

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(int count, const double *sorted, double level)
{
    double place = level * (count - 1);
    int    k = (int)place < count - 1 ? (int)place : count - 1;
    double s = place - k;
    return s > 0 ? (1 - s) * sorted[k] + s * sorted[k + 1] : sorted[k];
}

static bool are_whole(int count, const double *x)
{
    for (int i = 0; i < count; i++)
        if (x[i] != floor(x[i]))
            return false;
    return true;
}

// Bins of whole numbers have a whole width, 1 if possible.
static void fill_bins(int count, const double *sorted, statistics *out)
{
    double range = out->greatest - out->least, width = range;
    int    wanted = 1;
    out->whole = range < 1e9 && are_whole(count, sorted);
    if (out->whole) {
        width = ceil((range + 1) / BINS_MOST);
        wanted = (int)ceil((range + 1) / width);
    } else if (range > 0 && isfinite(range)) {
        wanted = 1 + (int)ceil(log2(count));
        width = range / wanted;
    }
    out->bin_count = wanted < BINS_MOST ? wanted : BINS_MOST;
    for (int i = 0; i <= out->bin_count; i++)
        out->edges[i] = out->least + i * width;
    if (!out->whole)
        out->edges[out->bin_count] = out->greatest;
    for (int i = 0, bin = 0; i < count; i++) {
        while (bin < out->bin_count - 1 && sorted[i] >= out->edges[bin + 1])
            bin++;
        out->bins[bin]++;
    }
}

bool statistics_of(int count, const double *values, statistics *out)
{
    double *sorted = malloc(((size_t)count + 1) * sizeof *sorted), sum = 0, squares = 0;
    *out = (statistics){.mean = NAN, .error = NAN, .deviation = NAN, .least = NAN, .greatest = NAN};
    for (int i = 0; i < QUANTILES; i++)
        out->quantiles[i] = NAN;
    if (sorted == NULL)
        return false;
    for (int i = 0; i < count; i++)
        if (isnan(values[i]))
            out->missing++;
        else
            sorted[out->count++] = values[i];
    int n = out->count;
    if (n > 0) {
        qsort(sorted, (size_t)n, sizeof *sorted, compare);
        for (int i = 0; i < n; i++)
            sum += sorted[i];
        out->mean = sum / n;
        for (int i = 0; i < n; i++)
            squares += (sorted[i] - out->mean) * (sorted[i] - out->mean);
        out->deviation = n > 1 ? sqrt(squares / (n - 1)) : NAN;
        out->error = out->deviation / sqrt(n);
        out->least = sorted[0];
        out->greatest = sorted[n - 1];
        for (int i = 0; i < QUANTILES; i++)
            out->quantiles[i] = quantile(n, sorted, quantile_levels[i]);
        fill_bins(n, sorted, out);
    }
    free(sorted);
    return true;
}

// --- text ----------------------------------------------------------------------------------------

static void print_histogram(const statistics *s)
{
    enum { LENGTH = 40 };
    int most = 1;
    for (int i = 0; i < s->bin_count; i++)
        most = s->bins[i] > most ? s->bins[i] : most;
    for (int i = 0; i < s->bin_count; i++) {
        int length = (int)lround((double)s->bins[i] * LENGTH / most);
        printf("  %12.6g  %6d%s", s->edges[i], s->bins[i], s->bins[i] > 0 ? "  " : "");
        for (int k = 0; k < length || (k == 0 && s->bins[i] > 0); k++)
            putchar('#');
        putchar('\n');
    }
    if (!s->whole)
        printf("  %12.6g\n", s->greatest);
}

void statistics_print(const statistics *s)
{
    printf("  %d values", s->count);
    if (s->missing > 0)
        printf(", %d missing", s->missing);
    putchar('\n');
    if (s->count == 0)
        return;
    printf("  mean %.6g", s->mean);
    if (s->count > 1)
        printf(" +- %.2g, deviation %.6g", s->error, s->deviation);
    printf("\n%s  %10s", style_on(stdout, STYLE_DIM), "least");
    for (int i = 0; i < QUANTILES; i++)
        printf("  %8.0f %%", 100 * quantile_levels[i]);
    printf("  %10s%s\n  %10.6g", "greatest", style_off(stdout), s->least);
    for (int i = 0; i < QUANTILES; i++)
        printf("  %10.6g", s->quantiles[i]);
    printf("  %10.6g\n", s->greatest);
    print_histogram(s);
}

// --- files ---------------------------------------------------------------------------------------

void statistics_json(json_writer *w, const statistics *s)
{
    double bins[BINS_MOST];
    json_count(w, "count", s->count);
    json_count(w, "missing", s->missing);
    json_number(w, "mean", s->mean);
    json_number(w, "error", s->error);
    json_number(w, "deviation", s->deviation);
    json_number(w, "least", s->least);
    json_number(w, "greatest", s->greatest);
    json_list(w, "levels", QUANTILES, quantile_levels);
    json_list(w, "quantiles", QUANTILES, s->quantiles);
    for (int i = 0; i < s->bin_count; i++)
        bins[i] = s->bins[i];
    json_list(w, "edges", s->bin_count > 0 ? s->bin_count + 1 : 0, s->edges);
    json_list(w, "histogram", s->bin_count, bins);
}

void statistics_csv_names(FILE *out)
{
    fputs("count,missing,mean,error,deviation,least", out);
    for (int i = 0; i < QUANTILES; i++)
        fprintf(out, ",q%02.0f", 100 * quantile_levels[i]);
    fputs(",greatest", out);
}

static void put_number(FILE *out, double value) { fprintf(out, isnan(value) ? "," : ",%.17g", value); }

void statistics_csv(FILE *out, const statistics *s)
{
    fprintf(out, "%d,%d", s->count, s->missing);
    put_number(out, s->mean);
    put_number(out, s->error);
    put_number(out, s->deviation);
    put_number(out, s->least);
    for (int i = 0; i < QUANTILES; i++)
        put_number(out, s->quantiles[i]);
    put_number(out, s->greatest);
}
