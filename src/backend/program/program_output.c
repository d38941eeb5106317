/* The output of a program is read from its end: the last result counts. It becomes a table with
 * kbench's columns: name, met (ms), iters.
 */
#include "backend/program/program_result.h"
#include "base/time_unit.h"
#include "base/number.h"
#include "base/time_bounds.h"

#include <jansson.h>
#include <math.h>

struct reader {
  const struct hone__program_terms *terms;
  struct hone__program_table *table;
  struct hone__text *why;
};

struct line {
  const char *begin, *end; /* without blanks around it */
};

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The last line of [begin, end) with anything on it; false: there is none. */
static bool last_line(const char *begin, const char *end, struct line *out_line)
{
  while (end > begin && is_blank(end[-1]))
    end--;
  out_line->end = out_line->begin = end;
  while (out_line->begin > begin && out_line->begin[-1] != '\n')
    out_line->begin--;
  while (out_line->begin < end && is_blank(*out_line->begin))
    out_line->begin++;
  return out_line->begin < end;
}

static enum hone__program_reading refuse(const struct reader *reader, const char *what,
                                         size_t length)
{
  hone__text_addf(reader->why, "%sits output is '%.*s', which is not a valid time",
                  reader->why->length ? "; " : "", (int)(length < 80 ? length : 80), what);
  return HONE__READ_WRONG;
}

/* ---- A JSON object ---- */

struct time_key {
  const char *key; /* NULL: none */
  json_t *value;
  double unit_ns;
  bool is_met; /* its own name and number stay */
};

static struct time_key find_key(json_t *object, double bare_ns)
{
  static const char *const words[] = {"met", "time", "times"};
  const char *key;
  json_t *value;

  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    json_object_foreach(object, key, value)
    {
      double unit_ns = hone__time_column_ns(key, words[i], bare_ns);
      if (unit_ns > 0)
        return (struct time_key){.key = key, .value = value, .unit_ns = unit_ns, .is_met = i == 0};
    }
  }
  return (struct time_key){0};
}

static const char *name_of(const struct reader *reader, const json_t *object)
{
  const char *name = json_string_value(json_object_get(object, "name"));

  return name && strcmp(name, "-") != 0 ? name : reader->terms->name;
}

static void set(const struct reader *reader, const char *column, struct hone__table_cell cell)
{
  hone__program_table_set(reader->table, hone__program_table_column(reader->table, column, 0),
                          cell);
}

static struct hone__table_cell real_cell(double number)
{
  return (struct hone__table_cell){.kind = HONE__CELL_REAL, .real = number};
}

static struct hone__table_cell int_cell(int64_t number)
{
  return (struct hone__table_cell){.kind = HONE__CELL_INT, .integer = number};
}

static struct hone__table_cell number_cell(const json_t *number)
{
  return json_is_integer(number) ? int_cell(json_integer_value(number))
                                 : real_cell(json_real_value(number));
}

static void begin_row(const struct reader *reader, const char *name, double ns, const char *column,
                      struct hone__table_cell time, struct hone__table_cell iters)
{
  hone__program_table_row(reader->table, name, ns);
  set(reader, "name", (struct hone__table_cell){.text = name});
  set(reader, column, time);
  set(reader, "iters", iters);
}

/* Every other number becomes a column. */
static void add_numbers(const struct reader *reader, json_t *object, const char *time)
{
  const char *key;
  json_t *value;

  if (reader->table->row_count > HONE__PROGRAM_MOST_ROWS) return; /* this one is not kept */
  json_object_foreach(object, key, value)
  {
    bool is_known = strcmp(key, time) == 0 || strcmp(key, "name") == 0 || strcmp(key, "iters") == 0;
    if (!is_known && json_is_number(value)) set(reader, key, number_cell(value));
  }
}

static bool take_time(const struct reader *reader, json_t *object, const struct time_key *key,
                      json_t *value)
{
  json_t *iters = json_object_get(object, "iters");
  double ns = key->unit_ns * (json_is_number(value) ? json_number_value(value) : NAN);

  if (!hone__is_time(ns)) return false;
  begin_row(reader, name_of(reader, object), ns, key->is_met ? key->key : "met (ms)",
            key->is_met ? number_cell(value) : real_cell(ns / 1e6),
            json_is_number(iters) ? number_cell(iters) : int_cell(1));
  add_numbers(reader, object, key->key);
  return true;
}

static bool take_times(const struct reader *reader, json_t *object, const struct time_key *key)
{
  size_t count = json_array_size(key->value);
  bool good = count > 0;

  if (!json_is_array(key->value)) return take_time(reader, object, key, key->value);
  for (size_t i = 0; i < count && good; i++)
    good = take_time(reader, object, key, json_array_get(key->value, i));
  return good;
}

/* NaN and Infinity are not JSON, but some programs write them: the line was meant as JSON. */
static bool is_meant(const struct line *line)
{
  size_t size = (size_t)(line->end - line->begin);

  return line->end[-1] == '}' &&
         (memmem(line->begin, size, "\"time", 5) || memmem(line->begin, size, "\"met", 4));
}

static enum hone__program_reading read_object(const struct reader *reader, const struct line *line)
{
  size_t size = (size_t)(line->end - line->begin);
  json_t *object = json_loadb(line->begin, size, 0, NULL);
  struct time_key key = find_key(object, reader->terms->unit_ns);
  enum hone__program_reading reading = HONE__READ_NOTHING;

  if (key.key && json_object_size(object) > HONE__PROGRAM_MOST_COLUMNS) {
    hone__text_addf(reader->why, "its output has a line of JSON with %zu keys: the limit is %d",
                    json_object_size(object), HONE__PROGRAM_MOST_COLUMNS);
    json_decref(object);
    return HONE__READ_WRONG;
  }
  if (key.key) reading = take_times(reader, object, &key) ? HONE__READ_TIMES : HONE__READ_WRONG;
  if (reading == HONE__READ_WRONG || (!object && is_meant(line)))
    reading = refuse(reader, line->begin, size);
  json_decref(object);
  return reading;
}

static enum hone__program_reading read_objects(const struct reader *reader,
                                               const struct hone__text *output)
{
  enum hone__program_reading reading = HONE__READ_NOTHING;
  struct line line = {.begin = output->data + output->length};

  while (reading == HONE__READ_NOTHING && last_line(output->data, line.begin, &line))
    if (*line.begin == '{') reading = read_object(reader, &line);
  return reading;
}

/* ---- A number ---- */

static bool is_number(const char *text)
{
  static const char *const words[] = {"nan", "inf", "-nan", "-inf", "NaN", "Inf", "-NaN", "-Inf"};

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (hone__starts_with(text, words[i])) return true;
  text += *text == '-' || *text == '+';
  text += *text == '.';
  return *text >= '0' && *text <= '9' && text[1] != 'x' && text[1] != 'X';
}

static enum hone__program_reading read_number(const struct reader *reader, const char *text)
{
  char *end;
  double number, unit_ns, ns;

  if (!is_number(text)) return HONE__READ_NOTHING;
  number = hone__strtod(text, &end);
  end += strspn(end, " \t");
  unit_ns = *end ? hone__time_unit_ns(end, strlen(end)) : reader->terms->unit_ns;
  if (!(unit_ns > 0)) return HONE__READ_NOTHING;
  ns = number * unit_ns;
  if (!hone__is_time(ns)) return refuse(reader, text, strlen(text));
  begin_row(reader, reader->terms->name, ns, "met (ms)", real_cell(ns / 1e6), int_cell(1));
  return HONE__READ_TIMES;
}

static enum hone__program_reading read_last_line(const struct reader *reader,
                                                 const struct hone__text *output)
{
  struct hone__text text = {0};
  struct line line;
  enum hone__program_reading reading;

  if (!last_line(output->data, output->data + output->length, &line)) return HONE__READ_NOTHING;
  hone__text_addn(&text, line.begin, (size_t)(line.end - line.begin));
  reading = read_number(reader, text.data);
  hone__text_release(&text);
  return reading;
}

enum hone__program_reading hone__program_read_output(const struct hone__text *output,
                                                     const struct hone__program_terms *terms,
                                                     struct hone__program_table *table,
                                                     struct hone__text *why)
{
  struct reader reader = {.terms = terms, .table = table, .why = why};
  enum hone__program_reading reading = HONE__READ_NOTHING;

  if (!output->length) return reading;
  reading = read_objects(&reader, output);
  return reading == HONE__READ_NOTHING ? read_last_line(&reader, output) : reading;
}
