/* The answer of a module is its whole buffer, as bytes: outputs are compared by type with the
 * reference's, and read-only parts must be unchanged.
 *
 * Rounding errors grow with the summands, not with the sum: an element may differ by the tolerance
 * of an ordinary element of the array (their root mean square).
 */
#include "iree/backend/iree_bench.h"

#include "iree/backend/iree_model.h"
#include "base/file.h"
#include "base/npy.h"
#include "iree/dispatch/dispatch_element.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_PIECES = 1024, LOOKED_AT = 1 << 16 };
static const size_t most_answer_bytes = (size_t)8 << 30;

/* What rounding may change when sums are taken in another order. Others are exact. */
static const struct {
  enum hone__element element;
  double rtol;
} tolerances[] = {
    {HONE__ELEMENT_F64, 1e-9},  {HONE__ELEMENT_F32, 1e-4},     {HONE__ELEMENT_F16, 1e-2},
    {HONE__ELEMENT_BF16, 2e-2}, {HONE__ELEMENT_F8E4M3, 0.125}, {HONE__ELEMENT_F8E5M2, 0.25},
};

/* ---- The pieces ---- */

void hone__iree_check_open(struct hone__iree_bench *bench)
{
  const struct hone__iree_subject *subject = bench->setup.iree;
  size_t count = subject->bindings_count < MOST_PIECES ? subject->bindings_count : MOST_PIECES;

  bench->pieces = hone__alloc((count + 1) * sizeof *bench->pieces);
  for (size_t i = 0; i < count; i++) {
    const struct hone__iree_setup_binding *binding = &subject->bindings[i];
    struct hone__iree_piece piece = {.offset = binding->offset,
                                     .size = binding->size,
                                     .element = hone__iree_element(binding->type),
                                     .is_written = binding->written};
    bench->pieces[bench->piece_count++] = piece;
    if (piece.offset + piece.size > bench->answer_size)
      bench->answer_size = piece.offset + piece.size;
  }
}

void hone__iree_check_close(struct hone__iree_bench *bench)
{
  hone__iree_model_check_close(bench);
  free(bench->pieces);
  free(bench->expected);
  free(bench->reference);
}

/* ---- Asking ---- */

static unsigned char *read_answer(const struct hone__iree_bench *bench, const char *path,
                                  struct hone__iree_attempt *attempt)
{
  char *bytes = NULL;
  size_t size = 0;
  struct hone__npy npy;
  hone_status status = hone__file_read(path, most_answer_bytes, &bytes, &size);

  if (!status) status = hone__npy_parse(bytes, size, &npy);
  if (!status && npy.count * hone__element_size(npy.element) >= bench->answer_size) {
    memmove(bytes, bytes + npy.offset, bench->answer_size);
    return (unsigned char *)bytes;
  }
  hone__iree_attempt_fail(attempt, HONE_OUTCOME_NO_RESULT, "iree-run-module wrote no answer%s%s",
                          status ? ": " : ", or a truncated one",
                          status ? hone_status_message(status) : "");
  hone_status_free(status);
  free(bytes);
  return NULL;
}

/* NULL: the attempt has the reason. */
static unsigned char *ask(struct hone__iree_bench *bench, const char *module, double timeout_s,
                          struct hone__iree_attempt *out_attempt)
{
  char *file = hone__iree_bench_path(bench, "answer.npy");
  struct hone__words words = {0};
  unsigned char *answer = NULL;

  hone__words_add(&words, bench->tools.paths[HONE__IREE_RUN]);
  hone__iree_answer_words(bench->setup.iree, module, bench->name, file, &words);
  unlink(file);
  hone__iree_tool_run(hone__words_list(&words), bench->folder, bench->variable, timeout_s,
                      out_attempt);
  if (out_attempt->outcome == HONE_OUTCOME_OK) answer = read_answer(bench, file, out_attempt);
  unlink(file);
  hone__words_release(&words);
  free(file);
  return answer;
}

/* ---- Comparing ---- */

static double own_rtol(enum hone__element element)
{
  for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++)
    if (tolerances[i].element == element) return tolerances[i].rtol;
  return 0;
}

/* Of some of its elements, which are spread over all of it. */
static double root_mean_square(enum hone__element element, const unsigned char *at, size_t count)
{
  size_t step = count / LOOKED_AT + 1, seen = 0;
  double sum = 0;

  for (size_t i = 0; i < count; i += step) {
    double value = hone__element_get(element, at, i);
    if (!isfinite(value)) continue;
    sum += value * value;
    seen++;
  }
  return seen ? sqrt(sum / (double)seen) : 0;
}

struct hone__tolerance hone__iree_tolerance(const struct hone__iree_bench *bench,
                                            enum hone__element element,
                                            const unsigned char *expected, size_t count)
{
  double rtol = own_rtol(element);
  double rms = rtol > 0 ? root_mean_square(element, expected, count) : 0;

  return (struct hone__tolerance){.rtol = bench->rtol >= 0 ? bench->rtol : rtol,
                                  .atol = bench->atol >= 0 ? bench->atol : rtol * rms,
                                  .ratio = bench->ratio};
}

static struct hone__tolerance tolerance_of(const struct hone__iree_bench *bench,
                                           const struct hone__iree_piece *piece)
{
  enum hone__element element = piece->element->element;

  return hone__iree_tolerance(bench, element, bench->expected + piece->offset,
                              piece->size / hone__element_size(element));
}

static void name_piece(const struct hone__iree_piece *piece, size_t number, struct hone__text *name)
{
  hone__text_addf(name, "binding %zu (%s)", number,
                  *piece->element->name ? piece->element->name : "bytes");
}

static bool compare_piece(const struct hone__iree_bench *bench, size_t number,
                          const unsigned char *answer, struct hone__text *why)
{
  const struct hone__iree_piece *piece = &bench->pieces[number];
  struct hone__tolerance tolerance = tolerance_of(bench, piece);
  size_t count = piece->size / hone__element_size(piece->element->element);
  struct hone__difference difference;
  struct hone__text name = {0};
  bool same;

  name_piece(piece, number, &name);
  if (piece->is_written) {
    same = hone__compare(piece->element->element, answer + piece->offset,
                         bench->expected + piece->offset, count, &tolerance, &difference);
    if (!same) hone__difference_message(&difference, name.data, &count, 1, why);
  } else {
    same = memcmp(answer + piece->offset, bench->expected + piece->offset, piece->size) == 0;
    if (!same) hone__text_addf(why, "%s was overwritten although it is an input", name.data);
  }
  hone__text_release(&name);
  return same;
}

static bool compare(const struct hone__iree_bench *bench, const unsigned char *answer,
                    struct hone__text *why)
{
  for (size_t i = 0; i < bench->piece_count; i++)
    if (!compare_piece(bench, i, answer, why)) return false;
  return true;
}

/* ---- The check ---- */

static bool have_expected(struct hone__iree_bench *bench, double timeout_s,
                          struct hone__iree_attempt *out_attempt)
{
  if (bench->expected) return true;
  bench->expected = ask(bench, bench->reference, timeout_s, out_attempt);
  if (bench->expected) {
    hone__iree_attempt_release(out_attempt);
    return true;
  }
  hone__text_add(&out_attempt->evidence, " (of the reference)");
  return false;
}

/* A wrong answer is computed again. */
static void judge_wrong(struct hone__iree_bench *bench, const char *module, double timeout_s,
                        const unsigned char *answer, const char *why,
                        struct hone__iree_attempt *attempt)
{
  struct hone__iree_attempt again;
  unsigned char *second = ask(bench, module, timeout_s, &again);
  bool differs = false;

  for (size_t i = 0; second && i < bench->piece_count; i++)
    differs |= memcmp(answer + bench->pieces[i].offset, second + bench->pieces[i].offset,
                      bench->pieces[i].size) != 0;
  hone__iree_attempt_fail(
      attempt, differs ? HONE_OUTCOME_NONDETERMINISTIC : HONE_OUTCOME_WRONG_RESULT, "%s", why);
  hone__iree_attempt_release(&again);
  free(second);
}

void hone__iree_check(struct hone__iree_bench *bench, const char *module, double timeout_s,
                      struct hone__iree_attempt *out_attempt)
{
  struct hone__text why = {0};
  unsigned char *answer = NULL;

  if (bench->setup.iree->is_model) {
    hone__iree_model_check(bench, module, timeout_s, out_attempt);
    return;
  }
  *out_attempt = (struct hone__iree_attempt){.outcome = HONE_OUTCOME_OK};
  if (have_expected(bench, timeout_s, out_attempt))
    answer = ask(bench, module, timeout_s, out_attempt);
  if (answer && !compare(bench, answer, &why))
    judge_wrong(bench, module, timeout_s, answer, why.data ? why.data : "", out_attempt);
  hone__text_release(&why);
  free(answer);
}
