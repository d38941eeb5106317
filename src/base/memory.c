#include "base/memory.h"
#include "hone.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Without stdio, which may need memory, and without exit handlers, which are not for a forked
 * child, nor for a process in the middle of a failure. */
void hone__out_of_memory(void)
{
  static const char words[] = "hone: out of memory\n";

  if (write(STDERR_FILENO, words, sizeof words - 1) < 0) _exit(1);
  _exit(1);
}

void *hone__or_die(void *memory)
{
  if (!memory) hone__out_of_memory();
  return memory;
}

void *hone__alloc(size_t size)
{
  return hone__or_die(calloc(1, size ? size : 1));
}

void *hone__realloc(void *old, size_t size)
{
  return hone__or_die(realloc(old, size ? size : 1));
}

char *hone__strdup(const char *string)
{
  return hone__or_die(strdup(string));
}

char *hone__strndup(const char *string, size_t length)
{
  return hone__or_die(strndup(string, length));
}

static char *check_path(char *path)
{
  if (!path && errno == ENOMEM) hone__out_of_memory();
  return path;
}

char *hone__realpath(const char *path)
{
  return check_path(realpath(path, NULL));
}

char *hone__getcwd(void)
{
  return check_path(getcwd(NULL, 0));
}

struct hone__arena_block {
  struct hone__arena_block *next;
  size_t used, size;
  _Alignas(16) char data[];
};

void *hone__arena_alloc(struct hone__arena *arena, size_t size)
{
  struct hone__arena_block *block = arena->blocks;
  void *memory;

  size = (size + 15) & ~(size_t)15;
  if (!block || block->size - block->used < size) {
    size_t room = block ? 2 * block->size : 4096;
    if (room > (1u << 20)) room = 1u << 20;
    if (room < size) room = size;
    block = hone__or_die(malloc(sizeof *block + room));
    block->next = arena->blocks;
    block->used = 0;
    block->size = room;
    arena->blocks = block;
  }
  memory = block->data + block->used;
  block->used += size;
  return memset(memory, 0, size);
}

char *hone__arena_strndup(struct hone__arena *arena, const char *string, size_t length)
{
  char *copy = hone__arena_alloc(arena, length + 1);

  memcpy(copy, string, length);
  copy[length] = 0;
  return copy;
}

char *hone__arena_strdup(struct hone__arena *arena, const char *string)
{
  return hone__arena_strndup(arena, string, strlen(string));
}

char *hone__arena_printf(struct hone__arena *arena, const char *format, ...)
{
  va_list args, again;
  char *text;
  int length;

  va_start(args, format);
  va_copy(again, args);
  length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  text = hone__arena_alloc(arena, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

size_t hone__arena_bytes(const struct hone__arena *arena)
{
  size_t bytes = 0;

  for (const struct hone__arena_block *b = arena->blocks; b; b = b->next)
    bytes += sizeof *b + b->size;
  return bytes;
}

void hone__arena_release(struct hone__arena *arena)
{
  struct hone__arena_block *block = arena->blocks;

  while (block) {
    struct hone__arena_block *next = block->next;
    free(block);
    block = next;
  }
  arena->blocks = NULL;
}

void hone_free(void *memory)
{
  free(memory);
}
