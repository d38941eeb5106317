/* simt_compiler.h - builds kernels of CUDA and HIP: with a run-time compiler in a fork, or with a
 * command (nvcc, hipcc).
 *
 * A candidate's compiler is the word of the run-time compiler ("nvrtc"), or the words of a command.
 * Its entry is a C++ expression that names a kernel: "gemm", "tiled::gemm<BM, BN, float>". The
 * object is code followed by the kernel's name in it (simt_object.h).
 */
#ifndef HONE_BACKEND_SIMT_SIMT_COMPILER_H
#define HONE_BACKEND_SIMT_SIMT_COMPILER_H

#include "backend/kernel/kernel_build.h"
#include "backend/simt/rtc_library.h"
#include "backend/simt/simt_entry.h"
#include "backend/simt/simt_rtc.h"
#include "wire/named.h"

struct hone__simt_compiler {
  struct hone__kernel_compiler steps; /* first: HONE__SIMT_STEPS, `object` and `print` */
  const char *word;                   /* "nvrtc" */
  const char *title;                  /* "NVRTC" */
  const char *platform;               /* "CUDA" */
  const char *prefix;                 /* of its library's names: "cuda" */
  const char *arch_option;            /* "-arch=" */
  const char *usual_arch;             /* for advice: "sm_90a" */
  const char *identity;     /* of the options that are added implicitly; changes with them */
  const char *broken;       /* which part of it is missing if it does not start */
  const char *missing_file; /* words of its log: a file that is included does not exist */
  const char *wrapper;      /* name of the file for the command: "kernel.cu" */
  bool needs_mark;          /* the run-time compiler does not always know the name of an entry */
  const struct hone__rtc_dialect *dialects;    /* those that differ from its own; the last is {0} */
  const struct hone__rtc_header *host_headers; /* that its run-time compiler lacks; NULL: none */

  /* The architecture that flags name; NULL: none. */
  const char *(*flags_arch)(const char *const *flags, struct hone__arena *arena);
  hone_status (*library)(const struct hone__rtc_library **out_library);
  const char *(*library_file)(void);
  /* The folder of its headers, free(); NULL: none, or not found. */
  char *(*headers)(const char *library);
  void (*options)(const struct hone__kernel_candidate *candidate, const char *headers,
                  struct hone__words *out_options);
  /* `is_for_people`: without options that only Hone needs. */
  void (*command)(const struct hone__kernel_candidate *candidate, const char *source,
                  const char *output, bool is_for_people, struct hone__words *out_words);

  hone__simt_kernels *kernels; /* in its code */
  /* Adds the resources that a kernel uses; `log` is the output of the compiler. */
  void (*costs)(const void *code, size_t size, const char *kernel, const char *log,
                struct hone__named_list *costs);
  /* Removes reports that only Hone reads from a log; NULL: there are none. */
  void (*strip_log)(struct hone__text *log);
  /* Adds "occupancy" to costs, if the target's facts and the candidate's launch suffice. The target
   * may be NULL. */
  void (*occupancy)(const struct hone__wire_device_facts *target,
                    const struct hone__kernel_candidate *candidate, struct hone__named_list *costs);
};

bool hone__simt_uses_rtc(const struct hone__simt_compiler *compiler,
                         const struct hone__kernel_candidate *candidate);

/* That of this source; NULL: it is compiled as it is. */
const struct hone__rtc_dialect *hone__simt_dialect(const struct hone__simt_compiler *compiler,
                                                   const char *source);

/* simt_identity.c: adds everything that changes the object, except included files. `ask`: opens the
 * run-time compiler for its version, which only a worker should do. */
void hone__simt_identify(const struct hone__simt_compiler *compiler,
                         const struct hone__kernel_candidate *candidate,
                         const struct hone__build_source_text *source, const char *folder, bool ask,
                         struct hone__digester *digester);

/* simt_build.c */
void hone__simt_print_command(const struct hone__simt_compiler *compiler,
                              const struct hone__kernel_order *order,
                              struct hone__text *out_command);
void hone__simt_identify_build(const struct hone__kernel_build *build,
                               struct hone__digester *digester);
void hone__simt_look(struct hone__kernel_build *build);
void hone__simt_compile(struct hone__kernel_build *build);
/* Ends a build: finds the kernels in the code, and their costs. */
void hone__simt_take(struct hone__kernel_build *build, const char *program,
                     struct hone__child_result *result);
void hone__simt_add_occupancy(struct hone__kernel_build *build);

/* The steps of both kinds. */
#define HONE__SIMT_STEPS                                                                           \
  .needs_entry = true, .identify = hone__simt_identify_build, .look = hone__simt_look,             \
  .compile = hone__simt_compile, .finish = hone__simt_add_occupancy, .takes_code = true,           \
  .take = hone__simt_take

#endif
