/* The words that build and run a configuration. Their order is kbench's, so that what a person
 * pastes from there and from here is the same. */
#include "backend/program/program_plan.h"

#include "build/command.h"
#include "backend/source_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void add_word(json_t *words, const char *word)
{
  json_array_append_new(words, json_string(word));
}

/* Words of an option of the command line. */
static hone_status add_option_words(json_t *words, const char *option, const char *text)
{
  return text ? hone__annotate(hone__command_split(text, words), "%s", option) : NULL;
}

static bool begins_any(const json_t *words, const char *prefix)
{
  for (size_t i = 0; i < json_array_size(words); i++) {
    const char *word = json_string_value(json_array_get(words, i));
    if (word && hone__starts_with(word, prefix)) return true;
  }
  return false;
}

/* ---- Which compiler ---- */

/* pip's `mojo` is a script that starts whatever the variable names. */
static hone_status add_mojo_of_variable(json_t *words, const char *path)
{
  if (access(path, X_OK) != 0)
    return hone__error(HONE_UNAVAILABLE,
                       "MODULAR_MOJO_MAX_DRIVER_PATH is not a program: '%s'; correct it, or unset "
                       "it and add 'mojo' to PATH",
                       path);
  add_word(words, path);
  return NULL;
}

static hone_status add_compiler(const struct hone__program_plan *plan, json_t *words)
{
  const struct hone__node *node = hone__task_setting(plan->task, "build.compiler");
  const struct hone__language *language = plan->language;
  const char *other = language->variable ? getenv(language->variable) : NULL;

  if (node) return hone__command_split(node->text, words);
  if (other && *other)
    return strcmp(language->name, "mojo") == 0
               ? add_mojo_of_variable(words, other)
               : hone__annotate(hone__command_split(other, words), "%s", language->variable);
  if (language->program) add_word(words, language->program);
  return NULL;
}

/* ---- Options of the command line ---- */

static hone_status add_debug_level(const struct hone__program_plan *plan, json_t *words)
{
  static const char *const levels[] = {"none", "line-tables", "full"};
  const char *const *formats = plan->language->debug_levels, *level = plan->options->debug_level;

  if (!level) return NULL;
  if (!formats[1]) {
    hone__language_add(words, formats[0], level);
    return NULL;
  }
  for (size_t i = 0; i < 3; i++)
    if (strcmp(level, levels[i]) == 0) {
      hone__language_add(words, formats[i], level);
      return NULL;
    }
  return hone__error(HONE_INVALID_ARGUMENT,
                     "unknown debug level '%s': known levels are none, line-tables and full",
                     level);
}

/* nvcc says sm_90 where Mojo says nvidia:sm_90 or nvidia:90. */
static hone_status add_accelerator(const struct hone__program_plan *plan, json_t *words)
{
  const char *target = plan->options->target_accelerator, *colon = target ? strchr(target, ':') : 0;
  const char *name = colon ? colon + 1 : target;
  struct hone__text text = {0};

  if (!target || !plan->language->accelerator) return NULL;
  if (strcmp(plan->language->name, "cuda") != 0) {
    hone__language_add(words, plan->language->accelerator, target);
    return NULL;
  }
  if (!hone__starts_with(name, "sm_") && !isdigit((unsigned char)*name))
    return hone__error(HONE_INVALID_ARGUMENT,
                       "nvcc cannot build for '%s': expected a target like nvidia:sm_90", target);
  hone__text_addf(&text, "%s%s", isdigit((unsigned char)*name) ? "sm_" : "", name);
  hone__language_add(words, plan->language->accelerator, text.data);
  hone__text_release(&text);
  return NULL;
}

static void add_optimisation(const struct hone__program_plan *plan, const json_t *given,
                             json_t *words)
{
  const char *level = plan->options->optimization;

  if (!level && !begins_any(words, "-O") && !begins_any(given, "-O"))
    level = plan->language->default_optimisation;
  if (level) hone__language_add(words, plan->language->optimisation, level);
}

/* `given` are the flags of the spec, which come behind. */
static hone_status add_options(const struct hone__program_plan *plan, const json_t *given,
                               json_t *words)
{
  const struct hone_program_options *options = plan->options;
  const struct hone__language *language = plan->language;
  hone_status status = add_option_words(words, "--build-opts", options->build_opts);

  if (!status) status = add_debug_level(plan, words);
  if (status) return status;
  add_optimisation(plan, given, words);
  if (options->experimental_kernels)
    hone__language_add(words, language->define, "USE_EXPERIMENTAL_KERNELS=1");
  status = add_accelerator(plan, words);
  if (options->disable_warnings) hone__language_add(words, language->no_warnings, "");
  if (options->march) hone__language_add(words, language->march, options->march);
  return status;
}

static bool has_options(const struct hone_program_options *options)
{
  return (options->build_opts && *options->build_opts) || options->debug_level ||
         options->optimization || options->march || options->disable_warnings ||
         options->experimental_kernels;
}

/* ---- Flags of the spec ---- */

/* The compiler runs where Hone was started; paths in a spec begin in its folder. */
static char *place_flag(const struct hone__task *task, const char *flag)
{
  static const char *const prefixes[] = {"-I", "-L", "@", ""};
  struct hone__text text = {0};
  size_t i = 0, skip;
  char *path;

  while (!hone__starts_with(flag, prefixes[i])) /* the last one is there always */
    i++;
  skip = strlen(prefixes[i]);
  path = hone__setting_path(task, flag + skip);
  if (!flag[skip] || flag[skip] == '-' || access(path, F_OK) != 0)
    hone__text_add(&text, flag);
  else
    hone__text_addf(&text, "%.*s%s", (int)skip, flag, path);
  free(path);
  return hone__text_take(&text);
}

static hone_status get_flags(const struct hone__program_case *one, json_t **out_flags)
{
  const struct hone__task *task = one->plan->task;
  json_t *flags = json_array();
  hone_status status =
      hone__setting_flags(task, one->row, hone__task_setting(task, "build.flags"), flags);

  for (size_t i = 0; i < json_array_size(flags); i++) {
    char *placed = place_flag(task, json_string_value(json_array_get(flags, i)));
    json_array_set_new(flags, i, json_string(placed));
    free(placed);
  }
  *out_flags = flags;
  return status;
}

/* Libraries count only behind what needs them. */
static bool is_library(const char *flag)
{
  const char *suffix = hone__source_file_suffix(flag);

  return hone__starts_with(flag, "-l") ||
         (flag[0] != '-' && (strcmp(suffix, ".a") == 0 || strcmp(suffix, ".so") == 0));
}

static void add_flags(json_t *words, const json_t *flags, bool libraries)
{
  for (size_t i = 0; i < json_array_size(flags); i++) {
    const char *flag = json_string_value(json_array_get(flags, i));
    if (is_library(flag) == libraries) add_word(words, flag);
  }
}

static void add_includes(const struct hone__program_plan *plan, json_t *words)
{
  const struct hone__node *node = hone__task_setting(plan->task, "build.includes");

  for (size_t i = 0; node && i < node->count; i++) {
    char *path = hone__setting_path(plan->task, node->items[i]->text);
    hone__language_add(words, plan->language->include, path);
    free(path);
  }
}

/* ---- Building ---- */

/* A library of Mojo is built from a wrapper, which has to find the source. */
static void begin_library(const struct hone__program_plan *plan, bool is_wrapped, json_t *words)
{
  struct hone__text folder = {0};

  hone__language_add(words, plan->language->first_of_library, "");
  if (!is_wrapped) return;
  hone__text_addn(&folder, plan->source, (size_t)(strrchr(plan->source, '/') - plan->source));
  hone__language_add(words, plan->language->include, folder.length ? folder.data : "/");
  hone__text_release(&folder);
}

static hone_status compile_words(const struct hone__program_case *one, const json_t *flags,
                                 json_t *words)
{
  const struct hone__program_plan *plan = one->plan;
  const struct hone__language *language = plan->language;
  bool is_wrapped = plan->is_library && strcmp(language->name, "mojo") == 0;
  hone_status status = add_compiler(plan, words);

  if (status) return status;
  hone__language_add(words, language->first, "");
  if (plan->is_library) begin_library(plan, is_wrapped, words);
  status = add_options(plan, flags, words);
  if (status) return status;
  add_flags(words, flags, false);
  add_includes(plan, words);
  if (is_wrapped) hone__language_add(words, language->define, "KBENCH_USE_ENV_ARGS=True");
  hone__language_add_definitions(language, words, one->definitions);
  add_word(words, is_wrapped ? "{wrapper}" : plan->source);
  add_word(words, "-o");
  add_word(words, "{out}");
  add_flags(words, flags, true);
  hone__language_add(words, language->last, "");
  return NULL;
}

static void add_arguments(json_t *words, const json_t *arguments)
{
  for (size_t i = 0; i < json_array_size(arguments); i++) {
    const json_t *pair = json_array_get(arguments, i);
    struct hone__text word = {0};
    hone__text_addf(&word, "--%s=%s", json_string_value(json_array_get(pair, 0)),
                    json_string_value(json_array_get(pair, 1)));
    add_word(words, word.data);
    hone__text_release(&word);
  }
}

static bool is_among(const json_t *pairs, const json_t *pair)
{
  for (size_t i = 0; i < json_array_size(pairs); i++)
    if (json_equal(json_array_get(pairs, i), pair)) return true;
  return false;
}

/* Where nothing is built, {defines} takes its share of what {args} would give. */
static json_t *run_arguments(const struct hone__program_case *one, bool defines)
{
  json_t *arguments = json_array(), *words = json_array();

  for (size_t i = 0; i < json_array_size(one->arguments); i++) {
    json_t *pair = json_array_get(one->arguments, i);
    if (!defines || !is_among(one->compile_time, pair)) json_array_append(arguments, pair);
  }
  add_arguments(words, arguments);
  json_decref(arguments);
  return words;
}

static json_t *define_words(const struct hone__program_case *one)
{
  json_t *words = json_array();

  hone__language_add_definitions(one->plan->language, words,
                                 json_array_size(one->definitions) ? one->definitions
                                                                   : one->compile_time);
  return words;
}

static hone_status template_lists(const struct hone__program_case *one, const json_t *flags,
                                  const json_t *words, json_t **out_lists)
{
  json_t *options = json_array(), *includes = json_array(), *compiler = json_array();
  hone_status status = add_options(one->plan, flags, options);

  json_array_extend(options, (json_t *)flags);
  add_includes(one->plan, includes);
  if (!status && hone__command_mentions(words, "compiler"))
    status = add_compiler(one->plan, compiler);
  *out_lists = json_pack("{so so so so so}", "flags", options, "includes", includes, "compiler",
                         compiler, "defines", define_words(one), "args",
                         run_arguments(one, hone__command_mentions(words, "defines")));
  return status;
}

static hone_status check_build_template(const struct hone__program_plan *plan,
                                        const struct hone__node *node)
{
  if (!hone__command_mentions(plan->build, "out") && !hone__command_mentions(plan->build, "output"))
    return hone__spec_error(plan->task->spec, node,
                            "'build.command' needs {out}, the file to write");
  if (has_options(plan->options) && !hone__command_mentions(plan->build, "flags"))
    return hone__spec_error(plan->task->spec, node,
                            "'build.command' has no place for compiler options: add {flags} to it");
  return NULL;
}

static hone_status expand(const struct hone__program_case *one, const char *setting,
                          const json_t *template, const json_t *flags, json_t *words)
{
  const struct hone__node *node = hone__task_setting(one->plan->task, setting);
  json_t *lists = NULL;
  hone_status status = template_lists(one, flags, template, &lists);

  if (!status) status = hone__program_expand(one, node, template, lists, words);
  json_decref(lists);
  return status;
}

hone_status hone__program_build_words(const struct hone__program_case *one, json_t **out_words)
{
  const struct hone__program_plan *plan = one->plan;
  json_t *flags = NULL;
  hone_status status = get_flags(one, &flags);

  *out_words = json_array();
  if (!status && plan->build)
    status = check_build_template(plan, hone__task_setting(plan->task, "build.command"));
  if (!status && plan->build)
    status = expand(one, "build.command", plan->build, flags, *out_words);
  else if (!status)
    status = compile_words(one, flags, *out_words);
  json_decref(flags);
  return status;
}

/* ---- Running ---- */

static void add_profiler(const struct hone__program_case *one, json_t *words)
{
  const char *profile = one->plan->options->profile;
  struct hone__text path = {0};

  if (!profile || !*profile) return;
  hone__text_addf(&path, "%s%s%s_profile", one->folder ? one->folder : "", one->folder ? "/" : "",
                  one->name);
  if (hone__starts_with(profile, "ncu"))
    hone__language_add(words, "ncu -o", "");
  else
    hone__language_add(words, "rocprof-compute profile --name NAME -p", "");
  add_word(words, path.data);
  if (!hone__starts_with(profile, "ncu")) add_word(words, "--");
  hone__text_release(&path);
}

/* The words of a setting around the program, with their {names}. */
static hone_status add_setting(const struct hone__program_case *one, const char *setting,
                               const json_t *flags, json_t *words)
{
  json_t *template = NULL;
  hone_status status =
      hone__setting_words(one->plan->task, hone__task_setting(one->plan->task, setting), &template);

  if (!status && template) status = expand(one, setting, template, flags, words);
  json_decref(template);
  return status;
}

static hone_status add_prefix(const struct hone__program_case *one, const json_t *flags,
                              json_t *words)
{
  const struct hone_program_options *options = one->plan->options;
  struct hone__text count = {0};
  hone_status status = add_option_words(words, "--exec-prefix", options->exec_prefix);

  if (!status) status = add_setting(one, "run.prefix", flags, words);
  if (!status && options->mpirun_np > 1) {
    hone__text_addf(&count, "%u", options->mpirun_np);
    hone__language_add(words, "mpirun -np %", count.data);
    hone__text_release(&count);
  }
  if (!status) add_profiler(one, words);
  return status;
}

static hone_status add_suffix(const struct hone__program_case *one, const json_t *flags,
                              json_t *words)
{
  const struct hone_program_options *options = one->plan->options;
  hone_status status = add_setting(one, "run.suffix", flags, words);

  if (!status) status = add_option_words(words, "--exec-suffix", options->exec_suffix);
  if (!status && options->profile && strcmp(options->profile, "ncu-single") == 0)
    hone__language_add(words, "--bench-max-iters=0 --bench-max-batch-size=1", "");
  return status;
}

static void add_program(const struct hone__program_case *one, json_t *words)
{
  const struct hone__program_plan *plan = one->plan;

  if (!plan->is_built && plan->language->kind == HONE__LANGUAGE_INTERPRETED)
    add_word(words, plan->language->program);
  add_word(words, plan->is_built ? "{bin}" : plan->source);
  add_arguments(words, one->arguments);
  add_word(words, "-o");
  add_word(words, "{csv}");
}

hone_status hone__program_run_words(const struct hone__program_case *one, json_t **out_words)
{
  json_t *flags = NULL;
  hone_status status = get_flags(one, &flags);

  *out_words = json_array();
  if (!status) status = add_prefix(one, flags, *out_words);
  if (!status && one->plan->run)
    status = expand(one, "run.command", one->plan->run, flags, *out_words);
  else if (!status)
    add_program(one, *out_words);
  if (!status) status = add_suffix(one, flags, *out_words);
  json_decref(flags);
  return status;
}
