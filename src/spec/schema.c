/* Each kind of value is a row of one table: how a message calls it, and how it is recognised.
 * Errors say first what is expected, then what was found, then what may have been meant. */
#include "spec/schema.h"

#include "base/number.h"
#include "hone_text.h"

#include <ctype.h>
#include <stdlib.h>

enum { MOST_SHOWN = 40, LONGEST_ENTRY = 1000 };
#define NAME_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

/* ---- Recognising values ---- */

bool hone__spec_is_one_of(const char *word, const char *const *words)
{
  for (; *words; words++)
    if (strcmp(*words, word) == 0) return true;
  return false;
}

static bool number_of_text(const char *text, double *out_number)
{
  char *end;

  if (!*text || strspn(text, "0123456789.eE+-") != strlen(text)) return false; /* no nan, no 0x */
  *out_number = hone__strtod(text, &end);
  return *end == 0;
}

bool hone__node_number(const struct hone__node *node, double *out_number)
{
  if (node->kind != HONE__SCALAR) return false;
  switch (node->value.type) {
  case HONE_INT: *out_number = (double)node->value.integer; return true;
  case HONE_FLOAT: *out_number = node->value.real; return true;
  case HONE_TEXT: return node->plain && number_of_text(node->text, out_number);
  default: return false;
  }
}

static double unit_seconds(const char *unit, size_t length)
{
  static const struct {
    const char *name;
    double seconds;
  } units[] = {{"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}};

  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strlen(units[i].name) == length && strncmp(units[i].name, unit, length) == 0)
      return units[i].seconds;
  return 0;
}

bool hone__duration_parse(const char *text, double *out_seconds)
{
  double sum = 0;

  do {
    char *unit;
    double number, seconds;
    size_t length;
    if (!isdigit((unsigned char)*text) || (*text == '0' && tolower((unsigned char)text[1]) == 'x'))
      return false;
    number = hone__strtod(text, &unit);
    length = strspn(unit, "abcdefghijklmnopqrstuvwxyz");
    seconds = unit_seconds(unit, length);
    if (seconds == 0) return false;
    sum += number * seconds;
    text = unit + length;
  } while (*text);
  *out_seconds = sum;
  return true;
}

static bool lies_within(const struct hone__rule *rule, double number)
{
  if (rule->low == rule->high) return true;
  return isfinite(number) && number >= rule->low && number <= rule->high;
}

static bool fits_word(const struct hone__rule *rule, const struct hone__node *node)
{
  return node->value.type == HONE_TEXT && hone__spec_is_one_of(node->text, rule->words);
}

static bool fits_text(const struct hone__rule *rule, const struct hone__node *node)
{
  (void)rule;
  return node->value.type == HONE_TEXT && *node->text;
}

/* YAML 1.1 reads `off`, `on`, `yes` and `no` as truth values. Where only a name can stand they are
 * names: kernels have arguments like that. */
static bool fits_name(const struct hone__rule *rule, const struct hone__node *node)
{
  static const char *const values[] = {"true", "True", "TRUE", "false", "False", "FALSE", NULL};

  (void)rule;
  if (node->value.type == HONE_BOOL && hone__spec_is_one_of(node->text, values)) return false;
  return (node->value.type == HONE_TEXT || node->value.type == HONE_BOOL) &&
         hone__is_identifier(node->text);
}

/* "gemm<BM, 4, ns::tag<float>>": what an expression that names a function can consist of. Quotes,
 * line ends and semicolons are not among it: no statement can be inserted into the source. */
static bool fits_entry(const struct hone__rule *rule, const struct hone__node *node)
{
  const char *text = node->text, *open = strchr(text, '<');
  int depth = 0;

  (void)rule;
  if (node->value.type != HONE_TEXT || strlen(text) > LONGEST_ENTRY) return false;
  if (!isalpha((unsigned char)*text) && *text != '_' && strncmp(text, "::", 2) != 0) return false;
  if (strspn(text, NAME_CHARACTERS ":") < (open ? (size_t)(open - text) : strlen(text)))
    return false;
  for (; open && *open && depth >= 0; open++) {
    if (!strchr(NAME_CHARACTERS ":<>(), *&+-/%|^~!=.", *open)) return false;
    depth += (*open == '<' || *open == '(') - (*open == '>' || *open == ')');
  }
  return depth == 0 && (!strchr(text, '<') || text[strlen(text) - 1] == '>');
}

static bool fits_boolean(const struct hone__rule *rule, const struct hone__node *node)
{
  (void)rule;
  return node->value.type == HONE_BOOL;
}

static bool fits_integer(const struct hone__rule *rule, const struct hone__node *node)
{
  return node->value.type == HONE_INT && lies_within(rule, (double)node->value.integer);
}

static bool fits_number(const struct hone__rule *rule, const struct hone__node *node)
{
  double number;

  return hone__node_number(node, &number) && lies_within(rule, number);
}

static bool fits_duration(const struct hone__rule *rule, const struct hone__node *node)
{
  double seconds;

  (void)rule;
  return node->value.type == HONE_TEXT && hone__duration_parse(node->text, &seconds) &&
         seconds > 0 && isfinite(seconds);
}

static bool fits_seconds(const struct hone__rule *rule, const struct hone__node *node)
{
  double seconds;

  (void)rule;
  return hone__node_number(node, &seconds) && seconds > 0 && isfinite(seconds);
}

static const struct kind {
  unsigned bit;
  const char *phrase, *plural;
  bool (*fits)(const struct hone__rule *rule, const struct hone__node *node); /* NULL: no scalar */
} kinds[] = {
    {HONE__TAKES_WORD, NULL, NULL, fits_word},
    {HONE__TAKES_TEXT, "text", "text", fits_text},
    {HONE__TAKES_NAME, "a name", "names", fits_name},
    {HONE__TAKES_ENTRY, "a name", "names", fits_entry},
    {HONE__TAKES_BOOLEAN, "true or false", "true or false", fits_boolean},
    {HONE__TAKES_INTEGER, "an integer", "integers", fits_integer},
    {HONE__TAKES_NUMBER, "a number", "numbers", fits_number},
    {HONE__TAKES_DURATION, "a duration (500ms, 60s, 5m)", "durations", fits_duration},
    {HONE__TAKES_SECONDS, "a number of seconds", "seconds", fits_seconds},
    {HONE__TAKES_FORMULA, "an expression", "expressions", NULL},
    {HONE__TAKES_KEYS | HONE__TAKES_MAPPING, "a mapping", "mappings", NULL},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

/* ---- Saying what is wrong ---- */

/* "a, b or c" */
static void add_alternative(struct hone__text *text, const char *phrase, size_t index, size_t count)
{
  if (index) hone__text_add(text, index + 1 == count ? " or " : ", ");
  hone__text_add(text, phrase);
}

static void add_words(struct hone__text *text, const char *const *words, size_t more)
{
  size_t count = 0;

  while (words[count])
    count++;
  for (size_t i = 0; i < count; i++)
    add_alternative(text, words[i], i, count + more);
}

static void add_bounds(struct hone__text *text, const struct hone__rule *rule)
{
  if (rule->low == rule->high) return;
  if (isfinite(rule->high))
    hone__text_addf(text, " from %g to %g", rule->low, rule->high);
  else
    hone__text_addf(text, " of at least %g", rule->low);
}

static void add_expected(struct hone__text *text, const struct hone__rule *rule)
{
  bool plural = rule->list == HONE__LIST_ONLY;
  size_t count = 0, index = 0;

  for (size_t i = 0; i < KIND_COUNT; i++)
    count += (rule->takes & kinds[i].bit) != 0;
  for (size_t i = 0; i < KIND_COUNT; i++) {
    if (!(rule->takes & kinds[i].bit)) continue;
    if (kinds[i].bit == HONE__TAKES_WORD) {
      add_words(text, rule->words, count - 1);
    } else {
      add_alternative(text, plural ? kinds[i].plural : kinds[i].phrase, index, count);
    }
    if (kinds[i].bit & (HONE__TAKES_INTEGER | HONE__TAKES_NUMBER)) add_bounds(text, rule);
    index++;
  }
}

static void add_found(struct hone__text *text, const struct hone__node *node)
{
  bool quoted = node->kind == HONE__SCALAR && node->value.type == HONE_TEXT;
  size_t length;

  if (node->kind != HONE__SCALAR || node->value.type == HONE_NONE) {
    hone__text_add(text, hone__node_kind_name(node));
    return;
  }
  length = strcspn(node->text, "\n");
  if (length > MOST_SHOWN) length = MOST_SHOWN;
  while (length && ((unsigned char)node->text[length] & 0xc0) == 0x80)
    length--;
  hone__text_add(text, quoted ? "'" : "");
  hone__text_addn(text, node->text, length);
  hone__text_add(text, node->text[length] ? "..." : "");
  hone__text_add(text, quoted ? "'" : "");
}

const char *hone__suggest_word(struct hone__loader *loader, const char *word,
                               const char *const *words)
{
  struct hone_nearest nearest = {.word = word};

  for (; *words; words++)
    hone_nearest_try(&nearest, *words);
  if (!nearest.best) return "";
  return hone__arena_printf(&loader->diagnostics->arena, "; did you mean '%s'?", nearest.best);
}

static const char *suggest_word(struct hone__loader *loader, const struct hone__rule *rule,
                                const char *word)
{
  const char *meant = rule->translate ? rule->translate(word) : NULL;

  if (!meant) return hone__suggest_word(loader, word, rule->words);
  return hone__arena_printf(&loader->diagnostics->arena, "; did you mean '%s'?", meant);
}

static void add_advice(struct hone__loader *loader, struct hone__text *text,
                       const struct hone__rule *rule, const struct hone__node *node)
{
  bool typed;

  if (node->kind != HONE__SCALAR || node->value.type == HONE_NONE) return;
  typed = node->value.type != HONE_TEXT;
  if (typed && rule->takes & (HONE__TAKES_TEXT | HONE__TAKES_NAME | HONE__TAKES_ENTRY))
    hone__text_add(text, "; in quotes it is text");
  else if (rule->takes & HONE__TAKES_ENTRY && strchr(node->text, '<'))
    hone__text_add(text, "; a template of C++ is written 'name<64, float>', without quotes, "
                         "shifts and semicolons");
  else if (rule->words)
    hone__text_add(text, suggest_word(loader, rule, node->text));
}

static bool wrong(struct hone__loader *loader, const struct hone__rule *rule,
                  const struct hone__node *node)
{
  struct hone__text text = {0};

  hone__text_addf(&text, "'%s' %s ", rule->key,
                  rule->list == HONE__LIST_ONLY ? "is a list of" : "takes");
  add_expected(&text, rule);
  hone__text_add(&text, ", not ");
  add_found(&text, node);
  add_advice(loader, &text, rule, node);
  hone__loader_error(loader, node, "%s", text.data);
  hone__text_release(&text);
  return false;
}

/* ---- One value ---- */

static bool fits_value(const struct hone__rule *rule, struct hone_value value)
{
  double number = value.type == HONE_FLOAT ? value.real : (double)value.integer;

  if (value.type == HONE_BOOL) return rule->takes & HONE__TAKES_BOOLEAN;
  if (value.type != HONE_INT && value.type != HONE_FLOAT) return false;
  if (rule->takes & HONE__TAKES_INTEGER && number != floor(number)) return false;
  return lies_within(rule, number);
}

bool hone__schema_formula(struct hone__loader *loader, const struct hone__rule *rule,
                          const struct hone__node *node, struct hone__formula *out_formula)
{
  struct hone__evaluator evaluator = {.arena = &loader->spec->arena};
  struct hone_value value;

  if (!hone__loader_formula(loader, node, rule->names, out_formula)) return false;
  if (hone__evaluate(&evaluator, out_formula->expr, &value))
    return fits_value(rule, value) || wrong(loader, rule, node);
  if (evaluator.fault == HONE__FAULT_NAME) return true;
  hone__report(loader->diagnostics, HONE__ERROR, out_formula->source,
               hone__formula_place(out_formula, evaluator.culprit->begin), "%s",
               hone__fault_message(&evaluator, out_formula->text, &loader->diagnostics->arena));
  return false;
}

static bool check_scalar(struct hone__loader *loader, const struct hone__rule *rule,
                         const struct hone__node *node)
{
  struct hone__formula formula;

  for (size_t i = 0; i < KIND_COUNT; i++)
    if (rule->takes & kinds[i].bit && kinds[i].fits && kinds[i].fits(rule, node)) return true;
  if (!(rule->takes & HONE__TAKES_FORMULA) || node->value.type != HONE_TEXT)
    return wrong(loader, rule, node);
  return hone__schema_formula(loader, rule, node, &formula);
}

static bool check_node(struct hone__loader *loader, const struct hone__rule *rule,
                       const struct hone__node *node);

static bool check_values(struct hone__loader *loader, const struct hone__rule *rule,
                         const struct hone__node *mapping)
{
  bool ok = true;

  for (size_t i = 0; rule->keys && i < mapping->count; i++) {
    struct hone__rule named = *rule->keys;
    named.key = mapping->pairs[i].key->text;
    ok = check_node(loader, &named, mapping->pairs[i].value) && ok;
  }
  return ok;
}

static bool check_shape(struct hone__loader *loader, const struct hone__rule *rule,
                        const struct hone__node *node)
{
  if (node->kind == HONE__SCALAR) return check_scalar(loader, rule, node);
  if (node->kind == HONE__MAPPING && rule->takes & HONE__TAKES_KEYS)
    return hone__schema_check(loader, node, rule->keys, rule->key);
  if (node->kind == HONE__MAPPING && rule->takes & HONE__TAKES_MAPPING)
    return check_values(loader, rule, node);
  return wrong(loader, rule, node);
}

static bool check_one(struct hone__loader *loader, const struct hone__rule *rule,
                      const struct hone__node *node)
{
  bool ok = rule->takes == HONE__TAKES_ANYTHING || check_shape(loader, rule, node);

  if (ok && rule->also) rule->also(loader, node);
  return ok;
}

static bool check_length(struct hone__loader *loader, const struct hone__rule *rule,
                         const struct hone__node *node)
{
  const char *bound = node->count < rule->least ? "at least" : "at most";
  size_t count = node->count < rule->least ? rule->least : rule->most;

  if (node->count >= rule->least && (!rule->most || node->count <= rule->most)) return true;
  if (rule->least == rule->most) bound = "exactly";
  hone__loader_error(loader, node, "'%s' takes %s %zu element%s, not %zu", rule->key, bound, count,
                     count == 1 ? "" : "s", node->count);
  return false;
}

static bool check_list(struct hone__loader *loader, const struct hone__rule *rule,
                       const struct hone__node *node)
{
  bool right_length = check_length(loader, rule, node), ok = right_length;

  for (size_t i = 0; i < node->count; i++)
    ok = check_one(loader, rule, node->items[i]) && ok;
  if (right_length && rule->together) rule->together(loader, node);
  return ok;
}

static bool check_node(struct hone__loader *loader, const struct hone__rule *rule,
                       const struct hone__node *node)
{
  if (rule->elsewhere) return true;
  if (node->kind == HONE__SEQUENCE && rule->list != HONE__NO_LIST)
    return check_list(loader, rule, node);
  if (rule->list == HONE__LIST_ONLY) return wrong(loader, rule, node);
  return check_one(loader, rule, node);
}

/* ---- The keys of a mapping ---- */

static const struct hone__rule *find_rule(const struct hone__rule *rules, const char *key)
{
  for (; rules->key; rules++)
    if (strcmp(rules->key, key) == 0) return rules;
  return NULL;
}

static void report_unknown(struct hone__loader *loader, const struct hone__node *key,
                           const struct hone__rule *rules, const char *owner)
{
  struct hone_nearest nearest = {.word = key->text};
  struct hone__text known = {0};

  for (const struct hone__rule *rule = rules; rule->key; rule++) {
    hone_nearest_try(&nearest, rule->key);
    hone__text_addf(&known, "%s'%s'", rule == rules ? "" : ", ", rule->key);
  }
  if (nearest.best)
    hone__loader_error(loader, key, "unknown key '%s' in '%s'; did you mean '%s'?", key->text,
                       owner, nearest.best);
  else
    hone__loader_error(loader, key, "unknown key '%s' in '%s', which takes %s", key->text, owner,
                       known.data);
  hone__text_release(&known);
}

static bool check_unknown(struct hone__loader *loader, const struct hone__node *mapping,
                          const struct hone__rule *rules, const char *owner)
{
  bool ok = true;

  for (size_t i = 0; i < mapping->count; i++) {
    if (find_rule(rules, mapping->pairs[i].key->text)) continue;
    report_unknown(loader, mapping->pairs[i].key, rules, owner);
    ok = false;
  }
  return ok;
}

static const struct hone__node *find_key(const struct hone__node *mapping, const char *key)
{
  for (size_t i = 0; i < mapping->count; i++)
    if (strcmp(mapping->pairs[i].key->text, key) == 0) return mapping->pairs[i].key;
  return NULL;
}

static bool check_present(struct hone__loader *loader, const struct hone__node *mapping,
                          const struct hone__rule *rule, const char *owner)
{
  const struct hone__node *key = find_key(mapping, rule->key);

  if (key) {
    if (!rule->needs || hone__node_get(mapping, rule->needs)) return true;
    hone__loader_error(loader, key, "'%s' needs '%s'", rule->key, rule->needs);
    return false;
  }
  if (!rule->required) return true;
  hone__loader_error(loader, mapping, "'%s' is missing in '%s'", rule->key, owner);
  return false;
}

/* Reported at the key that stands later in the file. */
static bool check_forms(struct hone__loader *loader, const struct hone__node *mapping,
                        const struct hone__rule *rules)
{
  const struct hone__rule *first = NULL;

  for (size_t i = 0; i < mapping->count; i++) {
    const struct hone__rule *rule = find_rule(rules, mapping->pairs[i].key->text);
    if (!rule || !rule->form) continue;
    if (!first) first = rule;
    if (rule->form == first->form) continue;
    hone__loader_error(loader, mapping->pairs[i].key, "'%s' cannot be combined with '%s'",
                       rule->key, first->key);
    return false;
  }
  return true;
}

bool hone__schema_check(struct hone__loader *loader, const struct hone__node *mapping,
                        const struct hone__rule *rules, const char *owner)
{
  bool ok = !owner || check_unknown(loader, mapping, rules, owner);

  ok = check_forms(loader, mapping, rules) && ok;
  for (const struct hone__rule *rule = rules; rule->key; rule++) {
    const struct hone__node *node = hone__node_get(mapping, rule->key);
    ok = check_present(loader, mapping, rule, owner) && ok;
    if (node) ok = check_node(loader, rule, node) && ok;
  }
  return ok;
}
