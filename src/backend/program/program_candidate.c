/* What one configuration is built from and run with. Parameters without `$` are definitions of the
 * build, so are sizes and derived values; where nothing is built, the program gets them all as
 * arguments. */
#include "backend/program/program_backend.h"

#include "backend/program/program_plan.h"
#include "build/toolchain.h"

#include <stdlib.h>

enum { LONGEST_NAME = 224, HASH_DIGITS = 8 };

/* ---- Values ---- */

static hone_status bad_name(const struct hone__program_plan *plan, const char *name)
{
  return hone__spec_error(plan->task->spec, hone__task_setting(plan->task, "params"),
                          "parameter '%s' cannot be defined for the source: its name is not an "
                          "identifier in %s; write '$%s' to pass it to the program at run time",
                          name, plan->language->name, name);
}

/* A name of a definition; where nothing is built it is an argument's, which has no prefix. */
static const char *macro_name(const struct hone__program_plan *plan, const char *name,
                              struct hone__text *text)
{
  const struct hone__node *prefix = hone__task_setting(plan->task, "build.define_prefix");

  return hone__definition_name(plan->is_built ? prefix : NULL, name, text);
}

static void define(struct hone__program_case *one, const char *name, struct hone_value value)
{
  struct hone__text text = {0};

  hone__definition_add(one->definitions, macro_name(one->plan, name, &text), value,
                       one->plan->language->spelling);
  hone__text_release(&text);
}

static hone_status add_params(struct hone__program_case *one)
{
  const struct hone__program_plan *plan = one->plan;
  const struct hone_space *space = plan->task->space;
  size_t group = one->row[0];

  for (size_t i = 0; i < hone_space_param_count(space, group); i++) {
    const char *name = hone_space_param_name(space, group, i);
    struct hone_value value = hone_space_value(space, group, i, one->row[1 + i]);
    bool runtime = hone_space_param_is_runtime(space, group, i);
    if (hone__param_stands_again(space, group, i)) continue;
    if (runtime)
      hone__definition_add(one->arguments, name, value, HONE__TRUE_IS_TRUE);
    else if (plan->is_built && !plan->build && plan->language->has_identifiers &&
             !hone__definition_is_macro(name))
      return bad_name(plan, name);
    else
      define(one, name, value);
  }
  return NULL;
}

/* What is not a knob must leave the source as it is. */
static bool may_define(const struct hone__program_plan *plan, const char *name)
{
  struct hone__text text = {0};
  bool may = !plan->text.text.data ||
             !hone__source_declares(&plan->text.text, macro_name(plan, name, &text));

  hone__text_release(&text);
  return may;
}

static void add_derived(struct hone__program_case *one)
{
  const struct hone_space *space = one->plan->task->space;

  for (size_t i = 0; i < hone_space_derived_count(space); i++) {
    const char *name = hone_space_derived_name(space, i);
    struct hone_value value;
    if (may_define(one->plan, name) && hone_space_derived(space, one->row, i, &value))
      define(one, name, value);
  }
}

static void add_sizes(struct hone__program_case *one)
{
  const struct hone__problem *sizes = &one->plan->task->space->setup.sizes;

  for (size_t i = 0; i < sizes->count; i++)
    if (may_define(one->plan, sizes->names[i])) define(one, sizes->names[i], sizes->values[i]);
}

/* kbench gives an interpreted program what would be defined first, then the rest. */
static void define_by_arguments(struct hone__program_case *one)
{
  json_t *runtime = one->arguments;

  one->compile_time = one->definitions;
  one->arguments = json_copy(one->definitions);
  one->definitions = json_array();
  json_array_extend(one->arguments, runtime);
  json_decref(runtime);
}

static hone_status add_values(struct hone__program_case *one)
{
  hone_status status;

  one->definitions = json_array();
  one->arguments = json_array();
  status = add_params(one);
  if (status) return status;
  add_derived(one);
  add_sizes(one);
  hone__definition_add_given(hone__task_setting(one->plan->task, "build.defines"), one->definitions,
                             one->plan->language->spelling);
  if (!one->plan->is_built) define_by_arguments(one);
  return NULL;
}

/* ---- Names ---- */

/* kbench's, but that a long one ends with the same digits every time, and that nothing in it leads
 * to another folder. */
static char *binary_name(const struct hone__program_plan *plan, const uint32_t *row)
{
  const struct hone_space *space = plan->task->space;
  struct hone__text text = {0};
  char digest[HONE__DIGEST_SIZE];

  hone__text_add(&text, plan->task->spec->stem);
  for (size_t i = 0; i < hone_space_param_count(space, row[0]); i++) {
    if (hone_space_param_is_runtime(space, row[0], i)) continue;
    hone__text_add(&text, "_");
    for (const char *p = hone_space_param_name(space, row[0], i); *p; p++)
      if (*p != '$') hone__text_addn(&text, p, 1);
    hone__text_add(&text, "-");
    hone__value_print(hone_space_value(space, row[0], i, row[1 + i]), &text);
  }
  if (text.length >= LONGEST_NAME) {
    hone__digest(text.data, text.length, digest);
    text.length = LONGEST_NAME - HASH_DIGITS;
    while (text.length && (text.data[text.length] & 0xc0) == 0x80)
      text.length--; /* not within a character */
    hone__text_addf(&text, "%08llu", strtoull(digest + 16, NULL, 16) % 100000000);
  }
  for (char *p = text.data; *p; p++)
    if (*p == '/') *p = '_';
  return hone__text_take(&text);
}

/* "kbench-output/out_3"; NULL if nobody wants to see it. */
static char *work_folder(const struct hone__task *task, const uint32_t *row)
{
  struct hone__text text = {0};
  uint64_t index = 0;

  if (!task->output_dir) return NULL;
  hone_space_index_of(task->space, row, &index);
  hone__text_addf(&text, "%s/out_%llu", task->output_dir, (unsigned long long)index);
  return hone__text_take(&text);
}

/* ---- Keys ---- */

static void digest_json(struct hone__digester *digester, const json_t *json)
{
  char *text = json ? json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;

  hone__digest_add_text(digester, text);
  free(text);
}

/* The imports are in it too: where nothing is built, no build tells of them. */
static void add_build_key(const struct hone__program_case *one, json_t *candidate)
{
  struct hone__digester *digester = hone__digest_begin();
  const json_t *build = json_object_get(candidate, "build");
  char key[HONE__DIGEST_SIZE];

  hone__digest_add_text(digester, "program 2");
  digest_json(digester, json_object_get(candidate, "source"));
  digest_json(digester, json_object_get(candidate, "source_digest"));
  digest_json(digester, json_object_get(candidate, "mode"));
  digest_json(digester, json_object_get(candidate, "wrapper"));
  digest_json(digester, build);
  digest_json(digester, one->compile_time);
  digest_json(digester, one->plan->imports);
  hone__program_identify_words(one->plan, build, digester);
  if (one->plan->build) hone__toolchain_identify_variables(build, digester);
  hone__digest_end(digester, key);
  json_object_set_new(candidate, "build_key", json_string(key));
}

static void add_key(const struct hone__program_case *one, json_t *candidate)
{
  struct hone__digester *digester = hone__digest_begin();
  const json_t *run = json_object_get(candidate, "run");
  char key[HONE__DIGEST_SIZE];

  digest_json(digester, json_object_get(candidate, "build_key"));
  digest_json(digester, json_object_get(candidate, "values"));
  hone__program_identify_words(one->plan, run, digester);
  hone__digest_end(digester, key);
  json_object_set_new(candidate, "key", json_string(key));
}

/* ---- The candidate ---- */

/* What a library of Mojo is built from: main, under the name that everybody calls. Executables
 * start the runtime by themselves, libraries do not. */
static void add_wrapper(const struct hone__program_plan *plan, json_t *candidate)
{
  const char *base = strrchr(plan->source, '/') + 1;
  struct hone__text text = {0};

  hone__text_addf(&text,
                  "from std.builtin._startup import _ensure_runtime_init\n"
                  "from %.*s import main as _bench_main\n"
                  "\n"
                  "\n"
                  "@export\n"
                  "def benchmark_entry() abi(\"C\") -> Int32:\n"
                  "    _ensure_runtime_init()\n"
                  "    try:\n"
                  "        _bench_main()\n"
                  "    except e:\n"
                  "        print(\"Unhandled exception caught during execution:\", e)\n"
                  "        return 1\n"
                  "    return 0\n",
                  (int)(strlen(base) - strlen(".mojo")), base);
  json_object_set_new(candidate, "wrapper", json_string(text.data));
  hone__text_release(&text);
}

/* A parameter that only the run's words name leaves the build alone. */
static json_t *knobs_of(const struct hone__program_case *one)
{
  const struct hone__program_plan *plan = one->plan;
  const struct hone_space *space = plan->task->space;
  json_t *knobs = json_array();

  for (size_t i = 0; plan->is_built && i < hone_space_param_count(space, one->row[0]); i++) {
    const char *name = hone_space_param_name(space, one->row[0], i);
    if (hone_space_param_is_runtime(space, one->row[0], i)) continue;
    if (plan->build && hone__command_mentions(plan->run, name) &&
        !hone__command_mentions(plan->build, name) &&
        !hone__command_mentions(plan->build, "defines"))
      continue;
    json_array_append_new(knobs, json_string(name));
  }
  return knobs;
}

static hone_status add_words(const struct hone__program_case *one, json_t *candidate)
{
  const struct hone__program_plan *plan = one->plan;
  json_t *words = NULL;
  hone_status status = NULL;

  if (plan->is_built) {
    status = hone__program_build_words(one, &words);
    json_object_set_new(candidate, "build", words);
  }
  if (!status && !plan->is_library) {
    status = hone__program_run_words(one, &words);
    json_object_set_new(candidate, "run", words);
  }
  if (plan->build) json_object_set_new(candidate, "template", json_true());
  if (plan->is_library && !plan->build && strcmp(plan->language->name, "mojo") == 0)
    add_wrapper(plan, candidate);
  return status;
}

static hone_status add_source(const struct hone__program_plan *plan, json_t *candidate)
{
  if (json_object_set_new(candidate, "source", json_string(plan->source)) != 0)
    return hone__error(HONE_INVALID_ARGUMENT, "the name of the file '%s' is not valid UTF-8",
                       plan->source);
  json_object_set_new(candidate, "source_digest", json_string(plan->source_digest));
  return NULL;
}

static hone_status add_folder(const char *folder, json_t *candidate)
{
  if (!folder || json_object_set_new(candidate, "folder", json_string(folder)) == 0) return NULL;
  return hone__error(HONE_INVALID_ARGUMENT, "the name of the folder '%s' is not valid UTF-8",
                     folder);
}

static hone_status fill(struct hone__program_case *one, json_t *candidate)
{
  const struct hone__program_plan *plan = one->plan;
  hone_status status = add_source(plan, candidate);

  if (!status) status = add_values(one);
  json_object_set_new(candidate, "language", json_string(plan->language->name));
  json_object_set_new(candidate, "mode", json_string(plan->is_library ? "library" : "process"));
  json_object_set_new(candidate, "name", json_string(one->name));
  if (!status) status = add_folder(one->folder, candidate);
  if (!status) status = add_words(one, candidate);
  if (status) return status;
  json_object_set(candidate, "definitions", one->definitions);
  json_object_set(candidate, "arguments", one->arguments);
  json_object_set_new(candidate, "knobs", knobs_of(one));
  json_object_set_new(candidate, "values",
                      json_pack("[O O*]", one->arguments, json_object_get(candidate, "run")));
  add_build_key(one, candidate);
  add_key(one, candidate);
  return NULL;
}

static void release(struct hone__program_case *one)
{
  json_decref(one->definitions);
  json_decref(one->arguments);
  json_decref(one->compile_time);
}

hone_status hone__program_candidate(const struct hone__task *task, const uint32_t *row,
                                    json_t **out_candidate)
{
  struct hone__program_case one = {.row = row};
  char *name = NULL, *folder = NULL;
  json_t *candidate;
  hone_status status = hone__program_plan(task, &one.plan);

  *out_candidate = NULL;
  if (status) return status;
  candidate = json_object();
  one.name = name = binary_name(one.plan, row);
  one.folder = folder = work_folder(task, row);
  status = fill(&one, candidate);
  if (status)
    json_decref(candidate);
  else
    *out_candidate = candidate;
  release(&one);
  free(name);
  free(folder);
  return status;
}
