/* Times of dispatches within the model: iree-benchmark-module --dispatch_statistics calls the
 * function and adds up what each dispatch took. Its rows stand beside those of the whole function:
 *   {"name": "BM_main/main_dispatch_0_matmul_...", "real_time": per call of the model, "calls",
 * ...}
 */
#include "iree/model/dispatches.h"

#include "iree/backend/iree_tool.h"
#include "wire/message_text.h"
#include "base/time_unit.h"
#include "iree/model/model_inputs.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { LONGEST_REASON = 300 };
static const double benchmark_s = 1800;

/* ---- The call ---- */

static hone_status choose(const struct hone__model *model, const char *name,
                          struct hone__model_functions *functions,
                          const struct hone__model_function **out_function)
{
  hone_status status = hone__model_functions(&model->flow, functions);

  if (!status) status = hone__model_function_choose(functions, name, out_function);
  return hone__annotate(status, "'%s'", model->path);
}

hone_status hone__dispatches_function(const struct hone__model *model,
                                      const struct hone_iree_model_options *options,
                                      char **out_function)
{
  struct hone__model_functions functions = {0};
  const struct hone__model_function *function = NULL;
  hone_status status = choose(model, options->function, &functions, &function);

  *out_function = hone__strdup(status ? "" : function->name);
  hone__model_functions_release(&functions);
  return status;
}

hone_status hone__dispatches_call(const struct hone__model *model,
                                  const struct hone_iree_model_options *options, json_t *out_words,
                                  char **out_function)
{
  struct hone__model_functions functions = {0};
  const struct hone__model_function *function = NULL;
  char *folder = hone__model_path(model, "inputs");
  hone_status status = choose(model, options->function, &functions, &function);

  if (!status) {
    hone__iree_word(out_words, "--function=%s", function->name);
    if (out_function) *out_function = hone__strdup(function->name);
    status = hone__model_inputs(function, options->inputs, options->input_count, options->seed,
                                folder, out_words);
    status = hone__annotate(status, "'%s'", model->path);
  }
  for (size_t i = 0; !status && i < options->run_flag_count; i++)
    hone__iree_word(out_words, "%s", options->run_flags[i]);
  hone__model_functions_release(&functions);
  free(folder);
  return status;
}

/* ---- Rows ---- */

static double row_ns(const json_t *row)
{
  const char *unit = hone__message_text(row, "time_unit");

  return json_number_value(json_object_get(row, "real_time")) *
         hone__time_unit_ns(unit, strlen(unit));
}

static const json_t *find_row(const json_t *rows, const char *function, const char *entry)
{
  struct hone__text name = {0};
  const json_t *found = NULL;

  hone__text_addf(&name, "BM_%s/%s", function, entry);
  for (size_t i = 0; !found && i < json_array_size(rows); i++) {
    const json_t *row = json_array_get(rows, i);
    if (strcmp(hone__message_text(row, "name"), name.data) == 0) found = row;
  }
  hone__text_release(&name);
  return found;
}

static void take_rows(const json_t *rows, struct hone_iree_dispatches *dispatches)
{
  const json_t *whole = find_row(rows, dispatches->function, "process_time/real_time");
  double total = 0;

  if (whole && !json_is_true(json_object_get(whole, "error_occurred")))
    dispatches->time_ns = row_ns(whole);
  for (size_t i = 0; i < dispatches->count; i++) {
    struct hone_iree_dispatch_info *info = &dispatches->dispatches[i];
    const json_t *row = find_row(rows, dispatches->function, info->name);
    info->time_ns = row ? row_ns(row) : 0; /* it was not called */
    info->calls = (uint64_t)llround(json_number_value(json_object_get(row, "calls")));
    total += info->time_ns;
  }
  for (size_t i = 0; i < dispatches->count && total > 0; i++)
    dispatches->dispatches[i].share = dispatches->dispatches[i].time_ns / total;
}

static bool has_statistics(const json_t *rows)
{
  for (size_t i = 0; i < json_array_size(rows); i++)
    if (json_object_get(json_array_get(rows, i), "calls")) return true;
  return false;
}

/* ---- Running ---- */

/* Without the "; " that ends a chain of messages. */
static void add_trimmed(const char *words, size_t length, struct hone__text *text)
{
  if (length > LONGEST_REASON) length = LONGEST_REASON;
  while (length && strchr(";: ", words[length - 1]))
    length--;
  hone__text_addn(text, words, length);
}

/* "c/runtime/src/x.c:12: CODE; text": the first such line, without the place in IREE's source. */
void hone__dispatches_reason(const struct hone__child_result *result, struct hone__text *text)
{
  const char *line = result->errors.data ? result->errors.data : "", *semicolon, *colon;
  size_t length;

  for (; *line; line += length + (line[length] == '\n')) {
    length = strcspn(line, "\n");
    semicolon = memmem(line, length, "; ", 2);
    colon = semicolon ? memmem(line, (size_t)(semicolon - line), ": ", 2) : NULL;
    if (!colon) continue;
    add_trimmed(semicolon + 2, length - (size_t)(semicolon + 2 - line), text);
    return;
  }
  hone__iree_reason(result, text);
}

static hone_status explain(const struct hone__child_result *result)
{
  struct hone__text reason = {0};
  hone_status status;

  hone__dispatches_reason(result, &reason);
  status = hone__error(HONE_INVALID_ARGUMENT, "the model does not run: %s",
                       reason.data ? reason.data : "failed");
  hone__text_release(&reason);
  return status;
}

static bool is_unsupported(const struct hone__child_result *result)
{
  return result->errors.data && strstr(result->errors.data, "UNIMPLEMENTED");
}

/* False in `*out_done`: this device cannot tell. */
static hone_status run(const struct hone__model *model, const json_t *words, const char *file,
                       struct hone_iree_dispatches *dispatches, bool *out_done)
{
  struct hone__child_result result = {0};
  json_t *json = NULL;
  hone_status status = NULL;

  unlink(file);
  hone__iree_child(&model->tools, HONE__IREE_BENCHMARK, words, NULL, benchmark_s, &result);
  if (result.end == HONE__CHILD_EXITED && result.code == 0)
    json = json_load_file(file, 0, NULL);
  else if (!is_unsupported(&result))
    status = explain(&result);
  *out_done = json && has_statistics(json_object_get(json, "benchmarks"));
  if (*out_done) take_rows(json_object_get(json, "benchmarks"), dispatches);
  json_decref(json);
  hone__child_result_release(&result);
  return status;
}

static hone_status time_within(const struct hone__model *model,
                               const struct hone_iree_model_options *options, const json_t *call,
                               struct hone_iree_dispatches *dispatches, bool *out_done)
{
  char *file = hone__model_path(model, "statistics.json");
  json_t *words = json_copy((json_t *)call);
  hone_status status;

  hone__iree_word(words, "--module=%s", model->module);
  hone__iree_word(words, "--device=%s", dispatches->device);
  hone__iree_word(words, "--dispatch_statistics");
  hone__iree_word(words, "--benchmark_out=%s", file);
  hone__iree_word(words, "--benchmark_out_format=json");
  hone__iree_word(words, "--benchmark_min_time=0.3s");
  status = hone__dispatches_step(options, "running the model", 0, 0);
  if (!status) status = run(model, words, file, dispatches, out_done);
  json_decref(words);
  free(file);
  return status;
}

bool hone__dispatches_can_tell(const struct hone__model *model, const char *device)
{
  return model->tools.paths[HONE__IREE_BENCHMARK] && *device && !hone__iree_device_is_gpu(device) &&
         model->tools.features[HONE__IREE_HAS_DISPATCH_STATISTICS];
}

/* What keeps everything from being timed; "": nothing. */
static void find_obstacle(const struct hone__model *model, struct hone_iree_dispatches *dispatches)
{
  hone_status status = hone__iree_need(&model->tools, HONE__IREE_BENCHMARK);
  const char *why = "";

  if (status)
    why = hone_status_message(status);
  else if (!model->count)
    why = "it has no dispatches";
  else if (!*dispatches->device)
    why = "the device that runs it is not known";
  free(dispatches->why_untimed);
  dispatches->why_untimed = hone__strdup(why);
  hone_status_free(status);
}

hone_status hone__dispatches_time(const struct hone__model *model,
                                  const struct hone_iree_model_options *options, const json_t *call,
                                  struct hone_iree_dispatches *dispatches)
{
  hone_status status = NULL;
  bool is_done = false;

  find_obstacle(model, dispatches);
  if (*dispatches->why_untimed) return NULL;
  if (call && hone__dispatches_can_tell(model, dispatches->device))
    status = time_within(model, options, call, dispatches, &is_done);
  if (!status && !is_done) status = hone__dispatches_time_alone(model, options, dispatches);
  return status;
}
