/* The expected values of the scalar table are what PyYAML 6.0.3's safe_load gives; where it
 * resolves a scalar but then fails to construct it, the scalar itself. */
#include "base/text.h"
#include "spec/yaml.h"
#include "spec/yaml_scalar.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

struct loaded {
  struct hone__arena arena;
  struct hone__diagnostics diagnostics;
  struct hone__source source;
  struct hone__node *root;
};

static void load_bytes(struct loaded *loaded, const char *text, size_t size)
{
  *loaded = (struct loaded){.source = {.path = "t.yaml", .text = text, .size = size}};
  hone__yaml_parse(text, size, &loaded->source, &loaded->arena, &loaded->diagnostics,
                   &loaded->root);
  assert_true(!loaded->root || loaded->diagnostics.errors == 0);
}

static void load(struct loaded *loaded, const char *text)
{
  load_bytes(loaded, text, strlen(text));
}

static void unload(struct loaded *loaded)
{
  hone__diagnostics_release(&loaded->diagnostics);
  hone__arena_release(&loaded->arena);
}

/* {'a': 1, 'b': ['x', None]} */
static void print_node(const struct hone__node *node, struct hone__text *text)
{
  if (node->kind == HONE__SCALAR) {
    bool quoted = node->value.type == HONE_TEXT;
    if (quoted) hone__text_add(text, "'");
    hone__value_print(node->value, text);
    if (quoted) hone__text_add(text, "'");
    return;
  }
  hone__text_add(text, node->kind == HONE__MAPPING ? "{" : "[");
  for (size_t i = 0; i < node->count; i++) {
    if (i) hone__text_add(text, ", ");
    if (node->kind == HONE__MAPPING) {
      print_node(node->pairs[i].key, text);
      hone__text_add(text, ": ");
    }
    print_node(node->kind == HONE__MAPPING ? node->pairs[i].value : node->items[i], text);
  }
  hone__text_add(text, node->kind == HONE__MAPPING ? "}" : "]");
}

static void expect_tree(const char *yaml, const char *tree)
{
  struct hone__text text = {0};
  struct loaded loaded;

  load(&loaded, yaml);
  if (!loaded.root) print_message("no tree for: %s\n", yaml);
  assert_non_null(loaded.root);
  print_node(loaded.root, &text);
  assert_string_equal(text.data, tree);
  hone__text_release(&text);
  unload(&loaded);
}

static void expect_report(const struct loaded *loaded, enum hone__severity severity, size_t index,
                          uint32_t line, uint32_t column, const char *words)
{
  const struct hone__diagnostic *item = &loaded->diagnostics.items[index];

  assert_true(index < loaded->diagnostics.count);
  if (!strstr(item->message, words) || item->place.line != line || item->place.column != column)
    print_message("%u:%u: %s\n", item->place.line, item->place.column, item->message);
  assert_int_equal(item->severity, severity);
  assert_non_null(strstr(item->message, words));
  assert_int_equal(item->place.line, line);
  assert_int_equal(item->place.column, column);
}

static void expect_error_bytes(const char *yaml, size_t size, uint32_t line, uint32_t column,
                               const char *words)
{
  struct loaded loaded;

  load_bytes(&loaded, yaml, size);
  if (loaded.root || loaded.diagnostics.errors != 1) print_message("wrong for: %s\n", yaml);
  assert_null(loaded.root);
  assert_int_equal(loaded.diagnostics.errors, 1);
  expect_report(&loaded, HONE__ERROR, 0, line, column, words);
  unload(&loaded);
}

static void expect_error(const char *yaml, uint32_t line, uint32_t column, const char *words)
{
  expect_error_bytes(yaml, strlen(yaml), line, column, words);
}

/* ---- Scalars ------------------------------------------------------------------------------- */

/* clang-format off */
#define NONE {.type = HONE_NONE}
#define BOOL(b) {.type = HONE_BOOL, .integer = b}
#define INT(i) {.type = HONE_INT, .integer = i}
#define REAL(r) {.type = HONE_FLOAT, .real = r}
#define TEXT(t) {.type = HONE_TEXT, .text = t}
#define SAME TEXT(NULL) /* the scalar itself */

static const struct {
  const char *text;
  struct hone_value value;
} scalars[] = {
    {"", NONE},
    {"yes", BOOL(1)},
    {"Yes", BOOL(1)},
    {"YES", BOOL(1)},
    {"yEs", SAME},
    {"no", BOOL(0)},
    {"No", BOOL(0)},
    {"NO", BOOL(0)},
    {"nO", SAME},
    {"true", BOOL(1)},
    {"True", BOOL(1)},
    {"TRUE", BOOL(1)},
    {"tRUE", SAME},
    {"false", BOOL(0)},
    {"False", BOOL(0)},
    {"FALSE", BOOL(0)},
    {"on", BOOL(1)},
    {"On", BOOL(1)},
    {"ON", BOOL(1)},
    {"oN", SAME},
    {"off", BOOL(0)},
    {"Off", BOOL(0)},
    {"OFF", BOOL(0)},
    {"oFF", SAME},
    {"y", SAME},
    {"Y", SAME},
    {"n", SAME},
    {"N", SAME},
    {"t", SAME},
    {"f", SAME},
    {"null", NONE},
    {"Null", NONE},
    {"NULL", NONE},
    {"nULL", SAME},
    {"~", NONE},
    {"~~", SAME},
    {"none", SAME},
    {"None", SAME},
    {"nil", SAME},
    {"0", INT(0)},
    {"00", INT(0)},
    {"-0", INT(0)},
    {"+0", INT(0)},
    {"1", INT(1)},
    {"-1", INT(-1)},
    {"+1", INT(1)},
    {"12", INT(12)},
    {"-12", INT(-12)},
    {"+12", INT(12)},
    {"007", INT(7)},
    {"010", INT(8)},
    {"-010", INT(-8)},
    {"+010", INT(8)},
    {"0_7", INT(7)},
    {"0_", INT(0)},
    {"0__", INT(0)},
    {"08", SAME},
    {"09", SAME},
    {"019", SAME},
    {"0o17", SAME},
    {"018", SAME},
    {"1_000", INT(1000)},
    {"1__0", INT(10)},
    {"1_", INT(1)},
    {"_1", SAME},
    {"-_1", SAME},
    {"-1_000", INT(-1000)},
    {"+1_0", INT(10)},
    {"1,000", SAME},
    {"0b0", INT(0)},
    {"0b1", INT(1)},
    {"0b101", INT(5)},
    {"-0b101", INT(-5)},
    {"+0b101", INT(5)},
    {"0b1_0", INT(2)},
    {"0b_1", INT(1)},
    {"0b", SAME},
    {"0b2", SAME},
    {"0b_", SAME},
    {"0B1", SAME},
    {"0x0", INT(0)},
    {"0x10", INT(16)},
    {"0xFF", INT(255)},
    {"0xff", INT(255)},
    {"-0x1F", INT(-31)},
    {"+0x1f", INT(31)},
    {"0x_F", INT(15)},
    {"0x", SAME},
    {"0x_", SAME},
    {"0xG", SAME},
    {"0X10", SAME},
    {"0x1_0", INT(16)},
    {"1:30", INT(90)},
    {"1:30:00", INT(5400)},
    {"190:20:30", INT(685230)},
    {"-1:30", INT(-90)},
    {"+1:30", INT(90)},
    {"0:30", SAME},
    {"01:30", SAME},
    {"1:60", SAME},
    {"1:5", INT(65)},
    {"1:59", INT(119)},
    {"1:5:9", INT(3909)},
    {"1:1:1:1", INT(219661)},
    {"1_0:30", INT(630)},
    {"10:59:59", INT(39599)},
    {":30", SAME},
    {"1:99", SAME},
    {"1:005", SAME},
    {"60:00", INT(3600)},
    {"1:-30", SAME},
    {"9223372036854775807", INT(9223372036854775807)},
    {"9223372036854775808", TEXT("9223372036854775808")},
    {"-9223372036854775808", INT(INT64_MIN)},
    {"-9223372036854775809", TEXT("-9223372036854775809")},
    {"18446744073709551616", TEXT("18446744073709551616")},
    {"+18446744073709551616", TEXT("18446744073709551616")},
    {"1_8446744073709551616", TEXT("18446744073709551616")},
    {"100000000000000000000000000000", TEXT("100000000000000000000000000000")},
    {"0x7fffffffffffffff", INT(9223372036854775807)},
    {"0x8000000000000000", TEXT("9223372036854775808")},
    {"-0x8000000000000000", INT(INT64_MIN)},
    {"0xffffffffffffffff", TEXT("18446744073709551615")},
    {"0xffffffffffffffffffffffff", TEXT("79228162514264337593543950335")},
    {"01777777777777777777777", TEXT("18446744073709551615")},
    {"0777777777777777777777", INT(9223372036854775807)},
    {"0b111111111111111111111111111111111111111111111111111111111111111111", TEXT("73786976294838206463")},
    {"999999999999999999:59", TEXT("59999999999999999999")},
    {"1000000000000000000000000:30", TEXT("60000000000000000000000030")},
    {"1.", REAL(0x1.0000000000000p+0)},
    {"1.0", REAL(0x1.0000000000000p+0)},
    {"-1.5", REAL(-0x1.8000000000000p+0)},
    {"+1.5", REAL(0x1.8000000000000p+0)},
    {"0.1", REAL(0x1.999999999999ap-4)},
    {".5", REAL(0x1.0000000000000p-1)},
    {".5_0", REAL(0x1.0000000000000p-1)},
    {"-.5", SAME},
    {"+.5", SAME},
    {".", SAME},
    {"..", SAME},
    {"._", SAME},
    {"._5", SAME},
    {"1_0.5", REAL(0x1.5000000000000p+3)},
    {"1_._", REAL(0x1.0000000000000p+0)},
    {"1.5_", REAL(0x1.8000000000000p+0)},
    {"1._5", REAL(0x1.8000000000000p+0)},
    {"00.5", REAL(0x1.0000000000000p-1)},
    {"09.5", REAL(0x1.3000000000000p+3)},
    {"1e3", SAME},
    {"1E3", SAME},
    {"1e+3", SAME},
    {"1.e3", SAME},
    {"1.0e3", SAME},
    {"1.0e+3", REAL(0x1.f400000000000p+9)},
    {"1.0e-3", REAL(0x1.0624dd2f1a9fcp-10)},
    {"1.0E+3", REAL(0x1.f400000000000p+9)},
    {"1.e+3", REAL(0x1.f400000000000p+9)},
    {".5e+3", REAL(0x1.f400000000000p+8)},
    {".5e3", SAME},
    {".5E-3", REAL(0x1.0624dd2f1a9fcp-11)},
    {"1_0.0e+1_0", SAME},
    {"1.0e+", SAME},
    {"1.0e", SAME},
    {"1.5e+400", REAL(INFINITY)},
    {"-1.5e+400", REAL(-INFINITY)},
    {"1.0e-400", REAL(0x0.0p+0)},
    {"-0.0", REAL(-0x0.0p+0)},
    {"0.0", REAL(0x0.0p+0)},
    {"1.7976931348623157e+308", REAL(0x1.fffffffffffffp+1023)},
    {"4.9e-324", REAL(0x0.0000000000001p-1022)},
    {"2.2250738585072014e-308", REAL(0x1.0000000000000p-1022)},
    {"123456789012345678.0", REAL(0x1.b69b4ba630f35p+56)},
    {"0.1000000000000000055511151231257827", REAL(0x1.999999999999ap-4)},
    {"3.14159_26535", REAL(0x1.921fb54411744p+1)},
    {"1:30.5", REAL(0x1.6a00000000000p+6)},
    {"1:30.", REAL(0x1.6800000000000p+6)},
    {"190:20:30.15", REAL(0x1.4e95c4ccccccdp+19)},
    {"-190:20:30.15", REAL(-0x1.4e95c4ccccccdp+19)},
    {"0:30.5", REAL(0x1.e800000000000p+4)},
    {"01:30.5", REAL(0x1.6a00000000000p+6)},
    {"1:60.5", SAME},
    {"1_0:30.5_0", REAL(0x1.3b40000000000p+9)},
    {"1:5.5", REAL(0x1.0600000000000p+6)},
    {"1:30.5e+3", SAME},
    {".inf", REAL(INFINITY)},
    {".Inf", REAL(INFINITY)},
    {".INF", REAL(INFINITY)},
    {".iNF", SAME},
    {"-.inf", REAL(-INFINITY)},
    {"+.inf", REAL(INFINITY)},
    {"-.Inf", REAL(-INFINITY)},
    {"+.INF", REAL(INFINITY)},
    {"inf", SAME},
    {"-inf", SAME},
    {".nan", REAL(NAN)},
    {".NaN", REAL(NAN)},
    {".NAN", REAL(NAN)},
    {".Nan", SAME},
    {"-.nan", SAME},
    {"+.nan", SAME},
    {"nan", SAME},
    {"NaN", SAME},
    {"2024-01-02", TEXT("2024-01-02")},
    {"2024-1-2", SAME},
    {"2024-12-31", TEXT("2024-12-31")},
    {"2024-02-29", TEXT("2024-02-29")},
    {"2023-02-29", SAME},
    {"2024-13-01", SAME},
    {"2024-00-10", SAME},
    {"2024-01-32", SAME},
    {"0000-01-01", SAME},
    {"0001-01-01", TEXT("0001-01-01")},
    {"9999-12-31", TEXT("9999-12-31")},
    {"24-01-02", SAME},
    {"2024-01-021", SAME},
    {"2024-01", SAME},
    {"2001-12-14t21:59:43.10-05:00", TEXT("2001-12-14 21:59:43.100000-05:00")},
    {"2001-12-15T02:59:43.1Z", TEXT("2001-12-15 02:59:43.100000+00:00")},
    {"2001-12-14T21:59:43", TEXT("2001-12-14 21:59:43")},
    {"2001-1-4T1:59:43", TEXT("2001-01-04 01:59:43")},
    {"2001-12-14T21:59:43.1234567", TEXT("2001-12-14 21:59:43.123456")},
    {"2001-12-14T21:59:43.000", TEXT("2001-12-14 21:59:43")},
    {"2001-12-14T21:59:43.", TEXT("2001-12-14 21:59:43")},
    {"2001-12-14T21:59:43+1", TEXT("2001-12-14 21:59:43+01:00")},
    {"2001-12-14T21:59:43-00:00", TEXT("2001-12-14 21:59:43+00:00")},
    {"2001-12-14T21:59:43+23:59", TEXT("2001-12-14 21:59:43+23:59")},
    {"2001-12-14T21:59:43+24:00", SAME},
    {"2001-12-14T24:00:00", SAME},
    {"2001-12-14T21:60:00", SAME},
    {"2001-12-14T21:59:60", SAME},
    {"2001-12-14T21:59:43z", SAME},
    {"2001-12-14T21:59", SAME},
    {"2001-12-14T21:59:43+5:3", SAME},
    {"2001-12-14T21:59:43+05:30", TEXT("2001-12-14 21:59:43+05:30")},
    {"a", SAME},
    {"abc", SAME},
    {"1a", SAME},
    {"1.2.3", SAME},
    {"1.2.3.4", SAME},
    {"v1", SAME},
    {"-a", SAME},
    {"+a", SAME},
    {"+", SAME},
    {"1-2", SAME},
    {"1+2", SAME},
    {"2*8", SAME},
    {"2**18", SAME},
    {"128x128", SAME},
    {"float16", SAME},
    {"=", SAME},
    {"==", SAME},
    {"<", SAME},
    {"<=", SAME},
    {"0-0", SAME},
    {"1/2", SAME},
    {"50%", SAME},
    {"1.5f", SAME},
    {"1f", SAME},
    {"12e", SAME},
    {"0e0", SAME},
    {"0e+0", SAME},
    {"DType.float16", SAME},
    {"$x", SAME},
    {"--", SAME},
    {"\303\251", SAME},
    {"2001-12-14 21:59:43", TEXT("2001-12-14 21:59:43")},
    {"2001-12-14 21:59:43.10 -5", TEXT("2001-12-14 21:59:43.100000-05:00")},
    {"2001-12-14 21:59:43 +5:30", TEXT("2001-12-14 21:59:43+05:30")},
    {"2001-12-14", TEXT("2001-12-14")},
    {"a b", SAME},
    {"1 2", SAME},
    {"yes no", SAME},
    {"null null", SAME},
    {"1 000", SAME},
    {"4 * 4", SAME},
    {"4096*4096", SAME},
};
/* clang-format on */

static void expect_scalar(const char *text, struct hone_value got, struct hone_value want)
{
  if (got.type != want.type) print_message("the type of '%s' is wrong\n", text);
  assert_int_equal(got.type, want.type);
  if (want.type == HONE_TEXT) {
    assert_string_equal(got.text, want.text ? want.text : text);
  } else if (want.type == HONE_FLOAT) {
    assert_int_equal(isnan(got.real), isnan(want.real));
    assert_int_equal(signbit(got.real), signbit(want.real));
    if (!isnan(want.real)) assert_true(got.real == want.real);
  } else if (want.type != HONE_NONE) {
    if (got.integer != want.integer) print_message("'%s' is wrong\n", text);
    assert_true(got.integer == want.integer);
  }
}

static void test_plain_scalars(void **state)
{
  struct hone__arena arena = {0};

  (void)state;
  for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
    expect_scalar(scalars[i].text, hone__yaml_resolve(scalars[i].text, &arena), scalars[i].value);
  hone__arena_release(&arena);
}

/* The same through the parser, where the text arrives as a plain scalar. */
static void test_plain_scalars_in_a_file(void **state)
{
  struct hone__text yaml = {0};
  struct loaded loaded;
  size_t count = sizeof scalars / sizeof *scalars;

  (void)state;
  for (size_t i = 0; i < count; i++)
    hone__text_addf(&yaml, "- %s\n", scalars[i].text);
  load(&loaded, yaml.data);
  assert_non_null(loaded.root);
  assert_int_equal(loaded.root->count, count);
  for (size_t i = 0; i < count; i++) {
    assert_true(loaded.root->items[i]->plain);
    assert_string_equal(loaded.root->items[i]->text, scalars[i].text);
    expect_scalar(scalars[i].text, loaded.root->items[i]->value, scalars[i].value);
  }
  unload(&loaded);
  hone__text_release(&yaml);
}

static void test_long_numbers_stay_text(void **state)
{
  struct hone__arena arena = {0};
  char digits[1000];

  (void)state;
  memset(digits, '1', sizeof digits);
  memcpy(digits, "0x", 2);
  digits[sizeof digits - 1] = 0;
  assert_ptr_equal(hone__yaml_resolve(digits, &arena).text, digits);
  digits[128] = 0;
  assert_int_equal(strlen(hone__yaml_resolve(digits, &arena).text), 151);
  memcpy(digits, "1.", 2);
  assert_int_equal(hone__yaml_resolve(digits, &arena).type, HONE_FLOAT);
  hone__arena_release(&arena);
}

static void test_quoted_scalars_are_text(void **state)
{
  struct loaded loaded;

  (void)state;
  expect_tree("['12', \"yes\", \"\", '']", "['12', 'yes', '', '']");
  expect_tree("a: |\n  12\nb: >-\n  12\n", "{'a': '12\n', 'b': '12'}");
  expect_tree("\"\\x41\\u00e9\\n\"", "'A\xc3\xa9\n'");
  expect_tree("'it''s'", "'it's'");
  load(&loaded, "- x\n- 'x'\n- |\n  x\n");
  assert_true(loaded.root->items[0]->plain);
  assert_false(loaded.root->items[1]->plain);
  assert_false(loaded.root->items[2]->plain);
  assert_string_equal(loaded.root->items[2]->text, "x\n");
  unload(&loaded);
}

static void test_tags(void **state)
{
  (void)state;
  expect_tree("!!str 12", "'12'");
  expect_tree("!!str", "''");
  expect_tree("[!!int '12', !!int 0x10, !!int \"1:30\"]", "[12, 16, 90]");
  expect_tree("[!!float 1, !!float '1e3', !!float 1:30, !!float inf, !!float -.5, !!float .inf]",
              "[1.0, 1000.0, 90.0, inf, -0.5, inf]");
  expect_tree("[!!bool 'yes', !!bool oFF]", "[True, False]");
  expect_tree("[!!null x, !!null '']", "[None, None]");
  expect_tree("[! 12, ! '12']", "[12, 12]"); /* as PyYAML has it */
  expect_tree("!!map {a: !!seq [1]}", "{'a': [1]}");
  expect_tree("%TAG !y! tag:yaml.org,2002:\n---\n!y!str 5", "'5'");
  expect_tree("!<tag:yaml.org,2002:str> 5", "'5'");
  expect_error("a: !!int x", 1, 10, "'x' does not match its tag '!!int'");
  expect_error("a: !!float x", 1, 12, "'x' does not match its tag '!!float'");
  expect_error("a: !!float .", 1, 12, "'.' does not match its tag '!!float'");
  expect_error("a: !!bool 1", 1, 11, "'1' does not match its tag '!!bool'");
  expect_error("a: !!set {x}", 1, 4, "the tag '!!set' is not supported here");
  expect_error("a: !!timestamp 2024-01-02", 1, 16, "the tag '!!timestamp'");
  expect_error("a:\n - !foo x", 2, 9, "the tag '!foo' is not supported here");
  expect_error("!!str [1]", 1, 1, "the tag '!!str' is not supported here");
  expect_error("!!seq {}", 1, 1, "the tag '!!seq' is not supported here");
  expect_error("!x!y 1", 1, 1, "no %TAG line defines");
}

/* ---- Mappings ------------------------------------------------------------------------------ */

static void test_merge(void **state)
{
  (void)state;
  expect_tree("{Z: 9, <<: {A: 1, B: [1, 2]}, B: 7}", "{'A': 1, 'B': 7, 'Z': 9}");
  expect_tree("x: &x {A: 1}\ny:\n  B: 2\n  <<: *x\n", "{'x': {'A': 1}, 'y': {'A': 1, 'B': 2}}");
  /* of a list, the earlier ones win; the last one's keys come first */
  expect_tree("{<<: [{a: 1, b: 1}, {b: 2, c: 2}]}", "{'b': 1, 'c': 2, 'a': 1}");
  expect_tree("l: &l\n- x: 1\n- y: 2\nm:\n  <<: *l\n",
              "{'l': [{'x': 1}, {'y': 2}], 'm': {'y': 2, 'x': 1}}");
  expect_tree("{<<: {a: 1}, <<: {a: 2, b: 3}}", "{'a': 2, 'b': 3}");
  expect_tree("a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nc: {<<: *b, z: 3}\n",
              "{'a': {'x': 1}, 'b': {'x': 1, 'y': 2}, 'c': {'x': 1, 'y': 2, 'z': 3}}");
  expect_tree("{<<: []}", "{}");
  expect_tree("{<<: {}}", "{}");
  /* only a plain << as a key merges */
  expect_tree("{'<<': {a: 1}}", "{'<<': {'a': 1}}");
  expect_tree("{!!str <<: {a: 1}}", "{'<<': {'a': 1}}");
  expect_tree("[<<, =]", "['<<', '=']");
  expect_tree("{=: 1}", "{'=': 1}");
  expect_error("a: 1\n<<: 5", 2, 1, "'<<' takes a mapping or a list of mappings, not an integer");
  expect_error("<<:", 1, 1, "'<<' takes a mapping or a list of mappings, not nothing");
  expect_error("<<: [{a: 1}, x]", 1, 1, "'<<' takes a list of mappings, but this list holds text");
}

static void test_merge_by_value(void **state)
{
  (void)state;
  expect_tree("{<<: {1: a, x: b}, 0x1: c}", "{1: 'c', 'x': 'b'}");
  expect_tree("{<<: {1: a}, true: c}", "{1: 'c'}"); /* the first key stays */
  expect_tree("{<<: {true: a}, 1.0: c}", "{True: 'c'}");
  expect_tree("{<<: {1: a}, '1': c}", "{1: 'a', '1': 'c'}");
  expect_tree("{<<: {~: a}, null: c}", "{None: 'c'}");
}

/* The key of an overridden pair is the explicit one, for the sake of messages. */
static void test_merge_places(void **state)
{
  struct loaded loaded;

  (void)state;
  load(&loaded, "x: &x {A: 1}\ny:\n  <<: *x\n  A: 2\n");
  assert_int_equal(loaded.root->pairs[1].value->pairs[0].key->place.line, 4);
  assert_int_equal(loaded.diagnostics.count, 0);
  unload(&loaded);
}

static void test_duplicate_keys(void **state)
{
  struct loaded loaded;

  (void)state;
  load(&loaded, "a: 1\nb: 2\n\na: 3\n");
  assert_non_null(loaded.root);
  assert_int_equal(loaded.root->count, 2);
  assert_int_equal(hone__node_get(loaded.root, "a")->value.integer, 3);
  assert_string_equal(loaded.root->pairs[0].key->text, "a");
  assert_int_equal(loaded.diagnostics.count, 1);
  expect_report(&loaded, HONE__WARNING, 0, 4, 1,
                "duplicate key 'a' in this mapping (first on line 1); the last value counts");
  unload(&loaded);
  expect_tree("{1: a, 1.0: b, 0x1: c}", "{1: 'c'}");
  expect_tree("{.nan: a, .nan: b}", "{nan: 'a', nan: 'b'}");
}

static void test_many_duplicates_are_few_warnings(void **state)
{
  struct hone__text yaml = {0};
  struct loaded loaded;

  (void)state;
  for (int i = 0; i < 1000; i++)
    hone__text_addf(&yaml, "k%d: %d\n", i % 500, i);
  load(&loaded, yaml.data);
  assert_non_null(loaded.root);
  assert_int_equal(loaded.root->count, 500);
  assert_int_equal(loaded.root->pairs[7].value->value.integer, 507);
  assert_int_equal(loaded.diagnostics.count, 20);
  unload(&loaded);
  hone__text_release(&yaml);
}

static void test_keys_are_scalars(void **state)
{
  (void)state;
  expect_error("a: {[1]: 2}", 1, 5, "a key must be text or a number, not a list");
  expect_error("{{x}: 1}", 1, 2, "a key must be text or a number, not a mapping");
  expect_error("a: &a [1]\n*a : 1", 2, 1, "a key must be text or a number, not a list");
  expect_tree("- &k x\n- {*k : 1}", "['x', {'x': 1}]");
}

static void test_get(void **state)
{
  struct loaded loaded;

  (void)state;
  load(&loaded, "{a: 1, 2: b, yes: c, '2': d}");
  assert_int_equal(hone__node_get(loaded.root, "a")->value.integer, 1);
  assert_string_equal(hone__node_get(loaded.root, "2")->text, "d");
  assert_string_equal(hone__node_get(loaded.root, "yes")->text, "c"); /* a name, such as "off" */
  assert_null(hone__node_get(loaded.root, "x"));
  assert_null(hone__node_get(hone__node_get(loaded.root, "a"), "x"));
  unload(&loaded);
}

static void test_kind_names(void **state)
{
  static const char *const names[] = {"a mapping",  "a list",  "nothing", "a boolean",
                                      "an integer", "a float", "text"};
  struct loaded loaded;

  (void)state;
  load(&loaded, "[{}, [], ~, on, 1, 1.5, x]");
  for (size_t i = 0; i < loaded.root->count; i++)
    assert_string_equal(hone__node_kind_name(loaded.root->items[i]), names[i]);
  unload(&loaded);
}

/* ---- Anchors ------------------------------------------------------------------------------- */

static void test_aliases(void **state)
{
  struct loaded loaded;

  (void)state;
  load(&loaded, "- &a [1]\n- *a\n- x\n");
  assert_ptr_equal(loaded.root->items[0], loaded.root->items[1]);
  assert_true(loaded.root->items[0]->anchored);
  assert_false(loaded.root->items[2]->anchored);
  unload(&loaded);
  expect_error("a: &a [*a]", 1, 8, "alias '*a' is used inside its own value");
  expect_error("a: &a\n  b: {<<: *a}", 2, 11, "alias '*a' is used inside its own value");
  expect_error("a: *b", 1, 4, "unknown alias '*b': no anchor '&b' is defined before it");
  expect_error("x: &common 1\ny: *comon", 2, 4, "unknown alias '*comon'; did you mean '*common'?");
  expect_error("- &a 1\n- &a 2", 2, 6, "duplicate anchor '&a'; first defined on line 1");
  expect_error("f: *.cu", 1, 4, "'*' and '&' take a name");
}

/* ---- Documents ----------------------------------------------------------------------------- */

static void test_documents(void **state)
{
  static const char *const nothing[] = {"", "\n\n", "# only this\n", "\xef\xbb\xbf", "  \n"};
  struct loaded loaded;

  (void)state;
  for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
    load(&loaded, nothing[i]);
    assert_null(loaded.root);
    assert_int_equal(loaded.diagnostics.count, 0);
    unload(&loaded);
  }
  expect_tree("---\na: 1\n...\n", "{'a': 1}");
  expect_tree("---\n", "None");
  expect_tree("%YAML 1.1\n---\na\n", "'a'");
  expect_tree("\xef\xbb\xbf"
              "a: 1\n",
              "{'a': 1}");
  expect_tree("a: 1\r\nb:\r\n  - x\r\n", "{'a': 1, 'b': ['x']}");
  expect_error("a: 1\n---\nb: 2\n", 2, 1, "a second document begins here");
}

static void test_several_errors(void **state)
{
  struct loaded loaded;

  (void)state;
  load(&loaded, "a: *x\nb: !foo 1\nc: {[1]: 2}\n");
  assert_null(loaded.root);
  assert_int_equal(loaded.diagnostics.errors, 3);
  expect_report(&loaded, HONE__ERROR, 0, 1, 4, "unknown alias '*x'");
  expect_report(&loaded, HONE__ERROR, 1, 2, 9, "the tag '!foo'");
  expect_report(&loaded, HONE__ERROR, 2, 3, 5, "a key must be");
  unload(&loaded);
}

static void test_syntax_errors(void **state)
{
  (void)state;
  expect_error("a:\n\tb: 1\n", 2, 1, "a tab is used for indentation; use spaces");
  expect_error("a:\n  b: 1\n\tc: 2\n", 3, 1, "a tab is used for indentation");
  expect_error("a:\n- b\n\t- c\n", 3, 1, "a tab is used for indentation");
  expect_error("a: |\n\tx\n", 2, 1, "a tab is used for indentation");
  expect_error("a: @x\n", 1, 4, "text cannot begin with '@'; put it in quotes");
  expect_error("a: `x\n", 1, 4, "text cannot begin with '`'");
  expect_error("a: b: c\n", 1, 5, "a ':' is not expected here");
  expect_error("a: 'x\nb: 1\n", 1, 4, "unterminated quoted text");
  expect_error("a: \"x\n---\n", 1, 4, "unterminated quoted text");
  expect_error("a: \"\\q\"\n", 1, 5, "unknown escape in double quotes");
  expect_error("a: \"\\xZZ\"\n", 1, 7, "hexadecimal digits");
  expect_error("a: \"\\ud800\"\n", 1, 7, "this escape is not a Unicode character");
  expect_error("a: [1, 2\nb: 3\n", 2, 2,
               "a ',' or ']' is missing in the list that begins at line 1");
  expect_error("a: {x: y_{N}.npy}\n", 1, 10,
               "a ',' or '}' is missing in the mapping that begins at line 1; text that holds '{' "
               "needs quotes");
  expect_error("a: {x: 1\nb: 3\n", 2, 2, "a ',' or '}' is missing in the mapping that begins at");
  expect_error("a: 1\nb\nc: 2\n", 2, 1, "this is not 'key: value'");
  expect_error(
      "a:\n    b: 1\n  c: 2\n", 3, 3,
      "this does not continue the mapping that begins at line 1; is the indentation right?");
  expect_error("- a\nb: 1\n", 2, 1, "this does not continue the list that begins at line 1");
  expect_error("a: - b\n", 1, 4, "a list entry '- ' is not allowed here");
  expect_error("[1]\na: 1\n", 2, 1, "unexpected text after the end of the document");
  expect_error("a: ]\n", 1, 4, "a value is missing here");
  expect_error("a: | x\n  y\n", 1, 6, "only a comment is allowed here");
  expect_error("%FOO 1\n---\na\n", 1, 1, "unknown directive");
  expect_error("%YAML 3.0\n---\na\n", 1, 1, "this version of YAML is not supported");
  expect_error("a: \"x\\0y\"\n", 1, 4, "text cannot hold a NUL character");
}

static void test_not_text(void **state)
{
  (void)state;
  expect_error_bytes("a: b\0c\n", 7, 1, 5, "this is not a text file: it holds a NUL byte");
  expect_error_bytes("\x7f"
                     "ELF\0\0",
                     6, 1, 1, "control character U+007F");
  expect_error_bytes("\xff\xfe"
                     "a\0",
                     4, 1, 1, "this is UTF-16 text; save it as UTF-8");
  expect_error("a: 1\nb: \xe9t\xe9\n", 2, 4, "this is not UTF-8 text: it holds the byte 0xe9");
  expect_error("a: \xc0\x80\n", 1, 4, "not UTF-8");
  expect_error("a: \xed\xa0\x80\n", 1, 4, "not UTF-8");
  expect_error("a: \xf4\x90\x80\x80\n", 1, 4, "not UTF-8");
  expect_error("a: \xe2\x82", 1, 4, "not UTF-8");
  expect_error("a: \x1b[0m\n", 1, 4, "the control character U+001B is not allowed in YAML");
  expect_tree("\xe2\x82\xac: \xf0\x9f\x98\x80", "{'\xe2\x82\xac': '\xf0\x9f\x98\x80'}");
}

/* ---- Places -------------------------------------------------------------------------------- */

static void expect_place(const struct hone__node *node, uint32_t line, uint32_t column)
{
  assert_int_equal(node->place.line, line);
  assert_int_equal(node->place.column, column);
}

static void test_places(void **state)
{
  struct loaded loaded;
  const struct hone__node *list;

  (void)state;
  load(&loaded, "a: 1\r\nlist:\r\n  - x\r\n  - 'y'\r\n  - &z !!str zed\r\n  - &q\r\n    w\r\n");
  list = loaded.root->pairs[1].value;
  expect_place(loaded.root, 1, 1);
  expect_place(loaded.root->pairs[0].value, 1, 4);
  expect_place(loaded.root->pairs[1].key, 2, 1);
  expect_place(list, 3, 3);
  expect_place(list->items[0], 3, 5);
  expect_place(list->items[1], 4, 5);
  expect_place(list->items[2], 5, 14);
  expect_place(list->items[3], 6, 5);
  unload(&loaded);
}

/* Columns count bytes; only \n ends a line, though libyaml knows more line breaks. */
static void test_places_beyond_ascii(void **state)
{
  struct loaded loaded;

  (void)state;
  load(&loaded, "{\xc3\xa9: \xe2\x82\xac, b: 1}\n");
  expect_place(loaded.root->pairs[0].value, 1, 6);
  expect_place(loaded.root->pairs[1].key, 1, 11);
  unload(&loaded);
  load(&loaded, "- a\xe2\x80\xa8- b\n- \xc3\xa9\xc2\x85- d\n");
  assert_int_equal(loaded.root->count, 4);
  expect_place(loaded.root->items[1], 1, 9);
  expect_place(loaded.root->items[2], 2, 3);
  expect_place(loaded.root->items[3], 2, 9);
  unload(&loaded);
  expect_error("\xc3\xa9: 'x\n\xc3\xa9", 1, 5, "unterminated quoted text");
}

/* Lines inside messages are those of the file that the user sees. */
static void test_places_through_a_map(void **state)
{
  static const struct hone__source_origin map[] = {{10, 8}, {20, 8}, {30, 8}};
  const char *yaml = "a: 1\na: [\n";
  struct loaded loaded = {.source = {.path = "k.cu", .line_map = map, .line_count = 3}};
  char *text;

  (void)state;
  hone__yaml_parse(yaml, strlen(yaml), &loaded.source, &loaded.arena, &loaded.diagnostics,
                   &loaded.root);
  text = hone__diagnostics_text(&loaded.diagnostics, HONE__ERROR);
  assert_string_equal(text, "k.cu:30:9: error: the text ends here; is a ']' or '}' missing?\n");
  free(text);
  unload(&loaded);
}

/* ---- Bounds -------------------------------------------------------------------------------- */

static void repeat(struct hone__text *text, const char *string, size_t count)
{
  for (size_t i = 0; i < count; i++)
    hone__text_add(text, string);
}

static void test_depth(void **state)
{
  struct hone__text yaml = {0};

  (void)state;
  repeat(&yaml, "[", 100);
  repeat(&yaml, "]", 100);
  expect_tree(yaml.data, yaml.data);
  yaml.length = 0;
  repeat(&yaml, "[", 101);
  expect_error(yaml.data, 1, 101, "nested too deeply: more than 100 levels");
  yaml.length = 0;
  repeat(&yaml, "- ", 5000);
  expect_error(yaml.data, 1, 201, "nested too deeply");
  yaml.length = 0;
  hone__text_add(&yaml, "- &a0 [x]\n");
  for (int i = 1; i < 120; i++)
    hone__text_addf(&yaml, "- &a%d [*a%d]\n", i, i - 1);
  expect_error(yaml.data, 100, 9, "nested too deeply");
  hone__text_release(&yaml);
}

static void test_billion_laughs(void **state)
{
  struct hone__text yaml = {0};

  (void)state;
  hone__text_add(&yaml, "- &a0 [x,x,x,x,x,x,x,x,x,x]\n");
  for (int i = 1; i < 20; i++) {
    hone__text_addf(&yaml, "- &a%d [", i);
    for (int j = 0; j < 10; j++)
      hone__text_addf(&yaml, "*a%d,", i - 1);
    hone__text_add(&yaml, "]\n");
  }
  expect_error(yaml.data, 7, 8, "the file is too large: more than 2 million values");
  yaml.length = 0;
  hone__text_add(&yaml, "- &a0 {x: 1, y: 2}\n");
  for (int i = 1; i < 30; i++) {
    hone__text_addf(&yaml, "- &a%d {<<: [", i);
    for (int j = 0; j < 10; j++)
      hone__text_addf(&yaml, "*a%d,", i - 1);
    hone__text_addf(&yaml, "], k%d: 1}\n", i);
  }
  expect_error(yaml.data, 7, 17, "the file is too large");
  hone__text_release(&yaml);
}

/* Merges inside merges copy the same pairs again and again, without any alias. */
static void test_nested_merges(void **state)
{
  struct hone__text yaml = {0};
  struct loaded loaded;

  (void)state;
  repeat(&yaml, "<<: {", 98);
  for (int i = 0; i < 50000; i++)
    hone__text_addf(&yaml, "k%d: 1, ", i);
  repeat(&yaml, "}", 98);
  load(&loaded, yaml.data);
  assert_null(loaded.root);
  assert_int_equal(loaded.diagnostics.errors, 1);
  unload(&loaded);
  hone__text_release(&yaml);
}

static double seconds_to_load(const char *text, size_t size)
{
  struct timespec start, end;
  struct loaded loaded;

  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
  load_bytes(&loaded, text, size);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  unload(&loaded);
  return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

/* What takes quadratic time in libyaml or would in us. The limit is generous, for sanitizers and
 * slow machines: a quadratic run takes minutes. */
static void test_hostile_files_are_quick(void **state)
{
  static const struct {
    const char *head, *repeated;
  } files[] = {
      {"", "["},
      {"", "- a\n"},
      {"[", "a,"},
      {"a: &a x\n", "- *a\n"},
      {"", "? .nan\n"},
      {"", "%TAG !a! x\n"},
      {"a: 1\n", "a: 2\n"},
      {"", "- 0xffffffffffffffffff\n"},
      {"\"", "a "},
      {"- ", "0:"},
      {"", "- !a b\n"},
      {"[[[[[[[[[[[[[[[[[[[[[[[[[[", "[],"},
  };
  const size_t size = 4u << 20;
  char *text = malloc(size);

  (void)state;
  assert_non_null(text);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    size_t head = strlen(files[i].head), step = strlen(files[i].repeated);
    memcpy(text, files[i].head, head);
    for (size_t j = head; j < size; j++)
      text[j] = files[i].repeated[(j - head) % step];
    assert_true(seconds_to_load(text, size) < 10);
  }
  memset(text, ' ', size); /* one long gap, then many short ones */
  for (size_t i = size / 2; i < size; i += 2)
    text[i] = 'a';
  text[0] = 'a';
  assert_true(seconds_to_load(text, size) < 10);
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plain_scalars),
      cmocka_unit_test(test_plain_scalars_in_a_file),
      cmocka_unit_test(test_long_numbers_stay_text),
      cmocka_unit_test(test_quoted_scalars_are_text),
      cmocka_unit_test(test_tags),
      cmocka_unit_test(test_merge),
      cmocka_unit_test(test_merge_by_value),
      cmocka_unit_test(test_merge_places),
      cmocka_unit_test(test_duplicate_keys),
      cmocka_unit_test(test_many_duplicates_are_few_warnings),
      cmocka_unit_test(test_keys_are_scalars),
      cmocka_unit_test(test_get),
      cmocka_unit_test(test_kind_names),
      cmocka_unit_test(test_aliases),
      cmocka_unit_test(test_documents),
      cmocka_unit_test(test_several_errors),
      cmocka_unit_test(test_syntax_errors),
      cmocka_unit_test(test_not_text),
      cmocka_unit_test(test_places),
      cmocka_unit_test(test_places_beyond_ascii),
      cmocka_unit_test(test_places_through_a_map),
      cmocka_unit_test(test_depth),
      cmocka_unit_test(test_billion_laughs),
      cmocka_unit_test(test_nested_merges),
      cmocka_unit_test(test_hostile_files_are_quick),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
