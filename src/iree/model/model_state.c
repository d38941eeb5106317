/* The first stage: the model is compiled as it is, its dispatches are listed and timed. What the
 * later ones need of that is one JSON object:
 *   "key", "identity" of the compiler, "source" ("": the model itself), "digest", "words" for
 * iree-compile, "backend", "driver", "device", "target", "function", "call": words,
 * "inputs_digest", "outputs": types, "time_ns", "why_untimed", "dispatches": [{"name",
 * "executable", "operation", "share", "time_ns", "calls", "why_not", "file"}]
 */
#include "iree/model/model_tune.h"

#include "base/file.h"
#include "base/json_string.h"
#include "iree/model/dispatches.h"
#include "iree/model/model_inputs.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { SOURCE_LIMIT = 1 << 30 };

/* ---- What is returned ---- */

static const struct hone__mlir_op *find_function(const struct hone__mlir *flow, const char *name)
{
  const struct hone__mlir_op *op = flow->root;

  for (size_t i = 0; i < op->child_count; i++) {
    const struct hone__mlir_op *child = op->children[i];
    if (strcmp(child->name, "module") == 0 || strcmp(child->name, "builtin.module") == 0) {
      op = child;
      i = (size_t)-1;
    } else if (child->symbol && strcmp(child->symbol, name) == 0 &&
               hone__mlir_attr(child, "iree.reflection")) {
      return child;
    }
  }
  return NULL;
}

static size_t end_of_type(const char *text)
{
  int depth = 0;
  size_t at = 0;

  for (; text[at]; at++) {
    if (depth == 0 && strchr(",) {", text[at])) break;
    depth += strchr("<([", text[at]) != NULL;
    depth -= strchr(">)]", text[at]) != NULL;
  }
  return at;
}

/* Types behind the arrow of "sync func @main(...) -> (%output0: tensor<4xf32>, %output1: i32)". */
static json_t *outputs_of(const struct hone__mlir *flow, const char *function)
{
  const struct hone__mlir_op *op = find_function(flow, function);
  const struct hone__mlir_attr *reflection = op ? hone__mlir_attr(op, "iree.reflection") : NULL,
                               *declared = hone__mlir_entry(reflection, "iree.abi.declaration");
  const char *at = declared && declared->text ? strstr(declared->text, ") -> (") : NULL;
  json_t *types = json_array();

  while (at && (at = strstr(at, "%output")) != NULL && (at = strchr(at, ':')) != NULL) {
    at += 1 + strspn(at + 1, " ");
    json_array_append_new(types, hone__json_string(at, end_of_type(at)));
  }
  return types;
}

/* ---- What goes in ---- */

/* Files are what they hold. */
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

static json_t *digest_inputs(const json_t *words)
{
  struct hone__digester *digester = hone__digest_begin();
  char digest[HONE__DIGEST_SIZE];

  for (size_t i = 0; i < json_array_size(words); i++)
    add_input(digester, json_string_value(json_array_get(words, i)));
  hone__digest_end(digester, digest);
  return json_string(digest);
}

static hone_status digest_source(const char *path, json_t *state)
{
  char digest[HONE__DIGEST_SIZE], *text = NULL;
  size_t size = 0;
  hone_status status = hone__file_read(path, SOURCE_LIMIT, &text, &size);

  if (status) return status;
  hone__digest(text, size, digest);
  json_object_set_new(state, "digest", json_string(digest));
  free(text);
  return NULL;
}

/* ---- The list ---- */

static void set_text(json_t *object, const char *key, const char *text)
{
  json_object_set_new(object, key, hone__json_string(text ? text : "", strlen(text ? text : "")));
}

static json_t *dispatch_json(const struct hone_iree_dispatch_info *info)
{
  json_t *json = json_object();
  struct hone__text words = {0};

  hone__text_addf(&words, "%s %s %s", info->layout, info->sizes, info->types);
  set_text(json, "name", info->name);
  set_text(json, "executable", info->executable);
  set_text(json, "operation", info->why_not || !*info->sizes ? info->operation : words.data);
  set_text(json, "why_not", info->why_not);
  set_text(json, "file", info->file);
  json_object_set_new(json, "share", hone__model_real(info->share));
  json_object_set_new(json, "time_ns", hone__model_real(info->time_ns));
  json_object_set_new(json, "calls", json_integer((json_int_t)info->calls));
  hone__text_release(&words);
  return json;
}

static int is_longer(const void *a, const void *b)
{
  double x = hone__model_number(*(json_t *const *)a, "time_ns"),
         y = hone__model_number(*(json_t *const *)b, "time_ns");

  if (isnan(x) || isnan(y)) return isnan(x) - isnan(y);
  return (x < y) - (x > y);
}

static json_t *list_json(const struct hone_iree_dispatches *dispatches)
{
  json_t *list = json_array();
  json_t **items = hone__alloc((dispatches->count + 1) * sizeof *items);

  for (size_t i = 0; i < dispatches->count; i++)
    items[i] = dispatch_json(&dispatches->dispatches[i]);
  qsort(items, dispatches->count, sizeof *items, is_longer);
  for (size_t i = 0; i < dispatches->count; i++)
    json_array_append_new(list, items[i]);
  free(items);
  return list;
}

/* ---- Making it ---- */

static hone_status describe(struct hone__model_tuning *tuning, const struct hone__model *model,
                            struct hone_iree_dispatches *dispatches)
{
  const struct hone_iree_model_options *options = &tuning->options->model;
  hone_status status = NULL;

  *dispatches = (struct hone_iree_dispatches){.time_ns = NAN};
  dispatches->device = hone__strdup(hone__dispatches_device(model, options));
  dispatches->function = hone__strdup("");
  dispatches->why_untimed = hone__strdup("");
  dispatches->dispatches = hone__alloc((model->count + 1) * sizeof *dispatches->dispatches);
  for (size_t i = 0; !status && i < model->count; i++) {
    dispatches->count = i + 1;
    status = hone__dispatch_describe(model, &model->executables[i], &tuning->spaces,
                                     &dispatches->dispatches[i]);
    dispatches->dispatches[i].calls =
        hone__model_calls(model, options->function, &model->executables[i]);
  }
  return status;
}

static hone_status fill(struct hone__model_tuning *tuning, struct hone__model *model, json_t *state)
{
  const struct hone_iree_model_options *options = &tuning->options->model;
  struct hone_iree_dispatches dispatches;
  json_t *call = json_array();
  char *function = NULL;
  hone_status status = describe(tuning, model, &dispatches);

  if (!status) status = hone__dispatches_call(model, options, call, &function);
  if (!status) {
    hone__model_set(&dispatches.function, function);
    status = hone__dispatches_time(model, options, call, &dispatches);
  }
  if (!status) status = digest_source(model->source, state);
  if (!status) {
    json_array_remove(call, 0); /* the function */
    set_text(state, "identity", tuning->tools.identity);
    set_text(state, "key", tuning->key);
    set_text(state, "source",
             hone__starts_with(model->source, tuning->folder) ? model->source : "");
    json_object_set(state, "words", model->words);
    set_text(state, "backend", model->backend);
    set_text(state, "driver", model->driver);
    set_text(state, "device", dispatches.device);
    set_text(state, "target", model->target);
    set_text(state, "function", function);
    json_object_set(state, "call", call);
    json_object_set_new(state, "inputs_digest", digest_inputs(call));
    json_object_set_new(state, "outputs", outputs_of(&model->flow, function));
    json_object_set_new(state, "time_ns", hone__model_real(dispatches.time_ns));
    set_text(state, "why_untimed", dispatches.why_untimed);
    json_object_set_new(state, "dispatches", list_json(&dispatches));
  }
  hone_iree_dispatches_release(&dispatches);
  json_decref(call);
  free(function);
  return status;
}

static hone_status make(struct hone__model_tuning *tuning)
{
  const struct hone_iree_model_options *options = &tuning->options->model;
  struct hone__model model = {0};
  json_t *state = json_object();
  hone_status status = hone__model_open(&model, tuning->path, &options->iree, tuning->folder);

  hone__model_title(tuning, "the model as it is");
  if (!status) status = hone__model_flow(&model);
  if (!status) status = hone__model_dump(&model);
  if (!status) status = fill(tuning, &model, state);
  if (!status) status = hone__model_work_write(tuning, "hone.json", state);
  if (status)
    json_decref(state);
  else
    tuning->state = state;
  hone__model_release(&model);
  return status;
}

/* ---- Keeping it ---- */

char *hone__model_source(const struct hone__model_tuning *tuning)
{
  const char *own = hone__model_text(tuning->state, "source");
  char *real = *own ? NULL : hone__realpath(tuning->path);

  return real ? real : hone__strdup(*own ? own : tuning->path);
}

/* Files may have been cleared away. */
static bool is_whole(const json_t *state)
{
  const json_t *list = json_object_get(state, "dispatches");
  const char *source = hone__model_text(state, "source");

  if (!json_is_array(list) || (*source && access(source, R_OK) != 0)) return false;
  for (size_t i = 0; i < json_array_size(list); i++) {
    const char *file = hone__model_text(json_array_get(list, i), "file");
    if (*file && access(file, R_OK) != 0) return false;
  }
  return true;
}

static bool is_current(const struct hone__model_tuning *tuning, const json_t *state)
{
  const char *here = tuning->tools.identity;

  if (!state || !is_whole(state) || tuning->options->tune.fresh) return false;
  if (strcmp(hone__model_text(state, "key"), tuning->key) != 0) return false;
  return !here || strcmp(here, hone__model_text(state, "identity")) == 0;
}

hone_status hone__model_state_open(struct hone__model_tuning *tuning)
{
  json_t *state = hone__model_work_read(tuning, "hone.json");

  if (is_current(tuning, state)) {
    tuning->state = state;
    return NULL;
  }
  json_decref(state);
  return make(tuning);
}
