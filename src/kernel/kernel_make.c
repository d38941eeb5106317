/* One problem, from its sizes to a function in this process. */
#include "kernel/kernel_internal.h"

#include "store/cache.h"

#include "session/identity.h"
#include "wire/named.h"

#include <stdlib.h>

struct making {
  struct hone_kernel *kernel;
  const struct hone__handle_entry *entry;
  struct hone__session *session; /* of the problem that was asked for */
  struct hone__handle_choice choice;
  struct hone__candidate *candidate;
  bool is_default;
};

/* ---- Options ---- */

void hone__handle_print_sizes(const struct hone_kernel *kernel, const int64_t *sizes,
                              struct hone__text *text)
{
  for (size_t i = 0; i < kernel->size_count; i++)
    hone__text_addf(text, "%s%s=%lld", i ? "," : "", kernel->first->names[i], (long long)sizes[i]);
}

struct hone_tune_options hone__handle_tune_options(const struct hone_kernel *kernel,
                                                   const char *sizes, const char *device)
{
  struct hone_tune_options options = kernel->tune;

  options.problem_sizes = *sizes ? sizes : NULL;
  if (device) options.devices = device;
  if (!options.cancel) options.cancel = kernel->cancel;
  options.builders = 1;
  return options;
}

/* ---- The configuration, for the sizes that were asked for ---- */

/* What was tuned for a bucket may be illegal here. */
static bool take_config(const struct making *making, uint32_t *row)
{
  const struct hone_space *space = making->session->problem.space;
  hone_status status;

  if (!making->choice.config) return false;
  status = hone_space_parse(space, making->choice.config, row);
  hone_status_free(status);
  return !status && hone_space_contains(space, row);
}

static hone_status make_candidate(struct making *making)
{
  const struct hone__session_problem *problem = &making->session->problem;
  size_t bytes = hone_space_width(problem->space) * sizeof(uint32_t);
  uint32_t *row = hone__alloc(bytes);
  hone_status status;

  if (!take_config(making, row)) memcpy(row, problem->task.baseline, bytes);
  making->is_default = memcmp(row, problem->task.baseline, bytes) == 0;
  status = hone__candidate_new(making->session, row, &making->candidate);
  if (!status) making->candidate->is_baseline = making->is_default;
  free(row);
  return status;
}

/* ---- Loading ---- */

static void object_key(const struct hone__candidate *candidate, char key[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, candidate->object);
  hone__packed_digest_member(candidate->packed, "entry", digester);
  hone__packed_digest_member(candidate->packed, "launch", digester);
  hone__digest_end(digester, key);
}

/* With the lock. */
static hone_status load(const struct making *making, const struct hone__loaded **out_loaded)
{
  struct hone_kernel *kernel = making->kernel;
  const struct hone__candidate *candidate = making->candidate;
  uintptr_t context = making->entry->context;
  struct hone__handle_loaded *one;
  char key[HONE__DIGEST_SIZE];
  hone_status status;

  object_key(candidate, key);
  for (one = kernel->loaded; one; one = one->next)
    if (one->context == context && strcmp(one->key, key) == 0) {
      *out_loaded = &one->loaded;
      return NULL;
    }
  one = hone__alloc(sizeof *one);
  memcpy(one->key, key, sizeof key);
  one->context = context;
  status = kernel->backend->host->load(&kernel->host, context, candidate->packed, candidate->bytes,
                                       candidate->size, &one->loaded);
  if (status) {
    free(one);
    return status;
  }
  one->next = kernel->loaded;
  kernel->loaded = one;
  *out_loaded = &one->loaded;
  return NULL;
}

/* ---- The function ---- */

static void add_value(struct hone__named_list *list, const char *name, struct hone_value value)
{
  if (value.type == HONE_INT || value.type == HONE_BOOL)
    hone__named_int(list, hone__arena_strdup(list->arena, name), value.integer);
}

static void add_values(const struct making *making, struct hone__handle_made *made)
{
  const struct hone_space *space = making->session->problem.space;
  const uint32_t *row = making->candidate->row;
  struct hone__named_list list = {.arena = &made->arena};
  struct hone_value value;

  for (size_t i = 0; i < hone_space_param_count(space, row[0]); i++)
    add_value(&list, hone_space_param_name(space, row[0], i),
              hone_space_value(space, row[0], i, row[1 + i]));
  for (size_t i = 0; i < hone_space_derived_count(space); i++)
    if (hone_space_derived(space, row, i, &value))
      add_value(&list, hone_space_derived_name(space, i), value);
  made->values = list.items;
  made->value_count = list.count;
}

static void take_loaded(const struct hone__loaded *loaded, struct hone_kernel_function *function)
{
  function->call = loaded->call;
  function->module = loaded->call ? NULL : loaded->module;
  function->function = loaded->function;
  function->dimensions = loaded->dimensions;
  function->shared_bytes = loaded->shared_bytes;
  for (int i = 0; i < 3; i++) {
    function->global[i] = loaded->global[i];
    function->local[i] = loaded->local[i];
    function->cluster[i] = loaded->cluster[i];
    function->grid[i] = loaded->local[i] ? loaded->global[i] / loaded->local[i] : 0;
  }
}

/* With the lock. */
static const struct hone_kernel_function *keep(const struct making *making,
                                               const struct hone__loaded *loaded)
{
  struct hone__handle_made *made = hone__alloc(sizeof *made);
  struct hone_kernel_function *function = &made->function;

  take_loaded(loaded, function);
  function->config = hone__arena_strdup(&made->arena, making->candidate->config);
  function->problem = hone__arena_strdup(&made->arena, making->session->problem.task.problem);
  function->origin = making->choice.origin;
  function->is_default = making->is_default;
  function->verdict = making->choice.verdict;
  function->run = making->choice.run;
  function->speedup = making->is_default ? NAN : making->choice.speedup;
  add_values(making, made);
  made->next = making->kernel->made;
  making->kernel->made = made;
  return function;
}

static hone_status build_and_load(struct making *making,
                                  const struct hone_kernel_function **out_function)
{
  const struct hone__loaded *loaded = NULL;
  hone_status status = make_candidate(making);

  if (!status) status = hone__handle_build_object(making->candidate);
  if (status) return status;
  pthread_mutex_lock(&making->kernel->lock);
  status = load(making, &loaded);
  if (!status) *out_function = keep(making, loaded);
  pthread_mutex_unlock(&making->kernel->lock);
  return status;
}

/* ---- Altogether ---- */

static hone_status make(struct making *making, const char *sizes, const char *device,
                        enum hone__handle_effort effort,
                        const struct hone_kernel_function **out_function)
{
  struct hone_kernel *kernel = making->kernel;
  struct hone_tune_options options = hone__handle_tune_options(kernel, sizes, device);
  const struct hone__case which = {.shape = HONE_ALL_SHAPES};
  struct hone__tuning tuning;
  hone_status status =
      hone__tuning_open(&tuning, kernel->spec, &which, &options, &hone__purpose_tune);

  making->session = &tuning.session;
  if (!status) status = hone__identity_make(&tuning.session);
  if (!status)
    status = hone__handle_choose(kernel, &tuning.session, making->entry, device, effort,
                                 &making->choice);
  if (!status) status = build_and_load(making, out_function);
  hone__candidate_free(making->candidate);
  hone__tuning_release(&tuning);
  return status;
}

hone_status hone__handle_make(struct hone_kernel *kernel, const struct hone__handle_entry *entry,
                              enum hone__handle_effort effort,
                              const struct hone_kernel_function **out_function, bool *out_is_open)
{
  const struct hone__backend_host *host = kernel->backend->host;
  struct making making = {.kernel = kernel, .entry = entry};
  struct hone__text sizes = {0};
  const char *cache_before = hone__cache_choose(kernel->tune.cache);
  char *device = NULL;
  hone_status status = NULL;

  if (host->device) status = host->device(&kernel->host, entry->context, &device);
  hone__handle_print_sizes(kernel, entry->sizes, &sizes);
  if (!status) status = make(&making, sizes.data ? sizes.data : "", device, effort, out_function);
  *out_is_open = making.choice.is_open;
  free(making.choice.config);
  free(device);
  if (status)
    status = hone__annotate(status, "kernel '%s'%s%s", kernel->spec->name, sizes.length ? ", " : "",
                            sizes.data ? sizes.data : "");
  hone__text_release(&sizes);
  hone__cache_choose(cache_before);
  return status;
}
