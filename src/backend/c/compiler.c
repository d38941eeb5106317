/* One command builds one candidate, or two of them do. */
#include "backend/c/compiler.h"

#include "backend/kernel/compiler_words.h"

static void add_word(struct hone__words *words, const char *word)
{
  hone__words_add(words, word);
}

static void add_compiling(const struct hone__kernel_candidate *candidate, const char *level,
                          struct hone__words *words)
{
  hone__kernel_add_compiler(words, candidate);
  if (level) add_word(words, level);
  hone__kernel_add_flags(words, candidate, false);
  hone__kernel_add_includes(words, candidate);
  hone__kernel_add_defines(words, candidate);
}

static void add_linking(struct hone__words *words)
{
  add_word(words, "-shared");
  add_word(words, "-fPIC");
  add_word(words, "-Wl,--build-id=none"); /* equal code gives equal bytes */
  add_word(words,
           "-Wl,-Bsymbolic"); /* use the kernel's `index` or `gamma`, not that of the C library */
}

static void add_deps(const char *deps, struct hone__words *words)
{
  add_word(words, "-fdiagnostics-color=never");
  add_word(words, "-MD");
  add_word(words, "-MF");
  add_word(words, deps);
}

static void add_files(const char *output, const char *input, struct hone__words *words)
{
  add_word(words, "-o");
  add_word(words, output);
  add_word(words, input);
}

static void add_libraries(const struct hone__kernel_candidate *candidate, struct hone__words *words)
{
  hone__kernel_add_flags(words, candidate, true);
  if (candidate->math.type != HONE_BOOL || candidate->math.integer) add_word(words, "-lm");
}

void hone__compiler_words(const struct hone__kernel_candidate *candidate, const char *source,
                          const char *output, const char *deps, const char *level,
                          struct hone__words *out_words)
{
  add_compiling(candidate, level, out_words);
  add_linking(out_words);
  if (deps) add_deps(deps, out_words);
  add_files(output, source, out_words);
  add_libraries(candidate, out_words);
}

void hone__compiler_compile_words(const struct hone__kernel_candidate *candidate,
                                  const char *source, const char *object, const char *deps,
                                  const char *level, struct hone__words *out_words)
{
  add_compiling(candidate, level, out_words);
  add_word(out_words, "-fPIC");
  add_deps(deps, out_words);
  add_word(out_words, "-c");
  add_files(object, source, out_words);
}

void hone__compiler_link_words(const struct hone__kernel_candidate *candidate, const char *object,
                               const char *output, bool is_alone, struct hone__words *out_words)
{
  hone__kernel_add_compiler(out_words, candidate);
  hone__kernel_add_flags(out_words, candidate, false); /* -ffast-math has a part to link */
  add_linking(out_words);
  add_files(output, object, out_words);
  if (is_alone)
    add_word(out_words, "-nodefaultlibs");
  else
    add_libraries(candidate, out_words);
}
