/* smt_knobs.c - the compiler's own constraints as alternatives of a spec.
 *
 * IREE prints one `iree_codegen.smt.constraints` for each way to lower the root operation. Its
 * knobs become parameters, what it asserts becomes their values and constraints, and its dictionary
 * of knobs the texts. */
#include "iree/constraints/smt_knobs.h"

#include "iree/constraints/smt_rejected.h"
#include "iree/constraints/smt_template.h"
#include "iree/operation/operation.h"
#include "iree/operation/target.h"
#include "hone_iree.h"

#include <ctype.h>
#include <inttypes.h>

static const char *const constraints_name = "iree_codegen.smt.constraints";

struct generator {
  const struct hone__mlir *mlir;
  const struct hone_iree_options *options;
  struct hone__iree_operation operation;
  bool is_operation_known;
  struct hone__smt_requests requests;
  const char *wanted; /* pipeline; NULL: all */
  bool is_amd;
  int64_t simds, shared_bytes; /* 0: not known */
  unsigned seen;               /* constraints in the file */
  unsigned impossible;
  unsigned rejected;       /* none of their configurations would compile */
  struct hone__text names; /* of the alternatives so far: " name name " */
  struct hone__text *yaml, *why;
  hone_status status;
};

/* ---- Which of them ---- */

static const struct {
  const char *word; /* in lower case, without underscores */
  const char *pipeline;
} pipelines[] = {
    {"vd", "VectorDistribute"},
    {"vectordistribute", "VectorDistribute"},
    {"llvmgpuvectordistribute", "VectorDistribute"},
    {"tf", "TileAndFuse"},
    {"tileandfuse", "TileAndFuse"},
    {"llvmgputileandfuse", "TileAndFuse"},
};

static bool read_pipeline(struct generator *generator)
{
  const char *word = generator->options->pipeline;
  char plain[32];
  size_t length = 0;

  if (!word || !*word) return true;
  for (const char *at = word; *at && length + 1 < sizeof plain; at++)
    if (*at != '_') plain[length++] = (char)tolower((unsigned char)*at);
  plain[length] = '\0';
  for (size_t i = 0; i < sizeof pipelines / sizeof *pipelines; i++)
    if (!strcmp(plain, pipelines[i].word)) generator->wanted = pipelines[i].pipeline;
  if (generator->wanted) return true;
  hone__text_addf(generator->why, "no knobs for the pipeline '%s': write VD or TF", word);
  return false;
}

/* A convolution that is lowered as a matrix product. */
static bool is_igemm(const struct hone__smt_model *model)
{
  const struct hone__smt_unknown *unknown = hone__smt_unknown(model, "use_igemm_idx");

  return unknown && unknown->meaning && unknown->meaning->kind == HONE__SMT_CONSTANT &&
         unknown->meaning->value == 1;
}

static bool is_wanted(const struct generator *generator, const struct hone__smt_model *model,
                      const char *pipeline)
{
  enum hone_iree_conv unwanted = is_igemm(model) ? HONE_IREE_CONV_DIRECT : HONE_IREE_CONV_IGEMM;

  if (generator->wanted && strcmp(pipeline, generator->wanted)) return false;
  if (!hone__smt_unknown(model, "use_igemm_idx")) return true;
  return generator->options->conv_strategy != unwanted;
}

/* The pipeline, made different from the earlier ones. */
static const char *name_of(struct generator *generator, struct hone__smt_model *model,
                           const char *pipeline)
{
  const char *plain =
      hone__arena_printf(&model->arena, "%s%s", pipeline, is_igemm(model) ? "_igemm" : "");
  const char *name = plain;

  for (unsigned i = 2;; i++) {
    const char *word = hone__arena_printf(&model->arena, " %s ", name);

    if (!generator->names.data || !strstr(generator->names.data, word)) {
      hone__text_add(&generator->names, word);
      return name;
    }
    name = hone__arena_printf(&model->arena, "%s_%u", plain, i);
  }
}

/* ---- Which come first ---- */

/* As for our own knobs: steps that are powers of two, subgroups for all SIMDs, tiles near squares.
 */
static void write_order(const struct generator *generator, struct hone__smt_model *model,
                        struct hone__knob_writer *writer)
{
  const char *rows = hone__smt_expression_of(model, "sg_m_cnt"),
             *columns = hone__smt_expression_of(model, "sg_n_cnt");
  struct hone__smt_product product;

  if (!hone__smt_find_product(model, &product)) return;
  hone__knobs_order(writer, "not pow2(%s)", product.k.size);
  if (generator->simds > 0 && rows && columns)
    hone__knobs_order(writer, "%s * %s %% %" PRId64 " != 0", rows, columns, generator->simds);
  hone__knobs_order(writer, "-(min(%s, %s) / max(%s, %s))", product.m.size, product.n.size,
                    product.m.size, product.n.size);
}

/* ---- One alternative ---- */

static bool is_param(const struct hone__smt_unknown *unknown)
{
  return unknown->role != HONE__SMT_DIM && !unknown->is_overridden && !unknown->meaning;
}

static void write_params(const struct hone__smt_model *model, struct hone__knob_writer *writer)
{
  for (unsigned i = 0; i < model->unknown_count; i++) {
    const struct hone__smt_unknown *unknown = &model->unknowns[i];

    if (is_param(unknown))
      hone__knobs_values(writer, unknown->name, unknown->values, unknown->count);
  }
}

/* Each once: the compiler has some in two equivalent forms. */
static void write_constraints(const struct hone__smt_model *model, struct hone__knob_writer *writer)
{
  struct hone__text lines = {0}, line = {0};

  hone__text_add(&lines, "\n");
  for (size_t i = 0; i < model->assert_count; i++) {
    line.length = 0;
    hone__text_add(&line, "\n");
    hone__smt_print(model->asserts[i], model->names, &line);
    hone__text_add(&line, "\n");
    if (strstr(lines.data, line.data)) continue;
    hone__text_add(&lines, line.data + 1);
    hone__knobs_constraint(writer, "%.*s", (int)line.length - 2, line.data + 1);
  }
  hone__text_release(&lines);
  hone__text_release(&line);
}

static void write_texts(struct generator *generator, const struct hone__smt_model *model,
                        const struct hone__smt_requests *requests, struct hone__knob_writer *writer)
{
  struct hone__text info = {0}, decomposition = {0};

  generator->status = hone__smt_template(model, requests, &info, &decomposition);
  if (!generator->status) hone__knobs_text(writer, "compilation_info", info.data);
  if (!generator->status && decomposition.length)
    hone__knobs_text(writer, "decomposition_config", decomposition.data);
  hone__text_release(&info);
  hone__text_release(&decomposition);
}

/* False: nothing is left. */
static bool leave_out_rejected(const struct generator *generator, struct hone__smt_model *model,
                               const char *pipeline, struct hone__knob_writer *writer)
{
  const struct hone__smt_rejected rejected = {.operation = &generator->operation,
                                              .pipeline = pipeline,
                                              .is_igemm = is_igemm(model),
                                              .shared_bytes = generator->shared_bytes};

  if (!generator->options->for_tuning || generator->options->all || !generator->is_operation_known)
    return true;
  return hone__smt_leave_out(&rejected, model, writer);
}

static void write_alternative(struct generator *generator, struct hone__smt_model *model,
                              const char *pipeline)
{
  struct hone__smt_requests requests = generator->requests; /* words are the generator's */
  struct hone__knob_writer writer = {0};

  hone__smt_requests_select(&requests, generator->is_amd, pipeline);
  hone__knobs_begin(&writer, name_of(generator, model, pipeline));
  write_params(model, &writer);
  hone__smt_requests_params(&requests, &writer);
  write_constraints(model, &writer);
  if (leave_out_rejected(generator, model, pipeline, &writer)) {
    write_order(generator, model, &writer);
    write_texts(generator, model, &requests, &writer);
    if (!generator->status) hone__knobs_end(&writer, generator->yaml);
  } else {
    generator->rejected++;
  }
  hone__knobs_drop(&writer);
}

static hone_status solve(const struct generator *generator, struct hone__smt_model *model)
{
  const int subgroups = generator->options->num_subgroups;

  if (generator->requests.prefetch.count) hone__smt_model_override(model, hone__smt_option_keys[0]);
  if (subgroups > 0) hone__smt_model_fix_product(model, "sg_m_cnt", "sg_n_cnt", subgroups);
  return hone__smt_model_solve(model);
}

static void add_alternative(struct generator *generator, const struct hone__mlir_op *op)
{
  struct hone__smt_model model;
  const char *pipeline;

  generator->status = hone__smt_model_read(&model, generator->mlir, op);
  if (!generator->status) generator->status = solve(generator, &model);
  pipeline = hone__smt_pipeline(&model);
  if (!generator->status && !pipeline)
    generator->status = hone__mlir_error(generator->mlir, op->span.begin,
                                         "constraints of a pipeline that is not known");
  if (!generator->status && is_wanted(generator, &model, pipeline)) {
    if (model.is_impossible)
      generator->impossible++;
    else
      write_alternative(generator, &model, pipeline);
  }
  hone__smt_model_release(&model);
}

/* ---- All ---- */

static bool visit(void *data, struct hone__mlir_op *op)
{
  struct generator *generator = data;

  if (strcmp(op->name, constraints_name)) return true;
  generator->seen++;
  add_alternative(generator, op);
  return !generator->status;
}

static void add_reason(const struct generator *generator)
{
  if (!generator->seen)
    hone__text_add(generator->why, "the compiler has no constraints for this operation and target");
  else if (generator->rejected)
    hone__text_add(generator->why,
                   "all configurations that the compiler's constraints allow need padding, which "
                   "they do not have: --knobs hone adds it, --all tries them anyway");
  else if (generator->impossible && generator->options->num_subgroups > 0)
    hone__text_addf(generator->why, "the compiler's constraints allow no workgroup of %d subgroups",
                    generator->options->num_subgroups);
  else if (generator->impossible)
    hone__text_add(generator->why, "no configuration satisfies the compiler's constraints");
  else
    hone__text_addf(generator->why, "the compiler has no constraints for the pipeline '%s'",
                    generator->wanted ? generator->wanted : "");
}

static void look_around(struct generator *generator, struct hone__mlir *mlir)
{
  struct hone__iree_target target = {0};
  struct hone__text why = {0};

  generator->is_operation_known =
      hone__iree_operation_find(mlir, &generator->operation, &why) == HONE__IREE_TUNABLE;
  if (hone__iree_target_read(mlir, &target, &why)) {
    generator->simds = target.simds;
    generator->shared_bytes = target.shared_bytes;
  }
  generator->is_amd = target.family == HONE__IREE_AMD && target.backend;
  hone__text_release(&why);
}

hone_status hone__iree_smt_knobs(struct hone__mlir *constraints,
                                 const struct hone_iree_options *options, struct hone__text *yaml,
                                 struct hone__text *why)
{
  const size_t before = yaml->length;
  struct generator generator = {.mlir = constraints, .options = options, .yaml = yaml, .why = why};

  look_around(&generator, constraints);
  if (read_pipeline(&generator) && hone__smt_requests_read(options, &generator.requests, why)) {
    hone__mlir_each(constraints->root, visit, &generator);
    if (!generator.status && yaml->length == before) add_reason(&generator);
  }
  hone__smt_requests_release(&generator.requests);
  hone__text_release(&generator.names);
  return generator.status;
}
