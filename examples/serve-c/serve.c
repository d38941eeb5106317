/* A served program in C: see hone-serve(7). It builds dot.c with the knobs of a configuration in
 * `build`, and loads what was built in `check` and `measure`. No library for JSON is needed: Hone
 * writes a request on one line, and the names that are looked for here occur once in it.
 *
 *   cc -O2 examples/serve-c/serve.c -o examples/serve-c/serve -lm
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = 1 << 16, LONGEST = 1 << 16, MOST_SAMPLES = 1000 };

typedef float dot_function(const float *x, const float *y, int n);

static float x[N], y[N];
static const char *source = "dot.c";

/* ---- Fields of a request ---- */

static const char *find(const char *line, const char *name)
{
  static char key[64];
  const char *at;

  snprintf(key, sizeof key, "\"%s\":", name);
  at = strstr(line, key);
  return at ? at + strlen(key) : "";
}

static long find_number(const char *line, const char *name)
{
  return strtol(find(line, name), NULL, 10);
}

/* Paths of Hone have no characters that JSON escapes, unless a folder of the user's has. */
static void find_text(const char *line, const char *name, char *text, size_t size)
{
  if (sscanf(find(line, name), "\"%1023[^\"]\"", text) != 1) snprintf(text, size, "%s", "");
}

static int is_type(const char *line, const char *type)
{
  char text[1024];

  find_text(line, "type", text, sizeof text);
  return strcmp(text, type) == 0;
}

/* ---- Answers ---- */

static void fail(long id, const char *outcome, const char *text)
{
  printf("{\"id\": %ld, \"outcome\": \"%s\", \"text\": \"", id, outcome);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') putchar('\\');
    putchar(*text == '\n' ? ' ' : *text);
  }
  printf("\"}\n");
}

static void build(const char *line, long id)
{
  char object[1024], command[4096], message[1024];
  FILE *compiler;
  size_t length;

  find_text(line, "object", object, sizeof object);
  snprintf(command, sizeof command,
           "cc -O%ld -ffast-math -shared -fPIC -DLANES=%ld -DUNROLL=%ld '%s' -o '%s' 2>&1",
           find_number(line, "LEVEL"), find_number(line, "LANES"), find_number(line, "UNROLL"),
           source, object);
  compiler = popen(command, "r");
  if (!compiler) exit(1);
  length = fread(message, 1, sizeof message - 1, compiler);
  message[length] = 0;
  if (pclose(compiler) == 0)
    printf("{\"id\": %ld}\n", id);
  else
    fail(id, "compile_error", message);
}

static dot_function *load(const char *line, void **out_library)
{
  char object[1024];
  dot_function *dot = NULL;

  find_text(line, "object", object, sizeof object);
  *out_library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
  if (*out_library) *(void **)&dot = dlsym(*out_library, "dot");
  return dot;
}

static void check(const char *line, long id, dot_function *dot)
{
  double expected = 0;
  float got = dot(x, y, N);
  char text[128];

  for (int i = 0; i < N; i++)
    expected += (double)x[i] * y[i];
  snprintf(text, sizeof text, "the dot product is %g, not %g", got, expected);
  if (fabs(got - expected) <= 1e-3 * fabs(expected))
    printf("{\"id\": %ld}\n", id);
  else
    fail(id, "wrong_result", text);
  (void)line;
}

static double sample_ns(dot_function *dot)
{
  enum { REPEATS = 20 };
  static volatile float sink;
  struct timespec begin, end;

  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int i = 0; i < REPEATS; i++)
    sink = dot(x, y, N);
  clock_gettime(CLOCK_MONOTONIC, &end);
  (void)sink;
  return (1e9 * (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec)) /
         REPEATS;
}

static void measure(const char *line, long id, dot_function *dot)
{
  long count = find_number(line, "samples");

  printf("{\"id\": %ld, \"samples_ns\": [", id);
  for (long i = 0; i < count && i < MOST_SAMPLES; i++)
    printf("%s%.1f", i ? ", " : "", sample_ns(dot));
  printf("]}\n");
}

static void use(const char *line, long id)
{
  void *library;
  dot_function *dot = load(line, &library);

  if (!dot)
    fail(id, "launch_failure", dlerror());
  else if (is_type(line, "check"))
    check(line, id, dot);
  else
    measure(line, id, dot);
  if (library) dlclose(library);
}

int main(int count, char **words)
{
  static char line[LONGEST];

  if (count > 1) source = words[1];
  for (int i = 0; i < N; i++) {
    x[i] = (float)(i % 7) / 7;
    y[i] = (float)(i % 5) / 5;
  }
  while (fgets(line, sizeof line, stdin) && !is_type(line, "bye")) {
    long id = find_number(line, "id");
    if (is_type(line, "hello"))
      printf("{\"id\": %ld, \"version\": 1, \"name\": \"serve.c\"}\n", id);
    else if (is_type(line, "build"))
      build(line, id);
    else
      use(line, id);
    fflush(stdout);
  }
  return 0;
}
