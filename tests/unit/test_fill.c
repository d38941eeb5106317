#include "base/hash.h"
#include "base/normal.h"
#include "check/fill.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { COUNT = 100000 };

struct moments {
  double mean, deviation, least, greatest;
  size_t fractions; /* values that are not whole */
};

static struct moments moments_of(const struct hone__fill *fill, enum hone__element element)
{
  void *bytes = malloc(COUNT * hone__element_size(element));
  double *values = malloc(COUNT * sizeof *values), sum = 0, squares = 0;
  struct moments moments = {.least = (double)INFINITY, .greatest = (double)-INFINITY};

  hone__fill(fill, element, bytes, 0, COUNT);
  hone__element_read(element, bytes, COUNT, values);
  for (size_t i = 0; i < COUNT; i++) {
    sum += values[i];
    squares += values[i] * values[i];
    moments.least = fmin(moments.least, values[i]);
    moments.greatest = fmax(moments.greatest, values[i]);
    moments.fractions += values[i] != rint(values[i]);
  }
  moments.mean = sum / COUNT;
  moments.deviation = sqrt(squares / COUNT - moments.mean * moments.mean);
  free(values);
  free(bytes);
  return moments;
}

static void assert_near(double got, double expected, double tolerance)
{
  if (!(fabs(got - expected) <= tolerance)) fail_msg("got %g, expected %g", got, expected);
}

static void splits(void **state)
{
  unsigned char whole[1500 * 8], part[1500 * 8];

  (void)state;
  for (int kind = 0; kind < HONE__FILL_KIND_COUNT; kind++)
    for (int e = 0; e < HONE__ELEMENT_COUNT; e++) {
      enum hone__element element = (enum hone__element)e;
      size_t size = hone__element_size(element);
      struct hone__fill fill = {
          .kind = (enum hone__fill_kind)kind, .value = 3, .seed = 7, .stream = 2};
      hone__fill(&fill, element, whole, 0, 1500);
      for (size_t first = 0, step = 1; first < 1500; first += step, step = step * 3 + 1) {
        size_t count = 1500 - first < step ? 1500 - first : step;
        hone__fill(&fill, element, part + first * size, first, count);
      }
      assert_memory_equal(whole, part, 1500 * size);
      hone__fill(&fill, element, part, 1234, 0);
    }
}

/* Threads, where there are CPUs for them, write the same. */
static void parts(void **state)
{
  enum { MANY = (1 << 20) + 77 };
  struct hone__fill fill = {.kind = HONE__FILL_NORMAL, .seed = 7, .stream = 2};
  float *whole = malloc(MANY * sizeof *whole), *part = malloc(MANY * sizeof *part);

  (void)state;
  assert_true(whole && part);
  hone__fill(&fill, HONE__ELEMENT_F32, whole, 0, MANY);
  hone__fill_in_parts(&fill, HONE__ELEMENT_F32, part, MANY);
  assert_memory_equal(whole, part, MANY * sizeof *whole);
  hone__fill_in_parts(&fill, HONE__ELEMENT_F32, part, 0);
  free(whole);
  free(part);
}

static void seeds_and_streams(void **state)
{
  const struct hone__fill fills[] = {{.seed = 1, .stream = 0},
                                     {.seed = 0, .stream = 1},
                                     {.seed = 1, .stream = 1},
                                     {.seed = 0, .stream = 0}};
  float values[4][64];

  (void)state;
  for (size_t i = 0; i < 4; i++) {
    hone__fill(&fills[i], HONE__ELEMENT_F32, values[i], 0, 64);
    for (size_t j = 0; j < i; j++)
      for (size_t k = 0; k < 64; k++)
        assert_true(values[i][k] != values[j][k]);
  }
}

/* These bytes may never change: a cache of outputs depends on them. */
static void fixed_values(void **state)
{
  static const uint64_t expected[] = {0x2d2215a95586f57c, 0x473a86d104c70eb6, 0x056e4a3d4b28e7f1,
                                      0xe9a91f62c1d70d07, 0xf28502e9f29052b3, 0xd0383d30fc1b9dba,
                                      0x044a1cea6afea108, 0xe9a91f62c1d70d07, 0x56d8565285c70277,
                                      0xf71529fc1ca7744e, 0x6a86ae707e57e941, 0xe356376c09356c78};
  static const enum hone__fill_kind kinds[] = {HONE__FILL_INTEGER, HONE__FILL_UNIFORM,
                                               HONE__FILL_NORMAL};
  static const enum hone__element elements[] = {HONE__ELEMENT_F32, HONE__ELEMENT_F64,
                                                HONE__ELEMENT_BF16, HONE__ELEMENT_I32};
  unsigned char bytes[1000 * 8];
  size_t n = 0;

  (void)state;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    for (size_t j = 0; j < sizeof elements / sizeof *elements; j++, n++) {
      struct hone__fill fill = {.kind = kinds[i], .seed = 42, .stream = 3};
      uint64_t hash;
      hone__fill(&fill, elements[j], bytes, 0, 1000);
      hash = hone__hash_bytes(0, bytes, 1000 * hone__element_size(elements[j]));
      if (hash != expected[n]) fail_msg("%zu: 0x%016llx", n, (unsigned long long)hash);
    }
}

static void automatic(void **state)
{
  struct hone__fill fill = {.seed = 5};

  (void)state;
  for (int e = 0; e < HONE__ELEMENT_COUNT; e++) {
    const struct hone__element_info *info = hone__element_info((enum hone__element)e);
    struct moments moments = moments_of(&fill, (enum hone__element)e);
    if (info->is_float) {
      assert_true(moments.least >= -1 && moments.greatest < 1);
      assert_near(moments.mean, 0, info->size == 1 ? 0.05 : 0.01);
      assert_near(moments.deviation, 1 / sqrt(3), info->size == 1 ? 0.05 : 0.01);
      assert_true(moments.fractions > COUNT / 2);
    } else if (info->kind == HONE__KIND_BOOL) {
      assert_near(moments.mean, 0.5, 0.01);
    } else {
      assert_true(moments.least == (info->kind == HONE__KIND_SIGNED ? -2 : 0));
      assert_true(moments.greatest == 2);
      assert_near(moments.mean, info->kind == HONE__KIND_SIGNED ? 0 : 1, 0.02);
    }
  }
}

static void whole_numbers(void **state)
{
  struct hone__fill fill = {.kind = HONE__FILL_INTEGER};

  (void)state;
  for (int e = 0; e < HONE__ELEMENT_COUNT; e++) {
    const struct hone__element_info *info = hone__element_info((enum hone__element)e);
    struct moments moments = moments_of(&fill, (enum hone__element)e);
    assert_int_equal(moments.fractions, 0);
    if (info->is_float) {
      assert_true(moments.least == -2 && moments.greatest == 2);
      assert_near(moments.mean, 0, 0.02);
      assert_near(moments.deviation, sqrt(2), 0.02);
    }
  }
}

static void normal(void **state)
{
  struct hone__fill fill = {.kind = HONE__FILL_NORMAL}, other = {.kind = HONE__FILL_RANDN};

  (void)state;
  for (int e = 0; e < HONE__ELEMENT_COUNT; e++) {
    const struct hone__element_info *info = hone__element_info((enum hone__element)e);
    struct moments moments = moments_of(&fill, (enum hone__element)e);
    struct moments same = moments_of(&other, (enum hone__element)e);
    assert_memory_equal(&moments, &same, sizeof same);
    if (info->kind == HONE__KIND_BOOL) {
      assert_near(moments.mean, 0.617, 0.02);
    } else if (info->kind == HONE__KIND_UNSIGNED) {
      assert_true(moments.least == 0 && moments.greatest >= 3);
    } else {
      assert_near(moments.mean, 0, 0.02);
      assert_near(moments.deviation, info->is_float ? 1 : 1.04, 0.02);
      assert_true(moments.greatest > 3.4 && moments.least < -3.4);
    }
  }
}

/* Python's statistics.NormalDist().inv_cdf. */
static void quantiles(void **state)
{
  static const double rows[][2] = {{1e-300, -37.0470962993612},
                                   {1e-17, -8.4937932241096},
                                   {1.1102230246251565e-16, -8.209536151601386},
                                   {1e-12, -7.034483825301132},
                                   {1e-06, -4.753424308822899},
                                   {0.001, -3.090232306167813},
                                   {0.02425, -1.9729610513118845},
                                   {0.074, -1.4466320671589785},
                                   {0.075, -1.4395314709384557},
                                   {0.076, -1.4325027208258114},
                                   {0.3, -0.5244005127080407},
                                   {0.5, 0.0},
                                   {0.75, 0.6744897501960817},
                                   {0.925, 1.439531470938456},
                                   {0.9251, 1.4402382675279632},
                                   {0.999, 3.090232306167813},
                                   {0.999999999, 5.997807019601638}};

  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_near(hone__normal_quantile(rows[i][0]), rows[i][1], 2e-15 * (1 + fabs(rows[i][1])));
  assert_true(isfinite(hone__normal_quantile(0x1p-53)));
  assert_true(isfinite(hone__normal_quantile(1 - 0x1p-53)));
}

static void ranges(void **state)
{
  static const struct {
    enum hone__fill_kind kind;
    enum hone__element element;
    double low, high, least, greatest;
  } rows[] = {
      {HONE__FILL_AUTO, HONE__ELEMENT_I32, 5, 8, 5, 7},
      {HONE__FILL_UNIFORM, HONE__ELEMENT_I8, -10, 10, -10, 9},
      {HONE__FILL_UNIFORM, HONE__ELEMENT_U8, -10, 10, 0, 9},
      {HONE__FILL_INTEGER, HONE__ELEMENT_U8, 250, 1000, 250, 255},
      {HONE__FILL_INTEGER, HONE__ELEMENT_I8, -1e300, 1e300, -128, 127},
      {HONE__FILL_INTEGER, HONE__ELEMENT_U8, 300, 400, 255, 255},
      {HONE__FILL_INTEGER, HONE__ELEMENT_I16, 0.5, 2.5, 1, 2},
      {HONE__FILL_INTEGER, HONE__ELEMENT_I16, 4, 4, 4, 4},
      {HONE__FILL_INTEGER, HONE__ELEMENT_I16, 9, 4, 9, 9},
      {HONE__FILL_INTEGER, HONE__ELEMENT_BOOL, 1, 2, 1, 1},
      {HONE__FILL_INTEGER, HONE__ELEMENT_I64, -3, 4, -3, 3},
      {HONE__FILL_INTEGER, HONE__ELEMENT_U64, 0x1p63, 0x1p63 + 4096, 0x1p63, 0x1p63 + 4096},
      {HONE__FILL_INTEGER, HONE__ELEMENT_F32, 0, 10, 0, 9},
      {HONE__FILL_INTEGER, HONE__ELEMENT_BF16, 0, 1000, 0, 996},
      {HONE__FILL_INTEGER, HONE__ELEMENT_F16, -1e9, 1e9, -65504, 65472},
      {HONE__FILL_INTEGER, HONE__ELEMENT_I32, (double)NAN, 3, 0, 2},
      {HONE__FILL_UNIFORM, HONE__ELEMENT_F8E4M3, 0, 1, 0, 0.9375},
      {HONE__FILL_UNIFORM, HONE__ELEMENT_F8E5M2, 0, 1, 0, 0.875},
      {HONE__FILL_UNIFORM, HONE__ELEMENT_BF16, 0, 1, 0, 0.99609375},
      {HONE__FILL_UNIFORM, HONE__ELEMENT_F32, 0.25, 0.25, 0.25, 0.25},
      {HONE__FILL_UNIFORM, HONE__ELEMENT_F32, (double)NAN, (double)NAN, 0, 0},
  };

  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct hone__fill fill = {
        .kind = rows[i].kind, .ranged = true, .low = rows[i].low, .high = rows[i].high};
    struct moments moments = moments_of(&fill, rows[i].element);
    if (moments.least < rows[i].least || moments.greatest > rows[i].greatest ||
        (rows[i].greatest - rows[i].least < 2000 &&
         (moments.least > rows[i].least + 1e-3 || moments.greatest < rows[i].greatest)))
      fail_msg("row %zu: %.17g to %.17g", i, moments.least, moments.greatest);
  }
}

/* No rounding leaves [low, high), however wide it is. */
static void float_ranges(void **state)
{
  static const double bounds[][2] = {{0.1, 0.7}, {-1e308, 1e308}, {1, 1.001}, {-3e-5, 2e-5}};

  (void)state;
  for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
    for (int e = 0; e < HONE__ELEMENT_COUNT; e++) {
      struct hone__fill fill = {.ranged = true, .low = bounds[i][0], .high = bounds[i][1]};
      struct moments moments;
      if (!hone__element_info((enum hone__element)e)->is_float) continue;
      moments = moments_of(&fill, (enum hone__element)e);
      assert_true(isfinite(moments.least) && isfinite(moments.greatest));
      assert_true(moments.least >= fill.low && moments.greatest < fill.high);
    }
}

static void sequences(void **state)
{
  struct hone__fill fill = {.kind = HONE__FILL_ARANGE};
  static const struct {
    enum hone__element element;
    size_t index;
    double expected;
  } rows[] = {
      {HONE__ELEMENT_F32, 16777215, 16777215},
      {HONE__ELEMENT_F32, 16777216, 0},
      {HONE__ELEMENT_F16, 2047, 2047},
      {HONE__ELEMENT_F16, 2050, 2},
      {HONE__ELEMENT_F8E4M3, 15, 15},
      {HONE__ELEMENT_F8E5M2, 8, 0},
      {HONE__ELEMENT_I8, 127, 127},
      {HONE__ELEMENT_I8, 128, -128},
      {HONE__ELEMENT_U8, 257, 1},
      {HONE__ELEMENT_BOOL, 3, 1},
      {HONE__ELEMENT_BOOL, 4, 0},
      {HONE__ELEMENT_I32, 3000000000u, -1294967296.0},
      {HONE__ELEMENT_U32, 3000000000u, 3e9},
      {HONE__ELEMENT_I64, 3000000000u, 3e9},
  };

  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    unsigned char bytes[8];
    hone__fill(&fill, rows[i].element, bytes, rows[i].index, 1);
    assert_near(hone__element_get(rows[i].element, bytes, 0), rows[i].expected, 0);
  }
}

static void constants(void **state)
{
  struct hone__fill fill = {.kind = HONE__FILL_CONSTANT, .value = 2};
  struct moments moments;

  (void)state;
  for (int e = 0; e < HONE__ELEMENT_COUNT; e++) {
    double expected = e == HONE__ELEMENT_BOOL ? 1 : 2;
    fill.kind = HONE__FILL_CONSTANT;
    moments = moments_of(&fill, (enum hone__element)e);
    assert_true(moments.least == expected && moments.greatest == expected);
    fill.kind = HONE__FILL_ONE;
    moments = moments_of(&fill, (enum hone__element)e);
    assert_true(moments.least == 1 && moments.greatest == 1);
    fill.kind = HONE__FILL_FILE;
    moments = moments_of(&fill, (enum hone__element)e);
    assert_true(moments.least == 0 && moments.greatest == 0);
  }
}

/* Neighbours, and equal places in two streams, have nothing to do with each other. */
static void independence(void **state)
{
  struct hone__fill a = {.kind = HONE__FILL_UNIFORM}, b = {.kind = HONE__FILL_UNIFORM, .stream = 1};
  double *x = malloc(COUNT * sizeof *x), *y = malloc(COUNT * sizeof *y), next = 0, across = 0;
  size_t bins[64] = {0};
  double chi = 0;

  (void)state;
  hone__fill(&a, HONE__ELEMENT_F64, x, 0, COUNT);
  hone__fill(&b, HONE__ELEMENT_F64, y, 0, COUNT);
  for (size_t i = 0; i + 1 < COUNT; i++) {
    next += 3 * x[i] * x[i + 1] / COUNT;
    across += 3 * x[i] * y[i] / COUNT;
    bins[(size_t)((x[i] + 1) * 32)]++;
  }
  for (size_t i = 0; i < 64; i++)
    chi += (bins[i] - COUNT / 64.0) * (bins[i] - COUNT / 64.0) / (COUNT / 64.0);
  assert_near(next, 0, 0.015);
  assert_near(across, 0, 0.015);
  assert_near(chi, 63, 45);
  free(x);
  free(y);
}

static void names(void **state)
{
  enum hone__fill_kind kind;

  (void)state;
  for (int i = 0; i < HONE__FILL_KIND_COUNT; i++) {
    assert_true(hone__fill_kind_parse(hone__fill_kind_name((enum hone__fill_kind)i), &kind));
    assert_int_equal(kind, i);
  }
  assert_false(hone__fill_kind_parse("random", &kind));
  assert_int_equal(strncmp(hone__fill_kind_names(), "auto, integer, ", 15), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(splits),        cmocka_unit_test(seeds_and_streams),
      cmocka_unit_test(fixed_values),  cmocka_unit_test(automatic),
      cmocka_unit_test(whole_numbers), cmocka_unit_test(normal),
      cmocka_unit_test(quantiles),     cmocka_unit_test(ranges),
      cmocka_unit_test(float_ranges),  cmocka_unit_test(sequences),
      cmocka_unit_test(constants),     cmocka_unit_test(independence),
      cmocka_unit_test(names),         cmocka_unit_test(parts),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
