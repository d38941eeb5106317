#include "cluster/node_list.h"

#include "base/text.h"
#include "cluster/cluster.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_BRACKETS = 8 };

static hone_status expand(const char *text, size_t length, const char *before, int brackets,
                          struct hone__words *names);

static hone_status malformed(const char *list)
{
  return hone__error(HONE_INVALID_ARGUMENT, "'%s' is not a list of nodes", list);
}

/* The rest of the name after one value of a bracket. */
static hone_status continue_with(const char *before, const char *value, size_t value_length,
                                 const char *rest, size_t rest_length, int brackets,
                                 struct hone__words *names)
{
  struct hone__text start = {0};
  hone_status status;

  hone__text_add(&start, before);
  hone__text_addn(&start, value, value_length);
  status = expand(rest, rest_length, start.data, brackets + 1, names);
  hone__text_release(&start);
  return status;
}

/* "01-03" or "7", of `length`. */
static hone_status expand_range(const char *range, size_t length, const char *before,
                                const char *rest, size_t rest_length, int brackets,
                                struct hone__words *names)
{
  size_t digits = strspn(range, "0123456789");
  unsigned long first = strtoul(range, NULL, 10), last = first;
  hone_status status = NULL;

  if (digits == 0 || digits > length) return malformed(range);
  if (digits < length) {
    if (range[digits] != '-' || strspn(range + digits + 1, "0123456789") != length - digits - 1)
      return malformed(range);
    last = strtoul(range + digits + 1, NULL, 10);
  }
  if (last < first || last - first >= HONE__CLUSTER_MOST_WORKERS) return malformed(range);
  for (unsigned long i = first; i <= last && !status; i++) {
    char number[32];
    int size = snprintf(number, sizeof number, "%0*lu", (int)(digits < 20 ? digits : 20), i);
    status = continue_with(before, number, (size_t)size, rest, rest_length, brackets, names);
  }
  return status;
}

/* The ranges between '[' and ']'. */
static hone_status expand_bracket(const char *inside, size_t length, const char *before,
                                  const char *rest, size_t rest_length, int brackets,
                                  struct hone__words *names)
{
  hone_status status = NULL;
  size_t at = 0;

  if (!length) return malformed("[]");
  while (at < length && !status) {
    const char *comma = memchr(inside + at, ',', length - at);
    size_t size = comma ? (size_t)(comma - inside) - at : length - at;
    status = expand_range(inside + at, size, before, rest, rest_length, brackets, names);
    at += size + 1;
  }
  return status;
}

static hone_status expand(const char *text, size_t length, const char *before, int brackets,
                          struct hone__words *names)
{
  const char *open = memchr(text, '[', length), *close;
  struct hone__text start = {0};
  hone_status status;

  if (brackets > MOST_BRACKETS || names->count > HONE__CLUSTER_MOST_WORKERS) return malformed(text);
  hone__text_add(&start, before);
  hone__text_addn(&start, text, open ? (size_t)(open - text) : length);
  close = open ? memchr(open, ']', length - (size_t)(open - text)) : NULL;
  if (!open) {
    hone__words_add(names, start.data);
    status = NULL;
  } else if (!close) {
    status = malformed(text);
  } else {
    status = expand_bracket(open + 1, (size_t)(close - open) - 1, start.data, close + 1,
                            length - (size_t)(close + 1 - text), brackets, names);
  }
  hone__text_release(&start);
  return status;
}

/* Until the next comma outside brackets. */
static size_t item_length(const char *list)
{
  size_t depth = 0, i = 0;

  for (; list[i] && (depth || list[i] != ','); i++)
    depth += (list[i] == '[') - (size_t)(list[i] == ']' && depth);
  return i;
}

hone_status hone__cluster_expand_nodes(const char *list, struct hone__words *out_names)
{
  hone_status status = NULL;

  while (*list && !status) {
    size_t length = item_length(list);
    if (!length) return malformed(list);
    status = expand(list, length, "", 0, out_names);
    list += length + (list[length] == ',');
  }
  return status;
}

unsigned hone__cluster_count_of_node(const char *list, size_t node)
{
  while (list && isdigit((unsigned char)*list)) {
    char *end;
    unsigned long value = strtoul(list, &end, 10), times = 1;
    if (end[0] == '(' && end[1] == 'x') times = strtoul(end + 2, &end, 10);
    if (node < times) return (unsigned)value;
    node -= times;
    list = strchr(end, ',') ? strchr(end, ',') + 1 : NULL;
  }
  return 0;
}
