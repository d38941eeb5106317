/* Filling and copying memory are the fastest operations of a library; the shortest of several
 * measurements counts. A device that is a CPU is measured as one: for small arrays its caches are
 * faster than any fill of a large one shows.
 */
#include "backend/gpu/gpu_speed.h"

#include "backend/cpu_speed.h"
#include "base/clock.h"

#include <math.h>
#include <string.h>

enum { LARGE = 32 << 20, SMALL = 4096, ROUNDS = 10 };

/* Sparse matrix operations on 4-bit floats take 74 thousand a cycle of a multiprocessor today. */
static const double FLOP_A_CYCLE = 131072;

struct areas {
  struct hone__gpu *gpu;
  struct hone__gpu_memory *one, *other;
};

static bool fill(const struct areas *areas, size_t bytes)
{
  return areas->gpu->driver->fill(areas->gpu, areas->one, 0, 0x5a, bytes);
}

static bool copy(const struct areas *areas, size_t bytes)
{
  return areas->gpu->driver->copy(areas->gpu, areas->other, 0, areas->one, 0, bytes);
}

static double least_s(const struct areas *areas, bool (*act)(const struct areas *, size_t),
                      size_t bytes)
{
  double least = INFINITY;

  for (int i = 0; i < ROUNDS; i++) {
    double began = hone__clock();
    if (!act(areas, bytes)) return NAN;
    least = fmin(least, hone__clock() - began);
  }
  return least;
}

/* Without the constant cost of a call. */
static double ns_a_byte(const struct areas *areas, bool (*act)(const struct areas *, size_t))
{
  double large = least_s(areas, act, LARGE), small = least_s(areas, act, SMALL);

  return 1e9 * (large - small) / (LARGE - SMALL);
}

/* A copy also reads: as many bytes as it writes. */
void hone__gpu_measure_fill(struct hone__gpu *gpu, struct hone__named_list *facts)
{
  const struct hone__gpu_driver *driver = gpu->driver;
  struct areas areas = {.gpu = gpu};
  double least = NAN;

  if (driver->allocate(gpu, LARGE, &areas.one) && driver->allocate(gpu, LARGE, &areas.other))
    least = fmin(ns_a_byte(&areas, fill), ns_a_byte(&areas, copy) / 2);
  if (areas.one) driver->release(gpu, areas.one);
  if (areas.other) driver->release(gpu, areas.other);
  if (isfinite(least) && least > 0) hone__named_real(facts, "fill_ns_per_byte", least);
}

/* ---- In the runner ---- */

static double number(const struct hone__named_list *facts, const char *name)
{
  return hone__named_number(facts->items, facts->count, name);
}

/* Twice a cycle over the whole bus; infinite if the device does not report it. */
static double bus_ns_a_byte(const struct hone__named_list *facts)
{
  double bytes_a_second =
      2 * 1e6 * number(facts, "memory_clock_mhz") * number(facts, "bus_bits") / 8;

  return bytes_a_second > 0 ? 1e9 / bytes_a_second : INFINITY;
}

static void set_positive(struct hone__named_list *facts, const char *name, double value)
{
  if (isfinite(value) && value > 0) hone__named_real(facts, name, value);
}

void hone__gpu_add_limits(const char *kind, struct hone__named_list *facts)
{
  double bytes = number(facts, "written_bytes"), measured = number(facts, "fill_ns_per_byte");

  if (kind && strcmp(kind, "cpu") == 0) {
    set_positive(facts, "fill_ns", hone__backend_cpu_fill_ns((size_t)bytes));
    set_positive(facts, "peak_flops", hone__backend_cpu_peak_flops());
    return;
  }
  if (measured > 0) set_positive(facts, "fill_ns", bytes * fmin(measured, bus_ns_a_byte(facts)));
  set_positive(facts, "peak_flops",
               number(facts, "sm_count") * 1e6 * number(facts, "clock_mhz") * FLOP_A_CYCLE);
}
