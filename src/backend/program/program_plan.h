/* program_plan.h - how the programs of one problem are built and run: what the configurations
 * share, and the words that each of them gets.
 */
#ifndef HONE_BACKEND_PROGRAM_PROGRAM_PLAN_H
#define HONE_BACKEND_PROGRAM_PROGRAM_PLAN_H

#include "backend/command_template.h"
#include "build/source_text.h"
#include "backend/language.h"
#include "backend/setting.h"
#include "base/digest.h"

struct hone__program_plan {
  const struct hone__task *task;
  const struct hone_program_options *options; /* never NULL */
  const struct hone__language *language;
  char *source;              /* absolute */
  json_t *build, *run;       /* templates of the spec; or NULL */
  bool is_built, is_library; /* a library is called in a process that stays */

  /* what the files said */
  char source_digest[HONE__DIGEST_SIZE];
  struct hone__source_text text; /* empty unless a source of C is built */
  json_t *imports;               /* as hone__program_imports has them */
  json_t *identities;            /* private: see hone__program_identify_words */

  double made_at; /* private */
  struct hone_program_options seen;
};

/* program_plan.c: lent until the next call for this task, which keeps it: looking at all the files
 * for each of 100,000 configurations would take long. It is made anew when a file has changed.
 * INVALID_SPEC and INVALID_ARGUMENT say what contradicts what. */
hone_status hone__program_plan(const struct hone__task *task,
                               const struct hone__program_plan **out_plan);

/* program_identity.c: adds what the programs and files are that words name, {names} and options
 * apart. */
void hone__program_identify_words(const struct hone__program_plan *plan, const json_t *words,
                                  struct hone__digester *digester);

/* A configuration. */
struct hone__program_case {
  const struct hone__program_plan *plan;
  const uint32_t *row;
  const char *name;                /* of the binary */
  const char *folder;              /* it works there; or NULL */
  json_t *definitions, *arguments; /* lists of [name, value] */
  json_t *compile_time; /* where nothing is built: those of the arguments that are no `$x` */
};

/* program_words.c: the candidate's "build" and "run". */
hone_status hone__program_build_words(const struct hone__program_case *one, json_t **out_words);
hone_status hone__program_run_words(const struct hone__program_case *one, json_t **out_words);

/* program_template.c: words of the spec, in which {source} is the source, {NAME} a value, and whole
 * words are made of `lists` ({"defines": [...], ...}); {out}, {bin}, {csv}, {dir} and {depfile} are
 * left for whoever knows them. An unknown {name} is an error at `node`. */
hone_status hone__program_expand(const struct hone__program_case *one,
                                 const struct hone__node *node, const json_t *words,
                                 const json_t *lists, json_t *out_words);

/* program_imports.c: files that a Mojo or Python source imports, and theirs, as far as they lie
 * beside it or in `includes`: [["path", "digest"], ...]. */
json_t *hone__program_imports(const struct hone__language *language, const char *source,
                              const json_t *includes);
/* Of the contents; of size and time for what belongs to the system. False if it is not there. */
bool hone__program_digest(const char *path, char out_digest[HONE__DIGEST_SIZE]);
bool hone__program_deps_are_current(const json_t *deps);

#endif
