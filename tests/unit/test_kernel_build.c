/* Orders of kernel builds: what a builder reads from a job, and what it says of a wrong one. */
#include "backend/kernel/kernel_build.h"

#include "backend/kernel/signature.h"
#include "folder.h"
#include "wire/packed_json.h"

static json_t *parse(const char *text)
{
  json_error_t error;
  json_t *json = json_loads(text, 0, &error);

  if (!json) fail_msg("%s: %s", error.text, text);
  return json;
}

/* True: it was read. The answer's evidence is in `evidence` otherwise. */
static bool read_order(const char *setup_text, const char *job_text, char evidence[512],
                       double *out_timeout_s)
{
  json_t *setup = parse(setup_text), *job = parse(job_text);
  struct hone__answer answer = {0};
  struct hone__kernel_order order;
  bool is_read = hone__kernel_order_read(hone__wire_json_packed(setup), hone__wire_json_packed(job),
                                         &answer, &order);

  snprintf(evidence, 512, "%s", answer.evidence.data ? answer.evidence.data : "");
  if (out_timeout_s) *out_timeout_s = order.timeout_s;
  if (!is_read) assert_int_equal(answer.outcome, HONE_OUTCOME_PROTOCOL);
  hone__kernel_order_release(&order);
  hone__text_release(&answer.evidence);
  hone__text_release(&answer.payload);
  hone__packed_drop(answer.head);
  json_decref(setup);
  json_decref(job);
  return is_read;
}

static void an_order_has_the_time_of_the_job(void **state)
{
  char evidence[512];
  double timeout_s;

  (void)state;
  assert_true(
      read_order("{\"build\": {\"timeout_s\": 30}}",
                 "{\"op\": \"build\", \"timeout_s\": 4, \"candidate\": {\"source\": \"/k.c\"}}",
                 evidence, &timeout_s));
  assert_true(timeout_s == 4);
  assert_true(read_order("{\"build\": {\"timeout_s\": 30}}",
                         "{\"op\": \"build\", \"candidate\": {\"source\": \"/k.c\"}}", evidence,
                         &timeout_s));
  assert_true(timeout_s == 30);
}

static void wrong_orders_are_refused(void **state)
{
  static const struct {
    const char *setup, *job, *part;
  } cases[] = {
      {"{}", "{\"op\": \"build\", \"candidate\": {\"entry\": \"f\"}}", "a build without a source"},
      {"{}", "{\"op\": \"build\", \"candidate\": {\"source\": \"\"}}", "a build without a source"},
      {"{}", "{\"op\": \"build\", \"candidate\": {\"source\": 7}}", "source"},
      {"{}", "{\"op\": \"build\", \"candidate\": {\"source\": \"k\", \"defines\": 3}}", "defines"},
      {"{}", "{\"op\": \"build\"}", "candidate"},
      {"{\"args\": {}}", "{\"op\": \"build\", \"candidate\": {\"source\": \"k\"}}", "args"},
  };
  char evidence[512];

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_false(read_order(cases[i].setup, cases[i].job, evidence, NULL));
    if (!strstr(evidence, cases[i].part)) fail_msg("no '%s' in: %s", cases[i].part, evidence);
  }
}

static void a_reference_in_c_is_recognised(void **state)
{
  static const struct {
    const char *job;
    bool is_c;
  } cases[] = {
      {"{\"op\": \"build\", \"candidate\": {\"source\": \"k\", \"backend\": \"c\"}}", true},
      {"{\"op\": \"build\", \"candidate\": {\"source\": \"k\", \"backend\": \"cuda\"}}", false},
      {"{\"op\": \"build\", \"candidate\": {\"source\": \"k\"}}", false},
      {"{\"op\": \"build\", \"candidate\": {\"backend\": 3}}", false},
      {"{\"op\": \"build\"}", false},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    json_t *job = parse(cases[i].job);
    assert_int_equal(hone__kernel_job_is_c(hone__wire_json_packed(job)), cases[i].is_c);
    json_decref(job);
  }
}

/* ---- Sources ---- */

static enum hone_outcome read_source(const char *path, const char *digest, char evidence[512])
{
  const struct hone__kernel_candidate candidate = {.source = path, .source_digest = digest};
  struct hone__answer answer = {0};
  struct hone__build_source_text source = {0};
  enum hone_outcome outcome = HONE_OUTCOME_OK;

  if (!hone__kernel_source_read(&candidate, &answer, &source)) outcome = answer.outcome;
  snprintf(evidence, 512, "%s", answer.evidence.data ? answer.evidence.data : "");
  hone__build_source_text_release(&source);
  hone__text_release(&answer.evidence);
  hone__text_release(&answer.payload);
  hone__packed_drop(answer.head);
  return outcome;
}

static void a_source_must_be_what_the_driver_read(void **state)
{
  struct hone__build_source_text source;
  char evidence[512];

  (void)state;
  write_text("k.c", "void f(void) {}\n");
  assert_null(hone__build_source_text_read(path_of("k.c"), &source));
  assert_int_equal(read_source(path_of("k.c"), source.digest, evidence), HONE_OUTCOME_OK);
  assert_int_equal(read_source(path_of("k.c"), "", evidence), HONE_OUTCOME_OK);
  write_text("k.c", "void f(void) { for (;;) {} }\n");
  assert_int_not_equal(read_source(path_of("k.c"), source.digest, evidence), HONE_OUTCOME_OK);
  assert_non_null(strstr(evidence, "k.c"));
  assert_int_equal(read_source(path_of("none.c"), "", evidence), HONE_OUTCOME_COMPILE_ERROR);
  assert_non_null(strstr(evidence, "none.c"));
  hone__build_source_text_release(&source);
}

static void names_are_short_in_the_compilers_folder(void **state)
{
  (void)state;
  assert_string_equal(hone__kernel_short_name("/a/b/k.c", "/a/b"), "k.c");
  assert_string_equal(hone__kernel_short_name("/a/bc/k.c", "/a/b"), "/a/bc/k.c");
}

/* ---- Commands and advice for people ---- */

static void print_source(const struct hone__kernel_order *order, struct hone__text *out_command)
{
  const char *const words[] = {"cc", "-DNAME=a b", order->candidate.source, NULL};

  hone__kernel_print_command(&order->setup, words, true, out_command);
}

static void a_command_can_be_pasted(void **state)
{
  json_t *setup = parse("{\"folder\": \"/my kernels\"}");
  json_t *candidate = parse("{\"source\": \"/k.c\"}"), *without = parse("{\"entry\": \"f\"}");
  struct hone__text text = {0};
  hone_status status;

  (void)state;
  assert_null(hone__kernel_build_command(hone__wire_json_packed(setup),
                                         hone__wire_json_packed(candidate), print_source, &text));
  assert_string_equal(text.data, "cd '/my kernels' && cc '-DNAME=a b' /k.c");
  status = hone__kernel_build_command(hone__wire_json_packed(setup),
                                      hone__wire_json_packed(without), print_source, &text);
  assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
  hone_status_free(status);
  hone__text_release(&text);
  json_decref(setup);
  json_decref(candidate);
  json_decref(without);
}

static void a_call_is_printed(void **state)
{
  json_t *setup =
      parse("{\"args\": [{\"name\": \"x\", \"type\": \"f32\", \"role\": \"in\", "
            "\"shape\": [4]}, {\"name\": \"n\", \"type\": \"i64\", \"scalar\": true}]}");
  json_t *candidate, *wrong = parse("{\"entry\": 3}");
  struct hone__text call = {0}, text = {0};

  (void)state;
  write_text("k.c", "void f(const float *x, int n) {}\n");
  hone__text_addf(&text, "{\"source\": \"%s\", \"entry\": \"f\"}", path_of("k.c"));
  candidate = parse(text.data);
  hone__signature_explain(hone__wire_json_packed(setup), hone__wire_json_packed(candidate), &call);
  assert_string_equal(call.data, "f(f32 *x, i64 n)");
  call.length = 0;
  hone__signature_explain(hone__wire_json_packed(setup), hone__wire_json_packed(wrong), &call);
  assert_int_equal(call.length, 0);
  hone__text_release(&call);
  hone__text_release(&text);
  json_decref(setup);
  json_decref(candidate);
  json_decref(wrong);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(an_order_has_the_time_of_the_job),
      TEST(wrong_orders_are_refused),
      TEST(a_reference_in_c_is_recognised),
      TEST(a_source_must_be_what_the_driver_read),
      TEST(names_are_short_in_the_compilers_folder),
      TEST(a_command_can_be_pasted),
      TEST(a_call_is_printed),
  };

  return cmocka_run_group_tests_name("kernel_build", tests, NULL, NULL);
}
