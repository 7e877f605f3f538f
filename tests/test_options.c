// Every option of every scheme, by model file, command line and C: the same value arrives in the def and in the result
// file; what is not admissible and what belongs to other schemes is refused by name; manual and help list the table.
#include <stdlib.h>
#include <unistd.h>

#include "fixtures.h"
#include "scheme_fixtures.h"
#include "zn/io.h"

#include "../cli/scheme_option.h"

// --- what the program says on its standard error -------------------------------------------------

static char said[1024];

void cli_error(const char *format, ...) ZN_PRINTF(1, 2);

void cli_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(said, sizeof said, format, arguments);
    va_end(arguments);
}

// --- helpers -------------------------------------------------------------------------------------

static void check(bool good, const char *owner, const char *option, const char *what, const char *found)
{
    if (good)
        return;
    print_error("%s, %s: %s: '%s'\n", owner, option, what, found);
    fail();
}

static bool holds(const char *text, const char *part) { return strstr(text, part) != NULL; }

// An admissible value other than the default.
static void other_value(const zn_option *o, zn_options all, char text[64])
{
    double usual = zn_option_number(o, all.defaults), low = o->range.min;
    double value = isinf(o->range.max) ? low + 0.5 : low + 0.5 * (o->range.max - low);
    if (o->kind == ZN_OPTION_NUMBER)
        snprintf(text, 64, "%.17g",
                 value != usual ? value : value + 0.25 * (isinf(o->range.max) ? 1 : o->range.max - low));
    else if (o->kind == ZN_OPTION_COUNT)
        snprintf(text, 64, "%d", (int)value);
    else if (o->kind == ZN_OPTION_FLAG)
        snprintf(text, 64, "%s", usual != 0 ? "false" : "true");
    else if (o->choices != NULL) {
        char word[ZN_WORD_BYTES];
        snprintf(text, 64, "%s", zn_option_word(o, o->kind == ZN_OPTION_CHOICE ? (int)usual + 1 : 1, word));
    } else
        snprintf(text, 64, "ball");
}

// By C, without the readers of the program.
static void set(const zn_option *o, const char *text, void *def)
{
    void *field = (char *)def + o->offset;
    switch (o->kind) {
    case ZN_OPTION_NUMBER:
        *(double *)field = strtod(text, NULL);
        break;
    case ZN_OPTION_COUNT:
        *(int *)field = atoi(text);
        break;
    case ZN_OPTION_FLAG:
        *(bool *)field = text[0] == 't';
        break;
    case ZN_OPTION_CHOICE:
        *(int *)field = zn_option_place(o, text);
        break;
    case ZN_OPTION_TEXT:
        *(const char **)field = text;
    }
}

static bool same(const zn_option *o, const void *one, const void *two)
{
    if (o->kind != ZN_OPTION_TEXT)
        return zn_option_number(o, one) == zn_option_number(o, two);
    const char *a = zn_option_text(o, one, NULL), *b = zn_option_text(o, two, NULL);
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static void check_same(zn_options all, const void *one, const void *two, const char *owner, const char *way)
{
    for (int i = 0; i < all.count; i++)
        check(same(&all.items[i], one, two), owner, all.items[i].name, "differs by", way);
}

// A mass above the floor; `run` is what stands behind "run: ".
static zn_status parse(const char *run, log_capture *log, zn_problem **out)
{
    char text[512];
    snprintf(text, sizeof text,
             "zeno: 1\nplanar: true\nbodies: {ball: {mass: 1, position: [0, 1]}}\n"
             "contacts: {floor: {point: ball, surface: {plane: [0, 1]}}}\nrun: %s\n",
             run);
    *log = (log_capture){0};
    return zn_problem_parse(text, strlen(text), "m.yaml", 0, NULL, log_into(log), out);
}

static zn_status parse_scheme(const char *scheme, const char *option, const char *value, log_capture *log,
                              zn_problem **out)
{
    char run[256];
    snprintf(run, sizeof run, "{scheme: {%s: {%s: %s}}, step: 0.1, until: 1}", scheme, option, value);
    return parse(run, log, out);
}

static bool by_command_line(const char *scheme, const char *option, const char *value, zn_scheme_def *def,
                            char **memory)
{
    char text[256];
    snprintf(text, sizeof text, "%s:%s=%s", scheme, option, value);
    *def = zn_scheme_def_default();
    said[0] = '\0';
    return scheme_option_apply(text, def, memory);
}

// What zn_scheme_create says about the options.
static zn_status judge(const zn_scheme_def *def, log_capture *log)
{
    zn_problem    *p = NULL;
    zn_system     *sys = NULL;
    zn_scheme_info info;
    CHECK_OK(parse("{step: 0.1, until: 1}", log, &p));
    CHECK_OK(zn_system_create(p->model, &sys));
    zn_status status = zn_scheme_describe(def, sys, 0, &info);
    zn_system_destroy(sys);
    zn_problem_destroy(p);
    return status;
}

// --- all ways lead to the same -------------------------------------------------------------------

static void walk(const char *scheme, const zn_option *o, zn_options all)
{
    char          value[64], *memory = NULL;
    zn_scheme_def def = zn_scheme_def_default(), given;
    log_capture   log;
    zn_problem   *p = NULL;
    other_value(o, all, value);
    set(o, value, &def);
    check(!same(o, &def, all.defaults), scheme, o->name, "no other value", value);
    zn_status status = parse_scheme(scheme, o->name, value, &log, &p);
    check(status == ZN_OK, scheme, o->name, "refused by the model file", log.text);
    check_same(all, &p->sim.scheme, &def, scheme, "model file");
    assert_string_equal(p->sim.scheme.scheme, scheme);
    zn_problem_destroy(p);
    check(by_command_line(scheme, o->name, value, &given, &memory), scheme, o->name, "refused by --scheme", said);
    check_same(all, &given, &def, scheme, "command line");
    free(memory);
    def.scheme = scheme;
    status = judge(&def, &log);
    check(strcmp(scheme, "multirate") == 0 ? !holds(log.text, "apply") && !holds(log.text, " is not ")
                                           : status == ZN_OK,
          scheme, o->name, "refused by the scheme", log.text);
}

static void test_every_way(void **state)
{
    (void)state;
    zn_options all = zn_scheme_options();
    for (int s = 0; s < zn_scheme_count(); s++)
        for (int i = 0; i < all.count; i++)
            if (zn_option_belongs(&all.items[i], zn_scheme_name(s)))
                walk(zn_scheme_name(s), &all.items[i], all);
}

// --- options of other schemes --------------------------------------------------------------------

static void test_strangers(void **state)
{
    (void)state;
    zn_options all = zn_scheme_options();
    int        refused = 0;
    for (int s = 0; s < zn_scheme_count(); s++)
        for (int i = 0; i < all.count; i++) {
            const zn_option *o = &all.items[i];
            char             value[64], words[128];
            log_capture      log;
            zn_scheme_def    def = scheme_named(zn_scheme_name(s), 0.5);
            if (zn_option_belongs(o, def.scheme))
                continue;
            other_value(o, all, value);
            set(o, value, &def);
            CHECK_STATUS(judge(&def, &log), ZN_ERR_ARGUMENT);
            snprintf(words, sizeof words, "%s: %s does not apply, ", def.scheme, o->name);
            check(holds(log.text, words) && holds(log.text, o->owners) && holds(log.text, "it belongs to: "),
                  def.scheme, o->name, "not refused by name and owner", log.text);
            check(o->reason == NULL || holds(log.text, o->reason), def.scheme, o->name, "without reason", log.text);
            refused++;
        }
    assert_true(refused > 100);
}

// Owners are schemes, and each option has some.
static void test_owners(void **state)
{
    (void)state;
    zn_options all = zn_scheme_options();
    for (int i = 0; i < all.count; i++) {
        const zn_option *o = &all.items[i];
        zn_option        list = {.choices = o->owners};
        char             word[ZN_WORD_BYTES];
        int              owners = 0, schemes = 0;
        while (o->owners != NULL && zn_option_word(&list, owners, word) != NULL)
            owners++;
        for (int s = 0; s < zn_scheme_count(); s++)
            schemes += zn_option_belongs(o, zn_scheme_name(s));
        check(schemes > 0 && (o->owners == NULL || schemes == owners), "table", o->name, "unknown owner", o->owners);
        check(zn_option_find(all, o->name) == o, "table", o->name, "twice", o->name);
    }
}

// --- what is not admissible ----------------------------------------------------------------------

static const char *owner_of(const zn_option *o)
{
    for (int s = 0; s < zn_scheme_count(); s++)
        if (zn_option_belongs(o, zn_scheme_name(s)))
            return zn_scheme_name(s);
    return "";
}

// `bound`: how the C check and the model file name the admissible values.
static void check_beyond(const zn_option *o, double value, const char *interval, const char *range)
{
    char          text[64], *memory = NULL;
    log_capture   log;
    zn_problem   *p = NULL;
    zn_scheme_def def = zn_scheme_def_default(), given;
    snprintf(text, sizeof text, "%.17g", value);
    set(o, text, &def);
    def.scheme = owner_of(o);
    CHECK_STATUS(judge(&def, &log), ZN_ERR_ARGUMENT);
    check(holds(log.text, o->name) && holds(log.text, interval), "C", o->name, "refused without bounds", log.text);
    if (by_command_line(def.scheme, o->name, text, &given, &memory)) {
        CHECK_STATUS(judge(&given, &log), ZN_ERR_ARGUMENT);
        check(holds(log.text, o->name) && holds(log.text, interval), "--scheme", o->name, "without bounds", log.text);
    } else
        check(holds(said, o->name), "--scheme", o->name, "not named", said);
    free(memory);
    CHECK_STATUS(parse_scheme(def.scheme, o->name, text, &log, &p), ZN_ERR_MODEL);
    check(holds(log.text, o->name) && holds(log.text, range), "model file", o->name, "without bounds", log.text);
}

static void test_ranges(void **state)
{
    (void)state;
    zn_options all = zn_scheme_options();
    int        bounded = 0;
    for (int i = 0; i < all.count; i++) {
        const zn_option *o = &all.items[i];
        char             interval[64], range[64];
        zn_range         r = o->range;
        if (o->kind != ZN_OPTION_NUMBER && o->kind != ZN_OPTION_COUNT)
            continue;
        snprintf(interval, sizeof interval, isinf(r.max) ? "[%.9g, inf)" : "[%.9g, %.9g]", r.min, r.max);
        snprintf(range, sizeof range, isinf(r.max) ? ">= %.9g" : "%.9g to %.9g", r.min, r.max);
        check_beyond(o, r.min - (r.min != 0 && r.min < 0.1 ? 0.5 * r.min : 1), interval, range);
        if (!isinf(r.max))
            check_beyond(o, r.max + (r.max < 0.1 ? r.max : 1), interval, range);
        bounded++;
    }
    assert_true(bounded > 8);
}

static void test_not_a_number(void **state)
{
    (void)state;
    zn_options all = zn_scheme_options();
    for (int i = 0; i < all.count; i++)
        for (int k = 0; k < 2 && all.items[i].kind == ZN_OPTION_NUMBER; k++) {
            zn_scheme_def def = scheme_named(owner_of(&all.items[i]), 0.5);
            log_capture   log;
            *(double *)((char *)&def + all.items[i].offset) = k == 0 ? NAN : INFINITY;
            CHECK_STATUS(judge(&def, &log), ZN_ERR_ARGUMENT);
            CHECK_LOGGED(&log, all.items[i].name);
        }
}

static void test_words(void **state)
{
    (void)state;
    zn_options all = zn_scheme_options();
    for (int i = 0; i < all.count; i++) {
        const zn_option *o = &all.items[i];
        const char      *scheme = owner_of(o);
        char             first[ZN_WORD_BYTES], last[ZN_WORD_BYTES], *memory = NULL;
        log_capture      log;
        zn_problem      *p = NULL;
        zn_scheme_def    def = scheme_named(scheme, 0.5), given;
        if (o->choices == NULL)
            continue;
        for (int k = 0; zn_option_word(o, k, last) != NULL; k++)
            continue;
        zn_option_word(o, 0, first);
        CHECK_STATUS(parse_scheme(scheme, o->name, "sofort", &log, &p), ZN_ERR_MODEL);
        check(holds(log.text, o->name) && holds(log.text, o->choices), "model file", o->name, "without words",
              log.text);
        assert_false(by_command_line(scheme, o->name, "sofort", &given, &memory));
        check(holds(said, o->name) && holds(said, first) && holds(said, last), "--scheme", o->name, "without words",
              said);
        free(memory);
        if (o->kind == ZN_OPTION_CHOICE)
            *(int *)((char *)&def + o->offset) = 77;
        else
            set(o, "sofort", &def);
        CHECK_STATUS(judge(&def, &log), ZN_ERR_ARGUMENT);
        check(holds(log.text, o->name) && holds(log.text, o->choices), "C", o->name, "without words", log.text);
    }
}

static void test_unknown_option(void **state)
{
    (void)state;
    zn_scheme_def def;
    char         *memory = NULL;
    assert_false(by_command_line("moreau_jean", "thta", "1", &def, &memory));
    assert_true(holds(said, "did you mean 'theta'?"));
    free(memory);
}

// --- result files --------------------------------------------------------------------------------

static void write_head(const char *path, const zn_sim_def *sim)
{
    zn_problem        problem = {.title = (char *)"t", .path = (char *)"m.yaml", .text = (char *)"", .text_size = 0};
    zn_result_writer *writer = NULL;
    zn_certificate    certificate = {0};
    log_capture       log = {0};
    CHECK_OK(zn_result_writer_create(path, &problem, sim, "zeno", log_into(&log), &writer));
    zn_recorder r = zn_result_writer_recorder(writer);
    CHECK_OK(r.begin(r.user, 0, NULL, 0));
    CHECK_OK(r.end(r.user, &certificate, ZN_OK));
    zn_result_writer_destroy(writer);
}

static void check_head(const char *path, zn_options all, const void *def, const char *owner)
{
    zn_result *result = NULL;
    CHECK_OK(zn_result_open(path, (zn_log){0}, &result));
    for (int i = 0; i < all.count; i++) {
        const zn_option *o = &all.items[i];
        char             word[ZN_WORD_BYTES];
        bool             counted = strcmp(o->name, "newton_iterations") == 0; // the certificate has what was needed
        const char      *name = counted ? "newton_iterations_limit" : o->name, *text = zn_option_text(o, def, word);
        const char      *there = zn_result_text(result, name);
        if (o->kind == ZN_OPTION_TEXT || o->kind == ZN_OPTION_CHOICE)
            check(there != NULL && strcmp(there, text != NULL ? text : "") == 0, owner, o->name, "in the file", there);
        else
            check(zn_result_number(result, name) == zn_option_number(o, def), owner, o->name, "in the file", "other");
    }
    zn_result_close(result);
}

static void test_result_file(void **state)
{
    (void)state;
    char       folder[] = "/tmp/zeno_options_XXXXXX", path[64], values[64][64];
    zn_options tables[] = {zn_scheme_options(), zn_equilibrium_options()};
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.h5", folder);
    for (int k = 0; k < 4; k++) { // defaults, then all others
        zn_options all = tables[k % 2];
        zn_sim_def sim = zn_sim_def_default();
        void      *def = k % 2 == 0 ? (void *)&sim.scheme : &sim.equilibrium;
        sim.statics = k % 2 == 1;
        for (int i = 0; k > 1 && i < all.count; i++) {
            other_value(&all.items[i], all, values[i]);
            set(&all.items[i], values[i], def);
        }
        write_head(path, &sim);
        check_head(path, all, def, k % 2 == 0 ? "scheme" : "static");
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

// --- static runs ---------------------------------------------------------------------------------

static void test_static(void **state)
{
    (void)state;
    zn_options all = zn_equilibrium_options();
    for (int i = 0; i < all.count; i++) {
        const zn_option   *o = &all.items[i];
        char               value[64], run[128];
        log_capture        log;
        zn_problem        *p = NULL;
        zn_equilibrium_def def = zn_equilibrium_def_default();
        other_value(o, all, value);
        set(o, value, &def);
        snprintf(run, sizeof run, "{static: {%s: %s}}", o->name, value);
        CHECK_OK(parse(run, &log, &p));
        check_same(all, &p->sim.equilibrium, &def, "static", "model file");
        zn_problem_destroy(p);
    }
}

// --- texts made from the table -------------------------------------------------------------------

// Lines of `text` behind the line `begin` that begin with `mark`, then a name: the names of the table, in its order.
static void check_listed(const char *text, const char *begin, const char *mark, zn_options all)
{
    const char *line = strstr(text, begin);
    int         count = 0;
    assert_non_null(line);
    line = strchr(line + 1, '\n') + 1;
    for (; line != NULL && *line != '#' && *line != '\0'; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        if (strncmp(line, mark, strlen(mark)) != 0 || line[strlen(mark)] < 'a' || line[strlen(mark)] > 'z' ||
            strncmp(line, "| key", 5) == 0)
            continue;
        assert_true(count < all.count);
        const char *name = all.items[count++].name, *found = line + strlen(mark);
        check(strncmp(found, name, strlen(name)) == 0 && (found[strlen(name)] == ' ' || found[strlen(name)] == '`'),
              "list", name, "stands not here", found);
    }
    assert_int_equal(count, all.count);
}

static void test_texts(void **state)
{
    (void)state;
    char  *manual = zn_problem_reference(), *help = NULL;
    size_t size = 0;
    FILE  *out = open_memstream(&help, &size);
    check_listed(manual, "\n## run: scheme\n", "| `", zn_scheme_options());
    check_listed(manual, "\n## run: static\n", "| `", zn_equilibrium_options());
    fputs("options:\n", out);
    scheme_options_print(out);
    fclose(out);
    check_listed(help, "options:", "  ", zn_scheme_options());
    free(manual);
    free(help);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_way),      cmocka_unit_test(test_strangers),    cmocka_unit_test(test_owners),
        cmocka_unit_test(test_ranges),         cmocka_unit_test(test_not_a_number), cmocka_unit_test(test_words),
        cmocka_unit_test(test_unknown_option), cmocka_unit_test(test_result_file),  cmocka_unit_test(test_static),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
