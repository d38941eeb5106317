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

bool terminal_has_color(enum color_mode mode)
{
  const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

  if (mode != COLOR_AUTO) return mode == COLOR_ALWAYS;
  if (no_color && *no_color) return false;
  if (term && strcmp(term, "dumb") == 0) return false;
  return isatty(STDOUT_FILENO);
}

const char *terminal_ellipsis(void)
{
  return strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? "\u2026" : "...";
}
