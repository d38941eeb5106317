/* older_words.h - configurations in the syntax of IREE before 3.12.
 *
 * Hone uses the present syntax. Before 3.12 pipelines were words of one list, and tuning specs
 * matched attention where they match online_attention now. Output for a compiler uses its syntax.
 */
#ifndef HONE_IREE_TUNING_SPEC_OLDER_WORDS_H
#define HONE_IREE_TUNING_SPEC_OLDER_WORDS_H

#include "base/text.h"
#include "iree/toolset/toolset.h"

/* True if this compiler has the older syntax; false without a compiler. */
bool hone__iree_wants_older(const struct hone__iree_toolset *toolset);
/* True if a text of the compiler has the older syntax. */
bool hone__iree_has_older(const char *text);
/* Translates pipelines to the older syntax, in any text: an attribute, a spec, YAML. */
void hone__iree_spell_older(struct hone__text *text);
/* "#iree_gpu.pipeline<TileAndFuse>" from "LLVMGPUTileAndFuse"; false: there is none. */
bool hone__iree_pipeline_now(const char *older, struct hone__text *out);
/* UNAVAILABLE if a spec has syntax that this compiler does not support, with the version that does.
 */
hone_status hone__iree_need_words(const struct hone__iree_toolset *toolset, const char *spec);
/* UNAVAILABLE if a dump is of a version that this compiler cannot take dumps of. */
hone_status hone__iree_need_dump(const struct hone__iree_toolset *toolset, const char *path,
                                 const char *text);

#endif
