/* A program of somebody else that uses the library: it tunes a spec, and prints each run. Started
 * as a worker it leaves a trace: nobody may start it again.
 *
 *   HOST_TRACE=FILE host SPEC STORE [PROGRAM]
 *   HOST_TRACE=FILE HOST_STORE=STORE host ...    also in a second thread, with another store
 *   HOST_TRACE=FILE HOST_CANCEL=1 host ...       a second thread asks for an end
 */
#include <hone.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int fail(hone_status status)
{
  fprintf(stderr, "host: %s\n", hone_status_message(status));
  hone_status_free(status);
  return 1;
}

static int leave_trace(void)
{
  FILE *file = fopen(getenv("HOST_TRACE"), "a");

  if (file) fputs("started again\n", file);
  if (file) fclose(file);
  return 3;
}

static struct hone_cancel *cancel; /* or NULL */

static void *ask_for_an_end(void *data)
{
  (void)data;
  hone_cancel_request(cancel);
  return NULL;
}

/* When work has begun, a thread of its own asks for an end. */
static bool on_event(void *data, const struct hone_event *event)
{
  pthread_t thread;

  (void)data;
  if (event->kind == HONE_EVENT_PHASE && strcmp(event->text, "screen") == 0 &&
      pthread_create(&thread, NULL, ask_for_an_end, NULL) == 0)
    pthread_join(thread, NULL);
  return true;
}

static hone_status tune(char **argv, struct hone_tuning **out_tuning)
{
  struct hone_tune_options options;
  struct hone_spec *spec;
  hone_status status = hone_spec_open(argv[1], &spec);

  *out_tuning = NULL;
  if (status) return status;
  hone_tune_options_init(&options);
  options.store = argv[2];
  options.hone_program = argv[3];
  options.cache = getenv("HOST_CACHE");
  options.evaluations = 4;
  options.seed_given = true;
  options.cancel = cancel;
  if (cancel) options.progress = on_event;
  status = hone_tune(spec, &options, out_tuning);
  hone_spec_free(spec);
  return status;
}

static void print(const struct hone_tuning *tuning)
{
  struct hone_value step = {.type = HONE_NONE};

  printf("runs: %zu\n", hone_tuning_count(tuning));
  printf("run %lld of '%s': %s\n", (long long)hone_tuning_run(tuning, 0),
         hone_tuning_problem(tuning, 0), hone_run_state_name(hone_tuning_state(tuning, 0)));
  printf("answered: %d\n", hone_tuning_answered(tuning));
  printf("interrupted: %d\n", hone_tuning_interrupted(tuning));
  if (hone_tuning_value(tuning, 0, "STEP", &step) && step.type == HONE_INT)
    printf("winner: STEP=%lld\n", (long long)step.integer);
  printf("verdict: %s\n", hone_verdict_name(hone_tuning_verdict(tuning, 0)));
  if (hone_tuning_speedup_low(tuning, 0) <= hone_tuning_speedup(tuning, 0) &&
      hone_tuning_speedup(tuning, 0) <= hone_tuning_speedup_high(tuning, 0))
    printf("the speedup is between its bounds\n");
}

/* ---- A second thread ---- */

struct other {
  char *argv[5];
  hone_status status;
  struct hone_tuning *tuning;
};

static void *tune_other(void *data)
{
  struct other *other = data;

  other->status = tune(other->argv, &other->tuning);
  return NULL;
}

static hone_status tune_twice(char **argv, struct hone_tuning **out_tuning)
{
  struct other other = {.argv = {argv[0], argv[1], getenv("HOST_STORE"), argv[3]}};
  pthread_t thread;
  hone_status status;

  if (pthread_create(&thread, NULL, tune_other, &other) != 0) abort();
  status = tune(argv, out_tuning);
  pthread_join(thread, NULL);
  printf("other runs: %zu\n", hone_tuning_count(other.tuning));
  hone_tuning_free(other.tuning);
  if (!status) return other.status;
  hone_status_free(other.status);
  return status;
}

/* ---- The program ---- */

/* A child that has nothing to do with tuning. */
static pid_t start_child(void)
{
  pid_t child = fork();

  if (child != 0) return child;
  for (;;)
    pause();
}

static const char *end_child(pid_t child)
{
  int status;
  bool lives = waitpid(child, &status, WNOHANG) == 0;

  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return lives ? "lives" : "is gone";
}

int main(int argc, char **argv)
{
  struct hone_tuning *tuning;
  hone_status status;
  pid_t child;

  if (argc < 3 || strcmp(argv[1], "worker") == 0) return leave_trace();
  child = start_child();
  if (getenv("HOST_CANCEL")) cancel = hone_cancel_new();
  status = getenv("HOST_STORE") ? tune_twice(argv, &tuning) : tune(argv, &tuning);
  printf("child %s\n", end_child(child));
  if (!status) print(tuning);
  hone_tuning_free(tuning);
  if (status) return fail(status);
  hone_cancel_free(cancel);
  return 0;
}
