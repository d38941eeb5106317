/* The nodes of a file as entries. Keys that the format does not have are errors: a key that was
 * damaged must not be overlooked. */
#include "wisdom/wisdom_parts.h"

#include <math.h>
#include <string.h>

typedef enum hone_wisdom_code code_t;

struct decoder {
  struct hone_wisdom *wisdom;
  const struct hone__wisdom_source *source;
  struct hone_wisdom_error *error;
};

#define FAIL(decoder, node, ...)                                                                   \
  hone__wisdom_fail((decoder)->source, (node)->offset, (decoder)->error, HONE_WISDOM_INVALID,      \
                    __VA_ARGS__)

static code_t expect_kind(const struct decoder *decoder, const struct hone__wisdom_node *node,
                          enum hone__wisdom_kind kind, const char *what)
{
  if (node->kind == kind) return HONE_WISDOM_OK;
  return FAIL(decoder, node, "'%.100s' is not %s; see hone-wisdom(5)",
              node->name ? node->name : "the value", what);
}

static void *allocate(const struct decoder *decoder, size_t count, size_t size)
{
  return hone__wisdom_alloc(&decoder->wisdom->arena, count ? count : 1, size);
}

/* ---- Kinds of fields ---- */

typedef code_t field_reader(const struct decoder *decoder, const struct hone__wisdom_node *node,
                            void *out);

static code_t read_text(const struct decoder *decoder, const struct hone__wisdom_node *node,
                        void *out)
{
  code_t code = expect_kind(decoder, node, HONE__NODE_TEXT, "a text");

  if (!code) *(const char **)out = node->text;
  return code;
}

static code_t read_real(const struct decoder *decoder, const struct hone__wisdom_node *node,
                        void *out)
{
  if (node->kind == HONE__NODE_NULL) return HONE_WISDOM_OK; /* NaN: there is none */
  if (node->kind != HONE__NODE_INTEGER && node->kind != HONE__NODE_REAL)
    return expect_kind(decoder, node, HONE__NODE_REAL, "a number");
  *(double *)out = node->real;
  return HONE_WISDOM_OK;
}

static const char *const verdict_names[] = {[HONE_WISDOM_UNPROVED] = "UNPROVED",
                                            [HONE_WISDOM_IMPROVED] = "IMPROVED",
                                            [HONE_WISDOM_NO_IMPROVEMENT] = "NO IMPROVEMENT"};
enum { VERDICTS = sizeof verdict_names / sizeof *verdict_names };

const char *hone_wisdom_verdict_name(enum hone_wisdom_verdict verdict)
{
  return (size_t)verdict < VERDICTS ? verdict_names[verdict] : "";
}

static code_t read_verdict(const struct decoder *decoder, const struct hone__wisdom_node *node,
                           void *out)
{
  code_t code = expect_kind(decoder, node, HONE__NODE_TEXT, "a text");

  for (size_t i = 0; i < VERDICTS && !code; i++)
    if (strcmp(node->text, verdict_names[i]) == 0) {
      *(enum hone_wisdom_verdict *)out = (enum hone_wisdom_verdict)i;
      return HONE_WISDOM_OK;
    }
  if (code) return code;
  return FAIL(decoder, node, "unknown verdict '%.100s': IMPROVED, NO IMPROVEMENT or UNPROVED",
              node->text);
}

static code_t read_value(const struct decoder *decoder, const struct hone__wisdom_node *node,
                         struct hone_wisdom_value *out)
{
  static const enum hone_wisdom_type types[] = {
      [HONE__NODE_NULL] = HONE_WISDOM_NONE,       [HONE__NODE_BOOL] = HONE_WISDOM_BOOL,
      [HONE__NODE_INTEGER] = HONE_WISDOM_INTEGER, [HONE__NODE_REAL] = HONE_WISDOM_REAL,
      [HONE__NODE_TEXT] = HONE_WISDOM_TEXT,
  };

  if (node->kind >= HONE__NODE_LIST)
    return FAIL(decoder, node, "'%.100s' is neither a number, a text, true, false nor null",
                node->name);
  *out = (struct hone_wisdom_value){types[node->kind], node->integer, node->real, node->text};
  return HONE_WISDOM_OK;
}

static code_t read_pairs(const struct decoder *decoder, const struct hone__wisdom_node *node,
                         void *out)
{
  struct hone__wisdom_pairs *pairs = out;
  code_t code = expect_kind(decoder, node, HONE__NODE_OBJECT, "an object");

  if (code) return code;
  pairs->items = allocate(decoder, node->count, sizeof *pairs->items);
  if (!pairs->items) return hone__wisdom_no_memory(decoder->source, decoder->error);
  for (node = node->first; node && !code; node = node->next) {
    pairs->items[pairs->count].name = node->name;
    code = read_value(decoder, node, &pairs->items[pairs->count++].value);
  }
  return code;
}

static code_t read_aliases(const struct decoder *decoder, const struct hone__wisdom_node *node,
                           void *out)
{
  struct hone_wisdom_entry *entry = out; /* two fields of it */
  code_t code = expect_kind(decoder, node, HONE__NODE_LIST, "a list");

  if (code) return code;
  entry->aliases = allocate(decoder, node->count, sizeof *entry->aliases);
  if (!entry->aliases) return hone__wisdom_no_memory(decoder->source, decoder->error);
  for (node = node->first; node && !code; node = node->next)
    code = read_text(decoder, node, &entry->aliases[entry->alias_count++]);
  return code;
}

/* ---- An entry ---- */

#define FIELD(member) offsetof(struct hone_wisdom_entry, member)

static const struct field {
  const char *name;
  field_reader *read;
  size_t offset;
  bool is_needed;
} fields[] = {
    {"kernel", read_text, FIELD(kernel), true},
    {"problem", read_pairs, FIELD(problem), true},
    {"device", read_text, FIELD(device), true},
    {"family", read_text, FIELD(family), false},
    {"aliases", read_aliases, 0, false},
    {"config", read_pairs, FIELD(config), true},
    {"verdict", read_verdict, FIELD(verdict), true},
    {"speedup", read_real, FIELD(speedup), false},
    {"low", read_real, FIELD(low), false},
    {"high", read_real, FIELD(high), false},
    {"confidence", read_real, FIELD(confidence), false},
    {"environment", read_pairs, FIELD(environment), false},
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

static const struct hone__wisdom_node *find_member(const struct hone__wisdom_node *object,
                                                   const char *name)
{
  for (const struct hone__wisdom_node *node = object->first; node; node = node->next)
    if (strcmp(node->name, name) == 0) return node;
  return NULL;
}

static code_t check_names(const struct decoder *decoder, const struct hone__wisdom_node *object)
{
  for (const struct hone__wisdom_node *node = object->first; node; node = node->next) {
    size_t i = 0;
    while (i < FIELD_COUNT && strcmp(fields[i].name, node->name) != 0)
      i++;
    if (i == FIELD_COUNT)
      return FAIL(decoder, node, "unknown key '%.100s' of an entry; see hone-wisdom(5)",
                  node->name);
  }
  return HONE_WISDOM_OK;
}

static code_t read_entry(const struct decoder *decoder, const struct hone__wisdom_node *node,
                         struct hone_wisdom_entry *entry)
{
  code_t code = expect_kind(decoder, node, HONE__NODE_OBJECT, "an object");

  *entry = (struct hone_wisdom_entry){.family = "",
                                      .speedup = NAN,
                                      .low = NAN,
                                      .high = NAN,
                                      .confidence = NAN,
                                      .offset = node->offset};
  if (!code) code = check_names(decoder, node);
  for (size_t i = 0; i < FIELD_COUNT && !code; i++) {
    const struct hone__wisdom_node *member = find_member(node, fields[i].name);
    if (member)
      code = fields[i].read(decoder, member, (char *)entry + fields[i].offset);
    else if (fields[i].is_needed)
      code = FAIL(decoder, node, "the entry has no '%s'; see hone-wisdom(5)", fields[i].name);
  }
  return code;
}

static code_t read_entries(const struct decoder *decoder, const struct hone__wisdom_node *list)
{
  struct hone_wisdom *wisdom = decoder->wisdom;
  code_t code = expect_kind(decoder, list, HONE__NODE_LIST, "a list");

  if (code) return code;
  wisdom->entries = allocate(decoder, list->count, sizeof *wisdom->entries);
  if (!wisdom->entries) return hone__wisdom_no_memory(decoder->source, decoder->error);
  for (const struct hone__wisdom_node *node = list->first; node && !code; node = node->next)
    code = read_entry(decoder, node, &wisdom->entries[wisdom->count++]);
  return code;
}

/* ---- The file ---- */

static code_t check_version(const struct decoder *decoder, const struct hone__wisdom_node *root)
{
  const struct hone__wisdom_node *version = find_member(root, "hone_wisdom");

  if (!version || version->kind != HONE__NODE_INTEGER || version->integer < 1)
    return FAIL(decoder, root,
                "not a wisdom file: it has no 'hone_wisdom' with a version; "
                "'hone export --format wisdom' writes one");
  if (version->integer <= HONE_WISDOM_VERSION) return HONE_WISDOM_OK;
  return hone__wisdom_fail(decoder->source, version->offset, decoder->error, HONE_WISDOM_NEWER,
                           "the wisdom has version %lld, this library reads up to %d: use a newer "
                           "libhone-wisdom",
                           (long long)version->integer, HONE_WISDOM_VERSION);
}

static code_t read_bound(const struct decoder *decoder, const struct hone__wisdom_node *node)
{
  double bound = 1;
  code_t code = node ? read_real(decoder, node, &bound) : HONE_WISDOM_OK;

  if (!code && !(bound >= 1))
    code = FAIL(decoder, node, "'nearest' is less than 1: it is a ratio of sizes, 1 for none");
  decoder->wisdom->bound = bound;
  return code;
}

static code_t check_keys(const struct decoder *decoder, const struct hone__wisdom_node *root)
{
  for (const struct hone__wisdom_node *node = root->first; node; node = node->next)
    if (strcmp(node->name, "hone_wisdom") != 0 && strcmp(node->name, "nearest") != 0 &&
        strcmp(node->name, "entries") != 0)
      return FAIL(decoder, node, "unknown key '%.100s'; see hone-wisdom(5)", node->name);
  return HONE_WISDOM_OK;
}

code_t hone__wisdom_decode(struct hone_wisdom *wisdom, const struct hone__wisdom_source *source,
                           const struct hone__wisdom_node *root, struct hone_wisdom_error *error)
{
  struct decoder decoder = {wisdom, source, error};
  const struct hone__wisdom_node *entries = find_member(root, "entries");
  code_t code = check_version(&decoder, root);

  if (!code) code = check_keys(&decoder, root);
  if (!code) code = read_bound(&decoder, find_member(root, "nearest"));
  if (!code && !entries) code = FAIL(&decoder, root, "the wisdom has no 'entries'");
  return code ? code : read_entries(&decoder, entries);
}
