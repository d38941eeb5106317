/* seed_texts.h - seeds that are given by what they read in the spec's texts. */
#ifndef HONE_SEARCH_SEED_TEXTS_H
#define HONE_SEARCH_SEED_TEXTS_H

#include "space/space.h"

/* {compilation_info: "#iree..."}: every key is the name of a text. */
bool hone__seed_is_texts(const struct hone_space *space, const struct hone__node *seed);
/* The first configuration with these texts, for every seed of a list; UINT64_MAX: there is none, or
 * the seed is of another kind. Looks at the first million configurations. */
void hone__seed_texts_find(const struct hone_space *space, const struct hone__node *list,
                           uint64_t *out_indices);

#endif
