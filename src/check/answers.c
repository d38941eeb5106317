/* One table gives names and words. */
#include "check/answers.h"

#include <string.h>

static const struct {
  const char *name, *done, *found;
} words[] = {
#define HONE__ANSWERS_WORDS(id, name, done, found) [HONE_ANSWERS_##id] = {name, done, found},
    HONE_ANSWERS(HONE__ANSWERS_WORDS)
#undef HONE__ANSWERS_WORDS
};

bool hone__answers_are_checked(enum hone_answers answers)
{
  return answers < HONE_ANSWERS_RECORDED;
}

bool hone__answers_parse(const char *name, enum hone_answers *out_answers)
{
  for (int i = 0; name && i < HONE_ANSWERS_COUNT; i++) {
    if (strcmp(words[i].name, name) != 0) continue;
    *out_answers = (enum hone_answers)i;
    return true;
  }
  return false;
}

const char *hone__answers_name(enum hone_answers answers)
{
  return words[answers].name;
}

const char *hone__answers_done(enum hone_answers answers)
{
  return words[answers].done;
}

const char *hone__answers_found(enum hone_answers answers)
{
  return words[answers].found;
}
