/* The summary: an overview before a decision. Parameters and constraints are shown once for all
 * problems that share them.
 */
#include "space_command.h"

#include "quote.h"
#include "terminal.h"
#include "visible.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_GROUPS = 6, MOST_CONSTRAINTS = 12, LABEL_WIDTH = 13 };

/* ---- Text that has to fit ---- */

static size_t text_width(const char *text)
{
  size_t width = 0;

  for (; *text; text++)
    width += ((unsigned char)*text & 0xc0) != 0x80;
  return width;
}

/* One line of the text, its line breaks and indents as single spaces. The caller frees it. */
static char *one_line(const char *text)
{
  char *line = check_memory(strdup(text)), *to = line;

  for (const char *from = line; *from;) {
    size_t blank = strspn(from, " \t\r\n");
    if (blank && to > line && from[blank]) *to++ = ' ';
    from += blank;
    while (*from && !strchr(" \t\r\n", *from))
      *to++ = *from++;
  }
  *to = 0;
  return line;
}

static size_t room_for_text(const struct question *question, size_t indent)
{
  size_t width = terminal_width();

  if (question->settings->common.verbose) return SIZE_MAX / 2;
  return width > indent + 20 ? width - indent : 20;
}

/* ---- Values of a parameter ---- */

struct value_line {
  struct output text; /* in memory */
  size_t room;
  const struct hone_space *space;
  size_t group, param;
};

/* Appends a value if it fits beside `reserve` more columns. */
static bool add_value(struct value_line *line, uint32_t index, size_t reserve)
{
  struct output *text = &line->text;
  size_t before = text->used;

  if (before) output_text(text, " ");
  quote_plain_value(text, hone_space_value(line->space, line->group, line->param, index));
  *output_room(text, 1) = 0;
  if (text_width(text->bytes) + reserve <= line->room) return true;
  text->used = before;
  return false;
}

static size_t value_width(const struct value_line *line, uint32_t index)
{
  struct output text;
  size_t width;

  output_open(&text, OUTPUT_MEMORY, false);
  quote_plain_value(&text, hone_space_value(line->space, line->group, line->param, index));
  *output_room(&text, 1) = 0;
  width = text_width(text.bytes);
  output_close(&text);
  return width;
}

/* All values, or the first ones, an ellipsis and the last. */
static void print_values(struct output *output, struct value_line *line, uint32_t count)
{
  size_t tail;
  uint32_t shown = 0;

  while (shown < count && add_value(line, shown, 0))
    shown++;
  if (shown < count) {
    tail = value_width(line, count - 1) + text_width(terminal_ellipsis()) + 2;
    line->text.used = 0;
    for (shown = 0; shown + 1 < count && add_value(line, shown, tail); shown++) {}
    output_format(&line->text, "%s%s", line->text.used ? " " : "", terminal_ellipsis());
    add_value(line, count - 1, 0);
  }
  output_bytes(output, line->text.bytes, line->text.used);
}

/* ---- Parameters ---- */

static size_t name_width(const struct hone_space *space, size_t group)
{
  size_t widest = strlen("parameter");

  for (size_t i = 0; i < hone_space_param_count(space, group); i++) {
    size_t width = text_width(hone_space_param_name(space, group, i)) +
                   hone_space_param_is_runtime(space, group, i);
    if (width > widest) widest = width;
  }
  return widest;
}

static void print_param(const struct question *question, struct output *output, size_t group,
                        size_t param, size_t width)
{
  const struct hone_space *space = question->space;
  const char *name = hone_space_param_name(space, group, param);
  bool is_runtime = hone_space_param_is_runtime(space, group, param);
  uint32_t count = hone_space_value_count(space, group, param);
  struct value_line line = {.space = space, .group = group, .param = param};

  output_format(output, "  %s%s", is_runtime ? "$" : "", name);
  output_spaces(output, width - text_width(name) - is_runtime);
  output_format(output, "  %7u  ", count);
  line.room = room_for_text(question, 2 + width + 11);
  output_open(&line.text, OUTPUT_MEMORY, false);
  line.text.is_text = true;
  print_values(output, &line, count);
  output_close(&line.text);
  output_text(output, "\n");
}

static void print_group(const struct question *question, struct output *output, size_t group)
{
  size_t width = name_width(question->space, group);
  size_t groups = hone_space_group_count(question->space);
  const char *name = hone_space_group_name(question->space, group);

  output_text(output, "\n");
  if (groups > 1) {
    output_format(output, "  group %zu of %zu%s", group + 1, groups, name ? ": " : "");
    if (name) visible_text(output, name);
    output_text(output, "\n");
  }
  if (hone_space_param_count(question->space, group) == 0) {
    output_text(output, "  no parameters\n");
    return;
  }
  output_style(output, STYLE_BOLD);
  output_format(output, "  %-*s  %7s  values", (int)width, "parameter", "count");
  output_style(output, STYLE_PLAIN);
  output_text(output, "\n");
  for (size_t i = 0; i < hone_space_param_count(question->space, group); i++)
    print_param(question, output, group, i, width);
}

static void print_groups(const struct question *question, struct output *output)
{
  size_t groups = hone_space_group_count(question->space), shown = groups;

  if (groups > MOST_GROUPS && !question->settings->common.verbose) shown = MOST_GROUPS;
  for (size_t g = 0; g < shown; g++)
    print_group(question, output, g);
  if (shown < groups)
    output_format(output, "\n  and %zu more groups (-v shows all)\n", groups - shown);
}

/* ---- Numbers ---- */

static void print_label(struct output *output, const char *label)
{
  output_format(output, "  %-*s", LABEL_WIDTH, label);
}

/* "2415919104 (2.4e9)" */
static void print_number(struct output *output, const char *digits)
{
  char rounded[64], *exponent;

  output_text(output, digits);
  if (strlen(digits) <= 6) return;
  snprintf(rounded, sizeof rounded, "%.1Le", strtold(digits, NULL));
  exponent = strchr(rounded, 'e');
  if (!exponent) return;
  *exponent = 0;
  output_format(output, " (%se%ld)", rounded, strtol(exponent + 1, NULL, 10));
}

static void print_share(struct output *output, const char *part, const char *whole)
{
  long double all = strtold(whole, NULL), share = all > 0 ? 100 * strtold(part, NULL) / all : 0;

  if (strcmp(part, whole) == 0)
    output_text(output, all > 0 ? ", all of them" : "");
  else if (strcmp(part, "0") == 0)
    output_text(output, ", 0 %");
  else
    output_format(output, ", %.3Lg %%", share);
}

static void print_bytes(struct output *output, size_t bytes)
{
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double size = (double)bytes;
  size_t unit = 0;

  for (; size >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
    size /= 1024;
  output_format(output, unit && size < 99.95 ? "%.1f %s" : "%.0f %s", size, units[unit]);
}

static void print_seconds(struct output *output, double seconds)
{
  if (seconds < 1e-3)
    output_format(output, "%.0f us", seconds * 1e6);
  else if (seconds < 1)
    output_format(output, "%.1f ms", seconds * 1e3);
  else
    output_format(output, "%.2f s", seconds);
}

static void print_counts(const struct question *question, struct output *output)
{
  const char *legal = hone_space_count_text(question->space);
  const char *cartesian = hone_space_cartesian_text(question->space);
  bool is_empty = strcmp(legal, "0") == 0;

  print_label(output, "Cartesian");
  print_number(output, cartesian);
  output_text(output, "\n");
  print_label(output, "legal");
  output_style(output, is_empty ? STYLE_BAD : STYLE_BOLD);
  print_number(output, legal);
  output_style(output, STYLE_PLAIN);
  print_share(output, legal, cartesian);
  output_text(output, "\n");
}

static void print_solution(const struct question *question, struct output *output)
{

  print_label(output, "components");
  output_format(output, "%zu", hone_space_component_count(question->space));
  if (hone_space_largest_component(question->space))
    output_format(output, ", the largest of %zu parameter%s",
                  hone_space_largest_component(question->space),
                  hone_space_largest_component(question->space) == 1 ? "" : "s");
  output_text(output, "\n");
  print_label(output, "solved in");
  print_seconds(output, hone_space_build_seconds(question->space));
  output_text(output, ", holds ");
  print_bytes(output, hone_space_bytes(question->space));
  if (question->settings->common.verbose)
    output_format(output, ", %llu nodes",
                  (unsigned long long)hone_space_node_count(question->space));
  if (!hone_space_is_mesh_order(question->space)) output_text(output, ", not in mesh order");
  output_text(output, "\n");
}

/* ---- Constraints and derived values ---- */

static void print_constraints(const struct question *question, struct output *output)
{
  size_t count = hone_space_constraint_count(question->space), shown = count;

  if (count > MOST_CONSTRAINTS && !question->settings->common.verbose) shown = MOST_CONSTRAINTS;
  output_text(output, "\n");
  print_label(output, "constraints");
  output_format(output, "%zu\n", count);
  for (size_t i = 0; i < shown; i++) {
    char *line = one_line(hone_space_constraint(question->space, i));
    output_text(output, "    ");
    visible_cut(output, line, room_for_text(question, 4));
    output_text(output, "\n");
    free(line);
  }
  if (shown < count) output_format(output, "    and %zu more (-v shows all)\n", count - shown);
}

static void print_derived_names(const struct question *question, struct output *output)
{
  size_t count = hone_space_derived_count(question->space);

  if (!count) return;
  print_label(output, "derived");
  for (size_t i = 0; i < count; i++)
    output_format(output, "%s%s", i ? " " : "", hone_space_derived_name(question->space, i));
  output_text(output, "\n");
}

/* ---- The formats ---- */

static bool was_seen(const struct question *question, const struct output *shown)
{
  struct output *seen = question->seen;
  bool same = seen->used == shown->used && memcmp(seen->bytes, shown->bytes, seen->used) == 0;

  seen->used = 0;
  output_bytes(seen, shown->bytes, shown->used);
  return same;
}

static void print_title(const struct question *question)
{
  struct output *output = question->output;
  const char *file = hone_spec_file(question->spec);

  output_styled(output, STYLE_BOLD, hone_spec_name(question->spec));
  if (file) output_format(output, "  %s", file);
  output_text(output, "\n");
}

static void print_problem_title(const struct question *question)
{
  const char *name = problems_name(question->problems, question->problem);

  if (!*name) return;
  if (question->problems->count > 1) output_text(question->output, "\n");
  output_text(question->output, "problem ");
  output_styled(question->output, STYLE_BOLD, name);
  output_text(question->output, "\n");
}

static void summary_in_text(struct question *question)
{
  struct output *output = question->output, table;

  if (question->problem == 0) print_title(question);
  print_problem_title(question);
  output_open(&table, OUTPUT_MEMORY, output->color);
  table.is_text = true;
  print_groups(question, &table);
  print_constraints(question, &table);
  print_derived_names(question, &table);
  if (!was_seen(question, &table)) {
    output_bytes(output, table.bytes, table.used);
    output_text(output, "\n");
  }
  output_close(&table);
  print_counts(question, output);
  print_solution(question, output);
}

static void print_json_names(struct output *output, const char *name,
                             const struct hone_space *space, size_t count,
                             const char *(*get)(const struct hone_space *space, size_t i))
{
  output_format(output, ", \"%s\": [", name);
  for (size_t i = 0; i < count; i++) {
    if (i) output_text(output, ", ");
    quote_json_text(output, get(space, i));
  }
  output_text(output, "]");
}

static void print_json_param(struct output *output, const struct hone_space *space, size_t group,
                             size_t param)
{
  uint32_t count = hone_space_value_count(space, group, param);

  output_text(output, param ? ", {\"name\": " : "{\"name\": ");
  quote_json_text(output, hone_space_param_name(space, group, param));
  output_format(output, ", \"runtime\": %s, \"count\": %u, \"values\": [",
                hone_space_param_is_runtime(space, group, param) ? "true" : "false", count);
  for (uint32_t i = 0; i < count; i++) {
    if (i) output_text(output, ", ");
    quote_json_value(output, hone_space_value(space, group, param, i));
  }
  output_text(output, "]}");
}

static void print_json_groups(struct output *output, const struct hone_space *space)
{
  output_text(output, ", \"groups\": [");
  for (size_t g = 0; g < hone_space_group_count(space); g++) {
    output_text(output, g ? ", {" : "{");
    if (hone_space_group_name(space, g)) {
      output_text(output, "\"name\": ");
      quote_json_text(output, hone_space_group_name(space, g));
      output_text(output, ", ");
    }
    output_text(output, "\"parameters\": [");
    for (size_t i = 0; i < hone_space_param_count(space, g); i++)
      print_json_param(output, space, g, i);
    output_text(output, "]}");
  }
  output_text(output, "]");
}

static void summary_in_json(struct question *question)
{
  struct output *output = question->output;
  const struct hone_space *space = question->space;
  const char *file = hone_spec_file(question->spec);

  output_text(output, "{\"name\": ");
  quote_json_text(output, hone_spec_name(question->spec));
  output_text(output, ", \"file\": ");
  quote_json_text(output, file);
  output_text(output, ", \"problem\": ");
  problems_print_json(question->problems, question->problem, output);
  output_format(output, ", \"cartesian\": %s, \"count\": %s", hone_space_cartesian_text(space),
                hone_space_count_text(space));
  print_json_groups(output, space);
  print_json_names(output, "derived", space, hone_space_derived_count(space),
                   hone_space_derived_name);
  print_json_names(output, "constraints", space, hone_space_constraint_count(space),
                   hone_space_constraint);
  output_format(output, ", \"components\": %zu, \"largest_component\": %zu, \"nodes\": %llu",
                hone_space_component_count(space), hone_space_largest_component(space),
                (unsigned long long)hone_space_node_count(space));
  output_format(output, ", \"bytes\": %zu, \"build_seconds\": %.9f, \"mesh_order\": %s}",
                hone_space_bytes(space), hone_space_build_seconds(space),
                hone_space_is_mesh_order(space) ? "true" : "false");
}

static void summary_in_csv(struct question *question)
{
  struct output *output = question->output;

  if (question->problem == 0)
    output_text(output,
                "name,problem,cartesian,count,constraints,components,build_seconds,bytes\n");
  quote_csv_text(output, hone_spec_name(question->spec));
  output_text(output, ",");
  quote_csv_text(output, problems_name(question->problems, question->problem));
  output_format(output, ",%s,%s,%zu,%zu,%.9f,%zu\n", hone_space_cartesian_text(question->space),
                hone_space_count_text(question->space),
                hone_space_constraint_count(question->space),
                hone_space_component_count(question->space),
                hone_space_build_seconds(question->space), hone_space_bytes(question->space));
}

enum exit_code answer_summary(struct question *question)
{
  static void (*const printers[])(struct question *) = {[FORMAT_TEXT] = summary_in_text,
                                                        [FORMAT_JSON] = summary_in_json,
                                                        [FORMAT_CSV] = summary_in_csv};

  printers[question->settings->format](question);
  return CLI_DONE;
}
