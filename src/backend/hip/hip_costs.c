/* Everything is in the metadata of the code object. */
#include "backend/hip/hip_costs.h"

#include "backend/hip/hip_code.h"

#include <stddef.h>
#include <stdlib.h>

enum { BYTES_OF_REGISTER = 4 };

static const struct {
  const char *name;
  size_t offset;
  int factor;
} costs_of[] = {
    {"registers", offsetof(struct hone__hip_kernel, vgprs), 1},
    {"sgprs", offsetof(struct hone__hip_kernel, sgprs), 1},
    {"agprs", offsetof(struct hone__hip_kernel, agprs), 1},
    {"spills", offsetof(struct hone__hip_kernel, vgpr_spills), BYTES_OF_REGISTER},
    {"sgpr_spills", offsetof(struct hone__hip_kernel, sgpr_spills), 1},
    {"shared_bytes", offsetof(struct hone__hip_kernel, shared_bytes), 1},
    {"local_bytes", offsetof(struct hone__hip_kernel, local_bytes), 1},
    {"wave_size", offsetof(struct hone__hip_kernel, wave_size), 1},
};

void hone__hip_costs(const void *code, size_t size, const char *name, const char *log,
                     struct hone__named_list *costs)
{
  struct hone__hip_kernel *kernel = hone__alloc(sizeof *kernel);
  bool is_known = hone__hip_code_kernel(code, size, name, kernel);

  (void)log;
  for (size_t i = 0; is_known && i < sizeof costs_of / sizeof *costs_of; i++) {
    int64_t value = *(const int64_t *)(const void *)((const char *)kernel + costs_of[i].offset);
    if (value >= 0) hone__named_int(costs, costs_of[i].name, value * costs_of[i].factor);
  }
  hone__named_int(costs, "binary_bytes", (int64_t)size);
  free(kernel);
}
