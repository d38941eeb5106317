/* The options that a program in Python takes: `parser.add_argument("--tile", type=int, default=16)`
 * is a parameter that is passed as --tile=16. A constant, `TILE = 16`, cannot be set from outside.
 */
#include "sketch/sketch.h"

#include <ctype.h>

static const char *const adder = "add_argument(";

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

/* ---- Functions ---- */

/* The end of one parameter in a list of them: a comma in no brackets, or the last bracket. */
static const char *parameter_end(const char *at)
{
  for (int depth = 0; *at; at++) {
    if (!depth && (*at == ',' || *at == ')')) return at;
    depth += (strchr("([{", *at) != NULL) - (strchr(")]}", *at) != NULL);
  }
  return at;
}

/* `tile=16`, `tile: int = 16`: the default; NULL: there is none. */
static const char *default_in(const char *at, const char *end)
{
  const char *mark = memchr(at, '=', (size_t)(end - at));

  return mark ? mark + 1 + strspn(mark + 1, " ") : NULL;
}

struct call {
  struct hone__text words, missing;
};

static void add_word(struct hone__text *text, const char *word)
{
  if (text->length) hone__text_add(text, ", ");
  hone__text_add(text, word);
}

/* A number that is no fraction, or a word, is a knob; any other default stays what it is. */
static void add_parameter(struct hone__sketch *sketch, const char *at, const char *end,
                          struct call *call)
{
  size_t length = hone__text_word_length(at);
  const char *given = default_in(at, end), *value = given ? literal_at(sketch, given) : NULL;
  const char *name = hone__arena_strndup(&sketch->arena, at, length);

  if (!length) return; /* `*`, `**options` */
  if (!given) {
    add_word(&call->words, "TODO");
    add_word(&call->missing, name);
  } else if (value && !hone__sketch_is_fraction(value)) {
    const char *quote = strchr("\"'", *given) ? "'" : "";
    add_word(&call->words,
             hone__arena_printf(&sketch->arena, "%s=%s{%s}%s", name, quote, name, quote));
    hone__sketch_add(sketch, HONE__SKETCH_KEYWORD, at, length, line_of(sketch->text, at))->value =
        value;
  }
}

/* `def NAME(...)` in the first column. */
static void read_function(struct hone__sketch *sketch, const char *name)
{
  size_t length = hone__text_word_length(name), known = sketch->knob_count;
  const char *at = name + length;
  struct call call = {0};

  if (*at != '(') return;
  for (at++; *at; at = *parameter_end(at) == ',' ? parameter_end(at) + 1 : "") {
    at += strspn(at, " \t\r\n");
    add_parameter(sketch, at, parameter_end(at), &call);
  }
  if (sketch->knob_count > known) {
    sketch->call =
        hone__arena_printf(&sketch->arena, "['%.*s'](%s)", (int)length, name, call.words.data);
    sketch->missing =
        hone__arena_printf(&sketch->arena, "%s", call.missing.data ? call.missing.data : "");
  }
  hone__text_release(&call.words);
  hone__text_release(&call.missing);
}

/* The last function with a knob among its arguments. Those of Triton and TileLang cannot be called
 * like this. */
static void find_function(struct hone__sketch *sketch)
{
  if (strstr(sketch->text, "triton") || strstr(sketch->text, "tilelang")) return;
  for (const char *line = sketch->text; line; line = line_after(line)) {
    size_t known = sketch->knob_count;
    if (strncmp(line, "def ", strlen("def ")) != 0) continue;
    read_function(sketch, line + strlen("def "));
    if (!known || sketch->knob_count == known) continue;
    memmove(sketch->knobs, sketch->knobs + known,
            (sketch->knob_count - known) * sizeof *sketch->knobs);
    sketch->knob_count -= known;
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

/* A path, a name: nothing tells its values. */
static bool is_open(const char *at, const char *end)
{
  return !find_within(at, end, "type=int") && !find_within(at, end, "type=float");
}

static void add_option(struct hone__sketch *sketch, const char *at, const char *end,
                       const char *name)
{
  const char *value = default_of(sketch, at, end), *values = choices_of(sketch, at, end);
  bool is_needed = find_within(at, end, "required=True") != NULL;
  struct hone__sketch_knob *knob;

  if (!value && !values && is_open(at, end)) {
    if (!is_needed) return;
    value = values = "TODO";
  }
  knob = hone__sketch_add(sketch, HONE__SKETCH_OPTION, name, strcspn(name, "\"'"),
                          line_of(sketch->text, at));
  knob->value = value;
  knob->values = values;
  if (is_needed) knob->where = "an option that it needs";
}

/* "image" of `add_argument("image")`; NULL: it is an option, or may be left out. */
static const char *word_in(struct hone__sketch *sketch, const char *at, const char *end)
{
  const char *number = find_within(at, end, "nargs=");

  if (!*at || !strchr("\"'", *at) || at[1] == '-') return NULL;
  if (number && *number && (number[1] == '?' || number[1] == '*')) return NULL;
  return literal_at(sketch, at);
}

void hone__sketch_find_options(struct hone__sketch *sketch)
{
  struct hone__text words = {0};

  for (const char *at = strstr(sketch->text, adder); at; at = strstr(at, adder)) {
    const char *begin = at + strlen(adder) + strspn(at + strlen(adder), " \r\n\t");
    const char *end = end_of(begin), *name = find_within(begin, end, "--");
    const char *word = word_in(sketch, begin, end);
    if (word)
      add_word(&words, word);
    else if (name && !find_within(begin, end, "action=")) /* a flag takes no value */
      add_option(sketch, at, end, name);
    at = end;
  }
  sketch->missing = hone__arena_strdup(&sketch->arena, words.data ? words.data : "");
  hone__text_release(&words);
  if (!sketch->knob_count) find_function(sketch);
  if (!sketch->knob_count) find_constants(sketch);
}
