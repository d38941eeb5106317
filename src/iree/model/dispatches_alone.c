/* Times of dispatches that run alone: if the runtime does not report them within the model (GPUs,
 * older versions). Each dump is compiled again with filled inputs, and its time counts as often as
 * the model's function dispatches it.
 */
#include "iree/model/dispatches.h"

#include "base/file.h"
#include "base/paths.h"
#include "hone_iree.h"
#include "iree/backend/iree_tool.h"
#include "iree/dispatch/dispatch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SAMPLES = 3 };
static const double listing_s = 60, build_s = 1800, benchmark_s = 600;

/* ---- The device ---- */

/* The reason why it cannot be used comes from IREE. */
static void ask_device(const struct hone__model *model, struct hone_iree_dispatches *dispatches)
{
  const char *device = dispatches->device;
  struct hone__child_result result = {0};
  struct hone__text reason = {0}, why = {0};
  struct hone__words words = {0};

  hone__iree_word(&words, "--list_devices=%.*s", (int)strcspn(device, ":"), device);
  hone__iree_child(&model->tools, HONE__IREE_RUN, hone__words_list(&words), NULL, listing_s,
                   &result);
  if (result.end != HONE__CHILD_EXITED || result.code != 0) {
    hone__dispatches_reason(&result, &reason);
    hone__text_addf(&why, "device '%s' is not available: %s", device,
                    reason.data ? reason.data : "?");
  } else if (!result.output.length) {
    hone__text_addf(&why, "no device '%s' found", device);
  }
  if (why.length) {
    free(dispatches->why_untimed);
    dispatches->why_untimed = hone__text_take(&why);
  }
  hone__words_release(&words);
  hone__text_release(&why);
  hone__text_release(&reason);
  hone__child_result_release(&result);
}

/* ---- One dispatch ---- */

static hone_status write_text(const char *path, const struct hone__text *text)
{
  bool is_written = hone__file_make(path, text->data, text->length);

  return is_written ? NULL : hone__path_error("write", path);
}

static hone_status build(const struct hone__model *model, const char *text, const char *module)
{
  struct hone__words words = {0};
  hone_status status;

  hone__words_add(&words, text);
  hone__words_add(&words, "--compile-from=executable-sources");
  for (size_t i = 0; i < model->options->flag_count; i++)
    hone__words_add(&words, model->options->flags[i]);
  hone__words_add(&words, "-o");
  hone__words_add(&words, module);
  status = hone__iree_run(&model->tools, HONE__IREE_COMPILE, hone__words_list(&words), NULL,
                          build_s, NULL);
  hone__words_release(&words);
  return status;
}

static double shortest(const struct hone__model *model, const char *device, const char *function,
                       const char *module)
{
  const struct hone__iree_subject subject = {.function = function};
  struct hone__words words = {0};
  struct hone__child_result result = {0};
  struct hone__iree_attempt attempt = {.outcome = HONE_OUTCOME_OK};
  double times[SAMPLES], best = NAN;
  size_t count = 0;

  hone__iree_benchmark_words(&subject, module, device, SAMPLES, &words);
  hone__iree_child(&model->tools, HONE__IREE_BENCHMARK, hone__words_list(&words), NULL, benchmark_s,
                   &result);
  if (result.end == HONE__CHILD_EXITED && result.code == 0) {
    hone__text_addn(&attempt.output, result.output.data ? result.output.data : "",
                    result.output.length);
    count = hone__iree_read_samples(&attempt, !hone__iree_device_is_gpu(device), times, SAMPLES);
  }
  for (size_t i = 0; i < count; i++)
    best = fmin(best, times[i]);
  hone__iree_attempt_release(&attempt);
  hone__child_result_release(&result);
  hone__words_release(&words);
  return best;
}

/* NaN: it cannot be timed. */
static hone_status time_one(const struct hone__model *model,
                            const struct hone_iree_model_options *options, const char *dump,
                            const char *device, double *out_ns)
{
  char *text = hone__model_path(model, "alone.mlir"),
       *module = hone__model_path(model, "alone.vmfb");
  struct hone__iree_dispatch dispatch = {0};
  struct hone__mlir file = {0};
  hone_status status = hone__mlir_read(&file, dump);

  *out_ns = NAN;
  if (!status) status = hone__iree_dispatch_prepare(&file, options->seed, NULL, &dispatch);
  if (!status) status = write_text(text, &dispatch.text);
  if (!status) status = build(model, text, module);
  if (!status) *out_ns = shortest(model, device, dispatch.benchmark, module);
  if (status && hone_status_code(status) == HONE_INVALID_SPEC) {
    hone_status_free(status); /* of this dispatch alone */
    status = NULL;
  }
  hone__iree_dispatch_release(&dispatch);
  hone__mlir_release(&file);
  free(module);
  free(text);
  return status;
}

/* ---- All ---- */

static void share(struct hone_iree_dispatches *dispatches)
{
  double total = 0;

  for (size_t i = 0; i < dispatches->count; i++)
    if (!isnan(dispatches->dispatches[i].time_ns)) total += dispatches->dispatches[i].time_ns;
  for (size_t i = 0; i < dispatches->count && total > 0; i++)
    dispatches->dispatches[i].share = dispatches->dispatches[i].time_ns / total;
}

hone_status hone__dispatches_time_alone(const struct hone__model *model,
                                        const struct hone_iree_model_options *options,
                                        struct hone_iree_dispatches *dispatches)
{
  hone_status status = hone__iree_need(&model->tools, HONE__IREE_RUN);

  if (!status) status = hone__dispatches_step(options, "finding the device", 0, 0);
  if (!status && hone__iree_device_is_gpu(dispatches->device)) ask_device(model, dispatches);
  if (status || *dispatches->why_untimed) return status;
  dispatches->is_alone = true;
  for (size_t i = 0; !status && i < dispatches->count; i++) {
    struct hone_iree_dispatch *info = &dispatches->dispatches[i];
    info->calls = hone__model_calls(model, dispatches->function, &model->executables[i]);
    if (!model->executables[i].benchmark) continue;
    status = hone__dispatches_step(options, "timing dispatches", i, dispatches->count);
    if (!status)
      status = time_one(model, options, model->executables[i].benchmark, dispatches->device,
                        &info->time_ns);
    info->time_ns *= (double)info->calls;
  }
  if (!status) share(dispatches);
  return status;
}
