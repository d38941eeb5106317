#include "backend/kernel/signature_clang.h"

#include "backend/kernel/compiler_words.h"

/* Of a backend: CUDA and HIP have several suffixes, OpenCL one. */
static enum hone__build_clang_language language_of(const struct hone__kernel_candidate *candidate)
{
  const char *dot = strrchr(candidate->source, '.');

  if (candidate->language)
    return strcmp(candidate->language, "c") == 0 ? HONE__BUILD_CLANG_C
                                                 : HONE__BUILD_CLANG_CPLUSPLUS;
  return dot && strcmp(dot, ".cl") == 0 ? HONE__BUILD_CLANG_OPENCL : HONE__BUILD_CLANG_CUDA;
}

static void ask(struct hone__signature_clang *clang, const struct hone__kernel_candidate *candidate,
                const char *directory)
{
  struct hone__words flags = {0};
  bool is_available;

  clang->was_asked = true;
  hone__kernel_add_flags(&flags, candidate, false);
  hone__kernel_add_includes(&flags, candidate);
  hone__kernel_add_defines(&flags, candidate);
  clang->facts = hone__build_clang_ask(candidate->source, language_of(candidate), directory, &flags,
                                       &is_available);
  hone__words_release(&flags);
}

bool hone__signature_clang_find(struct hone__signature_clang *clang,
                                const struct hone__kernel_candidate *candidate,
                                const char *directory, const char *name,
                                struct hone__prototype *out_prototype)
{
  const struct hone__clang_function *found = NULL;

  if (!clang->was_asked) ask(clang, candidate, directory);
  if (!clang->facts || !clang->facts->is_flawless) return false;
  for (size_t i = 0; i < clang->facts->function_count; i++) {
    if (strcmp(clang->facts->functions[i].name, name) != 0) continue;
    if (found) return false;
    found = &clang->facts->functions[i];
  }
  if (!found || found->is_doubtful) return false;
  *out_prototype = found->prototype;
  return true;
}

void hone__signature_clang_release(struct hone__signature_clang *clang)
{
  hone__build_clang_free(clang->facts);
}
