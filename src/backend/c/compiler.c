/* One command builds one candidate. */
#include "backend/c/compiler.h"

#include "backend/kernel/compiler_words.h"

static void add_word(struct hone__words *words, const char *word)
{
  hone__words_add(words, word);
}

void hone__compiler_words(const struct hone__kernel_candidate *candidate, const char *source,
                          const char *output, const char *deps, const char *level,
                          struct hone__words *out_words)
{
  hone__kernel_add_compiler(out_words, candidate);
  if (level) add_word(out_words, level);
  hone__kernel_add_flags(out_words, candidate, false);
  hone__kernel_add_includes(out_words, candidate);
  hone__kernel_add_defines(out_words, candidate);
  add_word(out_words, "-shared");
  add_word(out_words, "-fPIC");
  add_word(out_words, "-Wl,--build-id=none"); /* equal code gives equal bytes */
  add_word(out_words,
           "-Wl,-Bsymbolic"); /* use the kernel's `index` or `gamma`, not that of the C library */
  if (deps) {
    add_word(out_words, "-fdiagnostics-color=never");
    add_word(out_words, "-MD");
    add_word(out_words, "-MF");
    add_word(out_words, deps);
  }
  add_word(out_words, "-o");
  add_word(out_words, output);
  add_word(out_words, source);
  hone__kernel_add_flags(out_words, candidate, true);
  if (candidate->math.type != HONE_BOOL || candidate->math.integer) add_word(out_words, "-lm");
}
