/* Types of numbers as elements, and structs as the numbers that they hold. */
#include "source/clang_types.h"

#include "base/text.h"

static const struct hone__code_clang *clang; /* this process has one */

/* ---- Memory ---- */

void *hone__clang_take(struct hone__clang_facts *facts, size_t size)
{
  void *taken;

  size = (size + 15) & ~(size_t)15;
  if (size > sizeof facts->bytes - facts->used) return NULL;
  taken = facts->bytes + facts->used;
  facts->used += size;
  return taken;
}

const char *hone__clang_keep(struct hone__clang_facts *facts, const char *text)
{
  size_t size = strlen(text) + 1;
  char *kept = hone__clang_take(facts, size);

  return kept ? memcpy(kept, text, size) : "";
}

/* ---- Elements ---- */

static bool is_array(int kind)
{
  return kind == TYPE_CONSTANT_ARRAY || kind == TYPE_INCOMPLETE_ARRAY ||
         kind == TYPE_VARIABLE_ARRAY || kind == TYPE_DEPENDENT_ARRAY;
}

bool hone__clang_is_address(int kind)
{
  return kind == TYPE_POINTER || kind == TYPE_REFERENCE || kind == TYPE_RIGHT_REFERENCE ||
         is_array(kind);
}

static bool integer_of(bool is_signed, long long size, enum hone__element *out)
{
  static const enum hone__element elements[][2] = {{HONE__ELEMENT_U8, HONE__ELEMENT_I8},
                                                   {HONE__ELEMENT_U16, HONE__ELEMENT_I16},
                                                   {HONE__ELEMENT_U32, HONE__ELEMENT_I32},
                                                   {HONE__ELEMENT_U64, HONE__ELEMENT_I64}};

  for (size_t i = 0; i < 4; i++)
    if (size == 1LL << i) {
      *out = elements[i][is_signed];
      return true;
    }
  return false;
}

/* Of a number or an enumeration; kinds 4 to 11 are unsigned, 13 to 19 signed. */
static bool element_of(clang_type type, enum hone__element *out)
{
  static const struct {
    int kind;
    enum hone__element element;
  } others[] = {{TYPE_BOOL, HONE__ELEMENT_BOOL},   {TYPE_FLOAT, HONE__ELEMENT_F32},
                {TYPE_DOUBLE, HONE__ELEMENT_F64},  {TYPE_HALF, HONE__ELEMENT_F16},
                {TYPE_FLOAT16, HONE__ELEMENT_F16}, {TYPE_BFLOAT16, HONE__ELEMENT_BF16}};

  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (type.kind == others[i].kind) {
      *out = others[i].element;
      return true;
    }
  if (type.kind == TYPE_ENUM) return integer_of(true, clang->Type_getSizeOf(type), out);
  if (type.kind < 4 || type.kind > 19 || type.kind == 12) return false;
  return integer_of(type.kind > 12, clang->Type_getSizeOf(type), out);
}

static bool uses_name(clang_type type)
{
  for (int i = 0; i < 16; i++) {
    if (is_array(type.kind))
      type = clang->getArrayElementType(type);
    else if (hone__clang_is_address(type.kind))
      type = clang->getPointeeType(type);
    else
      break;
  }
  return clang->getCanonicalType(type).kind != type.kind || type.kind == TYPE_ENUM;
}

/* What a tensor's elements would be: the target of one pointer, or of arrays. */
static clang_type target_of(clang_type type)
{
  if (!is_array(type.kind)) type = clang->getCanonicalType(clang->getPointeeType(type));
  while (is_array(type.kind))
    type = clang->getCanonicalType(clang->getArrayElementType(type));
  return type;
}

/* Members of members are members, `pos_x` and `gravity_0`, where that changes no place. */
enum { MOST_FIELDS = 64 };

struct fields {
  struct hone__clang_facts *facts;
  struct hone__parameter list[MOST_FIELDS];
  size_t count;
  const char *prefix;
  bool is_plain; /* numbers alone */
};

static void add_member(struct fields *fields, clang_type type, const char *name);

static void add_number(struct fields *fields, enum hone__element element, const char *name)
{
  fields->is_plain &= fields->count < MOST_FIELDS;
  if (!fields->is_plain) return;
  fields->list[fields->count++] =
      (struct hone__parameter){.text = "",
                               .name = hone__clang_keep(fields->facts, name),
                               .has_element = true,
                               .element = element};
}

static void add_array(struct fields *fields, clang_type type, const char *name)
{
  clang_type one = clang->getCanonicalType(clang->getArrayElementType(type));
  long long size = clang->Type_getSizeOf(one), all = clang->Type_getSizeOf(type);

  fields->is_plain &= size > 0 && all > 0 && all / size <= MOST_FIELDS;
  for (long long i = 0; fields->is_plain && i < all / size; i++) {
    struct hone__text own = {0};
    hone__text_addf(&own, "%s_%lld", name, i);
    add_member(fields, one, own.data);
    hone__text_release(&own);
  }
}

static const char *spelling_of(clang_cursor cursor)
{
  const char *text = clang->getCString(clang->getCursorSpelling(cursor));

  return text ? text : "";
}

static int add_field(clang_cursor cursor, void *data)
{
  struct fields *fields = data;
  struct hone__text name = {0};

  hone__text_addf(&name, "%s%s", fields->prefix, spelling_of(cursor));
  fields->is_plain &= !clang->Cursor_isBitField(cursor);
  add_member(fields, clang->getCanonicalType(clang->getCursorType(cursor)), name.data);
  hone__text_release(&name);
  return VISIT_ON;
}

/* Whether these numbers alone are a struct of this size, at any place: its first member has the
 * greatest alignment, and nothing follows the last. */
static bool fills(const struct hone__parameter *list, size_t count, long long size)
{
  size_t end = 0, most = 0;

  for (size_t i = 0; i < count; i++) {
    size_t own = hone__element_info(list[i].element)->size;
    end = (end + own - 1) / own * own + own;
    if (own > most) most = own;
  }
  return count && (long long)end == size && most == hone__element_info(list[0].element)->size;
}

static void add_struct(struct fields *fields, clang_type type, const char *name)
{
  const char *before = fields->prefix;
  size_t first = fields->count;
  struct hone__text prefix = {0};

  hone__text_addf(&prefix, "%s_", name);
  fields->prefix = prefix.data;
  clang->Type_visitFields(type, add_field, fields);
  fields->prefix = before;
  fields->is_plain &=
      fills(fields->list + first, fields->count - first, clang->Type_getSizeOf(type));
  hone__text_release(&prefix);
}

static void add_member(struct fields *fields, clang_type type, const char *name)
{
  enum hone__element element;

  if (!fields->is_plain) return;
  if (element_of(type, &element))
    add_number(fields, element, name);
  else if (type.kind == TYPE_CONSTANT_ARRAY)
    add_array(fields, type, name);
  else if (type.kind == TYPE_RECORD)
    add_struct(fields, type, name);
  else
    fields->is_plain = false;
}

static void read_members(struct hone__clang_facts *facts, clang_type type,
                         struct hone__parameter *out)
{
  struct fields fields = {.facts = facts, .prefix = "", .is_plain = true};
  struct hone__parameter *list;

  clang->Type_visitFields(type, add_field, &fields);
  if (!fields.count || !fields.is_plain) return;
  list = hone__clang_take(facts, fields.count * sizeof *list);
  if (!list) return;
  memcpy(list, fields.list, fields.count * sizeof *list);
  out->members = list;
  out->member_count = fields.count;
}

static size_t bytes_of(clang_type type)
{
  long long size = clang->Type_getSizeOf(type);

  return size > 0 ? (size_t)size : 0;
}

void hone__clang_set_type(const struct hone__code_clang *library, struct hone__clang_facts *facts,
                          clang_type type, struct hone__parameter *out)
{
  clang_type plain, target;

  clang = library;
  plain = clang->getCanonicalType(type);
  out->is_named = uses_name(type);
  out->is_pointer = hone__clang_is_address(plain.kind);
  out->is_enum = plain.kind == TYPE_ENUM;
  target = out->is_pointer ? target_of(plain) : plain;
  out->has_element = element_of(target, &out->element);
  if (target.kind != TYPE_RECORD) return;
  if (out->is_pointer)
    out->target_bytes = bytes_of(target);
  else
    out->struct_bytes = bytes_of(target);
  read_members(facts, target, out);
}

bool hone__clang_element_of(const struct hone__code_clang *library, clang_type type,
                            enum hone__element *out)
{
  clang = library;
  return element_of(type, out);
}
