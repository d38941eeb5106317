/* wisdom_text.h - entries of wisdom files while they are put together, and their text. */
#ifndef HONE_EXPORT_WISDOM_TEXT_H
#define HONE_EXPORT_WISDOM_TEXT_H

#include "base/text.h"
#include "export/tuned.h"
#include "hone_wisdom.h"

struct hone__export_wisdom_draft { /* an entry; everything is lent */
  const char *kernel, *device, *family;
  const char **aliases;
  const struct hone_wisdom_pair *problem, *config, *environment;
  size_t alias_count, problem_count, config_count, environment_count;
  enum hone_wisdom_verdict verdict;
  double speedup, low, high, confidence;
  const char *origin; /* the file or the run that it is from */
  bool is_run;
};

/* In the arena. */
struct hone__export_wisdom_draft hone__export_wisdom_of_tuned(struct hone__arena *arena,
                                                              const struct hone__tuned *tuned);
struct hone__export_wisdom_draft hone__export_wisdom_of_entry(struct hone__arena *arena,
                                                              const struct hone_wisdom_entry *entry,
                                                              const char *file);

/* By kernel, device and problem; 0: they are about the same. */
int hone__export_wisdom_compare(const struct hone__export_wisdom_draft *a,
                                const struct hone__export_wisdom_draft *b);
/* The text of the environment of this name; "". */
const char *hone__export_wisdom_environment(const struct hone__export_wisdom_draft *draft,
                                            const char *name);
/* "M=256, N=512": pairs for people. */
void hone__export_wisdom_print_pairs(struct hone__text *text, const struct hone_wisdom_pair *pairs,
                                     size_t count);

/* Sorts them and writes the file. */
void hone__export_wisdom_write(struct hone__text *text, struct hone__export_wisdom_draft *drafts,
                               size_t count, double bound);

/* How far problems may be from those of a file that hone makes: a size is doubled or halved. */
#define HONE__EXPORT_WISDOM_BOUND 2.0

#endif
