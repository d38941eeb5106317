/* The settings of a spec that is made of an MLIR file. Texts are written as JSON, which YAML
 * contains. */
#include "iree/task/iree_task_parts.h"

#include "base/quoted_text.h"
#include "iree/tuning_spec/tuning_spec.h"
#include "hone_iree.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- Values ---- */

static void add_text(struct hone__text *yaml, const char *key, const char *value)
{
  if (!value) return;
  hone__text_addf(yaml, "  %s: ", key);
  hone__quote_text(yaml, value);
  hone__text_add(yaml, "\n");
}

/* ---- Parts ---- */

static const struct {
  const char *backend, *driver;
} drivers[] = {{"llvm-cpu", "local-sync"},
               {"rocm", "hip"},
               {"cuda", "cuda"},
               {"vulkan-spirv", "vulkan"},
               {"vmvx", "local-sync"}};

static const char *driver_of(const char *backend)
{
  for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
    if (backend && strcmp(drivers[i].backend, backend) == 0) return drivers[i].driver;
  return NULL;
}

static void add_driver(const struct hone__iree_job *job, struct hone__text *yaml)
{
  const char *driver = driver_of(job->target.backend);
  bool has_threads = job->options->threads > 1 && driver && strcmp(driver, "local-sync") == 0;

  add_text(yaml, "driver", has_threads ? "local-task" : driver);
  if (has_threads) hone__text_addf(yaml, "  threads: %u\n", job->options->threads);
}

static const char *const kinds[] = {[HONE__IREE_CONTRACTION] = "contraction",
                                    [HONE__IREE_CONVOLUTION] = "convolution",
                                    [HONE__IREE_ATTENTION] = "attention",
                                    [HONE__IREE_GENERIC] = ""}; /* its layout has all words */

static void add_operation(const struct hone__iree_operation *operation, struct hone__text *yaml)
{
  struct hone__text text = {0}, layout = {0};

  hone__iree_operation_layout(operation, &layout);
  if (!layout.data || !strstr(layout.data, kinds[operation->kind]))
    hone__text_addf(&text, "%s ", kinds[operation->kind]);
  hone__text_addf(&text, "%s ", layout.data ? layout.data : "");
  hone__iree_operation_sizes(operation, &text);
  add_text(yaml, "operation", text.data);
  hone__text_release(&layout);
  hone__text_release(&text);
}

/* Layout and sizes, as a symbol: "mmt_1024x1280x1280_f16xf16_f32". */
static void add_matcher(const struct hone__iree_operation *operation, struct hone__text *yaml)
{
  struct hone__text described = {0}, name = {0}, lines = {0};

  hone__iree_operation_layout(operation, &described);
  hone__text_add(&described, "_");
  hone__iree_operation_sizes(operation, &described);
  for (size_t i = 0; i < described.length; i++) {
    bool is_plain = isalnum((unsigned char)described.data[i]);
    if (is_plain)
      hone__text_addn(&name, &described.data[i], 1);
    else if (name.length && name.data[name.length - 1] != '_')
      hone__text_add(&name, "_");
  }
  hone__iree_tuning_spec_matcher(operation, &lines);
  add_text(yaml, "matcher_name", name.data);
  add_text(yaml, "matcher", lines.data);
  hone__text_release(&lines);
  hone__text_release(&name);
  hone__text_release(&described);
}

static void add_flags(const struct hone_iree_options *options, struct hone__text *yaml)
{
  hone__text_add(yaml, "  flags: [");
  for (size_t i = 0; i < options->flag_count; i++) {
    hone__text_add(yaml, i ? ", " : "");
    hone__quote_text(yaml, options->flags[i]);
  }
  hone__text_add(yaml, "]\n");
}

static void add_bindings(const struct hone__iree_dispatch *dispatch, struct hone__text *yaml)
{
  hone__text_add(yaml, "  bindings: [");
  for (size_t i = 0; i < dispatch->binding_count; i++) {
    const struct hone__iree_binding *binding = &dispatch->bindings[i];
    hone__text_addf(yaml, "%s{\"offset\": %zu, \"size\": %zu, \"type\": ", i ? ", " : "",
                    (size_t)binding->offset, (size_t)binding->size);
    hone__quote_text(yaml, binding->element ? binding->element : "");
    hone__text_addf(yaml, ", \"read\": %s, \"written\": %s}", binding->is_read ? "true" : "false",
                    binding->is_written ? "true" : "false");
  }
  hone__text_add(yaml, "]\n");
}

static void add_dispatch(const struct hone__iree_dispatch *dispatch, struct hone__text *yaml)
{
  add_text(yaml, "function", dispatch->benchmark);
  add_text(yaml, "answer", dispatch->answer);
  add_text(yaml, "why_unchecked", dispatch->answer ? NULL : dispatch->why_unchecked);
  add_bindings(dispatch, yaml);
  add_text(yaml, "choice", dispatch->choice);
  add_text(yaml, "choice_decomposition", dispatch->choice_decomposition);
}

/* ---- The search ---- */

/* NULL: as the number of candidates has it. */
static const char *strategy_of(enum hone_iree_order order)
{
  switch (order) {
  case HONE_IREE_ORDER_NONE: return "exhaustive";
  case HONE_IREE_ORDER_SHUFFLE: return "random";
  case HONE_IREE_ORDER_HEURISTIC: return "ordered";
  default: return NULL;
  }
}

/* NULL: the default. */
static const char *timing_name(enum hone_iree_timing timing)
{
  switch (timing) {
  case HONE_IREE_TIMING_IREE: return "iree";
  case HONE_IREE_TIMING_ROCPROF: return "rocprof";
  default: return NULL;
  }
}

static void add_search(const struct hone__iree_job *job, const char *seeds, struct hone__text *yaml)
{
  const struct hone_iree_options *options = job->options;
  const char *strategy = strategy_of(options->order);

  if (!strategy) strategy = options->num_candidates ? "random" : "auto"; /* so many of one list */
  hone__text_addf(yaml, "search: {strategy: %s", strategy);
  if (options->num_candidates)
    hone__text_addf(yaml, ", budget: %llu", (unsigned long long)options->num_candidates);
  if (seeds) hone__text_addf(yaml, ", seeds: %s", seeds);
  hone__text_add(yaml, "}\n");
}

void hone__iree_task_settings(const struct hone__iree_job *job, const char *path,
                              const char *digest, const char *identity, const char *seeds,
                              struct hone__text *yaml)
{
  hone__text_add(yaml, "iree:\n");
  add_text(yaml, "dispatch", path);
  add_text(yaml, "digest", digest);
  add_text(yaml, "identity", identity);
  add_text(yaml, "target", job->target.arch);
  add_text(yaml, "backend", job->target.backend);
  add_driver(job, yaml);
  add_operation(&job->operation, yaml);
  add_matcher(&job->operation, yaml);
  add_flags(job->options, yaml);
  if (path) add_dispatch(&job->dispatch, yaml);
  add_text(yaml, "iree_dir", job->options->iree_dir);
  add_text(yaml, "timing", timing_name(job->options->timing));
  add_search(job, seeds, yaml);
}
