/* older_words.h - configurations in the words of IREE before 3.12.
 *
 * Hone's own words are today's. Pipelines were words of one list before, and tuning specs matched
 * attention where they match online_attention now. What is written for a compiler is written in its
 * words. */
#ifndef HONE_IREE_TUNING_SPEC_OLDER_WORDS_H
#define HONE_IREE_TUNING_SPEC_OLDER_WORDS_H

#include "base/text.h"
#include "iree/toolset/toolset.h"

/* True if this compiler has the older words; false without a compiler. */
bool hone__iree_wants_older(const struct hone__iree_toolset *toolset);
/* True if a text of the compiler has them. */
bool hone__iree_has_older(const char *text);
/* Pipelines in the older words, in any text: an attribute, a spec, YAML. */
void hone__iree_spell_older(struct hone__text *text);
/* "#iree_gpu.pipeline<TileAndFuse>" of "LLVMGPUTileAndFuse"; false: there is none. */
bool hone__iree_pipeline_now(const char *older, struct hone__text *out);
/* UNAVAILABLE if a spec has words that this compiler does not know, with the version that does. */
hone_status hone__iree_need_words(const struct hone__iree_toolset *toolset, const char *spec);
/* UNAVAILABLE if a dump is of a version that this compiler cannot take dumps of. */
hone_status hone__iree_need_dump(const struct hone__iree_toolset *toolset, const char *path,
                                 const char *text);

#endif
