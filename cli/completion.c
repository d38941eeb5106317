/* hone completion SHELL: prints a completion script, made from the tables of the parser. The build
 * runs it and installs the scripts where shells expect them.
 */
#include "command.h"

#include <stdio.h>
#include <unistd.h>

/* ---- What all shells share ---- */

/* Text with `escape` before each of the characters of `special`. */
static void print_escaped(struct output *output, const char *text, const char *special,
                          const char *escape)
{
  for (; *text; text++) {
    if (strchr(special, *text)) output_text(output, escape);
    output_bytes(output, text, 1);
  }
}

/* Inside single quotes of a POSIX shell: '\'' for a quote. */
static void print_single_quoted(struct output *output, const char *text)
{
  print_escaped(output, text, "'", "'\\'");
}

static void print_words(struct output *output, const char *const *words)
{
  for (size_t i = 0; words[i]; i++)
    output_format(output, "%s%s", i ? " " : "", words[i]);
}

static void print_command_names(struct output *output, const struct command *const *commands)
{
  for (size_t i = 0; commands[i]; i++)
    if (!commands[i]->is_hidden) output_format(output, "%s ", command_word(commands[i]));
}

/* The first row from `option` on that is an option; NULL: no more. */
static const struct option *real_option(const struct option *option)
{
  while (option->kind == OPTION_HEADING || option->kind == OPTION_MOVED)
    option++;
  return option->kind ? option : NULL;
}

/* ---- bash ---- */

static void bash_case(struct output *output, const struct option *option)
{
  output_format(output, "    --%s", option->name);
  if (option->letter) output_format(output, " | -%c", option->letter);
  if (option->words) {
    output_text(output, ") words='");
    print_words(output, option->words);
    output_text(output, "' ;;\n");
  } else {
    output_text(output, option->takes_file ? ") return ;;\n" : ") compopt +o default; return ;;\n");
  }
}

static void bash_words(struct output *output, const struct option *options)
{
  for (const struct option *o = real_option(options); o; o = real_option(o + 1))
    output_format(output, "--%s ", o->name);
}

static void bash_command(struct output *output, const struct command *command)
{
  output_format(output, "  %s)\n    case $last in\n", command_word(command));
  for (const struct option *o = real_option(command->options); o; o = real_option(o + 1))
    if (option_needs_value(o)) bash_case(output, o);
  output_text(output, "    *)\n      if [[ $word != -* ]]; then ");
  if (command->words) {
    output_text(output, "words='");
    print_words(output, command->words);
    output_text(output, "'");
  } else {
    output_text(output, "return");
  }
  output_text(output, "; else words='");
  bash_words(output, command->options);
  output_text(output, "'; fi ;;\n    esac ;;\n");
}

static void bash_subcommands(struct output *output, const struct command *command)
{
  output_format(output, "  %s)\n  if ((COMP_CWORD == 2)); then words='", command->name);
  print_command_names(output, command->subcommands);
  output_text(output, "help ");
  bash_words(output, command->options);
  output_text(output, "'\n  else\n  case ${COMP_WORDS[2]} in\n  help) words='");
  print_command_names(output, command->subcommands);
  output_text(output, "' ;;\n");
  for (size_t i = 0; command->subcommands[i]; i++)
    bash_command(output, command->subcommands[i]);
  output_text(output, "  esac\n  fi ;;\n");
}

/* Readline cuts words at '='; an empty answer lets it complete file names. */
static void print_bash(struct output *output)
{
  output_text(output, "# bash completion for hone, printed by 'hone completion bash'\n"
                      "_hone() {\n"
                      "  local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD - 1]}\n"
                      "  local words=\n"
                      "  if [[ $word == = ]]; then\n"
                      "    word=\n"
                      "  elif [[ $last == = ]]; then\n"
                      "    last=${COMP_WORDS[COMP_CWORD - 2]}\n"
                      "  fi\n"
                      "  COMPREPLY=()\n"
                      "  if ((COMP_CWORD == 1)); then\n"
                      "    words='");
  print_command_names(output, hone_commands);
  output_text(output, "help ");
  bash_words(output, hone_options);
  output_text(output, "'\n  else\n  case ${COMP_WORDS[1]} in\n  help) words='");
  print_command_names(output, hone_commands);
  output_text(output, "' ;;\n");
  for (size_t i = 0; hone_commands[i]; i++)
    (hone_commands[i]->subcommands ? bash_subcommands : bash_command)(output, hone_commands[i]);
  output_text(output, "  esac\n"
                      "  fi\n"
                      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                      "}\n"
                      "complete -o default -F _hone hone\n");
}

/* ---- zsh ---- */

static void zsh_excluded(struct output *output, const struct option *option,
                         const struct option *options)
{
  if (option->kind == OPTION_LIST || option->kind == OPTION_JOINED) {
    output_text(output, "*");
    return;
  }
  output_text(output, "(");
  for (const struct option *o = real_option(options); o; o = real_option(o + 1)) {
    if (o != option && (!option->only_one || o->only_one != option->only_one)) continue;
    if (o->letter) output_format(output, "-%c ", o->letter);
    output_format(output, "--%s ", o->name);
  }
  output_text(output, ")");
}

/* A ':' would end the list. */
static void zsh_words(struct output *output, const char *const *words)
{
  for (size_t i = 0; words[i]; i++) {
    if (i) output_text(output, " ");
    print_escaped(output, words[i], ":\\", "\\");
  }
}

static void zsh_option(struct output *output, const struct option *option,
                       const struct option *options)
{
  const char *sign = option_needs_value(option) ? "=" : "";

  output_text(output, " \\\n      '");
  zsh_excluded(output, option, options);
  if (option->letter)
    output_format(output, "'{-%c%s,--%s%s}'", option->letter, option->argument ? "+" : "",
                  option->name, sign);
  else
    output_format(output, "--%s%s", option->name, sign);
  output_text(output, "[");
  for (const char *c = option->help; *c; c++) {
    char one[2] = {*c, 0};
    if (strchr("[]\\:", *c)) output_text(output, "\\");
    print_single_quoted(output, one);
  }
  output_text(output, "]");
  if (option_needs_value(option)) {
    output_text(output, ":");
    print_escaped(output, option->argument, ":\\", "\\");
    output_text(output, option->takes_file ? ":_files" : option->words ? ":(" : ": ");
    if (option->words) zsh_words(output, option->words);
    if (option->words) output_text(output, ")");
  }
  output_text(output, "'");
}

static void zsh_options(struct output *output, const struct option *options)
{
  for (const struct option *o = real_option(options); o; o = real_option(o + 1))
    zsh_option(output, o, options);
}

static void zsh_command(struct output *output, const struct command *command)
{
  output_format(output, "    %s)\n      _arguments -s -S", command_word(command));
  zsh_options(output, command->options);
  output_text(output, " \\\n      '");
  if (command->words) {
    output_text(output, command->takes_files ? "*:word:{_alternative \"words:word:(" : "1:word:(");
    print_words(output, command->words);
    output_text(output, command->takes_files ? ")\" \"files:file:_files\"}" : ")");
  } else {
    output_text(output, "*:file:_files");
  }
  output_text(output, "' ;;\n");
}

static void zsh_descriptions(struct output *output, const struct command *const *commands)
{
  for (size_t i = 0; commands[i]; i++) {
    if (commands[i]->is_hidden) continue;
    output_format(output, "    '%s:", command_word(commands[i]));
    print_single_quoted(output, commands[i]->summary);
    output_text(output, "'\n");
  }
  output_text(output, "    'help:show the help of a command'\n");
}

/* One level deeper: the same words, with the command's own table. */
static void zsh_subcommands(struct output *output, const struct command *command)
{
  output_format(output, "    %s)\n    commands=(\n", command->name);
  zsh_descriptions(output, command->subcommands);
  output_text(output, "    )\n    _arguments -C");
  zsh_options(output, command->options);
  output_text(output, " \\\n      '1:command:->command' '*::argument:->argument'\n"
                      "    case $state in\n"
                      "    command) _describe command commands ;;\n"
                      "    argument)\n"
                      "    case $line[1] in\n"
                      "    help) _describe command commands ;;\n");
  for (size_t i = 0; command->subcommands[i]; i++)
    zsh_command(output, command->subcommands[i]);
  output_text(output, "    esac ;;\n    esac ;;\n");
}

static void print_zsh(struct output *output)
{
  output_text(output, "#compdef hone\n"
                      "# zsh completion for hone, printed by 'hone completion zsh'\n"
                      "_hone() {\n"
                      "  local curcontext=$curcontext state line\n"
                      "  local -a commands\n"
                      "  commands=(\n");
  zsh_descriptions(output, hone_commands);
  output_text(output, "  )\n  _arguments -C");
  zsh_options(output, hone_options);
  output_text(output, " \\\n      '1:command:->command' '*::argument:->argument'\n"
                      "  case $state in\n"
                      "  command) _describe command commands ;;\n"
                      "  argument)\n"
                      "    case $line[1] in\n"
                      "    help) _describe command commands ;;\n");
  for (size_t i = 0; hone_commands[i]; i++)
    (hone_commands[i]->subcommands ? zsh_subcommands : zsh_command)(output, hone_commands[i]);
  output_text(output, "    esac ;;\n"
                      "  esac\n"
                      "}\n"
                      "if [[ $funcstack[1] == _hone ]]; then\n"
                      "  _hone \"$@\"\n"
                      "else\n"
                      "  compdef _hone hone\n"
                      "fi\n");
}

/* ---- fish ---- */

static void fish_option(struct output *output, const struct option *option, const char *condition)
{
  output_format(output, "complete -c hone -n '%s' -l %s", condition, option->name);
  if (option->letter) output_format(output, " -s %c", option->letter);
  if (option_needs_value(option)) output_text(output, option->takes_file ? " -r -F" : " -x");
  if (option->words) {
    output_text(output, " -a '");
    print_words(output, option->words);
    output_text(output, "'");
  }
  output_text(output, " -d '");
  print_escaped(output, option->help, "'\\", "\\");
  output_text(output, "'\n");
}

static void fish_word(struct output *output, const struct command *command, const char *condition)
{
  if (command->is_hidden) return;
  output_format(output, "complete -c hone -n '%s' -a %s -d '", condition, command_word(command));
  print_escaped(output, command->summary, "'\\", "\\");
  output_text(output, "'\n");
}

/* What follows a command, where `condition` holds. */
static void fish_arguments(struct output *output, const struct command *command,
                           const char *condition)
{
  if (!command->subcommands) {
    output_format(output, "complete -c hone -n '%s' ", condition);
    if (command->words) {
      output_text(output, command->takes_files ? "-F -a '" : "-a '");
      print_words(output, command->words);
      output_text(output, "'\n");
    } else {
      output_text(output, "-F\n");
    }
  }
  for (const struct option *o = real_option(command->options); o; o = real_option(o + 1))
    fish_option(output, o, condition);
}

static void fish_subcommands(struct output *output, const struct command *command)
{
  char before[256], after[256];

  for (size_t i = 0; command->subcommands[i]; i++) {
    const struct command *subcommand = command->subcommands[i];
    snprintf(before, sizeof before, "__fish_seen_subcommand_from %s", command->name);
    fish_word(output, subcommand, before);
    snprintf(after, sizeof after, "__fish_seen_subcommand_from %s; and %s %s", command->name,
             "__fish_seen_subcommand_from", command_word(subcommand));
    fish_arguments(output, subcommand, after);
  }
}

static void fish_command(struct output *output, const struct command *command)
{
  char condition[128];

  snprintf(condition, sizeof condition, "__fish_seen_subcommand_from %s", command->name);
  output_text(output, "\n");
  fish_word(output, command, "__fish_use_subcommand");
  fish_arguments(output, command, condition);
  if (command->subcommands) fish_subcommands(output, command);
}

static void print_fish(struct output *output)
{
  output_text(output, "# fish completion for hone, printed by 'hone completion fish'\n"
                      "complete -c hone -f\n");
  for (const struct option *o = real_option(hone_options); o; o = real_option(o + 1))
    fish_option(output, o, "__fish_use_subcommand");
  output_text(output, "complete -c hone -n __fish_use_subcommand -a help -d 'show the help of a "
                      "command'\ncomplete -c hone -n '__fish_seen_subcommand_from help' -a '");
  print_command_names(output, hone_commands);
  output_text(output, "'\n");
  for (size_t i = 0; hone_commands[i]; i++)
    fish_command(output, hone_commands[i]);
}

/* ---- The command ---- */

static const char *const shell_words[] = {"bash", "zsh", "fish", NULL};
static void (*const shell_printers[])(struct output *) = {print_bash, print_zsh, print_fish};

struct completion_settings {
  bool help;
};

static const struct option completion_options[] = {
    HEADING("options"),
    OPTION(FLAG, "help", NULL, "show this help", .letter = 'h',
           .target = offsetof(struct completion_settings, help)),
    {0},
};

static enum exit_code print_script(const struct command *command, const struct word_list *words)
{
  struct output output;

  for (size_t i = 0; words->count == 1 && shell_words[i]; i++) {
    if (strcmp(shell_words[i], words->words[0]) != 0) continue;
    output_open(&output, STDOUT_FILENO, false);
    shell_printers[i](&output);
    return output_close(&output) ? CLI_DONE : CLI_FAILED;
  }
  if (words->count == 1)
    message_error("no completion for '%s': supported shells are bash, zsh and fish",
                  words->words[0]);
  else
    message_error("give one shell: bash, zsh or fish");
  return command_usage(command);
}

static enum exit_code run_completion(const struct command *command, char **argv)
{
  struct completion_settings settings = {0};
  struct word_list words = {0};
  enum exit_code code;

  if (!options_parse(completion_options, argv, &settings, &words))
    code = command_usage(command);
  else if (settings.help)
    code = command_help(command);
  else
    code = print_script(command, &words);
  word_list_release(&words);
  return code;
}

const struct command completion_command = {
    .name = "completion",
    .summary = "print a completion script for a shell",
    .usage = "bash|zsh|fish",
    .about = "Prints a script that makes the shell complete hone's commands and options.\n",
    .examples = "  source <(hone completion bash)\n"
                "  hone completion fish >~/.config/fish/completions/hone.fish\n",
    .options = completion_options,
    .words = shell_words,
    .is_hidden = true,
    .run = run_completion,
};
