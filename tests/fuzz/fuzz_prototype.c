/* Any text as the source of a kernel: parameters and functions are found or not, a first spec is
 * written or not, and nothing is read beyond it.
 */
#include "source/prototype.h"
#include "source/source_functions.h"
#include "sketch/sketch.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void sketch(const char *source)
{
  static const char *const files[] = {"k.c", "k.cpp", "k.cu", "k.cl", "k.py"};

  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    struct hone__text spec = {0};
    hone_status_free(hone__sketch_text(files[i], false, source, i == 1 ? "f" : NULL, &spec));
    hone__text_release(&spec);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *source = hone__alloc(size + 1);
  struct hone__arena arena = {0};
  struct hone__prototype prototype;
  struct hone__code_functions functions;

  memcpy(source, data, size);
  if (hone__prototype_find(source, "f", &arena, &prototype))
    for (size_t i = 0; i < prototype.count; i++)
      if (!prototype.parameters[i].text || !prototype.parameters[i].name) abort();
  for (int language = HONE__FUNCTIONS_C; language <= HONE__FUNCTIONS_OPENCL; language++) {
    hone__code_functions_find(source, (enum hone__code_language)language, &arena, &functions);
    for (size_t i = 0; i < functions.count; i++)
      if (!*functions.list[i].name || functions.list[i].line < 1) abort();
  }
  sketch(source);
  hone__arena_release(&arena);
  free(source);
  return 0;
}
