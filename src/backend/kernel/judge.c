/* Files that do not change from one answer to the next are written once. */
#include "backend/kernel/judge.h"

#include "backend/kernel/kernel_function.h"
#include "backend/kernel/scratch.h"
#include "base/folder.h"
#include "base/status.h"

#include <stdlib.h>

static hone_status write_given(const struct hone__bench *bench, size_t content,
                               const struct hone__arg *arg)
{
  const unsigned char *given = bench->buffers.pristine[content] + arg->data;
  const char *folder = bench->judge_folders[content];
  hone_status status = NULL;

  if (!hone__arg_is_tensor(arg) || arg->role == HONE__ARG_SCRATCH) return NULL;
  if (arg->role == HONE__ARG_IN) return hone__kernel_scratch_write(folder, NULL, arg, given);
  if (arg->role == HONE__ARG_INOUT)
    status = hone__kernel_scratch_write(folder, "inputs", arg, given);
  if (!status && bench->expected[content])
    status = hone__kernel_scratch_write(folder, "expected", arg,
                                        bench->expected[content] + arg->snapshot);
  return status;
}

static hone_status open_folder(struct hone__bench *bench, size_t content)
{
  hone_status status;

  if (bench->judge_folders[content]) return NULL;
  status = hone__folder_make(NULL, &bench->judge_folders[content]);
  for (size_t i = 0; i < bench->buffers.count && !status; i++)
    status = write_given(bench, content, &bench->buffers.args[i]);
  if (status) hone__judge_release(bench);
  return status;
}

/* In the shape that it has in this candidate, which is never larger. */
static struct hone__arg arg_of(const struct hone__bench *bench,
                               const struct hone__kernel_candidate *candidate, size_t index)
{
  const struct hone__kernel_extent *extent = hone__kernel_extent_of(candidate, index);
  struct hone__arg arg = bench->buffers.args[index];

  if (!extent || extent->shape_count != arg.dimensions) return arg;
  arg.count = (size_t)hone__kernel_extent_elements(extent);
  arg.bytes = arg.count * hone__element_size(arg.element);
  for (size_t i = 0; i < arg.dimensions; i++)
    arg.shape[i] = (size_t)extent->shape[i];
  return arg;
}

static hone_status write_answer(const struct hone__bench *bench,
                                const struct hone__kernel_candidate *candidate, const char *folder,
                                const unsigned char *snapshot)
{
  hone_status status = NULL;

  for (size_t i = 0; i < bench->buffers.count && !status; i++) {
    const struct hone__arg arg = arg_of(bench, candidate, i);
    if (hone__arg_is_output(&arg))
      status = hone__kernel_scratch_write(folder, NULL, &arg, snapshot + arg.snapshot);
  }
  return status;
}

/* Of one check; 0: none. */
static double limit_of(const struct hone__bench *bench)
{
  return bench->judge->limit_s > 0 ? bench->judge->limit_s : 0;
}

/* `program`: named if it cannot be started; NULL: it is a function. */
static bool read_end(const struct hone__child_result *end, const char *what, const char *program,
                     struct hone__text *why)
{
  struct hone__text line = {0};

  if (end->end == HONE__CHILD_EXITED && end->code == 0) return true;
  hone__last_line(&end->output, &line);
  if (line.length) hone__text_addf(why, "%s (", line.data);
  hone__text_addf(why, "%s: ", what);
  if (program && end->end == HONE__CHILD_NOT_STARTED) hone__text_addf(why, "'%s' ", program);
  hone__child_describe(end, why);
  if (line.length) hone__text_add(why, ")");
  hone__text_release(&line);
  return false;
}

/* ---- A function ---- */

hone_status hone__judge_take(struct hone__bench *bench, const void *payload, size_t payload_size)
{
  const struct hone__kernel_file *file = bench->judge ? bench->judge->object : NULL;

  if (!file) return NULL;
  if (file->offset > payload_size || file->size > payload_size - file->offset)
    return hone__error(HONE_INVALID_ARGUMENT, "the function that checks is not in the payload");
  free(bench->judge_object);
  bench->judge_object = hone__alloc(file->size + 1);
  memcpy(bench->judge_object, (const char *)payload + file->offset, file->size);
  return NULL;
}

/* All tensors, with the answers; then the right answers. */
static void add_words(const struct hone__bench *bench,
                      const struct hone__kernel_candidate *candidate, size_t content,
                      const unsigned char *snapshot, struct hone__kernel_function *function,
                      struct hone__kernel_word *words)
{
  const unsigned char *given = bench->buffers.pristine[content];
  const unsigned char *expected = bench->expected[content];
  size_t most = function->count;

  function->words = words;
  function->count = 0;
  for (size_t i = 0; i < most; i++) {
    const struct hone__arg arg = arg_of(bench, candidate, i);
    if (!hone__arg_is_tensor(&arg) || arg.role == HONE__ARG_SCRATCH) continue;
    words[function->count++].pointer =
        hone__arg_is_output(&arg) ? snapshot + arg.snapshot : given + arg.data;
    if (arg.is_variable) words[function->count++].count = (long)arg.count;
  }
  for (size_t i = 0; expected && i < most; i++)
    if (hone__arg_is_output(&bench->buffers.args[i]))
      words[function->count++].pointer = expected + bench->buffers.args[i].snapshot;
}

static bool ask_function(const struct hone__bench *bench,
                         const struct hone__kernel_candidate *candidate, size_t content,
                         const unsigned char *snapshot, struct hone__text *why)
{
  struct hone__kernel_function function = {.object = bench->judge_object,
                                           .object_size = bench->judge->object->size,
                                           .entry = bench->judge->entry,
                                           .count = bench->buffers.count,
                                           .directory = bench->folder,
                                           .timeout_s = limit_of(bench),
                                           .spares_others = bench->has_helper};
  struct hone__kernel_word *words = hone__alloc((3 * bench->buffers.count + 1) * sizeof *words);
  struct hone__child_result end = {0};
  bool accepted;

  add_words(bench, candidate, content, snapshot, &function, words);
  hone__kernel_function_call(&function, true, &end);
  accepted = read_end(&end, "check.file", NULL, why);
  hone__child_result_release(&end);
  free(words);
  return accepted;
}

/* ---- Either ---- */

bool hone__judge_accepts(struct hone__bench *bench, const struct hone__kernel_candidate *candidate,
                         size_t content, const unsigned char *snapshot, struct hone__text *why)
{
  struct hone__child_result end = {0};
  bool accepted = false;
  hone_status status;
  const char *folder;

  if (bench->judge->entry) return ask_function(bench, candidate, content, snapshot, why);
  status = open_folder(bench, content);
  folder = bench->judge_folders[content];
  if (!status) status = write_answer(bench, candidate, folder, snapshot);
  if (!status)
    status = hone__kernel_scratch_command(bench, folder, bench->judge->command,
                                          bench->judge->command_count, limit_of(bench), &end);
  if (status)
    hone__text_addf(why, "the answer cannot be checked: %s", hone_status_message(status));
  else
    accepted = read_end(&end, "check.command", bench->judge->command[0], why);
  hone_status_free(status);
  hone__child_result_release(&end);
  return accepted;
}

void hone__judge_release(struct hone__bench *bench)
{
  for (size_t i = 0; i < HONE__CONTENTS; i++) {
    if (bench->judge_folders[i]) hone__folder_remove(bench->judge_folders[i]);
    free(bench->judge_folders[i]);
    bench->judge_folders[i] = NULL;
  }
  free(bench->judge_object);
  bench->judge_object = NULL;
}
