/* manifest.h - what is put into a source file: entries, each a set of names with texts.
 *
 *   1. hone__manifest_read(path, &manifest) reads the `params` of a YAML file, or
 *      hone__manifest_add_row(&manifest, results, SIZE_MAX, metric) takes the best row of results
 *   2. hone__manifest_release(&manifest)
 * Names are without a `$` in front. Texts are as Python's str() has them.
 */
#ifndef HONE_EXPORT_MANIFEST_H
#define HONE_EXPORT_MANIFEST_H

#include "results/results.h"
#include "base/memory.h"
#include "base/status.h"

struct hone__entry {
  const char *variant; /* `_template`: which snippet; NULL: the plain one */
  struct hone__entry_value {
    const char *name, *text;
  } * values;
  size_t count;
};

struct hone__manifest { /* { 0 } is empty */
  struct hone__arena arena;
  struct hone__entry *entries;
  size_t count, capacity;
};

/* INVALID_SPEC says what is wrong, and where. Entries keep their order; two equal ones are an
 * error. */
hone_status hone__manifest_read(const char *path, struct hone__manifest *manifest);
/* The problem's sizes and the parameters of a row; one that is there already is not added again.
 * `row` SIZE_MAX: the best by `metric`, as in hone_results_find_column. */
hone_status hone__manifest_add_row(struct hone__manifest *manifest,
                                   const struct hone_results *results, size_t row,
                                   const char *metric);
void hone__manifest_release(struct hone__manifest *manifest);

/* The text of a name, or NULL. */
const char *hone__entry_find(const struct hone__entry *entry, const char *name, size_t length);

#endif
