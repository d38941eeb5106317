/* At its power cap a GPU chooses its clock from moment to moment, whatever was set; without
 * persistence mode the driver loses the setting when the last program ends.
 */
#include "clock_check.h"

#include "tool_output.h"

#include <stdlib.h>
#include <string.h>

static const char *const query[] = {
    "nvidia-smi", "--query-gpu",  "clocks_event_reasons.sw_power_cap,persistence_mode",
    "--format",   "csv,noheader", NULL};

static const char capped[] =
    "a GPU is at its power limit, so its clock varies and times are not reproducible: lock the "
    "clock at a lower frequency with 'sudo nvidia-smi -lgc MHZ,MHZ'";
static const char forgetful[] =
    "persistence mode is off, so the driver may reset the GPU's clocks between runs: enable it "
    "with 'sudo nvidia-smi --persistence-mode=1'";

/* The `at`-th field of a line, from 0, is this word; "Not Active" is another than "Active". */
static bool has_field(const char *line, size_t length, int at, const char *word)
{
  const char *end = line + length, *comma;

  for (; at > 0 && (comma = memchr(line, ',', (size_t)(end - line))); at--)
    line = comma + 1;
  if (at > 0) return false;
  comma = memchr(line, ',', (size_t)(end - line));
  if (comma) end = comma;
  while (line < end && (*line == ' ' || *line == '\t'))
    line++;
  while (line < end && strchr(" \t\r", end[-1]))
    end--;
  return (size_t)(end - line) == strlen(word) && memcmp(line, word, strlen(word)) == 0;
}

static bool any_field(const char *text, int at, const char *word)
{
  while (*text) {
    size_t length = strcspn(text, "\n");
    if (has_field(text, length, at, word)) return true;
    text += length + (text[length] != 0);
  }
  return false;
}

enum exit_code clock_check(bool uses_gpu)
{
  const char *complaint = NULL;
  char *text;

  if (!tool_output(query, &text)) return CLI_DONE;
  if (any_field(text, 0, "Active"))
    complaint = capped;
  else if (any_field(text, 1, "Disabled"))
    complaint = forgetful;
  free(text);
  if (complaint && uses_gpu) {
    message_error("%s; --skip-clock-check runs anyway", complaint);
    return CLI_FAILED;
  }
  if (complaint) message_note("warning: %s", complaint);
  return CLI_DONE;
}
