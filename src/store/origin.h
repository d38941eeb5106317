/* origin.h - where an evaluation's times were measured, if it shares those of another one. */
#ifndef HONE_STORE_ORIGIN_H
#define HONE_STORE_ORIGIN_H

#include "store/store.h"

struct hone__origin {
  int64_t evaluation; /* that was measured itself, be it in another run */
  double compile_s;   /* of the first on the way there that was built; NaN: none was */
};
/* Of an evaluation that is its own origin it is that one. */
hone_status hone__store_origin(struct hone_store *store, const struct hone__evaluation *evaluation,
                               struct hone__origin *out_origin);

#endif
