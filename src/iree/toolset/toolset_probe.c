/* The features of a compiler are found by trials, not by its version, because custom builds have
 * any version. An unknown flag is an error that names it, also before `--version`, so one process
 * tests all flags; other features take a tiny compilation each.
 *
 * The results are kept under path, size and time of the files.
 */
#include "iree/toolset/toolset_kept.h"

#include "base/folder.h"
#include "wire/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const double probe_timeout_s = 30;

/* ---- The name of what was found ---- */

static void add_file(struct hone__digester *digester, const char *path)
{
  struct stat info;

  hone__digest_add_text(digester, path);
  if (!path || stat(path, &info) != 0) return;
  hone__digest_add(digester, &info.st_size, sizeof info.st_size);
  hone__digest_add(digester, &info.st_mtim, sizeof info.st_mtim);
}

/* The compiler is a library: the executable beside it hardly ever changes. */
static void add_library(struct hone__digester *digester, const char *compiler)
{
  static const char *const places[] = {"libIREECompiler.so", "../lib/libIREECompiler.so"};

  for (size_t i = 0; compiler && i < sizeof places / sizeof *places; i++) {
    int length = (int)(strrchr(compiler, '/') - compiler);
    struct hone__text path = {0};
    hone__text_addf(&path, "%.*s/%s", length, compiler, places[i]);
    add_file(digester, path.data);
    hone__text_release(&path);
  }
}

static void name_toolset(const struct hone__iree_toolset *toolset, char out_key[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, "toolset 4");
  add_file(digester, toolset->paths[HONE__IREE_COMPILE]);
  add_library(digester, toolset->paths[HONE__IREE_COMPILE]);
  add_file(digester, toolset->paths[HONE__IREE_BENCHMARK]);
  hone__digest_end(digester, out_key);
}

/* ---- Kept ---- */

struct kept {
  const char *version, *identity;
  bool features[HONE__IREE_FEATURE_COUNT];
};

static const struct hone__field kept_fields[] = {HONE__TEXT(struct kept, version, HONE__OPTIONAL),
                                                 HONE__TEXT(struct kept, identity, HONE__OPTIONAL),
#define HONE__IREE_FEATURE_FIELD(id, words, since)                                                 \
  HONE__BOOL_AS(struct kept, #id, features[HONE__IREE_HAS_##id], HONE__SENT),
                                                 HONE__IREE_FEATURES(HONE__IREE_FEATURE_FIELD)
#undef HONE__IREE_FEATURE_FIELD
};
static const struct hone__record_type kept_type =
    HONE__RECORD_TYPE("features.json", struct kept, kept_fields);

static char *copy(const char *text)
{
  return text ? hone__strdup(text) : NULL;
}

/* An unreadable result is probed again. */
static bool recall(const char *key, struct hone__iree_toolset *toolset)
{
  struct hone__text text = {0};
  struct hone__arena arena = {0};
  struct hone__packed *packed = hone__iree_kept_get(key, "features.json", &text) && text.data
                                    ? hone__packed_parse(text.data, text.length)
                                    : NULL;
  struct kept kept;
  hone_status status = packed ? hone__unpack(packed, &kept_type, &arena, &kept) : NULL;
  bool is_known = packed && !status;

  if (is_known) {
    toolset->version = copy(kept.version);
    toolset->identity = copy(kept.identity);
    memcpy(toolset->features, kept.features, sizeof kept.features);
  }
  hone_status_free(status);
  hone__packed_drop(packed);
  hone__arena_release(&arena);
  hone__text_release(&text);
  return is_known;
}

static void keep(const char *key, const struct hone__iree_toolset *toolset)
{
  struct kept kept = {.version = toolset->version, .identity = toolset->identity};
  struct hone__packed *packed;
  struct hone__text text = {0};

  memcpy(kept.features, toolset->features, sizeof kept.features);
  packed = hone__pack(&kept_type, &kept);
  hone__packed_print(packed, &text);
  hone_status_free(hone__iree_kept_put(key, "features.json", text.data, text.length));
  hone__text_release(&text);
  hone__packed_drop(packed);
}

/* ---- Version and flags ---- */

static const struct {
  enum hone__iree_feature feature;
  const char *flag;
} flags[] = {
    {HONE__IREE_HAS_TUNER_ATTRIBUTES, "--iree-codegen-add-tuner-attributes"},
    {HONE__IREE_HAS_CONSTRAINTS, "--iree-codegen-emit-pipeline-constraints"},
    {HONE__IREE_HAS_ROCM_TARGET, "--iree-rocm-target=gfx942"},
};
enum { FLAGS = sizeof flags / sizeof *flags };

/* "IREE compiler version 3.13.0rc20261016 @ 89ece87b..." */
static void read_version(const char *text, const char *key, struct hone__iree_toolset *toolset)
{
  static const char mark[] = "IREE compiler version ";
  const char *line = text ? strstr(text, mark) : NULL;
  struct hone__text version = {0}, identity = {0};
  size_t length;

  line = line ? line + strlen(mark) : "";
  length = strcspn(line, "\n");
  hone__text_addn(&version, line, strspn(line, "0123456789."));
  while (version.length && version.data[version.length - 1] == '.')
    version.data[--version.length] = '\0';
  if (!version.length) hone__text_add(&version, "unknown");
  if (memchr(line, '@', length) && !memmem(line, length, "unknown", 7))
    hone__text_addn(&identity, line, length);
  else
    hone__text_addf(&identity, "%s, files %s", version.data, key);
  toolset->version = hone__text_take(&version);
  toolset->identity = hone__text_take(&identity);
}

static bool is_refused(const char *errors, const char *flag)
{
  struct hone__text refusal = {0};
  bool is_there;

  hone__text_addf(&refusal, "Unknown command line argument '%s'", flag);
  is_there = errors && strstr(errors, refusal.data);
  hone__text_release(&refusal);
  return is_there;
}

static bool probe_flags(const char *key, struct hone__iree_toolset *toolset)
{
  struct hone__child_result result = {0};
  const char *words[FLAGS + 2] = {NULL};
  bool is_good;

  for (size_t i = 0; i < FLAGS; i++)
    words[i] = flags[i].flag;
  words[FLAGS] = "--version";
  hone__iree_child(toolset, HONE__IREE_COMPILE, words, NULL, probe_timeout_s, &result);
  is_good = result.end == HONE__CHILD_EXITED && result.code == 0;
  for (size_t i = 0; is_good && i < FLAGS; i++)
    toolset->features[flags[i].feature] = !is_refused(result.errors.data, flags[i].flag);
  read_version(result.output.data, key, toolset);
  hone__child_result_release(&result);
  return is_good;
}

/* ---- Tiny compilations ---- */

static const struct {
  enum hone__iree_feature feature;
  const char *text;
  const char *words[8];
  const char *needs;   /* required in its output; NULL: it must succeed */
  const char *refusal; /* the feature is missing if its output has this */
} trials[] = {
    {.feature = HONE__IREE_HAS_PIPELINE_ATTRIBUTES,
     .text = "func.func @f(%a: i32) -> i32 attributes {p = #iree_gpu.pipeline<TileAndFuse>} {\n"
             "  return %a : i32\n"
             "}\n",
     .words = {"--compile-to=input"},
     .refusal = "unknown attribute `pipeline`"},
    /* A compiler that supports the operation reports its missing parts. */
    {.feature = HONE__IREE_HAS_ONLINE_ATTENTION,
     .text = "module attributes {transform.with_named_sequence} {\n"
             "  transform.named_sequence @f(%a: !transform.any_op {transform.readonly}) {\n"
             "    %0 = transform.iree.match.online_attention %a : !transform.any_op\n"
             "    transform.yield\n"
             "  }\n"
             "}\n",
     .words = {"--compile-to=input"},
     .needs = "expected"},
    {.feature = HONE__IREE_HAS_FUNCTION_LOOKUP,
     .text = "%0 = hal.executable.lookup.function 5\n",
     .words = {"--compile-to=input"},
     .needs = "expected"},
    /* A compiler that reads specs reports that it cannot read this one. */
    {.feature = HONE__IREE_HAS_CPU_SPECS,
     .text = "func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>)\n"
             "    -> tensor<4x4xf32> {\n"
             "  %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>)\n"
             "      outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>\n"
             "  return %0 : tensor<4x4xf32>\n"
             "}\n",
     .words = {"--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu",
               "--compile-to=executable-configurations",
               "--iree-codegen-tuning-spec-path=no-such-spec.mlir"},
     .needs = "no-such-spec.mlir"},
};

static hone_status write_text(const char *folder, const char *text)
{
  struct hone__text path = {0};
  FILE *file;

  hone__text_addf(&path, "%s/trial.mlir", folder);
  file = fopen(path.data, "we");
  hone__text_release(&path);
  if (!file) return hone__error(HONE_IO, "cannot write in '%s'", folder);
  fputs(text, file);
  fclose(file);
  return NULL;
}

/* `is_sure` becomes false if it was killed: the next trial may succeed. */
static bool run_trial(const struct hone__iree_toolset *toolset, size_t trial, const char *folder,
                      bool *is_sure)
{
  static const char *const files[] = {"trial.mlir", "-o", "trial.out", NULL};
  struct hone__words words = {0};
  struct hone__child_result result = {0};
  bool is_good;

  hone__words_add_all(&words, files);
  hone__words_add_all(&words, trials[trial].words);
  hone__iree_child(toolset, HONE__IREE_COMPILE, hone__words_list(&words), folder, probe_timeout_s,
                   &result);
  is_good = result.end == HONE__CHILD_EXITED;
  if (!is_good) *is_sure = false;
  if (trials[trial].refusal)
    is_good = !result.errors.data || !strstr(result.errors.data, trials[trial].refusal);
  else if (trials[trial].needs)
    is_good = is_good && result.code && result.errors.data &&
              strstr(result.errors.data, trials[trial].needs);
  else
    is_good = is_good && result.code == 0;
  hone__child_result_release(&result);
  hone__words_release(&words);
  return is_good;
}

static bool probe_trials(struct hone__iree_toolset *toolset)
{
  struct hone__child_guard guard;
  char *folder = NULL;
  bool is_sure = true;
  hone_status status;

  hone__child_guard_begin(&guard);
  status = hone__folder_make(NULL, &folder);
  for (size_t i = 0; !status && i < sizeof trials / sizeof *trials; i++) {
    status = write_text(folder, trials[i].text);
    if (!status) toolset->features[trials[i].feature] = run_trial(toolset, i, folder, &is_sure);
  }
  if (status) is_sure = false;
  hone_status_free(status);
  hone__folder_remove(folder);
  free(folder);
  hone__child_guard_end(&guard);
  return is_sure;
}

/* ---- The runtime ---- */

/* It ignores unknown flags: its help lists the known ones. */
static void probe_benchmark(struct hone__iree_toolset *toolset)
{
  struct hone__child_result result = {0};
  static const char *const words[] = {"--help", NULL};

  hone__iree_child(toolset, HONE__IREE_BENCHMARK, words, NULL, probe_timeout_s, &result);
  toolset->features[HONE__IREE_HAS_DISPATCH_STATISTICS] =
      result.output.data && strstr(result.output.data, "--dispatch_statistics");
  hone__child_result_release(&result);
}

void hone__iree_probe(struct hone__iree_toolset *toolset)
{
  char key[HONE__DIGEST_SIZE];
  bool is_good;

  if (!toolset->paths[HONE__IREE_COMPILE]) return;
  name_toolset(toolset, key);
  if (recall(key, toolset)) return;
  is_good = probe_flags(key, toolset) && probe_trials(toolset);
  if (toolset->paths[HONE__IREE_BENCHMARK]) probe_benchmark(toolset);
  if (is_good) keep(key, toolset);
}
