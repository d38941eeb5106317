/* iree_task.h - from an MLIR file to a spec of Hone.
 *
 * A benchmark dump, or a plain function with one tunable operation and a target, becomes YAML that
 * the spec's loader reads like any other, and a prepared dispatch beside it in the cache. What a
 * compiler had to be asked for is kept there too, named by the text of the file and the options: a
 * host without compiler goes on with what another host made.
 *
 *   name, file (the MLIR file), backend: iree
 *   iree:
 *     dispatch: path of the prepared text in the cache   (absent where only a space is wanted)
 *     digest: of that text
 *     identity: of the compiler
 *     target: gfx942          backend: rocm            driver: hip, cuda, local-sync
 *     operation: "contraction mmt 1024x1280x1280 f16xf16->f32"
 *     function, answer: names in the dispatch
 *     matcher_name, matcher: for the tuning spec
 *     flags: [...]  for iree-compile besides
 *     bindings: [{offset, size, type, read, written}]
 *     why_unchecked: instead of answer
 *     choice, choice_decomposition: what the compiler chose
 *   alternatives: as knobs.h says; for tuning the first is {pipeline: [compiler]}, without texts
 *   baseline: {pipeline: compiler}                     (for tuning)
 */
#ifndef HONE_IREE_TASK_IREE_TASK_H
#define HONE_IREE_TASK_IREE_TASK_H

#include "hone_iree.h"
#include "base/text.h"

/* True for names that end in .mlir. */
bool hone__iree_is_mlir(const char *path);

/* The YAML of this file. INVALID_SPEC has the reason why it cannot be tuned; UNAVAILABLE names what
 * is missing. Warnings (a line each; NULL: not wanted) are about options without effect. */
hone_status hone__iree_spec(const char *path, const struct hone_iree_options *options,
                            struct hone__text *out_yaml, struct hone__text *out_warnings);

#endif
