/* spec_text.h - the parameters in kbench's name of a configuration, "stem/BM=64/$x=0". */
#ifndef HONE_SPEC_SPEC_TEXT_H
#define HONE_SPEC_SPEC_TEXT_H

#include "base/memory.h"
#include "hone.h"
#include "spec/params.h"

/* Values may hold `/` and `=`. With the column `kbench_filter` ("BM=64 x=0"; "": it is not known)
 * it is certain where one ends: where the spec has `/` and the filter a space. Without, a `/`
 * begins a parameter where a name and `=` follow that this spec does not have yet. An input_id at
 * the end is not a parameter. Everything lies in the arena. */
const struct hone__spec_param *hone__spec_text_params(struct hone__arena *arena, const char *spec,
                                                      const char *filter, size_t *out_count);

/* "$x" and "0": one leading `$` makes it a runtime parameter. */
struct hone__spec_param hone__spec_param(struct hone__arena *arena, const char *name,
                                         size_t name_length, const char *value,
                                         size_t value_length);

/* "BM=64,BN='a,b'", as Hone writes configurations. */
const struct hone__spec_param *hone__config_params(struct hone__arena *arena, const char *config,
                                                   size_t *out_count);

#endif
