/* Snippets, regions and the diff between two texts. */
#include "export/manifest.h"
#include "export/region.h"
#include "export/snippet.h"
#include "folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- Snippets ---- */

static struct hone__entry_value some_values[] = {
    {"M", "64"}, {"ENABLED", "True"}, {"TWO", "a\nb"}, {"M2", "[@M]"}};
static const struct hone__entry some_entry = {.values = some_values, .count = 4};

static void check_snippet(const char *snippet, unsigned indent, const char *expected)
{
  struct hone__text text = {0};

  hone__text_add(&text, "");
  assert_null(hone__snippet_render(snippet, &some_entry, indent, &text));
  assert_string_equal(text.data, expected);
  hone__text_release(&text);
}

static void snippets_are_filled_in(void **state)
{
  (void)state;
  check_snippet("Config(M=[@M], enabled=[@ENABLED])", 2, "  Config(M=64, enabled=True)");
  check_snippet("", 8, "");
  check_snippet("  a [@M]\n\n\tb  \n \n", 4, "      a 64\n\n    \tb");
  check_snippet("a\r\nb\r\n", 1, " a\n b");
  check_snippet("x[@TWO]y", 2, "  xa\n  by");
  check_snippet("[@M2][@M]", 0, "[@M]64"); /* a value is not looked into */
}

static void what_is_no_place_stays(void **state)
{
  (void)state;
  check_snippet("[@] [@ M] [@1] [@M [M] @M] [@M-1] a[@", 0,
                "[@] [@ M] [@1] [@M [M] @M] [@M-1] a[@");
}

static void missing_names_are_listed(void **state)
{
  struct hone__text text = {0};
  hone_status status = hone__snippet_render("[@N] [@M] [@K] [@N] [@_x9]", &some_entry, 0, &text);

  (void)state;
  assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
  assert_string_equal(hone_status_message(status), "Missing snippet parameters: K, N, _x9");
  hone_status_free(status);
  hone__text_release(&text);
}

/* ---- Regions ---- */

static void check_region(const char *text, const char *lines, const char *expected)
{
  struct hone__region region;
  struct hone__text result = {0};

  assert_null(hone__region_find(text, "# BEGIN", "# END", &region));
  hone__region_replace(text, &region, lines, &result);
  assert_string_equal(result.data, expected);
  hone__text_release(&result);
}

static void regions_are_replaced(void **state)
{
  (void)state;
  check_region("before\n# BEGIN\nstale\n# END\nafter\n", "fresh\n",
               "before\n# BEGIN\nfresh\n# END\nafter\n");
  check_region("# BEGIN\n# END", "a\n\nb\n", "# BEGIN\na\n\nb\n# END");
  check_region("# BEGIN\nx\ny\n# END", "", "# BEGIN\n# END");
  check_region("a\n\t# BEGIN of it\r\nx\r\n  # END\rz\n", "1\n2\n",
               "a\n\t# BEGIN of it\r\n1\r\n2\r\n  # END\rz\n");
  check_region("# BEGIN_OTHER\n# END_OTHER\n# BEGIN\n# END\n", "a\n",
               "# BEGIN_OTHER\n# END_OTHER\n# BEGIN\na\n# END\n");
}

static void check_refused(const char *text, const char *expected)
{
  struct hone__region region;
  hone_status status = hone__region_find(text, "# BEGIN", "# END", &region);

  assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
  assert_non_null(strstr(hone_status_message(status), expected));
  hone_status_free(status);
}

static void markers_must_be_there_once(void **state)
{
  struct hone__region region;
  hone_status status;

  (void)state;
  check_refused("", "Expected exactly one begin marker: '# BEGIN', found none");
  check_refused("# BEGIN\n# END\n# BEGIN\n", "Expected exactly one begin marker");
  check_refused("# BEGIN\n# END\n# BEGIN\n", "found 2, from line 1 to line 3");
  check_refused("# BEGIN\n", "Expected exactly one end marker: '# END', found none");
  check_refused("# BEGIN\n# END\n# END\n", "Expected exactly one end marker");
  check_refused("# END\n# BEGIN\n", "the begin marker must come before the end marker");
  check_refused("# BEGIN # END\n", "the begin marker must come before the end marker");
  status = hone__region_find("x", "", "# END", &region);
  assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
  hone_status_free(status);
}

/* ---- Diffs ---- */

static void check_diff(const char *old_text, const char *new_text, const char *expected)
{
  struct hone__text diff = {0};

  hone__text_add(&diff, "");
  hone__region_diff(old_text, new_text, "old", "new", &diff);
  assert_string_equal(diff.data, expected);
  hone__text_release(&diff);
}

static void diffs_read_as_those_of_diff(void **state)
{
  (void)state;
  check_diff("a\n", "a\n", "");
  check_diff("a\nb\nc\n", "a\nx\nc\n", "--- old\n+++ new\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n");
  check_diff("", "a\n", "--- old\n+++ new\n@@ -0,0 +1 @@\n+a\n");
  check_diff("a", "", "--- old\n+++ new\n@@ -1 +0,0 @@\n-a\n\\ No newline at end of file\n");
  check_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n5\n6\n7\n8\n9\n",
             "--- old\n+++ new\n@@ -2,6 +2,7 @@\n 2\n 3\n 4\n+x\n 5\n 6\n 7\n");
}

/* Takes the old text to the new one, as `patch` does. */
static void apply(const char *old_text, const char *diff, struct hone__text *result)
{
  const char *at = strchr(strchr(diff, '\n') + 1, '\n') + 1; /* behind the two names */
  size_t line = 0;

  while (*at) {
    size_t length = strcspn(at, "\n") + 1;
    if (*at == '@') {
      size_t first = strtoul(at + 4, NULL, 10);
      const char *comma = strpbrk(at + 4, ", ");
      if (!(*comma == ',' && comma[1] == '0')) first--;
      for (; line < first; line++) {
        size_t whole = strcspn(old_text, "\n") + 1;
        hone__text_addn(result, old_text, whole);
        old_text += whole;
      }
    } else if (*at != '+') {
      assert_memory_equal(old_text, at + 1, length - 1);
      old_text += length - 1;
      line++;
    }
    if (*at == ' ' || *at == '+') hone__text_addn(result, at + 1, length - 1);
    at += length;
  }
  hone__text_add(result, old_text);
}

static void make_text(struct hone__text *text, uint32_t *seed, unsigned lines)
{
  hone__text_add(text, "");
  for (unsigned i = 0; i < lines; i++) {
    *seed = *seed * 1664525 + 1013904223;
    hone__text_addf(text, "%c\n", (int)('a' + (*seed >> 24) % 6));
  }
}

static void diffs_lead_from_old_to_new(void **state)
{
  uint32_t seed = 7;

  (void)state;
  for (unsigned i = 0; i < 500; i++) {
    struct hone__text a = {0}, b = {0}, diff = {0}, result = {0};
    make_text(&a, &seed, i % 31);
    make_text(&b, &seed, (i * 7) % 37);
    hone__text_add(&result, "");
    hone__region_diff(a.data, b.data, "old", "new", &diff);
    if (diff.length) {
      apply(a.data, diff.data, &result);
      assert_string_equal(result.data, b.data);
    } else {
      assert_string_equal(a.data, b.data);
    }
    hone__text_release(&a);
    hone__text_release(&b);
    hone__text_release(&diff);
    hone__text_release(&result);
  }
}

/* ---- Manifests ---- */

static hone_status read_manifest(const char *yaml, struct hone__manifest *manifest)
{
  write_text("m.yaml", yaml);
  return hone__manifest_read(path_of("m.yaml"), manifest);
}

static void manifests_keep_their_order(void **state)
{
  struct hone__manifest manifest = {0};

  (void)state;
  assert_null(read_manifest("commons: &c {K: 1.50, f: yes}\n"
                            "params:\n"
                            "- <<: *c\n"
                            "  $M: 64\n"
                            "  list: [1, a, [true, null]]\n"
                            "- {M: 32, _template: ranged, K: 2}\n",
                            &manifest));
  assert_int_equal(manifest.count, 2);
  assert_null(manifest.entries[0].variant);
  assert_string_equal(hone__entry_find(&manifest.entries[0], "M", 1), "64");
  assert_string_equal(hone__entry_find(&manifest.entries[0], "K", 1), "1.5");
  assert_string_equal(hone__entry_find(&manifest.entries[0], "f", 1), "True");
  assert_string_equal(hone__entry_find(&manifest.entries[0], "list", 4), "[1, 'a', [True, None]]");
  assert_null(hone__entry_find(&manifest.entries[0], "lis", 3));
  assert_string_equal(manifest.entries[1].variant, "ranged");
  assert_null(hone__entry_find(&manifest.entries[1], "_template", 9));
  hone__manifest_release(&manifest);
}

static void check_bad_manifest(const char *yaml, const char *expected)
{
  struct hone__manifest manifest = {0};
  hone_status status = read_manifest(yaml, &manifest);

  assert_int_equal(hone_status_code(status), HONE_INVALID_SPEC);
  assert_non_null(strstr(hone_status_message(status), expected));
  hone_status_free(status);
  hone__manifest_release(&manifest);
}

static void bad_manifests_are_refused(void **state)
{
  (void)state;
  check_bad_manifest("params:\n- M: 64\n- M: 64\n",
                     ":3:3: error: duplicate params entry at index 1");
  check_bad_manifest("params:\n- {M: 64, N: 1}\n- {N: 1, M: 64}\n", "duplicate params entry");
  check_bad_manifest("params: {M: 64}\n", ":1:9: error: expected 'params' to be a sequence");
  check_bad_manifest("params: text\n", "expected 'params' to be a sequence");
  check_bad_manifest("other: 1\n", "expected 'params' to be a sequence");
  check_bad_manifest("- 1\n", "expected a YAML mapping");
  check_bad_manifest("", "expected a YAML mapping");
  check_bad_manifest("params:\n- 5\n", "params[0] must be a mapping");
  check_bad_manifest("params:\n- {a: {b: 1}}\n", "a mapping cannot be inserted into a snippet");
  check_bad_manifest("params:\n- {_template: 5}\n", "'_template' must be text");
  check_bad_manifest("params: [\n", "error:");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(snippets_are_filled_in),     cmocka_unit_test(what_is_no_place_stays),
      cmocka_unit_test(missing_names_are_listed),   cmocka_unit_test(regions_are_replaced),
      cmocka_unit_test(markers_must_be_there_once), cmocka_unit_test(diffs_read_as_those_of_diff),
      cmocka_unit_test(diffs_lead_from_old_to_new), cmocka_unit_test(manifests_keep_their_order),
      cmocka_unit_test(bad_manifests_are_refused),
  };

  return cmocka_run_group_tests_name("region", tests, make_folder, remove_folder);
}
