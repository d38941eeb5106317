/* Programs and files that words of a command name. Words come again in every configuration: results
 * are kept in the plan, which is short-lived. */
#include "backend/program/program_plan.h"

#include "build/toolchain.h"

#include <stdlib.h>

enum { MOST_WORDS = 4096 };

/* As a program in PATH, and as a file: scripts, inputs. The results are not there yet. */
static void look_at(const struct hone__task *task, const char *word,
                    char out_digest[HONE__DIGEST_SIZE])
{
  char *path = hone__setting_path(task, word), digest[HONE__DIGEST_SIZE];
  struct hone__digester *digester = hone__digest_begin();
  const char *const words[] = {word, NULL};

  if (!strchr(word, '=')) hone__toolchain_identify(words, task->folder, false, digester);
  if (hone__program_digest(path, digest)) hone__digest_add_text(digester, digest);
  hone__digest_end(digester, out_digest);
  free(path);
}

static const char *identity_of(const struct hone__program_plan *plan, const char *word)
{
  struct hone__pairs *known = plan->identities;
  char digest[HONE__DIGEST_SIZE];

  if (!hone__pairs_find(known, word)) {
    look_at(plan->task, word, digest);
    if (known->count >= MOST_WORDS) hone__pairs_release(known);
    hone__pairs_add(known, word, digest);
  }
  return hone__pairs_find(known, word);
}

void hone__program_identify_words(const struct hone__program_plan *plan, const char *const *words,
                                  struct hone__digester *digester)
{
  for (; words && *words; words++)
    if (**words && !strchr("-{", **words))
      hone__digest_add_text(digester, identity_of(plan, *words));
}
