/* Help text from the tables of commands and options. */
#include "command.h"
#include "manual.h"

#include <stdio.h>

enum { HELP_WIDTH = 80, HELP_COLUMN = 28 };

/* `text` in lines that begin at `column`; the cursor is there already. */
static void print_wrapped(struct output *output, const char *text, size_t column)
{
  size_t used = column;

  while (*text) {
    size_t length = strcspn(text, " ");
    if (used > column && used + length >= HELP_WIDTH) {
      output_text(output, "\n");
      output_spaces(output, column);
      used = column;
    }
    output_bytes(output, text, length);
    used += length;
    text += length;
    if (*text == ' ') {
      if (used + 1 + strcspn(text + 1, " ") < HELP_WIDTH) output_text(output, " ");
      used++;
      text++;
    }
  }
  output_text(output, "\n");
}

static void print_option(struct output *output, const struct option *option)
{
  char synopsis[128];
  size_t length = option_synopsis(option, synopsis, sizeof synopsis);

  output_format(output, "  %s", synopsis);
  if (length + 4 > HELP_COLUMN) {
    output_text(output, "\n");
    length = 0;
    output_spaces(output, HELP_COLUMN);
  } else {
    output_spaces(output, HELP_COLUMN - length - 2);
  }
  print_wrapped(output, option->help, HELP_COLUMN);
}

static void print_heading(struct output *output, const char *title)
{
  output_text(output, "\n");
  output_styled(output, STYLE_BOLD, title);
  output_text(output, ":\n");
}

/* Sections that few need: the help of `hone iree` has them. */
static bool is_of_iree(const struct option *heading)
{
  return strncmp(heading->help, "options for .mlir files", strlen("options for .mlir files")) == 0;
}

static void print_options(struct output *output, const struct option *options, bool with_iree)
{
  bool is_hidden = false, hides = false;

  for (; options->kind; options++) {
    if (options->kind == OPTION_HEADING) {
      is_hidden = !with_iree && is_of_iree(options);
      hides |= is_hidden;
    }
    if (is_hidden) continue;
    if (options->kind == OPTION_HEADING)
      print_heading(output, options->help);
    else if (options->kind != OPTION_MOVED)
      print_option(output, options);
  }
  if (hides)
    output_text(output, "\nOptions for .mlir files are listed by 'hone help iree tune'.\n");
}

static void print_topics(struct output *output)
{
  char list[1024] = "";

  for (const struct manual_page *page = manual_pages; page->name; page++) {
    if (strncmp(page->name, "hone", 4) == 0) continue;
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "",
             page->name);
  }
  print_heading(output, "topics of 'hone help TOPIC'");
  output_text(output, "  ");
  print_wrapped(output, list, 2);
}

static void print_commands(struct output *output, const struct command *const *commands)
{
  print_heading(output, "commands");
  for (size_t i = 0; commands[i]; i++) {
    if (commands[i]->is_hidden) continue;
    output_format(output, "  %-*s", HELP_COLUMN - 2, command_word(commands[i]));
    print_wrapped(output, commands[i]->summary, HELP_COLUMN);
  }
}

void help_command(struct output *output, const struct command *command)
{
  output_format(output, "usage: hone %s %s\n\n%s", command->name, command->usage, command->about);
  if (command->subcommands) print_commands(output, command->subcommands);
  print_options(output, command->options, strncmp(command->name, "iree", 4) == 0);
  print_heading(output, "examples");
  output_text(output, command->examples);
  if (manual_find(command->name))
    output_format(output, "\n'hone help hone-%s' prints the manual.\n", command->name);
}

void help_hone(struct output *output)
{
  output_text(output, "usage: hone COMMAND [options]\n\n"
                      "Hone finds the fastest correct configuration of a kernel. A spec lists "
                      "the\nkernel's parameters and their legal combinations.\n");
  print_commands(output, hone_commands);
  output_format(output, "  %-*s%s\n", HELP_COLUMN - 2, "help [COMMAND|TOPIC]",
                "show this help, the help of a command, or a page");
  print_heading(output, "options");
  print_options(output, hone_options, true);
  print_heading(output, "examples");
  output_text(output, "  hone init gemm.c                 write a first spec\n"
                      "  hone space gemm.yaml             summarise the space\n"
                      "  hone tune gemm.yaml              find the fastest configuration\n"
                      "  hone show last                   show the result\n"
                      "  hone help tune                   show the options of 'hone tune'\n"
                      "  hone help spec                   show how to write a spec\n"
                      "  hone help messages 'TEXT'        explain a message\n");
  print_topics(output);
  output_text(output, "\nhone(1), hone-spec(5), and hone-COMMAND(1) of each command are the "
                      "manual\npages; 'hone help hone-tune' prints one.\n");
}
