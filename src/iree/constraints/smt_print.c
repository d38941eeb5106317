/* smt_print.c - terms as expressions of specs, with as few parentheses as Python needs. */
#include "base/status.h"
#include "iree/constraints/smt_expression.h"

#include <inttypes.h>

/* How tightly an operator binds: an argument in a place that needs more stands in parentheses. */
enum { CHOICE, OR, AND, NOT, COMPARISON, SUM, PRODUCT, UNARY };

static const struct infix {
  const char *words;      /* between the arguments */
  int binds, left, right; /* what its first and its other arguments must bind */
} infixes[] = {
    [HONE__SMT_ADD] = {" + ", SUM, SUM, SUM},
    [HONE__SMT_SUB] = {" - ", SUM, SUM, PRODUCT},
    [HONE__SMT_MUL] = {" * ", PRODUCT, PRODUCT, UNARY},
    [HONE__SMT_DIV] = {" // ", PRODUCT, PRODUCT, UNARY},
    [HONE__SMT_MOD] = {" % ", PRODUCT, PRODUCT, UNARY},
    [HONE__SMT_EQ] = {" == ", COMPARISON, SUM, SUM},
    [HONE__SMT_LT] = {" < ", COMPARISON, SUM, SUM},
    [HONE__SMT_LE] = {" <= ", COMPARISON, SUM, SUM},
    [HONE__SMT_GT] = {" > ", COMPARISON, SUM, SUM},
    [HONE__SMT_GE] = {" >= ", COMPARISON, SUM, SUM},
    [HONE__SMT_DISTINCT] = {" != ", COMPARISON, SUM, SUM},
    [HONE__SMT_AND] = {" and ", AND, AND, NOT},
    [HONE__SMT_OR] = {" or ", OR, OR, AND},
};

static void print(const struct hone__smt_term *term, const char *const *names, int needed,
                  struct hone__text *text);

static void print_numbers(const int64_t *numbers, size_t count, struct hone__text *text)
{
  for (size_t i = 0; i < count; i++)
    hone__text_addf(text, "%s%" PRId64, i ? ", " : "", numbers[i]);
}

static bool counts_from_zero(const struct hone__smt_term *lookup)
{
  for (size_t i = 0; i < lookup->count; i++)
    if (lookup->keys[i] != (int64_t)i) return false;
  return lookup->count > 0;
}

/* Any other keys: [values][the only place where the key is]. */
static void print_lookup(const struct hone__smt_term *term, const char *const *names,
                         struct hone__text *text)
{
  hone__text_add(text, "[");
  print_numbers(term->values, term->count, text);
  hone__text_add(text, "][");
  if (counts_from_zero(term)) {
    print(term->args[0], names, CHOICE, text);
  } else {
    hone__text_add(text, "sum([");
    for (size_t i = 0; i < term->count; i++) {
      hone__text_addf(text, "%s%zu * (%" PRId64 " == ", i ? ", " : "", i, term->keys[i]);
      print(term->args[0], names, SUM, text);
      hone__text_add(text, ")");
    }
    hone__text_add(text, "])");
  }
  hone__text_add(text, "]");
}

static void print_chain(const struct hone__smt_term *term, const char *const *names, int needed,
                        struct hone__text *text)
{
  const struct infix *infix = &infixes[term->kind];
  const bool is_wrapped = infix->binds < needed && term->count > 1;

  if (is_wrapped) hone__text_add(text, "(");
  for (size_t i = 0; i < term->count; i++) {
    if (i) hone__text_add(text, infix->words);
    print(term->args[i], names, i ? infix->right : infix->left, text);
  }
  if (is_wrapped) hone__text_add(text, ")");
}

static void print_choice(const struct hone__smt_term *term, const char *const *names,
                         struct hone__text *text)
{
  hone__text_add(text, "(");
  print(term->args[1], names, OR, text);
  hone__text_add(text, " if ");
  print(term->args[0], names, OR, text);
  hone__text_add(text, " else ");
  print(term->args[2], names, CHOICE, text);
  hone__text_add(text, ")");
}

static void print_call(const char *begin, const struct hone__smt_term *argument,
                       const char *const *names, int needed, const char *end,
                       struct hone__text *text)
{
  hone__text_add(text, begin);
  print(argument, names, needed, text);
  hone__text_add(text, end);
}

static void print(const struct hone__smt_term *term, const char *const *names, int needed,
                  struct hone__text *text)
{
  switch (term->kind) {
  case HONE__SMT_CONSTANT: hone__text_addf(text, "%" PRId64, term->value); break;
  case HONE__SMT_VARIABLE: hone__text_add(text, names[term->value]); break;
  case HONE__SMT_NEG: print_call("(-", term->args[0], names, UNARY, ")", text); break;
  case HONE__SMT_ABS: print_call("abs(", term->args[0], names, CHOICE, ")", text); break;
  case HONE__SMT_NOT: print_call("(not ", term->args[0], names, NOT, ")", text); break;
  case HONE__SMT_IMPLIES:
    print_call("(not ", term->args[0], names, NOT, " or ", text);
    print_call("", term->args[1], names, AND, ")", text);
    break;
  case HONE__SMT_CHOICE: print_choice(term, names, text); break;
  case HONE__SMT_LOOKUP: print_lookup(term, names, text); break;
  default: print_chain(term, names, needed, text);
  }
}

void hone__smt_print(const struct hone__smt_term *term, const char *const *names,
                     struct hone__text *text)
{
  print(term, names, CHOICE, text);
}
