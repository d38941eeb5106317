/* Behaves as it is told: ./behave --how=well --x=3 -o out.csv */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *how = "well", *path;
static double time_ms = 1;

static void put(const char *text)
{
  FILE *file = fopen(path, "w");

  fputs(text, file);
  fclose(file);
}

static int well(void)
{
  char text[100];

  snprintf(text, sizeof text, "name,met (ms),iters\n\"b\",%g,1\n", time_ms);
  put(text);
  return 0;
}

static int chatter(void) /* 300 MB, then a result */
{
  static char noise[1 << 20];

  memset(noise, 'x', sizeof noise);
  for (int i = 0; i < 300; i++)
    if (fwrite(noise, 1, sizeof noise, stdout) != sizeof noise) return 9;
  return well();
}

static int orphans(void) /* leaves a child that would write later */
{
  if (fork() == 0) {
    setsid();
    for (;;)
      pause();
  }
  return well();
}

int main(int count, char **words)
{
  for (int i = 1; i < count; i++) {
    if (strcmp(words[i], "-o") == 0) path = words[i + 1];
    if (strncmp(words[i], "--how=", 6) == 0) how = words[i] + 6;
    if (strncmp(words[i], "--x=", 4) == 0) time_ms = atof(words[i] + 4);
  }
  fprintf(stderr, "this is %s\n", how);
  if (strcmp(how, "well") == 0) return well();
  if (strcmp(how, "crash") == 0) abort();
  if (strcmp(how, "segv") == 0) return raise(SIGSEGV);
  if (strcmp(how, "fail") == 0) return 3;
  if (strcmp(how, "silent") == 0) return 0;
  if (strcmp(how, "header") == 0) return put("name,met (ms),iters\n"), 0;
  if (strcmp(how, "half") == 0) return put("name,met (ms),iters\n\"b\",1"), 0;
  if (strcmp(how, "columns") == 0) return put("colour,taste\nred,sweet\n"), 0;
  if (strcmp(how, "nan") == 0) return put("name,met (ms),iters\n\"b\",nan,1\n"), 0;
  if (strcmp(how, "zero") == 0) return put("name,met (ms),iters\n\"b\",0,1\n"), 0;
  if (strcmp(how, "negative") == 0) return put("name,met (ms),iters\n\"b\",-4,1\n"), 0;
  if (strcmp(how, "bytes") == 0) return put("name,met (ms),iters\n\"b\xff\xfe\",2,1\n"), 0;
  if (strcmp(how, "hang") == 0)
    for (;;)
      pause();
  if (strcmp(how, "deaf") == 0) {
    signal(SIGTERM, SIG_IGN);
    for (;;)
      pause();
  }
  if (strcmp(how, "chatter") == 0) return chatter();
  if (strcmp(how, "orphans") == 0) return orphans();
  return 99;
}
