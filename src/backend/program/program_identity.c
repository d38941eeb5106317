/* Programs and files that words of a command name. Words come again in every configuration: what
 * was found is kept in the plan, which does not live long. */
#include "backend/program/program_plan.h"
#include "build/toolchain.h"

#include <stdlib.h>

enum { MOST_WORDS = 4096 };

/* As a program in PATH, and as a file: scripts, inputs. The results are not there yet. */
static json_t *look_at(const struct hone__task *task, json_t *word)
{
  const char *name = json_string_value(word);
  char *path = hone__setting_path(task, name), digest[HONE__DIGEST_SIZE];
  struct hone__digester *digester = hone__digest_begin();
  json_t *words = json_pack("[O]", word);

  if (!strchr(name, '=')) hone__toolchain_identify(words, task->folder, false, digester);
  if (hone__program_digest(path, digest)) hone__digest_add_text(digester, digest);
  hone__digest_end(digester, digest);
  json_decref(words);
  free(path);
  return json_string(digest);
}

static const char *identity_of(const struct hone__program_plan *plan, json_t *word)
{
  const char *name = json_string_value(word);
  json_t *identity = json_object_get(plan->identities, name);

  if (!identity) {
    identity = look_at(plan->task, word);
    if (json_object_size(plan->identities) >= MOST_WORDS) json_object_clear(plan->identities);
    json_object_set_new(plan->identities, name, identity);
  }
  return json_string_value(identity);
}

void hone__program_identify_words(const struct hone__program_plan *plan, const json_t *words,
                                  struct hone__digester *digester)
{
  for (size_t i = 0; i < json_array_size(words); i++) {
    json_t *word = json_array_get(words, i);
    const char *name = json_string_value(word);
    if (name && *name && !strchr("-{", *name))
      hone__digest_add_text(digester, identity_of(plan, word));
  }
}
