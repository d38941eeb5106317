/* A batch file for sbatch. The driver runs on the first node of the job, its workers on all. */
#include "base/quote.h"
#include "base/text.h"
#include "hone_cluster.h"
#include "hone_machine.h"

#include <stdlib.h>

static void add_setting(struct hone__text *text, const char *option, const char *value)
{
  if (value && *value) hone__text_addf(text, "#SBATCH --%s=%s\n", option, value);
}

static void add_number(struct hone__text *text, const char *option, unsigned value)
{
  if (value) hone__text_addf(text, "#SBATCH --%s=%u\n", option, value);
}

/* With --no-kill the job goes on when a node is lost. SIGTERM comes before the time limit, so that
 * the run ends with a verdict. */
static void add_settings(struct hone__text *text, const struct hone_batch_options *options)
{
  add_setting(text, "job-name", options->name ? options->name : "hone");
  add_number(text, "nodes", options->nodes ? options->nodes : 1);
  hone__text_add(text, "#SBATCH --ntasks-per-node=1\n");
  add_number(text, "gpus-per-node", options->gpus);
  add_number(text, "cpus-per-task", options->cpus);
  if (!options->cpus) hone__text_add(text, "#SBATCH --exclusive\n");
  add_setting(text, "time", options->time);
  add_setting(text, "partition", options->partition);
  add_setting(text, "account", options->account);
  hone__text_add(text, "#SBATCH --no-kill\n#SBATCH --signal=B:TERM@120\n"
                       "#SBATCH --output=hone-%j.log\n");
}

/* Where CPUs are measured, compilers on the first node would disturb its worker: all nodes build,
 * in turns with measuring. */
static bool needs_builders(const struct hone_batch_options *options)
{
  if (options->gpus) return false;
  for (size_t i = 0; i < options->spec_count; i++)
    if (hone__starts_with(options->specs[i], "--host-builders") ||
        hone__starts_with(options->specs[i], "--builders"))
      return false;
  return true;
}

static void add_command(struct hone__text *text, const struct hone_batch_options *options)
{
  char *own = options->program ? NULL : hone_own_program();

  hone__quote_shell(text, options->program ? options->program : own);
  hone__text_add(text, " tune --cluster slurm");
  if (needs_builders(options))
    hone__text_add(text, " --host-builders \"${SLURM_CPUS_ON_NODE:-1}\"");
  if (options->store) hone__text_add(text, " --store ");
  if (options->store) hone__quote_shell(text, options->store);
  for (size_t i = 0; i < options->spec_count; i++) {
    hone__text_add(text, " ");
    hone__quote_shell(text, options->specs[i]);
  }
  hone_free(own);
}

char *hone_cluster_batch(const struct hone_batch_options *options)
{
  struct hone__text text = {0};

  hone__text_add(&text, "#!/bin/bash\n");
  add_settings(&text, options);
  hone__text_add(&text, "\n# Interrupted runs keep what was measured: submit the same file again.\n"
                        "trap 'kill -TERM $driver' TERM\n");
  add_command(&text, options);
  hone__text_add(&text, " &\ndriver=$!\nwait $driver\nstatus=$?\n"
                        "if [ $status -gt 128 ]; then wait $driver; status=$?; fi\nexit $status\n");
  return hone__text_take(&text);
}
