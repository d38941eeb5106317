/* The Pareto set of a run with several objectives: a picture of the first two, and a table. */
#include "base/memory.h"

#include "report/markup.h"
#include "report/page_parts.h"
#include "report/scatter.h"

#include <math.h>

enum { MOST_POINTS = 20000, MOST_MEMBERS = 1000, LABEL_BYTES = 300 };

struct measure { /* how an objective's values are shown */
  const char *title;
  double scale;
};

struct section {
  struct hone__text *html;
  const struct hone_pareto *pareto;
  struct hone__arena arena;
  struct measure measures[HONE_PARETO_OBJECTIVES];
  size_t result;
};

/* ---- Units ---- */

static double largest_member(const struct hone_pareto *pareto, size_t objective)
{
  double largest = 0;

  for (size_t i = 0; i < pareto->member_count; i++)
    largest = fmax(largest, fabs(pareto->points[i].values[objective]));
  return largest;
}

/* The largest unit in which the largest value of the set is 1 at least. */
static struct measure measure_of(struct section *section, size_t objective)
{
  static const struct {
    enum hone_unit unit;
    const char *name;
    double scale;
  } units[] = {{HONE_UNIT_NS, "s", 1e-9}, {HONE_UNIT_NS, "ms", 1e-6}, {HONE_UNIT_NS, "us", 1e-3},
               {HONE_UNIT_NS, "ns", 1},   {HONE_UNIT_J, "J", 1},      {HONE_UNIT_J, "mJ", 1e3},
               {HONE_UNIT_J, "uJ", 1e6},  {HONE_UNIT_J, "nJ", 1e9}};
  const struct hone__results_pareto_objective *own = &section->pareto->objectives[objective];
  const char *more = own->maximise ? ", more is better" : "", *unit = NULL;
  double largest = largest_member(section->pareto, objective), scale = 1;

  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    if (units[i].unit != own->unit) continue;
    if (unit && largest * scale >= 1) break;
    unit = units[i].name;
    scale = units[i].scale;
  }
  return (struct measure){
      unit ? hone__arena_printf(&section->arena, "%s (%s)%s", own->name, unit, more)
           : hone__arena_printf(&section->arena, "%s%s", own->name, more),
      scale};
}

/* Digits that count, whatever the size is. */
static void add_value(struct hone__text *html, double value)
{
  if (!isfinite(value))
    hone__text_add(html, "\xe2\x80\x93");
  else if (value != 0 && (fabs(value) < 1e-3 || fabs(value) >= 1e9))
    hone__text_addf(html, "%.3e", value);
  else if (value == floor(value))
    hone__text_addf(html, "%.0f", value);
  else if (fabs(value) < 1)
    hone__text_addf(html, "%.4g", value);
  else
    hone__markup_number(html, value, fabs(value) < 100 ? 3 : 1);
}

/* ---- The picture ---- */

static const char *label_of(struct section *section, const struct hone_pareto_point *point)
{
  struct hone__text text = {0};
  const char *label;

  hone__text_addf(&text, "%.*s", LABEL_BYTES, point->config);
  for (size_t i = 0; i < section->pareto->objective_count; i++) {
    hone__text_addf(&text, "\n%s: ", section->measures[i].title);
    add_value(&text, point->values[i] * section->measures[i].scale);
  }
  label = hone__arena_strdup(&section->arena, text.data);
  hone__text_release(&text);
  return label;
}

static void add_picture(struct section *section)
{
  const struct hone_pareto *pareto = section->pareto;
  size_t count = pareto->point_count < MOST_POINTS ? pareto->point_count : MOST_POINTS;
  struct hone__scatter_point *points =
      hone__arena_alloc(&section->arena, (count + 1) * sizeof *points);
  struct hone__plot_id id;
  struct hone__scatter scatter = {.id = hone__page_plot_id(&id, "pareto", section->result),
                                  .title = "Pareto set",
                                  .x_title = section->measures[0].title,
                                  .y_title = section->measures[1].title,
                                  .points = points,
                                  .count = count,
                                  .has_steps = pareto->objective_count == 2};

  for (size_t i = 0; i < count; i++) {
    const struct hone_pareto_point *point = &pareto->points[i];
    points[i] = (struct hone__scatter_point){.x = point->values[0] * section->measures[0].scale,
                                             .y = point->values[1] * section->measures[1].scale,
                                             .is_member = point->is_member,
                                             .is_baseline = point->is_baseline,
                                             .label = label_of(section, point)};
  }
  hone__text_add(section->html, "<div class=\"scroll\">");
  hone__scatter_draw(&scatter, section->html);
  hone__text_add(section->html, "</div>\n");
}

/* ---- The table ---- */

static void add_titles(struct section *section)
{
  hone__text_add(section->html, "<thead><tr>");
  for (size_t i = 0; i < section->pareto->objective_count; i++) {
    hone__text_add(section->html, "<th class=\"n\">");
    hone__markup_add(section->html, section->measures[i].title, 200);
    hone__text_add(section->html, "</th><th class=\"n\">to baseline</th>");
  }
  hone__text_add(section->html, "<th>basis</th><th>configuration</th></tr></thead>\n");
}

static void add_ratio(struct hone__text *html, double ratio)
{
  if (isfinite(ratio) && ratio != 0 && fabs(ratio) < 0.01)
    hone__text_addf(html, "%.1ex", ratio);
  else
    hone__markup_ratio(html, ratio);
}

static void add_member(struct section *section, const struct hone_pareto_point *point)
{
  struct hone__text *html = section->html;

  hone__text_add(html, point->is_baseline ? "<tr class=\"best\">" : "<tr>");
  for (size_t i = 0; i < section->pareto->objective_count; i++) {
    hone__text_add(html, "<td class=\"n\">");
    add_value(html, point->values[i] * section->measures[i].scale);
    hone__text_add(html, "</td><td class=\"n\">");
    add_ratio(html, point->ratios[i]);
    hone__text_add(html, "</td>");
  }
  hone__text_addf(html, "<td>%s</td><td class=\"wrap\">",
                  point->is_baseline ? "baseline"
                  : point->confirmed ? "confirmed"
                                     : "screening");
  hone__markup_add(html, point->config, 400);
  hone__text_add(html, "</td></tr>\n");
}

static void add_table(struct section *section)
{
  size_t members = section->pareto->member_count;
  size_t shown = members < MOST_MEMBERS ? members : MOST_MEMBERS;

  hone__text_add(section->html, "<div class=\"scroll\"><table class=\"sort\">\n");
  add_titles(section);
  hone__text_add(section->html, "<tbody>\n");
  for (size_t i = 0; i < shown; i++)
    add_member(section, &section->pareto->points[i]);
  hone__text_add(section->html, "</tbody></table></div>\n");
  if (shown < members)
    hone__text_addf(section->html, "<p class=\"note\">%zu of %zu.</p>\n", shown, members);
}

/* ---- The section ---- */

static void add_head(struct section *section, const char *label)
{
  const struct hone_pareto *pareto = section->pareto;

  hone__text_add(section->html, "<section>\n<h2>Pareto set");
  if (label) hone__text_add(section->html, ": ");
  if (label) hone__markup_add(section->html, label, 200);
  hone__text_addf(
      section->html,
      "</h2>\n<p class=\"note\">%zu of %zu configurations: no other configuration is at least as "
      "good in every objective and better in one. Times from screening are noisy.</p>\n",
      pareto->member_count, pareto->point_count);
}

void hone__page_pareto(struct hone__text *html, const struct hone__bars *bars)
{
  const struct hone_page_options *options = bars->options;

  for (size_t r = 0; options->reports && r < options->count; r++) {
    const struct hone_report *report = options->reports[r];
    struct section section = {.html = html, .pareto = report ? report->pareto : NULL, .result = r};
    if (!section.pareto || !section.pareto->member_count) continue;
    for (size_t i = 0; i < section.pareto->objective_count; i++)
      section.measures[i] = measure_of(&section, i);
    add_head(&section, options->count > 1 ? bars->labels[r] : NULL);
    add_picture(&section);
    add_table(&section);
    hone__text_add(html, "</section>\n");
    hone__arena_release(&section.arena);
  }
}
