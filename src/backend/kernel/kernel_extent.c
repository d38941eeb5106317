/* Outputs and scratch memory whose shape depends on parameters, such as the partial sums of each
 * block. All candidates share one buffer, which has the largest of these shapes; the shape of a
 * candidate travels with it. */
#include "backend/kernel/kernel_values.h"

#include "backend/kernel/describer.h"

#include <stdlib.h>

enum { MOST_ROWS = 20000 }; /* that are looked at: of more, random ones */

static bool is_variable(const struct hone__task *task, const struct hone__node *shape)
{
  if (shape->kind == HONE__SCALAR) return hone__task_depends_on_row(task, shape);
  for (size_t i = 0; i < shape->count; i++)
    if (hone__task_depends_on_row(task, shape->items[i])) return true;
  return false;
}

/* ---- Of one configuration ---- */

static hone_status read_size(const struct hone__task *task, const uint32_t *row,
                             const struct hone__node *node, const char *name, int64_t *out_size)
{
  struct hone__text what = {0};
  char *config = NULL;
  hone_status status;

  hone__text_addf(&what, "a size of '%s'", name);
  status = hone__kernel_whole(task, row, node, what.data, out_size);
  if (!status && *out_size < 1) {
    config = hone__task_config(task, row);
    status =
        hone__backend_spec_error(task->spec, node, "a size of '%s' is 0, for %s", name, config);
  }
  free(config);
  hone__text_release(&what);
  return status;
}

static hone_status read_shape(const struct hone__task *task, const uint32_t *row,
                              const struct hone__node *shape, const char *name, int64_t *out_sizes)
{
  bool is_one = shape->kind == HONE__SCALAR;
  hone_status status = NULL;

  for (size_t i = 0; i < (is_one ? 1 : shape->count) && !status; i++)
    status = read_size(task, row, is_one ? shape : shape->items[i], name, &out_sizes[i]);
  return status;
}

static size_t dimensions_of(const struct hone__node *shape)
{
  return shape->kind == HONE__SCALAR ? 1 : shape->count;
}

hone_status hone__kernel_extents(const struct hone__task *task, const uint32_t *row,
                                 struct hone__arena *arena,
                                 struct hone__kernel_candidate *candidate)
{
  const struct hone__node *args = hone__task_setting(task, "args");
  hone_status status = NULL;

  for (size_t i = 0; args && i < args->count && !status; i++) {
    const struct hone__node *shape = hone__node_get(args->items[i], "shape");
    struct hone__kernel_extent *extent;
    if (!shape || !is_variable(task, shape)) continue;
    if (!candidate->extents)
      candidate->extents = hone__arena_alloc(arena, args->count * sizeof *extent);
    extent = &candidate->extents[candidate->extents_count++];
    extent->arg = i;
    extent->shape_count = dimensions_of(shape);
    extent->shape = hone__arena_alloc(arena, extent->shape_count * sizeof *extent->shape);
    status = read_shape(task, row, shape, hone__describer_text(args->items[i], "name", "?"),
                        extent->shape);
  }
  return status;
}

/* ---- Of all of them ---- */

struct largest {
  const struct hone__describer *d;
  const struct hone__node *shape;
  struct hone__kernel_extent found, next;
  int64_t elements;
  hone_status status;
};

static bool visit(void *data, const uint32_t *row)
{
  struct largest *largest = data;
  int64_t elements;

  largest->status =
      read_shape(largest->d->task, row, largest->shape, largest->d->arg->name, largest->next.shape);
  if (largest->status) return false;
  elements = hone__kernel_extent_elements(&largest->next);
  if (elements > largest->elements) {
    struct hone__kernel_extent found = largest->found;
    largest->elements = elements;
    largest->found = largest->next;
    largest->next = found;
  }
  return true;
}

static hone_status find_largest(struct largest *largest)
{
  const struct hone_space *space = largest->d->task->space;
  hone_status status = NULL;

  if (hone_space_count(space) <= MOST_ROWS)
    hone_space_each(space, 0, visit, largest);
  else
    status = hone_space_search(space, "random", 0, MOST_ROWS, visit, largest);
  if (!status && !largest->status && largest->d->task->baseline)
    visit(largest, largest->d->task->baseline);
  hone_status_free(status ? largest->status : NULL);
  return status ? status : largest->status;
}

hone_status hone__describer_largest(struct hone__describer *d, const struct hone__node *shape,
                                    struct hone__kernel_arg *out, int64_t *out_elements)
{
  size_t count = dimensions_of(shape);
  struct largest largest = {.d = d, .shape = shape};
  hone_status status;

  largest.found = (struct hone__kernel_extent){
      .shape = hone__arena_alloc(&d->arena, (count + 1) * sizeof(int64_t)), .shape_count = count};
  largest.next = (struct hone__kernel_extent){
      .shape = hone__arena_alloc(&d->arena, (count + 1) * sizeof(int64_t)), .shape_count = count};
  status = find_largest(&largest);
  out->is_variable = true;
  out->shape = largest.found.shape;
  out->shape_count = count;
  *out_elements = largest.elements;
  return status;
}

bool hone__describer_is_variable(const struct hone__describer *d, const struct hone__node *shape)
{
  return is_variable(d->task, shape);
}
