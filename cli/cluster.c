/* hone cluster: what the hosts of a cluster have, and batch files for Slurm. */
#include "command.h"

#include "cluster_hosts.h"
#include "figures.h"
#include "own_file.h"
#include "quote.h"
#include "table.h"
#include "terminal.h"
#include "visible.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { FORMAT_TEXT, FORMAT_JSON };
static const char *const format_words[] = {"text", "json", NULL};

/* ---- hone cluster check ---- */

struct check_settings {
  struct common common;
  struct word_list workers;
  double timeout_s;
  int format;
};

static const struct option check_options[] = {
    HEADING("options"),
    OPTION(LIST, "worker", "PREFIX",
           "check this command prefix, too, such as 'ssh host'; repeatable",
           .target = offsetof(struct check_settings, workers)),
    OPTION(TIME, "timeout", "TIME", "wait this long for an answer of a host; default 60s",
           .target = offsetof(struct check_settings, timeout_s)),
    OPTION(CHOICE, "format", "NAME", "text or json; default text",
           .target = offsetof(struct check_settings, format), .letter = 'f', .words = format_words),
    COMMON_OPTIONS(struct check_settings, common),
    {0},
};

static const double CLOCK_WORTH_A_WORD_S = 5;
static const uint64_t FEW_BYTES = 1 << 30;

static void add_clock(struct table *table, const struct hone_host *host)
{
  if (fabs(host->clock_ahead_s) < CLOCK_WORTH_A_WORD_S)
    table_cell(table, "ok");
  else
    table_format(table, "%+.0f s", host->clock_ahead_s);
}

static void add_figures(struct table *table, const struct hone_host *host)
{
  struct figure figure;

  table_cell(table, host->hostname);
  table_cell(table, host->version);
  table_cell(table, host->machine);
  table_format(table, "%" PRIu64, host->cores);
  table_cell(table, figure_bytes(&figure, host->memory_bytes));
  table_cell(table, figure_bytes(&figure, host->disk_free_bytes));
  add_clock(table, host);
  table_format(table, "%.2g s", host->start_s);
  table_cell(table, host->compilers);
  table_cell(table, *host->devices ? host->devices : "cpu");
}

static void print_table(struct output *output, const struct hone_cluster *cluster)
{
  static const char *const titles[] = {"worker", "host",  "hone",  "machine",   "cores",  "memory",
                                       "disk",   "clock", "start", "compilers", "devices"};
  struct table table;

  table_open(&table, 0);
  for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
    table_column(&table, titles[i], i >= 4 && i <= 8 ? TABLE_RIGHT : 0);
  for (size_t i = 0; i < hone_cluster_count(cluster); i++) {
    const struct hone_host *host = hone_cluster_at(cluster, i);
    table_cell(&table, host->name);
    if (host->is_reached) add_figures(&table, host);
    table_end_row(&table);
  }
  table_print(&table, output, 0);
  table_close(&table);
}

/* A line for each thing that is wrong. */
static size_t print_wrong(struct output *output, const struct hone_cluster *cluster)
{
  size_t wrong = 0;

  for (size_t i = 0; i < hone_cluster_count(cluster); i++) {
    const struct hone_host *host = hone_cluster_at(cluster, i);
    struct figure figure;
    wrong += !host->is_usable;
    if (!host->is_usable) {
      output_format(output, "%s cannot be used: ", host->name);
      visible_text(output, host->why);
      output_text(output, "\n");
    }
    if (host->is_usable && host->disk_free_bytes < FEW_BYTES)
      output_format(output, "%s: its disk is almost full: %s are free for the cache\n", host->name,
                    figure_bytes(&figure, host->disk_free_bytes));
    if (host->is_usable && fabs(host->clock_ahead_s) >= CLOCK_WORTH_A_WORD_S)
      output_format(output, "%s: its clock is %.0f s %s: times are not affected, dates are\n",
                    host->name, fabs(host->clock_ahead_s),
                    host->clock_ahead_s > 0 ? "ahead" : "behind");
  }
  return wrong;
}

static void add_text(struct output *output, const char *name, const char *value)
{
  output_format(output, ", \"%s\": ", name);
  quote_json_text(output, value);
}

static size_t print_json(struct output *output, const struct hone_cluster *cluster)
{
  size_t wrong = 0;

  output_text(output, "[");
  for (size_t i = 0; i < hone_cluster_count(cluster); i++) {
    const struct hone_host *host = hone_cluster_at(cluster, i);
    wrong += !host->is_usable;
    output_text(output, i ? ",\n {\"worker\": " : "\n {\"worker\": ");
    quote_json_text(output, host->name);
    output_format(output, ", \"usable\": %s", host->is_usable ? "true" : "false");
    add_text(output, "why", host->why);
    add_text(output, "host", host->hostname);
    add_text(output, "hone", host->version);
    add_text(output, "machine", host->machine);
    add_text(output, "compilers", host->compilers);
    add_text(output, "devices", host->devices);
    output_format(output,
                  ", \"cores\": %" PRIu64 ", \"memory_bytes\": %" PRIu64
                  ", \"disk_free_bytes\": %" PRIu64 ", \"clock_ahead_s\": %.3f, \"start_s\": %.3f}",
                  host->cores, host->memory_bytes, host->disk_free_bytes, host->clock_ahead_s,
                  host->start_s);
  }
  output_text(output, "\n]\n");
  return wrong;
}

static enum exit_code print_check(const struct check_settings *settings,
                                  const struct hone_cluster *cluster)
{
  struct output output;
  size_t wrong;

  output_open(&output, STDOUT_FILENO, false);
  if (settings->format == FORMAT_TEXT) print_table(&output, cluster);
  wrong = settings->format == FORMAT_JSON ? print_json(&output, cluster)
                                          : print_wrong(&output, cluster);
  return output_close(&output) && !wrong ? CLI_DONE : CLI_FAILED;
}

/* `open`: how the text names hosts. */
static enum exit_code check_hosts(const struct check_settings *settings, const char *text,
                                  hone_status (*open)(const char *, struct hone_cluster **))
{
  struct hone_cluster *cluster;
  enum exit_code code;
  hone_status status = open(text, &cluster);

  if (!status) status = hone_cluster_check(cluster, own_file(), settings->timeout_s);
  code = status ? message_status(status) : print_check(settings, cluster);
  hone_cluster_free(cluster);
  return code;
}

static enum exit_code check_all(const struct check_settings *settings,
                                const struct word_list *words)
{
  enum exit_code worst = CLI_DONE, code;

  for (size_t i = 0; i < words->count; i++)
    if ((code = check_hosts(settings, words->words[i], hone_cluster_open)) != CLI_DONE)
      worst = code;
  for (size_t i = 0; i < settings->workers.count; i++)
    if ((code = check_hosts(settings, settings->workers.words[i], hone_cluster_of_prefix)) !=
        CLI_DONE)
      worst = code;
  return worst;
}

static enum exit_code run_check(const struct command *command, char **argv)
{
  struct check_settings settings = {0};
  struct word_list words = {0};
  enum exit_code code;

  if (command_open(command, argv, &settings, &settings.common, &words, &code)) {
    if (words.count + settings.workers.count == 0) {
      message_error("no hosts given: hone cluster check ssh:hosts.txt");
      code = command_usage(command);
    } else {
      code = check_all(&settings, &words);
    }
  }
  command_close(command, &settings, &words);
  return code;
}

static const char *const cluster_words[] = {"slurm", "ssh:", "k8s:", NULL};

static const struct command cluster_check_command = {
    .name = "cluster check",
    .summary = "show whether each host can be used, and what it has",
    .usage = "CLUSTER... [options]",
    .about = "CLUSTER is what --cluster of 'hone tune' takes: slurm[:OPTIONS], ssh:FILE or\n"
             "k8s:FILE[:N]. Starts hone on every host at once, as a run would, and prints\n"
             "its version, machine, cores, memory, free disk, clock, compilers and devices.\n"
             "The exit status is 1 if a host cannot be used.\n",
    .examples = "  hone cluster check ssh:hosts.txt\n"
                "  hone cluster check 'slurm:-p gpu --gpus=1 -N2'\n"
                "  hone cluster check --worker 'ssh node1'\n",
    .options = check_options,
    .words = cluster_words,
    .run = run_check,
};

/* ---- hone cluster script ---- */

struct script_settings {
  struct common common;
  uint64_t nodes, gpus, cpus;
  const char *time, *partition, *account, *name, *store;
};

#define SCRIPT(field) .target = offsetof(struct script_settings, field)
static const struct option script_options[] = {
    HEADING("options"),
    OPTION(NUMBER, "nodes", "N", "number of nodes; default 1", .letter = 'N', SCRIPT(nodes)),
    OPTION(NUMBER, "gpus", "N", "GPUs of each node; default none", SCRIPT(gpus)),
    OPTION(NUMBER, "cpus", "N", "CPUs of each node; default the whole node", SCRIPT(cpus)),
    OPTION(TEXT, "time", "TIME", "time limit, as sbatch takes it, such as 2:00:00", SCRIPT(time)),
    OPTION(TEXT, "partition", "NAME", "partition of the job", .letter = 'p', SCRIPT(partition)),
    OPTION(TEXT, "account", "NAME", "account of the job", SCRIPT(account)),
    OPTION(TEXT, "name", "NAME", "name of the job; default hone", SCRIPT(name)),
    OPTION(TEXT, "store", "FILE", "store with the results", SCRIPT(store), .takes_file = true),
    COMMON_OPTIONS(struct script_settings, common),
    {0},
};
#undef SCRIPT

static enum exit_code print_script(const struct script_settings *settings,
                                   const struct word_list *words)
{
  struct hone_batch_options options = {.specs = words->words,
                                       .spec_count = words->count,
                                       .nodes = (unsigned)settings->nodes,
                                       .gpus = (unsigned)settings->gpus,
                                       .cpus = (unsigned)settings->cpus,
                                       .time = settings->time,
                                       .partition = settings->partition,
                                       .account = settings->account,
                                       .name = settings->name,
                                       .store = settings->store};
  char *text = hone_cluster_batch(&options);
  struct output output;

  output_open(&output, STDOUT_FILENO, false);
  output_text(&output, text);
  hone_free(text);
  return output_close(&output) ? CLI_DONE : CLI_FAILED;
}

static enum exit_code run_script(const struct command *command, char **argv)
{
  struct script_settings settings = {0};
  struct word_list words = {0};
  enum exit_code code;

  if (command_open(command, argv, &settings, &settings.common, &words, &code)) {
    if (!words.count || settings.nodes > 100000 || settings.gpus > 4096 || settings.cpus > 65536) {
      message_error(words.count ? "the number of nodes, GPUs or CPUs is too large"
                                : "no spec given: hone cluster script FILE...");
      code = command_usage(command);
    } else {
      code = print_script(&settings, &words);
    }
  }
  command_close(command, &settings, &words);
  return code;
}

static const struct command cluster_script_command = {
    .name = "cluster script",
    .summary = "write a batch file for sbatch that tunes a spec",
    .usage = "FILE... [options] [-- OPTION...]",
    .about = "Prints a file for sbatch. The job runs 'hone tune FILE --cluster slurm' on its\n"
             "first node, with workers on all of its nodes; options after '--' are those of\n"
             "'hone tune'. A lost node does not end the job. Before its time limit the run is\n"
             "asked to end; submit the same file again to continue it.\n",
    .examples = "  hone cluster script gemm.yaml -N 4 --gpus 8 --time 2:00:00 >gemm.sbatch\n"
                "  sbatch gemm.sbatch\n"
                "  hone cluster script gemm.yaml -- --budget 30m\n",
    .options = script_options,
    .run = run_script,
};

/* ---- hone cluster install, remove ---- */

struct carry_settings {
  struct common common;
  const char *folder, *program;
};

static const struct option carry_options[] = {
    HEADING("options"),
    OPTION(TEXT, "folder", "FOLDER", "folder on the hosts; default $HONE_REMOTE_DIR",
           .target = offsetof(struct carry_settings, folder)),
    OPTION(TEXT, "program", "FILE", "file of hone that needs libc alone; default this program",
           .target = offsetof(struct carry_settings, program), .takes_file = true),
    COMMON_OPTIONS(struct carry_settings, common),
    {0},
};

typedef hone_status carry_function(struct hone_cluster *cluster, const char *program,
                                   const char *folder, const char **out_path);

static bool print_carried(const struct hone_cluster *cluster, const char *path)
{
  struct output output;
  size_t failed = 0;

  output_open(&output, STDOUT_FILENO, false);
  for (size_t i = 0; i < hone_cluster_count(cluster); i++) {
    const struct hone_host *host = hone_cluster_at(cluster, i);
    failed += !host->is_usable;
    output_format(&output, "%s: ", host->name);
    visible_text(&output, host->is_usable ? path : *host->why ? host->why : "failed");
    output_text(&output, "\n");
  }
  return output_close(&output) && !failed;
}

static enum exit_code carry(const struct carry_settings *settings, const char *text,
                            carry_function *function)
{
  const char *folder = settings->folder ? settings->folder : getenv("HONE_REMOTE_DIR"), *path;
  struct hone_cluster *cluster = NULL;
  hone_status status = hone_cluster_open(text, &cluster);
  enum exit_code code;

  if (!status)
    status = function(cluster, settings->program ? settings->program : own_file(),
                      folder ? folder : "", &path);
  if (status)
    code = message_status(status);
  else
    code = print_carried(cluster, path) ? CLI_DONE : CLI_FAILED;
  hone_cluster_free(cluster);
  return code;
}

static enum exit_code run_carry(const struct command *command, char **argv,
                                carry_function *function)
{
  struct carry_settings settings = {0};
  struct word_list words = {0};
  enum exit_code code, worst = CLI_DONE;

  if (!command_open(command, argv, &settings, &settings.common, &words, &worst)) {
    /* told */
  } else if (!words.count) {
    message_error("no hosts given: hone %s ssh:hosts.txt", command->name);
    worst = command_usage(command);
  } else {
    worst = CLI_DONE;
    for (size_t i = 0; i < words.count; i++)
      if ((code = carry(&settings, words.words[i], function)) != CLI_DONE) worst = code;
  }
  command_close(command, &settings, &words);
  return worst;
}

static enum exit_code run_install(const struct command *command, char **argv)
{
  return run_carry(command, argv, hone_cluster_install);
}

static enum exit_code run_remove(const struct command *command, char **argv)
{
  return run_carry(command, argv, hone_cluster_remove);
}

static const struct command cluster_install_command = {
    .name = "cluster install",
    .summary = "copy this program to the hosts that lack it",
    .usage = "CLUSTER... [options]",
    .about = "Copies the program into a folder of each host, checks its checksum there, and\n"
             "prints its path, which HONE_REMOTE_PROGRAM takes. Where it is already, nothing\n"
             "is copied. 'hone tune --cluster' does the same first if HONE_REMOTE_DIR is set.\n"
             "The file must need libc alone: 'make dist-binary' makes one.\n",
    .examples = "  hone cluster install ssh:hosts.txt --folder /tmp/hone\n",
    .options = carry_options,
    .words = cluster_words,
    .run = run_install,
};

static const struct command cluster_remove_command = {
    .name = "cluster remove",
    .summary = "remove the program that 'install' copied",
    .usage = "CLUSTER... [options]",
    .about = "Removes the copy of this program from the folder of each host.\n",
    .examples = "  hone cluster remove ssh:hosts.txt --folder /tmp/hone\n",
    .options = carry_options,
    .words = cluster_words,
    .run = run_remove,
};

/* ---- hone cluster ---- */

static const struct command *const subcommands[] = {
    &cluster_check_command, &cluster_install_command, &cluster_remove_command,
    &cluster_script_command, NULL};

const struct command cluster_command = {
    .name = "cluster",
    .summary = "check the hosts of a cluster, and write batch files",
    .usage = "COMMAND [options]",
    .about = "Workers on other hosts are started by the site's own launcher: srun, ssh or\n"
             "kubectl. See --cluster of 'hone tune' and hone-cluster(1).\n",
    .examples = "  hone cluster check ssh:hosts.txt\n"
                "  hone cluster script gemm.yaml -N 4 >gemm.sbatch\n",
    .options = subcommand_options,
    .subcommands = subcommands,
    .run = command_run_subcommand,
};
