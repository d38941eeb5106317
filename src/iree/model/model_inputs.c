/* Arrays are written as .npy if numpy has the type, else as raw bytes, with the shape in the word.
 * Values are small and, if they may be indices, 0 or 1.
 */
#include "iree/model/model_inputs.h"

#include "base/file.h"
#include "base/npy.h"
#include "check/fill.h"
#include "iree/dispatch/dispatch_element.h"
#include "base/paths.h"
#include "base/utf8.h"
#include "iree/toolset/toolset.h"

#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 1 << 16, MOST_INPUT_BYTES = 1 << 30 };
_Static_assert((int)HONE__NPY_DIMENSIONS <= (int)HONE__MODEL_MOST_DIMS, "shapes of .npy files");
/* Tables of two rows are common: the types of tokens. What lies behind a table is read, but differs
 * from module to module. */
static const double index_end = 2;
static const uint64_t most_elements = (uint64_t)1 << 40;

/* ---- Types ---- */

static const char *const numpy_types[] = {"f16", "f32", "f64", "i1", "i8", "i16", "i32", "i64"};

static bool is_numpy_type(const char *name)
{
  for (size_t i = 0; i < sizeof numpy_types / sizeof *numpy_types; i++)
    if (strcmp(numpy_types[i], name) == 0) return true;
  return false;
}

/* i8 of si8 and ui8: their small values are the same bytes. */
static const char *without_sign(const char *element)
{
  if (hone__starts_with(element, "ui") || hone__starts_with(element, "si")) return element + 1;
  return element;
}

static bool is_known(const char *element)
{
  return *hone__iree_element(element)->name && !hone__starts_with(element, "complex");
}

/* How many elements lie in a byte: i4 and f4 are packed. */
static unsigned elements_in_byte(const char *element)
{
  return strcmp(element, "i4") == 0 || hone__starts_with(element, "f4") ? 2 : 1;
}

/* ---- Files ---- */

static bool write_values(FILE *file, const struct hone__iree_element *element, uint64_t seed,
                         size_t stream, uint64_t count)
{
  struct hone__fill fill = {.seed = seed, .stream = stream};
  size_t size = hone__element_size(element->element);
  unsigned char *block = hone__alloc((size_t)BLOCK * size);
  bool ok = true;

  if (element->low != element->high || element->is_bits) {
    fill.ranged = true;
    fill.low = element->is_bits ? 0 : element->low;
    fill.high = element->is_bits ? 256 : element->low == 0 ? index_end : element->high;
  }
  for (uint64_t at = 0; ok && at < count; at += BLOCK) {
    size_t part = count - at < BLOCK ? (size_t)(count - at) : BLOCK;
    hone__fill(&fill, element->element, block, (size_t)at, part);
    for (size_t i = 0; i < part * size && element->has_no_minus_zero; i++)
      if (block[i] == 0x80) block[i] = 0;
    ok = fwrite(block, size, part, file) == part;
  }
  free(block);
  return ok;
}

static bool write_header(FILE *file, const struct hone__mlir_type *type, enum hone__element element)
{
  size_t shape[HONE__NPY_DIMENSIONS];
  struct hone__text header = {0};
  bool ok;

  for (unsigned i = 0; i < type->rank; i++)
    shape[i] = (size_t)type->dims[i];
  hone__npy_header(element, shape, type->rank, &header);
  ok = fwrite(header.data, 1, header.length, file) == header.length;
  hone__text_release(&header);
  return ok;
}

static hone_status write_array(const char *path, const struct hone__mlir_type *type, bool is_npy,
                               uint64_t seed, size_t stream)
{
  const char *name = without_sign(type->element);
  const struct hone__iree_element *element = hone__iree_element(name);
  FILE *file = fopen(path, "we");
  uint64_t count = 1;
  bool ok = file != NULL;

  for (unsigned i = 0; i < type->rank; i++)
    count *= (uint64_t)type->dims[i];
  count = (count + elements_in_byte(name) - 1) / elements_in_byte(name);
  if (ok && is_npy) ok = write_header(file, type, element->element);
  if (ok) ok = write_values(file, element, seed, stream, count);
  if (file) ok = fclose(file) == 0 && ok;
  return ok ? NULL : hone__path_error("write", path);
}

/* ---- Words ---- */

/* Why no value can be made for it; NULL: one can. */
static const char *why_not(const struct hone__mlir_type *type)
{
  uint64_t count = 1;

  if (!type->element || !is_known(without_sign(type->element)))
    return "values of this type cannot be generated";
  for (unsigned i = 0; i < type->rank; i++) {
    if (type->dims[i] < 0) return "a dim has no fixed size";
    if (type->dims[i] && count > most_elements / (uint64_t)type->dims[i]) return "it is too large";
    count *= (uint64_t)type->dims[i];
  }
  return type->rank > HONE__NPY_DIMENSIONS ? "it has too many dims" : NULL;
}

/* "64x512xf32=1" of tensor<?x512xf32>, as a start; nothing where IREE's tools take only files. */
static void suggest(const struct hone__mlir_type *type, struct hone__text *text)
{
  if (type->element && hone__starts_with(type->element, "complex")) return;
  for (unsigned i = 0; i < type->rank; i++)
    hone__text_addf(text, "%lldx", type->dims[i] < 0 ? 64LL : (long long)type->dims[i]);
  hone__text_addf(text, "%s=1", type->element ? type->element : "f32");
}

/* "--dim input0.0=1 --dim input0.2=N " for each dim without a size. */
static void suggest_dims(const struct hone__model_function *function, size_t index,
                         struct hone__text *text)
{
  const struct hone__mlir_type *type = &function->arguments[index].type;

  for (unsigned i = 0; i < type->rank; i++)
    if (type->dims[i] < 0)
      hone__text_addf(text, "%s--dim input%zu.%u=%s", text->length ? " " : "", index, i,
                      i ? "N" : "1");
}

static hone_status refuse(const struct hone__model_function *function, size_t index)
{
  const struct hone__model_argument *argument = &function->arguments[index];
  struct hone__text example = {0}, dims = {0};
  hone_status status;

  suggest(&argument->type, &example);
  suggest_dims(function, index, &dims);
  status = hone__error(HONE_INVALID_ARGUMENT,
                       "argument %zu of '%s' is %s: %s; give %s%sthe arguments up to it with "
                       "--input=@FILE.npy%s%s",
                       index, function->name, argument->type.text, why_not(&argument->type),
                       dims.length ? dims.data : "", dims.length ? ", or " : "",
                       example.length ? ", or such as --input=" : "",
                       example.length ? example.data : "");
  hone__text_release(&dims);
  hone__text_release(&example);
  return status;
}

/* ---- Dims ---- */

static hone_status refuse_dim(const struct hone__model_function *function, const char *dim)
{
  struct hone__text dims = {0};
  hone_status status;

  for (size_t i = 0; i < function->argument_count; i++)
    suggest_dims(function, i, &dims);
  status = hone__error(HONE_INVALID_ARGUMENT, "'--dim %s' is not a dynamic dim of '%s': %s%s", dim,
                       function->name, dims.length ? "give " : "all its sizes are fixed",
                       dims.length ? dims.data : "");
  hone__text_release(&dims);
  return status;
}

static bool fix_dim(struct hone__model_function *function, const char *dim)
{
  long long size = 0;
  size_t index = 0;
  unsigned place = 0;
  int length = -1;

  if (sscanf(dim, "input%zu.%u=%lld%n", &index, &place, &size, &length) != 3 || length < 0 ||
      dim[length] || size <= 0 || index >= function->argument_count)
    return false;
  if (place >= function->arguments[index].type.rank) return false;
  if (function->arguments[index].type.dims[place] >= 0) return false;
  function->arguments[index].type.dims[place] = size;
  return true;
}

hone_status hone__model_fix_dims(struct hone__model_function *function, const char *const *dims,
                                 size_t dim_count)
{
  for (size_t i = 0; i < dim_count; i++)
    if (!fix_dim(function, dims[i])) return refuse_dim(function, dims[i]);
  return NULL;
}

static bool read_npy_shape(const char *path, int64_t *sizes, size_t *out_rank)
{
  struct hone__npy npy = {0};
  char *bytes = NULL;
  size_t size = 0;
  hone_status status = hone__file_read(path, MOST_INPUT_BYTES, &bytes, &size);

  if (!status) status = hone__npy_parse(bytes, size, &npy);
  for (size_t i = 0; !status && i < npy.dimensions; i++)
    sizes[i] = (int64_t)npy.shape[i];
  *out_rank = npy.dimensions;
  free(bytes);
  hone_status_free(status);
  return !status;
}

bool hone__model_input_shape(const char *input, int64_t sizes[HONE__MODEL_MOST_DIMS],
                             size_t *out_rank)
{
  const char *at = input;
  size_t rank = 0, length;

  *out_rank = 0;
  if (*input == '@') return read_npy_shape(input + 1, sizes, out_rank);
  while ((length = strspn(at, "0123456789")) > 0 && at[length] == 'x') {
    if (rank == HONE__MODEL_MOST_DIMS) return false;
    sizes[rank++] = strtoll(at, NULL, 10);
    at += length + 1;
  }
  *out_rank = rank;
  return rank > 0;
}

static hone_status make_input(const struct hone__model_function *function, size_t index,
                              uint64_t seed, const char *folder, struct hone__words *out_words)
{
  const struct hone__mlir_type *type = &function->arguments[index].type;
  bool is_npy = is_numpy_type(without_sign(type->element));
  struct hone__text path = {0}, word = {0};
  hone_status status = NULL;

  if (!type->is_shaped) {
    hone__text_addf(&word, "--input=%s",
                    *type->element == 'f' || *type->element == 'b' ? "0.5" : "1");
  } else {
    hone__text_addf(&path, "%s/input%zu.%s", folder, index, is_npy ? "npy" : "bin");
    hone__text_add(&word, "--input=");
    for (unsigned i = 0; !is_npy && i < type->rank; i++)
      hone__text_addf(&word, "%lldx", (long long)type->dims[i]);
    if (!is_npy) hone__text_addf(&word, "%s=", type->element);
    hone__text_addf(&word, "@%s", path.data);
    status = hone__path_make_folders(path.data);
    if (!status) status = write_array(path.data, type, is_npy, seed, index);
  }
  hone__words_add(out_words, word.data);
  hone__text_release(&word);
  hone__text_release(&path);
  return status;
}

/* Tools run in other folders: "@x.npy" and "4xbf16=@x.bin" get absolute paths. */
static hone_status add_given(const char *input, size_t index, struct hone__words *out_words)
{
  const char *file = *input == '@' ? input + 1 : strstr(input, "=@");
  char *real;

  if (!hone__utf8_is_text(input))
    return hone__error(HONE_INVALID_ARGUMENT, "input %zu is not valid UTF-8", index);
  if (file && *input != '@') file += 2;
  if (!file) {
    hone__iree_word(out_words, "--input=%s", input);
    return NULL;
  }
  real = hone__realpath(file);
  if (!real) return hone__path_error("open", file);
  hone__iree_word(out_words, "--input=%.*s%s", (int)(file - input), input, real);
  free(real);
  return NULL;
}

hone_status hone__model_inputs(const struct hone__model_function *function,
                               const struct hone_iree_model_options *options, const char *folder,
                               struct hone__words *out_words)
{
  size_t given = options->input_count;
  hone_status status = NULL;

  if (given > function->argument_count)
    return hone__error(HONE_INVALID_ARGUMENT, "'%s' has %zu arguments, but %zu inputs are given",
                       function->name, function->argument_count, given);
  for (size_t i = given; i < function->argument_count; i++)
    if (why_not(&function->arguments[i].type)) return refuse(function, i);
  for (size_t i = 0; !status && i < given; i++)
    status = add_given(options->inputs[i], i, out_words);
  for (size_t i = given; !status && i < function->argument_count; i++)
    status = make_input(function, i, options->seed, folder, out_words);
  return status;
}
