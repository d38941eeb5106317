/* smt_requests.c - pipeline options given by the user, as knobs and in texts.
 *
 * A list of one value is a constant. Each of several values is a separate entry under a condition,
 * so that none, numbers, words and truth values need no special rules.
 */
#include "iree/constraints/smt_template.h"
#include "hone_iree.h"

#include <strings.h>

const char *const hone__smt_option_keys[HONE__SMT_OPTIONS] = {
    "prefetch_num_stages", "no_reduce_shared_memory_bank_conflicts", "use_igemm_convolution",
    "reorder_workgroups_strategy"};

/* ---- Lists ---- */

static bool is_number(const char *word)
{
  return strlen(word) <= 3 && strspn(word, "0123456789") == strlen(word);
}

/* In the spelling of YAML and MLIR; false: not an allowed word. */
static bool normalize(char *word, const char *const *allowed)
{
  if (is_number(word)) return !strcmp(allowed[0], "numbers");
  for (; *allowed; allowed++)
    if (!strcasecmp(word, *allowed)) {
      memcpy(word, *allowed, strlen(word));
      return true;
    }
  return false;
}

static bool read_list(const char *list, const char *name, const char *const *allowed,
                      struct hone__knob_options *out, struct hone__text *why)
{
  bool is_good;

  if (!list || !*list) return true;
  is_good = hone__knob_options_read(list, NULL, out);
  for (size_t i = 0; is_good && i < out->count; i++)
    is_good = normalize(out->words[i], allowed);
  if (is_good) return true;
  hone__text_addf(why, "'%s' is not a list of values for %s: write", list, name);
  for (size_t i = 0; allowed[i]; i++)
    hone__text_addf(why, "%s%s", !i ? " " : allowed[i + 1] ? ", " : " or ", allowed[i]);
  hone__text_add(why, ", with commas");
  return false;
}

bool hone__smt_requests_read(const struct hone_iree_options *options,
                             struct hone__smt_requests *requests, struct hone__text *why)
{
  static const char *const numbers[] = {"numbers", "none", NULL};
  static const char *const choices[] = {"true", "false", "none", NULL};
  static const char *const truths[] = {"true", "false", NULL};
  static const char *const orders[] = {"Transpose", "none", NULL};

  return read_list(options->prefetch_num_stages, "--prefetch-num-stages-options", numbers,
                   &requests->prefetch, why) &&
         read_list(options->no_reduce_bank_conflicts,
                   "--no-reduce-shared-memory-bank-conflicts-options", choices,
                   &requests->no_reduce, why) &&
         read_list(options->waves_per_eu, "--waves-per-eu-options", numbers, &requests->waves,
                   why) &&
         read_list(options->denorm_flushing, "--denorm-flushing-options", truths, &requests->denorm,
                   why) &&
         read_list(options->reorder_workgroups, "--reorder-workgroups-options", orders,
                   &requests->reorder, why);
}

void hone__smt_requests_release(struct hone__smt_requests *requests)
{
  hone__knob_options_release(&requests->prefetch);
  hone__knob_options_release(&requests->no_reduce);
  hone__knob_options_release(&requests->reorder);
  hone__knob_options_release(&requests->waves);
  hone__knob_options_release(&requests->denorm);
}

void hone__smt_requests_select(struct hone__smt_requests *requests, bool is_amd,
                               const char *pipeline)
{
  if (!is_amd) requests->waves.count = 0;
  if (strcmp(pipeline, "VectorDistribute")) requests->denorm.count = 0;
}

/* ---- Parameters ---- */

static const char *const waves_name = "waves_per_eu", *const denorm_name = "denorm_flushing";

static void add_param(struct hone__knob_writer *writer, const char *name,
                      const struct hone__knob_options *list)
{
  if (hone__knob_options_vary(list)) hone__knobs_options(writer, name, list);
}

void hone__smt_requests_params(const struct hone__smt_requests *requests,
                               struct hone__knob_writer *writer)
{
  add_param(writer, hone__smt_option_keys[0], &requests->prefetch);
  add_param(writer, hone__smt_option_keys[1], &requests->no_reduce);
  add_param(writer, hone__smt_option_keys[3], &requests->reorder);
  add_param(writer, waves_name, &requests->waves);
  add_param(writer, denorm_name, &requests->denorm);
}

/* ---- Texts ---- */

struct parts { /* "key = value, ...", some of them under conditions */
  struct hone__text text;
  struct hone__text conditions; /* of those so far, joined by `or` */
  bool is_never_empty;
};

static void parts_release(struct parts *parts)
{
  hone__text_release(&parts->text);
  hone__text_release(&parts->conditions);
}

/* `condition` NULL: always. */
static void add_part(struct parts *parts, const char *condition, const char *part)
{
  if (condition) hone__text_addf(&parts->text, "${if %s}", condition);
  if (parts->is_never_empty)
    hone__text_add(&parts->text, ", ");
  else if (parts->conditions.length)
    hone__text_addf(&parts->text, "${if %s}, ${end}", parts->conditions.data);
  hone__text_add(&parts->text, part);
  if (condition)
    hone__text_addf(&parts->conditions, "%s%s", parts->conditions.length ? " or " : "", condition);
  if (condition) hone__text_add(&parts->text, "${end}");
  parts->is_never_empty |= !condition;
}

/* A word of a list in an expression. */
static void add_literal(struct hone__text *text, const char *word)
{
  if (is_number(word))
    hone__text_add(text, word);
  else if (!strcmp(word, "true") || !strcmp(word, "false"))
    hone__text_add(text, *word == 't' ? "True" : "False");
  else
    hone__text_addf(text, "\"%s\"", word);
}

/* One entry for each word except the one that means none; a flag has no value. */
static void add_list(struct parts *parts, const char *name, const struct hone__knob_options *list,
                     const char *none, const char *before, const char *behind)
{
  for (size_t i = 0; i < list->count; i++) {
    struct hone__text part = {0}, condition = {0};

    if (!strcmp(list->words[i], none)) continue;
    hone__text_addf(&part, "%s%s%s", before, strcmp(none, "false") ? list->words[i] : "", behind);
    hone__text_addf(&condition, "%s == ", name);
    add_literal(&condition, list->words[i]);
    add_part(parts, hone__knob_options_vary(list) ? condition.data : NULL, part.data);
    hone__text_release(&part);
    hone__text_release(&condition);
  }
}

static void add_options(const struct hone__smt_requests *requests, char *const *fixed,
                        struct parts *parts)
{
  const struct hone__knob_options none = {{NULL}, 0};
  const struct hone__knob_options *lists[HONE__SMT_OPTIONS] = {
      &requests->prefetch, &requests->no_reduce, &none, &requests->reorder};

  for (unsigned i = 0; i < HONE__SMT_OPTIONS; i++) {
    const char *brackets = lists[i] == &requests->reorder ? "<" : "";
    struct hone__text before = {0};

    hone__text_addf(&before, "%s = %s", hone__smt_option_keys[i],
                    lists[i]->count ? brackets
                    : fixed[i]      ? fixed[i]
                                    : "");
    if (lists[i]->count)
      add_list(parts, hone__smt_option_keys[i], lists[i], "none", before.data,
               *brackets ? ">" : "");
    else if (fixed[i])
      add_part(parts, NULL, before.data);
    hone__text_release(&before);
  }
}

static void add_pipeline_options(const struct hone__smt_requests *requests, bool has_options,
                                 char *const *fixed, struct parts *configuration)
{
  struct parts options = {0};
  struct hone__text whole = {0};

  add_options(requests, fixed, &options);
  hone__text_addf(&whole, "gpu_pipeline_options = #iree_gpu.pipeline_options<%s>",
                  options.text.data ? options.text.data : "");
  if (has_options || options.text.length) add_part(configuration, NULL, whole.data);
  hone__text_release(&whole);
  parts_release(&options);
}

void hone__smt_configuration(const struct hone__smt_requests *requests, bool has_options,
                             char *const *fixed, struct hone__text *text)
{
  struct parts parts = {0};

  add_pipeline_options(requests, has_options, fixed, &parts);
  add_list(&parts, denorm_name, &requests->denorm, "false",
           "iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<\"preserve-sign\">",
           "");
  add_list(&parts, waves_name, &requests->waves, "none",
           "llvm_func_attrs = {\"amdgpu-waves-per-eu\" = \"", "\"}");
  if (parts.text.length) hone__text_addf(text, "{%s}", parts.text.data);
  parts_release(&parts);
}
