/* One pass finds everything that an output can be reduced to, but for its order. */
#include "check/reduce.h"

#include "check/guard.h"

#include <float.h>
#include <math.h>

enum { BLOCK = 1024, DIGITS = 256 };
/* Sums of squares are rounded, those of integers too. */
static const double least_rtol_of_norm = 1e-9;

__extension__ typedef __int128 wide;

bool hone__reduction_parse(const char *name, enum hone__reduction *out_reduction)
{
  static const char *const names[] = {
#define X(id, name) name,
      HONE__REDUCTIONS(X)
#undef X
  };

  for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) {
      *out_reduction = (enum hone__reduction)i;
      return true;
    }
  return false;
}

/* ---- Elements ---- */

/* Where it is not certain: an expected integer of 8 or 16 bits has the bits of poison too often,
 * and one that a candidate leaves unwritten must not be passed over. */
static bool is_unwritten(enum hone__element element, struct hone__reduced_side side, size_t i)
{
  return (hone__poison_is_certain(element) ||
          (side.is_expected && hone__element_size(element) >= 4)) &&
         hone__check_is_poison(element, side.elements, i);
}

static wide whole_of(enum hone__element element, const unsigned char *elements, size_t i)
{
  const struct hone__element_info *info = hone__element_info(element);
  int unused = 64 - 8 * (int)info->size;
  uint64_t bits = 0;

  memcpy(&bits, elements + i * info->size, info->size);
  if (info->kind == HONE__KIND_BOOL) return bits != 0;
  if (info->kind == HONE__KIND_UNSIGNED) return (wide)bits;
  return (int64_t)(bits << unused) >> unused;
}

/* ---- One number ---- */

struct reduced {
  size_t count, unwritten, first_unwritten;
  double sum, lost; /* what rounding took from it */
  double magnitude, squares, least, most;
  bool has_nan;
  wide whole_sum, whole_least, whole_most;
};

static void add_real(struct reduced *r, double x)
{
  double sum = r->sum + x;

  r->lost += fabs(r->sum) >= fabs(x) ? (r->sum - sum) + x : (x - sum) + r->sum;
  r->sum = sum;
  r->magnitude += fabs(x);
  r->squares += x * x;
  r->least = r->count && r->least < x ? r->least : x;
  r->most = r->count && r->most > x ? r->most : x;
  r->has_nan = r->has_nan || isnan(x);
}

static void add_whole(struct reduced *r, wide x)
{
  r->whole_sum += x;
  r->whole_least = r->count && r->whole_least < x ? r->whole_least : x;
  r->whole_most = r->count && r->whole_most > x ? r->whole_most : x;
}

static void add_element(struct reduced *r, enum hone__element element,
                        struct hone__reduced_side side, size_t i, double x)
{
  if (is_unwritten(element, side, i)) {
    if (!r->unwritten++) r->first_unwritten = i;
    return;
  }
  add_real(r, x);
  if (!hone__element_info(element)->is_float) add_whole(r, whole_of(element, side.elements, i));
  r->count++;
}

static struct reduced reduce(enum hone__element element, struct hone__reduced_side side)
{
  struct reduced r = {0};
  double values[BLOCK];
  size_t size = hone__element_size(element);

  for (size_t first = 0; first < side.count; first += BLOCK) {
    size_t count = side.count - first < BLOCK ? side.count - first : BLOCK;
    hone__element_read(element, side.elements + first * size, count, values);
    for (size_t i = 0; i < count; i++)
      add_element(&r, element, side, first + i, values[i]);
  }
  if (isfinite(r.lost)) r.sum += r.lost;
  return r;
}

struct number {
  bool is_whole;
  wide whole;
  double real;
};

static struct number number_of(const struct reduced *r, const struct hone__reducing *how)
{
  bool is_whole = !hone__element_info(how->element)->is_float;

  switch (how->reduction) {
  case HONE__REDUCE_SUM: return (struct number){is_whole, r->whole_sum, r->sum};
  case HONE__REDUCE_MIN:
    return (struct number){is_whole, r->whole_least, r->has_nan ? (double)NAN : r->least};
  case HONE__REDUCE_MAX:
    return (struct number){is_whole, r->whole_most, r->has_nan ? (double)NAN : r->most};
  default: return (struct number){false, 0, sqrt(r->squares)};
  }
}

static double distance_of(struct number a, struct number b)
{
  if (a.is_whole) return (double)(a.whole > b.whole ? a.whole - b.whole : b.whole - a.whole);
  if (a.real == b.real || (isnan(a.real) && isnan(b.real))) return 0;
  return fabs(a.real - b.real);
}

static bool is_near(const struct hone__reducing *how, double distance, const struct number *right,
                    const struct reduced *expected)
{
  double rtol = how->tolerance.rtol,
         size = right->is_whole ? fabs((double)right->whole) : fabs(right->real);

  if (how->reduction == HONE__REDUCE_SUM) size = expected->magnitude;
  if (how->reduction == HONE__REDUCE_NORM) rtol = fmax(rtol, least_rtol_of_norm);
  if (isnan(size)) size = 0;
  return distance <= how->tolerance.atol + rtol * size && distance <= DBL_MAX;
}

/* ---- Words ---- */

static void add_number(struct hone__text *out, struct number number)
{
  if (number.is_whole && number.whole >= INT64_MIN && number.whole <= INT64_MAX)
    hone__text_addf(out, "%lld", (long long)number.whole);
  else
    hone__text_addf(out, "%.9g", number.is_whole ? (double)number.whole : number.real);
}

static void explain(const struct hone__reducing *how, const char *name, struct number got,
                    struct number right, const size_t counts[2], struct hone__text *why)
{
  static const char *const words[] = {[HONE__REDUCE_SUM] = "sum",
                                      [HONE__REDUCE_MIN] = "least element",
                                      [HONE__REDUCE_MAX] = "greatest element",
                                      [HONE__REDUCE_NORM] = "norm"};

  hone__text_addf(why, "%s: the %s of %zu element%s is ", name, words[how->reduction], counts[0],
                  counts[0] == 1 ? "" : "s");
  add_number(why, got);
  hone__text_add(why, ", expected ");
  add_number(why, right);
  if (counts[0] != counts[1])
    hone__text_addf(why, ", of %zu element%s", counts[1], counts[1] == 1 ? "" : "s");
}

static bool numbers_agree(const struct hone__reducing *how, const struct reduced *own,
                          const struct reduced *expected, const char *name, struct hone__text *why)
{
  struct number got = number_of(own, how), right = number_of(expected, how);
  const size_t counts[] = {own->count, expected->count};

  if (own->count && expected->count && is_near(how, distance_of(got, right), &right, expected))
    return true;
  if (why) explain(how, name, got, right, counts, why);
  return false;
}

/* ---- Order ---- */

/* A number that is ordered as the element is. */
static uint64_t key_of(enum hone__element element, const unsigned char *elements, size_t i)
{
  const uint64_t sign = (uint64_t)1 << 63;
  uint64_t bits;
  double x;

  if (!hone__element_info(element)->is_float) {
    wide whole = whole_of(element, elements, i);
    return hone__element_info(element)->kind == HONE__KIND_SIGNED ? (uint64_t)(int64_t)whole ^ sign
                                                                  : (uint64_t)whole;
  }
  x = hone__element_get(element, elements, i);
  if (isnan(x)) return UINT64_MAX;
  if (x == 0) x = 0; /* not -0 */
  memcpy(&bits, &x, sizeof bits);
  return bits & sign ? ~bits : bits ^ sign;
}

static void put_key(enum hone__element element, uint64_t key, unsigned char *out, size_t i)
{
  const uint64_t sign = (uint64_t)1 << 63;
  size_t size = hone__element_size(element);
  double x;

  if (hone__element_info(element)->is_float) {
    uint64_t bits = key & sign ? key ^ sign : ~key;
    memcpy(&x, &bits, sizeof x);
    hone__element_set(element, out, i, key == UINT64_MAX ? (double)NAN : x);
    return;
  }
  if (hone__element_info(element)->kind == HONE__KIND_SIGNED) key ^= sign;
  memcpy(out + i * size, &key, size);
}

/* By one byte of each key after the other, the lowest first. */
static uint64_t *sort_keys(uint64_t *keys, uint64_t *others, size_t count)
{
  for (int shift = 0; shift < 64; shift += 8) {
    size_t begin[DIGITS + 1] = {0};
    uint64_t *from = keys;
    for (size_t i = 0; i < count; i++)
      begin[1 + (keys[i] >> shift & 0xff)]++;
    if (count && begin[1 + (keys[0] >> shift & 0xff)] == count) continue;
    for (int digit = 0; digit < DIGITS; digit++)
      begin[digit + 1] += begin[digit];
    for (size_t i = 0; i < count; i++)
      others[begin[from[i] >> shift & 0xff]++] = from[i];
    keys = others;
    others = from;
  }
  return keys;
}

/* Two arrays of keys, then two of elements. */
size_t hone__reduction_room(enum hone__reduction reduction, enum hone__element element,
                            size_t count)
{
  if (reduction != HONE__REDUCE_SORTED) return 0;
  return 2 * count * (sizeof(uint64_t) + hone__element_size(element));
}

static size_t sort(enum hone__element element, struct hone__reduced_side side, uint64_t *keys,
                   size_t room, unsigned char *out)
{
  size_t count = 0;

  for (size_t i = 0; i < side.count; i++)
    if (!is_unwritten(element, side, i)) keys[count++] = key_of(element, side.elements, i);
  keys = sort_keys(keys, keys + room, count);
  for (size_t i = 0; i < count; i++)
    put_key(element, keys[i], out, i);
  return count;
}

static bool orders_agree(const struct hone__reducing *how, struct hone__reduced_side got,
                         struct hone__reduced_side expected, const char *name,
                         struct hone__text *why)
{
  size_t room = got.count > expected.count ? got.count : expected.count;
  uint64_t *keys = how->room;
  unsigned char *own = (unsigned char *)(keys + 2 * room);
  unsigned char *right = own + room * hone__element_size(how->element);
  size_t own_count = sort(how->element, got, keys, room, own);
  size_t count = sort(how->element, expected, keys, room, right);
  struct hone__difference difference;

  if (own_count != count) {
    if (why) hone__text_addf(why, "%s: it has %zu elements, expected %zu", name, own_count, count);
    return false;
  }
  if (hone__compare(how->element, own, right, count, &how->tolerance, &difference)) return true;
  if (why) {
    hone__text_add(why, "sorted ");
    hone__difference_message(&difference, name, &count, 1, why);
  }
  return false;
}

/* ---- Both ---- */

bool hone__reduced_agree(const struct hone__reducing *how, struct hone__reduced_side got,
                         struct hone__reduced_side expected, const char *name,
                         struct hone__text *why)
{
  struct reduced own = reduce(how->element, got), right;

  if (own.unwritten && hone__poison_is_certain(how->element)) {
    if (why)
      hone__text_addf(why, "%s: %zu of %zu elements were never written; first at [%zu]", name,
                      own.unwritten, got.count, own.first_unwritten);
    return false;
  }
  if (how->reduction == HONE__REDUCE_SORTED) return orders_agree(how, got, expected, name, why);
  right = reduce(how->element, expected);
  return numbers_agree(how, &own, &right, name, why);
}
