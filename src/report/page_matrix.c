/* How fast the best of each run is where the others were tuned: problems, kinds of devices. */
#include "report/page_parts.h"

#include "report/markup.h"

#include <inttypes.h>
#include <math.h>

static void add_cell(struct hone__text *html, const struct hone_matrix *matrix, size_t table,
                     size_t best, size_t place)
{
  const char *note;
  double speedup = hone_matrix_speedup(matrix, table, best, place, &note);

  hone__text_addf(html, "<td class=\"n%s\">", best == place ? " own" : "");
  if (isfinite(speedup)) {
    hone__markup_ratio(html, speedup);
    if (*note) hone__text_addf(html, " <span class=\"faint\">(%s)</span>", note);
  } else {
    hone__text_add(html, "<span class=\"faint\">");
    hone__markup_add(html, *note ? note : "not measured", 40);
    hone__text_add(html, "</span>");
  }
  hone__text_add(html, "</td>");
}

static void add_head(struct hone__text *html, const struct hone_matrix *matrix, size_t table)
{
  hone__text_add(html, "<thead><tr><th>the best of</th>");
  for (size_t i = 0; i < hone_matrix_size(matrix, table); i++) {
    hone__text_add(html, "<th class=\"n\">on ");
    hone__markup_add(html, hone_matrix_place(matrix, table, i), 200);
    hone__text_add(html, "</th>");
  }
  hone__text_add(html, "<th>configuration</th></tr></thead>\n<tbody>\n");
}

static void add_row(struct hone__text *html, const struct hone_matrix *matrix, size_t table,
                    size_t best)
{
  hone__text_add(html, "<tr><td>");
  hone__markup_add(html, hone_matrix_place(matrix, table, best), 200);
  hone__text_addf(html, " <span class=\"faint\">(run %" PRId64 ")</span></td>",
                  hone_matrix_run(matrix, table, best));
  for (size_t i = 0; i < hone_matrix_size(matrix, table); i++)
    add_cell(html, matrix, table, best, i);
  hone__text_add(html, "<td>");
  hone__markup_add(html, hone_matrix_config(matrix, table, best), 400);
  hone__text_add(html, "</td></tr>\n");
}

static void add_table(struct hone__text *html, const struct hone_matrix *matrix, size_t table)
{
  hone__text_addf(html, "<section class=\"matrix\">\n<h2>The best of each %s on the others</h2>\n",
                  hone_matrix_subject(matrix, table) == HONE_MATRIX_KINDS ? "kind of device"
                                                                          : "problem");
  hone__text_add(html, "<p class=\"note\">");
  if (*hone_matrix_about(matrix, table))
    hone__markup_add(html, hone_matrix_about(matrix, table), 0);
  if (*hone_matrix_about(matrix, table)) hone__text_add(html, ". ");
  hone__text_add(html, "Speedups over the baseline of each column. What was only screened there is "
                       "marked.</p>\n<div class=\"scroll\"><table>\n");
  add_head(html, matrix, table);
  for (size_t i = 0; i < hone_matrix_size(matrix, table); i++)
    add_row(html, matrix, table, i);
  hone__text_add(html, "</tbody></table></div>\n</section>\n");
}

void hone__page_matrix(struct hone__text *html, const struct hone__bars *bars)
{
  const struct hone_page_options *options = bars->options;
  struct hone_matrix *matrix;

  if (!options->reports || options->count < 2) return;
  matrix = hone_matrix_make(options->reports, options->count);
  for (size_t i = 0; i < hone_matrix_table_count(matrix); i++)
    add_table(html, matrix, i);
  hone_matrix_free(matrix);
}
