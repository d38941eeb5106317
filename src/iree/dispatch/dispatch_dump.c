/* A dump is read by its shape: constants are found by their names, operands by their places in the
 * text. A dump with an unexpected shape is reported, and neither filled nor checked.
 */
#include "iree/dispatch/dispatch_dump.h"

#include "iree/dispatch/dispatch_element.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_USES = 64, MOST_BINDINGS = 1024 };
static const size_t most_bytes = (size_t)1 << 40;

/* ---- Texts ---- */

static const char *text_at(const struct hone__mlir *mlir, size_t offset)
{
  return mlir->text + offset;
}

/* The first `words` in a span; NULL. */
static const char *find_in(const struct hone__mlir *mlir, struct hone__mlir_span span,
                           const char *words)
{
  const char *found = span.end > span.begin && span.end <= mlir->size
                          ? strstr(text_at(mlir, span.begin), words)
                          : NULL;

  return found && found < text_at(mlir, span.end) ? found : NULL;
}

static size_t name_length(const char *name)
{
  size_t length = *name == '%';

  while (isalnum((unsigned char)name[length]) || (name[length] && strchr("_-.$", name[length])))
    length++;
  return length;
}

/* ---- Constants ---- */

struct constant_search {
  const struct hone__mlir *mlir;
  const char *name;
  size_t length;
  long long value;
  bool found;
};

static bool visit_constant(void *data, struct hone__mlir_op *op)
{
  struct constant_search *search = data;
  const char *words;

  if (!op->result_count || strcmp(op->name, "arith.constant") != 0) return true;
  if (strlen(op->results[0]) != search->length ||
      strncmp(op->results[0], search->name, search->length) != 0)
    return true;
  words = find_in(search->mlir, op->span, "arith.constant");
  if (words) search->found = sscanf(words, "arith.constant %lld", &search->value) == 1;
  return false;
}

/* The value of "%c524288" in a function. */
static bool constant_of(const struct hone__mlir *mlir, const struct hone__mlir_op *function,
                        const char *name, size_t *out_value)
{
  struct constant_search search = {.mlir = mlir, .name = name, .length = name_length(name)};

  hone__mlir_each(function, visit_constant, &search);
  if (!search.found || search.value < 0 || (unsigned long long)search.value > most_bytes)
    return false;
  *out_value = (size_t)search.value;
  return true;
}

/* ---- Element types of a kernel's bindings ---- */

/* After the last of such words; `otherwise` if there is none. */
static const char *behind_last(const char *text, const char *words, const char *otherwise)
{
  const char *at = text;

  while ((at = strstr(at, words)) != NULL)
    otherwise = at += strlen(words);
  return otherwise;
}

/* "f32" of "memref<256x512xf32, ...>" and of "!...tensor<readonly:tensor<256x512xf32>>". */
static const struct hone__iree_element *element_of_type(const char *type)
{
  const char *at = behind_last(type, "tensor<", behind_last(type, "memref<", type)), *next;
  char name[32];
  size_t length = 0, depth = 0;

  while (isdigit((unsigned char)*at) || *at == '?') {
    next = at + (*at == '?' ? 1 : strspn(at, "0123456789"));
    if (*next != 'x') break;
    at = next + 1;
  }
  for (; at[length] && length + 1 < sizeof name; length++) {
    if ((at[length] == ',' || at[length] == '>') && !depth) break;
    depth += at[length] == '<';
    depth -= at[length] == '>';
    name[length] = at[length];
  }
  name[length] = 0;
  return hone__iree_element(name);
}

struct piece { /* what a kernel sees at one place of a binding */
  size_t binding, offset;
  const struct hone__iree_element *element;
  bool is_read, is_written;
};

struct pieces {
  const struct hone__mlir *mlir;
  struct piece *list;
  size_t count, capacity;
};

static bool number_of_clause(const struct hone__mlir *mlir, const struct hone__mlir_op *op,
                             const char *word, size_t *out_number)
{
  const char *found = find_in(mlir, op->head, word);

  if (!found) return false;
  found += strlen(word);
  if (!isdigit((unsigned char)*found)) return false;
  *out_number = strtoul(found, NULL, 10);
  return true;
}

/* hal.interface.binding.subspan layout(..) binding(0) .. offset(%c0) flags("ReadOnly|..") : type */
static bool visit_subspan(void *data, struct hone__mlir_op *op)
{
  struct pieces *pieces = data;
  const struct hone__mlir_op *function = hone__mlir_around(op, "func.func");
  struct piece piece = {0};
  const char *offset, *type, *flags;

  if (strcmp(op->name, "hal.interface.binding.subspan") != 0) return true;
  if (!number_of_clause(pieces->mlir, op, " binding(", &piece.binding) ||
      pieces->count >= MOST_BINDINGS || !op->type_count)
    return true;
  type = op->types[op->type_count - 1].text;
  offset = find_in(pieces->mlir, op->head, " offset(");
  if (offset && function) constant_of(pieces->mlir, function, offset + 8, &piece.offset);
  flags = find_in(pieces->mlir, op->head, ") flags(");
  piece.is_read = (flags && strncmp(flags + 8, "ReadOnly", 8) == 0) ||
                  (flags && strncmp(flags + 9, "ReadOnly", 8) == 0) || strstr(type, "readonly:");
  piece.is_written = !piece.is_read;
  if (strstr(type, "readwrite:")) piece.is_read = true;
  piece.element = element_of_type(type);
  HONE__GROW(pieces->list, pieces->count, pieces->capacity);
  pieces->list[pieces->count++] = piece;
  return true;
}

static int by_place(const void *a, const void *b)
{
  const struct piece *x = a, *y = b;

  if (x->binding != y->binding) return x->binding < y->binding ? -1 : 1;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* ---- Ranges of the buffer ---- */

struct range { /* of a binding */
  size_t offset, size;
};

/* Each is "(%buffer : !hal.buffer)[%offset, %size]". */
static bool ranges_of(const struct hone__mlir *mlir, struct hone__dispatch_use *use,
                      struct range **out_ranges, size_t *out_count)
{
  static const char mark[] = " : !hal.buffer)[";
  const char *at = find_in(mlir, use->dispatch->span, "bindings([");
  const char *end = text_at(mlir, use->dispatch->span.end);
  size_t capacity = 0;

  while (at && (at = strstr(at, mark)) != NULL && at < end && *out_count < MOST_BINDINGS) {
    struct range range;
    const char *size;
    at += strlen(mark);
    size = at + name_length(at);
    if (strncmp(size, ", ", 2) != 0) return false;
    if (!constant_of(mlir, use->function, at, &range.offset) ||
        !constant_of(mlir, use->function, size + 2, &range.size))
      return false;
    if (range.offset > use->buffer_size || range.size > use->buffer_size - range.offset)
      return false;
    HONE__GROW(*out_ranges, *out_count, capacity);
    (*out_ranges)[(*out_count)++] = range;
  }
  return *out_count > 0;
}

static void add_binding(struct hone__dispatch_use *use, size_t *capacity,
                        struct hone__iree_binding binding)
{
  if (!binding.size) return;
  HONE__GROW(use->bindings, use->binding_count, *capacity);
  use->bindings[use->binding_count++] = binding;
}

/* A kernel may have several arrays in one binding: each extends to the next. */
static void cut_range(struct hone__dispatch_use *use, size_t *capacity, struct range range,
                      const struct piece *pieces, size_t count)
{
  size_t begin = 0;

  for (size_t i = 0; i < count; i++) {
    size_t end =
        i + 1 < count && pieces[i + 1].offset < range.size ? pieces[i + 1].offset : range.size;
    if (end < begin) continue;
    add_binding(use, capacity,
                (struct hone__iree_binding){.offset = range.offset + begin,
                                            .size = end - begin,
                                            .element = pieces[i].element->name,
                                            .is_read = pieces[i].is_read,
                                            .is_written = pieces[i].is_written});
    begin = end;
  }
  if (!count) /* the kernel does not use it */
    add_binding(use, capacity,
                (struct hone__iree_binding){
                    .offset = range.offset, .size = range.size, .element = "", .is_read = true});
}

static void cut_ranges(struct hone__dispatch_use *use, const struct range *ranges, size_t count,
                       const struct pieces *pieces)
{
  size_t capacity = 0, first = 0;

  for (size_t i = 0; i < count; i++) {
    size_t own = 0;
    while (first < pieces->count && pieces->list[first].binding < i)
      first++;
    while (first + own < pieces->count && pieces->list[first + own].binding == i)
      own++;
    cut_range(use, &capacity, ranges[i], own ? pieces->list + first : NULL, own);
  }
}

/* "executable::variant::export" of `function(@executable::@variant::@export)`; before IREE 3.12 it
 * is an ordinal that is looked up. */
static const char *kernel_symbol(const struct hone__dispatch_use *use)
{
  static const struct {
    const char *op, *word;
  } lookups[] = {{"hal.executable.lookup.function", "function"},
                 {"hal.executable.export.ordinal", "target"}};

  for (size_t i = 0; i < sizeof lookups / sizeof *lookups; i++) {
    const struct hone__mlir_op *lookup = hone__mlir_find(use->function, lookups[i].op);
    const struct hone__mlir_attr *symbol = lookup ? hone__mlir_attr(lookup, lookups[i].word) : NULL;
    if (symbol && symbol->kind == HONE__MLIR_SYMBOL) return symbol->text;
  }
  return NULL;
}

static const struct hone__mlir_op *kernel_of(const struct hone__dispatch_use *use)
{
  const char *symbol = kernel_symbol(use);

  for (size_t i = 0; symbol && i < use->function->parent->child_count; i++) {
    const struct hone__mlir_op *op = use->function->parent->children[i];
    if (strcmp(op->name, "hal.executable") == 0 && op->symbol &&
        hone__starts_with(symbol, op->symbol) &&
        hone__starts_with(symbol + strlen(op->symbol), "::"))
      return op;
  }
  return NULL;
}

static const char *read_bindings(const struct hone__mlir *mlir, struct hone__dispatch_use *use)
{
  struct pieces pieces = {.mlir = mlir};
  const struct hone__mlir_op *kernel = kernel_of(use);
  struct range *ranges = NULL;
  size_t count = 0;
  bool good = ranges_of(mlir, use, &ranges, &count);

  if (good && kernel) {
    hone__mlir_each(kernel, visit_subspan, &pieces);
    if (pieces.count) qsort(pieces.list, pieces.count, sizeof *pieces.list, by_place);
    cut_ranges(use, ranges, count, &pieces);
  }
  free(pieces.list);
  free(ranges);
  if (!good) return "its bindings are not constant pieces of one buffer";
  if (!kernel) return "the kernel that it dispatches is not found in the file";
  return use->binding_count ? NULL : "it has no bindings";
}

/* ---- The buffer ---- */

struct store_search {
  const char *symbol;
  const struct hone__mlir_op *found;
};

static bool visit_store(void *data, struct hone__mlir_op *op)
{
  struct store_search *search = data;

  if (strcmp(op->name, "util.global.store") != 0 || !op->symbol || !op->operand_count ||
      strcmp(op->symbol, search->symbol) != 0)
    return true;
  search->found = op;
  return false;
}

/* The size is in the last braces of the allocation: "!hal.buffer{%c6815744}". */
static bool read_size(const struct hone__mlir *mlir, const struct hone__mlir_op *initializer,
                      size_t *out_size)
{
  const struct hone__mlir_op *op = hone__mlir_find(initializer, "hal.allocator.allocate");
  const char *brace = op ? find_in(mlir, op->span, "!hal.buffer{") : NULL;

  return brace && constant_of(mlir, initializer, brace + strlen("!hal.buffer{"), out_size);
}

static const char *read_buffer(const struct hone__mlir *mlir, struct hone__dispatch_use *use)
{
  const struct hone__mlir_op *load = hone__mlir_find(use->function, "util.global.load");
  struct store_search search = {0};

  use->dispatch = hone__mlir_find(use->function, "hal.command_buffer.dispatch");
  if (!use->dispatch) return "its function dispatches nothing";
  if (!load || !load->symbol) return "it loads no buffer";
  use->buffer = search.symbol = load->symbol;
  hone__mlir_each(use->function->parent, visit_store, &search);
  use->stored = search.found;
  use->initializer = search.found ? hone__mlir_around(search.found, "util.initializer") : NULL;
  if (!use->initializer || !hone__mlir_find(use->initializer, "hal.device.resolve"))
    return "nothing allocates its buffer";
  return read_size(mlir, use->initializer, &use->buffer_size)
             ? NULL
             : "the size of its buffer is not known";
}

/* ---- The whole ---- */

static bool is_benchmark(const struct hone__mlir_op *op)
{
  const struct hone__mlir_attr *what =
      hone__mlir_entry(hone__mlir_attr(op, "iree.reflection"), "iree.benchmark");

  return strcmp(op->name, "util.func") == 0 && op->symbol && what &&
         what->kind == HONE__MLIR_STRING && strcmp(what->text, "dispatch") == 0;
}

struct use_list {
  struct hone__dispatch_dump *dump;
  size_t capacity;
};

static bool visit_function(void *data, struct hone__mlir_op *op)
{
  struct use_list *list = data;

  if (!is_benchmark(op)) return true;
  HONE__GROW(list->dump->uses, list->dump->count, list->capacity);
  list->dump->uses[list->dump->count++] = (struct hone__dispatch_use){.function = op};
  return list->dump->count < MOST_USES;
}

static hone_status refuse(const struct hone__mlir *mlir)
{
  return hone__error(
      HONE_INVALID_SPEC,
      "'%s' is not a dump of a dispatch: it has no function with iree.benchmark = \"dispatch\"; "
      "iree-compile writes them with --iree-hal-dump-executable-benchmarks-to=FOLDER",
      mlir->path);
}

hone_status hone__dispatch_dump_read(const struct hone__mlir *mlir,
                                     struct hone__dispatch_dump *out_dump)
{
  struct use_list list = {.dump = out_dump};

  *out_dump = (struct hone__dispatch_dump){0};
  hone__mlir_each(mlir->root, visit_function, &list);
  if (!out_dump->count) return refuse(mlir);
  for (size_t i = 0; i < out_dump->count; i++) {
    struct hone__dispatch_use *use = &out_dump->uses[i];
    use->why_not = read_buffer(mlir, use);
    if (!use->why_not) use->why_not = read_bindings(mlir, use);
  }
  return NULL;
}

void hone__dispatch_dump_release(struct hone__dispatch_dump *dump)
{
  for (size_t i = 0; i < dump->count; i++)
    free(dump->uses[i].bindings);
  free(dump->uses);
  *dump = (struct hone__dispatch_dump){0};
}
