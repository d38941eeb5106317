/* The spec of a model's candidate, and the proof that all of it took effect: IREE silently accepts
 * an entry that matches nothing, or whose configuration is lost.
 */
#include "iree/backend/iree_model.h"

#include "iree/dispatch/dispatch.h"
#include "iree/tuning_spec/verify.h"

#include <dirent.h>
#include <stdlib.h>

enum { MOST_ENTRIES = 4096 };

/* ---- The spec ---- */

static const char *text_or_null(const char *text)
{
  return text && *text ? text : NULL;
}

static void print_plain(const struct hone__iree_candidate *candidate, struct hone__text *text)
{
  size_t count = candidate->entries_count < MOST_ENTRIES ? candidate->entries_count : MOST_ENTRIES;
  struct hone__iree_tuning_entry *entries = hone__alloc((count + 1) * sizeof *entries);

  for (size_t i = 0; i < count; i++) {
    const struct hone__iree_entry *entry = &candidate->entries[i];
    entries[i] = (struct hone__iree_tuning_entry){
        .name = entry->name,
        .matcher = entry->matcher,
        .compilation_info = text_or_null(entry->compilation_info),
        .decomposition_config = text_or_null(entry->decomposition_config)};
  }
  hone__iree_tuning_spec_print(entries, count, text);
  free(entries);
}

hone_status hone__iree_model_spec(const struct hone__iree_candidate *candidate,
                                  struct hone__text *text)
{
  struct hone__iree_tuning_spec spec = {0};
  struct hone__text plain = {0};
  hone_status status;

  print_plain(candidate, &plain);
  status = hone__iree_tuning_spec_parse("spec.mlir", plain.data, plain.length, &spec);
  if (!status) hone__verify_mark(&spec, text);
  hone__iree_tuning_spec_release(&spec);
  hone__text_release(&plain);
  return status;
}

/* ---- The proof ---- */

struct proof {
  const struct hone__iree_entry *entries;
  bool *applied;          /* by entry: some operation has it */
  struct hone__text *why; /* by entry: what is wrong with an operation that it matched */
  size_t count;
};

/* Whether the operation has the configuration, whatever the others have. */
static bool is_applied(struct hone__mlir_op *op, const struct hone__iree_entry *entry,
                       struct hone__text *why)
{
  struct hone__mlir_op *children[] = {op};
  struct hone__mlir_op root = {.name = "", .children = children, .child_count = 1};
  struct hone__mlir alone = {.path = "", .text = "", .root = &root};

  return hone__iree_is_applied(&alone, entry->compilation_info ? entry->compilation_info : "",
                               entry->decomposition_config ? entry->decomposition_config : "", why);
}

static bool visit(void *data, struct hone__mlir_op *op)
{
  struct proof *proof = data;
  size_t number;

  for (size_t i = 0; i < op->attr_count; i++) {
    if (!hone__iree_spec_mark_read(op->attrs[i].key, &number) || number >= proof->count) continue;
    proof->why[number].length = 0;
    if (is_applied(op, &proof->entries[number], &proof->why[number])) proof->applied[number] = true;
  }
  return true;
}

static hone_status look_at_file(struct proof *proof, const char *folder, const char *name)
{
  struct hone__mlir configured = {0};
  struct hone__text path = {0};
  hone_status status;

  hone__text_addf(&path, "%s/%s", folder, name);
  status = hone__mlir_read(&configured, path.data);
  if (!status) hone__mlir_each(configured.root, visit, proof);
  hone__mlir_release(&configured);
  hone__text_release(&path);
  return status;
}

static hone_status look_at_all(struct proof *proof, const char *folder)
{
  DIR *dir = opendir(folder);
  const struct dirent *entry;
  hone_status status = NULL;

  if (!dir)
    return hone__error(HONE_NOT_FOUND, "the compiler did not report which configurations it used");
  while (!status && (entry = readdir(dir)) != NULL) {
    size_t length = strlen(entry->d_name);
    if (length > 5 && strcmp(entry->d_name + length - 5, ".mlir") == 0)
      status = look_at_file(proof, folder, entry->d_name);
  }
  closedir(dir);
  return status;
}

static void judge(const struct proof *proof, struct hone__build_draft *draft,
                  struct hone__answer *answer)
{
  for (size_t i = 0; i < proof->count; i++) {
    const char *why = proof->why[i].length ? proof->why[i].data : NULL;
    if (proof->applied[i]) continue;
    answer->outcome = HONE_OUTCOME_NOT_APPLIED;
    hone__build_draft_unapplied(draft, proof->entries[i].name);
    hone__text_addf(&answer->evidence, "entry '%s' %s%s", proof->entries[i].name,
                    why ? "matched, but "
                        : "matches no operation of the model: at that stage the compiler has it in "
                          "a different form than in the dispatch",
                    why ? why : "");
    return;
  }
}

void hone__iree_model_prove(const struct hone__iree_candidate *candidate,
                            const struct hone__build_folder *workdir,
                            struct hone__build_draft *draft, struct hone__answer *answer)
{
  char *folder = hone__build_folder_path(workdir, "configured");
  struct proof proof = {.entries = candidate->entries, .count = candidate->entries_count};
  hone_status status;

  proof.applied = hone__alloc((proof.count + 1) * sizeof *proof.applied);
  proof.why = hone__alloc((proof.count + 1) * sizeof *proof.why);
  status = look_at_all(&proof, folder);
  if (status) {
    answer->outcome = HONE_OUTCOME_NOT_APPLIED;
    hone__text_add(&answer->evidence, hone_status_message(status));
  } else {
    judge(&proof, draft, answer);
  }
  for (size_t i = 0; i < proof.count; i++)
    hone__text_release(&proof.why[i]);
  free(proof.why);
  free(proof.applied);
  free(folder);
  hone_status_free(status);
}
