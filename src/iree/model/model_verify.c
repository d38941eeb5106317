/* model_verify.c - a tuning spec on a whole model, to the end: compiled, run, outputs compared.
 *
 * Configurations that are applied may still not compile to the end, or give other outputs. What is
 * found there is a result of the verification, as long as the untuned model compiles and runs.
 */
#include "iree/model/dispatches.h"

#include "base/allocators.h"
#include "base/folder.h"
#include "base/paths.h"
#include "hone_iree.h"
#include "iree/backend/iree_model.h"
#include "iree/model/model_edited.h"
#include "iree/model/model_inputs.h"
#include "iree/model/model_tune.h"
#include "iree/task/iree_task.h"
#include "iree/tuning_spec/verify.h"

#include <stdlib.h>

static const double run_s = 1800;

struct proof {
  const char *spec;
  const struct hone_iree_model_options *options;
  struct hone__model model;
  struct hone__words call; /* "--function=...", then the inputs */
  char *function, *plain, *tuned;
  struct hone_iree_verification *found;
  bool is_edited;
};

/* ---- Configurations ---- */

/* `spec` is the model itself, with other configurations in its text. */
static hone_status report(struct proof *proof)
{
  if (proof->is_edited) return hone__model_edited_report(&proof->model, proof->spec, &proof->found);
  return hone_iree_verify(proof->spec, proof->model.source, proof->options->iree, &proof->found);
}

static hone_status refuse_dump(const char *path)
{
  if (!hone__model_is_configured(path)) return NULL;
  return hone__error(HONE_INVALID_ARGUMENT,
                     "'%s' is a dispatch: only a model is compiled to the end and run; 'hone tune' "
                     "checks the answers of a dispatch",
                     path);
}

/* ---- Modules ---- */

static hone_status compile_plain(struct proof *proof)
{
  proof->plain = hone__model_path(&proof->model, "plain.vmfb");
  return hone__model_compile(&proof->model, (const char *const[]){NULL}, proof->plain);
}

/* From the edited text on, instead of the model. */
static hone_status compile_edited(struct proof *proof)
{
  static const char *const more[] = {"--compile-from=executable-configurations", NULL};
  char *source = proof->model.source;
  hone_status status;

  proof->model.source = (char *)(uintptr_t)proof->spec;
  status = hone__model_compile(&proof->model, more, proof->tuned);
  proof->model.source = source;
  return status;
}

static hone_status compile_with_spec(struct proof *proof)
{
  struct hone__words more = {0};
  char *spec = hone__realpath(proof->spec);
  hone_status status;

  hone__iree_word(&more, "%s%s", hone__model_spec_flag(proof->model.backend),
                  spec ? spec : proof->spec);
  status = hone__model_compile(&proof->model, hone__words_list(&more), proof->tuned);
  hone__words_release(&more);
  free(spec);
  return status;
}

static hone_status compile_tuned(struct proof *proof)
{
  hone_status status;

  proof->tuned = hone__model_path(&proof->model, "tuned.vmfb");
  status = (proof->is_edited ? compile_edited : compile_with_spec)(proof);
  if (hone_status_code(status) == HONE_INVALID_SPEC) {
    free(proof->found->failure);
    proof->found->failure = hone__strdup(hone_status_message(status));
    hone_status_free(status);
    status = NULL;
  }
  return status;
}

/* ---- Running ---- */

static void judge(struct proof *proof, const struct hone__iree_attempt *attempt, size_t outputs)
{
  struct hone__text text = {0};

  if (attempt->outcome == HONE_OUTCOME_OK) {
    hone__text_addf(&text, "%s was run on %s: its output%s of the untuned model", proof->function,
                    hone__dispatches_device(&proof->model, proof->options),
                    outputs == 1 ? " equals that" : "s equal those");
    free(proof->found->run);
    proof->found->run = hone__text_take(&text);
    return;
  }
  free(proof->found->failure);
  proof->found->failure = hone__strdup(attempt->evidence.data ? attempt->evidence.data : "");
}

/* As candidates of a model are checked. */
static hone_status run(struct proof *proof)
{
  struct hone__words outputs = {0};
  struct hone__iree_attempt attempt = {0};
  struct hone__iree_subject subject = {.is_model = true, .function = proof->function};
  struct hone__iree_bench bench = {.tools = proof->model.tools, .rtol = -1, .atol = -1};
  hone_status status = hone__iree_need(&proof->model.tools, HONE__IREE_RUN);

  if (status) return status;
  hone__model_outputs(&proof->model.flow, proof->function, &outputs);
  subject.outputs = (const char **)outputs.data;
  subject.outputs_count = outputs.count;
  subject.inputs = (const char **)proof->call.data + 1;
  subject.inputs_count = proof->call.count - 1;
  bench.setup.iree = &subject;
  bench.name = hone__dispatches_device(&proof->model, proof->options);
  bench.folder = proof->model.folder;
  bench.reference = proof->plain;
  hone__iree_model_check(&bench, proof->tuned, run_s, &attempt);
  judge(proof, &attempt, outputs.count);
  hone__iree_model_check_close(&bench);
  hone__iree_attempt_release(&attempt);
  hone__words_release(&outputs);
  return NULL;
}

/* ---- All of it ---- */

static hone_status prove(struct proof *proof, const char *path, const char *folder)
{
  hone_status status = refuse_dump(path);

  if (!status) status = hone__model_open(&proof->model, path, proof->options, folder);
  if (!status) status = hone__model_flow(&proof->model);
  if (!status)
    status = hone__dispatches_call(&proof->model, proof->options, &proof->call, &proof->function);
  if (!status) status = report(proof);
  if (!status) status = compile_plain(proof);
  if (!status) status = compile_tuned(proof);
  if (!status && !*proof->found->failure) status = run(proof);
  if (!status && *proof->found->failure) proof->found->is_good = false;
  return status;
}

hone_status hone_iree_verify_model(const char *spec, const char *model,
                                   const struct hone_iree_model_options *options,
                                   struct hone_iree_verification **out_verification)
{
  struct hone__iree_model_given given;
  struct proof proof = {.spec = spec};
  struct hone__child_guard guard;
  char *folder = NULL;
  hone_status status;

  hone__allocators_install();
  *out_verification = NULL;
  status = hone__iree_model_take(&given, options);
  if (status) return status;
  proof.options = &given.options;
  proof.is_edited = hone__model_is_configured(spec);
  hone__child_guard_begin(&guard);
  status = hone__folder_make(NULL, &folder);
  if (!status) status = prove(&proof, model, folder);
  if (!status) {
    *out_verification = proof.found;
    proof.found = NULL;
  }
  hone_iree_verification_free(proof.found);
  hone__words_release(&proof.call);
  hone__model_release(&proof.model);
  hone__folder_remove(folder);
  free(proof.function);
  free(proof.plain);
  free(proof.tuned);
  free(folder);
  hone__child_guard_end(&guard);
  return status;
}
