/* The answer of a model: every tensor that its function returns, as a file, and other results as
 * printed by iree-run-module.
 */
#include "iree/backend/iree_model.h"

#include "base/file.h"
#include "base/npy.h"
#include "iree/dispatch/dispatch_element.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_OUTPUTS = 256, LONGEST_ELEMENT = 32 };
static const size_t most_output_bytes = (size_t)8 << 30;

struct output {
  char *bytes; /* a whole file */
  struct hone__npy npy;
};
struct hone__iree_outputs {
  struct output *list; /* of others than tensors: empty */
  size_t count;
  char *printed;
};

/* ---- What it returns ---- */

static bool is_tensor(const char *type)
{
  return hone__starts_with(type, "tensor<") || hone__starts_with(type, "!hal.buffer_view");
}

/* "f32" of "tensor<256x384xf32>": the word after the last x that follows a digit or a '?'. */
static const struct hone__iree_element *element_of(const char *type)
{
  char name[LONGEST_ELEMENT] = "";
  const char *at = strchr(type, '<');
  size_t length;

  if (!at) return hone__iree_element("");
  for (at++; (length = strspn(at, "0123456789?")) > 0 && at[length] == 'x'; at += length + 1)
    continue;
  length = strcspn(at, ",>");
  if (length < sizeof name) memcpy(name, at, length);
  return hone__iree_element(name);
}

static void release(struct hone__iree_outputs *outputs)
{
  if (!outputs) return;
  for (size_t i = 0; i < outputs->count; i++)
    free(outputs->list[i].bytes);
  free(outputs->list);
  free(outputs->printed);
  free(outputs);
}

/* ---- Asking ---- */

static char *path_of(const struct hone__iree_bench *bench, size_t number)
{
  return hone__iree_bench_path(bench, "output_%zu.npy", number);
}

static void add_words(const struct hone__iree_bench *bench, const char *module,
                      struct hone__words *words)
{
  const struct hone__iree_subject *subject = bench->setup.iree;

  hone__words_add(words, bench->tools.paths[HONE__IREE_RUN]);
  hone__iree_word(words, "--module=%s", module);
  hone__iree_word(words, "--device=%s", bench->name);
  hone__iree_thread_words(subject->threads, bench->name, words);
  hone__iree_model_call(subject, words);
  for (size_t i = 0; i < subject->outputs_count; i++) {
    char *path = path_of(bench, i);
    if (is_tensor(subject->outputs[i]))
      hone__iree_word(words, "--output=@%s", path);
    else
      hone__words_add(words, "--output=-");
    unlink(path);
    free(path);
  }
}

static bool read_output(const struct hone__iree_bench *bench, size_t number, struct output *output,
                        struct hone__iree_attempt *attempt)
{
  char *path = path_of(bench, number);
  size_t size = 0;
  hone_status status = hone__file_read(path, most_output_bytes, &output->bytes, &size);

  if (!status) status = hone__npy_parse(output->bytes, size, &output->npy);
  if (status)
    hone__iree_attempt_fail(attempt, HONE_OUTCOME_NO_RESULT,
                            "iree-run-module wrote no output %zu: %s", number,
                            hone_status_message(status));
  unlink(path);
  free(path);
  if (!status) return true;
  hone_status_free(status);
  return false;
}

/* NULL: the attempt has the reason. */
static struct hone__iree_outputs *ask(struct hone__iree_bench *bench, const char *module,
                                      double timeout_s, struct hone__iree_attempt *out_attempt)
{
  const struct hone__iree_subject *subject = bench->setup.iree;
  struct hone__iree_outputs *outputs = hone__alloc(sizeof *outputs);
  struct hone__words words = {0};
  bool good;

  add_words(bench, module, &words);
  outputs->count = subject->outputs_count;
  outputs->list = hone__alloc((outputs->count + 1) * sizeof *outputs->list);
  hone__iree_tool_run(hone__words_list(&words), bench->folder, bench->variable, timeout_s,
                      out_attempt);
  good = out_attempt->outcome == HONE_OUTCOME_OK;
  if (good)
    outputs->printed = hone__strdup(out_attempt->output.data ? out_attempt->output.data : "");
  for (size_t i = 0; good && i < outputs->count; i++)
    if (is_tensor(subject->outputs[i]))
      good = read_output(bench, i, &outputs->list[i], out_attempt);
  hone__words_release(&words);
  if (good) return outputs;
  release(outputs);
  return NULL;
}

/* ---- Comparing ---- */

static bool same_shape(const struct hone__npy *a, const struct hone__npy *b)
{
  return a->dimensions == b->dimensions && a->count == b->count &&
         memcmp(a->shape, b->shape, a->dimensions * sizeof *a->shape) == 0 &&
         hone__element_size(a->element) == hone__element_size(b->element);
}

/* As declared by the function, if numpy uses the same bytes. */
static enum hone__element compared_as(const char *type, const struct hone__npy *npy)
{
  const struct hone__iree_element *declared = element_of(type);

  return *declared->name && hone__npy_holds(npy, declared->element) ? declared->element
                                                                    : npy->element;
}

static bool compare_output(const struct hone__iree_bench *bench, size_t number,
                           const struct output *got, struct hone__text *why)
{
  const struct output *expected = &bench->outputs->list[number];
  enum hone__element element = compared_as(bench->setup.iree->outputs[number], &expected->npy);
  const char *right = expected->bytes + expected->npy.offset;
  struct hone__tolerance tolerance =
      hone__iree_tolerance(bench, element, (const unsigned char *)right, expected->npy.count);
  struct hone__difference difference;
  char name[32];

  snprintf(name, sizeof name, "output %zu", number);
  if (!same_shape(&got->npy, &expected->npy)) {
    hone__text_addf(why, "%s has a different shape or type than in the untuned model", name);
    return false;
  }
  if (hone__compare(element, got->bytes + got->npy.offset, right, got->npy.count, &tolerance,
                    &difference))
    return true;
  hone__difference_message(&difference, name, got->npy.shape, got->npy.dimensions, why);
  return false;
}

static bool compare(const struct hone__iree_bench *bench, const struct hone__iree_outputs *outputs,
                    struct hone__text *why)
{
  for (size_t i = 0; i < outputs->count; i++)
    if (outputs->list[i].bytes && !compare_output(bench, i, &outputs->list[i], why)) return false;
  if (strcmp(outputs->printed, bench->outputs->printed) == 0) return true;
  hone__text_addf(why, "it returns '%.200s', the untuned model '%.200s'", outputs->printed,
                  bench->outputs->printed);
  return false;
}

/* ---- The check ---- */

static bool have_expected(struct hone__iree_bench *bench, double timeout_s,
                          struct hone__iree_attempt *out_attempt)
{
  if (bench->outputs) return true;
  bench->outputs = ask(bench, bench->reference, timeout_s, out_attempt);
  if (bench->outputs)
    hone__iree_attempt_release(out_attempt);
  else
    hone__text_add(&out_attempt->evidence, " (of the untuned model)");
  return bench->outputs != NULL;
}

static bool differs(const struct hone__iree_outputs *a, const struct hone__iree_outputs *b)
{
  for (size_t i = 0; i < a->count; i++) {
    const struct output *x = &a->list[i], *y = &b->list[i];
    if (x->bytes && (!same_shape(&x->npy, &y->npy) ||
                     memcmp(x->bytes + x->npy.offset, y->bytes + y->npy.offset,
                            x->npy.count * hone__element_size(x->npy.element)) != 0))
      return true;
  }
  return strcmp(a->printed, b->printed) != 0;
}

/* The untuned model itself gives other outputs: no candidate can be judged by them. */
static bool is_reference_unsteady(struct hone__iree_bench *bench, double timeout_s)
{
  struct hone__iree_attempt attempt;
  struct hone__iree_outputs *again = ask(bench, bench->reference, timeout_s, &attempt);
  bool is_unsteady = again && differs(again, bench->outputs);

  hone__iree_attempt_release(&attempt);
  release(again);
  return is_unsteady;
}

/* A wrong answer is computed again. */
static void judge_wrong(struct hone__iree_bench *bench, const char *module, double timeout_s,
                        const struct hone__iree_outputs *outputs, const char *why,
                        struct hone__iree_attempt *attempt)
{
  struct hone__iree_attempt again;
  struct hone__iree_outputs *second = ask(bench, module, timeout_s, &again);
  bool is_steady = !second || !differs(outputs, second);

  if (is_reference_unsteady(bench, timeout_s))
    hone__iree_attempt_fail(attempt, HONE_OUTCOME_NONDETERMINISTIC,
                            "the untuned model gives other outputs when it is run again (%s): give "
                            "inputs that it is made for (--input=@x.npy), or --no-check",
                            why);
  else
    hone__iree_attempt_fail(
        attempt, is_steady ? HONE_OUTCOME_WRONG_RESULT : HONE_OUTCOME_NONDETERMINISTIC, "%s", why);
  hone__iree_attempt_release(&again);
  release(second);
}

void hone__iree_model_check(struct hone__iree_bench *bench, const char *module, double timeout_s,
                            struct hone__iree_attempt *out_attempt)
{
  struct hone__iree_outputs *outputs = NULL;
  struct hone__text why = {0};

  *out_attempt = (struct hone__iree_attempt){.outcome = HONE_OUTCOME_OK};
  if (have_expected(bench, timeout_s, out_attempt))
    outputs = ask(bench, module, timeout_s, out_attempt);
  if (outputs && !compare(bench, outputs, &why))
    judge_wrong(bench, module, timeout_s, outputs, why.data ? why.data : "", out_attempt);
  hone__text_release(&why);
  release(outputs);
}

void hone__iree_model_check_close(struct hone__iree_bench *bench)
{
  release(bench->outputs);
}
