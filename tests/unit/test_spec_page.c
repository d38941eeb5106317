/* What docs/spec.md tells about keys is in the parser's own tables: examples are what the rules
 * take. */
#include "base/text.h"
#include "spec/rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The names that examples use. */
static const char prelude[] = "problem: {M: 64, N: 64, K: 64}\n"
                              "params: {BM: [8, 16], BN: [8, 16], TILE: [4, 8], THREADS: [1, 2]}\n"
                              "args: [{name: a, type: f32, shape: N}]\n";

static hone_status parse(const char *text, struct hone_spec **out_spec)
{
  struct hone_spec_options options;

  hone_spec_options_init(&options);
  return hone__spec_parse(text, strlen(text), "example", &options, NULL, out_spec);
}

/* The example as a mapping of its own, for the rule without what other keys have to do with it. */
static char *complaint_of(const struct hone__rule *rule)
{
  struct hone__rule alone[] = {*rule, {0}};
  struct hone_spec *spec;
  struct hone__loader loader = {0};
  struct hone__source source = {
      .path = "example", .text = (char *)rule->example, .size = strlen(rule->example)};
  char *text;

  assert_null(parse(prelude, &spec));
  hone__source_index(&source, &spec->arena);
  loader =
      (struct hone__loader){.spec = spec, .diagnostics = &spec->diagnostics, .source = &source};
  alone->elsewhere = alone->required = false;
  alone->needs = NULL;
  alone->also = alone->together = NULL;
  hone__yaml_parse(source.text, source.size, &source, &spec->arena, &spec->diagnostics,
                   &loader.root);
  if (loader.root) hone__schema_check(&loader, loader.root, alone, "example");
  text = hone__diagnostics_text(&spec->diagnostics, HONE__ERROR);
  hone_spec_free(spec);
  return text;
}

static bool is_complete(const struct hone__rule *rule)
{
  size_t length = strlen(rule->key);

  return rule->example && rule->about && rule->about[strlen(rule->about) - 1] == '.' &&
         !strchr(rule->example, '"') && strncmp(rule->example, rule->key, length) == 0 &&
         rule->example[length] == ':';
}

static size_t check_rules(const struct hone__rule *rules, const char *owner)
{
  size_t wrong = 0;

  for (; rules->key; rules++) {
    char *complaint = is_complete(rules) ? complaint_of(rules) : NULL;
    if (!complaint || *complaint) {
      fprintf(stderr, "%s.%s: %s\n", owner, rules->key,
              complaint ? complaint : "its example or its sentence is missing or of another key");
      wrong++;
    }
    free(complaint);
    if (rules->takes & HONE__TAKES_KEYS && !rules->is_closed)
      wrong += check_rules(rules->keys, rules->key);
  }
  return wrong;
}

static void every_key_has_an_example_that_the_parser_takes(void **state)
{
  (void)state;
  assert_int_equal(check_rules(hone__spec_rules, ""), 0);
}

static void an_example_of_another_type_is_told(void **state)
{
  struct hone__rule rule = {"seed", .takes = HONE__TAKES_INTEGER, HONE__RULE_AT_LEAST(0),
                            HONE__RULE_DOC(NULL, "seed: none", "A number.")};
  char *complaint = complaint_of(&rule);

  (void)state;
  assert_non_null(strstr(complaint, "'seed' takes an integer of at least 0, not 'none'"));
  free(complaint);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_key_has_an_example_that_the_parser_takes),
      cmocka_unit_test(an_example_of_another_type_is_told),
  };

  return cmocka_run_group_tests_name("spec_page", tests, NULL, NULL);
}
