/* A message of protobuf is a sequence of fields: a key with number and kind, then a number, or a
 * length and so many bytes. Fields that are not of interest are copied as they are.
 */
#include "iree/model/onnx_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INPUTS = 4096, MOST_DIMS = 64, MOST_FILES = 4096 };
static const int64_t largest_size = (int64_t)1 << 40;

/* Numbers of fields in ONNX's onnx.proto. */
enum {
  MODEL_GRAPH = 7,
  GRAPH_NAME = 2,
  GRAPH_INITIALIZER = 5,
  GRAPH_INPUT = 11,
  GRAPH_OUTPUT = 12,
  GRAPH_VALUE_INFO = 13,
  TENSOR_NAME = 8,
  TENSOR_EXTERNAL_DATA = 13,
  ENTRY_KEY = 1,
  ENTRY_VALUE = 2,
  VALUE_NAME = 1,
  VALUE_TYPE = 2,
  TYPE_TENSOR = 1,
  TENSOR_TYPE_SHAPE = 2,
  SHAPE_DIM = 1,
  DIM_VALUE = 1,
  DIM_PARAM = 2
};

/* ---- Fields ---- */

enum wire { WIRE_NUMBER = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

struct message {
  const char *at, *end;
};
struct field {
  unsigned number, wire;
  uint64_t value;        /* of a number */
  struct message inside; /* of bytes */
  const char *begin, *end;
};

static bool read_number(struct message *message, uint64_t *out_value)
{
  *out_value = 0;
  for (unsigned shift = 0; message->at < message->end && shift < 64; shift += 7) {
    unsigned char byte = (unsigned char)*message->at++;
    *out_value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80)) return true;
  }
  return false;
}

static bool skip(struct message *message, uint64_t size, struct message *out_skipped)
{
  if (size > (uint64_t)(message->end - message->at)) return false;
  *out_skipped = (struct message){message->at, message->at + size};
  message->at += size;
  return true;
}

/* False: the message ends here, or is damaged; then `at` is not its end. */
static bool next_field(struct message *message, struct field *field)
{
  struct message rest = *message;
  uint64_t key, size;
  bool good;

  *field = (struct field){.begin = rest.at};
  if (rest.at == rest.end || !read_number(&rest, &key) || key >> 3 > UINT32_MAX) return false;
  field->number = (unsigned)(key >> 3);
  field->wire = (unsigned)(key & 7);
  switch (field->wire) {
  case WIRE_NUMBER: good = read_number(&rest, &field->value); break;
  case WIRE_BYTES: good = read_number(&rest, &size) && skip(&rest, size, &field->inside); break;
  case WIRE_64: good = skip(&rest, 8, &field->inside); break;
  case WIRE_32: good = skip(&rest, 4, &field->inside); break;
  default: good = false;
  }
  if (!good) return false;
  field->end = rest.at;
  message->at = rest.at;
  return true;
}

static bool is_bytes(const struct field *field, unsigned number)
{
  return field->number == number && field->wire == WIRE_BYTES;
}

/* The first field of this number within the message; empty if there is none. */
static struct message find(struct message message, unsigned number)
{
  struct field field;

  while (next_field(&message, &field))
    if (is_bytes(&field, number)) return field.inside;
  return (struct message){0};
}

static const char *text_of(struct message message, struct hone__arena *arena)
{
  size_t size = message.at ? (size_t)(message.end - message.at) : 0;

  return hone__arena_strndup(arena, message.at ? message.at : "", size);
}

/* ---- Reading ---- */

/* A name that can be written in an option: "batch", not "?" or "-1". */
static bool is_name(const char *name)
{
  return (isalpha((unsigned char)*name) || *name == '_') && !strchr(name, '=');
}

static struct hone__onnx_dim read_dim(struct message message, const char *input, size_t index,
                                      struct hone__arena *arena)
{
  const char *param = text_of(find(message, DIM_PARAM), arena);
  struct hone__onnx_dim dim = {.size = -1, .is_dynamic = true};
  struct field field;

  while (next_field(&message, &field))
    if (field.number == DIM_VALUE && field.wire == WIRE_NUMBER && (int64_t)field.value > 0)
      dim = (struct hone__onnx_dim){.size = (int64_t)field.value};
  dim.name = is_name(param) ? param : hone__arena_printf(arena, "%s.%zu", input, index);
  return dim;
}

static void read_input(struct hone__onnx *onnx, struct message message)
{
  struct hone__onnx_input *input = &onnx->inputs[onnx->input_count++];
  struct message shape = find(find(find(message, VALUE_TYPE), TYPE_TENSOR), TENSOR_TYPE_SHAPE);
  struct field field;

  *input = (struct hone__onnx_input){.name = text_of(find(message, VALUE_NAME), &onnx->arena)};
  input->dims = hone__arena_alloc(&onnx->arena, MOST_DIMS * sizeof *input->dims);
  while (next_field(&shape, &field) && input->rank < MOST_DIMS)
    if (is_bytes(&field, SHAPE_DIM)) {
      input->dims[input->rank] = read_dim(field.inside, input->name, input->rank, &onnx->arena);
      input->rank++;
    }
}

static bool is_same(struct message a, struct message b)
{
  return a.end - a.at == b.end - b.at && memcmp(a.at, b.at, (size_t)(a.end - a.at)) == 0;
}

static bool is_initialized(struct message graph, struct message input)
{
  struct message name = find(input, VALUE_NAME);
  struct field field;

  while (next_field(&graph, &field))
    if (is_bytes(&field, GRAPH_INITIALIZER) && name.at) {
      struct message other = find(field.inside, TENSOR_NAME);
      if (other.at && is_same(name, other)) return true;
    }
  return false;
}

static void add_file(struct hone__onnx *onnx, const char *name)
{
  for (size_t i = 0; i < onnx->file_count; i++)
    if (strcmp(onnx->files[i], name) == 0) return;
  if (onnx->file_count < MOST_FILES) onnx->files[onnx->file_count++] = name;
}

/* Weights may lie in other files: {key: "location", value: "model.onnx_data"}. */
static void read_weights(struct hone__onnx *onnx, struct message tensor)
{
  struct field field;

  while (next_field(&tensor, &field)) {
    if (!is_bytes(&field, TENSOR_EXTERNAL_DATA)) continue;
    if (strcmp(text_of(find(field.inside, ENTRY_KEY), &onnx->arena), "location") == 0)
      add_file(onnx, text_of(find(field.inside, ENTRY_VALUE), &onnx->arena));
  }
}

static bool read_graph(struct hone__onnx *onnx, struct message graph)
{
  struct message rest = graph;
  struct field field;

  onnx->inputs = hone__arena_alloc(&onnx->arena, MOST_INPUTS * sizeof *onnx->inputs);
  onnx->files = hone__arena_alloc(&onnx->arena, MOST_FILES * sizeof *onnx->files);
  while (next_field(&rest, &field)) {
    if (is_bytes(&field, GRAPH_INPUT) && onnx->input_count < MOST_INPUTS &&
        !is_initialized(graph, field.inside))
      read_input(onnx, field.inside);
    if (is_bytes(&field, GRAPH_INITIALIZER)) read_weights(onnx, field.inside);
    if (is_bytes(&field, GRAPH_NAME))
      onnx->has_slash = memchr(field.inside.at, '/', (size_t)(field.inside.end - field.inside.at));
  }
  return rest.at == rest.end;
}

hone_status hone__onnx_read(const char *bytes, size_t size, struct hone__onnx *out_onnx)
{
  struct message model = {bytes, bytes + size}, rest = model, graph = find(model, MODEL_GRAPH);
  struct field field;

  *out_onnx = (struct hone__onnx){0};
  while (next_field(&rest, &field))
    continue;
  if (rest.at != rest.end || !graph.at || !read_graph(out_onnx, graph))
    return hone__error(HONE_INVALID_SPEC, "it is not an ONNX model, or damaged");
  return NULL;
}

void hone__onnx_release(struct hone__onnx *onnx)
{
  hone__arena_release(&onnx->arena);
  *onnx = (struct hone__onnx){0};
}

/* ---- Sizes ---- */

typedef bool dim_visit(void *data, const struct hone__onnx_input *input, struct hone__onnx_dim *dim,
                       size_t index);

static void each_dynamic(const struct hone__onnx *onnx, dim_visit *visit, void *data)
{
  for (size_t i = 0; i < onnx->input_count; i++)
    for (size_t k = 0; k < onnx->inputs[i].rank; k++)
      if (onnx->inputs[i].dims[k].is_dynamic &&
          !visit(data, &onnx->inputs[i], &onnx->inputs[i].dims[k], k))
        return;
}

/* "--dim batch=1 --dim width=N", each once. */
struct options {
  struct hone__text text;
  bool all; /* also of dims that are fixed */
};

static bool add_option(void *data, const struct hone__onnx_input *input, struct hone__onnx_dim *dim,
                       size_t index)
{
  struct options *options = data;
  struct hone__text option = {0};

  (void)input;
  hone__text_addf(&option, " --dim %s=", dim->name);
  if ((options->all || dim->size < 0) &&
      (!options->text.data || !strstr(options->text.data, option.data)))
    hone__text_addf(&options->text, "%s%s", option.data, index ? "N" : "1");
  hone__text_release(&option);
  return true;
}

struct sought {
  const char *name;
  size_t length;
  int64_t size;
  size_t found;
};

static bool fix_dim(void *data, const struct hone__onnx_input *input, struct hone__onnx_dim *dim,
                    size_t index)
{
  struct sought *sought = data;
  struct hone__text place = {0};
  bool is_it;

  hone__text_addf(&place, "%s.%zu", input->name, index);
  is_it = (strlen(dim->name) == sought->length &&
           memcmp(dim->name, sought->name, sought->length) == 0) ||
          (place.length == sought->length && memcmp(place.data, sought->name, place.length) == 0);
  if (is_it) dim->size = sought->size;
  sought->found += is_it;
  hone__text_release(&place);
  return true;
}

static bool read_size(const char *text, int64_t *out_size)
{
  char *end = NULL;

  errno = 0;
  *out_size = strtoll(text, &end, 10);
  return !errno && isdigit((unsigned char)*text) && !*end && *out_size > 0 &&
         *out_size <= largest_size;
}

static hone_status refuse_name(const struct hone__onnx *onnx, const struct sought *sought)
{
  struct options options = {.all = true};
  hone_status status;

  each_dynamic(onnx, add_option, &options);
  if (options.text.length)
    status = hone__error(HONE_INVALID_ARGUMENT, "no input has a dynamic dim '%.*s': give%s",
                         (int)sought->length, sought->name, options.text.data);
  else
    status = hone__error(HONE_INVALID_ARGUMENT,
                         "no input has a dynamic dim '%.*s': all sizes are fixed in the file",
                         (int)sought->length, sought->name);
  hone__text_release(&options.text);
  return status;
}

hone_status hone__onnx_fix(struct hone__onnx *onnx, const char *dim)
{
  const char *sign = strrchr(dim, '=');
  struct sought sought = {.name = dim, .length = sign ? (size_t)(sign - dim) : 0};

  if (!sign || !sought.length || !read_size(sign + 1, &sought.size))
    return hone__error(HONE_INVALID_ARGUMENT,
                       "'--dim %s' has no size: write it as '--dim NAME=SIZE', such as batch=1",
                       dim);
  each_dynamic(onnx, fix_dim, &sought);
  return sought.found ? NULL : refuse_name(onnx, &sought);
}

void hone__onnx_fix_input(struct hone__onnx *onnx, size_t input, const int64_t *sizes, size_t rank)
{
  struct hone__onnx_input *found = input < onnx->input_count ? &onnx->inputs[input] : NULL;

  for (size_t i = 0; found && found->rank == rank && i < rank; i++)
    if (found->dims[i].size < 0 && sizes[i] > 0) found->dims[i].size = sizes[i];
}

/* "x: p2o.0 x 3 x 48 x ?" */
static void print_input(const struct hone__onnx_input *input, struct hone__text *text)
{
  hone__text_addf(text, "%s%s[", text->length ? ", " : "", input->name);
  for (size_t i = 0; i < input->rank; i++) {
    hone__text_add(text, i ? ", " : "");
    if (input->dims[i].size < 0)
      hone__text_add(text, input->dims[i].name);
    else
      hone__text_addf(text, "%lld", (long long)input->dims[i].size);
  }
  hone__text_add(text, "]");
}

static bool is_open(const struct hone__onnx_input *input)
{
  for (size_t i = 0; i < input->rank; i++)
    if (input->dims[i].size < 0) return true;
  return false;
}

hone_status hone__onnx_check(const struct hone__onnx *onnx)
{
  struct options options = {0};
  struct hone__text inputs = {0};
  hone_status status = NULL;

  for (size_t i = 0; i < onnx->input_count; i++)
    if (is_open(&onnx->inputs[i])) print_input(&onnx->inputs[i], &inputs);
  each_dynamic(onnx, add_option, &options);
  if (options.text.length)
    status = hone__error(HONE_INVALID_ARGUMENT, "sizes of inputs are not fixed: %s: give%s",
                         inputs.data, options.text.data);
  hone__text_release(&options.text);
  hone__text_release(&inputs);
  return status;
}

bool hone__onnx_is_changed(const struct hone__onnx *onnx)
{
  if (onnx->has_slash) return true;
  for (size_t i = 0; i < onnx->input_count; i++)
    for (size_t k = 0; k < onnx->inputs[i].rank; k++)
      if (onnx->inputs[i].dims[k].is_dynamic && onnx->inputs[i].dims[k].size > 0) return true;
  return false;
}

/* ---- Writing ---- */

static void write_number(struct hone__text *out, uint64_t value)
{
  do {
    char byte = (char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
    hone__text_addn(out, &byte, 1);
    value >>= 7;
  } while (value);
}

static void write_bytes(struct hone__text *out, unsigned number, const struct hone__text *bytes)
{
  write_number(out, (uint64_t)number << 3 | WIRE_BYTES);
  write_number(out, bytes->length);
  if (bytes->length) hone__text_addn(out, bytes->data, bytes->length);
}

static void copy_field(struct hone__text *out, const struct field *field)
{
  hone__text_addn(out, field->begin, (size_t)(field->end - field->begin));
}

/* The message with the field of this number replaced. */
static void write_with(struct hone__text *out, struct message message, unsigned number,
                       const struct hone__text *bytes)
{
  struct field field;

  while (next_field(&message, &field))
    if (!is_bytes(&field, number)) copy_field(out, &field);
  write_bytes(out, number, bytes);
}

/* A dim of no size and no name stays open: it follows from the inputs. */
static void write_dim(struct hone__text *out, int64_t size)
{
  struct hone__text bytes = {0};

  if (size > 0) {
    write_number(&bytes, DIM_VALUE << 3 | WIRE_NUMBER);
    write_number(&bytes, (uint64_t)size);
  }
  write_bytes(out, SHAPE_DIM, &bytes);
  hone__text_release(&bytes);
}

static void write_shape(struct hone__text *out, struct message shape,
                        const struct hone__onnx_input *input)
{
  struct hone__arena arena = {0};
  struct field field;
  size_t index = 0;

  while (next_field(&shape, &field)) {
    if (!is_bytes(&field, SHAPE_DIM)) continue;
    if (input && index < input->rank)
      write_dim(out, input->dims[index].size);
    else
      write_dim(out, read_dim(field.inside, "", index, &arena).size);
    index++;
  }
  hone__arena_release(&arena);
}

/* An input with its sizes, or an output (NULL) with those of its sizes that are fixed. */
static void write_value(struct hone__text *out, unsigned number, struct message value,
                        const struct hone__onnx_input *input)
{
  struct hone__text shape = {0}, tensor = {0}, type = {0}, whole = {0};
  struct message old = find(value, VALUE_TYPE), old_tensor = find(old, TYPE_TENSOR);

  write_shape(&shape, find(old_tensor, TENSOR_TYPE_SHAPE), input);
  write_with(&tensor, old_tensor, TENSOR_TYPE_SHAPE, &shape);
  write_with(&type, old, TYPE_TENSOR, &tensor);
  write_with(&whole, value, VALUE_TYPE, &type);
  write_bytes(out, number, &whole);
  hone__text_release(&whole);
  hone__text_release(&type);
  hone__text_release(&tensor);
  hone__text_release(&shape);
}

static const struct hone__onnx_input *find_input(const struct hone__onnx *onnx,
                                                 struct message value)
{
  struct message name = find(value, VALUE_NAME);

  for (size_t i = 0; name.at && i < onnx->input_count; i++)
    if (is_same(name, (struct message){onnx->inputs[i].name,
                                       onnx->inputs[i].name + strlen(onnx->inputs[i].name)}))
      return &onnx->inputs[i];
  return NULL;
}

/* It becomes a function's name and a part of the names of files. */
static void write_name(struct hone__text *out, struct message name)
{
  struct hone__text changed = {0};

  hone__text_addn(&changed, name.at, (size_t)(name.end - name.at));
  for (size_t i = 0; i < changed.length; i++)
    if (changed.data[i] == '/') changed.data[i] = '_';
  write_bytes(out, GRAPH_NAME, &changed);
  hone__text_release(&changed);
}

static void write_graph(struct hone__text *out, struct message graph, const struct hone__onnx *onnx)
{
  struct field field;

  while (next_field(&graph, &field)) {
    const struct hone__onnx_input *input =
        is_bytes(&field, GRAPH_INPUT) ? find_input(onnx, field.inside) : NULL;
    bool has_shape =
        is_bytes(&field, GRAPH_OUTPUT) &&
        find(find(find(field.inside, VALUE_TYPE), TYPE_TENSOR), TENSOR_TYPE_SHAPE).at != NULL;
    if (is_bytes(&field, GRAPH_VALUE_INFO)) continue;
    if (is_bytes(&field, GRAPH_NAME))
      write_name(out, field.inside);
    else if (input && input->rank)
      write_value(out, GRAPH_INPUT, field.inside, input);
    else if (has_shape)
      write_value(out, GRAPH_OUTPUT, field.inside, NULL);
    else
      copy_field(out, &field);
  }
}

void hone__onnx_write(const char *bytes, size_t size, const struct hone__onnx *onnx,
                      struct hone__text *out_bytes)
{
  struct message model = {bytes, bytes + size};
  struct hone__text graph = {0};
  struct field field;

  while (next_field(&model, &field)) {
    if (!is_bytes(&field, MODEL_GRAPH)) {
      copy_field(out_bytes, &field);
      continue;
    }
    write_graph(&graph, field.inside, onnx);
    write_bytes(out_bytes, MODEL_GRAPH, &graph);
    hone__text_release(&graph);
  }
}
