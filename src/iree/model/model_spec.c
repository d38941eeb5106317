/* The resulting tuning spec: the used entries, then the starter. It is checked again: iree-opt
 * accepts it, and in a fresh compile of the model every entry is seen on an operation.
 */
#include "iree/model/model_tune.h"

#include "hone_iree.h"
#include "iree/tuning_spec/tuning_spec.h"
#include "iree/tuning_spec/verify.h"

#include <stdlib.h>

static const char own_name[] = "own-spec.mlir", final_name[] = "tuning-spec.mlir";

/* ---- Its text ---- */

static size_t print_own(const struct hone__model_tuning *tuning, struct hone__text *text)
{
  size_t most = tuning->tuned->count, count = 0;
  struct hone__iree_tuning_entry *entries = hone__alloc((most + 1) * sizeof *entries);

  for (size_t i = 0; i < most; i++) {
    const struct hone__model_found *found = tuning->found[i];
    if (!tuning->tuned->dispatches[i].is_used || !found || !found->used) continue;
    entries[count++] =
        (struct hone__iree_tuning_entry){.name = found->matcher_name,
                                         .matcher = found->matcher,
                                         .compilation_info = found->used->compilation_info,
                                         .decomposition_config = found->used->decomposition_config};
  }
  if (count) hone__iree_tuning_spec_print(entries, count, text);
  free(entries);
  return count;
}

static void take_notes(struct hone__model_tuning *tuning, const char *notes)
{
  while (*notes) {
    size_t length = strcspn(notes, "\n");
    hone__model_note(tuning, "%.*s", (int)length, notes);
    notes += length + (notes[length] == '\n');
  }
}

static hone_status add_starter(struct hone__model_tuning *tuning, struct hone__text *text)
{
  char *own = hone__model_work_path(tuning, "%s", own_name);
  const char *file = own;
  const struct hone_iree_options *iree = tuning->options->model->iree;
  struct hone_iree_merge_options options;
  struct hone_iree_merged *merged = NULL;
  hone_status status = hone__model_work_write_text(tuning, own_name, text->data);

  hone_iree_merge_options_init(&options);
  options.files = &file;
  options.count = 1;
  options.starter = iree->starter;
  options.iree_dir = iree->iree_dir;
  if (!status) status = hone_iree_merge(&options, &merged);
  if (!status) {
    text->length = 0;
    hone__text_add(text, hone_iree_merged_text(merged));
    take_notes(tuning, hone_iree_merged_notes(merged));
    hone_iree_merged_free(merged);
  }
  free(own);
  return status;
}

/* ---- The proof ---- */

/* The first uses are ours; a starter's matchers may be for other models. */
static hone_status judge(const struct hone__model_tuning *tuning,
                         const struct hone_iree_verification *found)
{
  size_t count = tuning->tuned->entry_count;

  if (*found->refusal)
    return hone__error(HONE_INVALID_SPEC, "the compiler rejects the tuning spec: %s",
                       found->refusal);
  for (size_t i = 0; i < count && i < found->use_count; i++) {
    const struct hone_iree_spec_use *use = &found->uses[i];
    if (!use->hit_count)
      return hone__error(HONE_INVALID_SPEC, "@%s matches nothing in the model: %s", use->matcher,
                         use->why_none);
    for (size_t k = 0; k < use->hit_count; k++)
      if (!use->hits[k].is_applied)
        return hone__error(HONE_INVALID_SPEC, "@%s was not applied to %s: %s", use->matcher,
                           use->hits[k].dispatch, use->hits[k].why_not);
  }
  return NULL;
}

static hone_status prove(struct hone__model_tuning *tuning, const struct hone__text *text)
{
  struct hone_iree_verification *found = NULL;
  char *source = hone__model_source(tuning);
  struct hone_iree_options options = *tuning->options->model->iree;
  bool is_checked = false;
  hone_status status = hone__iree_tuning_spec_verify(options.iree_dir, text, &is_checked);

  if (!is_checked)
    hone__model_note(tuning, "iree-opt was not found: the spec was not checked with it");
  if (!status) status = hone_iree_verify(tuning->tuned->spec_path, source, &options, &found);
  if (!status) {
    status = judge(tuning, found);
    tuning->tuned->is_verified = !status;
    hone_iree_verification_free(found);
  }
  free(source);
  return hone__annotate(status, "'%s'", tuning->tuned->spec_path);
}

/* ---- All of it ---- */

static hone_status keep(struct hone__model_tuning *tuning, const struct hone__text *text)
{
  struct hone_iree_tuned *tuned = tuning->tuned;

  hone__model_set(&tuned->spec, text->data);
  free(tuned->spec_path);
  tuned->spec_path = hone__model_work_path(tuning, "%s", final_name);
  return hone__model_work_write_text(tuning, final_name, text->data);
}

hone_status hone__model_spec_text(struct hone__model_tuning *tuning, struct hone__text *text)
{
  bool is_checked = false;

  tuning->tuned->entry_count = print_own(tuning, text);
  if (!tuning->tuned->entry_count) return NULL;
  if (tuning->options->model->iree->starter) return add_starter(tuning, text);
  return hone__iree_tuning_spec_verify(tuning->options->model->iree->iree_dir, text, &is_checked);
}

hone_status hone__model_spec(struct hone__model_tuning *tuning)
{
  struct hone_iree_tuned *tuned = tuning->tuned;
  struct hone__text text = {0};
  hone_status status = NULL;

  tuned->entry_count = print_own(tuning, &text);
  if (!tuned->entry_count) return NULL;
  if (tuning->options->model->iree->starter) status = add_starter(tuning, &text);
  if (!status) status = keep(tuning, &text);
  if (!status && tuning->tools.paths[HONE__IREE_COMPILE])
    status = prove(tuning, &text);
  else if (!status)
    hone__model_note(tuning,
                     "there is no compiler here: the spec was not verified in a new compilation");
  hone__text_release(&text);
  return status;
}
