/* How many of the warps that a multiprocessor can hold this kernel lets it hold: the least of what
 * threads, blocks, registers and shared memory allow. Registers are handed out in pieces of 256 to
 * warps, which live in four parts of the multiprocessor; shared memory in pieces of 128 bytes. */
#include "backend/cuda/cuda_costs.h"

#include <stdint.h>

enum {
  PARTS = 4,
  REGISTERS_PER_PIECE = 256,
  SHARED_PER_PIECE = 128,
  SHARED_PER_PIECE_BEFORE_80 = 256,
  AMPERE = 80
};

static long long number(const json_t *object, const char *name)
{
  return (long long)json_integer_value(json_object_get(object, name));
}

static long long round_up(long long value, long long step)
{
  return (value + step - 1) / step * step;
}

static long long least(long long a, long long b)
{
  return a < b ? a : b;
}

/* 0: the launch does not tell. */
static long long threads_of(const json_t *candidate)
{
  const json_t *local = json_object_get(json_object_get(candidate, "launch"), "local");
  long long threads = json_array_size(local) ? 1 : 0;

  for (size_t i = 0; i < json_array_size(local); i++) {
    long long size = (long long)json_integer_value(json_array_get(local, i));
    if (size < 1 || size > 1024) return 0;
    threads *= size;
  }
  return threads;
}

static long long blocks_by_registers(const json_t *target, long long registers, long long warps,
                                     long long warp_size)
{
  long long per_warp = round_up(registers * warp_size, REGISTERS_PER_PIECE);
  long long of_part = number(target, "registers_per_sm") / PARTS;

  if (per_warp <= 0) return INT32_MAX;
  return of_part / per_warp * PARTS / round_up(warps, PARTS);
}

static long long blocks_by_shared(const json_t *target, long long bytes)
{
  long long piece =
      number(target, "compute_capability") < AMPERE ? SHARED_PER_PIECE_BEFORE_80 : SHARED_PER_PIECE;
  long long taken = round_up(bytes + number(target, "shared_reserved_bytes"), piece);

  return taken > 0 ? number(target, "shared_per_sm_bytes") / taken : INT32_MAX;
}

void hone__cuda_occupancy(const json_t *target, const json_t *candidate, json_t *costs)
{
  long long threads = threads_of(candidate), warp_size = number(target, "warp_size");
  long long most_threads = number(target, "max_threads_per_sm"), warps, most_warps, blocks;
  long long shared =
      number(costs, "shared_bytes") + number(json_object_get(candidate, "launch"), "shared");

  if (threads < 1 || warp_size < 1 || most_threads < warp_size ||
      !json_object_get(costs, "registers") || number(target, "registers_per_sm") < 1 || shared < 0)
    return;
  warps = (threads + warp_size - 1) / warp_size;
  most_warps = most_threads / warp_size;
  blocks = least(most_warps / warps,
                 blocks_by_registers(target, number(costs, "registers"), warps, warp_size));
  blocks = least(blocks, blocks_by_shared(target, shared));
  if (number(target, "max_blocks_per_sm") > 0)
    blocks = least(blocks, number(target, "max_blocks_per_sm"));
  json_object_set_new(costs, "occupancy", json_real((double)(blocks * warps) / (double)most_warps));
}
