/* Queries to the compiler about a file: the dispatch that it makes of a function, and the
 * constraints of its pipelines.
 */
#include "iree/task/iree_task_parts.h"

#include "base/file.h"
#include "base/text.h"
#include "iree/toolset/toolset_kept.h"

#include <dirent.h>
#include <stdlib.h>

enum { DUMP_LIMIT = 1 << 28, DUMPS_LIMIT = 4096 };

static bool is_for_this_host(const struct hone__words *flags)
{
  for (size_t i = 0; i < flags->count; i++)
    if (strstr(flags->data[i], "=host")) return true;
  return false;
}

/* ---- Dumps ---- */

struct dumps {
  struct hone__text chosen;
  struct hone__text names,
      refusals; /* of those with a tunable operation; of the others, with why */
  size_t tunable, all;
};

/* "module_main_dispatch_0_..._benchmark.mlir": without what all of them have. */
static void add_name(struct hone__text *text, const char *name)
{
  size_t length = strlen(name) - strlen("_benchmark.mlir");

  hone__text_addf(text, "%s%.*s", text->length ? ", " : "", (int)length, name);
}

static hone_status look_at_dump(const char *folder, const char *name, struct dumps *dumps)
{
  struct hone__iree_operation operation;
  struct hone__text path = {0}, why = {0};
  struct hone__mlir mlir = {0};
  char *text = NULL;
  size_t size = 0;
  hone_status status;

  hone__text_addf(&path, "%s/%s", folder, name);
  status = hone__file_read(path.data, DUMP_LIMIT, &text, &size);
  if (!status) status = hone__mlir_parse(&mlir, name, text, size);
  if (!status) dumps->all++;
  if (!status && hone__iree_operation_find(&mlir, &operation, &why) == HONE__IREE_TUNABLE) {
    if (!dumps->tunable++) hone__text_addn(&dumps->chosen, text, size);
    add_name(&dumps->names, name);
  } else if (!status) {
    add_name(&dumps->refusals, name);
    hone__text_addf(&dumps->refusals, " (%s)", why.data ? why.data : "?");
  }
  hone__mlir_release(&mlir);
  free(text);
  hone__text_release(&why);
  hone__text_release(&path);
  return status;
}

static int is_dump_name(const struct dirent *entry)
{
  return hone__ends_with(entry->d_name, "_benchmark.mlir");
}

static hone_status look_at_all(const char *folder, struct dumps *dumps)
{
  struct dirent **entries = NULL;
  int count = scandir(folder, &entries, is_dump_name, versionsort);
  hone_status status = NULL;

  for (int i = 0; i < count; i++) {
    if (!status && i < DUMPS_LIMIT) status = look_at_dump(folder, entries[i]->d_name, dumps);
    free(entries[i]);
  }
  free(entries);
  return status;
}

static hone_status judge(const struct dumps *dumps)
{
  if (dumps->tunable == 1) return NULL;
  if (dumps->tunable > 1)
    return hone__error(HONE_INVALID_SPEC,
                       "it has several dispatches that can be tuned: %s; tune their dumps one by "
                       "one, or all of them with 'hone iree tune'",
                       dumps->names.data);
  if (dumps->all)
    return hone__error(HONE_INVALID_SPEC, "it has no dispatch that can be tuned: %s",
                       dumps->refusals.data);
  return hone__error(HONE_INVALID_SPEC,
                     "the compiler dumped no dispatch for it: nothing is computed at run time");
}

static hone_status collect_dump(const char *folder, struct hone__text *out_answer)
{
  struct hone__text dumped = {0};
  struct dumps dumps = {0};
  hone_status status;

  hone__text_addf(&dumped, "%s/dump", folder);
  status = look_at_all(dumped.data, &dumps);
  if (!status) status = judge(&dumps);
  if (!status) hone__text_addn(out_answer, dumps.chosen.data, dumps.chosen.length);
  hone__text_release(&dumps.chosen);
  hone__text_release(&dumps.names);
  hone__text_release(&dumps.refusals);
  hone__text_release(&dumped);
  return status;
}

hone_status hone__iree_task_dump(struct hone__iree_job *job)
{
  struct hone__words words = {0};
  struct hone__iree_question question = {.what = "dump",
                                         .text = job->file.text,
                                         .depends_on_host = is_for_this_host(&job->flags),
                                         .collect = collect_dump};
  struct hone__text dump = {0};
  hone_status status = NULL;

  if (job->toolset.paths[HONE__IREE_COMPILE])
    status = hone__iree_need_feature(&job->toolset, HONE__IREE_HAS_TUNER_ATTRIBUTES);
  hone__words_add_all(&words, hone__words_list(&job->flags));
  hone__words_add(&words, "--iree-codegen-add-tuner-attributes");
  hone__words_add(&words, "--iree-hal-dump-executable-benchmarks-to=dump");
  hone__words_add(&words, "--compile-to=executable-configurations"); /* dumped by then */
  question.words = hone__words_list(&words);
  if (!status) status = hone__iree_query(&job->toolset, &question, &dump);
  if (!status) status = hone__mlir_parse(&job->dump, job->path, dump.data, dump.length);
  hone__text_release(&dump);
  hone__words_release(&words);
  return status;
}

/* ---- Constraints ---- */

hone_status hone__iree_task_constraints(struct hone__iree_job *job, const char *text,
                                        struct hone__text *out_constraints)
{
  struct hone__words words = {0};
  struct hone__iree_question question = {
      .what = "constraints", .text = text, .depends_on_host = is_for_this_host(&job->flags)};
  hone_status status = NULL;

  if (job->toolset.paths[HONE__IREE_COMPILE])
    status = hone__iree_need_feature(&job->toolset, HONE__IREE_HAS_CONSTRAINTS);
  hone__words_add_all(&words, hone__words_list(&job->flags));
  hone__words_add(&words, "--iree-codegen-emit-pipeline-constraints");
  hone__words_add(&words, "--compile-to=executable-configurations");
  hone__words_add(&words, "--mlir-print-local-scope");
  question.words = hone__words_list(&words);
  if (!status) status = hone__iree_query(&job->toolset, &question, out_constraints);
  hone__words_release(&words);
  return status;
}
