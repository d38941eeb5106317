/* hone doctor: reports what Hone finds on this machine. */
#include "command.h"

#include "quote.h"
#include "table.h"
#include "terminal.h"
#include "visible.h"
#include "hone_machine.h"

#include <unistd.h>

enum { FORMAT_TEXT, FORMAT_JSON };
static const char *const format_words[] = {"text", "json", NULL};

struct doctor_settings {
  struct common common;
  const char *iree_dir;
  int format;
};

static const struct option doctor_options[] = {
    HEADING("options"),
    OPTION(TEXT, "iree-dir", "FOLDER",
           "folder of IREE's executables; default HONE_IREE, PATH, VIRTUAL_ENV",
           .target = offsetof(struct doctor_settings, iree_dir), .takes_file = true),
    OPTION(CHOICE, "format", "NAME", "text or json; default text",
           .target = offsetof(struct doctor_settings, format), .letter = 'f',
           .words = format_words),
    COMMON_OPTIONS(struct doctor_settings, common),
    {0},
};

static const struct {
  const char *part, *title;
} titles[] = {{"hone", "Hone"}, {"machine", "this machine"}, {"c", "C compilers"}, {"iree", "IREE"},
              {"gpu", "GPUs"},  {"opencl", "OpenCL"},        {"cuda", "CUDA"},     {"hip", "HIP"}};

static const char *title_of(const char *part)
{
  for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
    if (strcmp(titles[i].part, part) == 0) return titles[i].title;
  return part;
}

static bool begins_part(const struct hone_checkup *checkup, size_t fact)
{
  return fact == 0 || strcmp(hone_fact_part(hone_checkup_at(checkup, fact)),
                             hone_fact_part(hone_checkup_at(checkup, fact - 1))) != 0;
}

/* ---- Text ---- */

/* Next to the value if it fits, otherwise in lines below it. */
static void print_advice(struct output *output, const char *advice, size_t indent, size_t used)
{
  size_t width = terminal_width();

  output_style(output, STYLE_DIM);
  if (used + strlen(" ()") + visible_width(advice) <= width) {
    output_text(output, " (");
    visible_text(output, advice);
    output_text(output, ")");
  } else {
    output_text(output, "\n");
    output_spaces(output, indent);
    visible_wrapped(output, advice, indent, width);
  }
  output_style(output, STYLE_PLAIN);
}

static void print_fact(struct output *output, const struct hone_fact *fact, int width)
{
  size_t indent = (size_t)width + 4;
  const char *value =
      hone_fact_is_missing(fact) && !*hone_fact_value(fact) ? "missing" : hone_fact_value(fact);

  output_format(output, "  %-*s  ", width, hone_fact_name(fact));
  output_style(output, hone_fact_is_missing(fact) ? STYLE_WARN : STYLE_PLAIN);
  visible_text(output, value);
  output_style(output, STYLE_PLAIN);
  if (*hone_fact_advice(fact))
    print_advice(output, hone_fact_advice(fact), indent, indent + visible_width(value));
  output_text(output, "\n");
}

/* Of the part that begins here. */
static int name_width(const struct hone_checkup *checkup, size_t first)
{
  size_t width = 0;

  for (size_t i = first;
       i < hone_checkup_count(checkup) && (i == first || !begins_part(checkup, i)); i++)
    if (strlen(hone_fact_name(hone_checkup_at(checkup, i))) > width)
      width = strlen(hone_fact_name(hone_checkup_at(checkup, i)));
  return (int)width;
}

static void print_text(struct output *output, const struct hone_checkup *checkup)
{
  int width = 0;

  for (size_t i = 0; i < hone_checkup_count(checkup); i++) {
    if (begins_part(checkup, i)) {
      width = name_width(checkup, i);
      output_styled(output, STYLE_BOLD, title_of(hone_fact_part(hone_checkup_at(checkup, i))));
      output_text(output, "\n");
    }
    print_fact(output, hone_checkup_at(checkup, i), width);
  }
}

/* ---- JSON ---- */

static void print_json(struct output *output, const struct hone_checkup *checkup)
{
  output_text(output, "[");
  for (size_t i = 0; i < hone_checkup_count(checkup); i++) {
    const struct hone_fact *fact = hone_checkup_at(checkup, i);
    output_text(output, i ? ",\n {\"part\": " : "\n {\"part\": ");
    quote_json_text(output, hone_fact_part(fact));
    output_text(output, ", \"name\": ");
    quote_json_text(output, hone_fact_name(fact));
    output_text(output, ", \"value\": ");
    quote_json_text(output, hone_fact_value(fact));
    output_format(output,
                  ", \"missing\": %s, \"advice\": ", hone_fact_is_missing(fact) ? "true" : "false");
    quote_json_text(output, hone_fact_advice(fact));
    output_text(output, "}");
  }
  output_text(output, "\n]\n");
}

/* ---- The command ---- */

static enum exit_code look(const struct doctor_settings *settings)
{
  struct hone_checkup *checkup;
  struct output output;

  hone_doctor(settings->iree_dir, &checkup);
  output_open(&output, STDOUT_FILENO,
              settings->format == FORMAT_TEXT &&
                  terminal_has_color((enum color_mode)settings->common.color, STDOUT_FILENO));
  if (settings->format == FORMAT_JSON)
    print_json(&output, checkup);
  else
    print_text(&output, checkup);
  hone_checkup_free(checkup);
  return output_close(&output) ? CLI_DONE : CLI_FAILED;
}

static enum exit_code run_doctor(const struct command *command, char **argv)
{
  struct doctor_settings settings = {0};
  struct word_list words = {0};
  enum exit_code code;

  if (command_open(command, argv, &settings, &settings.common, &words, &code)) {
    if (words.count) {
      message_error("'hone doctor' takes options only, not '%s'", words.words[0]);
      code = command_usage(command);
    } else {
      code = look(&settings);
    }
  }
  command_close(command, &settings, &words);
  return code;
}

static const char *const no_words[] = {NULL};

const struct command doctor_command = {
    .name = "doctor",
    .summary = "check this machine: compilers, IREE, OpenCL, CUDA, HIP",
    .usage = "[options]",
    .about = "Shows the paths of the store and the cache, the compilers, the process\n"
             "isolation, IREE's executables with their version and features, the OpenCL,\n"
             "CUDA and HIP libraries, and the devices. For a missing part, shows what needs it or\n"
             "how to install it; the exit status is 0 anyway.\n",
    .examples = "  hone doctor\n"
                "  hone doctor --iree-dir ~/iree-venv\n"
                "  hone doctor --format json\n",
    .options = doctor_options,
    .words = no_words,
    .run = run_doctor,
};
