/* Times of dispatches within the model: iree-benchmark-module --dispatch_statistics calls the
 * function and adds up what each dispatch took. Its rows stand beside those of the whole function:
 *   {"name": "BM_main/main_dispatch_0_matmul_...", "real_time": per call of the model, "calls",
 * ...}
 */
#include "iree/model/dispatches.h"

#include "base/file.h"
#include "base/paths.h"
#include "hone_iree.h"
#include "iree/backend/iree_benchmark.h"
#include "iree/backend/iree_tool.h"
#include "iree/model/model_import.h"
#include "iree/model/model_inputs.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { LONGEST_REASON = 300, MOST_REPORT_BYTES = 1 << 28, SHARE_RUNS = 3, MOST_TRIES = 4 };
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

/* Those of an .onnx file were fixed before it was imported. */
static hone_status fix_dims(const struct hone__model *model,
                            const struct hone_iree_model_options *options,
                            struct hone__model_functions *functions,
                            const struct hone__model_function *function)
{
  if (hone__model_is_onnx(model->path)) return NULL;
  return hone__model_fix_dims(&functions->list[function - functions->list], options->dims,
                              options->dim_count);
}

/* Tools run in other folders: "--parameters=scope=x.irpa" gets an absolute path. */
static hone_status add_run_flag(const char *flag, struct hone__words *out_words)
{
  static const char parameters[] = "--parameters=";
  const char *file = flag + strlen(parameters), *scope;
  char *real;

  if (!hone__starts_with(flag, parameters)) {
    hone__words_add(out_words, flag);
    return NULL;
  }
  real = hone__realpath(file);
  scope = real ? NULL : strchr(file, '=');
  if (scope) real = hone__realpath(file = scope + 1);
  if (!real) return hone__path_error("open", file);
  hone__iree_word(out_words, "%.*s%s", (int)(file - flag), flag, real);
  free(real);
  return NULL;
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
                                  const struct hone_iree_model_options *options,
                                  struct hone__words *out_words, char **out_function)
{
  struct hone__model_functions functions = {0};
  const struct hone__model_function *function = NULL;
  char *folder = hone__model_path(model, "inputs");
  hone_status status = choose(model, options->function, &functions, &function);

  if (!status) {
    hone__iree_word(out_words, "--function=%s", function->name);
    if (out_function) *out_function = hone__strdup(function->name);
    status = fix_dims(model, options, &functions, function);
    if (!status) status = hone__model_inputs(function, options, folder, out_words);
    status = hone__annotate(status, "'%s'", model->path);
  }
  for (size_t i = 0; !status && i < options->run_flag_count; i++)
    status = add_run_flag(options->run_flags[i], out_words);
  hone__model_functions_release(&functions);
  free(folder);
  return status;
}

/* ---- Rows ---- */

static double row_ns(const struct hone__iree_row *row)
{
  double ns = hone__iree_row_ns(row, row->real_time);

  return isnan(ns) ? 0 : ns;
}

static const struct hone__iree_row *find_row(const struct hone__iree_rows *rows,
                                             const char *function, const char *entry)
{
  struct hone__text name = {0};
  const struct hone__iree_row *found = NULL;

  hone__text_addf(&name, "BM_%s/%s", function, entry);
  for (size_t i = 0; !found && i < rows->benchmarks_count; i++)
    if (strcmp(rows->benchmarks[i].name, name.data) == 0) found = &rows->benchmarks[i];
  hone__text_release(&name);
  return found;
}

static uint64_t calls_of(const struct hone__iree_row *row)
{
  double calls = row->calls.type == HONE_INT     ? (double)row->calls.integer
                 : row->calls.type == HONE_FLOAT ? row->calls.real
                                                 : 0;

  return calls > 0 && calls < 0x1p53 ? (uint64_t)llround(calls) : 0;
}

/* Of several runs the shortest times count: other work only adds to them. */
static void take_rows(const struct hone__iree_rows *rows, struct hone_iree_dispatches *dispatches)
{
  const struct hone__iree_row *whole =
      find_row(rows, dispatches->function, "process_time/real_time");
  double total = 0;

  if (whole && !whole->error_occurred)
    dispatches->time_ns = fmin(dispatches->time_ns, row_ns(whole));
  for (size_t i = 0; i < dispatches->count; i++) {
    struct hone_iree_dispatch *info = &dispatches->dispatches[i];
    const struct hone__iree_row *row = find_row(rows, dispatches->function, info->name);
    info->time_ns = row ? fmin(info->time_ns, row_ns(row)) : 0; /* it was not called */
    info->calls = row ? calls_of(row) : 0;
    total += info->time_ns;
  }
  for (size_t i = 0; i < dispatches->count && total > 0; i++)
    dispatches->dispatches[i].share = dispatches->dispatches[i].time_ns / total;
}

static bool has_statistics(const struct hone__iree_rows *rows)
{
  for (size_t i = 0; i < rows->benchmarks_count; i++)
    if (rows->benchmarks[i].calls.type != HONE_NONE) return true;
  return false;
}

/* A file that cannot be read has no rows. */
static void read_rows(const char *file, struct hone__iree_rows *rows)
{
  char *text = NULL;
  size_t size = 0;
  hone_status status = hone__file_read(file, MOST_REPORT_BYTES, &text, &size);

  if (!status) status = hone__iree_rows_parse(text, rows);
  if (status) rows->benchmarks_count = 0;
  hone_status_free(status);
  free(text);
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

/* By the device, that is: files of inputs have forms that are not supported, too. */
static bool is_unsupported(const struct hone__child_result *result)
{
  const char *errors = result->errors.data ? result->errors.data : "";

  return strstr(errors, "UNIMPLEMENTED") && !strstr(errors, "; parsing input ");
}

/* False in `*out_done`: this device does not report it. */
static hone_status run(const struct hone__model *model, const char *const *words, const char *file,
                       struct hone_iree_dispatches *dispatches, bool *out_done)
{
  struct hone__child_result result = {0};
  struct hone__iree_rows rows = {0};
  hone_status status = NULL;

  unlink(file);
  hone__iree_child(&model->tools, HONE__IREE_BENCHMARK, words, NULL, benchmark_s, &result);
  if (result.end == HONE__CHILD_EXITED && result.code == 0)
    read_rows(file, &rows);
  else if (!is_unsupported(&result))
    status = explain(&result);
  *out_done = has_statistics(&rows);
  if (*out_done) take_rows(&rows, dispatches);
  hone__iree_rows_release(&rows);
  hone__child_result_release(&result);
  return status;
}

/* With several threads, statistics of IREE 3.13 crash now and then: such a run is repeated. */
static hone_status run_again(const struct hone__model *model, const char *const *words,
                             const char *file, struct hone_iree_dispatches *dispatches,
                             bool *out_done)
{
  size_t tries = hone__starts_with(dispatches->device, "local-task") ? MOST_TRIES : 1;
  hone_status status = run(model, words, file, dispatches, out_done);

  for (size_t i = 1; status && i < tries && hone_status_code(status) != HONE_CANCELLED; i++) {
    hone_status_free(status);
    status = run(model, words, file, dispatches, out_done);
  }
  return status;
}

hone_status hone__dispatches_time_within(const struct hone__model *model,
                                         const struct hone_iree_model_options *options,
                                         const struct hone__words *call,
                                         struct hone_iree_dispatches *dispatches, bool *out_done)
{
  char *file = hone__model_path(model, "statistics.json");
  struct hone__words words = {0};
  hone_status status = NULL;

  hone__words_add_all(&words, hone__words_list(call));
  hone__iree_word(&words, "--module=%s", model->module);
  hone__iree_word(&words, "--device=%s", dispatches->device);
  hone__iree_thread_words(options->iree ? options->iree->threads : 0, dispatches->device, &words);
  hone__iree_word(&words, "--dispatch_statistics");
  hone__iree_word(&words, "--benchmark_out=%s", file);
  hone__iree_word(&words, "--benchmark_out_format=json");
  hone__iree_word(&words, "--benchmark_min_time=0.1s");
  *out_done = true;
  for (size_t i = 0; !status && *out_done && i < SHARE_RUNS; i++) {
    if (i && dispatches->time_ns > HONE__MODEL_SLOW_NS) break; /* its shares vary little */
    status = hone__dispatches_step(options, "running the model", i, SHARE_RUNS);
    if (!status) status = run_again(model, hone__words_list(&words), file, dispatches, out_done);
  }
  hone__words_release(&words);
  free(file);
  return status;
}

bool hone__dispatches_can_list(const struct hone__model *model, const char *device)
{
  return model->tools.paths[HONE__IREE_BENCHMARK] && *device && !hone__iree_device_is_gpu(device) &&
         model->tools.features[HONE__IREE_HAS_DISPATCH_STATISTICS];
}

/* The reason why nothing can be timed; "": none. */
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
                                  const struct hone_iree_model_options *options,
                                  const struct hone__words *call,
                                  struct hone_iree_dispatches *dispatches)
{
  hone_status status = NULL;
  bool is_done = false;

  find_obstacle(model, dispatches);
  if (*dispatches->why_untimed) return NULL;
  if (call && hone__dispatches_can_list(model, dispatches->device))
    status = hone__dispatches_time_within(model, options, call, dispatches, &is_done);
  if (!status && !is_done) status = hone__dispatches_time_alone(model, options, dispatches);
  return status;
}
