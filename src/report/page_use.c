/* The commands that reproduce a run, and that use what it found. They work as printed. */
#include "report/markup.h"

#include "report/page_parts.h"

#include <inttypes.h>
#include <string.h>

static void add_step(struct hone__text *html, const char *what, const char *command)
{
  if (!*command) return;
  hone__text_addf(html, "<li>%s<code>", what);
  hone__markup_add(html, command, 2000);
  hone__text_add(html, "</code></li>\n");
}

static void add_run_step(struct hone__text *html, const char *what, const char *format, int64_t run)
{
  struct hone__text command = {0};

  hone__text_addf(&command, "hone %s", format);
  hone__text_addf(&command, " %" PRId64, run);
  add_step(html, what, command.data);
  hone__text_release(&command);
}

static const char *winner_command(const struct hone_report *report)
{
  for (size_t i = 0; i < report->row_count; i++)
    if (report->rows[i].is_winner) return report->rows[i].command;
  return "";
}

static const char *winner_purpose(const struct hone_report *report)
{
  return report->verdict == HONE_VERDICT_IMPROVED ? "Build, check and time the winner separately"
                                                  : "Compare the best with the baseline separately";
}

/* An unfinished run goes on; a finished one is only made again if told so. */
static void add_again(struct hone__text *html, const struct hone_report *report)
{
  bool is_done = report->state == HONE_RUN_FINISHED;
  bool is_own = strncmp(report->command, "hone ", 5) == 0;
  struct hone__text command = {0};

  hone__text_addf(&command, "%s%s", report->command, is_done && is_own ? " --fresh" : "");
  if (*report->command && report->state != HONE_RUN_RUNNING)
    add_step(html, is_done ? "Make the run again" : "Continue it", command.data);
  hone__text_release(&command);
}

void hone__page_use(struct hone__text *html, const struct hone__bars *bars)
{
  const struct hone_report *report = bars->options->reports ? bars->options->reports[0] : NULL;
  bool is_proved = report && (report->verdict == HONE_VERDICT_IMPROVED ||
                              report->verdict == HONE_VERDICT_NO_IMPROVEMENT);

  if (!report || bars->options->count != 1) return;
  hone__text_add(html, "<section id=\"use\">\n<h2>Use it, and do it again</h2>\n"
                       "<ul class=\"steps\">\n");
  if (is_proved) {
    add_run_step(html, "Write a C header with the result", "export --format header", report->run);
    add_run_step(html, "Write a file of tuned results, for look-ups at run time",
                 "export --format wisdom", report->run);
  }
  add_step(html, winner_purpose(report), winner_command(report));
  add_again(html, report);
  add_run_step(html, "Show it in a terminal", "show", report->run);
  hone__text_add(html, "</ul>\n</section>\n");
}
