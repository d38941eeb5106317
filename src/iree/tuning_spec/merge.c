/* merge.c - merges several tuning specs.
 *
 * The matchers of all files are in one list, in the order of the files. Two matchers mean the same
 * operations if they match the same, whatever their names: two files may use one name for different
 * things, or different names for the same. A matcher after one that matches everything it matches
 * is never reached, and is dropped.
 */
#include "hone.h"
#include "hone_iree.h"

#include "iree/tuning_spec/merge.h"
#include "iree/tuning_spec/older_words.h"
#include "iree/toolset/toolset.h"

#include "base/accessor.h"
#include "base/allocators.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/options_size.h"

#include <stdio.h>
#include <stdlib.h>

enum { CHECK_SECONDS = 60, MAX_OVERLAPS = 200 };

struct hone_iree_merged {
  char *text, *notes;
  size_t matcher_count;
  bool is_checked;
};

struct merging {
  struct hone__iree_tuning_spec *specs;
  size_t spec_count;
  size_t starter; /* which of the specs; SIZE_MAX: there is none */
  struct hone__merge_item *items;
  size_t count, capacity, overlaps;
  struct hone__text notes;
};

/* ---- Notes ---- */

static void note_lines(struct merging *merging, const char *path, const char *lines)
{
  while (*lines) {
    size_t length = strcspn(lines, "\n");
    hone__text_addf(&merging->notes, "'%s': %.*s\n", path, (int)length, lines);
    lines += length + (lines[length] == '\n');
  }
}

static void note_dropped(struct merging *merging, const struct hone__merge_item *dropped,
                         const struct hone__merge_item *first)
{
  struct hone__text words = {0};

  hone__iree_spec_matcher_words(first->matcher, &words);
  hone__text_addf(&merging->notes,
                  "'%s': @%s is dropped: '%s' has @%s before it, which matches all that it "
                  "matches (%s)\n",
                  dropped->spec->mlir.path, dropped->matcher->name, first->spec->mlir.path,
                  first->matcher->name, words.data);
  hone__text_release(&words);
}

static void note_overlap(struct merging *merging, const struct hone__merge_item *later,
                         const struct hone__merge_item *first)
{
  bool is_sure = later->matcher->is_understood && first->matcher->is_understood;

  if (merging->overlaps++ >= MAX_OVERLAPS) return;
  hone__text_addf(&merging->notes,
                  "'%s': @%s %s operations that @%s of '%s' matches too: the latter comes first, "
                  "and counts\n",
                  later->spec->mlir.path, later->matcher->name, is_sure ? "matches" : "may match",
                  first->matcher->name, first->spec->mlir.path);
}

/* ---- Which stay ---- */

static const struct hone__merge_item *find_covering(const struct merging *merging,
                                                    const struct hone__merge_item *item)
{
  for (size_t i = 0; i < merging->count; i++)
    if (hone__iree_spec_matcher_covers(merging->items[i].matcher, item->matcher))
      return &merging->items[i];
  return NULL;
}

/* A matcher with unknown conditions may match anything: that gives no note for every other one. */
static bool is_known(const struct hone__iree_spec_matcher *matcher)
{
  return matcher->what || matcher->op_name_count || matcher->operand_count;
}

static void note_overlaps(struct merging *merging, const struct hone__merge_item *item)
{
  for (size_t i = 0; i < merging->count; i++) {
    const struct hone__iree_spec_matcher *first = merging->items[i].matcher;
    if (!is_known(first) || !is_known(item->matcher)) continue;
    if (hone__iree_spec_matchers_overlap(first, item->matcher))
      note_overlap(merging, item, &merging->items[i]);
  }
}

static void add_item(struct merging *merging, const struct hone__iree_tuning_spec *spec,
                     const struct hone__iree_spec_matcher *matcher)
{
  const struct hone__merge_item item = {.spec = spec, .matcher = matcher};
  const struct hone__merge_item *first = find_covering(merging, &item);

  if (!matcher->sequence || !matcher->action_sequence) {
    hone__text_addf(&merging->notes, "'%s': @%s is dropped: it is incomplete\n", spec->mlir.path,
                    matcher->name);
    return;
  }
  if (first) {
    note_dropped(merging, &item, first);
    return;
  }
  note_overlaps(merging, &item);
  HONE__GROW(merging->items, merging->count, merging->capacity);
  merging->items[merging->count++] = item;
}

static void choose_items(struct merging *merging)
{
  for (size_t s = 0; s < merging->spec_count; s++) {
    const struct hone__iree_tuning_spec *spec = &merging->specs[s];
    size_t before = merging->count;
    note_lines(merging, spec->mlir.path, spec->problems);
    note_lines(merging, spec->mlir.path, spec->carried);
    for (size_t i = 0; i < spec->matcher_count; i++)
      add_item(merging, spec, &spec->matchers[i]);
    if (s == merging->starter && merging->count == before && spec->matcher_count)
      hone__text_addf(&merging->notes,
                      "'%s' is skipped: earlier matchers match everything that it matches\n",
                      spec->mlir.path);
  }
}

/* ---- Passes before the matchers ---- */

/* Any other pass could change what the matchers of all files match. */
static hone_status refuse_passes(const struct merging *merging)
{
  for (size_t s = 0; s < merging->spec_count; s++) {
    const struct hone__iree_tuning_spec *spec = &merging->specs[s];
    if (spec->pass)
      return hone__error(HONE_INVALID_SPEC,
                         "'%s': line %u: the entry point runs the pass '%s': it cannot be merged, "
                         "because the pass would change the operations for all other matchers",
                         spec->mlir.path, spec->pass_line, spec->pass);
  }
  return NULL;
}

static bool keeps_batch_pass(const struct merging *merging)
{
  for (size_t i = 0; i < merging->count; i++)
    if (merging->items[i].spec->inserts_batch) return true;
  return false;
}

/* A convolution without batch dim, as a matcher written for the form before the pass has it. */
static bool wants_batchless(const struct hone__merge_item *item)
{
  const struct hone__iree_spec_matcher *matcher = item->matcher;

  if (item->spec->inserts_batch || !matcher->what || strcmp(matcher->what, "convolution") != 0)
    return false;
  for (unsigned i = 0; i < matcher->dim_count; i++)
    if (!strcmp(matcher->dims[i].role, "batch_dims")) return matcher->dims[i].count == 0;
  return false;
}

static void note_batch_pass(struct merging *merging)
{
  for (size_t i = 0; i < merging->count; i++)
    if (wants_batchless(&merging->items[i]))
      hone__text_addf(&merging->notes,
                      "'%s': @%s matches a convolution without batch dim, which another file's "
                      "pass '" HONE__TUNING_BATCH_PASS "' adds: it will not match on CPUs\n",
                      merging->items[i].spec->mlir.path, merging->items[i].matcher->name);
}

/* ---- The check ---- */

static hone_status write_text(const char *path, const struct hone__text *text)
{
  bool is_written = hone__file_make(path, text->data, text->length);

  return is_written ? NULL : hone__error(HONE_IO, "cannot write '%s'", path);
}

static hone_status run_check(const struct hone__iree_toolset *toolset, const char *folder,
                             const struct hone__text *text)
{
  static const char *const words[] = {"spec.mlir", "-o", "/dev/null", NULL};
  struct hone__text path = {0};
  hone_status status;

  hone__text_addf(&path, "%s/spec.mlir", folder);
  status = write_text(path.data, text);
  if (!status)
    status =
        hone__annotate(hone__iree_run(toolset, HONE__IREE_OPT, words, folder, CHECK_SECONDS, NULL),
                       "iree-opt rejects the merged spec");
  hone__text_release(&path);
  return status;
}

hone_status hone__iree_tuning_spec_verify(const char *iree_dir, const struct hone__text *text,
                                          bool *out_is_checked)
{
  struct hone__iree_toolset toolset;
  struct hone__child_guard guard;
  char *folder = NULL;
  hone_status status = NULL;

  *out_is_checked = false;
  hone__child_guard_begin(&guard);
  hone__iree_toolset_find(iree_dir, &toolset);
  if (toolset.paths[HONE__IREE_OPT]) {
    status = hone__folder_make(NULL, &folder);
    if (!status) status = hone__iree_need_words(&toolset, text->data);
    if (!status) status = run_check(&toolset, folder, text);
    *out_is_checked = !status;
    hone__folder_remove(folder);
    free(folder);
  }
  hone__iree_toolset_release(&toolset);
  hone__child_guard_end(&guard);
  return status;
}

/* ---- The whole ---- */

static hone_status read_specs(struct merging *merging,
                              const struct hone_iree_merge_options *options, bool keeps_older)
{
  size_t total = options->count + (options->starter ? 1 : 0);

  merging->specs = hone__alloc((total + 1) * sizeof *merging->specs);
  merging->starter = options->starter ? options->count : SIZE_MAX;
  for (size_t i = 0; i < total; i++) {
    const char *path = i < options->count ? options->files[i] : options->starter;
    hone_status status = hone__iree_tuning_spec_read_as(path, keeps_older, &merging->specs[i]);
    merging->spec_count = i + 1;
    if (status) return status;
  }
  return NULL;
}

/* The result uses the syntax of the present compiler. */
static bool wants_older(const char *iree_dir)
{
  struct hone__iree_toolset toolset;
  bool is_older;

  hone__iree_toolset_find(iree_dir, &toolset);
  is_older = hone__iree_wants_older(&toolset);
  hone__iree_toolset_release(&toolset);
  return is_older;
}

static hone_status merge(struct merging *merging, const struct hone_iree_merge_options *options,
                         struct hone_iree_merged *merged)
{
  struct hone__text text = {0};
  bool is_older = wants_older(options->iree_dir);
  hone_status status = read_specs(merging, options, is_older);

  if (!status) status = refuse_passes(merging);
  if (!status) {
    choose_items(merging);
    if (keeps_batch_pass(merging)) note_batch_pass(merging);
    hone__merge_print(merging->items, merging->count, keeps_batch_pass(merging), &text);
    if (is_older) hone__iree_spell_older(&text);
    status = hone__iree_tuning_spec_verify(options->iree_dir, &text, &merged->is_checked);
  }
  merged->matcher_count = merging->count;
  merged->text = hone__text_take(&text);
  merged->notes = hone__text_take(&merging->notes);
  return status;
}

static const struct hone_iree_merge_options defaults = {.files = NULL};

void hone_iree_merge_options_fill(struct hone_iree_merge_options *options, size_t size)
{
  hone__options_fill(options, size, &defaults, sizeof defaults);
}

hone_status hone_iree_merge(const struct hone_iree_merge_options *options,
                            struct hone_iree_merged **out_merged)
{
  struct merging merging = {.starter = SIZE_MAX};
  struct hone_iree_merge_options own = defaults;
  struct hone_iree_merged *merged;
  hone_status status;

  hone__allocators_install();
  *out_merged = NULL;
  status = hone__options_take(&own, sizeof own, options, "hone_iree_merge_options");
  if (status) return status;
  merged = hone__alloc(sizeof *merged);
  status = merge(&merging, &own, merged);
  if (status)
    hone_iree_merged_free(merged);
  else
    *out_merged = merged;
  for (size_t i = 0; i < merging.spec_count; i++)
    hone__iree_tuning_spec_release(&merging.specs[i]);
  free(merging.specs);
  free(merging.items);
  return status;
}

void hone_iree_merged_free(struct hone_iree_merged *merged)
{
  if (!merged) return;
  free(merged->text);
  free(merged->notes);
  free(merged);
}

HONE__GET(const char *, hone_iree_merged, text, text)
HONE__GET(const char *, hone_iree_merged, notes, notes)
HONE__GET(size_t, hone_iree_merged, matcher_count, matcher_count)
HONE__GET(bool, hone_iree_merged, is_checked, is_checked)
