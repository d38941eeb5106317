/* A picture of each search: every configuration in the order in which it was tried, and the line of
 * the best so far. */
#include "base/memory.h"

#include "report/markup.h"
#include "report/page_parts.h"
#include "report/scatter.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_OTHERS = 2000, FEWEST = 3, LABEL_BYTES = 300 };

struct section {
  const struct hone__bars *bars;
  size_t result;
  struct hone__arena arena;
  const struct hone_compared_row **rows; /* that have a value, in the order of the search */
  size_t count;
};

/* ---- Rows ---- */

static double value_of(const struct section *section, size_t at)
{
  return section->rows[at]->values[section->result] * section->bars->scale;
}

static uint64_t place_of(const struct section *section, size_t at)
{
  return section->rows[at]->rows[section->result]->mesh_idx;
}

static int compare_places(const void *a, const void *b, void *data)
{
  const struct hone_compared_row *const *x = a, *const *y = b;
  size_t result = ((const struct section *)data)->result;
  uint64_t i = (*x)->rows[result]->mesh_idx, j = (*y)->rows[result]->mesh_idx;

  return (i > j) - (i < j);
}

static void collect_rows(struct section *section)
{
  const struct hone_comparison *comparison = section->bars->comparison;

  section->rows =
      hone__arena_alloc(&section->arena, (comparison->row_count + 1) * sizeof *section->rows);
  for (size_t i = 0; i < comparison->row_count; i++)
    if (comparison->rows[i].rows[section->result] &&
        isfinite(comparison->rows[i].values[section->result]))
      section->rows[section->count++] = &comparison->rows[i];
  qsort_r(section->rows, section->count, sizeof *section->rows, compare_places, section);
}

/* ---- The picture ---- */

static const char *label_of(struct section *section, size_t at)
{
  struct hone__text text = {0};
  const char *label;

  hone__text_addf(&text, "%.*s\n%s: ", LABEL_BYTES, section->rows[at]->key, section->bars->title);
  hone__markup_number(&text, value_of(section, at), 3);
  label = hone__arena_strdup(&section->arena, text.data);
  hone__text_release(&text);
  return label;
}

/* Of very many that were not the best so far, one in that many is drawn. */
static size_t stride_of(const struct section *section)
{
  return section->count / MOST_OTHERS + 1;
}

static size_t choose_points(struct section *section, struct hone__scatter_point *points)
{
  bool maximise = section->bars->comparison->maximise;
  size_t stride = stride_of(section), count = 0;
  double best = NAN;

  for (size_t i = 0; i < section->count; i++) {
    double value = value_of(section, i);
    bool is_best = isnan(best) || (maximise ? value > best : value < best);
    if (is_best) best = value;
    if (!is_best && i % stride != 0) continue;
    points[count++] = (struct hone__scatter_point){.x = (double)place_of(section, i),
                                                   .y = value,
                                                   .is_member = is_best,
                                                   .is_baseline = place_of(section, i) == 0,
                                                   .label = label_of(section, i)};
  }
  return count;
}

static void add_picture(struct section *section, struct hone__text *html)
{
  struct hone__scatter_point *points =
      hone__arena_alloc(&section->arena, section->count * sizeof *points);
  struct hone__plot_id id;
  struct hone__scatter scatter = {.id = hone__page_plot_id(&id, "search", section->result),
                                  .title = "best so far",
                                  .x_title = "evaluation",
                                  .y_title = section->bars->title,
                                  .points = points,
                                  .count = choose_points(section, points),
                                  .has_steps = true,
                                  .goes_on = true};

  hone__text_add(html, "<div class=\"scroll\">");
  hone__scatter_draw(&scatter, html);
  hone__text_add(html, "</div>\n");
}

/* ---- The section ---- */

static void add_section(struct section *section, struct hone__text *html)
{
  const struct hone_page_options *options = section->bars->options;
  const struct hone_report *report = options->reports[section->result];

  hone__text_add(html, "<section class=\"plain\">\n<h2>Search");
  if (options->count > 1) hone__text_add(html, ": ");
  if (options->count > 1) hone__markup_add(html, section->bars->labels[section->result], 200);
  hone__text_add(html, "</h2>\n<p class=\"note\">");
  hone__markup_add(html, report->strategy, 100);
  hone__text_addf(html, ", seed %llu; configurations in the order they were tried",
                  (unsigned long long)report->seed);
  hone__text_add(html, report->failed ? ", without those that failed." : ".");
  if (stride_of(section) > 1)
    hone__text_addf(html, " One in %zu of the others is shown.", stride_of(section));
  hone__text_add(html, "</p>\n");
  add_picture(section, html);
  hone__text_add(html, "</section>\n");
}

/* With several objectives there is no best so far. */
static bool is_search(const struct hone_report *report)
{
  return report && !report->pareto && *report->strategy && !report->is_sweep;
}

void hone__page_search(struct hone__text *html, const struct hone__bars *bars)
{
  for (size_t i = 0; bars->options->reports && i < bars->options->count; i++) {
    struct section section = {.bars = bars, .result = i};
    if (!is_search(bars->options->reports[i])) continue;
    collect_rows(&section);
    if (section.count >= FEWEST) add_section(&section, html);
    hone__arena_release(&section.arena);
  }
}
