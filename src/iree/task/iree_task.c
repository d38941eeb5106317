/* From an MLIR file to a spec: read it, find operation and target, prepare the dispatch, write the
 * knobs.
 *
 * The spec is made anew each time, in milliseconds; what takes longer are questions to the
 * compiler, and their answers are kept (toolset_kept.h). A prepared dispatch lies in the cache
 * under the digest of its text, with the identity of the compiler beside it: a host without
 * compiler reads it there.
 */
#include "iree/task/iree_task.h"

#include "iree/tuning_spec/import.h"
#include "iree/task/iree_task_parts.h"
#include "iree/constraints/smt_knobs.h"
#include "iree/knobs/knobs.h"
#include "iree/tuning_spec/older_words.h"
#include "iree/toolset/toolset_kept.h"
#include "base/quoted_text.h"
#include "base/utf8.h"
#include "hone_iree.h"

#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

static const uint64_t dispatch_seed = 42;

bool hone__iree_is_mlir(const char *path)
{
  size_t length = strlen(path);

  return length > 5 && strcmp(path + length - 5, ".mlir") == 0;
}

/* Errors of a file begin with its name. */
static hone_status name_file(const struct hone__iree_job *job, hone_status status)
{
  if (!status || hone_status_code(status) != HONE_INVALID_SPEC) return status;
  if (hone__starts_with(hone_status_message(status), job->path)) return status;
  return hone__annotate(status, "%s: error", job->path);
}

/* ---- Reading ---- */

static hone_status add_flags(struct hone__iree_job *job)
{
  const struct hone_iree_options *options = job->options;
  hone_status status = NULL;

  if (options->target && !job->is_dump)
    status = hone__iree_target_flags(&job->toolset, options->target, &job->flags, &job->rewrite);
  for (size_t i = 0; !status && i < options->flag_count; i++)
    hone__words_add(&job->flags, options->flags[i]);
  return status;
}

/* The requested target, as described by the compiler. */
static hone_status ask_target(struct hone__iree_job *job, struct hone__iree_target *out_target)
{
  struct hone__text text = {0}, why = {0};
  hone_status status = hone__iree_target_text(&job->toolset, job->options->target, &text);

  if (!status)
    status = hone__mlir_parse(&job->target_file, job->options->target, text.data, text.length);
  if (!status && !hone__iree_target_read(&job->target_file, out_target, &why))
    status = hone__error(HONE_INVALID_SPEC, "target '%s': %s", job->options->target,
                         why.data ? why.data : "the compiler does not describe it");
  hone__text_release(&why);
  hone__text_release(&text);
  return status;
}

/* A dump is for the target that it was made for; sm_90 may be written over sm_80. */
static hone_status check_target(struct hone__iree_job *job)
{
  struct hone__iree_target asked;
  struct hone__words flags = {0};
  hone_status status =
      hone__iree_target_flags(&job->toolset, job->options->target, &flags, &job->rewrite);

  hone__words_release(&flags);
  if (status || job->rewrite || !job->toolset.paths[HONE__IREE_COMPILE]) return status;
  status = ask_target(job, &asked);
  if (!status && asked.arch && job->target.arch && asked.family != HONE__IREE_CPU &&
      strcmp(asked.arch, job->target.arch) != 0)
    status =
        hone__error(HONE_INVALID_ARGUMENT,
                    "'%s' was dumped for %s: for target '%s', which is %s, compile the model again",
                    job->path, job->target.arch, job->options->target, asked.arch);
  return status;
}

static hone_status find_target(struct hone__iree_job *job)
{
  struct hone__text why = {0};
  bool has_own = hone__iree_target_read(&job->file, &job->target, &why);
  hone_status status = NULL;

  if (has_own && job->options->target && job->is_dump) {
    status = check_target(job);
    if (job->rewrite) job->target.arch = job->rewrite;
  }
  if (!has_own && job->options->target)
    status = ask_target(job, &job->target);
  else if (!has_own)
    status = hone__error(
        HONE_INVALID_SPEC,
        "it has no target: give one with --iree-target, such as llvm-cpu, gfx942, mi300x or sm_80");
  hone__text_release(&why);
  return status;
}

/* The compiler silently dumps nothing for an operation of unknown sizes. */
static hone_status explain_no_dump(struct hone__iree_job *job, hone_status status)
{
  struct hone__iree_operation operation = {0};
  struct hone__text why = {0};

  if (hone_status_code(status) == HONE_INVALID_SPEC &&
      hone__iree_operation_find(&job->file, &operation, &why) == HONE__IREE_DYNAMIC &&
      operation.op) {
    hone_status_free(status);
    status = hone__mlir_error(&job->file, operation.op->span.begin, "this cannot be tuned: %s",
                              why.data ? why.data : "");
    if (why.data) hone__because(status, why.data);
  }
  hone__text_release(&why);
  return status;
}

static hone_status find_operation(struct hone__iree_job *job)
{
  struct hone__text why = {0};
  hone_status status = NULL;
  enum hone__iree_refusal refusal = hone__iree_operation_find(job->mlir, &job->operation, &why);
  const char *words = why.data ? why.data : "it has no operation with knobs";
  const struct hone__mlir_op *op = job->operation.op;

  if (refusal != HONE__IREE_TUNABLE && op && job->mlir == &job->file)
    status = hone__mlir_error(job->mlir, op->span.begin, "this cannot be tuned: %s", words);
  else if (refusal != HONE__IREE_TUNABLE)
    status = hone__error(HONE_INVALID_SPEC, "it cannot be tuned: %s", words);
  hone__because(status, words);
  hone__text_release(&why);
  return status;
}

/* Tuning needs the dispatch; a space for a CPU has it where it can, since any operation that the
 * compiler makes of the function may be tunable there, with tiles near its own. */
static bool is_dumped(const struct hone__iree_job *job)
{
  return job->options->for_tuning ||
         (job->target.family == HONE__IREE_CPU && job->toolset.paths[HONE__IREE_COMPILE]);
}

static hone_status read_file(struct hone__iree_job *job)
{
  hone_status status = hone__mlir_read(&job->file, job->path);

  if (status) return status;
  job->mlir = &job->file;
  job->is_dump = hone__mlir_find(job->file.root, "hal.executable") != NULL;
  status = add_flags(job);
  if (!status) status = find_target(job);
  if (status || job->is_dump || !is_dumped(job)) return status;
  status = hone__iree_task_dump(job);
  if (!status) job->mlir = &job->dump;
  return explain_no_dump(job, status);
}

/* ---- Knobs ---- */

/* The text for queries to the compiler: without the configuration that it chose. */
static hone_status prepare(struct hone__iree_job *job)
{
  hone_status status;

  if (job->is_prepared) return NULL;
  status = hone__iree_need_dump(&job->toolset, job->path, job->mlir->text);
  if (status) return status;
  status = hone__iree_dispatch_prepare(job->mlir, dispatch_seed, job->rewrite, &job->dispatch);
  job->is_prepared = true;
  return status;
}

static hone_status compiler_knobs(struct hone__iree_job *job, struct hone__text *yaml,
                                  struct hone__text *why)
{
  bool is_dispatch = job->is_dump || job->options->for_tuning;
  struct hone__text answer = {0};
  hone_status status = is_dispatch ? prepare(job) : NULL;

  if (!status)
    status = hone__iree_task_constraints(
        job, is_dispatch ? job->dispatch.text.data : job->file.text, &answer);
  if (!status && answer.data && strstr(answer.data, "smt.constraints")) {
    status = hone__mlir_parse(&job->constraints, "constraints", answer.data, answer.length);
    if (!status) status = hone__iree_smt_knobs(&job->constraints, job->options, yaml, why);
  } else if (!status) {
    hone__text_addf(why, "the compiler has no constraints for it on %s: use --knobs hone",
                    job->target.backend ? job->target.backend : "this target");
  }
  hone__text_release(&answer);
  return status;
}

static void own_knobs(struct hone__iree_job *job, struct hone__text *yaml, struct hone__text *why)
{
  if (job->target.family == HONE__IREE_CPU)
    hone__iree_cpu_knobs(&job->operation, &job->target, job->options, yaml, &job->first, why);
  else if (job->target.family == HONE__IREE_OTHER)
    hone__text_addf(why, "IREE reads no tuning specs for %s: targets are llvm-cpu, AMD and NVIDIA",
                    job->target.backend ? job->target.backend : "this target");
  else
    hone__iree_gpu_knobs(&job->operation, &job->target, job->options, yaml, why);
}

/* Only GPU pipelines have constraints. */
static bool has_constraints(const struct hone__iree_job *job)
{
  return job->target.family == HONE__IREE_AMD || job->target.family == HONE__IREE_NVIDIA;
}

static void warn(struct hone__iree_job *job, const char *words)
{
  hone__text_addf(&job->warnings, "%s: warning: %s\n", job->path, words);
}

/* Warns about options without effect on this operation. */
static void warn_of_options(struct hone__iree_job *job)
{
  const struct hone_iree_options *options = job->options;
  const enum hone__iree_op_kind kind = job->operation.kind;
  const char *pipeline = options->pipeline ? options->pipeline : "";
  bool is_vd = strcasecmp(pipeline, "VD") == 0 || strcasestr(pipeline, "vector");

  if (kind == HONE__IREE_CONVOLUTION && is_vd && options->conv_strategy == HONE_IREE_CONV_DIRECT)
    warn(job, "--conv-strategy direct cannot be honored under the VectorDistribute pipeline");
  if (kind != HONE__IREE_ATTENTION && options->denorm_flushing &&
      strcasestr(options->denorm_flushing, "true"))
    warn(job, "--denorm-flushing-options is for attention: it has no effect");
}

/* The compiler's constraints, if it has any. If there is no compiler, or it crashes on the query
 * (as 3.13 does for batches), our own are used. */
static hone_status default_knobs(struct hone__iree_job *job, struct hone__text *yaml,
                                 struct hone__text *why)
{
  hone_status status = has_constraints(job) ? compiler_knobs(job, yaml, why) : NULL;
  const enum hone_code code = hone_status_code(status);

  if (status && code != HONE_UNAVAILABLE && code != HONE_INVALID_SPEC) return status;
  if (!status && yaml->length) return NULL;
  why->length = yaml->length = 0;
  own_knobs(job, yaml, why);
  if (code == HONE_INVALID_SPEC && !yaml->length) return status; /* it is more informative */
  if (code == HONE_INVALID_SPEC)
    warn(job, "the compiler could not be queried for its constraints: using Hone's knobs");
  hone_status_free(status);
  return NULL;
}

static hone_status point_to_own(hone_status status)
{
  hone_status pointing;

  if (hone_status_code(status) != HONE_INVALID_SPEC) return status;
  pointing =
      hone__error(HONE_INVALID_SPEC,
                  "the compiler cannot be queried for its constraints: %s; --knobs hone needs none",
                  hone_status_message(status));
  hone_status_free(status);
  return pointing;
}

static hone_status write_knobs(struct hone__iree_job *job, struct hone__text *yaml)
{
  struct hone__text why = {0};
  hone_status status = NULL;

  switch (job->options->knobs) {
  case HONE_IREE_KNOBS_AUTO: status = default_knobs(job, yaml, &why); break;
  case HONE_IREE_KNOBS_HONE: own_knobs(job, yaml, &why); break;
  case HONE_IREE_KNOBS_COMPILER: status = point_to_own(compiler_knobs(job, yaml, &why)); break;
  default:
    status = hone__error(HONE_INVALID_ARGUMENT, "knobs have no kind %d", (int)job->options->knobs);
  }
  if (!status && !yaml->length) {
    const char *words = why.length ? why.data : "there is nothing to change";
    status =
        hone__because(hone__error(HONE_INVALID_SPEC, "it has no candidates: %s", words), words);
  }
  hone__text_release(&why);
  warn_of_options(job);
  return status;
}

/* ---- What the compiler here understands ---- */

/* Without a compiler, the one that dumped the file. */
static bool is_older(const struct hone__iree_job *job)
{
  if (job->toolset.version) return hone__iree_wants_older(&job->toolset);
  return hone__iree_has_older(job->mlir->text);
}

static hone_status need_specs(const struct hone__iree_job *job)
{
  if (!job->options->for_tuning || !job->toolset.version || job->target.family != HONE__IREE_CPU)
    return NULL;
  return hone__iree_need_feature(&job->toolset, HONE__IREE_HAS_CPU_SPECS);
}

/* ---- The dispatch in the cache ---- */

/* Of the present compiler, else of the one that prepared the dispatch. */
static char *identity_of(const struct hone__iree_job *job, const char *digest)
{
  const char *here = job->toolset.identity;
  struct hone__text kept = {0};

  if (here) {
    hone_status_free(hone__iree_kept_put(digest, "identity", here, strlen(here)));
    return hone__strdup(here);
  }
  hone__iree_kept_get(digest, "identity", &kept);
  if (kept.length) return hone__text_take(&kept);
  hone__text_release(&kept);
  return NULL;
}

static hone_status keep_dispatch(const struct hone__iree_job *job, char digest[HONE__DIGEST_SIZE],
                                 char **out_path)
{
  const struct hone__text *text = &job->dispatch.text;
  struct hone__text kept = {0};
  hone_status status = NULL;

  hone__digest(text->data ? text->data : "", text->length, digest);
  hone__iree_kept_get(digest, "dispatch.mlir", &kept);
  if (kept.length != text->length || memcmp(kept.data, text->data, text->length) != 0)
    status = hone__iree_kept_put(digest, "dispatch.mlir", text->data, text->length);
  *out_path = status ? NULL : hone__iree_kept_path(digest, "dispatch.mlir");
  hone__text_release(&kept);
  return status;
}

/* ---- The spec ---- */

static void add_head(const char *path, struct hone__text *yaml)
{
  char *real = hone__realpath(path);
  bool is_text = hone__utf8_is_text(real ? real : path);
  const char *base = strrchr(path, '/');
  struct hone__text stem = {0};

  base = base ? base + 1 : path;
  hone__text_addn(&stem, base, hone__iree_is_mlir(base) ? strlen(base) - 5 : strlen(base));
  hone__text_add(yaml, "name: ");
  hone__quote_text(yaml, is_text ? stem.data : "dispatch");
  if (is_text) {
    hone__text_add(yaml, "\nfile: ");
    hone__quote_path(yaml, real ? real : path);
  }
  hone__text_add(yaml, "\nbackend: iree\n");
  hone__text_release(&stem);
  free(real);
}

/* Behind what was good before. */
static void add_first(const struct hone__iree_job *job, struct hone__text *seeds)
{
  if (!job->first.length) return;
  if (seeds->length) seeds->length--; /* "]" */
  hone__text_addf(seeds, "%s%s]", seeds->length ? ", " : "[", job->first.data);
}

static hone_status add_settings(struct hone__iree_job *job, struct hone__text *yaml)
{
  char digest[HONE__DIGEST_SIZE], *path = NULL, *identity = NULL;
  struct hone__text seeds = {0};
  hone_status status = NULL;

  if (job->options->for_tuning) {
    status = prepare(job);
    if (!status) status = keep_dispatch(job, digest, &path);
    if (!status) identity = identity_of(job, digest);
    if (!status) status = hone__iree_seeds(&job->operation, job->options, is_older(job), &seeds);
    if (!status) add_first(job, &seeds);
  }
  if (!status)
    hone__iree_task_settings(job, path, path ? digest : NULL, identity, seeds.data, yaml);
  hone__text_release(&seeds);
  free(identity);
  free(path);
  return status;
}

static hone_status write_spec(struct hone__iree_job *job, struct hone__text *yaml)
{
  struct hone__text knobs = {0};
  hone_status status = read_file(job);

  if (!status) status = find_operation(job);
  if (!status) status = need_specs(job);
  if (!status) status = write_knobs(job, &knobs);
  if (!status && is_older(job)) hone__iree_spell_older(&knobs);
  if (!status) {
    add_head(job->path, yaml);
    status = add_settings(job, yaml);
  }
  if (!status) {
    hone__text_add(yaml, "alternatives:\n");
    if (job->options->for_tuning)
      hone__text_add(yaml, "  - name: compiler\n    params: {pipeline: [compiler]}\n");
    hone__text_addn(yaml, knobs.data, knobs.length);
    if (job->options->for_tuning) hone__text_add(yaml, "baseline: {pipeline: compiler}\n");
  }
  hone__text_release(&knobs);
  return status;
}

static void release(struct hone__iree_job *job)
{
  if (job->is_prepared) hone__iree_dispatch_release(&job->dispatch);
  hone__mlir_release(&job->constraints);
  hone__mlir_release(&job->target_file);
  hone__mlir_release(&job->dump);
  hone__mlir_release(&job->file);
  hone__words_release(&job->flags);
  hone__text_release(&job->warnings);
  hone__text_release(&job->first);
  hone__iree_toolset_release(&job->toolset);
}

hone_status hone__iree_spec(const char *path, const struct hone_iree_options *options,
                            struct hone__text *out_yaml, struct hone__text *out_warnings)
{
  struct hone__iree_job job = {.path = path, .options = options};
  hone_status status;

  hone__iree_toolset_find(options->iree_dir, &job.toolset);
  status = name_file(&job, write_spec(&job, out_yaml));
  if (out_warnings && job.warnings.length) hone__text_add(out_warnings, job.warnings.data);
  release(&job);
  return status;
}
