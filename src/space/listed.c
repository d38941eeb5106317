/* A list is walked row by row: its values become numbers of the domains as they are now, what the
 * constraints leave is sorted, and the sorted rows become a diagram. */
#include "space/listed.h"

#include "base/budget.h"

#include <stdlib.h>

enum { GONE = UINT32_MAX };

struct walk {
  const struct hone__solved_group *group;
  const struct hone__listing *listing;
  uint32_t **numbers; /* by column and value of the list: the domain's, or GONE */
  uint32_t *params;   /* by column; GONE: the group does not have it */
  uint32_t *full;     /* the row at hand, by parameter of the group */
  struct hone__arena arena;
};

/* ---- Columns ---- */

size_t hone__space_listing_column(const struct hone__listing *listing, const char *name)
{
  for (size_t i = 0; i < listing->width; i++)
    if (strcmp(listing->names[i], name) == 0) return i;
  return SIZE_MAX;
}

/* A name that occurs twice means the last, as in expressions. */
static uint32_t find_param(const struct hone__solved_group *group, const char *name)
{
  for (size_t i = group->count; i-- > 0;)
    if (strcmp(group->domains[i].name, name) == 0) return (uint32_t)i;
  return GONE;
}

static void open_walk(struct walk *walk, const struct hone__solved_group *group)
{
  const struct hone__listing *listing = group->group->listing;

  *walk = (struct walk){.group = group, .listing = listing};
  walk->numbers = hone__arena_alloc(&walk->arena, (listing->width + 1) * sizeof *walk->numbers);
  walk->params = hone__arena_alloc(&walk->arena, (listing->width + 1) * sizeof *walk->params);
  walk->full = hone__arena_alloc(&walk->arena, (group->count + 1) * sizeof *walk->full);
  for (size_t i = 0; i < listing->width; i++) {
    uint32_t param = walk->params[i] = find_param(group, listing->names[i]);
    if (param == GONE) continue;
    walk->numbers[i] =
        hone__arena_alloc(&walk->arena, (listing->value_counts[i] + 1) * sizeof **walk->numbers);
    for (uint32_t k = 0; k < listing->value_counts[i]; k++)
      if (!hone__domain_find(&group->domains[param], listing->values[i][k], &walk->numbers[i][k]))
        walk->numbers[i][k] = GONE;
  }
}

/* False: one of its values is not there any more. */
static bool take_row(struct walk *walk, size_t row)
{
  const uint32_t *values = walk->listing->rows + row * walk->listing->width;

  for (size_t i = 0; i < walk->listing->width; i++) {
    if (walk->params[i] == GONE) continue;
    if (walk->numbers[i][values[i]] == GONE) return false;
    walk->full[walk->params[i]] = walk->numbers[i][values[i]];
  }
  return true;
}

bool hone__space_listing_is_possible(const struct hone__solved_group *group)
{
  struct walk walk;
  bool found = false;

  open_walk(&walk, group);
  for (size_t i = 0; i < walk.listing->count && !found; i++)
    found = take_row(&walk, i);
  hone__arena_release(&walk.arena);
  return found;
}

bool hone__space_listing_first(const struct hone_space *space, uint32_t *row)
{
  const struct hone__solved_group *group = space->groups;
  struct walk walk;
  bool found;

  if (!space->group_count || !group->group->listing) return false;
  open_walk(&walk, group);
  found = walk.listing->first < walk.listing->count && take_row(&walk, walk.listing->first);
  row[0] = 0;
  if (found) memcpy(row + 1, walk.full, group->count * sizeof *row);
  hone__arena_release(&walk.arena);
  return found && hone__space_is_legal(space, row);
}

/* ---- Is it there? ---- */

static bool row_has(const struct hone__listing *listing, const struct hone__solved_group *group,
                    const uint32_t *row, const struct hone_value *values)
{
  for (size_t i = 0; i < listing->width; i++) {
    uint32_t param = find_param(group, listing->names[i]);
    if (param != GONE && !hone__value_equal(listing->values[i][row[i]], values[param]))
      return false;
  }
  return true;
}

bool hone__space_listing_has(const struct hone__listing *listing,
                             const struct hone__solved_group *group,
                             const struct hone_value *values)
{
  for (size_t i = 0; i < listing->count; i++)
    if (row_has(listing, group, listing->rows + i * listing->width, values)) return true;
  return false;
}

/* ---- Constraints ---- */

struct checker {
  const struct hone__component *component;
  size_t param_count;
  uint32_t last;                /* of the nodes that are needed */
  struct hone_value *variables; /* by parameter */
  struct hone_value *values;    /* by node */
};

static void open_checker(struct checker *checker, const struct hone__component *component,
                         struct walk *walk)
{
  *checker = (struct checker){.component = component, .param_count = walk->group->count};
  for (size_t i = 0; i < component->constraint_count; i++)
    if (component->constraints[i] > checker->last) checker->last = component->constraints[i];
  checker->variables =
      hone__arena_alloc(&walk->arena, (walk->group->count + 1) * sizeof *checker->variables);
  checker->values =
      hone__arena_alloc(&walk->arena, (component->program->count + 1) * sizeof *checker->values);
}

/* A constraint that faults is neither true nor false: it matters if no other one is false. */
static bool holds(struct checker *checker, const uint32_t *full, struct hone__solve_fault *fault)
{
  const struct hone__component *component = checker->component;

  *fault = (struct hone__solve_fault){0};
  if (!component->constraint_count) return true;
  for (size_t i = 0; i < checker->param_count; i++)
    checker->variables[i] = hone__domain_value(component->domains[i], full[i]);
  hone__spec_program_run(component->program, checker->last, checker->variables, checker->values);
  for (size_t i = 0; i < component->constraint_count; i++) {
    struct hone_value value = checker->values[component->constraints[i]];
    if (value.type != HONE__FAULT && !hone__value_truth(value)) return false;
    if (value.type == HONE__FAULT && value.integer != HONE__FAULT_NAME)
      *fault = (struct hone__solve_fault){.found = true,
                                          .constraint = component->constraints[i],
                                          .fault = (enum hone__fault)value.integer};
  }
  return true;
}

/* ---- Rows of the part ---- */

struct part_rows {
  const uint32_t *order;
  uint32_t depth;
  uint32_t *free; /* parameters of the part that are not listed: all their values go with a row */
  uint32_t free_count;
  struct hone__budget budget;
  uint32_t *data;
  size_t count, capacity;
};

static void find_free(struct part_rows *rows, struct walk *walk)
{
  rows->free = hone__arena_alloc(&walk->arena, (rows->depth + 1) * sizeof *rows->free);
  for (uint32_t i = 0; i < rows->depth; i++)
    if (hone__space_listing_column(walk->listing, walk->group->domains[rows->order[i]].name) ==
        SIZE_MAX)
      rows->free[rows->free_count++] = rows->order[i];
}

/* The next choice of those that are not listed; false: all were had. */
static bool next_choice(const struct part_rows *rows, struct walk *walk)
{
  for (uint32_t i = 0; i < rows->free_count; i++) {
    uint32_t param = rows->free[i];
    if (++walk->full[param] < walk->group->domains[param].count) return true;
    walk->full[param] = 0;
  }
  return false;
}

static hone_status keep_row(struct part_rows *rows, const uint32_t *full)
{
  hone_status status = hone__budget_reserve(&rows->budget, &rows->data, &rows->capacity,
                                            (rows->count + 1) * rows->depth, sizeof *rows->data);

  if (status) return status;
  for (uint32_t i = 0; i < rows->depth; i++)
    rows->data[rows->count * rows->depth + i] = full[rows->order[i]];
  rows->count++;
  return NULL;
}

static void note_fault(const struct part_rows *rows, const uint32_t *full,
                       const struct hone__solve_fault *found, struct hone__solve_fault *out_fault)
{
  if (out_fault->found) return;
  *out_fault = *found;
  out_fault->row = hone__alloc((rows->depth + 1) * sizeof *out_fault->row);
  for (uint32_t i = 0; i < rows->depth; i++)
    out_fault->row[i] = full[rows->order[i]];
}

static hone_status collect(struct walk *walk, struct checker *checker, struct part_rows *rows,
                           struct hone__solve_fault *out_fault)
{
  hone_status status = NULL;

  for (size_t i = 0; i < walk->listing->count && !status; i++) {
    struct hone__solve_fault fault;
    if (!take_row(walk, i)) continue;
    do {
      if (!holds(checker, walk->full, &fault)) continue;
      if (fault.found)
        note_fault(rows, walk->full, &fault, out_fault);
      else
        status = keep_row(rows, walk->full);
    } while (!status && next_choice(rows, walk));
  }
  return status;
}

static int compare_rows(const void *a, const void *b, void *depth)
{
  const uint32_t *one = a, *other = b;

  for (uint32_t i = 0; i < *(uint32_t *)depth; i++)
    if (one[i] != other[i]) return one[i] < other[i] ? -1 : 1;
  return 0;
}

static void sort_rows(struct part_rows *rows)
{
  size_t bytes = rows->depth * sizeof *rows->data, kept = 0;

  if (!rows->count) return;
  qsort_r(rows->data, rows->count, bytes, compare_rows, &rows->depth);
  for (size_t i = 1; i < rows->count; i++)
    if (memcmp(rows->data + kept * rows->depth, rows->data + i * rows->depth, bytes) != 0)
      memcpy(rows->data + ++kept * rows->depth, rows->data + i * rows->depth, bytes);
  rows->count = kept + 1;
}

hone_status hone__space_listing_solve(const struct hone__solved_group *group,
                                      const struct hone__component *component,
                                      const uint32_t *order, uint32_t depth,
                                      const struct hone__solve_limits *limits,
                                      struct hone__solve_fault *out_fault,
                                      struct hone__diagram **out_diagram)
{
  struct part_rows rows = {
      .order = order, .depth = depth, .budget = {.limit = limits->memory_bytes}};
  struct checker checker;
  struct walk walk;
  hone_status status;

  open_walk(&walk, group);
  open_checker(&checker, component, &walk);
  find_free(&rows, &walk);
  status = collect(&walk, &checker, &rows, out_fault);
  if (!status) sort_rows(&rows);
  if (!status) status = hone__diagram_from_rows(rows.data, rows.count, depth, out_diagram);
  free(rows.data);
  hone__arena_release(&walk.arena);
  return status;
}
