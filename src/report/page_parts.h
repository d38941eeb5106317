/* page_parts.h - the sections of a page of results, each adds its HTML. */
#ifndef HONE_REPORT_PAGE_PARTS_H
#define HONE_REPORT_PAGE_PARTS_H

#include "report/bars.h"

/* page.c: the styles of the class "plot". */
extern const char hone__page_plot_style[];
/* The name of a picture in the page: "plot-bars", of the second one "plot-bars-2". */
struct hone__plot_id {
  char text[48];
};
const char *hone__page_plot_id(struct hone__plot_id *id, const char *name, size_t i);

/* page_summary.c: the figures that matter; where it all comes from. */
void hone__page_summary(struct hone__text *html, const struct hone__bars *bars);
void hone__page_notes(struct hone__text *html, const struct hone__bars *bars);
void hone__page_provenance(struct hone__text *html, const struct hone__bars *bars);

/* page_pareto.c: of runs with several objectives. */
void hone__page_pareto(struct hone__text *html, const struct hone__bars *bars);

/* page_matrix.c: the best of each of several runs on the others. */
void hone__page_matrix(struct hone__text *html, const struct hone__bars *bars);

/* page_search.c: how runs came to their best, one evaluation after the other. */
void hone__page_search(struct hone__text *html, const struct hone__bars *bars);

/* page_data.c: the candidates of single results as JSON, for the script. */
void hone__page_data(struct hone__text *html, const struct hone__bars *bars);

/* The script, line by line, made from page.js; the last is NULL. */
extern const char *const hone__page_script[];
void hone__page_script_add(struct hone__text *html);

/* page_use.c: the commands that reproduce a run and use its result. */
void hone__page_use(struct hone__text *html, const struct hone__bars *bars);

/* page_tables.c: every configuration; every failure with its evidence. */
void hone__page_rows(struct hone__text *html, const struct hone__bars *bars);
void hone__page_failures(struct hone__text *html, const struct hone__bars *bars);

#endif
