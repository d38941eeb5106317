/* Results as one HTML file. It requests nothing: no network, no other file, and its policy says so.
 * All of it can be read without the script, which sorts tables and draws the candidates of single
 * results; what it replaces has the class "plain". */
#include "base/options_size.h"
#include "base/status.h"

#include "report/bars.h"
#include "report/markup.h"
#include "report/page_parts.h"
#include "report/scatter.h"

#include <math.h>
#include <stdio.h>
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

const char hone__page_plot_style[] =
    ".plot{font-family:system-ui,-apple-system,'DejaVu Sans',"
    "sans-serif}.plot .tick{font-size:12px;fill:var(--faint)}.plot .strong{fill:var(--ink);"
    "font-weight:600}.plot .axis-title{font-size:12px;fill:var(--faint);font-weight:600}\n"
    ".plot .grid{stroke:var(--line)}.plot .axis{stroke:var(--faint)}.plot .dot{fill:var(--a);"
    "fill-opacity:.55}.plot .step{fill-opacity:1}.plot .base{stroke:var(--faint);"
    "stroke-dasharray:4 4}.plot .middle{stroke:var(--a);stroke-width:2}.plot .band{fill:var(--a);"
    "fill-opacity:.16}.plot .line{fill:none;stroke:var(--a);stroke-width:2}"
    ".plot .ring{fill:transparent;stroke:var(--good);stroke-width:2.5}"
    ".plot .roof{fill:none;stroke:var(--faint);stroke-dasharray:4 4}\n"
    ".plot .others{fill:none;stroke:var(--faint);stroke-opacity:.5;stroke-width:4;"
    "stroke-linecap:round}.plot .others.strong{stroke:var(--a)}"
    ".plot .bar-a{fill:var(--a);fill-opacity:.7}.plot .bar-b{fill:var(--b);fill-opacity:.55}\n"
    ".plot .box{cursor:pointer}.plot .box line{stroke:var(--faint)}.plot .box rect{fill:var(--a);"
    "fill-opacity:.3;stroke:var(--a)}.plot .box .median{stroke:var(--ink);stroke-width:2}"
    ".plot .box:hover rect,.plot .cell:hover rect{stroke:var(--ink)}\n"
    ".plot .cell{cursor:pointer}.plot .heat{fill:var(--a)}.plot .none{fill:none;stroke:var(--line)}"
    ".plot .cross{fill:var(--bad)}.plot .inside{font-size:11px;fill:var(--ink)}"
    ".plot .inside.strong{fill:var(--paper)}.plot .tickmark{stroke:var(--a);stroke-opacity:.8}"
    ".plot .wrong{stroke:var(--bad)}\n"
    ".plot .p-build{fill:var(--faint)}.plot .p-baseline{fill:var(--ink)}.plot .p-screen{"
    "fill:var(--a)}.plot .p-check{fill:#8b5cf6}.plot .p-race{fill:var(--b)}.plot .p-confirm{"
    "fill:var(--good)}.plot .p-other{fill:var(--line)}.plot .s9{fill-opacity:.9}.plot .s6{"
    "fill-opacity:.6}.plot .s3{fill-opacity:.32}.plot .joined{stroke:var(--good);stroke-width:2}"
    ".plot .left{stroke:var(--bad);stroke-width:2.5}.plot .requeued{fill:var(--bad)}"
    ".plot .unlucky{fill:none;stroke:var(--bad);stroke-width:5;stroke-linecap:round}\n";

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1c2024;--faint:#6b7280;--line:#e5e7eb;--paper:#fff;"
    "--card:#f7f8fa;--good:#15803d;--bad:#b91c1c;--mark:#e8f0fe;"
    "--a:#2563eb;--b:#d97706}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e6e8eb;--faint:#9aa2ad;--line:#31363d;"
    "--paper:#15181c;--card:#1d2126;--good:#4ade80;--bad:#f87171;--mark:#1e2c44;"
    "--a:#60a5fa;--b:#fbbf24}}\n"
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
    "position:sticky;top:0}.matrix th,.matrix td:first-child{white-space:normal;min-width:7em}\n"
    ".n{text-align:right;font-variant-numeric:tabular-nums}tr.best td{background:var(--mark);"
    "font-weight:600}\n"
    "td.own{background:var(--mark)}tbody tr:hover "
    "td{background:var(--card)}.good{color:var(--good)}.bad{color:var(--bad)}\n"
    "th.sortable{cursor:pointer}th[aria-sort]{color:var(--ink)}"
    "th[aria-sort=ascending]::after{content:' \\25b4'}"
    "th[aria-sort=descending]::after{content:' \\25be'}\n"
    "pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;max-width:74ch}td "
    "pre{min-width:30ch}\n"
    "details{margin:14px 0}summary{cursor:pointer;color:var(--faint)}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:8px 0 18px}"
    "dt{color:var(--faint)}dd{margin:0;overflow-wrap:anywhere}\n"
    ".plot{display:block;width:100%;height:auto}\n";

static const char style_below[] =
    ".knobs{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,340px),1fr));"
    "gap:16px}.knob{border:1px solid var(--line);border-radius:10px;padding:10px 12px}"
    ".knob-head{margin:0 0 4px;font-size:13px}.knob-head b{font-size:15px}"
    ".meter{height:4px;border-radius:2px;background:var(--line)}.meter div{height:4px;"
    "border-radius:2px;background:var(--a)}\n"
    ".bar{display:flex;flex-wrap:wrap;gap:10px 18px;align-items:center}"
    ".choice{color:var(--faint);font-size:13px}select,input[type=search]{font:inherit;"
    "font-size:14px;color:var(--ink);background:var(--card);border:1px solid var(--line);"
    "border-radius:6px;padding:4px 8px;max-width:100%}\n"
    ".view{max-height:560px;overflow:auto;border:1px solid var(--line);border-radius:8px;"
    "scrollbar-gutter:stable}"
    ".view table{min-width:100%}.view td{height:28px;padding:3px 12px}.view .space td{padding:0;"
    "border:0;height:0}tr.tied td{background:var(--card)}tr.failed td{color:var(--faint)}\n"
    ".share{position:relative;width:160px;background:var(--line);border-radius:3px}"
    ".share div{height:18px;border-radius:3px;background:var(--bad);opacity:.55}"
    ".share span{position:absolute;left:8px;top:0;font-size:12px}\n"
    ".badge{position:fixed;right:12px;bottom:8px;margin:0;padding:4px 12px;border-radius:14px;"
    "background:var(--card);border:1px solid var(--line);color:var(--faint);font-size:13px}\n"
    ".live .plain{display:none}.lead{font-size:19px;line-height:1.4;margin:12px "
    "0;overflow-wrap:anywhere}"
    ".steps{margin:0;padding:0;list-style:none}.steps li{margin:8px 0}.steps code{display:block;"
    "background:var(--card);border:1px solid var(--line);border-radius:6px;padding:6px 10px;"
    "margin-top:2px}.notes{margin:0;padding-left:20px}.notes li{margin:3px 0;"
    "overflow-wrap:anywhere}\n"
    "@media (max-width:640px){body{padding:16px 12px 32px}h1{font-size:21px}.lead{font-size:17px}"
    ".cards{grid-template-columns:repeat(2,1fr)}th,td{padding:5px 8px}"
    "dl{grid-template-columns:1fr}dt{margin-top:6px}}\n"
    "footer{margin-top:40px;color:var(--faint);font-size:13px}\n"
    "@media print{:root{color-scheme:light;--ink:#000;--faint:#555;--line:#ccc;--paper:#fff;"
    "--card:#fff;--mark:#eee;--good:#15803d;--bad:#b91c1c;--a:#2563eb;--b:#d97706}"
    "body{max-width:none;padding:0;font-size:12px}h2{margin-top:20px;break-after:avoid}"
    ".scroll{overflow:visible}.chart{max-width:100%}th{position:static}"
    "svg,tr.best td,.share,.share div,.meter,.meter div{print-color-adjust:exact;"
    "-webkit-print-color-adjust:exact}#explore>section>.plot{max-width:none!important}"
    "#explore>section>.plot .tick,#explore>section>.plot .axis-title{font-size:14px}"
    ".plot{overflow:visible}.note{break-after:avoid}"
    "#explore>section,tr,.chart,.plot,.knob,.steps li{break-inside:avoid}"
    "#explore>#candidates,.bar,.badge,#job{display:none}.live .plain.rows{display:block}}\n";

/* The name that all results share; "": they have none. */
static const char *shared_name(const struct hone_page_options *options)
{
  for (size_t i = 1; i < options->count; i++)
    if (strcmp(options->results[i]->name, options->results[0]->name) != 0) return "";
  return options->count ? options->results[0]->name : "";
}

/* What was requested, the spec's name, or what is compared. */
static void add_title(struct hone__text *html, const struct hone__bars *bars)
{
  const struct hone_page_options *options = bars->options;
  const char *name = shared_name(options);

  if (options->title || *name) hone__markup_add(html, options->title ? options->title : name, 400);
  if (options->title || (*name && options->count == 1)) return;
  if (*name) hone__text_add(html, ": ");
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
                       "style-src 'unsafe-inline'; script-src 'unsafe-inline'");
  if (bars->options->is_live) hone__text_add(html, "; connect-src 'self'");
  hone__text_add(html, "\">\n<meta name=\"generator\" content=\"hone ");
  hone__markup_add(html, hone_version(), 0);
  hone__text_add(html, "\">\n<title>");
  add_title(html, bars);
  hone__text_add(html, "</title>\n<style>\n");
  hone__text_add(html, style);
  hone__text_add(html, hone__page_plot_style);
  hone__text_add(html, style_below);
  hone__chart_style(html);
  hone__scatter_style(html);
  hone__text_addf(html, "</style>\n</head>\n<body%s>\n<header>\n<h1>",
                  bars->options->is_live ? " data-live=\"1\"" : "");
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

/* What the sentence is about, the first after the baselines, is implausibly fast. */
static bool is_suspicious(const struct hone_report *report)
{
  for (size_t i = 0; i < report->row_count; i++)
    if (!report->rows[i].is_baseline) return *report->rows[i].suspicious;
  return false;
}

/* Whether all results have the first one's devices. */
static bool has_one_device(const struct hone_page_options *options)
{
  for (size_t i = 1; i < options->count; i++)
    if (strcmp(options->results[i]->devices, options->results[0]->devices) != 0) return false;
  return true;
}

/* Which of several results a sentence is about: "run 4, M=128 K=64: ". */
static void add_subject(struct hone__text *html, const struct hone__bars *bars, size_t index)
{
  const struct hone_results *results = bars->options->results[index];

  if (bars->options->count < 2) return;
  hone__text_add(html, "<b>");
  hone__markup_add(html, bars->labels[index], 100);
  if (*results->problem) hone__text_add(html, ", ");
  hone__markup_add(html, results->problem, 200);
  if (!has_one_device(bars->options)) {
    hone__text_add(html, " on ");
    hone__markup_add(html, results->devices, 200);
  }
  hone__text_add(html, ":</b> ");
}

static const char *headword(const struct hone_report *report)
{
  return is_suspicious(report) ? "SUSPICIOUS" : hone_verdict_name(report->verdict);
}

static void add_sentence(struct hone__text *html, const struct hone__bars *bars, size_t index,
                         bool is_lead)
{
  const struct hone_report *report = bars->options->reports[index];

  if (report->verdict == HONE_VERDICT_NONE && !report->unconfirmed) return; /* a sweep */
  hone__text_addf(html, "<p class=\"%s%s\">", is_lead ? "lead" : "sentence",
                  is_suspicious(report) ? " bad" : "");
  add_subject(html, bars, index);
  hone__text_addf(html, "%s%s", headword(report), *headword(report) ? ": " : "");
  hone__markup_add(html, report->sentence, 1000);
  hone__text_add(html, "</p>\n");
}

enum { MOST_LEADS = 3 }; /* in large letters */

/* What each of the results proves. A table of how they do on each other's problems and devices says
 * most of it, so it comes first. */
static void add_lead(struct hone__text *html, const struct hone__bars *bars)
{
  const struct hone_page_options *options = bars->options;
  size_t begin;
  bool has_matrix;

  if (options->count == 1) add_paragraph(html, "faint", options->results[0]->problem);
  hone__text_add(html, "</header>\n");
  begin = html->length;
  hone__page_matrix(html, bars);
  has_matrix = html->length > begin;
  for (size_t i = 0; options->reports && i < options->count; i++)
    if (options->reports[i])
      add_sentence(html, bars, i, !has_matrix && options->count <= MOST_LEADS);
}

/* ---- Charts ---- */

static void add_chart_note(struct hone__text *html, const struct hone__bars *bars)
{
  if (bars->shown < bars->comparison->row_count)
    hone__text_addf(html, "<p class=\"note\">The best %zu of %zu configurations, best first.</p>\n",
                    bars->shown, bars->comparison->row_count);
}

/* The script draws all candidates of a search. */
static bool is_search(const struct hone__bars *bars)
{
  const struct hone_page_options *options = bars->options;

  return options->count == 1 && bars->names->count && options->reports && options->reports[0] &&
         !options->reports[0]->is_sweep;
}

const char *hone__page_plot_id(struct hone__plot_id *id, const char *name, size_t i)
{
  snprintf(id->text, sizeof id->text, i ? "plot-%s-%zu" : "plot-%s", name, i + 1);
  return id->text;
}

static void draw_chart(const struct hone__chart *chart, size_t i, struct hone__text *html)
{
  struct hone__chart named = *chart;
  struct hone__plot_id id;

  named.id = hone__page_plot_id(&id, "bars", i);
  hone__chart_draw(&named, 0, html);
}

static void add_charts(struct hone__text *html, const struct hone__bars *bars)
{
  if (!bars->chart_count) {
    hone__text_add(html, "<p class=\"note\">No configuration has a value to show.</p>\n");
    return;
  }
  hone__text_addf(html, "<section%s>\n<h2>", is_search(bars) ? " class=\"plain\"" : "");
  hone__markup_add(html, bars->charts[0].value_title, 200);
  hone__text_add(html, "</h2>\n");
  add_chart_note(html, bars);
  for (size_t i = 0; i < bars->chart_count; i++) {
    hone__text_add(html, "<div class=\"scroll\">");
    draw_chart(&bars->charts[i], i, html);
    hone__text_add(html, "</div>\n");
  }
  hone__text_add(html, "</section>\n");
}

void hone__page_script_add(struct hone__text *html)
{
  hone__text_add(html, "<script>\n");
  for (const char *const *line = hone__page_script; *line; line++)
    hone__text_add(html, *line);
  hone__text_add(html, "</script>\n");
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
  hone__page_use(&html, bars);
  hone__page_notes(&html, bars);
  hone__page_pareto(&html, bars);
  hone__text_add(&html, "<div id=\"explore\"></div>\n");
  hone__page_search(&html, bars);
  add_charts(&html, bars);
  hone__page_rows(&html, bars);
  hone__page_failures(&html, bars);
  hone__page_provenance(&html, bars);
  hone__text_addf(&html, "<footer>Made by hone %s.</footer>\n", hone_version());
  hone__page_data(&html, bars);
  hone__page_script_add(&html);
  hone__text_add(&html, "</body>\n</html>\n");
  *out_html = hone__text_take(&html);
  hone__bars_free(bars);
  return NULL;
}
