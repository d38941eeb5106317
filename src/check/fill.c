/* A hash of seed, stream and index replaces the state of a generator. A plan fixes once what a fill
 * means for a type; then blocks of doubles are drawn and rounded to the type. Only 64-bit integers
 * are drawn separately, because doubles cannot represent them all.
 */
#include "check/fill.h"

#include "base/hash.h"
#include "base/machine.h"
#include "base/normal.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

enum { BLOCK = 512, MOST_PARTS = 16, ELEMENTS_OF_THREAD = 1 << 18 };

struct plan {
  enum hone__element element;
  uint64_t key;
  enum draw { DRAW_CONSTANT, DRAW_SEQUENCE, DRAW_WHOLE, DRAW_UNIFORM, DRAW_NORMAL } draw;
  double value;        /* constant */
  int64_t whole;       /* constant, exactly; 0: use value */
  uint64_t base, span; /* whole: base + [0, span), span 0 is 2^64 */
  double low, high;    /* uniform */
  double least,
      greatest; /* floats are clamped to these, so that rounding does not leave the range */
};

/* ---- What a type holds ---- */

/* Up to 2 to this power a float holds every whole number. */
static int digits_of(enum hone__element element)
{
  switch (element) {
  case HONE__ELEMENT_F16: return 11;
  case HONE__ELEMENT_BF16: return 8;
  case HONE__ELEMENT_F32: return 24;
  case HONE__ELEMENT_F8E4M3: return 4;
  case HONE__ELEMENT_F8E5M2: return 3;
  default: return 53;
  }
}

static double rounded(enum hone__element element, double value)
{
  unsigned char bytes[8];

  hone__element_set(element, bytes, 0, value);
  return hone__element_get(element, bytes, 0);
}

/* The next element of a float's type, upwards or downwards. */
static double neighbour(enum hone__element element, double value, bool up)
{
  size_t size = hone__element_size(element);
  uint64_t sign = (uint64_t)1 << (8 * size - 1), bits = 0;

  if (value == 0) value = up ? 0.0 : -0.0;
  hone__element_set(element, &bits, 0, value);
  bits += (bits & sign) ? (up ? -1 : +1) : (up ? +1 : -1);
  return hone__element_get(element, &bits, 0);
}

/* The greatest finite number. */
static double greatest_of(enum hone__element element)
{
  double top = rounded(element, (double)INFINITY);

  return isinf(top) ? neighbour(element, top, false) : top;
}

static double clamp(double value, double low, double high)
{
  return isnan(value) ? clamp(0, low, high) : value < low ? low : value > high ? high : value;
}

/* ---- Plans ---- */

/* The whole numbers in range: from the first up to, not including, the second. */
static void whole_limits(enum hone__element element, double *out_low, double *out_end)
{
  const struct hone__element_info *info = hone__element_info(element);
  int bits = (int)(8 * info->size);

  switch (info->kind) {
  case HONE__KIND_BOOL: *out_low = 0, *out_end = 2; break;
  case HONE__KIND_UNSIGNED: *out_low = 0, *out_end = ldexp(1, bits); break;
  case HONE__KIND_SIGNED: *out_low = -ldexp(1, bits - 1), *out_end = ldexp(1, bits - 1); break;
  case HONE__KIND_FLOAT:
    *out_end = fmin(greatest_of(element), 0x1p53);
    *out_low = -*out_end;
    break;
  }
}

static void plan_constant(struct plan *plan, double value)
{
  plan->draw = DRAW_CONSTANT;
  plan->value = value;
}

/* The elements of a float's type that lie in [low, high). */
static void plan_cut(struct plan *plan, double low, double high)
{
  plan->least = rounded(plan->element, low);
  plan->greatest = rounded(plan->element, high);
  if (plan->least < low) plan->least = neighbour(plan->element, plan->least, true);
  if (plan->greatest >= high) plan->greatest = neighbour(plan->element, plan->greatest, false);
  if (plan->least > plan->greatest) plan_constant(plan, low);
}

/* Modulo 2^64, of a whole number between -2^63 and 2^64. */
static uint64_t modulo(double whole)
{
  if (whole < 0) return (uint64_t)(int64_t)whole;
  return whole < 0x1p64 ? (uint64_t)whole : 0;
}

static void plan_whole(struct plan *plan, const struct hone__fill *fill)
{
  bool is_signed = hone__element_info(plan->element)->kind == HONE__KIND_SIGNED ||
                   hone__element_info(plan->element)->is_float;
  double low = fill->ranged ? fill->low : is_signed ? -2 : 0;
  double high = fill->ranged ? fill->high : 3;
  double least = 0, end = 0;

  whole_limits(plan->element, &least, &end);
  low = clamp(ceil(low), least, end);
  high = clamp(ceil(high), least, end);
  plan->draw = DRAW_WHOLE;
  plan->base = modulo(low);
  plan->span = modulo(high) - plan->base;
  if (low >= high)
    plan_constant(plan, clamp(fill->low, least, end));
  else if (hone__element_info(plan->element)->is_float)
    plan_cut(plan, low, high);
}

static void plan_uniform(struct plan *plan, const struct hone__fill *fill)
{
  double top = greatest_of(plan->element);
  double low = fill->ranged ? clamp(fill->low, -top, top) : -1;
  double high = fill->ranged ? clamp(fill->high, -top, top) : 1;

  plan->draw = DRAW_UNIFORM;
  plan->low = low;
  plan->high = high;
  plan_cut(plan, low, high);
}

static void make_plan(struct plan *plan, const struct hone__fill *fill)
{
  bool is_float = hone__element_info(plan->element)->is_float;

  plan->least = -(double)INFINITY;
  plan->greatest = (double)INFINITY;
  switch (fill->kind) {
  case HONE__FILL_AUTO:
  case HONE__FILL_UNIFORM: (is_float ? plan_uniform : plan_whole)(plan, fill); break;
  case HONE__FILL_INTEGER: plan_whole(plan, fill); break;
  case HONE__FILL_NORMAL:
  case HONE__FILL_RANDN: plan->draw = DRAW_NORMAL; break;
  case HONE__FILL_ARANGE: plan->draw = DRAW_SEQUENCE; break;
  case HONE__FILL_ONE: plan_constant(plan, 1); break;
  case HONE__FILL_CONSTANT:
    plan_constant(plan, fill->value);
    plan->whole = fill->whole;
    break;
  default: plan_constant(plan, 0); break;
  }
}

/* ---- Draws ---- */

static inline uint64_t bits_at(const struct plan *plan, uint64_t index)
{
  return hone__mix(plan->key + index * 0x9e3779b97f4a7c15u);
}

static inline uint64_t whole_at(const struct plan *plan, uint64_t index)
{
  uint64_t bits = bits_at(plan, index);

  if (plan->span) bits = (uint64_t)(((unsigned __int128)bits * plan->span) >> 64);
  return plan->base + bits;
}

static inline double cut(const struct plan *plan, double value)
{
  value = value > plan->least ? value : plan->least;
  return value < plan->greatest ? value : plan->greatest;
}

static void draw_uniform(const struct plan *plan, uint64_t first, size_t count, double *out)
{
  for (size_t i = 0; i < count; i++) {
    double share = (double)(int64_t)(bits_at(plan, first + i) >> 11) * 0x1p-53;
    out[i] = cut(plan, plan->low * (1 - share) + plan->high * share);
  }
}

/* Integers are rounded here; otherwise hardly any bool would be false. */
static void draw_normal(const struct plan *plan, uint64_t first, size_t count, double *out)
{
  bool is_float = hone__element_info(plan->element)->is_float;

  for (size_t i = 0; i < count; i++) {
    double share = ((double)(bits_at(plan, first + i) >> 12) + 0.5) * 0x1p-52;
    double value = hone__normal_quantile(share);
    out[i] = is_float ? value : rint(value);
  }
}

/* As signed 64-bit numbers, which is correct for all types except u64: that is not drawn as
 * doubles. */
static void draw_whole(const struct plan *plan, uint64_t first, size_t count, double *out)
{
  for (size_t i = 0; i < count; i++)
    out[i] = cut(plan, (double)(int64_t)whole_at(plan, first + i));
}

static void draw_sequence(const struct plan *plan, uint64_t first, size_t count, double *out)
{
  const struct hone__element_info *info = hone__element_info(plan->element);
  int bits = info->is_float                  ? digits_of(plan->element)
             : info->kind == HONE__KIND_BOOL ? 1
                                             : (int)(8 * info->size);
  uint64_t mask = ~(uint64_t)0 >> (64 - bits);
  uint64_t sign = info->kind == HONE__KIND_SIGNED ? (mask >> 1) + 1 : 0;

  for (size_t i = 0; i < count; i++)
    out[i] = (double)(int64_t)((((first + i) & mask) ^ sign) - sign);
}

static void fill_wide(const struct plan *plan, unsigned char *out, uint64_t first, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    uint64_t value = plan->draw == DRAW_WHOLE ? whole_at(plan, first + i) : first + i;
    memcpy(out + i * sizeof value, &value, sizeof value);
  }
}

static void fill_constant(const struct plan *plan, unsigned char *out, size_t count)
{
  size_t size = hone__element_size(plan->element), total = size * count, done = size;

  if (!count) return;
  hone__element_set(plan->element, out, 0, plan->value);
  if (plan->whole && size == sizeof plan->whole && !hone__element_info(plan->element)->is_float)
    memcpy(out, &plan->whole, size);
  for (; done < total; done += done < total - done ? done : total - done)
    memcpy(out + done, out, done < total - done ? done : total - done);
}

static void fill_blocks(const struct plan *plan, unsigned char *out, uint64_t first, size_t count)
{
  static void (*const draws[])(const struct plan *, uint64_t, size_t, double *) = {
      [DRAW_SEQUENCE] = draw_sequence,
      [DRAW_WHOLE] = draw_whole,
      [DRAW_UNIFORM] = draw_uniform,
      [DRAW_NORMAL] = draw_normal,
  };
  size_t size = hone__element_size(plan->element);
  double values[BLOCK];

  for (size_t done = 0; done < count; done += BLOCK) {
    size_t part = count - done < BLOCK ? count - done : BLOCK;
    draws[plan->draw](plan, first + done, part, values);
    hone__element_write(plan->element, out + done * size, part, values);
  }
}

void hone__fill(const struct hone__fill *fill, enum hone__element element, void *out, size_t first,
                size_t count)
{
  bool wide = element == HONE__ELEMENT_I64 || element == HONE__ELEMENT_U64;
  struct plan plan = {.element = element};

  plan.key = hone__mix(hone__hash_add(hone__mix(fill->seed + 1), fill->stream + 1));
  make_plan(&plan, fill);
  if (plan.draw == DRAW_CONSTANT)
    fill_constant(&plan, out, count);
  else if (wide && plan.draw != DRAW_NORMAL)
    fill_wide(&plan, out, first, count);
  else
    fill_blocks(&plan, out, first, count);
}

/* ---- In parts ---- */

struct part {
  const struct hone__fill *fill;
  enum hone__element element;
  unsigned char *out; /* of the whole array */
  size_t first, count;
};

static void *fill_part(void *data)
{
  const struct part *part = data;

  hone__fill(part->fill, part->element, part->out + part->first * hone__element_size(part->element),
             part->first, part->count);
  return NULL;
}

static size_t count_parts(size_t count)
{
  size_t parts = count / ELEMENTS_OF_THREAD, cpus = hone__cpu_count();

  if (parts > cpus) parts = cpus;
  if (parts > MOST_PARTS) parts = MOST_PARTS;
  return parts ? parts : 1;
}

/* This thread does the last part, and parts whose thread could not be created. */
void hone__fill_in_parts(const struct hone__fill *fill, enum hone__element element, void *out,
                         size_t count)
{
  size_t part_count = count_parts(count), each = count / part_count;
  struct part parts[MOST_PARTS];
  pthread_t threads[MOST_PARTS];
  bool started[MOST_PARTS] = {false};

  for (size_t i = 0; i < part_count; i++) {
    bool is_last = i + 1 == part_count;
    parts[i] = (struct part){fill, element, out, i * each, is_last ? count - i * each : each};
    started[i] = !is_last && pthread_create(&threads[i], NULL, fill_part, &parts[i]) == 0;
    if (!started[i]) fill_part(&parts[i]);
  }
  for (size_t i = 0; i < part_count; i++)
    if (started[i]) pthread_join(threads[i], NULL);
}

/* ---- Names ---- */

static const char *const kind_names[] = {
#define X(constant, name) name,
    HONE__FILL_KINDS(X)
#undef X
};

bool hone__fill_kind_parse(const char *name, enum hone__fill_kind *out)
{
  for (int i = 0; i < HONE__FILL_KIND_COUNT; i++) {
    if (strcmp(name, kind_names[i]) != 0) continue;
    *out = (enum hone__fill_kind)i;
    return true;
  }
  return false;
}

const char *hone__fill_kind_name(enum hone__fill_kind kind)
{
  return kind_names[kind];
}

const char *hone__fill_kind_names(void)
{
#define X(constant, name) ", " name
  static const char names[] = HONE__FILL_KINDS(X);
#undef X

  return names + 2;
}
