/* Texts that may contain a macro are collected once, then searched for names. C comments do not
 * count; in other files (scripts, makefiles) everything counts.
 */
#include "backend/knob_use.h"

#include "backend/backend.h"
#include "build/build_deps.h"
#include "build/build_includes.h"
#include "backend/definition.h"
#include "backend/language.h"
#include "backend/source_file.h"
#include "build/source_text.h"
#include "base/file.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MOST_TEXT_BYTES = 1 << 20, MOST_SIBLINGS = 256 };

/* The build inputs that kernels and programs report. */
struct built_from {
  const char *source, *language;
  const char *mode;   /* of a program */
  const char **build; /* of a program: its expanded words */
  const char **command, **flags, **includes;
  size_t build_count, command_count, flags_count, includes_count;
};
static const struct hone__field built_from_fields[] = {
    HONE__TEXT(struct built_from, mode, HONE__OPTIONAL),
    HONE__TEXT(struct built_from, source, HONE__OPTIONAL),
    HONE__TEXT(struct built_from, language, HONE__OPTIONAL),
    HONE__TEXTS(struct built_from, build, HONE__OPTIONAL),
    HONE__TEXTS(struct built_from, command, HONE__OPTIONAL),
    HONE__TEXTS(struct built_from, flags, HONE__OPTIONAL),
    HONE__TEXTS(struct built_from, includes, HONE__OPTIONAL),
};
static const struct hone__record_type built_from_type =
    HONE__RECORD_TYPE("candidate", struct built_from, built_from_fields);

struct reading {
  const struct hone__task *task;
  struct built_from from;          /* the baseline's */
  const struct hone__node *prefix; /* of macros; or NULL */
  struct hone__text texts;         /* where macros may occur */
  bool sees_macros;                /* the build gets them */
  bool is_open;                    /* its inputs are not all known */
  bool passes_all;                 /* nothing is built: the program gets them all */
};

/* ---- Files ---- */

static void add_source(struct reading *r, const char *path)
{
  struct hone__build_source_text source;
  hone_status status = hone__build_source_text_read(path, &source);

  if (status) r->is_open = true;
  r->is_open = r->is_open || source.has_pastes; /* ## creates names that occur nowhere */
  if (source.text.length) hone__text_addf(&r->texts, "\n%s", source.text.data);
  hone_status_free(status);
  hone__build_source_text_release(&source);
}

static void add_file(struct reading *r, const char *path)
{
  char *text = NULL;
  size_t size;
  hone_status status = hone__file_read(path, MOST_TEXT_BYTES, &text, &size);

  if (!status && !memchr(text, 0, size)) hone__text_addf(&r->texts, "\n%s", text);
  hone_status_free(status);
  free(text);
}

/* A command may read any file next to the source. */
static void add_siblings(struct reading *r, const char *source)
{
  struct hone__text path = {0};
  size_t folder = (size_t)(strrchr(source, '/') - source) + 1, count = 0;
  struct dirent *entry;
  struct stat info;
  DIR *dir;

  hone__text_addn(&path, source, folder);
  dir = opendir(path.data);
  while (dir && (entry = readdir(dir))) {
    path.length = folder;
    hone__text_add(&path, entry->d_name);
    if (stat(path.data, &info) != 0 || !S_ISREG(info.st_mode) || strcmp(path.data, source) == 0 ||
        hone__build_is_result(entry->d_name, &info))
      continue;
    if (++count > MOST_SIBLINGS) r->is_open = true;
    if (!r->is_open) add_file(r, path.data);
  }
  if (dir) closedir(dir);
  hone__text_release(&path);
}

/* Adds files that the source includes, and files that words of the build name. */
static void add_deps(struct reading *r, const char *const *words)
{
  const struct hone__include_paths paths = {.source = r->from.source,
                                            .flags = words,
                                            .includes = r->from.includes,
                                            .folder = r->task->folder};
  struct hone__pairs included = {0}, named = {0};

  if (!hone__build_includes(&paths, &included)) r->is_open = true;
  for (size_t i = 0; i < included.count; i++)
    add_source(r, included.data[i].name);
  hone__build_deps_add_named(&named, words, 1, paths.source, paths.folder, hone__dependency_digest);
  for (size_t i = 0; i < named.count; i++)
    add_file(r, named.data[i].name);
  hone__pairs_release(&included);
  hone__pairs_release(&named);
}

/* ---- What the backend does with macros ---- */

static bool mentions(const struct hone__node *node, const char *words)
{
  if (!node) return false;
  if (node->kind == HONE__SCALAR) return strstr(node->text, words) != NULL;
  for (size_t i = 0; node->kind == HONE__SEQUENCE && i < node->count; i++)
    if (mentions(node->items[i], words)) return true;
  return false;
}

static const char *const *words_of(const struct built_from *from)
{
  return from->build ? from->build : from->command ? from->command : from->flags;
}

static void look_at_program(struct reading *r, const struct hone__node *command)
{
  const struct hone__node *run = hone__task_setting(r->task, "run.command");
  const struct hone__language *language =
      r->from.language ? hone__language_find(r->from.language) : NULL;

  if (!r->from.build)
    r->passes_all = !run || mentions(run, "{args}") || mentions(run, "{defines}");
  else if (!command && (!language || !language->is_c))
    r->is_open = true; /* only their compilers find modules */
}

/* A program of the user's writes the kernel, and is given all values. */
static bool is_generated(const struct reading *r, const struct hone__node *command,
                         const char *source)
{
  const char *const *suffix = r->task->backend->suffixes;
  const char *own = hone__backend_source_file_suffix(source);

  if (strcmp(r->task->backend->name, "program") == 0 || !*own || !mentions(command, "{defines}"))
    return false;
  while (suffix && *suffix && strcmp(*suffix, own) != 0)
    suffix++;
  return !suffix || !*suffix;
}

static void look_at_build(struct reading *r)
{
  const struct hone__node *command = hone__task_setting(r->task, "build.command");
  const char *source = r->from.source ? r->from.source : "";

  r->sees_macros = !command || mentions(command, "{defines}");
  if (strcmp(r->task->backend->name, "program") == 0) look_at_program(r, command);
  if (is_generated(r, command, source)) r->passes_all = true;
  if (!r->sees_macros || r->passes_all || r->is_open || *source != '/') return;
  add_source(r, source);
  add_deps(r, words_of(&r->from));
  if (command) add_siblings(r, source);
}

/* ---- Names ---- */

static bool has_word(const char *text, const char *name)
{
  const struct hone__text lent = {.data = (char *)(uintptr_t)text, .length = strlen(text)};

  return hone__build_source_has_word(&lent, name, strlen(name));
}

static bool is_named(const struct hone__node *node, const char *name)
{
  bool named = false;

  if (!node) return false;
  if (node->kind == HONE__SCALAR) return has_word(node->text, name);
  for (size_t i = 0; node->kind == HONE__SEQUENCE && i < node->count && !named; i++)
    named = is_named(node->items[i], name);
  for (size_t i = 0; node->kind == HONE__MAPPING && i < node->count && !named; i++)
    named = is_named(node->pairs[i].value, name);
  return named;
}

static bool is_set(const struct hone__task *task, const char *name)
{
  static const char *const settings[] = {"build",  "run",    "entry",     "args",
                                         "launch", "stages", "check",     "measure",
                                         "env",    "texts",  "reference", "metrics"};

  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (is_named(hone__task_setting(task, settings[i]), name)) return true;
  return false;
}

/* System headers test such names too. */
static bool is_reserved(const char *name)
{
  return name[0] == '_' || strcmp(name, "NDEBUG") == 0;
}

static bool is_macro(const struct reading *r, const char *name)
{
  struct hone__text text = {0};
  const char *macro = hone__definition_name(r->prefix, name, &text);
  bool found = r->sees_macros && (r->is_open || is_reserved(macro) ||
                                  hone__build_source_has_word(&r->texts, macro, strlen(macro)));

  hone__text_release(&text);
  return found;
}

/* Derived values depend on those before them. */
static bool is_used(const struct reading *r, const char *name, bool runtime, size_t first_derived)
{
  const struct hone_spec *spec = r->task->spec;
  bool is_program = strcmp(r->task->backend->name, "program") == 0;
  const struct hone__node *run = hone__task_setting(r->task, "run.command");

  if (r->passes_all || is_set(r->task, name)) return true;
  if (runtime && is_program && (!run || mentions(run, "{args}"))) return true;
  if (!runtime && is_macro(r, name)) return true;
  for (size_t i = first_derived; i < spec->derived_count; i++)
    if (has_word(spec->derived[i].text, name) && is_used(r, spec->derived[i].name, false, i + 1))
      return true;
  return false;
}

/* ---- Parameters ---- */

static bool has_choice(const struct hone_space *space, const char *name)
{
  for (size_t g = 0; g < hone_space_group_count(space); g++)
    for (size_t i = 0; i < space->groups[g].count; i++)
      if (space->groups[g].domains[i].count > 1 &&
          strcmp(space->groups[g].domains[i].name, name) == 0)
        return true;
  return false;
}

static bool stands_before(const struct hone_spec *spec, size_t group, size_t param)
{
  const char *name = spec->groups[group].params[param].name;

  for (size_t g = 0; g <= group; g++)
    for (size_t i = 0; i < spec->groups[g].count && !(g == group && i >= param); i++)
      if (strcmp(spec->groups[g].params[i].name, name) == 0) return true;
  return false;
}

static void visit_params(const struct reading *r, const struct hone_spec *spec,
                         hone__unused_visit *visit, void *data)
{
  for (size_t g = 0; g < spec->group_count; g++)
    for (size_t i = 0; i < spec->groups[g].count; i++) {
      const struct hone__param *param = &spec->groups[g].params[i];
      if (!stands_before(spec, g, i) && has_choice(r->task->space, param->name) &&
          !is_used(r, param->name, param->runtime, 0))
        visit(data, param);
    }
}

void hone__unused_params(const struct hone__task *task, hone__unused_visit *visit, void *data)
{
  static const char *const backends[] = {"c", "cuda", "hip", "opencl", "program"};
  struct reading r = {.task = task, .prefix = hone__task_setting(task, "build.define_prefix")};
  struct hone__arena arena = {0};
  struct hone__packed *candidate = NULL;
  hone_status status;
  bool is_known = false;

  for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
    is_known = is_known || strcmp(task->backend->name, backends[i]) == 0;
  if (!is_known) return;
  status = task->backend->driver.candidate(task, task->baseline, &candidate);
  if (!status) status = hone__unpack(candidate, &built_from_type, &arena, &r.from);
  /* A served program gets all of them; a failure is reported where it matters. */
  if (!status && !(r.from.mode && strcmp(r.from.mode, "serve") == 0)) {
    look_at_build(&r);
    visit_params(&r, task->spec, visit, data);
  }
  hone_status_free(status);
  hone__packed_drop(candidate);
  hone__arena_release(&arena);
  hone__text_release(&r.texts);
}
