/* sort_host.c - a host that measures by itself: which way of sorting is the fastest here?
 *
 *   cc -O2 sort_host.c -o sort_host $(pkg-config --cflags --libs hone)
 *   ./sort_host 100000 sort.db
 *
 * Nothing is compiled for a configuration: they are arguments of functions in this program. Hone
 * says what to try next, keeps the results in the store, and decides whether the best is faster
 * than qsort of the C library.
 */
#include <hone_search.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 5 };

struct way { /* of sorting: what a configuration means */
  bool is_library, is_merge, takes_median;
  size_t cutoff; /* shorter pieces are sorted by insertion */
};

/* ---- Sorting ---- */

static int by_value(const void *a, const void *b)
{
  int x = *(const int *)a, y = *(const int *)b;

  return (x > y) - (x < y);
}

static void sort_by_insertion(int *at, size_t count)
{
  for (size_t i = 1; i < count; i++) {
    int value = at[i];
    size_t k = i;
    for (; k > 0 && at[k - 1] > value; k--)
      at[k] = at[k - 1];
    at[k] = value;
  }
}

static void sort_by_merging(int *at, size_t count, int *room, size_t cutoff)
{
  size_t half = count / 2, i = 0, k = half, to = 0;

  if (count <= cutoff) {
    sort_by_insertion(at, count);
    return;
  }
  sort_by_merging(at, half, room, cutoff);
  sort_by_merging(at + half, count - half, room, cutoff);
  while (i < half && k < count)
    room[to++] = at[k] < at[i] ? at[k++] : at[i++];
  memcpy(room + to, at + i, (half - i) * sizeof *at);
  memcpy(at, room, (to + half - i) * sizeof *at);
}

static int choose_pivot(const int *at, size_t count, bool takes_median)
{
  int a = at[0], b = at[(count - 1) / 2], c = at[count - 1];

  if (!takes_median) return b;
  return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
}

static void swap(int *one, int *other)
{
  int value = *one;

  *one = *other;
  *other = value;
}

static void sort_by_parting(int *at, size_t count, const struct way *way)
{
  while (count > way->cutoff) {
    int pivot = choose_pivot(at, count, way->takes_median);
    size_t i = 0, k = count - 1;
    for (;; i++, k--) {
      while (at[i] < pivot)
        i++;
      while (at[k] > pivot)
        k--;
      if (i >= k) break;
      swap(&at[i], &at[k]);
    }
    sort_by_parting(at, k + 1, way);
    at += k + 1;
    count -= k + 1;
  }
  sort_by_insertion(at, count);
}

static void sort(int *at, size_t count, int *room, const struct way *way)
{
  if (way->is_library)
    qsort(at, count, sizeof *at, by_value);
  else if (way->is_merge)
    sort_by_merging(at, count, room, way->cutoff);
  else
    sort_by_parting(at, count, way);
}

/* ---- Measuring ---- */

struct input {
  int *values, *copy, *room;
  size_t count;
};

static double now_ns(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static bool is_sorted(const int *at, size_t count)
{
  for (size_t i = 1; i < count; i++)
    if (at[i - 1] > at[i]) return false;
  return true;
}

static struct way way_of(struct hone_search *search, hone_ticket ticket)
{
  struct hone_value algorithm = {0}, cutoff = {0}, pivot = {0};

  hone_search_value(search, ticket, "ALGORITHM", &algorithm);
  hone_search_value(search, ticket, "CUTOFF", &cutoff);
  hone_search_value(search, ticket, "PIVOT", &pivot);
  return (struct way){.is_library = strcmp(algorithm.text, "library") == 0,
                      .is_merge = strcmp(algorithm.text, "merge") == 0,
                      .takes_median = strcmp(pivot.text, "median") == 0,
                      .cutoff = (size_t)cutoff.integer};
}

static hone_status measure(struct hone_search *search, hone_ticket ticket, struct input *input)
{
  struct way way = way_of(search, ticket);
  struct hone_measurement result;
  double times[SAMPLES];

  hone_measurement_init(&result);
  for (int i = 0; i < SAMPLES; i++) {
    double begun;
    memcpy(input->copy, input->values, input->count * sizeof *input->copy);
    begun = now_ns();
    sort(input->copy, input->count, input->room, &way);
    times[i] = now_ns() - begun;
  }
  result.times_ns = times;
  result.time_count = SAMPLES;
  if (!is_sorted(input->copy, input->count)) {
    result.outcome = HONE_OUTCOME_WRONG_RESULT;
    result.evidence = "the values are not in order";
  }
  return hone_search_tell(search, ticket, &result);
}

static hone_status measure_all(struct hone_search *search, struct input *input)
{
  hone_ticket ticket = 0;
  hone_status status = hone_search_ask(search, &ticket);

  while (!status && ticket) {
    status = measure(search, ticket, input);
    if (!status) status = hone_search_ask(search, &ticket);
  }
  return status;
}

/* ---- The space ---- */

static hone_status make_spec(size_t count, struct hone_spec **out_spec)
{
  struct hone_draft *draft = hone_draft_new("sort");
  struct hone_value size = {.type = HONE_INT, .integer = (int64_t)count};
  hone_status status;

  hone_draft_size(draft, "COUNT", &size, 1);
  hone_draft_texts(draft, "ALGORITHM", (const char *[]){"library", "quick", "merge"}, 3);
  hone_draft_ints(draft, "CUTOFF", (const int64_t[]){2, 4, 8, 16, 32, 64}, 6);
  hone_draft_texts(draft, "PIVOT", (const char *[]){"middle", "median"}, 2);
  hone_draft_constraint(draft, "ALGORITHM != 'library' or CUTOFF == 2");
  hone_draft_constraint(draft, "ALGORITHM == 'quick' or PIVOT == 'middle'");
  hone_draft_setting(draft, "baseline", "{ALGORITHM: library, CUTOFF: 2, PIVOT: middle}");
  status = hone_draft_build(draft, NULL, out_spec);
  hone_draft_free(draft);
  return status;
}

static hone_status tune(struct input *input, const char *store, const struct hone_space *space)
{
  struct hone_search_options options;
  struct hone_search *search = NULL;
  hone_status status;

  hone_search_options_init(&options);
  options.store = store;
  status = hone_search_open(space, &options, &search);
  if (!status) status = measure_all(search, input);
  if (!status) status = hone_search_confirm(search); /* then the same loop gives the proof */
  if (!status) status = measure_all(search, input);
  if (!status) {
    struct hone_interval speedup = hone_search_speedup(search);
    hone_ticket winner = hone_search_winner(search);
    printf("measured  %llu ways, %llu of them known before\n",
           (unsigned long long)hone_search_count(search),
           (unsigned long long)hone_search_reused(search));
    printf("best      %s\n", hone_search_config(search, hone_search_best(search)));
    printf("verdict   %s", hone_verdict_name(hone_search_verdict(search)));
    if (winner) printf(": %s", hone_search_config(search, winner));
    printf(" (%.3f times as fast as qsort, %.3f to %.3f)\n", speedup.value, speedup.low,
           speedup.high);
  }
  hone_search_free(search);
  return status;
}

int main(int argc, char **argv)
{
  struct input input = {.count = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000};
  struct hone_space_options options;
  struct hone_space *space = NULL;
  struct hone_spec *spec = NULL;
  hone_status status;
  int code = 0;

  if (input.count < 2) input.count = 2;
  input.values = malloc(3 * input.count * sizeof *input.values);
  if (!input.values) return 1;
  input.copy = input.values + input.count;
  input.room = input.copy + input.count;
  srand(1);
  for (size_t i = 0; i < input.count; i++)
    input.values[i] = rand();
  hone_space_options_init(&options);
  status = make_spec(input.count, &spec);
  if (!status) status = hone_space_build(spec, &options, &space);
  if (!status) status = tune(&input, argc > 2 ? argv[2] : NULL, space);
  if (status) {
    fprintf(stderr, "sort_host: %s\n", hone_status_message(status));
    code = 1;
  }
  hone_status_free(status);
  hone_space_free(space);
  hone_spec_free(spec);
  free(input.values);
  return code;
}
