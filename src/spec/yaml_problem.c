/* libyaml says what its scanner or parser did not find; most often the cause is an indentation, a
 * quote or a bracket. The table has our words for each of its problems, and whether the place that
 * helps is where the construct begins or where it broke. What is not in it is given as libyaml puts
 * it. */
#include "spec/yaml_problem.h"

static const struct problem {
  const char *problem, *words;
  const char *after; /* not NULL: words, " that begins at line N", after */
  bool at_begin;     /* the error is best seen where the construct begins */
  bool only_at_end;  /* if the error is at the end of the text */
} problems[] = {
    {.problem = "found unexpected end of stream",
     .words = "unterminated quoted text",
     .at_begin = true},
    {.problem = "found unexpected document indicator",
     .words = "unterminated quoted text",
     .at_begin = true},
    {.problem = "found unknown escape character",
     .words = "unknown escape in double quotes; write \\\\ for a backslash, or use single quotes"},
    {.problem = "did not find expected hexdecimal number",
     .words = "\\x, \\u and \\U in double quotes take 2, 4 and 8 hexadecimal digits"},
    {.problem = "found invalid Unicode character escape code",
     .words = "this escape is not a Unicode character"},
    {.problem = "mapping values are not allowed in this context",
     .words =
         "a ':' is not expected here; is the indentation right? text that holds ': ' needs quotes"},
    {.problem = "block sequence entries are not allowed in this context",
     .words = "a list entry '- ' is not allowed here; put it on its own line, or quote the text"},
    {.problem = "mapping keys are not allowed in this context",
     .words = "a key '? ' is not allowed here"},
    {.problem = "could not find expected ':'",
     .words = "this is not 'key: value'; is a ':' missing, or the indentation wrong?",
     .at_begin = true},
    {.problem = "did not find expected key",
     .words = "this does not continue the mapping",
     .after = "; is the indentation right?"},
    {.problem = "did not find expected '-' indicator",
     .words = "this does not continue the list",
     .after = "; is the indentation right?"},
    {.problem = "did not find expected ',' or ']'",
     .words = "a ',' or ']' is missing in the list",
     .after = ""},
    {.problem = "did not find expected ',' or '}'",
     .words = "a ',' or '}' is missing in the mapping",
     .after = ""},
    {.problem = "did not find expected node content",
     .words = "the text ends here; is a ']' or '}' missing?",
     .only_at_end = true},
    {.problem = "did not find expected node content", .words = "a value is missing here"},
    {.problem = "did not find expected <document start>",
     .words = "unexpected text after the end of the document; is the indentation right?"},
    {.problem = "found a tab character that violates indentation",
     .words = "a tab is used for indentation; use spaces"},
    {.problem = "found a tab character where an indentation space is expected",
     .words = "a tab is used for indentation; use spaces"},
    {.problem = "did not find expected alphabetic or numeric character",
     .words = "'*' and '&' take a name of letters, digits, '-' and '_'; quote text that begins "
              "with them",
     .at_begin = true},
    {.problem = "found unexpected ':'",
     .words = "a ':' here needs a space after it, or quotes around the text"},
    {.problem = "did not find expected comment or line break",
     .words = "only a comment is allowed here"},
    {.problem = "found undefined tag handle",
     .words = "no %TAG line defines the handle of this tag"},
    {.problem = "found incompatible YAML document",
     .words = "this version of YAML is not supported"},
    {.problem = "found unknown directive name",
     .words = "unknown directive; quote text that begins with '%'",
     .at_begin = true},
};
enum { PROBLEMS = sizeof problems / sizeof *problems };

static void report_bad_start(struct hone__yaml_text *text, struct hone__place place)
{
  char c = text->cursor.byte < text->size ? text->data[text->cursor.byte] : ' ';

  if (c == '\t')
    hone__yaml_stop(text, place, "a tab is used for indentation; use spaces");
  else
    hone__yaml_stop(text, place, "text cannot begin with '%c'; put it in quotes", c);
}

/* `{file: x_{N}.npy}`: a brace within a text, which is the usual cause. */
static const char *hint_of(const struct hone__yaml_text *text, const struct problem *problem)
{
  size_t at = text->cursor.byte;
  bool is_brace = !*problem->after && at < text->size && at > 0 && text->data[at] == '{' &&
                  !strchr(" ,[{:", text->data[at - 1]);

  return is_brace ? "; text that holds '{' needs quotes" : problem->after;
}

static void report_known(struct hone__yaml_text *text, const struct problem *problem,
                         const yaml_parser_t *parser)
{
  struct hone__place begin = hone__yaml_seek(text, parser->context_mark.index);
  struct hone__place place = hone__yaml_seek(text, parser->problem_mark.index);

  if (problem->after && parser->context)
    hone__yaml_stop(text, place, "%s that begins at line %u%s", problem->words,
                    hone__yaml_line(text, begin), hint_of(text, problem));
  else
    hone__yaml_stop(text, problem->at_begin && parser->context ? begin : place, "%s",
                    problem->words);
}

void hone__yaml_report_problem(struct hone__yaml_text *text, const yaml_parser_t *parser)
{
  const char *problem = parser->problem ? parser->problem : "unknown problem";
  const char *context = parser->context ? parser->context : "";
  struct hone__place place = hone__yaml_seek(text, parser->problem_mark.index);

  if (parser->error == YAML_MEMORY_ERROR) hone__out_of_memory(); /* no fault of the text */
  if (strcmp(problem, "found character that cannot start any token") == 0) {
    report_bad_start(text, place);
    return;
  }
  for (size_t i = 0; i < PROBLEMS; i++) {
    if (strcmp(problem, problems[i].problem) != 0) continue;
    if (problems[i].only_at_end && text->cursor.byte < text->size) continue;
    report_known(text, &problems[i], parser);
    return;
  }
  hone__yaml_stop(text, place, "cannot read this as YAML: %s%s%s", problem, *context ? " " : "",
                  context);
}
