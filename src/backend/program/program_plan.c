/* What follows from the spec and the command line for all configurations alike. A source that is
 * compiled may become a shared library, which is called in a process that stays: words around a
 * program on its command line have no place there. */
#include "backend/program/program_plan.h"

#include "backend/source_file.h"
#include "base/clock.h"
#include "build/build_deps.h"
#include "hone_text.h"

#include <stdlib.h>

static const double LIFETIME_S = 1;
static const struct hone_program_options no_options;
static const char *const profiles[] = {"ncu", "ncu-single", "rocm", "rocprof-compute", NULL};

static bool is_given(const char *text)
{
  return text && *text;
}

/* ---- The language ---- */

static void list_suffixes(struct hone__text *text)
{
  for (const char *const *suffix = hone__language_suffixes; *suffix; suffix++)
    hone__text_addf(text, "%s%s", text->length ? " " : "", *suffix);
}

static hone_status unknown_language(const struct hone__task *task)
{
  struct hone__text known = {0};
  hone_status status;

  list_suffixes(&known);
  status = hone__backend_spec_error(
      task->spec, hone__task_setting(task, "file"),
      "cannot determine how to run '%s': it is not executable, and known suffixes "
      "are %s; give 'build: {command: ...}' or 'run: {command: ...}'",
      task->spec->file, known.data);
  hone__text_release(&known);
  return status;
}

static hone_status find_language(struct hone__program_plan *plan)
{
  plan->language = hone__language_of_suffix(hone__backend_source_file_suffix(plan->source));
  if (plan->language) return NULL;
  if (plan->build.data || plan->run.data)
    plan->language = hone__language_find("other");
  else if (hone__backend_source_file_is_executable(plan->source))
    plan->language = hone__language_find("executable");
  return plan->language ? NULL : unknown_language(plan->task);
}

/* ---- Library or process ---- */

/* Words around the program; NULL: none. */
static const char *find_surroundings(const struct hone__program_plan *plan)
{
  static const char *const settings[] = {"run.command", "run.prefix", "run.suffix"};
  const struct hone_program_options *options = plan->options;

  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (hone__task_setting(plan->task, settings[i])) return settings[i];
  if (is_given(options->exec_prefix)) return "--exec-prefix";
  if (is_given(options->exec_suffix)) return "--exec-suffix";
  if (is_given(options->profile)) return "--profile";
  return options->mpirun_np > 1 ? "--mpirun-np" : NULL;
}

/* The wrapper imports the source by its name. */
static bool is_module(const char *source)
{
  const char *base = strrchr(source, '/') + 1;
  size_t length = (size_t)(hone__backend_source_file_suffix(source) - base);
  struct hone__text name = {0};
  bool is_name;

  hone__text_addn(&name, base, length);
  is_name = length && hone__is_identifier(name.data);
  hone__text_release(&name);
  return is_name;
}

static bool is_library_by_default(const struct hone__program_plan *plan)
{
  if (plan->language->kind == HONE__LANGUAGE_LIBRARY) return true;
  return strcmp(plan->language->name, "mojo") == 0 && plan->is_built && !plan->build.data &&
         !find_surroundings(plan) && is_module(plan->source);
}

static hone_status check_library(const struct hone__program_plan *plan)
{
  const struct hone__node *node = hone__task_setting(plan->task, "run.mode");
  const char *around = find_surroundings(plan);

  if (!plan->is_built && plan->language->kind != HONE__LANGUAGE_LIBRARY)
    return hone__backend_spec_error(plan->task->spec, node,
                                    "'%s' cannot be called as a library: nothing is built from it",
                                    plan->task->spec->file);
  if (around)
    return hone__backend_spec_error(plan->task->spec, node,
                                    "a library is called, not started: '%s' needs mode 'process'",
                                    around);
  if (strcmp(plan->language->name, "mojo") == 0 && !plan->build.data && !is_module(plan->source))
    return hone__backend_spec_error(
        plan->task->spec, node,
        "'%s' cannot be imported into a library: its name is not an identifier",
        plan->task->spec->file);
  return NULL;
}

/* ---- Served ---- */

/* A name that is known only when a configuration is run; NULL: there is none. */
static const char *late_name(const struct hone__program_plan *plan)
{
  static const char *const names[] = {"args", "defines", "csv", "dir", "out", "output", "depfile"};
  const char *const *words = hone__words_list(&plan->run);
  const struct hone_space *space = plan->task->space;

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (hone__command_mentions(words, names[i])) return names[i];
  for (size_t group = 0; group < hone_space_group_count(space); group++)
    for (size_t i = 0; i < hone_space_param_count(space, group); i++)
      if (hone__command_mentions(words, hone_space_param_name(space, group, i)))
        return hone_space_param_name(space, group, i);
  for (size_t i = 0; i < hone_space_derived_count(space); i++)
    if (hone__command_mentions(words, hone_space_derived_name(space, i)))
      return hone_space_derived_name(space, i);
  return NULL;
}

/* What a served program does itself. */
static hone_status refuse_steps(const struct hone__program_plan *plan)
{
  static const struct {
    const char *setting, *message;
  } steps[] = {{"build.command", "it answers 'build' requests"},
               {"check.command", "it answers 'check' requests"}};

  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    const struct hone__node *node = hone__task_setting(plan->task, steps[i].setting);
    if (node)
      return hone__backend_spec_error(
          plan->task->spec, node, "'%s' has no effect on a served program: %s, see hone-serve(7)",
          steps[i].setting, steps[i].message);
  }
  return NULL;
}

static hone_status check_served(const struct hone__program_plan *plan)
{
  const struct hone__task *task = plan->task;
  const char *late = plan->run.data ? late_name(plan) : NULL;
  hone_status status = refuse_steps(plan);

  if (status) return status;
  if (late)
    return hone__backend_spec_error(
        task->spec, hone__task_setting(task, "run.command"),
        "{%s} is not known when a served program is started: it gets the "
        "configuration with each request, see hone-serve(7)",
        late);
  if (plan->run.data || plan->language->kind == HONE__LANGUAGE_INTERPRETED ||
      plan->language->kind == HONE__LANGUAGE_EXECUTABLE)
    return NULL;
  return hone__backend_spec_error(
      task->spec, hone__task_setting(task, "file"),
      "'%s' cannot be started as a served program: build it, and name the "
      "executable in 'file', or give 'run: {command: ...}'",
      task->spec->file);
}

static hone_status check_plugin(const struct hone__program_plan *plan)
{
  const struct hone__task *task = plan->task;
  hone_status status = refuse_steps(plan);

  if (!status && plan->run.data)
    status = hone__backend_spec_error(
        task->spec, hone__task_setting(task, "run.command"),
        "a plug-in is loaded, not started: 'run.command' needs mode 'serve'");
  if (!status && plan->language->kind != HONE__LANGUAGE_LIBRARY)
    status =
        hone__backend_spec_error(task->spec, hone__task_setting(task, "file"),
                                 "'%s' is not a plug-in: build a shared library from it, and name "
                                 "that (.so) in 'file'",
                                 task->spec->file);
  return status;
}

/* ---- The mode ---- */

static hone_status choose_served(struct hone__program_plan *plan, bool is_plugin)
{
  plan->is_served = true;
  plan->is_plugin = is_plugin;
  plan->is_built = false;
  return is_plugin ? check_plugin(plan) : check_served(plan);
}

static bool is_mode(const char *mode, const char *name)
{
  return mode && strcmp(mode, name) == 0;
}

static hone_status choose_mode(struct hone__program_plan *plan)
{
  const struct hone__node *node = hone__task_setting(plan->task, "run.mode");
  const char *mode = node ? node->text : NULL;

  if (is_given(plan->options->mode)) mode = plan->options->mode;
  if (is_mode(mode, "serve") || is_mode(mode, "plugin"))
    return choose_served(plan, is_mode(mode, "plugin"));
  if (mode && !is_mode(mode, "process") && !is_mode(mode, "library"))
    return hone__error(HONE_INVALID_ARGUMENT,
                       "unknown mode '%s': known modes are process, library, serve and plugin",
                       mode);
  plan->is_library = mode ? is_mode(mode, "library") : is_library_by_default(plan);
  if (plan->is_library) return check_library(plan);
  if (plan->language->kind == HONE__LANGUAGE_LIBRARY && !plan->run.data)
    return hone__backend_spec_error(
        plan->task->spec, node, "'%s' is a library: it cannot be started", plan->task->spec->file);
  return NULL;
}

/* ---- The rest ---- */

static hone_status check_profile(const char *profile)
{
  struct hone_nearest nearest = {.word = profile};

  if (!is_given(profile)) return NULL;
  for (const char *const *known = profiles; *known; known++) {
    if (strcmp(profile, *known) == 0) return NULL;
    hone_nearest_try(&nearest, *known);
  }
  return hone__error(
      HONE_INVALID_ARGUMENT,
      "unknown profiler '%s': known profilers are ncu, ncu-single, rocm and rocprof-compute%s%s%s",
      profile, nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
      nearest.best ? "'?" : "");
}

/* Settings about functions have no effect on a program: reports them. */
static hone_status refuse_functions(const struct hone__task *task)
{
  static const char *const keys[] = {"args", "supply", "entry", "stages", "reference", "launch"};

  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const struct hone__node *node = hone__task_setting(task, keys[i]);
    if (node)
      return hone__backend_spec_error(
          task->spec, node, "'%s' is for functions that Hone calls; a program measures itself%s",
          keys[i],
          strcmp(keys[i], "reference") == 0 ? ": 'check: {command: ...}' can check its output"
                                            : "");
  }
  return NULL;
}

/* ---- Contents of the files ---- */

static hone_status look_at_files(struct hone__program_plan *plan)
{
  const struct hone__task *task = plan->task;
  struct hone__words includes = {0};

  if (!hone__program_digest(plan->source, plan->source_digest))
    return hone__backend_spec_error(task->spec, hone__task_setting(task, "file"),
                                    "cannot read '%s'", plan->source);
  hone__setting_paths(task, hone__task_setting(task, "build.includes"), &includes);
  hone__program_imports(plan->language, plan->source, hone__words_list(&includes), &plan->imports);
  hone__words_release(&includes);
  plan->identities = hone__alloc(sizeof *plan->identities);
  if (!plan->is_built || !plan->language->is_c) return NULL;
  return hone__build_source_text_read(plan->source, &plan->text);
}

/* What words of commands name is looked at from time to time. */
static bool is_current(const struct hone__program_plan *plan,
                       const struct hone_program_options *options)
{
  char digest[HONE__DIGEST_SIZE];

  return hone__clock() - plan->made_at < LIFETIME_S &&
         memcmp(&plan->seen, options, sizeof plan->seen) == 0 &&
         hone__program_digest(plan->source, digest) && strcmp(digest, plan->source_digest) == 0 &&
         hone__build_deps_are_current(plan->imports.data, plan->imports.count,
                                      hone__program_digest);
}

/* ---- The plan ---- */

static hone_status choose(struct hone__program_plan *plan)
{
  const struct hone__task *task = plan->task;
  hone_status status = refuse_functions(task);

  if (!status) status = check_profile(plan->options->profile);
  if (!status && !task->spec->file)
    status =
        hone__backend_spec_error(task->spec, NULL, "no 'file': name the program or its source");
  if (!status) status = hone__backend_source_file_find(task->spec, &plan->source);
  if (!status)
    status = hone__setting_words(task, hone__task_setting(task, "build.command"), &plan->build);
  if (!status)
    status = hone__setting_words(task, hone__task_setting(task, "run.command"), &plan->run);
  if (!status) status = find_language(plan);
  if (status) return status;
  plan->is_built =
      plan->build.data ||
      (plan->language->kind == HONE__LANGUAGE_COMPILED &&
       (!plan->run.data || hone__command_mentions(hone__words_list(&plan->run), "bin")));
  return choose_mode(plan);
}

static void free_plan(void *data)
{
  struct hone__program_plan *plan = data;

  hone__words_release(&plan->build);
  hone__words_release(&plan->run);
  hone__pairs_release(&plan->imports);
  if (plan->identities) hone__pairs_release(plan->identities);
  free(plan->identities);
  hone__build_source_text_release(&plan->text);
  free(plan->source);
  free(plan);
}

static void forget(struct hone__task_memory *memory)
{
  if (memory->data) memory->release(memory->data);
  memory->data = NULL;
}

hone_status hone__program_plan(const struct hone__task *task,
                               const struct hone__program_plan **out_plan)
{
  const struct hone_program_options *options = task->program ? task->program : &no_options;
  struct hone__program_plan *plan = task->memory->data;
  hone_status status;

  *out_plan = plan;
  if (plan && is_current(plan, options)) return NULL;
  forget(task->memory);
  plan = hone__alloc(sizeof *plan);
  *task->memory = (struct hone__task_memory){plan, free_plan};
  plan->task = task;
  plan->options = options;
  memcpy(&plan->seen, options, sizeof plan->seen); /* with its gaps */
  plan->made_at = hone__clock();
  status = choose(plan);
  if (!status) status = look_at_files(plan);
  if (status) forget(task->memory);
  *out_plan = task->memory->data;
  return status;
}
