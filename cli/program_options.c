#include "program_options.h"

#include "quote.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MOST_BUILDERS = 4096, MOST_GPUS = 1024, MOST_RANKS = 100000 };

const char *const program_mode_words[] = {"auto", "process", "library", "serve", "plugin", NULL};

void program_settings_init(struct program_settings *settings)
{
  *settings = (struct program_settings){.num_cpu = NUMBER_NOT_GIVEN,
                                        .num_gpu = NUMBER_NOT_GIVEN,
                                        .mpirun_np = NUMBER_NOT_GIVEN,
                                        .timeout_s = NUMBER_NOT_GIVEN};
}

/* ---- Checks ---- */

static bool check_number(const char *name, int64_t number, int64_t least, int64_t most)
{
  if (number == NUMBER_NOT_GIVEN || (number >= least && number <= most)) return true;
  message_error("'--%s' needs a number from %" PRId64 " to %" PRId64 ", not %" PRId64, name, least,
                most, number);
  return false;
}

static bool check_numbers(const struct program_settings *settings)
{
  if (settings->num_cpu != NUMBER_NOT_GIVEN && settings->num_cpu != -1 &&
      (settings->num_cpu < 1 || settings->num_cpu > MOST_BUILDERS)) {
    message_error("'--num-cpu' needs a number from 1 to %d, or -1 for all, not %" PRId64,
                  MOST_BUILDERS, settings->num_cpu);
    return false;
  }
  return check_number("num-gpu", settings->num_gpu, 1, MOST_GPUS) &&
         check_number("mpirun-np", settings->mpirun_np, 1, MOST_RANKS) &&
         check_number("timeout-secs", settings->timeout_s, 0, INT32_MAX);
}

static bool check_available(const struct program_settings *settings, const char *name,
                            int64_t wanted)
{
  size_t count;

  if (wanted <= 1 || !settings->target_accelerator) return true;
  if (!accelerator_count(settings->target_accelerator, &count)) return true;
  if ((uint64_t)wanted <= count) return true;
  message_error("'--%s %" PRId64 "' exceeds the number of available GPUs, which is %zu", name,
                wanted, count);
  return false;
}

static bool check_gpus(const struct program_settings *settings)
{
  if (settings->num_gpu > 1 && settings->mpirun_np > 1) {
    message_error(
        "'--num-gpu' and '--mpirun-np' above 1 cannot be combined: mpirun assigns the GPUs itself");
    return false;
  }
  if (settings->num_gpu > 1 && !settings->target_accelerator) {
    message_error("'--num-gpu' above 1 needs --target-accelerator NAME, such as nvidia:sm_90");
    return false;
  }
  if (settings->num_cpu > 0 && settings->num_gpu > settings->num_cpu) {
    message_error("'--num-gpu %" PRId64 "' is more than '--num-cpu %" PRId64
                  "': each program on a GPU needs a CPU",
                  settings->num_gpu, settings->num_cpu);
    return false;
  }
  return check_available(settings, "num-gpu", settings->num_gpu) &&
         check_available(settings, "mpirun-np", settings->mpirun_np);
}

bool program_settings_check(const struct program_settings *settings, const char *devices)
{
  if (devices && settings->num_gpu != NUMBER_NOT_GIVEN) {
    message_error("'--devices' and '--num-gpu' cannot be combined: choose one");
    return false;
  }
  if (settings->target_accelerator && !accelerator_check(settings->target_accelerator))
    return false;
  return check_numbers(settings) && check_gpus(settings);
}

/* ---- Use ---- */

void program_settings_fill(const struct program_settings *settings,
                           struct hone_program_options *program, struct hone_tune_options *options,
                           char **out_devices)
{
  hone_program_options_init(program);
  options->program = program;
  *out_devices = NULL;
  program->build_opts = settings->build_opts;
  program->debug_level = settings->debug_level;
  program->optimization = settings->optimization;
  program->march = settings->march;
  program->target_accelerator = settings->target_accelerator;
  program->disable_warnings = settings->disable_warnings;
  program->experimental_kernels = settings->experimental_kernels;
  program->exec_prefix = settings->exec_prefix;
  program->exec_suffix = settings->exec_suffix;
  if (settings->mpirun_np > 1) program->mpirun_np = (unsigned)settings->mpirun_np;
  if (settings->mode) program->mode = program_mode_words[settings->mode];
  if (settings->num_cpu > 0) options->builders = (unsigned)settings->num_cpu;
  if (settings->timeout_s >= 0)
    options->timeout_s = settings->timeout_s ? (double)settings->timeout_s : INFINITY;
  /* Without a given number, a program may use several GPUs by itself. */
  if (settings->num_gpu >= 1 && settings->mpirun_np <= 1 && settings->target_accelerator)
    *out_devices = accelerator_devices(settings->target_accelerator, (size_t)settings->num_gpu);
  if (*out_devices) options->devices = *out_devices;
}

static void print_texts(const struct program_settings *settings, struct output *output)
{
  const struct {
    const char *option, *text;
  } given[] = {
      {"build-opts", settings->build_opts},
      {"optimization-level", settings->optimization},
      {"debug-level", settings->debug_level},
      {"march", settings->march},
      {"target-accelerator", settings->target_accelerator},
      {"mode", settings->mode ? program_mode_words[settings->mode] : NULL},
      {"exec-prefix", settings->exec_prefix},
      {"exec-suffix", settings->exec_suffix},
  };

  for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
    if (!given[i].text) continue;
    output_format(output, " --%s ", given[i].option);
    quote_shell_text(output, given[i].text);
  }
}

void program_settings_print(const struct program_settings *settings, struct output *output)
{
  print_texts(settings, output);
  if (settings->disable_warnings) output_text(output, " --disable-warnings");
  if (settings->experimental_kernels) output_text(output, " --use-experimental-kernels");
  if (settings->mpirun_np > 1) output_format(output, " --mpirun-np %" PRId64, settings->mpirun_np);
  if (settings->timeout_s >= 0)
    output_format(output, " --timeout-secs %" PRId64, settings->timeout_s);
}

bool program_settings_use_gpu(const struct program_settings *settings)
{
  const char *target = settings->target_accelerator;

  return settings->num_gpu >= 1 || (target && strncmp(target, "nvidia:", 7) == 0);
}
