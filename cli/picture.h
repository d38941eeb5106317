/* picture.h - charts of a report as files for papers: SVG, PNG and PDF.
 *
 * Some charts are in the page, most are drawn by its script: a browser (chromium) makes those. PNG
 * and PDF are made of the SVG by rsvg-convert, or by the browser.
 */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include "message.h"

enum picture_format { PICTURE_SVG, PICTURE_PNG, PICTURE_PDF };

struct picture_request {
  const char *name; /* of the chart; "list": their names; of PDF "page": the whole page */
  enum picture_format format;
  const char *output; /* NULL: standard output, of SVG alone */
};

/* Of the page, as hone_results_page made it. */
enum exit_code picture_make(const struct picture_request *request, const char *page);

#endif
