/* dispatch_space.h - the spec of a dispatch's dump, and its space. It is solved once: for the list
 * of dispatches, for the search, and for the texts of what the search has found.
 */
#ifndef HONE_IREE_MODEL_DISPATCH_SPACE_H
#define HONE_IREE_MODEL_DISPATCH_SPACE_H

#include "hone_iree.h"

struct hone__model_dispatch_space {
  char *dump; /* path */
  struct hone_spec *spec;
  struct hone_space *space; /* NULL: not solved yet */
  bool for_tuning;          /* the first configuration is then the compiler's choice */
};

/* Loads the spec; release it also after a failure. */
hone_status hone__model_dispatch_space_open(struct hone__model_dispatch_space *space,
                                            const char *dump,
                                            const struct hone_iree_options *options,
                                            bool for_tuning);
/* Does nothing where it is solved. */
hone_status hone__model_dispatch_space_solve(struct hone__model_dispatch_space *space);
/* Configurations besides the compiler's choice; it is solved. */
uint64_t hone__model_dispatch_space_candidates(const struct hone__model_dispatch_space *space);
void hone__model_dispatch_space_release(struct hone__model_dispatch_space *space);

/* Those of a model, from listing its dispatches to tuning them. */
struct hone__model_dispatch_spaces {
  struct hone__model_dispatch_space *list;
  size_t count;
};
/* Takes what `space` holds. */
void hone__model_dispatch_spaces_put(struct hone__model_dispatch_spaces *spaces,
                                     struct hone__model_dispatch_space *space);
/* Hands it over; false: it is not there. */
bool hone__model_dispatch_spaces_take(struct hone__model_dispatch_spaces *spaces, const char *dump,
                                      struct hone__model_dispatch_space *out_space);
/* Lends it until the next change; NULL: it is not there. */
struct hone__model_dispatch_space *
hone__model_dispatch_spaces_find(const struct hone__model_dispatch_spaces *spaces,
                                 const char *dump);
void hone__model_dispatch_spaces_release(struct hone__model_dispatch_spaces *spaces);

#endif
