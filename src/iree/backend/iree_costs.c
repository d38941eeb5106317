/* Compilers report a kernel's resources in their files: AMD's in the metadata after the assembly,
 * NVIDIA's in the output of ptxas.
 */
#include "iree/backend/iree_costs.h"

#include "base/file.h"
#include "base/text.h"
#include "proc/child.h"
#include "spec/value.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_FILE_BYTES = 1 << 26, MOST_FILES = 64 };
static const double ptxas_s = 30;

/* ---- Numbers by name ---- */

static size_t find(const struct hone__iree_costs *costs, const char *name)
{
  size_t i = 0;

  while (i < costs->count && strcmp(costs->items[i].name, name) != 0)
    i++;
  return i;
}

void hone__iree_cost_note(struct hone__iree_costs *costs, const char *name, int64_t value)
{
  size_t at = find(costs, name);

  if (at == HONE__IREE_MOST_COSTS) return;
  if (at == costs->count)
    costs->items[costs->count++] = (struct hone__named){name, hone__int(value)};
  else if (costs->items[at].value.integer < value)
    costs->items[at].value.integer = value;
}

int64_t hone__iree_cost(const struct hone__iree_costs *costs, const char *name)
{
  size_t at = find(costs, name);

  return at < costs->count ? costs->items[at].value.integer : -1;
}

/* ---- AMD ---- */

static const struct {
  const char *key, *name;
} metadata[] = {
    {" .vgpr_count:", "vgpr_count"},
    {" .agpr_count:", "agpr_count"},
    {" .sgpr_count:", "sgpr_count"},
    {" .vgpr_spill_count:", "vgpr_spill_count"},
    {" .sgpr_spill_count:", "sgpr_spill_count"},
    {" .group_segment_fixed_size:", "shared_bytes"},
    {" .private_segment_fixed_size:", "private_bytes"},
    {" .max_flat_workgroup_size:", "threads"},
};

static void read_assembly(const char *path, const char *text, struct hone__iree_costs *costs)
{
  const char *begin = strstr(text, "amdhsa.kernels:");

  (void)path;
  for (size_t i = 0; begin && i < sizeof metadata / sizeof *metadata; i++)
    for (const char *at = begin; (at = strstr(at, metadata[i].key)) != NULL;) {
      at += strlen(metadata[i].key);
      hone__iree_cost_note(costs, metadata[i].name, strtoll(at, NULL, 10));
    }
}

/* ---- NVIDIA ---- */

/* .shared .align 16 .b8 name[1234]; external ones have no size here. */
static void read_shared(const char *text, struct hone__iree_costs *costs)
{
  static const char mark[] = ".shared .align ";
  int64_t sum = 0;

  for (const char *at = text; (at = strstr(at, mark)) != NULL; at++) {
    size_t length = strcspn(at, ";\n");
    const char *bracket = memchr(at, '[', length);
    if (bracket) sum += strtoll(bracket + 1, NULL, 10);
  }
  if (sum) hone__iree_cost_note(costs, "shared_bytes", sum);
}

static const char *find_ptxas(void)
{
  const char *given = getenv("HONE_PTXAS");

  return given && *given ? given : "ptxas";
}

static int64_t number_before(const char *text, const char *words)
{
  const char *at = text ? strstr(text, words) : NULL;

  if (!at) return -1;
  while (at > text && at[-1] >= '0' && at[-1] <= '9')
    at--;
  return strtoll(at, NULL, 10);
}

/* "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads", "Used 126 registers" */
static void read_ptxas(const char *log, struct hone__iree_costs *costs)
{
  int64_t registers = number_before(log, " registers"),
          stores = number_before(log, " bytes spill stores"),
          loads = number_before(log, " bytes spill loads"),
          stack = number_before(log, " bytes stack frame");

  if (registers >= 0) hone__iree_cost_note(costs, "registers", registers);
  if (stores >= 0 && loads >= 0) hone__iree_cost_note(costs, "spill_bytes", stores + loads);
  if (stack >= 0) hone__iree_cost_note(costs, "stack_bytes", stack);
}

/* Without ptxas, or with one that does not support the target, costs are unknown. */
static void ask_ptxas(const char *path, const char *text, struct hone__iree_costs *costs)
{
  const char *target = strstr(text, ".target ");
  char arch[40];
  const char *argv[] = {find_ptxas(), arch, "-v", path, "-o", "/dev/null", NULL};
  struct hone__child_options options = {.argv = argv, .timeout_s = ptxas_s};
  struct hone__child_result result;

  if (!target) return;
  target += strlen(".target ");
  snprintf(arch, sizeof arch, "-arch=%.*s",
           (int)strspn(target, "abcdefghijklmnopqrstuvwxyz_0123456789"), target);
  hone__child_run(&options, &result);
  if (result.end == HONE__CHILD_EXITED && result.code == 0) read_ptxas(result.output.data, costs);
  hone__child_result_release(&result);
}

static void read_ptx(const char *path, const char *text, struct hone__iree_costs *costs)
{
  read_shared(text, costs);
  ask_ptxas(path, text, costs);
}

/* ---- Files ---- */

static const struct {
  const char *suffix;
  void (*read)(const char *path, const char *text, struct hone__iree_costs *costs);
} kinds[] = {{".rocmasm", read_assembly}, {".ptx", read_ptx}};

static void read_file(const char *folder, const char *name, struct hone__iree_costs *costs)
{
  struct hone__text path = {0};
  char *text = NULL;
  size_t size = 0;

  hone__text_addf(&path, "%s/%s", folder, name);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    hone_status status;
    if (!hone__ends_with(name, kinds[i].suffix)) continue;
    status = hone__file_read(path.data, MOST_FILE_BYTES, &text, &size);
    if (!status) kinds[i].read(path.data, text, costs);
    hone_status_free(status);
    break;
  }
  free(text);
  hone__text_release(&path);
}

void hone__iree_costs_read(const char *folder, struct hone__iree_costs *costs)
{
  DIR *dir = opendir(folder);
  const struct dirent *entry;
  size_t seen = 0;

  while (dir && seen++ < MOST_FILES && (entry = readdir(dir)) != NULL)
    read_file(folder, entry->d_name, costs);
  if (dir) closedir(dir);
}
