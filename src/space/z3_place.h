/* z3_place.h - a parameter as what Z3 looks for: a bit vector that says which of its values it has.
 */
#ifndef HONE_SPACE_Z3_PLACE_H
#define HONE_SPACE_Z3_PLACE_H

#include "space/domain.h"
#include "space/z3_bits.h"

struct hone__z3_place {
  const struct hone__domain *domain;
  bool by_value;  /* the unknown is the value itself, else its index */
  z3_ast unknown; /* within lo..hi */
  unsigned bits;
  int64_t lo, hi;
};

/* The domain must not be empty. `name` tells the unknowns of a context apart. */
void hone__z3_place_init(const struct hone__z3 *z, const struct hone__domain *domain, int name,
                         struct hone__z3_place *place);

/* The value as a term; OPAQUE if the unknown does not say it. */
struct hone__z3_term hone__z3_place_term(const struct hone__z3 *z,
                                         const struct hone__z3_place *place);

/* Conditions: it has a value of the domain, the value of this index, one of the indices first..last
 * (not by_value). */
z3_ast hone__z3_place_valid(const struct hone__z3 *z, const struct hone__z3_place *place);
z3_ast hone__z3_place_is(const struct hone__z3 *z, const struct hone__z3_place *place,
                         uint32_t index);
z3_ast hone__z3_place_between(const struct hone__z3 *z, const struct hone__z3_place *place,
                              uint32_t first, uint32_t last);

/* The index of its value in the model; false if it has none. */
bool hone__z3_place_read(const struct hone__z3 *z, const struct hone__z3_place *place,
                         z3_model model, uint32_t *out_index);

#endif
