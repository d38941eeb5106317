/* What is compared is compared on the device; what is copied from pristine copies never leaves it.
 */
#include "backend/gpu/gpu_tensors.h"

#include "base/memory.h"
#include "exec/guard.h"

#include <stdlib.h>
#include <string.h>

enum { GUARD_BYTES = 4096, GUARD_BYTE = 0xC3 };

/* With anything in it. */
static bool is_tensor(const struct hone_arg *arg)
{
  return hone__arg_is_tensor(arg) && arg->bytes > 0;
}

/* ---- Making ---- */

static bool fill_guards(const struct hone_gpu_tensors *t, const struct hone_arg *arg,
                        struct hone_gpu_memory *memory)
{
  const struct hone_gpu_driver *driver = t->gpu->driver;

  return driver->fill(t->gpu, memory, 0, GUARD_BYTE, t->guard_bytes) &&
         driver->fill(t->gpu, memory, t->guard_bytes + arg->bytes, GUARD_BYTE, t->guard_bytes);
}

static bool copy_pristine(const struct hone_gpu_tensors *t, size_t i,
                          struct hone_gpu_memory *memory)
{
  return t->gpu->driver->copy(t->gpu, memory, t->guard_bytes, t->pristine[i], 0,
                              t->host->args[i].bytes);
}

static bool make_memory(struct hone_gpu_tensors *t, size_t i, struct hone_gpu_memory **out)
{
  const struct hone_arg *arg = &t->host->args[i];

  return t->gpu->driver->allocate(t->gpu, arg->bytes + 2 * t->guard_bytes, out) &&
         fill_guards(t, arg, *out) && copy_pristine(t, i, *out);
}

static void release_set(struct hone_gpu_tensors *t, struct hone_gpu_set *set)
{
  for (size_t i = 0; set->memory && i < t->host->count; i++)
    if (set->memory[i]) t->gpu->driver->release(t->gpu, set->memory[i]);
  free(set->memory);
  *set = (struct hone_gpu_set){0};
}

static bool add_set(struct hone_gpu_tensors *t)
{
  struct hone_gpu_set *set = &t->sets[t->set_count];
  bool made = true;

  set->memory = hone__alloc((t->host->count + 1) * sizeof *set->memory);
  for (size_t i = 0; i < t->host->count && made; i++)
    if (is_tensor(&t->host->args[i])) made = make_memory(t, i, &set->memory[i]);
  t->set_count += made;
  if (!made) release_set(t, set);
  return made;
}

static bool write_pristine(struct hone_gpu_tensors *t, size_t i)
{
  const struct hone_arg *arg = &t->host->args[i];
  unsigned char *poison;
  bool written;

  if (arg->role != HONE_ARG_OUT)
    return t->gpu->driver->write(t->gpu, t->pristine[i], 0, t->host->pristine + arg->data,
                                 arg->bytes);
  poison = hone__alloc(arg->bytes);
  hone__poison(arg->element, poison, arg->bytes);
  written = t->gpu->driver->write(t->gpu, t->pristine[i], 0, poison, arg->bytes);
  free(poison);
  return written;
}

static bool renew_set(const struct hone_gpu_tensors *t, const struct hone_gpu_set *set)
{
  bool renewed = true;

  for (size_t i = 0; i < t->host->count && renewed; i++)
    if (set->memory[i])
      renewed =
          fill_guards(t, &t->host->args[i], set->memory[i]) && copy_pristine(t, i, set->memory[i]);
  return renewed;
}

bool hone__gpu_tensors_renew(struct hone_gpu_tensors *t)
{
  bool written = t->gpu->driver->fill(t->gpu, t->guard, 0, GUARD_BYTE, t->guard_bytes);

  for (size_t i = 0; i < t->host->count && written; i++)
    if (is_tensor(&t->host->args[i])) written = write_pristine(t, i);
  for (size_t i = 0; i < t->set_count && written; i++)
    written = renew_set(t, &t->sets[i]);
  return written;
}

bool hone__gpu_tensors_make(struct hone_gpu_tensors *t)
{
  const struct hone_gpu_driver *driver = t->gpu->driver;
  size_t unit = t->gpu->alignment ? t->gpu->alignment : 1;
  bool made;

  t->guard_bytes = (GUARD_BYTES + unit - 1) / unit * unit;
  t->pristine = hone__alloc((t->host->count + 1) * sizeof *t->pristine);
  t->scratch = hone__alloc(t->host->snapshot_bytes + 1);
  if (driver->pin) driver->pin(t->gpu, t->scratch, t->host->snapshot_bytes + 1);
  made = driver->allocate(t->gpu, t->guard_bytes, &t->guard);
  for (size_t i = 0; i < t->host->count && made; i++) {
    if (!is_tensor(&t->host->args[i])) continue;
    t->set_bytes += t->host->args[i].bytes;
    made = driver->allocate(t->gpu, t->host->args[i].bytes, &t->pristine[i]);
  }
  return made && hone__gpu_tensors_renew(t) && add_set(t);
}

size_t hone__gpu_tensors_grow(struct hone_gpu_tensors *t, size_t sets)
{
  if (sets > HONE_GPU_MOST_SETS) sets = HONE_GPU_MOST_SETS;
  while (t->set_count < sets && add_set(t)) {}
  return t->set_count < sets ? t->set_count : sets;
}

/* ---- Set 0 ---- */

static bool copy_some(struct hone_gpu_tensors *t, unsigned roles)
{
  bool copied = true;

  for (size_t i = 0; i < t->host->count && copied; i++)
    if (is_tensor(&t->host->args[i]) && (roles >> t->host->args[i].role & 1))
      copied = copy_pristine(t, i, t->sets[0].memory[i]);
  return copied;
}

bool hone__gpu_tensors_restore(struct hone_gpu_tensors *t)
{
  bool whole = true;

  for (size_t i = 0; i < t->host->count && whole; i++)
    if (is_tensor(&t->host->args[i]))
      whole = fill_guards(t, &t->host->args[i], t->sets[0].memory[i]);
  return whole && copy_some(t, 1u << HONE_ARG_IN | 1u << HONE_ARG_OUT | 1u << HONE_ARG_INOUT);
}

bool hone__gpu_tensors_refill(struct hone_gpu_tensors *t, bool inputs_too)
{
  return copy_some(t, 1u << HONE_ARG_INOUT | (inputs_too ? 1u << HONE_ARG_IN : 0));
}

bool hone__gpu_tensors_poison(struct hone_gpu_tensors *t)
{
  return copy_some(t, 1u << HONE_ARG_OUT);
}

bool hone__gpu_tensors_mend(struct hone_gpu_tensors *t, uint64_t *out_changed)
{
  *out_changed = 0;
  for (size_t i = 0; i < t->host->count; i++) {
    const struct hone_arg *arg = &t->host->args[i];
    size_t first;
    if (!is_tensor(arg) || arg->role != HONE_ARG_IN) continue;
    if (!t->gpu->driver->differ(t->gpu, t->sets[0].memory[i], t->guard_bytes, t->pristine[i], 0,
                                arg->bytes, &first))
      return false;
    if (first == arg->bytes) continue;
    if (!*out_changed) *out_changed = i + 1;
    if (!copy_pristine(t, i, t->sets[0].memory[i])) return false;
  }
  return true;
}

bool hone__gpu_tensors_read(struct hone_gpu_tensors *t, unsigned char *snapshot)
{
  bool good = true;

  for (size_t i = 0; i < t->host->count && good; i++) {
    const struct hone_arg *arg = &t->host->args[i];
    if (is_tensor(arg) && hone__arg_is_output(arg))
      good = t->gpu->driver->read(t->gpu, snapshot + arg->snapshot, t->sets[0].memory[i],
                                  t->guard_bytes, arg->bytes);
  }
  return good;
}

static bool inspect_one(struct hone_gpu_tensors *t, size_t i, struct hone_breach *breach,
                        bool *out_broken)
{
  struct hone_gpu_memory *memory = t->sets[0].memory[i];
  size_t guard = t->guard_bytes, first, behind = guard + t->host->args[i].bytes;

  if (!t->gpu->driver->differ(t->gpu, memory, 0, t->guard, 0, guard, &first)) return false;
  *breach = (struct hone_breach){.arg = i, .before = true, .offset = guard - first};
  *out_broken = first < guard;
  if (*out_broken) return true;
  if (!t->gpu->driver->differ(t->gpu, memory, behind, t->guard, 0, guard, &first)) return false;
  *breach = (struct hone_breach){.arg = i, .before = false, .offset = first};
  *out_broken = first < guard;
  return true;
}

bool hone__gpu_tensors_inspect(struct hone_gpu_tensors *t, struct hone_breach *out_breach,
                               bool *out_broken)
{
  *out_broken = false;
  for (size_t i = 0; i < t->host->count && !*out_broken; i++)
    if (is_tensor(&t->host->args[i]) && !inspect_one(t, i, out_breach, out_broken)) return false;
  return true;
}
