/* One range of addresses is reserved without access; tensors are opened inside it, so the pages
 * without access between them need no calls of their own. */
#include "backend/kernel/buffers.h"

#include "base/machine.h"
#include "base/status.h"
#include "check/guard.h"

#include <errno.h>
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LINE = 64, LINES_APART = 5, LINES_OF_OFFSET = 64 };

static size_t page_size(void)
{
  return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t round_up(size_t size, size_t unit)
{
  return (size + unit - 1) / unit * unit;
}

/* ---- Arguments ---- */

static bool parse_role(const char *text, enum hone__role *out_role)
{
  static const char *const names[] = {"in", "out", "inout", "scratch"};

  for (int i = HONE__ARG_IN; i <= HONE__ARG_SCRATCH; i++)
    if (text && strcmp(text, names[i]) == 0) {
      *out_role = (enum hone__role)i;
      return true;
    }
  return false;
}

static bool take_shape(const struct hone__kernel_arg *setup, struct hone__arg *arg)
{
  arg->dimensions = setup->shape_count;
  if (!setup->shape || arg->dimensions > HONE__NPY_DIMENSIONS) return false;
  arg->count = 1;
  for (size_t i = 0; i < arg->dimensions; i++) {
    if (setup->shape[i] < 0) return false;
    arg->shape[i] = (size_t)setup->shape[i];
    if (__builtin_mul_overflow(arg->count, arg->shape[i], &arg->count)) return false;
  }
  return !__builtin_mul_overflow(arg->count, hone__element_size(arg->element), &arg->bytes) &&
         arg->bytes <= SIZE_MAX / 16;
}

static enum hone__arg_kind kind_of(const struct hone__kernel_arg *arg)
{
  if (arg->is_scalar) return HONE__ARG_SCALAR;
  if (arg->is_local) return HONE__ARG_LOCAL;
  if (arg->is_struct) return HONE__ARG_STRUCT;
  if (arg->image && !arg->shape) return HONE__ARG_SAMPLER;
  return arg->is_map ? HONE__ARG_MAP : HONE__ARG_TENSOR;
}

/* The types of a struct's members; they are known: the driver has checked them. */
static void take_members(struct hone__buffers *buffers, const struct hone__kernel_arg *setup,
                         struct hone__arg *arg)
{
  size_t count = setup->members_count;
  enum hone__element *members = hone__arena_alloc(&buffers->arena, (count + 1) * sizeof *members);

  for (size_t i = 0; i < count; i++)
    if (!hone__element_parse(setup->members[i], &members[i])) members[i] = HONE__ELEMENT_U8;
  arg->members = members;
  arg->member_count = count;
}

static hone_status take_arg(struct hone__buffers *buffers, const struct hone__kernel_arg *setup,
                            struct hone__arg *arg)
{
  const char *type = setup->type ? setup->type : "";

  arg->kind = kind_of(setup);
  if (arg->kind <= HONE__ARG_LOCAL && !hone__element_parse(type, &arg->element))
    return hone__error(HONE_INVALID_SPEC, "argument '%s' has the type '%s': known are %s",
                       setup->name, type, hone__element_names());
  arg->name = hone__arena_strdup(&buffers->arena, setup->name);
  arg->image = hone__image_take(setup, &buffers->arena);
  take_members(buffers, setup, arg);
  if (!hone__arg_is_tensor(arg)) return NULL;
  arg->is_return = setup->is_return;
  if (setup->symbol) arg->symbol = hone__arena_strdup(&buffers->arena, setup->symbol);
  arg->rtol = isnan(setup->rtol) ? -1 : setup->rtol;
  arg->atol = isnan(setup->atol) ? -1 : setup->atol;
  arg->ratio = isnan(setup->ratio) ? -1 : setup->ratio;
  arg->is_variable = setup->is_variable;
  if (setup->reduce && !hone__reduction_parse(setup->reduce, &arg->reduction))
    return hone__error(HONE_INVALID_SPEC, "argument '%s' has the unknown reduction '%s'", arg->name,
                       setup->reduce);
  if (!parse_role(setup->role, &arg->role))
    return hone__error(HONE_INVALID_SPEC, "argument '%s' has no role: in, out, inout or scratch",
                       arg->name);
  if (!take_shape(setup, arg))
    return hone__error(HONE_INVALID_SPEC, "the shape of argument '%s' does not fit into memory",
                       arg->name);
  return NULL;
}

/* ---- Layout ---- */

static void place(struct hone__buffers *buffers, size_t index)
{
  struct hone__arg *arg = &buffers->args[index];
  size_t page = page_size(), offset = LINE * (index * LINES_APART % LINES_OF_OFFSET);

  if (!hone__arg_is_tensor(arg)) return;
  arg->start = buffers->span;
  arg->data = arg->start + page + offset;
  arg->end = round_up(arg->data + arg->bytes, page) + page;
  buffers->span = arg->end + page;
  if (hone__arg_is_input(arg)) buffers->input_bytes += arg->bytes;
  buffers->has_inout |= arg->role == HONE__ARG_INOUT;
  buffers->has_symbol |= arg->symbol != NULL;
  buffers->has_image |= arg->image && (!arg->image->is_linear || arg->symbol);
  if (!hone__arg_is_output(arg)) return;
  arg->snapshot = buffers->snapshot_bytes;
  buffers->snapshot_bytes = round_up(buffers->snapshot_bytes + arg->bytes, LINE);
}

/* Everything that exists twice may take half of the available memory: candidates need memory, too.
 */
static hone_status check_size(struct hone__buffers *buffers,
                              const struct hone__buffers_options *options)
{
  double limit = (double)options->memory_bytes, total = (double)buffers->input_bytes;

  if (!options->memory_bytes) limit = (double)hone__memory_bytes();
  for (size_t i = 0; i < buffers->count; i++)
    if (hone__arg_is_tensor(&buffers->args[i]) && buffers->args[i].role != HONE__ARG_IN)
      total += (double)buffers->args[i].bytes;
  buffers->contents = buffers->places = options->doubled && 4 * total <= limit ? 2 : 1;
  if (total <= limit) return NULL;
  return hone__error(HONE_EXHAUSTED, "the arguments need %.1f GiB, but only %.1f GiB are available",
                     total / (1 << 30), limit / (1 << 30));
}

static hone_status lay_out(struct hone__buffers *buffers,
                           const struct hone__buffers_options *options)
{
  double total = 0;

  buffers->count = options->setup->args_count;
  buffers->args = hone__arena_alloc(&buffers->arena, (buffers->count + 1) * sizeof *buffers->args);
  for (size_t i = 0; i < buffers->count; i++) {
    hone_status status = take_arg(buffers, &options->setup->args[i], &buffers->args[i]);
    if (status) return status;
    total += (double)buffers->args[i].bytes;
  }
  if (total > (double)(SIZE_MAX / 16)) /* sums of sizes cannot overflow */
    return hone__error(HONE_EXHAUSTED, "the arguments do not fit into memory");
  buffers->span = page_size();
  for (size_t i = 0; i < buffers->count; i++)
    place(buffers, i);
  return check_size(buffers, options);
}

/* ---- Filling ---- */

static hone_status wrong_shape(const struct hone__arg *arg, const struct hone__npy *npy)
{
  struct hone__text own = {0}, wanted = {0};
  hone_status status;

  for (size_t i = 0; i < npy->dimensions; i++)
    hone__text_addf(&own, "%s%zu", i ? ", " : "", npy->shape[i]);
  for (size_t i = 0; i < arg->dimensions; i++)
    hone__text_addf(&wanted, "%s%zu", i ? ", " : "", arg->shape[i]);
  status = hone__error(HONE_INVALID_SPEC, "the .npy file of '%s' has the shape [%s], not [%s]",
                       arg->name, own.length ? own.data : "", wanted.length ? wanted.data : "");
  hone__text_release(&own);
  hone__text_release(&wanted);
  return status;
}

static bool has_shape(const struct hone__npy *npy, const struct hone__arg *arg)
{
  if (arg->reduction) return npy->count <= arg->count;
  return npy->dimensions == arg->dimensions &&
         memcmp(npy->shape, arg->shape, npy->dimensions * sizeof *npy->shape) == 0;
}

hone_status hone__buffers_npy(const struct hone__arg *arg, const void *bytes, size_t size,
                              const unsigned char **out_elements, size_t *out_size)
{
  struct hone__npy npy;
  hone_status status = hone__npy_parse(bytes, size, &npy);

  if (status) return hone__annotate(status, "the .npy file of '%s'", arg->name);
  if (!hone__npy_holds(&npy, arg->element))
    return hone__error(HONE_INVALID_SPEC, "the .npy file of '%s' holds %s, not %s", arg->name,
                       hone__element_name(npy.element), hone__element_name(arg->element));
  if (!has_shape(&npy, arg)) return wrong_shape(arg, &npy);
  if (npy.fortran && npy.dimensions > 1)
    return hone__error(HONE_INVALID_SPEC,
                       "the .npy file of '%s' is in Fortran order: save it with "
                       "numpy.ascontiguousarray",
                       arg->name);
  *out_elements = (const unsigned char *)bytes + npy.offset;
  *out_size = npy.count * hone__element_size(arg->element);
  return NULL;
}

static hone_status fill_from_file(const struct hone__arg *arg, const struct hone__kernel_file *file,
                                  const struct hone__buffers_options *options, void *out)
{
  const unsigned char *elements;
  size_t bytes = arg->bytes;
  hone_status status = NULL;

  if (!file || file->offset > options->payload_size ||
      file->size > options->payload_size - file->offset)
    return hone__error(HONE_INVALID_ARGUMENT, "the file of '%s' is not in the payload", arg->name);
  elements = (const unsigned char *)options->payload + file->offset;
  if (file->format && strcmp(file->format, "npy") == 0)
    status = hone__buffers_npy(arg, elements, file->size, &elements, &bytes);
  else if (file->size != arg->bytes)
    status = hone__error(HONE_INVALID_SPEC, "the file of '%s' has %zu bytes, not %zu", arg->name,
                         file->size, arg->bytes);
  if (!status && bytes) memcpy(out, elements, bytes);
  return status;
}

static bool is_number(struct hone_value value)
{
  return value.type == HONE_INT || value.type == HONE_FLOAT;
}

static double number(struct hone_value value)
{
  if (value.type == HONE_FLOAT) return value.real;
  return value.type == HONE_INT ? (double)value.integer : 0;
}

static hone_status fill_arg(struct hone__arg *arg, size_t index, uint64_t seed,
                            const struct hone__buffers_options *options, void *out)
{
  static const struct hone__kernel_fill by_default = {0};
  const struct hone__kernel_fill *setup = options->setup->args[index].fill;
  struct hone__fill fill = {.seed = seed, .stream = index};

  if (!setup) setup = &by_default;
  if (setup->kind && !hone__fill_kind_parse(setup->kind, &fill.kind))
    return hone__error(HONE_INVALID_SPEC, "unknown fill '%s' of '%s'; known fills: %s", setup->kind,
                       arg->name, hone__fill_kind_names());
  arg->fill.kind = fill.kind;
  if (fill.kind == HONE__FILL_FILE) return fill_from_file(arg, setup->file, options, out);
  fill.ranged = is_number(setup->low) && is_number(setup->high);
  fill.low = number(setup->low);
  fill.high = number(setup->high);
  fill.value = number(setup->value);
  if (setup->value.type == HONE_INT && (arg->element == HONE__ELEMENT_I64 || fill.value >= 0))
    fill.whole = setup->value.integer;
  arg->fill = fill;
  hone__fill_in_parts(&fill, arg->element, out, arg->count);
  return NULL;
}

void hone__arg_guard(const struct hone__arg *arg, unsigned char *base)
{
  hone__guard_fill(base + arg->start, arg->data - arg->start);
  hone__guard_fill(base + arg->data + arg->bytes, arg->end - arg->data - arg->bytes);
}

static hone_status fill_inputs(struct hone__buffers *buffers, uint64_t seed,
                               const struct hone__buffers_options *options, int file)
{
  unsigned char *base = mmap(NULL, buffers->span, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  hone_status status = NULL;

  if (base == MAP_FAILED)
    return hone__error(HONE_EXHAUSTED, "cannot map the inputs: %s", strerror(errno));
  for (size_t i = 0; i < buffers->count && !status; i++) {
    struct hone__arg *arg = &buffers->args[i];
    if (!hone__arg_is_input(arg)) continue;
    hone__arg_guard(arg, base);
    status = fill_arg(arg, i, seed, options, base + arg->data);
  }
  munmap(base, buffers->span);
  return status;
}

/* ---- Mapping ---- */

static bool map_arg(const struct hone__buffers *buffers, size_t place, const struct hone__arg *arg,
                    int file)
{
  void *at = buffers->range[place] + arg->start;
  int flags = MAP_FIXED | MAP_PRIVATE;

  if (!hone__arg_is_tensor(arg)) return true;
  if (arg->role != HONE__ARG_IN) file = -1;
  if (file < 0) flags |= MAP_ANONYMOUS;
  return mmap(at, arg->end - arg->start, PROT_READ | PROT_WRITE, flags | MAP_NORESERVE, file,
              file < 0 ? 0 : (off_t)arg->start) != MAP_FAILED;
}

/* `file` -1: inputs are plain memory, too. */
static hone_status map_place(struct hone__buffers *buffers, size_t place, int file)
{
  void *range =
      mmap(NULL, buffers->span, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  bool mapped = range != MAP_FAILED;

  buffers->range[place] = mapped ? range : NULL;
  for (size_t i = 0; i < buffers->count && mapped; i++)
    mapped = map_arg(buffers, place, &buffers->args[i], file);
  if (mapped) return NULL;
  return hone__error(HONE_EXHAUSTED, "cannot map the arguments: %s", strerror(errno));
}

/* ---- Contents ---- */

/* Content 0 is that of the seed, even if there is another. */
static uint64_t seed_of(uint64_t seed, size_t content)
{
  return seed + content * 0x9e3779b97f4a7c15u;
}

/* A file in memory with the inputs of one content, and a view of it. */
static hone_status make_content(struct hone__buffers *buffers, size_t content,
                                const struct hone__buffers_options *options, int *out_file)
{
  int file = *out_file = memfd_create("hone inputs", MFD_CLOEXEC);
  hone_status status;
  void *view;

  if (file < 0 || ftruncate(file, (off_t)buffers->span) < 0)
    return hone__error(HONE_EXHAUSTED, "cannot allocate memory for the inputs: %s",
                       strerror(errno));
  status = fill_inputs(buffers, seed_of(options->seed, content), options, file);
  if (status) return status;
  view = mmap(NULL, buffers->span, PROT_READ, MAP_PRIVATE, file, 0);
  if (view == MAP_FAILED)
    return hone__error(HONE_EXHAUSTED, "cannot map the inputs: %s", strerror(errno));
  buffers->pristine[content] = view;
  return NULL;
}

static bool contents_differ(const struct hone__buffers *buffers)
{
  for (size_t i = 0; i < buffers->count; i++) {
    const struct hone__arg *arg = &buffers->args[i];
    if (hone__arg_is_input(arg) &&
        memcmp(buffers->pristine[0] + arg->data, buffers->pristine[1] + arg->data, arg->bytes) != 0)
      return true;
  }
  return false;
}

static void unmap(struct hone__buffers *buffers, const unsigned char *bytes)
{
  if (bytes) munmap((void *)(uintptr_t)bytes, buffers->span);
}

/* Of constants and files both contents are the same. */
static void drop_equal_content(struct hone__buffers *buffers)
{
  if (buffers->contents < 2 || contents_differ(buffers)) return;
  unmap(buffers, buffers->pristine[1]);
  buffers->pristine[1] = NULL;
  buffers->contents = 1;
}

hone_status hone__buffers_make(struct hone__buffers *buffers,
                               const struct hone__buffers_options *options)
{
  int files[HONE__CONTENTS] = {-1, -1};
  hone_status status;

  *buffers = (struct hone__buffers){0};
  status = lay_out(buffers, options);
  for (size_t i = 0; i < buffers->contents && !status; i++)
    status = make_content(buffers, i, options, &files[i]);
  if (!status) drop_equal_content(buffers);
  for (size_t i = 0; i < buffers->places && !status; i++) {
    buffers->holds[i] = i % buffers->contents;
    status = map_place(buffers, i, files[buffers->holds[i]]);
  }
  for (size_t i = 0; i < HONE__CONTENTS; i++)
    if (files[i] >= 0) close(files[i]); /* the mappings keep them */
  if (status) hone__buffers_release(buffers);
  return status;
}

void hone__buffers_release(struct hone__buffers *buffers)
{
  for (size_t i = 0; i < HONE__PLACES; i++)
    unmap(buffers, buffers->range[i]);
  for (size_t i = 0; i < HONE__CONTENTS; i++)
    unmap(buffers, buffers->pristine[i]);
  hone__arena_release(&buffers->arena);
  *buffers = (struct hone__buffers){0};
}

hone_status hone__buffers_stage(const struct hone__buffers *buffers,
                                struct hone__buffers *out_staged)
{
  *out_staged = (struct hone__buffers){
      .args = buffers->args, .count = buffers->count, .span = buffers->span, .places = 1};
  return map_place(out_staged, 0, -1);
}

/* What lies between the arguments may differ. */
bool hone__snapshots_equal(const struct hone__buffers *buffers, const unsigned char *one,
                           const unsigned char *other)
{
  for (size_t i = 0; i < buffers->count; i++) {
    const struct hone__arg *arg = &buffers->args[i];
    if (hone__arg_is_output(arg) &&
        memcmp(one + arg->snapshot, other + arg->snapshot, arg->bytes) != 0)
      return false;
  }
  return true;
}
