/* kernel_user.c - a program that calls a kernel through hone_kernel.h, for shell tests.
 *
 *   kernel_user SPEC [OPTION...] [NAME=VALUE,NAME=VALUE...]...
 *
 * Every list of sizes is asked for once, in this order; the kernel is y = x + 1 for arrays of as
 * many elements as the last size says, unless --no-call is given. A line a problem:
 *   PROBLEM CONFIG origin=store default=0 verdict=IMPROVED right=1
 * Options: --threads N (all ask for all problems), --background, --no-wait, --wait (for the
 * background, then all is asked again), --bucket (powers of two), --ignore NAME, --lookup CONFIG,
 * --autotune MODE, --evals N, --events, --go-on (after a failure)
 */
#include "hone_kernel.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIZES = 16, MOST_PROBLEMS = 64, MOST_THREADS = 64 };

typedef void plus_one(const float *x, float *y, int n);

static struct {
  struct hone_kernel *kernel;
  const char *problems[MOST_PROBLEMS];
  int problem_count, thread_count;
  bool waits, calls, goes_on, has_failed;
  const char *config; /* that is looked up */
} user = {.thread_count = 1, .calls = true};
static pthread_mutex_t output = PTHREAD_MUTEX_INITIALIZER;

static bool is_right(const struct hone_kernel_function *function, int n)
{
  float *x = malloc(((size_t)n + 1) * sizeof *x), *y = malloc(((size_t)n + 1) * sizeof *y);
  bool right = true;

  for (int i = 0; i <= n; i++) {
    x[i] = (float)i;
    y[i] = -1;
  }
  ((plus_one *)function->call)(x, y, n);
  for (int i = 0; i < n; i++)
    right = right && y[i] == x[i] + 1;
  right = right && y[n] == -1;
  free(x);
  free(y);
  return right;
}

static void print(const struct hone_kernel_function *function, int64_t last)
{
  static const char *const origins[] = {"default", "lookup", "wisdom", "store", "tuning"};
  bool right = user.calls && is_right(function, (int)last);

  pthread_mutex_lock(&output);
  printf("%s %s origin=%s default=%d verdict=%s", function->problem, function->config,
         origins[function->origin], function->is_default, hone_verdict_name(function->verdict));
  if (user.calls) printf(" right=%d", right);
  printf("\n");
  fflush(stdout);
  pthread_mutex_unlock(&output);
}

static bool fail(hone_status status)
{
  pthread_mutex_lock(&output);
  fprintf(stderr, "kernel_user: %s\n", hone_status_message(status));
  hone_status_free(status);
  user.has_failed = true;
  pthread_mutex_unlock(&output);
  return false;
}

static bool ask(const char *problem)
{
  struct hone_kernel_size sizes[MOST_SIZES];
  const struct hone_kernel_function *function;
  char text[256], *rest, *word;
  size_t count = 0;
  hone_status status;

  snprintf(text, sizeof text, "%s", problem);
  for (word = strtok_r(text, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
    char *value = strchr(word, '=');
    *value++ = '\0';
    sizes[count++] = (struct hone_kernel_size){word, strtoll(value, NULL, 10)};
  }
  status = hone_kernel_get_named(user.kernel, sizes, count, &function);
  if (status) return fail(status);
  print(function, count ? sizes[count - 1].value : 1);
  return true;
}

static void *ask_all(void *data)
{
  (void)data;
  for (int i = 0; i < user.problem_count; i++)
    if (!ask(user.problems[i]) && !user.goes_on) break;
  return NULL;
}

static void work(void)
{
  pthread_t threads[MOST_THREADS];

  for (int i = 0; i < user.thread_count; i++)
    pthread_create(&threads[i], NULL, ask_all, NULL);
  for (int i = 0; i < user.thread_count; i++)
    pthread_join(threads[i], NULL);
}

static void next_power(void *data, int64_t *sizes, size_t count)
{
  (void)data;
  for (size_t i = 0; i < count; i++) {
    int64_t power = 1;
    while (power < sizes[i])
      power *= 2;
    sizes[i] = power;
  }
}

static bool look_up(void *data, const char *name, const char *problem, char *config, size_t size)
{
  (void)data;
  (void)name;
  (void)problem;
  snprintf(config, size, "%s", user.config);
  return true;
}

static bool on_event(void *data, const struct hone_event *event)
{
  (void)data;
  if (event->kind == HONE_EVENT_PROGRESS && event->phase_id == HONE_PHASE_WAITING)
    fprintf(stderr, "waiting: %llu\n", (unsigned long long)event->done);
  if (event->kind == HONE_EVENT_NOTE || event->kind == HONE_EVENT_WARNING)
    fprintf(stderr, "%s\n", event->text);
  return true;
}

static enum hone_autotune mode_of(const char *name)
{
  int mode = 0;

  while (strcmp(hone_autotune_name((enum hone_autotune)mode), name) != 0 && mode < 4)
    mode++;
  return (enum hone_autotune)mode;
}

static void read_words(char **words, struct hone_kernel_options *options,
                       struct hone_tune_options *tune, const char **ignored)
{
  for (; *words; words++) {
    const char *word = *words;
    if (strcmp(word, "--threads") == 0)
      user.thread_count = atoi(*++words);
    else if (strcmp(word, "--background") == 0)
      options->background = true;
    else if (strcmp(word, "--no-wait") == 0)
      options->no_wait = true;
    else if (strcmp(word, "--wait") == 0)
      user.waits = true;
    else if (strcmp(word, "--no-call") == 0)
      user.calls = false;
    else if (strcmp(word, "--go-on") == 0)
      user.goes_on = true;
    else if (strcmp(word, "--bucket") == 0)
      options->bucket = next_power;
    else if (strcmp(word, "--ignore") == 0)
      ignored[options->ignored_count++] = *++words;
    else if (strcmp(word, "--lookup") == 0)
      user.config = *++words, options->lookup = look_up;
    else if (strcmp(word, "--autotune") == 0)
      options->autotune = mode_of(*++words);
    else if (strcmp(word, "--evals") == 0)
      tune->evaluations = strtoull(*++words, NULL, 10);
    else if (strcmp(word, "--timeout") == 0)
      tune->timeout_s = atof(*++words), tune->no_cap = true;
    else if (strcmp(word, "--events") == 0)
      tune->progress = on_event;
    else
      user.problems[user.problem_count++] = word;
  }
}

int main(int argc, char **argv)
{
  struct hone_kernel_options options;
  struct hone_tune_options tune;
  const char *ignored[MOST_SIZES];
  hone_status status;

  if (argc < 2) return 2;
  hone_kernel_options_init(&options);
  hone_tune_options_init(&tune);
  options.tune = &tune;
  options.ignored = ignored;
  read_words(argv + 2, &options, &tune, ignored);
  status = hone_kernel_open(argv[1], &options, &user.kernel);
  if (status) fail(status);
  if (user.kernel) work();
  if (user.kernel && user.waits) {
    status = hone_kernel_wait(user.kernel);
    if (status) fail(status);
    work();
  }
  hone_kernel_free(user.kernel);
  return user.has_failed;
}
