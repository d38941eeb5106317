/* The options that a program in Python takes: `parser.add_argument("--tile", type=int, default=16)`
 * is a parameter that is passed as --tile=16. */
#include "sketch/sketch.h"

static const char *const call = "add_argument(";

/* The end of the call's brackets; of the text, if they are not closed. */
static const char *end_of(const char *at)
{
  int depth = 1;

  for (; *at && depth; at++)
    depth += (*at == '(') - (*at == ')');
  return at;
}

static const char *find_within(const char *at, const char *end, const char *words)
{
  const char *found = strstr(at, words);

  return found && found < end ? found + strlen(words) : NULL;
}

/* `default=16`, `default="fast"`. */
static const char *default_of(struct hone__sketch *sketch, const char *at, const char *end)
{
  const char *value = find_within(at, end, "default=");
  size_t length;

  if (!value) return NULL;
  value += strspn(value, "\"'");
  length = strcspn(value, "\"',)\n ");
  return length ? hone__arena_strndup(&sketch->arena, value, length) : NULL;
}

static int line_of(const char *text, const char *at)
{
  int line = 1;

  for (; text < at; text++)
    line += *text == '\n';
  return line;
}

void hone__sketch_find_options(struct hone__sketch *sketch)
{
  for (const char *at = strstr(sketch->text, call); at; at = strstr(at, call)) {
    const char *begin = at + strlen(call), *end = end_of(begin);
    const char *name = find_within(begin, end, "--");
    size_t length = name ? strcspn(name, "\"'") : 0;
    if (length && !find_within(begin, end, "action=")) /* a flag takes no value */
      hone__sketch_add(sketch, HONE__SKETCH_OPTION, name, length, line_of(sketch->text, at))
          ->value = default_of(sketch, begin, end);
    at = end;
  }
}
