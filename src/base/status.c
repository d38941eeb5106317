#include "base/status.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

struct hone_status_body {
  enum hone_code code;
  char *message, *cause; /* the cause may be NULL */
};

static const struct {
  const char *name;
} codes[] = {
#define HONE__CODE_ROW(id, name) [HONE_##id] = {name},
    HONE_CODES(HONE__CODE_ROW)
#undef HONE__CODE_ROW
};

static hone_status make(enum hone_code code, char *message)
{
  hone_status status = hone__alloc(sizeof *status);

  status->code = code;
  status->message = message;
  return status;
}

hone_status hone__error(enum hone_code code, const char *format, ...)
{
  struct hone__text text = {0};
  va_list args;

  va_start(args, format);
  hone__text_vaddf(&text, format, args);
  va_end(args);
  return make(code, hone__text_take(&text));
}

hone_status hone__annotate(hone_status status, const char *format, ...)
{
  struct hone__text text = {0};
  va_list args;

  if (!status) return NULL;
  va_start(args, format);
  hone__text_vaddf(&text, format, args);
  va_end(args);
  hone__text_addf(&text, ": %s", status->message);
  if (status->cause)
    free(status->message);
  else
    status->cause = status->message;
  status->message = hone__text_take(&text);
  return status;
}

hone_status hone__because(hone_status status, const char *cause)
{
  if (!status) return NULL;
  free(status->cause);
  status->cause = hone__strdup(cause);
  return status;
}

const char *hone__status_cause(hone_status status)
{
  return status && status->cause ? status->cause : hone_status_message(status);
}

enum hone_code hone_status_code(hone_status status)
{
  return status ? status->code : HONE_OK;
}

const char *hone_status_message(hone_status status)
{
  return status ? status->message : "";
}

void hone_status_free(hone_status status)
{
  if (!status) return;
  free(status->message);
  free(status->cause);
  free(status);
}

const char *hone_code_name(enum hone_code code)
{
  return (size_t)code < sizeof codes / sizeof *codes ? codes[code].name : "unknown";
}

void hone__bug(const char *file, int line, const char *what)
{
  fprintf(stderr, "hone: defect in %s:%d: %s\n", file, line, what);
  abort();
}
