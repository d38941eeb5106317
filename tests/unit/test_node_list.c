/* Lists of nodes as Slurm writes them. */
#include "filter.h"

#include "base/text.h"
#include "cluster/node_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void expect_names(const char *list, const char *names)
{
  struct hone__words words = {0};
  struct hone__text text = {0};

  assert_null(hone__cluster_expand_nodes(list, &words));
  for (size_t i = 0; i < words.count; i++)
    hone__text_addf(&text, "%s%s", i ? " " : "", words.data[i]);
  assert_string_equal(text.data, names);
  hone__text_release(&text);
  hone__words_release(&words);
}

static void names(void **state)
{
  (void)state;
  expect_names("node1", "node1");
  expect_names("a,b-2", "a b-2");
  expect_names("gpu[01-03,7],login", "gpu01 gpu02 gpu03 gpu7 login");
  expect_names("n[8-11]", "n8 n9 n10 n11");
  expect_names("r[1-2]n[1-2]-ib", "r1n1-ib r1n2-ib r2n1-ib r2n2-ib");
}

static void malformed_lists(void **state)
{
  static const char *const lists[] = {
      "a[1-",     "a[]", "a[1-2",          "a[x]",    "a[2-1]",
      "a[1-2-3]", ",",   "a[0-999999999]", "a[1,]b[", "a[1][1][1][1][1][1][1][1][1][1]"};

  (void)state;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    struct hone__words words = {0};
    hone_status status = hone__cluster_expand_nodes(lists[i], &words);
    assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
    hone_status_free(status);
    hone__words_release(&words);
  }
}

static void counts(void **state)
{
  (void)state;
  assert_int_equal(hone__cluster_count_of_node("4(x2),8", 0), 4);
  assert_int_equal(hone__cluster_count_of_node("4(x2),8", 1), 4);
  assert_int_equal(hone__cluster_count_of_node("4(x2),8", 2), 8);
  assert_int_equal(hone__cluster_count_of_node("4(x2),8", 3), 0);
  assert_int_equal(hone__cluster_count_of_node("", 0), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(malformed_lists),
                                     cmocka_unit_test(counts)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
