/* cpu_attention.c - attention on a CPU: online_attention in vectors.
 *
 * Scores are rows of the query times steps along the keys, with the whole head dim; the result is
 * rows times the value's dim. If that dim were cut the scores would be computed once for each part:
 * it is left whole, or halved where vectors get too large. */
#include "iree/knobs/cpu_knobs.h"

#include <inttypes.h>

static int last(const struct hone__dim_list *list)
{
  return list->count ? (int)list->dims[list->count - 1] : -1;
}

static void add_values(struct hone__iree_cpu_knobs *knobs, unsigned m, unsigned n, unsigned k2)
{
  static const int64_t rows[] = {2, 4, 8, 16}, steps[] = {2, 4, 8, 16, 32};
  static const int64_t workgroups[] = {8, 16, 32, 64, 128, 256};
  const int64_t *sizes = knobs->operation->sizes;
  struct hone__iree_cpu_values row = {0}, column = {0}, step = {0}, workgroup = {0};

  hone__iree_cpu_values_tiles(&row, rows, 4, sizes[m], 2, false);
  hone__iree_cpu_values_add(&column, sizes[n]);
  if (sizes[n] % (2 * knobs->lanes) == 0) hone__iree_cpu_values_add(&column, sizes[n] / 2);
  hone__iree_cpu_values_tiles(&step, steps, 5, sizes[k2], 2, false);
  hone__iree_cpu_values_tiles(&workgroup, workgroups, 6, sizes[m], 2, true);
  hone__iree_cpu_values_near(&row, knobs->choice.vector[m], sizes[m]);
  hone__iree_cpu_values_near(&column, knobs->choice.vector[n], sizes[n]);
  hone__iree_cpu_values_near(&step, knobs->choice.vector[k2], sizes[k2]);
  hone__iree_cpu_values_near(&workgroup, knobs->choice.distribution[m], sizes[m]);
  knobs->parallel[m] = hone__iree_cpu_tile(knobs, "vec", m, &row);
  knobs->parallel[n] = hone__iree_cpu_tile(knobs, "vec", n, &column);
  knobs->reduction[k2] = hone__iree_cpu_tile(knobs, "vec", k2, &step);
  knobs->distribution[m] = hone__iree_cpu_tile(knobs, "dist", m, &workgroup);
}

static void constrain(struct hone__iree_cpu_knobs *knobs, unsigned m, unsigned n, unsigned k2)
{
  const struct hone__iree_operation *operation = knobs->operation;
  int64_t head = 1;

  for (unsigned i = 0; i < operation->k1.count; i++)
    head *= operation->sizes[operation->k1.dims[i]];
  hone__knobs_constraint(&knobs->writer, "vec_%u * vec_%u * %" PRId64 " < %" PRId64, m, k2, head,
                         knobs->room);
  hone__knobs_constraint(&knobs->writer, "vec_%u * vec_%u * vec_%u < %" PRId64, m, n, k2,
                         knobs->room);
  hone__knobs_constraint(&knobs->writer, "dist_%u %% vec_%u == 0 or dist_%u == %" PRId64, m, m, m,
                         operation->sizes[m]);
  hone__knobs_order(&knobs->writer, "vec_%u != %" PRId64, n, operation->sizes[n]);
  hone__knobs_order(&knobs->writer, "abs(log2(vec_%u) - 3) + abs(log2(vec_%u) - 3)", m, k2);
}

/* Loops of which there is one for each role but the innermost. */
static void add_outer_loops(struct hone__iree_cpu_knobs *knobs)
{
  const struct hone__iree_operation *operation = knobs->operation;
  const struct hone__dim_list *parallel[] = {&operation->batch, &operation->m, &operation->n};

  for (unsigned i = 0; i < 3; i++)
    for (unsigned j = 0; j < parallel[i]->count; j++)
      knobs->distribution[parallel[i]->dims[j]] = knobs->parallel[parallel[i]->dims[j]] = "1";
  for (unsigned j = 0; j < operation->k2.count; j++)
    knobs->reduction[operation->k2.dims[j]] = "1";
}

void hone__iree_cpu_attention_knobs(struct hone__iree_cpu_knobs *knobs)
{
  const struct hone__iree_operation *operation = knobs->operation;
  const int m = last(&operation->m), n = last(&operation->n), k2 = last(&operation->k2);

  if (m < 0 || n < 0 || k2 < 0) return;
  hone__knobs_begin(&knobs->writer, "LinalgExtTileAndVectorize");
  add_outer_loops(knobs);
  add_values(knobs, (unsigned)m, (unsigned)n, (unsigned)k2);
  knobs->distribution[n] = "0";
  constrain(knobs, (unsigned)m, (unsigned)n, (unsigned)k2);
  hone__iree_cpu_text(knobs, "LinalgExtTileAndVectorize", NULL);
}
