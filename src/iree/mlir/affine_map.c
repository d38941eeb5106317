/* Affine maps: (d0, d1)[s0] -> (d0 * 2 + d1, d1 floordiv 4). An expression is evaluated into
 * factors while it is read; what is not linear keeps only which dims it uses. */
#include "iree/mlir/mlir_parser.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

enum { MOST_NAMES = 64, MOST_RESULTS = 64, MOST_NESTING = 32 };

struct name {
  const char *text;
  size_t length;
};

struct reader {
  struct hone__arena *arena;
  const char *at, *end;
  struct name names[2 * MOST_NAMES]; /* dims, then symbols */
  unsigned dims, symbols, nesting;
  const char *problem;
  struct hone__text text; /* of the expression that is read, with today's names */
};

struct sum { /* an expression's value */
  int64_t factors[MOST_NAMES];
  int64_t constant;
  bool is_linear;
};

static void complain(struct reader *r, const char *problem)
{
  if (!r->problem) r->problem = problem;
  r->at = r->end;
}

static char look(struct reader *r)
{
  while (r->at < r->end && isspace((unsigned char)*r->at))
    r->at++;
  return r->at < r->end ? *r->at : 0;
}

static bool accept(struct reader *r, const char *word)
{
  size_t length = strlen(word);

  look(r);
  if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0) return false;
  if (isalpha((unsigned char)*word) && r->at + length < r->end &&
      (isalnum((unsigned char)r->at[length]) || r->at[length] == '_'))
    return false;
  r->at += length;
  return true;
}

static struct name read_name(struct reader *r)
{
  struct name name = {r->at, 0};

  look(r);
  name.text = r->at;
  while (r->at < r->end && (isalnum((unsigned char)*r->at) || *r->at == '_' || *r->at == '$'))
    r->at++;
  name.length = (size_t)(r->at - name.text);
  return name;
}

static unsigned read_names(struct reader *r, struct name *names, const char *closer)
{
  unsigned count = 0;

  while (!accept(r, closer)) {
    if (count == MOST_NAMES) {
      complain(r, "an affine map of more than 64 dims or symbols");
      return 0;
    }
    names[count] = read_name(r);
    if (!names[count].length || (!accept(r, ",") && look(r) != *closer)) {
      complain(r, "an affine map needs names as in (d0, d1)");
      return 0;
    }
    count++;
  }
  return count;
}

/* ---- Arithmetic ---- */

static bool is_constant(const struct sum *sum)
{
  for (unsigned i = 0; i < MOST_NAMES; i++)
    if (sum->factors[i]) return false;
  return sum->is_linear;
}

static void make_usage(struct sum *left, const struct sum *right)
{
  for (unsigned i = 0; i < MOST_NAMES; i++)
    left->factors[i] = left->factors[i] || right->factors[i];
  left->constant = 0;
  left->is_linear = false;
}

static void add(struct sum *left, const struct sum *right, int sign)
{
  struct sum result = *left;
  bool fits = left->is_linear && right->is_linear;

  for (unsigned i = 0; fits && i < MOST_NAMES; i++)
    fits = sign > 0
               ? !__builtin_add_overflow(left->factors[i], right->factors[i], &result.factors[i])
               : !__builtin_sub_overflow(left->factors[i], right->factors[i], &result.factors[i]);
  if (fits)
    fits = sign > 0 ? !__builtin_add_overflow(left->constant, right->constant, &result.constant)
                    : !__builtin_sub_overflow(left->constant, right->constant, &result.constant);
  if (fits)
    *left = result;
  else
    make_usage(left, right);
}

static void scale(struct sum *left, const struct sum *right)
{
  const struct sum *factor = is_constant(right) ? right : left;
  const struct sum *other = factor == right ? left : right;
  struct sum result = {.is_linear = true};
  bool fits = is_constant(factor) && other->is_linear;

  for (unsigned i = 0; fits && i < MOST_NAMES; i++)
    fits = !__builtin_mul_overflow(other->factors[i], factor->constant, &result.factors[i]);
  if (fits && !__builtin_mul_overflow(other->constant, factor->constant, &result.constant))
    *left = result;
  else
    make_usage(left, right);
}

/* ---- Expressions ---- */

static void read_sum(struct reader *r, struct sum *sum);

static void read_constant(struct reader *r, struct sum *sum)
{
  char digits[32];
  size_t length = 0;

  while (r->at < r->end && isdigit((unsigned char)*r->at) && length < sizeof digits - 1)
    digits[length++] = *r->at++;
  digits[length] = 0;
  errno = 0;
  sum->constant = strtoll(digits, NULL, 10);
  if (errno) complain(r, "a number of an affine map does not fit into 64 bits");
  hone__text_add(&r->text, digits);
}

static void read_variable(struct reader *r, struct sum *sum)
{
  struct name name = read_name(r);

  for (unsigned i = 0; i < r->dims + r->symbols; i++) {
    if (name.length != r->names[i].length || memcmp(name.text, r->names[i].text, name.length) != 0)
      continue;
    if (i < r->dims)
      sum->factors[i] = 1;
    else
      sum->is_linear = false;
    hone__text_addf(&r->text, i < r->dims ? "d%u" : "s%u", i < r->dims ? i : i - r->dims);
    return;
  }
  complain(r, name.length ? "an affine map uses an undefined name"
                          : "an affine map has an incomplete expression");
}

static void read_unary(struct reader *r, struct sum *sum)
{
  *sum = (struct sum){.is_linear = true};
  if (++r->nesting > MOST_NESTING) {
    complain(r, "an affine map of more than 32 levels");
  } else if (accept(r, "-")) {
    struct sum operand;
    hone__text_add(&r->text, "-");
    read_unary(r, &operand);
    add(sum, &operand, -1);
  } else if (accept(r, "(")) {
    hone__text_add(&r->text, "(");
    read_sum(r, sum);
    if (!accept(r, ")")) complain(r, "')' is missing in an affine map");
    hone__text_add(&r->text, ")");
  } else if (isdigit((unsigned char)look(r))) {
    read_constant(r, sum);
  } else {
    read_variable(r, sum);
  }
  r->nesting--;
}

static void read_product(struct reader *r, struct sum *sum)
{
  static const char *const operators[] = {"*", "floordiv", "ceildiv", "mod"};

  read_unary(r, sum);
  for (size_t i = 0; i < sizeof operators / sizeof *operators;) {
    struct sum right;
    if (!accept(r, operators[i])) {
      i++;
      continue;
    }
    hone__text_addf(&r->text, " %s ", operators[i]);
    read_unary(r, &right);
    if (i == 0)
      scale(sum, &right);
    else
      make_usage(sum, &right);
    i = 0;
  }
}

static void read_sum(struct reader *r, struct sum *sum)
{
  read_product(r, sum);
  while (look(r) == '+' || look(r) == '-') {
    struct sum right;
    int sign = *r->at++ == '+' ? 1 : -1;
    hone__text_add(&r->text, sign > 0 ? " + " : " - ");
    read_product(r, &right);
    add(sum, &right, sign);
  }
}

/* ---- Maps ---- */

static void keep(struct reader *r, const struct sum *sum, struct hone__affine_expr *out)
{
  out->factors = hone__arena_alloc(r->arena, (r->dims + 1) * sizeof *out->factors);
  memcpy(out->factors, sum->factors, r->dims * sizeof *out->factors);
  out->constant = sum->constant;
  out->is_linear = sum->is_linear;
  out->text = hone__arena_strdup(r->arena, r->text.data ? r->text.data : "");
}

static void read_results(struct reader *r, struct hone__affine_map *map)
{
  struct hone__affine_expr results[MOST_RESULTS];
  struct sum sum;

  if (!accept(r, "->") || !accept(r, "(")) {
    complain(r, "an affine map needs results as in (d0, d1) -> (d1)");
    return;
  }
  while (!r->problem && !accept(r, ")")) {
    if (map->count == MOST_RESULTS) {
      complain(r, "an affine map of more than 64 results");
      return;
    }
    r->text.length = 0;
    read_sum(r, &sum);
    keep(r, &sum, &results[map->count++]);
    if (!accept(r, ",") && look(r) != ')') complain(r, "',' is missing in an affine map");
  }
  if (r->problem) return;
  map->results = hone__arena_alloc(r->arena, (map->count + 1) * sizeof *results);
  memcpy(map->results, results, map->count * sizeof *results);
}

const char *hone__affine_map_read(struct hone__arena *arena, const char *text, size_t begin,
                                  size_t end, struct hone__affine_map *out_map)
{
  struct reader r = {.arena = arena, .at = text + begin, .end = text + end};

  *out_map = (struct hone__affine_map){0};
  if (!accept(&r, "(")) return "an affine map begins with (d0, d1)";
  r.dims = read_names(&r, r.names, ")");
  if (accept(&r, "[")) r.symbols = read_names(&r, r.names + r.dims, "]");
  out_map->dims = r.dims;
  out_map->symbols = r.symbols;
  read_results(&r, out_map);
  if (!r.problem && look(&r)) complain(&r, "unexpected text after the results of an affine map");
  if (r.problem) *out_map = (struct hone__affine_map){0};
  hone__text_release(&r.text);
  return r.problem;
}

/* With or without affine_map<...> around it. */
hone_status hone__mlir_parse_map(struct hone__arena *arena, const char *text,
                                 struct hone__affine_map *out_map)
{
  static const char around[] = "affine_map<";
  size_t begin = strspn(text, " \t\n"), end = strlen(text);
  const char *problem;

  while (end > begin && isspace((unsigned char)text[end - 1]))
    end--;
  if (strncmp(text + begin, around, sizeof around - 1) == 0 && text[end - 1] == '>') {
    begin += sizeof around - 1;
    end--;
  }
  problem = hone__affine_map_read(arena, text, begin, end, out_map);
  return problem ? hone__error(HONE_INVALID_SPEC, "%s: '%s'", problem, text) : NULL;
}

bool hone__mlir_same_map(const struct hone__affine_map *a, const struct hone__affine_map *b)
{
  if (a->dims != b->dims || a->symbols != b->symbols || a->count != b->count) return false;
  for (unsigned i = 0; i < a->count; i++) {
    const struct hone__affine_expr *left = &a->results[i], *right = &b->results[i];
    if (left->is_linear != right->is_linear || left->constant != right->constant) return false;
    if (memcmp(left->factors, right->factors, a->dims * sizeof *left->factors) != 0) return false;
    if (left->is_linear || left->text == right->text) continue;
    if (!left->text || !right->text || strcmp(left->text, right->text) != 0) return false;
  }
  return true;
}
