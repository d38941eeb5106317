/* An element counts if it differs from its value before a call: the poison of an output, the value
 * of an inout. Only the first content of the inputs is used.
 */
#include "backend/kernel/traffic.h"

#include "check/guard.h"

enum { CHUNK = 4096, MOST_CHUNKS = 256 }; /* a multiple of every element's size */

/* Elements of a chunk that the answer changes, in bytes. */
static size_t changed_bytes(const unsigned char *before, const unsigned char *after, size_t bytes,
                            size_t size)
{
  size_t changed = 0;

  for (size_t at = 0; at + size <= bytes; at += size)
    if (memcmp(before + at, after + at, size) != 0) changed += size;
  return changed;
}

static size_t changed_in_chunk(const struct hone__bench *bench, const struct hone__arg *arg,
                               size_t at, size_t bytes)
{
  const unsigned char *after = bench->expected[0] + arg->snapshot + at;
  unsigned char poison[CHUNK];

  if (arg->role == HONE__ARG_INOUT)
    return changed_bytes(bench->buffers.pristine[0] + arg->data + at, after, bytes,
                         hone__element_size(arg->element));
  hone__poison(arg->element, poison, bytes);
  return changed_bytes(poison, after, bytes, hone__element_size(arg->element));
}

static double written_in(const struct hone__bench *bench, const struct hone__arg *arg)
{
  size_t chunks = (arg->bytes + CHUNK - 1) / CHUNK, step = 1 + chunks / MOST_CHUNKS;
  size_t looked = 0, changed = 0;

  if (!bench->expected[0]) return arg->role == HONE__ARG_OUT ? (double)arg->bytes : 0;
  for (size_t i = 0; i < chunks; i += step) {
    size_t at = i * CHUNK, bytes = arg->bytes - at < CHUNK ? arg->bytes - at : CHUNK;
    changed += changed_in_chunk(bench, arg, at, bytes);
    looked += bytes;
  }
  return looked ? (double)arg->bytes * ((double)changed / (double)looked) : 0;
}

double hone__bench_written_bytes(const struct hone__bench *bench)
{
  double ratio = bench->check && bench->tolerance.ratio > 0 ? bench->tolerance.ratio : 0;
  double bytes = 0;

  for (size_t i = 0; i < bench->buffers.count; i++)
    if (hone__arg_is_output(&bench->buffers.args[i]) && !bench->buffers.args[i].is_variable)
      bytes += written_in(bench, &bench->buffers.args[i]);
  return ratio < 1 ? bytes * (1 - ratio) : 0;
}
