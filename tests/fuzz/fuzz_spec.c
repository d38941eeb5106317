/* Any bytes as a spec file. What loads is solved within a small bound on memory and then asked:
 * at and index_of must be inverse, samples must be legal, every explanation must agree. */
#include "hone.h"
#include "space/explanation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_STEPS = 200, SAMPLES = 16 };

/* Stops a build that takes long: what it asked for is no defect. */
static bool go_on(void *data, const struct hone_event *event)
{
  (void)data;
  return event->elapsed_s < 1;
}

static void check_index(const struct hone_space *space, uint64_t index, uint32_t *row)
{
  uint64_t back;

  if (!hone_space_at(space, index, row)) abort();
  if (!hone_space_contains(space, row)) abort();
  if (!hone_space_index_of(space, row, &back)) abort();
  /* groups may yield one configuration twice: then the first of them is named */
  if (hone_space_group_count(space) == 1 && back != index) abort();
}

static void check_samples(const struct hone_space *space)
{
  size_t width = hone_space_width(space), count = 0;
  uint32_t *rows = calloc(SAMPLES * (width + 1), sizeof *rows);
  hone_status status = hone_space_sample(space, SAMPLES, 1, rows, &count);

  if (!status && count != (hone_space_count(space) < SAMPLES ? hone_space_count(space) : SAMPLES))
    abort();
  for (size_t i = 0; !status && i < count; i++)
    if (!hone_space_contains(space, rows + i * width)) abort();
  hone_status_free(status);
  free(rows);
}

/* "A=1,B=x" of a row, if it fits. */
static bool print_row(const struct hone_space *space, const uint32_t *row, char *text, size_t size)
{
  size_t used = 0, group = row[0];

  for (size_t i = 0; i < hone_space_param_count(space, group); i++) {
    const char *name = hone_space_param_name(space, group, i);
    used += (size_t)snprintf(text + used, size - used, "%s%s=", i ? "," : "", name);
    if (used >= size) return false;
    used +=
        hone_value_print(hone_space_value(space, group, i, row[1 + i]), text + used, size - used);
    if (used >= size) return false;
  }
  return true;
}

static void check_explanation(const struct hone_space *space, const uint32_t *row)
{
  struct hone_explanation *explanation = NULL;
  char text[4096];
  uint32_t *again = calloc(hone_space_width(space) + 1, sizeof *again);

  if (print_row(space, row, text, sizeof text)) {
    hone_status_free(hone_space_parse(space, text, again));
    hone_status_free(hone_space_explain(space, text, &explanation));
    hone_explanation_free(explanation);
  }
  hone_status_free(hone_space_explain(space, "A=1,B=,=", &explanation));
  hone_explanation_free(explanation);
  free(again);
}

static bool count_down(void *data, const uint32_t *row)
{
  (void)row;
  return --*(int *)data > 0;
}

static void check_space(const struct hone_space *space)
{
  uint64_t count = hone_space_count(space);
  uint32_t *row = calloc(hone_space_width(space) + 1, sizeof *row);
  int steps = MOST_STEPS;
  char text[256];

  if (!*hone_space_count_text(space) || !*hone_space_cartesian_text(space)) abort();
  for (uint64_t i = 0; i < count && i < 8; i++)
    check_index(space, i, row);
  if (count) check_index(space, count - 1, row);
  if (count && count < UINT64_MAX && hone_space_at(space, count, row)) abort();
  check_samples(space);
  if (count && hone_space_at(space, count / 2, row)) {
    check_explanation(space, row);
    hone_space_print_spec(space, row, text, sizeof text);
    hone_space_neighbours(space, row, false, count_down, &steps);
  }
  steps = MOST_STEPS;
  hone_space_each(space, count / 2, count_down, &steps);
  free(row);
}

static void check_spec(const struct hone_spec *spec)
{
  struct hone_space_options options;

  hone_space_options_init(&options);
  options.memory_bytes = 32 << 20;
  options.device = "cache_bytes=65536";
  options.progress = go_on;
  for (size_t i = 0; i < hone_spec_problem_count(spec) && i < 2; i++) {
    struct hone_space *space = NULL;
    options.problem = i;
    options.unique = i == 1;
    hone_status status = hone_space_build(spec, &options, &space);
    if (!status != !!space) abort();
    if (status && !*hone_status_message(status)) abort();
    if (space) check_space(space);
    hone_status_free(status);
    hone_space_free(space);
  }
}

/* A file in memory. Input that begins like C is a kernel with annotations. */
static int write_input(const uint8_t *data, size_t size, char *path, size_t path_size)
{
  bool source = size > 1 && data[0] == '/' && (data[1] == '/' || data[1] == '*');
  int fd = memfd_create("fuzz", 0);

  if (fd < 0 || write(fd, data, size) != (ssize_t)size) abort();
  snprintf(path, path_size, "/proc/self/fd/%d", fd);
  if (source) {
    char link_path[64];
    snprintf(link_path, sizeof link_path, "/tmp/hone-fuzz-%d.cu", (int)getpid());
    unlink(link_path);
    if (symlink(path, link_path) == 0) snprintf(path, path_size, "%s", link_path);
  }
  return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[64];
  int fd = write_input(data, size, path, sizeof path);
  const char *files[] = {path};
  struct hone_spec_options options;
  struct hone_spec *spec = NULL;
  hone_status status;

  hone_spec_options_init(&options);
  options.files = files;
  options.file_count = 1;
  status = hone_spec_load(&options, &spec);
  if (!status != !!spec) abort();
  if (status && !*hone_status_message(status)) abort();
  if (spec) check_spec(spec);
  hone_status_free(status);
  hone_spec_free(spec);
  if (path[1] == 't') unlink(path);
  close(fd);
  return 0;
}
