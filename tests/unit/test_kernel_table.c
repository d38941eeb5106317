/* The functions of a kernel that are known: readers need no lock while others are added. */
#include "kernel/kernel_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PROBLEMS = 5000, READERS = 4 };

static struct hone_kernel kernel;
static const struct hone_kernel_function functions[PROBLEMS];
static atomic_int added;

static int open_table(void **state)
{
  (void)state;
  kernel = (struct hone_kernel){.size_count = 2};
  atomic_store(&added, 0);
  return 0;
}

static int close_table(void **state)
{
  (void)state;
  hone__handle_table_free(&kernel);
  return 0;
}

static struct hone__handle_entry *find(int64_t m, int64_t n, uintptr_t context)
{
  const int64_t sizes[] = {m, n};

  return hone__handle_find(&kernel, sizes, context, hone__handle_hash(sizes, 2, context));
}

static void add(int64_t m, int64_t n, uintptr_t context,
                const struct hone_kernel_function *function)
{
  const int64_t sizes[] = {m, n};

  hone__handle_publish(
      hone__handle_add(&kernel, sizes, context, hone__handle_hash(sizes, 2, context)), function);
}

/* ---- One thread ---- */

static void an_empty_table_has_nothing(void **state)
{
  (void)state;
  assert_null(find(1, 2, 0));
}

static void problems_differ_by_sizes_order_and_context(void **state)
{
  (void)state;
  add(1, 2, 0, &functions[0]);
  add(2, 1, 0, &functions[1]);
  add(1, 2, 7, &functions[2]);
  assert_ptr_equal(find(1, 2, 0)->function, &functions[0]);
  assert_ptr_equal(find(2, 1, 0)->function, &functions[1]);
  assert_ptr_equal(find(1, 2, 7)->function, &functions[2]);
  assert_null(find(2, 2, 0));
  assert_null(find(1, 2, 8));
}

static void an_entry_may_have_no_function_yet(void **state)
{
  (void)state;
  add(1, 2, 0, NULL);
  assert_non_null(find(1, 2, 0));
  assert_null(find(1, 2, 0)->function);
}

/* A hash that sees only low bits, or only differences, fails here by its time. */
static void neighbouring_sizes_spread(void **state)
{
  size_t buckets[256] = {0};

  (void)state;
  for (int64_t m = 0; m < 64; m++)
    for (int64_t n = 0; n < 64; n++) {
      const int64_t sizes[] = {m * 1024, n * 1024};
      buckets[hone__handle_hash(sizes, 2, 0) & 255]++;
    }
  for (size_t i = 0; i < 256; i++)
    assert_in_range(buckets[i], 1, 64); /* 16 on average */
}

/* ---- Several ---- */

static void *read_all(void *data)
{
  bool *wrong = data;

  while (atomic_load(&added) < PROBLEMS) {
    int known = atomic_load(&added);
    for (int i = 0; i < known; i += 1 + known / 50) {
      const struct hone__handle_entry *entry = find(i, -i, 0);
      if (!entry || entry->function != &functions[i]) *wrong = true;
    }
  }
  return NULL;
}

static void readers_find_all_that_was_added(void **state)
{
  pthread_t threads[READERS];
  bool wrong[READERS] = {false};

  (void)state;
  for (int i = 0; i < READERS; i++)
    pthread_create(&threads[i], NULL, read_all, &wrong[i]);
  for (int i = 0; i < PROBLEMS; i++) {
    add(i, -i, 0, &functions[i]);
    atomic_store(&added, i + 1);
  }
  for (int i = 0; i < READERS; i++) {
    pthread_join(threads[i], NULL);
    assert_false(wrong[i]);
  }
  assert_int_equal(kernel.entry_count, PROBLEMS);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, open_table, close_table)
  static const struct CMUnitTest tests[] = {
      CASE(an_empty_table_has_nothing),        CASE(problems_differ_by_sizes_order_and_context),
      CASE(an_entry_may_have_no_function_yet), CASE(neighbouring_sizes_spread),
      CASE(readers_find_all_that_was_added),
  };

  return cmocka_run_group_tests_name("kernel_table", tests, NULL, NULL);
}
