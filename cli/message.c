#include "message.h"

#include "broken_pipe.h"
#include "escape.h"
#include "hone_text.h"
#include "quote.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_quiet, is_json;

void message_be_quiet(void)
{
  is_quiet = true;
}

void message_use_json(bool use_json)
{
  is_json = use_json;
}

/* Messages name files and quote programs: unsafe characters are escaped. */
static void print_escaped(const char *text)
{
  while (*text) {
    size_t length = escape_plain_length(text);
    char escaped[ESCAPE_SIZE];
    uint32_t code;
    fwrite(text, 1, length, stderr);
    text += length;
    if (!*text) return;
    length = hone_text_character(text, &code);
    fwrite(escaped, 1, escape_write(escaped, text, length), stderr);
    text += length;
  }
}

static void print_object(const char *kind, const char *text)
{
  struct output line;

  output_open(&line, OUTPUT_MEMORY, false);
  output_format(&line, "{\"kind\": \"%s\", \"text\": ", kind);
  quote_json_text(&line, text);
  output_text(&line, "}\n");
  fwrite(line.bytes, 1, line.used, stderr);
  output_close(&line);
}

static void print_message(const char *kind, const char *before, const char *text)
{
  struct broken_pipe held;

  broken_pipe_hold(&held);
  if (is_json) {
    print_object(kind, text);
  } else {
    fputs(before, stderr);
    print_escaped(text);
    fputc('\n', stderr);
  }
  broken_pipe_release(&held);
}

static void CLI_PRINTF(3, 0)
    print_line(const char *kind, const char *before, const char *format, va_list args)
{
  char *text = NULL;

  if (vasprintf(&text, format, args) < 0) text = NULL;
  print_message(kind, before, text ? text : "out of memory");
  free(text);
}

void message_error(const char *format, ...)
{
  va_list args;

  va_start(args, format);
  print_line("error", "hone: ", format, args);
  va_end(args);
}

void message_note(const char *format, ...)
{
  va_list args;

  if (is_quiet) return;
  va_start(args, format);
  print_line("note", "hone: ", format, args);
  va_end(args);
}

void message_warning(const char *format, ...)
{
  va_list args;

  if (is_quiet) return;
  va_start(args, format);
  print_line("warning", "warning: ", format, args);
  va_end(args);
}

void message_line(const char *format, ...)
{
  va_list args;

  va_start(args, format);
  print_line("error", "", format, args);
  va_end(args);
}

/* Text that has its own line breaks, the last of which is left out here. */
static void print_whole(const char *kind, const char *text)
{
  size_t length = strlen(text);
  char *copy;

  if (!length) return;
  copy = check_memory(strndup(text, text[length - 1] == '\n' ? length - 1 : length));
  print_message(kind, "", copy);
  free(copy);
}

void message_warnings(const char *text)
{
  if (!is_quiet) print_whole("warning", text);
}

static enum exit_code exit_code_of(enum hone_code code)
{
  switch (code) {
  case HONE_OK: return CLI_DONE;
  case HONE_INVALID_ARGUMENT:
  case HONE_INVALID_SPEC: return CLI_USAGE;
  default: return CLI_FAILED;
  }
}

enum exit_code message_status(hone_status status)
{
  enum hone_code code = hone_status_code(status);

  /* A spec's errors already begin with the file's name. */
  if (code == HONE_INVALID_SPEC)
    print_whole("error", hone_status_message(status));
  else
    message_error("%s", hone_status_message(status));
  hone_status_free(status);
  return exit_code_of(code);
}

void *check_memory(void *memory)
{
  if (memory) return memory;
  message_error("out of memory");
  exit(CLI_FAILED);
}
