/* verify.c - the effect of a tuning spec on a model, seen in the compiler's result.
 *
 * IREE silently accepts a spec that matches nothing. The model is compiled with and without it up
 * to the configurations of its dispatches, which are compared. On NVIDIA's and other targets the
 * flag for tuning specs has no effect; there the spec is passed as a transform library, which does
 * the same.
 */
#include "iree/tuning_spec/verify.h"

#include "base/accessor.h"
#include "base/allocators.h"
#include "base/file.h"
#include "base/folder.h"
#include "hone_iree.h"
#include "iree/dispatch/dispatch.h"
#include "iree/operation/target.h"
#include "iree/toolset/toolset.h"
#include "iree/tuning_spec/older_words.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { COMPILE_SECONDS = 900 };

struct verifying {
  const char *model_path;
  const struct hone_iree_options *options;
  struct hone__iree_toolset toolset;
  struct hone__iree_tuning_spec spec;
  struct hone__mlir plain, configured;
  struct hone__words flags; /* of the compiler, with the input */
  char *folder;
};

/* ---- Files ---- */

static char *path_in(const struct verifying *verifying, const char *name)
{
  struct hone__text path = {0};

  hone__text_addf(&path, "%s/%s", verifying->folder, name);
  return hone__text_take(&path);
}

static hone_status write_file(const struct verifying *verifying, const char *name,
                              const struct hone__text *text)
{
  char *path = path_in(verifying, name);
  bool is_written = hone__file_make(path, text->data, text->length);

  free(path);
  return is_written ? NULL : hone__error(HONE_IO, "cannot write into '%s'", verifying->folder);
}

/* ---- The model ---- */

static void add_flag(struct verifying *verifying, const char *flag)
{
  hone__words_add(&verifying->flags, flag);
}

/* A dumped dispatch has its target and its configuration: the latter is removed. */
static hone_status take_dump(struct verifying *verifying, struct hone__mlir *dump)
{
  struct hone__iree_dispatch dispatch;
  hone_status status = hone__iree_need_dump(&verifying->toolset, verifying->model_path, dump->text);

  if (!status) status = hone__iree_dispatch_prepare(dump, 0, NULL, &dispatch);
  if (status) return status;
  status = write_file(verifying, "model.mlir", &dispatch.text);
  hone__iree_dispatch_release(&dispatch);
  add_flag(verifying, "model.mlir");
  add_flag(verifying, "--compile-from=executable-sources");
  return status;
}

/* A model whose text names its devices needs no target. */
static bool has_target(const struct hone__mlir *model)
{
  return strstr(model->text, "#hal.device.target<") ||
         strstr(model->text, "#hal.executable.target<");
}

static hone_status take_model(struct verifying *verifying, const struct hone__mlir *model)
{
  const struct hone_iree_options *options = verifying->options;
  char absolute[PATH_MAX];

  if (!realpath(verifying->model_path, absolute))
    return hone__error(HONE_IO, "cannot open '%s': %s", verifying->model_path, strerror(errno));
  add_flag(verifying, absolute);
  if (!options->target) {
    if (options->flag_count || has_target(model)) return NULL;
    return hone__error(HONE_INVALID_ARGUMENT,
                       "'%s' has no target: give one, such as llvm-cpu, gfx942 or sm_80",
                       verifying->model_path);
  }
  return hone__iree_target_words(&verifying->toolset, options->target, &verifying->flags);
}

static hone_status choose_flags(struct verifying *verifying)
{
  struct hone__mlir model;
  hone_status status = hone__mlir_read(&model, verifying->model_path);

  if (!status) {
    if (hone__mlir_find(model.root, "hal.executable.variant"))
      status = take_dump(verifying, &model);
    else
      status = take_model(verifying, &model);
  }
  hone__mlir_release(&model);
  for (size_t i = 0; i < verifying->options->flag_count; i++)
    add_flag(verifying, verifying->options->flags[i]);
  return status;
}

/* ---- The compiler ---- */

static hone_status compile(struct verifying *verifying, const char *flag, struct hone__mlir *mlir)
{
  struct hone__words words = {0};
  char *path = path_in(verifying, "configured.mlir");
  hone_status status;

  hone__words_add_all(&words, hone__words_list(&verifying->flags));
  hone__words_add(&words, "--compile-to=executable-configurations");
  hone__words_add(&words, "--mlir-print-local-scope");
  if (flag) hone__words_add(&words, flag);
  hone__words_add(&words, "-o");
  hone__words_add(&words, "configured.mlir");
  status = hone__iree_run(&verifying->toolset, HONE__IREE_COMPILE, hone__words_list(&words),
                          verifying->folder, COMPILE_SECONDS, NULL);
  if (!status) status = hone__mlir_read(mlir, path);
  hone__words_release(&words);
  free(path);
  return status;
}

/* The flag that has an effect on the target. */
static const char *spec_flag(struct verifying *verifying)
{
  struct hone__iree_target target = {.family = HONE__IREE_OTHER};
  struct hone__text why = {0};
  bool is_known = hone__iree_target_read(&verifying->plain, &target, &why);

  hone__text_release(&why);
  if (is_known && (target.family == HONE__IREE_CPU || target.family == HONE__IREE_AMD))
    return "--iree-codegen-tuning-spec-path=spec.mlir";
  return "--iree-codegen-transform-dialect-library=spec.mlir";
}

/* The compiler's error, or the version that supports the missing feature. */
static char *refusal_words(const struct verifying *verifying, hone_status refusal)
{
  hone_status status = hone__iree_need_words(&verifying->toolset, verifying->spec.mlir.text);
  struct hone__text text = {0};

  if (status)
    hone__text_addf(&text, "%s; 'hone iree merge' converts pipelines to the syntax of this version",
                    hone_status_message(status));
  else
    hone__text_add(&text, hone_status_message(refusal));
  hone_status_free(status);
  return hone__text_take(&text);
}

/* A spec that the compiler refuses is a result, not a failure. */
static hone_status compile_with_spec(struct verifying *verifying, char **out_refusal)
{
  struct hone__text text = {0};
  hone_status status;

  hone__verify_mark(&verifying->spec, &text);
  status = write_file(verifying, "spec.mlir", &text);
  hone__text_release(&text);
  if (status) return status;
  status = compile(verifying, spec_flag(verifying), &verifying->configured);
  if (!status || hone_status_code(status) != HONE_INVALID_SPEC) return status;
  *out_refusal = refusal_words(verifying, status);
  hone_status_free(status);
  return NULL;
}

/* ---- The whole ---- */

static bool is_good(const struct hone_iree_verification *out)
{
  for (size_t i = 0; i < out->use_count; i++) {
    if (!out->uses[i].hit_count) return false;
    for (size_t j = 0; j < out->uses[i].hit_count; j++)
      if (!out->uses[i].hits[j].is_applied) return false;
  }
  return !*out->problems && !*out->older && !*out->refusal;
}

static hone_status read_spec(struct verifying *verifying, const char *path)
{
  bool wants_older = hone__iree_wants_older(&verifying->toolset);
  hone_status status = hone__iree_tuning_spec_read_as(path, wants_older, &verifying->spec);
  const struct hone__mlir *text = &verifying->spec.mlir;

  if (!text->root || !hone__mlir_find(text->root, "hal.executable.variant")) return status;
  hone_status_free(status);
  return hone__error(HONE_INVALID_ARGUMENT,
                     "'%s' is a model with its configurations, not a tuning spec: --full compiles "
                     "and runs it",
                     path);
}

static hone_status verify(struct verifying *verifying, const char *spec_path,
                          struct hone_iree_verification *out)
{
  hone_status status = read_spec(verifying, spec_path);

  if (!status) status = hone__iree_need(&verifying->toolset, HONE__IREE_COMPILE);
  if (!status) status = hone__folder_make(NULL, &verifying->folder);
  if (!status) status = choose_flags(verifying);
  if (!status)
    status = hone__annotate(compile(verifying, NULL, &verifying->plain), "'%s' without the spec",
                            verifying->model_path);
  if (!status) status = compile_with_spec(verifying, &out->refusal);
  if (status) return status;
  if (!out->refusal) out->refusal = hone__strdup("");
  out->problems = hone__strdup(verifying->spec.problems);
  out->older = hone__strdup(verifying->spec.carried);
  out->run = hone__strdup("");
  out->failure = hone__strdup("");
  hone__verify_report(&verifying->spec, &verifying->configured, &verifying->plain, out);
  out->is_good = is_good(out);
  return NULL;
}

hone_status hone_iree_verify(const char *spec, const char *model,
                             const struct hone_iree_options *options,
                             struct hone_iree_verification **out_verification)
{
  static const struct hone_iree_options none;
  struct verifying verifying = {.model_path = model, .options = options ? options : &none};
  struct hone_iree_verification *verification = hone__alloc(sizeof *verification);
  struct hone__child_guard guard;
  hone_status status;

  hone__allocators_install();
  *out_verification = NULL;
  hone__child_guard_begin(&guard);
  hone__iree_toolset_find(verifying.options->iree_dir, &verifying.toolset);
  status = verify(&verifying, spec, verification);
  if (status)
    hone_iree_verification_free(verification);
  else
    *out_verification = verification;
  hone__folder_remove(verifying.folder);
  free(verifying.folder);
  hone__iree_tuning_spec_release(&verifying.spec);
  hone__mlir_release(&verifying.plain);
  hone__mlir_release(&verifying.configured);
  hone__iree_toolset_release(&verifying.toolset);
  hone__words_release(&verifying.flags);
  hone__child_guard_end(&guard);
  return status;
}

static void release_use(struct hone_iree_spec_use *use)
{
  for (size_t i = 0; i < use->hit_count; i++) {
    free(use->hits[i].dispatch);
    free(use->hits[i].operation);
    free(use->hits[i].configuration);
    free(use->hits[i].why_not);
  }
  free(use->hits);
  free(use->matcher);
  free(use->matches);
  free(use->why_none);
}

void hone_iree_verification_free(struct hone_iree_verification *verification)
{
  if (!verification) return;
  for (size_t i = 0; i < verification->use_count; i++)
    release_use(&verification->uses[i]);
  free(verification->uses);
  free(verification->problems);
  free(verification->conflicts);
  free(verification->older);
  free(verification->refusal);
  free(verification->run);
  free(verification->failure);
  free(verification);
}

/* ---- Accessors ---- */

#define FOUND(type, property) HONE__GET(type, hone_iree_verification, property, property)
FOUND(bool, is_good)
FOUND(const char *, problems)
FOUND(const char *, conflicts)
FOUND(const char *, older)
FOUND(const char *, refusal)
FOUND(const char *, run)
FOUND(const char *, failure)
FOUND(size_t, use_count)
HONE__LEND_AT(hone_iree_spec_use, hone_iree_verification, use, uses, use_count)

#define USE(type, property) HONE__GET(type, hone_iree_spec_use, property, property)
USE(const char *, matcher)
USE(const char *, matches)
USE(const char *, why_none)
USE(size_t, hit_count)
HONE__LEND_AT(hone_iree_spec_hit, hone_iree_spec_use, hit, hits, hit_count)

#define HIT(type, property) HONE__GET(type, hone_iree_spec_hit, property, property)
HIT(const char *, dispatch)
HIT(const char *, operation)
HIT(const char *, configuration)
HIT(bool, is_applied)
HIT(const char *, why_not)
