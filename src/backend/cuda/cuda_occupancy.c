/* The share of a multiprocessor's warps that this kernel can use: the least that threads, blocks,
 * registers and shared memory allow. Registers are allocated to warps in units of 256, in four
 * parts of the multiprocessor; shared memory in units of 128 bytes.
 */
#include "backend/cuda/cuda_costs.h"

#include <stdint.h>

enum {
  PARTS = 4,
  REGISTERS_PER_PIECE = 256,
  SHARED_PER_PIECE = 128,
  SHARED_PER_PIECE_BEFORE_80 = 256,
  AMPERE = 80
};

static long long of_target(const struct hone__wire_device_facts *target, const char *name)
{
  return (long long)hone__named_number(target->other, target->other_count, name);
}

static long long of_costs(const struct hone__named_list *costs, const char *name)
{
  return (long long)hone__named_number(costs->items, costs->count, name);
}

static long long round_up(long long value, long long step)
{
  return (value + step - 1) / step * step;
}

static long long least(long long a, long long b)
{
  return a < b ? a : b;
}

/* 0: the launch does not give it. */
static long long threads_of(const struct hone__kernel_launch *launch)
{
  long long threads = launch->local_count ? 1 : 0;

  for (size_t i = 0; i < launch->local_count; i++) {
    if (launch->local[i] < 1 || launch->local[i] > 1024) return 0;
    threads *= launch->local[i];
  }
  return threads;
}

static long long blocks_by_registers(const struct hone__wire_device_facts *target,
                                     long long registers, long long warps, long long warp_size)
{
  long long per_warp = round_up(registers * warp_size, REGISTERS_PER_PIECE);
  long long of_part = of_target(target, "registers_per_sm") / PARTS;

  if (per_warp <= 0) return INT32_MAX;
  return of_part / per_warp * PARTS / round_up(warps, PARTS);
}

static long long blocks_by_shared(const struct hone__wire_device_facts *target, long long bytes)
{
  long long piece = of_target(target, "compute_capability") < AMPERE ? SHARED_PER_PIECE_BEFORE_80
                                                                     : SHARED_PER_PIECE;
  long long taken = round_up(bytes + of_target(target, "shared_reserved_bytes"), piece);

  return taken > 0 ? of_target(target, "shared_per_sm_bytes") / taken : INT32_MAX;
}

static void add_occupancy(const struct hone__wire_device_facts *target,
                          const struct hone__kernel_launch *launch, struct hone__named_list *costs)
{
  long long threads = threads_of(launch), warp_size = of_target(target, "warp_size");
  long long most_threads = of_target(target, "max_threads_per_sm"), warps, most_warps, blocks;
  long long shared = of_costs(costs, "shared_bytes") + launch->shared;

  if (threads < 1 || warp_size < 1 || most_threads < warp_size ||
      !hone__named_find(costs->items, costs->count, "registers") ||
      of_target(target, "registers_per_sm") < 1 || shared < 0)
    return;
  warps = (threads + warp_size - 1) / warp_size;
  most_warps = most_threads / warp_size;
  blocks = least(most_warps / warps,
                 blocks_by_registers(target, of_costs(costs, "registers"), warps, warp_size));
  blocks = least(blocks, blocks_by_shared(target, shared));
  if (of_target(target, "max_blocks_per_sm") > 0)
    blocks = least(blocks, of_target(target, "max_blocks_per_sm"));
  hone__named_real(costs, "occupancy", (double)(blocks * warps) / (double)most_warps);
}

void hone__cuda_occupancy(const struct hone__wire_device_facts *target,
                          const struct hone__kernel_candidate *candidate,
                          struct hone__named_list *costs)
{
  if (target && candidate->launch) add_occupancy(target, candidate->launch, costs);
}
