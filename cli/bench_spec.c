/* Values that a command contains as {NAME} are replaced by the library. Several commands are the
 * values of a parameter of their own. */
#include "bench_spec.h"

#include "message.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *const bench_shells[] = {"auto", "always", "never", "none", NULL};
const char *const bench_times[] = {"wall", "cpu", NULL};

static const char shell_program[] = "/bin/sh";

/* ---- Text ---- */

/* In quotes, as JSON and YAML have them. */
static void print_quoted(struct output *yaml, const char *text, size_t length)
{
  output_raw(yaml, "\"");
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '"' || text[i] == '\\')
      output_format(yaml, "\\%c", text[i]);
    else if ((unsigned char)text[i] < ' ')
      output_format(yaml, "\\u%04x", (unsigned)text[i]);
    else
      output_bytes(yaml, &text[i], 1);
  }
  output_raw(yaml, "\"");
}

/* ---- Which program ---- */

/* What only a shell understands, outside of {NAME}. */
static bool needs_shell(const char *command)
{
  return strpbrk(command, "|&;<>()$`*?[]~#=\n") || strncmp(command, "cd ", 3) == 0;
}

static bool uses_shell(const struct bench_spec *spec)
{
  if (spec->ignore_failure) return true;
  if (spec->shell != BENCH_SHELL_AUTO) return spec->shell == BENCH_SHELL_ALWAYS;
  return spec->commands->count > 1 || needs_shell(spec->commands->words[0]);
}

static bool may_do_without_shell(const struct bench_spec *spec)
{
  bool is_unwanted = spec->shell == BENCH_SHELL_NEVER || spec->shell == BENCH_SHELL_NONE;
  bool is_needed = spec->commands->count > 1 || spec->ignore_failure;

  if (!is_unwanted || !is_needed) return true;
  message_error("'--shell never' takes one command and no '--ignore-failure': a shell chooses "
                "among several, and hides their status");
  return false;
}

static bool is_program(const char *path)
{
  return access(path, X_OK) == 0;
}

/* The file of a command's first word; free(), NULL: there is none. */
static char *find_program(const char *word, size_t length)
{
  const char *path = getenv("PATH");
  char *name = check_memory(strndup(word, length)), *found = NULL;

  if (strchr(name, '/')) {
    found = is_program(name) ? check_memory(realpath(name, NULL)) : NULL;
    free(name);
    return found;
  }
  for (const char *at = path; at && *at && !found; at += strcspn(at, ":"), at += *at == ':') {
    if (asprintf(&found, "%.*s/%s", (int)strcspn(at, ":"), at, name) < 0) found = NULL;
    if (found && !is_program(found)) {
      free(found);
      found = NULL;
    }
  }
  free(name);
  return found;
}

static bool print_file(const struct bench_spec *spec, struct output *yaml)
{
  const char *command = spec->commands->words[0];
  size_t length = strcspn(command, " \t");
  char *program =
      uses_shell(spec) ? check_memory(strdup(shell_program)) : find_program(command, length);

  if (!program) {
    message_error("'%.*s' is not a program: it is not in PATH, or cannot be executed", (int)length,
                  command);
    return false;
  }
  output_raw(yaml, "backend: program\nfile: ");
  print_quoted(yaml, program, strlen(program));
  output_raw(yaml, "\n");
  free(program);
  return true;
}

/* ---- Commands ---- */

/* Several commands: `case {COMMAND} in 1) ... ;; 2) ... ;; esac`. */
static void print_choice(const struct word_list *commands, struct output *script)
{
  output_raw(script, "case {COMMAND} in ");
  for (size_t i = 0; i < commands->count; i++)
    output_format(script, "%zu) %s\n;; ", i + 1, commands->words[i]);
  output_raw(script, "esac");
}

static void print_script(const struct bench_spec *spec, struct output *yaml)
{
  struct output script;

  output_open(&script, OUTPUT_MEMORY, false);
  if (spec->commands->count > 1)
    print_choice(spec->commands, &script);
  else
    output_raw(&script, spec->commands->words[0]);
  if (spec->ignore_failure) output_raw(&script, "\n:");
  output_format(yaml, "[\"%s\", \"-c\", ", shell_program);
  print_quoted(yaml, script.bytes, script.used);
  output_raw(yaml, "]");
  output_close(&script);
}

static void print_run(const struct bench_spec *spec, struct output *yaml)
{
  output_format(yaml, "run:\n  time: %s\n  command: ", bench_times[spec->time]);
  if (uses_shell(spec))
    print_script(spec, yaml);
  else
    print_quoted(yaml, spec->commands->words[0], strlen(spec->commands->words[0]));
  if (spec->prepare) {
    output_format(yaml, "\n  prepare: [\"%s\", \"-c\", ", shell_program);
    print_quoted(yaml, spec->prepare, strlen(spec->prepare));
    output_raw(yaml, "]");
  }
  if (spec->timeout_s > 0) output_format(yaml, "\n  timeout: %g", spec->timeout_s);
  output_format(yaml, "\nmeasure: {warmup: %llu}\ncheck: {enabled: false}\n",
                (unsigned long long)spec->warmup);
}

/* ---- Parameters ---- */

static bool is_name(const char *text, size_t length)
{
  if (!length || isdigit((unsigned char)*text)) return false;
  for (size_t i = 0; i < length; i++)
    if (!isalnum((unsigned char)text[i]) && text[i] != '_') return false;
  return true;
}

static bool is_number(const char *text, size_t length)
{
  return length && strspn(text, "0123456789.") >= length;
}

static void print_value(struct output *yaml, const char *text, size_t length)
{
  if (is_number(text, length))
    output_bytes(yaml, text, length);
  else
    print_quoted(yaml, text, length);
}

/* "1,2,4" as a list; what begins with "range(" or "[" is an expression. */
static void print_values(struct output *yaml, const char *values)
{
  if (strncmp(values, "range(", 6) == 0 || *values == '[') {
    print_quoted(yaml, values, strlen(values));
    return;
  }
  output_raw(yaml, "[");
  for (const char *at = values;; at++) {
    size_t length = strcspn(at, ",");
    print_value(yaml, at, length);
    at += length;
    if (!*at) break;
    output_raw(yaml, ", ");
  }
  output_raw(yaml, "]");
}

static bool is_in_command(const struct bench_spec *spec, const char *name, size_t length)
{
  for (size_t i = 0; i < spec->commands->count; i++)
    for (const char *at = strchr(spec->commands->words[i], '{'); at; at = strchr(at + 1, '{'))
      if (strncmp(at + 1, name, length) == 0 && at[1 + length] == '}') return true;
  return false;
}

static bool print_param(const struct bench_spec *spec, const char *param, struct output *yaml)
{
  size_t length = strcspn(param, "=");

  if (param[length] != '=' || !param[length + 1] || !is_name(param, length)) {
    message_error("'--param %s': expected NAME=VALUE,VALUE,...", param);
    return false;
  }
  if (!is_in_command(spec, param, length)) {
    message_error("'--param %s': no command contains {%.*s}", param, (int)length, param);
    return false;
  }
  output_format(yaml, "  %.*s: ", (int)length, param);
  print_values(yaml, param + length + 1);
  output_raw(yaml, "\n");
  return true;
}

static bool print_params(const struct bench_spec *spec, struct output *yaml)
{
  output_raw(yaml, "params:\n");
  if (spec->commands->count > 1 || !spec->params->count) {
    output_raw(yaml, "  $COMMAND: [");
    for (size_t i = 0; i < spec->commands->count; i++)
      output_format(yaml, "%s%zu", i ? ", " : "", i + 1);
    output_raw(yaml, "]\n");
  }
  for (size_t i = 0; i < spec->params->count; i++)
    if (!print_param(spec, spec->params->words[i], yaml)) return false;
  return true;
}

/* ---- The baseline ---- */

/* Whether "A=1,B=2" has a value for the name; *out_value begins at it. */
static bool find_given(const char *given, const char *name, size_t length, const char **out_value)
{
  for (const char *at = given; at && *at; at += strcspn(at, ","), at += *at == ',')
    if (strncmp(at, name, length) == 0 && at[length] == '=') {
      *out_value = at + length + 1;
      return true;
    }
  return false;
}

static void print_baseline(const struct bench_spec *spec, struct output *yaml)
{
  const char *value, *separator = "";

  output_raw(yaml, "baseline: {");
  if (spec->commands->count > 1 || !spec->params->count) {
    output_raw(yaml, "COMMAND: ");
    if (find_given(spec->baseline, "COMMAND", strlen("COMMAND"), &value))
      print_value(yaml, value, strcspn(value, ","));
    else
      output_raw(yaml, "1");
    separator = ", ";
  }
  for (size_t i = 0; i < spec->params->count; i++) {
    const char *param = spec->params->words[i];
    size_t length = strcspn(param, "=");
    if (!find_given(spec->baseline, param, length, &value)) {
      value = param + length + 1;
      if (strncmp(value, "range(", 6) == 0 || *value == '[') continue; /* the first is not known */
    }
    output_format(yaml, "%s%.*s: ", separator, (int)length, param);
    print_value(yaml, value, strcspn(value, ","));
    separator = ", ";
  }
  output_raw(yaml, "}\n");
}

/* A list that is computed has a first value that only the library knows. */
static bool knows_baseline(const struct bench_spec *spec)
{
  const char *value;

  for (size_t i = 0; i < spec->params->count; i++) {
    const char *param = spec->params->words[i];
    size_t length = strcspn(param, "=");
    if (find_given(spec->baseline, param, length, &value)) continue;
    if (strncmp(param + length + 1, "range(", 6) == 0 || param[length + 1] == '[') return false;
  }
  return true;
}

bool bench_spec_print(const struct bench_spec *spec, struct output *yaml)
{
  if (!may_do_without_shell(spec)) return false;
  output_raw(yaml, "name: bench\n");
  if (!print_file(spec, yaml)) return false;
  print_run(spec, yaml);
  if (!print_params(spec, yaml)) return false;
  if (knows_baseline(spec)) print_baseline(spec, yaml);
  return true;
}
