/* The facts are in memory that is shared with a fork of this process, so nothing has to be sent. */
#include "build/clang_facts.h"

#include "base/machine.h"
#include "proc/child.h"

#include <sys/mman.h>

enum { MOST_SECONDS = 20 };
static const size_t least_memory_bytes = (size_t)2 << 30;

struct question {
  const char *source;
  struct hone__words words;
  struct hone__clang_facts *facts;
};

static void answer(void *data)
{
  const struct question *question = data;

  hone__clang_read(question->source, (const char *const *)question->words.data,
                   question->words.count, question->facts);
}

/* ---- The words of a compiler ---- */

/* A toolkit's words, so that its headers are not needed. */
static void add_language(struct hone__words *words, enum hone__build_clang_language language)
{
  static const char *const c[] = {"-xc", NULL}, *const cplusplus[] = {"-xc++", NULL};
  static const char *const cuda[] = {"-xcuda",
                                     "--cuda-host-only",
                                     "-nocudainc",
                                     "-nocudalib",
                                     "-D__global__=__attribute__((global))",
                                     "-D__device__=__attribute__((device))",
                                     "-D__host__=__attribute__((host))",
                                     "-D__shared__=__attribute__((shared))",
                                     "-D__constant__=__attribute__((constant))",
                                     "-D__forceinline__=inline",
                                     "-D__grid_constant__=",
                                     "-D__launch_bounds__(...)=",
                                     NULL};
  static const char *const opencl[] = {"-xcl", "-cl-std=CL2.0", NULL};
  static const char *const *const languages[] = {[HONE__BUILD_CLANG_C] = c,
                                                 [HONE__BUILD_CLANG_CPLUSPLUS] = cplusplus,
                                                 [HONE__BUILD_CLANG_CUDA] = cuda,
                                                 [HONE__BUILD_CLANG_OPENCL] = opencl};

  hone__words_add_all(words, languages[language]);
  hone__words_add(words, "-ferror-limit=0");
}

static bool starts_with_one_of(const char *word, const char *const *prefixes)
{
  for (; *prefixes; prefixes++)
    if (hone__starts_with(word, *prefixes)) return true;
  return false;
}

/* Those that say what the source means; `-I folder` may be two words. */
static void add_flags(struct hone__words *words, const struct hone__words *flags)
{
  static const char *const prefixes[] = {
      "-I",       "-D", "-U", "-std=", "-isystem", "-iquote", "-include", "-funsigned-char",
      "-fopenmp", NULL};
  static const char *const alone[] = {"-I", "-D", "-U", "-isystem", "-iquote", "-include", NULL};

  for (size_t i = 0; flags && i < flags->count; i++) {
    bool has_next = false;
    if (!starts_with_one_of(flags->data[i], prefixes)) continue;
    for (size_t k = 0; alone[k]; k++)
      has_next |= strcmp(flags->data[i], alone[k]) == 0;
    hone__words_add(words, flags->data[i]);
    if (has_next && i + 1 < flags->count) hone__words_add(words, flags->data[++i]);
  }
}

/* libclang looks for its own headers (stddef.h) beside itself, and does not always find them. */
static void add_headers(struct hone__words *words)
{
  const char *const argv[] = {"cc", "-print-file-name=include", NULL};
  struct hone__child_result result = {0};
  size_t length;

  hone__child_run(&(struct hone__child_options){.argv = argv, .timeout_s = MOST_SECONDS}, &result);
  length = result.output.data ? strcspn(result.output.data, "\n") : 0;
  if (result.end == HONE__CHILD_EXITED && result.code == 0 && length > 1) {
    result.output.data[length] = '\0';
    hone__words_add(words, "-idirafter");
    hone__words_add(words, result.output.data);
  }
  hone__child_result_release(&result);
}

/* ---- The answer ---- */

struct hone__clang_facts *
hone__build_clang_ask(const char *source, enum hone__build_clang_language language,
                      const char *directory, const struct hone__words *flags, bool *out_available)
{
  struct question question = {.source = source};
  struct hone__child_result result = {0};
  struct hone__clang_facts *facts =
      mmap(NULL, sizeof *facts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

  *out_available = false;
  if (facts == MAP_FAILED) return NULL;
  question.facts = facts;
  add_language(&question.words, language);
  add_flags(&question.words, flags);
  add_headers(&question.words);
  hone__child_run(
      &(struct hone__child_options){.function = answer,
                                    .data = &question,
                                    .directory = directory,
                                    .timeout_s = MOST_SECONDS,
                                    .memory_bytes = hone__memory_half(least_memory_bytes)},
      &result);
  /* One that crashes while it is opened is there, too. */
  *out_available = facts->is_available || result.end == HONE__CHILD_SIGNALLED;
  if (result.end != HONE__CHILD_EXITED || result.code != 0 || !facts->is_complete) {
    hone__build_clang_free(facts);
    facts = NULL;
  }
  hone__child_result_release(&result);
  hone__words_release(&question.words);
  return facts;
}

void hone__build_clang_free(struct hone__clang_facts *facts)
{
  if (facts) munmap(facts, sizeof *facts);
}
