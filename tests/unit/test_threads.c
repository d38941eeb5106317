/* Any number of threads may ask one space: under the thread sanitizer this test proves it. */
#include "folder.h"
#include "space/explanation.h"
#include "spec/spec.h"
#include "hone.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { THREADS = 4, QUESTIONS = 300 };

static bool stop_after_ten(void *data, const uint32_t *row)
{
  (void)row;
  return ++*(int *)data < 10;
}

/* Asks everything; the result is NULL where all answers agree. */
static void *ask(void *data)
{
  const struct hone_space *space = data;
  size_t width = hone_space_width(space), got;
  uint32_t *rows = calloc(QUESTIONS, width * sizeof *rows);
  const char *wrong = NULL;

  if (hone_space_sample(space, QUESTIONS, 7, rows, &got) || got != QUESTIONS) wrong = "sample";
  for (size_t i = 0; i < QUESTIONS && !wrong; i++) {
    uint32_t *row = rows + i * width;
    struct hone_explanation *explanation = NULL;
    uint64_t index;
    int visits = 0;
    if (!hone_space_contains(space, row) || !hone_space_index_of(space, row, &index) ||
        !hone_space_at(space, index, row))
      wrong = "index";
    hone_space_neighbours(space, row, false, stop_after_ten, &visits);
    if (hone_space_explain(space, "A=6,B=4,C=5", &explanation) || explanation->legal)
      wrong = "explain";
    hone_explanation_free(explanation);
  }
  free(rows);
  return (void *)wrong;
}

static void threads_share_a_space(void **state)
{
  static const char text[] = "params:\n  A: range(1, 65)\n  B: range(1, 65)\n  C: range(1, 65)\n"
                             "constraints: [A * B <= 20 * C, C % B == 0]\n";
  const char *files[] = {path_of("t.yaml")};
  struct hone_spec_options spec_options;
  struct hone_space_options options;
  struct hone_spec *spec;
  struct hone_space *space;
  pthread_t threads[THREADS];

  (void)state;
  write_text("t.yaml", text);
  hone_spec_options_init(&spec_options);
  spec_options.files = files;
  spec_options.file_count = 1;
  assert_null(hone__spec_load(&spec_options, NULL, &spec));
  hone_space_options_init(&options);
  assert_null(hone_space_build(spec, &options, &space));
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, ask, space), 0);
  for (int i = 0; i < THREADS; i++) {
    void *wrong;
    assert_int_equal(pthread_join(threads[i], &wrong), 0);
    assert_null(wrong);
  }
  hone_space_free(space);
  hone_spec_free(spec);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads_share_a_space)};
  return cmocka_run_group_tests_name("threads", tests, make_folder, remove_folder);
}
