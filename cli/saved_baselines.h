/* saved_baselines.h - runs of the store that were saved under a name. */
#ifndef CLI_SAVED_BASELINES_H
#define CLI_SAVED_BASELINES_H

#include "hone_results.h"
#include "message.h"
#include "options.h"

struct saved_runs { /* saved_runs_release */
  int64_t *runs;
  size_t count;
};

/* The runs under this name; false after a message that lists the known names. */
bool saved_runs_find(struct hone_store *store, const char *name, struct saved_runs *out_runs);
void saved_runs_release(struct saved_runs *saved);

/* Of these runs the one that differs least from `of` in kernel, problem, objective, device and
 * machine; those of another kernel or problem do not count. 0: there is none. */
hone_status saved_runs_choose(struct hone_store *store, const struct saved_runs *saved,
                              const struct hone_results *of, int64_t *out_run);

/* Puts the numbers of runs in the place of saved names among words of `hone compare`; `*out_words`
 * is another list, and its texts are kept in `*out_texts`, one for each word, NULL: it was not a
 * name. Free both, also after false, which follows a message. */
bool saved_names_resolve(const char *store, const struct word_list *words,
                         struct word_list *out_words, char ***out_texts);

#endif
