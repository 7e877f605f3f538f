// Runs of a study. Messages of a run are kept with it, so that a failure becomes a row of a table.
#include "study.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "progress.h"
#include "terminal.h"
#include "workers.h"

// --- runs ----------------------------------------------------------------------------------------

// What a run says while it goes.
typedef struct watch {
    char     message[STUDY_MESSAGE]; // its first error, which tells most
    char     reason[STUDY_MESSAGE];  // why a state could not be evaluated in the present step
    progress line;
} watch;

static void keep_message(void *user, zn_severity severity, const char *message)
{
    watch *w = user;
    if (severity == ZN_LOG_REASON)
        snprintf(w->reason, sizeof w->reason, "%s", message);
    else if (severity == ZN_LOG_ERROR && w->message[0] == '\0')
        snprintf(w->message, sizeof w->message, "%s", message);
}

static zn_status after_step(void *user, const zn_sim *sim)
{
    watch *w = user;
    w->reason[0] = '\0';
    progress_step(&w->line, sim);
    return rows_stop_wanted() ? ZN_INTERRUPTED : ZN_OK;
}

static zn_status look_for_stop(void *user)
{
    (void)user;
    return rows_stop_wanted() ? ZN_INTERRUPTED : ZN_OK;
}

static void tell_failure(const watch *w, zn_status status, char out[STUDY_MESSAGE])
{
    const char *message = w->message[0] != '\0' ? w->message : zn_status_text(status);
    size_t      length = (size_t)snprintf(out, STUDY_MESSAGE, "%s", message);
    if (w->reason[0] != '\0' && length + 2 < STUDY_MESSAGE)
        snprintf(out + length, STUDY_MESSAGE - length, "; %s", w->reason);
}

static bool is_mentioned(const text_list *texts, const char *name)
{
    for (int i = 0; i < texts->count; i++)
        if (strstr(texts->items[i], name) != NULL)
            return true;
    return false;
}

// Only the records of interest: a long run with small steps should fit into memory.
static zn_status select_records(const study_case *c, study_run *run)
{
    zn_sim_def *def = &run->simulation.def;
    int         count = 0;
    run->kept = calloc((size_t)def->record_count + 1, sizeof *run->kept);
    if (run->kept == NULL)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < def->record_count; i++)
        if (is_mentioned(c->record, def->records[i].name))
            run->kept[count++] = def->records[i];
    def->records = run->kept;
    def->record_count = count;
    def->record_every = 1;
    return ZN_OK;
}

// The overrides with the step among them.
static zn_status read_model(const study_case *c, zn_log log, simulation *out)
{
    char        step[40];
    run_options options = {
        .scheme = c->scheme, .step = {.value = c->step}, .until = c->until, .memory_limit = NAN, .output_limit = NAN};
    zn_status status = ZN_OK;
    for (int i = 0; i < c->set->count && status == ZN_OK; i++)
        status = text_list_push(&options.set, c->set->items[i]) ? ZN_OK : ZN_ERR_MEMORY;
    snprintf(step, sizeof step, "h:=%.17g", c->step);
    if (status == ZN_OK && !isnan(c->step))
        status = text_list_push(&options.set, step) ? ZN_OK : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        status = simulation_read(c->model, &options, log, out);
    text_list_free(&options.set);
    return status;
}

zn_status study_prepare(const study_case *c, zn_log log, bool create, study_run *out)
{
    *out = (study_run){0};
    ZN_TRY(read_model(c, log, &out->simulation));
    ZN_TRY(select_records(c, out));
    out->simulation.def.recorder = memory_recorder(&out->record);
    return create ? simulation_create(&out->simulation) : ZN_OK;
}

void study_execute(const study_case *c, study_run *out)
{
    watch     w = {0};
    zn_log    log = {.write = keep_message, .user = &w};
    zn_status status = study_prepare(c, log, false, out);
    out->simulation.def.progress = after_step;
    out->simulation.def.progress_user = &w;
    out->simulation.def.equilibrium.poll = look_for_stop;
    if (status == ZN_OK)
        status = simulation_create(&out->simulation);
    if (status == ZN_OK) {
        w.line = progress_begin(true, out->simulation.def.start, out->simulation.def.until);
        status = zn_sim_run(out->simulation.sim);
        progress_end(&w.line);
    }
    out->status = status;
    if (status != ZN_OK)
        tell_failure(&w, status, out->message);
}

void study_run_free(study_run *run)
{
    simulation_close(&run->simulation);
    memory_record_free(&run->record);
    free(run->kept);
    *run = (study_run){0};
}

void tame_message(char message[STUDY_MESSAGE])
{
    message[STUDY_MESSAGE - 1] = '\0';
    zn_text_tame(message);
}

double study_average(const memory_record *record, zn_iterations n)
{
    return record->certificate.steps > 0 ? (double)n.total / (double)record->certificate.steps : NAN;
}

// --- words ---------------------------------------------------------------------------------------

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    for (size_t n = strlen(text); n > 0 && isspace((unsigned char)text[n - 1]); n--)
        text[n - 1] = '\0';
    return text;
}

bool split_list(char *text, text_list *out)
{
    int depth = 0;
    for (char *piece = text; piece != NULL;) {
        char *end = piece;
        for (; *end != '\0' && (*end != ',' || depth > 0); end++)
            depth += (*end == '(') - (*end == ')');
        char *next = *end == ',' ? end + 1 : NULL;
        *end = '\0';
        if (!text_list_push(out, trim(piece)))
            return false;
        piece = next;
    }
    return true;
}

// A piece with '=' but no ':' before it is an option of the scheme in front: its comma comes back.
bool split_schemes(char *text, text_list *out)
{
    for (char *piece = text; piece != NULL;) {
        char *end = piece + strcspn(piece, ",");
        while (*end == ',') {
            size_t word = strcspn(end + 1, ":=,");
            if (end[1 + word] != '=')
                break;
            end += 1 + strcspn(end + 1, ",");
        }
        char *next = *end == ',' ? end + 1 : NULL;
        *end = '\0';
        if (!text_list_push(out, trim(piece)))
            return false;
        piece = next;
    }
    return true;
}

bool parse_window(const char *name, const char *text, double *from, double *to)
{
    const char *colon = strchr(text, ':');
    char        first[64] = "";
    if (colon != NULL)
        snprintf(first, sizeof first, "%.*s", (int)(colon - text), text);
    if (colon != NULL && parse_number(first, from) && parse_number(colon + 1, to) && *from < *to)
        return true;
    print_error("option '--%s': '%s' is not of the form t1:t2 with t1 < t2", name, text);
    return false;
}

// --- files ---------------------------------------------------------------------------------------

bool is_standard_output(const char *path) { return path != NULL && strcmp(path, "-") == 0; }

void put_csv(FILE *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

bool can_write(const char *output, const char *input)
{
    if (output == NULL || is_standard_output(output))
        return true;
    if (!spares(output, input))
        return false;
    struct stat there;
    const char *slash = strrchr(output, '/');
    char        folder[4096] = ".";
    if (slash != NULL)
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - output) + 1, output);
    bool exists = stat(output, &there) == 0;
    errno = exists && S_ISDIR(there.st_mode) ? EISDIR : 0;
    bool replaced = !exists || S_ISREG(there.st_mode); // by a new file in this folder
    if (errno == 0 && access(replaced ? folder : output, W_OK) == 0)
        return true;
    print_error("%s: %s", output, strerror(errno));
    return false;
}

bool can_draw(const char *output, const char *input)
{
    const char *end = output != NULL ? strrchr(output, '.') : NULL;
    if (output == NULL || (end != NULL && (strcmp(end, ".svg") == 0 || strcmp(end, ".png") == 0)))
        return can_write(output, input);
    print_error("%s: a figure is a file .svg or .png", output);
    return false;
}

zn_new_file *open_file(const char *path)
{
    zn_new_file *file;
    return zn_new_file_open(path, terminal_log(), &file) == ZN_OK ? file : NULL;
}

bool close_file(zn_new_file *file) { return zn_new_file_close(file, ZN_OK) == ZN_OK; }
