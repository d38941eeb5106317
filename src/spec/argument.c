/* The arguments of a kernel, as a table that schema.c walks. An argument is of one kind, by the key
 * that it has: a tensor (`shape`), a scalar (`value`), a struct by value (`struct`), in C what the
 * function returns (`return`), and on GPUs also local memory (`local`), the map of a tensor
 * (`tensor_map`) and a sampler (`sampler`). A
 * tensor may be an array of the source (`symbol`) instead of a parameter of the function, or be
 * taken as an image (`texture`, `surface`, `image`). */
#include "base/c_type.h"
#include "spec/rules.h"

enum { MOST_MEMBERS = 256, MOST_MAP_SIZES = 5 };

static const char *const types[] = {"f16", "bf16", "f32", "f64", "i8",   "i16",    "i32",    "i64",
                                    "u8",  "u16",  "u32", "u64", "bool", "f8e4m3", "f8e5m2", NULL};
static const char *const roles[] = {"in", "out", "inout", "scratch", NULL};
static const char *const fills[] = {"auto", "integer", "uniform",  "normal", "randn", "zero",
                                    "one",  "arange",  "constant", "file",   NULL};
const char *const hone__spec_reductions[] = {"sum", "min", "max", "norm", "sorted", NULL};
static const char *const map_fills[] = {"zero", "nan", NULL};
static const char *const filters[] = {"point", "linear", NULL};
static const char *const addresses[] = {"clamp", "border", "wrap", "mirror", NULL};
static const char *const reads[] = {"element", "float", NULL};
static const char *const memories[] = {"array", "linear", NULL};

/* "float *" means f32, as do "float32" and "fp32" of Python. */
static const char *type_of_other_language(const char *word)
{
  static const struct {
    const char *word, *type;
  } others[] = {{"float16", "f16"}, {"fp16", "f16"},     {"bfloat16", "bf16"}, {"float32", "f32"},
                {"fp32", "f32"},    {"float64", "f64"},  {"fp64", "f64"},      {"int8", "i8"},
                {"int16", "i16"},   {"int32", "i32"},    {"int64", "i64"},     {"uint8", "u8"},
                {"uint16", "u16"},  {"uint32", "u32"},   {"uint64", "u64"},    {"boolean", "bool"},
                {"fp8", "f8e4m3"},  {"float8", "f8e4m3"}};
  enum hone__element element;

  if (hone__element_of_c_type(word, strcspn(word, "*&["), &element))
    return hone__element_name(element);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp(others[i].word, word) == 0) return others[i].type;
  return NULL;
}

static const char *text_of(const struct hone__node *mapping, const char *key)
{
  const struct hone__node *node = hone__node_get(mapping, key);

  return node && node->kind == HONE__SCALAR ? node->text : NULL;
}

/* ---- What tensors hold ---- */

/* Which fills a key belongs to, and whether they are nothing without it. */
static const struct fill_key {
  const char *key;
  bool required;
  const char *fills[4];
} fill_keys[] = {
    {"low", false, {"auto", "integer", "uniform"}},
    {"high", false, {"auto", "integer", "uniform"}},
    {"range", false, {"auto", "integer", "uniform"}},
    {"value", true, {"constant"}},
    {"file", true, {"file"}},
};

static void check_fill(struct hone__loader *loader, const struct hone__node *holder,
                       const char *fill)
{
  for (size_t i = 0; i < sizeof fill_keys / sizeof *fill_keys; i++) {
    const struct fill_key *row = &fill_keys[i];
    const struct hone__node *node = hone__node_get(holder, row->key);
    bool belongs = hone__spec_is_one_of(fill, row->fills);
    if (node && !belongs)
      hone__loader_error(loader, node, "'%s' has no effect with fill '%s'", row->key, fill);
    if (!node && belongs && row->required)
      hone__loader_error(loader, holder, "fill '%s' needs '%s'", fill, row->key);
  }
}

static void check_fill_mapping(struct hone__loader *loader, const struct hone__node *node)
{
  if (node->kind == HONE__MAPPING) check_fill(loader, node, text_of(node, "kind"));
}

static void check_range(struct hone__loader *loader, const struct hone__node *range)
{
  double low, high;

  if (range->count == 2 && hone__node_number(range->items[0], &low) &&
      hone__node_number(range->items[1], &high) && low > high)
    hone__loader_error(loader, range, "empty range: %g is greater than %g", low, high);
}

static void refuse(struct hone__loader *loader, const struct hone__node *arg,
                   const char *const *keys, const char *why)
{
  for (; *keys; keys++)
    if (hone__node_get(arg, *keys))
      hone__loader_error(loader, hone__node_get(arg, *keys), "'%s' %s", *keys, why);
}

static void check_tensor_arg(struct hone__loader *loader, const struct hone__node *arg)
{
  static const char *const of_inputs[] = {"fill", "range", "value", "file", NULL};
  static const char *const of_outputs[] = {"check", NULL};
  const struct hone__node *fill = hone__node_get(arg, "fill");
  const char *role = text_of(arg, "role");

  if (!role || strcmp(role, "in") == 0)
    refuse(loader, arg, of_outputs, "applies to outputs: arguments with 'role: out' or 'inout'");
  if (role && strcmp(role, "out") == 0)
    refuse(loader, arg, of_inputs,
           "applies to inputs; use role 'inout' for an output with initial content");
  else if (role && strcmp(role, "scratch") == 0)
    refuse(loader, arg, of_inputs,
           "applies to inputs; what 'scratch' holds before a call is random");
  else if (fill && fill->kind == HONE__MAPPING)
    refuse(loader, arg, of_inputs + 1, "belongs in the mapping under 'fill'");
  else if (fill)
    check_fill(loader, arg, fill->text);
  else
    check_fill(loader, arg,
               hone__node_get(arg, "value")  ? "constant"
               : hone__node_get(arg, "file") ? "file"
                                             : "auto");
}

/* ---- Kinds ---- */

static void check_scalar_arg(struct hone__loader *loader, const struct hone__node *arg)
{
  static const char *const of_tensors[] = {"fill", "range", "file", "check", NULL};
  const char *name = text_of(arg, "name"), *role = text_of(arg, "role");

  if (!hone__node_get(arg, "value"))
    hone__loader_error(loader, arg, "argument '%s' needs a 'shape' (a tensor) or a 'value'", name);
  refuse(loader, arg, of_tensors, "is for tensors, but this argument has no 'shape'");
  if (role && strcmp(role, "in") != 0)
    hone__loader_error(loader, hone__node_get(arg, "role"),
                       "argument '%s' has no 'shape': a scalar can only be an input", name);
}

static void check_local_arg(struct hone__loader *loader, const struct hone__node *arg)
{
  static const char *const others[] = {"fill", "role", "value", "range", "file", "check", NULL};

  refuse(loader, arg, others, "has no effect on local memory, which starts uninitialised");
}

static void check_struct_arg(struct hone__loader *loader, const struct hone__node *arg)
{
  static const char *const others[] = {"type",  "fill", "role",  "value",
                                       "range", "file", "check", NULL};

  refuse(loader, arg, others,
         "cannot be combined with 'struct': its members have types and values");
}

static void check_map_arg(struct hone__loader *loader, const struct hone__node *arg)
{
  static const char *const others[] = {"type",  "fill", "role",  "value",
                                       "range", "file", "check", NULL};

  refuse(loader, arg, others, "cannot be combined with 'tensor_map': it is taken from the tensor");
}

static void check_sampler_arg(struct hone__loader *loader, const struct hone__node *arg)
{
  static const char *const others[] = {"type",  "fill", "role",  "value",
                                       "range", "file", "check", NULL};

  refuse(loader, arg, others, "cannot be combined with 'sampler', which has no content");
}

static void check_return_arg(struct hone__loader *loader, const struct hone__node *arg)
{
  static const char *const others[] = {"fill", "role", "value", "range", "file", NULL};
  const struct hone__node *is_return = hone__node_get(arg, "return");

  refuse(loader, arg, others, "cannot be combined with 'return': it is an output of the function");
  if (is_return->value.type == HONE_BOOL && !is_return->value.integer)
    hone__loader_error(loader, is_return, "'return' takes true; leave it out otherwise");
}

/* The first that an argument has decides. */
static const struct arg_kind {
  const char *key;
  bool has_type;
  void (*check)(struct hone__loader *loader, const struct hone__node *arg);
} arg_kinds[] = {
    {"shape", true, check_tensor_arg},    {"local", true, check_local_arg},
    {"struct", false, check_struct_arg},  {"return", true, check_return_arg},
    {"tensor_map", false, check_map_arg}, {"sampler", false, check_sampler_arg},
    {NULL, true, check_scalar_arg}, /* `value` */
};

static const struct arg_kind *kind_of(const struct hone__node *arg)
{
  const struct arg_kind *kind = arg_kinds;

  while (kind->key && !hone__node_get(arg, kind->key))
    kind++;
  return kind;
}

/* `texture<float, 2> name;` of the source. */
static bool is_reference(const char *first, const char *second)
{
  return strcmp(first, "symbol") == 0 &&
         (strcmp(second, "texture") == 0 || strcmp(second, "surface") == 0);
}

/* A tensor is taken in one of these ways, or as a pointer. */
static void check_way(struct hone__loader *loader, const struct hone__node *arg)
{
  static const char *const ways[] = {"symbol", "texture", "surface", "image"};
  const char *first = NULL;

  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    const struct hone__node *way = hone__node_get(arg, ways[i]);
    if (way && !hone__node_get(arg, "shape"))
      hone__loader_error(loader, way, "'%s' is for tensors: give a 'shape'%s", ways[i],
                         i ? "" : "; 'shape: 1' is a single number");
    if (way && first && !is_reference(first, ways[i]))
      hone__loader_error(loader, way, "'%s' cannot be combined with '%s'", ways[i], first);
    if (way) first = ways[i];
  }
}

/* All configurations have the same answers. */
static void check_when(struct hone__loader *loader, const struct hone__node *arg)
{
  static const char *const wholes[] = {"return", "symbol", NULL};
  const char *role = text_of(arg, "role");

  if (!hone__node_get(arg, "when")) return;
  refuse(loader, arg, wholes, "cannot be combined with 'when'");
  if (role && (strcmp(role, "out") == 0 || strcmp(role, "inout") == 0))
    hone__loader_error(loader, hone__node_get(arg, "when"),
                       "'when' is for inputs and scratch memory: outputs are compared, so all "
                       "configurations have them");
}

void hone__spec_arg_check(struct hone__loader *loader, const struct hone__node *arg)
{
  const struct arg_kind *kind = kind_of(arg);

  if (kind->has_type && !hone__node_get(arg, "type"))
    hone__loader_error(loader, arg, "'type' is missing in 'args'");
  check_way(loader, arg);
  check_when(loader, arg);
  kind->check(loader, arg);
}

/* ---- All of them ---- */

static void check_names(struct hone__loader *loader, const struct hone__node *args)
{
  const struct hone__node *names[HONE__MOST_ARGS] = {0};

  for (size_t i = 0; i < args->count; i++) {
    names[i] = hone__node_get(args->items[i], "name");
    if (names[i] && names[i]->kind != HONE__SCALAR) names[i] = NULL;
    for (size_t k = 0; names[i] && k < i; k++)
      if (names[k] && strcmp(names[i]->text, names[k]->text) == 0)
        hone__loader_error(loader, names[i], "duplicate argument '%s'", names[i]->text);
  }
}

static bool is_tensor(const struct hone__node *args, const char *name)
{
  for (size_t i = 0; i < args->count; i++) {
    const char *own = text_of(args->items[i], "name");
    if (own && strcmp(own, name) == 0) return hone__node_get(args->items[i], "shape");
  }
  return false;
}

static void check_maps(struct hone__loader *loader, const struct hone__node *args)
{
  for (size_t i = 0; i < args->count; i++) {
    const struct hone__node *map = hone__node_get(args->items[i], "tensor_map");
    const struct hone__node *of = map ? hone__node_get(map, "of") : NULL;
    if (of && of->kind == HONE__SCALAR && !is_tensor(args, of->text))
      hone__loader_error(loader, of, "no argument is a tensor named '%s'", of->text);
  }
}

void hone__args_check(struct hone__loader *loader, const struct hone__node *args)
{
  check_names(loader, args);
  check_maps(loader, args);
}

/* ---- The tables ---- */

#define INPUT_VALUE                                                                                \
  .takes = HONE__TAKES_NUMBER | HONE__TAKES_FORMULA, .names = HONE__NAMES_OF_INPUTS
#define CALL_VALUE                                                                                 \
  .takes = HONE__TAKES_BOOLEAN | HONE__TAKES_NUMBER | HONE__TAKES_FORMULA,                         \
  .names = HONE__NAMES_OF_CANDIDATE

static const struct hone__rule fill_mapping[] = {
    {"kind", HONE__RULE_NAMED_BY(fills), .required = true,
     HONE__RULE_DOC(NULL, "kind: normal", "How the values are made.")},
    {"low", INPUT_VALUE, HONE__RULE_DOC("by the type", "low: -1", "The least value.")},
    {"high", INPUT_VALUE,
     HONE__RULE_DOC("by the type", "high: 1", "The upper bound of the values, exclusive.")},
    {"value", INPUT_VALUE,
     HONE__RULE_DOC(NULL, "value: 2", "For `constant`, the value of every element.")},
    {"file", .takes = HONE__TAKES_TEXT,
     HONE__RULE_DOC(NULL, "file: 'x_{N}.npy'",
                    "For `file`, its name: .npy or raw bytes; `{N}` is a size.")},
    {0},
};

static const struct hone__rule member[] = {
    {"name", .takes = HONE__TAKES_NAME, HONE__RULE_DOC(NULL, "name: alpha", "A name for readers.")},
    {"type", HONE__RULE_NAMED_BY(types), .translate = type_of_other_language, .required = true,
     HONE__RULE_DOC(NULL, "type: f64", "Its type.")},
    {"value", CALL_VALUE, .required = true, HONE__RULE_DOC(NULL, "value: N + 1", "Its value.")},
    {0},
};

/* Sizes are in elements, the innermost first. */
static const struct hone__rule tensor_map[] = {
    {"of", .takes = HONE__TAKES_NAME, .required = true,
     HONE__RULE_DOC(NULL, "of: a", "The tensor.")},
    {"box", HONE__RULE_SIZES(MOST_MAP_SIZES), .required = true,
     HONE__RULE_DOC(NULL, "box: [64, BM]", "Sizes in elements, the innermost first.")},
    {"sizes", HONE__RULE_SIZES(MOST_MAP_SIZES),
     HONE__RULE_DOC("the shape, reversed", "sizes: [K, M]", "The sizes of the whole tensor.")},
    {"swizzle", HONE__RULE_WHOLE(0),
     HONE__RULE_DOC("0", "swizzle: 128", "0, 32, 64 or 128 bytes.")},
    {"l2", HONE__RULE_WHOLE(0), HONE__RULE_DOC("0", "l2: 128", "0, 64, 128 or 256 bytes.")},
    {"interleave", HONE__RULE_WHOLE(0),
     HONE__RULE_DOC("0", "interleave: 16", "0, 16 or 32 bytes.")},
    {"fill", HONE__RULE_NAMED_BY(map_fills),
     HONE__RULE_DOC("`zero`", "fill: nan", "The value of reads outside the tensor.")},
    {0},
};

#define CHANNELS                                                                                   \
  {                                                                                                \
    "channels", .takes = HONE__TAKES_INTEGER, HONE__RULE_FROM_TO(1, 4),                            \
                HONE__RULE_DOC("1", "channels: 4", "1, 2 or 4 numbers in an element.")             \
  }
#define LOOKUP                                                                                     \
  {"filter", HONE__RULE_NAMED_BY(filters),                                                         \
   HONE__RULE_DOC("`point`", "filter: linear", "How values between elements are read.")},          \
      {"address", HONE__RULE_NAMED_BY(addresses),                                                  \
       HONE__RULE_DOC("`clamp`", "address: wrap", "The mode of reads outside the image.")},        \
  {                                                                                                \
    "normalized",                                                                                  \
        .takes = HONE__TAKES_BOOLEAN,                                                              \
        HONE__RULE_DOC("false", "normalized: true", "Whether coordinates go from 0 to 1.")         \
  }
#define READ                                                                                       \
  {                                                                                                \
    "read", HONE__RULE_NAMED_BY(reads),                                                            \
        HONE__RULE_DOC("`element`", "read: float", "With float, integers are fractions.")          \
  }

static const struct hone__rule texture[] = {
    CHANNELS,
    LOOKUP,
    READ,
    {"memory", HONE__RULE_NAMED_BY(memories),
     HONE__RULE_DOC("`array`", "memory: linear",
                    "With linear, the texture is the tensor itself, for tex1Dfetch().")},
    {0}};
static const struct hone__rule surface[] = {CHANNELS, {0}};
static const struct hone__rule image[] = {CHANNELS, READ, {0}};
static const struct hone__rule sampler[] = {LOOKUP, {0}};

static const struct hone__rule arg_check[] = {HONE__TOLERANCE_RULES("`check.rtol`", "`check.atol`",
                                                                    "`check.max_mismatched_ratio`",
                                                                    "`check.reduce`"),
                                              {0}};

const struct hone__rule hone__arg_rules[] = {
    {"name", .takes = HONE__TAKES_NAME, .required = true,
     HONE__RULE_DOC(NULL, "name: x", "Its name.")},
    {"type", HONE__RULE_NAMED_BY(types), .translate = type_of_other_language,
     HONE__RULE_DOC("required, unless `struct`, `tensor_map` or `sampler`", "type: f32",
                    "The type of its elements, or of the scalar.")},
    {"shape", HONE__RULE_SIZES(0), .form = 1,
     HONE__RULE_DOC("none: a scalar", "shape: [M, K]", "The sizes of a tensor.")},
    {"local", HONE__RULE_WHOLE(0), .form = 2,
     HONE__RULE_DOC(NULL, "local: BM * BN", "OpenCL: elements of local memory.")},
    {"struct", .takes = HONE__TAKES_KEYS, .list = HONE__LIST_ONLY, .least = 1, .most = MOST_MEMBERS,
     .keys = member, .form = 3,
     HONE__RULE_DOC(NULL, "struct: [{type: i32, value: N}, {type: f64, value: 0.5}]",
                    "The members of a struct that is passed by value.")},
    {"tensor_map", .takes = HONE__TAKES_KEYS, .keys = tensor_map, .form = 4,
     HONE__RULE_DOC(NULL, "tensor_map: {of: a, box: [64, BM]}", "CUDA: a CUtensorMap.")},
    {"fill", .takes = HONE__TAKES_WORD | HONE__TAKES_KEYS, .words = fills, .keys = fill_mapping,
     .also = check_fill_mapping,
     HONE__RULE_DOC("`auto`", "fill: {kind: uniform, low: -1, high: 1}",
                    "The content of an input.")},
    {"role", HONE__RULE_NAMED_BY(roles),
     HONE__RULE_DOC("`in`", "role: out",
                    "What the kernel does with it; `scratch` is not compared.")},
    {"value", CALL_VALUE,
     HONE__RULE_DOC(NULL, "value: N", "The value of a scalar, or of every element of a tensor.")},
    {"range", INPUT_VALUE, .list = HONE__LIST_ONLY, .least = 2, .most = 2, .together = check_range,
     HONE__RULE_DOC("none; integers of more than 8 bits need one", "range: [0, N]",
                    "The range of an input's values; the second number is exclusive.")},
    {"file", .takes = HONE__TAKES_TEXT,
     HONE__RULE_DOC(NULL, "file: 'col_{N}.bin'",
                    "A file with the content of an input: .npy or raw bytes; `{N}` is a size.")},
    {"check", .takes = HONE__TAKES_KEYS, .keys = arg_check,
     HONE__RULE_DOC("`check`", "check: {rtol: 1e-3}", "The tolerances of an output.")},
    {"symbol", .takes = HONE__TAKES_BOOLEAN | HONE__TAKES_TEXT,
     HONE__RULE_DOC("false", "symbol: tables::filter",
                    "An array of the source, with the name of the argument or with this one.")},
    {"texture", .takes = HONE__TAKES_BOOLEAN | HONE__TAKES_KEYS, .keys = texture,
     HONE__RULE_DOC("false", "texture: {filter: linear}", "CUDA, HIP: taken as a texture.")},
    {"surface", .takes = HONE__TAKES_BOOLEAN | HONE__TAKES_KEYS, .keys = surface,
     HONE__RULE_DOC("false", "surface: {channels: 4}", "CUDA, HIP: taken as a surface.")},
    {"image", .takes = HONE__TAKES_BOOLEAN | HONE__TAKES_KEYS, .keys = image,
     HONE__RULE_DOC("false", "image: true", "OpenCL: taken as an image.")},
    {"sampler", .takes = HONE__TAKES_KEYS, .keys = sampler, .form = 5,
     HONE__RULE_DOC(NULL, "sampler: {filter: point, address: clamp}",
                    "OpenCL: how images are read.")},
    {"return", .takes = HONE__TAKES_BOOLEAN, .form = 6,
     HONE__RULE_DOC("false", "return: true", "C, C++: what the function returns.")},
    {"when", .takes = HONE__TAKES_BOOLEAN | HONE__TAKES_FORMULA, .names = HONE__NAMES_OF_CANDIDATE,
     HONE__RULE_DOC("true", "when: BM == 1",
                    "Which configurations have this argument; not for outputs.")},
    {0},
};
