/* hone merge: several wisdom files, or several stores, as one. */
#include "merge_stores.h"
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
    message_error("no wisdom files given, and no stores: hone merge A.db B.db -o ALL.db");
  else if (settings->check && !settings->output)
    message_error("'--check' needs '--output FILE'");
  else
    return true;
  return false;
}

static size_t count_stores(const struct word_list *files)
{
  size_t count = 0;

  for (size_t i = 0; i < files->count; i++)
    count += hone_store_is_store(files->words[i]);
  return count;
}

static enum exit_code merge_runs(const struct merge_settings *settings,
                                 const struct word_list *files)
{
  if (count_stores(files) < files->count)
    message_error("stores and wisdom files cannot be merged with each other");
  else if (!settings->output)
    message_error("stores are merged into a store: '--output FILE' is needed");
  else if (settings->check)
    message_error("'--check' is for wisdom files");
  else
    return merge_stores(files, settings->output);
  return CLI_USAGE;
}

static enum exit_code merge(const struct merge_settings *settings, const struct word_list *files)
{
  struct hone_wisdom_merge_options options;
  enum exit_code code;

  if (count_stores(files)) return merge_runs(settings, files);
  hone_wisdom_merge_options_init(&options);
  options.files = files->words;
  options.file_count = files->count;
  options.output = settings->output;
  options.check = settings->check;
  code = wisdom_file_merge(&options);
  if (code == CLI_USAGE)
    message_line(
        "No file is a store ('hone tune --store FILE' writes one), so all were read as wisdom "
        "files ('hone export --format wisdom').");
  return code;
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
    .summary = "merge wisdom files, or stores",
    .usage = "FILE... [-o FILE] [options]",
    .about = "Writes the entries of all wisdom files ('hone export --format wisdom') into one.\n"
             "Of two entries for the same kernel, device and problem, the one whose interval\n"
             "begins higher is kept, and a note is printed. The output is written only if all\n"
             "inputs are good.\n\n"
             "If the files are stores, their runs are copied into the store that '--output'\n"
             "names; runs that are there already are not copied again. Of runs of parts of a\n"
             "space ('hone tune --partition 1/3'), the best is shown, with the command that\n"
             "confirms the best of all parts in one run.\n",
    .examples = "  hone merge h100.wisdom h200.wisdom -o all.wisdom\n"
                "  hone merge all.wisdom new.wisdom -o all.wisdom\n"
                "  hone merge node1.db node2.db node3.db -o all.db\n",
    .options = merge_options,
    .run = run_merge,
};
