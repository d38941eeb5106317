/* One table gives names and words. */
#include "check/answers.h"

#include <string.h>

static const struct {
  const char *name, *done, *found;
} words[] = {
#define HONE__ANSWERS_WORDS(id, name, done, found) [HONE__ANSWERS_##id] = {name, done, found},
    HONE__ANSWERS(HONE__ANSWERS_WORDS)
#undef HONE__ANSWERS_WORDS
};

bool hone__answers_are_checked(enum hone__answers answers)
{
  return answers < HONE__ANSWERS_RECORDED;
}

bool hone__answers_parse(const char *name, enum hone__answers *out_answers)
{
  for (int i = 0; name && i < HONE__ANSWERS_COUNT; i++) {
    if (strcmp(words[i].name, name) != 0) continue;
    *out_answers = (enum hone__answers)i;
    return true;
  }
  return false;
}

const char *hone__answers_name(enum hone__answers answers)
{
  return words[answers].name;
}

const char *hone__answers_done(enum hone__answers answers)
{
  return words[answers].done;
}

const char *hone__answers_found(enum hone__answers answers)
{
  return words[answers].found;
}
