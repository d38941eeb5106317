/* Operations are written down as "%result = name @symbol (operands) {key=attr; attr} word(operands
 * : types) : types ^(%arg T) [children]", each part only if there is one. */
#include "iree/mlir/mlir.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* ---- The notation ---- */

static void add_words(struct hone__text *text, const char *open, const char *const *words,
                      size_t count)
{
  for (size_t i = 0; i < count; i++)
    hone__text_addf(text, "%s%s", i ? " " : open, words[i]);
}

static void add_types(struct hone__text *text, const struct hone__mlir_type *types, size_t count)
{
  for (size_t i = 0; i < count; i++)
    hone__text_addf(text, "%s%s", i ? ", " : " : ", types[i].text);
}

static void add_attrs(struct hone__text *text, const struct hone__mlir_op *op)
{
  for (size_t i = 0; i < op->attr_count; i++) {
    hone__text_add(text, i ? "; " : " {");
    if (op->attrs[i].key) hone__text_addf(text, "%s=", op->attrs[i].key);
    hone__mlir_print_attr(&op->attrs[i].value, text);
  }
  if (op->attr_count) hone__text_add(text, "}");
}

static void add_clauses(struct hone__text *text, const struct hone__mlir_op *op)
{
  for (size_t i = 0; i < op->clause_count; i++) {
    const struct hone__mlir_clause *clause = &op->clauses[i];
    hone__text_addf(text, " %s(", clause->word);
    add_words(text, "", clause->operands, clause->operand_count);
    add_types(text, clause->types, clause->type_count);
    hone__text_add(text, ")");
  }
}

static void add_op(struct hone__text *text, const struct hone__mlir_op *op)
{
  add_words(text, "", op->results, op->result_count);
  if (op->result_count) hone__text_add(text, " = ");
  hone__text_add(text, op->name);
  if (op->symbol) hone__text_addf(text, " @%s", op->symbol);
  add_words(text, " (", op->operands, op->operand_count);
  if (op->operand_count) hone__text_add(text, ")");
  add_attrs(text, op);
  add_clauses(text, op);
  add_types(text, op->types, op->type_count);
  for (size_t i = 0; i < op->block_arg_count; i++)
    hone__text_addf(text, "%s%s %s", i ? ", " : " ^(", op->block_args[i], op->block_types[i].text);
  if (op->block_arg_count) hone__text_add(text, ")");
  for (size_t i = 0; i < op->child_count; i++) {
    hone__text_add(text, i ? " | " : " [");
    add_op(text, op->children[i]);
  }
  if (op->child_count) hone__text_add(text, "]");
}

static void parse(struct hone__mlir *mlir, const char *text)
{
  hone_status status = hone__mlir_parse(mlir, "a.mlir", text, strlen(text));

  if (status) fail_msg("%s", hone_status_message(status));
}

/* The operations of the file, between " | ". */
static void expect(const char *source, const char *expected)
{
  struct hone__mlir mlir;
  struct hone__text text = {0};

  parse(&mlir, source);
  hone__text_add(&text, "");
  for (size_t i = 0; i < mlir.root->child_count; i++) {
    if (i) hone__text_add(&text, " | ");
    add_op(&text, mlir.root->children[i]);
  }
  assert_string_equal(text.data, expected);
  hone__text_release(&text);
  hone__mlir_release(&mlir);
}

static void expect_error(const char *source, const char *expected)
{
  struct hone__mlir mlir;
  hone_status status = hone__mlir_parse(&mlir, "a.mlir", source, strlen(source));

  assert_non_null(status);
  assert_int_equal(hone_status_code(status), HONE_INVALID_SPEC);
  if (!hone__starts_with(hone_status_message(status), expected))
    assert_string_equal(hone_status_message(status), expected);
  hone_status_free(status);
  hone__mlir_release(&mlir);
}

/* ---- Heads ---- */

static void single_operations(void **state)
{
  (void)state;
  expect("", "");
  expect("// nothing\n", "");
  expect("module {}", "module");
  expect("a.b %a, %b#1", "a.b (%a %b#1)");
  expect("%0 = arith.addf %a, %b fastmath<contract> : f32",
         "%0 = arith.addf (%a %b) {fastmath=<contract>} : f32");
  expect("%0:2, %c-1 = a.b", "%0 %c-1 = a.b");
  expect("%0 = arith.constant -3.4E+38 : f32", "%0 = arith.constant {-3.4E+38} : f32");
  expect("%0 = arith.constant dense<[1, 2]> : tensor<2xi8>",
         "%0 = arith.constant {dense<[1, 2]>} : tensor<2xi8>");
  expect("%0 = arith.extf %a : f16 to f32", "%0 = arith.extf (%a) : f16, f32");
  expect("a.b %a : (i32, !x.y<(i32) -> i8>) -> (f32, !z)",
         "a.b (%a) : i32, !x.y<(i32) -> i8>, f32, !z");
  expect("smt.int.cmp ge %a, %b", "smt.int.cmp (%a %b) {ge}");
  expect("a.b %a [0, 1] -> [16, 32] : !smt.int", "a.b (%a) {[0, 1]; [16, 32]} : !smt.int");
  expect("a.b %a[%i, %j] : i32", "a.b (%a %i %j) : i32");
  expect("a.b %a[%i, 0] sizes [1, 2] : i32", "a.b (%a %i) {[%i, 0]; sizes=[1, 2]} : i32");
  expect("a.b %a, [] : i32", "a.b (%a) {[]} : i32");
  expect("a.b \"text\", %a, %b : i1", "a.b (%a %b) {\"text\"} : i1");
  expect("a.b %a \"key\" = %b : !x", "a.b (%a %b) {\"key\"} : !x");
  expect("a.b lhs_type = f16, maps = [1], x = <set = 0>",
         "a.b {lhs_type=f16; maps=[1]; x=<set = 0>}");
  expect("a.b @x -> @y,\n @\"z w\"::@u : i8", "a.b @x {@x; @y; @\"z w\"::@u} : i8");
  expect("%b = a.b<%c : !d> e(%f) : !g{%h}", "%b = a.b (%c %h) e(%f) : !g");
  expect("a.b<\"A|B\"> : i32", "a.b {\"A|B\"} : i32");
  expect("%1 = affine.apply affine_map<(d0) -> (d0)>(%a)",
         "%1 = affine.apply (%a) {affine_map<(d0) -> (d0)>}");
  expect("cf.cond_br %a, ^bb1(%b : i32), ^bb2", "cf.cond_br (%a %b)");
}

static void dictionaries_of_an_operation(void **state)
{
  (void)state;
  expect("a.b {x = 1, y, \"z-w\" = 2 : i64}", "a.b {x=1; y=unit; z-w=2 : i64}");
  expect("a.b <{x = 1}>", "a.b {x=1}");
  expect("a.b <x = 1, y = {z = 2}> {w = 3}", "a.b {x=1; y={z = 2}; w=3}");
  expect("a.b attrs =  {x = 1}", "a.b {x=1}");
  expect("module attributes {x.y, z.w} {}", "module {x.y=unit; z.w=unit}");
  expect("module attributes {x.y} {\n}", "module {x.y=unit}");
  expect("%0 = transform.param.constant {x = {y = 1}} -> !p",
         "%0 = transform.param.constant {{x = {y = 1}}} : !p");
  expect("%0 = transform.param.constant #x<{y = 1}> -> !p",
         "%0 = transform.param.constant {#x<{y = 1}>} : !p");
}

static void clauses_of_an_operation(void **state)
{
  (void)state;
  expect("a.b ins(%a, %b : f16, tensor<4xf32>)\n  outs(%c : i8) -> i8",
         "a.b ins(%a %b : f16, tensor<4xf32>) outs(%c : i8) : i8");
  expect("a.b target(<\"rocm\", \"fb\", {abi = \"hip\"}>) {}",
         "a.b {target=<\"rocm\", \"fb\", {abi = \"hip\"}>} target()");
  expect("a.b ordinal(0) on(#x<@y>) in (2, 4)",
         "a.b {ordinal=0; on=#x<@y>; in=[2, 4]} ordinal() on() in()");
  expect("a.b bindings([\n(%b : !hal.buffer)[%c0, %c1],\n(%b : !hal.buffer)[%c2, %c3]\n])",
         "a.b bindings(%b %c0 %c1 %b %c2 %c3 : !hal.buffer, !hal.buffer)");
  expect("util.global private @d = #x<\"hip\", [#y<a = b|c>]> : !hal.device",
         "util.global @d {private; @d; value=#x<\"hip\", [#y<a = b|c>]>} : !hal.device");
}

/* ---- Where an operation ends ---- */

static void ends_of_operations(void **state)
{
  (void)state;
  expect("a.b\nc.d\n", "a.b | c.d");
  expect("a.b %a\n%c = c.d\n", "a.b (%a) | %c = c.d");
  expect("a.b %a,\n  %c\nc.d", "a.b (%a %c) | c.d");
  expect("a.b x = 1,\n y = {z = 2}\n dims(%c)\nc.d", "a.b {x=1; y={z = 2}} dims(%c) | c.d");
  expect("a.b\n  iree.key = 3\nc.d", "a.b {iree.key=3} | c.d");
  expect("%0 = a.b : i32 %1 = c.d : i8 return %1 : i8",
         "%0 = a.b : i32 | %1 = c.d : i8 | return (%1) : i8");
  expect("a.b {} c.d", "a.b | c.d");
  expect("\"a.b\"() : () -> ()\n\"c.d\"(%a) : (i8) -> ()", "a.b | c.d (%a) : i8");
  expect("a.b : i32 loc(\"x\":1:2)\n#l = loc(\"y\")\nc.d loc(#l)", "a.b : i32 | c.d");
  expect("a.b // c.d\n// e.f\ng.h", "a.b | g.h");
  expect("a.b\n{-#\n x: { y: \"0x00\" }\n#-}\n", "a.b");
}

static void regions(void **state)
{
  (void)state;
  expect("func.func private @f(%a: i32 {x.y}, %b: !t<i8> loc(\"q\")) -> (i8 {z = 1}, f16) {\n"
         "  return %a : i32\n}",
         "func.func @f {private; @f} : i8, f16 ^(%a i32, %b !t<i8>) [return (%a) : i32]");
  expect("a.b {\n^bb0(%a: i32, %b: f8E4M3FNUZ):\n c.d\n^bb1:\n e.f\n} -> i8",
         "a.b : i8 ^(%a i32, %b f8E4M3FNUZ) [c.d | e.f]");
  expect("scf.if %c { a.b %c } else { c.d }", "scf.if (%c) {else} [a.b (%c) | c.d]");
  expect("a.b { transform.yield } {x}", "a.b {x=unit} [transform.yield]");
  expect("a.b {\n c.d\n}", "a.b [c.d]");
  expect(
      "\"a.b\"(%x) <{p = 1}> ({\n^bb0(%y: i32):\n \"c.d\"() : () -> ()\n}, {}) {q} : (i8) -> i16",
      "a.b (%x) {p=1; q=unit} : i8, i16 ^(%y i32) [c.d]");
  expect("module {\n module @x {\n a.b\n }\n}", "module [module @x {@x} [a.b]]");
  expect("scf.for %i = %a to %b step %c iter_args(%k = %d) -> (f32) {\n scf.yield %k : f32\n}",
         "scf.for (%i %a %b %c) {to; step} iter_args(%k %d) : f32 [scf.yield (%k) : f32]");
  expect("\"func.func\"() <{sym_name = \"f\"}> ({}) : () -> ()", "func.func @f {sym_name=\"f\"}");
  expect("stream.x {\n ro %a[%b for %c] : !y{%c}\n}\na.b", "stream.x | a.b");
}

/* ---- Aliases ---- */

static void aliases(void **state)
{
  struct hone__mlir mlir;
  const struct hone__mlir_attr *attr;

  (void)state;
  expect("#m = [1, 2]\n#n = {x = #m}\n!t = tensor<4xf32>\na.b #n y = #m : !t\n",
         "a.b {{x = [1, 2]}; y=[1, 2]} : tensor<4xf32>");
  expect("a.b #unknown", "a.b {#unknown}");
  parse(&mlir, "#m = 7\na.b {k = #m}");
  attr = hone__mlir_attr(mlir.root->children[0], "k");
  assert_int_equal(attr->integer, 7);
  assert_memory_equal(mlir.text + attr->span.begin, "#m", attr->span.end - attr->span.begin);
  hone__mlir_release(&mlir);
}

static void aliases_of_aliases_are_bounded(void **state)
{
  struct hone__text bomb = {0}, chain = {0};

  (void)state;
  hone__text_add(&bomb, "#a0 = [1]\n");
  for (int i = 1; i < 40; i++)
    hone__text_addf(&bomb, "#a%d = [#a%d, #a%d]\n", i, i - 1, i - 1);
  expect_error(bomb.data, "a.mlir:16:1: error: alias '#a15' expands to more than 65536 parts");
  hone__text_add(&chain, "#a0 = [1]\n");
  for (int i = 1; i < 1000; i++)
    hone__text_addf(&chain, "#a%d = [#a%d]\n", i, i - 1);
  expect_error(chain.data, "a.mlir:200:10: error: more than 200 nested levels");
  hone__text_release(&bomb);
  hone__text_release(&chain);
}

/* ---- Types ---- */

static void expect_type(const char *type, const char *expected)
{
  struct hone__text source = {0}, text = {0};
  struct hone__mlir mlir;
  const struct hone__mlir_type *read;

  hone__text_addf(&source, "a.b : %s", type);
  parse(&mlir, source.data);
  read = &mlir.root->children[0]->types[0];
  assert_string_equal(read->text, type);
  hone__text_add(&text, read->is_shaped ? "" : "- ");
  for (unsigned i = 0; i < read->rank; i++)
    hone__text_addf(&text, "%d ", (int)read->dims[i]);
  hone__text_add(&text, read->element);
  assert_string_equal(text.data, expected);
  hone__text_release(&source);
  hone__text_release(&text);
  hone__mlir_release(&mlir);
}

static void shapes_of_types(void **state)
{
  (void)state;
  expect_type("tensor<256x?xf32>", "256 -1 f32");
  expect_type("tensor<f32>", "f32");
  expect_type("tensor<0x4xi8>", "0 4 i8");
  expect_type("memref<2x3xf16, strided<[?, 1], offset: ?>, #x<y>>", "2 3 f16");
  expect_type("vector<4x[8]xbf16>", "4 8 bf16");
  expect_type("tensor<2xcomplex<f32>>", "2 complex<f32>");
  expect_type("tensor<2x!x.y<a, b>, #z>", "2 !x.y<a, b>");
  expect_type("!iree_tensor_ext.dispatch.tensor<readonly:tensor<8x4xf16>>", "8 4 f16");
  expect_type("tensor<*xf32>", "- tensor<*xf32>");
  expect_type("f8E4M3FNUZ", "- f8E4M3FNUZ");
  expect_type("!transform.param<i64>", "- !transform.param<i64>");
}

/* ---- Affine maps ---- */

static void expect_map(const char *map, const char *expected)
{
  struct hone__arena arena = {0};
  struct hone__affine_map read;
  struct hone__text text = {0};
  hone_status status = hone__mlir_parse_map(&arena, map, &read);

  if (status) fail_msg("%s", hone_status_message(status));
  for (unsigned i = 0; i < read.count; i++) {
    hone__text_add(&text, i ? "; " : "");
    for (unsigned k = 0; k < read.dims; k++)
      hone__text_addf(&text, "%d ", (int)read.results[i].factors[k]);
    hone__text_addf(&text, "+ %d%s", (int)read.results[i].constant,
                    read.results[i].is_linear ? "" : " not linear");
  }
  assert_string_equal(text.data ? text.data : "", expected);
  hone__text_release(&text);
  hone__arena_release(&arena);
}

static void affine_maps(void **state)
{
  (void)state;
  expect_map("affine_map<(d0, d1) -> (d1, d0)>", "0 1 + 0; 1 0 + 0");
  expect_map("(m, n) -> (m * 2 + n - 3)", "2 1 + -3");
  expect_map("(d0, d1) -> (-(d0 - d1) * 4)", "-4 4 + 0");
  expect_map("(d0, d1) -> (3 * (d0 + 1), 7)", "3 0 + 3; 0 0 + 7");
  expect_map("(d0, d1) -> ()", "");
  expect_map("() -> (0)", "+ 0");
  expect_map("(d0, d1)[s0] -> (d0 floordiv 2, d0 + s0, d1 mod 3 + d0, d0 * d1)",
             "1 0 + 0 not linear; 1 0 + 0 not linear; 1 1 + 0 not linear; 1 1 + 0 not linear");
}

static void expect_same_print(const char *map, const char *expected)
{
  struct hone__arena arena = {0};
  struct hone__affine_map read;
  struct hone__text text = {0};

  assert_null(hone__mlir_parse_map(&arena, map, &read));
  hone__mlir_print_map(&read, &text);
  assert_string_equal(text.data, expected);
  hone__text_release(&text);
  for (unsigned i = 0; i < read.count; i++)
    read.results[i].text = NULL;
  hone__mlir_print_map(&read, &text);
  assert_string_equal(text.data, expected);
  hone__text_release(&text);
  hone__arena_release(&arena);
}

static void affine_maps_are_printed(void **state)
{
  (void)state;
  expect_same_print("affine_map<(d0, d1) -> (d0 * 2 + d1, -d1, d0 - d1, 0)>",
                    "affine_map<(d0, d1) -> (d0 * 2 + d1, -d1, d0 - d1, 0)>");
  expect_same_print("(m,n)->(m*2+n-3)", "affine_map<(d0, d1) -> (d0 * 2 + d1 - 3)>");
  expect_same_print("(a)->(a+1,  a * -2)", "affine_map<(d0) -> (d0 + 1, d0 * -2)>");
}

static void expect_map_error(const char *map, const char *expected)
{
  struct hone__arena arena = {0};
  struct hone__affine_map read;
  hone_status status = hone__mlir_parse_map(&arena, map, &read);

  assert_non_null(status);
  if (!hone__starts_with(hone_status_message(status), expected))
    assert_string_equal(hone_status_message(status), expected);
  hone_status_free(status);
  hone__arena_release(&arena);
}

static void affine_maps_that_are_none(void **state)
{
  struct hone__text deep = {0};

  (void)state;
  expect_map_error("", "an affine map begins with (d0, d1)");
  expect_map_error("(d0", "an affine map needs names as in (d0, d1)");
  expect_map_error("(d0)", "an affine map needs results as in (d0, d1) -> (d1)");
  expect_map_error("(d0) -> (d1)", "an affine map uses an undefined name");
  expect_map_error("(d0) -> (d0 +)", "an affine map has an incomplete expression");
  expect_map_error("(d0) -> ((d0)", "',' is missing in an affine map");
  expect_map_error("(d0) -> (d0) x", "unexpected text after the results of an affine map");
  expect_map_error("(d0) -> (99999999999999999999)",
                   "a number of an affine map does not fit into 64 bits");
  hone__text_add(&deep, "(d0) -> (");
  for (int i = 0; i < 100000; i++)
    hone__text_add(&deep, "(");
  expect_map_error(deep.data, "an affine map of more than 32 levels");
  hone__text_release(&deep);
}

/* ---- Attributes ---- */

static void expect_attr(const char *attr, enum hone__mlir_kind kind, const char *printed)
{
  struct hone__arena arena = {0};
  struct hone__mlir_attr read;
  struct hone__text text = {0};
  hone_status status = hone__mlir_parse_attr(&arena, attr, &read);

  if (status) fail_msg("%s", hone_status_message(status));
  assert_int_equal(read.kind, kind);
  hone__mlir_print_attr(&read, &text);
  assert_string_equal(text.data, printed);
  hone__text_release(&text);
  hone__arena_release(&arena);
}

static void kinds_of_attributes(void **state)
{
  (void)state;
  expect_attr("-2 : i64", HONE__MLIR_INTEGER, "-2 : i64");
  expect_attr("0xFF800000 : f32", HONE__MLIR_INTEGER, "0xFF800000 : f32");
  expect_attr("1.25e-01", HONE__MLIR_REAL, "1.25e-01");
  expect_attr("\"a\\\"\\5C\\n\"", HONE__MLIR_STRING, "\"a\\22\\\\\\0A\"");
  expect_attr("true", HONE__MLIR_BOOL, "true");
  expect_attr("{b = 1, a, \"c d\" = 2}", HONE__MLIR_DICT, "{a, b = 1, \"c d\" = 2}");
  expect_attr("[ 1,2 ]", HONE__MLIR_LIST, "[1, 2]");
  expect_attr("array<i64: 1, 2>", HONE__MLIR_LIST, "array<i64: 1, 2>");
  expect_attr("@a::@\"b c\"", HONE__MLIR_SYMBOL, "@a::@\"b c\"");
  expect_attr("(i32) -> f16", HONE__MLIR_TYPE, "(i32) -> f16");
  expect_attr("tensor<4xf32>", HONE__MLIR_TYPE, "tensor<4xf32>");
  expect_attr("#x.y", HONE__MLIR_DIALECT, "#x.y");
  expect_attr("#x.y<>", HONE__MLIR_DIALECT, "#x.y<>");
  expect_attr("#x.y<a b = 1, c|d {e}>", HONE__MLIR_DIALECT, "#x.y<a b = 1, c|d {e}>");
  expect_attr("#x.y<a:b<c>, 4x4, (d) -> e>", HONE__MLIR_DIALECT, "#x.y<a:b<c>, 4x4, (d) -> e>");
  expect_attr("affine_map<(d0)->(d0)>", HONE__MLIR_MAP, "affine_map<(d0) -> (d0)>");
  expect_attr("none", HONE__MLIR_WORD, "none");
}

static void entries_of_constants(void **state)
{
  static const struct {
    const char *text;
    size_t count;
  } lists[] = {{"dense<1> : tensor<2xi64>", 1},
               {"dense<[1, 2]> : tensor<2xi64>", 2},
               {"dense<\"0x0011\"> : tensor<2xi8>", 0},
               {"array<i64: 1, 2, 3>", 3},
               {"array<i64>", 0}};

  (void)state;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    struct hone__arena arena = {0};
    struct hone__mlir_attr attr;
    assert_null(hone__mlir_parse_attr(&arena, lists[i].text, &attr));
    assert_int_equal(attr.kind, HONE__MLIR_LIST);
    assert_int_equal(attr.count, lists[i].count);
    for (size_t k = 0; k < attr.count; k++)
      assert_int_equal(attr.entries[k].value.integer, k + 1);
    hone__arena_release(&arena);
  }
}

static void attributes_that_are_none(void **state)
{
  static const char *const texts[] = {"", "1 2", "[1", "{a = }}", "#x<", "\"a", "[1>", "\x01"};

  (void)state;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct hone__arena arena = {0};
    struct hone__mlir_attr attr;
    hone_status status = hone__mlir_parse_attr(&arena, texts[i], &attr);
    if (!status) fail_msg("'%s' was read", texts[i]);
    assert_true(hone__starts_with(hone_status_message(status), "attribute:1:"));
    hone_status_free(status);
    hone__arena_release(&arena);
  }
}

/* Every line is as IREE prints it. */
static void printing_is_as_iree_does_it(void **state)
{
  char *file, *line, *rest;
  size_t size, count = 0;

  (void)state;
  assert_null(hone__file_read("tests/data/iree/mlir/attributes.txt", 1 << 20, &file, &size));
  for (line = strtok_r(file, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest), count++)
    expect_attr(line, *line == '{' ? HONE__MLIR_DICT : HONE__MLIR_DIALECT, line);
  assert_true(count > 20);
  free(file);
}

static bool are_same(const char *a, const char *b)
{
  struct hone__arena arena = {0};
  struct hone__mlir_attr left, right;
  bool same;

  assert_null(hone__mlir_parse_attr(&arena, a, &left));
  assert_null(hone__mlir_parse_attr(&arena, b, &right));
  same = hone__mlir_same_attr(&left, &right);
  assert_int_equal(same, hone__mlir_same_attr(&right, &left));
  hone__arena_release(&arena);
  return same;
}

static void sameness(void **state)
{
  (void)state;
  assert_true(are_same("{a = 1, b = [2]}", "{b = [2], a = 1}"));
  assert_true(are_same("#x<a = 1 b = 2>", "#x<b = 2, a = 1>"));
  assert_true(are_same("<a = 1>", "#x<a = 1>"));
  assert_true(are_same("1", "1 : i64"));
  assert_true(are_same("affine_map<(m) -> (m + 1)>", "affine_map<(d0) -> (1 + d0)>"));
  assert_false(are_same("{a = 1}", "{a = 2}"));
  assert_false(are_same("{a = 1}", "{a = 1, b}"));
  assert_false(are_same("[1, 2]", "[2, 1]"));
  assert_false(are_same("#x<1>", "#y<1>"));
  assert_false(are_same("1 : i8", "1 : i16"));
  assert_false(are_same("\"a\"", "a"));
  assert_false(are_same("dense<1>", "dense<2>"));
}

/* ---- Editing ---- */

/* Cuts the attributes with these keys (letters) out of the only operation. */
static void expect_cut(const char *source, const char *keys, const char *expected)
{
  struct hone__mlir_edit edits[8];
  struct hone__text text = {0};
  struct hone__mlir mlir;
  size_t count = 0;

  parse(&mlir, source);
  for (size_t i = 0; i < mlir.root->children[0]->attr_count; i++) {
    const struct hone__mlir_entry *entry = &mlir.root->children[0]->attrs[i];
    if (!strchr(keys, *entry->key)) continue;
    edits[count].span = hone__mlir_entry_span(&mlir, entry);
    edits[count++].text = "";
  }
  hone__mlir_edit(&mlir, edits, count, &text);
  assert_string_equal(text.data, expected);
  hone__text_release(&text);
  hone__mlir_release(&mlir);
}

static void entries_are_cut_out(void **state)
{
  (void)state;
  expect_cut("x.y {a = 1, b = [2, 3], c} : i8", "", "x.y {a = 1, b = [2, 3], c} : i8");
  expect_cut("x.y {a = 1, b = [2, 3], c} : i8", "a", "x.y {b = [2, 3], c} : i8");
  expect_cut("x.y {a = 1, b = [2, 3], c} : i8", "b", "x.y {a = 1, c} : i8");
  expect_cut("x.y {a = 1, b = [2, 3], c} : i8", "c", "x.y {a = 1, b = [2, 3]} : i8");
  expect_cut("x.y {a = 1, b = [2, 3], c} : i8", "ab", "x.y {c} : i8");
  expect_cut("x.y {a = 1, b = [2, 3], c} : i8", "bc", "x.y {a = 1} : i8");
  expect_cut("x.y {a = 1, b = [2, 3], c} : i8", "ac", "x.y {b = [2, 3]} : i8");
  expect_cut("x.y {a = 1, b = [2, 3], c} : i8", "abc", "x.y {} : i8");
}

static void spans_are_replaced(void **state)
{
  struct hone__text text = {0};
  struct hone__mlir mlir;

  (void)state;
  parse(&mlir, "abc.def {x = 1} : i8\n");
  struct hone__mlir_edit edits[] = {
      {hone__mlir_attr(mlir.root->children[0], "x")->span, "[2]"},
      {{0, 0}, "// new\n"},
      {{mlir.size, mlir.size}, "g.h\n"},
      {{4, 7}, "xyz"},
  };
  hone__mlir_edit(&mlir, edits, sizeof edits / sizeof *edits, &text);
  assert_string_equal(text.data, "// new\nabc.xyz {x = [2]} : i8\ng.h\n");
  hone__text_release(&text);
  hone__mlir_release(&mlir);
}

/* ---- Failures ---- */

static void errors_have_their_place(void **state)
{
  (void)state;
  expect_error("module {\n  a.b\n", "a.mlir:1:8: error: '{' is not closed\n");
  expect_error("module {}\n}\n", "a.mlir:2:1: error: unmatched '}'\n"
                                 "      2 | }\n        | ^");
  expect_error("hello, world", "a.mlir:1:1: error: expected an operation such as 'module'");
  expect_error("a.b \"x\ny\"", "a.mlir:1:5: error: a string is not closed");
  expect_error("a.b (%a]", "a.mlir:1:8: error: expected ')'");
  expect_error("a.b )", "a.mlir:1:5: error: unmatched ')'");
  expect_error("a.b {x = [1, 2}", "a.mlir:1:15: error: expected ']'");
  expect_error("a.b affine_map<(d0) -> (d7)>",
               "a.mlir:1:16: error: an affine map uses an undefined name");
  expect_error("%a a.b", "a.mlir:1:4: error: expected '=' after an operation's results");
  expect_error("%a = 7", "a.mlir:1:6: error: expected an operation");
  expect_error("a.b \x01", "a.mlir:1:5: error: invalid character");
}

static void depth_is_bounded(void **state)
{
  static const char *const openers[] = {"[", "{a = ", "<", "({\nc.d ", "{\nc.d "};

  (void)state;
  for (size_t i = 0; i < sizeof openers / sizeof *openers; i++) {
    struct hone__text text = {0};
    struct hone__mlir mlir;
    hone_status status;
    hone__text_add(&text, "a.b ");
    for (int k = 0; k < 100000; k++)
      hone__text_add(&text, openers[i]);
    status = hone__mlir_parse(&mlir, "a.mlir", text.data, text.length);
    assert_non_null(strstr(hone_status_message(status), "more than 200 nested levels"));
    hone_status_free(status);
    hone__mlir_release(&mlir);
    hone__text_release(&text);
  }
}

static void a_file_that_is_not_there(void **state)
{
  struct hone__mlir mlir;
  hone_status status = hone__mlir_read(&mlir, "tests/data/iree/mlir/none.mlir");

  (void)state;
  assert_non_null(status);
  hone_status_free(status);
  hone__mlir_release(&mlir);
}

/* ---- Real files ---- */

static void read_file(struct hone__mlir *mlir, const char *path)
{
  hone_status status = hone__mlir_read(mlir, path);

  if (status) fail_msg("%s", hone_status_message(status));
}

static void a_dispatch_of_iree(void **state)
{
  struct hone__mlir mlir;
  struct hone__mlir_op *variant, *op;
  const struct hone__mlir_attr *info, *wgp;

  (void)state;
  read_file(&mlir, "tests/fuzz/corpus/mlir/dispatch.mlir");
  variant = hone__mlir_find(mlir.root, "hal.executable.variant");
  info = hone__mlir_attr(variant, "target");
  assert_string_equal(info->entries[0].value.text, "rocm");
  info = hone__mlir_entry(info, "iree_codegen.target_info"); /* in the dictionary, its third */
  assert_string_equal(info->text, "iree_gpu.target");
  assert_string_equal(hone__mlir_entry(info, "arch")->text, "gfx942");
  wgp = hone__mlir_entry(info, "wgp");
  assert_string_equal(hone__mlir_entry(wgp, "storage")->text, "b64|b32|b16|b8");
  assert_string_equal(hone__mlir_entry(wgp, "mma")->entries[0].value.entries[0].value.text,
                      "MFMA_F32_16x16x16_BF16");
  op = hone__mlir_find(variant, "linalg.generic");
  assert_string_equal(hone__mlir_around(op, "func.func")->symbol,
                      "matmul_f16_dispatch_0_matmul_like_1024x1280x1280_f16xf16xf32");
  assert_int_equal(hone__mlir_attr(op, "indexing_maps")->count, 3);
  assert_string_equal(hone__mlir_attr(op, "root_op")->text, "iree_codegen.root_op");
  assert_int_equal(hone__mlir_clause(op, "ins")->types[0].dims[1], 1280);
  assert_null(hone__mlir_find(variant, "linalg.none"));
  assert_null(hone__mlir_around(op, "linalg.none"));
  assert_null(hone__mlir_entry(NULL, "x"));
  assert_memory_equal(mlir.text + op->span.end - 24, "-> tensor<1024x1280xf32>", 24);
  hone__mlir_release(&mlir);
}

static void a_tuning_spec(void **state)
{
  struct hone__mlir mlir;
  struct hone__mlir_op *op;
  size_t symbols = 0;

  (void)state;
  read_file(&mlir, "tests/fuzz/corpus/mlir/model_spec.mlir");
  op = hone__mlir_find(mlir.root, "transform.foreach_match");
  for (size_t i = 0; i < op->attr_count; i++)
    symbols += op->attrs[i].value.kind == HONE__MLIR_SYMBOL;
  assert_int_equal(symbols, 4);
  assert_string_equal(op->symbol, "match_main_dispatch_0");
  op = hone__mlir_find(mlir.root, "transform.param.constant");
  assert_string_equal(op->attrs[0].value.text, "iree_codegen.compilation_info");
  assert_string_equal(hone__mlir_entry(&op->attrs[0].value, "lowering_config")->text,
                      "iree_cpu.lowering_config");
  hone__mlir_release(&mlir);
}

static bool count_asserts(void *data, struct hone__mlir_op *op)
{
  size_t *count = data;

  *count += strcmp(op->name, "iree_codegen.smt.assert") == 0;
  return *count < 5;
}

static void constraints_of_iree(void **state)
{
  struct hone__mlir mlir;
  struct hone__mlir_op *op;
  size_t count = 0;

  (void)state;
  read_file(&mlir, "tests/fuzz/corpus/mlir/constraints.mlir");
  op = hone__mlir_find(mlir.root, "iree_codegen.smt.constraints");
  assert_int_equal(hone__mlir_clause(op, "dims")->operand_count, 3);
  assert_int_equal(op->block_arg_count, 3);
  assert_int_equal(hone__mlir_entry(hone__mlir_attr(op, "target"), "set")->integer, 0);
  assert_string_equal(hone__mlir_entry(hone__mlir_attr(op, "knobs"), "mma_kind")->text,
                      "iree_codegen.smt.one_of_knob");
  assert_false(hone__mlir_each(op, count_asserts, &count));
  assert_int_equal(count, 5);
  hone__mlir_release(&mlir);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(single_operations),
      cmocka_unit_test(dictionaries_of_an_operation),
      cmocka_unit_test(clauses_of_an_operation),
      cmocka_unit_test(ends_of_operations),
      cmocka_unit_test(regions),
      cmocka_unit_test(aliases),
      cmocka_unit_test(aliases_of_aliases_are_bounded),
      cmocka_unit_test(shapes_of_types),
      cmocka_unit_test(affine_maps),
      cmocka_unit_test(affine_maps_are_printed),
      cmocka_unit_test(affine_maps_that_are_none),
      cmocka_unit_test(kinds_of_attributes),
      cmocka_unit_test(entries_of_constants),
      cmocka_unit_test(attributes_that_are_none),
      cmocka_unit_test(printing_is_as_iree_does_it),
      cmocka_unit_test(sameness),
      cmocka_unit_test(entries_are_cut_out),
      cmocka_unit_test(spans_are_replaced),
      cmocka_unit_test(errors_have_their_place),
      cmocka_unit_test(depth_is_bounded),
      cmocka_unit_test(a_file_that_is_not_there),
      cmocka_unit_test(a_dispatch_of_iree),
      cmocka_unit_test(a_tuning_spec),
      cmocka_unit_test(constraints_of_iree),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
