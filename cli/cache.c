/* hone cache: lists the cached builds, and removes them. */
#include "command.h"

#include "figures.h"
#include "hone_machine.h"
#include "table.h"
#include "terminal.h"

#include <inttypes.h>
#include <unistd.h>

struct cache_settings {
  struct common common;
  size_t keep;
};

static const struct option cache_options[] = {
    HEADING("options"),
    OPTION(SIZE, "keep", "SIZE", "size that 'prune' keeps, such as 512M or 2G",
           .target = offsetof(struct cache_settings, keep)),
    COMMON_OPTIONS(struct cache_settings, common),
    {0},
};

/* ---- What is there ---- */

static void add_kind(struct table *table, const char *name, uint64_t files, uint64_t bytes,
                     uint64_t damaged)
{
  struct figure figure;

  table_cell(table, name);
  table_format(table, "%" PRIu64, files);
  table_cell(table, figure_bytes(&figure, bytes));
  if (damaged)
    table_format(table, "%" PRIu64, damaged);
  else
    table_cell(table, "");
}

static uint64_t print_kinds(struct output *output, const struct hone_cache *cache)
{
  uint64_t files = 0, bytes = 0, damaged = 0;
  struct table table;

  table_open(&table, 2);
  table_column(&table, "", 0);
  table_column(&table, "files", TABLE_RIGHT);
  table_column(&table, "size", TABLE_RIGHT);
  table_column(&table, "damaged", TABLE_RIGHT);
  for (size_t i = 0; i < hone_cache_kind_count(cache); i++) {
    add_kind(&table, hone_cache_kind(cache, i), hone_cache_files(cache, i),
             hone_cache_bytes(cache, i), hone_cache_damaged(cache, i));
    files += hone_cache_files(cache, i);
    bytes += hone_cache_bytes(cache, i);
    damaged += hone_cache_damaged(cache, i);
  }
  add_kind(&table, "all", files, bytes, damaged);
  table_print(&table, output, 0);
  table_close(&table);
  return damaged;
}

static enum exit_code nothing_kept(void)
{
  message_note("there is no cache: HOME is not set; set HONE_CACHE to a folder");
  return CLI_DONE;
}

static enum exit_code print_cache(struct output *output, const struct hone_cache *cache,
                                  bool verify)
{
  uint64_t damaged;

  if (!*hone_cache_folder(cache)) return nothing_kept();
  output_format(output, "%s\n", hone_cache_folder(cache));
  damaged = print_kinds(output, cache);
  if (!verify) return CLI_DONE;
  if (damaged)
    output_format(output, "%" PRIu64 " damaged: 'hone cache prune' removes them\n", damaged);
  else
    output_text(output, "all files are intact\n");
  return damaged ? CLI_FAILED : CLI_DONE;
}

static enum exit_code print_info(struct output *output, bool verify)
{
  struct hone_cache *cache = NULL;
  hone_status status = hone_cache_read(NULL, verify, &cache);
  enum exit_code code;

  if (status) return message_status(status);
  code = print_cache(output, cache, verify);
  hone_cache_free(cache);
  return code;
}

/* ---- Actions ---- */

static enum exit_code print_removed(struct output *output, hone_status status, uint64_t files,
                                    uint64_t bytes)
{
  struct figure figure;

  if (status) return message_status(status);
  output_format(output, "removed %" PRIu64 " file%s, %s\n", files, files == 1 ? "" : "s",
                figure_bytes(&figure, bytes));
  return CLI_DONE;
}

static enum exit_code show_action(struct output *output, const struct cache_settings *settings)
{
  (void)settings;
  return print_info(output, false);
}

static enum exit_code verify_action(struct output *output, const struct cache_settings *settings)
{
  (void)settings;
  return print_info(output, true);
}

static enum exit_code prune_action(struct output *output, const struct cache_settings *settings)
{
  uint64_t files = 0, bytes = 0;
  hone_status status =
      hone_cache_prune(NULL, settings->keep ? settings->keep : UINT64_MAX, &files, &bytes);

  return print_removed(output, status, files, bytes);
}

static enum exit_code clear_action(struct output *output, const struct cache_settings *settings)
{
  uint64_t files = 0, bytes = 0;
  hone_status status = hone_cache_clear(NULL, &files, &bytes);

  (void)settings;
  return print_removed(output, status, files, bytes);
}

static const char *const action_words[] = {"show", "verify", "prune", "clear", NULL};
static enum exit_code (*const actions[])(struct output *, const struct cache_settings *) = {
    show_action, verify_action, prune_action, clear_action};

/* ---- The command ---- */

/* Which of the actions, or -1 after a message. */
static int find_action(const struct cache_settings *settings, const struct word_list *words)
{
  const char *word = words->count ? words->words[0] : "show";

  if (words->count > 1) {
    message_error("give one action, not '%s' and '%s'", word, words->words[1]);
    return -1;
  }
  if (settings->keep && strcmp(word, "prune") != 0) {
    message_error("'--keep' needs 'hone cache prune'");
    return -1;
  }
  for (int i = 0; action_words[i]; i++)
    if (strcmp(action_words[i], word) == 0) return i;
  message_error("'hone cache' takes show, verify, prune or clear, not '%s'", word);
  return -1;
}

static enum exit_code act(const struct cache_settings *settings, int action)
{
  struct output output;
  enum exit_code code;

  output_open(&output, STDOUT_FILENO,
              terminal_has_color((enum color_mode)settings->common.color, STDOUT_FILENO));
  code = actions[action](&output, settings);
  if (!output_close(&output) && code == CLI_DONE) code = CLI_FAILED;
  return code;
}

static enum exit_code run_cache(const struct command *command, char **argv)
{
  struct cache_settings settings = {0};
  struct word_list words = {0};
  enum exit_code code;
  int action;

  if (command_open(command, argv, &settings, &settings.common, &words, &code)) {
    action = find_action(&settings, &words);
    code = action < 0 ? command_usage(command) : act(&settings, action);
  }
  command_close(command, &settings, &words);
  return code;
}

const struct command cache_command = {
    .name = "cache",
    .summary = "show, check or remove cached builds",
    .usage = "[show|verify|prune|clear] [options]",
    .about = "The cache holds compiled candidates, addressed by the content of all their\n"
             "inputs, so that they are not compiled again. Removing them loses no results,\n"
             "only time.\n"
             "  show     print the size of the cache; the default\n"
             "  verify   read every file and count damaged ones\n"
             "  prune    remove damaged files, and the least recently used beyond --keep\n"
             "  clear    remove all files\n",
    .examples = "  hone cache\n"
                "  hone cache verify\n"
                "  hone cache prune --keep 512M\n"
                "  hone cache clear\n",
    .options = cache_options,
    .words = action_words,
    .run = run_cache,
};
