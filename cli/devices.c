/* hone devices: lists the devices of this machine, and their limits. */
#include "command.h"

#include "figures.h"
#include "quote.h"
#include "table.h"
#include "terminal.h"
#include "visible.h"
#include "hone_machine.h"

#include <stdlib.h>
#include <unistd.h>

enum devices_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_YAML };
static const char *const format_words[] = {"text", "json", "csv", "yaml", NULL};

static const char *const backend_words[] = {"c", "opencl", "cuda", "hip", "iree", NULL};

struct devices_settings {
  struct common common;
  const char *backend;
  bool all_facts;
  int format;
};

static const struct option devices_options[] = {
    HEADING("options"),
    OPTION(TEXT, "backend", "NAME", "list only devices of this backend: c, opencl, cuda, hip, iree",
           .target = offsetof(struct devices_settings, backend), .words = backend_words),
    OPTION(FLAG, "all-facts", NULL, "print all facts of each device, one per line", .letter = 'a',
           .target = offsetof(struct devices_settings, all_facts)),
    OPTION(CHOICE, "format", "NAME", "text, json, csv or yaml; default text",
           .target = offsetof(struct devices_settings, format), .letter = 'f',
           .words = format_words),
    COMMON_OPTIONS(struct devices_settings, common),
    {0},
};

static const char *fact_of(const struct hone_device *device, const char *name)
{
  for (size_t i = 0; i < hone_device_fact_count(device); i++)
    if (strcmp(hone_device_fact_name(device, i), name) == 0)
      return hone_device_fact_value(device, i);
  return NULL;
}

/* ---- Text ---- */

struct column {
  const char *title;
  const char *facts[3]; /* the first that is known */
  enum { AS_IT_IS, IN_BYTES, TWO_WORDS } how;
  int flags;
};

static const struct column columns[] = {
    {"arch", {"arch"}, TWO_WORDS, TABLE_OPTIONAL},
    {"memory", {"memory_bytes"}, IN_BYTES, TABLE_RIGHT},
    {"units", {"sm_count", "cores"}, AS_IT_IS, TABLE_RIGHT},
    {"threads", {"max_threads"}, AS_IT_IS, TABLE_RIGHT},
    {"warp", {"warp_size"}, AS_IT_IS, TABLE_RIGHT | TABLE_OPTIONAL},
    {"shared", {"shared_optin_bytes", "shared_bytes"}, IN_BYTES, TABLE_RIGHT},
    {"registers", {"registers"}, AS_IT_IS, TABLE_RIGHT | TABLE_OPTIONAL},
    {"cache", {"l3_bytes", "l2_bytes", "cache_bytes"}, IN_BYTES, TABLE_RIGHT | TABLE_OPTIONAL},
};
enum { COLUMN_COUNT = sizeof columns / sizeof *columns, BACKEND_WIDTH = 7 }; /* "program" */

/* "OpenCL 3.0 PoCL 3.1+debian  Linux, None+Asserts, ..." is too much for a table. */
static size_t length_of_two_words(const char *text)
{
  size_t first = strcspn(text, " "), gap = strspn(text + first, " ");

  return first + gap + strcspn(text + first + gap, " ");
}

static void add_cell(struct table *table, const struct hone_device *device,
                     const struct column *column)
{
  struct figure figure;
  const char *value = NULL;

  for (size_t i = 0; i < 3 && column->facts[i] && !value; i++)
    value = fact_of(device, column->facts[i]);
  if (!value)
    table_cell(table, "");
  else if (column->how == IN_BYTES)
    table_cell(table, figure_bytes(&figure, strtoull(value, NULL, 10)));
  else if (column->how == TWO_WORDS)
    table_format(table, "%.*s", (int)length_of_two_words(value), value);
  else
    table_cell(table, value);
}

static void print_table(struct output *output, const struct hone_device_list *list, bool verbose)
{
  struct table table;

  table_open(&table, 0);
  table_column(&table, "device", 0);
  table_column(&table, "name", 0);
  table_column(&table, "kind", TABLE_OPTIONAL);
  for (size_t i = 0; i < COLUMN_COUNT; i++)
    table_column(&table, columns[i].title, columns[i].flags);
  for (size_t i = 0; i < hone_device_list_count(list); i++) {
    table_cell(&table, hone_device_id(hone_device_list_at(list, i)));
    table_cell(&table, hone_device_name(hone_device_list_at(list, i)));
    table_cell(&table, hone_device_kind(hone_device_list_at(list, i)));
    for (size_t k = 0; k < COLUMN_COUNT; k++)
      add_cell(&table, hone_device_list_at(list, i), &columns[k]);
  }
  table_print(&table, output, verbose ? 0 : terminal_width());
  table_close(&table);
}

static void print_fact(struct output *output, const char *name, const char *value, int width)
{
  output_format(output, "  %-*s  ", width, name);
  visible_text(output, value);
  output_text(output, "\n");
}

static void print_facts(struct output *output, const struct hone_device *device)
{
  size_t width = 4;

  for (size_t i = 0; i < hone_device_fact_count(device); i++)
    if (strlen(hone_device_fact_name(device, i)) > width)
      width = strlen(hone_device_fact_name(device, i));
  output_styled(output, STYLE_BOLD, hone_device_id(device));
  output_text(output, "\n");
  print_fact(output, "name", hone_device_name(device), (int)width);
  print_fact(output, "kind", hone_device_kind(device), (int)width);
  for (size_t i = 0; i < hone_device_fact_count(device); i++)
    print_fact(output, hone_device_fact_name(device, i), hone_device_fact_value(device, i),
               (int)width);
}

static void print_missing(struct output *output, const struct hone_device_list *list)
{
  if (hone_device_list_count(list) && hone_device_list_missing_count(list))
    output_text(output, "\n");
  if (hone_device_list_missing_count(list)) output_text(output, "without devices:\n");
  for (size_t i = 0; i < hone_device_list_missing_count(list); i++) {
    output_style(output, STYLE_DIM);
    output_format(output, "  %-*s  ", BACKEND_WIDTH, hone_device_list_missing(list, i));
    visible_wrapped(output, hone_device_list_reason(list, i), 2 + BACKEND_WIDTH + 2,
                    terminal_width());
    output_style(output, STYLE_PLAIN);
    output_text(output, "\n");
  }
}

static void print_text(struct output *output, const struct hone_device_list *list,
                       const struct devices_settings *settings)
{
  for (size_t i = 0; settings->all_facts && i < hone_device_list_count(list); i++)
    print_facts(output, hone_device_list_at(list, i));
  if (!settings->all_facts && hone_device_list_count(list))
    print_table(output, list, settings->common.verbose);
  if (!settings->common.quiet) print_missing(output, list);
}

/* ---- JSON and YAML: the same words, other signs ---- */

struct signs {
  const char *begin, *missing, *item, *pair, *end_item, *end, *none;
  const char *mark; /* around a key */
};

static const struct signs json_signs = {.begin = "{\"devices\": [",
                                        .missing = "],\n \"missing\": [",
                                        .item = "\n  {",
                                        .pair = ",\n   ",
                                        .end_item = "}",
                                        .end = "]}\n",
                                        .none = "",
                                        .mark = "\""};
static const struct signs yaml_signs = {.begin = "devices:",
                                        .missing = "\nmissing:",
                                        .item = "\n- ",
                                        .pair = "\n  ",
                                        .end_item = "",
                                        .end = "\n",
                                        .none = " []",
                                        .mark = ""};

static void put_text(struct output *output, const struct signs *signs, const char *before,
                     const char *key, const char *text)
{
  output_format(output, "%s%s%s%s: ", before, signs->mark, key, signs->mark);
  quote_json_text(output, text);
}

static void put_device(struct output *output, const struct signs *signs,
                       const struct hone_device *device)
{
  put_text(output, signs, signs->item, "device", hone_device_id(device));
  put_text(output, signs, signs->pair, "backend", hone_device_backend(device));
  put_text(output, signs, signs->pair, "name", hone_device_name(device));
  put_text(output, signs, signs->pair, "kind", hone_device_kind(device));
  for (size_t i = 0; i < hone_device_fact_count(device); i++) {
    output_format(output, "%s%s%s%s: ", signs->pair, signs->mark, hone_device_fact_name(device, i),
                  signs->mark);
    output_raw(output, hone_device_fact_json(device, i));
  }
  output_text(output, signs->end_item);
}

static void print_tree(struct output *output, const struct hone_device_list *list,
                       const struct signs *signs)
{
  const char *comma = signs == &json_signs ? "," : "";

  output_text(output, signs->begin);
  for (size_t i = 0; i < hone_device_list_count(list); i++) {
    if (i) output_text(output, comma);
    put_device(output, signs, hone_device_list_at(list, i));
  }
  if (!hone_device_list_count(list)) output_text(output, signs->none);
  output_text(output, signs->missing);
  for (size_t i = 0; i < hone_device_list_missing_count(list); i++) {
    if (i) output_text(output, comma);
    put_text(output, signs, signs->item, "backend", hone_device_list_missing(list, i));
    put_text(output, signs, signs->pair, "reason", hone_device_list_reason(list, i));
    output_text(output, signs->end_item);
  }
  if (!hone_device_list_missing_count(list)) output_text(output, signs->none);
  output_text(output, signs->end);
}

/* ---- CSV ---- */

/* The names of all facts, each once, in the order in which they come. */
static void collect_names(const struct hone_device_list *list, const char ***out_names,
                          size_t *out_count)
{
  const char **names = NULL;
  size_t count = 0, room = 0;

  for (size_t i = 0; i < hone_device_list_count(list); i++)
    room += hone_device_fact_count(hone_device_list_at(list, i));
  names = check_memory(malloc((room + 1) * sizeof *names));
  for (size_t i = 0; i < hone_device_list_count(list); i++)
    for (size_t k = 0; k < hone_device_fact_count(hone_device_list_at(list, i)); k++) {
      const char *name = hone_device_fact_name(hone_device_list_at(list, i), k);
      size_t at = 0;
      while (at < count && strcmp(names[at], name) != 0)
        at++;
      if (at == count) names[count++] = name;
    }
  *out_names = names;
  *out_count = count;
}

static void print_csv(struct output *output, const struct hone_device_list *list)
{
  const char **names;
  size_t count;

  collect_names(list, &names, &count);
  output_text(output, "device,backend,name,kind");
  for (size_t i = 0; i < count; i++) {
    output_text(output, ",");
    quote_csv_text(output, names[i]);
  }
  output_text(output, "\n");
  for (size_t i = 0; i < hone_device_list_count(list); i++) {
    const struct hone_device *device = hone_device_list_at(list, i);
    const char *first[] = {hone_device_id(device), hone_device_backend(device),
                           hone_device_name(device), hone_device_kind(device)};
    for (size_t k = 0; k < 4; k++) {
      if (k) output_text(output, ",");
      quote_csv_text(output, first[k]);
    }
    for (size_t k = 0; k < count; k++) {
      const char *value = fact_of(device, names[k]);
      output_text(output, ",");
      if (value) quote_csv_text(output, value);
    }
    output_text(output, "\n");
  }
  free(names);
}

/* ---- The command ---- */

static enum exit_code list_devices(const struct devices_settings *settings)
{
  struct hone_device_list *list;
  struct output output;
  hone_status status = hone_devices(settings->backend, &list);

  if (status) return message_status(status);
  output_open(&output, STDOUT_FILENO,
              settings->format == FORMAT_TEXT &&
                  terminal_has_color((enum color_mode)settings->common.color, STDOUT_FILENO));
  if (settings->format == FORMAT_TEXT)
    print_text(&output, list, settings);
  else if (settings->format == FORMAT_CSV)
    print_csv(&output, list);
  else
    print_tree(&output, list, settings->format == FORMAT_JSON ? &json_signs : &yaml_signs);
  hone_device_list_free(list);
  return output_close(&output) ? CLI_DONE : CLI_FAILED;
}

static enum exit_code run_devices(const struct command *command, char **argv)
{
  struct devices_settings settings = {0};
  struct word_list words = {0};
  enum exit_code code;

  if (command_open(command, argv, &settings, &settings.common, &words, &code)) {
    if (words.count) {
      message_error("'hone devices' takes options only, not '%s'", words.words[0]);
      code = command_usage(command);
    } else {
      code = list_devices(&settings);
    }
  }
  command_close(command, &settings, &words);
  return code;
}

static const char *const no_words[] = {NULL};

const struct command devices_command = {
    .name = "devices",
    .summary = "list devices and their limits",
    .usage = "[options]",
    .about = "Lists the devices of all backends: the CPUs of this machine (c) and the devices\n"
             "of OpenCL, CUDA, HIP and IREE's runtime. The first column is the name for\n"
             "'--devices'. The facts that '--all-facts' shows for GPUs are available as\n"
             "'device.NAME' in specs. Without '--devices', kernels run on the first device of\n"
             "their backend; OpenCL kernels run on the first GPU, which has the fact\n"
             "'is_default', or on a CPU if there is no GPU. A backend without devices is\n"
             "listed with the reason; the exit status is 0 anyway.\n",
    .examples = "  hone devices\n"
                "  hone devices --backend opencl --all-facts\n"
                "  hone devices --format csv\n",
    .options = devices_options,
    .words = no_words,
    .run = run_devices,
};
