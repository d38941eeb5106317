/* Lines of a served program: how they are cut, what they say, and what is sent. */
#include "backend/program/serve_message.h"
#include "proc/line_reader.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Lines ---- */

static void expect_line(struct hone__line_reader *reader, enum hone__line_state state,
                        const char *text)
{
  const char *line;
  size_t length;

  assert_int_equal(hone__line_reader_next(reader, &line, &length), state);
  assert_int_equal(length, strlen(text));
  assert_memory_equal(line, text, length);
}

static void feed(struct hone__line_reader *reader, const char *text)
{
  hone__line_reader_feed(reader, text, strlen(text));
}

static void messages_and_text_are_told_apart(void **state)
{
  struct hone__line_reader reader = {0};

  (void)state;
  feed(&reader, "loading\n{\"id\":1}\r\n\n  {\"id\":2}\n} {\nhalf");
  expect_line(&reader, HONE__LINE_TEXT, "loading\n");
  expect_line(&reader, HONE__LINE_MESSAGE, "{\"id\":1}");
  expect_line(&reader, HONE__LINE_TEXT, "\n");
  expect_line(&reader, HONE__LINE_MESSAGE, "  {\"id\":2}");
  expect_line(&reader, HONE__LINE_TEXT, "} {\n");
  expect_line(&reader, HONE__LINE_MORE, "");
  feed(&reader, " a line\n");
  expect_line(&reader, HONE__LINE_TEXT, "half a line\n");
  hone__line_reader_release(&reader);
}

static void a_message_may_come_byte_by_byte(void **state)
{
  static const char text[] = "{\"id\": 3}";
  struct hone__line_reader reader = {0};

  (void)state;
  for (size_t i = 0; i < strlen(text); i++) {
    hone__line_reader_feed(&reader, text + i, 1);
    expect_line(&reader, HONE__LINE_MORE, "");
  }
  feed(&reader, "\n");
  expect_line(&reader, HONE__LINE_MESSAGE, text);
  hone__line_reader_release(&reader);
}

static char *repeat(char c, size_t count)
{
  char *text = malloc(count + 1);

  assert_non_null(text);
  memset(text, c, count);
  text[count] = 0;
  return text;
}

static void long_text_comes_in_parts_that_are_no_messages(void **state)
{
  struct hone__line_reader reader = {0};
  char *text = repeat('x', HONE__LONGEST_TEXT);

  (void)state;
  feed(&reader, text);
  expect_line(&reader, HONE__LINE_TEXT, text);
  feed(&reader, "{\"id\":1}\n{\"id\":2}\n");
  expect_line(&reader, HONE__LINE_TEXT, "{\"id\":1}\n");
  expect_line(&reader, HONE__LINE_MESSAGE, "{\"id\":2}");
  hone__line_reader_release(&reader);
  free(text);
}

static void a_message_has_a_longest_length(void **state)
{
  struct hone__line_reader reader = {0};
  char *text = repeat('{', HONE__LONGEST_MESSAGE + 1);
  const char *line;
  size_t length;

  (void)state;
  hone__line_reader_feed(&reader, text, HONE__LONGEST_MESSAGE);
  expect_line(&reader, HONE__LINE_MORE, "");
  feed(&reader, "{");
  assert_int_equal(hone__line_reader_next(&reader, &line, &length), HONE__LINE_LONG);
  expect_line(&reader, HONE__LINE_MORE, "");
  hone__line_reader_release(&reader);
  free(text);
}

static void the_rest_without_an_end_is_text(void **state)
{
  struct hone__line_reader reader = {0};
  const char *line;
  size_t length;

  (void)state;
  assert_false(hone__line_reader_rest(&reader, &line, &length));
  feed(&reader, "{\"id\"");
  assert_true(hone__line_reader_rest(&reader, &line, &length));
  assert_int_equal(length, 5);
  assert_false(hone__line_reader_rest(&reader, &line, &length));
  hone__line_reader_release(&reader);
}

/* ---- What they say ---- */

static void expect_invalid(const char *line, const char *reason)
{
  struct hone__packed *packed;
  struct hone__text why = {0};

  assert_int_equal(hone__serve_read(line, strlen(line), 7, &packed, &why), HONE__SERVE_INVALID);
  assert_null(packed);
  if (!strstr(why.data, reason)) fail_msg("'%s' is not in '%s'", reason, why.data);
  hone__text_release(&why);
}

static void wrong_lines_are_refused_with_the_reason(void **state)
{
  (void)state;
  expect_invalid("{", "is not valid JSON");
  expect_invalid("{\"id\": NaN}", "is not valid JSON");
  expect_invalid("{\"id\": 7} 8", "text after its end");
  expect_invalid("{\"outcome\": \"ok\"}", "has no \"id\"");
  expect_invalid("{\"id\": \"7\"}", "has no \"id\"");
  expect_invalid("{\"id\": 6}", "answers request 6, but request 7 is asked");
  expect_invalid("{\"id\": 7, \"type\": 1}", "'type' is not a string");
}

static struct hone__packed *read_answer(const char *line)
{
  struct hone__packed *packed;
  struct hone__text why = {0};

  assert_int_equal(hone__serve_read(line, strlen(line), 7, &packed, &why), HONE__SERVE_ANSWER);
  assert_int_equal(why.length, 0);
  return packed;
}

static void a_sign_of_life_needs_no_id(void **state)
{
  struct hone__packed *packed;
  struct hone__text why = {0};
  static const char line[] = "{\"type\": \"alive\"}";

  (void)state;
  assert_int_equal(hone__serve_read(line, strlen(line), 7, &packed, &why), HONE__SERVE_ALIVE);
  assert_null(packed);
}

static void an_answer_has_samples_metrics_and_unknown_fields(void **state)
{
  struct hone__packed *packed =
      read_answer("{\"id\": 7, \"samples_ns\": [1, 2.5], \"metrics\": {\"gflops\": 3}, \"x\": []}");
  struct hone__arena arena = {0};
  struct hone__serve_answer answer;

  (void)state;
  assert_null(hone__serve_read_answer(packed, &arena, &answer));
  assert_int_equal(answer.outcome, HONE_OUTCOME_OK);
  assert_int_equal(answer.samples_ns_count, 2);
  assert_true(answer.samples_ns[1] == 2.5);
  assert_string_equal(answer.metrics[0].name, "gflops");
  hone__arena_release(&arena);
  hone__packed_drop(packed);
}

static void expect_refused(const char *line, const char *reason)
{
  struct hone__packed *packed = read_answer(line);
  struct hone__arena arena = {0};
  struct hone__serve_answer answer;
  hone_status status = hone__serve_read_answer(packed, &arena, &answer);

  assert_non_null(status);
  if (!strstr(hone_status_message(status), reason))
    fail_msg("'%s' is not in '%s'", reason, hone_status_message(status));
  hone_status_free(status);
  hone__arena_release(&arena);
  hone__packed_drop(packed);
}

static void outcomes_are_those_of_candidates(void **state)
{
  struct hone__packed *packed = read_answer("{\"id\": 7, \"outcome\": \"compile_error\"}");
  struct hone__arena arena = {0};
  struct hone__serve_answer answer;

  (void)state;
  assert_null(hone__serve_read_answer(packed, &arena, &answer));
  assert_int_equal(answer.outcome, HONE_OUTCOME_COMPILE_ERROR);
  hone__arena_release(&arena);
  hone__packed_drop(packed);
  expect_refused("{\"id\": 7, \"outcome\": \"worker_lost\"}", "use one of ok, invalid");
  expect_refused("{\"id\": 7, \"outcome\": \"sad\"}", "'sad'");
  expect_refused("{\"id\": 7, \"samples_ns\": 3}", "'samples_ns' is not a list");
}

static void expect_welcome(const char *line, const char *reason)
{
  struct hone__packed *packed = read_answer(line);
  struct hone__arena arena = {0};
  struct hone__serve_welcome welcome;
  hone_status status = hone__serve_read_welcome(packed, &arena, &welcome);

  assert_int_equal(status == NULL, reason == NULL);
  if (status && !strstr(hone_status_message(status), reason))
    fail_msg("'%s' is not in '%s'", reason, hone_status_message(status));
  hone_status_free(status);
  hone__arena_release(&arena);
  hone__packed_drop(packed);
}

static void the_answer_to_hello_has_a_version(void **state)
{
  (void)state;
  expect_welcome("{\"id\": 7, \"version\": 1, \"build\": false, \"heartbeat_s\": 2}", NULL);
  expect_welcome("{\"id\": 7}", "'version' is missing");
  expect_welcome("{\"id\": 7, \"version\": 2}", "version 2");
  expect_welcome("{\"id\": 7, \"version\": 1, \"check\": 0}", "'check' is neither true nor false");
  expect_welcome("{\"id\": 7, \"version\": 1, \"heartbeat_s\": -1}", "'heartbeat_s' is -1");
}

/* ---- What is sent ---- */

static void a_request_is_one_line_with_types(void **state)
{
  struct hone__named config[] = {{"BM", {HONE_INT, {.integer = 64}}},
                                 {"PACK", {HONE_BOOL, {.integer = 1}}},
                                 {"ALGO", {HONE_TEXT, {.text = "a\nb"}}},
                                 {"F", {HONE_FLOAT, {.real = 0.5}}}};
  struct hone__serve_request request = {.type = "measure",
                                        .id = 3,
                                        .key = "k",
                                        .config = config,
                                        .config_count = 4,
                                        .samples = 2,
                                        .timeout_s = NAN};
  struct hone__text line = {0};

  (void)state;
  hone__serve_print_request(&request, &line);
  assert_string_equal(line.data,
                      "{\"type\":\"measure\",\"id\":3,\"key\":\"k\",\"config\":{\"BM\":64,"
                      "\"PACK\":true,\"ALGO\":\"a\\nb\",\"F\":0.5},\"problem\":{},\"derived\":{},"
                      "\"object\":null,\"samples\":2}\n");
  hone__text_release(&line);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(messages_and_text_are_told_apart),
      cmocka_unit_test(a_message_may_come_byte_by_byte),
      cmocka_unit_test(long_text_comes_in_parts_that_are_no_messages),
      cmocka_unit_test(a_message_has_a_longest_length),
      cmocka_unit_test(the_rest_without_an_end_is_text),
      cmocka_unit_test(wrong_lines_are_refused_with_the_reason),
      cmocka_unit_test(a_sign_of_life_needs_no_id),
      cmocka_unit_test(an_answer_has_samples_metrics_and_unknown_fields),
      cmocka_unit_test(outcomes_are_those_of_candidates),
      cmocka_unit_test(the_answer_to_hello_has_a_version),
      cmocka_unit_test(a_request_is_one_line_with_types),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
