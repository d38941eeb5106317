/* Vendors' tools count the GPUs; CUDA_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES name those that may
 * be used.
 */
#include "accelerators.h"

#include "hone_text.h"
#include "options.h"
#include "output.h"
#include "tool_output.h"

#include <stdlib.h>

const char *const accelerator_names[] = {"nvidia:sm_52",   "nvidia:sm_60",
                                         "nvidia:sm_61",   "nvidia:sm_75",
                                         "nvidia:sm_80",   "nvidia:sm_86",
                                         "nvidia:sm_87",   "nvidia:sm_89",
                                         "nvidia:sm_90",   "nvidia:sm_90a",
                                         "nvidia:sm_100",  "nvidia:sm_100a",
                                         "nvidia:sm_120",  "nvidia:sm_120a",
                                         "amdgpu:mi300x",  "amdgpu:mi355x",
                                         "amdgpu:gfx942",  "amdgpu:gfx950",
                                         "amdgpu:gfx1030", "amdgpu:gfx1033",
                                         "amdgpu:gfx1100", "amdgpu:gfx1101",
                                         "amdgpu:gfx1102", "amdgpu:gfx1103",
                                         "amdgpu:gfx1150", "amdgpu:gfx1151",
                                         "amdgpu:gfx1152", "amdgpu:gfx1200",
                                         "amdgpu:gfx1201", "metal:1",
                                         "metal:2",        "metal:3",
                                         "metal:4",        NULL};

struct vendor {
  const char *prefix;   /* of the names */
  const char *variable; /* names the devices that may be used */
  const char *count_command[4];
  const char *line; /* the start of a line that describes one GPU */
};

static const struct vendor vendors[] = {
    {.prefix = "nvidia:",
     .variable = "CUDA_VISIBLE_DEVICES",
     .count_command = {"nvidia-smi", "--query-gpu=name", "--format=csv,noheader"},
     .line = ""},
    {.prefix = "amdgpu:",
     .variable = "ROCR_VISIBLE_DEVICES",
     .count_command = {"rocm-smi", "--showproductname", "--csv"},
     .line = "card"},
};

static const struct vendor *find_vendor(const char *name)
{
  for (size_t i = 0; i < sizeof vendors / sizeof *vendors; i++)
    if (strncmp(name, vendors[i].prefix, strlen(vendors[i].prefix)) == 0) return &vendors[i];
  return NULL;
}

bool accelerator_check(const char *name)
{
  struct hone_nearest nearest = {.word = name};

  for (size_t i = 0; accelerator_names[i]; i++) {
    if (strcmp(accelerator_names[i], name) == 0) return true;
    hone_nearest_try(&nearest, accelerator_names[i]);
  }
  if (nearest.best)
    message_error("unknown target accelerator '%s'; did you mean '%s'?", name, nearest.best);
  else
    message_error("unknown target accelerator '%s': examples are nvidia:sm_90, amdgpu:mi300x and "
                  "metal:1; 'man hone-sweep' lists all",
                  name);
  return false;
}

/* ---- Which may be used ---- */

static bool has_word(const struct word_list *list, const char *word)
{
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->words[i], word) == 0) return true;
  return false;
}

/* The distinct words of the variable, which are parts of `*out_text`; none if it is not set. */
static void visible_devices(const struct vendor *vendor, struct word_list *out_list,
                            char **out_text)
{
  const char *value = getenv(vendor->variable);
  char *text = check_memory(strdup(value ? value : "")), *rest = text, *word;

  while ((word = strsep(&rest, ", \t")))
    if (*word && !has_word(out_list, word)) word_list_add(out_list, word);
  *out_text = text;
}

static size_t count_lines(const char *text, const char *begin)
{
  size_t count = 0;

  while (*text) {
    size_t length = strcspn(text, "\n");
    if (length && strncmp(text, begin, strlen(begin)) == 0) count++;
    text += length + (text[length] != 0);
  }
  return count;
}

bool accelerator_count(const char *name, size_t *out_count)
{
  const struct vendor *vendor = find_vendor(name);
  struct word_list visible = {0};
  char *text, *names;

  if (!vendor || !tool_output(vendor->count_command, &text)) return false;
  *out_count = count_lines(text, vendor->line);
  visible_devices(vendor, &visible, &names);
  if (visible.count && visible.count < *out_count) *out_count = visible.count;
  word_list_release(&visible);
  free(names);
  free(text);
  return true;
}

char *accelerator_devices(const char *name, size_t count)
{
  const struct vendor *vendor = find_vendor(name);
  struct word_list visible = {0};
  struct output list;
  char *names = NULL, *devices;

  if (vendor) visible_devices(vendor, &visible, &names);
  output_open(&list, OUTPUT_MEMORY, false);
  for (size_t i = 0; i < count; i++) {
    if (i) output_text(&list, ",");
    if (i < visible.count)
      output_format(&list, "program:gpu%s", visible.words[i]);
    else
      output_format(&list, "program:gpu%zu", i);
  }
  devices = check_memory(strndup(list.bytes, list.used));
  output_close(&list);
  word_list_release(&visible);
  free(names);
  return devices;
}
