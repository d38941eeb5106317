/* hone: finds its command in a table and runs it. */
#include "command.h"

#include "limits.h"
#include "hone_text.h"
#include "manual.h"
#include "message_rows.h"
#include "terminal.h"

#include <locale.h>
#include <stdio.h>
#include <unistd.h>

const struct command *const hone_commands[] = {
    &init_command,    &bench_command,
    &space_command,   &tune_command,
    &sweep_command,   &run_command,
    &show_command,    &runs_command,
    &compare_command, &report_command,
    &export_command,  &import_command,
    &merge_command,   &iree_command,
    &replay_command,  &cache_command,
    &devices_command, &doctor_command,
    &cluster_command, &completion_command,
    &worker_command,  NULL,
};

const char *const color_words[] = {"auto", "always", "never", NULL};

struct settings {
  bool help, version;
};

const struct option hone_options[] = {
    OPTION(FLAG, "help", NULL, "show this help", .letter = 'h',
           .target = offsetof(struct settings, help)),
    OPTION(FLAG, "version", NULL, "show the version and the optional parts that were found",
           .letter = 'V', .target = offsetof(struct settings, version)),
    {0},
};

enum exit_code command_usage(const struct command *command)
{
  message_error("try 'hone%s%s --help'", command ? " " : "", command ? command->name : "");
  return CLI_USAGE;
}

bool command_open(const struct command *command, char **argv, void *settings,
                  const struct common *common, struct word_list *words, enum exit_code *out_code)
{
  if (!options_parse(command->options, argv, settings, words)) {
    *out_code = command_usage(command);
    return false;
  }
  if (common->help) {
    *out_code = command_help(command);
    return false;
  }
  if (common->quiet) message_be_quiet();
  return true;
}

void command_close(const struct command *command, void *settings, struct word_list *words)
{
  options_release(command->options, settings);
  word_list_release(words);
}

static enum exit_code print_help(int file, const struct command *command)
{
  struct output output;

  output_open(&output, file, terminal_has_color(COLOR_AUTO, file));
  if (command)
    help_command(&output, command);
  else
    help_hone(&output);
  return output_close(&output) ? CLI_DONE : CLI_FAILED;
}

static enum exit_code print_version(void)
{
  struct output output;
  const char *advice = NULL;
  bool has_z3 = hone_solver_available(HONE_SOLVER_Z3, &advice);

  output_open(&output, STDOUT_FILENO, false);
  output_format(&output, "hone %s (%s)\n", hone_version(), hone_revision());
  if (has_z3)
    output_text(&output, "z3 solver: found\n");
  else
    output_format(&output, "z3 solver: not found (%s)\n", advice ? advice : "install libz3");
  return output_close(&output) ? CLI_DONE : CLI_FAILED;
}

enum exit_code command_help(const struct command *command)
{
  return print_help(STDOUT_FILENO, command);
}

static bool is_command(const char *word)
{
  for (size_t i = 0; hone_commands[i]; i++)
    if (strcmp(command_word(hone_commands[i]), word) == 0) return true;
  return false;
}

static enum exit_code print_manual(const struct manual_page *page)
{
  struct output output;

  output_open(&output, STDOUT_FILENO, false);
  output_text(&output, page->text);
  return output_close(&output) ? CLI_DONE : CLI_FAILED;
}

/* Neither a command nor a page of the manual. */
static enum exit_code explain_topics(const char *word)
{
  struct hone_nearest nearest = {.word = word};

  for (size_t i = 0; hone_commands[i]; i++)
    if (!hone_commands[i]->is_hidden) hone_nearest_try(&nearest, command_word(hone_commands[i]));
  for (const struct manual_page *page = manual_pages; page->name; page++)
    hone_nearest_try(&nearest, page->name);
  if (nearest.best)
    message_error("no command and no topic is called '%s'; did you mean '%s'?", word, nearest.best);
  else
    message_error("no command and no topic is called '%s'", word);
  message_error("'hone help' lists the commands and the topics");
  return CLI_USAGE;
}

/* hone help [COMMAND [SUBCOMMAND]], a page of the manual (spec, hone-tune), or messages TEXT. */
static enum exit_code run_help(char **argv)
{
  const struct command *command = NULL;
  const struct manual_page *page = argv[0] ? manual_find(argv[0]) : NULL;

  if (page && argv[1] && strcmp(page->name, "messages") == 0) return message_rows_print(argv + 1);
  if (page && !is_command(argv[0])) return print_manual(page);
  if (argv[0] && !is_command(argv[0])) return explain_topics(argv[0]);
  if (argv[0]) command = command_find(hone_commands, argv[0]);
  if (command && command->subcommands && argv[1]) {
    command = command_find(command->subcommands, argv[1]);
    if (!command) return command_usage(NULL);
  }
  return command_help(command);
}

/* hone with options and without a command */
static enum exit_code run_bare(char **argv)
{
  struct settings settings = {0};
  struct word_list words = {0};
  bool good = options_parse(hone_options, argv, &settings, &words);

  word_list_release(&words);
  if (!good) return command_usage(NULL);
  if (settings.help) return command_help(NULL);
  if (settings.version) return print_version();
  print_help(STDERR_FILENO, NULL);
  return CLI_USAGE;
}

int main(int argc, char **argv)
{
  const struct command *command;

  if (!limits_suffice()) return CLI_FAILED;
  setlocale(LC_CTYPE, "");
  if (argc < 2 || argv[1][0] == '-') return run_bare(argc ? argv + 1 : argv);
  if (strcmp(argv[1], "help") == 0) return run_help(argv + 2);
  command = command_find(hone_commands, argv[1]);
  if (!command) return command_usage(NULL);
  return command->run(command, argv + 2);
}
