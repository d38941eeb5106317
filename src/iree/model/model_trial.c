/* The trial: before the budget is spent, everything that could fail after it is done once. Each
 * dispatch gets an entry with the compiler's own configuration, the model is compiled with all of
 * them, and it is run once with its outputs in files. A dispatch whose entry has no effect is not
 * tuned. What was found is kept, so that the same command does not try it again.
 */
#include "iree/model/model_tune.h"

#include "base/file.h"
#include "base/npy.h"
#include "hone_iree.h"
#include "iree/tuning_spec/tuning_spec.h"
#include "iree/tuning_spec/verify.h"

#include <stdlib.h>
#include <unistd.h>

enum { FILE_LIMIT = 1 << 30, NO_ENTRY = -1 };
static const char spec_name[] = "trial-spec.mlir", result_name[] = "trial.txt";
static const char not_matched[] =
    "an entry for it matches no operation of the model: at that stage "
    "the compiler has it in a different form than in the dispatch";
static const double run_s = 1800;

struct trial {
  struct hone__arena arena;
  struct hone__iree_tuning_entry *entries;
  size_t count;
  int *entry_of;        /* by dispatch */
  const char **reasons; /* by entry: why it has no effect; NULL: it has */
  char key[HONE__DIGEST_SIZE];
};

/* ---- Entries ---- */

static const char *setting(const struct hone_spec *spec, const char *key, struct hone__arena *arena)
{
  const struct hone__node *iree = hone__node_get(spec->root, "iree"),
                          *node = iree ? hone__node_get(iree, key) : NULL;

  return node && node->kind == HONE__SCALAR ? hone__arena_strdup(arena, node->text) : NULL;
}

/* Operations of the same matcher share an entry. */
static int add_entry(struct trial *trial, const struct hone_spec *spec)
{
  struct hone__iree_tuning_entry entry = {
      .name = setting(spec, "matcher_name", &trial->arena),
      .matcher = setting(spec, "matcher", &trial->arena),
      .compilation_info = setting(spec, "choice", &trial->arena),
      .decomposition_config = setting(spec, "choice_decomposition", &trial->arena)};

  if (!entry.name || !entry.matcher || !entry.compilation_info) return NO_ENTRY;
  for (size_t i = 0; i < trial->count; i++)
    if (strcmp(trial->entries[i].matcher, entry.matcher) == 0) return (int)i;
  trial->entries[trial->count] = entry;
  return (int)trial->count++;
}

static void add_dispatch(struct hone__model_tuning *tuning, struct trial *trial, size_t number)
{
  struct hone__model_dispatch_space space = {0};
  hone_status status = hone__model_search_space(tuning, number, &space);

  if (!status) trial->entry_of[number] = add_entry(trial, space.spec);
  if (!status && space.dump)
    hone__model_dispatch_spaces_put(&tuning->spaces, &space);
  else
    hone__model_dispatch_space_release(&space);
  hone_status_free(status); /* the search reports it */
}

static void collect(struct hone__model_tuning *tuning, struct trial *trial)
{
  size_t count = tuning->tuned->count;

  trial->entries = hone__arena_alloc(&trial->arena, (count + 1) * sizeof *trial->entries);
  trial->entry_of = hone__arena_alloc(&trial->arena, (count + 1) * sizeof *trial->entry_of);
  trial->reasons = hone__arena_alloc(&trial->arena, (count + 1) * sizeof *trial->reasons);
  for (size_t i = 0; i < count; i++) {
    trial->entry_of[i] = NO_ENTRY;
    if (tuning->tuned->dispatches[i].is_tuned || tuning->tuned->dispatches[i].is_later)
      add_dispatch(tuning, trial, i);
  }
}

/* ---- Compiling ---- */

static void judge_use(struct trial *trial, size_t number, const struct hone_iree_spec_use *use)
{
  const char *why = not_matched;

  for (size_t i = 0; i < use->hit_count; i++) {
    if (use->hits[i].is_applied) return;
    why = hone__arena_printf(&trial->arena, "an entry for it has no effect: %s",
                             use->hits[i].why_not ? use->hits[i].why_not : "");
  }
  trial->reasons[number] = why;
}

/* A spec that the compiler refuses as a whole says nothing about single entries. */
static hone_status compile(struct hone__model_tuning *tuning, struct trial *trial)
{
  struct hone_iree_options options = *tuning->options->model->iree;
  struct hone_iree_verification *found = NULL;
  char *path = hone__model_work_path(tuning, "%s", spec_name), *source = hone__model_source(tuning);
  hone_status status;

  status = hone_iree_verify(path, source, &options, &found);
  if (!status && *found->refusal)
    hone__model_note(tuning, "the compiler rejects a spec with its own configurations: %s",
                     found->refusal);
  else
    for (size_t i = 0; !status && i < trial->count && i < found->use_count; i++)
      judge_use(trial, i, &found->uses[i]);
  hone_iree_verification_free(found);
  free(source);
  free(path);
  return status;
}

/* ---- Running ---- */

static bool is_tensor(const char *type)
{
  return hone__starts_with(type, "tensor<") || hone__starts_with(type, "!hal.buffer_view");
}

static hone_status check_output(const struct hone__model_tuning *tuning, size_t number)
{
  char *path = hone__model_work_path(tuning, "trial-output%zu.npy", number), *bytes = NULL;
  struct hone__npy npy;
  size_t size = 0;
  hone_status status = hone__file_read(path, FILE_LIMIT, &bytes, &size);

  if (!status) status = hone__npy_parse(bytes, size, &npy);
  unlink(path);
  free(bytes);
  free(path);
  return hone__annotate(status, "output %zu of '%s' cannot be read", number,
                        tuning->state->function);
}

static hone_status run_model(const struct hone__model_tuning *tuning)
{
  const struct hone__model_state *state = tuning->state;
  char *module = hone__model_work_path(tuning, "untuned.vmfb");
  struct hone__words words = {0};
  hone_status status;

  hone__iree_word(&words, "--module=%s", module);
  hone__iree_word(&words, "--device=%s", state->device);
  hone__iree_word(&words, "--function=%s", state->function);
  for (size_t i = 0; i < state->call_count; i++)
    hone__words_add(&words, state->call[i]);
  for (size_t i = 0; i < state->outputs_count; i++) {
    if (is_tensor(state->outputs[i]))
      hone__iree_word(&words, "--output=@%s/trial-output%zu.npy", tuning->folder, i);
    else
      hone__words_add(&words, "--output=-");
  }
  status = hone__iree_run(&tuning->tools, HONE__IREE_RUN, hone__words_list(&words), tuning->folder,
                          run_s, NULL);
  status = hone__annotate(status, "the model does not run");
  for (size_t i = 0; !status && i < state->outputs_count; i++)
    if (is_tensor(state->outputs[i])) status = check_output(tuning, i);
  hone__words_release(&words);
  free(module);
  return hone__annotate(status, "'%s'", tuning->path);
}

/* ---- Keeping ---- */

static void make_key(const struct hone__model_tuning *tuning, const struct hone__text *spec,
                     struct trial *trial)
{
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add(digester, spec->data, spec->length);
  hone__digest_add_text(digester, tuning->state->digest);
  hone__digest_add_text(digester, tuning->state->identity);
  hone__digest_add_text(digester, tuning->state->inputs_digest);
  hone__digest_end(digester, trial->key);
}

/* The key, then a line for each entry: "" or the reason. */
static hone_status write_result(const struct hone__model_tuning *tuning, const struct trial *trial)
{
  struct hone__text text = {0};
  hone_status status;

  hone__text_addf(&text, "%s\n", trial->key);
  for (size_t i = 0; i < trial->count; i++)
    hone__text_addf(&text, "%s\n", trial->reasons[i] ? trial->reasons[i] : "");
  status = hone__model_work_write_text(tuning, result_name, text.data);
  hone__text_release(&text);
  return status;
}

static bool read_result(const struct hone__model_tuning *tuning, struct trial *trial)
{
  char *path = hone__model_work_path(tuning, "%s", result_name), *text = NULL, *rest, *line;
  size_t size = 0, at = 0;
  hone_status status =
      access(path, R_OK) == 0 ? hone__file_read(path, FILE_LIMIT, &text, &size) : NULL;
  bool is_known;

  rest = text;
  line = text ? strsep(&rest, "\n") : NULL;
  is_known = line && strcmp(line, trial->key) == 0;
  for (; is_known && at < trial->count && (line = strsep(&rest, "\n")); at++)
    trial->reasons[at] = *line ? hone__arena_strdup(&trial->arena, line) : NULL;
  hone_status_free(status);
  free(text);
  free(path);
  return is_known && at == trial->count;
}

/* ---- All of it ---- */

static void drop(struct hone__model_tuning *tuning, const struct trial *trial)
{
  for (size_t i = 0; i < tuning->tuned->count; i++) {
    struct hone_iree_tuned_dispatch *dispatch = &tuning->tuned->dispatches[i];
    const char *why = trial->entry_of[i] < 0 ? NULL : trial->reasons[trial->entry_of[i]];
    struct hone__text warning = {0};
    if (!why) continue;
    hone__model_set(&dispatch->why_not, why);
    dispatch->is_later = false;
    if (!dispatch->is_tuned) continue;
    dispatch->is_tuned = false;
    hone__text_addf(&warning, "%s is not tuned: %s", dispatch->executable, why);
    hone__model_warn(tuning, warning.data);
    hone__text_release(&warning);
  }
}

/* Without a compiler there is what the other host has found. */
static hone_status try_all(struct hone__model_tuning *tuning, struct trial *trial)
{
  bool can_run = tuning->tools.paths[HONE__IREE_RUN] && !*tuning->state->why_untimed;
  struct hone__text spec = {0};
  hone_status status;

  hone__iree_tuning_spec_print(trial->entries, trial->count, &spec);
  make_key(tuning, &spec, trial);
  if (read_result(tuning, trial) || !tuning->tools.paths[HONE__IREE_COMPILE]) {
    hone__text_release(&spec);
    return NULL;
  }
  hone__model_title(tuning, "a trial of all later steps");
  status = can_run ? run_model(tuning) : NULL;
  if (!status) status = hone__model_work_write_text(tuning, spec_name, spec.data);
  if (!status) status = compile(tuning, trial);
  if (!status) status = write_result(tuning, trial);
  hone__text_release(&spec);
  return status;
}

hone_status hone__model_trial(struct hone__model_tuning *tuning)
{
  struct trial trial = {0};
  hone_status status = NULL;

  collect(tuning, &trial);
  if (trial.count) status = try_all(tuning, &trial);
  if (!status) drop(tuning, &trial);
  hone__arena_release(&trial.arena);
  return status;
}
