/* The CPUs that this process may use, and the memory. */
#include "base/cpu_cache.h"
#include "base/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void a_process_counts_what_it_may_use(void **state)
{
  struct hone__cpus all, one = {0};
  long first = hone__cpu_first();
  size_t online = hone__cpus_online();

  (void)state;
  assert_true(online >= hone__cpu_count());
  hone__cpus_allowed(&all);
  assert_true(hone__cpus_has(&all, first));
  assert_int_equal(hone__cpu_count(), CPU_COUNT_S(sizeof all, all.sets));
  CPU_SET_S((size_t)first, sizeof one, one.sets);
  assert_int_equal(sched_setaffinity(0, sizeof one, one.sets), 0);
  assert_int_equal(hone__cpu_count(), 1);
  assert_int_equal(hone__cpus_online(), online); /* which is the machine's */
  assert_int_equal(sched_setaffinity(0, sizeof all, all.sets), 0);
  assert_int_equal(hone__cpu_count(), CPU_COUNT_S(sizeof all, all.sets));
}

static void a_set_holds_cpus_beyond_1024_and_nothing_outside(void **state)
{
  struct hone__cpus cpus = {0};
  struct hone__text text = {0};

  (void)state;
  CPU_SET_S(5000, sizeof cpus, cpus.sets);
  assert_true(hone__cpus_has(&cpus, 5000));
  assert_false(hone__cpus_has(&cpus, 4999));
  assert_false(hone__cpus_has(&cpus, -1));
  assert_false(hone__cpus_has(&cpus, HONE__MOST_CPUS));
  CPU_SET_S(3, sizeof cpus, cpus.sets);
  hone__cpus_print(&cpus, &text);
  assert_string_equal(text.data, "3,5000,");
  hone__text_release(&text);
}

static void half_of_the_memory_is_not_less_than_the_least(void **state)
{
  size_t bytes = hone__memory_bytes();

  (void)state;
  assert_true(bytes > 0);
  assert_int_equal(hone__memory_half(0), bytes / 2);
  assert_int_equal(hone__memory_half(bytes / 2 - 1), bytes / 2);
  assert_int_equal(hone__memory_half(bytes), bytes);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_process_counts_what_it_may_use),
      cmocka_unit_test(a_set_holds_cpus_beyond_1024_and_nothing_outside),
      cmocka_unit_test(half_of_the_memory_is_not_less_than_the_least),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
