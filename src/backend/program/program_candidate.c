/* What one configuration is built from and run with. Parameters without `$` are definitions of the
 * build, so are sizes and derived values; where nothing is built, the program gets them all as
 * arguments. */
#include "backend/program/program_backend.h"

#include "backend/program/program_plan.h"
#include "base/utf8.h"
#include "build/toolchain.h"

#include <stdlib.h>

enum { LONGEST_NAME = 224, HASH_DIGITS = 8 };

/* ---- Values ---- */

static hone_status bad_name(const struct hone__program_plan *plan, const char *name)
{
  return hone__backend_spec_error(
      plan->task->spec, hone__task_setting(plan->task, "params"),
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

  hone__definition_add(&one->definitions, macro_name(one->plan, name, &text), value,
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
    if (hone__definition_stands_again(space, group, i)) continue;
    if (runtime)
      hone__definition_add(&one->arguments, name, value, HONE__TRUE_IS_TRUE);
    else if (plan->is_built && !plan->build.data && plan->language->has_identifiers &&
             !hone__is_identifier(name))
      return bad_name(plan, name);
    else
      define(one, name, value);
  }
  return NULL;
}

/* A definition that is not a knob must not change the source. */
static bool may_define(const struct hone__program_plan *plan, const char *name)
{
  struct hone__text text = {0};
  bool may = !plan->text.text.data ||
             !hone__build_source_declares(&plan->text.text, macro_name(plan, name, &text));

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
  struct hone__pairs runtime = one->arguments;

  one->compile_time = one->definitions;
  one->definitions = one->arguments = (struct hone__pairs){0};
  hone__pairs_add_all(&one->arguments, one->compile_time.data, one->compile_time.count);
  hone__pairs_add_all(&one->arguments, runtime.data, runtime.count);
  hone__pairs_release(&runtime);
}

static hone_status add_values(struct hone__program_case *one)
{
  hone_status status = add_params(one);

  if (status) return status;
  add_derived(one);
  add_sizes(one);
  hone__definition_add_given(&one->definitions,
                             hone__task_setting(one->plan->task, "build.defines"),
                             one->plan->language->spelling);
  if (!one->plan->is_built) define_by_arguments(one);
  return NULL;
}

/* ---- Names ---- */

/* kbench's name, except that a long one always ends with the same digits, and that it cannot lead
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

/* "kbench-output/out_3"; NULL if the user did not ask for it. */
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

static void digest_words(struct hone__digester *digester, const char *const *words)
{
  for (; words && *words; words++)
    hone__digest_add_text(digester, *words);
  hone__digest_add_text(digester, NULL);
}

static void digest_pairs(struct hone__digester *digester, const struct hone__pairs *pairs)
{
  for (size_t i = 0; i < pairs->count; i++) {
    hone__digest_add_text(digester, pairs->data[i].name);
    hone__digest_add_text(digester, pairs->data[i].value);
  }
  hone__digest_add_text(digester, NULL);
}

static const char *mode_name(const struct hone__program_plan *plan)
{
  if (plan->is_served) return "serve";
  return plan->is_library ? "library" : "process";
}

/* The imports are included too: if nothing is built, no build reports them. */
static void make_build_key(const struct hone__program_case *one,
                           const struct hone__program_candidate *candidate,
                           char key[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();
  const char *const *build = hone__words_list(&one->build);

  hone__digest_add_text(digester, "program 3");
  hone__digest_add_text(digester, candidate->source);
  hone__digest_add_text(digester, candidate->source_digest);
  hone__digest_add_text(digester, mode_name(one->plan));
  hone__digest_add_text(digester, candidate->wrapper);
  digest_words(digester, build);
  digest_pairs(digester, &one->compile_time);
  digest_pairs(digester, &one->plan->imports);
  hone__program_identify_words(one->plan, build, digester);
  if (one->plan->build.data) hone__toolchain_identify_variables(build, digester);
  hone__digest_end(digester, key);
}

static void make_key(const struct hone__program_case *one, const char *build_key,
                     char key[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();
  const char *const *run = hone__words_list(&one->run);

  hone__digest_add_text(digester, build_key);
  digest_pairs(digester, &one->arguments);
  digest_words(digester, run);
  hone__program_identify_words(one->plan, run, digester);
  hone__digest_end(digester, key);
}

/* ---- The candidate ---- */

/* The source of a Mojo library: main, under the common name. Executables start the runtime by
 * themselves, libraries do not. */
static void write_wrapper(const struct hone__program_plan *plan, struct hone__text *text)
{
  const char *base = strrchr(plan->source, '/') + 1;

  hone__text_addf(text,
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
}

/* A parameter that only the run's words name leaves the build alone. */
static bool is_of_run(const struct hone__program_plan *plan, const char *name)
{
  const char *const *build = hone__words_list(&plan->build);

  return build && hone__command_mentions(hone__words_list(&plan->run), name) &&
         !hone__command_mentions(build, name) && !hone__command_mentions(build, "defines");
}

static void list_knobs(struct hone__program_case *one)
{
  const struct hone__program_plan *plan = one->plan;
  const struct hone_space *space = plan->task->space;

  for (size_t i = 0; plan->is_built && i < hone_space_param_count(space, one->row[0]); i++) {
    const char *name = hone_space_param_name(space, one->row[0], i);
    if (!hone_space_param_is_runtime(space, one->row[0], i) && !is_of_run(plan, name))
      hone__words_add(&one->knobs, name);
  }
}

static hone_status check_names(const struct hone__program_case *one)
{
  if (!hone__utf8_is_text(one->plan->source))
    return hone__error(HONE_INVALID_ARGUMENT, "the name of the file '%s' is not valid UTF-8",
                       one->plan->source);
  if (one->folder && !hone__utf8_is_text(one->folder))
    return hone__error(HONE_INVALID_ARGUMENT, "the name of the folder '%s' is not valid UTF-8",
                       one->folder);
  return NULL;
}

static hone_status fill_case(struct hone__program_case *one)
{
  const struct hone__program_plan *plan = one->plan;
  hone_status status = check_names(one);

  if (!status) status = add_values(one);
  if (!status && plan->is_built) status = hone__program_build_words(one, &one->build);
  if (!status && !plan->is_library) status = hone__program_run_words(one, &one->run);
  if (!status) list_knobs(one);
  return status;
}

static enum hone__program_mode mode_of(const struct hone__program_plan *plan)
{
  if (plan->is_served) return HONE__PROGRAM_SERVE;
  return plan->is_library ? HONE__PROGRAM_LIBRARY : HONE__PROGRAM_PROCESS;
}

static struct hone__packed *pack(const struct hone__program_case *one)
{
  const struct hone__program_plan *plan = one->plan;
  struct hone__program_values values = {.arguments = one->arguments.data,
                                        .arguments_count = one->arguments.count,
                                        .run = (const char **)one->run.data,
                                        .run_count = one->run.count};
  char build_key[HONE__DIGEST_SIZE], key[HONE__DIGEST_SIZE];
  struct hone__text wrapper = {0};
  struct hone__program_candidate candidate = {.source = plan->source,
                                              .source_digest = plan->source_digest,
                                              .language = plan->language->name,
                                              .mode = (int)mode_of(plan),
                                              .name = one->name,
                                              .folder = one->folder,
                                              .build = (const char **)one->build.data,
                                              .build_count = one->build.count,
                                              .run = values.run,
                                              .run_count = values.run_count,
                                              .template = plan->build.data != NULL,
                                              .definitions = one->definitions.data,
                                              .definitions_count = one->definitions.count,
                                              .arguments = values.arguments,
                                              .arguments_count = values.arguments_count,
                                              .knobs = (const char **)one->knobs.data,
                                              .knobs_count = one->knobs.count,
                                              .values = &values,
                                              .build_key = build_key,
                                              .key = key};
  struct hone__arena typed = {0};
  struct hone__packed *packed;

  if (plan->is_served) hone__serve_values(one, &typed, &candidate);
  if (plan->is_library && !plan->build.data && strcmp(plan->language->name, "mojo") == 0)
    write_wrapper(plan, &wrapper);
  candidate.wrapper = wrapper.data;
  make_build_key(one, &candidate, build_key);
  make_key(one, build_key, key);
  packed = hone__pack(&hone__program_candidate_type, &candidate);
  hone__text_release(&wrapper);
  hone__arena_release(&typed);
  return packed;
}

static void release(struct hone__program_case *one)
{
  hone__pairs_release(&one->definitions);
  hone__pairs_release(&one->arguments);
  hone__pairs_release(&one->compile_time);
  hone__words_release(&one->build);
  hone__words_release(&one->run);
  hone__words_release(&one->knobs);
  free(one->name);
  free(one->folder);
}

hone_status hone__program_candidate(const struct hone__task *task, const uint32_t *row,
                                    struct hone__packed **out_candidate)
{
  struct hone__program_case one = {.row = row};
  hone_status status = hone__program_plan(task, &one.plan);

  *out_candidate = NULL;
  if (status) return status;
  one.name = binary_name(one.plan, row);
  one.folder = work_folder(task, row);
  status = fill_case(&one);
  if (!status) *out_candidate = pack(&one);
  release(&one);
  return status;
}
