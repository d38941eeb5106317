/* smt_template.c - attributes are printed as they are, but for knobs: an int_knob becomes
 * ${its value}, a one_of_knob one ${if ...} for each option that it can be. */
#include "iree/constraints/smt_template.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- Attributes with knobs in them ---- */

struct printer {
  const struct hone__smt_model *model;
  struct hone__text *text;
  hone_status status;
};

static bool is_knob(const struct hone__mlir_attr *attr)
{
  return attr->kind == HONE__MLIR_DIALECT && hone__starts_with(attr->text, "iree_codegen.smt.");
}

static bool has_knobs(const struct hone__mlir_attr *attr)
{
  if (is_knob(attr)) return true;
  for (size_t i = 0; i < attr->count; i++)
    if (has_knobs(&attr->entries[i].value)) return true;
  return false;
}

static void fail(struct printer *printer, const struct hone__mlir_attr *attr, const char *what)
{
  if (!printer->status)
    printer->status = hone__mlir_error(printer->model->mlir, attr->span.begin, "%s", what);
}

static const struct hone__smt_unknown *unknown_of(struct printer *printer,
                                                  const struct hone__mlir_attr *attr)
{
  const struct hone__smt_unknown *unknown = NULL;

  if (attr->count && attr->entries[0].value.kind == HONE__MLIR_STRING)
    unknown = hone__smt_unknown(printer->model, attr->entries[0].value.text);
  if (!unknown) fail(printer, attr, "a knob that the constraints do not mention");
  return unknown;
}

static void print_int_knob(struct printer *printer, const struct hone__mlir_attr *attr)
{
  const struct hone__smt_unknown *unknown = unknown_of(printer, attr);

  if (!unknown) return;
  if (unknown->meaning && !unknown->meaning->variables) {
    hone__smt_print(unknown->meaning, printer->model->names, printer->text);
    return;
  }
  hone__text_add(printer->text, "${");
  if (unknown->meaning)
    hone__smt_print(unknown->meaning, printer->model->names, printer->text);
  else
    hone__text_add(printer->text, unknown->name);
  hone__text_add(printer->text, "}");
}

static void print_option(struct printer *printer, const struct hone__mlir_attr *attr, int64_t index)
{
  const struct hone__mlir_attr *options = &attr->entries[1].value;

  if (index < 0 || (size_t)index >= options->count)
    fail(printer, attr, "a knob selects an option that does not exist");
  else
    hone__mlir_print_attr(&options->entries[index].value, printer->text);
}

static void print_one_of_knob(struct printer *printer, const struct hone__mlir_attr *attr)
{
  const struct hone__smt_unknown *unknown = unknown_of(printer, attr);

  if (!unknown) return;
  if (attr->count < 2 || attr->entries[1].value.kind != HONE__MLIR_LIST) {
    fail(printer, attr, "a knob without its list of options");
  } else if (unknown->meaning && unknown->meaning->kind == HONE__SMT_CONSTANT) {
    print_option(printer, attr, unknown->meaning->value);
  } else if (!unknown->count) {
    fail(printer, attr, "a knob that selects an option is an expression");
  } else {
    for (size_t i = 0; i < unknown->count; i++) {
      hone__text_addf(printer->text, "${if %s == %" PRId64 "}", unknown->name, unknown->values[i]);
      print_option(printer, attr, unknown->values[i]);
      hone__text_add(printer->text, "${end}");
    }
  }
}

static void print_knob(struct printer *printer, const struct hone__mlir_attr *attr)
{
  if (!strcmp(attr->text, "iree_codegen.smt.int_knob"))
    print_int_knob(printer, attr);
  else if (!strcmp(attr->text, "iree_codegen.smt.one_of_knob"))
    print_one_of_knob(printer, attr);
  else
    fail(printer, attr, "an unknown kind of knob");
}

static void print(struct printer *printer, const struct hone__mlir_attr *attr);

static void print_entries(struct printer *printer, const struct hone__mlir_attr *attr)
{
  for (size_t i = 0; i < attr->count; i++) {
    if (i) hone__text_add(printer->text, ", ");
    if (attr->entries[i].key) hone__text_add(printer->text, attr->entries[i].key);
    if (attr->entries[i].key && attr->entries[i].value.kind == HONE__MLIR_UNIT) continue;
    if (attr->entries[i].key) hone__text_add(printer->text, " = ");
    print(printer, &attr->entries[i].value);
  }
}

static void print_around(struct printer *printer, const char *begin,
                         const struct hone__mlir_attr *attr, const char *end)
{
  hone__text_add(printer->text, begin);
  print_entries(printer, attr);
  hone__text_add(printer->text, end);
}

static void print(struct printer *printer, const struct hone__mlir_attr *attr)
{
  if (is_knob(attr)) {
    print_knob(printer, attr);
  } else if (!has_knobs(attr)) {
    hone__mlir_print_attr(attr, printer->text);
  } else if (attr->kind == HONE__MLIR_LIST) {
    print_around(printer, "[", attr, "]");
  } else if (attr->kind == HONE__MLIR_DICT) {
    print_around(printer, "{", attr, "}");
  } else if (attr->kind == HONE__MLIR_DIALECT) {
    hone__text_addf(printer->text, "%s%s", *attr->text ? "#" : "", attr->text);
    print_around(printer, "<", attr, ">");
  } else {
    fail(printer, attr, "knobs in an unknown attribute");
  }
}

/* ---- The whole ---- */

static bool is_of_translation(const char *key)
{
  return !strcmp(key, "workgroup_size") || !strcmp(key, "subgroup_size") ||
         !strcmp(key, "gpu_pipeline_options") || !strcmp(key, "decomposition_config");
}

static void print_lowering_config(struct printer *printer, const struct hone__mlir_attr *knobs)
{
  struct hone__mlir_attr rest = *knobs;

  rest.entries = hone__alloc((knobs->count + 1) * sizeof *rest.entries);
  rest.count = 0;
  for (size_t i = 0; i < knobs->count; i++)
    if (knobs->entries[i].key && !is_of_translation(knobs->entries[i].key))
      rest.entries[rest.count++] = knobs->entries[i];
  print_around(printer, "lowering_config = #iree_gpu.lowering_config<{", &rest, "}>");
  free(rest.entries);
}

static void print_word(struct printer *printer, const struct hone__mlir_attr *knobs,
                       const char *key)
{
  const struct hone__mlir_attr *value = hone__mlir_entry(knobs, key);

  if (!value) return;
  hone__text_addf(printer->text, " %s = ", key);
  print(printer, value);
}

/* IREE omits the option if there is no prefetching. */
static bool is_zero(const struct hone__smt_model *model, const struct hone__mlir_attr *value)
{
  const struct hone__smt_unknown *unknown =
      is_knob(value) && value->count ? hone__smt_unknown(model, value->entries[0].value.text)
                                     : NULL;

  return unknown && unknown->meaning && unknown->meaning->kind == HONE__SMT_CONSTANT &&
         unknown->meaning->value == 0 && !strcmp(unknown->name, hone__smt_option_keys[0]);
}

/* The pipeline options in the constraints, one text for each key. */
static void print_options(struct printer *printer, const struct hone__mlir_attr *options,
                          char **out_texts)
{
  for (unsigned i = 0; i < HONE__SMT_OPTIONS; i++) {
    const struct hone__mlir_attr *value = hone__mlir_entry(options, hone__smt_option_keys[i]);
    struct hone__text text = {0}, *outer = printer->text;

    out_texts[i] = NULL;
    if (!value || is_zero(printer->model, value)) continue;
    printer->text = &text;
    print(printer, value);
    printer->text = outer;
    out_texts[i] = hone__text_take(&text);
  }
}

static void print_configuration(struct printer *printer, const struct hone__mlir_attr *knobs,
                                const struct hone__smt_requests *requests)
{
  const struct hone__mlir_attr *options = hone__mlir_entry(knobs, "gpu_pipeline_options");
  struct hone__text text = {0};
  char *fixed[HONE__SMT_OPTIONS];

  print_options(printer, options, fixed);
  hone__smt_configuration(requests, options != NULL, fixed, &text);
  if (text.length) hone__text_addf(printer->text, ", %s", text.data);
  for (unsigned i = 0; i < HONE__SMT_OPTIONS; i++)
    free(fixed[i]);
  hone__text_release(&text);
}

const char *hone__smt_pipeline(const struct hone__smt_model *model)
{
  const struct hone__mlir_attr *pipeline = hone__mlir_attr(model->op, "pipeline");

  if (!pipeline || pipeline->kind != HONE__MLIR_DIALECT || pipeline->count != 1) return NULL;
  return pipeline->entries[0].value.kind == HONE__MLIR_WORD ? pipeline->entries[0].value.text
                                                            : NULL;
}

hone_status hone__smt_template(const struct hone__smt_model *model,
                               const struct hone__smt_requests *requests,
                               struct hone__text *compilation_info,
                               struct hone__text *decomposition_config)
{
  const struct hone__mlir_attr *knobs = hone__mlir_attr(model->op, "knobs"), *decomposition;
  struct printer printer = {model, compilation_info, NULL};

  if (!knobs || knobs->kind != HONE__MLIR_DICT)
    return hone__mlir_error(model->mlir, model->op->span.begin, "constraints without knobs");
  hone__text_add(compilation_info, "#iree_codegen.compilation_info<");
  print_lowering_config(&printer, knobs);
  hone__text_add(compilation_info, ", translation_info = <pipeline = ");
  hone__mlir_print_attr(hone__mlir_attr(model->op, "pipeline"), compilation_info);
  print_word(&printer, knobs, "workgroup_size");
  print_word(&printer, knobs, "subgroup_size");
  print_configuration(&printer, knobs, requests);
  hone__text_add(compilation_info, ">>");
  decomposition = hone__mlir_entry(knobs, "decomposition_config");
  printer.text = decomposition_config;
  if (decomposition) print(&printer, decomposition);
  return printer.status;
}
