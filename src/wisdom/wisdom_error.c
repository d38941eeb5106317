/* Messages: "a.wisdom:3:12: what is wrong, and what to do". */
#include "wisdom/wisdom_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void find_place(const struct hone__wisdom_source *source, size_t offset,
                       struct hone_wisdom_error *error)
{
  error->line = error->column = 1;
  for (size_t i = 0; i < offset && i < source->size; i++) {
    error->column++;
    if (source->text[i] != '\n') continue;
    error->line++;
    error->column = 1;
  }
}

enum hone_wisdom_code hone__wisdom_fail(const struct hone__wisdom_source *source, size_t offset,
                                        struct hone_wisdom_error *error, enum hone_wisdom_code code,
                                        const char *format, ...)
{
  size_t used;
  va_list args;

  if (!error) return code;
  *error = (struct hone_wisdom_error){.code = code};
  if (offset != SIZE_MAX) find_place(source, offset, error);
  if (error->line)
    snprintf(error->message, sizeof error->message, "%.200s:%zu:%zu: ", source->name, error->line,
             error->column);
  used = strlen(error->message);
  va_start(args, format);
  vsnprintf(error->message + used, sizeof error->message - used, format, args);
  va_end(args);
  return code;
}

enum hone_wisdom_code hone__wisdom_no_memory(const struct hone__wisdom_source *source,
                                             struct hone_wisdom_error *error)
{
  return hone__wisdom_fail(source, SIZE_MAX, error, HONE_WISDOM_NO_MEMORY,
                           "not enough memory for the wisdom file '%.200s'", source->name);
}
