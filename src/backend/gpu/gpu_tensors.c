/* Comparisons run on the device; copies from pristine copies never leave it. */
#include "backend/gpu/gpu_tensors.h"

#include "base/memory.h"
#include "check/guard.h"

#include <stdlib.h>

enum { GUARD_BYTES = 4096, GUARD_BYTE = 0xC3, POISON_BYTES = 1 << 16 };

static size_t smaller(size_t one, size_t other)
{
  return one < other ? one : other;
}

/* With anything in it. */
static bool is_tensor(const struct hone__arg *arg)
{
  return hone__arg_is_tensor(arg) && arg->bytes > 0;
}

static bool has_role(const struct hone__arg *arg, enum hone__role role)
{
  return is_tensor(arg) && arg->role == role;
}

size_t hone__gpu_tensors_content(const struct hone__gpu_tensors *t, size_t set)
{
  return t->sets[t->shares_inputs ? set % HONE__CONTENTS : set].holds;
}

/* ---- Making ---- */

static bool fill_guards(const struct hone__gpu_tensors *t, const struct hone__arg *arg,
                        struct hone__gpu_memory *memory)
{
  const struct hone__gpu_driver *driver = t->gpu->driver;

  return driver->fill(t->gpu, memory, 0, GUARD_BYTE, t->guard_bytes) &&
         driver->fill(t->gpu, memory, t->guard_bytes + arg->bytes, GUARD_BYTE, t->guard_bytes);
}

/* Poison is the same for both contents. */
static struct hone__gpu_memory *pristine_of(const struct hone__gpu_tensors *t, size_t set, size_t i)
{
  bool is_poison = hone__arg_is_poisoned(&t->host->args[i]);

  return t->pristine[is_poison ? 0 : hone__gpu_tensors_content(t, set)][i];
}

static bool copy_pristine(const struct hone__gpu_tensors *t, size_t set, size_t i)
{
  return t->gpu->driver->copy(t->gpu, t->sets[set].memory[i], t->guard_bytes,
                              pristine_of(t, set, i), 0, t->host->args[i].bytes);
}

static bool borrows(const struct hone__gpu_tensors *t, size_t set, size_t i)
{
  return t->shares_inputs && set >= HONE__CONTENTS && t->host->args[i].role == HONE__ARG_IN;
}

static bool make_memory(struct hone__gpu_tensors *t, size_t set, size_t i)
{
  const struct hone__arg *arg = &t->host->args[i];
  struct hone__gpu_memory **out = &t->sets[set].memory[i];

  if (borrows(t, set, i)) {
    *out = t->sets[set % HONE__CONTENTS].memory[i];
    return true;
  }
  return t->gpu->driver->allocate(t->gpu, arg->bytes + 2 * t->guard_bytes, out) &&
         fill_guards(t, arg, *out) && copy_pristine(t, set, i);
}

static void release_set(struct hone__gpu_tensors *t, size_t number)
{
  struct hone__gpu_set *set = &t->sets[number];

  for (size_t i = 0; set->memory && i < t->host->count; i++)
    if (set->memory[i] && !borrows(t, number, i)) t->gpu->driver->release(t->gpu, set->memory[i]);
  free(set->memory);
  *set = (struct hone__gpu_set){0};
}

static bool add_set(struct hone__gpu_tensors *t)
{
  size_t number = t->set_count;
  bool made = true;

  t->sets[number] =
      (struct hone__gpu_set){.memory = hone__alloc((t->host->count + 1) * sizeof *t->sets->memory),
                             .holds = number % t->contents};
  for (size_t i = 0; i < t->host->count && made; i++)
    if (is_tensor(&t->host->args[i])) made = make_memory(t, number, i);
  t->set_count += made;
  if (!made) release_set(t, number);
  return made;
}

/* A piece is written, and doubled on the device. */
static bool write_poison(const struct hone__gpu_tensors *t, const struct hone__arg *arg,
                         struct hone__gpu_memory *to)
{
  const struct hone__gpu_driver *driver = t->gpu->driver;
  static _Alignas(8) unsigned char piece[POISON_BYTES];
  size_t done = smaller(arg->bytes, sizeof piece);
  bool written;

  hone__poison(arg->element, piece, done);
  written = driver->write(t->gpu, to, 0, piece, done);
  for (size_t more; written && done < arg->bytes; done += more) {
    more = smaller(done, arg->bytes - done);
    written = driver->copy(t->gpu, to, done, to, 0, more);
  }
  return written;
}

static bool write_pristine(struct hone__gpu_tensors *t, size_t content, size_t i)
{
  const struct hone__arg *arg = &t->host->args[i];
  struct hone__gpu_memory *to = t->pristine[content][i];

  if (!to) return true;
  if (hone__arg_is_poisoned(arg)) return write_poison(t, arg, to);
  return t->gpu->driver->write(t->gpu, to, 0, t->host->pristine[content] + arg->data, arg->bytes);
}

static bool renew_set(const struct hone__gpu_tensors *t, size_t set)
{
  bool renewed = true;

  for (size_t i = 0; i < t->host->count && renewed; i++)
    if (t->sets[set].memory[i] && !borrows(t, set, i))
      renewed =
          fill_guards(t, &t->host->args[i], t->sets[set].memory[i]) && copy_pristine(t, set, i);
  return renewed;
}

bool hone__gpu_tensors_renew(struct hone__gpu_tensors *t)
{
  bool written = t->gpu->driver->fill(t->gpu, t->guard, 0, GUARD_BYTE, t->guard_bytes);

  for (size_t content = 0; content < t->contents; content++)
    for (size_t i = 0; i < t->host->count && written; i++)
      written = write_pristine(t, content, i);
  for (size_t i = 0; i < t->set_count && written; i++)
    written = renew_set(t, i);
  return written;
}

static bool make_pristine(struct hone__gpu_tensors *t, size_t content)
{
  bool made = true;

  t->pristine[content] = hone__alloc((t->host->count + 1) * sizeof **t->pristine);
  for (size_t i = 0; i < t->host->count && made; i++) {
    const struct hone__arg *arg = &t->host->args[i];
    if (!is_tensor(arg) || (content && hone__arg_is_poisoned(arg))) continue;
    made = t->gpu->driver->allocate(t->gpu, arg->bytes, &t->pristine[content][i]);
  }
  return made;
}

static void add_sizes(struct hone__gpu_tensors *t)
{
  for (size_t i = 0; i < t->host->count; i++) {
    const struct hone__arg *arg = &t->host->args[i];
    if (!is_tensor(arg)) continue;
    t->set_bytes += arg->bytes;
    if (arg->role != HONE__ARG_IN) t->output_bytes += arg->bytes;
  }
}

/* If the device has no memory for two contents, there is one. */
static void make_second(struct hone__gpu_tensors *t)
{
  if (t->host->contents < 2 || !make_pristine(t, 1)) return;
  t->contents = 2;
  if (!hone__gpu_tensors_renew(t) || !add_set(t)) t->contents = 1;
}

bool hone__gpu_tensors_make(struct hone__gpu_tensors *t)
{
  size_t unit = t->gpu->alignment ? t->gpu->alignment : 1;
  bool made;

  t->contents = 1;
  t->guard_bytes = (GUARD_BYTES + unit - 1) / unit * unit;
  add_sizes(t);
  made = t->gpu->driver->allocate(t->gpu, t->guard_bytes, &t->guard) && make_pristine(t, 0) &&
         hone__gpu_tensors_renew(t) && add_set(t);
  if (made) make_second(t);
  if (made && t->set_count < HONE__CONTENTS) add_set(t);
  return made;
}

size_t hone__gpu_tensors_grow(struct hone__gpu_tensors *t, size_t sets)
{
  if (sets > HONE__GPU_MOST_SETS) sets = HONE__GPU_MOST_SETS;
  while (t->set_count < sets && add_set(t)) {}
  return t->set_count < sets ? t->set_count : sets;
}

/* ---- Sets 0 and 1 ---- */

static size_t first_sets(const struct hone__gpu_tensors *t)
{
  return t->set_count < HONE__CONTENTS ? t->set_count : HONE__CONTENTS;
}

static bool copy_some(struct hone__gpu_tensors *t, size_t set, unsigned roles)
{
  bool copied = true;

  for (size_t i = 0; i < t->host->count && copied; i++)
    if (is_tensor(&t->host->args[i]) && (roles >> t->host->args[i].role & 1))
      copied = copy_pristine(t, set, i);
  return copied;
}

static bool restore_set(struct hone__gpu_tensors *t, size_t set)
{
  bool whole = true;

  t->sets[set].holds = set % t->contents;
  for (size_t i = 0; i < t->host->count && whole; i++)
    if (is_tensor(&t->host->args[i]))
      whole = fill_guards(t, &t->host->args[i], t->sets[set].memory[i]);
  return whole && copy_some(t, set,
                            1u << HONE__ARG_IN | 1u << HONE__ARG_OUT | 1u << HONE__ARG_INOUT |
                                1u << HONE__ARG_SCRATCH);
}

bool hone__gpu_tensors_restore(struct hone__gpu_tensors *t)
{
  bool whole = true;

  for (size_t set = 0; set < first_sets(t) && whole; set++)
    whole = restore_set(t, set);
  return whole;
}

bool hone__gpu_tensors_swap(struct hone__gpu_tensors *t)
{
  bool copied = true;

  for (size_t set = 0; t->contents > 1 && set < first_sets(t) && copied; set++) {
    t->sets[set].holds = 1 - t->sets[set].holds;
    copied = copy_some(t, set, 1u << HONE__ARG_IN | 1u << HONE__ARG_INOUT);
  }
  return copied;
}

bool hone__gpu_tensors_refill(struct hone__gpu_tensors *t, size_t set)
{
  return copy_some(t, set, 1u << HONE__ARG_INOUT);
}

bool hone__gpu_tensors_rewrite(struct hone__gpu_tensors *t, size_t set)
{
  return copy_some(t, set, 1u << HONE__ARG_IN | 1u << HONE__ARG_INOUT);
}

bool hone__gpu_tensors_write(struct hone__gpu_tensors *t, size_t set)
{
  bool written = true;

  for (size_t i = 0; i < t->host->count && written; i++) {
    const struct hone__arg *arg = &t->host->args[i];
    if (is_tensor(arg) && hone__arg_is_input(arg))
      written = t->gpu->driver->write(t->gpu, t->sets[set].memory[i], t->guard_bytes,
                                      t->host->range[0] + arg->data, arg->bytes);
  }
  return written;
}

static bool restore_input(struct hone__gpu_tensors *t, size_t set, size_t i, uint64_t *out_changed)
{
  const struct hone__arg *arg = &t->host->args[i];
  size_t first;

  if (!has_role(arg, HONE__ARG_IN)) return true;
  if (!t->gpu->driver->differ(t->gpu, t->sets[set].memory[i], t->guard_bytes,
                              pristine_of(t, set, i), 0, arg->bytes, &first))
    return false;
  if (first == arg->bytes) return true;
  if (!*out_changed) *out_changed = i + 1;
  return copy_pristine(t, set, i);
}

bool hone__gpu_tensors_restore_inputs(struct hone__gpu_tensors *t, uint64_t *out_changed)
{
  bool mended = true;

  *out_changed = 0;
  for (size_t set = 0; set < first_sets(t); set++)
    for (size_t i = 0; i < t->host->count && mended; i++)
      mended = restore_input(t, set, i, out_changed);
  return mended;
}

static bool inspect_one(struct hone__gpu_tensors *t, size_t set, size_t i,
                        struct hone__breach *breach, bool *out_broken)
{
  struct hone__gpu_memory *memory = t->sets[set].memory[i];
  size_t guard = t->guard_bytes, first, behind = guard + t->host->args[i].bytes;

  if (!t->gpu->driver->differ(t->gpu, memory, 0, t->guard, 0, guard, &first)) return false;
  *breach = (struct hone__breach){.arg = i, .before = true, .offset = guard - first};
  *out_broken = first < guard;
  if (*out_broken) return true;
  if (!t->gpu->driver->differ(t->gpu, memory, behind, t->guard, 0, guard, &first)) return false;
  *breach = (struct hone__breach){.arg = i, .before = false, .offset = first};
  *out_broken = first < guard;
  return true;
}

bool hone__gpu_tensors_inspect(struct hone__gpu_tensors *t, struct hone__breach *out_breach,
                               bool *out_broken)
{
  *out_broken = false;
  for (size_t set = 0; set < first_sets(t); set++)
    for (size_t i = 0; i < t->host->count && !*out_broken; i++)
      if (is_tensor(&t->host->args[i]) && !inspect_one(t, set, i, out_breach, out_broken))
        return false;
  return true;
}

/* ---- Outputs ---- */

bool hone__gpu_tensors_read(struct hone__gpu_tensors *t, size_t set, unsigned char *snapshot)
{
  bool good = true;

  for (size_t i = 0; i < t->host->count && good; i++) {
    const struct hone__arg *arg = &t->host->args[i];
    if (is_tensor(arg) && hone__arg_is_output(arg))
      good = t->gpu->driver->read(t->gpu, snapshot + arg->snapshot, t->sets[set].memory[i],
                                  t->guard_bytes, arg->bytes);
  }
  return good;
}

static bool poison_arg(struct hone__gpu_tensors *t, size_t i, size_t first, size_t count)
{
  const struct hone__gpu_driver *driver = t->gpu->driver;
  struct hone__gpu_memory *list[HONE__GPU_MOST_SETS];
  bool poisoned = true;

  for (size_t k = 0; k < count; k++)
    list[k] = t->sets[first + k].memory[i];
  if (driver->spread && count > 1)
    return driver->spread(t->gpu, list, count, t->guard_bytes, t->pristine[0][i], 0,
                          t->host->args[i].bytes);
  for (size_t k = 0; k < count && poisoned; k++)
    poisoned = copy_pristine(t, first + k, i);
  return poisoned;
}

bool hone__gpu_tensors_poison(struct hone__gpu_tensors *t, size_t first, size_t count)
{
  bool poisoned = true;

  for (size_t i = 0; i < t->host->count && poisoned; i++)
    if (is_tensor(&t->host->args[i]) && hone__arg_is_poisoned(&t->host->args[i]))
      poisoned = poison_arg(t, i, first, count);
  return poisoned;
}
