/* The dynamic shared memory of a CUDA kernel is recorded only in the executable: a FlatBuffer in
 * the module. Only the path to that number is followed; any unexpected content ends the search.
 *
 *   a header of 64 bytes that begins with "CDA1"; a FlatBuffer of that identifier, whose root has
 *   [0] exports, of which each has [2] block {x, y, z} and [3] shared bytes
 */
#include "iree/backend/iree_costs.h"

#include <stdint.h>

enum { HEADER_BYTES = 64, EXPORTS = 0, BLOCK = 2, SHARED = 3, MOST_EXPORTS = 256 };

struct buffer {
  const unsigned char *bytes;
  size_t size;
};

static bool read_u32(const struct buffer *buffer, size_t at, uint32_t *out)
{
  if (at > buffer->size || buffer->size - at < sizeof *out) return false;
  memcpy(out, buffer->bytes + at, sizeof *out);
  return true;
}

static bool read_u16(const struct buffer *buffer, size_t at, uint16_t *out)
{
  if (at > buffer->size || buffer->size - at < sizeof *out) return false;
  memcpy(out, buffer->bytes + at, sizeof *out);
  return true;
}

/* The position of a table's n-th field; false: it has none. */
static bool find_field(const struct buffer *buffer, size_t table, unsigned n, size_t *out_at)
{
  uint32_t back;
  uint16_t size, offset;
  size_t entries;

  if (!read_u32(buffer, table, &back)) return false;
  entries = table - (size_t)(int64_t)(int32_t)back;
  if (!read_u16(buffer, entries, &size) || size < 4 + 2 * (n + 1)) return false;
  if (!read_u16(buffer, entries + 4 + 2 * n, &offset) || !offset) return false;
  *out_at = table + offset;
  return true;
}

/* Offsets are relative to their own position. */
static bool follow(const struct buffer *buffer, size_t at, size_t *out_at)
{
  uint32_t offset;

  if (!read_u32(buffer, at, &offset) || !offset) return false;
  *out_at = at + offset;
  return *out_at < buffer->size;
}

static void read_export(const struct buffer *buffer, size_t table, struct hone__iree_costs *costs)
{
  size_t at;
  uint32_t x, y, z, shared;

  if (find_field(buffer, table, SHARED, &at) && read_u32(buffer, at, &shared))
    hone__iree_cost_note(costs, "shared_bytes", shared);
  if (find_field(buffer, table, BLOCK, &at) && read_u32(buffer, at, &x) &&
      read_u32(buffer, at + 4, &y) && read_u32(buffer, at + 8, &z) && x <= 4096 && y <= 4096 &&
      z <= 4096)
    hone__iree_cost_note(costs, "threads", x * y * z);
}

static void read_executable(const struct buffer *buffer, struct hone__iree_costs *costs)
{
  size_t root, exports, at;
  uint32_t count;

  if (!follow(buffer, 0, &root) || !find_field(buffer, root, EXPORTS, &at) ||
      !follow(buffer, at, &exports) || !read_u32(buffer, exports, &count))
    return;
  for (uint32_t i = 0; i < count && i < MOST_EXPORTS; i++)
    if (follow(buffer, exports + 4 + 4 * (size_t)i, &at)) read_export(buffer, at, costs);
}

void hone__iree_costs_of_module(const void *module, size_t size, struct hone__iree_costs *costs)
{
  static const char mark[] = "CDA1";
  const unsigned char *end = (const unsigned char *)module + size,
                      *at = memmem(module, size, mark, strlen(mark));
  struct buffer buffer;

  if (!at || (size_t)(end - at) <= HEADER_BYTES + 8) return;
  buffer = (struct buffer){.bytes = at + HEADER_BYTES, .size = (size_t)(end - at) - HEADER_BYTES};
  if (memcmp(buffer.bytes + 4, mark, strlen(mark)) == 0) read_executable(&buffer, costs);
}
