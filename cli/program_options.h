/* program_options.h - options for building and running programs: common to `hone sweep`, `hone
 * tune` and `hone run`.
 */
#ifndef CLI_PROGRAM_OPTIONS_H
#define CLI_PROGRAM_OPTIONS_H

#include "accelerators.h"
#include "message.h"
#include "options.h"
#include "output.h"

#define NUMBER_NOT_GIVEN INT64_MIN

struct program_settings {
  const char *build_opts, *debug_level, *optimization, *march, *target_accelerator;
  const char *exec_prefix, *exec_suffix;
  bool disable_warnings, experimental_kernels;
  int mode;
  int64_t num_cpu, num_gpu, mpirun_np, timeout_s; /* or NUMBER_NOT_GIVEN */
};
extern const char *const program_mode_words[];

/* For one program: also in `hone run`. */
#define COMPILER_OPTIONS(type, field)                                                              \
  OPTION(TEXT, "build-opts", "WORDS", "compiler options, placed before all others",                \
         .target = offsetof(type, field.build_opts), .takes_dashes = true),                        \
      OPTION(TEXT, "optimization-level", "N", "-ON for the compiler", .letter = 'O',               \
             .target = offsetof(type, field.optimization)),                                        \
      OPTION(TEXT, "debug-level", "NAME",                                                          \
             "debug level of the compiler: none, line-tables or full",                             \
             .target = offsetof(type, field.debug_level)),                                         \
      OPTION(TEXT, "march", "NAME", "target CPU", .target = offsetof(type, field.march)),          \
      OPTION(TEXT, "target-accelerator", "NAME", "target accelerator, such as nvidia:sm_90",       \
             .target = offsetof(type, field.target_accelerator), .words = accelerator_names),      \
      OPTION(FLAG, "disable-warnings", NULL, "disable compiler warnings",                          \
             .target = offsetof(type, field.disable_warnings)),                                    \
      OPTION(FLAG, "use-experimental-kernels", NULL, "defines USE_EXPERIMENTAL_KERNELS=1",         \
             .target = offsetof(type, field.experimental_kernels))

#define LAUNCH_OPTIONS(type, field)                                                                \
  OPTION(CHOICE, "mode", "NAME",                                                                   \
         "process, library, serve or plugin; default depends on the language",                     \
         .target = offsetof(type, field.mode), .words = program_mode_words),                       \
      OPTION(TEXT, "exec-prefix", "WORDS",                                                         \
             "prefix of the program's command, such as 'taskset -c 0'",                            \
             .target = offsetof(type, field.exec_prefix), .takes_dashes = true),                   \
      OPTION(TEXT, "exec-suffix", "WORDS", "appended to the program's arguments",                  \
             .target = offsetof(type, field.exec_suffix), .takes_dashes = true),                   \
      OPTION(INTEGER, "mpirun-np", "N", "run programs with 'mpirun -np N'",                        \
             .target = offsetof(type, field.mpirun_np))

/* For many programs. */
#define BUILD_OPTIONS(type, field)                                                                 \
  COMPILER_OPTIONS(type, field),                                                                   \
      OPTION(INTEGER, "num-cpu", "N",                                                              \
             "number of parallel compilers; default -1: the number of CPUs",                       \
             .target = offsetof(type, field.num_cpu))

#define EXECUTION_OPTIONS(type, field)                                                             \
  LAUNCH_OPTIONS(type, field),                                                                     \
      OPTION(INTEGER, "num-gpu", "N",                                                              \
             "number of GPUs to use in parallel; needs --target-accelerator",                      \
             .target = offsetof(type, field.num_gpu))

void program_settings_init(struct program_settings *settings);

/* False after a message. `devices` is from the command line, or NULL. */
bool program_settings_check(const struct program_settings *settings, const char *devices);

/* Stores the given options in those of a run. options->devices points to `*out_devices`, or is
 * NULL; the caller frees it afterwards. */
void program_settings_fill(const struct program_settings *settings,
                           struct hone_program_options *program, struct hone_tune_options *options,
                           char **out_devices);

/* " --march native": the given options of one program, for a shell. */
void program_settings_print(const struct program_settings *settings, struct output *output);

/* True if programs are to run on a GPU. */
bool program_settings_use_gpu(const struct program_settings *settings);

#endif
