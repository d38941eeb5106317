/* A problem is identified by its text, "M=256 N=512": choosing one compares the pairs in it. */
#include "problems.h"

#include "quote.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_LISTED = 20 };

/* The next "NAME=VALUE" of a text whose pairs are set apart by any of `separators`; 0: no more. */
static size_t next_pair(const char **text, const char *separators)
{
  *text += strspn(*text, separators);
  return strcspn(*text, separators);
}

static bool has_pair(const char *problem, const char *pair, size_t length)
{
  for (size_t n; (n = next_pair(&problem, " ")) != 0; problem += n)
    if (n == length && memcmp(problem, pair, n) == 0) return true;
  return false;
}

static bool is_wanted(const char *problem, const char *wanted)
{
  for (size_t n; (n = next_pair(&wanted, ", ")) != 0; wanted += n)
    if (!has_pair(problem, wanted, n)) return false;
  return true;
}

static bool check_wanted(const char *wanted)
{
  const char *pair = wanted;
  size_t pairs = 0;

  for (size_t n; (n = next_pair(&pair, ", ")) != 0; pair += n, pairs++) {
    const char *sign = memchr(pair, '=', n);
    if (sign && sign > pair && sign + 1 < pair + n) continue;
    message_error("'--problem' needs sizes such as M=256,N=64, not '%.*s'", (int)n, pair);
    return false;
  }
  if (!pairs) message_error("'--problem' needs sizes such as M=256,N=64, not '%s'", wanted);
  return pairs > 0;
}

/* The pair of the same name as `pair`, and its length; NULL: none. */
static const char *same_name(const char *pairs, const char *pair, size_t *out_length)
{
  size_t length = strcspn(pair, "=") + 1;

  for (; (*out_length = next_pair(&pairs, ", ")) != 0; pairs += *out_length)
    if (*out_length > length && memcmp(pairs, pair, length) == 0) return pairs;
  return NULL;
}

/* The problem with other sizes in it. */
static char *replaced_name(const char *problem, const char *sizes)
{
  const char *pair = problem, *other;
  struct output name;
  size_t length;
  char *text;

  output_open(&name, OUTPUT_MEMORY, false);
  for (size_t n; (n = next_pair(&pair, " ")) != 0; pair += n) {
    other = same_name(sizes, pair, &length);
    output_format(&name, "%.*s ", (int)(other ? length : n), other ? other : pair);
  }
  for (size_t n; (n = next_pair(&sizes, ", ")) != 0; sizes += n)
    if (!same_name(problem, sizes, &length)) output_format(&name, "%.*s ", (int)n, sizes);
  text = check_memory(strndup(name.bytes, name.used - 1));
  output_close(&name);
  return text;
}

bool problems_choose(struct problems *problems, const struct hone_spec *spec, const char *wanted)
{
  size_t count = hone_spec_problem_count(spec);

  *problems = (struct problems){.spec = spec};
  if (wanted && !check_wanted(wanted)) return false;
  problems->chosen = check_memory(calloc(count + 1, sizeof *problems->chosen));
  for (size_t i = 0; i < count; i++)
    if (!wanted || is_wanted(hone_spec_problem(spec, i), wanted))
      problems->chosen[problems->count++] = i;
  if (problems->count == 0) {
    problems->chosen[problems->count++] = 0;
    problems->sizes = wanted;
    problems->name = replaced_name(hone_spec_problem(spec, 0), wanted);
  }
  return true;
}

void problems_release(struct problems *problems)
{
  free(problems->chosen);
  free(problems->name);
  *problems = (struct problems){0};
}

const char *problems_name(const struct problems *problems, size_t i)
{
  return problems->name ? problems->name : hone_spec_problem(problems->spec, problems->chosen[i]);
}

/* True if all chosen problems have this pair: it does not help to choose one. */
static bool is_shared(const struct problems *problems, const char *pair, size_t length)
{
  for (size_t i = 0; i < problems->count; i++)
    if (!has_pair(problems_name(problems, i), pair, length)) return false;
  return true;
}

void problems_complain(const struct problems *problems)
{
  const char *pair = problems_name(problems, 0);
  char choice[256] = "";
  size_t used = 0;

  for (size_t n; (n = next_pair(&pair, " ")) != 0 && used < sizeof choice; pair += n)
    if (!is_shared(problems, pair, n))
      used += (size_t)snprintf(choice + used, sizeof choice - used, "%s%.*s", used ? "," : "",
                               (int)n, pair);
  message_error("this spec has %zu problems; choose one with --problem %s", problems->count,
                choice);
  for (size_t i = 0; i < problems->count && i < MOST_LISTED; i++)
    message_line("  %s", problems_name(problems, i));
  if (problems->count > MOST_LISTED) message_line("  and %zu more", problems->count - MOST_LISTED);
}

static bool is_json_number(const char *text)
{
  size_t digits = strspn(text + (*text == '-'), "0123456789");

  text += *text == '-';
  return digits > 0 && !text[digits] && (digits == 1 || *text != '0');
}

void problems_print_json(const struct problems *problems, size_t i, struct output *output)
{
  const char *pair = problems_name(problems, i), *before = "{";

  for (size_t n; (n = next_pair(&pair, " ")) != 0; pair += n, before = ", ") {
    char *name = check_memory(strndup(pair, n)), *value = strchr(name, '=');
    if (value) *value++ = 0;
    output_text(output, before);
    quote_json_text(output, name);
    output_text(output, ": ");
    if (value && is_json_number(value))
      output_text(output, value);
    else
      quote_json_text(output, value ? value : "");
    free(name);
  }
  output_text(output, *before == '{' ? "{}" : "}");
}

void problems_fill(const struct problems *problems, struct hone_tune_options *options)
{
  options->problem_sizes = problems->sizes;
  options->problems = problems->chosen;
  options->problem_count = problems->count;
}
