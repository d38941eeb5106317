/* Flags are written for nvcc, whichever of the two compiles. */
#include "backend/cuda/cuda_flags.h"

#include "build/command.h"
#include "backend/cuda/cuda_backend.h"
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum meaning {
  DROP,       /* NVRTC has no use for it */
  DROP_VALUE, /* nor for the next word */
  JOIN,       /* its value is the next word: NVRTC requires "flag=value" */
  PTXAS       /* a list for the assembler: NVRTC requires them one by one */
};

static const struct {
  const char *flag;
  enum meaning meaning;
  bool is_prefix;
  const char *long_name; /* JOIN: the name if NVRTC has only this one; or NULL */
} rules[] = {
    {"-O", DROP, false, NULL},
    {"-O0", DROP, false, NULL},
    {"-O1", DROP, false, NULL},
    {"-O2", DROP, false, NULL},
    {"-O3", DROP, false, NULL},
    {"--optimize", DROP, true, NULL},
    {"-g", DROP, false, NULL},
    {"--debug", DROP, false, NULL},
    {"-c", DROP, false, NULL},
    {"-cubin", DROP, false, NULL},
    {"--cubin", DROP, false, NULL},
    {"-l", DROP, true, NULL}, /* except -lineinfo, see below */
    {"-L", DROP, true, NULL},
    {"-Xcompiler", DROP_VALUE, false, NULL},
    {"-Xcompiler=", DROP, true, NULL},
    {"--compiler-options", DROP_VALUE, false, NULL},
    {"--compiler-options=", DROP, true, NULL},
    {"-Xlinker", DROP_VALUE, false, NULL},
    {"-Xlinker=", DROP, true, NULL},
    {"-ccbin", DROP_VALUE, false, NULL},
    {"-ccbin=", DROP, true, NULL},
    {"--threads", DROP_VALUE, false, NULL},
    {"--threads=", DROP, true, NULL},
    {"--expt-relaxed-constexpr", DROP, false, NULL},
    {"-expt-relaxed-constexpr", DROP, false, NULL},
    {"--expt-extended-lambda", DROP, false, NULL},
    {"-expt-extended-lambda", DROP, false, NULL},
    {"--extended-lambda", DROP, false, NULL},
    {"-extended-lambda", DROP, false, NULL},
    {"-arch", DROP_VALUE, false, NULL},
    {"-arch=", DROP, true, NULL},
    {"--gpu-architecture", DROP_VALUE, false, NULL},
    {"--gpu-architecture=", DROP, true, NULL},
    {"-code", DROP_VALUE, false, NULL},
    {"-code=", DROP, true, NULL},
    {"--gpu-code", DROP_VALUE, false, NULL},
    {"--gpu-code=", DROP, true, NULL},
    {"-gencode", DROP_VALUE, false, NULL},
    {"-gencode=", DROP, true, NULL},
    {"--generate-code", DROP_VALUE, false, NULL},
    {"--generate-code=", DROP, true, NULL},
    {"-Xptxas", PTXAS, false, NULL},
    {"-Xptxas=", PTXAS, true, NULL},
    {"--ptxas-options", PTXAS, false, NULL},
    {"--ptxas-options=", PTXAS, true, NULL},
    {"-I", JOIN, false, "--include-path"},
    {"-D", JOIN, false, "--define-macro"},
    {"-U", JOIN, false, "--undefine-macro"},
    {"-include", JOIN, false, "--pre-include"},
    {"-maxrregcount", JOIN, false, NULL},
    {"--maxrregcount", JOIN, false, NULL},
    {"-std", JOIN, false, NULL},
    {"--std", JOIN, false, NULL},
    {"-diag-suppress", JOIN, false, NULL},
    {"--diag-suppress", JOIN, false, NULL},
};
enum { RULE_COUNT = sizeof rules / sizeof *rules };

/* ---- The architecture ---- */

static const char *const arch_flags[] = {
    "-arch", "--gpu-architecture", "-gencode", "--generate-code", "-code", "--gpu-code"};

/* "sm_90a" or "compute_90a" in "arch=compute_90a,code=sm_90a"; a real architecture is preferred. */
static bool read_arch(const char *text, char out_arch[HONE__CUDA_ARCH_SIZE])
{
  static const char *const prefixes[] = {"sm_", "compute_"};

  for (size_t i = 0; i < 2; i++) {
    const char *p = strstr(text, prefixes[i]);
    size_t length = 0;
    if (!p) continue;
    p += strlen(prefixes[i]);
    while (isalnum((unsigned char)p[length]))
      length++;
    if (!length || length > HONE__CUDA_ARCH_SIZE - 4) continue;
    snprintf(out_arch, HONE__CUDA_ARCH_SIZE, "sm_%.*s", (int)length, p);
    return true;
  }
  return false;
}

static bool is_arch_flag(const char *flag)
{
  for (size_t i = 0; i < sizeof arch_flags / sizeof *arch_flags; i++) {
    size_t length = strlen(arch_flags[i]);
    if (strncmp(flag, arch_flags[i], length) == 0 && (!flag[length] || flag[length] == '='))
      return true;
  }
  return false;
}

/* "" after the last one. */
static const char *next_of(const char *const *flags)
{
  return flags[1] ? flags[1] : "";
}

bool hone__cuda_flags_arch(const char *const *flags, char out_arch[HONE__CUDA_ARCH_SIZE])
{
  for (; flags && *flags; flags++) {
    if (!is_arch_flag(*flags)) continue;
    if (read_arch(strchr(*flags, '=') ? *flags : next_of(flags), out_arch)) return true;
  }
  return false;
}

/* ---- Lists ---- */

static bool has_flag(const char *const *flags, const char *prefix)
{
  for (; flags && *flags; flags++)
    if (hone__starts_with(*flags, prefix)) return true;
  return false;
}

static bool has_standard(const char *const *flags)
{
  return has_flag(flags, "-std") || has_flag(flags, "--std");
}

static void addf(struct hone__words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void addf(struct hone__words *words, const char *format, ...)
{
  struct hone__text text = {0};
  va_list args;

  va_start(args, format);
  hone__text_vaddf(&text, format, args);
  va_end(args);
  hone__words_add(words, text.data);
  hone__text_release(&text);
}

static void add_defines(struct hone__words *words, const struct hone__kernel_candidate *candidate)
{
  for (size_t i = 0; i < candidate->defines_count; i++)
    addf(words, "-D%s=%s", candidate->defines[i].name, candidate->defines[i].value);
}

static void add_includes(struct hone__words *words, const struct hone__kernel_candidate *candidate)
{
  for (size_t i = 0; i < candidate->includes_count; i++)
    addf(words, "-I%s", candidate->includes[i]);
}

/* ---- NVRTC ---- */

/* The index of the rule, or RULE_COUNT. */
static size_t find_rule(const char *flag)
{
  size_t i = 0;

  if (strcmp(flag, "-lineinfo") == 0) return RULE_COUNT;
  while (i < RULE_COUNT && !(rules[i].is_prefix ? hone__starts_with(flag, rules[i].flag)
                                                : strcmp(flag, rules[i].flag) == 0))
    i++;
  return i;
}

/* nvcc takes several at once: "-O2,-warn-spills". */
static void add_ptxas(struct hone__words *options, const char *list)
{
  while (*list) {
    size_t length = strcspn(list, ",");
    if (length) addf(options, "--ptxas-options=%.*s", (int)length, list);
    list += length + (list[length] == ',');
  }
}

/* Adds the i-th flag and returns the index of the next. */
static size_t add_flag(struct hone__words *options, const char *const *flags, size_t i)
{
  const char *flag = flags[i], *next = next_of(flags + i);
  size_t rule = find_rule(flag);

  if (rule == RULE_COUNT) {
    hone__words_add(options, flag);
    return i + 1;
  }
  switch (rules[rule].meaning) {
  case DROP: break;
  case DROP_VALUE: return i + 2;
  case JOIN:
    addf(options, "%s=%s", rules[rule].long_name ? rules[rule].long_name : flag, next);
    return i + 2;
  case PTXAS:
    add_ptxas(options, rules[rule].is_prefix ? strchr(flag, '=') + 1 : next);
    return i + (rules[rule].is_prefix ? 1 : 2);
  }
  return i + 1;
}

/* Newer toolkits have libcu++ in a separate folder, wheels have parts of it in other wheels. */
static void add_headers(struct hone__words *options, const char *headers)
{
  static const char *const parts[] = {"", "/cccl", "/../../cuda_nvcc/include",
                                      "/../../cuda_cccl/include"};
  struct hone__text path = {0};

  for (size_t i = 0; headers && i < sizeof parts / sizeof *parts; i++) {
    path.length = 0;
    hone__text_addf(&path, "%s%s", headers, parts[i]);
    if (access(path.data, R_OK) == 0) addf(options, "-I%s", path.data);
  }
  hone__text_release(&path);
}

void hone__cuda_nvrtc_options(const struct hone__kernel_candidate *candidate, const char *headers,
                              struct hone__words *out_options)
{
  const char *const *flags = candidate->flags;
  const char *source = candidate->source, *slash = strrchr(source, '/');

  addf(out_options, "--gpu-architecture=%s", candidate->arch ? candidate->arch : "");
  if (!has_standard(flags)) hone__words_add(out_options, "--std=c++17");
  hone__words_add(out_options, "-default-device");
  hone__words_add(out_options, "--ptxas-options=-v"); /* the only way to get a report of spills */
  for (size_t i = 0; i < candidate->flags_count;)
    i = add_flag(out_options, flags, i);
  add_defines(out_options, candidate);
  add_includes(out_options, candidate);
  if (slash) addf(out_options, "-I%.*s", (int)(slash - source), source);
  add_headers(out_options, headers);
}

/* ---- nvcc ---- */

/* The words of "compiler"; for NVRTC the command shown to the user is nvcc's. */
static void add_compiler(struct hone__words *words, const struct hone__kernel_candidate *candidate)
{
  const char *compiler = candidate->compiler;

  if (!compiler || !*compiler || strcmp(compiler, HONE__CUDA_NVRTC) == 0) compiler = "nvcc";
  hone_status_free(hone__words_split(words, compiler));
  if (!words->count) hone__words_add(words, compiler); /* a quote in a file's name */
}

static void add_architecture(struct hone__words *words,
                             const struct hone__kernel_candidate *candidate)
{
  const char *arch = candidate->arch ? candidate->arch : "";
  const char *number = hone__starts_with(arch, "sm_") ? arch + 3 : arch;

  addf(words, "-gencode=arch=compute_%s,code=sm_%s", number, number);
}

/* Flags that name an architecture are replaced by ours: a cubin has only one. */
static void add_nvcc_flags(struct hone__words *words, const char *const *flags)
{
  for (; flags && *flags; flags++) {
    if (!is_arch_flag(*flags))
      hone__words_add(words, *flags);
    else if (!strchr(*flags, '=') && flags[1])
      flags++;
  }
}

void hone__cuda_nvcc_words(const struct hone__kernel_candidate *candidate, const char *source,
                           const char *output, bool is_for_people, struct hone__words *out_words)
{
  add_compiler(out_words, candidate);
  hone__words_add(out_words, "-cubin");
  add_architecture(out_words, candidate);
  if (!has_standard(candidate->flags)) hone__words_add(out_words, "-std=c++17");
  if (!is_for_people) addf(out_words, "-Xptxas=-v");
  add_nvcc_flags(out_words, candidate->flags);
  add_defines(out_words, candidate);
  add_includes(out_words, candidate);
  addf(out_words, "-o");
  hone__words_add(out_words, output);
  hone__words_add(out_words, source);
}
