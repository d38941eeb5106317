/* Everything is in pixels of a picture that the browser scales. Widths of texts are guessed from
 * their characters in a fixed-width font; where a value does not fit over its bar, all values stand
 * upright. */
#include "report/chart.h"
#include "report/markup.h"
#include "report/svg.h"

#include <math.h>

enum {
  LEAST_WIDTH = 960,
  USUAL_WIDTH = 1180,
  PLOT_HEIGHT = 330,
  MARGIN_LEFT = 84,
  MARGIN_RIGHT = 24,
  LINE = 17,      /* height of a line of text */
  LETTER = 8,     /* width of a letter */
  LEAST_BAR = 16, /* of bars that can be distinguished */
  MOST_BAR = 64,
  GROUP_GAP = 22, /* between groups, at least */
  MOST_TICKS = 6,
  MOST_LEGEND = 60 /* letters of a name in the legend */
};

static const char *const palette[] = {"#4285f4",      "#ea4335", "#fbbc04", "#34a853", "#ff6d01",
                                      "#0077b6",      "#c1121f", "#a7c957", "#ffc300", "coral",
                                      "lightskyblue", "silver",  "magenta"};
enum { COLORS = sizeof palette / sizeof *palette };

struct layout {
  const struct hone__chart *chart;
  struct hone__text *svg;
  double low, high, step; /* of the vertical axis */
  double slot, bar;       /* widths of a group and of a bar */
  double left, top, width, height, total_width, total_height;
  size_t label_lines;
  double legend_rows;
  bool upright; /* values */
};

/* What is left out could not be drawn to scale with anything else. */
static bool can_draw(double value)
{
  return fabs(value) < 1e300;
}

/* ---- Measuring ---- */

static size_t label_width(const char *label)
{
  size_t widest = 0;

  while (*label) {
    size_t length = strcspn(label, "\n"), width = hone__markup_width(label, length);
    if (width > widest) widest = width;
    label += length + (label[length] == '\n');
  }
  return widest;
}

static size_t count_lines(const char *label)
{
  size_t lines = 1;

  for (; *label; label++)
    lines += *label == '\n';
  return lines;
}

static double least_slot(const struct hone__chart *chart)
{
  size_t widest = 0;
  double bars = (double)(chart->series_count * LEAST_BAR);

  for (size_t i = 0; i < chart->group_count; i++) {
    size_t width = label_width(chart->labels[i]);
    if (width > widest) widest = width;
  }
  return fmax((double)(widest * LETTER), bars) + GROUP_GAP;
}

size_t hone__chart_room(const struct hone__chart *chart)
{
  double room = (USUAL_WIDTH - MARGIN_LEFT - MARGIN_RIGHT) / least_slot(chart);

  return room < 4 ? 4 : (size_t)room;
}

static size_t value_width(const struct hone__chart *chart)
{
  size_t widest = 0;

  for (size_t i = 0; i < chart->group_count * chart->series_count; i++) {
    struct hone__text text = {0};
    if (!can_draw(chart->values[i])) continue;
    hone__markup_number(&text, chart->values[i], chart->precision);
    if (text.length > widest) widest = text.length;
    hone__text_release(&text);
  }
  return widest + hone__markup_width(chart->unit, strlen(chart->unit));
}

static void choose_scale(struct layout *layout)
{
  const struct hone__chart *chart = layout->chart;
  double low = 0, high = chart->has_base ? 1 : 0;

  for (size_t i = 0; i < chart->group_count * chart->series_count; i++) {
    if (!can_draw(chart->values[i])) continue;
    low = fmin(low, chart->values[i]);
    high = fmax(high, chart->values[i]);
  }
  if (!(high - low > 1e-300)) high = low + 1;
  layout->step = hone__svg_step(high - low, MOST_TICKS);
  layout->low = floor(low / layout->step) * layout->step;
  layout->high = ceil(high / layout->step) * layout->step;
}

static size_t legend_width(const char *name)
{
  size_t width = hone__markup_width(name, strlen(name));

  return (width > MOST_LEGEND ? MOST_LEGEND : width) * LETTER + 40;
}

static double count_legend_rows(const struct layout *layout)
{
  double rows = 1, at = 0;

  for (size_t i = 0; i < layout->chart->series_count; i++) {
    double width = (double)legend_width(layout->chart->series[i]);
    if (at > 0 && at + width > layout->width) {
      rows++;
      at = 0;
    }
    at += width;
  }
  return rows;
}

static void choose_widths(struct layout *layout)
{
  const struct hone__chart *chart = layout->chart;
  double groups = chart->group_count ? (double)chart->group_count : 1;

  layout->left = MARGIN_LEFT;
  layout->slot = fmax(least_slot(chart), (LEAST_WIDTH - MARGIN_LEFT - MARGIN_RIGHT) / groups);
  layout->width = layout->slot * groups;
  layout->bar = fmin((layout->slot - GROUP_GAP) / (double)chart->series_count, MOST_BAR);
  layout->upright = (double)value_width(chart) * LETTER * 0.85 > layout->bar;
}

static void choose_heights(struct layout *layout)
{
  const struct hone__chart *chart = layout->chart;
  double over = layout->upright ? (double)value_width(chart) * LETTER * 0.85 + 8 : LINE + 4;

  layout->legend_rows = count_legend_rows(layout);
  for (size_t i = 0; i < chart->group_count; i++) {
    size_t lines = count_lines(chart->labels[i]);
    if (lines > layout->label_lines) layout->label_lines = lines;
  }
  layout->top = 12 + layout->legend_rows * 24 + over;
  layout->height = PLOT_HEIGHT;
  layout->total_width = layout->left + layout->width + MARGIN_RIGHT;
  layout->total_height = layout->top + layout->height + 14 + (double)layout->label_lines * LINE +
                         12 + LINE + (*chart->group_caption ? LINE : 0) + 8;
}

/* ---- Drawing ---- */

static double height_of(const struct layout *layout, double value)
{
  return layout->top + layout->height * (1 - (value - layout->low) / (layout->high - layout->low));
}

static void draw_legend(const struct layout *layout)
{
  const struct hone__chart *chart = layout->chart;
  double x = 0, y = 12;

  for (size_t i = 0; i < chart->series_count; i++) {
    double width = (double)legend_width(chart->series[i]);
    if (x > 0 && x + width > layout->width) {
      x = 0;
      y += 24;
    }
    hone__text_addf(layout->svg, "<rect class=\"c%zu\" width=\"12\" height=\"12\" rx=\"2\"",
                    (chart->first_color + i) % COLORS);
    hone__svg_pixels(layout->svg, "x", layout->left + x);
    hone__svg_pixels(layout->svg, "y", y);
    hone__text_add(layout->svg, "/>\n");
    hone__svg_text(layout->svg, "legend", layout->left + x + 18, y + 11, chart->series[i],
                   MOST_LEGEND);
    x += width;
  }
}

static void draw_axes(const struct layout *layout)
{
  double right = layout->left + layout->width, foot = height_of(layout, fmax(0, layout->low));

  for (int i = 0; i <= 2 * MOST_TICKS; i++) {
    double value = layout->low + i * layout->step, y = height_of(layout, value);
    struct hone__text number = {0};
    if (value > layout->high + layout->step / 2) break;
    hone__markup_number(&number, fabs(value) < layout->step / 2 ? 0 : value, 2);
    hone__svg_line(layout->svg, "grid", layout->left, y, right, y);
    if (number.length > 2 && strcmp(number.data + number.length - 2, ".0") == 0)
      number.data[number.length - 2] = 0;
    hone__svg_text(layout->svg, "tick", layout->left - 8, y + 4, number.data, 0);
    hone__text_release(&number);
  }
  hone__svg_line(layout->svg, "axis", layout->left, layout->top, layout->left,
                 layout->top + layout->height);
  hone__svg_line(layout->svg, "axis", layout->left, foot, right, foot);
  hone__svg_begin_text(layout->svg, "title", 0, 0);
  hone__text_add(layout->svg, " transform=\"translate(16 ");
  hone__markup_number(layout->svg, layout->top + layout->height / 2, 1);
  hone__text_add(layout->svg, ") rotate(-90)\">");
  hone__markup_add(layout->svg, layout->chart->value_title, 80);
  hone__text_add(layout->svg, "</text>\n");
}

static void draw_value(const struct layout *layout, double x, double y, double value)
{
  struct hone__text *svg = layout->svg;

  if (layout->upright) {
    hone__text_add(svg, "<text class=\"value up\" transform=\"translate(");
    hone__markup_number(svg, x + 4, 1);
    hone__text_add(svg, " ");
    hone__markup_number(svg, y - 5, 1);
    hone__text_add(svg, ") rotate(-90)\">");
  } else {
    hone__svg_begin_text(svg, "value", x, y - 5);
    hone__text_add(svg, ">");
  }
  hone__markup_number(svg, value, layout->chart->precision);
  hone__markup_add(svg, layout->chart->unit, 0);
  hone__text_add(svg, "</text>\n");
}

static void draw_bar(const struct layout *layout, size_t group, size_t series, double x)
{
  const struct hone__chart *chart = layout->chart;
  double value = chart->values[group * chart->series_count + series];
  double y, foot = height_of(layout, fmax(0, layout->low));
  struct hone__text *svg = layout->svg;

  if (!can_draw(value)) {
    hone__svg_text(svg, "none", x + layout->bar / 2, foot - 5, "\xe2\x80\x93", 0);
    return;
  }
  y = height_of(layout, value);
  hone__text_addf(svg, "<rect class=\"c%zu\"", (chart->first_color + series) % COLORS);
  hone__svg_pixels(svg, "x", x + layout->bar * 0.04);
  hone__svg_pixels(svg, "y", fmin(y, foot));
  hone__svg_pixels(svg, "width", layout->bar * 0.92);
  hone__svg_pixels(svg, "height", fmax(fabs(foot - y), 0.5));
  hone__text_add(svg, "><title>");
  hone__markup_add(svg, chart->labels[group], 2000);
  hone__text_add(svg, "\n");
  hone__markup_add(svg, chart->series[series], 200);
  hone__text_add(svg, ": ");
  hone__markup_number(svg, value, chart->precision + 2);
  hone__markup_add(svg, chart->unit, 0);
  hone__text_add(svg, "</title></rect>\n");
  draw_value(layout, x + layout->bar / 2, fmin(y, foot), value);
}

static void draw_label(const struct layout *layout, const char *label, double x, double y)
{
  while (*label) {
    size_t length = strcspn(label, "\n");
    struct hone__text line = {0};
    hone__text_addn(&line, label, length);
    hone__svg_text(layout->svg, "label", x, y, line.data, 0);
    hone__text_release(&line);
    y += LINE;
    label += length + (label[length] == '\n');
  }
}

static void draw_groups(const struct layout *layout)
{
  const struct hone__chart *chart = layout->chart;
  double bars = layout->bar * (double)chart->series_count;

  for (size_t i = 0; i < chart->group_count; i++) {
    double begin = layout->left + layout->slot * (double)i;
    for (size_t j = 0; j < chart->series_count; j++)
      draw_bar(layout, i, j, begin + (layout->slot - bars) / 2 + layout->bar * (double)j);
    draw_label(layout, chart->labels[i], begin + layout->slot / 2,
               layout->top + layout->height + 14 + 6);
  }
}

static void draw_titles(const struct layout *layout)
{
  double x = layout->left + layout->width / 2;
  double y = layout->top + layout->height + 14 + (double)layout->label_lines * LINE + 24;

  if (*layout->chart->group_title)
    hone__svg_text(layout->svg, "title", x, y, layout->chart->group_title, 200);
  if (*layout->chart->group_caption)
    hone__svg_text(layout->svg, "caption", x, y + LINE, layout->chart->group_caption, 400);
}

/* ---- The picture ---- */

void hone__chart_style(struct hone__text *css)
{
  hone__text_add(css,
                 ".chart text{font:12px ui-monospace,'DejaVu Sans Mono','Courier New',monospace;"
                 "fill:var(--ink)}\n"
                 ".chart .legend,.chart .title{font-size:13px}.chart .title{font-weight:600}\n"
                 ".chart .title,.chart .caption,.chart .label,.chart .value,.chart .none"
                 "{text-anchor:middle}\n"
                 ".chart .caption,.chart .tick,.chart .none{fill:var(--faint)}\n"
                 ".chart .tick{text-anchor:end;font-size:11px}.chart .value{font-size:11px}\n"
                 ".chart .up{text-anchor:start}.chart .grid{stroke:var(--line)}\n"
                 ".chart .axis{stroke:var(--ink);stroke-width:1.5}\n"
                 ".chart .base{stroke:var(--ink);stroke-dasharray:5 4}\n");
  for (size_t i = 0; i < COLORS; i++)
    hone__text_addf(css, ".chart .c%zu{fill:%s}\n", i, palette[i]);
}

static void open_picture(const struct layout *layout, double y)
{
  hone__text_add(layout->svg, "<svg class=\"chart\" role=\"img\"");
  if (layout->chart->id) hone__text_addf(layout->svg, " id=\"%s\"", layout->chart->id);
  if (y > 0) hone__svg_pixels(layout->svg, "y", y);
  hone__text_addf(layout->svg, " viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\">\n",
                  layout->total_width, layout->total_height, layout->total_width,
                  layout->total_height);
  hone__text_add(layout->svg, "<title>");
  hone__markup_add(layout->svg, layout->chart->value_title, 200);
  hone__text_add(layout->svg, "</title>\n");
}

struct hone__chart_size hone__chart_draw(const struct hone__chart *chart, double y,
                                         struct hone__text *svg)
{
  struct layout layout = {.chart = chart, .svg = svg};

  choose_scale(&layout);
  choose_widths(&layout);
  choose_heights(&layout);
  open_picture(&layout, y);
  draw_legend(&layout);
  draw_axes(&layout);
  draw_groups(&layout);
  if (chart->has_base)
    hone__svg_line(svg, "base", layout.left, height_of(&layout, 1), layout.left + layout.width,
                   height_of(&layout, 1));
  draw_titles(&layout);
  hone__text_add(svg, "</svg>\n");
  return (struct hone__chart_size){layout.total_width, layout.total_height};
}

static void add_file_style(struct hone__text *svg)
{
  hone__text_add(svg, "<style>\n"
                      "svg{--ink:#1c2024;--faint:#6b7280;--line:#e5e7eb;--paper:#fff}\n"
                      "@media (prefers-color-scheme:dark){svg{--ink:#e6e8eb;--faint:#9aa2ad;"
                      "--line:#31363d;--paper:#15181c}}\n"
                      ".paper{fill:var(--paper)}\n");
  hone__chart_style(svg);
  hone__text_add(svg, "</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
}

void hone__chart_file(const struct hone__chart *charts, size_t count, struct hone__text *svg)
{
  struct hone__chart_size total = {0};
  struct hone__text body = {0};

  for (size_t i = 0; i < count; i++) {
    struct hone__chart_size size = hone__chart_draw(&charts[i], total.height, &body);
    total.width = fmax(total.width, size.width);
    total.height += size.height;
  }
  hone__text_addf(svg,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
                  "width=\"%.0f\" height=\"%.0f\">\n",
                  total.width, total.height, total.width, total.height);
  add_file_style(svg);
  hone__text_addn(svg, body.data, body.length);
  hone__text_add(svg, "</svg>\n");
  hone__text_release(&body);
}
