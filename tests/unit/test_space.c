/* The solved space through the public API: counts that others published, and every answer compared
 * with what can be counted by hand or by trying all configurations. */
#include "folder.h"
#include "space/explanation.h"
#include "space/space.h"
#include "hone.h"

#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- Spaces from text ---- */

struct fixture {
  struct hone_spec *spec;
  struct hone_space *space;
};

static void succeed(hone_status status)
{
  if (status) fail_msg("%s", hone_status_message(status));
}

/* `options` may be NULL; its file is set here. */
static hone_status try_load(const char *text, const struct hone_spec_options *options,
                            struct hone_spec **out_spec)
{
  struct hone_spec_options copy;
  const char *file = path_of("t.yaml");
  hone_status status;

  hone_spec_options_init(&copy);
  if (options) copy = *options;
  write_text("t.yaml", text);
  copy.files = &file;
  copy.file_count = 1;
  status = hone_spec_load(&copy, out_spec);
  unlink(file); /* what is loaded needs it no more */
  return status;
}

static hone_status try_build(struct fixture *f, const char *text,
                             const struct hone_space_options *options)
{
  struct hone_space_options none;

  *f = (struct fixture){0};
  hone_space_options_init(&none);
  succeed(try_load(text, NULL, &f->spec));
  return hone_space_build(f->spec, options ? options : &none, &f->space);
}

static void build(struct fixture *f, const char *text)
{
  succeed(try_build(f, text, NULL));
}

static void release(struct fixture *f)
{
  hone_space_free(f->space);
  hone_spec_free(f->spec);
  *f = (struct fixture){0};
}

static void expect_failure(hone_status status, enum hone_code code, const char *part)
{
  assert_non_null(status);
  if (hone_status_code(status) != code || !strstr(hone_status_message(status), part))
    fail_msg("expected '%s' with '%s', got '%s': %s", hone_code_name(code), part,
             hone_code_name(hone_status_code(status)), hone_status_message(status));
  hone_status_free(status);
}

/* All rows, one after the other; the caller frees them. */
struct rows {
  uint32_t *data;
  size_t width, count, capacity;
};

static bool keep_row(void *data, const uint32_t *row)
{
  struct rows *rows = data;

  if (rows->count == rows->capacity) {
    rows->capacity = rows->capacity ? 2 * rows->capacity : 64;
    rows->data = realloc(rows->data, rows->capacity * rows->width * sizeof *rows->data);
    assert_non_null(rows->data);
  }
  memcpy(rows->data + rows->count++ * rows->width, row, rows->width * sizeof *row);
  return true;
}

static struct rows all_rows(const struct hone_space *space)
{
  struct rows rows = {.width = hone_space_width(space)};

  hone_space_each(space, 0, keep_row, &rows);
  assert_int_equal(rows.count, hone_space_count(space));
  return rows;
}

static const uint32_t *row_at(const struct rows *rows, size_t i)
{
  return rows->data + i * rows->width;
}

/* Columns that the row's group does not have are not part of it. */
static size_t row_length(const struct hone_space *space, const uint32_t *row)
{
  return 1 + hone_space_param_count(space, row[0]);
}

static bool same_row(const struct hone_space *space, const uint32_t *a, const uint32_t *b)
{
  return a[0] == b[0] && memcmp(a, b, row_length(space, a) * sizeof *a) == 0;
}

/* Numbers without a pattern that the sampler could share. */
static uint64_t next_number(uint64_t *state)
{
  uint64_t x = *state += 0x9e3779b97f4a7c15u;

  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static const char *const small = "params:\n"
                                 "  A: range(1, 9)\n"
                                 "  B: range(1, 9)\n"
                                 "  C: [1, 2, 3, 4]\n"
                                 "  S: [row, col]\n"
                                 "constraints:\n"
                                 "  - A % B == 0\n"
                                 "  - A * C <= 12\n"
                                 "  - B != C or S == 'row'\n";

/* The same in C; constraint by constraint. */
static bool small_holds(size_t constraint, uint32_t a, uint32_t b, uint32_t c, uint32_t s)
{
  switch (constraint) {
  case 0: return a % b == 0;
  case 1: return a * c <= 12;
  default: return b != c || s == 0;
  }
}

static bool small_is_legal(uint32_t a, uint32_t b, uint32_t c, uint32_t s)
{
  return small_holds(0, a, b, c, s) && small_holds(1, a, b, c, s) && small_holds(2, a, b, c, s);
}

/* ---- Published spaces ---- */

static uint64_t published_count(const char *path)
{
  FILE *file = fopen(path, "r");
  char line[512];
  unsigned long long count = 0;

  assert_non_null(file);
  while (fgets(line, sizeof line, file))
    if (sscanf(line, "# legal configurations: %llu", &count) == 1) break;
  fclose(file);
  return count;
}

static void load_file(struct fixture *f, const char *path)
{
  struct hone_spec_options spec_options;
  struct hone_space_options options;

  hone_spec_options_init(&spec_options);
  hone_space_options_init(&options);
  spec_options.files = &path;
  spec_options.file_count = 1;
  succeed(hone_spec_load(&spec_options, &f->spec));
  succeed(hone_space_build(f->spec, &options, &f->space));
}

/* at and index_of are each other's inverse, contains agrees, indices rise in mesh order. */
static void check_index(const struct hone_space *space, uint64_t index, uint32_t *row)
{
  uint64_t back = 0;

  assert_true(hone_space_at(space, index, row));
  assert_true(hone_space_contains(space, row));
  assert_true(hone_space_index_of(space, row, &back));
  assert_int_equal(back, index);
}

static void check_indices(const struct hone_space *space)
{
  uint64_t count = hone_space_count(space), state = 1;
  uint32_t *row = calloc(hone_space_width(space) + 1, sizeof *row);

  for (int i = 0; i < 1000; i++)
    check_index(space, next_number(&state) % count, row);
  check_index(space, 0, row);
  check_index(space, count - 1, row);
  assert_false(hone_space_at(space, count, row));
  assert_false(hone_space_at(space, UINT64_MAX, row));
  free(row);
}

static void published_counts(void **state)
{
  glob_t found;

  (void)state;
  assert_int_equal(glob("bench/data/*.yaml", 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    struct fixture f = {0};
    uint64_t count = published_count(found.gl_pathv[i]);
    assert_true(count > 0);
    load_file(&f, found.gl_pathv[i]);
    if (hone_space_count(f.space) != count)
      fail_msg("%s: expected %llu, got %s", found.gl_pathv[i], (unsigned long long)count,
               hone_space_count_text(f.space));
    check_indices(f.space);
    release(&f);
  }
  globfree(&found);
}

/* ---- Small spaces by brute force ---- */

static void counts_and_mesh_order(void **state)
{
  struct fixture f;
  struct rows rows;
  size_t next = 0;

  (void)state;
  build(&f, small);
  rows = all_rows(f.space);
  assert_string_equal(hone_space_cartesian_text(f.space), "512");
  for (uint32_t a = 0; a < 8; a++)
    for (uint32_t b = 0; b < 8; b++)
      for (uint32_t c = 0; c < 4; c++)
        for (uint32_t s = 0; s < 2; s++) {
          uint32_t row[] = {0, a, b, c, s};
          bool legal = small_is_legal(a + 1, b + 1, c + 1, s);
          uint64_t index = 0;
          assert_int_equal(hone_space_contains(f.space, row), legal);
          assert_int_equal(hone_space_index_of(f.space, row, &index), legal);
          if (!legal) continue;
          assert_int_equal(index, next);
          assert_memory_equal(row_at(&rows, next), row, sizeof row);
          next++;
        }
  assert_int_equal(next, rows.count);
  free(rows.data);
  release(&f);
}

static void each_begins_anywhere(void **state)
{
  struct fixture f;
  struct rows rows, rest = {0};
  uint32_t row[8];

  (void)state;
  build(&f, small);
  rows = all_rows(f.space);
  for (size_t first = 0; first <= rows.count + 1; first += 7) {
    rest = (struct rows){.width = rows.width};
    hone_space_each(f.space, first, keep_row, &rest);
    assert_int_equal(rest.count, first < rows.count ? rows.count - first : 0);
    for (size_t i = 0; i < rest.count; i++) {
      assert_true(hone_space_at(f.space, first + i, row));
      assert_memory_equal(row_at(&rest, i), row, rows.width * sizeof *row);
    }
    free(rest.data);
  }
  free(rows.data);
  release(&f);
}

static bool stop_after_three(void *data, const uint32_t *row)
{
  (void)row;
  return ++*(int *)data < 3;
}

static void each_stops(void **state)
{
  struct fixture f;
  int count = 0;

  (void)state;
  build(&f, small);
  hone_space_each(f.space, 0, stop_after_three, &count);
  assert_int_equal(count, 3);
  release(&f);
}

static void rows_out_of_range_are_not_legal(void **state)
{
  struct fixture f;
  uint32_t wrong_value[] = {0, 8, 0, 0, 0}, wrong_group[] = {1, 0, 0, 0, 0};
  uint64_t index;

  (void)state;
  build(&f, small);
  assert_false(hone_space_contains(f.space, wrong_value));
  assert_false(hone_space_index_of(f.space, wrong_value, &index));
  assert_false(hone_space_contains(f.space, wrong_group));
  assert_false(hone_space_index_of(f.space, wrong_group, &index));
  release(&f);
}

/* Two independent parts whose parameters alternate: mesh order must interleave them. */
static void components_interleave(void **state)
{
  struct fixture f;
  struct rows rows;
  size_t next = 0;

  (void)state;
  build(&f, "params: {A: [1, 2, 3], X: [1, 2, 3], B: [1, 2, 3], Y: [1, 2, 3], Z: [7, 8]}\n"
            "constraints: [A < B, X != Y]\n");
  rows = all_rows(f.space);
  assert_int_equal(hone_space_component_count(f.space), 3);
  assert_int_equal(hone_space_largest_component(f.space), 2);
  assert_true(hone_space_is_mesh_order(f.space));
  for (uint32_t i = 0; i < 162; i++) {
    uint32_t row[] = {0, i / 54, i / 18 % 3, i / 6 % 3, i / 2 % 3, i % 2};
    if (row[1] >= row[3] || row[2] == row[4]) continue;
    assert_memory_equal(row_at(&rows, next), row, sizeof row);
    next++;
  }
  assert_int_equal(next, rows.count);
  free(rows.data);
  release(&f);
}

static void counts_beyond_64_bits(void **state)
{
  struct fixture f;
  struct hone_value value;
  uint32_t row[16];
  uint64_t index;

  (void)state;
  build(&f, "params: {A: 'range(1000)', B: 'range(10000000)', C: 'range(1000)',\n"
            "         D: 'range(10000000)', E: 'range(1, 4)'}\n"
            "constraints: [E != 2, A != C]\n");
  assert_string_equal(hone_space_count_text(f.space), "199800000000000000000");
  assert_string_equal(hone_space_cartesian_text(f.space), "300000000000000000000");
  assert_true(hone_space_count(f.space) == UINT64_MAX);
  check_index(f.space, 12345678901234567u, row);
  assert_true(hone_space_at(f.space, 3, row));
  value = hone_space_value(f.space, 0, 4, row[5]);
  assert_int_equal(value.integer, 3);
  assert_true(hone_space_index_of(f.space, row, &index));
  assert_int_equal(index, 3);
  release(&f);
}

static void long_ranges_are_not_scanned(void **state)
{
  struct fixture f;
  uint32_t row[8];

  (void)state;
  build(&f, "params: {m: 'range(1, 1000000001)', a: [1, 2, 4], p: 'range(1, 1000001)',\n"
            "         d: 'range(1, 100000001)'}\n"
            "constraints: [m == a * p * 16, p == 1000 * a, 64 % d == 0]\n");
  assert_string_equal(hone_space_count_text(f.space), "21");
  assert_true(hone_space_at(f.space, 20, row));
  assert_int_equal(hone_space_value(f.space, 0, 0, row[1]).integer, 4 * 4000 * 16);
  assert_int_equal(hone_space_value(f.space, 0, 3, row[4]).integer, 64);
  release(&f);
}

static void declaration_order_does_not_matter(void **state)
{
  static const char *const params[] = {"m: 'range(1, 2049)'", "n: 'range(1, 513)'",
                                       "a: [1, 2, 4, 8]", "b: 'range(1, 33)'",
                                       "t: 'range(1, 1025)'"};
  uint64_t count = 0;

  (void)state;
  for (size_t turn = 0; turn < 10; turn++) {
    struct fixture f;
    char text[1024] = "params:\n";
    for (size_t i = 0; i < 5; i++)
      snprintf(text + strlen(text), sizeof text - strlen(text), "  %s\n",
               params[turn < 5 ? (i + turn) % 5 : (turn + 5 - i) % 5]);
    strcat(text, "constraints: [m == a * b * 16, 1024 % m == 0, t == a * b * 4, n % b == 0,\n"
                 "              n * m * 2 <= 65536, 'n % 16 == 0']\n");
    build(&f, text);
    if (turn == 0) count = hone_space_count(f.space);
    assert_true(count > 0);
    assert_int_equal(hone_space_count(f.space), count);
    check_indices(f.space);
    release(&f);
  }
}

/* ---- Samples ---- */

static int by_index(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* The indices of a sample, in its order. */
static uint64_t *sample(const struct hone_space *space, size_t count, uint64_t seed,
                        size_t *out_count)
{
  size_t width = hone_space_width(space);
  uint32_t *rows = malloc((count + 1) * width * sizeof *rows);
  uint64_t *indices = malloc((count + 1) * sizeof *indices);

  assert_non_null(rows);
  assert_non_null(indices);
  succeed(hone_space_sample(space, count, seed, rows, out_count));
  for (size_t i = 0; i < *out_count; i++)
    assert_true(hone_space_index_of(space, rows + i * width, &indices[i]));
  free(rows);
  return indices;
}

static void check_sample(const struct hone_space *space, size_t asked)
{
  size_t count, again;
  uint64_t *first = sample(space, asked, 42, &count), *second = sample(space, asked, 42, &again);
  uint64_t all = hone_space_count(space);

  assert_int_equal(count, asked < all ? asked : all);
  assert_int_equal(count, again);
  assert_memory_equal(first, second, count * sizeof *first);
  free(second);
  if (count > 10) {
    second = sample(space, asked, 43, &again);
    assert_memory_not_equal(first, second, count * sizeof *first);
    free(second);
  }
  qsort(first, count, sizeof *first, by_index);
  for (size_t i = 1; i < count; i++)
    assert_true(first[i] != first[i - 1]);
  free(first);
}

static void samples_do_not_repeat(void **state)
{
  struct fixture f;
  size_t count;

  (void)state;
  build(&f, small);
  count = (size_t)hone_space_count(f.space);
  for (size_t asked = 0; asked < count + 20; asked += 11)
    check_sample(f.space, asked);
  check_sample(f.space, count - 1);
  check_sample(f.space, count);
  check_sample(f.space, 100000);
  release(&f);
  load_file(&f, "bench/data/hotspot.yaml");
  check_sample(f.space, 1000);
  check_sample(f.space, 349853);
  release(&f);
}

static double chi_square(const uint64_t *cells, size_t count)
{
  double total = 0, square = 0, expected;

  for (size_t i = 0; i < count; i++)
    total += (double)cells[i];
  expected = total / (double)count;
  for (size_t i = 0; i < count; i++)
    square += ((double)cells[i] - expected) * ((double)cells[i] - expected) / expected;
  return square;
}

/* Five standard deviations: a uniform sampler is outside once in a million seeds, and the seeds
 * are fixed. Far too even is as wrong as uneven. */
static void check_uniform(const uint64_t *cells, size_t count)
{
  double freedom = (double)count - 1, square = chi_square(cells, count);

  if (fabs(square - freedom) > 5 * sqrt(2 * freedom))
    fail_msg("chi-square is %g with %g degrees of freedom", square, freedom);
}

static void hotspot_sample_is_uniform(void **state)
{
  struct fixture f;
  uint64_t cells[200] = {0}, *indices, all;
  size_t count;

  (void)state;
  load_file(&f, "bench/data/hotspot.yaml");
  all = hone_space_count(f.space);
  for (uint64_t seed = 0; seed < 20; seed++) {
    indices = sample(f.space, 2000, seed, &count);
    for (size_t i = 0; i < count; i++)
      cells[indices[i] * 200 / all]++;
    free(indices);
  }
  check_uniform(cells, 200);
  release(&f);
}

/* One value of A has one configuration, the other a thousand: by parameter would be wrong. */
static void skewed_sample_is_uniform(void **state)
{
  struct fixture f;
  uint64_t *cells = calloc(1001, sizeof *cells), *indices;
  size_t count;

  (void)state;
  build(&f, "params: {A: [1, 2], B: 'range(1, 1001)'}\nconstraints: [A == 2 or B == 1]\n");
  assert_int_equal(hone_space_count(f.space), 1001);
  for (uint64_t seed = 0; seed < 20020; seed++) {
    indices = sample(f.space, 1, seed, &count);
    cells[indices[0]]++;
    free(indices);
  }
  check_uniform(cells, 1001);
  free(cells);
  release(&f);
}

/* A sample of all is a random order of all. */
static void order_of_a_sample_is_uniform(void **state)
{
  struct fixture f;
  uint64_t cells[120] = {0}, *indices;
  size_t count;

  (void)state;
  build(&f, "params: {A: [1, 2, 3], B: [1, 2, 3]}\nconstraints: [A + B <= 4, A * B != 1]\n");
  assert_int_equal(hone_space_count(f.space), 5);
  for (uint64_t seed = 0; seed < 6000; seed++) {
    size_t cell = 0;
    indices = sample(f.space, 5, seed, &count);
    for (size_t i = 0; i < 5; i++) {
      size_t smaller = 0;
      for (size_t k = i + 1; k < 5; k++)
        smaller += indices[k] < indices[i];
      cell = cell * (5 - i) + smaller;
    }
    cells[cell]++;
    free(indices);
  }
  check_uniform(cells, 120);
  release(&f);
}

/* ---- Neighbours ---- */

/* "" if the row's group has no such parameter. */
static void value_text(const struct hone_space *space, const uint32_t *row, const char *name,
                       char *text, size_t size)
{
  text[0] = 0;
  for (size_t i = 0; i < hone_space_param_count(space, row[0]); i++)
    if (!strcmp(hone_space_param_name(space, row[0], i), name))
      hone_value_print(hone_space_value(space, row[0], i, row[1 + i]), text, size);
}

/* In how many parameters they differ; SIZE_MAX if these are not the same. */
static size_t distance(const struct hone_space *space, const uint32_t *a, const uint32_t *b)
{
  size_t different = 0, count = hone_space_param_count(space, a[0]);
  char x[32], y[32];

  if (hone_space_param_count(space, b[0]) != count) return SIZE_MAX;
  for (size_t i = 0; i < count; i++) {
    const char *name = hone_space_param_name(space, a[0], i);
    value_text(space, a, name, x, sizeof x);
    value_text(space, b, name, y, sizeof y);
    if (!*y) return SIZE_MAX;
    different += strcmp(x, y) != 0;
  }
  return different;
}

/* Groups with the same parameters are one space here; steps are those of one group's lists. */
static bool is_near(const struct hone_space *space, const uint32_t *a, const uint32_t *b,
                    bool adjacent)
{
  if (distance(space, a, b) != 1) return false;
  if (!adjacent) return true;
  if (a[0] != b[0]) return false;
  for (size_t i = 1; i < row_length(space, a); i++)
    if (a[i] != b[i]) return a[i] + 1 == b[i] || b[i] + 1 == a[i];
  return false;
}

static void check_neighbours(const struct hone_space *space, const struct rows *rows,
                             const uint32_t *row, bool adjacent)
{
  struct rows found = {.width = rows->width};
  size_t expected = 0;

  hone_space_neighbours(space, row, adjacent, keep_row, &found);
  for (size_t i = 0; i < rows->count; i++)
    expected += is_near(space, row, row_at(rows, i), adjacent);
  assert_int_equal(found.count, expected);
  for (size_t i = 0; i < found.count; i++) {
    assert_true(is_near(space, row, row_at(&found, i), adjacent));
    assert_true(hone_space_contains(space, row_at(&found, i)));
    for (size_t k = 0; k < i; k++)
      assert_false(same_row(space, row_at(&found, i), row_at(&found, k)));
  }
  free(found.data);
}

static void neighbours_are_one_step_away(void **state)
{
  struct fixture f;
  struct rows rows;

  (void)state;
  build(&f, small);
  rows = all_rows(f.space);
  for (uint32_t i = 0; i < 512; i++) {
    uint32_t row[] = {0, i / 64, i / 8 % 8, i / 2 % 4, i % 2};
    check_neighbours(f.space, &rows, row, false);
    check_neighbours(f.space, &rows, row, true);
  }
  free(rows.data);
  release(&f);
}

static void neighbours_stop(void **state)
{
  struct fixture f;
  uint32_t row[] = {0, 3, 0, 0, 0};
  int count = 0;

  (void)state;
  build(&f, small);
  hone_space_neighbours(f.space, row, false, stop_after_three, &count);
  assert_int_equal(count, 3);
  release(&f);
}

/* ---- Groups ---- */

static const char *const groups = "params:\n"
                                  "  - {A: [1, 2, 3], B: [1, 2]}\n"
                                  "  - {A: [2, 3, 4], B: [2, 3]}\n"
                                  "  - {C: [1, 2], A: [2]}\n"
                                  "  - {B: [1, 2, 3], A: [2, 3]}\n"
                                  "constraints: [A >= B, C != 2]\n";

static void groups_keep_duplicates(void **state)
{
  struct fixture f;
  struct rows rows;

  (void)state;
  build(&f, groups);
  assert_int_equal(hone_space_group_count(f.space), 4);
  assert_int_equal(hone_space_count(f.space), 5 + 5 + 1 + 5);
  rows = all_rows(f.space);
  for (size_t i = 1; i < rows.count; i++)
    assert_true(row_at(&rows, i)[0] >= row_at(&rows, i - 1)[0]);
  for (size_t i = 0; i < rows.count; i++) {
    check_neighbours(f.space, &rows, row_at(&rows, i), false);
    check_neighbours(f.space, &rows, row_at(&rows, i), true);
  }
  check_indices(f.space);
  assert_string_equal(hone_space_param_name(f.space, 2, 0), "C");
  free(rows.data);
  release(&f);
}

/* The rows of the space with duplicates, less those that an earlier group has. */
static void unique_drops_duplicates(void **state)
{
  struct fixture all, f;
  struct hone_space_options options;
  struct rows every, rows;
  size_t next = 0;

  (void)state;
  hone_space_options_init(&options);
  options.unique = true;
  build(&all, groups);
  succeed(try_build(&f, groups, &options));
  every = all_rows(all.space);
  rows = all_rows(f.space);
  for (size_t i = 0; i < every.count; i++) {
    bool seen = false;
    for (size_t k = 0; k < i && !seen; k++)
      seen = distance(all.space, row_at(&every, k), row_at(&every, i)) == 0;
    assert_int_equal(hone_space_contains(f.space, row_at(&every, i)), !seen);
    if (seen) continue;
    assert_true(next < rows.count);
    assert_true(same_row(all.space, row_at(&every, i), row_at(&rows, next)));
    next++;
  }
  assert_int_equal(next, rows.count);
  check_indices(f.space);
  check_sample(f.space, rows.count);
  for (size_t i = 0; i < every.count; i++)
    check_neighbours(f.space, &rows, row_at(&every, i), false);
  free(every.data);
  free(rows.data);
  release(&f);
  release(&all);
}

static void configurations_as_a_list(void **state)
{
  struct fixture f;

  (void)state;
  build(&f, "configs: [{BM: 64, BN: 128}, {BM: 32, BN: 32}, {BM: 64, BN: 16}]\n"
            "params: {U: [1, 2, 4]}\nconstraints: [BM * BN * U <= 8192]\n");
  assert_int_equal(hone_space_group_count(f.space), 3);
  assert_int_equal(hone_space_count(f.space), 1 + 3 + 3);
  check_indices(f.space);
  release(&f);
}

/* ---- Shapes, problems, devices ---- */

static void shapes_are_an_outer_loop(void **state)
{
  struct fixture f = {0};
  struct hone_spec_options spec_options;
  struct hone_space_options options;
  const char *path = path_of("shapes.yaml");

  (void)state;
  hone_spec_options_init(&spec_options);
  hone_space_options_init(&options);
  write_text("shapes.yaml", "params: [{M: [1, 2, 3]}]\n");
  spec_options.shapes = &path;
  spec_options.shape_count = 1;
  succeed(try_load("params: {A: [1, 2, 4]}\nconstraints: [A <= M]\n", &spec_options, &f.spec));
  succeed(hone_space_build(f.spec, &options, &f.space));
  assert_int_equal(hone_space_count(f.space), 1 + 2 + 2);
  check_indices(f.space);
  release(&f);
}

static void one_shape_alone(void **state)
{
  struct fixture f = {0};
  struct hone_spec_options spec_options;
  struct hone_space_options options;
  const char *path = path_of("shapes.yaml");
  uint64_t count;

  (void)state;
  hone_spec_options_init(&spec_options);
  hone_space_options_init(&options);
  write_text("shapes.yaml", "params: [{$M: [1, 2, 3], N: 3}]\n");
  spec_options.shapes = &path;
  spec_options.shape_count = 1;
  spec_options.partition_index = 1;
  spec_options.partition_count = 2; /* the third */
  succeed(try_load("params: {A: [1, 2, 4]}\nconstraints: [A <= M]\n", &spec_options, &f.spec));
  succeed(hone_spec_shape_count(f.spec, &count));
  assert_int_equal(count, 1);
  hone_spec_free(f.spec);
  spec_options.partition_index = 0;
  spec_options.partition_count = 1;
  succeed(try_load("params: {A: [1, 2, 4]}\nconstraints: [A <= M]\n", &spec_options, &f.spec));
  succeed(hone_spec_shape_count(f.spec, &count));
  assert_int_equal(count, 3);
  for (options.shape = 0; options.shape < 3; options.shape++) {
    succeed(hone_space_build(f.spec, &options, &f.space));
    assert_int_equal(hone_space_count(f.space), options.shape == 0 ? 1 : 2);
    hone_space_free(f.space);
  }
  expect_failure(hone_space_build(f.spec, &options, &f.space), HONE_INVALID_ARGUMENT,
                 "there are 3");
  f.space = NULL;
  release(&f);
}

enum { PARTS = 7 };
static const char in_parts[] = "params:\n- {A: [1, 2, 3, 4], B: \"range(1, 9)\", C: [x, y]}\n"
                               "- {A: [5, 6], B: \"range(1, 4)\"}\n"
                               "constraints: [A * B <= 12, B % 2 == 1 or A > 1]\n";

static void load_part(struct fixture *f, uint32_t part)
{
  struct hone_spec_options spec_options;
  struct hone_space_options options;

  hone_spec_options_init(&spec_options);
  hone_space_options_init(&options);
  spec_options.part_index = part;
  spec_options.part_count = PARTS;
  succeed(try_load(in_parts, &spec_options, &f->spec));
  succeed(hone_space_build(f->spec, &options, &f->space));
}

struct part_check {
  const struct fixture *whole, *part;
  uint64_t next; /* of the whole */
};

static bool check_row(void *data, const uint32_t *row)
{
  struct part_check *check = data;
  uint64_t index, local;

  assert_true(hone_space_index_of(check->whole->space, row, &index));
  assert_int_equal(index, check->next++);
  assert_true(hone_space_index_of(check->part->space, row, &local));
  assert_int_equal(local, index - check->part->space->first);
  return true;
}

static bool check_member(void *data, const uint32_t *row)
{
  assert_true(hone_space_contains(data, row));
  return true;
}

/* Each row of the whole is in one part, and its neighbours in a part are those of the part. */
static void parts_are_the_whole(void **state)
{
  struct fixture whole = {0}, part = {0};
  struct part_check check = {.whole = &whole, .part = &part};
  uint32_t *row;
  uint64_t least;

  (void)state;
  succeed(try_build(&whole, in_parts, NULL));
  least = hone_space_count(whole.space) / PARTS;
  row = calloc(hone_space_width(whole.space), sizeof *row);
  for (uint32_t i = 0; i < PARTS; i++) {
    load_part(&part, i);
    assert_in_range(hone_space_count(part.space), least, least + 1);
    check_indices(part.space);
    hone_space_each(part.space, 0, check_row, &check);
    for (uint64_t k = 0; hone_space_at(whole.space, k, row); k++) {
      assert_true(hone__space_is_legal(part.space, row));
      hone_space_neighbours(part.space, row, false, check_member, part.space);
    }
    release(&part);
  }
  assert_int_equal(check.next, hone_space_count(whole.space));
  free(row);
  release(&whole);
}

static uint64_t count_with(const char *text, const char *sizes, const char *device, size_t problem)
{
  struct fixture f;
  struct hone_space_options options;
  uint64_t count;

  hone_space_options_init(&options);
  options.sizes = sizes;
  options.device = device;
  options.problem = problem;
  succeed(try_build(&f, text, &options));
  count = hone_space_count(f.space);
  release(&f);
  return count;
}

static void each_problem_has_its_space(void **state)
{
  const char *text = "problem: {M: [4, 8], N: [2, 3]}\n"
                     "params: {A: \"range(1, M + 1)\", B: \"[1] if N > 2 else [1, 2]\"}\n"
                     "constraints: [M % A == 0]\n";
  struct fixture f;

  (void)state;
  build(&f, text);
  assert_int_equal(hone_spec_problem_count(f.spec), 4);
  assert_string_equal(hone_spec_problem(f.spec, 1), "M=4 N=3");
  release(&f);
  assert_int_equal(count_with(text, NULL, NULL, 0), 6);
  assert_int_equal(count_with(text, NULL, NULL, 1), 3);
  assert_int_equal(count_with(text, NULL, NULL, 2), 8);
  assert_int_equal(count_with(text, NULL, NULL, 3), 4);
  assert_int_equal(count_with(text, "M=12", NULL, 0), 12);
  assert_int_equal(count_with(text, "N=9,M=7", NULL, 3), 2);
}

static void unknown_problems_are_refused(void **state)
{
  const char *text = "problem: {MM: 4}\nparams: {A: [1, 2]}\n";
  struct hone_space_options options;
  struct fixture f;

  (void)state;
  hone_space_options_init(&options);
  options.sizes = "MN=3";
  expect_failure(try_build(&f, text, &options), HONE_INVALID_ARGUMENT, "did you mean 'MM'");
  release(&f);
  options.sizes = "MM";
  expect_failure(try_build(&f, text, &options), HONE_INVALID_ARGUMENT, "NAME=VALUE");
  release(&f);
  options.sizes = NULL;
  options.problem = 1;
  expect_failure(try_build(&f, text, &options), HONE_INVALID_ARGUMENT, "no problem 1");
  release(&f);
}

static void device_values_can_be_given(void **state)
{
  const char *text = "params: {A: [1, 2, 4, 8]}\nconstraints: [A * 1024 <= device.smem_bytes]\n";
  struct fixture f;

  (void)state;
  assert_int_equal(count_with(text, NULL, "smem_bytes=4096", 0), 3);
  assert_int_equal(count_with(text, NULL, "smem_bytes=1024,other=5", 0), 1);
  expect_failure(try_build(&f, text, NULL), HONE_INVALID_SPEC, "--device smem_bytes=VALUE");
  release(&f);
}

static void filters_and_params(void **state)
{
  const char *params[] = {"A:[2,3,5]", "D:9"}, *filters[] = {"B=2", "A=3", "A=5"};
  struct hone_spec_options spec_options;
  struct hone_space_options options;
  struct fixture f = {0};

  (void)state;
  hone_spec_options_init(&spec_options);
  hone_space_options_init(&options);
  spec_options.params = params;
  spec_options.param_count = 2;
  spec_options.filters = filters;
  spec_options.filter_count = 3;
  succeed(try_load("params: {A: [1, 2], B: [1, 2, 3]}\nconstraints: [A != B]\n", &spec_options,
                   &f.spec));
  succeed(hone_space_build(f.spec, &options, &f.space));
  assert_int_equal(hone_space_param_count(f.space, 0), 3);
  assert_int_equal(hone_space_count(f.space), 2);
  release(&f);
}

static void derived_values(void **state)
{
  struct fixture f;
  struct hone_value value;
  uint32_t row[8];

  (void)state;
  build(&f, "params: {A: [2, 3], B: [0, 4]}\nderived: {P: A * B, Q: P / A, R: A // B}\n"
            "constraints: [P < 10]\n");
  assert_int_equal(hone_space_count(f.space), 3);
  assert_int_equal(hone_space_derived_count(f.space), 3);
  assert_string_equal(hone_space_derived_name(f.space, 1), "Q");
  assert_true(hone_space_at(f.space, 1, row)); /* A=2 B=4 */
  assert_true(hone_space_derived(f.space, row, 0, &value));
  assert_int_equal(value.type, HONE_INT);
  assert_int_equal(value.integer, 8);
  assert_true(hone_space_derived(f.space, row, 1, &value));
  assert_int_equal(value.type, HONE_FLOAT);
  assert_true(value.real == 4.0);
  assert_true(hone_space_at(f.space, 0, row)); /* A=2 B=0 */
  assert_false(hone_space_derived(f.space, row, 2, &value));
  release(&f);
}

/* ---- Statistics and conflicts ---- */

static void stats_equal_brute_force(void **state)
{
  struct fixture f;
  struct hone_constraint_stats *stats;
  size_t alone[3] = {0}, last[3] = {0};

  (void)state;
  build(&f, small);
  succeed(hone_space_stats(f.space, &stats));
  for (uint32_t i = 0; i < 512; i++) {
    uint32_t a = i / 64 + 1, b = i / 8 % 8 + 1, c = i / 2 % 4 + 1, s = i % 2;
    bool holds[3];
    for (size_t k = 0; k < 3; k++)
      holds[k] = small_holds(k, a, b, c, s);
    for (size_t k = 0; k < 3; k++) {
      alone[k] += !holds[k];
      last[k] += !holds[k] && holds[(k + 1) % 3] && holds[(k + 2) % 3];
    }
  }
  assert_int_equal(hone_space_constraint_count(f.space), 3);
  for (size_t k = 0; k < 3; k++) {
    assert_true(fabs(hone_constraint_stats_alone(stats, k) - (double)alone[k] / 512) < 1e-12);
    assert_true(fabs(hone_constraint_stats_last(stats, k) - (double)last[k] / 512) < 1e-12);
  }
  assert_true(isnan(hone_constraint_stats_alone(stats, 3)));
  hone_constraint_stats_free(stats);
  release(&f);
}

static void expect_conflict(const char *text, size_t count, const size_t *expected)
{
  struct fixture f;
  size_t *found, found_count;

  build(&f, text);
  assert_int_equal(hone_space_count(f.space), 0);
  assert_string_equal(hone_space_count_text(f.space), "0");
  succeed(hone_space_conflict(f.space, &found, &found_count));
  assert_int_equal(found_count, count);
  for (size_t i = 0; i < count; i++)
    assert_int_equal(found[i], expected[i]);
  free(found);
  release(&f);
}

static void conflicts_are_smallest(void **state)
{
  (void)state;
  expect_conflict("params: {A: 'range(1, 9)', B: 'range(1, 9)'}\n"
                  "constraints: [A > 3, B > 2, A < 2]\n",
                  2, (size_t[]){0, 2});
  expect_conflict("params: {A: 'range(1, 9)'}\nconstraints: [A < 10, A > 20, A > 3, A < 2]\n", 1,
                  (size_t[]){1});
  expect_conflict("params: {A: [1, 2, 3], B: [1, 2, 3], C: [1, 2, 3]}\n"
                  "constraints: [A < B, A != 9, B < C, C < 9, C < A]\n",
                  3, (size_t[]){0, 2, 4});
  /* Going through them in order and dropping what can go would leave the cycle of three. */
  expect_conflict("params: {A: [1, 2, 3], B: [1, 2, 3], C: [1, 2, 3], D: [4, 5, 6]}\n"
                  "constraints: [D > 5, D < 5, A < B, B < C, C < A]\n",
                  2, (size_t[]){0, 1});
  expect_conflict("params: {A: [1, 2], B: [1, 2]}\n"
                  "constraints: [A + B == 3, A == B, A * B > 0]\n",
                  2, (size_t[]){0, 1});
}

/* Of many constraints: dropping any one of the set leaves something. */
static void conflict_of_many_is_irreducible(void **state)
{
  struct fixture f, less;
  size_t *found, count;
  char text[8192] = "params: {";

  (void)state;
  for (int i = 0; i < 16; i++)
    sprintf(text + strlen(text), "%sx%d: 'range(%d)'", i ? ", " : "", i, 16);
  strcat(text, "}\nconstraints:\n");
  for (int i = 0; i < 16; i++)
    sprintf(text + strlen(text), "  - x%d < x%d\n  - x%d >= 0\n", i, (i + 1) % 16, i);
  build(&f, text);
  assert_int_equal(hone_space_count(f.space), 0);
  succeed(hone_space_conflict(f.space, &found, &count));
  assert_int_equal(count, 16);
  for (size_t drop = 0; drop < count; drop++) {
    strcpy(strstr(text, "constraints:\n"), "constraints:\n");
    for (size_t i = 0; i < count; i++)
      if (i != drop)
        sprintf(text + strlen(text), "  - %s\n", hone_space_constraint(f.space, found[i]));
    build(&less, text);
    assert_true(hone_space_count(less.space) > 0);
    release(&less);
  }
  free(found);
  release(&f);
}

static void empty_spaces_answer(void **state)
{
  struct fixture f;
  uint32_t row[] = {0, 0, 0};
  uint64_t index;
  size_t count = 7;

  (void)state;
  build(&f, "params: {A: [1, 2], B: [1, 2]}\nconstraints: [A + B > 9]\n");
  assert_int_equal(hone_space_count(f.space), 0);
  assert_false(hone_space_at(f.space, 0, row));
  assert_false(hone_space_contains(f.space, row));
  assert_false(hone_space_index_of(f.space, row, &index));
  succeed(hone_space_sample(f.space, 1, 0, row, &count));
  assert_int_equal(count, 0);
  hone_space_each(f.space, 0, stop_after_three, &count);
  hone_space_neighbours(f.space, row, false, stop_after_three, &count);
  assert_int_equal(count, 0);
  release(&f);
}

/* ---- Explanations ---- */

static const struct hone__reason *reason_of(const struct hone_explanation *x,
                                            const char *constraint)
{
  for (size_t i = 0; i < x->reason_count; i++) {
    const char *text = x->reasons[i].constraint;
    if (text == constraint || (text && constraint && !strcmp(text, constraint)))
      return &x->reasons[i];
  }
  fail_msg("no reason '%s'", constraint ? constraint : "of a value");
  return NULL;
}

static void expect_verdict(const struct hone_explanation *x, const char *constraint,
                           enum hone_constraint_state state, const char *values)
{
  const struct hone__reason *reason = reason_of(x, constraint);

  assert_int_equal(reason->state, state);
  if (!strstr(reason->values, values)) fail_msg("'%s' is not in '%s'", values, reason->values);
}

static void explanations(void **state)
{
  struct fixture f;
  struct hone_explanation *x;

  (void)state;
  build(&f, "problem: {M: 256}\n"
            "params:\n"
            "  - {BM: [32, 64, 96], U: [0, 1, 2], S: [row, col]}\n"
            "  - {BM: [32], V: [1, 2]}\n"
            "constraints: [M % BM == 0, U > 0, 8 % U == 0, V < 2]\n");
  succeed(hone_space_explain(f.space, "BM=96,U=0,S=col", &x));
  assert_false(x->legal);
  assert_int_equal(x->group, 0);
  expect_verdict(x, "M % BM == 0", HONE_FAILS, "M=256, BM=96");
  expect_verdict(x, "U > 0", HONE_FAILS, "U=0");
  expect_verdict(x, "8 % U == 0", HONE_FAULTS_THERE, "division by zero");
  expect_verdict(x, "V < 2", HONE_DOES_NOT_APPLY, "");
  hone_explanation_free(x);

  succeed(hone_space_explain(f.space, "BM=64,U=2,S=row", &x));
  assert_true(x->legal);
  expect_verdict(x, "8 % U == 0", HONE_HOLDS, "U=2");
  hone_explanation_free(x);

  succeed(hone_space_explain(f.space, "BM=48,U=2,S=row", &x));
  assert_false(x->legal);
  expect_verdict(x, NULL, HONE_FAILS, "BM=48 is not a value of 'BM'");
  expect_verdict(x, "M % BM == 0", HONE_FAILS, "BM=48");
  hone_explanation_free(x);

  succeed(hone_space_explain(f.space, "V=2", &x));
  assert_false(x->legal);
  assert_int_equal(x->group, 1);
  expect_verdict(x, "V < 2", HONE_FAILS, "V=2");
  hone_explanation_free(x);

  expect_failure(hone_space_explain(f.space, "BX=1", &x), HONE_NOT_FOUND, "did you mean 'BM'");
  assert_null(x);
  hone_explanation_free(NULL);
  release(&f);
}

/* What explain says of legality is what the space says. */
static void explanations_agree(void **state)
{
  struct fixture f;

  (void)state;
  build(&f, small);
  for (uint32_t i = 0; i < 512; i += 3) {
    uint32_t row[] = {0, i / 64, i / 8 % 8, i / 2 % 4, i % 2};
    struct hone_explanation *x;
    char text[64];
    snprintf(text, sizeof text, "A=%u,B=%u,C=%u,S=%s", row[1] + 1, row[2] + 1, row[3] + 1,
             row[4] ? "col" : "row");
    succeed(hone_space_explain(f.space, text, &x));
    assert_int_equal(x->legal, hone_space_contains(f.space, row));
    hone_explanation_free(x);
  }
  release(&f);
}

/* ---- Configurations as text ---- */

static void configurations_are_read(void **state)
{
  struct fixture f;
  uint32_t row[8];

  (void)state;
  build(&f, "params: {A: [1, 2.5, 64], S: [row, col], $R: [true, false], K: [7]}\n");
  succeed(hone_space_parse(f.space, "A=64.0,S=col,R=False", row));
  assert_memory_equal(row, ((uint32_t[]){0, 2, 1, 1, 0}), 5 * sizeof *row);
  succeed(hone_space_parse(f.space, "S=row,$R=True,K=7,A=2.5", row));
  assert_memory_equal(row, ((uint32_t[]){0, 1, 0, 0, 0}), 5 * sizeof *row);
  assert_true(hone_space_param_is_runtime(f.space, 0, 2));
  expect_failure(hone_space_parse(f.space, "A=64,S=col", row), HONE_INVALID_ARGUMENT, "'R'");
  expect_failure(hone_space_parse(f.space, "A=3,S=col,R=True", row), HONE_NOT_FOUND, "3");
  expect_failure(hone_space_parse(f.space, "A=1,S=col,R=True,X=1", row), HONE_NOT_FOUND, "'X'");
  expect_failure(hone_space_parse(f.space, "A", row), HONE_INVALID_ARGUMENT, "NAME=VALUE");
  expect_failure(hone_space_parse(f.space, "=1", row), HONE_INVALID_ARGUMENT, "NAME=VALUE");
  release(&f);
}

static void kbench_names(void **state)
{
  struct fixture f;
  uint32_t row[8];
  char name[64];

  (void)state;
  build(&f, "name: gemm\nfile: kernels/gemm.mojo\nparams: {A: [1], $b: [x, y]}\n");
  assert_true(hone_space_at(f.space, 1, row));
  assert_int_equal(hone_space_print_spec(f.space, row, name, sizeof name), strlen("gemm/A=1/$b=y"));
  assert_string_equal(name, "gemm/A=1/$b=y");
  assert_int_equal(hone_space_print_spec(f.space, row, name, 5), strlen("gemm/A=1/$b=y"));
  assert_string_equal(name, "gemm");
  release(&f);
}

/* ---- Failures ---- */

static const char *const hard =
    "params: {a: 'range(1, 60)', b: 'range(1, 60)', c: 'range(1, 60)', d: 'range(1, 60)',\n"
    "         e: 'range(1, 60)', f: 'range(1, 60)'}\n"
    "constraints:\n"
    "  - (a * b + c * d) % 101 == (e * f * a) % 97\n"
    "  - (a ^ c ^ e) * (b | d | f) % 103 < 40\n";

static void memory_is_bounded(void **state)
{
  struct hone_space_options options;
  struct fixture f;

  (void)state;
  hone_space_options_init(&options);
  options.memory_bytes = (size_t)1 << 20;
  expect_failure(try_build(&f, hard, &options), HONE_EXHAUSTED,
                 "the memory limit of 1 MiB is reached");
  assert_null(f.space);
  release(&f);
  expect_failure(try_build(&f, hard, &options), HONE_EXHAUSTED,
                 "dependent parameters (a, b, c, d, e, f");
  release(&f);
}

/* Little memory, but a step for each of 10^8 pairs of values. */
static void work_is_bounded(void **state)
{
  struct hone_space_options options;
  struct fixture f;

  (void)state;
  hone_space_options_init(&options);
  options.memory_bytes = (size_t)16 << 20;
  expect_failure(try_build(&f,
                           "params: {A: 'range(1, 100001)', B: 'range(1, 1001)'}\n"
                           "constraints: ['A * B % 7 == 0 or A + B < 500']\n",
                           &options),
                 HONE_EXHAUSTED, "(A, B): the limit of 262144 steps is reached");
  assert_null(f.space);
  release(&f);
}

static bool stop_at_once(void *data, const struct hone_event *event)
{
  assert_int_equal(event->kind, HONE_EVENT_PROGRESS);
  assert_non_null(event->text);
  assert_true(event->elapsed_s >= 0);
  ++*(int *)data;
  return false;
}

static void solving_can_be_stopped(void **state)
{
  struct hone_space_options options;
  struct fixture f;
  hone_status status;
  int calls = 0;

  (void)state;
  hone_space_options_init(&options);
  options.progress = stop_at_once;
  options.progress_data = &calls;
  status = try_build(&f, hard, &options);
  assert_int_equal(calls, 1);
  assert_non_null(status);
  assert_null(f.space);
  hone_status_free(status);
  release(&f);
}

static void solving_ends_on_request(void **state)
{
  struct hone_cancel *cancel = hone_cancel_new();
  struct hone_space_options options;
  struct fixture f;
  hone_status status;

  (void)state;
  hone_cancel_request(cancel);
  hone_space_options_init(&options);
  options.cancel = cancel;
  status = try_build(&f, hard, &options);
  assert_int_equal(hone_status_code(status), HONE_CANCELLED);
  assert_null(f.space);
  hone_status_free(status);
  release(&f);
  hone_cancel_free(cancel);
}

static void faults_are_errors_unless_excluded(void **state)
{
  struct fixture f;

  (void)state;
  expect_failure(
      try_build(&f, "params: {A: [0, 1, 2], B: [1, 2]}\nconstraints: [B % A == 0]\n", NULL),
      HONE_INVALID_SPEC, "division by zero");
  release(&f);
  build(&f, "params: {A: [0, 1, 2], B: [1, 2]}\nconstraints: [B % A == 0, A > 0]\n");
  assert_int_equal(hone_space_count(f.space), 3);
  release(&f);
  build(&f, "params: {A: [0, 1, 2], B: [1, 2]}\nconstraints: [A == 0 or B % A == 0]\n");
  assert_int_equal(hone_space_count(f.space), 5);
  release(&f);
  /* The other component has no solution: nothing faults. */
  build(&f, "params: {A: [0, 1], B: [1, 2]}\nconstraints: [B > 5, 1 // A > 0]\n");
  assert_int_equal(hone_space_count(f.space), 0);
  release(&f);
  expect_failure(
      try_build(&f, "params: {A: [9223372036854775807, 1]}\nconstraints: [A + 1 > 0]\n", NULL),
      HONE_INVALID_SPEC, "integer overflow");
  release(&f);
}

/* Values that binders and bounds leave out are right to be left out, and take no fault with them.
 */
static void nothing_legal_is_left_out(void **state)
{
  static const struct {
    const char *text, *fault; /* NULL: `count` */
    uint64_t count;
  } cases[] = {
      {"params:\n  X: range(50, 150)\n  Y: [0, 1]\nconstraints: [12 % (X * Y) == 0]\n",
       "division by zero", 0},
      {"params:\n  Y: [0, 1, 2]\n  X: range(1, 100)\n"
       "constraints: [1000 % (16 * (Y * X)) == 0]\n",
       "division by zero", 0},
      {"params:\n  Y: [5, 4000000000000000000]\n  Z: [10, 11]\n  X: range(2, 50)\n"
       "constraints: [X * Y == Z]\n",
       "integer overflow", 0},
      {"params: {X: [4000000000, 0.5], Y: [1, 4000000000]}\nconstraints: [X * Y > 0]\n",
       "integer overflow", 0},
      {"params: {X: [2.0, 1.0e+308], Y: [1.0, 2.0]}\nconstraints: [(X * 4.0 * Y) % 3.0 >= 0]\n",
       NULL, 2},
      {"params:\n  P0: range(0, 170335, 32)\n  P1: [1, 5]\n"
       "constraints: [P0 * P0 * P0 * P1 // P1 >= 7.0]\n",
       NULL, 10644},
      {"params:\n  C: [15, -1]\n  F: [0.2, -0.2]\n  T: [3, 5]\n  X: range(1, 40)\n"
       "constraints: [T == F * X * C]\n",
       NULL, 3},
      {"params:\n  M: range(1, 1000)\n  A: range(1, 50)\n  P: range(1, 50)\n"
       "constraints: [M / (A * 16) == P, (M / A) % P == 0]\n",
       NULL, 241},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct fixture f;
    if (cases[i].fault) {
      expect_failure(try_build(&f, cases[i].text, NULL), HONE_INVALID_SPEC, cases[i].fault);
    } else {
      build(&f, cases[i].text);
      if (hone_space_count(f.space) != cases[i].count) print_error("case %zu\n", i);
      assert_int_equal(hone_space_count(f.space), cases[i].count);
    }
    release(&f);
  }
}

static void expect_load_error(const char *text, const char *part)
{
  struct hone_spec *spec;

  expect_failure(try_load(text, NULL, &spec), HONE_INVALID_SPEC, part);
  assert_null(spec);
}

static void wrong_specs_are_refused(void **state)
{
  (void)state;
  expect_load_error("params: {A: [1, 2]}\nconstraints: ['A +']\n", ":2:");
  expect_load_error("params: {A: [1, 2]}\nconstraints: [AA > 1]\n", "did you mean 'A'");
  expect_load_error("params: {A: [1, 2]}\nconstraints: [2 > 3]\n", "always false");
  expect_load_error("params: {A: [1, 2]}\nconstraints: [A % 0 == 1]\n", "division by zero");
  expect_load_error("params: {A: [1, 2]}\nconstraints: [A < 'x']\n", "type error");
  expect_load_error("params: {A: []}\n", "no values");
  expect_load_error("problem: {A: 3}\nparams: {A: [1]}\n", "another name");
  /* All of them are reported. */
  expect_load_error("params: {A: [1, 2]}\nconstraints: ['A +', B > 1, 2 > 3]\n", "'B'");
  expect_load_error("params: {A: [1, 2]}\nconstraints: ['A +', B > 1]\n", "expected a value");
}

/* ---- Z3 ---- */

static void z3_agrees(void **state)
{
  struct hone_space_options options;
  struct fixture native, z3;
  struct rows a, b;
  const char *advice = NULL;

  (void)state;
  if (!hone_solver_available(HONE_SOLVER_Z3, &advice)) {
    assert_non_null(advice);
    skip();
  }
  hone_space_options_init(&options);
  options.solver = HONE_SOLVER_Z3;
  build(&native, small);
  succeed(try_build(&z3, small, &options));
  a = all_rows(native.space);
  b = all_rows(z3.space);
  assert_int_equal(a.count, b.count);
  assert_memory_equal(a.data, b.data, a.count * a.width * sizeof *a.data);
  free(a.data);
  free(b.data);
  release(&native);
  release(&z3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(published_counts),
      cmocka_unit_test(counts_and_mesh_order),
      cmocka_unit_test(each_begins_anywhere),
      cmocka_unit_test(each_stops),
      cmocka_unit_test(rows_out_of_range_are_not_legal),
      cmocka_unit_test(components_interleave),
      cmocka_unit_test(counts_beyond_64_bits),
      cmocka_unit_test(long_ranges_are_not_scanned),
      cmocka_unit_test(declaration_order_does_not_matter),
      cmocka_unit_test(samples_do_not_repeat),
      cmocka_unit_test(hotspot_sample_is_uniform),
      cmocka_unit_test(skewed_sample_is_uniform),
      cmocka_unit_test(order_of_a_sample_is_uniform),
      cmocka_unit_test(neighbours_are_one_step_away),
      cmocka_unit_test(neighbours_stop),
      cmocka_unit_test(groups_keep_duplicates),
      cmocka_unit_test(unique_drops_duplicates),
      cmocka_unit_test(configurations_as_a_list),
      cmocka_unit_test(shapes_are_an_outer_loop),
      cmocka_unit_test(one_shape_alone),
      cmocka_unit_test(parts_are_the_whole),
      cmocka_unit_test(each_problem_has_its_space),
      cmocka_unit_test(unknown_problems_are_refused),
      cmocka_unit_test(device_values_can_be_given),
      cmocka_unit_test(filters_and_params),
      cmocka_unit_test(derived_values),
      cmocka_unit_test(stats_equal_brute_force),
      cmocka_unit_test(conflicts_are_smallest),
      cmocka_unit_test(conflict_of_many_is_irreducible),
      cmocka_unit_test(empty_spaces_answer),
      cmocka_unit_test(explanations),
      cmocka_unit_test(explanations_agree),
      cmocka_unit_test(configurations_are_read),
      cmocka_unit_test(kbench_names),
      cmocka_unit_test(memory_is_bounded),
      cmocka_unit_test(work_is_bounded),
      cmocka_unit_test(solving_can_be_stopped),
      cmocka_unit_test(solving_ends_on_request),
      cmocka_unit_test(faults_are_errors_unless_excluded),
      cmocka_unit_test(nothing_legal_is_left_out),
      cmocka_unit_test(wrong_specs_are_refused),
      cmocka_unit_test(z3_agrees),
  };
  return cmocka_run_group_tests_name("space", tests, make_folder, remove_folder);
}
