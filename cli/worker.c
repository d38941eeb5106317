/* hone worker: started by `hone tune` to build and to measure. Not for users. */
#include "command.h"

#include "hone_cluster.h"
#include "hone_machine.h"

#include <unistd.h>

enum { ROLE_PROBE = 2 };
static const char *const role_words[] = {"build", "run", "probe", NULL};

struct worker_settings {
  bool help, runner;
  int role;
  const char *device, *plugin;
};

static const struct option worker_options[] = {
    HEADING("options"),
    OPTION(CHOICE, "role", "ROLE", "build, run or probe", .words = role_words,
           .target = offsetof(struct worker_settings, role)),
    OPTION(TEXT, "device", "DEVICE", "the device to run on",
           .target = offsetof(struct worker_settings, device)),
    OPTION(TEXT, "plugin", "FILE", "serve this plug-in instead, see hone-serve(7)",
           .target = offsetof(struct worker_settings, plugin)),
    OPTION(FLAG, "runner", NULL, "for internal use",
           .target = offsetof(struct worker_settings, runner)),
    OPTION(FLAG, "help", NULL, "show this help", .letter = 'h',
           .target = offsetof(struct worker_settings, help)),
    {0},
};

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
static bool is_worker;

/* The leak checker, which calls this when the process ends, takes more time than a short worker.
 * Unit tests look for leaks in the same code. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
  return is_worker;
}
#define NO_LEAK_CHECK() (is_worker = true)
#endif
#endif
#ifndef NO_LEAK_CHECK
#define NO_LEAK_CHECK() ((void)0)
#endif

static enum exit_code work(const struct command *command, const struct worker_settings *settings,
                           const struct word_list *words)
{
  if (words->count) {
    message_error("unexpected argument '%s'", words->words[0]);
    return command_usage(command);
  }
  if (settings->plugin) return (enum exit_code)hone_plugin_main(settings->plugin);
  if (!settings->runner && isatty(STDIN_FILENO)) {
    message_error("workers are started by 'hone tune', not from a terminal");
    return command_usage(command);
  }
  NO_LEAK_CHECK();
  if (settings->role == ROLE_PROBE) return (enum exit_code)hone_cluster_probe();
  return (enum exit_code)hone_worker_main(role_words[settings->role], settings->device,
                                          settings->runner);
}

static enum exit_code run_worker(const struct command *command, char **argv)
{
  struct worker_settings settings = {0};
  struct word_list words = {0};
  enum exit_code code;

  if (!options_parse(worker_options, argv, &settings, &words))
    code = command_usage(command);
  else if (settings.help)
    code = command_help(command);
  else
    code = work(command, &settings, &words);
  word_list_release(&words);
  return code;
}

static const char *const no_words[] = {NULL};

const struct command worker_command = {
    .name = "worker",
    .summary = "build and measure for a driver on another host",
    .usage = "--role build|run [--device DEVICE]",
    .about = "Exchanges frames with its driver on standard input and output until the driver\n"
             "ends. 'hone tune' starts workers itself, on other hosts with the prefixes given\n"
             "by --worker. HONE_ISOLATION=none or =namespace in the environment selects\n"
             "whether a PID namespace is used to find processes that candidates leave behind.\n",
    .examples = "  hone worker --role build </dev/null\n",
    .options = worker_options,
    .words = no_words,
    .is_hidden = true,
    .run = run_worker,
};
