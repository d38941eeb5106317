/* The time that a job for kernels may take. */
#include "opened_tuning.h"

#include "session/session.h"
#include "wire/run_job.h"

static int begin(void **state)
{
  if (make_run_folder(state)) return -1;
  write_text("k.c", "void k(const float *x, float *y) { y[0] = x[0]; }\n");
  return 0;
}

static struct hone_spec *spec_of(const char *elements)
{
  const char *files[] = {path_of("k.yaml")};
  struct hone_spec_options options;
  struct hone_spec *loaded = NULL;
  char text[512];
  hone_status status;

  snprintf(
      text, sizeof text,
      "file: k.c\nproblem: {N: %s}\nparams: {K: [1]}\nbaseline: {K: 1}\nargs:\n"
      "  - {name: x, type: f32, shape: [N]}\n  - {name: y, type: f32, shape: [N], role: out}\n",
      elements);
  write_text("k.yaml", text);
  hone_spec_options_init(&options);
  options.files = files;
  options.file_count = 1;
  status = hone_spec_load(&options, &loaded);
  if (status) fail_msg("%s", hone_status_message(status));
  return loaded;
}

/* Of a job with one candidate whose calls have a second each. */
static double limit_of(const char *elements, bool late_check)
{
  struct opened opened = {.spec = spec_of(elements), .options = sim_options()};
  struct hone__candidate *candidate = NULL;
  struct hone__cases cases;
  struct hone__case which;
  struct hone__job job;
  double limit_s;

  assert_null(hone__cases_init(&cases, opened.spec, &opened.options));
  which = hone__cases_at(&cases, 0);
  assert_null(
      hone__tuning_open(&opened.tuning, opened.spec, &which, &opened.options, &hone__purpose_tune));
  opened.tuning.session.workers.call_timeout_s = 1;
  candidate = candidate_of(&opened, 0);
  candidate->bytes = hone__strdup("");
  job = hone__run_job(
      &opened.tuning.session,
      &(struct hone__run_request){
          .candidates = &candidate, .count = 1, .samples = 3, .late_check = late_check});
  limit_s = job.timeout_s;
  hone__packed_drop(job.head);
  free(job.payload);
  free(job.part_sizes);
  hone__candidate_free(candidate);
  release_opened(&opened);
  return limit_s;
}

static void large_arguments_take_time(void **state)
{
  double small = limit_of("1000", false);

  (void)state;
  assert_true(small > 1 && small < 15);
  assert_true(limit_of("134217728", false) > small + 15); /* 1 GiB */
  assert_true(limit_of("134217728", true) > small + 30);  /* they are prepared once more */
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(large_arguments_take_time)};

  return cmocka_run_group_tests_name("jobs", tests, begin, remove_folder);
}
