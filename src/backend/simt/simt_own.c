/* Our own kernels, whose code the kind provides. `hone_empty` does nothing. `hone_spin` lasts for
 * some cycles. `hone_differ` compares 16-byte words, or bytes, and keeps the index of the first
 * that differs. `hone_many` has a table of addresses, one for each row of its grid: it copies to
 * them all, or keeps the index of the first that differs, by words of 16 or 4 bytes, or bytes.
 * Without them (in some containers the driver has no compiler) the host compares, and the time of
 * an empty kernel is not known. */
#include "backend/simt/simt_gpu.h"

#include <stdlib.h>

enum { WORD = 16, THREADS = 256, MOST_BLOCKS = 2048, CHUNK = 4 << 20, BLOCKS_OF_ROW = 64 };

/* ---- The module ---- */

void hone__simt_own_unload(struct hone__simt_gpu *gpu)
{
  if (gpu->own.first) gpu->api->MemFree(gpu->own.first);
  if (gpu->own.table) gpu->api->MemFree(gpu->own.table);
  if (gpu->own.module) gpu->api->ModuleUnload(gpu->own.module);
  gpu->own = (struct hone__simt_own){0};
}

void hone__simt_own_load(struct hone__simt_gpu *gpu)
{
  const struct hone__simt_library *api = gpu->api;
  struct hone__simt_own *own = &gpu->own;
  char *code = api->kind->own_module(gpu);

  if (!code || api->ModuleLoadDataEx(&own->module, code, 0, NULL, NULL) != 0) own->module = NULL;
  free(code);
  if (!own->module) return;
  if (api->ModuleGetFunction(&own->empty, own->module, "hone_empty") != 0 ||
      api->ModuleGetFunction(&own->spin, own->module, "hone_spin") != 0 ||
      api->ModuleGetFunction(&own->differ, own->module, "hone_differ") != 0 ||
      api->ModuleGetFunction(&own->many, own->module, "hone_many") != 0 ||
      api->MemAlloc(&own->first, sizeof(uint64_t)) != 0 ||
      api->MemAlloc(&own->table, HONE__GPU_MOST_SETS * sizeof(simt_address)) != 0)
    hone__simt_own_unload(gpu);
}

/* ---- Holding the stream ---- */

bool hone__simt_hold(struct hone__simt_gpu *gpu, double us)
{
  uint64_t cycles = (uint64_t)(us * (gpu->clock_khz > 0 ? gpu->clock_khz : 1000000) / 1000);
  void *params[] = {&cycles};

  if (!gpu->own.module) return true;
  return !hone__simt_fails(
      gpu, gpu->api->LaunchKernel(gpu->own.spin, 1, 1, 1, 1, 1, 1, 0, gpu->stream, params, NULL),
      "cannot launch the kernel");
}

/* ---- Comparing ---- */

struct pair {
  simt_address one, other;
};

/* The index of the first item that differs, `count` if none does. */
static bool compare(struct hone__simt_gpu *gpu, struct pair pair, uint64_t count, uint64_t width,
                    uint64_t *out_first)
{
  const struct hone__simt_library *api = gpu->api;
  uint64_t blocks = (count + THREADS - 1) / THREADS;
  void *params[] = {&pair.one, &pair.other, &count, &width, &gpu->own.first};

  *out_first = count;
  if (!count) return true;
  if (blocks > MOST_BLOCKS) blocks = MOST_BLOCKS;
  return !hone__simt_fails(gpu, api->MemcpyHtoD(gpu->own.first, out_first, sizeof *out_first),
                           "cannot compare on the device") &&
         !hone__simt_fails(gpu, api->CtxSynchronize(), "cannot compare on the device") &&
         !hone__simt_fails(gpu,
                           api->LaunchKernel(gpu->own.differ, (unsigned)blocks, 1, 1, THREADS, 1, 1,
                                             0, gpu->stream, params, NULL),
                           "cannot compare on the device") &&
         !hone__simt_fails(gpu, api->StreamSynchronize(gpu->stream),
                           "cannot compare on the device") &&
         !hone__simt_fails(gpu, api->MemcpyDtoH(out_first, gpu->own.first, sizeof *out_first),
                           "cannot compare on the device");
}

/* Words first, then the bytes of the first word that differs, or those after the last word. */
static bool compare_on_device(struct hone__simt_gpu *gpu, struct pair pair, size_t bytes,
                              size_t *out_first)
{
  bool is_aligned = pair.one % WORD == 0 && pair.other % WORD == 0;
  uint64_t words = is_aligned ? bytes / WORD : 0, first = 0, start, rest;

  if (!compare(gpu, pair, words, WORD, &first)) return false;
  start = first * WORD;
  rest = first < words ? WORD : bytes - start;
  if (!compare(gpu, (struct pair){pair.one + start, pair.other + start}, rest, 1, &first))
    return false;
  *out_first = (size_t)(start + first);
  return true;
}

static size_t first_difference(const char *one, const char *other, size_t bytes)
{
  size_t i = 0;

  if (memcmp(one, other, bytes) == 0) return bytes;
  while (one[i] == other[i])
    i++;
  return i;
}

static bool compare_on_host(struct hone__simt_gpu *gpu, struct pair pair, size_t bytes,
                            size_t *out_first)
{
  char *one = hone__alloc(2 * (size_t)CHUNK), *other = one + CHUNK;
  bool works = true;

  *out_first = bytes;
  for (size_t done = 0; works && done < bytes; done += CHUNK) {
    size_t size = bytes - done < CHUNK ? bytes - done : CHUNK, first = size;
    works = !hone__simt_fails(gpu, gpu->api->MemcpyDtoH(one, pair.one + done, size),
                              "cannot read from the device") &&
            !hone__simt_fails(gpu, gpu->api->MemcpyDtoH(other, pair.other + done, size),
                              "cannot read from the device");
    if (works) first = first_difference(one, other, size);
    if (first == size) continue;
    *out_first = done + first;
    break;
  }
  free(one);
  return works;
}

bool hone__simt_differ(struct hone__gpu *base, struct hone__gpu_memory *one, size_t one_offset,
                       struct hone__gpu_memory *other, size_t other_offset, size_t bytes,
                       size_t *out_first)
{
  struct hone__simt_gpu *gpu = hone__simt_gpu(base);
  struct pair pair = {one->address + one_offset, other->address + other_offset};

  return (gpu->own.module ? compare_on_device : compare_on_host)(gpu, pair, bytes, out_first);
}

/* ---- Many at once ---- */

static bool write_table(struct hone__simt_gpu *gpu, struct hone__gpu_memory *const *many,
                        size_t count)
{
  simt_address table[HONE__GPU_MOST_SETS];

  for (size_t i = 0; i < count; i++)
    table[i] = many[i]->address;
  return !hone__simt_fails(gpu, gpu->api->MemcpyHtoD(gpu->own.table, table, count * sizeof *table),
                           "cannot write to the device");
}

/* Of the bits of sizes and addresses; allocations are aligned. */
static uint64_t widest(uint64_t bits)
{
  return bits % WORD == 0 ? WORD : bits % 4 == 0 ? 4 : 1;
}

/* `first`: receives the index of the first that differs; 0: copies `from` to all. */
static bool run_many(struct hone__simt_gpu *gpu, struct hone__gpu_memory *const *many, size_t count,
                     uint64_t offset, simt_address from, size_t bytes, simt_address first)
{
  uint64_t width = widest(bytes | offset | from), items = bytes / width;
  uint64_t blocks = (items + THREADS - 1) / THREADS;
  void *params[] = {&gpu->own.table, &offset, &from, &items, &width, &first};

  if (blocks > BLOCKS_OF_ROW) blocks = BLOCKS_OF_ROW;
  return write_table(gpu, many, count) &&
         !hone__simt_fails(gpu, gpu->api->CtxSynchronize(), "cannot write to the device") &&
         !hone__simt_fails(gpu,
                           gpu->api->LaunchKernel(gpu->own.many, (unsigned)blocks, (unsigned)count,
                                                  1, THREADS, 1, 1, 0, gpu->stream, params, NULL),
                           "cannot launch the kernel") &&
         !hone__simt_fails(gpu, gpu->api->StreamSynchronize(gpu->stream),
                           "cannot copy on the device");
}

bool hone__simt_spread(struct hone__gpu *base, struct hone__gpu_memory *const *to, size_t count,
                       size_t to_offset, struct hone__gpu_memory *from, size_t from_offset,
                       size_t bytes)
{
  struct hone__simt_gpu *gpu = hone__simt_gpu(base);
  bool copied = true;

  if (!bytes || !count) return true;
  if (gpu->own.module)
    return run_many(gpu, to, count, to_offset, from->address + from_offset, bytes, 0);
  for (size_t i = 0; i < count && copied; i++)
    copied = base->driver->copy(base, to[i], to_offset, from, from_offset, bytes);
  return copied;
}

bool hone__simt_differ_any(struct hone__gpu *base, struct hone__gpu_memory *const *many,
                           size_t count, size_t offset, struct hone__gpu_memory *other,
                           size_t other_offset, size_t bytes, size_t *out_which)
{
  struct hone__simt_gpu *gpu = hone__simt_gpu(base);
  uint64_t which = count;
  size_t first = bytes;

  *out_which = count;
  if (!bytes || !count) return true;
  if (!gpu->own.module) {
    for (size_t i = 0; i < count && first == bytes; i++) {
      if (!hone__simt_differ(base, many[i], offset, other, other_offset, bytes, &first))
        return false;
      if (first < bytes) *out_which = i;
    }
    return true;
  }
  if (hone__simt_fails(gpu, gpu->api->MemcpyHtoD(gpu->own.first, &which, sizeof which),
                       "cannot compare on the device") ||
      !run_many(gpu, many, count, offset, other->address + other_offset, bytes, gpu->own.first) ||
      hone__simt_fails(gpu, gpu->api->MemcpyDtoH(&which, gpu->own.first, sizeof which),
                       "cannot compare on the device"))
    return false;
  *out_which = (size_t)which;
  return true;
}
