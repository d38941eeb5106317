/* Registers and memory are in the cubin. Spills are not: ptxas reports them, in a format that has
 * been stable for fifteen years:
 *
 *   ptxas info    : Function properties for NAME
 *       256 bytes stack frame, 8 bytes spill stores, 16 bytes spill loads
 */
#include "backend/cuda/cuda_costs.h"

#include "backend/cuda/cuda_cubin.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- The log ---- */

static const char *next_line(const char *line)
{
  line += strcspn(line, "\n");
  return *line ? line + 1 : line;
}

static bool line_has(const char *line, const char *words)
{
  const char *found = strstr(line, words);

  return found && found < next_line(line);
}

/* The line after that of this kernel's properties, or NULL. */
static const char *find_properties(const char *log, const char *kernel)
{
  static const char words[] = "Function properties for ";
  size_t length = strlen(kernel);

  for (const char *p = log; p && (p = strstr(p, words)); p++) {
    const char *name = p + strlen(words);
    if (strncmp(name, kernel, length) == 0 && strcspn(name, " \r\n") == length) return next_line(p);
  }
  return NULL;
}

static bool read_spills(const char *log, const char *kernel, long long *out_bytes)
{
  const char *line = find_properties(log, kernel);
  unsigned frame, stores, loads;

  if (!line || !line_has(line, " bytes stack frame")) return false;
  line += strcspn(line, "0123456789\n");
  if (sscanf(line, "%u bytes stack frame, %u bytes spill stores, %u bytes spill loads", &frame,
             &stores, &loads) != 3)
    return false;
  *out_bytes = (long long)stores + loads;
  return true;
}

/* "(C7508) Potential Performance Loss" is an info too, and worth reading. */
static bool is_report(const char *line)
{
  if (line_has(line, "(C")) return false;
  return strncmp(line, "ptxas info", 10) == 0 || line_has(line, " bytes stack frame, ");
}

void hone__cuda_log_strip(struct hone__text *log)
{
  struct hone__text kept = {0};

  for (const char *line = log->data; line && *line; line = next_line(line))
    if (!is_report(line)) hone__text_addn(&kept, line, (size_t)(next_line(line) - line));
  hone__text_release(log);
  *log = kept;
}

/* ---- Costs ---- */

void hone__cuda_costs(const void *cubin, size_t size, const char *name, const char *log,
                      struct hone__named_list *costs)
{
  struct hone__cubin_kernel *kernel = hone__alloc(sizeof *kernel);
  long long spills;

  if (hone__cubin_kernel(cubin, size, name, kernel)) {
    if (kernel->has_registers) hone__named_int(costs, "registers", kernel->registers);
    if (kernel->has_stack) hone__named_int(costs, "local_bytes", kernel->stack_bytes);
    hone__named_int(costs, "shared_bytes", kernel->shared_bytes);
    hone__named_int(costs, "const_bytes", kernel->const_bytes);
  }
  if (log && read_spills(log, name, &spills)) hone__named_int(costs, "spills", spills);
  hone__named_int(costs, "binary_bytes", (int64_t)size);
  free(kernel);
}
