/* spec_keys [--check] FILE...: the tables of all keys of a spec, made of those of the parser.
 *
 * Each FILE has a region between a line with "begin keys" and one with "end keys": Markdown in
 * docs/spec.md, mdoc(7) in docs/man/hone-spec.5. `ninja -C build spec-keys` renews them; a test
 * calls this program with --check, which changes nothing and reports in TAP. */
#include "base/file.h"
#include "base/memory.h"
#include "base/replace.h"
#include "base/text.h"
#include "export/region.h"
#include "spec/rules.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What a rule takes, in words ---- */

static void add(struct hone__text *text, const char *words)
{
  if (text->length) hone__text_add(text, " or ");
  hone__text_add(text, words);
}

static void add_words(struct hone__text *text, const char *const *words)
{
  for (size_t i = 0; words[i]; i++)
    hone__text_addf(text, "%s`%s`", i ? ", " : "", words[i]);
}

static void add_bounds(struct hone__text *text, const struct hone__rule *rule)
{
  if (rule->low == rule->high) return;
  if (isfinite(rule->high))
    hone__text_addf(text, " from %.10g to %.10g", rule->low, rule->high);
  else
    hone__text_addf(text, " of at least %g", rule->low);
}

static void add_list(struct hone__text *text, const struct hone__rule *rule)
{
  if (rule->list == HONE__NO_LIST) return;
  hone__text_add(text, rule->list == HONE__LIST_ONLY ? "; a list" : "; one or a list");
  if (rule->most && rule->least == rule->most)
    hone__text_addf(text, " of %zu", rule->most);
  else if (rule->most)
    hone__text_addf(text, " of at most %zu", rule->most);
}

static void describe(const struct hone__rule *rule, struct hone__text *text);

/* With one rule for all values. */
static void describe_mapping(const struct hone__rule *rule, struct hone__text *text)
{
  struct hone__text value = {0};

  if (!rule->keys) {
    add(text, "a mapping");
    return;
  }
  describe(rule->keys, &value);
  add(text, "a mapping of names to ");
  hone__text_addf(text, strstr(value.data, " or ") ? "(%s)" : "%s", value.data);
  hone__text_release(&value);
}

static const struct kind {
  unsigned bit;
  const char *words;
} kinds[] = {{HONE__TAKES_TEXT, "text"},
             {HONE__TAKES_NAME, "a name"},
             {HONE__TAKES_BOOLEAN, "`true`, `false`"},
             {HONE__TAKES_INTEGER, "an integer"},
             {HONE__TAKES_NUMBER, "a number"},
             {HONE__TAKES_DURATION, "a duration"},
             {HONE__TAKES_SECONDS, "seconds"},
             {HONE__TAKES_FORMULA, "an expression"},
             {HONE__TAKES_ANYTHING, "anything"},
             {HONE__TAKES_ENTRY, "a function"}};

static void describe(const struct hone__rule *rule, struct hone__text *text)
{
  if (rule->takes & HONE__TAKES_WORD) add_words(text, rule->words);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (!(rule->takes & kinds[i].bit)) continue;
    add(text, kinds[i].words);
    if (kinds[i].bit & (HONE__TAKES_INTEGER | HONE__TAKES_NUMBER)) add_bounds(text, rule);
  }
  if (rule->takes & HONE__TAKES_KEYS) add(text, !rule->is_closed ? "keys, below" : "keys");
  if (rule->takes & HONE__TAKES_MAPPING) describe_mapping(rule, text);
  add_list(text, rule);
  if (rule->needs) hone__text_addf(text, "; needs `%s`", rule->needs);
}

/* ---- Markdown ---- */

static void add_markdown(const struct hone__rule *rule, const char *path, struct hone__text *out)
{
  struct hone__text takes = {0};

  describe(rule, &takes);
  if (rule->section)
    hone__text_addf(out,
                    "\n## %s\n\n| key | takes | default | example | |\n|---|---|---|---|---|\n",
                    rule->section);
  hone__text_addf(out, "| `%s` | %s | %s | `%s` | %s |\n", path, takes.data,
                  rule->required   ? "required"
                  : rule->fallback ? rule->fallback
                                   : "none",
                  rule->example, rule->about);
  hone__text_release(&takes);
}

/* ---- mdoc(7) ---- */

/* Without the marks of Markdown. A line that begins with a point or a quote would be a macro. */
static void add_plain(struct hone__text *out, const char *text)
{
  char first = text[*text == '`'];

  if (first == '.' || first == '\'') hone__text_add(out, "\\&");
  for (; *text; text++) {
    if (*text == '`') continue;
    if (*text == '\\')
      hone__text_add(out, "\\e");
    else
      hone__text_addn(out, text, 1);
  }
}

static void add_manual(const struct hone__rule *rule, const char *path, struct hone__text *out)
{
  struct hone__text takes = {0};

  describe(rule, &takes);
  hone__text_addf(out, ".It Ic %s\n", path);
  add_plain(out, rule->about);
  hone__text_add(out, "\nTakes ");
  add_plain(out, takes.data);
  hone__text_add(out, rule->required ? "; required.\n" : ".\nDefault: ");
  if (!rule->required) add_plain(out, rule->fallback ? rule->fallback : "none");
  hone__text_addf(out, "%sExample:\n.Li \"", rule->required ? "" : ".\n");
  add_plain(out, rule->example);
  hone__text_add(out, "\"\n");
  hone__text_release(&takes);
}

/* ---- All keys ---- */

typedef void add_rule(const struct hone__rule *rule, const char *path, struct hone__text *out);

static void add_rules(const struct hone__rule *rules, const char *owner, add_rule *one,
                      struct hone__text *out)
{
  for (; rules->key; rules++) {
    struct hone__text path = {0};
    hone__text_addf(&path, "%s%s%s", owner, *owner ? "." : "", rules->key);
    one(rules, path.data, out);
    if (rules->takes & HONE__TAKES_KEYS && !rules->is_closed)
      add_rules(rules->keys, path.data, one, out);
    hone__text_release(&path);
  }
}

static void add_all(const char *path, struct hone__text *out)
{
  size_t length = strlen(path);
  bool is_markdown = length > 3 && strcmp(path + length - 3, ".md") == 0;

  if (!is_markdown) hone__text_add(out, ".Bl -tag -width Ds -compact\n");
  add_rules(hone__spec_rules, "", is_markdown ? add_markdown : add_manual, out);
  hone__text_add(out, is_markdown ? "\n" : ".El\n");
}

/* ---- Files ---- */

static hone_status renewed(const char *text, const char *path, struct hone__text *out)
{
  struct hone__text keys = {0};
  struct hone__region region;
  hone_status status = hone__region_find(text, "begin keys", "end keys", &region);

  add_all(path, &keys);
  if (!status) hone__region_replace(text, &region, keys.data, out);
  hone__text_release(&keys);
  return status;
}

/* What has to be said; NULL: the file is as it should be. */
static hone_status treat(const char *path, bool check)
{
  struct hone__text now = {0};
  char *text = NULL;
  size_t size;
  hone_status status = hone__file_read(path, 1 << 24, &text, &size);

  if (!status) status = renewed(text, path, &now);
  if (!status && strcmp(text, now.data) != 0)
    status = check ? hone__error(HONE_INVALID_ARGUMENT,
                                 "'%s' differs from the tables of the parser; "
                                 "renew it with: ninja -C build spec-keys",
                                 path)
                   : hone__file_replace(path, now.data, now.length);
  hone__text_release(&now);
  free(text);
  return status;
}

int main(int argc, char **argv)
{
  bool check = argc > 1 && strcmp(argv[1], "--check") == 0;
  int first = check ? 2 : 1, failed = 0;

  if (check) printf("1..%d\n", argc - first);
  for (int i = first; i < argc; i++) {
    hone_status status = treat(argv[i], check);
    if (check)
      printf("%s %d - %s has every key\n", status ? "not ok" : "ok", i - first + 1, argv[i]);
    if (status) fprintf(stderr, "%s\n", hone_status_message(status));
    failed |= status != NULL;
    hone_status_free(status);
  }
  return failed;
}
