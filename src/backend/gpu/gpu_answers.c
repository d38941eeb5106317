/* Comparing on the device costs a launch and a transfer of a few bytes; all sets of a batch are
 * compared at once if the driver can.
 */
#include "backend/gpu/gpu_answers.h"

enum { FEW_SETS = 4, MOST_KNOWN_BYTES = 512 << 20 };

struct view { /* one content, one output */
  struct hone__gpu_bench *own;
  const struct hone__gpu_candidate *loaded;
  const struct hone__arg *arg;
  size_t i, content;
};

/* ---- First answers ---- */

static size_t offset_of(const struct view *view)
{
  return view->content * view->own->tensors.host->snapshot_bytes + view->arg->snapshot;
}

static size_t answer_bytes(const struct hone__gpu_bench *own)
{
  return own->tensors.contents * own->tensors.host->snapshot_bytes;
}

/* For all contents; reuses the memory of an earlier candidate. */
static bool make_answers(struct hone__gpu_bench *own, struct hone__gpu_candidate *loaded)
{
  if (loaded->answers) return true;
  loaded->answers = own->spare_answers;
  own->spare_answers = NULL;
  return loaded->answers ||
         own->gpu->driver->allocate(own->gpu, answer_bytes(own), &loaded->answers);
}

bool hone__gpu_answers_keep(struct hone__trial *trial, size_t index, size_t set)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  struct hone__gpu_candidate *loaded = trial->candidates[index].own;
  const struct hone__gpu_tensors *t = &own->tensors;
  bool kept = true;

  if (!make_answers(own, loaded)) return true; /* no memory: they are compared on the host */
  for (size_t i = 0; i < t->host->count && kept; i++) {
    struct view view = {own, loaded, &t->host->args[i], i, hone__gpu_tensors_content(t, set)};
    if (hone__arg_is_output(view.arg) && view.arg->bytes)
      kept = own->gpu->driver->copy(own->gpu, loaded->answers, offset_of(&view),
                                    t->sets[set].memory[i], t->guard_bytes, view.arg->bytes);
  }
  return kept;
}

static void set_aside(struct hone__gpu_bench *own, struct hone__gpu_memory *answers)
{
  if (answers && own->spare_answers)
    own->gpu->driver->release(own->gpu, answers);
  else if (answers)
    own->spare_answers = answers;
}

/* ---- Known answers ---- */

/* With other shapes of outputs the same bits may be wrong. */
static bool may_be_known(const struct hone__trial *trial, size_t index)
{
  const struct hone__kernel_candidate *candidate = &trial->candidates[index].candidate;
  const struct hone__buffers *host = hone__gpu_bench_of(trial)->tensors.host;

  for (size_t i = 0; i < candidate->extents_count; i++)
    if (hone__arg_is_output(&host->args[candidate->extents[i].arg])) return false;
  return true;
}

static bool has_all_firsts(const struct hone__trial *trial, size_t index)
{
  const struct hone__kernel_record *record = hone__trial_record(trial, index);
  bool is_new = false;

  for (size_t content = 0; content < hone__gpu_bench_of(trial)->tensors.contents; content++) {
    if (!record->has_first[content]) return false;
    is_new = is_new || !record->first_like[content];
  }
  return is_new;
}

/* Both have the layout of first answers; `*out_equal` for one content. */
static bool compare_answers(struct hone__gpu_bench *own, struct hone__gpu_memory *one,
                            struct hone__gpu_memory *other, size_t content, bool *out_equal)
{
  const struct hone__buffers *host = own->tensors.host;
  size_t first;

  *out_equal = true;
  for (size_t i = 0; i < host->count && *out_equal; i++) {
    struct view view = {own, NULL, &host->args[i], i, content};
    if (!hone__arg_is_output(view.arg) || !view.arg->bytes) continue;
    if (!own->gpu->driver->differ(own->gpu, one, offset_of(&view), other, offset_of(&view),
                                  view.arg->bytes, &first))
      return false;
    *out_equal = first == view.arg->bytes;
  }
  return true;
}

static bool find_known(struct hone__trial *trial, size_t index, size_t content)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  const struct hone__gpu_candidate *loaded = trial->candidates[index].own;
  bool equal = false;

  for (size_t i = 0; i < own->known_count && !equal; i++)
    if (!compare_answers(own, loaded->answers, own->known[i], content, &equal)) return false;
  if (equal) hone__trial_record(trial, index)->first_like[content] = HONE__TRIAL_KNOWN;
  return true;
}

/* Among the candidates whose answers were copied. */
static bool find_earlier(struct hone__trial *trial, size_t index, size_t content)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  struct hone__kernel_record *record = hone__trial_record(trial, index);
  const struct hone__gpu_candidate *loaded = trial->candidates[index].own;

  for (size_t i = 0; i < index && !record->first_like[content]; i++) {
    const struct hone__gpu_candidate *other = trial->candidates[i].own;
    const struct hone__kernel_record *earlier = hone__trial_record(trial, i);
    bool equal = false;
    if (!other || !other->answers || !earlier->has_first[content] || earlier->first_like[content] ||
        !may_be_known(trial, i))
      continue;
    if (!compare_answers(own, loaded->answers, other->answers, content, &equal)) return false;
    if (equal) record->first_like[content] = (uint32_t)i + 1;
  }
  return true;
}

bool hone__gpu_answers_recognise(struct hone__trial *trial, size_t index, size_t set)
{
  const struct hone__gpu_candidate *loaded = trial->candidates[index].own;
  size_t content = hone__gpu_tensors_content(&hone__gpu_bench_of(trial)->tensors, set);

  if (!loaded->answers || !may_be_known(trial, index)) return true;
  return find_known(trial, index, content) && find_earlier(trial, index, content);
}

bool hone__gpu_answers_recall(struct hone__trial *trial, size_t index, size_t content)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  const struct hone__gpu_candidate *loaded = trial->candidates[index].own;
  const struct hone__buffers *host = own->tensors.host;
  unsigned char *to = hone__trial_snapshot(trial, index, content);
  bool copied = true;

  for (size_t i = 0; i < host->count && copied; i++) {
    struct view view = {own, loaded, &host->args[i], i, content};
    if (hone__arg_is_output(view.arg) && view.arg->bytes)
      copied = own->gpu->driver->read(own->gpu, to + view.arg->snapshot, loaded->answers,
                                      offset_of(&view), view.arg->bytes);
  }
  if (copied) hone__trial_record(trial, index)->first_like[content] = 0;
  return copied;
}

static bool has_room(const struct hone__gpu_bench *own)
{
  return own->known_count < HONE__GPU_MOST_KNOWN &&
         answer_bytes(own) <= MOST_KNOWN_BYTES / (own->known_count + 1);
}

void hone__gpu_answers_begin(struct hone__gpu_bench *own, bool was_right, bool is_suspect)
{
  if (own->last_answers && was_right && !is_suspect)
    own->known[own->known_count++] = own->last_answers;
  else
    set_aside(own, own->last_answers);
  own->last_answers = NULL;
  while (is_suspect && own->known_count)
    set_aside(own, own->known[--own->known_count]);
}

void hone__gpu_answers_release(struct hone__trial *trial, size_t index)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  struct hone__gpu_candidate *loaded = trial->candidates[index].own;

  if (!index && loaded->answers && has_room(own) && may_be_known(trial, index) &&
      has_all_firsts(trial, index))
    own->last_answers = loaded->answers;
  else
    set_aside(own, loaded->answers);
  loaded->answers = NULL;
}

/* ---- Comparing ---- */

/* `*out_set` becomes the first of these sets that differs, if that is before it. */
static bool compare(const struct view *view, const size_t *sets, size_t count, size_t *out_set)
{
  struct hone__gpu *gpu = view->own->gpu;
  const struct hone__gpu_tensors *t = &view->own->tensors;
  struct hone__gpu_memory *list[HONE__GPU_MOST_SETS];
  size_t which = count, at;

  for (size_t k = 0; k < count; k++)
    list[k] = t->sets[sets[k]].memory[view->i];
  if (gpu->driver->differ_any && count > 1) {
    if (!gpu->driver->differ_any(gpu, list, count, t->guard_bytes, view->loaded->answers,
                                 offset_of(view), view->arg->bytes, &which))
      return false;
  } else {
    for (size_t k = 0; k < count && which == count; k++) {
      if (!gpu->driver->differ(gpu, list[k], t->guard_bytes, view->loaded->answers, offset_of(view),
                               view->arg->bytes, &at))
        return false;
      if (at < view->arg->bytes) which = k;
    }
  }
  if (which < count && sets[which] < *out_set) *out_set = sets[which];
  return true;
}

/* If not all: the first two sets, whose contents change, and two random ones. */
static bool is_looked_at(struct hone__trial *trial, size_t set, size_t count, bool all)
{
  return all || set < HONE__CONTENTS || count <= FEW_SETS ||
         hone__random_below(&trial->spots.random, count) < FEW_SETS - HONE__CONTENTS;
}

static size_t choose_sets(struct hone__trial *trial, const size_t range[2], size_t from,
                          size_t content, bool all, size_t *sets)
{
  const struct hone__gpu_tensors *t = &hone__gpu_bench_of(trial)->tensors;
  size_t chosen = 0;

  for (size_t set = range[0]; set < range[0] + range[1]; set++)
    if (set >= from && hone__gpu_tensors_content(t, set) == content &&
        is_looked_at(trial, set, range[1], all))
      sets[chosen++] = set;
  return chosen;
}

static bool look_at_content(struct hone__trial *trial, size_t index, size_t content,
                            const size_t *sets, size_t count, size_t *out_set)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  const struct hone__buffers *host = own->tensors.host;
  bool compared = true;

  for (size_t i = 0; count && i < host->count && compared; i++) {
    struct view view = {own, trial->candidates[index].own, &host->args[i], i, content};
    if (hone__arg_is_output(view.arg) && view.arg->bytes)
      compared = compare(&view, sets, count, out_set);
  }
  return compared;
}

/* Without first answers on the device the host compares one set. */
static void look_on_host(const struct hone__gpu_tensors *t, size_t set, struct hone__look *look)
{
  look->what = look->set <= set ? HONE__LOOK_OTHER : HONE__LOOK_SAME;
  look->set = set;
  look->content = hone__gpu_tensors_content(t, set);
}

bool hone__gpu_answers_look(struct hone__trial *trial, size_t index, size_t first, size_t count,
                            enum hone__extent extent, struct hone__look *look)
{
  const struct hone__gpu_tensors *t = &hone__gpu_bench_of(trial)->tensors;
  const struct hone__gpu_candidate *loaded = trial->candidates[index].own;
  const size_t range[2] = {first, count};
  size_t sets[HONE__GPU_MOST_SETS], from = look->set, none = first + count;

  if (!loaded->answers) {
    look_on_host(t, first, look);
    return true;
  }
  look->set = none;
  for (size_t content = 0; content < t->contents; content++) {
    size_t chosen = choose_sets(trial, range, from, content, extent == HONE__WHOLE, sets);
    if (!look_at_content(trial, index, content, sets, chosen, &look->set)) return false;
  }
  look->what = look->set < none ? HONE__LOOK_OTHER : HONE__LOOK_SAME;
  look->content = look->set < none ? hone__gpu_tensors_content(t, look->set) : 0;
  return true;
}
