/* Finding a command by its word, in the table of hone or of a command that has subcommands. */
#include "command.h"

#include "hone_text.h"

const char *command_word(const struct command *command)
{
  const char *space = strrchr(command->name, ' ');

  return space ? space + 1 : command->name;
}

const struct command *command_find(const struct command *const *commands, const char *word)
{
  struct hone_nearest nearest = {.word = word};

  for (size_t i = 0; commands[i]; i++) {
    if (strcmp(command_word(commands[i]), word) == 0) return commands[i];
    if (!commands[i]->is_hidden) hone_nearest_try(&nearest, command_word(commands[i]));
  }
  hone_nearest_try(&nearest, "help");
  if (nearest.best)
    message_error("unknown command '%s'; did you mean '%s'?", word, nearest.best);
  else
    message_error("unknown command '%s'", word);
  return NULL;
}

struct own_settings {
  struct common common;
};

/* Options alone: help, or a word is missing. */
static enum exit_code run_without_word(const struct command *command, char **argv)
{
  struct own_settings settings = {0};
  struct word_list words = {0};
  enum exit_code code;

  if (command_open(command, argv, &settings, &settings.common, &words, &code)) {
    message_error("'hone %s' needs a command", command->name);
    code = command_usage(command);
  }
  command_close(command, &settings, &words);
  return code;
}

const struct option subcommand_options[] = {
    HEADING("options"),
    COMMON_OPTIONS(struct own_settings, common),
    {0},
};

enum exit_code command_run_subcommand(const struct command *command, char **argv)
{
  const struct command *subcommand;

  if (!argv[0] || argv[0][0] == '-') return run_without_word(command, argv);
  if (strcmp(argv[0], "help") == 0) {
    subcommand = argv[1] ? command_find(command->subcommands, argv[1]) : command;
    return subcommand ? command_help(subcommand) : command_usage(command);
  }
  subcommand = command_find(command->subcommands, argv[0]);
  return subcommand ? subcommand->run(subcommand, argv + 1) : command_usage(command);
}
