/* What two results must share before their numbers say anything about each other. What is not known
 * of one of them (a CSV file has its rows alone) counts as equal. */
#include "base/memory.h"

#include "hone_results.h"
#include "results/results.h"

#include <stddef.h>
#include <string.h>

static const struct {
  const char *what;
  size_t field; /* of the results, a text */
} subjects[] = {
    {"kernel", offsetof(struct hone_results, name)},
    {"problem", offsetof(struct hone_results, problem)},
    {"objective", offsetof(struct hone_results, objective)},
    {"device", offsetof(struct hone_results, devices)},
    {"machine", offsetof(struct hone_results, machine)},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static const char *text_of(const struct hone_results *results, size_t field)
{
  return *(const char *const *)((const char *)results + field);
}

size_t hone_results_differences(const struct hone_results *first, const struct hone_results *second,
                                struct hone_subject_difference **out_differences)
{
  struct hone_subject_difference *differences = hone__alloc(SUBJECTS * sizeof *differences);
  size_t count = 0;

  for (size_t i = 0; i < SUBJECTS; i++) {
    const char *a = text_of(first, subjects[i].field), *b = text_of(second, subjects[i].field);
    if (*a && *b && strcmp(a, b) != 0)
      differences[count++] =
          (struct hone_subject_difference){.what = subjects[i].what, .first = a, .second = b};
  }
  *out_differences = differences;
  return count;
}
