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
struct hone_formula {
  const char *name; /* of a derived value or metric; NULL for constraints */
  const char *text;
  struct hone_expr *expr;
  const struct hone_source *source;
  struct hone_place place; /* of the text's first character; line 0: it came from elsewhere */
  size_t file;
  bool one_line; /* the text stands in the file as it is: columns can be counted */
};

/* One element of a list of values: a value, or an expression that is evaluated for each problem. */
struct hone_item {
  struct hone_value value;
  struct hone_formula *formula; /* NULL: value */
};

struct hone_param {
  const char *name; /* without the leading `$` */
  bool runtime;     /* it had one: given to the program when it runs, no rebuild */
  const struct hone_source *source;
  struct hone_place place;
  struct hone_item *items;
  size_t count;
};

/* Parameters that are combined with each other. */
struct hone_group {
  struct hone_param *params;
  size_t count;
  size_t file; /* of several: constraints apply to the groups of their own file */
};

struct hone_filter { /* --filter NAME=VALUE: values are compared as text */
  const char *name, *value;
};

struct hone_problem { /* one combination of sizes */
  const char **names;
  struct hone_value *values;
  size_t count;
  const char *text; /* "M=256 N=512" */
};

struct hone_spec {
  struct hone_arena arena;
  struct hone_diagnostics diagnostics;
  const char *path; /* of the first file */
  const char *name;
  const char *file;              /* NULL: none was given */
  const char *stem;              /* of the kernel's file: begins every configuration's name */
  struct hone_problem *problems; /* at least one; without `problem` one of no sizes */
  size_t problem_count;
  struct hone_group *groups;
  size_t group_count;
  struct hone_formula *constraints;
  size_t constraint_count;
  struct hone_formula *derived;
  size_t derived_count;
  struct hone_formula *metrics;
  size_t metric_count;
  struct hone_param *overrides; /* --param: replace or add a parameter in every group */
  size_t override_count;
  struct hone_filter *filters;
  size_t filter_count;
  struct hone_spec *shapes; /* whose mesh is an outer loop; or NULL */
  uint32_t partition_index, partition_count;
  const struct hone_node *root;     /* the first file, for what later stages read */
  const struct hone_source *source; /* its text */
  char *warnings;
  size_t work;             /* of evaluating lists of values */
  const char **size_names; /* of all problems */
  size_t size_name_count;
};

/* Gives a parameter of this name, with or without `$`, the override's values, or adds it. */
void hone__group_override(struct hone_arena *arena, struct hone_group *group,
                          const struct hone_param *override);

/* True if a param of any group has this name. */
bool hone__spec_has_param(const struct hone_spec *spec, const char *name);
bool hone__spec_has_size(const struct hone_spec *spec, const char *name);

/* Where in the file an expression's part stands. */
struct hone_place hone__formula_place(const struct hone_formula *formula, uint32_t offset);

#endif
