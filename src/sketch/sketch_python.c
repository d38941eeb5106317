/* The options that a program in Python takes: `parser.add_argument("--tile", type=int, default=16)`
 * is a parameter that is passed as --tile=16. A constant, `TILE = 16`, cannot be set from outside.
 */
#include "sketch/sketch.h"

#include <ctype.h>

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

static int line_of(const char *text, const char *at)
{
  int line = 1;

  for (; text < at; text++)
    line += *text == '\n';
  return line;
}

/* ---- Constants ---- */

/* `16`, `"fast"` without its quotes; NULL: neither a number nor a text. */
static const char *literal_at(struct hone__sketch *sketch, const char *at)
{
  size_t quotes = strspn(at, "\"'"), length = strcspn(at + quotes, "\"',)#\r\n ");

  if (!length || (!quotes && !isdigit((unsigned char)*at))) return NULL;
  return hone__arena_strndup(&sketch->arena, at + quotes, length);
}

/* The value of a line `NAME = VALUE`; NULL: it is another line. */
static const char *value_in(struct hone__sketch *sketch, const char *line, size_t name)
{
  line += name;
  line += strspn(line, " ");
  if (*line != '=' || line[1] == '=') return NULL;
  line += 1;
  return literal_at(sketch, line + strspn(line, " "));
}

/* NULL: it is the last one. */
static const char *line_after(const char *line)
{
  const char *end = strchr(line, '\n');

  return end ? end + 1 : NULL;
}

/* What a name stands for: `TILE` of `TILE = 16`; NULL: no line of the file says it. */
static const char *constant_of(struct hone__sketch *sketch, const char *name, size_t length)
{
  for (const char *line = sketch->text; line; line = line_after(line)) {
    const char *value = hone__text_word_length(line) == length && memcmp(line, name, length) == 0
                            ? value_in(sketch, line, length)
                            : NULL;
    if (value) return value;
  }
  return NULL;
}

/* Names in capitals; others are variables. */
static bool is_constant_name(const char *name, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (islower((unsigned char)name[i])) return false;
  return length > 0 && isupper((unsigned char)*name);
}

static void find_constants(struct hone__sketch *sketch)
{
  for (const char *line = sketch->text; line; line = line_after(line)) {
    size_t length = hone__text_word_length(line);
    const char *value = is_constant_name(line, length) ? value_in(sketch, line, length) : NULL;
    if (value)
      hone__sketch_add(sketch, HONE__SKETCH_CONSTANT, line, length, line_of(sketch->text, line))
          ->value = value;
  }
}

/* ---- Options ---- */

/* `default=16`, `default="fast"`, `default=TILE`. */
static const char *default_of(struct hone__sketch *sketch, const char *at, const char *end)
{
  const char *value = find_within(at, end, "default=");
  const char *literal = value ? literal_at(sketch, value) : NULL;

  return !value || literal ? literal : constant_of(sketch, value, hone__text_word_length(value));
}

/* `choices=[1, 2]`: what stands between the brackets. */
static const char *choices_of(struct hone__sketch *sketch, const char *at, const char *end)
{
  const char *list = find_within(at, end, "choices=");
  size_t length;

  if (!list || !strchr("[(", *list)) return NULL;
  length = strcspn(list + 1, "])\n");
  return length && list[1 + length] != '\n' ? hone__arena_strndup(&sketch->arena, list + 1, length)
                                            : NULL;
}

void hone__sketch_find_options(struct hone__sketch *sketch)
{
  for (const char *at = strstr(sketch->text, call); at; at = strstr(at, call)) {
    const char *begin = at + strlen(call), *end = end_of(begin);
    const char *name = find_within(begin, end, "--");
    size_t length = name ? strcspn(name, "\"'") : 0;
    if (length && !find_within(begin, end, "action=")) { /* a flag takes no value */
      struct hone__sketch_knob *knob =
          hone__sketch_add(sketch, HONE__SKETCH_OPTION, name, length, line_of(sketch->text, at));
      knob->value = default_of(sketch, begin, end);
      knob->values = choices_of(sketch, begin, end);
    }
    at = end;
  }
  if (!sketch->knob_count) find_constants(sketch);
}
