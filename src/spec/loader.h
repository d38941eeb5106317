/* loader.h - what the parts of spec loading share. */
#ifndef HONE_SPEC_LOADER_H
#define HONE_SPEC_LOADER_H

#include "spec/spec.h"

/* A name that only some expressions know: the index of a loop around them. */
struct hone__loader_local {
  const char *name; /* "": none */
  const struct hone__loader_local *outer;
};

struct hone__loader {
  struct hone_spec *spec;
  struct hone__diagnostics *diagnostics; /* the spec's */
  const struct hone__source *source;     /* of the file that is being read */
  struct hone__node *root;
  const struct hone__node *derived; /* while derived values are read: all of them */
  const struct hone__spec_group
      *group; /* while an alternative is read: names are of this group alone */
  const struct hone__loader_local *locals; /* while a loop's stages are read */
  size_t file, alternative;
  bool kbench; /* the file uses kbench's keys only */
};

/* Which names an expression may use. */
enum {
  HONE__NAMES_PROBLEM = 1,
  HONE__NAMES_DEVICE = 2,
  HONE__NAMES_PARAMS = 4,
  HONE__NAMES_DERIVED = 8,
  HONE__NAMES_RESULTS = 16, /* time_ns, time_us ..., energy_j, power_w: for metrics */
  HONE__NAMES_BUILT = 32,   /* built.x: what a build costs, which the backend knows */
  HONE__NAMES_ANY = 64
};

void hone__loader_error(struct hone__loader *loader, const struct hone__node *node,
                        const char *format, ...) HONE__PRINTF(3, 4);
void hone__loader_warning(struct hone__loader *loader, const struct hone__node *node,
                          const char *format, ...) HONE__PRINTF(3, 4);

/* Parses a scalar as an expression and checks its names; errors are reported, then it says false.
 * The groups, the problem and the derived values must be known by then, as far as `names` asks. */
bool hone__loader_formula(struct hone__loader *loader, const struct hone__node *node,
                          unsigned names, struct hone__formula *out_formula);

/* Parses the formula's text and checks its names, likewise. */
bool hone__loader_parse(struct hone__loader *loader, struct hone__formula *formula, unsigned names);

/* A formula of this scalar that is not parsed yet. */
struct hone__formula hone__formula_at(const struct hone__loader *loader,
                                      const struct hone__node *node);

/* Puts "; did you mean 'x'?" where a known name is near, else "". */
const char *hone__loader_suggest(struct hone__loader *loader, const char *word, unsigned names);

/* A list in the spec's arena, with room for one more element after its `count`. */
void *hone__loader_room(struct hone__loader *loader, void *list, size_t count, size_t element_size);

/* problem.c: the sizes under `problem`, in all combinations. */
void hone__problems_load(struct hone__loader *loader);

/* parameters.c: groups from `params`, `fixed_params` and `configs`; values as kbench evaluates
 * them. */
void hone__parameters_load(struct hone__loader *loader, size_t file);
/* The group of a mapping of parameters, for loader->alternative; one is made whatever is wrong. */
void hone__spec_group_load(struct hone__loader *loader, const struct hone__node *params);
/* One that is made already; `node` is where messages point. */
void hone__spec_group_add(struct hone__loader *loader, const struct hone__node *node,
                          const struct hone__spec_group *group);

/* alternatives.c: the groups of `alternatives`, and, once the derived values are known, what else
 * an alternative holds. */
void hone__alternatives_load(struct hone__loader *loader);
void hone__alternatives_finish(struct hone__loader *loader);

/* constraints.c: a list of expressions, or one. */
void hone__constraints_load(struct hone__loader *loader, const struct hone__node *node,
                            const char *key);
/* Keys of the order, for loader->alternative. */
void hone__orders_load(struct hone__loader *loader, const struct hone__node *node);

/* template.c: the texts of a mapping, for loader->alternative. */
void hone__templates_load(struct hone__loader *loader, const struct hone__node *node);
/* Evaluates the elements of a node as a list of values; reports and says false if there are none.
 */
bool hone__values_load(struct hone__loader *loader, const struct hone__node *node, const char *what,
                       struct hone__item **out_items, size_t *out_count);
/* Reads --param NAME:VALUE; values given for one name in several options come together. */
hone_status hone__overrides_load(struct hone_spec *spec, const char *const *texts, size_t count);

/* check.c: type errors, constants that fault, constraints that are never true: what can be told
 * before anything is solved. */
void hone__spec_check(struct hone_spec *spec);

/* settings.c: checks every key of a Hone file that this stage does not use itself: build, entry,
 * args, launch, stages, reference, check, measure, search, metrics, objective, maximise, baseline.
 */
void hone__settings_check(struct hone__loader *loader);

/* The top-level keys of a spec, for unknown ones: NULL-terminated. */
extern const char *const hone__spec_keys[];

#endif
