/* What two results must share before their numbers say anything about each other. What is not known
 * of one of them (a CSV file has its rows alone) counts as equal. */
#include "results/results.h"

#include "base/accessor.h"
#include "base/memory.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct hone__difference {
  enum hone_subject subject;
  const char *first, *second;
};

static const size_t fields[] = {
    /* of the results, a text */
    [HONE_SUBJECT_KERNEL] = offsetof(struct hone_results, name),
    [HONE_SUBJECT_PROBLEM] = offsetof(struct hone_results, problem),
    [HONE_SUBJECT_OBJECTIVE] = offsetof(struct hone_results, objective),
    [HONE_SUBJECT_DEVICE] = offsetof(struct hone_results, devices),
    [HONE_SUBJECT_MACHINE] = offsetof(struct hone_results, machine),
};
enum { SUBJECTS = sizeof fields / sizeof *fields };

struct hone_differences {
  struct hone__difference at[SUBJECTS];
  size_t count;
};

const char *hone_subject_name(enum hone_subject subject)
{
#define NAME(id, name) name,
  static const char *const names[] = {HONE_SUBJECTS(NAME)};
#undef NAME

  return (size_t)subject < sizeof names / sizeof *names ? names[subject] : "";
}

static const char *text_of(const struct hone_results *results, size_t field)
{
  return *(const char *const *)((const char *)results + field);
}

struct hone_differences *hone_results_differences(const struct hone_results *first,
                                                  const struct hone_results *second)
{
  struct hone_differences *differences = hone__alloc(sizeof *differences);

  for (size_t i = 0; i < SUBJECTS; i++) {
    const char *a = text_of(first, fields[i]), *b = text_of(second, fields[i]);
    if (*a && *b && strcmp(a, b) != 0)
      differences->at[differences->count++] =
          (struct hone__difference){.subject = (enum hone_subject)i, .first = a, .second = b};
  }
  return differences;
}

void hone_differences_free(struct hone_differences *differences)
{
  free(differences);
}

HONE__GET(size_t, hone_differences, count, count)
HONE__GET_IN(enum hone_subject, hone_differences, subject, at, subject, count, HONE_SUBJECT_KERNEL)
HONE__GET_IN(const char *, hone_differences, first, at, first, count, NULL)
HONE__GET_IN(const char *, hone_differences, second, at, second, count, NULL)
