/* memory.h - allocation.
 *
 * hone__alloc and friends never return NULL: a failure of these small requests ends the process
 * with a message, and so do those of libraries (allocators.h). What grows with the input (states,
 * rows) is taken from a budget (budget.h), whose failure is a status.
 *
 * An arena owns what lives and dies together: a spec, a program. Nothing in it is freed singly.
 */
#ifndef HONE_BASE_MEMORY_H
#define HONE_BASE_MEMORY_H

#include <stddef.h>
#include <string.h>

void *hone__alloc(size_t size); /* zeroed */
void *hone__realloc(void *old, size_t size);
char *hone__strdup(const char *string);
char *hone__strndup(const char *string, size_t length);
/* As realpath and getcwd, free(); NULL and errno: there is none, but never for lack of memory. */
char *hone__realpath(const char *path);
char *hone__getcwd(void);
/* Memory from another function, which is NULL only if there is no memory. */
void *hone__or_die(void *memory);
_Noreturn void hone__out_of_memory(void);

struct hone__arena {
  struct hone__arena_block *blocks;
};
void *hone__arena_alloc(struct hone__arena *arena, size_t size); /* zeroed, aligned to 16 */
char *hone__arena_strndup(struct hone__arena *arena, const char *string, size_t length);
char *hone__arena_strdup(struct hone__arena *arena, const char *string);
char *hone__arena_printf(struct hone__arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
size_t hone__arena_bytes(const struct hone__arena *arena);
void hone__arena_release(struct hone__arena *arena);

/* Makes room for one more element in a growing array; capacity doubles. */
#define HONE__GROW(array, count, capacity)                                                         \
  do {                                                                                             \
    if ((count) == (capacity)) {                                                                   \
      (capacity) = (capacity) ? 2 * (capacity) : 8;                                                \
      (array) = hone__realloc((array), (size_t)(capacity) * sizeof *(array));                      \
    }                                                                                              \
  } while (0)

#endif
