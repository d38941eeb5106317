/* tuning_spec_matcher.c - a matcher and its action.
 *
 * The lines give the operation that is meant, the action gives its configuration.
 */
#include "iree/tuning_spec/tuning_spec_parts.h"

#include "hone_text.h"
#include "iree/operation/operation_steps.h"

struct job {
  struct hone__iree_spec_reader *reader;
  struct hone__iree_spec_matcher *matcher;
  struct hone__iree_spec_body body;
};

/* ---- The action ---- */

static const char *print_param(struct job *job, const struct hone__mlir_attr *param)
{
  struct hone__text text = {0};
  const char *kept;

  hone__mlir_print_attr(param, &text);
  kept = hone__arena_strdup(&job->reader->spec->mlir.arena, text.data ? text.data : "");
  hone__text_release(&text);
  return kept;
}

/* The constant that an argument of the action is. */
static const struct hone__mlir_attr *argument_param(const struct job *job, const char *argument)
{
  const struct hone__mlir_op *action = job->matcher->action_sequence;

  for (size_t i = 0; i < action->block_arg_count && i < job->body.param_count; i++)
    if (!strcmp(action->block_args[i], argument)) return job->body.params[i];
  return NULL;
}

/* A marker is free text; a near match of one of IREE's words is a misspelling. */
static void check_annotation(struct job *job, const char *key, bool has_value)
{
  struct hone_nearest nearest = {.word = key};

  hone_nearest_try(&nearest, "compilation_info");
  hone_nearest_try(&nearest, "decomposition_config");
  hone_nearest_try(&nearest, "lowering_config");
  hone_nearest_try(&nearest, "translation_info");
  if (nearest.best && strcmp(nearest.best, key) != 0)
    hone__iree_spec_problem(job->reader, job->matcher,
                            "its action annotates \"%s\", which IREE ignores; did you mean \"%s\"?",
                            key, nearest.best);
  else if (!nearest.best && has_value)
    hone__iree_spec_problem(job->reader, job->matcher,
                            "its action annotates \"%s\", which IREE ignores", key);
}

static void read_annotation(struct job *job, const struct hone__mlir_op *op)
{
  const struct hone__mlir_attr *key = hone__iree_spec_bare(op, HONE__MLIR_STRING), *param = NULL;
  struct hone__iree_spec_matcher *matcher = job->matcher;

  if (!key) return;
  if (op->operand_count > 1) param = argument_param(job, op->operands[1]);
  if (!strcmp(key->text, "compilation_info") && param) {
    matcher->compilation_info = print_param(job, param);
    matcher->info_span = param->span;
  } else if (!strcmp(key->text, "decomposition_config") && param) {
    matcher->decomposition_config = print_param(job, param);
    matcher->decomposition_span = param->span;
  }
  check_annotation(job, key->text, op->operand_count > 1);
}

static void read_action(struct job *job)
{
  const struct hone__mlir_op *action = job->matcher->action_sequence;

  for (size_t i = 0; action && i < action->child_count; i++) {
    const struct hone__mlir_op *op = action->children[i];
    if (!strcmp(op->name, "transform.annotate")) read_annotation(job, op);
  }
}

static bool find_roles(const struct hone__iree_spec_kind *kind,
                       struct hone__iree_operation *operation)
{
  unsigned all = (1u << operation->loop_count) - 1;
  struct hone__text why = {0};
  bool is_good = false;

  if (kind->kind == HONE__IREE_ATTENTION)
    is_good = operation->map_count >= 5 && hone__iree_attention_dims(operation, &why);
  else if (operation->map_count == 3 && kind->kind == HONE__IREE_CONTRACTION)
    is_good = hone__iree_contraction_dims(operation,
                                          all & ~hone__iree_map_dims(&operation->maps[2]), &why);
  else if (operation->map_count == 3)
    is_good = hone__iree_convolution_dims(operation,
                                          all & ~hone__iree_map_dims(&operation->maps[2]), &why);
  hone__text_release(&why);
  return is_good;
}

/* The operation that a matcher of the present form describes; false: it has too little. */
static bool described_operation(struct job *job, const struct hone__mlir_op *op,
                                struct hone__iree_operation *operation)
{
  const struct hone__iree_spec_matcher *matcher = job->matcher;
  const struct hone__iree_spec_kind *kind = hone__iree_spec_kind(matcher->what);
  unsigned loops = matcher->loop_count;

  *operation = (struct hone__iree_operation){.op = op};
  if (!kind || matcher->map_count < 3 || loops == 0 || loops > HONE__IREE_MAX_LOOPS) return false;
  for (unsigned i = 0; i < matcher->map_count; i++)
    if (matcher->maps[i].dims != loops) return false;
  operation->kind = kind->kind;
  operation->is_online = kind->is_online;
  operation->maps = matcher->maps;
  operation->map_count = matcher->map_count;
  operation->loop_count = loops;
  memcpy(operation->types, matcher->types, sizeof operation->types);
  operation->sizes = hone__arena_alloc(&job->reader->spec->mlir.arena, loops * sizeof(int64_t));
  for (unsigned d = 0; d < loops; d++)
    operation->sizes[d] = -1;
  return find_roles(kind, operation);
}

/* As many sizes as the maps have dims of that role. */
static void check_sizes(struct job *job, const struct hone__iree_operation *operation)
{
  for (unsigned i = 0; i < job->matcher->dim_count; i++) {
    const struct hone__iree_spec_dims *dims = &job->matcher->dims[i];
    struct hone__iree_spec_dims real;
    if (!hone__iree_spec_role_sizes(operation, dims->role, &real) || real.count == dims->count)
      continue;
    hone__iree_spec_problem(
        job->reader, job->matcher,
        "it never matches: %s are %u by the indexing maps, and %u sizes are given", dims->role,
        real.count, dims->count);
  }
}

static const struct hone__dim_list *role_dims(const struct hone__iree_operation *operation,
                                              const char *role)
{
  const struct {
    const char *role;
    const struct hone__dim_list *dims;
  } roles[] = {{"batch_dims", &operation->batch}, {"m_dims", &operation->m},
               {"n_dims", &operation->n},         {"k_dims", &operation->k},
               {"k1_dims", &operation->k1},       {"k2_dims", &operation->k2}};

  for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
    if (!strcmp(roles[i].role, role)) return roles[i].dims;
  return NULL;
}

static void set_sizes(const struct hone__iree_spec_matcher *matcher,
                      struct hone__iree_operation *operation)
{
  for (unsigned i = 0; i < matcher->dim_count; i++) {
    const struct hone__iree_spec_dims *dims = &matcher->dims[i];
    const struct hone__dim_list *list = role_dims(operation, dims->role);
    for (unsigned j = 0; list && j < dims->count && j < list->count; j++)
      operation->sizes[list->dims[j]] = dims->sizes[j];
  }
}

/* ---- The whole ---- */

static const struct hone__mlir_op *kind_line(const struct hone__mlir_op *sequence)
{
  for (size_t i = 0; i < sequence->child_count; i++) {
    const char *dot = strrchr(sequence->children[i]->name, '.');
    if (dot && hone__iree_spec_kind(dot + 1)) return sequence->children[i];
  }
  return sequence;
}

static void carry_configuration(struct job *job, const struct hone__iree_operation *operation)
{
  struct hone__iree_spec_matcher *matcher = job->matcher;
  const char *info = hone__iree_spec_carry_configuration(
      job->reader, matcher, operation, "compilation_info", matcher->compilation_info);
  const char *decomposition = hone__iree_spec_carry_configuration(
      job->reader, matcher, operation, "decomposition_config", matcher->decomposition_config);

  if (info != matcher->compilation_info || decomposition != matcher->decomposition_config)
    matcher->is_carried = true;
  matcher->compilation_info = info;
  matcher->decomposition_config = decomposition;
}

/* The operation that is meant, in today's words; false: it is not known. */
static bool find_operation(struct job *job, struct hone__iree_operation *operation)
{
  struct hone__iree_spec_matcher *matcher = job->matcher;

  if (job->body.pattern) {
    hone__iree_spec_carry_pattern(job->reader, matcher, job->body.pattern, operation);
    if (!matcher->what) return false;
  } else {
    if (!described_operation(job, kind_line(matcher->sequence), operation)) return false;
    check_sizes(job, operation);
    set_sizes(matcher, operation);
  }
  if (!strcmp(matcher->what, "attention") && !job->reader->keeps_older)
    hone__iree_spec_carry_attention(job->reader, matcher, operation);
  return true;
}

static void check_names(struct job *job)
{
  const struct hone__iree_spec_matcher *matcher = job->matcher;

  if (job->reader->keeps_older) return;
  for (unsigned i = 0; i < matcher->op_name_count && !matcher->is_carried; i++)
    if (!strcmp(matcher->op_names[i], "iree_linalg_ext.attention"))
      hone__iree_spec_problem(job->reader, matcher,
                              "it never matches: attention is online_attention since IREE 3.12");
}

/* Copies the body unchanged, when only the configuration changes. */
static void copy_lines(struct job *job)
{
  struct hone__iree_spec_matcher *matcher = job->matcher;
  const struct hone__mlir *mlir = &job->reader->spec->mlir;
  struct hone__iree_spec_rename rename = {.to = "%arg0"};
  struct hone__text text = {0};

  if (matcher->sequence->block_arg_count) rename.from = matcher->sequence->block_args[0];
  for (size_t i = 0; i < matcher->sequence->child_count; i++) {
    const struct hone__mlir_op *op = matcher->sequence->children[i];
    if (!strcmp(op->name, "transform.param.constant") || !strcmp(op->name, "transform.yield"))
      continue;
    hone__text_add(&text, "    ");
    hone__iree_spec_copy(mlir, op->span, &rename, rename.from ? 1 : 0, &text);
    hone__text_add(&text, "\n");
  }
  matcher->lines = hone__arena_strdup(&job->reader->spec->mlir.arena, text.data ? text.data : "");
  hone__text_release(&text);
}

void hone__iree_spec_read_matcher(struct hone__iree_spec_reader *reader,
                                  const struct hone__mlir_op *module,
                                  struct hone__iree_spec_matcher *matcher)
{
  struct hone__iree_operation operation = {.kind = HONE__IREE_CONTRACTION};
  struct job job = {.reader = reader, .matcher = matcher};
  bool is_known;

  hone__iree_spec_read_lines(reader, module, matcher, &job.body);
  read_action(&job);
  is_known = find_operation(&job, &operation);
  check_names(&job);
  carry_configuration(&job, is_known ? &operation : NULL);
  if (!matcher->lines) copy_lines(&job);
}
