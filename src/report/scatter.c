/* An axis is logarithmic where its values are all above 0 and far apart: then it counts in powers
 * of ten. Points of others are drawn first, so that the set stands before them. */
#include "report/scatter.h"

#include "report/markup.h"
#include "report/svg.h"

#include <math.h>
#include <stdio.h>

enum {
  WIDTH = 960,
  PLOT_HEIGHT = 400,
  MARGIN_LEFT = 96,
  MARGIN_RIGHT = 32,
  TOP = 44,
  FOOT = 52,
  MOST_TICKS = 8,
  MOST_DRAWN = 5000
};
static const double FAR_APART = 4, MARGIN = 0.05;
static const double FEW_DECADES = 3; /* that have ticks at 2 and 5 too */

struct axis {
  double low, high; /* of the logarithm, if it has one */
  double step;
  bool is_log;
  double begin, length; /* in pixels; length < 0: upwards */
};

struct plot {
  const struct hone__scatter *scatter;
  struct hone__text *svg;
  struct axis x, y;
};

static bool can_draw(const struct hone__scatter_point *point)
{
  return fabs(point->x) < 1e300 && fabs(point->y) < 1e300;
}

/* ---- Axes ---- */

static double value_of(const struct hone__scatter_point *point, bool is_x)
{
  return is_x ? point->x : point->y;
}

/* From 0 to 1 where nothing can be drawn. */
static void find_range(const struct hone__scatter *scatter, bool is_x, struct axis *axis)
{
  axis->low = INFINITY;
  axis->high = -INFINITY;
  for (size_t i = 0; i < scatter->count; i++) {
    if (!can_draw(&scatter->points[i])) continue;
    axis->low = fmin(axis->low, value_of(&scatter->points[i], is_x));
    axis->high = fmax(axis->high, value_of(&scatter->points[i], is_x));
  }
  if (axis->low <= axis->high) return;
  axis->low = 0;
  axis->high = 1;
}

static struct axis make_axis(const struct hone__scatter *scatter, bool is_x)
{
  struct axis axis = {.begin = is_x ? MARGIN_LEFT : TOP + PLOT_HEIGHT,
                      .length = is_x ? WIDTH - MARGIN_LEFT - MARGIN_RIGHT : -PLOT_HEIGHT};
  double range;

  find_range(scatter, is_x, &axis);
  axis.is_log = axis.low > 0 && axis.high / axis.low > FAR_APART;
  if (axis.is_log) {
    axis.low = log10(axis.low);
    axis.high = log10(axis.high);
  }
  range = axis.high - axis.low;
  if (!(range > 1e-12 * fmax(fabs(axis.high), 1e-288))) range = fabs(axis.high) + 1;
  axis.low -= MARGIN * range;
  axis.high += MARGIN * range;
  axis.step = hone__svg_step(axis.high - axis.low, MOST_TICKS);
  if (axis.is_log || (is_x && scatter->is_counted)) axis.step = fmax(1, round(axis.step));
  return axis;
}

static double place(const struct axis *axis, double value)
{
  double at = axis->is_log ? log10(value) : value;

  return axis->begin + axis->length * (at - axis->low) / (axis->high - axis->low);
}

/* "0.01", "100", "1e-07"; of other axes as few digits as tell the ticks apart. */
static void print_tick(const struct axis *axis, double at, struct hone__text *text)
{
  double size = fmax(fabs(axis->low), fabs(axis->high));
  int digits = (int)fmin(fmax(0, ceil(-log10(axis->step) - 1e-9)), 12);
  char buffer[64];

  if (axis->is_log)
    snprintf(buffer, sizeof buffer, "%g", pow(10, at));
  else if (size >= 1e9 || size < 1e-4)
    snprintf(buffer, sizeof buffer, "%.3g", at);
  else
    snprintf(buffer, sizeof buffer, "%.*f", digits, at);
  hone__text_add(text, buffer);
}

static void draw_tick(const struct plot *plot, const struct axis *axis, double at)
{
  double share = (at - axis->low) / (axis->high - axis->low), bottom = TOP + PLOT_HEIGHT;
  double pixel = axis->begin + axis->length * share;
  struct hone__text text = {0};

  print_tick(axis, at, &text);
  if (axis == &plot->x) {
    hone__svg_line(plot->svg, "grid", pixel, TOP, pixel, bottom);
    hone__svg_text(plot->svg, "below", pixel, bottom + 18, text.data, 0);
  } else {
    hone__svg_line(plot->svg, "grid", MARGIN_LEFT, pixel, WIDTH - MARGIN_RIGHT, pixel);
    hone__svg_text(plot->svg, "tick", MARGIN_LEFT - 8, pixel + 4, text.data, 0);
  }
  hone__text_release(&text);
}

/* Powers of ten, between a few of them 2 and 5 times that, and others if there is but one. */
static void draw_log_ticks(const struct plot *plot, const struct axis *axis)
{
  static const double digits[] = {1, 2, 5, 3, 4, 7};
  double decades = axis->high - axis->low;
  size_t count = decades <= 1 ? 6 : decades <= FEW_DECADES ? 3 : 1;

  for (double power = floor(axis->low); power <= axis->high; power += axis->step)
    for (size_t i = 0; i < count; i++) {
      double at = power + log10(digits[i]);
      if (at >= axis->low && at <= axis->high) draw_tick(plot, axis, at);
    }
}

static void draw_ticks(const struct plot *plot, const struct axis *axis)
{
  double first = ceil(axis->low / axis->step - 1e-9) * axis->step;

  for (int i = 0; i <= 2 * MOST_TICKS; i++) {
    double at = first + i * axis->step;
    if (at > axis->high) return;
    draw_tick(plot, axis, fabs(at) < axis->step / 2 ? 0 : at);
  }
}

static void draw_axes(const struct plot *plot)
{
  double bottom = TOP + PLOT_HEIGHT;

  (plot->x.is_log ? draw_log_ticks : draw_ticks)(plot, &plot->x);
  (plot->y.is_log ? draw_log_ticks : draw_ticks)(plot, &plot->y);
  hone__svg_line(plot->svg, "axis", MARGIN_LEFT, TOP, MARGIN_LEFT, bottom);
  hone__svg_line(plot->svg, "axis", MARGIN_LEFT, bottom, WIDTH - MARGIN_RIGHT, bottom);
  hone__svg_text(plot->svg, "title", (MARGIN_LEFT + WIDTH - MARGIN_RIGHT) / 2.0, bottom + 42,
                 plot->scatter->x_title, 100);
  hone__svg_begin_text(plot->svg, "title", 0, 0);
  hone__text_addf(plot->svg, " transform=\"translate(16 %d) rotate(-90)\">", TOP + PLOT_HEIGHT / 2);
  hone__markup_add(plot->svg, plot->scatter->y_title, 100);
  hone__text_add(plot->svg, "</text>\n");
}

/* ---- Points ---- */

static void draw_dot(const struct plot *plot, const struct hone__scatter_point *point,
                     const char *style, double radius)
{
  hone__text_addf(plot->svg, "<circle class=\"%s\"", style);
  hone__svg_pixels(plot->svg, "cx", place(&plot->x, point->x));
  hone__svg_pixels(plot->svg, "cy", place(&plot->y, point->y));
  hone__svg_pixels(plot->svg, "r", radius);
  hone__text_add(plot->svg, "><title>");
  hone__markup_add(plot->svg, point->label, 1000);
  hone__text_add(plot->svg, "</title></circle>\n");
}

static void draw_others(const struct plot *plot)
{
  size_t drawn = 0;

  for (size_t i = 0; i < plot->scatter->count && drawn < MOST_DRAWN; i++) {
    const struct hone__scatter_point *point = &plot->scatter->points[i];
    if (point->is_member || !can_draw(point)) continue;
    draw_dot(plot, point, "other", 3);
    drawn++;
  }
}

static void draw_members(const struct plot *plot)
{
  for (size_t i = 0; i < plot->scatter->count; i++) {
    const struct hone__scatter_point *point = &plot->scatter->points[i];
    if (point->is_member && can_draw(point)) draw_dot(plot, point, "member", 5);
  }
}

static double largest_x(const struct plot *plot)
{
  struct axis axis;

  find_range(plot->scatter, true, &axis);
  return place(&plot->x, axis.high);
}

/* From each member as far as the next one is, and then to it. */
static void draw_steps(const struct plot *plot)
{
  bool is_begun = false;

  hone__text_add(plot->svg, "<path class=\"steps\" d=\"");
  for (size_t i = 0; i < plot->scatter->count; i++) {
    const struct hone__scatter_point *point = &plot->scatter->points[i];
    if (!point->is_member || !can_draw(point)) continue;
    if (is_begun)
      hone__text_addf(plot->svg, "H%.1fV%.1f", place(&plot->x, point->x),
                      place(&plot->y, point->y));
    else
      hone__text_addf(plot->svg, "M%.1f %.1f", place(&plot->x, point->x),
                      place(&plot->y, point->y));
    is_begun = true;
  }
  if (is_begun && plot->scatter->goes_on) hone__text_addf(plot->svg, "H%.1f", largest_x(plot));
  hone__text_add(plot->svg, "\"/>\n");
}

static void draw_baseline(const struct plot *plot)
{
  for (size_t i = 0; i < plot->scatter->count; i++) {
    const struct hone__scatter_point *point = &plot->scatter->points[i];
    if (point->is_baseline && can_draw(point)) draw_dot(plot, point, "baseline", 9);
  }
}

/* ---- The picture ---- */

static bool has_baseline(const struct hone__scatter *scatter)
{
  for (size_t i = 0; i < scatter->count; i++)
    if (scatter->points[i].is_baseline && can_draw(&scatter->points[i])) return true;
  return false;
}

static void draw_legend(const struct plot *plot)
{
  const struct {
    const char *style, *name;
    double radius;
    int x;
  } items[] = {{"member", plot->scatter->title, 5, 0},
               {"other", "other configurations", 3, 130},
               {"baseline", "baseline", 8, 330}};
  size_t count = has_baseline(plot->scatter) ? 3 : 2;

  for (size_t i = 0; i < count; i++) {
    double x = MARGIN_LEFT + items[i].x + 8;
    hone__text_addf(plot->svg, "<circle class=\"%s\" cy=\"20\"", items[i].style);
    hone__svg_pixels(plot->svg, "cx", x);
    hone__svg_pixels(plot->svg, "r", items[i].radius);
    hone__text_add(plot->svg, "/>\n");
    hone__svg_text(plot->svg, "legend", x + 14, 24, items[i].name, 0);
  }
}

void hone__scatter_draw(const struct hone__scatter *scatter, struct hone__text *svg)
{
  struct plot plot = {.scatter = scatter, .svg = svg};
  int height = TOP + PLOT_HEIGHT + FOOT;

  plot.x = make_axis(scatter, true);
  plot.y = make_axis(scatter, false);
  hone__text_addf(svg,
                  "<svg class=\"chart\" role=\"img\"%s%s%s viewBox=\"0 0 %d %d\" width=\"%d\" "
                  "height=\"%d\">\n<title>%s</title>\n",
                  scatter->id ? " id=\"" : "", scatter->id ? scatter->id : "",
                  scatter->id ? "\"" : "", WIDTH, height, WIDTH, height, scatter->title);
  draw_legend(&plot);
  draw_axes(&plot);
  draw_others(&plot);
  if (scatter->has_steps) draw_steps(&plot);
  draw_members(&plot);
  draw_baseline(&plot);
  hone__text_add(svg, "</svg>\n");
}

void hone__scatter_style(struct hone__text *css)
{
  hone__text_add(css, ".chart .below{text-anchor:middle;font-size:11px;fill:var(--faint)}\n"
                      ".chart .other{fill:var(--faint);opacity:.45}.chart .member{fill:#4285f4}\n"
                      ".chart .steps{fill:none;stroke:#4285f4;stroke-width:1.5}\n"
                      ".chart .baseline{fill:none;stroke:#ea4335;stroke-width:2}\n");
}
