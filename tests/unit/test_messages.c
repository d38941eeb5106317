/* Jobs and replies on the wire: names of their fields, and what is refused. */
#include "base/outcome.h"
#include "wire/build_job.h"
#include "wire/build_reply.h"
#include "wire/candidate_head.h"
#include "wire/run_job.h"
#include "wire/run_reply.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void expect(const struct hone__packed *packed, const char *expected)
{
  struct hone__text text = {0};

  hone__packed_print(packed, &text);
  assert_string_equal(text.data, expected);
  hone__text_release(&text);
}

static void expect_refused(const struct hone__record_type *type, const char *text,
                           const char *message)
{
  struct hone__packed *packed = hone__packed_parse(text, strlen(text));
  struct hone__arena arena = {0};
  void *record = hone__alloc(type->size);
  hone_status status = hone__unpack(packed, type, &arena, record);

  assert_string_equal(hone_status_message(status), message);
  hone_status_free(status);
  hone__packed_drop(packed);
  hone__arena_release(&arena);
  free(record);
}

static void test_build(void **state)
{
  struct hone__packed *candidate = hone__packed_parse("{\"key\": \"k\"}", 12), *job, *reply;
  struct hone__name_value deps[] = {{"a.h", "d1"}};
  struct hone__named costs[] = {{"registers", {HONE_INT, {.integer = 32}}}};

  (void)state;
  job = hone__pack(&hone__wire_build_job_type,
                   &(struct hone__wire_build_job){"build", 60, candidate, true, false});
  expect(job, "{\"cached_only\":true,\"candidate\":{\"key\":\"k\"},\"op\":\"build\","
              "\"timeout_s\":60.0}");
  reply =
      hone__pack(&hone__wire_build_reply_type, &(struct hone__wire_build_reply){.object = "o",
                                                                                .compile_s = 0.5,
                                                                                .deps = deps,
                                                                                .deps_count = 1,
                                                                                .costs = costs,
                                                                                .costs_count = 1});
  expect(reply, "{\"cached\":false,\"compile_s\":0.5,\"costs\":{\"registers\":32},"
                "\"deps\":[[\"a.h\",\"d1\"]],\"object\":\"o\"}");
  expect_refused(&hone__wire_build_job_type, "{}", "build job: 'candidate' is missing");
  expect_refused(&hone__wire_build_reply_type, "{\"compile_s\": \"long\"}",
                 "build reply: 'compile_s' is not a number");
  hone__packed_drop(job);
  hone__packed_drop(reply);
  hone__packed_drop(candidate);
}

static void test_run(void **state)
{
  static const char text[] =
      "{\"candidates\":[{\"candidate\":{\"key\":\"k\"},\"offset\":0,\"size\":9}],"
      "\"cap_ns\":0.0,\"check\":\"every\",\"late_check\":true,\"mode\":\"rows\","
      "\"number\":0,\"phase\":\"\",\"rows\":5,\"samples\":0,\"seed\":9223372036854775807,"
      "\"verbose\":false,"
      "\"warmup\":-1}";
  struct hone__packed *packed = hone__packed_parse(text, strlen(text)), *again;
  struct hone__arena arena = {0};
  struct hone__wire_run_job job;

  (void)state;
  assert_null(hone__unpack(packed, &hone__wire_run_job_type, &arena, &job));
  assert_true(job.mode == HONE__RUN_ROWS && job.rows == 5 && job.candidates[0].size == 9);
  again = hone__pack(&hone__wire_run_job_type, &job);
  expect(again, text);
  expect_refused(&hone__wire_run_job_type, "{\"candidates\": [], \"samples\": -1}",
                 "run job: 'samples' is -1, which is less than 0");
  hone__packed_drop(again);
  hone__packed_drop(packed);
  hone__arena_release(&arena);
}

static void test_run_reply(void **state)
{
  const char *notes[] = {"n"};
  struct hone__wire_run_checks checks = {2, 1, 10, 20};
  struct hone__wire_candidate_result result = {
      .outcome = HONE_OUTCOME_SLOW, .evidence = "e", .cold_ns = NAN, .checks = &checks};
  struct hone__packed *packed = hone__pack(
      &hone__wire_run_reply_type,
      &(struct hone__wire_run_reply){
          .results = &result, .results_count = 1, .cpu = -1, .notes = notes, .notes_count = 1});

  (void)state;
  expect(packed, "{\"cpu\":-1,\"cpu_ns\":0.0,\"forced_switches\":0,\"notes\":[\"n\"],"
                 "\"results\":[{\"checks\":{\"compared\":2,\"sample_ns\":20.0,\"whole\":1,"
                 "\"whole_ns\":10.0},\"class\":\"slow\",\"evidence\":\"e\",\"repeats\":0,"
                 "\"samples\":0}],\"rows\":0}");
  expect_refused(&hone__wire_run_reply_type, "{\"results\": [{\"class\": \"odd\"}]}",
                 "run reply: 'class' has an unknown value");
  hone__packed_drop(packed);
}

static void digest_call(const char *text, char digest[HONE__DIGEST_SIZE])
{
  struct hone__packed *candidate = hone__packed_parse(text, strlen(text));
  struct hone__digester *digester = hone__digest_begin();

  hone__wire_candidate_digest_call(candidate, digester);
  hone__digest_end(digester, digest);
  hone__packed_drop(candidate);
}

/* Two configurations with one object are one only if they are called alike. */
static void test_calls_of_one_object(void **state)
{
  static const char *const others[] = {"{\"entry\":\"f\",\"values\":[1]}",
                                       "{\"entry\":\"f\",\"launch\":{\"grid\":[1]}}",
                                       "{\"entry\":\"f\",\"extents\":[{\"arg\":0,\"shape\":[2]}]}",
                                       "{\"entry\":\"f\",\"extents\":[{\"arg\":0,\"shape\":[4]}]}"};
  char plain[HONE__DIGEST_SIZE], last[HONE__DIGEST_SIZE], digest[HONE__DIGEST_SIZE];

  (void)state;
  digest_call("{\"entry\":\"f\"}", plain);
  digest_call("{\"entry\":\"f\",\"build_key\":\"k\"}", last);
  assert_string_equal(last, plain);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    digest_call(others[i], digest);
    assert_string_not_equal(digest, plain);
    assert_string_not_equal(digest, last);
    memcpy(last, digest, sizeof last);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_build),
      cmocka_unit_test(test_run),
      cmocka_unit_test(test_run_reply),
      cmocka_unit_test(test_calls_of_one_object),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
