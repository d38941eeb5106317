/* iree_model.h - whole models of IREE as candidates: the configurations of their operations.
 *
 * Instead of one dispatch's configuration a candidate is a set of entries of a tuning spec, chosen
 * by parameters. The spec has under `iree`:
 *   model: path                 instead of dispatch; `digest` is of its text
 *   function, inputs: ["--input=@x.npy", ...], inputs_digest: of their content
 *   outputs: ["tensor<256x384xf32>", "i32"]
 *   entries: [{param: d0, value: 1, name, matcher, compilation_info, decomposition_config}]
 *   variants: [{param: o, value: 1, flags: [--iree-opt-data-tiling]}]
 * An entry, or the flags of a variant, are used if the parameter has the value; none has 0: the
 * compiler's own choice.
 *
 * Its messages are in iree_setup.h and iree_candidate.h.
 */
#ifndef HONE_IREE_BACKEND_IREE_MODEL_H
#define HONE_IREE_BACKEND_IREE_MODEL_H

#include "build/build_draft.h"
#include "build/build_folder.h"
#include "iree/backend/iree_backend.h"
#include "iree/backend/iree_bench.h"
#include "base/digest.h"

/* ---- iree_model.c: the driver's side ---- */

bool hone__iree_model_task(const struct hone__task *task); /* the spec is one of a model */
/* Chooses the entries and flags of a configuration. */
void hone__iree_model_choose(const struct hone__task *task, const uint32_t *row,
                             struct hone__arena *arena, struct hone__iree_candidate *candidate);
/* Adds inputs and entries to the identity of a task. */
void hone__iree_model_digest(const struct hone__task *task, struct hone__digester *digester);
/* Adds the words that call the function: "--function=main --input=..." */
void hone__iree_model_call(const struct hone__iree_subject *subject, struct hone__words *words);

/* ---- iree_model_build.c ---- */

/* The tuning spec of the chosen entries; each marks the operations it matches. */
hone_status hone__iree_model_spec(const struct hone__iree_candidate *candidate,
                                  struct hone__text *text);
/* NOT_APPLIED, with the entry, unless each entry configured an operation of the model. */
void hone__iree_model_prove(const struct hone__iree_candidate *candidate,
                            const struct hone__build_folder *workdir,
                            struct hone__build_draft *draft, struct hone__answer *answer);

/* ---- iree_model_check.c ---- */

/* As hone__iree_check: compares outputs of the function on the same inputs. */
void hone__iree_model_check(struct hone__iree_bench *bench, const char *module, double timeout_s,
                            struct hone__iree_attempt *out_attempt);
void hone__iree_model_check_close(struct hone__iree_bench *bench);

#endif
