#include "space/split.h"

/* -1: some constraint is false for all of them; 1: all are true for all of them; 0: open. */
static int test(struct hone__split *s, uint32_t from, uint32_t to)
{
  int result = 1;

  HONE__ASSERT_SLOW(from <= to && to < s->level->candidates.count);
  s->tests++;
  s->bounds[s->level->variable_node] = hone__space_candidate_bounds(s->level, from, to);
  for (uint32_t i = 0; i < s->node_count; i++) {
    uint32_t node = s->nodes[i];
    int truth;
    if (node != s->level->variable_node)
      s->bounds[node] = hone__bounds_run(&s->program->nodes[node], s->bounds);
    if (!s->checks[i]) continue;
    truth = hone__bounds_truth(&s->bounds[node]);
    if (truth < 0) return -1;
    if (truth == 0) result = 0;
  }
  return result;
}

/* The span so far becomes a list, because what follows does not adjoin. */
static void list_span(struct hone__split *s)
{
  s->is_list = true;
  s->overflow = s->overflow || s->count > s->capacity;
  for (uint32_t i = 0; i < s->count && !s->overflow; i++)
    s->room[i] = s->first + i;
}

static void keep(struct hone__split *s, uint32_t from, uint32_t to)
{
  for (uint32_t k = from; k <= to && !s->overflow; k++) {
    uint32_t index = hone__candidate(&s->level->candidates, k);
    bool whole = !s->level->candidates.list; /* then the rest adjoins */
    if (s->count == 0) s->first = index;
    if (!s->is_list && index != s->first + s->count) list_span(s);
    if (!s->is_list) {
      s->count += whole ? to - k + 1 : 1;
      if (whole) return;
    } else if (s->count == s->capacity) {
      s->overflow = true;
    } else {
      s->room[s->count++] = index;
    }
  }
}

static void visit(struct hone__split *s, uint32_t from, uint32_t to)
{
  uint32_t size = to - from + 1, middle = from + size / 2;
  int truth = s->overflow ? -1 : test(s, from, to);

  if (truth < 0) return;
  if (truth > 0) {
    keep(s, from, to);
  } else if (size > HONE__FEW_CANDIDATES && s->level->domain->ascending) {
    visit(s, from, middle - 1);
    visit(s, middle, to);
  } else if (s->one_by_one && size > 1) {
    for (uint32_t k = from; k <= to; k++)
      visit(s, k, k);
  } else {
    s->certain = false;
    keep(s, from, to);
  }
}

void hone__split_run(struct hone__split *split)
{
  split->count = split->tests = 0;
  split->is_list = split->overflow = false;
  split->certain = true;
  HONE__ASSERT(split->level->candidates.count > 0);
  visit(split, 0, split->level->candidates.count - 1);
}
