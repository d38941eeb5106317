/* Our own kernels, as PTX that the driver compiles: they need neither NVRTC nor a binary for every
 * architecture. `hone__differ` compares 16-byte words, or bytes, and keeps the index of the first
 * that differs. `hone__many` has a table of addresses, one for each row of its grid: it copies to
 * them all, or keeps the index of the first that differs, by 4-byte words or bytes. If the driver
 * has no PTX compiler (in some containers), the host compares, and there is no floor.
 */
#include "backend/cuda/cuda_gpu.h"

#include <stdlib.h>

static const char ptx[] =
    ".version 6.0\n"
    ".target sm_50\n"
    ".address_size 64\n"
    ".visible .entry hone_empty()\n"
    "{\n"
    "  ret;\n"
    "}\n"
    ".visible .entry hone_spin(.param .u64 cycles)\n"
    "{\n"
    "  .reg .u64 %limit, %begin, %now;\n"
    "  .reg .pred %p;\n"
    "  ld.param.u64 %limit, [cycles];\n"
    "  mov.u64 %begin, %clock64;\n"
    "again:\n"
    "  mov.u64 %now, %clock64;\n"
    "  sub.u64 %now, %now, %begin;\n"
    "  setp.lt.u64 %p, %now, %limit;\n"
    "  @%p bra again;\n"
    "  ret;\n"
    "}\n"
    ".visible .entry hone_many(.param .u64 table, .param .u64 offset, .param .u64 other,\n"
    "                          .param .u64 count, .param .u64 width, .param .u64 first)\n"
    "{\n"
    "  .reg .u64 %a, %b, %n, %w, %f, %i, %step, %pa, %pb, %d, %row;\n"
    "  .reg .u32 %thread, %threads, %block, %blocks, %u, %v, %y;\n"
    "  .reg .pred %p, %wide, %copies;\n"
    "  ld.param.u64 %a, [table];\n"
    "  ld.param.u64 %d, [offset];\n"
    "  ld.param.u64 %b, [other];\n"
    "  ld.param.u64 %n, [count];\n"
    "  ld.param.u64 %w, [width];\n"
    "  ld.param.u64 %f, [first];\n"
    "  cvta.to.global.u64 %a, %a;\n"
    "  cvta.to.global.u64 %b, %b;\n"
    "  mov.u32 %y, %ctaid.y;\n"
    "  cvt.u64.u32 %row, %y;\n"
    "  shl.b64 %i, %row, 3;\n"
    "  add.u64 %a, %a, %i;\n"
    "  ld.global.u64 %a, [%a];\n"
    "  add.u64 %a, %a, %d;\n"
    "  cvta.to.global.u64 %a, %a;\n"
    "  setp.eq.u64 %copies, %f, 0;\n"
    "  setp.eq.u64 %wide, %w, 4;\n"
    "  mov.u32 %thread, %tid.x;\n"
    "  mov.u32 %threads, %ntid.x;\n"
    "  mov.u32 %block, %ctaid.x;\n"
    "  mov.u32 %blocks, %nctaid.x;\n"
    "  mul.wide.u32 %i, %block, %threads;\n"
    "  cvt.u64.u32 %d, %thread;\n"
    "  add.u64 %i, %i, %d;\n"
    "  mul.wide.u32 %step, %threads, %blocks;\n"
    "loop:\n"
    "  setp.ge.u64 %p, %i, %n;\n"
    "  @%p ret;\n"
    "  mul.lo.u64 %d, %i, %w;\n"
    "  add.u64 %pa, %a, %d;\n"
    "  add.u64 %pb, %b, %d;\n"
    "  @!%wide bra bytes;\n"
    "  ld.global.u32 %v, [%pb];\n"
    "  @%copies st.global.u32 [%pa], %v;\n"
    "  @%copies bra next;\n"
    "  ld.global.u32 %u, [%pa];\n"
    "  bra judge;\n"
    "bytes:\n"
    "  ld.global.u8 %v, [%pb];\n"
    "  @%copies st.global.u8 [%pa], %v;\n"
    "  @%copies bra next;\n"
    "  ld.global.u8 %u, [%pa];\n"
    "judge:\n"
    "  setp.eq.u32 %p, %u, %v;\n"
    "  @%p bra next;\n"
    "  cvta.to.global.u64 %d, %f;\n"
    "  atom.global.min.u64 %d, [%d], %row;\n"
    "  ret;\n"
    "next:\n"
    "  add.u64 %i, %i, %step;\n"
    "  bra loop;\n"
    "}\n"
    ".visible .entry hone_differ(.param .u64 one, .param .u64 other, .param .u64 count,\n"
    "                            .param .u64 width, .param .u64 first)\n"
    "{\n"
    "  .reg .u64 %a, %b, %n, %w, %f, %i, %step, %pa, %pb, %x0, %x1, %y0, %y1, %d;\n"
    "  .reg .u32 %thread, %threads, %block, %blocks, %u, %v;\n"
    "  .reg .pred %p, %wide;\n"
    "  ld.param.u64 %a, [one];\n"
    "  ld.param.u64 %b, [other];\n"
    "  ld.param.u64 %n, [count];\n"
    "  ld.param.u64 %w, [width];\n"
    "  ld.param.u64 %f, [first];\n"
    "  cvta.to.global.u64 %a, %a;\n"
    "  cvta.to.global.u64 %b, %b;\n"
    "  cvta.to.global.u64 %f, %f;\n"
    "  mov.u32 %thread, %tid.x;\n"
    "  mov.u32 %threads, %ntid.x;\n"
    "  mov.u32 %block, %ctaid.x;\n"
    "  mov.u32 %blocks, %nctaid.x;\n"
    "  mul.wide.u32 %i, %block, %threads;\n"
    "  cvt.u64.u32 %d, %thread;\n"
    "  add.u64 %i, %i, %d;\n"
    "  mul.wide.u32 %step, %threads, %blocks;\n"
    "  setp.eq.u64 %wide, %w, 16;\n"
    "loop:\n"
    "  setp.ge.u64 %p, %i, %n;\n"
    "  @%p ret;\n"
    "  @!%wide bra bytes;\n"
    "  shl.b64 %d, %i, 4;\n"
    "  add.u64 %pa, %a, %d;\n"
    "  add.u64 %pb, %b, %d;\n"
    "  ld.global.v2.u64 {%x0, %x1}, [%pa];\n"
    "  ld.global.v2.u64 {%y0, %y1}, [%pb];\n"
    "  xor.b64 %x0, %x0, %y0;\n"
    "  xor.b64 %x1, %x1, %y1;\n"
    "  or.b64 %x0, %x0, %x1;\n"
    "  bra judge;\n"
    "bytes:\n"
    "  add.u64 %pa, %a, %i;\n"
    "  add.u64 %pb, %b, %i;\n"
    "  ld.global.u8 %u, [%pa];\n"
    "  ld.global.u8 %v, [%pb];\n"
    "  xor.b32 %u, %u, %v;\n"
    "  cvt.u64.u32 %x0, %u;\n"
    "judge:\n"
    "  setp.eq.u64 %p, %x0, 0;\n"
    "  @%p bra next;\n"
    "  atom.global.min.u64 %d, [%f], %i;\n"
    "next:\n"
    "  add.u64 %i, %i, %step;\n"
    "  bra loop;\n"
    "}\n";

enum { WORD = 16, THREADS = 256, MOST_BLOCKS = 2048, CHUNK = 4 << 20, BLOCKS_OF_ROW = 64 };

/* ---- The module ---- */

void hone__cuda_own_unload(struct hone__cuda_gpu *gpu)
{
  if (gpu->own.first) gpu->cuda->MemFree_v2(gpu->own.first);
  if (gpu->own.table) gpu->cuda->MemFree_v2(gpu->own.table);
  if (gpu->own.module) gpu->cuda->ModuleUnload(gpu->own.module);
  gpu->own = (struct hone__cuda_own){0};
}

void hone__cuda_own_load(struct hone__cuda_gpu *gpu)
{
  const struct hone__cuda_library *cuda = gpu->cuda;
  struct hone__cuda_own *own = &gpu->own;

  if (cuda->ModuleLoadDataEx(&own->module, ptx, 0, NULL, NULL) != 0) own->module = NULL;
  if (!own->module) return;
  if (cuda->ModuleGetFunction(&own->empty, own->module, "hone_empty") != 0 ||
      cuda->ModuleGetFunction(&own->spin, own->module, "hone_spin") != 0 ||
      cuda->ModuleGetFunction(&own->differ, own->module, "hone_differ") != 0 ||
      cuda->ModuleGetFunction(&own->many, own->module, "hone_many") != 0 ||
      cuda->MemAlloc_v2(&own->first, sizeof(uint64_t)) != 0 ||
      cuda->MemAlloc_v2(&own->table, HONE__GPU_MOST_SETS * sizeof(cuda_address)) != 0)
    hone__cuda_own_unload(gpu);
}

/* ---- Holding the stream ---- */

bool hone__cuda_hold(struct hone__cuda_gpu *gpu, double us)
{
  uint64_t cycles = (uint64_t)(us * (gpu->clock_khz > 0 ? gpu->clock_khz : 1000000) / 1000);
  void *params[] = {&cycles};

  if (!gpu->own.module) return true;
  return !hone__cuda_fails(
      gpu, gpu->cuda->LaunchKernel(gpu->own.spin, 1, 1, 1, 1, 1, 1, 0, gpu->stream, params, NULL),
      "launch");
}

/* ---- Comparing ---- */

struct pair {
  cuda_address one, other;
};

/* The index of the first item that differs, `count` if none does. */
static bool compare(struct hone__cuda_gpu *gpu, struct pair pair, uint64_t count, uint64_t width,
                    uint64_t *out_first)
{
  const struct hone__cuda_library *cuda = gpu->cuda;
  uint64_t blocks = (count + THREADS - 1) / THREADS;
  void *params[] = {&pair.one, &pair.other, &count, &width, &gpu->own.first};

  *out_first = count;
  if (!count) return true;
  if (blocks > MOST_BLOCKS) blocks = MOST_BLOCKS;
  return !hone__cuda_fails(gpu, cuda->MemcpyHtoD_v2(gpu->own.first, out_first, sizeof *out_first),
                           "compare") &&
         !hone__cuda_fails(gpu, cuda->CtxSynchronize(), "compare") &&
         !hone__cuda_fails(gpu,
                           cuda->LaunchKernel(gpu->own.differ, (unsigned)blocks, 1, 1, THREADS, 1,
                                              1, 0, gpu->stream, params, NULL),
                           "compare") &&
         !hone__cuda_fails(gpu, cuda->StreamSynchronize(gpu->stream), "compare") &&
         !hone__cuda_fails(gpu, cuda->MemcpyDtoH_v2(out_first, gpu->own.first, sizeof *out_first),
                           "compare");
}

/* Words first, then the bytes of the first word that differs, or those after the last word. */
static bool compare_on_device(struct hone__cuda_gpu *gpu, struct pair pair, size_t bytes,
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

static bool compare_on_host(struct hone__cuda_gpu *gpu, struct pair pair, size_t bytes,
                            size_t *out_first)
{
  char *one = hone__alloc(2 * (size_t)CHUNK), *other = one + CHUNK;
  bool works = true;

  *out_first = bytes;
  for (size_t done = 0; works && done < bytes; done += CHUNK) {
    size_t size = bytes - done < CHUNK ? bytes - done : CHUNK, first = size;
    works =
        !hone__cuda_fails(gpu, gpu->cuda->MemcpyDtoH_v2(one, pair.one + done, size), "read") &&
        !hone__cuda_fails(gpu, gpu->cuda->MemcpyDtoH_v2(other, pair.other + done, size), "read");
    if (works) first = first_difference(one, other, size);
    if (first == size) continue;
    *out_first = done + first;
    break;
  }
  free(one);
  return works;
}

bool hone__cuda_differ(struct hone__gpu *base, struct hone__gpu_memory *one, size_t one_offset,
                       struct hone__gpu_memory *other, size_t other_offset, size_t bytes,
                       size_t *out_first)
{
  struct hone__cuda_gpu *gpu = hone__cuda_gpu(base);
  struct pair pair = {one->address + one_offset, other->address + other_offset};

  return (gpu->own.module ? compare_on_device : compare_on_host)(gpu, pair, bytes, out_first);
}

/* ---- Many at once ---- */

static bool write_table(struct hone__cuda_gpu *gpu, struct hone__gpu_memory *const *many,
                        size_t count)
{
  cuda_address table[HONE__GPU_MOST_SETS];

  for (size_t i = 0; i < count; i++)
    table[i] = many[i]->address;
  return !hone__cuda_fails(
      gpu, gpu->cuda->MemcpyHtoD_v2(gpu->own.table, table, count * sizeof *table), "write");
}

/* `first`: receives the index of the first that differs; 0: copies `from` to all. */
static bool run_many(struct hone__cuda_gpu *gpu, struct hone__gpu_memory *const *many, size_t count,
                     uint64_t offset, cuda_address from, size_t bytes, cuda_address first)
{
  bool is_wide = bytes % 4 == 0 && offset % 4 == 0 && from % 4 == 0;
  uint64_t width = is_wide ? 4 : 1, items = bytes / width, blocks = (items + THREADS - 1) / THREADS;
  void *params[] = {&gpu->own.table, &offset, &from, &items, &width, &first};

  if (blocks > BLOCKS_OF_ROW) blocks = BLOCKS_OF_ROW;
  return write_table(gpu, many, count) &&
         !hone__cuda_fails(gpu, gpu->cuda->CtxSynchronize(), "write") &&
         !hone__cuda_fails(gpu,
                           gpu->cuda->LaunchKernel(gpu->own.many, (unsigned)blocks, (unsigned)count,
                                                   1, THREADS, 1, 1, 0, gpu->stream, params, NULL),
                           "launch") &&
         !hone__cuda_fails(gpu, gpu->cuda->StreamSynchronize(gpu->stream), "copy");
}

bool hone__cuda_spread(struct hone__gpu *base, struct hone__gpu_memory *const *to, size_t count,
                       size_t to_offset, struct hone__gpu_memory *from, size_t from_offset,
                       size_t bytes)
{
  struct hone__cuda_gpu *gpu = hone__cuda_gpu(base);
  bool copied = true;

  if (!bytes || !count) return true;
  if (gpu->own.module)
    return run_many(gpu, to, count, to_offset, from->address + from_offset, bytes, 0);
  for (size_t i = 0; i < count && copied; i++)
    copied = base->driver->copy(base, to[i], to_offset, from, from_offset, bytes);
  return copied;
}

bool hone__cuda_differ_any(struct hone__gpu *base, struct hone__gpu_memory *const *many,
                           size_t count, size_t offset, struct hone__gpu_memory *other,
                           size_t other_offset, size_t bytes, size_t *out_which)
{
  struct hone__cuda_gpu *gpu = hone__cuda_gpu(base);
  uint64_t which = count;
  size_t first = bytes;

  *out_which = count;
  if (!bytes || !count) return true;
  if (!gpu->own.module) {
    for (size_t i = 0; i < count && first == bytes; i++) {
      if (!hone__cuda_differ(base, many[i], offset, other, other_offset, bytes, &first))
        return false;
      if (first < bytes) *out_which = i;
    }
    return true;
  }
  if (hone__cuda_fails(gpu, gpu->cuda->MemcpyHtoD_v2(gpu->own.first, &which, sizeof which),
                       "compare") ||
      !run_many(gpu, many, count, offset, other->address + other_offset, bytes, gpu->own.first) ||
      hone__cuda_fails(gpu, gpu->cuda->MemcpyDtoH_v2(&which, gpu->own.first, sizeof which),
                       "compare"))
    return false;
  *out_which = (size_t)which;
  return true;
}
