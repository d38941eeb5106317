/* libyaml's events become nodes, bottom up: children wait on one stack until their collection ends,
 * then they move into the arena.
 *
 * Against hostile files every node, every use of an alias (with all that it stands for) and every
 * merged pair is charged to one budget, so that the tree is small even for code that walks it
 * without marking visited nodes; the depth is bounded in the same sense. */
#include "spec/yaml.h"

#include "base/text.h"
#include "hone_text.h"
#include "spec/yaml_mapping.h"
#include "spec/yaml_problem.h"
#include "spec/yaml_scalar.h"

#include <stdlib.h>

enum {
  MOST_DEPTH = 100,
  MOST_SUGGESTIONS = 1000,
};

struct frame { /* a collection that is not complete yet */
  struct hone__node *node;
  size_t first_child, used_before, height;
  size_t anchor; /* index into anchors, plus 1; 0: none */
};

struct anchor { /* its name is the key of the same index in anchor_names */
  struct hone__node *node;
  bool complete;
  size_t height, weight; /* weight: nodes, where an alias counts as all that it stands for */
};

struct builder {
  struct hone__yaml_text *text;
  struct hone__arena *arena;
  struct frame frames[MOST_DEPTH];
  size_t depth;
  struct hone__node **children; /* of all frames; those of a mapping are key, value, key ... */
  size_t child_count, child_capacity;
  struct hone__yaml_keys anchor_names;
  struct anchor *anchors;
  size_t anchor_capacity;
  struct hone__yaml_mapper mapper;
  struct hone__node *root;
  size_t documents;
};

/* ---- Limits, anchors, tags ------------------------------------------------------------------ */

/* What one node costs. libyaml looks at every open flow level for each token, so that many nodes
 * far down take long. */
static size_t node_cost(const struct builder *builder)
{
  return 1 + builder->depth / 20;
}

static void report_too_deep(struct builder *builder, struct hone__place place)
{
  hone__yaml_stop(builder->text, place, "nested too deeply: more than %d levels", MOST_DEPTH);
}

/* Opens an anchor for a node; its index plus 1, or 0 if the node has none. */
static size_t open_anchor(struct builder *builder, const yaml_char_t *name, struct hone__node *node)
{
  struct hone__yaml_keys *names = &builder->anchor_names;
  size_t known = names->count, i;

  if (!name) return 0;
  node->anchored = true;
  i = hone__yaml_keys_add(names,
                          hone__string(hone__arena_strdup(builder->arena, (const char *)name)));
  if (i < known) {
    hone__yaml_report(builder->text, HONE__ERROR, node->place,
                      "duplicate anchor '&%s'; first defined on line %u",
                      hone__yaml_excerpt((const char *)name).text,
                      hone__yaml_line(builder->text, builder->anchors[i].node->place));
    return 0;
  }
  hone__yaml_keys_check(names, builder->text, node->place);
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

static void report_tag(struct builder *builder, const char *tag, struct hone__place place)
{
  const char *type = standard_type(tag);

  hone__yaml_report(builder->text, HONE__ERROR, place, "the tag '%s%s' is not supported here",
                    type ? "!!" : "", hone__yaml_excerpt(type ? type : tag).text);
}

/* ---- Adding nodes -------------------------------------------------------------------------- */

static bool expects_key(const struct builder *builder)
{
  const struct frame *top = builder->depth ? &builder->frames[builder->depth - 1] : NULL;

  return top && top->node->kind == HONE__MAPPING &&
         (builder->child_count - top->first_child) % 2 == 0;
}

static void add_child(struct builder *builder, struct hone__node *node, size_t height,
                      struct hone__place place)
{
  struct frame *top = builder->depth ? &builder->frames[builder->depth - 1] : NULL;

  if (expects_key(builder) && node->kind != HONE__SCALAR)
    hone__yaml_report(builder->text, HONE__ERROR, place,
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

static struct hone__node *new_node(struct builder *builder, enum hone__node_kind kind,
                                   struct hone__place place)
{
  struct hone__node *node = hone__arena_alloc(builder->arena, sizeof *node);

  node->kind = kind;
  node->place = place;
  if (kind == HONE__SCALAR) node->text = "";
  return node;
}

static void resolve_scalar(struct builder *builder, struct hone__node *node,
                           const yaml_event_t *event)
{
  const char *tag = (const char *)event->data.scalar.tag;
  const char *type = tag ? standard_type(tag) : NULL;

  node->value = hone__string(node->text);
  if (event->data.scalar.plain_implicit) {
    if (strcmp(node->text, hone__yaml_merge_key) == 0)
      node->value = hone__string(hone__yaml_merge_key);
    else
      node->value = hone__yaml_resolve(node->text, builder->arena);
    return;
  }
  if (!tag) return;
  if (!type || !hone__yaml_is_scalar_type(type))
    report_tag(builder, tag, node->place);
  else if (!hone__yaml_construct(type, node->text, builder->arena, &node->value))
    hone__yaml_report(builder->text, HONE__ERROR, node->place, "'%s' does not match its tag '!!%s'",
                      hone__yaml_excerpt(node->text).text, type);
}

static struct hone__place scalar_place(struct builder *builder, const yaml_event_t *event)
{
  if (event->data.scalar.anchor || event->data.scalar.tag)
    return hone__yaml_seek_content(builder->text, event->start_mark.index);
  return hone__yaml_seek(builder->text, event->start_mark.index);
}

static void add_scalar(struct builder *builder, const yaml_event_t *event)
{
  struct hone__place place = scalar_place(builder, event);
  const char *text = (const char *)event->data.scalar.value;
  size_t length = event->data.scalar.length;
  struct hone__node *node;

  if (!hone__yaml_charge(builder->text, node_cost(builder), place)) return;
  node = new_node(builder, HONE__SCALAR, place);
  node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
  if (memchr(text, 0, length))
    hone__yaml_report(builder->text, HONE__ERROR, place, "text cannot hold a NUL character (\\0)");
  node->text = hone__arena_strndup(builder->arena, text, length);
  resolve_scalar(builder, node, event);
  close_anchor(builder, open_anchor(builder, event->data.scalar.anchor, node), 0, 1);
  add_child(builder, node, 0, place);
}

static void report_unknown_alias(struct builder *builder, const char *name,
                                 struct hone__place place)
{
  const struct hone__yaml_keys *names = &builder->anchor_names;
  struct hone_nearest nearest = {.word = name};

  for (size_t i = 0; i < names->count && i < MOST_SUGGESTIONS; i++)
    hone_nearest_try(&nearest, names->items[i].value.text);
  if (nearest.best)
    hone__yaml_report(builder->text, HONE__ERROR, place, "unknown alias '*%s'; did you mean '*%s'?",
                      hone__yaml_excerpt(name).text, hone__yaml_excerpt(nearest.best).text);
  else
    hone__yaml_report(
        builder->text, HONE__ERROR, place,
        "unknown alias '*%s': no anchor '&%s' is defined before it; quote it if it is text",
        hone__yaml_excerpt(name).text, hone__yaml_excerpt(name).text);
}

static void add_alias(struct builder *builder, const yaml_event_t *event)
{
  struct hone__place place = hone__yaml_seek(builder->text, event->start_mark.index);
  const char *name = (const char *)event->data.alias.anchor;
  size_t i = hone__yaml_keys_find(&builder->anchor_names, hone__string(name));
  const struct anchor *anchor = i < builder->anchor_names.count ? &builder->anchors[i] : NULL;

  hone__yaml_keys_check(&builder->anchor_names, builder->text, place);
  if (!anchor) {
    report_unknown_alias(builder, name, place);
    add_child(builder, new_node(builder, HONE__MAPPING, place), 0, place); /* `<<` may take it */
  } else if (!anchor->complete) {
    hone__yaml_stop(builder->text, place, "alias '*%s' is used inside its own value",
                    hone__yaml_excerpt(name).text);
  } else if (builder->depth + anchor->height > MOST_DEPTH) {
    report_too_deep(builder, place);
  } else if (hone__yaml_charge(builder->text, anchor->weight, place)) {
    add_child(builder, anchor->node, anchor->height, place);
  }
}

/* ---- Collections --------------------------------------------------------------------------- */

static void begin_collection(struct builder *builder, const yaml_event_t *event,
                             enum hone__node_kind kind, const yaml_char_t *anchor,
                             const yaml_char_t *tag)
{
  struct hone__place place = hone__yaml_seek(builder->text, event->start_mark.index);
  const char *type = tag ? standard_type((const char *)tag) : NULL;
  size_t used_before = builder->text->used;
  struct hone__node *node;
  struct frame *frame;

  if (builder->depth == MOST_DEPTH) {
    report_too_deep(builder, place);
    return;
  }
  if (!hone__yaml_charge(builder->text, node_cost(builder), place)) return;
  if (tag && strcmp((const char *)tag, "!") != 0 &&
      (!type || strcmp(type, kind == HONE__MAPPING ? "map" : "seq") != 0))
    report_tag(builder, (const char *)tag, place);
  node = new_node(builder, kind, place);
  add_child(builder, node, 0, place);
  frame = &builder->frames[builder->depth++];
  *frame = (struct frame){.node = node,
                          .first_child = builder->child_count,
                          .used_before = used_before,
                          .anchor = open_anchor(builder, anchor, node)};
}

static void end_sequence(struct builder *builder, struct hone__node *node,
                         struct hone__node **children, size_t count)
{
  node->count = count;
  node->items = hone__arena_alloc(builder->arena, count * sizeof *node->items);
  if (count) memcpy(node->items, children, count * sizeof *children);
}

static void end_collection(struct builder *builder)
{
  struct frame *frame = &builder->frames[--builder->depth];
  size_t count = builder->child_count - frame->first_child, height = frame->height + 1;
  struct hone__node **children = count ? builder->children + frame->first_child : NULL;

  if (frame->node->kind == HONE__MAPPING)
    hone__yaml_map(&builder->mapper, children, count, frame->node);
  else
    end_sequence(builder, frame->node, children, count);
  builder->child_count = frame->first_child;
  close_anchor(builder, frame->anchor, height, builder->text->used - frame->used_before);
  if (builder->depth && height > frame[-1].height) frame[-1].height = height;
}

/* ---- Events -------------------------------------------------------------------------------- */

static void handle(struct builder *builder, const yaml_event_t *event)
{
  switch (event->type) {
  case YAML_DOCUMENT_START_EVENT:
    if (builder->documents++)
      hone__yaml_stop(builder->text, hone__yaml_seek(builder->text, event->start_mark.index),
                      "a second document begins here; only one is allowed per file");
    break;
  case YAML_ALIAS_EVENT: add_alias(builder, event); break;
  case YAML_SCALAR_EVENT: add_scalar(builder, event); break;
  case YAML_SEQUENCE_START_EVENT:
    begin_collection(builder, event, HONE__SEQUENCE, event->data.sequence_start.anchor,
                     event->data.sequence_start.tag);
    break;
  case YAML_MAPPING_START_EVENT:
    begin_collection(builder, event, HONE__MAPPING, event->data.mapping_start.anchor,
                     event->data.mapping_start.tag);
    break;
  case YAML_SEQUENCE_END_EVENT:
  case YAML_MAPPING_END_EVENT: end_collection(builder); break;
  case YAML_STREAM_END_EVENT: builder->text->stopped = true; break;
  default: break;
  }
}

static void build(struct builder *builder)
{
  const struct hone__yaml_text *text = builder->text;
  yaml_parser_t parser;
  yaml_event_t event;

  if (!yaml_parser_initialize(&parser)) hone__out_of_memory();
  yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser, (const yaml_char_t *)text->data + text->begin,
                               text->size - text->begin);
  while (!text->stopped) {
    if (!yaml_parser_parse(&parser, &event)) {
      hone__yaml_report_problem(builder->text, &parser);
      break;
    }
    handle(builder, &event);
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
}

static void builder_release(struct builder *builder)
{
  hone__yaml_mapper_release(&builder->mapper);
  hone__yaml_keys_release(&builder->anchor_names);
  free(builder->anchors);
  free(builder->children);
}

void hone__yaml_parse(const char *text, size_t size, const struct hone__source *source,
                      struct hone__arena *arena, struct hone__diagnostics *diagnostics,
                      struct hone__node **out_root)
{
  struct hone__yaml_text checked;
  struct builder builder = {
      .text = &checked, .arena = arena, .mapper = {.text = &checked, .arena = arena}};

  *out_root = NULL;
  hone__yaml_text_init(&checked, text, size, source, diagnostics);
  hone__yaml_text_check(&checked);
  hone__yaml_keys_clear(&builder.anchor_names);
  if (!checked.stopped) build(&builder);
  if (!checked.errors) *out_root = builder.root;
  builder_release(&builder);
}

struct hone__node *hone__node_get(const struct hone__node *mapping, const char *key)
{
  for (size_t i = 0; mapping->kind == HONE__MAPPING && i < mapping->count; i++) {
    const struct hone__node *name = mapping->pairs[i].key;
    bool is_word = name->value.type == HONE_TEXT || name->value.type == HONE_BOOL; /* as "off" */
    if (is_word && strcmp(name->text, key) == 0) return mapping->pairs[i].value;
  }
  return NULL;
}

const char *hone__node_kind_name(const struct hone__node *node)
{
  static const char *const scalars[] = {
      [HONE_NONE] = "nothing",  [HONE_BOOL] = "a boolean", [HONE_INT] = "an integer",
      [HONE_FLOAT] = "a float", [HONE_TEXT] = "text",      [HONE_LIST] = "a list"};

  if (node->kind == HONE__MAPPING) return "a mapping";
  return node->kind == HONE__SEQUENCE ? "a list" : scalars[node->value.type];
}
