/* What a session keeps in the store as JSON comes back as it was; what is damaged is nothing. */
#include "session/deps_text.h"
#include "session/kept_options.h"
#include "session/kept_output.h"
#include "session/sample_facts.h"
#include "wire/named.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const damaged[] = {"",
                                      "{",
                                      "[]",
                                      "null",
                                      "7",
                                      "{\"deps\": 1}",
                                      "[[\"a\"]]",
                                      "[[\"a\", 1]]",
                                      "{\"slot\": \"x\"}",
                                      "\xff"};
enum { DAMAGED = sizeof damaged / sizeof *damaged };

/* ---- Files of a build ---- */

static void deps_come_back(void **state)
{
  const struct hone__name_value deps[] = {{"/a b/\"k\".h", "0123"}, {"/größe.h", "ff"}};
  struct hone__arena arena = {0};
  struct hone__pairs read = {0};
  const char *text = hone__deps_print(deps, 2, &arena);

  (void)state;
  assert_true(hone__deps_parse(text, &read));
  assert_int_equal(read.count, 2);
  assert_string_equal(read.data[0].name, deps[0].name);
  assert_string_equal(read.data[1].value, deps[1].value);
  hone__pairs_release(&read);
  assert_true(hone__deps_parse(hone__deps_print(NULL, 0, &arena), &read));
  assert_int_equal(read.count, 0);
  hone__pairs_release(&read);
  hone__arena_release(&arena);
}

static void damaged_deps_are_none(void **state)
{
  struct hone__pairs read = {0};

  (void)state;
  assert_false(hone__deps_parse(NULL, &read));
  for (size_t i = 0; i < DAMAGED; i++)
    if (strcmp(damaged[i], "[]") != 0) assert_false(hone__deps_parse(damaged[i], &read));
  assert_int_equal(read.count, 0);
  hone__pairs_release(&read);
}

/* ---- Facts of samples ---- */

static void facts_name_their_slot(void **state)
{
  struct hone__wire_run_checks checks = {
      .compared = 9, .whole = 2, .whole_ns = 5e3, .sample_ns = 1e6};
  struct hone__wire_candidate_result results[] = {
      {.outcome = HONE_OUTCOME_OK, .repeats = 17, .checks = &checks}};
  struct hone__wire_run_reply run = {
      .results = results, .results_count = 1, .rows = 3, .cpu_ns = NAN, .cpu = 1};
  struct hone__reply reply = {.run = &run, .slot = 4, .worked_s = NAN};
  char *text = hone__sample_facts_print(&reply, 0);

  (void)state;
  assert_int_equal(hone__sample_facts_slot(text), 4);
  assert_non_null(strstr(text, "\"repeats\":17"));
  assert_non_null(strstr(text, "\"compared\":9"));
  assert_non_null(strstr(text, "\"rows\":3"));
  assert_null(strstr(text, "cpu_ns"));
  free(text);
  text = hone__sample_facts_print(&reply, 1); /* there is no such candidate */
  assert_int_equal(hone__sample_facts_slot(text), 4);
  free(text);
  reply.run = NULL;
  text = hone__sample_facts_print(&reply, 0);
  assert_int_equal(hone__sample_facts_slot(text), 4);
  free(text);
}

static void damaged_facts_name_none(void **state)
{
  (void)state;
  assert_int_equal(hone__sample_facts_slot(NULL), -1);
  for (size_t i = 0; i < DAMAGED; i++)
    assert_int_equal(hone__sample_facts_slot(damaged[i]), -1);
}

/* ---- Output ---- */

static void output_is_read(void **state)
{
  static const char text[] =
      "{\"spec\":\"k/BM=1\",\"params\":[[\"BM\",\"1\"]],\"columns\":[\"x\"],\"rows\":[[1]],"
      "\"stdout\":\"said\",\"build_output\":\"k.c:1:1: error\",\"unapplied\":\"match_mm\","
      "\"costs\":{\"registers\":32},\"new\":true}";
  struct hone__kept_output output;

  (void)state;
  hone__kept_output_read(text, &output);
  assert_string_equal(output.stdout_text, "said");
  assert_null(output.stderr_text);
  assert_string_equal(output.build_output, "k.c:1:1: error");
  assert_string_equal(output.unapplied, "match_mm");
  assert_int_equal(hone__named_find(output.costs, output.costs_count, "registers")->integer, 32);
  hone__kept_output_release(&output);
}

static void damaged_output_is_empty(void **state)
{
  struct hone__kept_output output;

  (void)state;
  hone__kept_output_read(NULL, &output);
  assert_null(output.stdout_text);
  hone__kept_output_release(&output);
  for (size_t i = 0; i < DAMAGED; i++) {
    hone__kept_output_read(damaged[i], &output);
    assert_null(output.build_output);
    assert_int_equal(output.costs_count, 0);
    hone__kept_output_release(&output);
  }
}

/* ---- Options ---- */

static void options_name_their_file(void **state)
{
  char *file = hone__kept_options_file("{\"margin\":0.01,\"file\":\"/a/k.c\",\"settings\":\"\"}");

  (void)state;
  assert_string_equal(file, "/a/k.c");
  free(file);
  assert_null(hone__kept_options_file("{\"margin\":0.01}"));
  assert_null(hone__kept_options_file(NULL));
  for (size_t i = 0; i < DAMAGED; i++)
    assert_null(hone__kept_options_file(damaged[i]));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(deps_come_back),          cmocka_unit_test(damaged_deps_are_none),
      cmocka_unit_test(facts_name_their_slot),   cmocka_unit_test(damaged_facts_name_none),
      cmocka_unit_test(output_is_read),          cmocka_unit_test(damaged_output_is_empty),
      cmocka_unit_test(options_name_their_file),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
