/* space.c - how fast the space engine is: medians of repeated runs in one process.
 *
 * `space [--json] [--hone PROGRAM] FOLDER` measures all specs in FOLDER, and PROGRAM on two of
 * them. `space --worker FOLDER` reads lines "NAME NAME ..." from standard input: each is a turn
 * with these specs, answered with a line of JSON: wall and processor time, and the last one's
 * count.
 *
 * A space is measured from its file to its answers: load the spec, solve the space, then count, at
 * and index_of. Taking it down again is not part of the time. Every count must equal the one that
 * the spec's comment `# legal configurations: N` gives; else the exit status is 1.
 */
#include <hone.h>

#include <glob.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum {
  RUNS = 51,        /* of a space, and of a lookup */
  PROGRAM_RUNS = 7, /* of the program */
  TURN_MS = 20,     /* a worker's turn lasts at least that long */
  TOGETHER_MAX = 8, /* spaces */
  LOOKUPS = 100000, /* in a run */
  SAMPLE = 1000000, /* configurations */
  COUNT_DIGITS = 64,
};

/* What is measured beyond "each file", and what must be reached. */
static const char *const together[] = {"dedispersion", "hotspot", "gemm", "atf_prl_8x8"};
static const char together_name[] = "dedispersion + hotspot + gemm + atf_prl_8x8";
static const double together_required_ms = 8;
static const struct {
  const char *space;
  double ms;
} required[] = {{"atf_prl_64x64", 1},
                {"atf_gaussian", 100},
                {"gaussian_joined", 100},
                {"shark_vector_distribute", 20}};
static const char large_component[] = "gaussian_joined";
static const double memory_required_mib = 64, lookup_required_ns = 1000, sample_required_s = 1;

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* ---- Helpers ---- */

static void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
static void die(const char *format, ...)
{
  va_list arguments;

  fputs("space: ", stderr);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(1);
}

static void must(hone_status status)
{
  if (status) die("%s", hone_status_message(status));
}

static void *allocate(size_t count, size_t size)
{
  void *memory = calloc(count, size);

  if (!memory) die("out of memory");
  return memory;
}

static double read_clock_ms(clockid_t clock)
{
  struct timespec now;

  clock_gettime(clock, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static double now_ms(void)
{
  return read_clock_ms(CLOCK_MONOTONIC);
}

static uint64_t next_random(uint64_t *state) /* splitmix64 */
{
  uint64_t z = *state += 0x9e3779b97f4a7c15;

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static int compare_doubles(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

/* ---- The table ---- */

struct row {
  char what[64];
  char count[COUNT_DIGITS]; /* of configurations; "": none are counted */
  const char *unit;
  double median, fastest;
  double required; /* at most; 0: nothing is required */
};

struct table {
  struct row rows[64];
  size_t count;
};

static struct row *add_row(struct table *table, const char *what, const char *unit, double limit)
{
  struct row *row = &table->rows[table->count];

  if (table->count == COUNT_OF(table->rows)) die("the table is full");
  table->count++;
  snprintf(row->what, sizeof row->what, "%s", what);
  row->unit = unit;
  row->required = limit;
  return row;
}

static void set_samples(struct row *row, double *samples, size_t count)
{
  qsort(samples, count, sizeof *samples, compare_doubles);
  row->median = samples[count / 2];
  row->fastest = samples[0];
}

static const char *verdict(const struct row *row)
{
  if (row->required == 0) return "";
  return row->median <= row->required ? "yes" : "NO";
}

static void print_text(const struct table *table)
{
  printf("%-44s %10s %10s %10s %-4s %8s %s\n", "", "count", "median", "fastest", "", "required",
         "met");
  for (size_t i = 0; i < table->count; i++) {
    const struct row *row = &table->rows[i];
    char limit[16] = "";

    if (row->required > 0) snprintf(limit, sizeof limit, "<= %g", row->required);
    printf("%-44s %10s %10.3f %10.3f %-4s %8s %s\n", row->what, row->count, row->median,
           row->fastest, row->unit, limit, verdict(row));
  }
}

static void print_json(const struct table *table)
{
  printf("{\"version\": \"%s\", \"revision\": \"%s\", \"compiler\": \"%s %s\", \"rows\": [",
         hone_version(), hone_revision(),
#ifdef __clang__
         "clang", __clang_version__);
#else
         "gcc", __VERSION__);
#endif
  for (size_t i = 0; i < table->count; i++) {
    const struct row *row = &table->rows[i];

    printf("%s\n  {\"what\": \"%s\", \"count\": \"%s\", \"median\": %.6g, \"fastest\": %.6g, "
           "\"unit\": \"%s\", \"required\": %g}",
           i ? "," : "", row->what, row->count, row->median, row->fastest, row->unit,
           row->required);
  }
  puts("\n]}");
}

/* ---- From file to answers ---- */

struct opened {
  struct hone_spec *spec;
  struct hone_space *space;
};

static void ask(const struct hone_space *space)
{
  uint32_t row[64];
  uint64_t index = hone_space_count(space) / 2, found = UINT64_MAX;

  if (hone_space_width(space) > COUNT_OF(row)) die("the space has too many parameters");
  if (!hone_space_at(space, index, row) || !hone_space_index_of(space, row, &found) ||
      found != index)
    die("configuration %" PRIu64 " is not found again", index);
}

static struct opened open_space(const char *path)
{
  struct hone_spec_options options;
  struct hone_space_options space_options;
  struct opened opened;

  hone_spec_options_init(&options);
  options.files = &path;
  options.file_count = 1;
  must(hone_spec_load(&options, &opened.spec));
  hone_space_options_init(&space_options);
  must(hone_space_build(opened.spec, &space_options, &opened.space));
  ask(opened.space);
  return opened;
}

static void close_space(struct opened *opened)
{
  hone_space_free(opened->space);
  hone_spec_free(opened->spec);
}

static double time_spaces(char *const *paths, size_t count, clockid_t clock)
{
  struct opened opened[TOGETHER_MAX];
  double start = read_clock_ms(clock), time;

  for (size_t i = 0; i < count; i++)
    opened[i] = open_space(paths[i]);
  time = read_clock_ms(clock) - start;
  for (size_t i = count; i-- > 0;)
    close_space(&opened[i]);
  return time;
}

static char *spec_path(const char *folder, const char *name)
{
  char *path = NULL;

  if (asprintf(&path, "%s/%s.yaml", folder, name) < 0) die("out of memory");
  return path;
}

/* "hotspot" of "bench/data/hotspot.yaml" */
static void space_name(const char *path, char *name, size_t size)
{
  const char *slash = strrchr(path, '/');

  snprintf(name, size, "%s", slash ? slash + 1 : path);
  name[strcspn(name, ".")] = '\0';
}

static void measure_spaces(struct row *row, char *const *paths, size_t count)
{
  double samples[RUNS];

  for (size_t i = 0; i < RUNS; i++)
    samples[i] = time_spaces(paths, count, CLOCK_MONOTONIC);
  set_samples(row, samples, RUNS);
}

static void measure_together(struct table *table, const char *folder)
{
  struct row *row = add_row(table, together_name, "ms", together_required_ms);
  char *paths[COUNT_OF(together)];

  for (size_t i = 0; i < COUNT_OF(together); i++)
    paths[i] = spec_path(folder, together[i]);
  measure_spaces(row, paths, COUNT_OF(together));
  for (size_t i = 0; i < COUNT_OF(together); i++)
    free(paths[i]);
}

/* ---- Each file, and its count ---- */

static void read_published_count(const char *path, char count[static COUNT_DIGITS])
{
  static const char mark[] = "# legal configurations: ";
  char line[256];
  FILE *file = fopen(path, "r");

  if (!file) die("cannot open '%s'", path);
  *count = '\0';
  while (!*count && fgets(line, sizeof line, file))
    if (strncmp(line, mark, strlen(mark)) == 0) sscanf(line + strlen(mark), "%63[0-9]", count);
  fclose(file);
  if (!*count) die("'%s' has no line '%sN'", path, mark);
}

static bool check_count(const char *path, struct row *row)
{
  char published[COUNT_DIGITS];
  struct opened opened = open_space(path);
  bool equal;

  read_published_count(path, published);
  snprintf(row->count, sizeof row->count, "%s", hone_space_count_text(opened.space));
  equal = strcmp(row->count, published) == 0;
  if (!equal)
    fprintf(stderr, "space: '%s' has %s legal configurations, not %s\n", path, row->count,
            published);
  close_space(&opened);
  return equal;
}

static double required_ms(const char *name)
{
  for (size_t i = 0; i < COUNT_OF(required); i++)
    if (strcmp(required[i].space, name) == 0) return required[i].ms;
  return 0;
}

static bool measure_each(struct table *table, const char *folder)
{
  char *pattern = spec_path(folder, "*");
  glob_t found;
  bool equal = true;

  if (glob(pattern, 0, NULL, &found) != 0) die("there is no '%s'", pattern);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    char name[64];
    struct row *row;

    space_name(found.gl_pathv[i], name, sizeof name);
    row = add_row(table, name, "ms", required_ms(name));
    equal &= check_count(found.gl_pathv[i], row);
    measure_spaces(row, &found.gl_pathv[i], 1);
  }
  globfree(&found);
  free(pattern);
  return equal;
}

/* ---- Memory ---- */

/* In a process of its own, which must be started before this one has grown. */
static void measure_memory(struct table *table, const char *folder)
{
  struct row *row =
      add_row(table, "gaussian_joined: peak memory of its process", "MiB", memory_required_mib);
  char *path = spec_path(folder, large_component);
  struct rusage usage;
  int status;
  pid_t child = fork();

  if (child == 0) {
    open_space(path);
    _exit(0);
  }
  if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0)
    die("'%s' could not be measured", path);
  row->median = row->fastest = (double)usage.ru_maxrss / 1024;
  free(path);
}

/* ---- Lookups ---- */

struct lookups {
  const struct hone_space *space;
  size_t width;
  uint64_t *indices;
  uint32_t *legal; /* the rows at these indices */
  uint32_t *mixed; /* the same, but every second one has random values */
  uint64_t sum;    /* of all answers, so that none can be left out */
};

static void time_at(struct lookups *lookups)
{
  uint32_t row[64];

  for (size_t i = 0; i < LOOKUPS; i++)
    lookups->sum += hone_space_at(lookups->space, lookups->indices[i], row) + row[1];
}

static void time_index_of(struct lookups *lookups)
{
  uint64_t index = 0;

  for (size_t i = 0; i < LOOKUPS; i++)
    lookups->sum +=
        hone_space_index_of(lookups->space, lookups->legal + i * lookups->width, &index) + index;
}

static void time_contains(struct lookups *lookups)
{
  for (size_t i = 0; i < LOOKUPS; i++)
    lookups->sum += hone_space_contains(lookups->space, lookups->mixed + i * lookups->width);
}

static void fill_lookups(struct lookups *lookups)
{
  uint64_t state = 1, count = hone_space_count(lookups->space);

  for (size_t i = 0; i < LOOKUPS; i++) {
    uint32_t *row = lookups->legal + i * lookups->width;
    uint32_t *mixed = lookups->mixed + i * lookups->width;

    lookups->indices[i] = next_random(&state) % count;
    hone_space_at(lookups->space, lookups->indices[i], row);
    memcpy(mixed, row, lookups->width * sizeof *row);
    for (size_t p = 0; i % 2 && p + 1 < lookups->width; p++)
      mixed[1 + p] =
          (uint32_t)(next_random(&state) % hone_space_value_count(lookups->space, row[0], p));
  }
}

static void measure_lookup(struct table *table, const char *what, void (*run)(struct lookups *),
                           struct lookups *lookups)
{
  double samples[RUNS];

  for (size_t i = 0; i < RUNS; i++) {
    double start = now_ms();

    run(lookups);
    samples[i] = (now_ms() - start) * 1e6 / LOOKUPS;
  }
  set_samples(add_row(table, what, "ns", lookup_required_ns), samples, RUNS);
}

static void measure_lookups(struct table *table, const char *folder)
{
  char *path = spec_path(folder, "hotspot");
  struct opened opened = open_space(path);
  struct lookups lookups = {.space = opened.space, .width = hone_space_width(opened.space)};

  lookups.indices = allocate(LOOKUPS, sizeof *lookups.indices);
  lookups.legal = allocate(LOOKUPS * lookups.width, sizeof *lookups.legal);
  lookups.mixed = allocate(LOOKUPS * lookups.width, sizeof *lookups.mixed);
  fill_lookups(&lookups);
  measure_lookup(table, "hotspot: at", time_at, &lookups);
  measure_lookup(table, "hotspot: index_of", time_index_of, &lookups);
  measure_lookup(table, "hotspot: contains", time_contains, &lookups);
  free(lookups.mixed);
  free(lookups.legal);
  free(lookups.indices);
  close_space(&opened);
  free(path);
}

/* ---- The program ---- */

static size_t count_lines(int descriptor)
{
  static char buffer[1 << 16];
  size_t lines = 0;
  ssize_t size;

  while ((size = read(descriptor, buffer, sizeof buffer)) > 0)
    for (char *end = buffer; (end = memchr(end, '\n', (size_t)(buffer + size - end))); end++)
      lines++;
  return lines;
}

/* Runs it to its end and counts the lines that it prints. */
static size_t run_program(char *const *arguments)
{
  posix_spawn_file_actions_t actions;
  int ends[2], status;
  size_t lines;
  pid_t child;

  if (pipe(ends) != 0) die("cannot open a pipe");
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  if (posix_spawn(&child, arguments[0], &actions, NULL, arguments, environ) != 0)
    die("cannot run '%s'", arguments[0]);
  close(ends[1]);
  lines = count_lines(ends[0]);
  close(ends[0]);
  posix_spawn_file_actions_destroy(&actions);
  if (waitpid(child, &status, 0) != child || status != 0) die("'%s' failed", arguments[0]);
  return lines;
}

static void measure_program(struct row *row, char *const *arguments, double unit_ms)
{
  double samples[PROGRAM_RUNS];
  size_t lines = 0;

  for (size_t i = 0; i < PROGRAM_RUNS; i++) {
    double start = now_ms();

    lines = run_program(arguments);
    samples[i] = (now_ms() - start) / unit_ms;
  }
  set_samples(row, samples, PROGRAM_RUNS);
  if (lines > 1) snprintf(row->count, sizeof row->count, "%zu", lines);
}

static void measure_programs(struct table *table, char *program, const char *folder)
{
  char sample[16];
  char *hotspot = spec_path(folder, "hotspot"), *gaussian = spec_path(folder, "atf_gaussian");
  char space[] = "space", quiet[] = "-q", count_option[] = "--count", sample_option[] = "--sample";
  char *count_hotspot[] = {program, space, hotspot, count_option, NULL};
  char *sample_hotspot[] = {program, space, quiet, hotspot, sample_option, sample, NULL};
  char *sample_gaussian[] = {program, space, quiet, gaussian, sample_option, sample, NULL};

  snprintf(sample, sizeof sample, "%d", SAMPLE);
  measure_program(add_row(table, "hone space hotspot --count", "ms", 0), count_hotspot, 1);
  measure_program(add_row(table, "hone space hotspot --sample 1000000", "s", sample_required_s),
                  sample_hotspot, 1e3);
  measure_program(add_row(table, "hone space atf_gaussian --sample 1000000", "s", 0),
                  sample_gaussian, 1e3);
  free(gaussian);
  free(hotspot);
}

/* ---- Worker ---- */

/* A turn: the spaces are built again and again for TURN_MS, at least once. */
static double take_turn(char *const *paths, size_t count, clockid_t clock)
{
  struct row row;
  double samples[RUNS], end = now_ms() + TURN_MS;
  size_t runs = 0;

  do
    samples[runs++] = time_spaces(paths, count, clock);
  while (runs < RUNS && now_ms() < end);
  set_samples(&row, samples, runs);
  return row.median;
}

static void answer(char *const *paths, size_t count)
{
  struct opened last = open_space(paths[count - 1]);

  printf("{\"ms\": %.6f, ", take_turn(paths, count, CLOCK_MONOTONIC));
  printf("\"cpu_ms\": %.6f, ", take_turn(paths, count, CLOCK_PROCESS_CPUTIME_ID));
  printf("\"count\": \"%s\"}\n", hone_space_count_text(last.space));
  fflush(stdout);
  close_space(&last);
}

static int work(const char *folder)
{
  char line[512];

  while (fgets(line, sizeof line, stdin)) {
    char *paths[TOGETHER_MAX], *rest = NULL;
    size_t count = 0;

    for (char *name = strtok_r(line, " \n", &rest); name && count < TOGETHER_MAX;
         name = strtok_r(NULL, " \n", &rest))
      paths[count++] = spec_path(folder, name);
    if (count > 0) answer(paths, count);
    while (count > 0)
      free(paths[--count]);
  }
  return 0;
}

/* ---- All of it ---- */

static bool measure_all(struct table *table, char *program, const char *folder)
{
  bool equal;

  measure_memory(table, folder);
  fprintf(stderr, "space: building each space %d times\n", RUNS);
  measure_together(table, folder);
  equal = measure_each(table, folder);
  fprintf(stderr, "space: looking up %d configurations %d times\n", LOOKUPS, RUNS);
  measure_lookups(table, folder);
  if (!program) return equal;
  fprintf(stderr, "space: running the program %d times\n", PROGRAM_RUNS);
  measure_programs(table, program, folder);
  return equal;
}

int main(int argc, char **argv)
{
  static struct table table;
  char *program = NULL;
  bool json = false, worker = false, equal;
  int i = 1;

  for (; i < argc && argv[i][0] == '-'; i++) {
    if (strcmp(argv[i], "--json") == 0)
      json = true;
    else if (strcmp(argv[i], "--worker") == 0)
      worker = true;
    else if (strcmp(argv[i], "--hone") == 0 && i + 1 < argc)
      program = argv[++i];
    else
      break;
  }
  if (i + 1 != argc || argv[i][0] == '-') {
    fputs("usage: space [--json] [--hone PROGRAM] FOLDER | space --worker FOLDER\n", stderr);
    return 2;
  }
  if (worker) return work(argv[i]);
  equal = measure_all(&table, program, argv[i]);
  (json ? print_json : print_text)(&table);
  return equal ? 0 : 1;
}
