/* What candidates do to their arguments, and what is done to undo it. Nothing here allocates. */
#include "backend/kernel/buffers.h"

#include "check/guard.h"

#include <sys/mman.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

static bool has_role(const struct hone__arg *arg, enum hone__role role)
{
  return hone__arg_is_tensor(arg) && arg->role == role;
}

static const unsigned char *given(const struct hone__buffers *buffers, size_t place,
                                  const struct hone__arg *arg)
{
  return buffers->pristine[buffers->holds[place]] + arg->data;
}

/* ---- Inputs ---- */

/* Dropping the pages of a private mapping brings back those of its file. */
static void restore_input(const struct hone__buffers *buffers, size_t place,
                          const struct hone__arg *arg, bool used)
{
  void *at = buffers->range[place] + arg->start;
  size_t size = arg->end - arg->start;

  if (used) madvise(at, size, MADV_DONTNEED);
  madvise(at, size, MADV_POPULATE_READ); /* kernels before 5.14 fault one by one instead */
}

static void restore_place(const struct hone__buffers *buffers, size_t place, bool used)
{
  for (size_t i = 0; i < buffers->count; i++) {
    const struct hone__arg *arg = &buffers->args[i];
    if (has_role(arg, HONE__ARG_IN))
      restore_input(buffers, place, arg, used);
    else if (hone__arg_is_tensor(arg))
      hone__arg_guard(arg, buffers->range[place]);
  }
  hone__buffers_poison(buffers, place);
}

void hone__buffers_restore(struct hone__buffers *buffers, bool used)
{
  for (size_t place = 0; place < buffers->places; place++) {
    buffers->holds[place] = place % buffers->contents;
    restore_place(buffers, place, used);
  }
  hone__buffers_refill(buffers);
}

static void copy_inputs(const struct hone__buffers *buffers, size_t place, enum hone__role role)
{
  for (size_t i = 0; i < buffers->count; i++) {
    const struct hone__arg *arg = &buffers->args[i];
    if (has_role(arg, role))
      memcpy(buffers->range[place] + arg->data, given(buffers, place, arg), arg->bytes);
  }
}

void hone__buffers_swap(struct hone__buffers *buffers)
{
  if (buffers->contents < 2) return;
  for (size_t place = 0; place < buffers->places; place++) {
    buffers->holds[place] = 1 - buffers->holds[place];
    copy_inputs(buffers, place, HONE__ARG_IN);
  }
  hone__buffers_refill(buffers);
}

void hone__buffers_rewrite(const struct hone__buffers *buffers, size_t place)
{
  copy_inputs(buffers, place, HONE__ARG_IN);
  copy_inputs(buffers, place, HONE__ARG_INOUT);
}

void hone__buffers_draw(const struct hone__buffers *buffers, size_t place, uint64_t seed)
{
  for (size_t i = 0; i < buffers->count; i++) {
    const struct hone__arg *arg = &buffers->args[i];
    struct hone__fill fill = arg->fill;
    if (!hone__arg_is_input(arg) || fill.kind == HONE__FILL_FILE) continue;
    fill.seed = seed;
    hone__fill_in_parts(&fill, arg->element, buffers->range[place] + arg->data, arg->count);
  }
}

void hone__buffers_refill(const struct hone__buffers *buffers)
{
  for (size_t place = 0; buffers->has_inout && place < buffers->places; place++)
    copy_inputs(buffers, place, HONE__ARG_INOUT);
}

/* Only what differs is copied: the others go on to share the pages of the file. */
static size_t restore_inputs_at(const struct hone__buffers *buffers, size_t place)
{
  size_t changed = 0;

  for (size_t i = buffers->count; i-- > 0;) {
    const struct hone__arg *arg = &buffers->args[i];
    unsigned char *at = buffers->range[place] + arg->data;
    if (!has_role(arg, HONE__ARG_IN)) continue;
    if (memcmp(at, given(buffers, place, arg), arg->bytes) == 0) continue;
    memcpy(at, given(buffers, place, arg), arg->bytes);
    changed = i + 1;
  }
  return changed;
}

size_t hone__buffers_restore_inputs(const struct hone__buffers *buffers)
{
  size_t changed = 0;

  for (size_t place = buffers->places; place-- > 0;) {
    size_t here = restore_inputs_at(buffers, place);
    if (here) changed = here;
  }
  return changed;
}

/* ---- Outputs ---- */

void hone__buffers_poison(const struct hone__buffers *buffers, size_t place)
{
  for (size_t i = 0; i < buffers->count; i++) {
    const struct hone__arg *arg = &buffers->args[i];
    if (hone__arg_is_poisoned(arg))
      hone__poison(arg->element, buffers->range[place] + arg->data, arg->bytes);
  }
}

void hone__buffers_snapshot(const struct hone__buffers *buffers, size_t place,
                            unsigned char *snapshot)
{
  for (size_t i = 0; i < buffers->count; i++) {
    const struct hone__arg *arg = &buffers->args[i];
    if (hone__arg_is_output(arg))
      memcpy(snapshot + arg->snapshot, buffers->range[place] + arg->data, arg->bytes);
  }
}

bool hone__buffers_equal(const struct hone__buffers *buffers, size_t place,
                         const unsigned char *snapshot)
{
  for (size_t i = 0; i < buffers->count; i++) {
    const struct hone__arg *arg = &buffers->args[i];
    if (hone__arg_is_output(arg) &&
        memcmp(snapshot + arg->snapshot, buffers->range[place] + arg->data, arg->bytes) != 0)
      return false;
  }
  return true;
}

/* ---- Guard zones ---- */

static bool arg_intact(const struct hone__arg *arg, const unsigned char *base,
                       struct hone__breach *out_breach)
{
  size_t front = arg->data - arg->start, behind = arg->data + arg->bytes, back = arg->end - behind;
  size_t first = hone__guard_broken(base + arg->start, front);

  out_breach->before = first < front;
  out_breach->offset = front - first;
  if (first < front) return false;
  out_breach->offset = hone__guard_broken(base + behind, back);
  return out_breach->offset == back;
}

bool hone__buffers_intact(const struct hone__buffers *buffers, struct hone__breach *out_breach)
{
  for (size_t i = 0; i < buffers->count; i++) {
    const struct hone__arg *arg = &buffers->args[i];
    out_breach->arg = i;
    for (size_t place = 0; hone__arg_is_tensor(arg) && place < buffers->places; place++)
      if (!arg_intact(arg, buffers->range[place], out_breach)) return false;
  }
  return true;
}
