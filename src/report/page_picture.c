/* Pictures of a page as files. A picture is an <svg> whose id begins with "plot-"; its styles are
 * those of the page, with the colours of white paper written out: programs that convert pictures do
 * not know CSS's variables. */
#include "hone_results.h"

#include "base/status.h"
#include "base/text.h"
#include "report/page_parts.h"
#include "report/scatter.h"

#include <stdio.h>
#include <stdlib.h>

struct found {
  const char *name, *box, *kind, *body, *end; /* in the page */
  size_t name_length, kind_length;
  double width, height;
};

/* ---- Finding ---- */

/* The value of an attribute within a tag; NULL: it has none. */
static const char *attribute(const char *tag, const char *end, const char *name, size_t *out_length)
{
  const char *at = tag;
  size_t length = strlen(name);

  for (; at < end && (at = strstr(at, name)) && at < end; at += length) {
    if (at[-1] != ' ' || strncmp(at + length, "=\"", 2) != 0) continue;
    *out_length = strcspn(at + length + 2, "\"");
    return at + length + 2;
  }
  return NULL;
}

static bool read_tag(const char *tag, struct found *found)
{
  const char *end = strchr(tag, '>');
  size_t length;

  if (!end) return false;
  found->name = attribute(tag, end, "id", &found->name_length);
  found->kind = attribute(tag, end, "class", &found->kind_length);
  found->box = attribute(tag, end, "viewBox", &length);
  found->body = end + 1;
  found->end = strstr(end, "</svg>");
  if (!found->name || !found->kind || !found->box || !found->end) return false;
  if (strncmp(found->name, "plot-", 5) != 0) return false;
  found->name += 5;
  found->name_length -= 5;
  return sscanf(found->box, "0 0 %lf %lf", &found->width, &found->height) == 2;
}

/* The next picture from there on. */
static bool next_picture(const char **at, struct found *found)
{
  while ((*at = strstr(*at, "<svg ")) != NULL) {
    const char *tag = *at;
    *at += strlen("<svg ");
    if (read_tag(tag, found)) return true;
  }
  return false;
}

char *hone_page_pictures(const char *page)
{
  struct hone__text names = {0};
  struct found found;

  hone__text_add(&names, "");
  for (const char *at = page; next_picture(&at, &found);)
    hone__text_addf(&names, "%.*s\n", (int)found.name_length, found.name);
  return hone__text_take(&names);
}

/* ---- Styles ---- */

static const struct {
  const char *name, *value;
} colours[] = {{"--ink", "#1c2024"},   {"--faint", "#5b6270"}, {"--line", "#d9dce1"},
               {"--paper", "#ffffff"}, {"--good", "#15803d"},  {"--bad", "#b91c1c"},
               {"--a", "#2563eb"},     {"--b", "#d97706"}};

static const char *colour_of(const char *name, size_t length)
{
  for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
    if (strlen(colours[i].name) == length && memcmp(colours[i].name, name, length) == 0)
      return colours[i].value;
  return colours[0].value;
}

/* "fill:var(--ink)" becomes "fill:#1c2024". */
static void add_plain(struct hone__text *svg, const char *css)
{
  const char *at;

  for (; (at = strstr(css, "var(")) != NULL; css = at + strcspn(at, ")") + 1) {
    const char *name = at + strlen("var(");
    hone__text_addn(svg, css, (size_t)(at - css));
    hone__text_add(svg, colour_of(name, strcspn(name, ")")));
  }
  hone__text_add(svg, css);
}

static void add_styles(struct hone__text *svg)
{
  struct hone__text css = {0};

  hone__text_add(&css, hone__page_plot_style);
  hone__chart_style(&css);
  hone__scatter_style(&css);
  hone__text_add(svg, "<style>\n");
  add_plain(svg, css.data);
  hone__text_add(svg, "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
  hone__text_release(&css);
}

/* ---- The file ---- */

/* Browsers write spaces that do not break by a name that XML does not have. */
static void add_body(struct hone__text *svg, const char *body, const char *end)
{
  static const char space[] = "&nbsp;";
  const char *at;

  for (; (at = strstr(body, space)) != NULL && at < end; body = at + strlen(space)) {
    hone__text_addn(svg, body, (size_t)(at - body));
    hone__text_add(svg, "&#160;");
  }
  hone__text_addn(svg, body, (size_t)(end - body));
}

static char *make_file(const struct found *found)
{
  struct hone__text svg = {0};

  hone__text_addf(&svg,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"%.*s\" viewBox=\"0 0 %g %g\" "
                  "width=\"%g\" height=\"%g\">\n",
                  (int)found->kind_length, found->kind, found->width, found->height, found->width,
                  found->height);
  add_styles(&svg);
  add_body(&svg, found->body, found->end);
  hone__text_add(&svg, "</svg>\n");
  return hone__text_take(&svg);
}

hone_status hone_page_picture(const char *page, const char *name, char **out_svg)
{
  struct found found;

  *out_svg = NULL;
  for (const char *at = page; next_picture(&at, &found);)
    if (strlen(name) == found.name_length && memcmp(name, found.name, found.name_length) == 0) {
      *out_svg = make_file(&found);
      return NULL;
    }
  return hone__error(HONE_NOT_FOUND, "the page has no picture '%s'", name);
}
