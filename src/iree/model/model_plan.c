/* `hone iree tune --dry-run`: the commands, as far as they are known before anything ran. */
#include "iree/model/model_tune.h"

#include "base/allocators.h"
#include "build/command.h"

#include <stdlib.h>

static void add_line(struct hone__text *text, const char *program, const json_t *words)
{
  struct hone__text line = {0};

  hone__text_add(&line, program);
  for (size_t i = 0; i < json_array_size(words); i++)
    hone__command_add(&line, json_string_value(json_array_get(words, i)));
  hone__text_addf(text, "  %s\n", line.data);
  hone__text_release(&line);
}

/* ---- Before the first stage ---- */

static hone_status plan_compile(const struct hone__model_tuning *tuning, struct hone__text *text)
{
  const struct hone_iree_options *iree = &tuning->options->model.iree;
  json_t *words = json_array();
  const char *rewrite = NULL;
  hone_status status = NULL;

  json_array_append_new(words, json_string(tuning->path));
  if (iree->target) status = hone__iree_target_flags(&tuning->tools, iree->target, words, &rewrite);
  for (size_t i = 0; i < iree->flag_count; i++)
    json_array_append_new(words, json_string(iree->flags[i]));
  json_array_append_new(words, json_string("--iree-codegen-add-tuner-attributes"));
  json_array_append_new(
      words,
      json_sprintf("--iree-hal-dump-executable-benchmarks-to=%s/dispatches", tuning->folder));
  json_array_append_new(
      words,
      json_sprintf("--iree-hal-dump-executable-configurations-to=%s/configured", tuning->folder));
  json_array_append_new(words, json_string("-o"));
  json_array_append_new(words, json_sprintf("%s/untuned.vmfb", tuning->folder));
  if (!status) add_line(text, "iree-compile", words);
  json_decref(words);
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

static hone_status plan_dispatch(struct hone__model_tuning *tuning, const json_t *dispatch,
                                 size_t number, struct hone__text *text)
{
  struct hone_tune_options run = hone__model_search_options(tuning, 0);
  struct hone__dispatch_space space;
  char *plan = NULL;
  hone_status status = hone__model_search_space(tuning, number, &space);

  hone__text_addf(text, "dispatch %s: %s\n", hone__model_text(dispatch, "executable"),
                  hone__model_text(dispatch, "operation"));
  if (!status) status = hone_tune_plan(space.spec, &run, &plan);
  if (plan) hone__text_add(text, plan);
  if (hone_status_code(status) == HONE_INVALID_SPEC) {
    hone__text_addf(text, "  left alone: %s\n", hone_status_message(status));
    hone_status_free(status);
    status = NULL;
  }
  free(plan);
  hone__dispatch_space_release(&space);
  return status;
}

static hone_status plan_dispatches(struct hone__model_tuning *tuning, struct hone__text *text)
{
  const json_t *list = json_object_get(tuning->state, "dispatches");
  hone_status status = NULL;

  for (size_t i = 0; !status && i < json_array_size(list); i++) {
    const json_t *dispatch = json_array_get(list, i);
    bool is_tuned = !*hone__model_text(dispatch, "why_not") &&
                    !(hone__model_number(dispatch, "share") < tuning->options->share);
    if (is_tuned) status = plan_dispatch(tuning, dispatch, i, text);
  }
  hone__text_addf(text, "the model: combinations of their %u best configurations\n",
                  tuning->options->model_candidates);
  return status;
}

hone_status hone_iree_tune_plan(const char *model, const struct hone_iree_tune_options *options,
                                char **out_text)
{
  struct hone__model_tuning tuning = {.path = model, .options = options};
  struct hone__text text = {0};
  hone_status status;

  hone__allocators_install();
  *out_text = NULL;
  hone__iree_toolset_find(options->model.iree.iree_dir, &tuning.tools);
  status = hone__model_work_open(&tuning);
  if (!status) {
    tuning.state = hone__model_work_read(&tuning, "hone.json");
    status = (tuning.state ? plan_dispatches : plan_first)(&tuning, &text);
  }
  if (!status) *out_text = hone__text_take(&text);
  hone__text_release(&text);
  json_decref(tuning.state);
  free(tuning.folder);
  hone__iree_toolset_release(&tuning.tools);
  return status;
}
