/* spec.h - a spec file, read and checked, before any space is solved.
 *
 * A spec never changes after loading. What depends on the problem's sizes or on the device is kept
 * as expressions; everything else is a value already.
 */
#ifndef HONE_SPEC_SPEC_H
#define HONE_SPEC_SPEC_H

#include "spec/evaluate.h"
#include "spec/yaml.h"

/* An expression, and where it stands. */
struct hone__formula {
  const char *name; /* of a derived value or metric; NULL for constraints */
  const char *text;
  struct hone__expr *expr;
  const struct hone__source *source;
  struct hone__place place; /* of the text's first character; line 0: it came from elsewhere */
  size_t file;
  size_t alternative; /* whose groups it is for; 0: all groups of its file */
  bool one_line;      /* the text is in the file as it is: columns can be counted */
};

/* One element of a list of values: a value, or an expression that is evaluated for each problem. */
struct hone__item {
  struct hone_value value;
  struct hone__formula *formula; /* NULL: value */
};

struct hone__param {
  const char *name; /* without the leading `$` */
  bool runtime;     /* it had one: given to the program when it runs, no rebuild */
  const struct hone__source *source;
  struct hone__place place;
  struct hone__item *items;
  size_t count;
};

/* Combinations of values that are listed explicitly: no others are legal, whatever constraints say.
 */
struct hone__listing {
  const char *what; /* they are: "recorded" */
  const char *name; /* where they are from, for people; or NULL */
  size_t width;
  const char **names; /* of the columns */
  struct hone_value **values;
  uint32_t *value_counts;
  const uint32_t *rows; /* numbers of values, `width` a row */
  size_t count;
  size_t first; /* which of them is the baseline unless one is given */
};

/* Parameters that are combined with each other. */
struct hone__spec_group {
  struct hone__param *params;
  size_t count;
  size_t file;        /* of several: constraints apply to the groups of their own file */
  size_t alternative; /* counted from 1, over all files; 0: it is in none */
  const char *name;   /* of the alternative; or NULL */
  const struct hone__listing *listing; /* or NULL */
};

/* A text in which expressions stand: "tile = ${BM}". */
struct hone__piece {
  enum hone__piece_kind { HONE__PIECE_WORDS, HONE__PIECE_VALUE, HONE__PIECE_IF } kind;
  const char *words;
  size_t length;
  struct hone__formula formula;
  size_t end; /* IF: the piece after its `${end}` */
};
struct hone__template {
  size_t name; /* a number of text_names */
  size_t file, alternative;
  struct hone__piece *pieces;
  size_t count;
};

struct hone__filter { /* --filter NAME=VALUE: values are compared as text */
  const char *name, *value;
};

struct hone__objective { /* what is made small, or large */
  const char *name;      /* "time", "energy", or that of a metric */
  size_t metric;         /* its number; SIZE_MAX: it is not a metric */
  bool maximise;
  bool is_energy; /* it takes the joules of a call */
};
enum { HONE__MOST_OBJECTIVES = 3 };

struct hone__problem { /* one combination of sizes */
  const char **names;
  struct hone_value *values;
  size_t count;
  const char *text; /* "M=256 N=512" */
};

struct hone_spec {
  struct hone__arena arena;
  struct hone__diagnostics diagnostics;
  const char *path; /* of the first file */
  const char *name;
  const char *file;               /* NULL: none was given */
  const char *stem;               /* of the kernel's file: begins every configuration's name */
  struct hone__problem *problems; /* at least one; without `problem` one of no sizes */
  size_t problem_count;
  struct hone__spec_group *groups;
  size_t group_count;
  struct hone__formula *constraints;
  size_t constraint_count;
  struct hone__formula *built; /* constraints that name built.x: they are checked after a build */
  size_t built_count;
  struct hone__formula *derived;
  size_t derived_count;
  size_t alternative_count;
  const char **text_names;
  size_t text_name_count;
  struct hone__template *templates;
  size_t template_count;
  struct hone__formula *orders; /* keys of the order of configurations, the first counts most */
  size_t order_count;
  struct hone__formula *metrics;
  size_t metric_count;
  struct hone__objective objectives[HONE__MOST_OBJECTIVES];
  size_t objective_count;        /* 0: time */
  struct hone__param *overrides; /* --param: replace or add a parameter in every group */
  size_t override_count;
  struct hone__filter *filters;
  size_t filter_count;
  struct hone_spec *shapes;                  /* whose mesh is an outer loop; or NULL */
  uint32_t partition_index, partition_count; /* of the shapes */
  uint32_t part_index, part_count;           /* of the legal configurations; a count of 0: all */
  const struct hone__node *root;             /* the first file, for what later stages read */
  const struct hone__source *source;         /* its text */
  char *warnings;
  size_t work;             /* of evaluating lists of values */
  const char **size_names; /* of all problems */
  size_t size_name_count;
};

/* hone_spec_load, for files of YAML and annotated sources. `texts` may be NULL; where it has a
 * text, that is loaded instead of the file: its path stays the spec's, and messages say so. */
hone_status hone__spec_load(const struct hone_spec_options *options, const char *const *texts,
                            struct hone_spec **out_spec);
/* The same; where the first file has no parameters, `lend` may make a group of them in the spec's
 * arena. It knows the file's keys by then, its name and its kernel. */
typedef hone_status hone__lend(struct hone_spec *spec, struct hone__spec_group *out_group);
hone_status hone__spec_load_lent(const struct hone_spec_options *options, const char *const *texts,
                                 hone__lend *lend, struct hone_spec **out_spec);

/* The same for a text that is not in a file; messages call it by its name. */
hone_status hone__spec_parse(const char *text, size_t length, const char *name,
                             const struct hone_spec_options *options, hone__lend *lend,
                             struct hone_spec **out_spec);

/* Gives a parameter of this name, with or without `$`, the override's values, or adds it. */
void hone__spec_group_override(struct hone__arena *arena, struct hone__spec_group *group,
                               const struct hone__param *override);

/* True if a param of any group has this name. */
bool hone__spec_has_param(const struct hone_spec *spec, const char *name);
bool hone__spec_has_size(const struct hone_spec *spec, const char *name);

/* True if an objective takes joules: they are measured then, wherever that can be done. */
static inline bool hone__spec_wants_energy(const struct hone_spec *spec)
{
  for (size_t i = 0; i < spec->objective_count; i++)
    if (spec->objectives[i].is_energy) return true;
  return false;
}

/* Whether what is written there is for this group. */
static inline bool hone__applies(size_t file, size_t alternative,
                                 const struct hone__spec_group *group)
{
  return file == group->file && (!alternative || alternative == group->alternative);
}

/* The text of this name that a group has: its alternative's own before that of its file; or NULL.
 */
const struct hone__template *hone__spec_group_template(const struct hone_spec *spec,
                                                       const struct hone__spec_group *group,
                                                       size_t name);
/* Whether an expression is one of the keys of this group's order: its alternative's own stand
 * instead of those for all. */
bool hone__spec_group_has_order(const struct hone_spec *spec, const struct hone__spec_group *group,
                                const struct hone__formula *order);

/* Where in the file an expression's part stands. */
struct hone__place hone__formula_place(const struct hone__formula *formula, uint32_t offset);

#endif
