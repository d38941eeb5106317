/* toolset.h - IREE's executables on this machine, and their features.
 *
 * Searched in --iree-dir, $HONE_IREE, PATH, the active virtual environment ($VIRTUAL_ENV), in this
 * order; a Python wrapper is replaced by the executable that it starts. The features of a compiler
 * are probed once and kept in the cache, named by path, size and time of the executable and of
 * libIREECompiler.so.
 */
#ifndef HONE_IREE_TOOLSET_TOOLSET_H
#define HONE_IREE_TOOLSET_TOOLSET_H

#include "base/digest.h"
#include "base/status.h"
#include "base/text.h"
#include "base/words.h"
#include "proc/child.h"

enum hone__iree_tool {
  HONE__IREE_COMPILE,
  HONE__IREE_OPT,
  HONE__IREE_BENCHMARK,
  HONE__IREE_RUN,
  HONE__IREE_IMPORT_ONNX,
  HONE__IREE_TOOLS
};

#define HONE__IREE_FEATURES(X)                                                                     \
  X(TUNER_ATTRIBUTES, "--iree-codegen-add-tuner-attributes", "3.11")                               \
  X(CONSTRAINTS, "--iree-codegen-emit-pipeline-constraints", "3.12")                               \
  X(ROCM_TARGET, "--iree-rocm-target", "3.11")                                                     \
  X(DISPATCH_STATISTICS, "--dispatch_statistics", "3.13")                                          \
  X(CPU_SPECS, "tuning specs for llvm-cpu", "3.11")                                                \
  X(PIPELINE_ATTRIBUTES, "#iree_gpu.pipeline", "3.12")                                             \
  X(ONLINE_ATTENTION, "transform.iree.match.online_attention", "3.12")                             \
  X(FUNCTION_LOOKUP, "hal.executable.lookup.function", "3.12")

enum hone__iree_feature {
#define HONE__IREE_FEATURE_ENUM(id, words, since) HONE__IREE_HAS_##id,
  HONE__IREE_FEATURES(HONE__IREE_FEATURE_ENUM)
#undef HONE__IREE_FEATURE_ENUM
      HONE__IREE_FEATURE_COUNT
};

struct hone__iree_toolset {
  char *paths[HONE__IREE_TOOLS]; /* absolute, links followed; NULL: not found */
  char *version;                 /* "3.13.0"; NULL: no compiler */
  char *identity;                /* version and revision: equal ones make equal binaries */
  bool features[HONE__IREE_FEATURE_COUNT];
  char *where; /* the searched places, for messages */
};

/* Never fails: missing ones are NULL. `dir` may be NULL. Without a compiler nothing is probed. */
void hone__iree_toolset_find(const char *dir, struct hone__iree_toolset *out_toolset);
void hone__iree_toolset_release(struct hone__iree_toolset *toolset);
/* UNAVAILABLE: names the missing executable and the searched places, with advice. */
hone_status hone__iree_need(const struct hone__iree_toolset *toolset, enum hone__iree_tool tool);
/* UNAVAILABLE: names the version that has it. */
hone_status hone__iree_need_feature(const struct hone__iree_toolset *toolset,
                                    enum hone__iree_feature feature);
/* "iree-compile" */
const char *hone__iree_tool_name(enum hone__iree_tool tool);
/* Its name, and the version that has it. */
const char *hone__iree_feature_words(enum hone__iree_feature feature);
const char *hone__iree_feature_since(enum hone__iree_feature feature);

/* Flags of iree-compile for a target's name: "llvm-cpu", "gfx942", "mi300x", "sm_80", "a100",
 * "vulkan"...; words that begin with "--" stay as they are. sm_90 and later, which the compiler
 * does not know, are sm_80 flags with `*out_rewrite` = the arch to write into the dump ("sm_90").
 * Adds words to `out_flags`. INVALID_ARGUMENT names what is known. */
hone_status hone__iree_target_flags(const struct hone__iree_toolset *toolset, const char *target,
                                    struct hone__words *out_flags, const char **out_rewrite);
/* The same for a model: sm_90 and later are one flag, which describes the device. It is made of the
 * compiler's description of sm_80, so the compiler may be called. */
hone_status hone__iree_target_words(const struct hone__iree_toolset *toolset, const char *target,
                                    struct hone__words *out_words);

/* iree-compile can deadlock when several of its threads read a tuning spec. When it makes no
 * progress for so long (hone__child_options) it is ended, and called once more with this option. */
extern const double hone__iree_idle_s;
#define HONE__IREE_ONE_THREAD "--mlir-disable-threading"

/* One more word of a command. */
void hone__iree_word(struct hone__words *words, const char *format, ...) HONE__PRINTF(2, 3);

/* Runs one of the tools with these words (ended by NULL) in a folder, waits. IO and UNAVAILABLE are
 * of this machine; a tool that fails is INVALID_SPEC with its first `error:` line, or "crashed",
 * "took too long". `out_text` (may be NULL) is its standard output. */
hone_status hone__iree_run(const struct hone__iree_toolset *toolset, enum hone__iree_tool tool,
                           const char *const *words, const char *folder, double timeout_s,
                           struct hone__text *out_text);

/* The same, whatever the result; its standard error is in `errors`. */
void hone__iree_child(const struct hone__iree_toolset *toolset, enum hone__iree_tool tool,
                      const char *const *words, const char *folder, double timeout_s,
                      struct hone__child_result *out_result);
/* Why a run failed, in one line: its first `error:`, "crashed: ...", "took too long: ...". */
void hone__iree_reason(const struct hone__child_result *result, struct hone__text *text);

/* A file with this target in it (`#hal.executable.target<...>`): from the compiler, once for each
 * compiler and target; kept in the cache. */
hone_status hone__iree_target_text(const struct hone__iree_toolset *toolset, const char *target,
                                   struct hone__text *out_text);

#endif
