/* How many threads a model runs on. A user's program has all CPUs, so that is the default: IREE's
 * device local-task with a worker for each, by wall time. With one it is local-sync, by CPU time.
 * On GPUs CPUs do not matter, and hosts that share the work have different numbers of them.
 */
#include "iree/model/model_tune.h"

#include "base/machine.h"

#include <stdlib.h>

static const double busy_factor = 1.5; /* of the CPUs */

static bool is_cpu(const char *value)
{
  static const char *const names[] = {"local", "llvm-cpu", "vmvx"};

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (hone__starts_with(value, names[i])) return true;
  return false;
}

static bool names_gpu(const struct hone__words *words)
{
  static const char *const flags[] = {"--iree-hal-target-device=", "--iree-hal-target-backends="};

  for (size_t i = 0; i < words->count; i++)
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
      if (hone__starts_with(words->data[i], flags[k]) && !is_cpu(words->data[i] + strlen(flags[k])))
        return true;
  return false;
}

static bool is_for_gpu(const struct hone_iree_options *iree)
{
  struct hone__iree_toolset none = {0};
  struct hone__words words = {0};
  const char *arch = NULL;
  hone_status status =
      iree->target ? hone__iree_target_flags(&none, iree->target, &words, &arch) : NULL;
  bool is_gpu;

  for (size_t i = 0; i < iree->flag_count; i++)
    hone__words_add(&words, iree->flags[i]);
  is_gpu = names_gpu(&words);
  hone_status_free(status); /* the first compile reports a wrong target */
  hone__words_release(&words);
  return is_gpu;
}

/* Wall times of several threads suffer most from other programs. */
void hone__model_warn_if_busy(const struct hone__model_tuning *tuning)
{
  double load[1];

  if (tuning->options->model->iree->threads < 2 || getloadavg(load, 1) != 1) return;
  if (load[0] > busy_factor * (double)hone__cpus_online())
    hone__model_warn(tuning, "other programs use the CPUs, and wall times of several threads then "
                             "vary a lot: --threads 1 measures the CPU time of one thread");
}

unsigned hone__model_threads(const struct hone_iree_model_options *options)
{
  const struct hone_iree_options *iree = options->iree;

  if (iree->threads || is_for_gpu(iree)) return iree->threads;
  if (options->device && hone__starts_with(options->device, "local-sync")) return 1;
  return (unsigned)hone__cpu_count();
}
