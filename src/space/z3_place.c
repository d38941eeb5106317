/* Integers are the unknowns themselves, so that constraints on them need no table. A range is
 * looked for by its index, which fewer bits hold, and is computed from it; all else by its index.
 */
#include "space/z3_place.h"

#include <stdlib.h>

/* Integers, no two of them equal: the value says which index it is. */
static bool determines_index(const struct hone__domain *domain)
{
  uint32_t found;

  if (domain->is_range || domain->types & ~HONE__T_WHOLE) return false;
  for (uint32_t i = 0; i < domain->count; i++)
    if (!hone__domain_find(domain, domain->values[i], &found) || found != i) return false;
  return true;
}

static void find_bounds(struct hone__z3_place *place)
{
  const struct hone__domain *domain = place->domain;

  place->hi = domain->count - 1;
  if (!place->by_value) return;
  place->lo = place->hi = domain->values[0].integer;
  for (uint32_t i = 1; i < domain->count; i++) {
    int64_t value = domain->values[i].integer;
    if (value < place->lo) place->lo = value;
    if (value > place->hi) place->hi = value;
  }
}

void hone__z3_place_init(const struct hone__z3 *z, const struct hone__domain *domain, int name,
                         struct hone__z3_place *place)
{
  *place = (struct hone__z3_place){.domain = domain, .by_value = determines_index(domain)};
  find_bounds(place);
  place->bits = hone__z3_bits_for(place->lo, place->hi);
  place->unknown = z->api->mk_const(z->context, z->api->mk_int_symbol(z->context, name),
                                    z->api->mk_bv_sort(z->context, place->bits));
}

struct hone__z3_term hone__z3_place_term(const struct hone__z3 *z,
                                         const struct hone__z3_place *place)
{
  const struct hone__domain *domain = place->domain;
  struct hone__z3_term term = {.kind = HONE__Z3_OPAQUE};

  if (!place->by_value && !domain->is_range) return term;
  term = hone__z3_whole_term(z, place->unknown, place->bits, NULL, place->lo, place->hi);
  if (place->by_value) return term;
  term = hone__z3_multiply(z, term, hone__z3_constant(z, domain->range.step));
  return hone__z3_add(z, term, hone__z3_constant(z, domain->range.start));
}

z3_ast hone__z3_place_is(const struct hone__z3 *z, const struct hone__z3_place *place,
                         uint32_t index)
{
  int64_t n = place->by_value ? hone__domain_value(place->domain, index).integer : index;

  return z->api->mk_eq(z->context, place->unknown, hone__z3_number(z, n, place->bits));
}

z3_ast hone__z3_place_between(const struct hone__z3 *z, const struct hone__z3_place *place,
                              uint32_t first, uint32_t last)
{
  z3_ast low = hone__z3_number(z, first, place->bits), high = hone__z3_number(z, last, place->bits);

  return hone__z3_and(z, z->api->mk_bvsle(z->context, low, place->unknown),
                      z->api->mk_bvsle(z->context, place->unknown, high));
}

z3_ast hone__z3_place_valid(const struct hone__z3 *z, const struct hone__z3_place *place)
{
  uint32_t count = place->domain->count;
  z3_ast *equal, any;

  if (!place->by_value) return hone__z3_place_between(z, place, 0, count - 1);
  equal = hone__alloc(count * sizeof *equal);
  for (uint32_t i = 0; i < count; i++)
    equal[i] = hone__z3_place_is(z, place, i);
  any = z->api->mk_or(z->context, count, equal);
  free(equal);
  return any;
}

bool hone__z3_place_read(const struct hone__z3 *z, const struct hone__z3_place *place,
                         z3_model model, uint32_t *out_index)
{
  unsigned spare = 64 - place->bits;
  uint64_t word;
  int64_t integer;
  z3_ast value;

  if (!z->api->model_eval(z->context, model, place->unknown, true, &value) ||
      !z->api->get_numeral_uint64(z->context, value, &word))
    return false;
  integer = (int64_t)(word << spare) >> spare;
  if (place->by_value) return hone__domain_find(place->domain, hone__int(integer), out_index);
  *out_index = (uint32_t)integer;
  return integer >= 0 && integer < place->domain->count;
}
