/* The run knows a candidate by its source: another text must not go by the same name. */
#include "backend/kernel/kernel_build.h"

#include "build/build_outcome.h"
#include "build/command.h"
#include "wire/message_text.h"

bool hone__kernel_is_c(const json_t *candidate)
{
  return strcmp(hone__message_text(candidate, "backend"), hone__kernel_kind_c.backend) == 0;
}

/* ---- Sources ---- */

bool hone__kernel_source_read(const json_t *candidate, struct hone__answer *answer,
                              struct hone__source_text *out_source)
{
  const char *source = hone__message_text(candidate, "source");
  const char *known = hone__message_text(candidate, "source_digest");
  hone_status status = hone__source_text_read(source, out_source);

  if (status) {
    hone__build_fail(answer, HONE__OUTCOME_COMPILE_ERROR, hone_status_message(status));
    hone_status_free(status);
    return false;
  }
  if (!*known || strcmp(known, out_source->digest) == 0) return true;
  hone__build_source_changed(answer, source);
  return false;
}

const char *hone__kernel_short_name(const char *source, const char *folder)
{
  size_t length = strlen(folder);

  return hone__starts_with(source, folder) && source[length] == '/' ? source + length + 1 : source;
}

/* ---- Commands ---- */

void hone__kernel_print_command(const json_t *setup, const json_t *words, bool needs_folder,
                                struct hone__text *out_command)
{
  const char *folder = hone__message_text(setup, "folder");
  struct hone__text line = {0};

  if (*folder && needs_folder) {
    hone__text_add(&line, "cd");
    hone__command_add(&line, folder);
    hone__text_add(&line, " &&");
  }
  hone__command_print(&line, words);
  if (line.length) hone__text_add(out_command, line.data);
  hone__text_release(&line);
}

void hone__kernel_add_command(const json_t *setup, const json_t *candidate,
                              hone_status (*print)(const json_t *setup, const json_t *candidate,
                                                   struct hone__text *out_command),
                              struct hone__answer *answer)
{
  struct hone__text command = {0};

  hone_status_free(print(setup, candidate, &command));
  json_object_set_new(answer->head, "command", hone__json_string(command.data, command.length));
  hone__text_release(&command);
}
