/* Runs of parts of one space have the same subject and the same number of parts. The newest
 * finished run of each part counts. Their finalists were compared with the baseline in runs of
 * their own: only a later run of the whole space that confirms all of them compares them with each
 * other. */
#include "merge_stores.h"

#include "command_text.h"
#include "figures.h"
#include "hone_results.h"
#include "table.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct part {
  const struct hone_run *run;
  struct hone_report *report;
  unsigned number;
};

struct whole { /* the parts of one space */
  struct hone_store *store;
  const char *file;
  const struct hone_run_list *runs;
  const char *subject;
  unsigned count;
  struct part *parts; /* those that are there, in order of their numbers */
  size_t found;
};

/* ---- Which parts there are ---- */

static bool is_part(const struct hone_run *run, unsigned *out_number, unsigned *out_count)
{
  return hone_run_part(run) && hone_run_subject(run) &&
         sscanf(hone_run_part(run), "%u/%u", out_number, out_count) == 2;
}

static bool belongs(const struct whole *whole, const struct hone_run *run, unsigned number)
{
  unsigned own, count;

  return is_part(run, &own, &count) && own == number && count == whole->count &&
         hone_run_state(run) == HONE_RUN_FINISHED &&
         strcmp(hone_run_subject(run), whole->subject) == 0;
}

static hone_status add_part(struct whole *whole, unsigned number)
{
  for (size_t i = 0; i < hone_run_list_count(whole->runs); i++) { /* the newest first */
    const struct hone_run *run = hone_run_list_at(whole->runs, i);
    struct part *part = &whole->parts[whole->found];
    if (!belongs(whole, run, number)) continue;
    *part = (struct part){.run = run, .number = number};
    whole->found++;
    return hone_report_load(whole->store, hone_run_number(run), &part->report);
  }
  return NULL;
}

static hone_status find_parts(struct whole *whole)
{
  size_t room = hone_run_list_count(whole->runs);
  hone_status status = NULL;

  whole->parts = check_memory(calloc(room + 1, sizeof *whole->parts));
  for (unsigned number = 1; !status && number <= whole->count && whole->found < room; number++)
    status = add_part(whole, number);
  return status;
}

static void release(struct whole *whole)
{
  for (size_t i = 0; i < whole->found; i++)
    hone_report_free(whole->parts[i].report);
  free(whole->parts);
}

/* ---- Which is best ---- */

static bool has_winner(const struct part *part)
{
  return hone_report_verdict(part->report) == HONE_VERDICT_IMPROVED &&
         *hone_report_winner(part->report);
}

static const struct part *best_part(const struct whole *whole, size_t *out_winners)
{
  const struct part *best = NULL;

  *out_winners = 0;
  for (size_t i = 0; i < whole->found; i++) {
    const struct part *part = &whole->parts[i];
    if (!has_winner(part)) continue;
    ++*out_winners;
    if (!best || hone_report_speedup(part->report) > hone_report_speedup(best->report)) best = part;
  }
  return best;
}

static bool has_confirmed(const struct hone_report *report, const char *config)
{
  for (size_t i = 0; i < hone_report_row_count(report); i++) {
    const struct hone_report_row *row = hone_report_row(report, i);
    if (hone_report_row_is_confirmed(row) && strcmp(hone_report_row_config(row), config) == 0)
      return true;
  }
  return false;
}

static bool confirms_all(const struct whole *whole, const struct hone_report *report)
{
  for (size_t i = 0; i < whole->found; i++)
    if (has_winner(&whole->parts[i]) &&
        !has_confirmed(report, hone_report_winner(whole->parts[i].report)))
      return false;
  return true;
}

/* The newest run of the whole space that compared the winners of all parts; NULL: none did. */
static hone_status find_common(const struct whole *whole, struct hone_report **out_report)
{
  hone_status status = NULL;

  *out_report = NULL;
  for (size_t i = 0; !status && !*out_report && i < hone_run_list_count(whole->runs); i++) {
    const struct hone_run *run = hone_run_list_at(whole->runs, i);
    struct hone_report *report = NULL;
    if (hone_run_part(run) || !hone_run_subject(run) ||
        strcmp(hone_run_subject(run), whole->subject) != 0)
      continue;
    status = hone_report_load(whole->store, hone_run_number(run), &report);
    if (!status && confirms_all(whole, report))
      *out_report = report;
    else
      hone_report_free(report);
  }
  return status;
}

/* ---- The command that compares them ---- */

/* Takes a word, with the blank before it, out of a command. */
static void cut_word(char *command, const char *word)
{
  size_t length = strlen(word);
  char *at = strstr(command, word);

  if (at && (at[length] == ' ' || !at[length])) memmove(at, at + length, strlen(at + length) + 1);
}

static char *confirming_words(const struct whole *whole, size_t winners)
{
  char **words = check_memory(calloc(2 * whole->found + 6, sizeof *words)), *text, evals[24];
  size_t count = 0;

  snprintf(evals, sizeof evals, "%zu", winners);
  words[count++] = (char *)(uintptr_t) "--no-warm-start";
  words[count++] = (char *)(uintptr_t) "--evals";
  words[count++] = evals;
  words[count++] = (char *)(uintptr_t) "--store";
  words[count++] = (char *)(uintptr_t)whole->file;
  for (size_t i = 0; i < whole->found; i++) {
    if (!has_winner(&whole->parts[i])) continue;
    words[count++] = (char *)(uintptr_t) "--seed-config";
    words[count++] = (char *)(uintptr_t)hone_report_winner(whole->parts[i].report);
  }
  text = command_text("", words, NULL, NULL);
  free(words);
  return text;
}

static void print_command(const struct whole *whole, const struct part *best, size_t winners,
                          struct output *output)
{
  char *command = check_memory(strdup(hone_report_command(best->report)));
  char *words = confirming_words(whole, winners), partition[64];

  snprintf(partition, sizeof partition, " --partition %s", hone_run_part(best->run));
  cut_word(command, partition);
  partition[strlen(" --partition")] = '=';
  cut_word(command, partition);
  output_format(output, "  %s%s\n", command, words);
  free(words);
  free(command);
}

/* ---- Printing ---- */

static void print_parts(const struct whole *whole, struct output *output, size_t width)
{
  struct figure figure;
  struct table table;

  table_open(&table, 2);
  table_column(&table, "part", 0);
  table_column(&table, "run", TABLE_RIGHT);
  table_column(&table, "evaluated", TABLE_RIGHT);
  table_column(&table, "speedup", TABLE_RIGHT);
  table_column(&table, "interval", 0);
  table_column(&table, "best", 0);
  for (size_t i = 0; i < whole->found; i++) {
    const struct hone_report *report = whole->parts[i].report;
    table_cell(&table, hone_run_part(whole->parts[i].run));
    table_format(&table, "%" PRId64, hone_report_run(report));
    table_format(&table, "%" PRIu64, hone_report_evaluation_count(report));
    if (has_winner(&whole->parts[i])) {
      table_cell(&table, figure_speedup(&figure, hone_report_speedup(report)));
      table_cell(&table, figure_range(&figure, hone_report_speedup(report), hone_report_low(report),
                                      hone_report_high(report)));
      table_cell(&table, hone_report_winner(report));
    } else {
      table_cell(&table, "");
      table_cell(&table, "");
      table_cell(&table, "nothing faster than the baseline was proved");
    }
  }
  table_print(&table, output, width);
  table_close(&table);
}

static void print_missing(const struct whole *whole, struct output *output)
{
  size_t next = 0;

  for (unsigned number = 1; number <= whole->count && whole->found < whole->count; number++) {
    if (next < whole->found && whole->parts[next].number == number)
      next++;
    else
      output_format(output, "  part %u/%u is missing or not finished\n", number, whole->count);
  }
}

static void print_winner(struct output *output, const struct hone_report *report)
{
  struct figure speedup;

  output_format(output, "best of all parts: %s, %s (run %" PRId64 ")\n",
                *hone_report_winner(report) ? hone_report_winner(report) : "the baseline",
                *hone_report_winner(report) ? figure_speedup(&speedup, hone_report_speedup(report))
                                            : "1.00x",
                hone_report_run(report));
}

static void print_best(const struct whole *whole, const struct hone_report *common,
                       struct output *output)
{
  size_t winners;
  const struct part *best = best_part(whole, &winners);

  if (!best) {
    output_text(output, "no part has a configuration that is proved to be faster\n");
  } else if (winners == 1) {
    print_winner(output, best->report);
  } else if (common) {
    print_winner(output, common);
    output_format(output,
                  "  The best of the parts were confirmed against each other in run %" PRId64 ".\n",
                  hone_report_run(common));
  } else {
    print_winner(output, best->report);
    output_text(output,
                "  The best of the parts were confirmed in different runs, not against each "
                "other. To do so:\n");
    print_command(whole, best, winners, output);
  }
}

static hone_status print_whole(struct whole *whole, struct output *output, size_t width)
{
  struct hone_report *common = NULL;
  hone_status status = find_parts(whole);

  if (!status && whole->found) status = find_common(whole, &common);
  if (!status && whole->found) {
    const struct hone_report *first = whole->parts[0].report;
    output_format(output, "%s%s%s: %zu of %u parts\n", hone_report_name(first),
                  *hone_report_problem(first) ? " " : "", hone_report_problem(first), whole->found,
                  whole->count);
    print_parts(whole, output, width);
    print_missing(whole, output);
    print_best(whole, common, output);
  }
  hone_report_free(common);
  release(whole);
  return status;
}

/* ---- All spaces with parts ---- */

static bool is_first(const struct hone_run_list *runs, size_t at, unsigned *out_count)
{
  unsigned number, count;

  if (!is_part(hone_run_list_at(runs, at), &number, out_count)) return false;
  for (size_t i = 0; i < at; i++)
    if (is_part(hone_run_list_at(runs, i), &number, &count) && count == *out_count &&
        strcmp(hone_run_subject(hone_run_list_at(runs, i)),
               hone_run_subject(hone_run_list_at(runs, at))) == 0)
      return false;
  return true;
}

static hone_status print_all(const char *file, struct output *output)
{
  struct hone_run_list *runs = NULL;
  struct hone_store *store = NULL;
  hone_status status = hone_store_open(file, &store);
  unsigned count;

  if (!status) status = hone_store_runs(store, &runs);
  for (size_t i = 0; !status && i < hone_run_list_count(runs); i++) {
    struct whole whole = {.store = store, .file = file, .runs = runs};
    if (!is_first(runs, i, &count)) continue;
    whole.subject = hone_run_subject(hone_run_list_at(runs, i));
    whole.count = count;
    status = print_whole(&whole, output, terminal_width());
  }
  hone_run_list_free(runs);
  hone_store_free(store);
  return status;
}

enum exit_code merge_stores(const struct word_list *files, const char *output_file)
{
  struct output output;
  hone_status status = NULL;
  uint64_t added, known;

  for (size_t i = 0; i < files->count && !status; i++) {
    status = hone_store_merge(output_file, files->words[i], &added, &known);
    if (!status && (added || known))
      message_note("'%s': %" PRIu64 " run%s added, %" PRIu64 " known", files->words[i], added,
                   added == 1 ? "" : "s", known);
  }
  if (status) return message_status(status);
  output_open(&output, STDOUT_FILENO, false);
  status = print_all(output_file, &output);
  if (!output_close(&output) && !status) return CLI_FAILED;
  return status ? message_status(status) : CLI_DONE;
}
