#include "export/results_print.h"

#include "base/status.h"
#include "results/results.h"

static hone__export_results_writer *const writers[] = {
    [HONE_RESULTS_CSV] = hone__write_csv,
    [HONE_RESULTS_TEXT] = hone__write_text,
    [HONE_RESULTS_FAILURES] = hone__write_failures,
    [HONE_RESULTS_TUNE] = hone__write_tune,
    [HONE_RESULTS_TABLE] = hone__write_table,
    [HONE_RESULTS_PLAIN_CSV] = hone__write_plain_csv,
    [HONE_RESULTS_JSON] = hone__write_json,
};

hone_status hone_results_print(const struct hone_results *results, enum hone_results_format format,
                               char **out_text)
{
  struct hone__text text = {0};

  *out_text = NULL;
  if ((size_t)format >= sizeof writers / sizeof *writers)
    return hone__error(HONE_INVALID_ARGUMENT, "unknown results format %d", (int)format);
  writers[format](results, &text);
  *out_text = hone__text_take(&text);
  return NULL;
}
