/* Any bytes as a CSV file of results: an error says something. What is printed of results is read
 * back, and then printed the same; every other format can be printed too. */
#include "results/results.h"

#include "hone_results.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *print(const struct hone_results *results, enum hone_results_format format)
{
  char *text;

  if (hone_results_print(results, format, &text)) abort();
  return text;
}

static void check_again(const struct hone_results *results)
{
  char *once = print(results, HONE_RESULTS_CSV), *twice;
  struct hone_results *again;

  if (hone__results_parse("again", once, strlen(once), &again)) abort();
  if (again->row_count != results->row_count) abort();
  twice = print(again, HONE_RESULTS_CSV);
  if (again->column_count == results->column_count && strcmp(once, twice) != 0) abort();
  hone_results_free(again);
  free(twice);
  free(once);
}

static void check_best(const struct hone_results *results)
{
  char *yaml;

  hone_status_free(hone_results_best_yaml(&results, 1, NULL, NULL, &yaml));
  free(yaml);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = hone__alloc(size + 1);
  struct hone_results *results;
  hone_status status;

  if (size) memcpy(text, data, size);
  status = hone__results_parse("fuzz", text, size, &results);
  if (status && !*hone_status_message(status)) abort();
  if (!status) {
    check_again(results);
    check_best(results);
    for (int format = HONE_RESULTS_CSV; format <= HONE_RESULTS_JSON; format++)
      free(print(results, (enum hone_results_format)format));
  }
  hone_status_free(status);
  hone_results_free(results);
  free(text);
  return 0;
}
