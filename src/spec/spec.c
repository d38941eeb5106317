/* Loading a spec: files are read one after the other into one struct hone_spec, then checked as a
 * whole. All errors are collected: what is wrong stays known by its name, and loading continues. */
#include "spec/loader.h"

#include "base/options_size.h"
#include "base/file.h"
#include "hone_text.h"
#include "spec/annotation.h"

#include <stdlib.h>

enum { MOST_FILE_BYTES = 16 << 20, MOST_DERIVED = 2000 };

struct file_text { /* one of the files */
  const char *path;
  const char *text; /* what stands for the file; NULL: what it holds */
  size_t length;    /* of the text */
  bool is_own;      /* the text was not made of another file: its name is enough for messages */
};

/* ---- Files ---- */

static bool has_suffix(const char *path, const char *const *suffixes)
{
  const char *dot = strrchr(path, '.');

  for (; dot && *suffixes; suffixes++)
    if (strcmp(dot, *suffixes) == 0) return true;
  return false;
}

static bool is_kernel_source(const char *path)
{
  static const char *const suffixes[] = {".c",  ".h",   ".cc", ".cpp", ".cxx", ".hpp",
                                         ".cu", ".cuh", ".cl", ".hip", ".m",   NULL};
  return has_suffix(path, suffixes);
}

static bool is_binary(const char *text, size_t size)
{
  return memchr(text, 0, size) != NULL;
}

/* The text as it is given, or as the file has it. */
static hone_status read_text_of(const struct file_text *from, char **out_text, size_t *out_size)
{
  if (!from->text) return hone__file_read(from->path, MOST_FILE_BYTES, out_text, out_size);
  if (from->length > MOST_FILE_BYTES)
    return hone__error(HONE_EXHAUSTED, "'%s' is larger than %d MiB", from->path,
                       MOST_FILE_BYTES >> 20);
  *out_text = hone__alloc(from->length + 1);
  if (from->length) memcpy(*out_text, from->text, from->length);
  *out_size = from->length;
  return NULL;
}

/* What messages call it. */
static const char *label_of(struct hone__arena *arena, const struct file_text *from)
{
  if (from->text && !from->is_own) return hone__arena_printf(arena, "%s (as a spec)", from->path);
  return hone__arena_strdup(arena,
                            !from->text && strcmp(from->path, "-") == 0 ? "<stdin>" : from->path);
}

static hone_status read_source(struct hone_spec *spec, const struct file_text *from,
                               struct hone__source **out_source)
{
  static const char byte_order_mark[] = "\xef\xbb\xbf";
  struct hone__source *source = hone__arena_alloc(&spec->arena, sizeof *source);
  size_t skip = 0;
  char *text;
  hone_status status = read_text_of(from, &text, &source->size);

  if (status) return status;
  source->path = label_of(&spec->arena, from);
  if (hone__starts_with(text, byte_order_mark)) skip = strlen(byte_order_mark);
  source->size -= skip;
  source->text = hone__arena_strndup(&spec->arena, text + skip, source->size);
  hone__source_index(source, &spec->arena);
  free(text);
  if (is_binary(source->text, source->size))
    return hone__error(HONE_INVALID_SPEC, "%s: error: not a text file: it holds NUL bytes",
                       source->path);
  *out_source = source;
  return NULL;
}

static void parse_source(struct hone__loader *loader, struct hone__source *source)
{
  const char *yaml = source->text;
  size_t size = source->size, before = loader->diagnostics->errors;
  struct hone__place start = {0, 0};

  if (is_kernel_source(source->path)) {
    char *text = NULL;
    hone__annotation_extract(source->text, source->size, source, &loader->spec->arena,
                             loader->diagnostics, &text, &size, &source->line_map,
                             &source->line_count);
    if (!text) {
      if (loader->diagnostics->errors == before)
        hone__report(
            loader->diagnostics, HONE__ERROR, source, start,
            "no tuning annotations found: write the spec in lines that begin with //@hone");
      return;
    }
    yaml = text;
  }
  hone__yaml_parse(yaml, size, source, &loader->spec->arena, loader->diagnostics, &loader->root);
  if (loader->diagnostics->errors > before) {
    loader->root = NULL;
  } else if (!loader->root) {
    hone__report(loader->diagnostics, HONE__ERROR, source, start, "the file holds no spec");
  } else if (loader->root->kind != HONE__MAPPING) {
    hone__loader_error(loader, loader->root, "expected a mapping with keys like 'params', found %s",
                       hone__node_kind_name(loader->root));
    loader->root = NULL;
  }
}

/* ---- Top-level keys ---- */

static bool is_one_of(const char *word, const char *const *words)
{
  for (; *words; words++)
    if (strcmp(word, *words) == 0) return true;
  return false;
}

static const char *const kbench_keys[] = {"name",         "file",     "params", "rules",
                                          "fixed_params", "metadata", NULL};

static bool uses_kbench_keys_only(const struct hone__node *root)
{
  for (size_t i = 0; i < root->count; i++) {
    const char *key = root->pairs[i].key->text;
    if (is_one_of(key, hone__spec_keys) && !is_one_of(key, kbench_keys)) return false;
  }
  return true;
}

static bool holds_anchor(const struct hone__node *node, int depth)
{
  if (node->anchored) return true;
  for (size_t i = 0; depth < 8 && i < node->count; i++)
    if (holds_anchor(node->kind == HONE__SEQUENCE ? node->items[i] : node->pairs[i].value,
                     depth + 1))
      return true;
  return false;
}

/* Keys that hold anchors for others to use are welcome. kbench ignores every other key; there a key
 * that is nearly a known one is still a mistake. */
static void check_keys(struct hone__loader *loader)
{
  for (size_t i = 0; i < loader->root->count; i++) {
    const struct hone__pair *pair = &loader->root->pairs[i];
    struct hone_nearest nearest = {.word = pair->key->text};
    if (is_one_of(pair->key->text, hone__spec_keys) || holds_anchor(pair->value, 0)) continue;
    for (const char *const *key = hone__spec_keys; *key; key++)
      hone_nearest_try(&nearest, *key);
    if (nearest.best && (!loader->kbench || nearest.distance <= 2))
      hone__loader_error(loader, pair->key, "unknown key '%.80s'; did you mean '%s'?",
                         pair->key->text, nearest.best);
    else if (!loader->kbench)
      hone__loader_error(loader, pair->key, "unknown key '%.80s'", pair->key->text);
    else
      hone__loader_warning(loader, pair->key, "unknown key '%.80s' is ignored", pair->key->text);
  }
}

static const char *read_text(struct hone__loader *loader, const char *key)
{
  const struct hone__node *node = hone__node_get(loader->root, key);

  if (!node) return NULL;
  if (node->kind == HONE__SCALAR && node->value.type != HONE_NONE) return node->text;
  hone__loader_error(loader, node, "'%s' must be text, found %s", key, hone__node_kind_name(node));
  return NULL;
}

/* $VAR and ${VAR} from the environment; $$ is $. */
static char *expand_variables(struct hone__loader *loader, const struct hone__node *node)
{
  struct hone__text text = {0};
  char *expanded;

  for (const char *p = node->text; *p;) {
    const char *name, *value;
    size_t length, whole = hone__text_variable_length(p, &name, &length);
    if (p[0] == '$' && p[1] == '$') {
      hone__text_add(&text, "$");
      p += 2;
      continue;
    }
    if (!whole) {
      hone__text_addn(&text, p++, 1);
      continue;
    }
    value = getenv(hone__arena_strndup(&loader->spec->arena, name, length));
    if (value)
      hone__text_add(&text, value);
    else
      hone__loader_warning(loader, node, "the environment variable '%.*s' is not set", (int)length,
                           name);
    if (!value) hone__text_addn(&text, p, whole);
    p += whole;
  }
  expanded = hone__arena_strdup(&loader->spec->arena, text.data ? text.data : "");
  hone__text_release(&text);
  return expanded;
}

/* Without its folder and its last suffix. */
static char *without_suffix(struct hone__arena *arena, const char *path)
{
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  const char *dot = strrchr(base, '.');

  if (!dot || dot == base || !dot[1]) return hone__arena_strdup(arena, base);
  return hone__arena_strndup(arena, base, (size_t)(dot - base));
}

/* kbench strips two suffixes: sample.v2.mojo gives `sample`. */
static const char *stem_of(struct hone__arena *arena, const char *path)
{
  return without_suffix(arena, without_suffix(arena, path));
}

static void read_identity(struct hone__loader *loader)
{
  struct hone_spec *spec = loader->spec;
  const struct hone__node *node = hone__node_get(loader->root, "file");
  const char *name = read_text(loader, "name"), *file = read_text(loader, "file");

  if (file) file = expand_variables(loader, node);
  if (!file && is_kernel_source(loader->source->path)) file = loader->source->path;
  if (loader->file > 0) {
    if (name && spec->name && strcmp(name, spec->name) != 0)
      hone__loader_error(
          loader, hone__node_get(loader->root, "name"),
          "the name '%s' differs from '%s' in '%s'; all files of a run must belong to one kernel",
          name, spec->name, spec->path);
    if (file && spec->file && strcmp(file, spec->file) != 0)
      hone__loader_error(
          loader, node ? node : loader->root,
          "the file '%s' differs from '%s' in '%s'; all files of a run must belong to one kernel",
          file, spec->file, spec->path);
    return;
  }
  spec->file = file;
  spec->name = name ? name : without_suffix(&spec->arena, file ? file : spec->path);
  spec->stem = file ? stem_of(&spec->arena, file) : spec->name;
}

/* ---- Derived values ---- */

static void load_derived(struct hone__loader *loader)
{
  const struct hone__node *node = hone__node_get(loader->root, "derived");
  struct hone_spec *spec = loader->spec;

  if (!node) return;
  if (node->kind != HONE__MAPPING) {
    hone__loader_error(loader, node,
                       "'derived' must be a mapping of names to expressions, found %s",
                       hone__node_kind_name(node));
    return;
  }
  if (node->count > MOST_DERIVED) {
    hone__loader_error(loader, node, "more than %d derived values", MOST_DERIVED);
    return;
  }
  loader->derived = node;
  spec->derived = hone__arena_alloc(&spec->arena, (node->count + 1) * sizeof *spec->derived);
  for (size_t i = 0; i < node->count; i++) {
    struct hone__formula formula = {0};
    const struct hone__node *key = node->pairs[i].key;
    if (hone__spec_has_param(spec, key->text) || hone__spec_has_size(spec, key->text))
      hone__loader_error(loader, key, "'%s' is already a parameter or a size", key->text);
    hone__loader_formula(loader, node->pairs[i].value,
                         HONE__NAMES_PROBLEM | HONE__NAMES_DEVICE | HONE__NAMES_PARAMS |
                             HONE__NAMES_DERIVED,
                         &formula);
    formula.name = key->text;
    spec->derived[spec->derived_count++] = formula; /* a wrong one too: its name is known */
  }
}

/* ---- Filters ---- */

static hone_status add_filter(struct hone_spec *spec, const char *text)
{
  const char *sign = strpbrk(text, "=:");
  struct hone__filter *filter = &spec->filters[spec->filter_count];
  size_t skip = strspn(text, "$");

  if (!sign || sign == text + skip)
    return hone__error(HONE_INVALID_ARGUMENT, "bad --filter '%s': expected NAME=VALUE", text);
  filter->name = hone__arena_strndup(&spec->arena, text + skip, (size_t)(sign - text) - skip);
  filter->value = hone__arena_strdup(&spec->arena, sign + 1);
  if (hone__spec_has_param(spec, filter->name)) {
    spec->filter_count++;
  } else {
    struct hone__source *source = hone__arena_alloc(&spec->arena, sizeof *source);
    source->path = "--filter";
    hone__report(&spec->diagnostics, HONE__WARNING, source, (struct hone__place){0, 0},
                 "no file has the parameter '%s': the filter is ignored", filter->name);
  }
  return NULL;
}

static hone_status add_filters(struct hone_spec *spec, const struct hone_spec_options *options)
{
  hone_status status = NULL;

  spec->filters =
      hone__arena_alloc(&spec->arena, (options->filter_count + 1) * sizeof *spec->filters);
  for (size_t i = 0; i < options->filter_count && !status; i++)
    status = add_filter(spec, options->filters[i]);
  return status;
}

/* ---- Loading ---- */

static void load_conditions(struct hone__loader *loader)
{
  static const char *const keys[] = {"constraints", "rules"};

  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const struct hone__node *node = hone__node_get(loader->root, keys[i]);
    if (node) hone__constraints_load(loader, node, keys[i]);
  }
  if (!loader->kbench && hone__node_get(loader->root, "texts"))
    hone__templates_load(loader, hone__node_get(loader->root, "texts"));
  hone__alternatives_finish(loader);
}

static bool has_parameters(const struct hone__node *root)
{
  static const char *const keys[] = {"params", "configs", "fixed_params", "alternatives"};

  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (hone__node_get(root, keys[i])) return true;
  return false;
}

static hone_status borrow_parameters(struct hone__loader *loader, hone__lend *lend)
{
  struct hone__spec_group group = {0};
  hone_status status = NULL;

  if (lend && loader->file == 0 && !loader->kbench && !has_parameters(loader->root))
    status = lend(loader->spec, &group);
  if (!status && group.count) hone__spec_group_add(loader, loader->root, &group);
  return status;
}

static hone_status load_file(struct hone_spec *spec, const struct file_text *from, size_t file,
                             hone__lend *lend)
{
  struct hone__loader loader = {.spec = spec, .diagnostics = &spec->diagnostics, .file = file};
  struct hone__source *source = NULL;
  hone_status status = read_source(spec, from, &source);

  if (status) return status;
  loader.source = source;
  if (file == 0)
    spec->path = from->text ? hone__arena_strdup(&spec->arena, from->path) : source->path;
  if (file == 0) spec->source = source;
  parse_source(&loader, source);
  if (!loader.root) return NULL;
  if (file == 0) spec->root = loader.root;
  loader.kbench = uses_kbench_keys_only(loader.root);
  check_keys(&loader);
  read_identity(&loader);
  if (file == 0) hone__problems_load(&loader);
  status = borrow_parameters(&loader, lend);
  if (status) return status;
  hone__parameters_load(&loader, file);
  if (file == 0) load_derived(&loader);
  load_conditions(&loader);
  if (file == 0) hone__settings_check(&loader);
  return NULL;
}

static hone_status load_shapes(struct hone_spec *spec, const struct hone_spec_options *options)
{
  struct hone_spec_options shapes;

  spec->partition_index = options->partition_index;
  spec->partition_count = options->partition_count;
  if (options->partition_count == 0 || options->partition_index >= options->partition_count)
    return hone__error(HONE_INVALID_ARGUMENT, "bad partition %u:%u: expected m:n with m < n",
                       options->partition_index, options->partition_count);
  if (options->part_count && options->part_index >= options->part_count)
    return hone__error(HONE_INVALID_ARGUMENT, "bad part %u of %u parts, counted from 0",
                       options->part_index, options->part_count);
  spec->part_index = options->part_index;
  spec->part_count = options->part_count;
  if (options->shape_count == 0) return NULL;
  hone_spec_options_init(&shapes);
  shapes.files = options->shapes;
  shapes.file_count = options->shape_count;
  return hone__spec_load(&shapes, NULL, &spec->shapes);
}

/* Every group needs a parameter somewhere, else there is nothing to choose. */
static void check_not_empty(struct hone_spec *spec)
{
  struct hone__source *source = hone__arena_alloc(&spec->arena, sizeof *source);

  source->path = spec->path;
  if (spec->group_count == 0 && !spec->shapes && !spec->diagnostics.errors)
    hone__report(&spec->diagnostics, HONE__ERROR, source, (struct hone__place){0, 0},
                 "no parameters: give them under 'params'");
}

static hone_status finish(struct hone_spec *spec, const struct hone_spec_options *options)
{
  hone_status status;
  char *errors;

  for (size_t i = 0; i < spec->override_count && !spec->shapes; i++) /* else: after the shapes */
    for (size_t g = 0; g < spec->group_count; g++)
      hone__spec_group_override(&spec->arena, &spec->groups[g], &spec->overrides[i]);
  status = add_filters(spec, options);
  if (status) return status;
  check_not_empty(spec);
  hone__spec_check(spec);
  spec->warnings = hone__diagnostics_text(&spec->diagnostics, HONE__WARNING);
  if (!spec->diagnostics.errors) return NULL;
  errors = hone__diagnostics_text(&spec->diagnostics, HONE__ERROR);
  if (*errors && errors[strlen(errors) - 1] == '\n') errors[strlen(errors) - 1] = 0;
  status = hone__error(HONE_INVALID_SPEC, "%s", errors);
  free(errors);
  return status;
}

void hone_spec_options_fill(struct hone_spec_options *options, size_t size)
{
  const struct hone_spec_options defaults = {.partition_count = 1};

  hone__options_fill(options, size, &defaults, sizeof defaults);
}

static hone_status load_all(struct hone_spec *spec, const struct hone_spec_options *options,
                            const struct file_text *files, size_t count, hone__lend *lend)
{
  hone_status status = NULL;

  if (count == 0) status = hone__error(HONE_INVALID_ARGUMENT, "no spec file given");
  if (!status) status = hone__overrides_load(spec, options->params, options->param_count);
  if (!status) status = load_shapes(spec, options);
  for (size_t i = 0; i < count && !status; i++)
    status = load_file(spec, &files[i], i, lend);
  return status ? status : finish(spec, options);
}

static hone_status load_spec(const struct hone_spec_options *options, const struct file_text *files,
                             size_t count, hone__lend *lend, struct hone_spec **out_spec)
{
  struct hone_spec *spec = hone__alloc(sizeof *spec);
  hone_status status = load_all(spec, options, files, count, lend);

  *out_spec = NULL;
  if (status)
    hone_spec_free(spec);
  else
    *out_spec = spec;
  return status;
}

hone_status hone__spec_load_lent(const struct hone_spec_options *options, const char *const *texts,
                                 hone__lend *lend, struct hone_spec **out_spec)
{
  struct file_text *files = hone__alloc((options->file_count + 1) * sizeof *files);
  hone_status status;

  for (size_t i = 0; i < options->file_count; i++) {
    files[i].path = options->files[i];
    files[i].text = texts ? texts[i] : NULL;
    files[i].length = files[i].text ? strlen(files[i].text) : 0;
  }
  status = load_spec(options, files, options->file_count, lend, out_spec);
  free(files);
  return status;
}

hone_status hone__spec_parse(const char *text, size_t length, const char *name,
                             const struct hone_spec_options *options, hone__lend *lend,
                             struct hone_spec **out_spec)
{
  const struct file_text file = {.path = name, .text = text, .length = length, .is_own = true};

  return load_spec(options, &file, 1, lend, out_spec);
}

hone_status hone__spec_load(const struct hone_spec_options *options, const char *const *texts,
                            struct hone_spec **out_spec)
{
  return hone__spec_load_lent(options, texts, NULL, out_spec);
}

void hone_spec_free(struct hone_spec *spec)
{
  if (!spec) return;
  hone_spec_free(spec->shapes);
  free(spec->warnings);
  hone__diagnostics_release(&spec->diagnostics);
  hone__arena_release(&spec->arena);
  free(spec);
}

/* ---- Accessors ---- */

const char *hone_spec_name(const struct hone_spec *spec)
{
  return spec->name;
}

const char *hone_spec_file(const struct hone_spec *spec)
{
  return spec->file;
}

const char *hone_spec_text(const struct hone_spec *spec)
{
  return spec->source->text;
}

const char *hone_spec_warnings(const struct hone_spec *spec)
{
  return spec->warnings;
}

size_t hone_spec_problem_count(const struct hone_spec *spec)
{
  return spec->problem_count;
}

const char *hone_spec_problem(const struct hone_spec *spec, size_t problem)
{
  return problem < spec->problem_count ? spec->problems[problem].text : "";
}

size_t hone_value_print(struct hone_value value, char *buffer, size_t size)
{
  struct hone__text text = {0};
  size_t length, copy;

  hone__value_print(value, &text);
  length = text.length;
  copy = length < size ? length : size ? size - 1 : 0;
  if (size) {
    if (copy) memcpy(buffer, text.data, copy);
    buffer[copy] = 0;
  }
  hone__text_release(&text);
  return length;
}
