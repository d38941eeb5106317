/* knob_writer.c - an alternative is collected in parts, because generators add parameters,
 * constraints and texts in any order, and printed in a fixed, readable order.
 */
#include "iree/knobs/knob_writer.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- Parts ---- */

void hone__knobs_quote(struct hone__text *text, const char *string)
{
  hone__text_add(text, "'");
  for (; *string; string++) {
    if (*string == '\'') hone__text_add(text, "'");
    hone__text_addn(text, string, 1);
  }
  hone__text_add(text, "'");
}

static void add_item(struct hone__text *list, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
static void add_item(struct hone__text *list, const char *format, va_list args)
{
  struct hone__text item = {0};

  hone__text_vaddf(&item, format, args);
  hone__text_add(list, "    - ");
  hone__knobs_quote(list, item.data ? item.data : "");
  hone__text_add(list, "\n");
  hone__text_release(&item);
}

void hone__knobs_begin(struct hone__knob_writer *writer, const char *name)
{
  hone__knobs_drop(writer);
  hone__text_addf(&writer->head, "  - name: %s\n", name);
  hone__text_addf(&writer->params, "      pipeline: [%s]\n", name);
}

void hone__knobs_param(struct hone__knob_writer *writer, const char *name, const char *values, ...)
{
  va_list args;

  hone__text_addf(&writer->params, "      %s: ", name);
  va_start(args, values);
  hone__text_vaddf(&writer->params, values, args);
  va_end(args);
  hone__text_add(&writer->params, "\n");
}

void hone__knobs_values(struct hone__knob_writer *writer, const char *name, const int64_t *values,
                        size_t count)
{
  hone__text_addf(&writer->params, "      %s: [", name);
  for (size_t i = 0; i < count; i++)
    hone__text_addf(&writer->params, "%s%" PRId64, i ? ", " : "", values[i]);
  hone__text_add(&writer->params, "]\n");
}

void hone__knobs_range(struct hone__knob_writer *writer, const char *name, int64_t low,
                       int64_t high)
{
  if (high < low)
    hone__knobs_values(writer, name, NULL, 0);
  else
    hone__knobs_param(writer, name, "range(%" PRId64 ", %" PRId64 ")", low, high + 1);
}

void hone__knobs_divisors(struct hone__knob_writer *writer, const char *name, int64_t number,
                          int64_t step, int64_t high)
{
  const char *comma = "";

  hone__text_addf(&writer->params, "      %s: [", name);
  for (int64_t i = step; i <= high && i <= number; i += step)
    if (number % i == 0) {
      hone__text_addf(&writer->params, "%s%" PRId64, comma, i);
      comma = ", ";
    }
  hone__text_add(&writer->params, "]\n");
}

void hone__knobs_constraint(struct hone__knob_writer *writer, const char *format, ...)
{
  va_list args;

  va_start(args, format);
  add_item(&writer->constraints, format, args);
  va_end(args);
}

void hone__knobs_order(struct hone__knob_writer *writer, const char *format, ...)
{
  va_list args;

  va_start(args, format);
  add_item(&writer->order, format, args);
  va_end(args);
}

void hone__knobs_text(struct hone__knob_writer *writer, const char *key, const char *text)
{
  hone__text_addf(&writer->texts, "      %s: ", key);
  hone__knobs_quote(&writer->texts, text);
  hone__text_add(&writer->texts, "\n");
}

/* ---- The whole ---- */

static void add_part(struct hone__text *yaml, const char *key, const struct hone__text *part)
{
  if (!part->length) return;
  hone__text_addf(yaml, "    %s:\n", key);
  hone__text_addn(yaml, part->data, part->length);
}

void hone__knobs_end(struct hone__knob_writer *writer, struct hone__text *yaml)
{
  hone__text_addn(yaml, writer->head.data, writer->head.length);
  add_part(yaml, "params", &writer->params);
  add_part(yaml, "constraints", &writer->constraints);
  add_part(yaml, "texts", &writer->texts);
  add_part(yaml, "order", &writer->order);
  hone__knobs_drop(writer);
}

void hone__knobs_drop(struct hone__knob_writer *writer)
{
  hone__text_release(&writer->head);
  hone__text_release(&writer->params);
  hone__text_release(&writer->constraints);
  hone__text_release(&writer->texts);
  hone__text_release(&writer->order);
}

/* ---- Lists ---- */

static bool has_word(const struct hone__knob_options *options, const char *word, size_t length)
{
  for (size_t i = 0; i < options->count; i++)
    if (strlen(options->words[i]) == length && !memcmp(options->words[i], word, length))
      return true;
  return false;
}

static void add_word(struct hone__knob_options *options, const char *word, size_t length)
{
  char *copy;

  if (has_word(options, word, length)) return;
  copy = hone__alloc(length + 1);
  memcpy(copy, word, length);
  options->words[options->count++] = copy;
}

/* Words begin and end as in a list of YAML or of Python. */
static const char *const between = " \t[]";

bool hone__knob_options_read(const char *list, const char *fallback,
                             struct hone__knob_options *out_options)
{
  const char *at = list && *list ? list : fallback;
  const size_t room = sizeof out_options->words / sizeof *out_options->words;

  *out_options = (struct hone__knob_options){0};
  for (;; at++) {
    size_t length;

    at += strspn(at, between);
    length = strcspn(at, " \t[],");
    if (!length || out_options->count == room) goto bad;
    add_word(out_options, at, length);
    at += length;
    at += strspn(at, between);
    if (!*at) return true;
    if (*at != ',') goto bad;
  }
bad:
  hone__knob_options_release(out_options);
  return false;
}

void hone__knob_options_release(struct hone__knob_options *options)
{
  for (size_t i = 0; i < options->count; i++)
    free(options->words[i]);
  options->count = 0;
}

bool hone__knob_options_vary(const struct hone__knob_options *options)
{
  return options->count > 1;
}

void hone__knobs_options(struct hone__knob_writer *writer, const char *name,
                         const struct hone__knob_options *options)
{
  hone__text_addf(&writer->params, "      %s: [", name);
  for (size_t i = 0; i < options->count; i++)
    hone__text_addf(&writer->params, "%s%s", i ? ", " : "", options->words[i]);
  hone__text_add(&writer->params, "]\n");
}
