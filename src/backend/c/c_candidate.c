/* The fields that C and C++ add to a candidate: their compiler. */
#include "backend/c/c_backend.h"

#include "backend/c/compiler.h"
#include "backend/kernel/compiler_words.h"
#include "backend/source_file.h"

static void add_compiler(const struct hone__kernel_origin *origin,
                         struct hone__kernel_candidate *candidate)
{
  const struct hone__node *compiler = hone__kernel_setting(origin, "compiler");
  bool cplusplus = hone__backend_source_file_is_cplusplus(origin->path);

  candidate->language = cplusplus ? "c++" : "c";
  candidate->compiler = compiler ? compiler->text : cplusplus ? "c++" : "cc";
}

static bool has_level(const char *const *words, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (hone__starts_with(words[i], "-O")) return true;
  return false;
}

static void prepend_flag(struct hone__arena *arena, struct hone__kernel_candidate *candidate,
                         const char *flag)
{
  size_t count = candidate->flags_count;
  const char **flags = hone__arena_alloc(arena, (count + 2) * sizeof *flags);

  flags[0] = flag;
  if (count) memcpy(flags + 1, candidate->flags, count * sizeof *flags);
  flags[count + 1] = NULL;
  candidate->flags = flags;
  candidate->flags_count = count + 1;
}

/* As for programs: unoptimised code is not worth tuning. */
static void add_level(struct hone__arena *arena, struct hone__kernel_candidate *candidate)
{
  struct hone__words compiler = {0};

  hone__kernel_add_compiler(&compiler, candidate);
  if (!has_level(candidate->flags, candidate->flags_count) &&
      !has_level((const char *const *)compiler.data, compiler.count))
    prepend_flag(arena, candidate, "-O3");
  hone__words_release(&compiler);
}

/* ---- The candidate ---- */

/* Linking with libm costs 2 ms per candidate. Without these headers its symbols are found in the
 * worker, which has libm itself. */
static bool needs_math(const struct hone__build_source_text *source)
{
  static const char *const headers[] = {"math", "complex", "fenv"};

  if (source->is_open || !source->text.data) return true;
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
    if (strstr(source->text.data, headers[i])) return true;
  return false;
}

static hone_status complete(const struct hone__kernel_origin *origin, const uint32_t *row,
                            const struct hone__build_source_text *source, struct hone__arena *arena,
                            struct hone__kernel_candidate *candidate)
{
  (void)row;
  add_compiler(origin, candidate);
  if (!candidate->command && !needs_math(source))
    candidate->math = (struct hone_value){HONE_BOOL, {.integer = false}};
  if (!candidate->command) add_level(arena, candidate);
  return NULL;
}

static void identify(const struct hone__kernel_candidate *candidate,
                     const struct hone__build_source_text *source, const char *folder,
                     struct hone__digester *digester)
{
  hone__compiler_identify(candidate, source, folder, false, digester);
}

const struct hone__kernel_kind hone__kernel_kind_c = {.backend = "c",
                                                      .complete = complete,
                                                      .identify = identify,
                                                      .functions = HONE__FUNCTIONS_C,
                                                      .debug_compile = hone__c_debug_compile,
                                                      .debug_find = hone__c_debug_find};

hone_status hone__c_candidate(const struct hone__task *task, const uint32_t *row,
                              struct hone__packed **out_candidate)
{
  return hone__kernel_candidate(task, row, &hone__kernel_kind_c, out_candidate);
}

hone_status hone__c_describe(const struct hone__task *task, struct hone__message *out_setup)
{
  return hone__kernel_describe(task, &hone__kernel_kind_c, out_setup);
}
