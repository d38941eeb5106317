#include "terminal.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_ELSEWHERE = 100, LEAST_WIDTH = 40 };

size_t terminal_width(void)
{
  struct winsize size;
  const char *columns = getenv("COLUMNS");
  long width = columns ? strtol(columns, NULL, 10) : 0;

  if (width <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  if (width <= 0) width = WIDTH_ELSEWHERE;
  return width < LEAST_WIDTH ? LEAST_WIDTH : (size_t)width;
}

static bool is_dumb(void)
{
  const char *term = getenv("TERM");

  return term && strcmp(term, "dumb") == 0;
}

bool terminal_has_color(enum color_mode mode, int file)
{
  const char *no_color = getenv("NO_COLOR");

  if (mode != COLOR_AUTO) return mode == COLOR_ALWAYS;
  return !(no_color && *no_color) && !is_dumb() && isatty(file);
}

/* The terminal's own width comes first here: a line that is too long cannot be overwritten. */
bool terminal_has_status(size_t *out_width)
{
  struct winsize size;

  if (is_dumb() || !isatty(STDERR_FILENO)) return false;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    *out_width = size.ws_col;
  else
    *out_width = terminal_width();
  return true;
}

const char *terminal_ellipsis(void)
{
  return strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? "\u2026" : "...";
}
