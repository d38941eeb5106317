/* promotion.c - the layout that the compiler derives, as constraints. */
#include "iree/knobs/promotion.h"

#include "iree/knobs/gpu_knobs.h"

#include <inttypes.h>

/* Elements that a thread copies at once: 128 bits, or less where the tile has less for each thread;
 * single ones where rows do not come out even. */
static void print_piece(struct hone__text *text, const char *outer, const char *inner,
                        const char *element, const char *threads)
{
  const int64_t bits = hone__iree_gpu_bits(element),
                most = bits > 0 && bits <= 128 ? 128 / bits : 1;
  struct hone__text wanted = {0};

  hone__text_addf(&wanted, "min(%" PRId64 ", %s * %s // (%s))", most, outer, inner, threads);
  hone__text_addf(text, "(%s if %s %% %s == 0 else 1)", wanted.data, inner, wanted.data);
  hone__text_release(&wanted);
}

void hone__promotion_constraints(struct hone__knob_writer *writer, const char *outer,
                                 const char *inner, const char *element, const char *threads)
{
  struct hone__text piece = {0}, row = {0};

  print_piece(&piece, outer, inner, element, threads);
  hone__text_addf(&row, "(%s // %s)", inner, piece.data);
  hone__knobs_constraint(writer, "%s %% (%s) == 0 or (%s) %% %s == 0", row.data, threads, threads,
                         row.data);
  hone__knobs_constraint(writer, "%s >= %s or max(%s, %s // %s) %% min(%s, %s // %s) == 0",
                         row.data, threads, outer, threads, row.data, outer, threads, row.data);
  hone__text_release(&row);
  hone__text_release(&piece);
}
