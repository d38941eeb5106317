/* program_plan.h - how the programs of one problem are built and run: what the configurations
 * share, and the words that each of them gets.
 */
#ifndef HONE_BACKEND_PROGRAM_PROGRAM_PLAN_H
#define HONE_BACKEND_PROGRAM_PROGRAM_PLAN_H

#include "backend/program/program_candidate.h"
#include "backend/command_template.h"
#include "build/source_text.h"
#include "backend/language.h"
#include "backend/setting.h"
#include "base/digest.h"

struct hone__program_plan {
  const struct hone__task *task;
  const struct hone_program_options *options; /* never NULL */
  const struct hone__language *language;
  char *source;                  /* absolute */
  struct hone__words build, run; /* commands of the spec; `data` is NULL where there is none */
  bool is_built, is_library;     /* a library is called in a process that stays */
  bool is_served, is_plugin;     /* a plug-in is served by Hone itself */

  /* from the files */
  char source_digest[HONE__DIGEST_SIZE];
  struct hone__build_source_text text; /* empty unless a source of C is built */
  struct hone__pairs imports;          /* as hone__program_imports has them */
  struct hone__pairs *identities;      /* private: see hone__program_identify_words */

  double made_at; /* private */
  struct hone_program_options seen;
};

/* program_plan.c: lent until the next call for this task, which keeps it: examining all files for
 * each of 100,000 configurations would take long. It is made again when a file has changed.
 * INVALID_SPEC and INVALID_ARGUMENT name the contradiction. */
hone_status hone__program_plan(const struct hone__task *task,
                               const struct hone__program_plan **out_plan);

/* program_identity.c: adds the identities of programs and files that words name, except {names} and
 * options. */
void hone__program_identify_words(const struct hone__program_plan *plan, const char *const *words,
                                  struct hone__digester *digester);

/* A configuration. */
struct hone__program_case {
  const struct hone__program_plan *plan;
  const uint32_t *row;
  char *name;   /* of the binary */
  char *folder; /* it works there; or NULL */
  struct hone__pairs definitions, arguments;
  struct hone__pairs compile_time; /* where nothing is built: the arguments that are no `$x` */
  struct hone__words build, run, knobs;
};

/* program_words.c: the candidate's `build` and `run`. */
hone_status hone__program_build_words(const struct hone__program_case *one,
                                      struct hone__words *words);
hone_status hone__program_run_words(const struct hone__program_case *one,
                                    struct hone__words *words);

/* program_template.c: words of the spec, in which {source} is the source, {NAME} a value, and whole
 * words are made of `lists`; {out}, {bin}, {csv}, {dir} and {depfile} are replaced later. An
 * unknown {name} is an error at `node`. */
hone_status hone__program_expand(const struct hone__program_case *one,
                                 const struct hone__node *node, const char *const *words,
                                 const struct hone__placeholder_list *lists,
                                 struct hone__words *out_words);

/* serve_values.c: the values of a configuration with their types, in the arena. */
void hone__serve_values(const struct hone__program_case *one, struct hone__arena *arena,
                        struct hone__program_candidate *candidate);

/* program_imports.c: files that a Mojo or Python source imports, and theirs, as far as they lie
 * beside it or in `includes`: their paths with digests. */
void hone__program_imports(const struct hone__language *language, const char *source,
                           const char *const *includes, struct hone__pairs *out_files);
/* Of the contents; of size and time for what belongs to the system. False if it is not there. */
bool hone__program_digest(const char *path, char out_digest[HONE__DIGEST_SIZE]);

#endif
