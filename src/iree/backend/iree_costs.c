/* Compilers tell what a kernel takes in their own files: AMD's in the metadata behind the assembly,
 * NVIDIA's when ptxas is asked. */
#include "iree/backend/iree_costs.h"

#include "base/file.h"
#include "base/text.h"
#include "proc/child.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_FILE_BYTES = 1 << 26, MOST_FILES = 64 };
static const double ptxas_s = 30;

static void note_cost(json_t *costs, const char *name, json_int_t value)
{
  const json_t *known = json_object_get(costs, name);

  if (!known || json_integer_value(known) < value)
    json_object_set_new(costs, name, json_integer(value));
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

static void read_assembly(const char *path, const char *text, json_t *costs)
{
  const char *begin = strstr(text, "amdhsa.kernels:");

  (void)path;
  for (size_t i = 0; begin && i < sizeof metadata / sizeof *metadata; i++)
    for (const char *at = begin; (at = strstr(at, metadata[i].key)) != NULL;) {
      at += strlen(metadata[i].key);
      note_cost(costs, metadata[i].name, strtoll(at, NULL, 10));
    }
}

/* ---- NVIDIA ---- */

/* .shared .align 16 .b8 name[1234]; external ones have no size here. */
static void read_shared(const char *text, json_t *costs)
{
  static const char mark[] = ".shared .align ";
  json_int_t sum = 0;

  for (const char *at = text; (at = strstr(at, mark)) != NULL; at++) {
    size_t length = strcspn(at, ";\n");
    const char *bracket = memchr(at, '[', length);
    if (bracket) sum += strtoll(bracket + 1, NULL, 10);
  }
  if (sum) note_cost(costs, "shared_bytes", sum);
}

static const char *find_ptxas(void)
{
  const char *given = getenv("HONE_PTXAS");

  return given && *given ? given : "ptxas";
}

static json_int_t number_before(const char *text, const char *words)
{
  const char *at = text ? strstr(text, words) : NULL;

  if (!at) return -1;
  while (at > text && at[-1] >= '0' && at[-1] <= '9')
    at--;
  return strtoll(at, NULL, 10);
}

/* "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads", "Used 126 registers" */
static void read_ptxas(const char *said, json_t *costs)
{
  json_int_t registers = number_before(said, " registers"),
             stores = number_before(said, " bytes spill stores"),
             loads = number_before(said, " bytes spill loads"),
             stack = number_before(said, " bytes stack frame");

  if (registers >= 0) note_cost(costs, "registers", registers);
  if (stores >= 0 && loads >= 0) note_cost(costs, "spill_bytes", stores + loads);
  if (stack >= 0) note_cost(costs, "stack_bytes", stack);
}

/* Where there is no ptxas, or one that does not know the target, nothing is known. */
static void ask_ptxas(const char *path, const char *text, json_t *costs)
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

static void read_ptx(const char *path, const char *text, json_t *costs)
{
  read_shared(text, costs);
  ask_ptxas(path, text, costs);
}

/* ---- Files ---- */

static const struct {
  const char *suffix;
  void (*read)(const char *path, const char *text, json_t *costs);
} kinds[] = {{".rocmasm", read_assembly}, {".ptx", read_ptx}};

static void read_file(const char *folder, const char *name, json_t *costs)
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

void hone__iree_costs_read(const char *folder, json_t *costs)
{
  DIR *dir = opendir(folder);
  const struct dirent *entry;
  size_t seen = 0;

  while (dir && seen++ < MOST_FILES && (entry = readdir(dir)) != NULL)
    read_file(folder, entry->d_name, costs);
  if (dir) closedir(dir);
}
