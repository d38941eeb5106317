/* The rows that explain a message.
 *
 * A row is `PATTERN`, `PATTERN` | what it means |, where ... in a pattern stands for anything. It
 * matches a text in which the parts of a pattern occur in order, or a text that is a part of the
 * pattern. The more letters match, the better. */
#include "message_rows.h"

#include "manual.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ROWS = 3, PATTERN_BYTES = 512, LEAST_LETTERS = 6 };

struct row {
  const char *begin, *end; /* of its line */
  size_t letters;          /* that match */
};

/* How much of the text the parts between the ... are; 0: it does not have all of them. */
static size_t count_letters(const char *pattern, const char *text)
{
  size_t letters = 0;

  if (strlen(text) >= LEAST_LETTERS && strstr(pattern, text)) return strlen(text);
  while (*pattern) {
    const char *gap = strstr(pattern, "..."), *found;
    size_t length = gap ? (size_t)(gap - pattern) : strlen(pattern);
    char part[PATTERN_BYTES];
    memcpy(part, pattern, length);
    part[length] = '\0';
    found = strstr(text, part);
    if (!found) return 0;
    letters += length;
    text = found + length;
    pattern += length + (gap ? strlen("...") : 0);
  }
  return letters;
}

static const char *end_of_cell(const char *line, const char *end)
{
  const char *p = line + 1;

  while (p < end && !(*p == '|' && p[-1] == ' ' && p[-2] == '`'))
    p++;
  return p;
}

static struct row judge(const char *line, const char *end, const char *text)
{
  struct row row = {line, end, 0};
  const char *p = line, *cell = end_of_cell(line, end);

  while ((p = memchr(p, '`', (size_t)(cell - p))) != NULL) {
    const char *last = memchr(p + 1, '`', (size_t)(cell - p - 1));
    char pattern[PATTERN_BYTES];
    size_t length = last ? (size_t)(last - p - 1) : 0, letters;
    if (!last || length >= sizeof pattern) break;
    memcpy(pattern, p + 1, length);
    pattern[length] = '\0';
    letters = count_letters(pattern, text);
    if (letters > row.letters) row.letters = letters;
    p = last + 1;
  }
  return row;
}

/* Keeps the best rows, best first. */
static void keep(struct row best[MOST_ROWS], struct row row)
{
  for (size_t i = 0; i < MOST_ROWS; i++) {
    struct row other = best[i];
    if (row.letters <= other.letters) continue;
    best[i] = row;
    row = other;
  }
}

static void look(const struct manual_page *page, const char *text, struct row best[MOST_ROWS])
{
  for (const char *line = page ? page->text : ""; *line;) {
    const char *end = line + strcspn(line, "\n");
    if (strncmp(line, "| `", 3) == 0) keep(best, judge(line, end, text));
    line = end + (*end != '\0');
  }
}

static void print_row(struct output *output, const struct row *row)
{
  const char *cell = end_of_cell(row->begin, row->end);
  const char *meaning = cell < row->end ? cell + 2 : row->end, *end = row->end;

  while (end > meaning && (end[-1] == '|' || end[-1] == ' '))
    end--;
  output_format(output, "%.*s\n", (int)(cell - row->begin - 3), row->begin + 2);
  output_format(output, "    %.*s\n", (int)(end - meaning), meaning);
}

static enum exit_code print_rows(const char *text)
{
  struct row best[MOST_ROWS] = {{NULL, NULL, LEAST_LETTERS - 1}};
  struct output output;

  for (size_t i = 1; i < MOST_ROWS; i++)
    best[i] = best[0];
  look(manual_find("messages"), text, best);
  look(manual_find("troubleshooting"), text, best);
  if (!best[0].begin) {
    message_error("no row of 'hone help messages' matches '%s'", text);
    return CLI_FAILED;
  }
  output_open(&output, STDOUT_FILENO, false);
  for (size_t i = 0; i < MOST_ROWS && best[i].begin; i++)
    if (2 * best[i].letters > best[0].letters) print_row(&output, &best[i]);
  return output_close(&output) ? CLI_DONE : CLI_FAILED;
}

/* A message without quotes is several words. */
static char *join(char *const *words)
{
  size_t size = 1, length = 0;
  char *text;

  for (size_t i = 0; words[i]; i++)
    size += strlen(words[i]) + 1;
  text = check_memory(malloc(size));
  for (size_t i = 0; words[i]; i++)
    length += (size_t)sprintf(text + length, "%s%s", i ? " " : "", words[i]);
  return text;
}

enum exit_code message_rows_print(char *const *words)
{
  char *text = join(words);
  enum exit_code code = print_rows(text);

  free(text);
  return code;
}
