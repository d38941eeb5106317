/* figures.h - numbers in readable form.
 *
 * Each function writes into a `struct figure` and returns its text, so that it can be used as an
 * argument:
 *   output_text(output, figure_time(&figure, 1234567));     "1.235 ms"
 */
#ifndef CLI_FIGURES_H
#define CLI_FIGURES_H

#include <stdint.h>

struct figure {
  char text[48];
};

/* All give "" for NaN. */
const char *figure_time(struct figure *figure, double time_ns);    /* "7.182 ms" */
const char *figure_energy(struct figure *figure, double joules);   /* "3.182 mJ" */
const char *figure_number(struct figure *figure, double number);   /* "12.34", "1.234e-05" */
const char *figure_speedup(struct figure *figure, double speedup); /* "1.42x", "1.012x" */
const char *figure_ratio(struct figure *figure, double ratio);     /* likewise, and "2.5e-05x" */
/* The interval of a speedup, with as many digits: "1.38 to 1.45". */
const char *figure_range(struct figure *figure, double speedup, double low, double high);
const char *figure_duration(struct figure *figure, double seconds); /* "0.8 s", "3:05", "1:02:05" */
const char *figure_bytes(struct figure *figure, uint64_t bytes);    /* "7.4 KiB" */
/* "2026-11-15 10:00:00" of UTC, which may stand before other text, as the time here. */
const char *figure_when(struct figure *figure, const char *utc);

#endif
