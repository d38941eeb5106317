/* Entries of functions are found by name, in units and namespaces. A function of C++ may have many
 * instances with one name: the variable that points to one has its type, and an instance with the
 * same type has the names of parameters.
 */
#include "source/debug_info.h"

#include "base/file.h"
#include "base/text.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <unistd.h>

enum {
  MOST_STEPS = 64,     /* from a type to what it stands for */
  MOST_INSTANCES = 256 /* whose namespace is looked at */
};

struct lookup {
  const char *source, *entry, *name, *pointer;
  struct hone__text scope; /* the namespaces that are visited: "ns::" */
  struct hone__arena *arena;
  struct hone__prototype *out;
  Dwarf_Die type; /* of the pointer's function */
  bool has_type;
  Dwarf_Off declared[MOST_INSTANCES]; /* the entry's namespace declares these */
  size_t declared_count, found;
  bool is_exact; /* what was found is in the entry's namespace, not in one that is used or inline */
};

/* ---- Types ---- */

static bool type_of(Dwarf_Die *die, Dwarf_Die *out_type)
{
  Dwarf_Attribute attribute;

  return dwarf_attr_integrate(die, DW_AT_type, &attribute) &&
         dwarf_formref_die(&attribute, out_type);
}

static bool is_qualifier(int tag)
{
  return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
         tag == DW_TAG_atomic_type;
}

static bool is_address(int tag)
{
  return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
         tag == DW_TAG_rvalue_reference_type;
}

/* Without qualifiers, and without names if `typedefs`; false: it is void. */
static bool strip(Dwarf_Die *type, bool typedefs)
{
  for (int i = 0; i < MOST_STEPS; i++) {
    int tag = dwarf_tag(type);
    if (!is_qualifier(tag) && !(typedefs && tag == DW_TAG_typedef)) return true;
    if (!type_of(type, type)) return false;
  }
  return false;
}

static bool float_of(const char *name, Dwarf_Word size, enum hone__element *out)
{
  *out = size == 8                      ? HONE__ELEMENT_F64
         : size == 4                    ? HONE__ELEMENT_F32
         : name && strstr(name, "bf16") ? HONE__ELEMENT_BF16
                                        : HONE__ELEMENT_F16;
  return size == 8 || size == 4 || size == 2;
}

static bool integer_of(bool is_signed, Dwarf_Word size, enum hone__element *out)
{
  static const enum hone__element elements[][2] = {{HONE__ELEMENT_U8, HONE__ELEMENT_I8},
                                                   {HONE__ELEMENT_U16, HONE__ELEMENT_I16},
                                                   {HONE__ELEMENT_U32, HONE__ELEMENT_I32},
                                                   {HONE__ELEMENT_U64, HONE__ELEMENT_I64}};

  for (size_t i = 0; i < 4; i++)
    if (size == (Dwarf_Word)1 << i) {
      *out = elements[i][is_signed];
      return true;
    }
  return false;
}

static Dwarf_Word number_of(Dwarf_Die *die, unsigned name)
{
  Dwarf_Attribute attribute;
  Dwarf_Word number = 0;

  if (!dwarf_attr_integrate(die, name, &attribute)) return 0;
  return dwarf_formudata(&attribute, &number) == 0 ? number : 0;
}

static bool base_element(Dwarf_Die *type, enum hone__element *out)
{
  Dwarf_Word size = number_of(type, DW_AT_byte_size);

  switch (number_of(type, DW_AT_encoding)) {
  case DW_ATE_float: return float_of(dwarf_diename(type), size, out);
  case DW_ATE_signed:
  case DW_ATE_signed_char: return integer_of(true, size, out);
  case DW_ATE_unsigned:
  case DW_ATE_unsigned_char:
  case DW_ATE_UTF: return integer_of(false, size, out);
  case DW_ATE_boolean: *out = HONE__ELEMENT_BOOL; return size == 1;
  default: return false;
  }
}

/* Of a number or an enumeration. */
static bool element_of(Dwarf_Die *type, enum hone__element *out)
{
  switch (dwarf_tag(type)) {
  case DW_TAG_base_type: return base_element(type, out);
  case DW_TAG_enumeration_type: return integer_of(true, number_of(type, DW_AT_byte_size), out);
  default: return false;
  }
}

/* ---- Their texts ---- */

static const char *word_of(int tag)
{
  switch (tag) {
  case DW_TAG_structure_type: return "struct ";
  case DW_TAG_union_type: return "union ";
  case DW_TAG_enumeration_type: return "enum ";
  case DW_TAG_const_type: return "const ";
  case DW_TAG_volatile_type: return "volatile ";
  case DW_TAG_restrict_type: return "restrict ";
  case DW_TAG_atomic_type: return "_Atomic ";
  case DW_TAG_pointer_type: return "*";
  case DW_TAG_reference_type: return "&";
  case DW_TAG_rvalue_reference_type: return "&&";
  default: return "";
  }
}

static bool is_cplusplus(Dwarf_Die *die)
{
  Dwarf_Die unit;

  dwarf_diecu(die, &unit, NULL, NULL);
  switch (dwarf_srclang(&unit)) {
  case DW_LANG_C_plus_plus:
  case DW_LANG_C_plus_plus_03:
  case DW_LANG_C_plus_plus_11:
  case DW_LANG_C_plus_plus_14: return true;
  default: return false;
  }
}

/* As sources have it; compilers differ. */
static const char *usual_name(const char *name)
{
  static const char *const names[][2] = {{"short int", "short"},
                                         {"long int", "long"},
                                         {"long long int", "long long"},
                                         {"short unsigned int", "unsigned short"},
                                         {"long unsigned int", "unsigned long"},
                                         {"long long unsigned int", "unsigned long long"}};

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i][0]) == 0) return names[i][1];
  return name;
}

static void print_name(Dwarf_Die *type, struct hone__text *out)
{
  const char *name = dwarf_diename(type);

  if (!is_cplusplus(type)) hone__text_add(out, word_of(dwarf_tag(type)));
  hone__text_addf(out, "%s ", name ? usual_name(name) : "(unnamed)");
}

/* "const float *restrict ": qualifiers of a pointer stand after its star, others first. */
static void print_type(Dwarf_Die *type, unsigned depth, struct hone__text *out)
{
  int tag = dwarf_tag(type);
  Dwarf_Die inner;
  bool has_inner = depth < MOST_STEPS && type_of(type, &inner);

  if (is_qualifier(tag)) {
    bool is_behind = has_inner && is_address(dwarf_tag(&inner));
    if (!is_behind) hone__text_add(out, word_of(tag));
    if (has_inner)
      print_type(&inner, depth + 1, out);
    else
      hone__text_add(out, "void ");
    if (is_behind) hone__text_add(out, word_of(tag));
  } else if (is_address(tag) || tag == DW_TAG_array_type) {
    if (has_inner)
      print_type(&inner, depth + 1, out);
    else
      hone__text_add(out, "void ");
    hone__text_add(out, word_of(tag));
  } else {
    print_name(type, out);
  }
}

static const char *text_of(Dwarf_Die *type, const char *name, struct hone__arena *arena)
{
  struct hone__text text = {0};
  const char *kept;

  print_type(type, 0, &text);
  hone__text_add(&text, name);
  while (text.length && text.data[text.length - 1] == ' ')
    text.data[--text.length] = '\0';
  kept = hone__arena_strdup(arena, text.data);
  hone__text_release(&text);
  return kept;
}

/* ---- Parameters ---- */

/* What a tensor's elements would be: the target of one pointer, or of arrays. */
static bool points_to(Dwarf_Die *type, Dwarf_Die *out_target)
{
  *out_target = *type;
  if (!type_of(type, out_target) || !strip(out_target, true)) return false;
  while (dwarf_tag(out_target) == DW_TAG_array_type)
    if (!type_of(out_target, out_target) || !strip(out_target, true)) return false;
  return true;
}

static bool uses_name(Dwarf_Die type)
{
  for (int i = 0; i < MOST_STEPS; i++) {
    if (dwarf_tag(&type) == DW_TAG_typedef || dwarf_tag(&type) == DW_TAG_enumeration_type)
      return true;
    if (!type_of(&type, &type)) return false;
  }
  return false;
}

static size_t count_children(Dwarf_Die *die)
{
  Dwarf_Die child;
  size_t count = 0;

  if (dwarf_child(die, &child) == 0) do
      count++;
    while (dwarf_siblingof(&child, &child) == 0);
  return count;
}

/* None, if it holds more than numbers. */
static void read_members(struct hone__arena *arena, Dwarf_Die *type, struct hone__parameter *out)
{
  struct hone__parameter *members =
      hone__arena_alloc(arena, (count_children(type) + 1) * sizeof *members);
  size_t count = 0;
  Dwarf_Die child, own;

  if (dwarf_child(type, &child) != 0) return;
  do {
    const char *name = dwarf_diename(&child);
    struct hone__parameter *member = &members[count];
    if (dwarf_tag(&child) != DW_TAG_member) continue;
    *member = (struct hone__parameter){.text = "", .has_element = true};
    if (!name || dwarf_hasattr(&child, DW_AT_data_bit_offset) || !type_of(&child, &own) ||
        !strip(&own, true) || !element_of(&own, &member->element))
      return;
    member->name = hone__arena_strdup(arena, name);
    count++;
  } while (dwarf_siblingof(&child, &child) == 0);
  out->members = members;
  out->member_count = count;
}

static bool is_struct(Dwarf_Die *type)
{
  int tag = dwarf_tag(type);

  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

static void set_type(struct hone__arena *arena, Dwarf_Die *type, struct hone__parameter *out)
{
  Dwarf_Die plain = *type, target;
  int tag;

  out->is_named = uses_name(*type);
  if (!strip(&plain, true)) return;
  tag = dwarf_tag(&plain);
  out->is_pointer = is_address(tag);
  out->is_enum = tag == DW_TAG_enumeration_type;
  if (out->is_pointer && !points_to(&plain, &target)) return;
  out->has_element = element_of(out->is_pointer ? &target : &plain, &out->element);
  if (out->is_pointer && is_struct(&target)) {
    out->target_bytes = number_of(&target, DW_AT_byte_size);
    read_members(arena, &target, out);
  } else if (is_struct(&plain)) {
    out->struct_bytes = number_of(&plain, DW_AT_byte_size);
    read_members(arena, &plain, out);
  }
}

static bool read_parameter(struct lookup *l, Dwarf_Die *die, struct hone__parameter *out)
{
  const char *name = dwarf_diename(die);
  Dwarf_Die type;

  *out = (struct hone__parameter){.name = hone__arena_strdup(l->arena, name ? name : "")};
  if (!type_of(die, &type)) return false;
  out->text = text_of(&type, out->name, l->arena);
  dwarf_decl_line(die, &out->line);
  set_type(l->arena, &type, out);
  return true;
}

static void read_return(struct lookup *l, Dwarf_Die *die, struct hone__prototype *out)
{
  struct hone__parameter *parameter = hone__arena_alloc(l->arena, sizeof *parameter);
  Dwarf_Die type;

  *parameter = (struct hone__parameter){.name = "", .text = "void"};
  if (type_of(die, &type)) {
    parameter->text = text_of(&type, "", l->arena);
    set_type(l->arena, &type, parameter);
  }
  out->returns = parameter;
}

/* Of a function, or of the type of one. */
static bool read_function(struct lookup *l, Dwarf_Die *die, struct hone__prototype *out)
{
  const char *file = dwarf_decl_file(die);
  Dwarf_Die child;

  *out = (struct hone__prototype){0};
  out->parameters =
      hone__arena_alloc(l->arena, (count_children(die) + 1) * sizeof *out->parameters);
  dwarf_decl_line(die, &out->line);
  if (file && strcmp(file, l->source) != 0) out->file = hone__arena_strdup(l->arena, file);
  read_return(l, die, out);
  if (dwarf_child(die, &child) != 0) return true;
  do {
    int tag = dwarf_tag(&child);
    if (tag == DW_TAG_unspecified_parameters) return false;
    if (tag == DW_TAG_formal_parameter &&
        !read_parameter(l, &child, &out->parameters[out->count++]))
      return false;
  } while (dwarf_siblingof(&child, &child) == 0);
  return true;
}

/* ---- Finding it ---- */

/* `conv` is the name of `conv<4, float>`. */
static bool has_name(const struct lookup *l, Dwarf_Die *die)
{
  const char *own = dwarf_diename(die);
  size_t length = strlen(l->name);
  char end = l->pointer && strchr(l->entry, '<') ? '<' : '\0';

  return own && strncmp(own, l->name, length) == 0 && own[length] == end;
}

/* Whether the entry is of the namespace that is visited. */
static bool is_here(const struct lookup *l)
{
  return strncmp(l->entry, l->scope.data, l->scope.length) == 0 &&
         strcspn(l->entry, "<") == l->scope.length + strlen(l->name);
}

static bool same_names(const struct hone__prototype *a, const struct hone__prototype *b)
{
  for (size_t i = 0; i < a->count; i++)
    if (strcmp(a->parameters[i].name, b->parameters[i].name) != 0) return false;
  return true;
}

/* Definitions stand outside of their namespaces, and refer to a declaration in them. */
static bool is_declared(const struct lookup *l, Dwarf_Die *die)
{
  Dwarf_Attribute attribute;
  Dwarf_Die declaration;

  if (!dwarf_attr(die, DW_AT_specification, &attribute) ||
      !dwarf_formref_die(&attribute, &declaration))
    return is_here(l);
  for (size_t i = 0; i < l->declared_count; i++)
    if (l->declared[i] == dwarf_dieoffset(&declaration)) return true;
  return false;
}

/* An instance with the type of the pointer. Of several with other names, none is certain. */
static void take_instance(struct lookup *l, Dwarf_Die *die)
{
  struct hone__prototype own;
  bool is_exact = is_declared(l, die);

  if (dwarf_hasattr(die, DW_AT_declaration)) return;
  if (l->is_exact && !is_exact) return;
  if (!read_function(l, die, &own) || !hone__prototype_is_same(&own, l->out)) return;
  if (is_exact && !l->is_exact) l->found = 0;
  l->is_exact = is_exact;
  if (l->found++ && !same_names(&own, l->out))
    for (size_t i = 0; i < own.count; i++)
      own.parameters[i].name = "";
  own.returns = l->out->returns;
  *l->out = own;
}

/* A function with a name of C has no other. */
static void take_function(struct lookup *l, Dwarf_Die *die)
{
  if (dwarf_hasattr_integrate(die, DW_AT_linkage_name) || dwarf_hasattr(die, DW_AT_declaration) ||
      !dwarf_hasattr_integrate(die, DW_AT_external))
    return;
  if (read_function(l, die, l->out)) l->found++;
}

static void take_pointer(struct lookup *l, Dwarf_Die *die)
{
  if (!type_of(die, &l->type) || !strip(&l->type, true)) return;
  if (dwarf_tag(&l->type) != DW_TAG_pointer_type || !type_of(&l->type, &l->type)) return;
  l->has_type = strip(&l->type, true) && dwarf_tag(&l->type) == DW_TAG_subroutine_type;
}

typedef void (*visitor)(struct lookup *l, Dwarf_Die *die);

static void visit_pointer(struct lookup *l, Dwarf_Die *die)
{
  const char *name = dwarf_tag(die) == DW_TAG_variable ? dwarf_diename(die) : NULL;

  if (name && !l->has_type && strcmp(name, l->pointer) == 0) take_pointer(l, die);
}

static void visit_declaration(struct lookup *l, Dwarf_Die *die)
{
  if (dwarf_tag(die) != DW_TAG_subprogram || !has_name(l, die) || !is_here(l)) return;
  if (l->declared_count < MOST_INSTANCES) l->declared[l->declared_count++] = dwarf_dieoffset(die);
}

static void visit_function(struct lookup *l, Dwarf_Die *die)
{
  if (dwarf_tag(die) != DW_TAG_subprogram || !has_name(l, die)) return;
  if (l->pointer)
    take_instance(l, die);
  else
    take_function(l, die);
}

static void visit_scope(struct lookup *l, Dwarf_Die *scope, visitor visit, unsigned depth);

static void visit_namespace(struct lookup *l, Dwarf_Die *die, visitor visit, unsigned depth)
{
  const char *name = dwarf_diename(die);
  size_t length = l->scope.length;

  if (name) hone__text_addf(&l->scope, "%s::", name);
  visit_scope(l, die, visit, depth);
  l->scope.data[l->scope.length = length] = '\0';
}

static void visit_scope(struct lookup *l, Dwarf_Die *scope, visitor visit, unsigned depth)
{
  Dwarf_Die child;

  if (depth > MOST_STEPS || dwarf_child(scope, &child) != 0) return;
  do {
    visit(l, &child);
    if (dwarf_tag(&child) == DW_TAG_namespace) visit_namespace(l, &child, visit, depth + 1);
  } while (dwarf_siblingof(&child, &child) == 0);
}

static void visit_units(struct lookup *l, Dwarf *dwarf, visitor visit)
{
  Dwarf_CU *unit = NULL;
  Dwarf_Die die;

  while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
    visit_scope(l, &die, visit, 0);
}

/* A pointer's type alone has no names and lines; some compilers list no instance that is inlined.
 */
static bool find(struct lookup *l, Dwarf *dwarf)
{
  if (l->pointer) {
    visit_units(l, dwarf, visit_pointer);
    if (!l->has_type || !read_function(l, &l->type, l->out)) return false;
    visit_units(l, dwarf, visit_declaration);
  }
  visit_units(l, dwarf, visit_function);
  return l->found > 0;
}

bool hone__code_debug_info_find(const char *object, const char *source, const char *entry,
                                const char *name, const char *pointer, struct hone__arena *arena,
                                struct hone__prototype *out_prototype)
{
  struct lookup lookup = {.source = source,
                          .entry = entry,
                          .name = name,
                          .pointer = pointer,
                          .arena = arena,
                          .out = out_prototype};
  int file = open(object, O_RDONLY | O_CLOEXEC);
  Dwarf *dwarf = file < 0 ? NULL : dwarf_begin(file, DWARF_C_READ);
  bool is_found;

  *out_prototype = (struct hone__prototype){0};
  hone__text_add(&lookup.scope, "");
  is_found = dwarf && find(&lookup, dwarf);
  if (dwarf) dwarf_end(dwarf);
  hone__text_release(&lookup.scope);
  if (file >= 0) close(file);
  return is_found;
}
