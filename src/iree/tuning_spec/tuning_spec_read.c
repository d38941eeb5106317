/* tuning_spec_read.c - reads a tuning spec: its matchers, in their order of precedence.
 *
 * A spec is a module with an entry point, in which foreach_match pairs matchers with actions; in
 * one foreach_match the first matcher that matches counts. Linked specs are modules within a
 * module, whose entry point includes theirs one after the other. A later one overrides an earlier
 * one, unless it spares configured operations: the list is in the resulting order.
 */
#include "iree/tuning_spec/tuning_spec_parts.h"

#include <stdarg.h>
#include <stdlib.h>

enum { MAX_DEPTH = 16, MAX_MATCHERS = 100000 };

#define ENTRY_POINT   "iree_codegen.tuning_spec_entrypoint"
#define DEFAULT_ENTRY "iree_codegen.tuning_spec_with_default_entrypoint"
#define LIBRARY       "transform.with_named_sequence"
#define ENTRY_NAME    "__kernel_config"

/* ---- What is wrong, and what was done about it ---- */

__attribute__((format(printf, 3, 0))) static void
add_line(struct hone__text *text, const struct hone__iree_spec_matcher *matcher, const char *format,
         va_list args)
{
  if (matcher) hone__text_addf(text, "@%s (line %u): ", matcher->name, matcher->line);
  hone__text_vaddf(text, format, args);
  hone__text_add(text, "\n");
}

void hone__iree_spec_problem(struct hone__iree_spec_reader *reader,
                             const struct hone__iree_spec_matcher *matcher, const char *format, ...)
{
  va_list args;

  va_start(args, format);
  add_line(&reader->problems, matcher, format, args);
  va_end(args);
}

void hone__iree_spec_carried(struct hone__iree_spec_reader *reader,
                             const struct hone__iree_spec_matcher *matcher, const char *format, ...)
{
  va_list args;

  va_start(args, format);
  add_line(&reader->carried, matcher, format, args);
  va_end(args);
}

/* ---- Symbols ---- */

static bool is_module(const struct hone__mlir_op *op)
{
  return !strcmp(op->name, "module") || !strcmp(op->name, "builtin.module");
}

static bool is_sequence(const struct hone__mlir_op *op)
{
  return !strcmp(op->name, "transform.named_sequence");
}

const struct hone__mlir_op *hone__iree_spec_symbol(const struct hone__mlir_op *module,
                                                   const char *symbol)
{
  const char *end = strstr(symbol, "::");
  size_t length = end ? (size_t)(end - symbol) : strlen(symbol);

  for (size_t i = 0; i < module->child_count; i++) {
    const struct hone__mlir_op *op = module->children[i];
    if (!op->symbol || strlen(op->symbol) != length) continue;
    if (memcmp(op->symbol, symbol, length) != 0) continue;
    return end ? hone__iree_spec_symbol(op, end + 2) : op;
  }
  return NULL;
}

/* ---- Matchers ---- */

static struct hone__iree_spec_matcher *add_matcher(struct hone__iree_spec_reader *reader)
{
  struct hone__iree_tuning_spec *spec = reader->spec;

  HONE__GROW(spec->matchers, spec->matcher_count, reader->capacity);
  spec->matchers[spec->matcher_count] = (struct hone__iree_spec_matcher){.is_understood = true};
  return &spec->matchers[spec->matcher_count++];
}

static void read_pair(struct hone__iree_spec_reader *reader, const struct hone__mlir_op *module,
                      const struct hone__mlir_op *op, const char *const symbols[2])
{
  struct hone__iree_spec_matcher *matcher = add_matcher(reader);

  matcher->name = symbols[0];
  matcher->action = symbols[1];
  matcher->line = op->line;
  matcher->pass = reader->passes;
  matcher->pairs = op;
  matcher->sequence = hone__iree_spec_symbol(module, symbols[0]);
  matcher->action_sequence = hone__iree_spec_symbol(module, symbols[1]);
  if (matcher->sequence) matcher->line = matcher->sequence->line;
  if (!matcher->sequence) {
    matcher->is_understood = false;
    matcher->why_not = "it does not exist";
    hone__iree_spec_problem(reader, matcher, "there is no matcher with this name");
  }
  if (!matcher->action_sequence)
    hone__iree_spec_problem(reader, matcher, "its action @%s does not exist", matcher->action);
  if (matcher->sequence) hone__iree_spec_read_matcher(reader, module, matcher);
}

/* transform.foreach_match in %arg0 @matcher -> @action, ... */
static void read_pairs(struct hone__iree_spec_reader *reader, const struct hone__mlir_op *module,
                       const struct hone__mlir_op *op)
{
  const char *symbols[2];
  unsigned used = 0;

  for (size_t i = 0; i < op->attr_count; i++) {
    if (op->attrs[i].key || op->attrs[i].value.kind != HONE__MLIR_SYMBOL) continue;
    symbols[used++] = op->attrs[i].value.text;
    if (used < 2) continue;
    used = 0;
    if (reader->spec->matcher_count < MAX_MATCHERS) read_pair(reader, module, op, symbols);
  }
  if (hone__mlir_attr(op, "restrict_root") || hone__mlir_attr(op, "flatten_results"))
    hone__iree_spec_problem(
        reader, NULL,
        "line %u: foreach_match has an option that a default entry point may not "
        "have",
        op->line);
  reader->passes++;
}

/* ---- Passes ---- */

/* transform.apply_registered_pass "NAME" to %arg0 */
static void read_pass(struct hone__iree_spec_reader *reader, const struct hone__mlir_op *op)
{
  const struct hone__mlir_attr *name = hone__iree_spec_bare(op, HONE__MLIR_STRING);
  struct hone__iree_tuning_spec *spec = reader->spec;

  if (name && !strcmp(name->text, HONE__TUNING_BATCH_PASS) && !reader->passes) {
    spec->inserts_batch = true;
  } else if (!spec->pass) {
    spec->pass = name ? name->text : "?";
    spec->pass_line = op->line;
  }
}

/* ---- Entry points ---- */

static const struct hone__mlir_op *find_entry(const struct hone__mlir_op *module)
{
  const struct hone__mlir_op *found = NULL;

  for (size_t i = 0; i < module->child_count; i++)
    if (is_sequence(module->children[i]) && hone__mlir_attr(module->children[i], ENTRY_POINT)) {
      found = module->children[i];
      if (found->symbol && !strcmp(found->symbol, ENTRY_NAME)) break;
    }
  if (found) return found;
  found = hone__iree_spec_symbol(module, ENTRY_NAME);
  return found && is_sequence(found) ? found : NULL;
}

static void read_entry(struct hone__iree_spec_reader *reader, const struct hone__mlir_op *module,
                       const struct hone__mlir_op *entry, unsigned depth)
{
  for (size_t i = 0; i < entry->child_count; i++) {
    const struct hone__mlir_op *op = entry->children[i], *included;
    if (!strcmp(op->name, "transform.foreach_match")) read_pairs(reader, module, op);
    if (!strcmp(op->name, "transform.apply_registered_pass")) read_pass(reader, op);
    if (strcmp(op->name, "transform.include") != 0 || !op->symbol || depth >= MAX_DEPTH) continue;
    included = hone__iree_spec_symbol(module, op->symbol);
    if (included && is_sequence(included) && included->parent)
      read_entry(reader, included->parent, included, depth + 1);
    else
      hone__iree_spec_problem(reader, NULL, "line %u: the included sequence does not exist: @%s",
                              op->line, op->symbol);
  }
}

static void check_entry(struct hone__iree_spec_reader *reader, const struct hone__mlir_op *module,
                        const struct hone__mlir_op *entry)
{
  bool is_default = hone__mlir_attr(module, DEFAULT_ENTRY) != NULL;

  if (!hone__mlir_attr(entry, ENTRY_POINT))
    hone__iree_spec_problem(reader, NULL, "line %u: @%s has no attribute '" ENTRY_POINT "'",
                            entry->line, entry->symbol ? entry->symbol : "");
  if (is_default && (!entry->symbol || strcmp(entry->symbol, ENTRY_NAME) != 0))
    hone__iree_spec_problem(
        reader, NULL, "line %u: the default entry point must be called @" ENTRY_NAME, entry->line);
  if (is_default && hone__mlir_find(entry, "transform.apply_registered_pass"))
    hone__iree_spec_problem(
        reader, NULL,
        "line %u: the default entry point runs a pass, which IREE rejects: remove "
        "'" DEFAULT_ENTRY "' of the module",
        entry->line);
  if (is_default && !hone__mlir_find(entry, "transform.foreach_match"))
    hone__iree_spec_problem(reader, NULL, "line %u: the default entry point has no foreach_match",
                            entry->line);
}

static void read_module(struct hone__iree_spec_reader *reader, const struct hone__mlir_op *module,
                        unsigned depth)
{
  const struct hone__mlir_op *entry = find_entry(module);

  if (entry) {
    check_entry(reader, module, entry);
    read_entry(reader, module, entry, 0);
    return;
  }
  if (depth == 0 && hone__mlir_attr(module, DEFAULT_ENTRY))
    hone__iree_spec_problem(reader, NULL, "there is no @" ENTRY_NAME ", the default entry point");
  else if (depth == 0)
    hone__iree_spec_problem(
        reader, NULL, "there is no entry point at the top: a sequence with '" ENTRY_POINT "'");
  for (size_t i = 0; i < module->child_count; i++)
    if (is_module(module->children[i]) && depth < MAX_DEPTH)
      read_module(reader, module->children[i], depth + 1);
}

/* ---- The order that counts ---- */

/* Of several passes a later one comes first, unless it spares configured operations. */
static bool comes_before(const struct hone__iree_spec_matcher *later,
                         const struct hone__iree_spec_matcher *earlier)
{
  return later->pass > earlier->pass && !later->spares_configured;
}

static void order_matchers(struct hone__iree_tuning_spec *spec)
{
  for (size_t i = 1; i < spec->matcher_count; i++) {
    struct hone__iree_spec_matcher moved = spec->matchers[i];
    size_t at = i;
    while (at > 0 && comes_before(&moved, &spec->matchers[at - 1])) {
      spec->matchers[at] = spec->matchers[at - 1];
      at--;
    }
    spec->matchers[at] = moved;
  }
}

/* ---- The file ---- */

static const struct hone__mlir_op *top_module(const struct hone__mlir *mlir)
{
  const struct hone__mlir_op *root = mlir->root;

  return root->child_count == 1 && is_module(root->children[0]) ? root->children[0] : root;
}

static hone_status read_spec(struct hone__iree_spec_reader *reader)
{
  struct hone__iree_tuning_spec *spec = reader->spec;
  const struct hone__mlir_op *top = top_module(&spec->mlir);

  if (!hone__mlir_find(top, "transform.named_sequence"))
    return hone__error(HONE_INVALID_SPEC,
                       "%s: error: not a tuning spec: it has no transform.named_sequence",
                       spec->mlir.path);
  if (!hone__mlir_attr(top, LIBRARY))
    hone__iree_spec_problem(reader, NULL, "the module has no attribute '" LIBRARY "'");
  read_module(reader, top, 0);
  order_matchers(spec);
  for (size_t i = 0; i < spec->matcher_count; i++)
    hone__iree_spec_check_configuration(reader, &spec->matchers[i]);
  return NULL;
}

/* Continues after reading, successful or not. */
static hone_status finish(struct hone__iree_tuning_spec *spec, bool keeps_older, hone_status status)
{
  struct hone__iree_spec_reader reader = {.spec = spec, .keeps_older = keeps_older};

  if (!status) status = read_spec(&reader);
  spec->problems = hone__text_take(&reader.problems);
  spec->carried = hone__text_take(&reader.carried);
  return status;
}

hone_status hone__iree_tuning_spec_parse(const char *path, const char *text, size_t size,
                                         struct hone__iree_tuning_spec *out_spec)
{
  *out_spec = (struct hone__iree_tuning_spec){.matchers = NULL};
  return finish(out_spec, false, hone__mlir_parse(&out_spec->mlir, path, text, size));
}

hone_status hone__iree_tuning_spec_read_as(const char *path, bool keeps_older,
                                           struct hone__iree_tuning_spec *out_spec)
{
  *out_spec = (struct hone__iree_tuning_spec){.matchers = NULL};
  return finish(out_spec, keeps_older, hone__mlir_read(&out_spec->mlir, path));
}

hone_status hone__iree_tuning_spec_read(const char *path, struct hone__iree_tuning_spec *out_spec)
{
  return hone__iree_tuning_spec_read_as(path, false, out_spec);
}

void hone__iree_tuning_spec_release(struct hone__iree_tuning_spec *spec)
{
  hone__mlir_release(&spec->mlir);
  free(spec->matchers);
  free(spec->problems);
  free(spec->carried);
  *spec = (struct hone__iree_tuning_spec){.matchers = NULL};
}
