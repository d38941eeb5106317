/* Which configuration to use for a problem: what the program knows, what the store knows, or what
 * tuning finds. */
#include "pool/worker_program.h"
#include "build/command.h"
#include "kernel/kernel_known.h"
#include "session/identity.h"
#include "tune/tune.h"

#include <stdlib.h>

enum { LONGEST_CONFIG = 4096 };

/* Tunings of one process disturb each other's times: one at a time. */
static pthread_mutex_t tuning_lock = PTHREAD_MUTEX_INITIALIZER;

struct question { /* a problem to be decided, with its session */
  struct hone_kernel *kernel;
  struct hone__session *session;
  const int64_t *problem;
  const char *sizes;  /* the same: "M=512,N=512" */
  const char *device; /* or NULL */
  enum hone__handle_effort effort;
  struct hone__handle_choice *choice;
  bool is_decided;
};

/* ---- What the program knows ---- */

static bool look_up(const struct hone_kernel *kernel, const char *problem, char *config,
                    size_t size)
{
  return kernel->options.lookup &&
         kernel->options.lookup(kernel->options.lookup_data, kernel->spec->name, problem, config,
                                size);
}

static hone_status ask_program(struct question *question)
{
  const struct hone__session_problem *problem = &question->session->problem;
  char config[LONGEST_CONFIG] = "";
  uint32_t *row;
  hone_status status;

  if (!look_up(question->kernel, problem->task.problem, config, sizeof config)) return NULL;
  row = hone__alloc(hone_space_width(problem->space) * sizeof *row);
  status = hone_space_parse(problem->space, config, row);
  if (!status && !hone_space_contains(problem->space, row))
    status = hone__error(HONE_INVALID_ARGUMENT, "it is not legal");
  free(row);
  if (status)
    return hone__annotate(status, "the configuration '%s' that was looked up for %s", config,
                          problem->task.problem);
  question->is_decided = true;
  *question->choice = (struct hone__handle_choice){
      .config = hone__strdup(config), .origin = HONE_KERNEL_FROM_LOOKUP, .speedup = NAN};
  return NULL;
}

/* ---- What the store knows ---- */

/* NULL without a failure: there is no store yet. */
static hone_status open_store(const struct hone_kernel *kernel, struct hone_store **out_store)
{
  hone_status status = hone__store_open(kernel->tune.store, true, out_store);

  if (hone_status_code(status) != HONE_NOT_FOUND) return status;
  hone_status_free(status);
  return NULL;
}

static hone_status ask_store(struct question *question)
{
  struct hone_store *store = NULL;
  hone_status status = open_store(question->kernel, &store);

  if (!status && store)
    status = hone__handle_known(question->session, store, question->choice, &question->is_decided);
  hone__store_close(store);
  return status;
}

/* ---- Only what is proved ---- */

static char *tune_command(const struct question *question)
{
  const struct hone_kernel *kernel = question->kernel;
  const char *const words[] = {"hone",
                               "tune",
                               kernel->spec->path,
                               *question->sizes ? "--problem" : NULL,
                               *question->sizes ? question->sizes : NULL,
                               question->device ? "--devices" : NULL,
                               question->device,
                               kernel->tune.store ? "--store" : NULL,
                               kernel->tune.store};
  struct hone__text text = {0};

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i]) hone__build_command_add(&text, words[i]);
  return hone__text_take(&text);
}

static hone_status require(const struct question *question)
{
  const struct hone__handle_choice *choice = question->choice;
  const char *store = hone__store_path(question->kernel->tune.store);
  bool is_vague = question->is_decided && choice->verdict == HONE_VERDICT_INCONCLUSIVE;
  char *command;
  hone_status status;

  if (question->is_decided && !is_vague) return NULL;
  command = tune_command(question);
  status =
      hone__error(HONE_NOT_FOUND,
                  "HONE_AUTOTUNE is require, and the store '%s' has %s for the kernel '%s', "
                  "problem %s, on this "
                  "machine; make it with: %s%s",
                  store ? store : "", is_vague ? "only an INCONCLUSIVE run" : "no proved result",
                  question->kernel->spec->name, question->session->problem.task.problem, command,
                  is_vague ? " --fresh" : "");
  free(command);
  return status;
}

/* ---- Tuning ---- */

static hone_status is_made_elsewhere(struct question *question, bool *out_elsewhere)
{
  struct hone__session *session = question->session;
  hone_status status = open_store(question->kernel, &session->entry.store);

  *out_elsewhere = false;
  if (!status && session->entry.store)
    status = hone__session_is_made_elsewhere(session, out_elsewhere);
  hone__store_close(session->entry.store);
  session->entry.store = NULL;
  return status;
}

static hone_status read_result(struct question *question, int64_t run, bool answered)
{
  struct hone_store *store = NULL;
  bool holds = false;
  hone_status status = hone__store_open(question->kernel->tune.store, true, &store);

  if (!status)
    status = hone__handle_read_run(question->session, store, run, question->choice, &holds);
  hone__store_close(store);
  if (!status && !holds)
    status = hone__error(HONE_UNAVAILABLE, "the kernel '%s' changed while it was tuned",
                         question->kernel->spec->name);
  if (status) return status;
  question->is_decided = true;
  if (!answered) question->choice->origin = HONE_KERNEL_FROM_TUNING;
  return NULL;
}

static hone_status run_tuning(struct question *question)
{
  const struct hone_kernel *kernel = question->kernel;
  static const size_t first_problem = 0;
  struct hone_tune_options options =
      hone__handle_tune_options(kernel, question->sizes, question->device);
  struct hone__session_result result = {0};
  char *command = tune_command(question);
  const struct hone_run_note note = {.origin = command};
  hone_status status;

  options.builders = kernel->tune.builders;
  options.problems = &first_problem;
  options.problem_count = 1;
  options.no_wait = false;
  options.note = &note;
  status = hone__tune_solved(kernel->spec, NULL, &options, &result);
  if (!status && (result.interrupted || !result.run_count))
    status = hone__error(HONE_CANCELLED, "the tuning of '%s' was interrupted", kernel->spec->name);
  if (!status) status = read_result(question, result.runs[0], result.answered);
  free(result.runs);
  free(command);
  return status;
}

/* Nothing is decided where another thread or process tunes and `no_wait` is set. */
static hone_status tune(struct question *question)
{
  bool may_wait = question->effort == HONE__KERNEL_WAIT, is_elsewhere = false;
  char *program = NULL;
  hone_status status = hone__worker_program_find(question->kernel->tune.hone_program, &program);

  free(program);
  if (!status && !may_wait) status = is_made_elsewhere(question, &is_elsewhere);
  if (status || is_elsewhere) return status;
  if (may_wait)
    pthread_mutex_lock(&tuning_lock);
  else if (pthread_mutex_trylock(&tuning_lock) != 0)
    return NULL;
  status = run_tuning(question);
  pthread_mutex_unlock(&tuning_lock);
  return status;
}

/* ---- Altogether ---- */

static hone_status decide(struct question *question)
{
  hone_status status = ask_program(question);

  if (!status && !question->is_decided)
    question->is_decided = hone__handle_from_wisdom(question->kernel, question->session,
                                                    question->problem, question->choice);
  if (!status && !question->is_decided) status = ask_store(question);
  if (!status && question->kernel->autotune == HONE_AUTOTUNE_REQUIRE) status = require(question);
  if (!status && !question->is_decided && question->effort >= HONE__KERNEL_TUNE)
    status = tune(question);
  if (!status) question->choice->is_open = !question->is_decided;
  return status;
}

/* The problem that is tuned for these sizes. */
static int64_t *tuned_sizes(const struct hone_kernel *kernel,
                            const struct hone__handle_entry *entry)
{
  int64_t *sizes = hone__alloc((kernel->size_count + 1) * sizeof *sizes);

  for (size_t i = 0; i < kernel->size_count; i++)
    sizes[i] = entry->sizes[i];
  if (kernel->options.bucket)
    kernel->options.bucket(kernel->options.bucket_data, sizes, kernel->size_count);
  for (size_t i = 0; i < kernel->size_count; i++)
    if (kernel->is_ignored[i]) sizes[i] = kernel->first->values[i].integer;
  return sizes;
}

/* The problem has another session than the one that is built. */
static hone_status decide_apart(struct question *question)
{
  struct hone_tune_options options =
      hone__handle_tune_options(question->kernel, question->sizes, question->device);
  const struct hone__case which = {.shape = HONE_ALL_SHAPES};
  struct hone__tuning tuning;
  hone_status status =
      hone__tuning_open(&tuning, question->kernel->spec, &which, &options, &hone__purpose_tune);

  question->session = &tuning.session;
  if (!status) status = hone__identity_make(&tuning.session);
  if (!status) status = decide(question);
  hone__tuning_release(&tuning);
  return hone__annotate(status, "%s", question->sizes);
}

hone_status hone__handle_choose(struct hone_kernel *kernel, struct hone__session *session,
                                const struct hone__handle_entry *entry, const char *device,
                                enum hone__handle_effort effort,
                                struct hone__handle_choice *out_choice)
{
  struct question question = {.kernel = kernel,
                              .session = session,
                              .device = device,
                              .effort = effort,
                              .choice = out_choice};
  struct hone__text text = {0};
  int64_t *sizes;
  bool is_same;
  hone_status status;

  *out_choice = (struct hone__handle_choice){.speedup = NAN};
  if (effort == HONE__KERNEL_DEFAULT) return NULL;
  sizes = tuned_sizes(kernel, entry);
  is_same = memcmp(sizes, entry->sizes, kernel->size_count * sizeof *sizes) == 0;
  hone__handle_print_sizes(kernel, sizes, &text);
  question.sizes = text.data ? text.data : "";
  question.problem = sizes;
  status = is_same ? decide(&question) : decide_apart(&question);
  hone__text_release(&text);
  free(sizes);
  return status;
}
