/* How many threads run a kernel of a GPU. The source tells: `int row = blockIdx.y * blockDim.y +
 * threadIdx.y` has a dimension of threads, `row < rows` the size that bounds it, and `int row =
 * blockIdx.x` one block for each.
 */
#include "sketch/sketch.h"

#include "source/c_tokens.h"

static bool is(const struct hone__code_tokens *tokens, size_t at, const char *text)
{
  return at < tokens->count && hone__code_token_is(&tokens->list[at], text);
}

/* ---- Blocks ---- */

const char *hone__sketch_block(const struct hone__sketch *sketch)
{
  static const char *const usual[] = {
      "BLOCK",     "BLOCK_SIZE", "BLOCKSIZE", "BLOCK_DIM",  "THREADS",    "NTHREADS", "TPB", "WG",
      "WORKGROUP", "LOCAL_SIZE", "blockSize", "block_size", "GROUP_SIZE", "WG_SIZE",  "WGS"};

  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    for (size_t k = 0; k < sketch->knob_count; k++) {
      const char *name = sketch->knobs[k].name;
      size_t length = strlen(usual[i]);
      if (sketch->knobs[k].origin != HONE__SKETCH_CONSTANT &&
          strncmp(name, usual[i], length) == 0 &&
          strcmp(name + length + (name[length] == '_'), "") == 0)
        return name;
    }
  return "BLOCK";
}

/* ---- Dimensions ---- */

enum { AXES = 3 };

static const struct {
  const char *letter, *digit, *knob;
} axes[AXES] = {{"x", "0", "BLOCK_X"}, {"y", "1", "BLOCK_Y"}, {"z", "2", "BLOCK_Z"}};

struct dimension {
  bool is_used, has_threads;
  const struct hone__parameter *size; /* NULL: nothing bounds it */
  const char *block;                  /* the knob that has its threads; NULL: blockDim */
};

/* The tokens of `blockIdx.x`, `get_group_id(0)`; 0: it is neither. */
static size_t number_at(const struct hone__code_tokens *tokens, size_t at, const char *cuda,
                        const char *opencl, size_t axis)
{
  if (is(tokens, at, cuda) && is(tokens, at + 1, ".") && is(tokens, at + 2, axes[axis].letter))
    return 3;
  if (is(tokens, at, opencl) && is(tokens, at + 1, "(") && is(tokens, at + 2, axes[axis].digit) &&
      is(tokens, at + 3, ")"))
    return 4;
  return 0;
}

static bool is_same(const struct hone__code_token *a, const struct hone__code_token *b)
{
  return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* `row < rows` or `row >= rows`, before `end`. */
static const struct hone__parameter *bound_of(const struct hone__sketch *sketch,
                                              const struct hone__code_tokens *tokens,
                                              const struct hone__code_token *variable, size_t end)
{
  const struct hone__parameter *size = NULL;

  for (size_t i = (size_t)(variable - tokens->list); i + 2 < end && !size; i++) {
    if (!is_same(&tokens->list[i], variable)) continue;
    if (is(tokens, i + 1, "<") && !is(tokens, i + 2, "="))
      size = hone__sketch_limit_at(sketch, tokens, i + 2);
    else if (is(tokens, i + 1, ">") && is(tokens, i + 2, "="))
      size = hone__sketch_limit_at(sketch, tokens, i + 3);
  }
  return size;
}

/* The knob at this token, which a template calls without the last `_`. */
static const char *knob_at(const struct hone__sketch *sketch,
                           const struct hone__code_tokens *tokens, size_t at)
{
  for (size_t i = 0; at < tokens->count && i < sketch->knob_count; i++) {
    const struct hone__sketch_knob *knob = &sketch->knobs[i];
    size_t length = strlen(knob->name) - (knob->origin == HONE__SKETCH_TEMPLATE);
    if (knob->origin != HONE__SKETCH_CONSTANT && tokens->list[at].length == length &&
        memcmp(tokens->list[at].text, knob->name, length) == 0)
      return knob->name;
  }
  return NULL;
}

/* `row = blockIdx.y * TILE + threadIdx.y`, where the number is at `at`. */
static void read_dimension(const struct hone__sketch *sketch,
                           const struct hone__code_tokens *tokens, size_t at, size_t length,
                           size_t end, size_t axis, struct dimension *out)
{
  size_t equals = at;

  out->is_used = true;
  for (size_t i = at; i < tokens->count && !is(tokens, i, ";"); i++)
    if (number_at(tokens, i, "threadIdx", "get_local_id", axis)) out->has_threads = true;
  if (!out->block && is(tokens, at + length, "*"))
    out->block = knob_at(sketch, tokens, at + length + 1);
  while (equals > 0 && !is(tokens, equals, "=") && !is(tokens, equals, ";"))
    equals--;
  if (!out->size && equals && is(tokens, equals, "="))
    out->size = bound_of(sketch, tokens, &tokens->list[equals - 1], end);
}

/* `tx = get_local_id(0)`, and `column = get_group_id(0) * TILE + tx` elsewhere. */
static bool uses_threads(const struct hone__code_tokens *tokens, size_t begin, size_t end,
                         size_t axis)
{
  for (size_t i = begin; i < end; i++)
    if (number_at(tokens, i, "threadIdx", "get_local_id", axis)) return true;
  return false;
}

/* False: there are none. */
static bool find_between(const struct hone__sketch *sketch, const struct hone__code_tokens *tokens,
                         size_t begin, size_t end, struct dimension *dimensions)
{
  bool is_found = false;

  for (size_t i = begin; i < end; i++)
    for (size_t axis = 0; axis < AXES; axis++) {
      size_t block = number_at(tokens, i, "blockIdx", "get_group_id", axis);
      size_t global = number_at(tokens, i, "", "get_global_id", axis);
      if (!block && !global) continue;
      is_found = true;
      read_dimension(sketch, tokens, i, block + global, end, axis, &dimensions[axis]);
      dimensions[axis].has_threads |=
          global > 0 || (dimensions[axis].block && uses_threads(tokens, begin, end, axis));
    }
  return is_found;
}

/* In the entry; if it has none, in functions that it may call. */
static void find_dimensions(const struct hone__sketch *sketch, struct dimension *dimensions)
{
  struct hone__code_tokens tokens = {0};
  size_t begin, end;

  hone__code_tokens_read(sketch->text, &tokens);
  hone__sketch_body(sketch, &tokens, &begin, &end);
  if (!find_between(sketch, &tokens, begin, end, dimensions))
    find_between(sketch, &tokens, 0, tokens.count, dimensions);
  hone__code_tokens_release(&tokens);
}

/* How many there are, if each is bounded; 0: the source does not tell. */
static size_t count_dimensions(const struct dimension *dimensions)
{
  size_t count = 0;

  while (count < AXES && dimensions[count].is_used && dimensions[count].size)
    count++;
  for (size_t i = count; i < AXES; i++)
    if (dimensions[i].is_used) return 0;
  return count;
}

bool hone__sketch_guess_blocks(struct hone__sketch *sketch)
{
  static const char *const threads[] = {"32", "8", "1"};
  struct dimension dimensions[AXES] = {{0}};
  size_t count;

  find_dimensions(sketch, dimensions);
  count = count_dimensions(dimensions);
  for (size_t i = 0; count > 1 && i < count; i++) {
    struct hone__sketch_knob *knob;
    if (dimensions[i].block || !dimensions[i].has_threads) continue;
    knob = hone__sketch_add(sketch, HONE__SKETCH_GUESS, axes[i].knob, strlen(axes[i].knob), 0);
    knob->value = threads[i];
    knob->where = "the threads of a block in this direction";
  }
  return count > 1;
}

/* ---- Elements of a thread ---- */

/* `item = get_local_id(0)`: the variable at this token. */
static bool is_local_number(const struct hone__code_tokens *tokens, size_t variable)
{
  const struct hone__code_token *list = tokens->list;

  for (size_t i = 0; i + 4 < tokens->count; i++)
    if (list[i].length == list[variable].length &&
        memcmp(list[i].text, list[variable].text, list[i].length) == 0 && is(tokens, i + 1, "=") &&
        is(tokens, i + 2, "get_local_id") && is(tokens, i + 4, "0") && is(tokens, i + 6, ";"))
      return true;
  return false;
}

bool hone__sketch_is_per_thread(const struct hone__sketch *sketch, const char *name)
{
  struct hone__code_tokens tokens = {0};
  size_t own = 0, others = 0;

  hone__code_tokens_read(sketch->text, &tokens);
  for (size_t i = 0; i + 4 < tokens.count; i++) {
    size_t end =
        is(&tokens, i, name) && is(&tokens, i + 1, "[") ? hone__code_tokens_end(&tokens, i + 1) : 0;
    if (!end || !is(&tokens, end + 1, "=") || is(&tokens, end + 2, "=")) continue;
    if (end == i + 3 && is_local_number(&tokens, i + 2))
      own++;
    else
      others++;
  }
  hone__code_tokens_release(&tokens);
  return own && !others;
}

/* `(blockIdx.x * blockDim.x + threadIdx.x) * ITEMS`: the knob; NULL: a thread has one element. */
static const char *items_of(const struct hone__sketch *sketch)
{
  struct hone__code_tokens tokens = {0};
  const char *knob = NULL;

  hone__code_tokens_read(sketch->text, &tokens);
  for (size_t i = 1; i < tokens.count && !knob; i++) {
    size_t block = number_at(&tokens, i, "blockIdx", "get_group_id", 0);
    size_t end = number_at(&tokens, i, "", "get_global_id", 0) ? i + 3 : tokens.count;
    if (block && is(&tokens, i - 1, "(")) end = hone__code_tokens_end(&tokens, i - 1);
    if (is(&tokens, end + 1, "*")) knob = knob_at(sketch, &tokens, end + 2);
  }
  hone__code_tokens_release(&tokens);
  return knob;
}

void hone__sketch_print_block_elements(const struct hone__sketch *sketch, struct hone__text *out)
{
  const char *items = items_of(sketch);
  struct hone__text factors = {0};

  if (hone__sketch_block_elements(sketch, &factors))
    hone__text_addf(out, "(%s)", factors.data);
  else if (items)
    hone__text_addf(out, "(%s * %s)", hone__sketch_block(sketch), items);
  else
    hone__text_add(out, hone__sketch_block(sketch));
  hone__text_release(&factors);
}

/* ---- The launch ---- */

static const char *block_of(const struct dimension *dimension, size_t axis)
{
  return !dimension->has_threads ? "1" : dimension->block ? dimension->block : axes[axis].knob;
}

typedef void (*part_printer)(const struct dimension *dimension, size_t axis,
                             struct hone__text *out);

static void print_grid(const struct dimension *dimension, size_t axis, struct hone__text *out)
{
  if (dimension->has_threads) hone__text_add(out, "ceil(");
  hone__sketch_print_size(dimension->size, out);
  if (dimension->has_threads) hone__text_addf(out, " / %s)", block_of(dimension, axis));
}

static void print_global(const struct dimension *dimension, size_t axis, struct hone__text *out)
{
  print_grid(dimension, axis, out);
  if (dimension->has_threads) hone__text_addf(out, " * %s", block_of(dimension, axis));
}

static void print_block(const struct dimension *dimension, size_t axis, struct hone__text *out)
{
  hone__text_add(out, block_of(dimension, axis));
}

static void print_list(const char *key, part_printer print, const struct dimension *dimensions,
                       size_t count, struct hone__text *out)
{
  hone__text_addf(out, "%s: [", key);
  for (size_t i = 0; i < count; i++) {
    if (i) hone__text_add(out, ", ");
    print(&dimensions[i], i, out);
  }
  hone__text_add(out, "]");
}

static void print_dimensions(const struct hone__sketch *sketch, const struct dimension *dimensions,
                             size_t count, struct hone__text *out)
{
  bool is_opencl = sketch->language == HONE__SKETCH_OPENCL;

  hone__text_addf(out, "\n# How many threads run it, in %zu directions.\nlaunch: {", count);
  print_list(is_opencl ? "global" : "grid", is_opencl ? print_global : print_grid, dimensions,
             count, out);
  hone__text_add(out, ", ");
  print_list(is_opencl ? "local" : "block", print_block, dimensions, count, out);
  hone__text_add(out, "}\n");
}

/* The size that the threads of one dimension run over; others may be there without a bound. */
static void print_line_size(const struct hone__sketch *sketch, const struct dimension *x,
                            struct hone__text *out)
{
  if (x[1].is_used || x[2].is_used)
    hone__text_add(out, "TODO");
  else if (sketch->size_count == 1)
    hone__sketch_print_size(&sketch->sizes[0], out);
  else if (x->size)
    hone__sketch_print_size(x->size, out);
  else
    hone__text_add(out, sketch->size_count ? "TODO" : "N");
}

static void print_line(const struct hone__sketch *sketch, const struct dimension *x,
                       struct hone__text *out)
{
  const char *block = hone__sketch_block(sketch);
  bool is_opencl = sketch->language == HONE__SKETCH_OPENCL;
  bool is_block_each = x->size && !x->has_threads && !x->block;
  struct hone__text size = {0}, elements = {0};

  print_line_size(sketch, x, &size);
  hone__sketch_print_block_elements(sketch, &elements);
  hone__text_addf(out, "\n# How many threads run it: %s.\n",
                  is_block_each                       ? "a block for each"
                  : strcmp(elements.data, block) == 0 ? "one for each element, in blocks"
                                                      : "as many as the elements need, in blocks");
  hone__text_addf(out, "launch: {%s: ", is_opencl ? "global" : "grid");
  if (is_block_each)
    hone__text_add(out, size.data);
  else
    hone__text_addf(out, "ceil(%s / %s)", size.data, elements.data);
  if (is_opencl) hone__text_addf(out, " * %s", block);
  hone__text_addf(out, ", %s: %s}\n", is_opencl ? "local" : "block", block);
  hone__text_release(&size);
  hone__text_release(&elements);
}

void hone__sketch_print_launch(const struct hone__sketch *sketch, struct hone__text *out)
{
  struct dimension dimensions[AXES] = {{0}};
  size_t count;

  find_dimensions(sketch, dimensions);
  count = count_dimensions(dimensions);
  if (count > 1)
    print_dimensions(sketch, dimensions, count, out);
  else
    print_line(sketch, &dimensions[0], out);
}
