/* import.c - configurations of other tuning specs, for the next search.
 *
 * An imported configuration is kept with the lines that match its operation. When an operation is
 * tuned, the lines of all are compared with it, as the compiler would; matching configurations are
 * tried first, if the space has them.
 */
#include "iree/tuning_spec/import.h"

#include "base/accessor.h"
#include "base/allocators.h"
#include "base/quoted_text.h"
#include "hone_iree.h"
#include "iree/tuning_spec/older_words.h"
#include "iree/tuning_spec/tuning_spec.h"
#include "store/store.h"

#include <stdlib.h>
#include <unistd.h>

enum { MOST_SEEDS = 1000 };

/* ---- As Hone's own knobs print it ---- */

static const struct hone__mlir_attr *entry_of(const struct hone__mlir_attr *attr, const char *key)
{
  return attr ? hone__mlir_entry(attr, key) : NULL;
}

/* workgroup_size = [256] is [256, 1, 1]. */
static const char *full_size(struct hone__arena *arena, const struct hone__mlir_attr *list)
{
  struct hone__text text = {0};
  const char *kept;

  for (size_t i = 0; i < 3; i++)
    hone__text_addf(&text, "%s%lld", i ? ", " : "[",
                    i < list->count ? (long long)list->entries[i].value.integer : 1LL);
  hone__text_add(&text, "]");
  kept = hone__arena_strdup(arena, text.data);
  hone__text_release(&text);
  return kept;
}

/* translation_info = #iree_codegen.translation_info<...> is <...>. */
static char *short_form(const char *info)
{
  struct hone__arena arena = {0};
  struct hone__mlir mlir = {.path = "", .text = info, .size = strlen(info)};
  struct hone__mlir_attr attr;
  const struct hone__mlir_attr *translation, *size;
  struct hone__mlir_edit edits[2];
  struct hone__text text = {0};
  size_t count = 0;
  hone_status status = hone__mlir_parse_attr(&arena, info, &attr);

  translation = status ? NULL : entry_of(&attr, "translation_info");
  size = entry_of(translation, "workgroup_size");
  if (translation && translation->kind == HONE__MLIR_DIALECT && *translation->text)
    edits[count++] = (struct hone__mlir_edit){
        {translation->span.begin, translation->span.begin + 1 + strlen(translation->text)}, " "};
  if (size && size->kind == HONE__MLIR_LIST && size->count && size->count < 3)
    edits[count++] = (struct hone__mlir_edit){size->span, full_size(&arena, size)};
  hone__mlir_edit(&mlir, edits, count, &text);
  hone_status_free(status);
  hone__arena_release(&arena);
  return hone__text_take(&text);
}

/* The edit above leaves two blanks, for an empty one would take a comma with it. */
static char *seed_text(const char *info)
{
  char *text = short_form(info), *at = strstr(text, "=  <");

  if (at) memmove(at + 1, at + 2, strlen(at + 2) + 1);
  return text;
}

/* ---- Into the store ---- */

struct hone_iree_imported {
  size_t count;
  char *notes;
};

struct importing {
  struct hone_store *store;
  const char *path;
  const struct hone__iree_operation *operation; /* NULL: all */
  struct hone_iree_imported *out;
  struct hone__text notes;
};

static hone_status import_matcher(struct importing *importing,
                                  const struct hone__iree_spec_matcher *matcher)
{
  struct hone__text words = {0}, why = {0};
  struct hone__store_seed seed = {.matcher = matcher->lines, .source = importing->path};
  char *info = matcher->compilation_info ? seed_text(matcher->compilation_info) : NULL;
  hone_status status = NULL;
  bool fits = true;

  hone__iree_spec_matcher_words(matcher, &words);
  seed.operation = words.data;
  seed.compilation_info = info;
  seed.decomposition_config = matcher->decomposition_config ? matcher->decomposition_config : "";
  if (importing->operation)
    fits = hone__iree_spec_matcher_hits(matcher, importing->operation, &why);
  if (!info || !matcher->is_understood)
    hone__text_addf(&importing->notes, "@%s is skipped: %s\n", matcher->name,
                    info ? matcher->why_not : "it has no compilation_info");
  else if (!fits)
    hone__text_addf(&importing->notes, "@%s is skipped: %s\n", matcher->name, why.data);
  else
    status = hone__store_seed_put(importing->store, &seed);
  if (info && matcher->is_understood && fits && !status) importing->out->count++;
  hone__text_release(&words);
  hone__text_release(&why);
  free(info);
  return status;
}

static hone_status import_spec(struct importing *importing)
{
  struct hone__iree_tuning_spec spec;
  hone_status status = hone__iree_tuning_spec_read(importing->path, &spec);

  for (size_t i = 0; !status && i < spec.matcher_count; i++)
    status = import_matcher(importing, &spec.matchers[i]);
  if (!status) {
    hone__text_add(&importing->notes, spec.problems);
    hone__text_add(&importing->notes, spec.carried);
  }
  hone__iree_tuning_spec_release(&spec);
  return status;
}

/* The operation of the file that the configurations are for. */
static hone_status find_operation(struct hone__mlir *mlir, const char *path,
                                  struct hone__iree_operation *out_operation)
{
  struct hone__text why = {0};
  hone_status status = hone__mlir_read(mlir, path);

  if (!status && hone__iree_operation_find(mlir, out_operation, &why) != HONE__IREE_TUNABLE)
    status = hone__error(HONE_INVALID_SPEC, "'%s' has no operation to import for: %s", path,
                         why.data ? why.data : "");
  hone__text_release(&why);
  return status;
}

hone_status hone_iree_import(const char *store, const char *spec, const char *on,
                             struct hone_iree_imported **out_imported)
{
  struct hone_iree_imported *imported = hone__alloc(sizeof *imported);
  struct importing importing = {.path = spec, .out = imported};
  struct hone__mlir mlir = {.path = NULL};
  struct hone__iree_operation operation;
  hone_status status = on ? find_operation(&mlir, on, &operation) : NULL;

  hone__allocators_install();
  *out_imported = NULL;
  if (on) importing.operation = &operation;
  if (!status) status = hone__store_open(store, false, &importing.store);
  if (!status) status = import_spec(&importing);
  hone__store_close(importing.store);
  imported->notes = hone__text_take(&importing.notes);
  if (status)
    hone_iree_imported_free(imported);
  else
    *out_imported = imported;
  hone__mlir_release(&mlir);
  return status;
}

void hone_iree_imported_free(struct hone_iree_imported *imported)
{
  if (imported) free(imported->notes);
  free(imported);
}

HONE__GET(size_t, hone_iree_imported, count, count)
HONE__GET(const char *, hone_iree_imported, notes, notes)

/* ---- Out of it ---- */

struct seeding {
  const struct hone__iree_operation *operation;
  struct hone__text list; /* as JSON, but for its brackets */
  size_t count;
};

static void add_seed(struct seeding *seeding, const struct hone__iree_spec_matcher *matcher)
{
  char *info;

  if (!matcher->compilation_info || seeding->count >= MOST_SEEDS) return;
  if (!hone__iree_spec_matcher_hits(matcher, seeding->operation, NULL)) return;
  info = seed_text(matcher->compilation_info);
  hone__text_add(&seeding->list,
                 seeding->count++ ? ",{\"compilation_info\":" : "{\"compilation_info\":");
  hone__quote_text(&seeding->list, info);
  if (matcher->decomposition_config) {
    hone__text_add(&seeding->list, ",\"decomposition_config\":");
    hone__quote_text(&seeding->list, matcher->decomposition_config);
  }
  hone__text_add(&seeding->list, "}");
  free(info);
}

static bool visit_seed(void *data, const struct hone__store_seed *kept)
{
  struct seeding *seeding = data;
  const struct hone__iree_tuning_entry entry = {.name = "seed",
                                                .matcher = kept->matcher,
                                                .compilation_info = kept->compilation_info,
                                                .decomposition_config = kept->decomposition_config};
  struct hone__text text = {0};
  struct hone__iree_tuning_spec spec;
  hone_status status;

  hone__iree_tuning_spec_print(&entry, 1, &text);
  status = hone__iree_tuning_spec_parse("seed", text.data, text.length, &spec);
  if (!status && spec.matcher_count) add_seed(seeding, &spec.matchers[0]);
  hone_status_free(status);
  hone__iree_tuning_spec_release(&spec);
  hone__text_release(&text);
  return seeding->count < MOST_SEEDS;
}

static hone_status add_starter(struct seeding *seeding, const char *path, bool is_older)
{
  struct hone__iree_tuning_spec spec;
  hone_status status = hone__iree_tuning_spec_read_as(path, is_older, &spec);

  for (size_t i = 0; !status && i < spec.matcher_count; i++)
    add_seed(seeding, &spec.matchers[i]);
  hone__iree_tuning_spec_release(&spec);
  return status;
}

/* A missing store, or one of another version, has no seeds. */
static void add_kept(struct seeding *seeding, const char *store_path)
{
  const char *path = hone__store_path(store_path);
  struct hone_store *store = NULL;
  hone_status status;

  if (!path || access(path, R_OK) != 0) return;
  status = hone__store_open(path, true, &store);
  if (!status) status = hone__store_seeds(store, visit_seed, seeding);
  hone_status_free(status);
  hone__store_close(store);
}

hone_status hone__iree_seeds(const struct hone__iree_operation *operation,
                             const struct hone_iree_options *options, bool is_older,
                             struct hone__text *text)
{
  struct seeding seeding = {.operation = operation};
  hone_status status = options->starter ? add_starter(&seeding, options->starter, is_older) : NULL;

  if (!status) add_kept(&seeding, options->store);
  if (!status && seeding.count) {
    hone__text_addf(text, "[%s]", seeding.list.data);
    if (is_older) hone__iree_spell_older(text);
  }
  hone__text_release(&seeding.list);
  return status;
}
