/* libyaml's events become nodes, bottom up: children wait on one stack until their collection ends,
 * then they move into the arena, merge keys are resolved and equal keys joined.
 *
 * Against hostile files:
 *   - every node, every use of an alias (with all that it stands for) and every merged pair is
 *     charged to one budget, so that the tree is small even for those who walk it without a memory
 *     of where they have been; the depth is bounded in the same sense;
 *   - a file on which libyaml itself would take quadratic time is refused before it sees it. */
#include "spec/yaml.h"
#include "spec/yaml_scalar.h"

#include <math.h>
#include <stdlib.h>
#include <yaml.h>

enum {
  MOST_DEPTH = 100,
  MOST_NODES = 2000000,
  MOST_MESSAGES = 20, /* of each severity */
  MOST_TAG_DIRECTIVES = 16,
  MOST_SUGGESTIONS = 1000,
};

/* ---- A table of values --------------------------------------------------------------------- */

struct table_key {
  struct hone_value value;
  uint64_t hash;
};

struct table {
  struct table_key *keys;
  size_t count, capacity;
  uint32_t *slots;                /* an index into keys, plus 1; 0: free */
  size_t slot_count, slots_taken; /* in use, a power of two; allocated */
  size_t probes;
};

/* A file whose keys are chosen to collide must not cost quadratic time. */
enum { MOST_PROBES = 40 * MOST_NODES, FEWEST_SLOTS = 16 };

static void table_set_slots(struct table *table, size_t slot_count)
{
  if (slot_count > table->slots_taken) {
    table->slots = hone__realloc(table->slots, slot_count * sizeof *table->slots);
    table->slots_taken = slot_count;
  }
  table->slot_count = slot_count;
  memset(table->slots, 0, slot_count * sizeof *table->slots);
}

static void table_clear(struct table *table)
{
  table->count = 0;
  table_set_slots(table, FEWEST_SLOTS); /* not the size of the largest mapping so far */
}

static void table_release(struct table *table)
{
  free(table->keys);
  free(table->slots);
}

/* The slot that holds the key or that waits for it. */
static uint32_t *table_slot(struct table *table, const struct table_key *key)
{
  size_t mask = table->slot_count - 1, i = key->hash & mask;

  for (; table->slots[i] && table->probes < MOST_PROBES; i = (i + 1) & mask, table->probes++) {
    const struct table_key *other = &table->keys[table->slots[i] - 1];
    if (other->hash == key->hash && hone__value_equal(other->value, key->value)) break;
  }
  return &table->slots[i];
}

static bool is_nan(struct hone_value value) /* such a key equals nothing, and has no slot */
{
  return value.type == HONE_FLOAT && isnan(value.real);
}

static void table_grow(struct table *table)
{
  table_set_slots(table, 2 * table->slot_count);
  for (size_t i = 0; i < table->count; i++)
    if (!is_nan(table->keys[i].value)) *table_slot(table, &table->keys[i]) = (uint32_t)i + 1;
}

/* The index of the value, or the table's count if it is not there. */
static size_t table_find(struct table *table, struct hone_value value)
{
  struct table_key key = {value, hone__value_hash(value)};
  uint32_t slot = *table_slot(table, &key);

  return slot ? slot - 1 : table->count;
}

/* The index of the value, which is new if it is the table's former count. */
static size_t table_add(struct table *table, struct hone_value value)
{
  struct table_key key = {value, hone__value_hash(value)};
  uint32_t *slot = is_nan(value) ? NULL : table_slot(table, &key);

  if (slot && *slot && table->probes < MOST_PROBES) return *slot - 1;
  HONE__GROW(table->keys, table->count, table->capacity);
  table->keys[table->count++] = key;
  if (slot) *slot = (uint32_t)table->count;
  if (2 * table->count > table->slot_count) table_grow(table);
  return table->count - 1;
}

/* ---- The builder --------------------------------------------------------------------------- */

struct frame { /* a collection that is not complete yet */
  struct hone_node *node;
  size_t first_child, used_before, height;
  size_t anchor; /* index into anchors, plus 1; 0: none */
};

struct anchor { /* its name is the key of the same index in anchor_names */
  struct hone_node *node;
  bool complete;
  size_t height, weight; /* weight: nodes, where an alias counts as all that it stands for */
};

struct merged_pair {
  struct hone_pair pair;
  bool is_explicit; /* written in the mapping itself */
};

struct builder {
  const char *text;
  size_t size;
  const struct hone_source *source;
  struct hone_arena *arena;
  struct hone_diagnostics *diagnostics;
  struct cursor {
    size_t index; /* in characters, as libyaml counts */
    size_t byte, line_start;
    uint32_t line;
  } cursor;
  struct frame frames[MOST_DEPTH];
  size_t depth;
  struct hone_node **children; /* of all frames; those of a mapping are key, value, key ... */
  size_t child_count, child_capacity;
  struct table anchor_names;
  struct anchor *anchors;
  size_t anchor_capacity;
  struct table keys; /* of the mapping that is being completed */
  struct merged_pair *merged;
  size_t merged_capacity;
  struct hone_node *root;
  size_t documents, used, reports[2];
  bool stopped;
};

static const struct hone_place NO_PLACE = {0};
static const char merge_key[] = "<<"; /* the value of a merge key is this very text */

#define REPORT(builder, severity, place, ...)                                                      \
  do {                                                                                             \
    if ((builder)->reports[severity]++ < MOST_MESSAGES)                                            \
      hone__report((builder)->diagnostics, severity, (builder)->source, place, __VA_ARGS__);       \
    if ((builder)->reports[HONE_ERROR] >= MOST_MESSAGES) (builder)->stopped = true;                \
  } while (0)

#define STOP(builder, place, ...)                                                                  \
  do {                                                                                             \
    REPORT(builder, HONE_ERROR, place, __VA_ARGS__);                                               \
    (builder)->stopped = true;                                                                     \
  } while (0)

/* ---- Places -------------------------------------------------------------------------------- */

static size_t character_length(const char *p)
{
  unsigned char c = (unsigned char)*p;

  return c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

static void cursor_step(struct builder *builder)
{
  struct cursor *cursor = &builder->cursor;
  const char *p = builder->text + cursor->byte;

  cursor->byte += character_length(p);
  cursor->index++;
  if (*p != '\n') return;
  cursor->line++;
  cursor->line_start = cursor->byte;
}

static void cursor_step_back(struct builder *builder)
{
  struct cursor *cursor = &builder->cursor;

  do
    cursor->byte--;
  while (((unsigned char)builder->text[cursor->byte] & 0xc0) == 0x80);
  cursor->index--;
  if (builder->text[cursor->byte] != '\n') return;
  cursor->line--;
  cursor->line_start = cursor->byte;
  while (cursor->line_start && builder->text[cursor->line_start - 1] != '\n')
    cursor->line_start--;
}

/* libyaml counts characters, and takes more than \n for the end of a line; places are in bytes and
 * in the lines that an editor shows. Events come in order, so the way is short. */
static struct hone_place seek(struct builder *builder, size_t index)
{
  struct cursor *cursor = &builder->cursor;

  while (cursor->index < index && cursor->byte < builder->size)
    cursor_step(builder);
  while (cursor->index > index)
    cursor_step_back(builder);
  return (struct hone_place){cursor->line, (uint32_t)(cursor->byte - cursor->line_start) + 1};
}

static uint32_t line_in_file(const struct builder *builder, struct hone_place place)
{
  const struct hone_source *source = builder->source;
  bool mapped = source->line_map && place.line >= 1 && place.line <= source->line_count;

  return mapped ? source->line_map[place.line - 1].line : place.line;
}

/* A scalar's place is its text, not the anchor or tag before it, if they share a line. */
static struct hone_place scalar_place(struct builder *builder, const yaml_event_t *event)
{
  struct hone_place place = seek(builder, event->start_mark.index);
  const char *start = builder->text + builder->cursor.byte, *p = start;
  const char *end = builder->text + builder->size;

  if (!event->data.scalar.anchor && !event->data.scalar.tag) return place;
  while (p < end && (*p == '&' || *p == '!')) {
    while (p < end && !strchr(" \t\r\n", *p))
      p++;
    while (p < end && (*p == ' ' || *p == '\t'))
      p++;
  }
  if (p < end && !strchr("\r\n#", *p)) place.column += (uint32_t)(p - start);
  return place;
}

/* ---- The text before libyaml sees it ------------------------------------------------------- */

/* The length of the character at p, 0 if it is not UTF-8. */
static size_t decode(const unsigned char *p, size_t left, uint32_t *out_code)
{
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  size_t length = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0;
  uint32_t code = length > 1 ? *p & (0x7fu >> length) : *p;

  if (length > left) return 0;
  for (size_t i = 1; i < length; i++) {
    if ((p[i] & 0xc0) != 0x80) return 0;
    code = code << 6 | (p[i] & 0x3fu);
  }
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return 0;
  *out_code = code;
  return length && code >= least[length] ? length : 0;
}

static bool is_break(uint32_t code)
{
  return code == '\n' || code == '\r' || code == 0x85 || code == 0x2028 || code == 0x2029;
}

static bool is_printable(uint32_t code)
{
  if (code < 0xa0) return code == '\t' || is_break(code) || (code >= 0x20 && code < 0x7f);
  return code != 0xfffe && code != 0xffff;
}

static void report_bad_byte(struct builder *builder, uint32_t code, size_t length)
{
  struct cursor *cursor = &builder->cursor;
  struct hone_place place = {cursor->line, (uint32_t)(cursor->byte - cursor->line_start) + 1};
  unsigned byte = (unsigned char)builder->text[cursor->byte];

  if (builder->size >= 2 &&
      (memcmp(builder->text, "\xff\xfe", 2) == 0 || memcmp(builder->text, "\xfe\xff", 2) == 0))
    STOP(builder, place, "this is UTF-16 text; save it as UTF-8");
  else if (!byte)
    STOP(builder, place, "this is not a text file: it holds a NUL byte");
  else if (!length)
    STOP(builder, place, "this is not UTF-8 text: it holds the byte 0x%02x here", byte);
  else
    STOP(builder, place, "the control character U+%04X cannot stand in YAML", code);
}

/* libyaml clears its buffers, which never shrink, at every gap between two words. */
static void check_gaps(struct builder *builder, size_t longest, size_t gaps)
{
  const size_t most_bytes_cleared = (size_t)2 << 30;

  if (longest * gaps > most_bytes_cleared)
    STOP(builder, NO_PLACE,
         "this file holds %zu blanks or line breaks in a row; that is too many for its size",
         longest);
}

/* Moves the cursor through the text once, to its end or to the first byte that is wrong. */
static void check_text(struct builder *builder)
{
  size_t gap = 0, longest = 0, gaps = 0, tag_directives = 0, length;
  bool line_begins = true;
  uint32_t code = 0;

  while (!builder->stopped && builder->cursor.byte < builder->size) {
    const char *p = builder->text + builder->cursor.byte;
    size_t left = builder->size - builder->cursor.byte;

    length = decode((const unsigned char *)p, left, &code);
    if (!length || !is_printable(code)) {
      report_bad_byte(builder, code, length);
      return;
    }
    if (line_begins && left > 4 && memcmp(p, "%TAG", 4) == 0 &&
        ++tag_directives > MOST_TAG_DIRECTIVES)
      STOP(builder, seek(builder, builder->cursor.index), "too many %%TAG lines");
    line_begins = is_break(code);
    gap = line_begins || code == ' ' || code == '\t' ? gap + length : 0;
    gaps += gap == length;
    if (gap > longest) longest = gap;
    cursor_step(builder);
  }
  check_gaps(builder, longest, gaps);
}

/* ---- libyaml's errors ---------------------------------------------------------------------- */

static const struct problem {
  const char *problem, *words;
  const char *after; /* not NULL: words, " that begins at line N", after */
  bool at_begin;     /* the error is best seen where the construct begins */
  bool only_at_end;  /* if the error is at the end of the text */
} problems[] = {
    {.problem = "found unexpected end of stream",
     .words = "this quoted text is not closed",
     .at_begin = true},
    {.problem = "found unexpected document indicator",
     .words = "this quoted text is not closed",
     .at_begin = true},
    {.problem = "found unknown escape character",
     .words = "unknown escape in double quotes; write \\\\ for a backslash, or use single quotes"},
    {.problem = "did not find expected hexdecimal number",
     .words = "\\x, \\u and \\U in double quotes take 2, 4 and 8 hexadecimal digits"},
    {.problem = "found invalid Unicode character escape code",
     .words = "this escape is not a Unicode character"},
    {.problem = "mapping values are not allowed in this context",
     .words =
         "a ':' is not expected here; is the indentation right? text that holds ': ' needs quotes"},
    {.problem = "block sequence entries are not allowed in this context",
     .words = "a list entry '- ' cannot stand here; put it on its own line, or quote the text"},
    {.problem = "mapping keys are not allowed in this context",
     .words = "a key '? ' cannot stand here"},
    {.problem = "could not find expected ':'",
     .words = "this is not 'key: value'; is a ':' missing, or the indentation wrong?",
     .at_begin = true},
    {.problem = "did not find expected key",
     .words = "this does not continue the mapping",
     .after = "; is the indentation right?"},
    {.problem = "did not find expected '-' indicator",
     .words = "this does not continue the list",
     .after = "; is the indentation right?"},
    {.problem = "did not find expected ',' or ']'",
     .words = "a ',' or ']' is missing in the list",
     .after = ""},
    {.problem = "did not find expected ',' or '}'",
     .words = "a ',' or '}' is missing in the mapping",
     .after = ""},
    {.problem = "did not find expected node content",
     .words = "the text ends here; is a ']' or '}' missing?",
     .only_at_end = true},
    {.problem = "did not find expected node content", .words = "a value is missing here"},
    {.problem = "did not find expected <document start>",
     .words = "this stands after the end of the document; is the indentation right?"},
    {.problem = "found a tab character that violates indentation",
     .words = "a tab is used for indentation; use spaces"},
    {.problem = "found a tab character where an indentation space is expected",
     .words = "a tab is used for indentation; use spaces"},
    {.problem = "did not find expected alphabetic or numeric character",
     .words = "'*' and '&' take a name of letters, digits, '-' and '_'; quote text that begins "
              "with them",
     .at_begin = true},
    {.problem = "found unexpected ':'",
     .words = "a ':' here needs a space after it, or quotes around the text"},
    {.problem = "did not find expected comment or line break",
     .words = "only a comment may stand here"},
    {.problem = "found undefined tag handle",
     .words = "no %TAG line defines the handle of this tag"},
    {.problem = "found incompatible YAML document",
     .words = "this version of YAML is not supported"},
    {.problem = "found unknown directive name",
     .words = "unknown directive; quote text that begins with '%'",
     .at_begin = true},
};
enum { PROBLEMS = sizeof problems / sizeof *problems };

static void report_bad_start(struct builder *builder, struct hone_place place)
{
  char c = builder->cursor.byte < builder->size ? builder->text[builder->cursor.byte] : ' ';

  if (c == '\t')
    STOP(builder, place, "a tab is used for indentation; use spaces");
  else
    STOP(builder, place, "text cannot begin with '%c'; put it in quotes", c);
}

static void report_known(struct builder *builder, const struct problem *problem,
                         const yaml_parser_t *parser)
{
  struct hone_place begin = seek(builder, parser->context_mark.index);
  struct hone_place place = seek(builder, parser->problem_mark.index);

  if (problem->after && parser->context)
    STOP(builder, place, "%s that begins at line %u%s", problem->words,
         line_in_file(builder, begin), problem->after);
  else
    STOP(builder, problem->at_begin && parser->context ? begin : place, "%s", problem->words);
}

static void report_problem(struct builder *builder, const yaml_parser_t *parser)
{
  const char *problem = parser->problem ? parser->problem : "unknown problem";
  const char *context = parser->context ? parser->context : "";
  struct hone_place place = seek(builder, parser->problem_mark.index);

  if (parser->error == YAML_MEMORY_ERROR) {
    STOP(builder, NO_PLACE, "out of memory");
    return;
  }
  if (strcmp(problem, "found character that cannot start any token") == 0) {
    report_bad_start(builder, place);
    return;
  }
  for (size_t i = 0; i < PROBLEMS; i++) {
    if (strcmp(problem, problems[i].problem) != 0) continue;
    if (problems[i].only_at_end && builder->cursor.byte < builder->size) continue;
    report_known(builder, &problems[i], parser);
    return;
  }
  STOP(builder, place, "cannot read this as YAML: %s%s%s", problem, *context ? " " : "", context);
}

/* ---- Anchors, budget, tags ----------------------------------------------------------------- */

/* A text as messages quote it: short, and on one line. */
static const char *brief(struct builder *builder, const char *text)
{
  enum { MOST = 40 };
  size_t length = strnlen(text, MOST + 1);
  char *copy;

  if (length > MOST)
    while (length > MOST - 3 || ((unsigned char)text[length] & 0xc0) == 0x80)
      length--;
  copy = hone__arena_printf(builder->arena, "%.*s%s", (int)length, text, text[length] ? "..." : "");
  for (char *p = copy; *p; p++)
    if ((unsigned char)*p < ' ' || *p == 127) *p = ' ';
  return copy;
}

/* Reports and returns false when the file asks for more than the budget. */
static bool charge(struct builder *builder, size_t nodes, struct hone_place place)
{
  if (nodes <= MOST_NODES - builder->used) {
    builder->used += nodes;
    return true;
  }
  STOP(builder, place,
       "the file is too large: more than %d million values, where an alias or a merge counts as "
       "all that it brings in",
       MOST_NODES / 1000000);
  return false;
}

/* What one node costs. libyaml looks at every open flow level for each token, so that many nodes
 * far down take long. */
static size_t node_cost(const struct builder *builder)
{
  return 1 + builder->depth / 20;
}

static void report_too_deep(struct builder *builder, struct hone_place place)
{
  STOP(builder, place, "nested too deeply: more than %d levels", MOST_DEPTH);
}

static void check_probes(struct builder *builder, const struct table *table,
                         struct hone_place place)
{
  if (table->probes >= MOST_PROBES) STOP(builder, place, "too many keys or anchors up to here");
}

/* Opens an anchor for a node; its index plus 1, or 0 if the node has none. */
static size_t open_anchor(struct builder *builder, const yaml_char_t *name, struct hone_node *node)
{
  struct table *names = &builder->anchor_names;
  size_t known = names->count, i;

  if (!name) return 0;
  node->anchored = true;
  i = table_add(names, hone__string(hone__arena_strdup(builder->arena, (const char *)name)));
  if (i < known) {
    REPORT(builder, HONE_ERROR, node->place, "anchor '&%s' stands twice; first at line %u",
           brief(builder, (const char *)name),
           line_in_file(builder, builder->anchors[i].node->place));
    return 0;
  }
  check_probes(builder, names, node->place);
  HONE__GROW(builder->anchors, i, builder->anchor_capacity);
  builder->anchors[i] = (struct anchor){.node = node};
  return i + 1;
}

static void close_anchor(struct builder *builder, size_t anchor, size_t height, size_t weight)
{
  if (!anchor) return;
  builder->anchors[anchor - 1].complete = true;
  builder->anchors[anchor - 1].height = height;
  builder->anchors[anchor - 1].weight = weight;
}

/* "int" of tag:yaml.org,2002:int, NULL for tags of other origin. */
static const char *standard_type(const char *tag)
{
  const char prefix[] = "tag:yaml.org,2002:";

  return hone__starts_with(tag, prefix) ? tag + sizeof prefix - 1 : NULL;
}

static void report_tag(struct builder *builder, const char *tag, struct hone_place place)
{
  const char *type = standard_type(tag);

  REPORT(builder, HONE_ERROR, place, "the tag '%s%s' is not supported here", type ? "!!" : "",
         brief(builder, type ? type : tag));
}

/* ---- Adding nodes -------------------------------------------------------------------------- */

static bool expects_key(const struct builder *builder)
{
  const struct frame *top = builder->depth ? &builder->frames[builder->depth - 1] : NULL;

  return top && top->node->kind == HONE_MAPPING &&
         (builder->child_count - top->first_child) % 2 == 0;
}

static void add_child(struct builder *builder, struct hone_node *node, size_t height,
                      struct hone_place place)
{
  struct frame *top = builder->depth ? &builder->frames[builder->depth - 1] : NULL;

  if (expects_key(builder) && node->kind != HONE_SCALAR)
    REPORT(builder, HONE_ERROR, place,
           "a key must be text or a number, not %s; put it in quotes if it is text",
           hone__node_kind_name(node));
  if (!top) {
    builder->root = node;
    return;
  }
  if (height > top->height) top->height = height;
  HONE__GROW(builder->children, builder->child_count, builder->child_capacity);
  builder->children[builder->child_count++] = node;
}

static struct hone_node *new_node(struct builder *builder, enum hone_node_kind kind,
                                  struct hone_place place)
{
  struct hone_node *node = hone__arena_alloc(builder->arena, sizeof *node);

  node->kind = kind;
  node->place = place;
  if (kind == HONE_SCALAR) node->text = "";
  return node;
}

static void resolve_scalar(struct builder *builder, struct hone_node *node,
                           const yaml_event_t *event)
{
  const char *tag = (const char *)event->data.scalar.tag;
  const char *type = tag ? standard_type(tag) : NULL;

  node->value = hone__string(node->text);
  if (event->data.scalar.plain_implicit) {
    if (strcmp(node->text, merge_key) == 0)
      node->value = hone__string(merge_key);
    else
      node->value = hone__yaml_resolve(node->text, builder->arena);
    return;
  }
  if (!tag) return;
  if (!type || !hone__yaml_is_scalar_type(type))
    report_tag(builder, tag, node->place);
  else if (!hone__yaml_construct(type, node->text, builder->arena, &node->value))
    REPORT(builder, HONE_ERROR, node->place, "'%s' is not what its tag '!!%s' says",
           brief(builder, node->text), type);
}

static void add_scalar(struct builder *builder, const yaml_event_t *event)
{
  struct hone_place place = scalar_place(builder, event);
  const char *text = (const char *)event->data.scalar.value;
  size_t length = event->data.scalar.length;
  struct hone_node *node;

  if (!charge(builder, node_cost(builder), place)) return;
  node = new_node(builder, HONE_SCALAR, place);
  node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
  if (memchr(text, 0, length))
    REPORT(builder, HONE_ERROR, place, "text cannot hold a NUL character (\\0)");
  node->text = hone__arena_strndup(builder->arena, text, length);
  resolve_scalar(builder, node, event);
  close_anchor(builder, open_anchor(builder, event->data.scalar.anchor, node), 0, 1);
  add_child(builder, node, 0, place);
}

static void report_unknown_alias(struct builder *builder, const char *name, struct hone_place place)
{
  const struct table *names = &builder->anchor_names;
  struct hone_nearest nearest = {.word = name};

  for (size_t i = 0; i < names->count && i < MOST_SUGGESTIONS; i++)
    hone__nearest_try(&nearest, names->keys[i].value.text);
  if (nearest.best)
    REPORT(builder, HONE_ERROR, place, "unknown alias '*%s'; did you mean '*%s'?",
           brief(builder, name), brief(builder, nearest.best));
  else
    REPORT(builder, HONE_ERROR, place,
           "unknown alias '*%s': no anchor '&%s' stands before it; quote it if it is text",
           brief(builder, name), brief(builder, name));
}

static void add_alias(struct builder *builder, const yaml_event_t *event)
{
  struct hone_place place = seek(builder, event->start_mark.index);
  const char *name = (const char *)event->data.alias.anchor;
  size_t i = table_find(&builder->anchor_names, hone__string(name));
  const struct anchor *anchor = i < builder->anchor_names.count ? &builder->anchors[i] : NULL;

  check_probes(builder, &builder->anchor_names, place);
  if (!anchor) {
    report_unknown_alias(builder, name, place);
    add_child(builder, new_node(builder, HONE_SCALAR, place), 0, place);
  } else if (!anchor->complete) {
    STOP(builder, place, "alias '*%s' stands inside the value that it is an alias of",
         brief(builder, name));
  } else if (builder->depth + anchor->height > MOST_DEPTH) {
    report_too_deep(builder, place);
  } else if (charge(builder, anchor->weight, place)) {
    add_child(builder, anchor->node, anchor->height, place);
  }
}

/* ---- Collections --------------------------------------------------------------------------- */

static void begin_collection(struct builder *builder, const yaml_event_t *event,
                             enum hone_node_kind kind, const yaml_char_t *anchor,
                             const yaml_char_t *tag)
{
  struct hone_place place = seek(builder, event->start_mark.index);
  const char *type = tag ? standard_type((const char *)tag) : NULL;
  size_t used_before = builder->used;
  struct hone_node *node;
  struct frame *frame;

  if (builder->depth == MOST_DEPTH) {
    report_too_deep(builder, place);
    return;
  }
  if (!charge(builder, node_cost(builder), place)) return;
  if (tag && strcmp((const char *)tag, "!") != 0 &&
      (!type || strcmp(type, kind == HONE_MAPPING ? "map" : "seq") != 0))
    report_tag(builder, (const char *)tag, place);
  node = new_node(builder, kind, place);
  add_child(builder, node, 0, place);
  frame = &builder->frames[builder->depth++];
  *frame = (struct frame){.node = node,
                          .first_child = builder->child_count,
                          .used_before = used_before,
                          .anchor = open_anchor(builder, anchor, node)};
}

/* A pair joins its mapping: the place of the first equal key, the value of the last. */
static void join_pair(struct builder *builder, struct hone_pair pair, bool is_explicit)
{
  size_t known = builder->keys.count, i = table_add(&builder->keys, pair.key->value);
  struct merged_pair *merged;

  if (i == known) {
    HONE__GROW(builder->merged, i, builder->merged_capacity);
    builder->merged[i] = (struct merged_pair){pair, is_explicit};
    return;
  }
  merged = &builder->merged[i];
  if (is_explicit && merged->is_explicit)
    REPORT(builder, HONE_WARNING, pair.key->place,
           "key '%s' stands twice in this mapping (first at line %u); the last value counts",
           brief(builder, pair.key->text), line_in_file(builder, merged->pair.key->place));
  merged->is_explicit |= is_explicit;
  merged->pair.value = pair.value;
  /* True stays True where 1 comes after it, as in Python; else messages show the later key. */
  if (merged->pair.key->value.type == pair.key->value.type) merged->pair.key = pair.key;
}

static void merge_mapping(struct builder *builder, const struct hone_node *mapping,
                          struct hone_place place)
{
  if (!charge(builder, mapping->count, place)) return;
  for (size_t i = 0; i < mapping->count; i++)
    join_pair(builder, mapping->pairs[i], false);
}

/* What `<<` names; of a list the last is joined first, so that the earlier ones win. */
static void merge_node(struct builder *builder, const struct hone_node *node,
                       struct hone_place place)
{
  if (node->kind == HONE_MAPPING) {
    merge_mapping(builder, node, place);
    return;
  }
  if (node->kind != HONE_SEQUENCE)
    REPORT(builder, HONE_ERROR, place, "'<<' takes a mapping or a list of mappings, not %s",
           hone__node_kind_name(node));
  for (size_t i = node->count; i-- > 0 && !builder->stopped;) {
    const struct hone_node *item = node->items[i];
    if (item->kind == HONE_MAPPING)
      merge_mapping(builder, item, place);
    else
      REPORT(builder, HONE_ERROR, place, "'<<' takes a list of mappings, but this one holds %s",
             hone__node_kind_name(item));
  }
}

static bool is_merge_key(const struct hone_node *key)
{
  return key->kind == HONE_SCALAR && key->value.type == HONE_TEXT && key->value.text == merge_key;
}

static void end_mapping(struct builder *builder, struct hone_node *node,
                        struct hone_node **children, size_t count)
{
  table_clear(&builder->keys);
  for (size_t i = 0; i + 1 < count && !builder->stopped; i += 2)
    if (is_merge_key(children[i])) merge_node(builder, children[i + 1], children[i]->place);
  for (size_t i = 0; i + 1 < count && !builder->stopped; i += 2)
    if (children[i]->kind == HONE_SCALAR && !is_merge_key(children[i]))
      join_pair(builder, (struct hone_pair){children[i], children[i + 1]}, true);
  node->count = builder->keys.count;
  node->pairs = hone__arena_alloc(builder->arena, node->count * sizeof *node->pairs);
  for (size_t i = 0; i < node->count; i++)
    node->pairs[i] = builder->merged[i].pair;
}

static void end_sequence(struct builder *builder, struct hone_node *node,
                         struct hone_node **children, size_t count)
{
  node->count = count;
  node->items = hone__arena_alloc(builder->arena, count * sizeof *node->items);
  if (count) memcpy(node->items, children, count * sizeof *children);
}

static void end_collection(struct builder *builder)
{
  struct frame *frame = &builder->frames[--builder->depth];
  size_t count = builder->child_count - frame->first_child, height = frame->height + 1;
  struct hone_node **children = count ? builder->children + frame->first_child : NULL;

  if (frame->node->kind == HONE_MAPPING)
    end_mapping(builder, frame->node, children, count);
  else
    end_sequence(builder, frame->node, children, count);
  builder->child_count = frame->first_child;
  close_anchor(builder, frame->anchor, height, builder->used - frame->used_before);
  if (builder->depth && height > frame[-1].height) frame[-1].height = height;
  check_probes(builder, &builder->keys, frame->node->place);
}

/* ---- Events -------------------------------------------------------------------------------- */

static void handle(struct builder *builder, const yaml_event_t *event)
{
  switch (event->type) {
  case YAML_DOCUMENT_START_EVENT:
    if (builder->documents++)
      STOP(builder, seek(builder, event->start_mark.index),
           "a second document begins here; a file holds one");
    break;
  case YAML_ALIAS_EVENT: add_alias(builder, event); break;
  case YAML_SCALAR_EVENT: add_scalar(builder, event); break;
  case YAML_SEQUENCE_START_EVENT:
    begin_collection(builder, event, HONE_SEQUENCE, event->data.sequence_start.anchor,
                     event->data.sequence_start.tag);
    break;
  case YAML_MAPPING_START_EVENT:
    begin_collection(builder, event, HONE_MAPPING, event->data.mapping_start.anchor,
                     event->data.mapping_start.tag);
    break;
  case YAML_SEQUENCE_END_EVENT:
  case YAML_MAPPING_END_EVENT: end_collection(builder); break;
  case YAML_STREAM_END_EVENT: builder->stopped = true; break;
  default: break;
  }
}

static void build(struct builder *builder, size_t skip)
{
  yaml_parser_t parser;
  yaml_event_t event;

  if (!yaml_parser_initialize(&parser)) {
    STOP(builder, NO_PLACE, "out of memory");
    return;
  }
  yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser, (const yaml_char_t *)builder->text + skip,
                               builder->size - skip);
  while (!builder->stopped) {
    if (!yaml_parser_parse(&parser, &event)) {
      report_problem(builder, &parser);
      break;
    }
    handle(builder, &event);
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
}

static void builder_release(struct builder *builder)
{
  table_release(&builder->keys);
  free(builder->merged);
  table_release(&builder->anchor_names);
  free(builder->anchors);
  free(builder->children);
}

void hone__yaml_parse(const char *text, size_t size, const struct hone_source *source,
                      struct hone_arena *arena, struct hone_diagnostics *diagnostics,
                      struct hone_node **out_root)
{
  size_t skip = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* a byte order mark */
  struct builder builder = {.text = text,
                            .size = size,
                            .source = source,
                            .arena = arena,
                            .diagnostics = diagnostics,
                            .cursor = {.byte = skip, .line = 1}};
  const struct cursor start = builder.cursor;

  *out_root = NULL;
  table_clear(&builder.anchor_names);
  check_text(&builder);
  builder.cursor = start;
  if (!builder.stopped) build(&builder, skip);
  if (!builder.reports[HONE_ERROR]) *out_root = builder.root;
  builder_release(&builder);
}

struct hone_node *hone__node_get(const struct hone_node *mapping, const char *key)
{
  for (size_t i = 0; mapping->kind == HONE_MAPPING && i < mapping->count; i++) {
    const struct hone_value *value = &mapping->pairs[i].key->value;
    if (value->type == HONE_TEXT && strcmp(value->text, key) == 0) return mapping->pairs[i].value;
  }
  return NULL;
}

const char *hone__node_kind_name(const struct hone_node *node)
{
  static const char *const scalars[] = {
      [HONE_NONE] = "nothing",  [HONE_BOOL] = "a boolean", [HONE_INT] = "an integer",
      [HONE_FLOAT] = "a float", [HONE_TEXT] = "text",      [HONE_LIST] = "a list"};

  if (node->kind == HONE_MAPPING) return "a mapping";
  return node->kind == HONE_SEQUENCE ? "a list" : scalars[node->value.type];
}
