/* hone merge: several wisdom files as one. */
#include "wisdom_file.h"

struct merge_settings {
  struct common common;
  const char *output;
  bool check;
};

#define TARGET(field) .target = offsetof(struct merge_settings, field)

static const struct option merge_options[] = {
    HEADING("options"),
    OPTION(TEXT, "output", "FILE", "output file; default standard output", TARGET(output),
           .letter = 'o', .takes_file = true),
    OPTION(FLAG, "check", NULL, "write nothing; if the output file is out of date, exit with 1",
           TARGET(check)),
    COMMON_OPTIONS(struct merge_settings, common),
    {0},
};

static bool check_words(const struct merge_settings *settings, const struct word_list *files)
{
  if (!files->count)
    message_error("no wisdom files given");
  else if (settings->check && !settings->output)
    message_error("'--check' needs '--output FILE'");
  else
    return true;
  return false;
}

static enum exit_code merge(const struct merge_settings *settings, const struct word_list *files)
{
  struct hone_wisdom_merge_options options;

  hone_wisdom_merge_options_init(&options);
  options.files = files->words;
  options.file_count = files->count;
  options.output = settings->output;
  options.check = settings->check;
  return wisdom_file_merge(&options);
}

static enum exit_code run_merge(const struct command *command, char **argv)
{
  struct merge_settings settings = {0};
  struct word_list words = {0};
  enum exit_code code;

  if (command_open(command, argv, &settings, &settings.common, &words, &code))
    code = check_words(&settings, &words) ? merge(&settings, &words) : command_usage(command);
  command_close(command, &settings, &words);
  return code;
}

const struct command merge_command = {
    .name = "merge",
    .summary = "merge wisdom files",
    .usage = "FILE... [-o FILE] [options]",
    .about = "Writes the entries of all wisdom files ('hone export --format wisdom') into one.\n"
             "Of two entries for the same kernel, device and problem, the one whose interval\n"
             "begins higher is kept, and a note is printed. The output is written only if all\n"
             "inputs are good.\n",
    .examples = "  hone merge h100.wisdom h200.wisdom -o all.wisdom\n"
                "  hone merge all.wisdom new.wisdom -o all.wisdom\n",
    .options = merge_options,
    .run = run_merge,
};
