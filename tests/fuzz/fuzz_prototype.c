/* Any text as the source of a kernel: parameters are found or not, and nothing is read beyond it.
 */
#include "backend/prototype.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *source = hone__alloc(size + 1);
  struct hone__arena arena = {0};
  struct hone__prototype prototype;

  memcpy(source, data, size);
  if (hone__prototype_find(source, "f", &arena, &prototype))
    for (size_t i = 0; i < prototype.count; i++)
      if (!prototype.parameters[i].text || !prototype.parameters[i].name) abort();
  hone__arena_release(&arena);
  free(source);
  return 0;
}
