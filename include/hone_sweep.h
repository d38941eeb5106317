/* hone_sweep.h - besides tuning: what it would do, one configuration alone, and every configuration
 * once. */
#ifndef HONE_SWEEP_H
#define HONE_SWEEP_H

#include "hone.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How programs are built and run: what is added to the spec. NULL and 0: nothing. */
struct hone_program_options {
  size_t size;            /* set by _init */
  const char *build_opts; /* words, before all other options of the compiler */
  const char *debug_level, *optimization, *march, *target_accelerator;
  bool disable_warnings, experimental_kernels;
  const char *exec_prefix, *exec_suffix; /* words around the program */
  unsigned mpirun_np;                    /* 0 and 1: without mpirun */
  const char *profile;                   /* ncu, ncu-single, rocm, rocprof-compute */
  const char *mode; /* "process" or "library"; NULL: the spec's, else what suits the language */
};
HONE_API void hone_program_options_fill(struct hone_program_options *options, size_t size);
static inline void hone_program_options_init(struct hone_program_options *options)
{
  hone_program_options_fill(options, sizeof *options);
}

/* A failure in kbench's words. */
#define HONE_FAILURE_TYPES(X)                                                                      \
  X(BUILD, "build")                                                                                \
  X(TIMEOUT, "timeout")                                                                            \
  X(EXECUTION, "execution")

enum hone_failure_type {
#define HONE__FAILURE_TYPE_ENUM(id, name) HONE_FAILURE_##id,
  HONE_FAILURE_TYPES(HONE__FAILURE_TYPE_ENUM)
#undef HONE__FAILURE_TYPE_ENUM
};
HONE_API const char *hone_failure_type_name(enum hone_failure_type type); /* "build" */

/* What hone_tune would do, without doing it: a text for people, or an object of JSON (an array of
 * them for several problems). hone_free(). */
HONE_API hone_status hone_tune_plan(const struct hone_spec *spec,
                                    const struct hone_tune_options *options, char **out_text);
HONE_API hone_status hone_tune_plan_json(const struct hone_spec *spec,
                                         const struct hone_tune_options *options, char **out_json);

/* Builds, checks and times one configuration of one problem, in several processes; all that is
 * worth knowing comes as text, or as JSON with every sample (hone-run(1) has its keys);
 * hone_free(). `*out_works`: it was measured, and its answer agrees with what it was compared with,
 * if there is anything. Nothing is stored. */
HONE_API hone_status hone_try(const struct hone_spec *spec, const struct hone_tune_options *options,
                              const char *config, char **out_text, bool *out_works);
HONE_API hone_status hone_try_json(const struct hone_spec *spec,
                                   const struct hone_tune_options *options, const char *config,
                                   char **out_json, bool *out_works);

/* Builds and runs every configuration of each problem and shape once, in the programs' own way of
 * measuring, and ranks nothing: there is no baseline, no cap and no verdict. A run a problem and
 * shape; an interrupted one continues where it was, a finished one is measured again. Default
 * timeout: 120 s. */
HONE_API hone_status hone_sweep(const struct hone_spec *spec,
                                const struct hone_tune_options *options,
                                struct hone_tuning **out_tuning);
/* The commands that hone_sweep would run, one a line: every build once, then every run.
 * hone_free(). */
HONE_API hone_status hone_sweep_commands(const struct hone_spec *spec,
                                         const struct hone_tune_options *options, char **out_text);

#ifdef __cplusplus
}
#endif

#endif
