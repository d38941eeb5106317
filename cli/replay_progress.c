/* One status line, if there is time to read it. Signals are recorded and checked when the library
 * reports; a second one ends hone at once.
 */
#include "replay_command.h"

#include "figures.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double patience_s = 2, interval_s = 0.2;

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof *signals };

static volatile sig_atomic_t is_ended;

static void end(int signal)
{
  (void)signal;
  is_ended = 1;
}

static double now_s(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void replay_progress_open(struct replay_progress *progress, const struct common *common)
{
  struct sigaction action = {.sa_handler = end, .sa_flags = (int)SA_RESETHAND};
  size_t width;

  *progress = (struct replay_progress){0};
  progress->has_line = !common->quiet && terminal_has_status(&width);
  progress->begun_s = now_s();
  for (int i = 0; i < SIGNALS; i++) {
    sigaction(signals[i], NULL, &progress->before[i]);
    if (progress->before[i].sa_handler != SIG_IGN) sigaction(signals[i], &action, NULL);
  }
}

static void write_line(const char *line)
{
  ssize_t ignored = write(STDERR_FILENO, line, strlen(line));

  (void)ignored;
}

static void show(struct replay_progress *progress, uint64_t done, uint64_t total, double now)
{
  double elapsed = now - progress->begun_s;
  struct figure left;
  char line[160];

  if (elapsed < patience_s || now - progress->shown_s < interval_s) return;
  if (!total)
    snprintf(line, sizeof line, "\rloading\033[K");
  else
    snprintf(line, sizeof line, "\r[%" PRIu64 "/%" PRIu64 "] replaying%s%s\033[K", done, total,
             done ? "  eta " : "",
             done ? figure_duration(&left, elapsed * (double)(total - done) / (double)done) : "");
  write_line(line);
  progress->is_shown = true;
  progress->shown_s = now;
}

bool replay_progress_report(void *data, uint64_t done, uint64_t total)
{
  struct replay_progress *progress = data;

  if (progress->has_line) show(progress, done, total, now_s());
  return !is_ended;
}

void replay_progress_close(struct replay_progress *progress)
{
  if (progress->is_shown) write_line("\r\033[K");
  for (int i = 0; i < SIGNALS; i++)
    sigaction(signals[i], &progress->before[i], NULL);
}
