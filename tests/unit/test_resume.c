/* Runs that are interrupted, continued, and made by one process at a time. */
#include "hone_results.h"
#include "sim_tuning.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const double times_ms[] = {2.0, 2.4, 1.0, 1.9, 2.1, 2.2};
enum { COUNT = sizeof times_ms / sizeof *times_ms };

static int begin(void **state)
{
  if (make_run_folder(state)) return -1;
  write_recording(times_ms, COUNT);
  return 0;
}

struct listener {
  unsigned results; /* so far */
  unsigned stop_at; /* the result at which the user interrupts; 0: never */
  int tell, wait; /* files: at the first result it tells one, and waits for the end of the other */
  char notes[2048];
};

static void pause_here(struct listener *listener)
{
  char byte;

  if (write(listener->tell, "x", 1) != 1) _exit(9);
  while (read(listener->wait, &byte, 1) > 0) {}
}

static bool listen_to(void *data, const struct hone_event *event)
{
  struct listener *listener = data;
  size_t length = strlen(listener->notes);

  if (event->kind == HONE_EVENT_NOTE)
    snprintf(listener->notes + length, sizeof listener->notes - length, "%s\n", event->text);
  if (event->kind != HONE_EVENT_RESULT) return true;
  listener->results++;
  if (listener->results == 1 && listener->tell) pause_here(listener);
  return listener->results != listener->stop_at;
}

typedef hone_status work(const struct hone_spec *spec, const struct hone_tune_options *options,
                         struct hone_tuning **out_tuning);

/* Returns the number of the run. */
static int64_t run(work *do_it, struct listener *listener, bool is_interrupted)
{
  struct hone_spec *loaded = sim_spec("");
  struct hone_tune_options options = sim_options();
  struct hone_tuning *tuning = NULL;
  hone_status status;
  int64_t number;

  options.progress = listen_to;
  options.progress_data = listener;
  status = do_it(loaded, &options, &tuning);
  if (status) fail_msg("%s", hone_status_message(status));
  assert_int_equal(hone_tuning_interrupted(tuning), is_interrupted);
  assert_int_equal(hone_tuning_count(tuning), 1);
  number = hone_tuning_run(tuning, 0);
  hone_tuning_free(tuning);
  hone_spec_free(loaded);
  return number;
}

static void expect_state(int64_t number, const char *state, size_t least, size_t most)
{
  struct hone_store *store = NULL;
  char *text = NULL;
  size_t count;
  json_t *json;

  assert_null(hone_store_open(getenv("HONE_STORE"), &store));
  assert_null(hone_report_json(store, number, &text));
  json = json_loads(text, 0, NULL);
  assert_string_equal(text_at(json, "state"), state);
  count = json_array_size(json_object_get(json, "evaluations"));
  if (count < least || count > most) fail_msg("%zu evaluations", count);
  json_decref(json);
  free(text);
  hone_store_free(store);
}

/* The same request continues the run; what is known is not measured again. */
static void expect_continuation(work *do_it)
{
  struct listener first = {.stop_at = 2}, second = {0};
  int64_t number = run(do_it, &first, true);

  expect_state(number, "interrupted", 2, COUNT - 1);
  assert_int_equal(run(do_it, &second, false), number);
  expect_part(second.notes, "resuming run ");
  expect_part(second.notes, " configurations are known");
  assert_true(second.results < COUNT);
  expect_state(number, "finished", COUNT, COUNT);
}

static void an_interrupted_tuning_is_continued(void **state)
{
  (void)state;
  expect_continuation(hone_tune);
}

static void an_interrupted_sweep_is_continued(void **state)
{
  (void)state;
  expect_continuation(hone_sweep);
}

/* ---- One process at a time ---- */

/* A process that tunes, and stops at its first result until the file is closed. */
static pid_t start_tuning(int *out_file)
{
  int told[2], held[2];
  char byte;
  pid_t pid;

  assert_int_equal(pipe2(told, O_CLOEXEC), 0);
  assert_int_equal(pipe2(held, O_CLOEXEC), 0);
  pid = fork();
  if (pid == 0) {
    struct listener listener = {.tell = told[1], .wait = held[0]};
    close(held[1]);
    run(hone_tune, &listener, false);
    exit(0);
  }
  close(told[1]);
  close(held[0]);
  assert_int_equal(read(told[0], &byte, 1), 1);
  close(told[0]);
  *out_file = held[1];
  return pid;
}

static void a_run_of_another_process_is_named(void **state)
{
  struct hone_tune_options options = sim_options();
  struct hone_tuning *tuning = NULL;
  struct hone_spec *loaded;
  char part[64];
  int file, status_of_child;
  pid_t pid = start_tuning(&file);
  hone_status status;

  (void)state;
  loaded = sim_spec("");
  options.no_wait = true;
  status = hone_tune(loaded, &options, &tuning);
  assert_int_equal(hone_status_code(status), HONE_UNAVAILABLE);
  snprintf(part, sizeof part, "is being tuned by pid %d on host ", (int)pid);
  expect_part(hone_status_message(status), part);
  hone_status_free(status);
  hone_tuning_free(tuning);
  hone_spec_free(loaded);
  close(file);
  assert_int_equal(waitpid(pid, &status_of_child, 0), pid);
  assert_int_equal(status_of_child, 0);
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(an_interrupted_tuning_is_continued),
      TEST(an_interrupted_sweep_is_continued),
      TEST(a_run_of_another_process_is_named),
  };
  int status = worker_status(argc, argv);

  return status >= 0 ? status : cmocka_run_group_tests_name("resume", tests, NULL, NULL);
}
