/* Conditions on long lists, compared with all combinations tried one by one. */
#include "base/random.h"
#include "spec_space.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 30, LOOKS = 200 };

/* ---- Conditions, as text and as C ---- */

struct numbers {
  int64_t k, m;
};

static int64_t modulo(int64_t a, int64_t b)
{
  return ((a % b) + b) % b;
}

static bool product_residue(int64_t a, int64_t b, struct numbers n)
{
  return modulo(a * b, n.k) == n.m % n.k;
}

static bool sum_residue(int64_t a, int64_t b, struct numbers n)
{
  return modulo(a - 3 * b + a * b, n.k) < n.m % n.k;
}

static bool sum_less(int64_t a, int64_t b, struct numbers n)
{
  return a + b < 10 * n.m;
}

static bool sum_equal(int64_t a, int64_t b, struct numbers n)
{
  return a + b == n.m;
}

static bool difference(int64_t a, int64_t b, struct numbers n)
{
  return a - b >= n.m;
}

static bool turned_difference(int64_t a, int64_t b, struct numbers n)
{
  return -n.m <= b - a;
}

static bool product_less(int64_t a, int64_t b, struct numbers n)
{
  return a * b < 10 * n.m;
}

static bool product_most(int64_t a, int64_t b, struct numbers n)
{
  return a * b <= n.m;
}

static bool product_greater(int64_t a, int64_t b, struct numbers n)
{
  return n.m < a * b;
}

static bool product_least(int64_t a, int64_t b, struct numbers n)
{
  return a * b >= 5 * n.m;
}

static const struct condition {
  const char *text; /* K and M stand for the numbers */
  bool (*holds)(int64_t a, int64_t b, struct numbers n);
} conditions[] = {
    {"A * B % K == M % K", product_residue},
    {"(A - 3 * B + A * B) % K < M % K", sum_residue},
    {"A + B < 10 * M", sum_less},
    {"B + A == M", sum_equal},
    {"A - B >= M", difference},
    {"-M <= B - A", turned_difference},
    {"A * B < 10 * M", product_less},
    {"A * B <= M", product_most},
    {"M < A * B", product_greater},
    {"B * A >= 5 * M", product_least},
};

static const struct domain {
  const char *a, *b;
  int64_t a_first, a_count, a_step, b_first, b_count;
} domains[] = {
    {"range(1, 20001)", "range(1, 21)", 1, 20000, 1, 1, 20},
    {"range(-9000, 11000)", "range(-7, 14)", -9000, 20000, 1, -7, 21},
    {"range(0, 60000, 3)", "range(2, 9)", 0, 20000, 3, 2, 7},
};

/* One condition, or two of them. */
struct problem {
  struct domain domain;
  struct condition first, second;
  struct numbers n;
  int form;
};

enum { FORMS = 4 };

static bool holds(const struct problem *p, int64_t a, int64_t b)
{
  bool first = p->first.holds(a, b, p->n), second = p->second.holds(a, b, p->n);

  if (p->form == 0) return first;
  if (p->form == 1) return first || second;
  if (p->form == 2) return !(first && second);
  return b > 3 ? first : second;
}

static void write_condition(const struct problem *p, char *text, size_t size)
{
  const char *first = p->first.text, *second = p->second.text;

  switch (p->form) {
  case 0: snprintf(text, size, "%s", first); break;
  case 1: snprintf(text, size, "%s or %s", first, second); break;
  case 2: snprintf(text, size, "not (%s and %s)", first, second); break;
  default: snprintf(text, size, "%s if B > 3 else %s", first, second);
  }
}

static void write_problem(const struct problem *p, char *yaml, size_t size)
{
  char condition[200];

  write_condition(p, condition, sizeof condition);
  snprintf(yaml, size,
           "name: t\nproblem: {K: %lld, M: %lld}\nparams: {A: '%s', B: '%s'}\n"
           "constraints: ['%s']\n",
           (long long)p->n.k, (long long)p->n.m, p->domain.a, p->domain.b, condition);
}

static struct problem draw(struct hone__random *random)
{
  size_t count = sizeof conditions / sizeof *conditions;

  return (struct problem){
      .domain = domains[hone__random_below(random, sizeof domains / sizeof *domains)],
      .first = conditions[hone__random_below(random, count)],
      .second = conditions[hone__random_below(random, count)],
      .n = {1 + (int64_t)hone__random_below(random, 40), (int64_t)hone__random_below(random, 6000)},
      .form = (int)hone__random_below(random, FORMS)};
}

/* ---- Tests ---- */

static int64_t count_legal(const struct problem *p)
{
  int64_t count = 0;

  for (int64_t i = 0; i < p->domain.a_count; i++)
    for (int64_t j = 0; j < p->domain.b_count; j++)
      count += holds(p, p->domain.a_first + i * p->domain.a_step, p->domain.b_first + j);
  return count;
}

static void check_some(const struct problem *p, const struct hone_space *space, int64_t count,
                       struct hone__random *random)
{
  uint32_t row[3];

  for (int look = 0; count && look < LOOKS; look++) {
    struct hone_value a, b;
    hone_space_at(space, hone__random_below(random, (uint64_t)count), row);
    a = hone_space_value(space, row[0], 0, row[1]);
    b = hone_space_value(space, row[0], 1, row[2]);
    assert_true(holds(p, a.integer, b.integer));
  }
}

static void long_lists_are_solved_right(void **state)
{
  struct hone__random random = {5};

  (void)state;
  for (int i = 0; i < CASES; i++) {
    struct problem p = draw(&random);
    int64_t count = count_legal(&p);
    struct hone_space *space;
    char yaml[600], found[32];
    write_problem(&p, yaml, sizeof yaml);
    space = make_space(yaml);
    snprintf(found, sizeof found, "%lld", (long long)count);
    if (strcmp(hone_space_count_text(space), found) != 0)
      fail_msg("%s instead of %s: %s", hone_space_count_text(space), found, yaml);
    check_some(&p, space, count, &random);
    hone_space_free(space);
    hone_spec_free(spec);
  }
}

/* 2e8 pairs: too many to be tried. */
static void conditions_of_long_lists_are_quick(void **state)
{
  struct hone_space *space =
      make_space("name: t\nparams: {A: 'range(1, 200001)', B: 'range(1, 1001)'}\n"
                 "constraints: ['A * B % 7 == 0 or A + B < 500']\n");
  int64_t count = 0;
  char found[32];

  (void)state;
  for (int64_t b = 1; b <= 1000; b++) {
    int64_t small = b < 499 ? 499 - b : 0;
    count += b % 7 == 0 ? 200000 : 200000 / 7 + small - small / 7;
  }
  snprintf(found, sizeof found, "%lld", (long long)count);
  assert_string_equal(hone_space_count_text(space), found);
  hone_space_free(space);
  hone_spec_free(spec);
}

/* What is left of a product may be far greater than the product. */
static void remainders_do_not_overflow(void **state)
{
  struct hone_space *space =
      make_space("name: t\nparams: {A: 'range(1000000000000000, 1000000000020000)',\n"
                 "         B: 'range(1000000, 1000003)'}\n"
                 "constraints: ['(A - 1000000000000000) * B % 7 == 0']\n");
  int64_t count = 0;
  char found[32];

  (void)state;
  for (int64_t a = 0; a < 20000; a++)
    for (int64_t b = 1000000; b < 1000003; b++)
      count += a * b % 7 == 0;
  snprintf(found, sizeof found, "%lld", (long long)count);
  assert_string_equal(hone_space_count_text(space), found);
  hone_space_free(space);
  hone_spec_free(spec);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(long_lists_are_solved_right),
      cmocka_unit_test(conditions_of_long_lists_are_quick),
      cmocka_unit_test(remainders_do_not_overflow),
  };

  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
