/* svg.h - pieces of pictures: numbers in pixels, texts and lines of a class. */
#ifndef HONE_REPORT_SVG_H
#define HONE_REPORT_SVG_H

#include "base/text.h"

/* An attribute: ` x="12.5"`. */
void hone__svg_pixels(struct hone__text *svg, const char *name, double value);
/* `<text class="tick" x="1" y="2"`: the caller adds the rest. */
void hone__svg_begin_text(struct hone__text *svg, const char *style, double x, double y);
/* At most `most` bytes of the string; 0: all. */
void hone__svg_text(struct hone__text *svg, const char *style, double x, double y,
                    const char *string, size_t most);
void hone__svg_line(struct hone__text *svg, const char *style, double x1, double y1, double x2,
                    double y2);
/* A step of 1, 2 or 5 times a power of ten, so that a range above 0 has at most about that many. */
double hone__svg_step(double range, int most_ticks);

#endif
