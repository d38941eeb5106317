/* Configurations as text: kbench's name of one, and the texts of the spec. */
#include "space/space.h"

#include <stdlib.h>

/* Like snprintf, piece by piece. */
struct sink {
  char *buffer;
  size_t size, length;
};

static void put(struct sink *sink, const char *text, size_t length)
{
  if (sink->length < sink->size) {
    size_t room = sink->size - sink->length;
    memcpy(sink->buffer + sink->length, text, length < room ? length : room);
  }
  sink->length += length;
}

static void put_integer(struct sink *sink, int64_t integer)
{
  char digits[24], *end = digits + sizeof digits, *p = end;
  uint64_t left = integer < 0 ? 0 - (uint64_t)integer : (uint64_t)integer;

  do
    *--p = (char)('0' + left % 10);
  while (left /= 10);
  if (integer < 0) *--p = '-';
  put(sink, p, (size_t)(end - p));
}

static void put_value(struct sink *sink, struct hone_value value)
{
  struct hone__text text = {0};

  if (value.type == HONE_INT) {
    put_integer(sink, value.integer);
  } else if (value.type == HONE_TEXT) {
    put(sink, value.text, strlen(value.text));
  } else {
    hone__value_print(value, &text);
    put(sink, text.data, text.length);
    hone__text_release(&text);
  }
}

size_t hone_space_print_spec(const struct hone_space *space, const uint32_t *row, char *buffer,
                             size_t size)
{
  const struct hone__solved_group *group = &space->groups[row[0]];
  struct sink sink = {.buffer = buffer, .size = size};

  put(&sink, space->spec->stem, strlen(space->spec->stem));
  for (size_t i = 0; i < group->count; i++) {
    const struct hone__domain *domain = &group->domains[i];
    put(&sink, "/$", domain->runtime ? 2 : 1);
    put(&sink, domain->name, strlen(domain->name));
    put(&sink, "=", 1);
    put_value(&sink, hone__domain_value(domain, row[1 + i]));
  }
  if (size) buffer[sink.length < size ? sink.length : size - 1] = 0;
  return sink.length;
}

/* ---- Texts of the spec ---- */

void hone__recipe_run(const struct hone__solved_group *group, const struct hone__recipe *recipe,
                      const uint32_t *indices, struct hone_value *values)
{
  for (size_t i = 0; i < recipe->count; i++) {
    uint32_t node = recipe->nodes[i];
    const struct hone__instruction *n = &group->program.nodes[node];
    values[node] = n->role == HONE__ROLE_VARIABLE
                       ? hone__domain_value(&group->domains[n->variable], indices[n->variable])
                       : hone__instruction_run(n, values);
  }
}

/* False: an expression that counts faults. */
static bool put_pieces(struct sink *sink, const struct hone__solved_text *text,
                       const struct hone_value *values)
{
  const struct hone__template *template = text->template;

  for (size_t i = 0; i < template->count;) {
    const struct hone__piece *piece = &template->pieces[i];
    const struct hone_value *value = &values[text->roots[i]];
    if (piece->kind != HONE__PIECE_WORDS && value->type == HONE__FAULT) return false;
    if (piece->kind == HONE__PIECE_WORDS) put(sink, piece->words, piece->length);
    if (piece->kind == HONE__PIECE_VALUE) put_value(sink, *value);
    i = piece->kind == HONE__PIECE_IF && !hone__value_truth(*value) ? piece->end : i + 1;
  }
  return true;
}

size_t hone_space_text_count(const struct hone_space *space)
{
  return space->spec->text_name_count;
}

const char *hone_space_text_name(const struct hone_space *space, size_t text)
{
  return space->spec->text_names[text];
}

size_t hone_space_print_text(const struct hone_space *space, const uint32_t *row, size_t text,
                             char *buffer, size_t size)
{
  const struct hone__solved_group *group = &space->groups[row[0]];
  const struct hone__solved_text *solved = group->texts ? &group->texts[text] : NULL;
  struct sink sink = {.buffer = buffer, .size = size};
  struct hone_value *values;
  bool is_there;

  if (size) buffer[0] = 0;
  if (!solved || !solved->template) return HONE_NO_TEXT;
  values = hone__alloc((group->program.count + 1) * sizeof *values);
  hone__recipe_run(group, &solved->recipe, row + 1, values);
  is_there = put_pieces(&sink, solved, values);
  free(values);
  if (size) buffer[is_there && sink.length < size ? sink.length : is_there ? size - 1 : 0] = 0;
  return is_there ? sink.length : HONE_NO_TEXT;
}
