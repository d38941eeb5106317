/* Results as one HTML file. It requests nothing: no network, no other file, and its policy says so.
 * All of it can be read without the script, which only sorts tables. */
#include "base/options_size.h"
#include "base/status.h"

#include "report/bars.h"
#include "report/markup.h"
#include "report/page_parts.h"
#include "report/scatter.h"

#include <math.h>
#include <stdlib.h>

void hone_page_options_fill(struct hone_page_options *options, size_t size)
{
  static const struct hone_page_options defaults = {.precision = 2};

  hone__options_fill(options, size, &defaults, sizeof defaults);
}

hone_status hone_results_chart(const struct hone_page_options *options, char **out_svg)
{
  struct hone__text svg = {0};
  struct hone__bars *bars;
  hone_status status = hone__bars_make(options, &bars);

  *out_svg = NULL;
  if (status) return status;
  hone__chart_file(bars->charts, bars->chart_count, &svg);
  *out_svg = hone__text_take(&svg);
  hone__bars_free(bars);
  return NULL;
}

/* ---- Head ---- */

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1c2024;--faint:#6b7280;--line:#e5e7eb;--paper:#fff;"
    "--card:#f7f8fa;--good:#15803d;--bad:#b91c1c;--mark:#e8f0fe}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e6e8eb;--faint:#9aa2ad;--line:#31363d;"
    "--paper:#15181c;--card:#1d2126;--good:#4ade80;--bad:#f87171;--mark:#1e2c44}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:28px 24px 48px;max-width:1240px;background:var(--paper);"
    "color:var(--ink);font:15px/1.5 system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif}\n"
    "h1{font-size:26px;line-height:1.2;margin:0 0 4px;overflow-wrap:anywhere}"
    "h2{font-size:18px;margin:34px 0 10px}p{margin:6px 0}\n"
    ".faint,.note{color:var(--faint)}.note{font-size:13px}\n"
    "code,td,pre{font-family:ui-monospace,'DejaVu Sans Mono',monospace;font-size:13px}\n"
    "code{overflow-wrap:anywhere}td.wrap{white-space:normal;min-width:30ch}\n"
    ".cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;"
    "margin:20px 0 14px}\n"
    ".card{background:var(--card);border:1px solid var(--line);border-radius:10px;"
    "padding:12px 14px}"
    ".card b{display:block;font-size:22px;line-height:1.25;font-variant-numeric:tabular-nums;"
    "overflow-wrap:anywhere}.card span{color:var(--faint);font-size:13px}\n"
    ".scroll{overflow-x:auto}.chart{display:block;max-width:none;height:auto;margin:0 auto}\n"
    "table{border-collapse:collapse;min-width:40%}\n"
    "th,td{padding:5px 12px;text-align:left;vertical-align:top;border-bottom:1px solid "
    "var(--line);white-space:nowrap}\n"
    "th{font-size:13px;font-weight:600;color:var(--faint);background:var(--paper);"
    "position:sticky;top:0}\n"
    ".n{text-align:right;font-variant-numeric:tabular-nums}tr.best td{background:var(--mark);"
    "font-weight:600}\n"
    "tbody tr:hover td{background:var(--card)}.good{color:var(--good)}.bad{color:var(--bad)}\n"
    "th.sortable{cursor:pointer}th[aria-sort]{color:var(--ink)}"
    "th[aria-sort=ascending]::after{content:' \\25b4'}"
    "th[aria-sort=descending]::after{content:' \\25be'}\n"
    "pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;max-width:74ch}\n"
    "details{margin:14px 0}summary{cursor:pointer;color:var(--faint)}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:8px 0 18px}"
    "dt{color:var(--faint)}dd{margin:0;overflow-wrap:anywhere}\n"
    "footer{margin-top:40px;color:var(--faint);font-size:13px}\n"
    "@media print{:root{color-scheme:light;--ink:#000;--faint:#555;--line:#ccc;--paper:#fff;"
    "--card:#fff;--mark:#eee}body{max-width:none;padding:0;font-size:12px}"
    ".scroll{overflow:visible}.chart{max-width:100%}th{position:static}"
    "svg,tr.best td{print-color-adjust:exact;-webkit-print-color-adjust:exact}"
    "h2{break-after:avoid}tr,.chart{break-inside:avoid}}\n";

static const char script[] =
    "for (const table of document.querySelectorAll('table.sort')) {\n"
    "  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];\n"
    "  const key = (row, i) => row.cells[i].textContent;\n"
    "  const compare = (a, b) => {\n"
    "    const x = parseFloat(a), y = parseFloat(b);\n"
    "    if (isNaN(x) !== isNaN(y)) return isNaN(x) ? 1 : -1;\n"
    "    return isNaN(x) || x === y ? a.localeCompare(b, undefined, {numeric: true}) : x - y;\n"
    "  };\n"
    "  const sort = i => {\n"
    "    const down = heads[i].getAttribute('aria-sort') === 'ascending';\n"
    "    const rows = [...body.rows].map(row => [key(row, i), row]);\n"
    "    rows.sort((a, b) => down ? compare(b[0], a[0]) : compare(a[0], b[0]));\n"
    "    heads.forEach(head => head.removeAttribute('aria-sort'));\n"
    "    heads[i].setAttribute('aria-sort', down ? 'descending' : 'ascending');\n"
    "    body.append(...rows.map(pair => pair[1]));\n"
    "  };\n"
    "  heads.forEach((head, i) => {\n"
    "    head.className += ' sortable';\n"
    "    head.tabIndex = 0;\n"
    "    head.title = 'sort';\n"
    "    head.onclick = () => sort(i);\n"
    "    head.onkeydown = event => { if (event.key === 'Enter') sort(i); };\n"
    "  });\n"
    "}\n";

/* What was requested, the spec's name, or what is compared. */
static void add_title(struct hone__text *html, const struct hone__bars *bars)
{
  const struct hone_page_options *options = bars->options;
  bool has_name = options->count == 1 && *options->results[0]->name;

  if (options->title || has_name) {
    hone__markup_add(html, options->title ? options->title : options->results[0]->name, 400);
    return;
  }
  for (size_t i = 0; i < options->count && i < 4; i++) {
    if (i) hone__text_add(html, i == 1 ? " vs " : ", ");
    hone__markup_add(html, bars->labels[i], 100);
  }
  if (options->count > 4) hone__text_add(html, " \xe2\x80\xa6");
}

static void add_head(struct hone__text *html, const struct hone__bars *bars)
{
  hone__text_add(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                       "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
                       "<meta name=\"generator\" content=\"hone ");
  hone__markup_add(html, hone_version(), 0);
  hone__text_add(html, "\">\n<title>");
  add_title(html, bars);
  hone__text_add(html, "</title>\n<style>\n");
  hone__text_add(html, style);
  hone__chart_style(html);
  hone__scatter_style(html);
  hone__text_add(html, "</style>\n</head>\n<body>\n<header>\n<h1>");
  add_title(html, bars);
  hone__text_add(html, "</h1>\n");
}

static void add_paragraph(struct hone__text *html, const char *name, const char *text)
{
  if (!text || !*text) return;
  hone__text_addf(html, "<p class=\"%s\">", name);
  hone__markup_add(html, text, 1000);
  hone__text_add(html, "</p>\n");
}

/* What the sentence is about, the first behind the baselines, is implausibly fast. */
static bool is_suspicious(const struct hone_report *report)
{
  for (size_t i = 0; i < report->row_count; i++)
    if (!report->rows[i].is_baseline) return *report->rows[i].suspicious;
  return false;
}

static void add_sentence(struct hone__text *html, const struct hone_report *report)
{
  bool is_marked = is_suspicious(report);

  if (report->verdict == HONE_VERDICT_NONE && !report->unconfirmed) return; /* a sweep */
  hone__text_addf(html, "<p class=\"lead%s\">", is_marked ? " bad" : "");
  if (is_marked) hone__text_add(html, "SUSPICIOUS: ");
  hone__markup_add(html, report->sentence, 1000);
  hone__text_add(html, "</p>\n");
}

static void add_lead(struct hone__text *html, const struct hone__bars *bars)
{
  const struct hone_page_options *options = bars->options;

  for (size_t i = 0; i < options->count; i++) {
    const struct hone_report *report = options->reports ? options->reports[i] : NULL;
    if (options->count == 1) add_paragraph(html, "faint", options->results[i]->problem);
    if (report) add_sentence(html, report);
  }
  hone__text_add(html, "</header>\n");
}

/* ---- Charts ---- */

static void add_chart_note(struct hone__text *html, const struct hone__bars *bars)
{
  if (bars->shown < bars->comparison->row_count)
    hone__text_addf(html, "<p class=\"note\">The best %zu of %zu configurations, best first.</p>\n",
                    bars->shown, bars->comparison->row_count);
}

static void add_charts(struct hone__text *html, const struct hone__bars *bars)
{
  if (!bars->chart_count) {
    hone__text_add(html, "<p class=\"note\">No configuration has a value to show.</p>\n");
    return;
  }
  hone__text_add(html, "<section>\n<h2>");
  hone__markup_add(html, bars->charts[0].value_title, 200);
  hone__text_add(html, "</h2>\n");
  add_chart_note(html, bars);
  for (size_t i = 0; i < bars->chart_count; i++) {
    hone__text_add(html, "<div class=\"scroll\">");
    hone__chart_draw(&bars->charts[i], 0, html);
    hone__text_add(html, "</div>\n");
  }
  hone__text_add(html, "</section>\n");
}

/* ---- The whole ---- */

hone_status hone_results_page(const struct hone_page_options *options, char **out_html)
{
  struct hone__text html = {0};
  struct hone__bars *bars;
  hone_status status = hone__bars_make(options, &bars);

  *out_html = NULL;
  if (status) return status;
  add_head(&html, bars);
  add_lead(&html, bars);
  hone__page_summary(&html, bars);
  hone__page_pareto(&html, bars);
  hone__page_search(&html, bars);
  add_charts(&html, bars);
  hone__page_rows(&html, bars);
  hone__page_failures(&html, bars);
  hone__page_provenance(&html, bars);
  hone__text_addf(&html,
                  "<footer>Made by hone %s.</footer>\n<script>\n%s</script>\n</body>\n</html>\n",
                  hone_version(), script);
  *out_html = hone__text_take(&html);
  hone__bars_free(bars);
  return NULL;
}
