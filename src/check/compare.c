/* Compares block by block. Blocks with equal bytes need only memcmp. For other blocks the distances
 * are computed in plain loops; only if one is too large or not a number are the elements examined
 * one by one. Large arrays are split over threads, one for each usable CPU.
 */
#include "check/compare.h"

#include "base/machine.h"
#include "check/guard.h"

#include <float.h>
#include <math.h>
#include <pthread.h>

enum { BLOCK = 1024, RUN = 64, POISONED_BOOL = 0xa5, MOST_PARTS = 16, BYTES_OF_THREAD = 2 << 20 };

struct block {
  const unsigned char *got_bytes, *expected_bytes;
  size_t first, count;
  double got[BLOCK], expected[BLOCK], distance[BLOCK];
};

struct comparison {
  enum hone__element element;
  size_t size;
  double rtol, atol;
  struct hone__difference *out;
  struct block block;
};

/* ---- Distances ---- */

/* The difference of equal infinities is not a number. */
static void measure(struct block *block)
{
  for (size_t i = 0; i < block->count; i++) {
    double distance = fabs(block->got[i] - block->expected[i]);
    block->distance[i] = block->got[i] == block->expected[i] ? 0 : distance;
  }
}

/* 64-bit integers, in integer arithmetic. */
static void measure_wide(struct block *block, bool is_signed)
{
  uint64_t bias = is_signed ? (uint64_t)1 << 63 : 0; /* keeps the order, as unsigned */

  for (size_t i = 0; i < block->count; i++) {
    uint64_t a, b;
    memcpy(&a, block->got_bytes + i * sizeof a, sizeof a);
    memcpy(&b, block->expected_bytes + i * sizeof b, sizeof b);
    a ^= bias, b ^= bias;
    block->distance[i] = (double)(a > b ? a - b : b - a);
  }
}

/* Bools are compared by truth value, but poison is not true. */
static void mark_poisoned_bools(const unsigned char *bytes, size_t count, double *values)
{
  for (size_t i = 0; i < count; i++)
    if (bytes[i] == POISONED_BOOL) values[i] = POISONED_BOOL;
}

static void load(struct comparison *c)
{
  struct block *block = &c->block;

  hone__element_read(c->element, block->got_bytes, block->count, block->got);
  hone__element_read(c->element, block->expected_bytes, block->count, block->expected);
  if (c->element == HONE__ELEMENT_BOOL) {
    mark_poisoned_bools(block->got_bytes, block->count, block->got);
    mark_poisoned_bools(block->expected_bytes, block->count, block->expected);
  }
  if (c->element == HONE__ELEMENT_I64 || c->element == HONE__ELEMENT_U64)
    measure_wide(block, c->element == HONE__ELEMENT_I64);
  else
    measure(block);
}

/* ---- Judgement ---- */

/* An infinite distance is too large for any tolerance. */
static inline bool is_near(const struct comparison *c, size_t i)
{
  double limit = c->atol + c->rtol * fabs(c->block.expected[i]);

  return (c->block.distance[i] <= limit) & (c->block.distance[i] <= DBL_MAX);
}

static size_t count_far(const struct comparison *c)
{
  size_t far = 0;

  for (size_t i = 0; i < c->block.count; i++)
    far += !is_near(c, i);
  return far;
}

/* Whether one of these may be the greatest so far: a plain loop, since few are. */
static bool has_greater(const struct block *block, size_t from, size_t to, double most,
                        double most_relative)
{
  size_t greater = 0;

  for (size_t i = from; i < to; i++) {
    double distance = block->distance[i];
    greater += (distance > most) |
               ((distance >= most_relative * fabs(block->expected[i])) & (distance > 0));
  }
  return greater > 0;
}

static void note_greatest_of(const struct comparison *c, size_t from, size_t to)
{
  const struct block *block = &c->block;
  double most = c->out->greatest_abs, most_relative = c->out->greatest_rel;

  for (size_t i = from; i < to; i++) {
    double distance = block->distance[i], size = fabs(block->expected[i]);
    if (!(distance <= DBL_MAX)) continue;
    if (distance > most) most = distance;
    /* Divided only where it may be the greatest: the quotient is rounded. */
    if (distance > 0 && distance >= most_relative * size && size > 0 && size <= DBL_MAX)
      most_relative = fmax(most_relative, distance / size);
  }
  c->out->greatest_abs = most;
  c->out->greatest_rel = most_relative;
}

static void note_greatest(const struct comparison *c)
{
  for (size_t from = 0; from < c->block.count; from += RUN) {
    size_t to = from + RUN < c->block.count ? from + RUN : c->block.count;
    if (has_greater(&c->block, from, to, c->out->greatest_abs, c->out->greatest_rel))
      note_greatest_of(c, from, to);
  }
}

static uint64_t bits_of(const struct comparison *c, const unsigned char *bytes, size_t i)
{
  uint64_t bits = 0;

  memcpy(&bits, bytes + i * c->size, c->size);
  return bits;
}

static void note_first(struct comparison *c, size_t i, bool unwritten)
{
  struct hone__difference *out = c->out;

  out->first = c->block.first + i;
  out->first_got = c->block.got[i];
  out->first_expected = c->block.expected[i];
  out->first_got_bits = bits_of(c, c->block.got_bytes, i);
  out->first_expected_bits = bits_of(c, c->block.expected_bytes, i);
  out->first_unwritten = unwritten;
}

/* An element that is not near: NaN may still agree with NaN. */
static void judge(struct comparison *c, size_t i)
{
  struct block *block = &c->block;
  bool unexpected = hone__check_is_poison(c->element, block->expected_bytes, i);
  bool unwritten = hone__check_is_poison(c->element, block->got_bytes, i) && !unexpected;

  if (isnan(block->got[i]) && isnan(block->expected[i]) &&
      !(unwritten && hone__poison_is_certain(c->element)))
    return;
  if (c->out->mismatched++ == 0) note_first(c, i, unwritten);
  if (unwritten)
    c->out->unwritten++;
  else if (unexpected && hone__poison_is_certain(c->element))
    c->out->unexpected++;
  else if (!isfinite(block->got[i]) || !isfinite(block->expected[i]))
    c->out->not_finite++;
}

static void compare_block(struct comparison *c)
{
  load(c);
  note_greatest(c);
  if (count_far(c) == 0) return;
  for (size_t i = 0; i < c->block.count; i++)
    if (!is_near(c, i)) judge(c, i);
}

/* 0.29 of 100 is 29, though the product of the doubles is slightly less. */
static size_t count_allowed(size_t count, double ratio)
{
  if (!(ratio > 0)) return 0;
  return ratio >= 1 ? count : (size_t)floor((double)count * ratio * (1 + 4 * DBL_EPSILON));
}

/* ---- All of them ---- */

struct part { /* elements from `first` on */
  const struct hone__tolerance *tolerance;
  const unsigned char *got, *expected;
  size_t first, count;
  struct hone__difference *out;
};

static void *compare_part(void *data)
{
  const struct part *part = data;
  size_t size = hone__element_size(part->out->element);
  struct comparison c = {.element = part->out->element,
                         .size = size,
                         .rtol = part->tolerance->rtol,
                         .atol = part->tolerance->atol,
                         .out = part->out};

  for (size_t done = 0; done < part->count; done += BLOCK) {
    size_t at = part->first + done;
    c.block.first = at;
    c.block.count = part->count - done < BLOCK ? part->count - done : BLOCK;
    c.block.got_bytes = part->got + at * size;
    c.block.expected_bytes = part->expected + at * size;
    if (memcmp(c.block.got_bytes, c.block.expected_bytes, c.block.count * size) != 0)
      compare_block(&c);
  }
  return NULL;
}

/* `next` covers elements after all those in `out`. */
static void add_part(struct hone__difference *out, const struct hone__difference *next)
{
  if (!out->mismatched && next->mismatched) {
    out->first = next->first;
    out->first_got = next->first_got;
    out->first_expected = next->first_expected;
    out->first_got_bits = next->first_got_bits;
    out->first_expected_bits = next->first_expected_bits;
    out->first_unwritten = next->first_unwritten;
  }
  out->mismatched += next->mismatched;
  out->unwritten += next->unwritten;
  out->unexpected += next->unexpected;
  out->not_finite += next->not_finite;
  out->greatest_abs = fmax(out->greatest_abs, next->greatest_abs);
  out->greatest_rel = fmax(out->greatest_rel, next->greatest_rel);
}

static size_t count_parts(size_t bytes)
{
  size_t parts = bytes / BYTES_OF_THREAD, cpus = hone__cpu_count();

  if (parts > cpus) parts = cpus;
  if (parts > MOST_PARTS) parts = MOST_PARTS;
  return parts ? parts : 1;
}

/* This thread does the last part, and parts whose thread could not be created. */
static void compare_parts(struct part *parts, size_t count)
{
  pthread_t threads[MOST_PARTS];
  bool started[MOST_PARTS] = {false};

  for (size_t i = 0; i + 1 < count; i++)
    started[i] = pthread_create(&threads[i], NULL, compare_part, &parts[i]) == 0;
  for (size_t i = 0; i < count; i++)
    if (!started[i]) compare_part(&parts[i]);
  for (size_t i = 0; i < count; i++)
    if (started[i]) pthread_join(threads[i], NULL);
}

bool hone__compare(enum hone__element element, const void *got, const void *expected, size_t count,
                   const struct hone__tolerance *tolerance, struct hone__difference *out)
{
  size_t part_count = count_parts(count * hone__element_size(element));
  size_t each = (count / part_count / BLOCK + 1) * BLOCK, first = 0;
  struct hone__difference found[MOST_PARTS];
  struct part parts[MOST_PARTS];

  for (size_t i = 0; i < part_count; i++) {
    size_t length = count - first < each ? count - first : each;
    found[i] = (struct hone__difference){.element = element};
    parts[i] = (struct part){tolerance, got, expected, first, length, &found[i]};
    first += length;
  }
  compare_parts(parts, part_count);
  *out = (struct hone__difference){.element = element, .ratio = tolerance->ratio, .count = count};
  out->allowed = count_allowed(count, tolerance->ratio);
  for (size_t i = 0; i < part_count; i++)
    add_part(out, &found[i]);
  return out->mismatched <= out->allowed;
}
