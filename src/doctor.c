/* The facts of this machine, to send with a request for help. Nothing here fails: what cannot be
 * found is reported as missing, with its purpose. */
#include "build/clang_facts.h"
#include "build/toolchain.h"

#include "base/allocators.h"
#include "base/machine.h"
#include "doctor_devices.h"
#include "proc/child.h"
#include "hone_machine.h"
#include "iree/toolset/toolset.h"
#include "store/cache.h"
#include "store/store.h"
#include "worker/sandbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const double tool_timeout_s = 20;

struct hone_fact {
  const char *part, *name, *value, *advice;
  bool is_missing;
};

struct hone_checkup {
  struct hone__arena arena;
  struct hone_fact *facts;
  size_t count, capacity;
};

/* ---- Facts ---- */

static struct hone_fact *add_fact(struct hone_checkup *checkup, const char *part, const char *name,
                                  const char *value)
{
  struct hone__arena *arena = &checkup->arena;
  struct hone_fact *fact;

  HONE__GROW(checkup->facts, checkup->count, checkup->capacity);
  fact = &checkup->facts[checkup->count++];
  *fact = (struct hone_fact){.part = part, .name = hone__arena_strdup(arena, name), .advice = ""};
  fact->value = hone__arena_strdup(arena, value ? value : "");
  fact->is_missing = !value;
  return fact;
}

static void advise(struct hone_checkup *checkup, struct hone_fact *fact, const char *advice)
{
  fact->advice = hone__arena_strdup(&checkup->arena, advice ? advice : "");
}

/* What a command prints; NULL: it cannot be started, or fails. free(). */
static char *ask(const char *const *argv)
{
  struct hone__child_options options = {
      .argv = argv, .timeout_s = tool_timeout_s, .splits_output = true, .spares_others = true};
  struct hone__child_result result;
  char *answer = NULL;

  hone__child_run(&options, &result);
  if (result.end == HONE__CHILD_EXITED && result.code == 0)
    answer = hone__strdup(result.output.data ? result.output.data : "");
  hone__child_result_release(&result);
  return answer;
}

/* One fact for each line. */
static size_t add_lines(struct hone_checkup *checkup, const char *part, const char *name,
                        const char *text)
{
  size_t lines = 0;

  while (text && *text) {
    size_t length = strcspn(text, "\n");
    char *line = hone__arena_strndup(&checkup->arena, text, length);
    if (length && ++lines) add_fact(checkup, part, name, line);
    text += length + (text[length] != '\0');
  }
  return lines;
}

/* ---- Hone's own ---- */

/* It is there and can be written, or the nearest folder above it can. */
static bool is_writable(const char *path)
{
  char *place = hone__strdup(path), *slash;
  bool is_above = false, is_good;
  struct stat info;

  while ((slash = strrchr(place, '/')) && stat(place, &info) != 0) {
    *slash = '\0';
    is_above = true;
  }
  if (!*place) slash = strcpy(place, "/");
  is_good = slash && stat(place, &info) == 0 && access(place, W_OK) == 0;
  if (is_above) is_good = is_good && S_ISDIR(info.st_mode);
  free(place);
  return is_good;
}

static void add_place(struct hone_checkup *checkup, const char *name, const char *path,
                      const char *variable)
{
  bool is_there = path && *path;
  struct hone_fact *fact = add_fact(checkup, "hone", name, is_there ? path : NULL);
  struct hone__text advice = {0};

  if (!is_there) hone__text_addf(&advice, "set %s, or HOME", variable);
  if (is_there && !is_writable(path)) {
    fact->is_missing = true;
    hone__text_addf(&advice, "it is not writable; set %s to another path", variable);
  }
  if (advice.length) advise(checkup, fact, advice.data);
  hone__text_release(&advice);
}

static void look_at_hone(struct hone_checkup *checkup)
{
  struct hone__text version = {0};
  const char *advice = NULL;
  bool has_z3 = hone_solver_available(HONE_SOLVER_Z3, &advice);

  hone__text_addf(&version, "%s (%s)", hone_version(), hone_revision());
  add_fact(checkup, "hone", "version", version.data);
  add_place(checkup, "store", hone__store_path(NULL), "HONE_STORE");
  add_place(checkup, "cache", hone__cache_folder(), "HONE_CACHE");
  advise(checkup, add_fact(checkup, "hone", "z3", has_z3 ? "found" : NULL), has_z3 ? "" : advice);
  hone__text_release(&version);
}

/* Reads an empty file: a libclang that cannot do that is useless. */
static void look_at_libclang(struct hone_checkup *checkup)
{
  bool is_there;
  struct hone__clang_facts *facts =
      hone__build_clang_ask("/dev/null", HONE__BUILD_CLANG_C, NULL, NULL, &is_there);
  struct hone_fact *fact = add_fact(checkup, "hone", "clang", facts ? facts->version : NULL);

  if (!facts)
    advise(checkup, fact,
           is_there ? "it does not work; set HONE_LIBCLANG to another one"
                    : "'hone init' understands more with it: install libclang1 (apt-get install "
                      "libclang1), or set HONE_LIBCLANG to the path of libclang.so");
  hone__build_clang_free(facts);
}

static void look_at_machine(struct hone_checkup *checkup)
{
  enum hone__sandbox_kind kind = hone__sandbox_find();
  struct hone__text cores = {0};
  struct hone_fact *isolation;

  hone__text_addf(&cores, "%zu of %zu", hone__cpu_count(), hone__cpus_online());
  add_fact(checkup, "machine", "cores", cores.data);
  isolation = add_fact(checkup, "machine", "isolation", hone__sandbox_kind_name(kind));
  if (kind == HONE__SANDBOX_PLAIN)
    advise(checkup, isolation,
           "PID namespaces are not available: processes that candidates leave behind are found by "
           "a search and killed");
  hone__text_release(&cores);
}

/* ---- Compilers ---- */

static void look_at_compiler(struct hone_checkup *checkup, const char *name, const char *use)
{
  const char *argv[] = {name, "--version", NULL};
  char *path = hone__toolchain_find(name, "/"), *version = path ? ask(argv) : NULL;
  struct hone_fact *fact = add_fact(checkup, "c", name, path);

  if (version) {
    version[strcspn(version, "\n")] = '\0';
    advise(checkup, fact, version);
  } else if (!path) {
    advise(checkup, fact, use);
  }
  free(version);
  free(path);
}

/* ---- IREE ---- */

static void add_executables(struct hone_checkup *checkup, const struct hone__iree_toolset *toolset)
{
  for (int tool = 0; tool < HONE__IREE_TOOLS; tool++)
    add_fact(checkup, "iree", hone__iree_tool_name((enum hone__iree_tool)tool),
             toolset->paths[tool]);
}

static void add_features(struct hone_checkup *checkup, const struct hone__iree_toolset *toolset)
{
  for (int i = 0; i < HONE__IREE_FEATURE_COUNT; i++) {
    const char *words = hone__iree_feature_words((enum hone__iree_feature)i);
    bool has = toolset->features[i];
    struct hone_fact *fact = add_fact(checkup, "iree", words, has ? "yes" : NULL);
    struct hone__text advice = {0};
    hone__text_addf(&advice, "needs IREE %s or later",
                    hone__iree_feature_since((enum hone__iree_feature)i));
    if (!has) advise(checkup, fact, advice.data);
    hone__text_release(&advice);
  }
}

static void add_devices(struct hone_checkup *checkup, const struct hone__iree_toolset *toolset)
{
  static const char *const words[] = {"--list_devices", NULL};
  struct hone__text text = {0};
  hone_status status = hone__iree_run(toolset, HONE__IREE_RUN, words, NULL, tool_timeout_s, &text);

  if (status)
    advise(checkup, add_fact(checkup, "iree", "device", NULL), hone_status_message(status));
  else
    add_lines(checkup, "iree", "device", text.data);
  hone_status_free(status);
  hone__text_release(&text);
}

static void look_at_iree(struct hone_checkup *checkup, const char *iree_dir)
{
  struct hone__iree_toolset toolset;
  hone_status missing;

  hone__iree_toolset_find(iree_dir, &toolset);
  missing = hone__iree_need(&toolset, HONE__IREE_COMPILE);
  advise(checkup, add_fact(checkup, "iree", "version", toolset.version),
         missing ? hone_status_message(missing) : "");
  add_executables(checkup, &toolset);
  if (!missing) add_features(checkup, &toolset);
  if (toolset.paths[HONE__IREE_RUN]) add_devices(checkup, &toolset);
  hone_status_free(missing);
  hone__iree_toolset_release(&toolset);
}

/* ---- GPUs ---- */

static const struct {
  const char *name, *argv[4];
  const char *begin; /* of a line that stands for a GPU */
} vendors[] = {
    {"nvidia",
     {"nvidia-smi", "--query-gpu=name,compute_cap,driver_version", "--format=csv,noheader"},
     ""},
    {"amd", {"rocm-smi", "--showproductname", "--csv"}, "card"},
};

static size_t look_at_vendor(struct hone_checkup *checkup, size_t vendor)
{
  char *text = ask(vendors[vendor].argv), *rest = text, *line;
  size_t found = 0;

  while (rest && (line = strsep(&rest, "\n")))
    if (*line && hone__starts_with(line, vendors[vendor].begin) && ++found)
      add_fact(checkup, "gpu", vendors[vendor].name, line);
  free(text);
  return found;
}

static void look_at_gpus(struct hone_checkup *checkup)
{
  size_t found = 0;

  for (size_t i = 0; i < sizeof vendors / sizeof *vendors; i++)
    found += look_at_vendor(checkup, i);
  if (!found)
    advise(checkup, add_fact(checkup, "gpu", "gpus", NULL),
           "neither nvidia-smi nor rocm-smi lists a GPU");
}

/* ---- OpenCL, CUDA and HIP ---- */

/* The facts keep the pointer. */
static const char *kept_part(const char *part)
{
  static const char *const parts[] = {"cuda", "hip"};

  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strcmp(part, parts[i]) == 0) return parts[i];
  return "opencl";
}

static void look_at_libraries(struct hone_checkup *checkup)
{
  struct hone__findings found = {0};

  hone__doctor_devices(&found);
  for (size_t i = 0; i < found.findings_count; i++) {
    const struct hone__finding *one = &found.findings[i];
    advise(checkup, add_fact(checkup, kept_part(one->part), one->name, one->value), one->advice);
  }
  hone__findings_release(&found);
}

/* ---- All of it ---- */

void hone_doctor(const char *iree_dir, struct hone_checkup **out_checkup)
{
  struct hone_checkup *checkup = hone__alloc(sizeof *checkup);

  hone__allocators_install();
  look_at_hone(checkup);
  look_at_libclang(checkup);
  look_at_machine(checkup);
  look_at_compiler(checkup, "cc", "needed by backend c to compile kernels");
  look_at_compiler(checkup, "c++", "needed by backend c to compile C++ kernels");
  look_at_iree(checkup, iree_dir);
  look_at_gpus(checkup);
  look_at_libraries(checkup);
  *out_checkup = checkup;
}

size_t hone_checkup_count(const struct hone_checkup *checkup)
{
  return checkup->count;
}

const struct hone_fact *hone_checkup_at(const struct hone_checkup *checkup, size_t i)
{
  return i < checkup->count ? &checkup->facts[i] : NULL;
}

void hone_checkup_free(struct hone_checkup *checkup)
{
  if (!checkup) return;
  free(checkup->facts);
  hone__arena_release(&checkup->arena);
  free(checkup);
}

/* ---- A fact ---- */

const char *hone_fact_part(const struct hone_fact *fact)
{
  return fact->part;
}

const char *hone_fact_name(const struct hone_fact *fact)
{
  return fact->name;
}

const char *hone_fact_value(const struct hone_fact *fact)
{
  return fact->value;
}

bool hone_fact_is_missing(const struct hone_fact *fact)
{
  return fact->is_missing;
}

const char *hone_fact_advice(const struct hone_fact *fact)
{
  return fact->advice;
}
