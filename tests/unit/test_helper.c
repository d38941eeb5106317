/* Helpers of this process itself: each does what the data of its order says. */
#include "wire/packed_json.h"
#include "wire/frame.h"
#include "proc/helper.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- Helpers ---- */

/* Answers with its own number and the size of what it was sent. */
static void serve_well(void *data)
{
  const struct hone__helper_start *start = data;
  struct hone__frame_reader reader = {0};
  struct hone__frame frame;

  while (!hone__frame_read(start->socket, &reader, &frame)) {
    struct hone__frame result = {.kind = HONE__FRAME_RESULT, .job = frame.job};
    json_t *head =
        json_pack("{sI sI}", "pid", (json_int_t)getpid(), "size", (json_int_t)frame.payload_size);
    result.head = hone__wire_json_packed(head);
    hone_status_free(hone__frame_write(start->socket, &result));
    json_decref(head);
  }
  _exit(0);
}

static void serve_deaf(void *data)
{
  (void)data;
  for (;;)
    pause();
}

/* Does not read before it has said all it has to say. */
static void serve_chatty(void *data)
{
  static const char words[4096];

  for (int i = 0; i < 256; i++)
    if (write(1, words, sizeof words) < 0) _exit(1);
  serve_well(data);
}

static void serve_elsewhere(void *data)
{
  close(((const struct hone__helper_start *)data)->socket);
  serve_deaf(NULL);
}

/* Answers, and is gone. */
static void serve_once(void *data)
{
  const struct hone__helper_start *start = data;
  struct hone__frame_reader reader = {0};
  struct hone__frame frame;

  if (!hone__frame_read(start->socket, &reader, &frame)) {
    struct hone__frame result = {
        .kind = HONE__FRAME_RESULT,
        .job = frame.job,
        .head = hone__wire_json_packed(json_pack("{sI}", "size", (json_int_t)0))};
    hone_status_free(hone__frame_write(start->socket, &result));
  }
  _exit(0);
}

/* What it starts has a session of its own, and its number is the helper's answer. */
static void serve_with_child(void *data)
{
  const struct hone__helper_start *start = data;
  struct hone__frame_reader reader = {0};
  struct hone__frame frame;
  pid_t child = fork();

  if (child == 0) {
    setsid();
    serve_deaf(NULL);
  }
  while (!hone__frame_read(start->socket, &reader, &frame)) {
    struct hone__frame result = {.kind = HONE__FRAME_RESULT, .job = frame.job};
    result.head = hone__wire_json_packed(
        json_pack("{sI sI}", "pid", (json_int_t)child, "size", (json_int_t)0));
    hone_status_free(hone__frame_write(start->socket, &result));
  }
  _exit(0);
}

/* ---- Orders ---- */

enum { LARGE = 8 << 20 }; /* more than a socket holds */

static struct hone__helper_answer ask(struct hone__helper **helper, void (*serve)(void *),
                                      size_t size, double timeout_s)
{
  json_t *head = json_object();
  void *payload = calloc(1, size + 1);
  struct hone__helper_request order = {.serve = serve,
                                       .head = hone__wire_json_packed(head),
                                       .payload = payload,
                                       .payload_size = size,
                                       .timeout_s = timeout_s};
  struct hone__helper_answer answer;

  hone__helper_ask(helper, &order, &answer);
  free(payload);
  json_decref(head);
  return answer;
}

static void begin(struct hone__helper **helper, void (*serve)(void *), size_t size)
{
  json_t *head = json_object();
  void *payload = calloc(1, size + 1);
  struct hone__helper_request order = {.serve = serve,
                                       .head = hone__wire_json_packed(head),
                                       .payload = payload,
                                       .payload_size = size};

  hone__helper_begin(helper, &order);
  free(payload);
  json_decref(head);
}

static pid_t expect_answer(struct hone__helper **helper, void (*serve)(void *), size_t size)
{
  struct hone__helper_answer answer = ask(helper, serve, size, 60);
  pid_t pid = (pid_t)json_integer_value(json_object_get(hone__packed_json(answer.head), "pid"));

  assert_true(answer.has_answered);
  assert_int_equal(json_integer_value(json_object_get(hone__packed_json(answer.head), "size")),
                   size);
  assert_true(hone__helper_is_alive(*helper));
  hone__helper_answer_release(&answer);
  return pid;
}

static void test_orders(void **state)
{
  struct hone__helper *helper = NULL;
  pid_t first = expect_answer(&helper, serve_well, 0);

  (void)state;
  assert_int_equal(expect_answer(&helper, serve_well, LARGE), first);
  assert_int_equal(expect_answer(&helper, serve_well, 10), first);
  hone__helper_end(helper);
  assert_false(hone__helper_is_alive(NULL));
}

/* The next one starts at once, and the end of the first is waited for later. */
static void test_leave(void **state)
{
  struct hone__helper *helper = NULL;
  pid_t first = expect_answer(&helper, serve_well, 0), second;

  (void)state;
  hone__helper_leave(helper);
  helper = NULL;
  second = expect_answer(&helper, serve_well, 0);
  assert_int_not_equal(first, second);
  hone__helper_end(helper);
  assert_int_equal(kill(first, 0), -1);
  assert_int_equal(errno, ESRCH);
}

/* The answer is that to the order that was begun. */
static void test_begun(void **state)
{
  struct hone__helper *helper = NULL;
  struct hone__helper_answer answer;
  pid_t first;

  (void)state;
  begin(&helper, serve_well, 7);
  assert_non_null(helper);
  answer = ask(&helper, serve_well, 9, 60);
  assert_true(answer.has_answered);
  assert_int_equal(json_integer_value(json_object_get(hone__packed_json(answer.head), "size")), 7);
  first = (pid_t)json_integer_value(json_object_get(hone__packed_json(answer.head), "pid"));
  hone__helper_answer_release(&answer);
  assert_int_equal(expect_answer(&helper, serve_well, 9), first);
  hone__helper_end(helper);
}

/* One that dies with its order has no answer; the next order starts another one. */
static void test_begun_and_dead(void **state)
{
  struct hone__helper *helper = NULL;
  struct hone__helper_answer answer;

  (void)state;
  begin(&helper, serve_elsewhere, 0);
  answer = ask(&helper, serve_elsewhere, 0, 0.05);
  assert_false(answer.has_answered);
  assert_null(helper);
  hone__helper_answer_release(&answer);
  expect_answer(&helper, serve_well, 1);
  begin(&helper, serve_well, 2); /* and is never asked for */
  hone__helper_end(helper);
}

static void test_death_between_orders(void **state)
{
  struct hone__helper *helper = NULL;
  pid_t first = expect_answer(&helper, serve_well, 0), second;

  (void)state;
  assert_int_equal(kill(first, SIGKILL), 0);
  while (hone__helper_is_alive(helper))
    usleep(1000);
  second = expect_answer(&helper, serve_well, 0);
  assert_int_not_equal(first, second);
  hone__helper_end(helper);
}

/* One that does not read holds nobody up beyond the deadline. */
static void test_input_not_read(void **state)
{
  static const size_t sizes[] = {0, LARGE};

  (void)state;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    struct hone__helper *helper = NULL;
    struct hone__helper_answer answer = ask(&helper, serve_deaf, sizes[i], 0.3);
    assert_false(answer.has_answered);
    assert_int_equal(answer.child.end, HONE__CHILD_TIMED_OUT);
    assert_null(helper);
    hone__helper_answer_release(&answer);
  }
}

static void test_chatty(void **state)
{
  struct hone__helper *helper = NULL;

  (void)state;
  expect_answer(&helper, serve_chatty, LARGE);
  hone__helper_end(helper);
}

static void test_closed_socket(void **state)
{
  struct hone__helper *helper = NULL;
  struct hone__helper_answer answer = ask(&helper, serve_elsewhere, LARGE, 20);

  (void)state;
  assert_false(answer.has_answered);
  assert_int_not_equal(answer.child.end, HONE__CHILD_EXITED);
  assert_null(helper);
  hone__helper_answer_release(&answer);
}

static void test_stopped_between_orders(void **state)
{
  struct hone__helper *helper = NULL;
  pid_t first = expect_answer(&helper, serve_well, 0);

  (void)state;
  assert_int_equal(kill(first, SIGSTOP), 0);
  while (hone__helper_is_alive(helper))
    usleep(1000);
  assert_int_not_equal(expect_answer(&helper, serve_well, LARGE), first);
  assert_int_equal(kill(first, 0), -1);
  hone__helper_end(helper);
}

static void test_only_one_that_is_there(void **state)
{
  struct hone__helper *helper = NULL;
  struct hone__helper_answer answer = ask(&helper, NULL, 0, 20);

  (void)state;
  assert_false(answer.has_answered);
  assert_int_equal(answer.child.end, HONE__CHILD_NOT_STARTED);
  hone__helper_answer_release(&answer);
  kill(expect_answer(&helper, serve_well, 0), SIGKILL);
  answer = ask(&helper, NULL, LARGE, 20);
  assert_false(answer.has_answered);
  assert_int_equal(answer.child.end, HONE__CHILD_SIGNALLED);
  assert_int_equal(answer.child.code, SIGKILL);
  assert_null(helper);
  hone__helper_answer_release(&answer);
}

/* Whichever of the two, its answer or its end, is looked at first. */
static void test_answers_and_goes(void **state)
{
  struct hone__helper *helper = NULL;

  (void)state;
  for (int i = 0; i < 300; i++) {
    struct hone__helper_answer answer = ask(&helper, serve_once, 0, 60);
    assert_true(answer.has_answered);
    hone__helper_answer_release(&answer);
    hone__helper_end(helper);
    helper = NULL;
  }
}

static void test_what_it_leaves_behind(void **state)
{
  struct hone__helper *helper = NULL;
  pid_t child = expect_answer(&helper, serve_with_child, 0);

  (void)state;
  assert_int_equal(kill(child, 0), 0);
  hone__helper_end(helper);
  assert_int_equal(kill(child, 0), -1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_orders),
      cmocka_unit_test(test_leave),
      cmocka_unit_test(test_begun),
      cmocka_unit_test(test_begun_and_dead),
      cmocka_unit_test(test_death_between_orders),
      cmocka_unit_test(test_input_not_read),
      cmocka_unit_test(test_chatty),
      cmocka_unit_test(test_closed_socket),
      cmocka_unit_test(test_stopped_between_orders),
      cmocka_unit_test(test_only_one_that_is_there),
      cmocka_unit_test(test_answers_and_goes),
      cmocka_unit_test(test_what_it_leaves_behind),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
