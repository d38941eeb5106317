/* target.c - what a target has, from `#hal.executable.target<"rocm", "rocm-hsaco-fb", {...}>`.
 *
 * The variant that holds the dispatch says it; a plain file has it at its device or module, or as
 * an alias on top. The attribute is cut out of the text and read by itself, so that it is found
 * wherever it stands.
 */
#include "iree/operation/target.h"

#include "iree/operation/mma.h"

static const char marker[] = "hal.executable.target<";

/* ---- Finding it in the text ---- */

/* After a string that starts at `text`. */
static const char *skip_string(const char *text)
{
  for (text++; *text && *text != '"'; text++) {
    if (*text == '\\' && text[1]) text++;
  }
  return *text ? text + 1 : text;
}

/* The next place that is neither in a string nor in a comment. */
static const char *skip_hidden(const char *text)
{
  for (;;) {
    if (*text == '"') {
      text = skip_string(text);
    } else if (text[0] == '/' && text[1] == '/') {
      text += strcspn(text, "\n");
    } else {
      return text;
    }
  }
}

/* After the bracket that closes the '<' at `text`; NULL: it is not closed. */
static const char *skip_brackets(const char *text, const char *end)
{
  unsigned depth = 0;

  while (text < end && *text) {
    const char *next = skip_hidden(text);
    if (next != text) {
      text = next;
      continue;
    }
    if (*text == '<') depth++;
    if (*text == '>' && text[-1] != '-' && --depth == 0) return text + 1;
    text++;
  }
  return NULL;
}

/* The '<' of the first executable target in [text, end). */
static const char *find_marker(const char *text, const char *end)
{
  while (text < end && *text) {
    const char *next = skip_hidden(text);
    if (next == text && hone__starts_with(text, marker)) return text + sizeof marker - 2;
    text = next == text ? text + 1 : next;
  }
  return NULL;
}

/* Of `hal.executable.variant @x target(<"rocm", ...>)`: also without the name in front. */
static const char *find_in_variant(const struct hone__mlir *mlir, const char **out_end)
{
  const struct hone__mlir_op *variant = hone__mlir_find(mlir->root, "hal.executable.variant");
  const char *text, *begin;

  if (!variant) return NULL;
  text = mlir->text + variant->head.begin;
  *out_end = mlir->text + variant->head.end;
  begin = find_marker(text, *out_end);
  if (begin) return begin;
  for (; text < *out_end; text++) {
    if (hone__starts_with(text, "target(<")) return text + strlen("target(");
  }
  return NULL;
}

/* The brackets with all that is in them; false: there are none. */
static bool cut_target(const struct hone__mlir *mlir, struct hone__text *out_text)
{
  const char *end = mlir->text + mlir->size, *begin = find_in_variant(mlir, &end), *behind;

  if (!begin) {
    end = mlir->text + mlir->size;
    begin = find_marker(mlir->text, end);
  }
  behind = begin ? skip_brackets(begin, end) : NULL;
  if (!behind) return false;
  hone__text_add(out_text, "#hal.executable.target");
  hone__text_addn(out_text, begin, (size_t)(behind - begin));
  return true;
}

static bool read_attribute(struct hone__mlir *mlir, struct hone__mlir_attr *out_attr,
                           struct hone__text *why)
{
  struct hone__text text = {0};
  hone_status status;
  bool is_read;

  if (!cut_target(mlir, &text)) {
    hone__text_add(why, "no #hal.executable.target in the file: give a target");
    return false;
  }
  status = hone__mlir_parse_attr(&mlir->arena, text.data, out_attr);
  if (status) {
    hone__text_addf(why, "the file's executable target is not understood: %s",
                    hone_status_message(status));
  }
  hone__text_release(&text);
  is_read = !status;
  hone_status_free(status);
  return is_read;
}

/* ---- Reading it ---- */

static int64_t integer_of(const struct hone__mlir_attr *attr, const char *key)
{
  const struct hone__mlir_attr *value = hone__mlir_entry(attr, key);

  return value && value->kind == HONE__MLIR_INTEGER && value->integer > 0 ? value->integer : 0;
}

static const char *text_of(const struct hone__mlir_attr *attr, const char *key)
{
  const struct hone__mlir_attr *value = hone__mlir_entry(attr, key);

  return value && value->text ? value->text : "";
}

static int64_t smallest_of(const struct hone__mlir_attr *list)
{
  int64_t smallest = 0;

  for (size_t i = 0; list && i < list->count; i++) {
    int64_t value = list->entries[i].value.integer;
    if (value > 0 && (smallest == 0 || value < smallest)) smallest = value;
  }
  return smallest;
}

/* ---- Intrinsics ---- */

static const char *mma_name(const struct hone__mlir_attr *attr)
{
  if (attr->kind == HONE__MLIR_DIALECT && attr->count >= 1) return attr->entries[0].value.text;
  return attr->text;
}

static void add_mma(struct hone__arena *arena, const char *name, struct hone__iree_target *target)
{
  const char *const *virtuals = hone__mma_virtual_names(name);

  if (!hone__mma_from_name(arena, name, &target->mmas[target->mma_count])) return;
  target->mma_count++;
  for (; virtuals && *virtuals; virtuals++) {
    if (hone__mma_from_name(arena, *virtuals, &target->mmas[target->mma_count]))
      target->mma_count++;
  }
}

static void read_mmas(struct hone__arena *arena, const struct hone__mlir_attr *list,
                      struct hone__iree_target *target)
{
  size_t most_virtuals = 2;

  if (!list || list->count == 0) return;
  target->mmas = hone__arena_alloc(arena, list->count * (1 + most_virtuals) * sizeof *target->mmas);
  for (size_t i = 0; i < list->count; i++) {
    const char *name = mma_name(&list->entries[i].value);
    if (name) add_mma(arena, name, target);
  }
}

/* ---- Families ---- */

static const struct {
  const char *backend;
  enum hone__iree_family family;
} families[] = {
    {"llvm-cpu", HONE__IREE_CPU},
    {"rocm", HONE__IREE_AMD},
    {"cuda", HONE__IREE_NVIDIA},
};

static enum hone__iree_family family_of(const char *backend)
{
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    if (!strcmp(families[i].backend, backend)) return families[i].family;
  }
  return HONE__IREE_OTHER;
}

static void read_gpu(struct hone__arena *arena, const struct hone__mlir_attr *info,
                     struct hone__iree_target *target)
{
  const struct hone__mlir_attr *wgp = hone__mlir_entry(info, "wgp");

  target->arch = text_of(info, "arch");
  target->subgroup_size = smallest_of(hone__mlir_entry(wgp, "subgroup_size_choices"));
  target->max_threads = integer_of(wgp, "max_thread_count_per_workgroup");
  target->shared_bytes = integer_of(wgp, "max_workgroup_memory_bytes");
  target->simds = integer_of(wgp, "simds_per_wgp");
  target->processors = integer_of(hone__mlir_entry(info, "chip"), "wgp_count");
  read_mmas(arena, hone__mlir_entry(wgp, "mma"), target);
}

static const struct hone__mlir_attr *find_info(const struct hone__mlir_attr *config)
{
  const struct hone__mlir_attr *info = hone__mlir_entry(config, "iree_codegen.target_info");

  return info ? info : hone__mlir_entry(config, "iree.gpu.target"); /* its name before 3.6 */
}

bool hone__iree_target_read(struct hone__mlir *mlir, struct hone__iree_target *out_target,
                            struct hone__text *why)
{
  struct hone__mlir_attr attr = {0};
  const struct hone__mlir_attr *config = NULL;

  *out_target = (struct hone__iree_target){.backend = "", .arch = "", .family = HONE__IREE_OTHER};
  if (!read_attribute(mlir, &attr, why)) return false;
  for (size_t i = 0; i < attr.count; i++) {
    const struct hone__mlir_attr *value = &attr.entries[i].value;
    if (i == 0 && value->kind == HONE__MLIR_STRING) out_target->backend = value->text;
    if (value->kind == HONE__MLIR_DICT) config = value;
  }
  out_target->family = family_of(out_target->backend);
  if (find_info(config)) {
    read_gpu(&mlir->arena, find_info(config), out_target);
  } else {
    out_target->arch = text_of(config, "cpu");
    out_target->native_vector_bytes = integer_of(config, "native_vector_size");
  }
  return true;
}
