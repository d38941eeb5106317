/* Flags are clang's. Those of nvcc that a source in CUDA may need are replaced or dropped. */
#include "backend/hip/hip_flags.h"

#include "backend/hip/hip_backend.h"
#include "base/text.h"

#include <stdlib.h>

static const char *const arch_flags[] = {"--offload-arch", "--amdgpu-target"};

static const struct {
  const char *flag; /* of nvcc */
  const char *own;  /* NULL: dropped */
  bool has_value, is_prefix;
} foreign[] = {
    {"--use_fast_math", "-ffast-math", false, false},
    {"-use_fast_math", "-ffast-math", false, false},
    {"-lineinfo", "-gline-tables-only", false, false},
    {"--expt-relaxed-constexpr", NULL, false, false},
    {"-Xptxas", NULL, true, false},
    {"-Xptxas=", NULL, false, true},
    {"--ptxas-options", NULL, true, false},
    {"--ptxas-options=", NULL, false, true},
    {"-maxrregcount", NULL, true, false},
    {"-maxrregcount=", NULL, false, true},
    {"--maxrregcount", NULL, true, false},
    {"--maxrregcount=", NULL, false, true},
    {"-arch", NULL, true, false},
    {"-arch=", NULL, false, true},
    {"-gencode", NULL, true, false},
    {"-gencode=", NULL, false, true},
};
enum { FOREIGN_COUNT = sizeof foreign / sizeof *foreign };

/* ---- The architecture ---- */

/* The value of "--offload-arch=gfx90a"; NULL: another flag. */
static const char *arch_of(const char *flag)
{
  for (size_t i = 0; i < sizeof arch_flags / sizeof *arch_flags; i++) {
    size_t length = strlen(arch_flags[i]);
    if (strncmp(flag, arch_flags[i], length) == 0 && flag[length] == '=') return flag + length + 1;
  }
  return NULL;
}

const char *hone__hip_flags_arch(const char *const *flags)
{
  const char *arch = NULL;

  for (; flags && *flags && !arch; flags++)
    arch = arch_of(*flags);
  return arch && *arch ? arch : NULL;
}

/* ---- Lists ---- */

static void add_pair(struct hone__words *words, const char *option, const char *name,
                     const char *between, const char *value)
{
  struct hone__text text = {0};

  hone__text_addf(&text, "%s%s%s%s", option, name, between, value);
  hone__words_add(words, text.data);
  hone__text_release(&text);
}

static size_t find_foreign(const char *flag)
{
  size_t i = 0;

  while (i < FOREIGN_COUNT && !(foreign[i].is_prefix ? hone__starts_with(flag, foreign[i].flag)
                                                     : strcmp(flag, foreign[i].flag) == 0))
    i++;
  return i;
}

static bool has_standard(const char *const *flags)
{
  for (; flags && *flags; flags++)
    if (hone__starts_with(*flags, "-std=") || hone__starts_with(*flags, "--std=")) return true;
  return false;
}

static bool has_level(const char *const *flags)
{
  for (; flags && *flags; flags++)
    if (hone__starts_with(*flags, "-O")) return true;
  return false;
}

/* Those of the candidate, with ours for what they leave open. */
static void add_flags(struct hone__words *words, const struct hone__kernel_candidate *candidate)
{
  const char *const *flags = candidate->flags;

  add_pair(words, "--offload-arch=", candidate->arch ? candidate->arch : "", "", "");
  if (!has_standard(flags)) hone__words_add(words, "-std=c++17");
  if (!has_level(flags)) hone__words_add(words, "-O3");
  for (; flags && *flags; flags++) {
    size_t rule = find_foreign(*flags);
    if (arch_of(*flags)) continue;
    if (rule == FOREIGN_COUNT)
      hone__words_add(words, *flags);
    else if (foreign[rule].own)
      hone__words_add(words, foreign[rule].own);
    else if (foreign[rule].has_value && flags[1])
      flags++;
  }
  for (size_t i = 0; i < candidate->defines_count; i++)
    add_pair(words, "-D", candidate->defines[i].name, "=", candidate->defines[i].value);
  for (size_t i = 0; i < candidate->includes_count; i++)
    add_pair(words, "-I", candidate->includes[i], "", "");
}

void hone__hip_options(const struct hone__kernel_candidate *candidate, const char *headers,
                       struct hone__words *out_options)
{
  const char *slash = strrchr(candidate->source, '/');
  char *folder =
      slash ? hone__strndup(candidate->source, (size_t)(slash - candidate->source)) : NULL;

  (void)headers;
  add_flags(out_options, candidate);
  if (folder) add_pair(out_options, "-I", folder, "", "");
  free(folder);
}

void hone__hip_command(const struct hone__kernel_candidate *candidate, const char *source,
                       const char *output, bool is_for_people, struct hone__words *out_words)
{
  const char *compiler = candidate->compiler;

  (void)is_for_people;
  if (!compiler || !*compiler || strcmp(compiler, HONE__HIP_HIPRTC) == 0) compiler = "hipcc";
  hone_status_free(hone__words_split(out_words, compiler));
  if (!out_words->count) hone__words_add(out_words, compiler); /* a quote in a file's name */
  hone__words_add(out_words, "--genco");
  hone__words_add(out_words, "--no-gpu-bundle-output");
  add_flags(out_words, candidate);
  hone__words_add(out_words, "-o");
  hone__words_add(out_words, output);
  hone__words_add(out_words, source);
}
