/* The share of the waves of a compute unit (of RDNA: of a pair of them, a "work-group processor")
 * that this kernel can use: the least that waves, registers and LDS allow. Registers belong to one
 * of four SIMDs, and are allocated to waves in pieces; LDS is allocated to blocks.
 */
#include "backend/hip/hip_costs.h"

#include <stdint.h>

enum { SIMDS = 4 };

static const struct {
  const char *arch; /* a prefix; the first that fits */
  int registers_per_piece, shared_per_piece;
} pieces[] = {
    {"gfx90a", 8, 512},   {"gfx94", 8, 512}, {"gfx95", 8, 1280},  {"gfx9", 4, 512},
    {"gfx103", 16, 1024}, {"gfx10", 8, 512}, {"gfx11", 24, 1024}, {"gfx12", 24, 1024},
};

static int64_t of_target(const struct hone__wire_device_facts *target, const char *name)
{
  return (int64_t)hone__named_number(target->other, target->other_count, name);
}

static int64_t of_costs(const struct hone__named_list *costs, const char *name)
{
  return (int64_t)hone__named_number(costs->items, costs->count, name);
}

static int64_t round_up(int64_t value, int64_t step)
{
  return (value + step - 1) / step * step;
}

static int64_t least(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* 0: the launch does not give it. */
static int64_t threads_of(const struct hone__kernel_launch *launch)
{
  int64_t threads = launch->local_count ? 1 : 0;

  for (size_t i = 0; i < launch->local_count; i++) {
    if (launch->local[i] < 1 || launch->local[i] > 1024) return 0;
    threads *= launch->local[i];
  }
  return threads;
}

/* The pieces of this architecture; false: not known. */
static bool find_pieces(const char *arch, size_t *out_index)
{
  for (*out_index = 0; arch && *out_index < sizeof pieces / sizeof *pieces; ++*out_index)
    if (hone__starts_with(arch, pieces[*out_index].arch)) return true;
  return false;
}

/* Waves of a SIMD. */
static int64_t waves_by_registers(const struct hone__wire_device_facts *target, int64_t registers,
                                  int64_t wave_size, int64_t piece)
{
  int64_t of_lane = of_target(target, "registers_per_sm") / SIMDS / wave_size;

  return registers > 0 ? of_lane / round_up(registers, piece) : INT32_MAX;
}

static int64_t blocks_by_shared(const struct hone__wire_device_facts *target, int64_t bytes,
                                int64_t piece)
{
  int64_t taken = round_up(bytes, piece);

  return taken > 0 ? of_target(target, "shared_per_sm_bytes") / taken : INT32_MAX;
}

static void add_occupancy(const struct hone__wire_device_facts *target,
                          const struct hone__kernel_launch *launch, struct hone__named_list *costs)
{
  int64_t threads = threads_of(launch), wave_size = of_costs(costs, "wave_size");
  int64_t shared = of_costs(costs, "shared_bytes") + launch->shared, most, waves, fit, blocks;
  size_t i;

  if (wave_size < 1) wave_size = of_target(target, "warp_size");
  if (threads < 1 || wave_size < 1 || shared < 0 || !find_pieces(target->arch, &i) ||
      !hone__named_find(costs->items, costs->count, "registers") ||
      of_target(target, "registers_per_sm") < 1)
    return;
  most = of_target(target, "max_threads_per_sm") / wave_size / SIMDS;
  if (most < 1) return;
  waves = (threads + wave_size - 1) / wave_size;
  fit = least(most, waves_by_registers(target, of_costs(costs, "registers"), wave_size,
                                       pieces[i].registers_per_piece));
  blocks = least(fit * SIMDS / waves, blocks_by_shared(target, shared, pieces[i].shared_per_piece));
  hone__named_real(costs, "occupancy", (double)(blocks * waves) / (double)(most * SIMDS));
}

void hone__hip_occupancy(const struct hone__wire_device_facts *target,
                         const struct hone__kernel_candidate *candidate,
                         struct hone__named_list *costs)
{
  if (target && candidate->launch) add_occupancy(target, candidate->launch, costs);
}
