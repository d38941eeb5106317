/* The header of a .npy file is a magic, a version, a length, and the text of a Python dictionary:
 *   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
 * A small reader takes exactly these three keys, in any order. The bytes may come from anywhere:
 * every step looks at the end first, and no product of sizes is formed unchecked. */
#include "base/npy.h"

static const char magic[] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};
enum { ALIGNMENT = 64 };

struct reader {
  const char *at, *end;
  struct hone__npy *npy;
};

static hone_status bad(const char *what)
{
  return hone__error(HONE_INVALID_SPEC, "not a .npy file: %s", what);
}

/* ---- Tokens ---- */

static void skip_blanks(struct reader *reader)
{
  while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) && *reader->at)
    reader->at++;
}

static bool take(struct reader *reader, char expected)
{
  skip_blanks(reader);
  if (reader->at == reader->end || *reader->at != expected) return false;
  reader->at++;
  return true;
}

static bool take_word(struct reader *reader, const char *word)
{
  size_t length = strlen(word);

  skip_blanks(reader);
  if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, word, length) != 0)
    return false;
  reader->at += length;
  return true;
}

static bool take_string(struct reader *reader, char *out, size_t size)
{
  const char *begin, *close;
  size_t length;

  if (!take(reader, '\'') && !take(reader, '"')) return false;
  begin = reader->at;
  close = memchr(begin, begin[-1], (size_t)(reader->end - begin));
  if (!close) return false;
  length = (size_t)(close - begin);
  if (length >= size) return false;
  for (size_t i = 0; i < length; i++)
    if (begin[i] < ' ' || begin[i] > '~' || begin[i] == '\\') return false;
  memcpy(out, begin, length);
  out[length] = 0;
  reader->at = close + 1;
  return true;
}

static bool take_size(struct reader *reader, size_t *out)
{
  const char *begin;

  skip_blanks(reader);
  *out = 0;
  for (begin = reader->at; reader->at < reader->end; reader->at++) {
    unsigned digit = (unsigned char)*reader->at - (unsigned)'0';
    if (digit > 9) break;
    if (__builtin_mul_overflow(*out, 10, out) || __builtin_add_overflow(*out, digit, out))
      return false;
  }
  if (begin == reader->at) return false;
  take(reader, 'L'); /* Python 2 wrote 3L */
  return true;
}

/* ---- The values of the three keys ---- */

static bool descr_is(const char *descr, const char *known)
{
  bool order_matters = known[2] != '1'; /* bytes have no order, and both signs are seen */

  return strcmp(descr + 1, known + 1) == 0 &&
         (order_matters ? *descr == '<' || (*descr == '|' && known[1] == 'V')
                        : strchr("<>|=", *descr) != NULL);
}

static bool find_descr(const char *descr, struct hone__npy *npy)
{
  for (int i = 0; i < HONE__ELEMENT_COUNT; i++) {
    if (!descr_is(descr, hone__element_info((enum hone__element)i)->descr)) continue;
    npy->element = (enum hone__element)i;
    npy->opaque = descr[1] == 'V';
    return true;
  }
  npy->element = HONE__ELEMENT_F8E4M3; /* ml_dtypes has called its f8 so */
  npy->opaque = true;
  return descr_is(descr, "|f1");
}

static hone_status read_descr(struct reader *reader)
{
  char descr[16];

  if (take(reader, '['))
    return hone__error(HONE_INVALID_SPEC, "arrays of records are not supported");
  if (!take_string(reader, descr, sizeof descr) || !*descr) return bad("its 'descr' is not a type");
  if (find_descr(descr, reader->npy)) return NULL;
  if (*descr == '>')
    return hone__error(HONE_INVALID_SPEC,
                       "its elements '%s' are big endian; save it with array.astype('<%s')", descr,
                       descr + 1);
  return hone__error(HONE_INVALID_SPEC, "its element type '%s' is not supported (supported: %s)",
                     descr, hone__element_names());
}

static hone_status read_order(struct reader *reader)
{
  reader->npy->fortran = take_word(reader, "True");
  if (reader->npy->fortran || take_word(reader, "False")) return NULL;
  return bad("its 'fortran_order' is neither True nor False");
}

/* (), (3,), (3, 4), (3, 4,) */
static hone_status read_shape(struct reader *reader)
{
  struct hone__npy *npy = reader->npy;

  if (!take(reader, '(')) return bad("its 'shape' is not a tuple");
  while (!take(reader, ')')) {
    if (npy->dimensions == HONE__NPY_DIMENSIONS)
      return hone__error(HONE_INVALID_SPEC, "it has more than %d dimensions", HONE__NPY_DIMENSIONS);
    if (!take_size(reader, &npy->shape[npy->dimensions++]))
      return bad("its 'shape' holds something other than sizes");
    if (!take(reader, ',') && (reader->at == reader->end || *reader->at != ')'))
      return bad("its 'shape' does not end");
  }
  return NULL;
}

static const struct key {
  const char *name;
  hone_status (*read)(struct reader *reader);
} keys[] = {{"descr", read_descr}, {"fortran_order", read_order}, {"shape", read_shape}};
enum { KEYS = sizeof keys / sizeof *keys };

static hone_status read_pair(struct reader *reader, bool *seen)
{
  hone_status status;
  char name[32];
  size_t i;

  if (!take_string(reader, name, sizeof name) || !take(reader, ':'))
    return bad("its header is not a dictionary");
  for (i = 0; i < KEYS && strcmp(name, keys[i].name) != 0; i++)
    ;
  if (i == KEYS) return bad("its header has an unknown key");
  if (seen[i]) return bad("its header has a duplicate key");
  seen[i] = true;
  status = keys[i].read(reader);
  if (status) return status;
  skip_blanks(reader);
  if (!take(reader, ',') && (reader->at == reader->end || *reader->at != '}'))
    return bad("its header does not end");
  return NULL;
}

static hone_status read_dictionary(struct reader *reader)
{
  bool seen[KEYS] = {false};

  if (!take(reader, '{')) return bad("its header is not a dictionary");
  while (!take(reader, '}')) {
    hone_status status = read_pair(reader, seen);
    if (status) return status;
  }
  for (size_t i = 0; i < KEYS; i++)
    if (!seen[i]) return bad("its header lacks 'descr', 'fortran_order' or 'shape'");
  skip_blanks(reader);
  return reader->at == reader->end ? NULL
                                   : bad("unexpected text after the dictionary in its header");
}

/* ---- The file ---- */

/* Finds where the dictionary and where the elements begin. */
static hone_status read_preamble(const unsigned char *bytes, size_t size, size_t *out_begin,
                                 size_t *out_end)
{
  size_t length = 0;

  if (size < 10 || memcmp(bytes, magic, sizeof magic) != 0)
    return bad("the magic number is missing");
  if (bytes[6] < 1 || bytes[6] > 3)
    return hone__error(HONE_INVALID_SPEC,
                       "version %d.%d of the format is not supported (supported: 1, 2 and 3)",
                       bytes[6], bytes[7]);
  *out_begin = bytes[6] == 1 ? 10 : 12;
  if (size < *out_begin) return bad("its header is truncated");
  for (size_t i = *out_begin; i-- > 8;)
    length = length << 8 | bytes[i];
  if (length > size - *out_begin) return bad("its header is truncated");
  *out_end = *out_begin + length;
  return NULL;
}

/* A size of 0 makes it empty however large the others are. */
static bool count_elements(struct hone__npy *npy)
{
  bool fits = true;

  npy->count = 1;
  for (size_t i = 0; i < npy->dimensions; i++)
    if (npy->shape[i] == 0) npy->count = 0;
  for (size_t i = 0; i < npy->dimensions && npy->count; i++)
    fits = fits && !__builtin_mul_overflow(npy->count, npy->shape[i], &npy->count);
  return fits;
}

static hone_status check_size(struct hone__npy *npy, size_t size)
{
  size_t bytes, held = size - npy->offset;

  if (!count_elements(npy) ||
      __builtin_mul_overflow(npy->count, hone__element_size(npy->element), &bytes))
    return hone__error(HONE_INVALID_SPEC, "its shape does not fit into memory");
  if (bytes <= held) return NULL;
  return hone__error(HONE_INVALID_SPEC,
                     "it is truncated: expected %zu bytes of elements, found %zu", bytes, held);
}

hone_status hone__npy_parse(const void *bytes, size_t size, struct hone__npy *out)
{
  struct reader reader = {.npy = out};
  hone_status status;
  size_t begin = 0;

  *out = (struct hone__npy){0};
  status = read_preamble(bytes, size, &begin, &out->offset);
  if (status) return status;
  reader.at = (const char *)bytes + begin;
  reader.end = (const char *)bytes + out->offset;
  status = read_dictionary(&reader);
  return status ? status : check_size(out, size);
}

bool hone__npy_holds(const struct hone__npy *npy, enum hone__element element)
{
  const struct hone__element_info *held = hone__element_info(npy->element);
  const struct hone__element_info *wanted = hone__element_info(element);

  if (wanted->descr[1] != 'V') return !npy->opaque && npy->element == element;
  return held->size == wanted->size && (npy->opaque || held->kind == HONE__KIND_UNSIGNED);
}

void hone__npy_header(enum hone__element element, const size_t *shape, size_t dimensions,
                      struct hone__text *out)
{
  struct hone__text header = {0};
  char length[2];

  hone__text_addf(&header, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                  hone__element_info(element)->descr);
  for (size_t i = 0; i < dimensions && i < HONE__NPY_DIMENSIONS; i++)
    hone__text_addf(&header, "%zu%s", shape[i],
                    dimensions == 1      ? ","
                    : i + 1 < dimensions ? ", "
                                         : "");
  hone__text_add(&header, "), }");
  while ((sizeof magic + 4 + header.length + 1) % ALIGNMENT)
    hone__text_add(&header, " ");
  hone__text_add(&header, "\n");
  length[0] = (char)(header.length & 0xff);
  length[1] = (char)(header.length >> 8);
  hone__text_addn(out, magic, sizeof magic);
  hone__text_addn(out, "\x01\x00", 2);
  hone__text_addn(out, length, 2);
  hone__text_addn(out, header.data, header.length);
  hone__text_release(&header);
}
