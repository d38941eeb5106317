/* The expected values of the table of Python's are what CPython 3 prints for the same text. */
#include "spec/evaluate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static struct hone__expr *parse(const char *text, struct hone__arena *arena)
{
  struct hone__syntax_error error = {0};
  struct hone__expr *expr = hone__expression_parse(text, arena, &error);

  if (!expr) print_error("'%s': at %u: %s\n", text, error.offset, error.message);
  assert_non_null(expr);
  return expr;
}

/* ---- The tree ---- */

static void print_tree(const struct hone__expr *expr, struct hone__text *text)
{
  switch (expr->kind) {
  case HONE__EXPR_LITERAL: hone__value_repr(expr->value, text); return;
  case HONE__EXPR_NAME: hone__text_add(text, expr->name); return;
  case HONE__EXPR_OPERATOR: hone__text_addf(text, "(%s", hone__operator_text(expr->op)); break;
  case HONE__EXPR_FUNCTION: hone__text_add(text, "(call"); break;
  case HONE__EXPR_LIST: hone__text_add(text, "(list"); break;
  case HONE__EXPR_FOR: hone__text_add(text, "(for"); break;
  }
  for (size_t i = 0; i < expr->count; i++) {
    hone__text_add(text, " ");
    print_tree(expr->args[i], text);
  }
  hone__text_add(text, ")");
}

static void test_tree(void **state)
{
  static const struct {
    const char *text, *tree;
  } cases[] = {
      {"a + b * c", "(+ a (* b c))"},
      {"(a + b) * c", "(* (+ a b) c)"},
      {"a - b - c", "(- (- a b) c)"},
      {"a / b // c % d", "(% (// (/ a b) c) d)"},
      {"a ** b ** c", "(** a (** b c))"},
      {"-a ** b", "(- (** a b))"},
      {"a ** -b", "(** a (- b))"},
      {"- - a", "(- (- a))"},
      {"-a * b", "(* (- a) b)"},
      {"~a + b", "(+ (~ a) b)"},
      {"a << b + c", "(<< a (+ b c))"},
      {"a & b << c", "(& a (<< b c))"},
      {"a ^ b & c", "(^ a (& b c))"},
      {"a | b ^ c", "(| a (^ b c))"},
      {"a < b | c", "(< a (| b c))"},
      {"a < b", "(< a b)"},
      {"a < b <= c", "(and (< a b) (<= b c))"},
      {"a == b != c in d", "(and (== a b) (and (!= b c) (in c d)))"},
      {"a and b or c and d", "(or (and a b) (and c d))"},
      {"a or b and c", "(or a (and b c))"},
      {"a if b else c", "(if b a c)"},
      {"a if b else c if d else e", "(if b a (if d c e))"},
      {"[a, b,]", "(list a b)"},
      {"(a, b)", "(list a b)"},
      {"a, b", "(list a b)"},
      {"(a)", "a"},
      {"()", "(list)"},
      {"a[b][c]", "([] ([] a b) c)"},
      {"-a[b] ** c", "(- (** ([] a b) c))"},
      {"device.cache_bytes * $x", "(* device.cache_bytes x)"},
      {"a # + b", "a"},
      {"a +\n  b", "(+ a b)"},
      {"'a' \"b\"", "'ab'"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__arena arena = {0};
    struct hone__text text = {0};
    print_tree(parse(cases[i].text, &arena), &text);
    assert_string_equal(text.data, cases[i].tree);
    hone__text_release(&text);
    hone__arena_release(&arena);
  }
}

/* Of `not`, the operator's text has a space behind it. */
static void test_not(void **state)
{
  struct hone__arena arena = {0};
  struct hone__expr *expr = parse("not a == b", &arena);

  (void)state;
  assert_int_equal(expr->op, HONE__OP_NOT);
  assert_int_equal(expr->args[0]->op, HONE__OP_EQ);
  assert_int_equal(parse("a not in b", &arena)->op, HONE__OP_NOT_IN);
  assert_int_equal(parse("not a in b", &arena)->op, HONE__OP_NOT);
  assert_int_equal(parse("not a and b", &arena)->op, HONE__OP_AND);
  hone__arena_release(&arena);
}

static void test_places(void **state)
{
  struct hone__arena arena = {0};
  struct hone__expr *expr = parse("  a + (b * -c) ", &arena);

  (void)state;
  assert_int_equal(expr->begin, 2);
  assert_int_equal(expr->end, 14);
  assert_int_equal(expr->args[1]->begin, 6);
  assert_int_equal(expr->args[1]->end, 14);
  assert_int_equal(expr->args[1]->args[1]->begin, 11);
  assert_int_equal(expr->args[1]->args[1]->end, 13);
  hone__arena_release(&arena);
}

/* ---- Syntax errors ---- */

static void test_syntax_errors(void **state)
{
  static const struct {
    const char *text;
    uint32_t offset;
    const char *message;
  } cases[] = {
      {"", 0, "empty expression"},
      {"  # nothing", 0, "empty expression"},
      {"a +", 3, "expected a value, found the end"},
      {"a + * b", 4, "expected a value, found '*'"},
      {"a b", 2, "unexpected 'b'"},
      {"(a", 2, "expected ')', found the end"},
      {"a)", 1, "unexpected ')'"},
      {"[a, b", 5, "expected ']', found the end"},
      {"a[b", 3, "expected ']', found the end"},
      {"a[]", 2, "expected a value, found ']'"},
      {"a = b", 2, "'=' is not an operator here; did you mean '=='?"},
      {"a; b", 1, "unexpected character ';'"},
      {"a == 'x", 5, "unterminated string: the closing quote is missing"},
      {"'a\\qb'", 2, "unknown escape in a string"},
      {"012", 0, "an integer cannot begin with 0 (write 0o17 for octal)"},
      {"1x", 0, "not a number"},
      {"1__0", 0, "not a number"},
      {"0b2", 0, "not a number"},
      {"a + 9223372036854775808", 4, "integer overflow: the number does not fit into 64 bits"},
      {"mni(1, 2)", 0, "unknown function 'mni'; did you mean 'min'?"},
      {"a + abs(1, 2)", 4, "'abs' takes 1 argument, not 2"},
      {"gcd(1)", 0, "'gcd' takes 2 arguments, not 1"},
      {"a if b", 6, "expected 'else', found the end"},
      {"[i for 3 in a]", 7, "expected a variable, found '3'"},
      {"[i for i a]", 9, "expected 'in', found 'a'"},
      {"lambda x: x", 0, "expected a value, found 'lambda'"},
      {"a and or b", 6, "expected a value, found 'or'"},
      {"1.x()", 0, "not a number"},
      {"'a'.upper()", 4, "unknown method 'upper'"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__arena arena = {0};
    struct hone__syntax_error error = {0};
    assert_null(hone__expression_parse(cases[i].text, &arena, &error));
    assert_string_equal(error.message, cases[i].message);
    if (error.offset != cases[i].offset) print_error("'%s'\n", cases[i].text);
    assert_int_equal(error.offset, cases[i].offset);
    hone__arena_release(&arena);
  }
}

static char *repeat(const char *text, size_t count)
{
  struct hone__text repeated = {0};

  for (size_t i = 0; i < count; i++)
    hone__text_add(&repeated, text);
  return hone__text_take(&repeated);
}

static void test_bounds(void **state)
{
  static const struct {
    const char *part;
    size_t count;
    const char *message;
  } cases[] = {
      {"(", 100000, "the expression is nested too deeply"},
      {"-", 100000, "the expression is nested too deeply"},
      {"not ", 100000, "the expression is nested too deeply"},
      {"[", 100000, "the expression is nested too deeply"},
      {"min(", 100000, "the expression is nested too deeply"},
      {"1 if 1 else ", 100000, "the expression is nested too deeply"},
      {"1+", 100000, "the expression is too long"},
      {"a<", 100000, "the expression is too long"},
      {"1<(", 119, "expected a value, found the end"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__arena arena = {0};
    struct hone__syntax_error error = {0};
    char *text = repeat(cases[i].part, cases[i].count);
    assert_null(hone__expression_parse(text, &arena, &error));
    assert_memory_equal(error.message, cases[i].message, strlen(cases[i].message));
    free(text);
    hone__arena_release(&arena);
  }
}

/* ---- Values ---- */

/* The value, or the fault. */
static void print_value(const char *text, struct hone__text *out_text)
{
  struct hone__arena arena = {0};
  struct hone__evaluator evaluator = {.arena = &arena};
  struct hone_value value;

  if (hone__evaluate(&evaluator, parse(text, &arena), &value))
    hone__value_repr(value, out_text);
  else
    hone__text_add(out_text, hone__fault_message(&evaluator, text, &arena));
  hone__arena_release(&arena);
}

static void test_python(void **state)
{
  static const struct {
    const char *text, *value;
  } cases[] = {
      {"7 // 2", "3"},
      {"-7 // 2", "-4"},
      {"7 // -2", "-4"},
      {"-7 // -2", "3"},
      {"7 % 3", "1"},
      {"-7 % 3", "2"},
      {"7 % -3", "-2"},
      {"-7 % -3", "-1"},
      {"0 % -3", "0"},
      {"7.5 // 2", "3.0"},
      {"-7.5 // 2", "-4.0"},
      {"7.5 // -2", "-4.0"},
      {"7.5 % 2", "1.5"},
      {"-7.5 % 2", "0.5"},
      {"7.5 % -2", "-0.5"},
      {"-1e-20 % 3", "3.0"},
      {"5.0 % -5", "-0.0"},
      {"-0.0", "-0.0"},
      {"0.0 * -1", "-0.0"},
      {"6 / 3", "2.0"},
      {"7 / 2", "3.5"},
      {"-7 / 2", "-3.5"},
      {"1 / 3", "0.3333333333333333"},
      {"9007199254740993 / 1", "9007199254740992.0"},
      {"9223372036854775807 / 9223372036854775807", "1.0"},
      {"2 ** 10", "1024"},
      {"2 ** 0", "1"},
      {"0 ** 0", "1"},
      {"(-2) ** 3", "-8"},
      {"-2 ** 2", "-4"},
      {"2 ** -1", "0.5"},
      {"(-2) ** -2", "0.25"},
      {"2 ** 0.5", "1.4142135623730951"},
      {"2.0 ** 3", "8.0"},
      {"2 ** 3 ** 2", "512"},
      {"(2 ** 3) ** 2", "64"},
      {"-2 ** -2", "-0.25"},
      {"2 ** 62", "4611686018427387904"},
      {"-2 ** 62 * 2", "-9223372036854775808"},
      {"1 + 2 * 3", "7"},
      {"(1 + 2) * 3", "9"},
      {"10 - 4 - 3", "3"},
      {"100 / 10 / 5", "2.0"},
      {"100 // 7 % 5", "4"},
      {"2 * 3 % 4", "2"},
      {"1 << 2 + 1", "8"},
      {"1 << 62", "4611686018427387904"},
      {"-1 << 3", "-8"},
      {"-8 >> 1", "-4"},
      {"-1 >> 70", "-1"},
      {"1 >> 64", "0"},
      {"6 & 3", "2"},
      {"6 | 3", "7"},
      {"6 ^ 3", "5"},
      {"~5", "-6"},
      {"1 | 2 ^ 3 & 4", "3"},
      {"1 + 1 << 2 & 7 | 8", "8"},
      {"-5 & 3", "3"},
      {"1 < 2 < 3", "True"},
      {"3 > 2 > 2", "False"},
      {"1 < 3 < 2", "False"},
      {"1 == 1.0 == True", "True"},
      {"1 < 2 == 2", "True"},
      {"1 != 2 != 1", "True"},
      {"not 1 == 2", "True"},
      {"not not 3", "True"},
      {"not 1 in [1, 2]", "False"},
      {"1 not in [1, 2]", "False"},
      {"2 in (1, 2)", "True"},
      {"'b' in 'abc'", "True"},
      {"'' in 'abc'", "True"},
      {"'x' not in 'abc'", "True"},
      {"1.0 in [1, 2]", "True"},
      {"9007199254740993 == 9007199254740992.0", "False"},
      {"9007199254740993 > 9007199254740992.0", "True"},
      {"9223372036854775807 < 9223372036854775808.0", "True"},
      {"9223372036854775807 == 9223372036854775808.0", "False"},
      {"-9223372036854775808.0 == -9223372036854775807 - 1", "True"},
      {"1 < 1.5 < 2", "True"},
      {"True + True", "2"},
      {"True == 1", "True"},
      {"False < 1", "True"},
      {"True * 2.5", "2.5"},
      {"'a' < 'b'", "True"},
      {"'a' < 'B'", "False"},
      {"'abc' < 'abd'", "True"},
      {"'1' == 1", "False"},
      {"'a' 'b' == 'ab'", "True"},
      {"None == None", "True"},
      {"None == 0", "False"},
      {"[1, 2] == [1.0, 2]", "True"},
      {"[1, 2] != [2, 1]", "True"},
      {"1 and 2", "2"},
      {"0 and 2", "0"},
      {"0 or 2", "2"},
      {"1 or 2", "1"},
      {"0 or ''", "''"},
      {"'' or 'x' and 3", "3"},
      {"1 or 0 and 0", "1"},
      {"not 0 or 1", "True"},
      {"0 and 1 // 0", "0"},
      {"1 or 1 // 0", "1"},
      {"1 if 0 else 2", "2"},
      {"1 if 0 else 2 if 0 else 3", "3"},
      {"(1 if 1 else 2) + 5", "6"},
      {"1 + 2 if 1 else 3", "3"},
      {"1 // 0 if 0 else 5", "5"},
      {"1 in [1] and 3", "3"},
      {"[1, 2, 3][0]", "1"},
      {"[1, 2, 3][-1]", "3"},
      {"[[1, 2], [3]][0][1]", "2"},
      {"[]", "[]"},
      {"[1, 'a', 2.5, None, True]", "[1, 'a', 2.5, None, True]"},
      {"(1,)[0]", "1"},
      {"[i * i for i in range(5)]", "[0, 1, 4, 9, 16]"},
      {"[i for i in range(10) if i % 3 == 0]", "[0, 3, 6, 9]"},
      {"[i + j for i in [1, 2] for j in [10, 20]]", "[11, 21, 12, 22]"},
      {"[i for i in range(3) if i if i > 1]", "[2]"},
      {"[[j for j in range(i)] for i in range(3)]", "[[], [0], [0, 1]]"},
      {"[i if i > 1 else -i for i in range(4)]", "[0, -1, 2, 3]"},
      {"list(range(3))", "[0, 1, 2]"},
      {"list(range(1, 10, 3))", "[1, 4, 7]"},
      {"list(range(10, 0, -4))", "[10, 6, 2]"},
      {"list(range(5, 5))", "[]"},
      {"list(range(-3))", "[]"},
      {"sum([1, 2.5])", "3.5"},
      {"sum(i for i in range(4))", "6"},
      {"sum([])", "0"},
      {"sorted([3, 1, 2.5])", "[1, 2.5, 3]"},
      {"sorted(['b', 'a'])", "['a', 'b']"},
      {"min(3, 1, 2)", "1"},
      {"max([1, 5, 3])", "5"},
      {"min(1, 1.0)", "1"},
      {"max(1.0, 1)", "1.0"},
      {"min('b', 'a')", "'a'"},
      {"any([0, 1])", "True"},
      {"any([])", "False"},
      {"all([1, 0])", "False"},
      {"all([])", "True"},
      {"abs(-3)", "3"},
      {"abs(-2.5)", "2.5"},
      {"abs(True)", "1"},
      {"len('abc')", "3"},
      {"len([1, 2])", "2"},
      {"ceil(2.1)", "3"},
      {"ceil(-2.1)", "-2"},
      {"floor(-2.1)", "-3"},
      {"floor(2)", "2"},
      {"ceil(7 / 2)", "4"},
      {"log2(8)", "3.0"},
      {"log2(10)", "3.321928094887362"},
      {"gcd(12, 18)", "6"},
      {"gcd(-12, 18)", "6"},
      {"gcd(0, 5)", "5"},
      {"int(2.9)", "2"},
      {"int(-2.9)", "-2"},
      {"int(True)", "1"},
      {"float(2)", "2.0"},
      {"bool(0)", "False"},
      {"bool('a')", "True"},
      {"bool([])", "False"},
      {"str(1.0)", "'1.0'"},
      {"str([1, 'a'])", "\"[1, 'a']\""},
      {"str(None)", "'None'"},
      {"round(2.5)", "2"},
      {"round(3.5)", "4"},
      {"round(-2.5)", "-2"},
      {"round(2.4)", "2"},
      {"pow(2, 5)", "32"},
      {"'abc'.startswith('ab')", "True"},
      {"'abc'.endswith('ab')", "False"},
      {"'a' + 'b'", "'ab'"},
      {"[1] + [2]", "[1, 2]"},
      {"[0] * 3", "[0, 0, 0]"},
      {"1_000", "1000"},
      {"0x_ff", "255"},
      {"0xfF", "255"},
      {"0o17", "15"},
      {"0b101", "5"},
      {"00", "0"},
      {"1.", "1.0"},
      {".5", "0.5"},
      {"1e3", "1000.0"},
      {"1E-3", "0.001"},
      {"1_0.5", "10.5"},
      {"'it''s'", "'its'"},
      {"\"it's\"", "\"it's\""},
      {"'a\\'b'", "\"a'b\""},
      {"'\\x41'", "'A'"},
      {"1 is 1", "True"},
      {"1 is not 2", "True"},
      {"0.1", "0.1"},
      {"0.1 + 0.2", "0.30000000000000004"},
      {"1e16", "1e+16"},
      {"1e15", "1000000000000000.0"},
      {"123456789012345680.0", "1.2345678901234568e+17"},
      {"9999999999999998.0", "9999999999999998.0"},
      {"1e22", "1e+22"},
      {"1e-4", "0.0001"},
      {"1e-5", "1e-05"},
      {"0.00012", "0.00012"},
      {"1.5e300", "1.5e+300"},
      {"1e300 * 10", "1e+301"},
      {"5e-324", "5e-324"},
      {"1.7976931348623157e308", "1.7976931348623157e+308"},
      {"100.0", "100.0"},
      {"1234.5", "1234.5"},
      {"3.0", "3.0"},
      {"2.0 ** 60", "1.152921504606847e+18"},
      {"1 / 3 * 3", "1.0"},
      {"1e100", "1e+100"},
  };

  size_t wrong = 0;

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__text text = {0};
    print_value(cases[i].text, &text);
    if (strcmp(text.data, cases[i].value) != 0) {
      print_error("'%s' is %s, not %s\n", cases[i].text, cases[i].value, text.data);
      wrong++;
    }
    hone__text_release(&text);
  }
  assert_int_equal(wrong, 0);
}

static void test_own_functions(void **state)
{
  static const struct {
    const char *text;
    int64_t value;
  } cases[] = {
      {"pow2(8)", true},   {"pow2(6)", false},       {"pow2(0)", false},
      {"pow2(-4)", false}, {"divides(3, 9)", true},  {"divides(3, 10)", false},
      {"pow2(1)", true},   {"divides(-3, 9)", true},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__arena arena = {0};
    struct hone__evaluator evaluator = {.arena = &arena};
    struct hone_value value;
    assert_true(hone__evaluate(&evaluator, parse(cases[i].text, &arena), &value));
    assert_int_equal(value.type, HONE_BOOL);
    assert_int_equal(value.integer, cases[i].value);
    hone__arena_release(&arena);
  }
}

static void test_faults(void **state)
{
  static const struct {
    const char *text;
    enum hone__fault fault;
    uint32_t begin, end; /* of the culprit */
  } cases[] = {
      {"1 + 2 // 0", HONE__FAULT_ZERO, 4, 10},
      {"1 % 0", HONE__FAULT_ZERO, 0, 5},
      {"1 / 0", HONE__FAULT_ZERO, 0, 5},
      {"1 / 0.0", HONE__FAULT_ZERO, 0, 7},
      {"1.5 // 0", HONE__FAULT_ZERO, 0, 8},
      {"1.5 % 0.0", HONE__FAULT_ZERO, 0, 9},
      {"0 ** -1", HONE__FAULT_ZERO, 0, 7},
      {"0.0 ** -1", HONE__FAULT_ZERO, 0, 9},
      {"9223372036854775807 + 1", HONE__FAULT_OVERFLOW, 0, 23},
      {"-9223372036854775807 - 2", HONE__FAULT_OVERFLOW, 0, 24},
      {"3037000500 * 3037000500", HONE__FAULT_OVERFLOW, 0, 23},
      {"-(-9223372036854775807 - 1)", HONE__FAULT_OVERFLOW, 0, 27},
      {"abs(-9223372036854775807 - 1)", HONE__FAULT_OVERFLOW, 0, 29},
      {"(-9223372036854775807 - 1) // -1", HONE__FAULT_OVERFLOW, 0, 32},
      {"2 ** 63", HONE__FAULT_OVERFLOW, 0, 7},
      {"2 ** 10 ** 9", HONE__FAULT_OVERFLOW, 0, 12},
      {"1 << 63", HONE__FAULT_OVERFLOW, 0, 7},
      {"1 << 100", HONE__FAULT_OVERFLOW, 0, 8},
      {"int(1e30)", HONE__FAULT_OVERFLOW, 0, 9},
      {"ceil(1e19)", HONE__FAULT_OVERFLOW, 0, 10},
      {"1 + 'a'", HONE__FAULT_TYPE, 0, 7},
      {"'a' - 'b'", HONE__FAULT_TYPE, 0, 9},
      {"-'a'", HONE__FAULT_TYPE, 0, 4},
      {"'a' < 1", HONE__FAULT_TYPE, 0, 7},
      {"None < 1", HONE__FAULT_TYPE, 0, 8},
      {"1 in 2", HONE__FAULT_TYPE, 0, 6},
      {"1 in 'a'", HONE__FAULT_TYPE, 0, 8},
      {"1.5 & 1", HONE__FAULT_TYPE, 0, 7},
      {"~1.5", HONE__FAULT_TYPE, 0, 4},
      {"1 << 1.0", HONE__FAULT_TYPE, 0, 8},
      {"len(3)", HONE__FAULT_TYPE, 0, 6},
      {"range(1.5)", HONE__FAULT_TYPE, 6, 9},
      {"sum(3)", HONE__FAULT_TYPE, 0, 6},
      {"sorted([1, 'a'])", HONE__FAULT_TYPE, 0, 16},
      {"1 << -1", HONE__FAULT_DOMAIN, 0, 7},
      {"log2(0)", HONE__FAULT_DOMAIN, 0, 7},
      {"log2(-1)", HONE__FAULT_DOMAIN, 0, 8},
      {"[1, 2][2]", HONE__FAULT_DOMAIN, 0, 9},
      {"[1, 2][-3]", HONE__FAULT_DOMAIN, 0, 10},
      {"min([])", HONE__FAULT_DOMAIN, 0, 7},
      {"range(1, 2, 0)", HONE__FAULT_DOMAIN, 0, 14},
      {"(-1) ** 0.5", HONE__FAULT_DOMAIN, 0, 11},
      {"int('12')", HONE__FAULT_TYPE, 0, 9},
      {"float('2.5')", HONE__FAULT_TYPE, 0, 12},
      {"'abc'[1]", HONE__FAULT_TYPE, 0, 8},
      {"1 + x", HONE__FAULT_NAME, 4, 5},
      {"[i for i in range(10**9)]", HONE__FAULT_LENGTH, 12, 24},
      {"[1] * 10**9", HONE__FAULT_LENGTH, 0, 11},
  };

  size_t wrong = 0;

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__arena arena = {0};
    struct hone__evaluator evaluator = {.arena = &arena};
    struct hone__expr none = {0};
    struct hone_value value;
    hone__evaluate(&evaluator, parse(cases[i].text, &arena), &value);
    if (!evaluator.culprit) evaluator.culprit = &none;
    if (evaluator.fault != cases[i].fault || evaluator.culprit->begin != cases[i].begin ||
        evaluator.culprit->end != cases[i].end) {
      print_error("'%s' gives '%s' at %u..%u\n", cases[i].text, hone__fault_text(evaluator.fault),
                  evaluator.culprit->begin, evaluator.culprit->end);
      wrong++;
    }
    hone__arena_release(&arena);
  }
  assert_int_equal(wrong, 0);
}

static bool lookup(void *data, const char *name, struct hone_value *out_value)
{
  (void)data;
  if (strcmp(name, "M") != 0 && strcmp(name, "device.warps") != 0) return false;
  *out_value = hone__int(*name == 'M' ? 256 : 32);
  return true;
}

static void test_names(void **state)
{
  struct hone__arena arena = {0};
  struct hone__evaluator evaluator = {.arena = &arena, .lookup = lookup};
  const char *wrong = "M + [M for M in [1]][0] + N";
  struct hone_value value;

  (void)state;
  assert_true(hone__evaluate(&evaluator, parse("M // device.warps + $M", &arena), &value));
  assert_int_equal(value.integer, 264);
  assert_true(hone__evaluate(&evaluator, parse("[M for M in [1]][0] + M", &arena), &value));
  assert_int_equal(value.integer, 257);
  assert_false(hone__evaluate(&evaluator, parse(wrong, &arena), &value));
  assert_string_equal(hone__fault_message(&evaluator, wrong, &arena), "unknown name 'N'");
  hone__arena_release(&arena);
}

static void test_ranges(void **state)
{
  static const struct {
    const char *text;
    int64_t start, step;
    uint64_t count;
  } cases[] = {
      {"range(10)", 0, 1, 10},
      {"range(3, 10, 4)", 3, 4, 2},
      {"range(10, 3, -4)", 10, -4, 2},
      {"range(3, 3)", 3, 1, 0},
      {"range(5, 1)", 5, 1, 0},
      {"list(range(10**18))", 0, 1, 1000000000000000000},
      {"range(-4611686018427387904, 4611686018427387903, 2)", -4611686018427387904, 2,
       4611686018427387904},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__arena arena = {0};
    struct hone__evaluator evaluator = {.arena = &arena};
    struct hone__range range = {0};
    assert_true(hone__evaluate_range(&evaluator, parse(cases[i].text, &arena), &range));
    assert_true(range.start == cases[i].start && range.step == cases[i].step);
    assert_true(range.count == cases[i].count);
    hone__arena_release(&arena);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tree),          cmocka_unit_test(test_not),
      cmocka_unit_test(test_places),        cmocka_unit_test(test_syntax_errors),
      cmocka_unit_test(test_bounds),        cmocka_unit_test(test_python),
      cmocka_unit_test(test_own_functions), cmocka_unit_test(test_faults),
      cmocka_unit_test(test_names),         cmocka_unit_test(test_ranges),
  };
  return cmocka_run_group_tests_name("expression", tests, NULL, NULL);
}
