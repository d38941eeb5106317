/* A program of somebody else that uses the library: it tunes a spec, and prints each run. Started
 * as a worker it leaves a trace: nobody may start it again.
 *
 *   HOST_TRACE=FILE host SPEC STORE [PROGRAM]
 */
#include <hone.h>
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

static hone_status tune(char **argv, struct hone_tune_result *result)
{
  const char *files[] = {argv[1]};
  struct hone_spec_options spec_options;
  struct hone_tune_options options;
  struct hone_spec *spec;
  hone_status status;

  hone_spec_options_init(&spec_options);
  spec_options.files = files;
  spec_options.file_count = 1;
  status = hone_spec_load(&spec_options, &spec);
  if (status) return status;
  hone_tune_options_init(&options);
  options.store = argv[2];
  options.hone_program = argv[3];
  options.evaluations = 4;
  options.no_confirm = true;
  status = hone_tune(spec, &options, result);
  hone_spec_free(spec);
  return status;
}

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
  struct hone_tune_result result = {0};
  hone_status status;
  pid_t child;

  if (argc < 3 || strcmp(argv[1], "worker") == 0) return leave_trace();
  child = start_child();
  status = tune(argv, &result);
  printf("child %s\n", end_child(child));
  if (status) return fail(status);
  printf("runs: %zu\n", result.run_count);
  free(result.runs);
  return 0;
}
