/* Numbers have one digit after the point: a tenth of a pixel is not seen. */
#include "report/svg.h"

#include "report/markup.h"

#include <math.h>

void hone__svg_pixels(struct hone__text *svg, const char *name, double value)
{
  hone__text_addf(svg, " %s=\"", name);
  hone__markup_number(svg, round(value * 10) / 10, 1);
  hone__text_add(svg, "\"");
}

void hone__svg_begin_text(struct hone__text *svg, const char *style, double x, double y)
{
  hone__text_addf(svg, "<text class=\"%s\"", style);
  hone__svg_pixels(svg, "x", x);
  hone__svg_pixels(svg, "y", y);
}

void hone__svg_text(struct hone__text *svg, const char *style, double x, double y,
                    const char *string, size_t most)
{
  hone__svg_begin_text(svg, style, x, y);
  hone__text_add(svg, ">");
  hone__markup_add(svg, string, most);
  hone__text_add(svg, "</text>\n");
}

void hone__svg_line(struct hone__text *svg, const char *style, double x1, double y1, double x2,
                    double y2)
{
  hone__text_addf(svg, "<line class=\"%s\"", style);
  hone__svg_pixels(svg, "x1", x1);
  hone__svg_pixels(svg, "y1", y1);
  hone__svg_pixels(svg, "x2", x2);
  hone__svg_pixels(svg, "y2", y2);
  hone__text_add(svg, "/>\n");
}

double hone__svg_step(double range, int most_ticks)
{
  double raw = range / (most_ticks - 1), power = pow(10, floor(log10(raw)));
  double digit = raw / power;

  return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}
