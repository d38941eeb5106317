/* promotion.c - found by compiling: right for all of 120 samples (both orders of the right operand,
 * and a convolution) on gfx942. */
#include "iree/promotion.h"

#include "iree/gpu_knobs.h"

#include <inttypes.h>

void hone__promotion_constraints(struct hone_knob_writer *writer, const char *outer,
                                 const char *inner, const char *element, const char *threads)
{
  const int64_t bits = hone__gpu_bits(element), piece = bits > 0 && bits <= 128 ? 128 / bits : 1;
  struct hone_text row = {0}, pieces = {0};

  hone__text_addf(&row, "max(%s // %" PRId64 ", 1)", inner, piece);
  hone__text_addf(&pieces, "(%s * %s // %" PRId64 ")", outer, inner, piece);
  hone__knobs_constraint(writer, "%s %% (%s) == 0 or %s %% %s == 0", row.data, threads, threads,
                         row.data);
  hone__knobs_constraint(writer, "%s < %s or %s %% (%s) == 0", pieces.data, threads, pieces.data,
                         threads);
  hone__text_release(&row);
  hone__text_release(&pieces);
}
