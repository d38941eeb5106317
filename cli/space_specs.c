/* hone space --write-specs: candidates as tuning specs of IREE, a file each. */
#include "space_command.h"

#include "hone_iree.h"
#include "text_file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_SEED = 42 };

struct writer {
  const struct hone_space *space;
  const char *path;
  int folder, digits;
  uint64_t count;
  hone_status status;
  bool is_good;
};

/* ---- Files ---- */

static bool complain(const struct writer *writer, const char *name)
{
  const char *reason = strerror(errno);

  if (errno == EEXIST)
    message_error("'%s/%s' already exists: give a new or empty folder", writer->path, name);
  else
    message_error("cannot write '%s/%s': %c%s", writer->path, name, tolower((unsigned char)*reason),
                  reason + 1);
  return false;
}

static bool write_file(const struct writer *writer, const char *name, const char *text)
{
  const int file = openat(writer->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  bool is_good;

  if (file < 0) return complain(writer, name);
  is_good = text_file_put(file, text, strlen(text));
  if (close(file) != 0) is_good = false;
  return is_good ? true : complain(writer, name);
}

/* ---- Candidates ---- */

static bool write_candidate(void *data, const uint32_t *row)
{
  struct writer *writer = data;
  char name[64], *text = NULL;

  snprintf(name, sizeof name, "%0*" PRIu64 "_spec.mlir", writer->digits, writer->count);
  writer->status = hone_iree_candidate_spec(writer->space, row, &text);
  writer->is_good = !writer->status && write_file(writer, name, text);
  writer->count += writer->is_good;
  free(text);
  return writer->is_good;
}

/* In the words of --order: auto, none, shuffle, heuristic, no-sort. */
static const char *strategy_of(const struct question *question)
{
  static const char *const strategies[] = {"random", "exhaustive", "random", "ordered",
                                           "exhaustive"};

  return strategies[question->settings->source.iree.order];
}

static int digits_of(uint64_t count)
{
  int digits = 4;

  for (uint64_t most = 10000; count > most && digits < 20; most *= 10)
    digits++;
  return digits;
}

static enum exit_code write_candidates(const struct question *question, struct writer *writer)
{
  const uint64_t there = hone_space_count(question->space),
                 asked = question->settings->source.iree.num_candidates,
                 count = asked && asked < there ? asked : there;
  const uint64_t seed = question->settings->seed ? question->settings->seed : DEFAULT_SEED;
  hone_status status;

  writer->digits = digits_of(count);
  status = hone_space_search(question->space, strategy_of(question), seed, count, write_candidate,
                             writer);
  if (!status) status = writer->status;
  if (status) return message_status(status);
  if (!writer->is_good) return CLI_FAILED;
  output_format(question->output, "wrote %" PRIu64 " of %s candidates to '%s'\n", writer->count,
                hone_space_count_text(question->space), writer->path);
  return CLI_DONE;
}

enum exit_code answer_write_specs(struct question *question)
{
  struct writer writer = {
      .space = question->space, .path = question->settings->write_specs, .is_good = true};
  enum exit_code code;

  if (!text_file_make_folder(writer.path)) return CLI_FAILED;
  writer.folder = open(writer.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (writer.folder < 0) {
    complain(&writer, "");
    return CLI_FAILED;
  }
  code = write_candidates(question, &writer);
  close(writer.folder);
  return code;
}
