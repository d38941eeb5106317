/* Texts and pictures of a page: what is others' stays text, and every number in a picture is one.
 */
#include "report/chart.h"
#include "report/markup.h"
#include "report/scatter.h"
#include "report/svg.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* ---- Texts ---- */

static void expect_markup(const char *string, size_t most, const char *expected)
{
  struct hone__text text = {0};

  hone__text_add(&text, "");
  hone__markup_add(&text, string, most);
  assert_string_equal(text.data, expected);
  hone__text_release(&text);
}

static void others_text_never_becomes_markup(void **state)
{
  (void)state;
  expect_markup("<b a='1' b=\"2\">&amp;</b>", 0,
                "&lt;b a=&#39;1&#39; b=&quot;2&quot;&gt;&amp;amp;&lt;/b&gt;");
  expect_markup("Größe 矩阵 🙂", 0, "Größe 矩阵 🙂");
  expect_markup("a\tb\nc\r\nd", 0, "a\tb\nc\nd");
  expect_markup("\x01\x7f\x1b[31m", 0, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd[31m");
  expect_markup("\xff\xc3", 0, "\xef\xbf\xbd\xef\xbf\xbd");
  expect_markup("\xc0\xaf \xed\xa0\x80", 0,
                "\xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  expect_markup("\xef\xbf\xbe", 0, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  expect_markup("", 0, "");
}

static void long_texts_are_cut_between_characters(void **state)
{
  (void)state;
  expect_markup("abcd", 4, "abcd");
  expect_markup("abcde", 4, "abcd…");
  expect_markup("abcä", 4, "abc…");
  expect_markup("abä", 4, "abä");
  expect_markup("<<", 1, "&lt;…");
  expect_markup("abcd\xff", 4, "abcd…");
  assert_int_equal(hone__markup_width("aä矩🙂", strlen("aä矩🙂")), 4);
  assert_int_equal(hone__markup_width("", 0), 0);
}

static void expect_number(double number, unsigned precision, const char *fixed,
                          const char *shortest, const char *ratio)
{
  struct hone__text texts[3] = {{0}};

  hone__markup_fixed(&texts[0], number, precision);
  hone__markup_number(&texts[1], number, precision);
  hone__markup_ratio(&texts[2], number);
  assert_string_equal(texts[0].data, fixed);
  assert_string_equal(texts[1].data, shortest);
  assert_string_equal(texts[2].data, ratio);
  for (size_t i = 0; i < 3; i++)
    hone__text_release(&texts[i]);
}

static void numbers_keep_the_digits_that_count(void **state)
{
  (void)state;
  expect_number(1.5, 2, "1.50", "1.5", "1.50x");
  expect_number(4, 2, "4.00", "4.0", "4.00x");
  expect_number(4, 0, "4", "4", "4.00x");
  expect_number(0, 2, "0.00", "0.0", "0.00x");
  expect_number(0.0004, 2, "0.0004", "0.0004", "0.00x");
  expect_number(1e16, 2, "1.00e+16", "1.00e+16", "1.00e+16x");
  expect_number(1e-13, 2, "1.00e-13", "1.00e-13", "0.00x");
  expect_number(-2.25, 1, "-2.2", "-2.2", "-2.25x");
}

static void what_is_no_ratio_is_a_dash(void **state)
{
  static const double numbers[] = {NAN, INFINITY, -INFINITY};
  struct hone__text text = {0};

  (void)state;
  for (size_t i = 0; i < 3; i++)
    hone__markup_ratio(&text, numbers[i]);
  assert_string_equal(text.data, "–––");
  hone__text_release(&text);
}

static void steps_are_1_2_or_5(void **state)
{
  static const struct {
    double range, step;
  } cases[] = {{10, 2}, {1, 0.2}, {5, 1}, {26, 10}, {0.004, 0.001}, {1e9, 2e8}};

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_true(fabs(hone__svg_step(cases[i].range, 6) / cases[i].step - 1) < 1e-9);
}

/* ---- Pictures ---- */

static size_t count_of(const struct hone__text *text, const char *part)
{
  size_t count = 0;

  for (const char *p = text->data; (p = strstr(p, part)); p += strlen(part))
    count++;
  return count;
}

/* As a browser would read it. */
static void expect_numbers(const struct hone__text *svg)
{
  assert_int_equal(count_of(svg, "nan"), 0);
  assert_int_equal(count_of(svg, "inf"), 0);
  assert_int_equal(count_of(svg, "<svg"), count_of(svg, "</svg>"));
  assert_int_equal(count_of(svg, "<text"), count_of(svg, "</text>"));
}

static const char *const names[] = {"one <&>", "zwei ä"};
static const char *const labels[] = {"A=1", "A=2\nB=long", "矩阵"};

static struct hone__chart chart_of(const double *values, size_t groups, size_t series)
{
  return (struct hone__chart){.value_title = "met (us)",
                              .group_title = "spec",
                              .group_caption = "",
                              .unit = "us",
                              .precision = 2,
                              .series_count = series,
                              .group_count = groups,
                              .series = names,
                              .labels = labels,
                              .values = values};
}

static void a_bar_is_drawn_for_each_number(void **state)
{
  const double values[] = {1, 2, NAN, 4, INFINITY, 0};
  struct hone__chart chart = chart_of(values, 3, 2);
  struct hone__text svg = {0};
  struct hone__chart_size size = hone__chart_draw(&chart, 0, &svg);

  (void)state;
  expect_numbers(&svg);
  assert_int_equal(count_of(&svg, "<rect"), 2 + 4); /* the legend's too */
  assert_int_equal(count_of(&svg, "class=\"none\""), 2);
  assert_int_equal(count_of(&svg, ">–</text>"), 2);
  assert_int_equal(count_of(&svg, "one &lt;&amp;&gt;: 1.0us"), 1);
  assert_int_equal(count_of(&svg, ">B=long</text>"), 1);
  assert_int_equal(count_of(&svg, "class=\"base\""), 0);
  assert_true(size.width >= 960 && size.height > 330);
  hone__text_release(&svg);
}

static void charts_without_a_scale_are_drawn(void **state)
{
  static const double zeros[] = {0, 0}, equal[] = {1e-310, 1e-310}, holes[] = {NAN, NAN},
                      below[] = {-3, 2}, far[] = {1e299, 1}, beyond[] = {1e308, 1};
  const double *const all[] = {zeros, equal, holes, below, far, beyond};

  (void)state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    struct hone__chart chart = chart_of(all[i], 2, 1);
    struct hone__text svg = {0};
    hone__chart_draw(&chart, 0, &svg);
    expect_numbers(&svg);
    assert_int_equal(count_of(&svg, "<rect") + count_of(&svg, "class=\"none\""), 3);
    assert_true(count_of(&svg, "class=\"grid\"") >= 2);
    hone__text_release(&svg);
  }
}

static void ratios_have_a_line_at_1(void **state)
{
  const double values[] = {0.5, 0.25};
  struct hone__chart chart = chart_of(values, 2, 1);
  struct hone__text svg = {0};

  (void)state;
  chart.has_base = true;
  chart.group_caption = "K=<3>";
  hone__chart_draw(&chart, 0, &svg);
  expect_numbers(&svg);
  assert_int_equal(count_of(&svg, "class=\"base\""), 1);
  assert_int_equal(count_of(&svg, ">1</text>"), 1); /* the tick: the scale goes up to it */
  assert_int_equal(count_of(&svg, "K=&lt;3&gt;"), 1);
  hone__text_release(&svg);
}

/* Values that are wider than their bars stand upright. */
static void wide_values_are_turned(void **state)
{
  double values[60];
  const char *many[30];
  struct hone__chart chart = chart_of(values, 30, 2);
  struct hone__text svg = {0};

  (void)state;
  for (size_t i = 0; i < 60; i++)
    values[i] = 123456.75;
  for (size_t i = 0; i < 30; i++)
    many[i] = "A";
  chart.labels = many;
  hone__chart_draw(&chart, 0, &svg);
  assert_int_equal(count_of(&svg, "class=\"value up\""), 60);
  hone__text_release(&svg);
  chart.group_count = 1;
  hone__chart_draw(&chart, 0, &svg);
  assert_int_equal(count_of(&svg, "class=\"value up\""), 2); /* 13 letters over 64 pixels */
  chart.precision = 0;
  values[0] = values[1] = 7;
  svg.length = 0;
  hone__chart_draw(&chart, 0, &svg);
  assert_int_equal(count_of(&svg, "class=\"value up\""), 0);
  hone__text_release(&svg);
}

static void room_is_by_labels_and_series(void **state)
{
  static const char long_label[] = "0123456789012345678901234567890123456789012345678901234567890";
  const char *const wide[] = {long_label, long_label, long_label};
  const double values[6] = {0};
  struct hone__chart chart = chart_of(values, 3, 1);

  (void)state;
  assert_true(hone__chart_room(&chart) > 10);
  chart.labels = wide;
  assert_int_equal(hone__chart_room(&chart), 4); /* never fewer */
  chart.group_count = 0;
  assert_true(hone__chart_room(&chart) > 20);
}

static void a_file_has_charts_below_each_other(void **state)
{
  const double values[] = {1, 2};
  struct hone__chart charts[2] = {chart_of(values, 2, 1), chart_of(values, 1, 2)};
  struct hone__text svg = {0}, empty = {0};

  (void)state;
  hone__chart_file(charts, 2, &svg);
  expect_numbers(&svg);
  assert_int_equal(count_of(&svg, "<svg"), 3);
  assert_int_equal(count_of(&svg, "<svg class=\"chart\" role=\"img\" y=\""), 1);
  assert_int_equal(count_of(&svg, "xmlns"), 1);
  hone__chart_file(charts, 0, &empty);
  expect_numbers(&empty);
  assert_int_equal(count_of(&empty, "<svg"), 1);
  hone__text_release(&svg);
  hone__text_release(&empty);
}

/* ---- Points ---- */

static void draw_points(const struct hone__scatter_point *points, size_t count,
                        struct hone__text *svg)
{
  const struct hone__scatter scatter = {.title = "best so far",
                                        .x_title = "evaluation",
                                        .y_title = "met <us>",
                                        .points = points,
                                        .count = count,
                                        .has_steps = true,
                                        .goes_on = true};

  hone__scatter_draw(&scatter, svg);
  expect_numbers(svg);
}

static void points_are_of_three_kinds(void **state)
{
  const struct hone__scatter_point points[] = {
      {.x = 0, .y = 10, .is_member = true, .is_baseline = true, .label = "A=0"},
      {.x = 1, .y = 12, .label = "A=<1>"},
      {.x = 2, .y = NAN, .label = "A=2"},
      {.x = 3, .y = 8, .is_member = true, .label = "A=3"},
      {.x = INFINITY, .y = 1, .is_member = true, .is_baseline = true, .label = "A=4"}};
  struct hone__text svg = {0};

  (void)state;
  draw_points(points, 5, &svg);
  assert_int_equal(count_of(&svg, "class=\"member\""), 1 + 2);
  assert_int_equal(count_of(&svg, "class=\"other\""), 1 + 1);
  assert_int_equal(count_of(&svg, "class=\"baseline\""), 1 + 1);
  assert_int_equal(count_of(&svg, "A=&lt;1&gt;"), 1);
  assert_int_equal(count_of(&svg, "met &lt;us&gt;"), 1);
  assert_int_equal(count_of(&svg, "A=2"), 0);
  assert_int_equal(count_of(&svg, "d=\"M"), 1);
  hone__text_release(&svg);
}

static void a_legend_has_a_baseline_only_if_there_is_one(void **state)
{
  const struct hone__scatter_point points[] = {{.x = 1, .y = 1, .is_member = true, .label = ""},
                                               {.x = 2, .y = 2, .label = ""}};
  struct hone__text svg = {0};

  (void)state;
  draw_points(points, 2, &svg);
  assert_int_equal(count_of(&svg, "baseline"), 0);
  hone__text_release(&svg);
}

static void axes_hold_any_range(void **state)
{
  static const struct {
    double x[2], y[2];
    const char *tick; /* one that must be there */
  } cases[] = {{{1, 1}, {5, 5}, ">1.00</text>"},        {{0, 0}, {0, 0}, ">0.00</text>"},
               {{1, 1e6}, {1, 2}, ">1000</text>"},      {{1, 8}, {1, 2}, ">5</text>"},
               {{-5, 5}, {1, 2}, ">0</text>"},          {{1e12, 1.5e12}, {1, 2}, "e+12</text>"},
               {{1e-9, 1e-7}, {1, 2}, ">1e-08</text>"}, {{1e299, 2e299}, {1, 2}, "e+299</text>"}};

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct hone__scatter_point points[] = {
        {.x = cases[i].x[0], .y = cases[i].y[0], .is_member = true, .label = ""},
        {.x = cases[i].x[1], .y = cases[i].y[1], .label = ""}};
    struct hone__text svg = {0};
    draw_points(points, 2, &svg);
    if (!strstr(svg.data, cases[i].tick)) fail_msg("case %zu has no %s", i, cases[i].tick);
    hone__text_release(&svg);
  }
}

static void without_points_there_are_axes(void **state)
{
  const struct hone__scatter_point nothing[] = {{.x = NAN, .y = 1, .label = ""}};
  struct hone__text svg = {0};

  (void)state;
  draw_points(nothing, 1, &svg);
  assert_int_equal(count_of(&svg, "class=\"axis\""), 2);
  svg.length = 0;
  draw_points(nothing, 0, &svg);
  assert_int_equal(count_of(&svg, "<circle"), 2); /* the legend's */
  hone__text_release(&svg);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(others_text_never_becomes_markup),
      cmocka_unit_test(long_texts_are_cut_between_characters),
      cmocka_unit_test(numbers_keep_the_digits_that_count),
      cmocka_unit_test(what_is_no_ratio_is_a_dash),
      cmocka_unit_test(steps_are_1_2_or_5),
      cmocka_unit_test(a_bar_is_drawn_for_each_number),
      cmocka_unit_test(charts_without_a_scale_are_drawn),
      cmocka_unit_test(ratios_have_a_line_at_1),
      cmocka_unit_test(wide_values_are_turned),
      cmocka_unit_test(room_is_by_labels_and_series),
      cmocka_unit_test(a_file_has_charts_below_each_other),
      cmocka_unit_test(points_are_of_three_kinds),
      cmocka_unit_test(a_legend_has_a_baseline_only_if_there_is_one),
      cmocka_unit_test(axes_hold_any_range),
      cmocka_unit_test(without_points_there_are_axes),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
