// Runs a model and opens the scene of its result: what tests of pictures begin and end with.
#ifndef TESTS_SCENE_SHOT_H
#define TESTS_SCENE_SHOT_H

#include "check.h"

#include <stdlib.h>
#include <unistd.h>

#include "io/result.h"
#include "zn/scene.h"

typedef struct shot {
    char              file[64];
    zn_problem       *problem;
    zn_system        *sys;
    zn_sim           *sim;
    zn_result_writer *writer;
    zn_result        *result;
    zn_scene         *scene;
} shot;

static inline void tell(void *user, zn_severity severity, const char *message)
{
    (void)user, (void)severity;
    print_error("%s\n", message);
}

static const zn_log loud = {.write = tell};

static inline void prepare(shot *s, const char *path, const char *text, double until)
{
    *s = (shot){0};
    strcpy(s->file, "/tmp/zeno-scene-XXXXXX");
    close(mkstemp(s->file));
    if (text != NULL) // with its files in the same folder
        assert_int_equal(zn_problem_parse(text, strlen(text), "/tmp/test.yaml", 0, NULL, loud, &s->problem), ZN_OK);
    else
        assert_int_equal(zn_problem_read(path, 0, NULL, loud, &s->problem), ZN_OK);
    assert_int_equal(zn_system_create(s->problem->model, &s->sys), ZN_OK);
    zn_sim_def def = s->problem->sim;
    def.log = loud;
    if (until > 0)
        def.until = until;
    assert_int_equal(zn_result_writer_create(s->file, s->problem, &def, "test", loud, &s->writer), ZN_OK);
    def.recorder = zn_result_writer_recorder(s->writer);
    assert_int_equal(zn_sim_create(s->sys, &def, &s->sim), ZN_OK);
}

static inline void view(shot *s)
{
    s->writer = zn_result_writer_destroy(s->writer);
    assert_int_equal(zn_result_open(s->file, loud, &s->result), ZN_OK);
    assert_int_equal(zn_scene_open(s->result, loud, &s->scene), ZN_OK);
}

static inline void shoot(shot *s, const char *path, const char *text, double until)
{
    prepare(s, path, text, until);
    assert_int_equal(zn_sim_run(s->sim), ZN_OK);
    view(s);
}

static inline void clear(shot *s)
{
    zn_scene_close(s->scene);
    zn_result_close(s->result);
    zn_result_writer_destroy(s->writer);
    zn_sim_destroy(s->sim);
    zn_system_destroy(s->sys);
    zn_problem_destroy(s->problem);
    unlink(s->file);
}

static inline double *column(const shot *s, const char *name, int *columns)
{
    int index = zn_result_find(s->result, name);
    assert_true(index >= 0);
    *columns = zn_result_series_at(s->result, index).columns;
    double *values = calloc((size_t)zn_result_rows(s->result) * (size_t)*columns, sizeof *values);
    assert_int_equal(zn_result_read(s->result, index, values), ZN_OK);
    return values;
}

#endif
