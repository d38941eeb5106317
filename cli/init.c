/* hone init: a first spec for a kernel. */
#include "command.h"
#include "text_file.h"

#include <hone_sketch.h>
#include <hone_text.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

struct init_settings {
  struct common common;
  const char *output, *entry;
  bool force;
};

#define TARGET(field) .target = offsetof(struct init_settings, field)

static const struct option init_options[] = {
    HEADING("options"),
    OPTION(TEXT, "output", "FILE",
           "the spec to write, - for standard output; default beside the source", TARGET(output),
           .letter = 'o', .takes_file = true),
    OPTION(TEXT, "entry", "NAME", "the function to tune; default the one with the deepest loops",
           TARGET(entry)),
    OPTION(FLAG, "force", NULL, "replace a spec that exists", TARGET(force)),
    COMMON_OPTIONS(struct init_settings, common),
    {0},
};

/* "kernels/gemm.yaml" of "kernels/gemm.c"; free(). */
static char *spec_name(const char *source)
{
  const char *slash = strrchr(source, '/'), *dot = strrchr(slash ? slash : source, '.');
  size_t stem = dot ? (size_t)(dot - source) : strlen(source);
  char *name = check_memory(malloc(stem + sizeof ".yaml"));

  memcpy(name, source, stem);
  memcpy(name + stem, ".yaml", sizeof ".yaml");
  return name;
}

/* The lines that the user has to complete. */
static void list_open_lines(const char *path, const char *yaml)
{
  int number = 1;

  for (const char *line = yaml; line && *line; number++) {
    const char *end = strchr(line, '\n'), *found = strstr(line, "TODO");
    size_t indent = strspn(line, " ");
    if (found && end && found < end && line[indent] != '#')
      message_line("  %s:%d: %.*s", path, number, (int)(end - line - (ptrdiff_t)indent),
                   line + indent);
    line = end ? end + 1 : NULL;
  }
}

/* After the first line, which explains what TODO is. */
static bool is_open(const char *yaml)
{
  const char *rest = strchr(yaml, '\n');

  return rest && strstr(rest, "TODO");
}

static void say_what_follows(const char *path, const char *yaml)
{
  if (is_open(yaml)) {
    message_note("wrote '%s'; complete these lines:", path);
    list_open_lines(path, yaml);
  } else {
    size_t size = hone_shell_word(path, NULL, 0) + 1;
    char *word = check_memory(malloc(size));
    hone_shell_word(path, word, size);
    message_note("wrote '%s'; read it, then: hone tune %s", path, word);
    free(word);
  }
}

static bool may_write(const struct init_settings *settings, const char *path)
{
  struct stat info;

  if (strcmp(path, "-") == 0 || settings->force || stat(path, &info) != 0) return true;
  message_error("'%s' exists: give --force to replace it, or -o FILE", path);
  return false;
}

static enum exit_code init(const struct init_settings *settings, const char *source)
{
  char *own = spec_name(source), *yaml = NULL;
  const char *path = settings->output ? settings->output : own;
  hone_status status = hone_spec_sketch(source, settings->entry, &yaml);
  enum exit_code code = CLI_FAILED;

  if (status)
    code = message_status(status);
  else if (may_write(settings, path) && text_file_print(path, yaml))
    code = CLI_DONE;
  if (code == CLI_DONE && strcmp(path, "-") != 0) say_what_follows(path, yaml);
  hone_free(yaml);
  free(own);
  return code;
}

static enum exit_code run_init(const struct command *command, char **argv)
{
  struct init_settings settings = {0};
  struct word_list words = {0};
  enum exit_code code;

  if (command_open(command, argv, &settings, &settings.common, &words, &code)) {
    if (words.count == 1) {
      code = init(&settings, words.words[0]);
    } else {
      message_error("one source is needed: hone init KERNEL.c");
      code = command_usage(command);
    }
  }
  command_close(command, &settings, &words);
  return code;
}

const struct command init_command = {
    .name = "init",
    .summary = "write a first spec for a kernel",
    .usage = "SOURCE [options]",
    .about =
        "Reads a source (.c, .h, .cpp, .hpp, .cu, .hip, .cl, .py) and writes a commented spec\n"
        "beside it: the function's arguments with their types and roles, sizes, parameters\n"
        "from macros with '#ifndef', from templates or from a program's options, a baseline.\n"
        "What it cannot know is marked with TODO. It asks nothing.\n",
    .examples = "  hone init gemm.c\n"
                "  hone init reduce.cu --entry reduce_blocks -o -\n",
    .options = init_options,
    .run = run_init,
};
