/* An expected answer has the form of a snapshot, whatever its source. */
#include "backend/kernel/expected.h"

#include "backend/kernel/engine.h"
#include "backend/kernel/kernel_build.h"
#include "backend/kernel/scratch.h"
#include "backend/kernel/verdict.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/folder.h"
#include "base/status.h"
#include "check/guard.h"
#include "store/cache.h"

#include <stdlib.h>

static const double reference_timeout_s = 600;
static const double file_bytes_a_second = 300e6;
enum { MOST_CACHED_BYTES = 256 << 20 };

typedef hone_status source(struct hone__bench *bench,
                           const struct hone__kernel_reference *reference,
                           const unsigned char *payload, size_t payload_size);

static void keep(struct hone__bench *bench, size_t content, const void *snapshot)
{
  size_t size = bench->buffers.snapshot_bytes;

  bench->expected[content] = hone__alloc(size + 1);
  if (snapshot) memcpy(bench->expected[content], snapshot, size);
}

/* An output that is reduced may have fewer elements: the others count as never written. */
static void keep_output(struct hone__bench *bench, size_t content, const struct hone__arg *arg,
                        const unsigned char *elements, size_t size)
{
  unsigned char *to = bench->expected[content] + arg->snapshot;

  if (size < arg->bytes) hone__poison(arg->element, to, arg->bytes);
  if (size) memcpy(to, elements, size);
}

static hone_status part_of(size_t offset, size_t size, const unsigned char *payload,
                           size_t payload_size, const unsigned char **out_bytes)
{
  *out_bytes = payload + offset;
  if (offset <= payload_size && size <= payload_size - offset) return NULL;
  return hone__error(HONE_INVALID_ARGUMENT, "the reference is not in the payload");
}

/* ---- An object ---- */

/* One object may have many entries, and the same entry gives other answers for other scalars. */
static void identify_call(const struct hone__packed *packed, struct hone__digester *digester)
{
  struct hone__arena arena = {0};
  struct hone__kernel_candidate candidate = {0};
  static const char *const of_pipelines[] = {"args", "stages", "order"};
  struct hone__text values = {0};

  if (packed)
    hone_status_free(hone__unpack(packed, &hone__kernel_candidate_type, &arena, &candidate));
  hone__field_print(&hone__kernel_candidate_type, &candidate, "values", HONE__BY_TABLE, &values);
  hone__digest_add_text(digester, candidate.entry);
  hone__digest_add_text(digester, values.data);
  for (size_t i = 0; packed && i < sizeof of_pipelines / sizeof *of_pipelines; i++)
    hone__packed_digest_member(packed, of_pipelines[i], digester);
  hone__text_release(&values);
  hone__arena_release(&arena);
}

/* False if the setup does not name everything that the answer depends on. */
static bool cache_key(const struct hone__bench *bench,
                      const struct hone__kernel_reference *reference, size_t content,
                      char out_key[HONE__DIGEST_SIZE])
{
  const char *key = reference->key, *inputs = bench->setup.inputs_key;
  struct hone__digester *digester;

  if (!key || !inputs) return false;
  digester = hone__digest_begin();
  hone__digest_add_text(digester, key);
  hone__digest_add_text(digester, inputs);
  identify_call(reference->candidate, digester);
  if (content) hone__digest_add(digester, &content, sizeof content);
  for (size_t i = 0; i < bench->buffers.count; i++) {
    const struct hone__arg *arg = &bench->buffers.args[i];
    size_t words[] = {arg->element, arg->role, arg->bytes, arg->snapshot};
    hone__digest_add(digester, words, sizeof words);
  }
  hone__digest_end(digester, out_key);
  return true;
}

static bool content_from_cache(struct hone__bench *bench,
                               const struct hone__kernel_reference *reference, size_t content)
{
  char key[HONE__DIGEST_SIZE], *bytes = NULL;
  size_t size = 0;
  hone_status status = NULL;
  bool hit = cache_key(bench, reference, content, key);

  if (hit) status = hone__cache_get("references", key, &bytes, &size);
  hit = hit && !status && size == bench->buffers.snapshot_bytes;
  if (hit) keep(bench, content, bytes);
  hone_status_free(status);
  free(bytes);
  return hit;
}

static void forget(struct hone__bench *bench)
{
  for (size_t i = 0; i < HONE__CONTENTS; i++) {
    free(bench->expected[i]);
    bench->expected[i] = NULL;
  }
}

/* All of them, or none. */
static bool from_cache(struct hone__bench *bench, const struct hone__kernel_reference *reference)
{
  bool hit = bench->buffers.snapshot_bytes <= MOST_CACHED_BYTES;

  for (size_t i = 0; i < bench->contents && hit; i++)
    hit = content_from_cache(bench, reference, i);
  if (!hit) forget(bench);
  return hit;
}

/* A failed write to the cache is not a failure. Answers that took less time than files of their
 * size are computed again. */
static void to_cache(const struct hone__bench *bench,
                     const struct hone__kernel_reference *reference, double took_s)
{
  size_t size = bench->buffers.snapshot_bytes;
  char key[HONE__DIGEST_SIZE];

  if (took_s < (double)(bench->contents * size) / file_bytes_a_second) return;
  for (size_t i = 0; i < bench->contents && size <= MOST_CACHED_BYTES; i++)
    if (cache_key(bench, reference, i, key))
      hone_status_free(hone__cache_put("references", key, bench->expected[i], size));
}

/* A reference in C may accompany kernels of another kind. */
static hone_status engine_of(const struct hone__bench *bench, const struct hone__packed *packed,
                             const struct hone__engine **out_engine)
{
  struct hone__arena arena = {0};
  struct hone__kernel_candidate candidate;
  hone_status status = hone__unpack(packed, &hone__kernel_candidate_type, &arena, &candidate);

  if (!status) *out_engine = hone__kernel_is_c(&candidate) ? &hone__engine_c : bench->engine;
  hone__arena_release(&arena);
  return status;
}

/* `*out_outcome` is that of the reference where it ran. */
static hone_status try_object(struct hone__bench *bench, const struct hone__engine *engine,
                              const struct hone__packed *candidate, const unsigned char *object,
                              size_t object_size, enum hone_outcome *out_outcome)
{
  struct hone__trial trial = {
      .bench = bench, .engine = engine, .plan = {.check = true, .timeout_s = reference_timeout_s}};
  struct hone__trial_verdict verdict = {0};
  hone_status status = hone__trial_add(&trial, candidate, object, object_size);

  if (!status) status = hone__trial_run(&trial);
  if (status) goto done;
  if (hone__trial_complete(&trial))
    hone__kernel_verdict_of_record(&trial, 0, &verdict);
  else
    hone__kernel_verdict_of_death(&trial, &verdict);
  *out_outcome = verdict.outcome;
  for (size_t i = 0; verdict.outcome == HONE_OUTCOME_OK && i < bench->contents; i++)
    keep(bench, i, hone__trial_snapshot(&trial, 0, i));
  bench->was_right = verdict.outcome == HONE_OUTCOME_OK && !bench->judge; /* it has the last word */
  bench->is_reference_unloaded = hone__trial_complete(&trial) && !trial.report->records[0].calls;
  if (bench->is_reference_unloaded)
    status = hone__error(HONE_INVALID_SPEC, "%s", verdict.evidence.data);
  else if (verdict.outcome != HONE_OUTCOME_OK)
    status = hone__error(HONE_INVALID_SPEC, "the reference fails (%s): %s",
                         hone_outcome_name(verdict.outcome), verdict.evidence.data);
done:
  hone__text_release(&verdict.evidence);
  hone__trial_release(&trial);
  return status;
}

/* Tries again if another process killed it. */
static hone_status run_object(struct hone__bench *bench, const struct hone__packed *candidate,
                              const unsigned char *object, size_t object_size)
{
  enum hone_outcome outcome = HONE_OUTCOME_OK;
  const struct hone__engine *engine;
  hone_status status = engine_of(bench, candidate, &engine);

  if (status) return status;
  status = try_object(bench, engine, candidate, object, object_size, &outcome);
  for (int i = 0; status && i < hone__outcome_retries(outcome); i++) {
    hone_status_free(status);
    status = try_object(bench, engine, candidate, object, object_size, &outcome);
  }
  return status;
}

static hone_status from_object(struct hone__bench *bench,
                               const struct hone__kernel_reference *reference,
                               const unsigned char *payload, size_t payload_size)
{
  const unsigned char *object;
  hone_status status;
  double began;

  if (from_cache(bench, reference)) return NULL;
  status = part_of(reference->offset, reference->size, payload, payload_size, &object);
  began = hone__clock();
  if (!status) status = run_object(bench, reference->candidate, object, reference->size);
  if (!status) to_cache(bench, reference, hone__clock() - began);
  return status;
}

/* ---- A command ---- */

static hone_status write_inputs(const struct hone__bench *bench, size_t content, const char *folder)
{
  hone_status status = NULL;

  for (size_t i = 0; i < bench->buffers.count && !status; i++) {
    const struct hone__arg *arg = &bench->buffers.args[i];
    if (hone__arg_is_input(arg))
      status = hone__kernel_scratch_write(folder, NULL, arg,
                                          bench->buffers.pristine[content] + arg->data);
  }
  return status;
}

static hone_status read_outputs(struct hone__bench *bench, size_t content, const char *folder)
{
  hone_status status = NULL;

  keep(bench, content, NULL);
  for (size_t i = 0; i < bench->buffers.count && !status; i++) {
    const struct hone__arg *arg = &bench->buffers.args[i];
    const unsigned char *elements;
    char *bytes = NULL;
    size_t size;
    if (!hone__arg_is_output(arg)) continue;
    status = hone__kernel_scratch_read(folder, arg, &bytes, &elements, &size);
    if (!status) keep_output(bench, content, arg, elements, size);
    free(bytes);
  }
  return hone__annotate(status, "the reference's command did not write the expected answer");
}

static hone_status check_end(const struct hone__child_result *end)
{
  struct hone__text why = {0};
  hone_status status = NULL;

  if (hone__child_failed(end, &why))
    status = hone__error(HONE_INVALID_SPEC, "the reference's command failed: %s", why.data);
  hone__text_release(&why);
  return status;
}

static hone_status ask_command(struct hone__bench *bench,
                               const struct hone__kernel_reference *reference, size_t content)
{
  struct hone__child_result end = {0};
  char *folder = NULL;
  hone_status status = hone__folder_make(NULL, &folder);

  if (!status) status = write_inputs(bench, content, folder);
  if (!status)
    status = hone__kernel_scratch_command(bench, folder, reference->argv, reference->argv_count,
                                          reference_timeout_s, &end);
  if (!status) status = check_end(&end);
  if (!status) status = read_outputs(bench, content, folder);
  hone__child_result_release(&end);
  hone__folder_remove(folder);
  free(folder);
  return status;
}

static hone_status from_command(struct hone__bench *bench,
                                const struct hone__kernel_reference *reference,
                                const unsigned char *payload, size_t payload_size)
{
  hone_status status = NULL;

  (void)payload;
  (void)payload_size;
  for (size_t i = 0; i < bench->contents && !status; i++)
    status = ask_command(bench, reference, i);
  return status;
}

/* ---- Files ---- */

static hone_status from_files(struct hone__bench *bench,
                              const struct hone__kernel_reference *reference,
                              const unsigned char *payload, size_t payload_size)
{
  hone_status status = NULL;
  size_t next = 0;

  keep(bench, 0, NULL);
  for (size_t i = 0; i < bench->buffers.count && !status; i++) {
    const struct hone__arg *arg = &bench->buffers.args[i];
    const struct hone__kernel_file *file = &reference->files[next];
    const unsigned char *bytes;
    size_t size;
    if (!hone__arg_is_output(arg)) continue;
    if (next++ >= reference->files_count)
      return hone__error(HONE_INVALID_ARGUMENT, "the reference has no file for '%s'", arg->name);
    status = part_of(file->offset, file->size, payload, payload_size, &bytes);
    if (!status) status = hone__buffers_npy(arg, bytes, file->size, &bytes, &size);
    if (!status) keep_output(bench, 0, arg, bytes, size);
  }
  return status;
}

static hone_status from_nothing(struct hone__bench *bench,
                                const struct hone__kernel_reference *reference,
                                const unsigned char *payload, size_t payload_size)
{
  (void)bench;
  (void)reference;
  (void)payload;
  (void)payload_size;
  return NULL;
}

hone_status hone__expected_make(struct hone__bench *bench, const void *payload, size_t payload_size)
{
  static source *const sources[] = {[HONE__REFERENCE_NONE] = from_nothing,
                                    [HONE__REFERENCE_OBJECT] = from_object,
                                    [HONE__REFERENCE_COMMAND] = from_command,
                                    [HONE__REFERENCE_FILES] = from_files};
  const struct hone__kernel_reference *reference = bench->setup.reference;

  return reference ? sources[reference->kind](bench, reference, payload, payload_size) : NULL;
}

static struct hone__tolerance tolerance_of(const struct hone__bench *bench,
                                           const struct hone__arg *arg)
{
  struct hone__tolerance tolerance = bench->tolerance;

  if (arg->rtol >= 0) tolerance.rtol = arg->rtol;
  if (arg->atol >= 0) tolerance.atol = arg->atol;
  if (arg->ratio >= 0) tolerance.ratio = arg->ratio;
  return tolerance;
}

bool hone__expected_element_matches(const struct hone__bench *bench, size_t content, size_t arg,
                                    size_t index, const unsigned char *element)
{
  const struct hone__arg *output = &bench->buffers.args[arg];
  struct hone__tolerance tolerance = tolerance_of(bench, output);
  const unsigned char *expected = bench->expected[content];
  struct hone__difference difference;

  if (bench->judge || !expected) return true;
  if (output->reduction) return false;
  expected += output->snapshot + index * hone__element_size(output->element);
  return hone__compare(output->element, element, expected, 1, &tolerance, &difference);
}

/* Elements of an output that a candidate has: those of its own shape. */
static size_t count_of(const struct hone__bench *bench,
                       const struct hone__kernel_candidate *candidate, size_t arg)
{
  const struct hone__kernel_extent *extent = hone__kernel_extent_of(candidate, arg);
  size_t most = bench->buffers.args[arg].count;
  int64_t elements = extent ? hone__kernel_extent_elements(extent) : INT64_MAX;

  return (uint64_t)elements < most ? (size_t)elements : most;
}

struct comparison { /* of one output */
  const struct hone__bench *bench;
  const struct hone__kernel_candidate *candidate;
  size_t arg;
  struct hone__tolerance tolerance;
  const unsigned char *other; /* the expected answer to the other content; NULL: there is none */
};

static bool is_alike(const struct comparison *c, const unsigned char *got,
                     const unsigned char *expected, size_t i)
{
  enum hone__element element = c->bench->buffers.args[c->arg].element;
  size_t at = i * hone__element_size(element);
  struct hone__difference difference;

  return hone__compare(element, got + at, expected + at, 1, &c->tolerance, &difference);
}

/* Elements that the expected answer leaves unwritten, and that hold what is right for the other
 * content: calls alternate, outputs are not poisoned in whole before each of them, and a kernel
 * that keeps what it finds writes more in one call than in the next. */
static size_t count_left_over(const struct comparison *c, const unsigned char *got,
                              const unsigned char *expected)
{
  const struct hone__arg *arg = &c->bench->buffers.args[c->arg];
  const unsigned char *other = c->other ? c->other + arg->snapshot : NULL;
  size_t count = 0;

  if (!other || (hone__element_size(arg->element) < 4 && !hone__poison_is_certain(arg->element)))
    return 0;
  for (size_t i = 0; i < arg->count; i++)
    count += hone__check_is_poison(arg->element, expected, i) &&
             !hone__check_is_poison(arg->element, got, i) && !is_alike(c, got, expected, i) &&
             is_alike(c, got, other, i);
  return count;
}

static bool are_reduced_alike(const struct comparison *c, const unsigned char *got,
                              const unsigned char *expected, bool is_own, struct hone__text *why)
{
  const struct hone__arg *arg = &c->bench->buffers.args[c->arg];
  struct hone__reducing how = {arg->reduction, arg->element, c->tolerance, c->bench->reduce_room};
  size_t own = count_of(c->bench, c->candidate, c->arg);

  return hone__reduced_agree(&how, (struct hone__reduced_side){got, own, false},
                             (struct hone__reduced_side){expected, is_own ? own : arg->count, true},
                             arg->name, why);
}

/* `is_own`: what is expected is another answer of the same candidate. */
static bool arg_matches(const struct comparison *c, const unsigned char *got,
                        const unsigned char *expected, bool is_own, struct hone__text *why)
{
  const struct hone__arg *arg = &c->bench->buffers.args[c->arg];
  struct hone__difference difference;

  got += arg->snapshot, expected += arg->snapshot;
  if (arg->reduction) return are_reduced_alike(c, got, expected, is_own, why);
  if (hone__compare(arg->element, got, expected, arg->count, &c->tolerance, &difference) ||
      difference.mismatched - count_left_over(c, got, expected) <= difference.allowed)
    return true;
  if (why) hone__difference_message(&difference, arg->name, arg->shape, arg->dimensions, why);
  return false;
}

bool hone__expected_matches(const struct hone__bench *bench,
                            const struct hone__kernel_candidate *candidate, size_t content,
                            const unsigned char *snapshot, struct hone__text *why)
{
  const unsigned char *other = bench->contents > 1 ? bench->expected[1 - content] : NULL;
  bool matches = true;

  for (size_t i = 0; bench->expected[content] && i < bench->buffers.count && matches; i++) {
    struct comparison c = {bench, candidate, i, tolerance_of(bench, &bench->buffers.args[i]),
                           other};
    if (hone__arg_is_output(&bench->buffers.args[i]))
      matches = arg_matches(&c, snapshot, bench->expected[content], false, why);
  }
  return matches;
}

bool hone__kernel_answers_agree(const struct hone__bench *bench,
                                const struct hone__kernel_candidate *candidate,
                                const unsigned char *one, const unsigned char *other,
                                const unsigned char *to_other_content)
{
  bool agree = true;

  for (size_t i = 0; i < bench->buffers.count && agree; i++) {
    struct comparison c = {
        .bench = bench, .candidate = candidate, .arg = i, .other = to_other_content};
    c.tolerance = tolerance_of(bench, &bench->buffers.args[i]);
    c.tolerance.rtol *= 2, c.tolerance.atol *= 2, c.tolerance.ratio *= 2;
    if (hone__arg_is_output(&bench->buffers.args[i]))
      agree = arg_matches(&c, one, other, true, NULL);
  }
  return agree;
}

bool hone__expected_keeps_shape(const struct hone__bench *bench,
                                const struct hone__kernel_candidate *candidate,
                                const unsigned char *snapshot, struct hone__text *why)
{
  for (size_t i = 0; i < bench->buffers.count; i++) {
    const struct hone__arg *arg = &bench->buffers.args[i];
    if (!arg->is_variable || !hone__arg_is_output(arg)) continue;
    for (size_t k = count_of(bench, candidate, i); k < arg->count; k++) {
      if (hone__check_is_poison(arg->element, snapshot + arg->snapshot, k)) continue;
      hone__text_addf(why, "wrote past the end of '%s': element %zu of %zu", arg->name, k,
                      count_of(bench, candidate, i));
      return false;
    }
  }
  return true;
}
