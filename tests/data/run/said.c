/* A program that prints its own time, in ms. That of CHOICE=0, the baseline, is 1.00 or 1.31: by
 * the process that asks (MODES=processes: every second folder that it is to write into), or from
 * call to call (MODES=samples). The file SEEN keeps the lines that were seen. */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of this line, 1 at least; it is added if it is new, or if `always`. */
static int number_of(const char *line, int always)
{
  FILE *file = fopen(getenv("SEEN"), "a+");
  char seen[4096];
  int number = 1, found = 0;

  rewind(file);
  for (; !found && fgets(seen, sizeof seen, file); number += !found)
    found = !always && strncmp(seen, line, strlen(line)) == 0;
  if (!found) fprintf(file, "%s\n", line);
  fclose(file);
  return number;
}

int main(int argc, char **argv)
{
  const char *modes = getenv("MODES");
  int number = 0;

  if (CHOICE == 0 && strcmp(modes, "processes") == 0)
    number = number_of(dirname(dirname(argv[argc - 1])), 0);
  if (CHOICE == 0 && strcmp(modes, "samples") == 0)
    number = number_of("x", 1) * 7 / 3; /* 2 4 7 9 11 14: neither every second one nor at random */
  printf("%s\n", number % 2 ? "1.31" : "1.00");
  return 0;
}
