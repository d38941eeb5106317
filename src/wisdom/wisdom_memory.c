/* Blocks that are freed together. */
#include "wisdom/wisdom_parts.h"

#include <stdlib.h>

enum {
  BLOCK_BYTES = 16 << 10,
  ALIGNMENT = sizeof(union {
    long double real;
    void *pointer;
  })
};

struct hone__wisdom_block {
  struct hone__wisdom_block *older;
  size_t used, size;
  union {
    long double real; /* alignment */
    char bytes[1];
  } data;
};

static struct hone__wisdom_block *add_block(struct hone__wisdom_arena *arena, size_t size)
{
  struct hone__wisdom_block *block = calloc(1, sizeof *block + size);

  if (!block) return NULL;
  block->size = size;
  block->older = arena->newest;
  arena->newest = block;
  return block;
}

void *hone__wisdom_alloc(struct hone__wisdom_arena *arena, size_t count, size_t size)
{
  struct hone__wisdom_block *block = arena->newest;
  size_t bytes;

  if (size && count > (SIZE_MAX / 2) / size) return NULL;
  bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (!block || block->size - block->used < bytes)
    block = add_block(arena, bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES);
  if (!block) return NULL;
  block->used += bytes;
  return block->data.bytes + block->used - bytes;
}

void hone__wisdom_arena_release(struct hone__wisdom_arena *arena)
{
  while (arena->newest) {
    struct hone__wisdom_block *block = arena->newest;
    arena->newest = block->older;
    free(block);
  }
}
