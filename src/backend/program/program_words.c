/* The words that build and run a configuration. Their order is kbench's, so that commands pasted
 * from either are the same.
 */
#include "backend/program/program_plan.h"

#include "backend/source_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Words of an option of the command line. */
static hone_status add_option_words(struct hone__words *words, const char *option, const char *text)
{
  return text ? hone__annotate(hone__words_split(words, text), "%s", option) : NULL;
}

static bool begins_any(const struct hone__words *words, const char *prefix)
{
  for (size_t i = 0; i < words->count; i++)
    if (hone__starts_with(words->data[i], prefix)) return true;
  return false;
}

/* ---- Which compiler ---- */

/* pip's `mojo` is a script that starts whatever the variable names. */
static hone_status add_mojo_of_variable(struct hone__words *words, const char *path)
{
  if (access(path, X_OK) != 0)
    return hone__error(HONE_UNAVAILABLE,
                       "MODULAR_MOJO_MAX_DRIVER_PATH is not a program: '%s'; correct it, or unset "
                       "it and add 'mojo' to PATH",
                       path);
  hone__words_add(words, path);
  return NULL;
}

static hone_status add_compiler(const struct hone__program_plan *plan, struct hone__words *words)
{
  const struct hone__node *node = hone__task_setting(plan->task, "build.compiler");
  const struct hone__language *language = plan->language;
  const char *other = language->variable ? getenv(language->variable) : NULL;

  if (node) return hone__words_split(words, node->text);
  if (other && *other)
    return strcmp(language->name, "mojo") == 0
               ? add_mojo_of_variable(words, other)
               : hone__annotate(hone__words_split(words, other), "%s", language->variable);
  if (language->program) hone__words_add(words, language->program);
  return NULL;
}

/* ---- Options of the command line ---- */

static hone_status add_debug_level(const struct hone__program_plan *plan, struct hone__words *words)
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

/* nvcc's sm_90 is nvidia:sm_90 or nvidia:90 in Mojo. */
static hone_status add_accelerator(const struct hone__program_plan *plan, struct hone__words *words)
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

static void add_optimisation(const struct hone__program_plan *plan, const struct hone__words *given,
                             struct hone__words *words)
{
  const char *level = plan->options->optimization;

  if (!level && !begins_any(words, "-O") && !begins_any(given, "-O"))
    level = plan->language->default_optimisation;
  if (level) hone__language_add(words, plan->language->optimisation, level);
}

/* `given` are the flags of the spec, which come later. */
static hone_status add_options(const struct hone__program_plan *plan,
                               const struct hone__words *given, struct hone__words *words)
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

static hone_status get_flags(const struct hone__program_case *one, struct hone__words *flags)
{
  const struct hone__task *task = one->plan->task;
  hone_status status =
      hone__setting_flags(task, one->row, hone__task_setting(task, "build.flags"), flags);

  for (size_t i = 0; i < flags->count; i++) {
    char *given = flags->data[i];
    flags->data[i] = place_flag(task, given);
    free(given);
  }
  return status;
}

/* Libraries count only after what needs them. */
static bool is_library(const char *flag)
{
  const char *suffix = hone__backend_source_file_suffix(flag);

  return hone__starts_with(flag, "-l") ||
         (flag[0] != '-' && (strcmp(suffix, ".a") == 0 || strcmp(suffix, ".so") == 0));
}

static void add_flags(struct hone__words *words, const struct hone__words *flags, bool libraries)
{
  for (size_t i = 0; i < flags->count; i++)
    if (is_library(flags->data[i]) == libraries) hone__words_add(words, flags->data[i]);
}

static void add_includes(const struct hone__program_plan *plan, struct hone__words *words)
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
static void begin_library(const struct hone__program_plan *plan, bool is_wrapped,
                          struct hone__words *words)
{
  struct hone__text folder = {0};

  hone__language_add(words, plan->language->first_of_library, "");
  if (!is_wrapped) return;
  hone__text_addn(&folder, plan->source, (size_t)(strrchr(plan->source, '/') - plan->source));
  hone__language_add(words, plan->language->include, folder.length ? folder.data : "/");
  hone__text_release(&folder);
}

static hone_status compile_words(const struct hone__program_case *one,
                                 const struct hone__words *flags, struct hone__words *words)
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
  hone__language_add_definitions(language, words, &one->definitions);
  hone__words_add(words, is_wrapped ? "{wrapper}" : plan->source);
  hone__words_add(words, "-o");
  hone__words_add(words, "{out}");
  add_flags(words, flags, true);
  hone__language_add(words, language->last, "");
  return NULL;
}

static void add_argument(struct hone__words *words, const struct hone__name_value *argument)
{
  struct hone__text word = {0};

  hone__text_addf(&word, "--%s=%s", argument->name, argument->value);
  hone__words_add(words, word.data);
  hone__text_release(&word);
}

static bool is_among(const struct hone__pairs *pairs, const struct hone__name_value *one)
{
  for (size_t i = 0; i < pairs->count; i++)
    if (strcmp(pairs->data[i].name, one->name) == 0 &&
        strcmp(pairs->data[i].value, one->value) == 0)
      return true;
  return false;
}

/* Where nothing is built, {defines} takes its share of what {args} would give. */
static void add_arguments(const struct hone__program_case *one, bool defines,
                          struct hone__words *words)
{
  for (size_t i = 0; i < one->arguments.count; i++)
    if (!defines || !is_among(&one->compile_time, &one->arguments.data[i]))
      add_argument(words, &one->arguments.data[i]);
}

/* What {names} stand for that are several words. */
struct lists {
  struct hone__words flags, includes, compiler, defines, args;
};

static hone_status make_lists(const struct hone__program_case *one, const struct hone__words *flags,
                              const char *const *words, struct lists *lists)
{
  hone_status status = add_options(one->plan, flags, &lists->flags);

  for (size_t i = 0; i < flags->count; i++)
    hone__words_add(&lists->flags, flags->data[i]);
  add_includes(one->plan, &lists->includes);
  if (!status && hone__command_mentions(words, "compiler"))
    status = add_compiler(one->plan, &lists->compiler);
  hone__language_add_definitions(one->plan->language, &lists->defines,
                                 one->definitions.count ? &one->definitions : &one->compile_time);
  add_arguments(one, hone__command_mentions(words, "defines"), &lists->args);
  return status;
}

static void release_lists(struct lists *lists)
{
  hone__words_release(&lists->flags);
  hone__words_release(&lists->includes);
  hone__words_release(&lists->compiler);
  hone__words_release(&lists->defines);
  hone__words_release(&lists->args);
}

static hone_status check_build_template(const struct hone__program_plan *plan,
                                        const struct hone__node *node)
{
  const char *const *words = hone__words_list(&plan->build);

  if (!hone__command_mentions(words, "out") && !hone__command_mentions(words, "output"))
    return hone__backend_spec_error(plan->task->spec, node,
                                    "'build.command' needs {out}, the file to write");
  if (has_options(plan->options) && !hone__command_mentions(words, "flags"))
    return hone__backend_spec_error(
        plan->task->spec, node,
        "'build.command' has no place for compiler options: add {flags} to it");
  return NULL;
}

static hone_status expand(const struct hone__program_case *one, const char *setting,
                          const struct hone__words *template, const struct hone__words *flags,
                          struct hone__words *words)
{
  const struct hone__node *node = hone__task_setting(one->plan->task, setting);
  struct lists lists = {0};
  hone_status status = make_lists(one, flags, hone__words_list(template), &lists);
  const struct hone__placeholder_list named[] = {{"flags", hone__words_list(&lists.flags)},
                                                 {"includes", hone__words_list(&lists.includes)},
                                                 {"compiler", hone__words_list(&lists.compiler)},
                                                 {"defines", hone__words_list(&lists.defines)},
                                                 {"args", hone__words_list(&lists.args)},
                                                 {NULL, NULL}};

  if (!status) status = hone__program_expand(one, node, hone__words_list(template), named, words);
  release_lists(&lists);
  return status;
}

hone_status hone__program_build_words(const struct hone__program_case *one,
                                      struct hone__words *words)
{
  const struct hone__program_plan *plan = one->plan;
  struct hone__words flags = {0};
  hone_status status = get_flags(one, &flags);

  if (!status && plan->build.data)
    status = check_build_template(plan, hone__task_setting(plan->task, "build.command"));
  if (!status && plan->build.data)
    status = expand(one, "build.command", &plan->build, &flags, words);
  else if (!status)
    status = compile_words(one, &flags, words);
  hone__words_release(&flags);
  return status;
}

/* ---- Running ---- */

static void add_profiler(const struct hone__program_case *one, struct hone__words *words)
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
  hone__words_add(words, path.data);
  if (!hone__starts_with(profile, "ncu")) hone__words_add(words, "--");
  hone__text_release(&path);
}

/* The words of a setting around the program, with their {names}. */
static hone_status add_setting(const struct hone__program_case *one, const char *setting,
                               const struct hone__words *flags, struct hone__words *words)
{
  const struct hone__task *task = one->plan->task;
  struct hone__words template = {0};
  hone_status status = hone__setting_words(task, hone__task_setting(task, setting), &template);

  if (!status && template.data) status = expand(one, setting, &template, flags, words);
  hone__words_release(&template);
  return status;
}

static hone_status add_prefix(const struct hone__program_case *one, const struct hone__words *flags,
                              struct hone__words *words)
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

static hone_status add_suffix(const struct hone__program_case *one, const struct hone__words *flags,
                              struct hone__words *words)
{
  const struct hone_program_options *options = one->plan->options;
  hone_status status = add_setting(one, "run.suffix", flags, words);

  if (!status) status = add_option_words(words, "--exec-suffix", options->exec_suffix);
  if (!status && options->profile && strcmp(options->profile, "ncu-single") == 0)
    hone__language_add(words, "--bench-max-iters=0 --bench-max-batch-size=1", "");
  return status;
}

static void add_program(const struct hone__program_case *one, struct hone__words *words)
{
  const struct hone__program_plan *plan = one->plan;

  if (plan->is_plugin) hone__language_add(words, "{hone} worker --plugin", "");
  if (!plan->is_built && plan->language->kind == HONE__LANGUAGE_INTERPRETED)
    hone__words_add(words, plan->language->program);
  hone__words_add(words, plan->is_built ? "{bin}" : plan->source);
  if (plan->is_served) return;
  add_arguments(one, false, words);
  hone__words_add(words, "-o");
  hone__words_add(words, "{csv}");
}

hone_status hone__program_run_words(const struct hone__program_case *one, struct hone__words *words)
{
  struct hone__words flags = {0};
  hone_status status = get_flags(one, &flags);

  if (!status) status = add_prefix(one, &flags, words);
  if (!status && one->plan->run.data)
    status = expand(one, "run.command", &one->plan->run, &flags, words);
  else if (!status)
    add_program(one, words);
  if (!status) status = add_suffix(one, &flags, words);
  hone__words_release(&flags);
  return status;
}
