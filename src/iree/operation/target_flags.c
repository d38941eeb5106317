/* Names of targets, as flags of iree-compile, and the compiler's description of a target.
 *
 * The names are IREE's own, plus those of cards that it has no name for; an architecture (gfx942,
 * sm_86) is passed to the compiler unchanged. NVIDIA's sm_90 and sm_100 are not in its table,
 * though it supports them: they use sm_80's flags, and their name then replaces it.
 */
#include "iree/toolset/toolset.h"

#include "base/words.h"
#include "hone_text.h"
#include "iree/toolset/toolset_kept.h"

#include <stdlib.h>

enum kind { CPU, AMD, NVIDIA, NVIDIA_LATER, VULKAN };

static const struct {
  const char *name; /* one that ends in '*': all that begin so */
  enum kind kind;
  const char *arch; /* for the compiler; NULL: the name */
} targets[] = {
    {"llvm-cpu", CPU, NULL},
    {"cpu", CPU, NULL},
    {"host", CPU, NULL},
    {"gfx*", AMD, NULL},
    {"mi100", AMD, NULL},
    {"mi210", AMD, NULL},
    {"mi250", AMD, NULL},
    {"mi250x", AMD, NULL},
    {"mi300a", AMD, NULL},
    {"mi300x", AMD, NULL},
    {"mi308x", AMD, NULL},
    {"mi325x", AMD, NULL},
    {"mi350x", AMD, NULL},
    {"mi355x", AMD, NULL},
    {"rx7700xt", AMD, NULL},
    {"rx7800xt", AMD, NULL},
    {"rx7900xt", AMD, NULL},
    {"rx7900xtx", AMD, NULL},
    {"rx9060xt", AMD, NULL},
    {"rx9070", AMD, NULL},
    {"rx9070xt", AMD, NULL},
    {"r9700", AMD, NULL},
    {"v710", AMD, NULL},
    {"w7700", AMD, NULL},
    {"w7800", AMD, NULL},
    {"w7900", AMD, NULL},
    {"cdna1", AMD, "gfx908"},
    {"cdna2", AMD, "gfx90a"},
    {"cdna3", AMD, "gfx942"},
    {"cdna4", AMD, "gfx950"},
    {"rdna3", AMD, "gfx1100"},
    {"rdna4", AMD, "gfx1201"},
    {"sm_90", NVIDIA_LATER, "sm_80"},
    {"sm_90a", NVIDIA_LATER, "sm_80"},
    {"sm_10*", NVIDIA_LATER, "sm_80"},
    {"h100", NVIDIA_LATER, "sm_80"},
    {"h200", NVIDIA_LATER, "sm_80"},
    {"gh200", NVIDIA_LATER, "sm_80"},
    {"hopper", NVIDIA_LATER, "sm_80"},
    {"b200", NVIDIA_LATER, "sm_80"},
    {"blackwell", NVIDIA_LATER, "sm_80"},
    {"sm_*", NVIDIA, NULL},
    {"a100", NVIDIA, NULL},
    {"a10", NVIDIA, "sm_86"},
    {"a40", NVIDIA, "sm_86"},
    {"l4", NVIDIA, "sm_89"},
    {"l40", NVIDIA, "sm_89"},
    {"l40s", NVIDIA, "sm_89"},
    {"t4", NVIDIA, "sm_75"},
    {"v100", NVIDIA, "sm_70"},
    {"rtx30*", NVIDIA, NULL},
    {"rtx40*", NVIDIA, NULL},
    {"rtx50*", NVIDIA, "sm_120"},
    {"ampere", NVIDIA, NULL},
    {"ada", NVIDIA, NULL},
    {"turing", NVIDIA, NULL},
    {"volta", NVIDIA, NULL},
    {"pascal", NVIDIA, NULL},
    {"vulkan", VULKAN, NULL},
    {"vulkan:*", VULKAN, NULL},
};
enum { TARGETS = sizeof targets / sizeof *targets };

/* What sm_90 is called in a target, and what stands there before. */
static const char later_arch[] = "sm_90";
static const char early_words[] = "arch = \"sm_80\", features = \"+ptx76\"";
static const char later_words[] = "arch = \"sm_90\", features = \"+ptx80\"";

/* ---- Finding ---- */

static bool fits(const char *pattern, const char *name)
{
  size_t length = strlen(pattern);

  if (pattern[length - 1] != '*') return strcmp(pattern, name) == 0;
  return strncmp(pattern, name, length - 1) == 0 && name[length - 1];
}

/* Letters, digits and a few signs: nothing else goes into a flag. */
static bool is_plain(const char *name)
{
  return name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                           "_-.:+")] == '\0';
}

static size_t find(const char *name)
{
  size_t i = 0;

  if (!is_plain(name)) return TARGETS;
  while (i < TARGETS && !fits(targets[i].name, name))
    i++;
  return i;
}

static void add_names(struct hone__text *text, const char *beginning)
{
  for (size_t i = 0; i < TARGETS; i++)
    if (hone__starts_with(targets[i].name, beginning))
      hone__text_addf(text, "%s%s", text->length ? ", " : "", targets[i].name);
}

/* "mi300" is as near to mi100 as to mi300x: what it begins is meant first. */
static hone_status unknown(const char *name)
{
  struct hone_nearest nearest = {.word = name};
  struct hone__text begun = {0}, known = {0};
  hone_status status;

  for (size_t i = 0; i < TARGETS; i++)
    if (!strchr(targets[i].name, '*')) hone_nearest_try(&nearest, targets[i].name);
  if (*name) add_names(&begun, name);
  add_names(&known, "");
  if (begun.length || nearest.best)
    status = hone__error(HONE_INVALID_ARGUMENT, "unknown target '%s'; did you mean %s?", name,
                         begun.length ? begun.data : nearest.best);
  else
    status = hone__error(HONE_INVALID_ARGUMENT,
                         "unknown target '%s': known targets are %s, or give flags of iree-compile",
                         name, known.data);
  hone__text_release(&known);
  hone__text_release(&begun);
  return status;
}

/* ---- Flags ---- */

static void add(struct hone__words *flags, const char *flag, const char *value)
{
  struct hone__text text = {0};

  hone__text_addf(&text, "%s%s", flag, value);
  hone__words_add(flags, text.data);
  hone__text_release(&text);
}

static void add_flags(const struct hone__iree_toolset *toolset, enum kind kind, const char *arch,
                      struct hone__words *flags)
{
  /* A host without a compiler searches for another host's files by the newer name. */
  bool is_older =
      toolset->paths[HONE__IREE_COMPILE] && !toolset->features[HONE__IREE_HAS_ROCM_TARGET];

  switch (kind) {
  case CPU:
    add(flags, "--iree-hal-target-device=", "local");
    add(flags, "--iree-hal-local-target-device-backends=", "llvm-cpu");
    add(flags, "--iree-llvmcpu-target-cpu=", "host");
    /* Names of files would stand before the code and move it: loops of the same code were seen to
     * take 1.6 times as long elsewhere. Without them, what was measured is what a user compiles. */
    add(flags, "--iree-llvmcpu-debug-symbols=", "false");
    break;
  case AMD:
    add(flags, "--iree-hal-target-device=", "hip");
    add(flags, is_older ? "--iree-hip-target=" : "--iree-rocm-target=", arch);
    break;
  case NVIDIA:
  case NVIDIA_LATER:
    add(flags, "--iree-hal-target-device=", "cuda");
    add(flags, "--iree-cuda-target=", arch);
    break;
  case VULKAN:
    add(flags, "--iree-hal-target-device=", "vulkan");
    if (strchr(arch, ':')) add(flags, "--iree-vulkan-target=", strchr(arch, ':') + 1);
    break;
  }
}

hone_status hone__iree_target_flags(const struct hone__iree_toolset *toolset, const char *target,
                                    struct hone__words *out_flags, const char **out_rewrite)
{
  size_t row;

  *out_rewrite = NULL;
  if (hone__starts_with(target, "--")) return hone__words_split(out_flags, target);
  row = find(target);
  if (row == TARGETS) return unknown(target);
  add_flags(toolset, targets[row].kind, targets[row].arch ? targets[row].arch : target, out_flags);
  if (targets[row].kind == NVIDIA_LATER) *out_rewrite = later_arch;
  return NULL;
}

/* ---- The compiler's description ---- */

static const char tiny[] =
    "func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>)\n"
    "    -> tensor<4x4xf32> {\n"
    "  %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>)\n"
    "      outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>\n"
    "  return %0 : tensor<4x4xf32>\n"
    "}\n";

static bool has_word(const struct hone__words *flags, const char *part)
{
  for (size_t i = 0; i < flags->count; i++)
    if (strstr(flags->data[i], part)) return true;
  return false;
}

static void rewrite(struct hone__text *text, struct hone__text *out_text)
{
  const char *rest = text->data ? text->data : "", *found;

  while ((found = strstr(rest, early_words))) {
    hone__text_addn(out_text, rest, (size_t)(found - rest));
    hone__text_add(out_text, later_words);
    rest = found + strlen(early_words);
  }
  hone__text_add(out_text, rest);
}

hone_status hone__iree_target_text(const struct hone__iree_toolset *toolset, const char *target,
                                   struct hone__text *out_text)
{
  struct hone__iree_question question = {.what = "target", .text = tiny};
  struct hone__text answer = {0};
  struct hone__words flags = {0};
  const char *later = NULL;
  hone_status status = hone__iree_target_flags(toolset, target, &flags, &later);

  hone__words_add(&flags, "--compile-to=executable-sources");
  question.words = hone__words_list(&flags);
  question.depends_on_host = has_word(&flags, "=host");
  if (!status) status = hone__iree_query(toolset, &question, &answer);
  if (!status && later)
    rewrite(&answer, out_text);
  else if (!status)
    hone__text_addn(out_text, answer.data ? answer.data : "", answer.length);
  status = hone__annotate(status, "target '%s'", target);
  hone__text_release(&answer);
  hone__words_release(&flags);
  return status;
}

/* ---- Of a model ---- */

/* "#hal.device.target<...>" of the text's only device. */
static bool find_device(const struct hone__text *text, struct hone__text *out_device)
{
  static const char before[] = "#hal.device.target<", behind[] = " : !hal.device";
  const char *begin = text->data ? strstr(text->data, before) : NULL,
             *end = begin ? strstr(begin, behind) : NULL;

  if (end) hone__text_addn(out_device, begin, (size_t)(end - begin));
  return end;
}

/* The flag takes a description instead of a name: that of sm_80, with the later arch. */
static hone_status describe_device(const struct hone__iree_toolset *toolset,
                                   const struct hone__words *flags, struct hone__text *out_device)
{
  struct hone__words words = {0};
  struct hone__iree_question question = {.what = "device", .text = tiny};
  struct hone__text answer = {0}, device = {0};
  hone_status status;

  hone__words_add_all(&words, hone__words_list(flags));
  hone__words_add(&words, "--compile-to=preprocessing");
  question.words = hone__words_list(&words);
  status = hone__iree_query(toolset, &question, &answer);
  if (!status && (!find_device(&answer, &device) || !strstr(device.data, early_words)))
    status =
        hone__error(HONE_UNAVAILABLE,
                    "this version of IREE describes sm_80 differently: it cannot be replaced by %s",
                    later_arch);
  if (!status) rewrite(&device, out_device);
  hone__text_release(&device);
  hone__text_release(&answer);
  hone__words_release(&words);
  return status;
}

hone_status hone__iree_target_words(const struct hone__iree_toolset *toolset, const char *target,
                                    struct hone__words *out_words)
{
  struct hone__words flags = {0};
  struct hone__text device = {0};
  const char *later = NULL;
  hone_status status = hone__iree_target_flags(toolset, target, &flags, &later);

  if (!status && later) status = describe_device(toolset, &flags, &device);
  if (!status && later)
    add(out_words, "--iree-hal-target-device=__device_0=", device.data);
  else if (!status)
    hone__words_add_all(out_words, hone__words_list(&flags));
  hone__text_release(&device);
  hone__words_release(&flags);
  return hone__annotate(status, "target '%s'", target);
}
