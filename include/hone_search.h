/* hone_search.h - spaces, searches and statistics for a program that builds and measures by itself.
 *
 * hone_tune (hone.h) builds, runs and times kernels. A host that already has its own way to do that
 * (a compiler, a service, a simulator) uses this header instead. The host asks for a configuration,
 * measures it in its own way, and tells the result. Hone contributes the space, the search, the
 * store and the verdict:
 *
 *   hone_spec_parse, or a draft     what can be chosen, and what is legal
 *   hone_space_build                (hone.h) the legal configurations
 *   hone_search_open                a search, continued from the store if there is one
 *   while a ticket is given:
 *     hone_search_ask               a ticket; hone_search_value reads its configuration
 *     hone_search_tell              what became of it
 *   hone_search_confirm             then ask and tell again: the best against the baseline
 *   hone_search_verdict, _winner, _speedup
 *   hone_search_free
 *
 * Ownership, errors and statuses are those of hone.h. docs/library.md has a complete program.
 *
 * THREADS. Any number of threads may use one search at the same time: every call is atomic. A draft
 * belongs to one thread at a time. What an accessor lends stays valid until the search is freed.
 */
#ifndef HONE_SEARCH_H
#define HONE_SEARCH_H

#include "hone.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Specs without files --------------------------------------------------------------------- */

/* A spec from text in memory: YAML, or, if `name` ends as a kernel's source does (".c", ".cu" ...),
 * a source with annotations. Messages begin with "name:line:column:" as those of hone_spec_load;
 * relative file names in the text are looked up in the folder of `name`. `options` may be NULL; its
 * params, filters and shapes apply, and its `files` must be empty. MLIR and recordings are loaded
 * from files only. */
HONE_API hone_status hone_spec_parse(const char *text, size_t length, const char *name,
                                     const struct hone_spec_options *options,
                                     struct hone_spec **out_spec);

/* A spec that is made in code. Parts are added in any order and are checked by hone_draft_build.
 * Values stay what they are: a text "2 * 8" is not computed, and 1.0 stays a float. */
struct hone_draft; /* opaque */

HONE_API struct hone_draft *hone_draft_new(const char *name); /* of the kernel */
HONE_API void hone_draft_free(struct hone_draft *draft);

/* A parameter and its values, which must differ from each other: 1, 1.0 and True are equal. Lists
 * are not values. A name that begins with `$` is a runtime parameter. */
HONE_API void hone_draft_param(struct hone_draft *draft, const char *name,
                               const struct hone_value *values, size_t count);
HONE_API void hone_draft_ints(struct hone_draft *draft, const char *name, const int64_t *values,
                              size_t count);
HONE_API void hone_draft_texts(struct hone_draft *draft, const char *name,
                               const char *const *values, size_t count);
/* A size of the problem; several values give several problems. */
HONE_API void hone_draft_size(struct hone_draft *draft, const char *name,
                              const struct hone_value *values, size_t count);
/* Expressions as in hone-spec(5): "M % BM == 0". */
HONE_API void hone_draft_constraint(struct hone_draft *draft, const char *expression);
HONE_API void hone_draft_derived(struct hone_draft *draft, const char *name,
                                 const char *expression);
HONE_API void hone_draft_metric(struct hone_draft *draft, const char *name, const char *expression);
/* "time", "energy" or a metric; up to three, the first counts most. */
HONE_API void hone_draft_objective(struct hone_draft *draft, const char *name, bool maximise);
/* Any other key of hone-spec(5) with its value as YAML: "baseline", "{BM: 32, ALGO: direct}". */
HONE_API void hone_draft_setting(struct hone_draft *draft, const char *key, const char *yaml);

/* The draft as YAML; lent until the next change of the draft. */
HONE_API const char *hone_draft_yaml(struct hone_draft *draft);
/* INVALID_ARGUMENT: a value or a name cannot be kept exactly, or is there twice. INVALID_SPEC: as
 * hone_spec_load; lines are those of hone_draft_yaml. The draft may be changed and built again. */
HONE_API hone_status hone_draft_build(struct hone_draft *draft,
                                      const struct hone_spec_options *options,
                                      struct hone_spec **out_spec);

#ifdef __cplusplus
}
#endif

#endif
