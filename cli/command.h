/* command.h - one row for each command of hone.
 *
 * To add one: a file with its `const struct command`, and a line in the table of main.c. Help and
 * completion come from the row.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "message.h"
#include "options.h"
#include "output.h"

struct command {
  const char *name;     /* for a subcommand including the command: "iree merge" */
  const char *summary;  /* one line for the list of commands */
  const char *usage;    /* what follows the name: "FILE... [options]" */
  const char *about;    /* paragraphs for its help */
  const char *examples; /* lines for its help */
  const struct option *options;
  const char *const *words;                 /* its arguments besides options; NULL: files */
  bool takes_files;                         /* files too, besides the words */
  const struct command *const *subcommands; /* NULL: none; NULL-terminated */
  bool is_hidden;
  enum exit_code (*run)(const struct command *command, char **argv);
};

extern const struct command *const hone_commands[]; /* NULL-terminated */
extern const struct option hone_options[];          /* of hone itself, before a command */

extern const struct command space_command, sweep_command, tune_command, show_command, runs_command,
    compare_command, run_command, cache_command, completion_command, worker_command;
extern const struct command devices_command, doctor_command, export_command, report_command;
extern const struct command cluster_command;
extern const struct command init_command, bench_command, import_command, iree_command,
    merge_command, replay_command;

/* For settings with the member `store`. */
#define STORE_OPTION(type)                                                                         \
  OPTION(TEXT, "store", "FILE",                                                                    \
         "store with the results; default $HONE_STORE, else the user's store",                     \
         .target = offsetof(type, store), .takes_file = true)

/* Options of every command: COMMON_OPTIONS rows for its table, stored in a `struct common`. */
struct common {
  bool help, quiet, verbose;
  int color;    /* enum color_mode */
  int progress; /* enum progress_format: of commands with PROGRESS_OPTION */
};
extern const char *const color_words[];
#define COMMON_OPTIONS(type, field)                                                                \
  OPTION(CHOICE, "color", "WHEN", "auto, always or never; auto respects NO_COLOR",                 \
         .target = offsetof(type, field.color), .words = color_words),                             \
      OPTION(FLAG, "quiet", NULL, "suppress notes and warnings", .letter = 'q',                    \
             .target = offsetof(type, field.quiet)),                                               \
      OPTION(FLAG, "verbose", NULL, "print more details, without shortening", .letter = 'v',       \
             .target = offsetof(type, field.verbose)),                                             \
      OPTION(FLAG, "help", NULL, "show this help", .letter = 'h', .word = "help",                  \
             .target = offsetof(type, field.help))

/* Reads `argv` into `settings`, whose common part is `common`, and into `words`. False if the
 * command is done: the arguments were wrong, or help was requested; then *out_code is the exit
 * code. Close it in both cases.
 */
bool command_open(const struct command *command, char **argv, void *settings,
                  const struct common *common, struct word_list *words, enum exit_code *out_code);
void command_close(const struct command *command, void *settings, struct word_list *words);

/* The last word of its name. */
const char *command_word(const struct command *command);
/* The command of this word in a table, or NULL after a message that names the nearest. */
const struct command *command_find(const struct command *const *commands, const char *word);
/* The `run` and the `options` of a command that has subcommands. */
extern const struct option subcommand_options[];
enum exit_code command_run_subcommand(const struct command *command, char **argv);
/* Prints `hone: try 'hone space --help'`, and returns CLI_USAGE. */
enum exit_code command_usage(const struct command *command);
/* Prints the command's help, or hone's if it is NULL. */
enum exit_code command_help(const struct command *command);

/* help.c: the help of hone, or of a command. */
void help_hone(struct output *output);
void help_command(struct output *output, const struct command *command);

#endif
