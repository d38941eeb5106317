/* Z3's solutions of small components, compared with all combinations tried one by one. */
#include "space/z3_solve.h"
#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST_VARIABLES = 12, RANDOM_CASES = 60, RANDOM_SEED = 1 };

/* Parameters are written as in a spec: "x: range(1, 9)", "y: [1, 'a', 0.5]". */
struct problem {
  struct hone__arena arena;
  struct hone__spec_program program;
  struct hone__domain domains[MOST_VARIABLES];
  const struct hone__domain *pointers[MOST_VARIABLES];
  uint32_t order[MOST_VARIABLES], nodes[MOST_VARIABLES], count;
  uint32_t constraints[32];
  size_t constraint_count;
  struct hone__component component;
};

static struct hone__expr *parse(struct problem *p, const char *text)
{
  struct hone__syntax_error error;
  struct hone__expr *expr = hone__expression_parse(text, &p->arena, &error);

  if (!expr) fail_msg("'%s': %s", text, error.message);
  return expr;
}

static void add_parameter(struct problem *p, const char *text)
{
  const char *colon = strchr(text, ':');
  struct hone__evaluator evaluator = {.arena = &p->arena};
  struct hone__domain *domain = &p->domains[p->count];
  const struct hone__expr *expr = parse(p, colon + 1);
  struct hone__range range;
  struct hone_value list;

  assert_true(p->count < MOST_VARIABLES);
  if (hone__evaluate_range(&evaluator, expr, &range)) {
    hone__domain_init_range(domain, range);
  } else {
    assert_true(hone__evaluate(&evaluator, expr, &list));
    hone__domain_init_list(domain, list.list->items, (uint32_t)list.list->count, &p->arena);
  }
  domain->name = hone__arena_strndup(&p->arena, text, (size_t)(colon - text));
  p->nodes[p->count] = hone__spec_program_variable(&p->program, p->count, domain->types);
  p->order[p->count] = p->count;
  p->pointers[p->count++] = domain;
}

static enum hone__meaning resolve(void *data, const char *name, uint32_t *out_node)
{
  struct problem *p = data;

  if (!strcmp(name, "absent")) return HONE__MEANS_ABSENT;
  for (uint32_t i = 0; i < p->count; i++) {
    if (strcmp(p->domains[i].name, name)) continue;
    *out_node = p->nodes[i];
    return HONE__MEANS_NODE;
  }
  return HONE__MEANS_NOTHING;
}

/* False where no configuration can cure a defect of it; it is left out. */
static bool try_constraint(struct problem *p, const char *text)
{
  struct hone__compilation compiler = {.program = &p->program, .resolve = resolve, .data = p};
  uint32_t node = hone__compile(&compiler, parse(p, text));

  assert_true(p->constraint_count < 32);
  free(compiler.defects);
  if (compiler.defect_count) return false;
  p->constraints[p->constraint_count++] = node;
  return true;
}

static void add_constraint(struct problem *p, const char *text)
{
  if (!try_constraint(p, text)) fail_msg("'%s' has a defect", text);
}

/* Both lists end with NULL. */
static void problem_init(struct problem *p, const char *const *parameters,
                         const char *const *constraints)
{
  *p = (struct problem){0};
  for (; *parameters; parameters++)
    add_parameter(p, *parameters);
  for (; *constraints; constraints++)
    add_constraint(p, *constraints);
  p->component = (struct hone__component){.program = &p->program,
                                          .domains = p->pointers,
                                          .constraints = p->constraints,
                                          .constraint_count = p->constraint_count};
}

static void problem_release(struct problem *p)
{
  hone__spec_program_release(&p->program);
  hone__arena_release(&p->arena);
}

/* 1: all constraints hold; 0: one is false; -1: none is false, one faults */
static int judge(const struct problem *p, const uint32_t *row, struct hone_value *values)
{
  struct hone_value variables[MOST_VARIABLES];
  int verdict = 1;

  for (uint32_t i = 0; i < p->count; i++)
    variables[p->order[i]] = hone__domain_value(p->pointers[p->order[i]], row[i]);
  hone__spec_program_run(&p->program, p->program.count - 1, variables, values);
  for (size_t i = 0; i < p->constraint_count; i++) {
    struct hone_value v = values[p->constraints[i]];
    if (v.type != HONE__FAULT && !hone__value_truth(v)) return 0;
    if (v.type == HONE__FAULT && v.integer != HONE__FAULT_NAME) verdict = -1;
  }
  return verdict;
}

static bool next_row(const struct problem *p, uint32_t *row)
{
  for (uint32_t i = p->count; i-- > 0;) {
    if (++row[i] < p->pointers[p->order[i]]->count) return true;
    row[i] = 0;
  }
  return false;
}

/* All solutions, and whether something faults. */
static uint32_t *try_all(const struct problem *p, size_t *out_count, bool *out_fault)
{
  struct hone_value *values = hone__alloc(p->program.count * sizeof *values);
  uint32_t *rows = NULL, row[MOST_VARIABLES] = {0};
  size_t count = 0, capacity = 0;

  *out_fault = false;
  do {
    int verdict = judge(p, row, values);
    if (verdict < 0) *out_fault = true;
    if (verdict <= 0) continue;
    if (count == capacity) {
      capacity = capacity ? 2 * capacity : 64;
      rows = hone__realloc(rows, capacity * p->count * sizeof *rows);
    }
    memcpy(rows + count++ * p->count, row, p->count * sizeof *rows);
  } while (next_row(p, row));
  free(values);
  *out_count = count;
  return rows;
}

static const struct hone__solve_limits plenty = {.memory_bytes = (size_t)1 << 30};

static void check_fault(const struct problem *p, struct hone__solve_fault *fault)
{
  struct hone_value *values = hone__alloc(p->program.count * sizeof *values);

  assert_true(fault->found);
  assert_int_equal(judge(p, fault->row, values), -1);
  assert_int_equal(values[fault->constraint].type, HONE__FAULT);
  assert_int_equal(values[fault->constraint].integer, fault->fault);
  free(fault->row);
  free(values);
}

static size_t compare(const struct problem *p)
{
  struct hone__solve_fault fault;
  struct hone__diagram *diagram;
  size_t count;
  bool faulty;
  uint32_t *expected = try_all(p, &count, &faulty), *found;
  hone_status status = hone__z3_solve(&p->component, p->order, p->count, &plenty, &fault, &diagram);

  if (status) fail_msg("%s", hone_status_message(status));
  if (faulty) {
    assert_null(diagram);
    check_fault(p, &fault);
  } else {
    assert_false(fault.found);
    assert_int_equal(diagram->count, count);
    assert_null(hone__diagram_rows(diagram, &found));
    if (count) assert_memory_equal(found, expected, count * p->count * sizeof *found);
    free(found);
    hone__diagram_free(diagram);
  }
  free(expected);
  return count;
}

static size_t check(const char *const *parameters, const char *const *constraints)
{
  struct problem p;
  size_t count;

  problem_init(&p, parameters, constraints);
  count = compare(&p);
  problem_release(&p);
  return count;
}

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Each constraint by itself. */
static void check_each(const char *const *parameters, const char *const *constraints)
{
  for (; *constraints; constraints++)
    check(parameters, LIST(*constraints));
}

static void need_z3(void **state)
{
  const char *advice;

  (void)state;
  if (hone__z3_available(&advice)) return;
  print_message("# skipped: libz3 is not here: %s\n", advice);
  skip();
}

/* ---- Cases ---- */

static void floor_division_and_remainder(void **state)
{
  need_z3(state);
  check_each(LIST("x: range(-7, 8)", "y: [-3, -2, -1, 1, 2, 5]", "z: range(-3, 4)"),
             LIST("x // y == z", "x % y == z", "x // 3 == z", "x // -3 == z", "x % 3 == z",
                  "x % -3 == z", "(x * y) // 4 == z", "(x * y) % -4 == z", "x % y == 0",
                  "divides(y, x)", "not divides(y, x * z)", "x // y * y + x % y != x"));
}

static void true_division(void **state)
{
  need_z3(state);
  check_each(LIST("x: range(-9, 10)", "y: [-4, -3, 1, 3, 7, 10]", "z: range(-2, 4)"),
             LIST("x / y == z", "x / y < z", "x / y >= 0.5", "x / y == 0.1", "0.3 <= x / y",
                  "x / y == z / 3", "x / 4 + 0.25 == z", "x * 0.5 <= y - 1.5", "x / y",
                  "ceil(x / y) == z", "floor(x / y) == z", "int(x / y) == z", "ceil(x / 4) * z > 1",
                  "float(x) / y == z", "x / y + z / 3 > 1"));
}

static void comparisons_and_choices(void **state)
{
  need_z3(state);
  check_each(LIST("x: range(0, 6)", "y: [4, 2, 0, 1]", "b: [True, False]"),
             LIST("1 <= x < y + 2 <= 5", "x == y == 2", "x and y", "x or y", "not x", "b", "not b",
                  "(x and y) == 2", "(x or y) % 2 == 1", "(b and x) >= y", "b == (x < y)",
                  "(x if b else y) == 2", "x + b == y", "b in [1]", "min(x, y, 3) == 2",
                  "max(x, y) - min(x, y) < 2", "abs(x - y) == 2", "-x + 3 > y", "bool(x) != b",
                  "(1 if x > y else b) and x", "x < y or b and not x == 3"));
}

static void whole_functions(void **state)
{
  need_z3(state);
  check_each(LIST("x: range(1, 20, 3)", "y: range(12, -4, -5)", "z: [0, 1, 2, 3]"),
             LIST("x ** 2 == z + 16", "2 ** z < x", "x ** z < 60", "gcd(x, y) == z", "x & 6 == z",
                  "(x & 1) + (y | 1) > z", "x ^ y", "x << z < 50", "x >> 1 >= z", "x << 2 == 16",
                  "~x == -z - 2", "pow2(x)", "pow2(x * z)", "log2(x) == z",
                  "log2(x) == int(log2(x))", "[5, 4, 1, 0][z] < x", "x ** 0 == z",
                  "x * gcd(y, z) > 7"));
}

static void membership(void **state)
{
  need_z3(state);
  check_each(LIST("x: range(0, 9)", "y: [1, 2, 4, 8]"),
             LIST("x in [1, 3.0, 4.5, 'a', None]", "x not in [y, 3]", "x * y in [8, 16]",
                  "x / y in [0.5, 2]", "x in range(2, 6)", "x not in []"));
}

static void texts_and_floats(void **state)
{
  need_z3(state);
  check_each(LIST("s: ['row', 'col', '']", "f: [0.1, 0.25, 1.5, 2]", "m: [1, 'a', None, 0.5]",
                  "x: range(0, 4)"),
             LIST("s == 'row' or x > 1", "s.startswith('r')", "s", "len(s) == x", "s < 'd'",
                  "f * x <= 0.3", "f + 0.2 == 0.3", "f == x", "m == x", "m in [1, 'a']",
                  "s == 'col' and f > 1 and x == 2", "'o' in s", "(s or 'none') == 'none'",
                  "(x if s == 'row' else f) == 2", "f // 0.5 == x", "int(f * 4) == x"));
}

static void faults(void **state)
{
  const char *const *parameters = LIST("x: range(-2, 3)", "y: [0, 1, 2]", "s: ['a', 1]");

  need_z3(state);
  check_each(parameters, LIST("4 % y == x", "4 // y == x", "x / y == 1", "y == 0 or 4 % y == 0",
                              "y and 4 // y == x", "4 % x == 0 if x else y", "s > 0",
                              "s == 1 and s > y", "absent > x", "absent > x and y",
                              "x > 0 and absent", "log2(x) < y", "4 << x == y", "not 4 // x"));
  check(parameters, LIST("4 % y == 0", "y > 0"));
  check(parameters, LIST("4 % y == 0", "x * y > 0"));
  check(parameters, LIST("4 % y == 0", "absent == 3", "y != 0", "4 % x == 2 or x == 0"));
}

static void overflow(void **state)
{
  need_z3(state);
  check_each(LIST("x: [-9223372036854775807, -3, 1, 3037000499, 9223372036854775807]",
                  "y: [-2, -1, 1, 2, 3037000500]"),
             LIST("x * y > 0", "x + y > 0", "x - y < 0", "x ** 2 > 0", "y == 1 and x * y > 5",
                  "x * y == 6 if y == -2 and x == -3 else True", "x // y == 3", "abs(x - 1) > 1",
                  "x / y == 1", "x * 4 < 0", "(x * y) % 7 == 1", "-(x - 1) > 0",
                  "y < 3 or x * y * (x * y) > 0"));
  check(LIST("x: [3, 4000000000]", "y: [5, 4000000000]"), LIST("x * y < 100", "x + y < 100"));
}

static void equality_chains(void **state)
{
  need_z3(state);
  assert_int_equal(check(LIST("m: range(16, 257)", "a: range(1, 9)", "p: range(1, 9)"),
                         LIST("m == a * p * 16", "256 % m == 0")),
                   13);
  check(LIST("m: range(8, 65, 8)", "n: range(8, 65, 8)", "a: range(1, 5)", "b: [4, 1, 2]"),
        LIST("m == a * 16", "n == b * 8 * a", "m * n <= 1024", "a * b in [2, 4, 8]"));
  check(LIST("x: range(1, 30)", "y: range(1, 30)", "z: range(1, 30)"),
        LIST("x * x + y * y == z * z", "x < y"));
}

static void orders_and_edges(void **state)
{
  struct problem p;

  need_z3(state);
  problem_init(&p, LIST("x: [3, 1, 2]", "y: range(0, 3)", "z: [7]"), LIST("x + y == z - 4"));
  p.order[0] = 2;
  p.order[2] = 0;
  assert_int_equal(compare(&p), 3);
  problem_release(&p);
  assert_int_equal(check(LIST("x: range(0, 5)", "y: [1, 2]"), LIST("x > y", "y > x")), 0);
  assert_int_equal(check(LIST("x: range(0, 5)"), LIST("True")), 5);
}

static void empty_domain(void **state)
{
  struct hone__solve_fault fault;
  struct hone__diagram *diagram;
  struct problem p;

  need_z3(state);
  problem_init(&p, LIST("x: range(0, 0)", "y: [1]"), LIST("x < y"));
  assert_null(hone__z3_solve(&p.component, p.order, p.count, &plenty, &fault, &diagram));
  assert_int_equal(diagram->count, 0);
  hone__diagram_free(diagram);
  problem_release(&p);
}

static void expect_failure(const char *const *parameters, const char *constraint,
                           struct hone__solve_limits limits, enum hone_code code)
{
  struct hone__solve_fault fault;
  struct hone__diagram *diagram;
  struct problem p;
  hone_status status;

  problem_init(&p, parameters, LIST(constraint));
  status = hone__z3_solve(&p.component, p.order, p.count, &limits, &fault, &diagram);
  assert_int_equal(hone_status_code(status), code);
  assert_null(diagram);
  hone_status_free(status);
  problem_release(&p);
}

static void limits_and_refusals(void **state)
{
  const char *const *wide = LIST("x: range(1, 1000)", "y: range(1, 1000)");

  need_z3(state);
  expect_failure(wide, "x < y", (struct hone__solve_limits){.memory_bytes = 1}, HONE_EXHAUSTED);
  expect_failure(wide, "x < y",
                 (struct hone__solve_limits){.memory_bytes = (size_t)1 << 30, .steps = 20},
                 HONE_EXHAUSTED);
  expect_failure(wide, "gcd(x, y) == 7", plenty, HONE_UNAVAILABLE);
  expect_failure(wide, "x / y * y != x", plenty, HONE_UNAVAILABLE);
}

/* SHARK's vector-distribute space of a matrix product of 1024x1280x1280, with 16x16x16 intrinsics:
 * too many combinations to be tried one by one, but their number is known. */
static void matrix_product(void **state)
{
  struct hone__solve_fault fault;
  struct hone__diagram *diagram;
  struct problem p;

  need_z3(state);
  problem_init(&p,
               LIST("m: range(16, 513)", "n: range(16, 513)", "k: range(16, 513)",
                    "a: range(1, 33)", "b: range(1, 33)", "pm: range(1, 33)", "pn: range(1, 33)",
                    "pk: range(1, 33)"),
               LIST("1024 % m == 0", "1280 % n == 0", "1280 % k == 0", "m == a * pm * 16",
                    "n == b * pn * 16", "k == pk * 16", "64 * a * b <= 1024",
                    "64 * b <= n or 64 * b <= m", "k * n % (64 * a * b) == 0",
                    "k * m % (64 * a * b) == 0", "a * b == 4", "2 * m * k + 2 * n * k <= 65536"));
  assert_null(hone__z3_solve(&p.component, p.order, p.count, &plenty, &fault, &diagram));
  assert_false(fault.found);
  assert_int_equal(diagram->count, 282);
  hone__diagram_free(diagram);
  problem_release(&p);
}

/* ---- Random constraints ---- */

static void random_number(struct hone__random *random, int depth, struct hone__text *text);

static void random_truth(struct hone__random *random, int depth, struct hone__text *text)
{
  static const char *const joints[] = {" and ", " or "};
  static const char *const orders[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
  uint64_t kind = hone__random_below(random, depth > 0 ? 8 : 5);

  hone__text_add(text, kind == 7 ? "(not " : "(");
  if (kind >= 5) {
    random_truth(random, depth - 1, text);
    if (kind == 7) {
      hone__text_add(text, ")");
      return;
    }
    hone__text_add(text, joints[kind - 5]);
    random_truth(random, depth - 1, text);
  } else {
    random_number(random, depth, text);
    hone__text_add(text, kind ? orders[hone__random_below(random, 6)] : " in [0, 2, 3.0, -1]");
    if (kind) random_number(random, depth, text);
  }
  hone__text_add(text, ")");
}

static void random_number(struct hone__random *random, int depth, struct hone__text *text)
{
  static const char *const leaves[] = {"x", "y", "z", "b", "f", "0", "1", "2", "-3", "0.5", "0.1"};
  static const char *const joints[] = {" + ", " - ", " * ", " // ",  " % ",
                                       " / ", " & ", ", ",  " and ", " or "};
  static const char *const functions[] = {"abs(", "ceil(", "floor(", "int(", "-(", "float(", "(~"};
  uint64_t kind = hone__random_below(random, depth > 0 ? 10 : 4);

  if (kind < 4) {
    hone__text_add(text, leaves[hone__random_below(random, kind ? 5 : 11)]);
  } else if (kind == 4) {
    hone__text_add(text, functions[hone__random_below(random, 7)]);
    random_number(random, depth - 1, text);
    hone__text_add(text, ")");
  } else {
    uint64_t joint = hone__random_below(random, 10);
    hone__text_add(text, joint != 7 ? "(" : hone__random_below(random, 2) ? "min(" : "max(");
    random_number(random, depth - 1, text);
    hone__text_add(text, joints[joint]);
    random_number(random, depth - 1, text);
    hone__text_add(text, ")");
  }
}

static void random_constraints(void **state)
{
  struct hone__random random = {RANDOM_SEED};

  need_z3(state);
  for (int i = 0; i < RANDOM_CASES; i++) {
    struct hone__text first = {0}, second = {0};
    struct problem p;
    random_truth(&random, 3, &first);
    random_truth(&random, 2, &second);
    problem_init(&p,
                 LIST("x: range(-4, 5)", "y: [1, 3, -2, 0]", "z: range(1, 8, 3)",
                      "b: [True, False]", "f: [0.5, 2.0]"),
                 (const char *const[]){NULL});
    if (try_constraint(&p, first.data)) try_constraint(&p, second.data);
    p.component.constraint_count = p.constraint_count;
    if (p.constraint_count) compare(&p);
    problem_release(&p);
    hone__text_release(&first);
    hone__text_release(&second);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(floor_division_and_remainder),
      cmocka_unit_test(true_division),
      cmocka_unit_test(comparisons_and_choices),
      cmocka_unit_test(whole_functions),
      cmocka_unit_test(membership),
      cmocka_unit_test(texts_and_floats),
      cmocka_unit_test(faults),
      cmocka_unit_test(overflow),
      cmocka_unit_test(equality_chains),
      cmocka_unit_test(orders_and_edges),
      cmocka_unit_test(empty_domain),
      cmocka_unit_test(limits_and_refusals),
      cmocka_unit_test(matrix_product),
      cmocka_unit_test(random_constraints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
