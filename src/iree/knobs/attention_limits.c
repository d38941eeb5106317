#include "iree/knobs/attention_limits.h"

#include "iree/knobs/gpu_knobs.h"

#include <inttypes.h>

void hone__attention_limits(struct hone__knob_writer *writer,
                            const struct hone__attention_tiles *tiles)
{
  const int64_t query = tiles->k1 * hone__iree_gpu_bits(tiles->query),
                key = tiles->k1 * hone__iree_gpu_bits(tiles->key),
                value = hone__iree_gpu_bits(tiles->value);
  struct hone__text rows = {0}; /* of the second product: values, and scores */

  hone__knobs_constraint(writer, "%s %% %s == 0", tiles->k2, tiles->qk_columns);
  if (tiles->shared_bytes <= 0 || query <= 0 || key <= 0 || value <= 0) return;
  if (!tiles->reuse)
    hone__text_addf(&rows, "(%s + %s)", tiles->n, tiles->m);
  else if (*tiles->reuse)
    hone__text_addf(&rows, "(%s + (0 if %s else %s))", tiles->n, tiles->reuse, tiles->m);
  else
    hone__text_add(&rows, tiles->n);
  hone__knobs_constraint(
      writer, "(%s * %" PRId64 " + %s * %" PRId64 " + %s * %s * %" PRId64 ") // 8 <= %" PRId64,
      tiles->m, query, tiles->k2, key, rows.data, tiles->k2, value, tiles->shared_bytes);
  hone__text_release(&rows);
}
