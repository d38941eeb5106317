/* One executable, from its file: what it computes, the compiler's choice, and how many other
 * configurations it could have, or why it has none.
 */
#include "iree/model/dispatches.h"

#include "hone_iree.h"
#include "iree/dispatch/dispatch.h"
#include "spec/spec.h"

#include <math.h>
#include <stdlib.h>

/* ---- Configuration ---- */

/* A function without a configured operation still has a pipeline. */
static bool read_function(void *data, struct hone__mlir_op *op)
{
  struct hone__text *texts = data; /* pipeline, configuration */
  const struct hone__mlir_attr *translation = hone__mlir_attr(op, "translation_info");

  if (!translation) return true;
  hone__iree_translation_words(translation, &texts[0], &texts[1]);
  return false;
}

static void read_configuration(const struct hone__mlir *file, const struct hone__mlir_op *op,
                               struct hone_iree_dispatch *info)
{
  struct hone__text texts[2] = {{0}}, compilation = {0}, decomposition = {0};

  if (op && hone__iree_configuration(op, &compilation, &decomposition))
    hone__iree_configuration_words(compilation.data, &texts[0], &texts[1]);
  else
    hone__mlir_each(file->root, read_function, texts);
  info->pipeline = hone__text_take(&texts[0]);
  info->configuration = hone__text_take(&texts[1]);
  info->compilation_info = hone__text_take(&compilation);
  hone__text_release(&decomposition);
}

/* ---- Operation ---- */

static const char *const kinds[] = {[HONE__IREE_CONTRACTION] = "contraction",
                                    [HONE__IREE_CONVOLUTION] = "convolution",
                                    [HONE__IREE_ATTENTION] = "attention",
                                    [HONE__IREE_GENERIC] = "linalg"};

static void describe_operation(const struct hone__iree_operation *operation,
                               struct hone_iree_dispatch *info)
{
  struct hone__text layout = {0}, sizes = {0};
  char *space;

  hone__iree_operation_layout(operation, &layout);
  hone__iree_operation_sizes(operation, &sizes);
  info->operation = hone__strdup(kinds[operation->kind]);
  info->flops = hone__iree_operation_flops(operation);
  info->layout = hone__text_take(&layout);
  info->sizes = hone__text_take(&sizes);
  space = strchr(info->sizes, ' ');
  info->types = hone__strdup(space ? space + 1 : "");
  if (space) *space = '\0';
}

/* For other operations only the name is known. */
static void name_operation(const struct hone__mlir_op *op, struct hone_iree_dispatch *info)
{
  info->operation = hone__strdup(op && op->name ? op->name : "");
  info->layout = hone__strdup("");
  info->sizes = hone__strdup("");
  info->types = hone__strdup("");
}

/* ---- Candidates ---- */

/* Without the lines of the file that an error may show. */
static char *first_line(const char *text)
{
  return hone__strndup(text, strcspn(text, "\n"));
}

/* Its search reports why it cannot be tuned here (an unreadable starter, a read-only cache): for
 * the list it is only counted. */
static hone_status open_space(struct hone__model_dispatch_space *space, const char *dump,
                              const struct hone_iree_options *options, bool for_tuning)
{
  hone_status status = hone__model_dispatch_space_open(space, dump, options, for_tuning);

  if (!status || !for_tuning) return status;
  hone_status_free(status);
  hone__model_dispatch_space_release(space);
  return hone__model_dispatch_space_open(space, dump, options, false);
}

static char *read_matcher(const struct hone_spec *spec)
{
  const struct hone__node *iree = hone__node_get(spec->root, "iree"),
                          *node = iree ? hone__node_get(iree, "matcher") : NULL;

  return node && node->kind == HONE__SCALAR ? hone__strdup(node->text) : NULL;
}

static void count_candidates(const struct hone__model *model, const char *dump,
                             struct hone__model_dispatch_spaces *spaces,
                             struct hone_iree_dispatch *info)
{
  struct hone__model_dispatch_space space;
  hone_status status = open_space(&space, dump, model->options, spaces != NULL);

  if (!status) status = hone__model_dispatch_space_solve(&space);
  if (!status) info->candidates = hone__model_dispatch_space_candidates(&space);
  if (!status) info->matcher = read_matcher(space.spec);
  if (status)
    info->why_not = first_line(hone__status_cause(status));
  else if (!info->candidates)
    info->why_not = hone__strdup("no configuration satisfies all constraints");
  else if (space.for_tuning)
    hone__model_dispatch_spaces_put(spaces, &space);
  hone_status_free(status);
  hone__model_dispatch_space_release(&space);
}

/* ---- All ---- */

static void look(const struct hone__model *model, const struct hone__model_executable *executable,
                 struct hone__mlir *file, struct hone__model_dispatch_spaces *spaces,
                 struct hone_iree_dispatch *info)
{
  struct hone__iree_operation operation = {0};
  struct hone__text why = {0};
  enum hone__iree_refusal refusal = hone__iree_operation_find(file, &operation, &why);

  if (refusal == HONE__IREE_TUNABLE || (refusal == HONE__IREE_DYNAMIC && operation.map_count))
    describe_operation(&operation, info);
  else
    name_operation(operation.op, info);
  read_configuration(file, operation.op, info);
  if (refusal != HONE__IREE_TUNABLE)
    info->why_not = hone__strdup(why.length ? why.data : "it has no operation with knobs");
  else if (!executable->benchmark)
    info->why_not = hone__strdup(
        "the compiler dumps no benchmark for it: it depends on values known only at run time");
  else
    count_candidates(model, executable->benchmark, spaces, info);
  hone__text_release(&why);
}

hone_status hone__model_dispatch_describe(const struct hone__model *model,
                                          const struct hone__model_executable *executable,
                                          struct hone__model_dispatch_spaces *spaces,
                                          struct hone_iree_dispatch *out_info)
{
  struct hone__mlir file = {0};
  hone_status status = hone__mlir_read(&file, executable->configured);

  *out_info = (struct hone_iree_dispatch){.time_ns = NAN, .share = NAN, .flops = NAN};
  out_info->name = hone__strdup(executable->entry);
  out_info->executable = hone__strdup(executable->name);
  out_info->file = hone__strdup(executable->benchmark ? executable->benchmark : "");
  if (!status) look(model, executable, &file, spaces, out_info);
  hone__mlir_release(&file);
  return status;
}

void hone__model_dispatch_info_release(struct hone_iree_dispatch *info)
{
  char *const texts[] = {info->name,     info->executable,    info->operation,
                         info->layout,   info->sizes,         info->types,
                         info->pipeline, info->configuration, info->compilation_info,
                         info->why_not,  info->file,          info->matcher};

  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    free(texts[i]);
  *info = (struct hone_iree_dispatch){0};
}
