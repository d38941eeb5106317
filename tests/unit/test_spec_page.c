/* docs/spec.md has a row for every key that a spec may have, with what the parser takes. */
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "spec/rules.h"
#include "spec/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- What a rule takes, in words ---- */

static void add(struct hone__text *text, const char *words)
{
  if (text->length) hone__text_add(text, " or ");
  hone__text_add(text, words);
}

static void add_words(struct hone__text *text, const char *const *words)
{
  struct hone__text list = {0};

  for (; *words; words++)
    hone__text_addf(&list, "%s`%s`", list.length ? ", " : "", *words);
  add(text, list.data ? list.data : "");
  hone__text_release(&list);
}

static void describe(const struct hone__rule *rule, struct hone__text *text)
{
  static const struct {
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
               {HONE__TAKES_KEYS, "keys, below"},
               {HONE__TAKES_MAPPING, "a mapping"},
               {HONE__TAKES_ANYTHING, "anything"},
               {HONE__TAKES_ENTRY, "a function"}};

  if (rule->takes & HONE__TAKES_WORD) add_words(text, rule->words);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (rule->takes & kinds[i].bit) add(text, kinds[i].words);
  if (rule->list == HONE__LIST_ONLY) hone__text_add(text, "; a list");
  if (rule->list == HONE__ONE_OR_LIST) hone__text_add(text, "; one or a list");
  if (rule->required) hone__text_add(text, "; required");
}

/* ---- The page ---- */

struct page {
  char *text;
  struct hone__text missing;
  size_t rows;
};

static void check_row(struct page *page, const char *path, const struct hone__rule *rule)
{
  struct hone__text row = {0}, type = {0};

  describe(rule, &type);
  hone__text_addf(&row, "| `%s` |", path);
  if (rule->takes) hone__text_addf(&row, " %s |", type.data);
  if (!strstr(page->text, row.data)) hone__text_addf(&page->missing, "%s\n", row.data);
  page->rows++;
  hone__text_release(&row);
  hone__text_release(&type);
}

/* `iree` is written by hone itself. Stages hold stages. */
static bool is_closed(const char *path, const struct hone__rule *rule)
{
  return strcmp(path, "iree") == 0 || strcmp(path, "stages.stages") == 0 || !rule->keys ||
         !rule->keys->key;
}

static void check_rules(struct page *page, const struct hone__rule *rules, const char *owner)
{
  for (; rules->key; rules++) {
    struct hone__text path = {0};
    hone__text_addf(&path, "%s%s%s", owner, *owner ? "." : "", rules->key);
    check_row(page, path.data, rules);
    if (!is_closed(path.data, rules)) check_rules(page, rules->keys, path.data);
    hone__text_release(&path);
  }
}

static size_t count_rows(const char *text)
{
  size_t count = 0;

  for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
    count += strncmp(line, "| `", 3) == 0;
  return count;
}

static void every_key_has_a_row(void **state)
{
  struct page page = {0};
  size_t size;

  (void)state;
  assert_null(hone__file_read("docs/spec.md", 1 << 24, &page.text, &size));
  check_rules(&page, hone__spec_rules, "");
  if (page.missing.length) {
    fprintf(stderr, "docs/spec.md lacks these rows:\n%s", page.missing.data);
    fail();
  }
  assert_int_equal(count_rows(page.text), page.rows);
  free(page.text);
  hone__text_release(&page.missing);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_key_has_a_row)};

  return cmocka_run_group_tests_name("spec_page", tests, NULL, NULL);
}
