/* Readers take no lock: an entry is complete before its pointer is stored, and neither entries nor
 * tables are freed before the kernel. */
#include "kernel/kernel_internal.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 16 };

uint64_t hone__handle_hash(const int64_t *sizes, size_t count, uintptr_t context)
{
  uint64_t hash = 0x9e3779b97f4a7c15u ^ (uint64_t)context;

  for (size_t i = 0; i < count; i++) {
    hash = (hash ^ (uint64_t)sizes[i]) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 32;
  }
  return hash;
}

static bool is_of(const struct hone__handle_entry *entry, const int64_t *sizes, size_t count,
                  uintptr_t context, uint64_t hash)
{
  if (entry->hash != hash || entry->context != context) return false;
  for (size_t i = 0; i < count; i++)
    if (entry->sizes[i] != sizes[i]) return false;
  return true;
}

struct hone__handle_entry *hone__handle_find(const struct hone_kernel *kernel, const int64_t *sizes,
                                             uintptr_t context, uint64_t hash)
{
  const struct hone__handle_table *table =
      atomic_load_explicit(&kernel->table, memory_order_acquire);
  struct hone__handle_entry *entry;

  for (size_t i = hash; table; i++) {
    entry = atomic_load_explicit(&table->slots[i & table->mask], memory_order_acquire);
    if (!entry || is_of(entry, sizes, kernel->size_count, context, hash)) return entry;
  }
  return NULL;
}

static void put(struct hone__handle_table *table, struct hone__handle_entry *entry)
{
  size_t i = entry->hash;

  while (atomic_load_explicit(&table->slots[i & table->mask], memory_order_relaxed))
    i++;
  atomic_store_explicit(&table->slots[i & table->mask], entry, memory_order_release);
}

static void grow(struct hone_kernel *kernel)
{
  struct hone__handle_table *old = atomic_load_explicit(&kernel->table, memory_order_relaxed);
  size_t slots = old ? 2 * (old->mask + 1) : FIRST_SLOTS;
  struct hone__handle_table *table = hone__alloc(sizeof *table + slots * sizeof *table->slots);

  HONE__ASSERT((slots & (slots - 1)) == 0); /* the mask needs a power of two */
  table->mask = slots - 1;
  table->older = old;
  for (struct hone__handle_entry *entry = kernel->entries; entry; entry = entry->next)
    put(table, entry);
  atomic_store_explicit(&kernel->table, table, memory_order_release);
}

struct hone__handle_entry *hone__handle_add(struct hone_kernel *kernel, const int64_t *sizes,
                                            uintptr_t context, uint64_t hash)
{
  struct hone__handle_table *table = atomic_load_explicit(&kernel->table, memory_order_relaxed);
  struct hone__handle_entry *entry =
      hone__alloc(sizeof *entry + kernel->size_count * sizeof *entry->sizes);

  HONE__ASSERT_SLOW(!hone__handle_find(kernel, sizes, context, hash));
  entry->hash = hash;
  entry->context = context;
  if (kernel->size_count) memcpy(entry->sizes, sizes, kernel->size_count * sizeof *entry->sizes);
  if (!table || 2 * (kernel->entry_count + 1) > table->mask + 1) grow(kernel);
  entry->next = kernel->entries;
  kernel->entries = entry;
  kernel->entry_count++;
  table = atomic_load_explicit(&kernel->table, memory_order_relaxed);
  HONE__ASSERT(kernel->entry_count <= table->mask); /* a free slot ends every look-up */
  put(table, entry);
  return entry;
}

void hone__handle_publish(struct hone__handle_entry *entry,
                          const struct hone_kernel_function *function)
{
  if (function) atomic_store_explicit(&entry->function, function, memory_order_release);
}

void hone__handle_table_free(struct hone_kernel *kernel)
{
  struct hone__handle_table *table = atomic_load(&kernel->table), *older;
  struct hone__handle_entry *entry = kernel->entries, *next;

  for (; table; table = older) {
    older = table->older;
    free(table);
  }
  for (; entry; entry = next) {
    next = entry->next;
    free(entry->message);
    free(entry);
  }
}
