/* Right answers: of files, of commands and of a user's own judge; how they are compared, and how
 * many bytes they write. */
#include "made_bench.h"

#include "backend/kernel/expected.h"
#include "backend/kernel/judge.h"
#include "backend/kernel/scratch.h"
#include "backend/kernel/traffic.h"
#include "base/file.h"
#include "base/npy.h"
#include "check/guard.h"

#include <math.h>
#include <unistd.h>

#define CHECK   ", \"check\": {\"enabled\": true, \"rtol\": 0.01, \"atol\": 0}"
#define INOUT_Z "{\"name\": \"z\", \"type\": \"f32\", \"role\": \"inout\", \"shape\": [64]}"

static void expect_error(hone_status status, enum hone_code code, const char *part)
{
  assert_non_null(status);
  if (!strstr(hone_status_message(status), part))
    fail_msg("no '%s' in: %s", part, hone_status_message(status));
  assert_int_equal(hone_status_code(status), code);
  hone_status_free(status);
}

/* Every element of the output of `arg` in a snapshot. */
static void fill_snapshot(const struct hone__bench *bench, unsigned char *snapshot, size_t arg,
                          float value)
{
  for (size_t i = 0; i < ELEMENTS; i++)
    floats_at(bench, snapshot, arg)[i] = value;
}

static unsigned char *snapshot_of(const struct hone__bench *bench, size_t arg, float value)
{
  unsigned char *snapshot = hone__alloc(bench->buffers.snapshot_bytes);

  fill_snapshot(bench, snapshot, arg, value);
  return snapshot;
}

static const struct hone__kernel_candidate no_extents;

/* ---- Arrays in a folder ---- */

static void arrays_are_written_and_read_back(void **state)
{
  struct hone__bench *bench = make_bench(&hone__engine_c, IN_X "," OUT_Y, "");
  const struct hone__arg *y = &bench->buffers.args[1];
  unsigned char *snapshot = snapshot_of(bench, 1, 2.5f);
  const unsigned char *elements = NULL;
  size_t size = 0;
  char *bytes = NULL;

  (void)state;
  assert_null(hone__kernel_scratch_write(folder, NULL, y, snapshot));
  assert_null(hone__kernel_scratch_read(folder, y, &bytes, &elements, &size));
  assert_memory_equal(elements, snapshot, y->bytes);
  free(bytes);
  assert_null(hone__kernel_scratch_write(folder, "expected", y, snapshot));
  assert_int_equal(access(path_of("expected/y.npy"), F_OK), 0);
  free(snapshot);
  hone__bench_free(bench);
}

static void a_wrong_array_is_explained(void **state)
{
  struct hone__bench *bench = make_bench(&hone__engine_c, OUT_Y, "");
  struct hone__arg y = bench->buffers.args[0];
  const unsigned char *elements = NULL;
  size_t size = 0;
  char *bytes = NULL;

  (void)state;
  expect_error(hone__kernel_scratch_read(folder, &y, &bytes, &elements, &size), HONE_IO, "y.npy");
  free(bytes);
  write_text("y.npy", "this is no array");
  expect_error(hone__kernel_scratch_read(folder, &y, &bytes, &elements, &size), HONE_INVALID_SPEC,
               "");
  free(bytes);
  y.name = "a/b";
  expect_error(hone__kernel_scratch_write(folder, NULL, &y, (const unsigned char *)""),
               HONE_INVALID_SPEC, "'a/b' is not a valid file name");
  y.name = "y";
  expect_error(hone__kernel_scratch_write(path_of("nowhere"), NULL, &y, (const unsigned char *)""),
               HONE_IO, "cannot write '");
  hone__bench_free(bench);
}

static void commands_get_the_folder(void **state)
{
  static const char *const words[] = {"sh", "-c", "echo \"$1 $HONE_OUTPUT_DIR $PWD\"", "-",
                                      "<{dir}{dir}>"};
  struct hone__bench *bench = make_bench(&hone__engine_c, OUT_Y, "");
  struct hone__child_result result;
  char expected[256];

  (void)state;
  assert_null(hone__kernel_scratch_command(bench, "/there", words, 5, 10, &result));
  snprintf(expected, sizeof expected, "</there/there> /there %s\n", folder);
  assert_string_equal(result.output.data, expected);
  assert_null(getenv("HONE_OUTPUT_DIR"));
  hone__child_result_release(&result);
  expect_error(hone__kernel_scratch_command(bench, "/there", NULL, 0, 10, &result),
               HONE_INVALID_SPEC, "a command is not a list of words");
  hone__bench_free(bench);
}

/* ---- The expected answer ---- */

/* A reference that is a command: the words of a shell. */
static struct hone__bench *bench_of_command(const char *script)
{
  char more[1024];

  snprintf(more, sizeof more,
           CHECK ", \"reference\": {\"kind\": \"command\", \"argv\": [\"sh\", \"-c\", \"%s\"]}",
           script);
  return make_bench(&hone__engine_c, IN_X "," OUT_Y, more);
}

/* It answers with its input: once for each content, and these differ. */
static void a_command_answers_to_each_content(void **state)
{
  struct hone__bench *bench = bench_of_command("cp $HONE_OUTPUT_DIR/x.npy $HONE_OUTPUT_DIR/y.npy");

  (void)state;
  assert_null(hone__expected_make(bench, NULL, 0));
  assert_int_equal(bench->contents, 2);
  for (size_t c = 0; c < 2; c++)
    assert_memory_equal(floats_at(bench, bench->expected[c], 1), input_of(bench, c, 0),
                        ELEMENTS * sizeof(float));
  assert_memory_not_equal(bench->expected[0], bench->expected[1], ELEMENTS * sizeof(float));
  hone__bench_free(bench);
}

static void a_command_that_fails_is_explained(void **state)
{
  static const struct {
    const char *script, *part;
  } cases[] = {
      {"echo no license; exit 3", "the reference's command failed: exit status 3: no license"},
      {"true", "the reference's command did not write the expected answer"},
      {"echo 1 >$HONE_OUTPUT_DIR/y.npy", "did not write the expected answer"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__bench *bench = bench_of_command(cases[i].script);
    hone_status status = hone__expected_make(bench, NULL, 0);
    if (!status || !strstr(hone_status_message(status), cases[i].part))
      fail_msg("%s", status ? hone_status_message(status) : "no error");
    hone_status_free(status);
    hone__bench_free(bench);
  }
}

/* The bytes of y.npy with this value in every element; free(). */
static char *npy_of(float value, size_t *out_size)
{
  struct hone__text text = {0};
  float elements[ELEMENTS];
  const size_t shape[] = {ELEMENTS};

  for (size_t i = 0; i < ELEMENTS; i++)
    elements[i] = value;
  hone__npy_header(HONE__ELEMENT_F32, shape, 1, &text);
  hone__text_addn(&text, (const char *)elements, sizeof elements);
  *out_size = text.length;
  return hone__text_take(&text);
}

static struct hone__bench *bench_of_files(const char *files)
{
  char more[512];

  snprintf(more, sizeof more, CHECK ", \"reference\": {\"kind\": \"files\", \"files\": [%s]}",
           files);
  return make_bench(&hone__engine_c, IN_X "," OUT_Y, more);
}

static void files_answer_to_one_content(void **state)
{
  char file[64];
  size_t size;
  char *bytes = npy_of(4, &size);
  struct hone__bench *bench;

  (void)state;
  snprintf(file, sizeof file, "{\"offset\": 0, \"size\": %zu}", size);
  bench = bench_of_files(file);
  assert_int_equal(bench->contents, 1);
  assert_null(hone__expected_make(bench, bytes, size));
  assert_true(floats_at(bench, bench->expected[0], 1)[63] == 4);
  hone__bench_free(bench);
  snprintf(file, sizeof file, "{\"offset\": 1, \"size\": %zu}", size);
  bench = bench_of_files(file);
  expect_error(hone__expected_make(bench, bytes, size), HONE_INVALID_ARGUMENT,
               "the reference is not in the payload");
  hone__bench_free(bench);
  bench = bench_of_files("");
  expect_error(hone__expected_make(bench, bytes, size), HONE_INVALID_ARGUMENT,
               "the reference has no file for 'y'");
  hone__bench_free(bench);
  free(bytes);
}

static void without_a_reference_everything_matches(void **state)
{
  struct hone__bench *bench = make_bench(&hone__engine_c, IN_X "," OUT_Y, CHECK);
  unsigned char *snapshot = snapshot_of(bench, 1, 1);

  (void)state;
  assert_null(hone__expected_make(bench, NULL, 0));
  assert_null(bench->expected[0]);
  assert_true(hone__expected_matches(bench, &no_extents, 0, snapshot, NULL));
  assert_true(hone__expected_element_matches(bench, 0, 1, 3, snapshot));
  free(snapshot);
  hone__bench_free(bench);
}

/* A hundredth may differ from what is expected, twice as much from another answer. */
static void answers_are_compared_with_tolerance(void **state)
{
  struct hone__bench *bench = make_bench(&hone__engine_c, IN_X "," OUT_Y, CHECK);
  unsigned char *snapshot = snapshot_of(bench, 1, 100), *other = snapshot_of(bench, 1, 101.5f);
  struct hone__text why = {0};
  float element = 100.9f;

  (void)state;
  bench->expected[0] = snapshot_of(bench, 1, 100);
  assert_true(hone__expected_matches(bench, &no_extents, 0, snapshot, &why));
  floats_at(bench, snapshot, 1)[7] = 100.9f;
  assert_true(hone__expected_matches(bench, &no_extents, 0, snapshot, &why));
  assert_int_equal(why.length, 0);
  floats_at(bench, snapshot, 1)[7] = 101.2f;
  assert_false(hone__expected_matches(bench, &no_extents, 0, snapshot, NULL));
  assert_false(hone__expected_matches(bench, &no_extents, 0, snapshot, &why));
  if (!strstr(why.data, "[7]")) fail_msg("%s", why.data);
  assert_true(hone__expected_element_matches(bench, 0, 1, 7, (unsigned char *)&element));
  element = NAN;
  assert_false(hone__expected_element_matches(bench, 0, 1, 7, (unsigned char *)&element));
  fill_snapshot(bench, snapshot, 1, 100);
  assert_true(hone__kernel_answers_agree(bench, &no_extents, snapshot, other, NULL));
  fill_snapshot(bench, other, 1, 103);
  assert_false(hone__kernel_answers_agree(bench, &no_extents, snapshot, other, NULL));
  fill_snapshot(bench, other, 1, 100); /* the first wrote less: what is behind is of another call */
  hone__poison(HONE__ELEMENT_F32, &floats_at(bench, snapshot, 1)[9], sizeof(float));
  assert_false(hone__kernel_answers_agree(bench, &no_extents, other, snapshot, NULL));
  assert_true(hone__kernel_answers_agree(bench, &no_extents, other, snapshot, other));
  floats_at(bench, other, 1)[8] += 50;
  assert_false(hone__kernel_answers_agree(bench, &no_extents, other, snapshot, other));
  hone__text_release(&why);
  free(snapshot);
  free(other);
  hone__bench_free(bench);
}

static void an_argument_may_have_its_own_tolerance(void **state)
{
  struct hone__bench *bench =
      make_bench(&hone__engine_c,
                 "{\"name\": \"y\", \"type\": \"f32\", \"role\": \"out\", \"shape\": [64],"
                 " \"rtol\": 0.5}",
                 CHECK);
  unsigned char *snapshot = snapshot_of(bench, 0, 140);

  (void)state;
  bench->expected[0] = snapshot_of(bench, 0, 100);
  assert_true(hone__expected_matches(bench, &no_extents, 0, snapshot, NULL));
  fill_snapshot(bench, snapshot, 0, 160);
  assert_false(hone__expected_matches(bench, &no_extents, 0, snapshot, NULL));
  free(snapshot);
  hone__bench_free(bench);
}

/* ---- check.command ---- */

static struct hone__bench *bench_of_judge(const char *script)
{
  char more[1024];

  snprintf(more, sizeof more,
           ", \"check\": {\"enabled\": true, \"command\": [\"sh\", \"-c\", \"cd {dir} && %s\"]}",
           script);
  return make_bench(&hone__engine_c, IN_X "," INOUT_Z "," OUT_Y, more);
}

static void a_judge_sees_inputs_and_answers(void **state)
{
  struct hone__bench *bench = bench_of_judge(
      "test -s x.npy -a -s y.npy -a -s z.npy -a -s inputs/z.npy -a ! -e inputs/x.npy");
  unsigned char *snapshot = snapshot_of(bench, 2, 1);
  struct hone__text why = {0};
  char *kept;

  (void)state;
  if (!hone__judge_accepts(bench, &no_extents, 0, snapshot, &why)) fail_msg("%s", why.data);
  assert_true(hone__judge_accepts(bench, &no_extents, 1, snapshot, &why));
  assert_string_not_equal(bench->judge_folders[0], bench->judge_folders[1]);
  kept = strdup(bench->judge_folders[0]);
  hone__judge_release(bench);
  assert_int_not_equal(access(kept, F_OK), 0);
  assert_null(bench->judge_folders[0]);
  free(kept);
  hone__text_release(&why);
  free(snapshot);
  hone__bench_free(bench);
}

static void a_refusal_has_the_last_line(void **state)
{
  struct hone__bench *bench = bench_of_judge("echo first && echo too large && exit 4");
  unsigned char *snapshot = snapshot_of(bench, 2, 1);
  struct hone__text why = {0};

  (void)state;
  assert_false(hone__judge_accepts(bench, &no_extents, 0, snapshot, &why));
  assert_string_equal(why.data, "too large (check.command: exit status 4)");
  hone__text_release(&why);
  free(snapshot);
  hone__bench_free(bench);
}

/* ---- Bytes that an answer must write ---- */

static void outputs_count_in_full_without_an_expected_answer(void **state)
{
  struct hone__bench *bench = make_bench(&hone__engine_c, IN_X "," INOUT_Z "," OUT_Y, "");

  (void)state;
  assert_true(hone__bench_written_bytes(bench) == ELEMENTS * sizeof(float));
  hone__bench_free(bench);
}

/* Half of z stays as it was; y is written but for one element, which remains poison. */
static void only_changed_elements_count(void **state)
{
  struct hone__bench *bench = make_bench(&hone__engine_c, INOUT_Z "," OUT_Y, CHECK);
  unsigned char *expected = snapshot_of(bench, 1, 3);

  (void)state;
  memcpy(floats_at(bench, expected, 0), input_of(bench, 0, 0), ELEMENTS * sizeof(float));
  for (size_t i = 0; i < ELEMENTS / 2; i++)
    floats_at(bench, expected, 0)[i] += 1;
  hone__poison(HONE__ELEMENT_F32, (unsigned char *)&floats_at(bench, expected, 1)[9], 4);
  bench->expected[0] = expected;
  assert_true(hone__bench_written_bytes(bench) == 4 * (ELEMENTS / 2 + ELEMENTS - 1));
  bench->tolerance.ratio = 0.5; /* half of the elements may be wrong */
  assert_true(hone__bench_written_bytes(bench) == 2 * (ELEMENTS / 2 + ELEMENTS - 1));
  hone__bench_free(bench);
}

static void caches_are_cold_as_the_setup_says(void **state)
{
  struct hone__bench *cold = make_bench(&hone__engine_c, OUT_Y, ", \"cache\": \"cold\"");
  struct hone__bench *warm = make_bench(&hone__engine_c, OUT_Y, ", \"cache\": \"warm\"");
  struct hone__bench *open = make_bench(&hone__engine_c, OUT_Y, "");

  (void)state;
  assert_true(hone__bench_is_cold(cold, false));
  assert_false(hone__bench_is_cold(warm, true));
  assert_true(hone__bench_is_cold(open, true));
  assert_false(hone__bench_is_cold(open, false));
  hone__bench_free(cold);
  hone__bench_free(warm);
  hone__bench_free(open);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(arrays_are_written_and_read_back),
      TEST(a_wrong_array_is_explained),
      TEST(commands_get_the_folder),
      TEST(a_command_answers_to_each_content),
      TEST(a_command_that_fails_is_explained),
      TEST(files_answer_to_one_content),
      TEST(without_a_reference_everything_matches),
      TEST(answers_are_compared_with_tolerance),
      TEST(an_argument_may_have_its_own_tolerance),
      TEST(a_judge_sees_inputs_and_answers),
      TEST(a_refusal_has_the_last_line),
      TEST(outputs_count_in_full_without_an_expected_answer),
      TEST(only_changed_elements_count),
      TEST(caches_are_cold_as_the_setup_says),
  };

  return cmocka_run_group_tests_name("kernel_answers", tests, NULL, NULL);
}
