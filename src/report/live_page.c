#include "report/live_page.h"

#include "base/text.h"
#include "report/page_parts.h"
#include "report/report.h"
#include "results/results.h"

#include <inttypes.h>
#include <stdlib.h>

static const struct hone_run *find_run(const struct hone_run_list *runs, int64_t run)
{
  for (size_t i = 0; i < hone_run_list_count(runs); i++)
    if (!run || hone_run_number(hone_run_list_at(runs, i)) == run) return hone_run_list_at(runs, i);
  return NULL;
}

char *hone__live_state(struct hone_store *store, int64_t run)
{
  struct hone_run_list *runs = NULL;
  hone_status status = store ? hone_store_runs(store, &runs) : NULL;
  const struct hone_run *found = runs ? find_run(runs, run) : NULL;
  struct hone__text text = {0};

  if (found)
    hone__text_addf(&text,
                    "{\"run\": %" PRId64 ", \"state\": \"%s\", \"verdict\": \"%s\", "
                    "\"evaluations\": %" PRIu64 "}",
                    hone_run_number(found), hone_run_state_name(hone_run_state(found)),
                    hone_verdict_name(hone_run_verdict(found)), hone_run_evaluations(found));
  else
    hone__text_add(&text, "{\"run\": 0}");
  hone_run_list_free(runs);
  hone_status_free(status);
  return hone__text_take(&text);
}

static char *waiting_page(int64_t run)
{
  struct hone__text html = {0};

  hone__text_addf(&html,
                  "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">"
                  "<meta name=\"viewport\" content=\"width=device-width\">"
                  "<meta name=\"color-scheme\" content=\"light dark\">"
                  "<title>hone</title></head>\n"
                  "<body data-live=\"1\" style=\"font-family:system-ui;margin:3em auto;"
                  "max-width:40em\"><h1>Waiting for the first result</h1>"
                  "<p>%s %" PRId64 "</p>\n",
                  run ? "run" : "no run yet", run);
  hone__page_script_add(&html);
  hone__text_add(&html, "</body></html>\n");
  return hone__text_take(&html);
}

static hone_status make_page(const struct hone_results *results, const struct hone_report *report,
                             char **out_html)
{
  struct hone_page_options options;

  hone_page_options_init(&options);
  options.results = &results;
  options.reports = &report;
  options.count = 1;
  options.is_live = true;
  return hone_results_page(&options, out_html);
}

hone_status hone__live_page(struct hone_store *store, int64_t run, char **out_html)
{
  struct hone_results *results = NULL;
  struct hone_report *report = NULL;
  hone_status status = store ? hone_report_load(store, run, &report) : NULL;

  *out_html = NULL;
  if (!status && report) status = hone_results_load(store, report->run, &results);
  if (!status && results && results->row_count) status = make_page(results, report, out_html);
  if (!*out_html && (!status || hone_status_code(status) == HONE_NOT_FOUND)) {
    hone_status_free(status);
    status = NULL;
    *out_html = waiting_page(report ? report->run : 0);
  }
  hone_results_free(results);
  hone_report_free(report);
  return status;
}
