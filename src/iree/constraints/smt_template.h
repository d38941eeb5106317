/* smt_template.h - the dictionary `knobs` of the compiler's constraints as texts of an alternative.
 *
 * What IREE does when it materialises a configuration is done here once, with ${knob} in the place
 * of values: workgroup_size, subgroup_size and gpu_pipeline_options become the translation_info,
 * decomposition_config is a text of its own, the rest is the lowering_config.
 */
#ifndef HONE_IREE_CONSTRAINTS_SMT_TEMPLATE_H
#define HONE_IREE_CONSTRAINTS_SMT_TEMPLATE_H

#include "hone_iree.h"
#include "iree/knobs/knob_writer.h"
#include "iree/constraints/smt_model.h"

/* ---- Wishes: smt_requests.c ---- */

/* Options given by the user, instead of or in addition to the constraints; no words: none. */
struct hone__smt_requests {
  struct hone__knob_options prefetch, no_reduce, reorder, waves, denorm;
};
/* False: `why` names the invalid list. */
bool hone__smt_requests_read(const struct hone_iree_options *options,
                             struct hone__smt_requests *requests, struct hone__text *why);
void hone__smt_requests_release(struct hone__smt_requests *requests);
/* Selects the options that apply: waves_per_eu on AMD only, denormals with VectorDistribute. */
void hone__smt_requests_select(struct hone__smt_requests *requests, bool is_amd,
                               const char *pipeline);
/* Parameters for lists of several values. */
void hone__smt_requests_params(const struct hone__smt_requests *requests,
                               struct hone__knob_writer *writer);

/* Entries of pipeline_options, in the order that IREE prints. */
#define HONE__SMT_OPTIONS 4
extern const char *const hone__smt_option_keys[HONE__SMT_OPTIONS];
/* The dictionary of the translation_info, "{...}", or "" if there is nothing in it.
 * `has_options`: the constraints have pipeline options; `fixed` are their values, one for each key,
 * or NULL. */
void hone__smt_configuration(const struct hone__smt_requests *requests, bool has_options,
                             char *const *fixed, struct hone__text *text);

/* ---- Texts: smt_template.c ---- */

/* Appends both texts (the second stays empty without decomposition_config). */
hone_status hone__smt_template(const struct hone__smt_model *model,
                               const struct hone__smt_requests *requests,
                               struct hone__text *compilation_info,
                               struct hone__text *decomposition_config);
/* The word in #iree_gpu.pipeline<word>; NULL: the operation has none. */
const char *hone__smt_pipeline(const struct hone__smt_model *model);

#endif
