/* smt_knobs.c - the compiler's own constraints as alternatives of a spec.
 *
 * IREE prints one `iree_codegen.smt.constraints` for each way to lower the root operation. Its
 * knobs become parameters, what it asserts becomes their values and constraints, and its dictionary
 * of knobs the texts. */
#include "iree/attention_limits.h"
#include "iree/knobs.h"
#include "iree/mma.h"
#include "iree/promotion.h"
#include "iree/smt_template.h"

#include <ctype.h>
#include <inttypes.h>

static const char *const constraints_name = "iree_codegen.smt.constraints";

struct generator {
  const struct hone_mlir *mlir;
  const struct hone_iree_options *options;
  struct hone_iree_operation operation;
  bool is_operation_known;
  struct hone_smt_wishes wishes;
  const char *wanted; /* pipeline; NULL: all */
  bool is_amd;
  int64_t simds, shared_bytes; /* 0: not known */
  unsigned seen;               /* constraints in the file */
  unsigned impossible;
  struct hone_text names; /* of the alternatives so far: " name name " */
  struct hone_text *yaml, *why;
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
  hone__text_addf(generator->why, "there are no knobs for the pipeline '%s': write VD or TF", word);
  return false;
}

/* A convolution that is lowered as a matrix product. */
static bool is_igemm(const struct hone_smt_model *model)
{
  const struct hone_smt_unknown *unknown = hone__smt_unknown(model, "use_igemm_idx");

  return unknown && unknown->meaning && unknown->meaning->kind == HONE_SMT_CONSTANT &&
         unknown->meaning->value == 1;
}

static bool is_wanted(const struct generator *generator, const struct hone_smt_model *model,
                      const char *pipeline)
{
  const char *strategy = generator->options->conv_strategy;

  if (generator->wanted && strcmp(pipeline, generator->wanted)) return false;
  if (!strategy || !hone__smt_unknown(model, "use_igemm_idx")) return true;
  return strcmp(strategy, is_igemm(model) ? "direct" : "igemm") != 0;
}

/* The pipeline, made different from the earlier ones. */
static const char *name_of(struct generator *generator, struct hone_smt_model *model,
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

/* ---- What the compiler rejects though its constraints allow it ---- */

struct tile { /* its size as an expression, and the loop that it cuts */
  const char *size;
  unsigned loop;
};

/* A knob, or what it always is; NULL: there is none of this name. */
static const char *expression_of(struct hone_smt_model *model, const char *knob)
{
  const struct hone_smt_unknown *unknown = hone__smt_unknown(model, knob);
  struct hone_text text = {0};
  const char *kept;

  if (!unknown || !unknown->meaning) return unknown ? unknown->name : NULL;
  hone__smt_print(unknown->meaning, model->names, &text);
  kept = hone__arena_printf(&model->arena, unknown->meaning->variables ? "(%s)" : "%s", text.data);
  hone__text_release(&text);
  return kept;
}

static const char *tile_of(struct hone_smt_model *model, const struct hone_mlir_attr *attr)
{
  if (attr->kind != HONE_MLIR_DIALECT || strcmp(attr->text, "iree_codegen.smt.int_knob") ||
      !attr->count || attr->entries[0].value.kind != HONE_MLIR_STRING)
    return NULL;
  return expression_of(model, attr->entries[0].value.text);
}

/* The last knobs of a list with one entry a loop, the very last first; false: there are fewer. */
static bool last_tiles(struct hone_smt_model *model, const struct hone_mlir_attr *list,
                       struct tile *tiles, unsigned count)
{
  unsigned found = 0;

  for (size_t i = list ? list->count : 0; i-- > 0 && found < count;) {
    tiles[found] = (struct tile){tile_of(model, &list->entries[i].value), (unsigned)i};
    if (tiles[found].size) found++;
  }
  return found == count;
}

/* The innermost tiles of a product of matrices. */
struct product {
  struct tile m, n, k;
};

static bool find_product(struct hone_smt_model *model, struct product *out)
{
  const struct hone_mlir_attr *knobs = hone__mlir_attr(model->op, "knobs");
  struct tile sides[2];

  if (!hone__mlir_entry(knobs, "mma_kind") ||
      !last_tiles(model, hone__mlir_entry(knobs, "workgroup"), sides, 2) ||
      !last_tiles(model, hone__mlir_entry(knobs, "reduction"), &out->k, 1))
    return false;
  out->m = sides[1];
  out->n = sides[0];
  return true;
}

/* The operand's last dim is cut along the reduction or along its own side. */
static void constrain_operand(const struct hone_iree_operation *operation, unsigned operand,
                              struct tile side, struct tile step, const char *threads,
                              struct hone_knob_writer *writer)
{
  const struct hone_affine_map *map = &operation->maps[operand];
  const struct hone_affine_expr *last = map->count ? &map->results[map->count - 1] : NULL;
  const bool ends_in_step = last && step.loop < map->dims && last->factors[step.loop];

  hone__promotion_constraints(writer, ends_in_step ? side.size : step.size,
                              ends_in_step ? step.size : side.size, operation->types[operand],
                              threads);
}

/* "[16, 32]": how many columns each intrinsic of a one_of has; NULL: they are no such. */
static const char *columns_of(struct hone_smt_model *model, const struct hone_mlir_attr *one_of)
{
  const struct hone_mlir_attr *list =
      one_of && one_of->count == 2 ? &one_of->entries[1].value : NULL;
  const char *columns = "";

  if (!list || list->kind != HONE_MLIR_LIST) return NULL;
  for (size_t i = 0; i < list->count; i++) {
    const struct hone_mlir_attr *mma = &list->entries[i].value;
    struct hone_mma shape = {0};

    if (mma->kind != HONE_MLIR_DIALECT || !mma->count || !mma->entries[0].value.text ||
        !hone__mma_from_name(&model->arena, mma->entries[0].value.text, &shape))
      return NULL;
    columns = hone__arena_printf(&model->arena, "%s%s%" PRId64, columns, i ? ", " : "", shape.n);
  }
  return columns;
}

static unsigned last_of(const struct hone_dim_list *list)
{
  return list->dims[list->count - 1];
}

/* Attention. Scores never stay in registers: the compiler offers no intrinsics by columns. */
static void leave_out_attention(const struct generator *generator, struct hone_smt_model *model,
                                struct hone_knob_writer *writer)
{
  const struct hone_iree_operation *operation = &generator->operation;
  const struct hone_mlir_attr *knobs = hone__mlir_attr(model->op, "knobs");
  const struct hone_mlir_attr *qk =
      hone__mlir_entry(hone__mlir_entry(knobs, "decomposition_config"), "qk_attrs");
  const char *index = expression_of(model, "qk_mma_idx"),
             *columns = columns_of(
                 model, hone__mlir_entry(hone__mlir_entry(qk, "lowering_config"), "mma_kind"));
  struct hone_attention_tiles tiles = {.shared_bytes = generator->shared_bytes};
  struct tile sides[2], step;

  if (!index || !columns || !*columns || !operation->k1.count ||
      !last_tiles(model, hone__mlir_entry(knobs, "workgroup"), sides, 2) ||
      !last_tiles(model, hone__mlir_entry(knobs, "reduction"), &step, 1))
    return;
  tiles.m = sides[1].size;
  tiles.n = sides[0].size;
  tiles.k2 = step.size;
  tiles.qk_columns = hone__arena_printf(&model->arena, "[%s][%s]", columns, index);
  tiles.k1 = operation->sizes[last_of(&operation->k1)];
  tiles.query = operation->types[0];
  tiles.key = operation->types[1];
  tiles.value = operation->types[2];
  hone__attention_limits(writer, &tiles);
}

static void leave_out_rejected(const struct generator *generator, struct hone_smt_model *model,
                               struct hone_knob_writer *writer)
{
  const char *threads = expression_of(model, "wg_size_x");
  struct product product;

  if (generator->is_operation_known && generator->operation.kind == HONE_IREE_ATTENTION)
    leave_out_attention(generator, model, writer);
  if (!generator->is_operation_known || !threads || !find_product(model, &product)) return;
  constrain_operand(&generator->operation, 0, product.m, product.k, threads, writer);
  constrain_operand(&generator->operation, 1, product.n, product.k, threads, writer);
}

/* ---- Which come first ---- */

/* As for our own knobs: steps that are powers of two, subgroups for all SIMDs, tiles near squares.
 */
static void write_order(const struct generator *generator, struct hone_smt_model *model,
                        struct hone_knob_writer *writer)
{
  const char *rows = expression_of(model, "sg_m_cnt"), *columns = expression_of(model, "sg_n_cnt");
  struct product product;

  if (!find_product(model, &product)) return;
  hone__knobs_order(writer, "not pow2(%s)", product.k.size);
  if (generator->simds > 0 && rows && columns)
    hone__knobs_order(writer, "%s * %s %% %" PRId64 " != 0", rows, columns, generator->simds);
  hone__knobs_order(writer, "-(min(%s, %s) / max(%s, %s))", product.m.size, product.n.size,
                    product.m.size, product.n.size);
}

/* ---- One alternative ---- */

static bool is_param(const struct hone_smt_unknown *unknown)
{
  return unknown->role != HONE_SMT_DIM && !unknown->is_overridden && !unknown->meaning;
}

static void write_params(const struct hone_smt_model *model, struct hone_knob_writer *writer)
{
  for (unsigned i = 0; i < model->unknown_count; i++) {
    const struct hone_smt_unknown *unknown = &model->unknowns[i];

    if (is_param(unknown))
      hone__knobs_values(writer, unknown->name, unknown->values, unknown->count);
  }
}

/* Each once: the compiler says some in two ways that come to the same. */
static void write_constraints(const struct hone_smt_model *model, struct hone_knob_writer *writer)
{
  struct hone_text lines = {0}, line = {0};

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

static void write_texts(struct generator *generator, const struct hone_smt_model *model,
                        const struct hone_smt_wishes *wishes, struct hone_knob_writer *writer)
{
  struct hone_text info = {0}, decomposition = {0};

  generator->status = hone__smt_template(model, wishes, &info, &decomposition);
  if (!generator->status) hone__knobs_text(writer, "compilation_info", info.data);
  if (!generator->status && decomposition.length)
    hone__knobs_text(writer, "decomposition_config", decomposition.data);
  hone__text_release(&info);
  hone__text_release(&decomposition);
}

static void write_alternative(struct generator *generator, struct hone_smt_model *model,
                              const char *pipeline)
{
  const bool only_compilable = generator->options->for_tuning && !generator->options->all;
  struct hone_smt_wishes wishes = generator->wishes; /* words are the generator's */
  struct hone_knob_writer writer = {0};

  hone__smt_wishes_select(&wishes, generator->is_amd, pipeline);
  hone__knobs_begin(&writer, name_of(generator, model, pipeline));
  write_params(model, &writer);
  hone__smt_wishes_params(&wishes, &writer);
  write_constraints(model, &writer);
  if (only_compilable && !strcmp(pipeline, "VectorDistribute"))
    leave_out_rejected(generator, model, &writer);
  write_order(generator, model, &writer);
  write_texts(generator, model, &wishes, &writer);
  if (!generator->status) hone__knobs_end(&writer, generator->yaml);
  hone__knobs_drop(&writer);
}

static hone_status solve(const struct generator *generator, struct hone_smt_model *model)
{
  const int subgroups = generator->options->num_subgroups;

  if (generator->wishes.prefetch.count) hone__smt_model_override(model, hone__smt_option_keys[0]);
  if (subgroups > 0) hone__smt_model_fix_product(model, "sg_m_cnt", "sg_n_cnt", subgroups);
  return hone__smt_model_solve(model);
}

static void add_alternative(struct generator *generator, const struct hone_mlir_op *op)
{
  struct hone_smt_model model;
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

static bool visit(void *data, struct hone_mlir_op *op)
{
  struct generator *generator = data;

  if (strcmp(op->name, constraints_name)) return true;
  generator->seen++;
  add_alternative(generator, op);
  return !generator->status;
}

static void say_why(const struct generator *generator)
{
  if (!generator->seen)
    hone__text_add(generator->why, "the compiler has no constraints for this operation and target");
  else if (generator->impossible && generator->options->num_subgroups > 0)
    hone__text_addf(generator->why, "the compiler's constraints allow no workgroup of %d subgroups",
                    generator->options->num_subgroups);
  else if (generator->impossible)
    hone__text_add(generator->why, "no configuration satisfies the compiler's constraints");
  else
    hone__text_addf(generator->why, "the compiler has no constraints for the pipeline '%s'",
                    generator->wanted ? generator->wanted : "");
}

static void look_around(struct generator *generator, struct hone_mlir *mlir)
{
  struct hone_iree_target target = {0};
  struct hone_text why = {0};

  generator->is_operation_known =
      hone__iree_operation_find(mlir, &generator->operation, &why) == HONE_IREE_TUNABLE;
  if (hone__iree_target_read(mlir, &target, &why)) {
    generator->simds = target.simds;
    generator->shared_bytes = target.shared_bytes;
  }
  generator->is_amd = target.family == HONE_IREE_AMD && target.backend;
  hone__text_release(&why);
}

hone_status hone__iree_smt_knobs(struct hone_mlir *constraints,
                                 const struct hone_iree_options *options, struct hone_text *yaml,
                                 struct hone_text *why)
{
  const size_t before = yaml->length;
  struct generator generator = {.mlir = constraints, .options = options, .yaml = yaml, .why = why};

  look_around(&generator, constraints);
  if (read_pipeline(&generator) && hone__smt_wishes_read(options, &generator.wishes, why)) {
    hone__mlir_each(constraints->root, visit, &generator);
    if (!generator.status && yaml->length == before) say_why(&generator);
  }
  hone__smt_wishes_release(&generator.wishes);
  hone__text_release(&generator.names);
  return generator.status;
}
