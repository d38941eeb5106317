/* gpu_text.c - the attributes of a candidate on a GPU, as IREE prints them.
 *
 * Pipeline options are optional entries; if a list of values is given, the option is a knob, and
 * its entry has a condition.
 */
#include "iree/knobs/gpu_knobs.h"

#include <inttypes.h>
#include <strings.h>

const char *hone__iree_gpu_list(struct hone__iree_gpu_knobs *knobs, const char *const *parts,
                                size_t count)
{
  struct hone__text text = {0};
  const char *result;

  for (size_t i = 0; i < count; i++)
    hone__text_addf(&text, "%s%s", i ? ", " : "", parts[i]);
  result = hone__arena_printf(&knobs->arena, "[%s]", text.data ? text.data : "");
  hone__text_release(&text);
  return result;
}

struct option { /* one entry of #iree_gpu.pipeline_options */
  const char *key;
  const struct hone__knob_options *options; /* NULL: `value` */
  const char *value;
  const char *before, *behind; /* around the value */
};

enum { OPTIONS = 4 };

/* In the order in which IREE prints them. */
static void list_options(const struct hone__iree_gpu_knobs *knobs,
                         const struct hone__iree_gpu_translation *translation,
                         struct option *options)
{
  options[0] = (struct option){"prefetch_num_stages", &knobs->prefetch, NULL, "", ""};
  if (translation->prefetch) {
    options[0].options = NULL;
    options[0].value = translation->prefetch;
  }
  options[1] =
      (struct option){"no_reduce_shared_memory_bank_conflicts", &knobs->no_reduce, NULL, "", ""};
  options[2] = (struct option){"use_igemm_convolution", NULL, translation->use_igemm, "", ""};
  options[3] = (struct option){"reorder_workgroups_strategy", &knobs->reorder, NULL, "<", ">"};
}

static bool is_word(const char *word, const char *wanted)
{
  return strcasecmp(word, wanted) == 0;
}

static bool may_lack(const struct hone__knob_options *options)
{
  for (size_t i = 0; i < options->count; i++)
    if (is_word(options->words[i], "none")) return true;
  return false;
}

/* NULL: never there; "": always; else a condition. */
static const char *presence(struct hone__iree_gpu_knobs *knobs, const struct option *option)
{
  if (!option->options) return option->value ? "" : NULL;
  if (!may_lack(option->options)) return "";
  if (!hone__knob_options_vary(option->options)) return NULL;
  return hone__arena_printf(&knobs->arena, "%s != \"none\"", option->key);
}

/* Booleans are Python's in expressions and MLIR's in texts. */
static const char *value_text(struct hone__iree_gpu_knobs *knobs, const char *key,
                              const struct hone__knob_options *options)
{
  if (!hone__knob_options_vary(options)) return options->words[0];
  for (size_t i = 0; i < options->count; i++)
    if (is_word(options->words[i], "true") || is_word(options->words[i], "false"))
      return hone__arena_printf(&knobs->arena, "${\"true\" if %s == True else \"false\"}", key);
  return hone__arena_printf(&knobs->arena, "${%s}", key);
}

/* `earlier`: whether there is an entry before it, in the same words as presence. */
static const char *add_option(struct hone__iree_gpu_knobs *knobs, const struct option *option,
                              const char *earlier, struct hone__text *text)
{
  const char *here = presence(knobs, option);
  const char *value;

  if (!here) return earlier;
  value = option->options ? value_text(knobs, option->key, option->options) : option->value;
  if (earlier && (*here || *earlier)) {
    hone__text_addf(text, "${if %s%s%s}, ${end}", here, *here && *earlier ? " and " : "",
                    *earlier ? hone__arena_printf(&knobs->arena, "(%s)", earlier) : "");
  } else if (earlier) {
    hone__text_add(text, ", ");
  }
  if (*here) hone__text_addf(text, "${if %s}", here);
  hone__text_addf(text, "%s = %s%s%s", option->key, option->before, value, option->behind);
  if (*here) hone__text_add(text, "${end}");
  if (!*here || (earlier && !*earlier)) return "";
  return earlier ? hone__arena_printf(&knobs->arena, "%s or %s", earlier, here) : here;
}

static void add_pipeline_options(struct hone__iree_gpu_knobs *knobs,
                                 const struct hone__iree_gpu_translation *translation,
                                 struct hone__text *text)
{
  struct option options[OPTIONS];
  const char *earlier = NULL;

  list_options(knobs, translation, options);
  hone__text_add(text, "gpu_pipeline_options = #iree_gpu.pipeline_options<");
  for (size_t i = 0; i < OPTIONS; i++)
    earlier = add_option(knobs, &options[i], earlier, text);
  hone__text_add(text, ">");
}

/* An entry of the configuration that may be there or not. */
static void add_entry(const char *key, const struct hone__knob_options *options, const char *absent,
                      const char *entry, struct hone__text *text)
{
  bool lacks = false;

  for (size_t i = 0; i < options->count; i++)
    lacks |= is_word(options->words[i], absent);
  if (lacks && !hone__knob_options_vary(options)) return;
  if (lacks && is_word(absent, "none"))
    hone__text_addf(text, "${if %s != \"none\"}%s${end}", key, entry);
  else if (lacks)
    hone__text_addf(text, "${if %s}%s${end}", key, entry);
  else
    hone__text_add(text, entry);
}

static const char *const waves_key = "waves_per_eu", *const denorm_key = "denorm_flushing";

static void add_configuration(struct hone__iree_gpu_knobs *knobs,
                              const struct hone__iree_gpu_translation *translation,
                              struct hone__text *text)
{
  add_pipeline_options(knobs, translation, text);
  if (translation->has_denorm)
    add_entry(denorm_key, &knobs->denorm, "false",
              ", iree_codegen.denormal_fp_math_f32 = "
              "#iree_codegen.denormal_fp_math<\"preserve-sign\">",
              text);
  if (knobs->target->family != HONE__IREE_AMD) return;
  add_entry(waves_key, &knobs->waves, "none",
            hone__arena_printf(&knobs->arena,
                               ", llvm_func_attrs = {\"amdgpu-waves-per-eu\" = \"%s\"}",
                               value_text(knobs, waves_key, &knobs->waves)),
            text);
}

static const char *pipeline_name(const struct hone__iree_gpu_knobs *knobs)
{
  return knobs->pipeline == HONE__IREE_GPU_TILE_AND_FUSE ? "TileAndFuse" : "VectorDistribute";
}

const char *hone__iree_gpu_compilation_info(struct hone__iree_gpu_knobs *knobs, const char *config,
                                            const struct hone__iree_gpu_translation *translation)
{
  struct hone__text text = {0};
  const char *result;

  hone__text_addf(
      &text,
      "#iree_codegen.compilation_info<lowering_config = #iree_gpu.lowering_config<{%s}>, "
      "translation_info = <pipeline = #iree_gpu.pipeline<%s> workgroup_size = [%s] "
      "subgroup_size = %" PRId64 ", {",
      config, pipeline_name(knobs), translation->sizes, knobs->target->subgroup_size);
  add_configuration(knobs, translation, &text);
  hone__text_add(&text, "}>>");
  result = hone__arena_strdup(&knobs->arena, text.data);
  hone__text_release(&text);
  return result;
}

static void add_option_param(struct hone__iree_gpu_knobs *knobs, const char *name,
                             const struct hone__knob_options *options)
{
  if (hone__knob_options_vary(options)) hone__knobs_options(&knobs->writer, name, options);
}

/* In the order in which SHARK Tuner nests them, the last fastest. */
void hone__iree_gpu_option_params(struct hone__iree_gpu_knobs *knobs,
                                  const struct hone__iree_gpu_translation *translation)
{
  struct option options[OPTIONS];

  list_options(knobs, translation, options);
  for (size_t i = 0; i < OPTIONS; i++)
    if (options[i].options) add_option_param(knobs, options[i].key, options[i].options);
  if (knobs->target->family == HONE__IREE_AMD) add_option_param(knobs, waves_key, &knobs->waves);
  if (translation->has_denorm) add_option_param(knobs, denorm_key, &knobs->denorm);
}
