/* Any bytes as a kernel's source: the YAML must stand in the source where the map says, and its
 * diagnostics must find their lines there. */
#include "spec/annotation.h"
#include "spec/yaml.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The rest of the source from a line and column on; lines only ever grow. */
static const char *find(const char **line_start, uint32_t *line, const char *end,
                        const struct hone__source_origin *origin, size_t length)
{
  for (; *line < origin->line; ++*line) {
    const char *newline = memchr(*line_start, '\n', (size_t)(end - *line_start));
    if (!newline) abort();
    *line_start = newline + 1;
  }
  if (*line != origin->line || (size_t)(end - *line_start) < origin->column_shift + length) abort();
  return *line_start + origin->column_shift;
}

static void check_map(const struct hone__source *source, const char *yaml, size_t size)
{
  const char *line_start = source->text, *end = source->text + source->size;
  uint32_t line = 1;

  for (size_t i = 0; i < source->line_count; i++) {
    const char *newline = memchr(yaml, '\n', size);
    size_t length = newline ? (size_t)(newline - yaml) : size;
    if (!newline != (i + 1 == source->line_count)) abort();
    if (memcmp(find(&line_start, &line, end, &source->line_map[i], length), yaml, length) != 0)
      abort();
    yaml += length + (newline != NULL);
    size -= length + (newline != NULL);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct hone__source source = {.path = "fuzz", .text = (const char *)data, .size = size};
  struct hone__diagnostics diagnostics = {0};
  struct hone__arena arena = {0};
  struct hone__node *root;
  size_t yaml_size;
  char *yaml;

  hone__annotation_extract(source.text, size, &source, &arena, &diagnostics, &yaml, &yaml_size,
                           &source.line_map, &source.line_count);
  if (!yaml != !source.line_map || (yaml && diagnostics.count)) abort();
  if (yaml) {
    check_map(&source, yaml, yaml_size);
    hone__yaml_parse(yaml, yaml_size, &source, &arena, &diagnostics, &root);
  }
  free(hone__diagnostics_text(&diagnostics, HONE__ERROR));
  hone__diagnostics_release(&diagnostics);
  hone__arena_release(&arena);
  return 0;
}
