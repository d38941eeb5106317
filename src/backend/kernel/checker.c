#include "backend/kernel/checker.h"

#include "backend/kernel/expected.h"

enum { MOST_JUDGED = 4 }; /* sets of a sample: of a kernel whose answers all differ a little */
static const double cheap_share = 0.05; /* of what samples take */

enum hone__extent hone__checker_extent(const struct hone__trial *trial, size_t index,
                                       struct hone__random *random, bool must)
{
  const struct hone__kernel_record *record = hone__trial_record(trial, index);

  if (!trial->plan.check || trial->plan.checking == HONE__CHECK_FIRST) return HONE__NOTHING;
  if (must || trial->plan.checking == HONE__CHECK_EVERY || !record->compared_whole)
    return HONE__WHOLE;
  return hone__random_real(random) * record->whole_ns < cheap_share * record->sample_ns
             ? HONE__WHOLE
             : HONE__SPOTS;
}

/* What the call with the other content may have left behind; NULL: there is none. */
static const unsigned char *first_to_other(struct hone__trial *trial, size_t index, size_t content)
{
  size_t other = 1 - content;

  if (trial->bench->contents < 2 || !hone__trial_record(trial, index)->has_first[other])
    return NULL;
  if (!hone__trial_first(trial, index, other) &&
      (!trial->engine->recall || !trial->engine->recall(trial, index, other)))
    return NULL;
  return hone__trial_first(trial, index, other);
}

static bool agrees_with_first(struct hone__trial *trial, size_t index, size_t content,
                              const unsigned char *answer)
{
  const struct hone__kernel_candidate *candidate = &trial->candidates[index].candidate;
  const unsigned char *first = hone__trial_first(trial, index, content), *other;

  if (hone__kernel_answers_agree(trial->bench, candidate, answer, first, NULL)) return true;
  other = first_to_other(trial, index, content);
  return other && hone__kernel_answers_agree(trial->bench, candidate, answer, first, other);
}

/* A user's program is run by the runner, once, for the last answer. A helper started before the
 * expected answer was known has only the first answer to compare with. */
static bool is_close(struct hone__trial *trial, size_t index, size_t content,
                     const unsigned char *answer)
{
  const struct hone__kernel_candidate *candidate = &trial->candidates[index].candidate;

  if (trial->bench->judge) return true;
  if (trial->bench->expected[content])
    return hone__expected_matches(trial->bench, candidate, content, answer, NULL);
  if (!hone__trial_first(trial, index, content) && !trial->engine->recall(trial, index, content))
    return false;
  return agrees_with_first(trial, index, content, answer);
}

/* Copies the answer of a set that differs from the first one; `*out_right`: whether it is right. */
static bool judge(struct hone__trial *trial, size_t index, const struct hone__look *look,
                  bool *out_right)
{
  struct hone__kernel_record *record = hone__trial_record(trial, index);
  unsigned char *answer = hone__trial_snapshot(trial, index, HONE__LAST_ANSWER);

  if (!trial->engine->snapshot(trial, index, look->set, answer)) return false;
  record->has_last = true;
  record->last_is_first = false;
  record->last_content = (uint8_t)look->content;
  *out_right = look->what != HONE__LOOK_UNWRITTEN && is_close(trial, index, look->content, answer);
  if (look->what == HONE__LOOK_UNWRITTEN) {
    record->unwritten_arg = 1 + look->arg;
    record->unwritten = look->element;
  }
  return true;
}

/* Looks at all sets of the sample. */
static bool look_at_all(struct hone__trial *trial, size_t index, uint64_t repeats,
                        enum hone__extent extent, bool *out_right)
{
  struct hone__look look = {.set = 0};

  *out_right = true;
  for (int i = 0; *out_right && i < MOST_JUDGED; i++, look.set++) {
    if (!trial->engine->inspect(trial, index, repeats, extent, &look)) return false;
    if (look.what == HONE__LOOK_SAME) return true;
    if (!judge(trial, index, &look, out_right)) return false;
  }
  return true;
}

/* Another candidate may have written to the shared inputs: restoring them shows whether this one is
 * at fault. */
static bool try_again(struct hone__trial *trial, size_t index, bool *out_right)
{
  const struct hone__engine *engine = trial->engine;
  struct hone__kernel_record *record = hone__trial_record(trial, index);
  double ns;

  if (trial->restores_inputs) return true;
  if (!engine->restore_inputs(trial, index)) return false;
  if (!record->changed) return true;
  trial->restores_inputs = true;
  record->calls++;
  return engine->arrange(trial, index, 1, HONE__WHOLE) && engine->sample(trial, index, 1, &ns) &&
         look_at_all(trial, index, 1, HONE__WHOLE, out_right);
}

bool hone__checker_look(struct hone__trial *trial, size_t index, uint64_t repeats,
                        enum hone__extent extent)
{
  struct hone__kernel_record *record = hone__trial_record(trial, index);
  bool right;

  if (extent == HONE__NOTHING) return true;
  record->compared++;
  record->compared_whole += extent == HONE__WHOLE;
  if (!look_at_all(trial, index, repeats, extent, &right)) return false;
  if (!right && !try_again(trial, index, &right)) return false;
  if (right) return true;
  record->fault = HONE__TRIAL_WRONG;
  return false;
}
