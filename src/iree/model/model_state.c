/* The first stage: compiles the model unchanged, lists and times its dispatches. The state holds
 * what later stages need.
 */
#include "iree/model/model_tune.h"

#include "base/file.h"
#include "hone_iree.h"
#include "iree/model/dispatches.h"
#include "iree/model/model_inputs.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { SOURCE_LIMIT = 1 << 30 };

/* ---- What goes in ---- */

/* Files are identified by their content. */
static void add_input(struct hone__digester *digester, const char *word)
{
  const char *file = strstr(word, "=@");
  char *bytes = NULL;
  size_t size = 0;
  hone_status status = file ? hone__file_read(file + 2, SOURCE_LIMIT, &bytes, &size) : NULL;

  if (file && !status)
    hone__digest_add(digester, bytes, size);
  else
    hone__digest_add_text(digester, word);
  hone_status_free(status);
  free(bytes);
}

static void digest_inputs(const char *const *words, char digest[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();

  for (; words && *words; words++)
    add_input(digester, *words);
  hone__digest_end(digester, digest);
}

static hone_status digest_source(const char *path, char digest[HONE__DIGEST_SIZE])
{
  char *text = NULL;
  size_t size = 0;
  hone_status status = hone__file_read(path, SOURCE_LIMIT, &text, &size);

  if (status) return status;
  hone__digest(text, size, digest);
  free(text);
  return NULL;
}

/* ---- The list ---- */

static const char *text_or_empty(const char *text)
{
  return text ? text : "";
}

static struct hone__model_dispatch describe_one(const struct hone_iree_dispatch *info,
                                                struct hone__arena *arena)
{
  const char *words = hone__arena_printf(arena, "%s %s %s", info->layout, info->sizes, info->types);
  const char *operation = info->why_not || !*info->sizes ? info->operation : words;

  return (struct hone__model_dispatch){.name = text_or_empty(info->name),
                                       .executable = text_or_empty(info->executable),
                                       .operation = text_or_empty(operation),
                                       .why_not = text_or_empty(info->why_not),
                                       .file = text_or_empty(info->file),
                                       .matcher = info->matcher,
                                       .share = info->share,
                                       .time_ns = info->time_ns,
                                       .flops = info->flops,
                                       .calls = (int64_t)info->calls};
}

static int compare(double x, double y)
{
  if (isnan(x) || isnan(y)) return isnan(x) - isnan(y);
  return (x < y) - (x > y);
}

/* Without times, by what they compute. */
static int is_longer(const void *a, const void *b)
{
  const struct hone__model_dispatch *x = a, *y = b;
  int order = compare(x->time_ns, y->time_ns);

  if (order || !isnan(x->time_ns)) return order;
  return compare(x->flops * (double)x->calls, y->flops * (double)y->calls);
}

static void add_list(const struct hone_iree_dispatches *dispatches, struct hone__arena *arena,
                     struct hone__model_state *state)
{
  struct hone__model_dispatch *list =
      hone__arena_alloc(arena, (dispatches->count + 1) * sizeof *list);

  for (size_t i = 0; i < dispatches->count; i++)
    list[i] = describe_one(&dispatches->dispatches[i], arena);
  qsort(list, dispatches->count, sizeof *list, is_longer);
  state->dispatches = list;
  state->dispatches_count = dispatches->count;
}

/* ---- Making it ---- */

static hone_status describe(struct hone__model_tuning *tuning, const struct hone__model *model,
                            struct hone_iree_dispatches *dispatches)
{
  const struct hone_iree_model_options *options = tuning->options->model;
  hone_status status = NULL;

  *dispatches = (struct hone_iree_dispatches){.time_ns = NAN};
  dispatches->device = hone__strdup(hone__dispatches_device(model, options));
  dispatches->function = hone__strdup("");
  dispatches->why_untimed = hone__strdup("");
  dispatches->dispatches = hone__alloc((model->count + 1) * sizeof *dispatches->dispatches);
  for (size_t i = 0; !status && i < model->count; i++) {
    dispatches->count = i + 1;
    status = hone__model_dispatch_describe(model, &model->executables[i], &tuning->spaces,
                                           &dispatches->dispatches[i]);
    dispatches->dispatches[i].calls =
        hone__model_calls(model, options->function, &model->executables[i]);
  }
  return status;
}

/* What lives while the state is made. */
struct making {
  struct hone__arena arena;
  struct hone_iree_dispatches dispatches;
  struct hone__words call, outputs;
  char *function;
  char digest[HONE__DIGEST_SIZE], inputs_digest[HONE__DIGEST_SIZE];
};

static hone_status measure(struct hone__model_tuning *tuning, struct hone__model *model,
                           struct making *making)
{
  const struct hone_iree_model_options *options = tuning->options->model;
  hone_status status = describe(tuning, model, &making->dispatches);

  if (!status) status = hone__dispatches_call(model, options, &making->call, &making->function);
  if (!status) {
    hone__model_set(&making->dispatches.function, making->function);
    status = hone__dispatches_time(model, options, &making->call, &making->dispatches);
  }
  if (!status) status = digest_source(model->source, making->digest);
  return status;
}

static hone_status keep(struct hone__model_tuning *tuning, const struct hone__model *model,
                        struct making *making)
{
  bool is_own = hone__starts_with(model->source, tuning->folder);
  const char *const *inputs = hone__words_list(&making->call) + 1; /* after the function */
  struct hone__model_state state = {.digest = making->digest,
                                    .identity = text_or_empty(tuning->tools.identity),
                                    .key = tuning->key,
                                    .source = is_own ? model->source : "",
                                    .words = (const char **)model->words.data,
                                    .words_count = model->words.count,
                                    .backend = model->backend,
                                    .driver = model->driver,
                                    .device = making->dispatches.device,
                                    .target = model->target,
                                    .function = making->function,
                                    .call = (const char **)(uintptr_t)inputs,
                                    .call_count = making->call.count - 1,
                                    .inputs_digest = making->inputs_digest,
                                    .time_ns = making->dispatches.time_ns,
                                    .why_untimed = text_or_empty(making->dispatches.why_untimed)};
  void *copy = NULL;
  hone_status status;

  digest_inputs(inputs, making->inputs_digest);
  hone__model_outputs(&model->flow, making->function, &making->outputs);
  state.outputs = (const char **)making->outputs.data;
  state.outputs_count = making->outputs.count;
  add_list(&making->dispatches, &making->arena, &state);
  status = hone__model_work_keep(tuning, "hone.json", &hone__model_state_type, &state, &copy);
  if (!status) tuning->state = copy;
  return status;
}

static hone_status fill(struct hone__model_tuning *tuning, struct hone__model *model)
{
  struct making making = {0};
  hone_status status = measure(tuning, model, &making);

  if (!status) status = keep(tuning, model, &making);
  hone__dispatches_release(&making.dispatches);
  hone__words_release(&making.call);
  hone__words_release(&making.outputs);
  hone__arena_release(&making.arena);
  free(making.function);
  return status;
}

static hone_status make(struct hone__model_tuning *tuning)
{
  const struct hone_iree_model_options *options = tuning->options->model;
  struct hone__model model = {0};
  hone_status status = hone__model_open(&model, tuning->path, options, tuning->folder);

  double start;

  hone__model_title(tuning, "the model as it is");
  if (!status) status = hone__model_flow(&model);
  start = hone__clock();
  if (!status) status = hone__model_dump(&model);
  tuning->compile_s = hone__clock() - start;
  if (!status) status = fill(tuning, &model);
  hone__model_release(&model);
  return status;
}

/* ---- Keeping it ---- */

char *hone__model_source(const struct hone__model_tuning *tuning)
{
  const char *own = tuning->state->source;
  char *real = *own ? NULL : hone__realpath(tuning->path);

  return real ? real : hone__strdup(*own ? own : tuning->path);
}

/* Files may have been removed. */
static bool is_whole(const struct hone__model_state *state)
{
  if (*state->source && access(state->source, R_OK) != 0) return false;
  for (size_t i = 0; i < state->dispatches_count; i++) {
    const char *file = state->dispatches[i].file;
    if (*file && access(file, R_OK) != 0) return false;
  }
  return true;
}

static bool is_current(const struct hone__model_tuning *tuning,
                       const struct hone__model_state *state)
{
  const char *here = tuning->tools.identity;

  if (!state || !is_whole(state) || tuning->options->tune->fresh) return false;
  if (strcmp(state->key, tuning->key) != 0) return false;
  return !here || strcmp(here, state->identity) == 0;
}

hone_status hone__model_state_open(struct hone__model_tuning *tuning)
{
  const struct hone__model_state *state =
      hone__model_work_read(tuning, "hone.json", &hone__model_state_type);

  if (!is_current(tuning, state)) return make(tuning);
  tuning->state = state;
  return NULL;
}
