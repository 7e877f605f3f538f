// Reports: the page, with data in place of its mark. Everything is written as it is read.
#include "view/report.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/event_groups.h"
#include "view/report_page.h"
#include "io/result.h"
#include "io/result_reader.h"

// Numbers in all runs together. With four bytes each and base64 a page stays below 15 MB.
static const double series_values = 1.1e6, scene_values = 1.3e6;

enum { EVENTS_SHOWN = 4000 };

const char *zn_report_name(const zn_report *report, const char *what, int number, char *name)
{
    if (number >= 0)
        snprintf(name, ZN_REPORT_NAME, "run%d.%s%d", report->run, what, number);
    else
        snprintf(name, ZN_REPORT_NAME, "run%d%s%s", report->run, what[0] != '\0' ? "." : "", what);
    return name;
}

// --- what a run was ------------------------------------------------------------------------------

// One line of the certificate; text: label, unit, explanation.
static void put_worst(zn_report_out *out, const zn_result *result, const char *key, const char *const text[3])
{
    char name[ZN_REPORT_NAME];
    zn_report_open(out, key, '{');
    zn_report_text(out, "label", text[0]);
    zn_report_text(out, "unit", text[1]);
    zn_report_text(out, "help", text[2]);
    zn_report_number(out, "value", zn_result_number(result, key));
    snprintf(name, sizeof name, "%s_time", key);
    zn_report_number(out, "time", zn_result_number(result, name));
    snprintf(name, sizeof name, "%s_contact", key);
    zn_report_text(out, "contact", zn_result_text(result, name));
    snprintf(name, sizeof name, "limit_%s", key);
    zn_report_number(out, "limit", zn_result_number(result, name));
    zn_report_close(out, '}');
}

// Without a limit on it, energy from nowhere is a warning.
static bool is_created(const zn_result *result)
{
    zn_certificate c = {.energy_moved = zn_result_number(result, "energy_moved")};
    c.gave[ZN_LEDGER_CONTACT] = zn_result_number(result, "gave_contact");
    c.energy_created.value = zn_result_number(result, "energy_created");
    return isnan(zn_result_number(result, "limit_energy_created")) && zn_certificate_is_created(&c);
}

static bool is_turned(const zn_result *result)
{
    zn_certificate c = {.energy_moved = zn_result_number(result, "energy_moved"),
                        .energy_changed = zn_result_number(result, "energy_changed")};
    c.constraint.value = zn_result_number(result, "constraint");
    for (int i = 0; i < ZN_LEDGER_LINES; i++) {
        char name[64];
        snprintf(name, sizeof name, "ledger_%s", zn_ledger_name((zn_ledger_line)i));
        c.ledger[i] = zn_result_number(result, name);
    }
    return isnan(zn_result_number(result, "limit_constraint")) && zn_certificate_is_turned(&c);
}

// Likewise a position correction that moved something far.
static bool reaches_far(const zn_result *result)
{
    const zn_certificate c = {.reach.value = zn_result_number(result, "reach")};
    return isnan(zn_result_number(result, "limit_reach")) && zn_certificate_reaches_far(&c);
}

static void put_certificate(zn_report *report, const zn_result *result)
{
    static const char *const numbers[] = {
#define NUMBER_NAME(name, field) name,
        ZN_RESULT_NUMBER_LIST(NUMBER_NAME)
#undef NUMBER_NAME
    };
    zn_report_out *out = &report->out;
    zn_report_open(out, "worst", '{');
#define PUT_WORST(field, label, unit, kind, help)                                                                      \
    put_worst(out, result, #field, (const char *const[]){label, unit, help});
    ZN_WORST_LIST(PUT_WORST)
#undef PUT_WORST
    zn_report_close(out, '}');
    zn_report_bool(out, "created", is_created(result));
    zn_report_bool(out, "turned", is_turned(result));
    zn_report_bool(out, "far", reaches_far(result));
    zn_report_open(out, "numbers", '{');
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        zn_report_number(out, numbers[i], zn_result_number(result, numbers[i]));
    zn_report_close(out, '}');
    zn_report_open(out, "ledger", '[');
    for (int i = 0; i < ZN_LEDGER_LINES; i++) {
        zn_report_open(out, NULL, '{');
        zn_report_text(out, "name", zn_ledger_name((zn_ledger_line)i));
        zn_report_text(out, "help", zn_ledger_help((zn_ledger_line)i));
        zn_report_bool(out, "stored", i < ZN_LEDGER_STORED);
        zn_report_close(out, '}');
    }
    zn_report_close(out, ']');
}

static void put_event(zn_report_out *out, const zn_event_group *group)
{
    const zn_result_event *e = &group->strongest;
    zn_report_open(out, NULL, '{');
    zn_report_text(out, "name", e->name);
    zn_report_bool(out, "impact", group->impacts == group->count);
    zn_report_bool(out, "open", group->open);
    zn_report_number(out, "from", group->from);
    zn_report_number(out, "to", group->to);
    zn_report_number(out, "impulse", group->impulse);
    zn_report_number(out, "peak", e->peak_force);
    zn_report_number(out, "approach", e->approach);
    if (*e->pair)
        zn_report_text(out, "pair", e->pair);
    if (group->count > 1) {
        zn_report_count(out, "of", group->count);
        zn_report_count(out, "impacts", group->impacts);
        zn_report_number(out, "strongest", e->impulse);
        zn_report_number(out, "at", e->closed_at);
    }
    zn_report_close(out, '}');
}

static zn_status read_events(const void *user, int64_t first, int64_t count, zn_result_event *events)
{
    return zn_result_read_events(user, first, count, events);
}

// All of them; of very many groups.
static zn_status put_events(zn_report *report, const zn_result *result)
{
    int64_t         count = zn_result_event_count(result);
    zn_event_groups groups;
    ZN_TRY(zn_event_groups_make(count, EVENTS_SHOWN, read_events, result, &groups));
    zn_report_count(&report->out, "event_count", count);
    zn_report_count(&report->out, "events_merged", groups.merged);
    zn_report_number(&report->out, "events_within", groups.within);
    zn_report_open(&report->out, "events", '[');
    for (int64_t i = 0; i < groups.count; i++)
        put_event(&report->out, &groups.group[i]);
    zn_report_close(&report->out, ']');
    zn_event_groups_clear(&groups);
    return ZN_OK;
}

static zn_status put_head(zn_report *report, const zn_result *result)
{
    static const char *const texts[] = {"title",  "path",    "version", "command",
                                        "scheme", "outcome", "model",   "linear_backend"};
    static const char *const numbers[] = {"start", "step", "until", "record_every"};
    char                     name[ZN_REPORT_NAME];
    zn_report_out           *out = &report->out;
    zn_report_json_begin(out, zn_report_name(report, "", -1, name));
    zn_report_open(out, NULL, '{');
    zn_report_text(out, "file", zn_result_path(result));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        zn_report_text(out, texts[i], zn_result_text(result, texts[i]));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        zn_report_number(out, numbers[i], zn_result_number(result, numbers[i]));
    zn_report_bool(out, "finished", zn_result_is_finished(result));
    const char *scheme = zn_result_text(result, "scheme");
    zn_report_text(out, "ledger_note", scheme != NULL ? zn_scheme_ledger_note(scheme) : NULL);
    put_certificate(report, result);
    zn_status status = put_events(report, result);
    zn_report_close(out, '}');
    zn_report_json_end(out);
    return status;
}

// --- the page ------------------------------------------------------------------------------------

static zn_status put_run(zn_report *report, const zn_result *result)
{
    zn_scene *scene = NULL;
    ZN_TRY(put_head(report, result));
    ZN_TRY(zn_report_series(report, result));
    if (zn_scene_open(result, report->log, &scene) != ZN_OK) {
        zn_log_write(&report->log, ZN_LOG_WARNING, "%s: the machine cannot be rebuilt; the report shows no scene",
                     zn_result_path(result));
        return ZN_OK;
    }
    zn_status status = zn_report_scene(report, scene);
    zn_scene_close(scene);
    return status;
}

static void put_study(zn_report *report, int number, const char *text)
{
    fprintf(report->out.file, "<script type=\"application/json\" data-zeno=\"study%d\">", number);
    for (; *text != '\0'; text++)
        if (*text == '<') // inside of texts only, where an escape is as good
            fputs("\\u003c", report->out.file);
        else
            fputc(*text, report->out.file);
    fputs("</script>\n", report->out.file);
}

static zn_status put_page(zn_report *report, int count, const zn_result *const *results, int studies,
                          const char *const *study)
{
    size_t      size;
    const char *page = zn_report_page(&size), *mark = strstr(page, ZN_REPORT_MARK);
    if (mark == NULL)
        return zn_fail(&report->log, ZN_ERR_UNSUPPORTED, "the page of reports has no place for data");
    fwrite(page, 1, (size_t)(mark - page), report->out.file);
    for (int i = 0; i < count; i++) {
        report->run = i;
        ZN_TRY(put_run(report, results[i]));
    }
    for (int i = 0; i < studies; i++)
        put_study(report, i, study[i]);
    mark += strlen(ZN_REPORT_MARK);
    fwrite(mark, 1, size - (size_t)(mark - page), report->out.file);
    return ZN_OK;
}

zn_status zn_report_write(const char *path, int result_count, const zn_result *const *results, int study_count,
                          const char *const *studies, zn_log log)
{
    zn_report report = {.log = log,
                        .series_values = series_values / (result_count > 0 ? result_count : 1),
                        .scene_values = scene_values / (result_count > 0 ? result_count : 1)};
    for (int i = 0; i < result_count; i++)
        ZN_TRY(zn_result_spare(results[i], path));
    zn_new_file *file;
    ZN_TRY(zn_new_file_open(path, log, &file));
    report.out.file = zn_new_file_stream(file);
    locale_t  c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = c != (locale_t)0 ? uselocale(c) : (locale_t)0;
    zn_status status =
        c != (locale_t)0 ? put_page(&report, result_count, results, study_count, studies) : ZN_ERR_MEMORY;
    if (c != (locale_t)0) {
        uselocale(before);
        freelocale(c);
    }
    return zn_new_file_close(file, status);
}
