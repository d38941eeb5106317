/* A library that stands in for the HIP runtime and for hiprtc at once, on the CPU.
 *
 * Its compiler puts hip_device.h before a source, lets c++ make a shared object of it, gives that
 * the form of a code object (its machine is AMDGPU, a note has the metadata), and its runtime loads
 * and calls that. Work is done when it is queued. A kernel that faults loses the context: from then
 * on all calls fail, as on a device.
 *
 *   STAND_IN_DEVICES  how many devices there are (1)
 *   STAND_IN_LOST     the number of a device that cannot be opened
 * misbehave.h has more. Compile with -DHEADER='"/path/of/hip_device.h"'.
 */
#define _GNU_SOURCE
#include "hip_image.h"
#include "misbehave.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <regex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>

enum {
  ERROR_VALUE = 1,
  ERROR_MEMORY = 2,
  ERROR_DEVICE = 101,
  ERROR_IMAGE = 200,
  ERROR_NOT_FOUND = 500,
  ERROR_ADDRESS = 700,
  ERROR_LAUNCH = 719
};
enum {
  MOST_KERNELS = 16,
  MOST_HEADERS = 256,
  MOST_NODES = 1 << 16,
  MACHINE_AMDGPU = 224,
  NOTE_BYTES = 16384
};

static int lost; /* the error that has lost the context */
#define WORK(name)                                                                                 \
  CALL(name);                                                                                      \
  if (lost) return lost

/* Of this process alone: a device does not take longer when the host is busy. */
static long long now_ns(void)
{
  struct timespec now;

  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* ================================================================ hiprtc */

struct program {
  char *source, *log, *code;
  const char *names[MOST_KERNELS];
  char lowered[MOST_KERNELS][64];
  int name_count, header_count;
  const char *header_names[MOST_HEADERS], *header_texts[MOST_HEADERS];
  size_t code_size;
};

static char *format(const char *words, ...) __attribute__((format(printf, 1, 2)));
static char *format(const char *words, ...)
{
  va_list args;
  char *text = NULL;

  va_start(args, words);
  if (vasprintf(&text, words, args) < 0) abort();
  va_end(args);
  return text;
}

static char *read_file(const char *path, size_t *out_size)
{
  FILE *file = fopen(path, "rb");
  char *bytes = NULL;
  size_t size = 0;

  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  size = (size_t)ftell(file);
  rewind(file);
  bytes = calloc(1, size + 1);
  if (fread(bytes, 1, size, file) != size) size = 0;
  fclose(file);
  *out_size = size;
  return bytes;
}

int hiprtcVersion(int *major, int *minor)
{
  CALL("hiprtcVersion");
  *major = 9;
  *minor = 0;
  return 0;
}

const char *hiprtcGetErrorString(int error)
{
  return error == 6 ? "HIPRTC_ERROR_COMPILATION" : "HIPRTC_ERROR_OF_STAND_IN";
}

int hiprtcCreateProgram(struct program **out, const char *source, const char *name, int headers,
                        const char *const *texts, const char *const *names)
{
  CALL("hiprtcCreateProgram");
  (void)name;
  if (headers > MOST_HEADERS) return 1;
  *out = calloc(1, sizeof **out);
  (*out)->source = strdup(source);
  (*out)->header_count = headers;
  for (int i = 0; i < headers; i++) {
    (*out)->header_names[i] = names[i];
    (*out)->header_texts[i] = texts[i];
  }
  return 0;
}

int hiprtcAddNameExpression(struct program *program, const char *name)
{
  CALL("hiprtcAddNameExpression");
  if (program->name_count == MOST_KERNELS) return 1;
  program->names[program->name_count++] = strdup(name);
  return 0;
}

/* Without expressions: the kernels that are extern "C". */
static void find_kernels(struct program *program)
{
  static const char words[] = "extern \"C\" __global__ void ";

  for (const char *p = program->source; (p = strstr(p, words));) {
    p += strlen(words);
    if (program->name_count < MOST_KERNELS)
      program->names[program->name_count++] = strndup(p, strcspn(p, "("));
  }
}

/* A plain name stays; a template's would be mangled. */
static void lower_names(struct program *program)
{
  for (int i = 0; i < program->name_count; i++) {
    const char *name = program->names[i];
    if (strpbrk(name, "<: ") || strlen(name) > 60)
      snprintf(program->lowered[i], sizeof program->lowered[i], "_Zstand_in_%d", i);
    else
      snprintf(program->lowered[i], sizeof program->lowered[i], "%s", name);
  }
}

/* Shared memory has no storage class of C++. */
static void write_shared(FILE *file, const char *source)
{
  regex_t dynamic;
  regmatch_t match[3];

  regcomp(&dynamic, "extern __shared__ ([A-Za-z_0-9]+) ([A-Za-z_0-9]+)\\[\\]", REG_EXTENDED);
  while (*source) {
    const char *shared = strstr(source, "__shared__");
    if (!shared) break;
    if (regexec(&dynamic, source, 3, match, 0) == 0 && source + match[0].rm_so < shared) {
      const char *type = source + match[1].rm_so, *name = source + match[2].rm_so;
      int type_length = (int)(match[1].rm_eo - match[1].rm_so);
      int name_length = (int)(match[2].rm_eo - match[2].rm_so);
      fprintf(file, "%.*s%.*s *%.*s = (%.*s *)stand_in_dynamic", (int)match[0].rm_so, source,
              type_length, type, name_length, name, type_length, type);
      source += match[0].rm_eo;
      continue;
    }
    fprintf(file, "%.*sSTAND_IN_SHARED", (int)(shared - source), source);
    source = shared + strlen("__shared__");
  }
  fputs(source, file);
  regfree(&dynamic);
}

static void write_headers(const struct program *program, const char *folder)
{
  for (int i = 0; i < program->header_count; i++) {
    char *path = format("%s/%s", folder, program->header_names[i]), *slash = strrchr(path, '/');
    FILE *file;
    *slash = 0;
    mkdir(path, 0700);
    *slash = '/';
    file = fopen(path, "w");
    if (file) {
      fputs(program->header_texts[i], file);
      fclose(file);
    }
    free(path);
  }
}

static void write_source(const struct program *program, const char *folder)
{
  char *path = format("%s/kernel.cpp", folder);
  FILE *file = fopen(path, "w");

  fprintf(file, "#include %s\n", HEADER);
  write_shared(file, program->source);
  fprintf(file, "\n#line 1 \"entry\"\n");
  for (int i = 0; i < program->name_count; i++)
    fprintf(file, "STAND_IN_KERNEL(%d, %s)\n", i, program->names[i]);
  fclose(file);
  free(path);
}

static int run_compiler(const char *folder, int option_count, const char *const *options)
{
  const char *words[256] = {"c++", "-w", "-shared", "-fPIC", "-fvisibility=hidden", "-O1"};
  char *include = format("-I%s", folder), *source = format("%s/kernel.cpp", folder);
  char *object = format("%s/kernel.so", folder), *log = format("%s/log", folder);
  int count = 6, status = -1;
  pid_t child;

  words[count++] = include;
  for (int i = 0; i < option_count && count < 250; i++)
    if (strncmp(options[i], "--offload-arch", 14) != 0) words[count++] = options[i];
  words[count++] = "-o";
  words[count++] = object;
  words[count++] = source;
  child = fork();
  if (child == 0) {
    int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(out, 1);
    dup2(out, 2);
    execvp("c++", (char *const *)words);
    _exit(127);
  }
  waitpid(child, &status, 0);
  free(include);
  free(source);
  free(object);
  free(log);
  return status;
}

/* ---- Metadata ---- */

struct note {
  unsigned char bytes[NOTE_BYTES];
  size_t size;
};

static void put(struct note *note, const void *bytes, size_t size)
{
  if (note->size + size > sizeof note->bytes) abort();
  memcpy(note->bytes + note->size, bytes, size);
  note->size += size;
}
static void put_big(struct note *note, unsigned char type, uint32_t value)
{
  unsigned char bytes[] = {type, (unsigned char)(value >> 24), (unsigned char)(value >> 16),
                           (unsigned char)(value >> 8), (unsigned char)value};
  put(note, bytes, sizeof bytes);
}
static void put_map(struct note *note, uint32_t pairs)
{
  put_big(note, 0xdf, pairs);
}
static void put_array(struct note *note, uint32_t items)
{
  put_big(note, 0xdd, items);
}
static void put_number(struct note *note, uint32_t value)
{
  put_big(note, 0xce, value);
}
static void put_text(struct note *note, const char *text)
{
  put_big(note, 0xdb, (uint32_t)strlen(text));
  put(note, text, strlen(text));
}
static void put_figure(struct note *note, const char *key, uint32_t value)
{
  put_text(note, key);
  put_number(note, value);
}

static void put_params(struct note *note, unsigned (*size_of)(unsigned))
{
  uint32_t count = 0, offset = 0;

  while (size_of(count))
    count++;
  put_text(note, ".args");
  put_array(note, count);
  for (uint32_t i = 0; i < count; i++) {
    put_map(note, 3);
    put_figure(note, ".offset", offset);
    put_figure(note, ".size", size_of(i));
    put_text(note, ".value_kind");
    put_text(note, "by_value");
    offset += (size_of(i) + 7) / 8 * 8;
  }
}

static void describe(struct program *program, void *module, struct note *note)
{
  unsigned long (*shared)(void);

  *(void **)&shared = dlsym(module, "stand_in_shared_bytes");
  put_map(note, 2);
  put_text(note, "amdhsa.kernels");
  put_array(note, (uint32_t)program->name_count);
  for (int i = 0; i < program->name_count; i++) {
    char *symbol = format("stand_in_size_%d", i);
    unsigned (*size_of)(unsigned);
    *(void **)&size_of = dlsym(module, symbol);
    put_map(note, 8);
    put_params(note, size_of);
    put_text(note, ".name");
    put_text(note, program->lowered[i]);
    put_text(note, ".symbol");
    symbol[0] = (char)('0' + i); /* its number; MOST_KERNELS is small */
    symbol[1] = 0;
    put_text(note, symbol);
    put_figure(note, ".vgpr_count", 32);
    put_figure(note, ".sgpr_count", 16);
    put_figure(note, ".vgpr_spill_count", 0);
    put_figure(note, ".group_segment_fixed_size", (uint32_t)shared());
    put_figure(note, ".wavefront_size", 64);
    free(symbol);
  }
  put_text(note, "amdhsa.target");
  put_text(note, "amdgcn-amd-amdhsa--gfx90a");
}

/* The section of notes begins with this one; the machine becomes AMDGPU. */
static void write_note(struct program *program, const struct note *note)
{
  Elf64_Ehdr *head = (Elf64_Ehdr *)program->code;
  Elf64_Shdr *sections = (Elf64_Shdr *)(program->code + head->e_shoff);
  Elf64_Nhdr own = {.n_namesz = 7, .n_descsz = (uint32_t)note->size, .n_type = 32};

  for (int i = 0; i < head->e_shnum; i++) {
    char *at = program->code + sections[i].sh_offset;
    if (sections[i].sh_type != SHT_NOTE || sections[i].sh_size < NOTE_BYTES) continue;
    memcpy(at, &own, sizeof own);
    memcpy(at + sizeof own, "AMDGPU\0", 8);
    memcpy(at + sizeof own + 8, note->bytes, note->size);
  }
  head->e_machine = MACHINE_AMDGPU;
}

static int finish(struct program *program, const char *folder)
{
  char *path = format("%s/kernel.so", folder);
  struct note *note = calloc(1, sizeof *note);
  void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);

  program->code = read_file(path, &program->code_size);
  if (module && program->code) {
    describe(program, module, note);
    write_note(program, note);
    dlclose(module);
  }
  free(note);
  free(path);
  return module && program->code ? 0 : 6;
}

int hiprtcCompileProgram(struct program *program, int count, const char *const *options)
{
  const char *temporary = getenv("TMPDIR");
  char *folder, *log, *command;
  size_t size;
  int status;
  CALL("hiprtcCompileProgram");

  folder = format("%s/stand-in-XXXXXX", temporary ? temporary : "/tmp");
  if (!mkdtemp(folder)) return 1;
  log = format("%s/log", folder);
  if (!program->name_count) find_kernels(program);
  lower_names(program);
  write_headers(program, folder);
  write_source(program, folder);
  status = run_compiler(folder, count, options);
  program->log = read_file(log, &size);
  status = status ? 6 : finish(program, folder);
  command = format("rm -rf '%s'", folder);
  if (system(command)) status = 1;
  free(command);
  free(log);
  free(folder);
  return status;
}

int hiprtcGetProgramLogSize(struct program *program, size_t *size)
{
  CALL("hiprtcGetProgramLogSize");
  *size = program->log ? strlen(program->log) + 1 : 1;
  return 0;
}
int hiprtcGetProgramLog(struct program *program, char *log)
{
  CALL("hiprtcGetProgramLog");
  strcpy(log, program->log ? program->log : "");
  return 0;
}
int hiprtcGetCodeSize(struct program *program, size_t *size)
{
  CALL("hiprtcGetCodeSize");
  *size = problem ? 0 : program->code_size;
  return 0;
}
int hiprtcGetCode(struct program *program, char *code)
{
  CALL("hiprtcGetCode");
  memcpy(code, program->code, program->code_size);
  return 0;
}
int hiprtcGetLoweredName(struct program *program, const char *name, const char **lowered)
{
  CALL("hiprtcGetLoweredName");
  for (int i = 0; i < program->name_count; i++)
    if (strcmp(program->names[i], name) == 0) {
      *lowered = program->lowered[i];
      return 0;
    }
  return 9;
}

/* ================================================================ Devices */

static const int known_attributes[][2] = {
    {56, 1024},  {26, 1024},    {27, 1024},   {28, 1024},  {29, 2147483647}, {30, 65535},
    {31, 65535}, {74, 65536},   {87, 64},     {71, 65536}, {5, 1000000},     {63, 2},
    {6, 0},      {60, 1000000}, {59, 64},     {19, 65536}, {57, 2048},       {23, 9},
    {61, 0},     {76, 65536},   {72, 131072}, {75, 65536}, {25, 32},         {73, 0}};

static int device_count(void)
{
  const char *count = getenv("STAND_IN_DEVICES");

  return count ? atoi(count) : 1;
}

int hipInit(unsigned flags)
{
  CALL("hipInit");
  (void)flags;
  return 0;
}
int hipDriverGetVersion(int *version)
{
  CALL("hipDriverGetVersion");
  *version = problem ? -7 : 50221153;
  return 0;
}
const char *hipGetErrorName(int error)
{
  return error == ERROR_ADDRESS ? "hipErrorIllegalAddress" : "hipErrorOfStandIn";
}
const char *hipGetErrorString(int error)
{
  return error == ERROR_ADDRESS ? "an illegal memory access was encountered"
                                : "an error of the stand-in";
}
int hipGetDeviceCount(int *count)
{
  CALL("hipGetDeviceCount");
  *count = problem ? 2147483647 : device_count();
  return 0;
}
int hipDeviceGet(int *device, int index)
{
  CALL("hipDeviceGet");
  *device = index;
  return index < device_count() ? 0 : ERROR_DEVICE;
}
int hipDeviceGetName(char *name, int size, int device)
{
  CALL("hipDeviceGetName");
  (void)device;
  if (problem)
    memset(name, 0xff, (size_t)size);
  else
    snprintf(name, (size_t)size, "Stand-in of an AMD GPU");
  return 0;
}
int hipDeviceGetUuid(char *uuid, int device)
{
  char text[17];
  CALL("hipDeviceGetUuid");

  snprintf(text, sizeof text, "%016x", 0xabc0 + device);
  memcpy(uuid, text, 16);
  return 0;
}
int hipDeviceGetAttribute(int *value, int attribute, int device)
{
  CALL("hipDeviceGetAttribute");
  (void)device;
  for (size_t i = 0; i < sizeof known_attributes / sizeof *known_attributes; i++)
    if (known_attributes[i][0] == attribute) {
      *value = known_attributes[i][1];
      return 0;
    }
  return ERROR_VALUE;
}
int hipGetDeviceProperties(char *properties, int device)
{
  CALL("hipGetDeviceProperties");
  (void)device;
  strcpy(properties, "gfx is no architecture here");
  strcpy(properties + 700, "gfx90a:sramecc+:xnack-");
  return 0;
}
int hipDeviceTotalMem(size_t *bytes, int device)
{
  CALL("hipDeviceTotalMem");
  (void)device;
  *bytes = (size_t)1 << 30;
  return 0;
}

/* ---- Contexts ---- */

static void *current;

int hipDevicePrimaryCtxRetain(void **context, int device)
{
  const char *gone = getenv("STAND_IN_LOST");
  CALL("hipDevicePrimaryCtxRetain");

  if (gone && atoi(gone) == device) return ERROR_LAUNCH;
  *context = (void *)(uintptr_t)(device + 1);
  return 0;
}
int hipDevicePrimaryCtxRelease(int device)
{
  CALL("hipDevicePrimaryCtxRelease");
  (void)device;
  return 0;
}
int hipCtxSetCurrent(void *context)
{
  CALL("hipCtxSetCurrent");
  current = context;
  return 0;
}
int hipCtxGetCurrent(void **context)
{
  CALL("hipCtxGetCurrent");
  *context = current;
  return 0;
}
int hipCtxGetDevice(int *device)
{
  CALL("hipCtxGetDevice");
  if (!current) return 201;
  *device = (int)(uintptr_t)current - 1;
  return 0;
}
int hipDeviceSynchronize(void)
{
  WORK("hipDeviceSynchronize");
  return 0;
}

/* ---- Memory ---- */

int hipMalloc(void **address, size_t bytes)
{
  WORK("hipMalloc");
  *address = bytes < (size_t)1 << 30 ? aligned_alloc(256, (bytes + 255) / 256 * 256) : NULL;
  return *address ? 0 : ERROR_MEMORY;
}
int hipFree(void *address)
{
  CALL("hipFree");
  free(address);
  return 0;
}
int hipMemcpyHtoD(void *to, const void *from, size_t bytes)
{
  WORK("hipMemcpyHtoD");
  memcpy(to, from, bytes);
  return 0;
}
int hipMemcpyDtoH(void *to, const void *from, size_t bytes)
{
  WORK("hipMemcpyDtoH");
  memcpy(to, from, bytes);
  return 0;
}
int hipMemcpyDtoDAsync(void *to, const void *from, size_t bytes, void *stream)
{
  WORK("hipMemcpyDtoDAsync");
  (void)stream;
  memmove(to, from, bytes);
  return 0;
}
int hipMemsetD8Async(void *to, unsigned char byte, size_t bytes, void *stream)
{
  WORK("hipMemsetD8Async");
  (void)stream;
  memset(to, byte, bytes);
  return 0;
}

/* ---- Images ---- */

struct array_shape { /* HIP_ARRAY3D_DESCRIPTOR */
  size_t width, height, depth;
  int format;
  unsigned channels, flags;
};
struct resource { /* HIP_RESOURCE_DESC */
  int type;
  union {
    struct stand_in_array *array;
    struct {
      char *address;
      int format;
      unsigned channels;
      size_t sizes[3];
    } memory;
  } of;
};
struct texture_shape { /* HIP_TEXTURE_DESC */
  int address[3], filter;
  unsigned flags;
};
struct side { /* half of a hipMemcpy3DParms */
  struct stand_in_array *array;
  size_t position[3];
  char *address;
  size_t pitch, width, height;
};
struct copy3d {
  struct side from, to;
  size_t extent[3];
  int kind;
};

static size_t texel_bytes(int format, unsigned channels)
{
  static const int of_two[] = {0x02, 0x09, 0x10};

  if (format == 0x01 || format == 0x08) return channels;
  for (int i = 0; i < 3; i++)
    if (format == of_two[i]) return 2 * channels;
  return 4 * channels;
}

int hipArray3DCreate(struct stand_in_array **out, const struct array_shape *shape)
{
  struct stand_in_array *array = calloc(1, sizeof *array);
  WORK("hipArray3DCreate");

  array->width = shape->width;
  array->height = shape->height ? shape->height : 1;
  array->depth = shape->depth ? shape->depth : 1;
  array->format = shape->format;
  array->channels = shape->channels;
  array->texel_bytes = texel_bytes(shape->format, shape->channels);
  array->texels = malloc(array->width * array->height * array->depth * array->texel_bytes);
  *out = array;
  return 0;
}
int hipArrayDestroy(struct stand_in_array *array)
{
  CALL("hipArrayDestroy");
  free(array->texels);
  free(array);
  return 0;
}

static char *row_of(const struct side *side, size_t row, size_t slice)
{
  const struct stand_in_array *array = side->array;

  if (!array) return side->address + (slice * side->height + row) * side->pitch;
  return array->texels + (slice * array->height + row) * array->width * array->texel_bytes;
}

int hipMemcpy3DAsync(const struct copy3d *copy, void *stream)
{
  const struct stand_in_array *array = copy->to.array ? copy->to.array : copy->from.array;
  WORK("hipMemcpy3DAsync");

  (void)stream;
  if (copy->kind != 3) return ERROR_VALUE;
  for (size_t slice = 0; slice < copy->extent[2]; slice++)
    for (size_t row = 0; row < copy->extent[1]; row++)
      memcpy(row_of(&copy->to, row, slice), row_of(&copy->from, row, slice),
             copy->extent[0] * array->texel_bytes);
  return 0;
}

static struct stand_in_array array_of(const struct resource *resource)
{
  struct stand_in_array own = {.format = resource->of.memory.format,
                               .channels = resource->of.memory.channels,
                               .texels = resource->of.memory.address,
                               .height = 1,
                               .depth = 1};

  if (resource->type == 0) return *resource->of.array;
  own.texel_bytes = texel_bytes(own.format, own.channels);
  own.width = resource->of.memory.sizes[0];
  if (resource->type == 2)
    own.width /= own.texel_bytes;
  else
    own.height = resource->of.memory.sizes[1];
  return own;
}

int hipTexObjectCreate(struct stand_in_texture **out, const struct resource *resource,
                       const struct texture_shape *shape, const void *view)
{
  struct stand_in_texture *texture = calloc(1, sizeof *texture);
  WORK("hipTexObjectCreate");

  (void)view;
  texture->array = array_of(resource);
  memcpy(texture->address, shape->address, sizeof texture->address);
  texture->is_smooth = shape->filter;
  texture->reads_integers = shape->flags & 1;
  texture->is_normalized = (shape->flags & 2) != 0;
  *out = texture;
  return 0;
}
int hipTexObjectDestroy(struct stand_in_texture *texture)
{
  CALL("hipTexObjectDestroy");
  free(texture);
  return 0;
}
int hipCreateSurfaceObject(struct stand_in_array **out, const struct resource *resource)
{
  WORK("hipCreateSurfaceObject");
  *out = resource->of.array;
  return resource->type == 0 ? 0 : ERROR_VALUE;
}
int hipDestroySurfaceObject(struct stand_in_array *surface)
{
  CALL("hipDestroySurfaceObject");
  (void)surface;
  return 0;
}

/* ================================================================ Modules */

struct index {
  unsigned x, y, z;
};

struct module {
  void *handle;
  char *code; /* with its note */
  struct index *thread, *block, *block_size, *grid;
  char **dynamic;
};

struct function {
  struct module *module;
  void (*call)(void **params);
};

static void barrier(void);

/* The loader takes two files of one name for one. */
static void *open_code(const char *code, size_t size)
{
  const char *temporary = getenv("TMPDIR");
  char *path = format("%s/stand-in-XXXXXX", temporary ? temporary : "/tmp");
  int file = mkstemp(path);
#ifdef __aarch64__
  uint16_t machine = EM_AARCH64;
#else
  uint16_t machine = EM_X86_64;
#endif
  void *handle = NULL;

  if (write(file, code, size) == (ssize_t)size &&
      pwrite(file, &machine, sizeof machine, offsetof(Elf64_Ehdr, e_machine)) == sizeof machine)
    handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  close(file);
  unlink(path);
  free(path);
  return handle;
}

/* The sections' headers are at the end of the file. */
static size_t size_of_code(const char *code)
{
  const Elf64_Ehdr *head = (const Elf64_Ehdr *)code;

  return head->e_shoff + (size_t)head->e_shnum * head->e_shentsize;
}

int hipModuleLoadDataEx(struct module **out, const char *code, unsigned count, int *options,
                        void **values)
{
  struct module *module;
  void **callback;
  WORK("hipModuleLoadDataEx");

  (void)count;
  (void)options;
  (void)values;
  if (memcmp(code, ELFMAG, SELFMAG) != 0 || ((const Elf64_Ehdr *)code)->e_machine != MACHINE_AMDGPU)
    return ERROR_IMAGE;
  module = calloc(1, sizeof *module);
  module->handle = open_code(code, size_of_code(code));
  if (!module->handle || !dlsym(module->handle, "stand_in_barrier")) return ERROR_IMAGE;
  module->code = malloc(size_of_code(code));
  memcpy(module->code, code, size_of_code(code));
  module->thread = dlsym(module->handle, "threadIdx");
  module->block = dlsym(module->handle, "blockIdx");
  module->block_size = dlsym(module->handle, "blockDim");
  module->grid = dlsym(module->handle, "gridDim");
  module->dynamic = dlsym(module->handle, "stand_in_dynamic");
  callback = dlsym(module->handle, "stand_in_barrier");
  *callback = (void *)barrier;
  callback = dlsym(module->handle, "stand_in_clock");
  *callback = (void *)now_ns;
  *out = module;
  return 0;
}
int hipModuleUnload(struct module *module)
{
  CALL("hipModuleUnload");
  dlclose(module->handle);
  free(module->code);
  free(module);
  return 0;
}

/* Its number follows its name in the note: ".name" NAME ".symbol" NUMBER. */
static char *find_symbol(const struct module *module, const char *name)
{
  size_t size = size_of_code(module->code);
  struct note pattern = {.size = 0};
  const char *found;

  put_text(&pattern, ".name");
  put_text(&pattern, name);
  put_text(&pattern, ".symbol");
  found = memmem(module->code, size, pattern.bytes, pattern.size);
  return found ? format("stand_in_call_%d", found[pattern.size + 5] - '0') : NULL;
}

int hipModuleGetFunction(struct function **out, struct module *module, const char *name)
{
  char *symbol;
  WORK("hipModuleGetFunction");

  symbol = find_symbol(module, name);
  if (!symbol) return ERROR_NOT_FOUND;
  *out = calloc(1, sizeof **out);
  (*out)->module = module;
  *(void **)&(*out)->call = dlsym(module->handle, symbol);
  free(symbol);
  return 0;
}
int hipModuleGetGlobal(void **out, size_t *size, struct module *module, const char *name)
{
  const Elf64_Sym *symbol = NULL;
  Dl_info info;
  WORK("hipModuleGetGlobal");

  *out = dlsym(module->handle, name);
  if (!*out || !dladdr1(*out, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
    return ERROR_NOT_FOUND;
  *size = symbol->st_size;
  return 0;
}
int hipFuncGetAttribute(int *value, int attribute, struct function *function)
{
  unsigned long (*shared)(void);
  CALL("hipFuncGetAttribute");

  *(void **)&shared = dlsym(function->module->handle, "stand_in_shared_bytes");
  *value = attribute == 0 ? 1024 : attribute == 1 ? (int)shared() : attribute == 4 ? 32 : 0;
  return 0;
}
int hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, struct function *function,
                                                       int threads, size_t shared)
{
  CALL("hipModuleOccupancyMaxActiveBlocksPerMultiprocessor");
  (void)function;
  (void)shared;
  *blocks = 2048 / (threads ? threads : 1);
  return 0;
}

/* ================================================================ Launches */

enum { MOST_THREADS = 1024, STACK_BYTES = 256 << 10 };

/* A context runs one thread of a block after the other, until one of them waits at a barrier. */
static struct {
  ucontext_t scheduler, contexts[MOST_THREADS];
  char *stacks[MOST_THREADS];
  bool is_waiting[MOST_THREADS];
  unsigned next, count; /* the next thread to start, and how many there are */
  unsigned context;     /* the one that runs */
  struct function *function;
  void **params;
} running;
static sigjmp_buf escape;

static void barrier(void)
{
  struct index *at = running.function->module->thread, thread = *at;
  unsigned own = running.context;

  running.is_waiting[own] = true;
  swapcontext(&running.contexts[own], &running.scheduler);
  *at = thread;
}

static void run_threads(void)
{
  struct module *module = running.function->module;
  struct index size = *module->block_size;

  while (running.next < running.count) {
    unsigned i = running.next++;
    *module->thread = (struct index){i % size.x, i / size.x % size.y, i / size.x / size.y};
    running.function->call(running.params);
  }
}

static void start_context(unsigned i)
{
  ucontext_t *context = &running.contexts[i];

  if (!running.stacks[i])
    running.stacks[i] = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  getcontext(context);
  context->uc_stack.ss_sp = running.stacks[i];
  context->uc_stack.ss_size = STACK_BYTES;
  context->uc_link = &running.scheduler;
  makecontext(context, run_threads, 0);
}

static void resume(unsigned i)
{
  running.is_waiting[i] = false;
  running.context = i;
  swapcontext(&running.scheduler, &running.contexts[i]);
}

static void run_block(void)
{
  unsigned contexts = 0, waiting = 0;

  for (running.next = 0; running.next < running.count; contexts++) {
    start_context(contexts);
    resume(contexts);
  }
  do {
    waiting = 0;
    for (unsigned i = 0; i < contexts; i++)
      if (running.is_waiting[i]) {
        resume(i);
        waiting++;
      }
  } while (waiting);
}

static void run_grid(struct index grid)
{
  struct index *block = running.function->module->block;

  for (unsigned z = 0; z < grid.z; z++)
    for (unsigned y = 0; y < grid.y; y++)
      for (unsigned x = 0; x < grid.x; x++) {
        *block = (struct index){x, y, z};
        run_block();
      }
}

static void catch_fault(int signal)
{
  siglongjmp(escape, signal);
}

struct launch {
  struct function *function;
  struct index grid, block;
  size_t shared;
  void **params;
};

/* A fault of the kernel loses the context. */
static int execute(const struct launch *launch)
{
  static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE};
  enum { SIGNALS = sizeof signals / sizeof *signals };
  struct sigaction before[SIGNALS], own = {.sa_handler = catch_fault, .sa_flags = SA_NODEFER};
  struct module *module = launch->function->module;
  char *dynamic = malloc(launch->shared + 1);
  int signal;

  for (int i = 0; i < SIGNALS; i++)
    sigaction(signals[i], &own, &before[i]);
  running.function = launch->function;
  running.params = launch->params;
  running.count = launch->block.x * launch->block.y * launch->block.z;
  *module->dynamic = dynamic;
  *module->block_size = launch->block;
  *module->grid = launch->grid;
  signal = sigsetjmp(escape, 1);
  if (!signal) run_grid(launch->grid);
  for (int i = 0; i < SIGNALS; i++)
    sigaction(signals[i], &before[i], NULL);
  free(dynamic);
  if (signal) lost = signal == SIGSEGV || signal == SIGBUS ? ERROR_ADDRESS : ERROR_LAUNCH;
  return lost;
}

/* ---- Streams, events and graphs ---- */

struct graph {
  struct launch *launches;
  size_t count;
};
struct event {
  long long ns;
};
static struct graph *captured;

/* The arguments are read when a launch is captured; Hone keeps them until the graph is gone. */
int hipModuleLaunchKernel(struct function *function, unsigned gx, unsigned gy, unsigned gz,
                          unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream,
                          void **params, void **extra)
{
  struct launch launch = {function, {gx, gy, gz}, {bx, by, bz}, shared, params};
  WORK("hipModuleLaunchKernel");

  (void)stream;
  (void)extra;
  if ((size_t)bx * by * bz > MOST_THREADS) return ERROR_VALUE;
  if (!captured) return execute(&launch);
  if (captured->count == MOST_NODES) return ERROR_MEMORY;
  captured->launches =
      realloc(captured->launches, (captured->count + 1) * sizeof *captured->launches);
  captured->launches[captured->count++] = launch;
  return 0;
}
int hipStreamCreateWithFlags(void **stream, unsigned flags)
{
  CALL("hipStreamCreateWithFlags");
  (void)flags;
  *stream = calloc(1, 1);
  return 0;
}
int hipStreamDestroy(void *stream)
{
  CALL("hipStreamDestroy");
  free(stream);
  return 0;
}
int hipStreamSynchronize(void *stream)
{
  WORK("hipStreamSynchronize");
  (void)stream;
  return 0;
}
int hipStreamBeginCapture(void *stream, int mode)
{
  WORK("hipStreamBeginCapture");
  (void)stream;
  (void)mode;
  captured = calloc(1, sizeof *captured);
  return 0;
}
int hipStreamEndCapture(void *stream, struct graph **graph)
{
  WORK("hipStreamEndCapture");
  (void)stream;
  *graph = captured;
  captured = NULL;
  return 0;
}
int hipGraphInstantiateWithFlags(struct graph **executable, struct graph *graph,
                                 unsigned long long flags)
{
  size_t bytes = graph->count * sizeof *graph->launches;
  WORK("hipGraphInstantiateWithFlags");

  (void)flags;
  *executable = calloc(1, sizeof **executable);
  (*executable)->count = graph->count;
  (*executable)->launches = malloc(bytes + 1);
  memcpy((*executable)->launches, graph->launches, bytes);
  return 0;
}
int hipGraphLaunch(struct graph *graph, void *stream)
{
  WORK("hipGraphLaunch");
  (void)stream;
  for (size_t i = 0; i < graph->count && !lost; i++)
    execute(&graph->launches[i]);
  return lost;
}
int hipGraphDestroy(struct graph *graph)
{
  CALL("hipGraphDestroy");
  free(graph->launches);
  free(graph);
  return 0;
}
int hipGraphExecDestroy(struct graph *graph)
{
  CALL("hipGraphExecDestroy");
  free(graph->launches);
  free(graph);
  return 0;
}
int hipEventCreateWithFlags(struct event **event, unsigned flags)
{
  CALL("hipEventCreateWithFlags");
  (void)flags;
  *event = calloc(1, sizeof **event);
  return 0;
}
int hipEventDestroy(struct event *event)
{
  CALL("hipEventDestroy");
  free(event);
  return 0;
}
int hipEventRecord(struct event *event, void *stream)
{
  WORK("hipEventRecord");
  (void)stream;
  event->ns = now_ns();
  return 0;
}
int hipEventSynchronize(struct event *event)
{
  WORK("hipEventSynchronize");
  (void)event;
  return 0;
}
int hipEventElapsedTime(float *ms, struct event *begin_event, struct event *end)
{
  WORK("hipEventElapsedTime");
  *ms = problem ? -1 : (float)((double)(end->ns - begin_event->ns) / 1e6);
  return 0;
}
