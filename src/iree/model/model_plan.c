/* `hone iree tune --dry-run`: the commands, as far as they are known before anything ran. */
#include "iree/model/model_tune.h"

#include "base/allocators.h"
#include "build/command.h"
#include "iree/model/model_import.h"

#include <stdlib.h>

static void add_line(struct hone__text *text, const char *program, const struct hone__words *words)
{
  struct hone__text line = {0};

  hone__text_add(&line, program);
  for (size_t i = 0; i < words->count; i++)
    hone__build_command_add(&line, words->data[i]);
  hone__text_addf(text, "  %s\n", line.data);
  hone__text_release(&line);
}

/* ---- Before the first stage ---- */

static hone_status plan_compile(const struct hone__model_tuning *tuning, struct hone__text *text)
{
  const struct hone_iree_options *iree = tuning->options->model->iree;
  struct hone__words words = {0};
  hone_status status = NULL;

  if (hone__model_is_onnx(tuning->path)) {
    hone__text_addf(text, "  iree-import-onnx %s -o %s/imported-KEY.mlir\n", tuning->path,
                    tuning->folder);
    hone__iree_word(&words, "%s/imported-KEY.mlir", tuning->folder);
  } else {
    hone__words_add(&words, tuning->path);
  }
  if (iree->target) status = hone__iree_target_words(&tuning->tools, iree->target, &words);
  for (size_t i = 0; i < iree->flag_count; i++)
    hone__words_add(&words, iree->flags[i]);
  hone__words_add(&words, "--iree-codegen-add-tuner-attributes");
  hone__iree_word(&words, "--iree-hal-dump-executable-benchmarks-to=%s/dispatches", tuning->folder);
  hone__iree_word(&words, "--iree-hal-dump-executable-configurations-to=%s/configured",
                  tuning->folder);
  hone__words_add(&words, "-o");
  hone__iree_word(&words, "%s/untuned.vmfb", tuning->folder);
  if (!status) add_line(text, "iree-compile", &words);
  hone__words_release(&words);
  return status;
}

static hone_status plan_first(struct hone__model_tuning *tuning, struct hone__text *text)
{
  hone_status status;

  hone__text_add(text, "the model as it is\n");
  status = plan_compile(tuning, text);
  hone__text_addf(text,
                  "  iree-benchmark-module --module=%s/untuned.vmfb ... --dispatch_statistics\n"
                  "dispatches with at least %g %% of the time: each dump as in 'hone tune'\n"
                  "the model: combinations of their %u best configurations\n",
                  tuning->folder, 100 * tuning->options->share, tuning->options->model_candidates);
  return status;
}

/* ---- Once the dispatches are known ---- */

static hone_status plan_dispatch(struct hone__model_tuning *tuning, size_t number,
                                 struct hone__text *text)
{
  struct hone_tune_options run = hone__model_search_options(tuning, 0);
  const struct hone__model_dispatch *dispatch = &tuning->state->dispatches[number];
  struct hone__model_dispatch_space space;
  char *plan = NULL;
  hone_status status = hone__model_search_space(tuning, number, &space);

  hone__text_addf(text, "dispatch %s: %s\n", dispatch->executable, dispatch->operation);
  if (!status) status = hone_tune_plan(space.spec, &run, &plan);
  if (plan) hone__text_add(text, plan);
  if (hone_status_code(status) == HONE_INVALID_SPEC) {
    hone__text_addf(text, "  left alone: %s\n", hone_status_message(status));
    hone_status_free(status);
    status = NULL;
  }
  free(plan);
  hone__model_dispatch_space_release(&space);
  return status;
}

static hone_status plan_dispatches(struct hone__model_tuning *tuning, struct hone__text *text)
{
  hone_status status = NULL;

  for (size_t i = 0; !status && i < tuning->state->dispatches_count; i++) {
    const struct hone__model_dispatch *dispatch = &tuning->state->dispatches[i];
    bool is_tuned = !*dispatch->why_not && !(dispatch->share < tuning->options->share);
    if (is_tuned) status = plan_dispatch(tuning, i, text);
  }
  hone__text_addf(text, "the model: combinations of their %u best configurations\n",
                  tuning->options->model_candidates);
  return status;
}

static hone_status make_plan(const char *model, const struct hone_iree_tune_options *options,
                             char **out_text)
{
  struct hone__model_tuning tuning = {.path = model, .options = options};
  struct hone__text text = {0};
  hone_status status;

  hone__iree_toolset_find(options->model->iree->iree_dir, &tuning.tools);
  status = hone__model_work_open(&tuning);
  if (!status) {
    tuning.state = hone__model_work_read(&tuning, "hone.json", &hone__model_state_type);
    status = (tuning.state ? plan_dispatches : plan_first)(&tuning, &text);
  }
  if (!status) *out_text = hone__text_take(&text);
  hone__text_release(&text);
  hone__model_work_forget(&tuning);
  free(tuning.folder);
  hone__iree_toolset_release(&tuning.tools);
  return status;
}

hone_status hone_iree_tune_plan(const char *model, const struct hone_iree_tune_options *options,
                                char **out_text)
{
  struct hone__iree_tune_given given;
  hone_status status;

  hone__allocators_install();
  *out_text = NULL;
  status = hone__iree_tune_take(&given, options);
  if (!status) hone__iree_model_default_target(&given.model, model);
  return status ? status : make_plan(model, &given.options, out_text);
}
