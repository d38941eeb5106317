/* Only the compiler knows a template's name in the cubin, so the object carries it. */
#include "backend/simt/simt_object.h"

#include <stdint.h>
#include <stdlib.h>

enum { MAGIC_SIZE = 8, TAIL_SIZE = MAGIC_SIZE + 4, LONGEST_NAME = 1 << 20 };
static const char magic[MAGIC_SIZE + 1] = "honecuda";

void hone__simt_object_finish(struct hone__text *code, const char *name)
{
  size_t length = strlen(name);
  char size[4];

  for (int i = 0; i < 4; i++)
    size[i] = (char)(length >> (8 * i) & 0xff);
  hone__text_addn(code, name, length);
  hone__text_addn(code, size, sizeof size);
  hone__text_addn(code, magic, MAGIC_SIZE);
}

bool hone__simt_object_read(const void *object, size_t size, struct hone__simt_object *out_object)
{
  const unsigned char *bytes = object, *tail = bytes + (size < TAIL_SIZE ? 0 : size - TAIL_SIZE);
  size_t length = 0;

  *out_object = (struct hone__simt_object){0};
  if (size < TAIL_SIZE || memcmp(tail + 4, magic, MAGIC_SIZE) != 0) return false;
  for (int i = 0; i < 4; i++)
    length |= (size_t)tail[i] << (8 * i);
  if (!length || length > LONGEST_NAME || length > size - TAIL_SIZE) return false;
  out_object->code_size = size - TAIL_SIZE - length;
  out_object->name = hone__alloc(length + 1);
  memcpy(out_object->name, tail - length, length);
  return true;
}

/* The line after this one; NULL: it is the last. */
static const char *next_line(const char *line)
{
  const char *end = strchr(line, '\n');

  return end ? end + 1 : NULL;
}

static bool line_is(const char *line, const char *text)
{
  size_t length = strlen(text);

  return strncmp(line, text, length) == 0 && (!line[length] || line[length] == '\n');
}

char *hone__simt_object_entry(const struct hone__simt_object *object, const char *entry)
{
  const char *line = object->name, *name;

  if (!line) return hone__strdup(entry);
  if (!strchr(line, '\n')) return hone__strdup(line);
  for (; line && (name = next_line(line)); line = next_line(name))
    if (line_is(line, entry)) return hone__strndup(name, strcspn(name, "\n"));
  return hone__strdup(entry);
}
