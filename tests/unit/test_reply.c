/* What the driver makes of a runner's reply, whoever sent it: only times become times. */
#include "wire/packed_json.h"
#include "base/random.h"
#include "stats/statistics.h"
#include "base/time_bounds.h"
#include "folder.h"
#include "pool/answer.h"
#include "session/session.h"

struct sent { /* a reply, with what it refers to */
  struct hone__job_answer answer;
  struct hone__reply reply;
  hone_status refusal; /* it is no answer: its worker is lost */
  json_t *head;
  double times[64];
};

static void read_sent(struct sent *sent, size_t payload_size)
{
  const struct hone__job job = {.kind = HONE__JOB_RUN};
  const struct hone__frame frame = {.kind = HONE__FRAME_RESULT,
                                    .head = hone__wire_json_packed(sent->head),
                                    .payload = sent->times,
                                    .payload_size = payload_size};

  json_object_set_new(sent->head, "class", json_string("ok"));
  sent->refusal = hone__job_answer_read(&job, &frame, &sent->answer);
  sent->reply = sent->answer.reply;
}

static void release(struct sent *sent)
{
  hone_status_free(sent->refusal);
  hone__job_answer_release(&sent->answer);
  json_decref(sent->head);
}

static void receive(struct sent *sent, const char *head, const double *times, size_t count)
{
  *sent = (struct sent){.head = json_loads(head, JSON_ALLOW_NUL, NULL)};
  assert_non_null(sent->head);
  if (count) memcpy(sent->times, times, count * sizeof *times);
  read_sent(sent, count * sizeof *times);
}

static const char screened[] =
    "{\"results\": [{\"class\": \"ok\", \"samples\": 3, \"cold_ns\": 5.0}], \"rows\": 0}";

/* ---- Screening ---- */

static void takes_times(void **state)
{
  const double times[] = {0.001, 12.5, 1e18};
  struct hone__run_part part;
  struct sent sent;

  (void)state;
  receive(&sent, screened, times, 3);
  part = hone__run_part(&sent.reply, 0);
  assert_int_equal(part.outcome, HONE_OUTCOME_OK);
  assert_int_equal(part.samples, 3);
  assert_true(part.cold_ns == 5);
  release(&sent);
}

static void refuses_what_is_no_time(void **state)
{
  static const struct {
    double ns;
    const char *why;
  } cases[] = {
      {NAN, "not a number"}, {INFINITY, "infinite"}, {-INFINITY, "infinite"}, {0, "zero"},
      {-0.0, "zero"},        {-3, "negative"},       {1e-300, "0.001 ns"},    {0.9e-3, "0.001 ns"},
      {5e-324, "0.001 ns"},  {1e300, "31 years"},    {1.1e18, "31 years"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (size_t at = 0; at < 3; at++) {
      double times[] = {10, 11, 12};
      struct hone__run_part part;
      struct sent sent;
      times[at] = cases[i].ns;
      receive(&sent, screened, times, 3);
      part = hone__run_part(&sent.reply, 0);
      assert_int_equal(part.outcome, HONE_OUTCOME_BAD_RESULT);
      assert_non_null(strstr(part.evidence, cases[i].why));
      assert_int_equal(part.samples, 0);
      release(&sent);
    }
  }
}

static void refuses_missing_samples(void **state)
{
  static const char *const heads[] = {
      "{\"results\": [{\"class\": \"ok\"}]}",
      "{\"results\": [{\"class\": \"ok\", \"samples\": 0}]}",
      "{\"results\": [{\"class\": \"ok\", \"samples\": -1}]}",
      "{\"results\": [{\"class\": \"ok\", \"samples\": 9223372036854775807}]}",
      "{\"results\": [{\"class\": \"ok\", \"samples\": 4}]}",
      "{\"results\": [{\"class\": \"ok\", \"samples\": \"3\"}]}",
      "{\"results\": [{}]}",
      "{\"results\": []}",
      "{\"results\": 3}",
      "{}",
  };
  const double times[] = {10, 11, 12};

  (void)state;
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
    struct sent sent;
    receive(&sent, heads[i], times, 3);
    if (!sent.refusal)
      assert_int_equal(hone__run_part(&sent.reply, 0).outcome, HONE_OUTCOME_BAD_RESULT);
    release(&sent);
  }
}

/* One that is killed at the cap works, although it has no sample. */
static void lets_slow_ones_be(void **state)
{
  struct sent sent;

  (void)state;
  receive(&sent, "{\"results\": [{\"class\": \"slow\", \"samples\": 0}]}", NULL, 0);
  assert_int_equal(hone__run_part(&sent.reply, 0).outcome, HONE_OUTCOME_SLOW);
  release(&sent);
}

/* What failed says so itself, and its times are not looked at. */
static void keeps_failures(void **state)
{
  const double times[] = {NAN};
  struct hone__run_part part;
  struct sent sent;

  (void)state;
  receive(&sent,
          "{\"results\": [{\"class\": \"wrong_result\", \"evidence\": \"y\", \"samples\": 1}]}",
          times, 1);
  part = hone__run_part(&sent.reply, 0);
  assert_int_equal(part.outcome, HONE_OUTCOME_WRONG_RESULT);
  assert_string_equal(part.evidence, "y");
  release(&sent);
}

static void drops_odd_numbers_beside(void **state)
{
  static const char *const odd[] = {"-1", "0", "1e300", "null"};
  const double times[] = {10};

  (void)state;
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
    struct hone__text head = {0};
    struct sent sent;
    hone__text_addf(&head,
                    "{\"results\": [{\"class\": \"ok\", \"samples\": 1, \"cold_ns\": %s, "
                    "\"facts\": {\"energy_j\": -2, \"power_w\": -1}}]}",
                    odd[i]);
    receive(&sent, head.data, times, 1);
    assert_null(sent.refusal);
    assert_int_equal(hone__run_part(&sent.reply, 0).outcome, HONE_OUTCOME_OK);
    assert_true(isnan(hone__run_part(&sent.reply, 0).cold_ns));
    assert_true(isnan(hone__run_energy(&sent.reply, 0).joules));
    assert_true(isnan(hone__run_energy(&sent.reply, 0).watts));
    release(&sent);
    hone__text_release(&head);
  }
}

/* A worker that sends such a thing is broken: the field is named. */
static void names_what_is_wrong(void **state)
{
  static const struct {
    const char *head, *why;
  } cases[] = {
      {"{\"results\": [{\"class\": \"ok\", \"repeats\": -5}]}", "'repeats' is -5"},
      {"{\"results\": [{\"class\": \"ok\", \"cold_ns\": \"7\"}]}", "'cold_ns'"},
      {"{\"results\": [{\"class\": \"fine\"}]}", "'class'"},
      {"{\"results\": [{}]}", "'class' is missing"},
      {"{\"results\": 3}", "'results'"},
      {"{\"rows\": -1}", "'rows' is -1"},
      {"{\"notes\": [1]}", "'notes'"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct sent sent;
    receive(&sent, cases[i].head, NULL, 0);
    assert_non_null(sent.refusal);
    if (!strstr(hone_status_message(sent.refusal), cases[i].why))
      fail_msg("no %s in: %s", cases[i].why, hone_status_message(sent.refusal));
    release(&sent);
  }
}

/* Those of a newer version. */
static void skips_unknown_fields(void **state)
{
  const double times[] = {10, 11, 12};
  struct sent sent;

  (void)state;
  receive(&sent,
          "{\"results\": [{\"class\": \"ok\", \"samples\": 3, \"colour\": {\"of\": [1]}}], "
          "\"rows\": 0, \"weather\": \"fine\"}",
          times, 3);
  assert_null(sent.refusal);
  assert_int_equal(hone__run_part(&sent.reply, 0).samples, 3);
  release(&sent);
}

/* ---- Rows ---- */

static const char two_rows[] = "{\"results\": [{\"class\": \"ok\", \"samples\": 2}, {\"class\": "
                               "\"ok\", \"samples\": 2}], \"rows\": 2}";

static void looks_at_columns(void **state)
{
  const double good[] = {10, 20, 11, 21}, bad[] = {10, 20, 11, 0};
  struct sent sent;

  (void)state;
  receive(&sent, two_rows, good, 4);
  assert_int_equal(hone__run_part(&sent.reply, 0).outcome, HONE_OUTCOME_OK);
  assert_int_equal(hone__run_part(&sent.reply, 1).outcome, HONE_OUTCOME_OK);
  release(&sent);
  receive(&sent, two_rows, bad, 4);
  assert_int_equal(hone__run_part(&sent.reply, 0).outcome, HONE_OUTCOME_OK);
  assert_int_equal(hone__run_part(&sent.reply, 1).outcome, HONE_OUTCOME_BAD_RESULT);
  release(&sent);
}

static void refuses_tables_of_another_size(void **state)
{
  const double times[] = {10, 20, 11};
  struct sent sent;

  (void)state;
  receive(&sent, two_rows, times, 3);
  assert_int_equal(hone__run_part(&sent.reply, 1).outcome, HONE_OUTCOME_BAD_RESULT);
  release(&sent);
  receive(&sent, "{\"results\": [{\"class\": \"ok\"}], \"rows\": 9007199254740992}", times, 3);
  assert_null(sent.refusal);
  assert_int_equal(hone__run_part(&sent.reply, 0).outcome, HONE_OUTCOME_BAD_RESULT);
  assert_int_equal(hone__run_part(&sent.reply, 7).outcome, HONE_OUTCOME_BAD_RESULT);
  release(&sent);
}

/* ---- Whatever comes ---- */

static double odd_time(struct hone__random *random)
{
  static const double odd[] = {NAN, INFINITY, -1, 0, 1e-300, 1e300, 1, 100, 1e6, 0.002};
  uint64_t bits = hone__random_u64(random);
  double any;

  memcpy(&any, &bits, sizeof any);
  return hone__random_below(random, 3) ? odd[hone__random_below(random, 10)] : any;
}

static json_t *odd_value(struct hone__random *random)
{
  switch (hone__random_below(random, 8)) {
  case 0: return json_null();
  case 1: return json_string(hone__random_below(random, 2) ? "ok" : "nonsense");
  case 2: return json_real(-1e300);
  case 3: return json_integer((json_int_t)hone__random_u64(random));
  case 4: return json_object();
  case 5: return json_array();
  default: return json_integer((json_int_t)hone__random_below(random, 9));
  }
}

static json_t *odd_result(struct hone__random *random)
{
  static const char *const keys[] = {"class", "samples", "evidence", "cold_ns", "repeats", "facts"};
  json_t *result = json_object();

  json_object_set_new(result, "class", json_string(hone__random_below(random, 4) ? "ok" : "slow"));
  json_object_set_new(result, "samples", json_integer((json_int_t)hone__random_below(random, 6)));
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (!hone__random_below(random, 5)) json_object_set_new(result, keys[i], odd_value(random));
  return hone__random_below(random, 9) ? result : (json_decref(result), odd_value(random));
}

static void make_odd(struct hone__random *random, struct sent *sent)
{
  size_t width = hone__random_below(random, 4), count = hone__random_below(random, 13);
  json_t *results = json_array(), *head = json_object();
  bool is_tame = hone__random_below(random, 2);

  for (size_t i = 0; i < width; i++)
    json_array_append_new(results, odd_result(random));
  json_object_set_new(head, "results", results);
  json_object_set_new(head, "rows",
                      hone__random_below(random, 2) ? json_integer(0) : odd_value(random));
  for (size_t i = 0; i < count; i++)
    sent->times[i] = is_tame ? 1 + (double)i : odd_time(random);
  sent->head = head;
  read_sent(sent, count * sizeof(double) + hone__random_below(random, 8));
}

/* The whole promise: what works has times, and all of them are times. */
static void survives_anything(void **state)
{
  struct hone__random random = {.state = 7};
  size_t works = 0, refused = 0;

  (void)state;
  for (int round = 0; round < 20000; round++) {
    struct sent sent = {0};
    struct hone__samples samples;
    struct hone__run_part part;
    make_odd(&random, &sent);
    if (sent.refusal) {
      refused++;
      release(&sent);
      continue;
    }
    part = hone__run_part(&sent.reply, 0);
    samples = hone__run_samples(&sent.reply, HONE_PHASE_SCREEN);
    if (part.outcome == HONE_OUTCOME_OK && !sent.reply.run->rows) {
      assert_true(samples.count > 0);
      assert_true(hone__is_time(hone__median(samples.times_ns, samples.count)));
      assert_true(hone__is_time(hone__quantile(samples.times_ns, samples.count, 0)));
      works++;
    }
    refused += part.outcome == HONE_OUTCOME_BAD_RESULT;
    for (size_t i = 0; i < 5; i++)
      hone__run_part(&sent.reply, i);
    hone__run_samples_release(&samples);
    release(&sent);
  }
  assert_true(works > 100);
  assert_true(refused > 100);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(takes_times),
      cmocka_unit_test(refuses_what_is_no_time),
      cmocka_unit_test(refuses_missing_samples),
      cmocka_unit_test(lets_slow_ones_be),
      cmocka_unit_test(keeps_failures),
      cmocka_unit_test(drops_odd_numbers_beside),
      cmocka_unit_test(names_what_is_wrong),
      cmocka_unit_test(skips_unknown_fields),
      cmocka_unit_test(looks_at_columns),
      cmocka_unit_test(refuses_tables_of_another_size),
      cmocka_unit_test(survives_anything),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
