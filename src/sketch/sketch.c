/* The keys of the spec, in the order in which people read them. */
#include "sketch/sketch.h"

#include "base/file.h"
#include "build/clang_facts.h"
#include "base/status.h"
#include "hone_sketch.h"

#include <ctype.h>
#include <stdlib.h>

enum { MOST_BYTES = 1 << 24 };
enum { MOST_TRIED = 8, MOST_SEEN = 64 }; /* functions; the text is read for each */

static const struct {
  const char *suffix;
  enum hone__sketch_language language;
  enum hone__code_language functions;
} languages[] = {
    {".c", HONE__SKETCH_C, HONE__FUNCTIONS_C},
    {".h", HONE__SKETCH_C, HONE__FUNCTIONS_C},
    {".cc", HONE__SKETCH_CPLUSPLUS, HONE__FUNCTIONS_C},
    {".cpp", HONE__SKETCH_CPLUSPLUS, HONE__FUNCTIONS_C},
    {".cxx", HONE__SKETCH_CPLUSPLUS, HONE__FUNCTIONS_C},
    {".hpp", HONE__SKETCH_CPLUSPLUS, HONE__FUNCTIONS_C},
    {".hh", HONE__SKETCH_CPLUSPLUS, HONE__FUNCTIONS_C},
    {".hxx", HONE__SKETCH_CPLUSPLUS, HONE__FUNCTIONS_C},
    {".cu", HONE__SKETCH_CUDA, HONE__FUNCTIONS_CUDA},
    {".cuh", HONE__SKETCH_CUDA, HONE__FUNCTIONS_CUDA},
    {".hip", HONE__SKETCH_CUDA, HONE__FUNCTIONS_CUDA},
    {".cl", HONE__SKETCH_OPENCL, HONE__FUNCTIONS_OPENCL},
    {".py", HONE__SKETCH_PYTHON, HONE__FUNCTIONS_C},
};

/* ---- Reading ---- */

static hone_status find_language(struct hone__sketch *sketch, size_t *out_row)
{
  const char *dot = strrchr(sketch->file, '.');

  for (size_t i = 0; dot && i < sizeof languages / sizeof *languages; i++) {
    if (strcmp(languages[i].suffix, dot) != 0) continue;
    sketch->language = languages[i].language;
    *out_row = i;
    return NULL;
  }
  return hone__error(HONE_UNAVAILABLE,
                     "no spec can be made for '%s': known sources are .c, .h, .cc, .cpp, .cxx, "
                     ".hpp, .hh, .hxx, .cu, .cuh, .hip, .cl and .py",
                     sketch->file);
}

static void use_function(struct hone__sketch *sketch, const char *entry)
{
  const struct hone__code_functions *functions = &sketch->functions;

  sketch->entry = entry;
  for (size_t i = 0; i < functions->count; i++) {
    const struct hone__code_function *own = &functions->list[i];
    if (strcmp(entry, own->name) != 0) continue;
    sketch->is_template = own->is_template;
    sketch->is_scoped = own->is_scoped;
  }
}

/* `#define N 1024` is the size, if the function has an `n`. */
static bool is_no_knob(const struct hone__sketch *sketch, const struct hone__sketch_knob *knob)
{
  if (knob->origin != HONE__SKETCH_MACRO && knob->origin != HONE__SKETCH_CONSTANT) return false;
  return (knob->value && hone__sketch_is_fraction(knob->value)) ||
         hone__sketch_size_named(sketch, knob->name, strlen(knob->name));
}

static void drop_others(struct hone__sketch *sketch)
{
  size_t count = 0;

  for (size_t i = 0; i < sketch->knob_count; i++)
    if (!is_no_knob(sketch, &sketch->knobs[i])) sketch->knobs[count++] = sketch->knobs[i];
  sketch->knob_count = count;
}

static void read_function(struct hone__sketch *sketch, const char *entry)
{
  use_function(sketch, entry);
  sketch->text = sketch->source;
  sketch->knob_count = 0;
  sketch->is_refused = false;
  sketch->lengths = NULL;
  sketch->overloads = 0;
  sketch->has_prototype =
      hone__prototype_find(sketch->text, sketch->entry, &sketch->arena, &sketch->prototype);
  if (!sketch->has_prototype) sketch->prototype.count = 0;
  hone__sketch_find_knobs(sketch);
  hone__sketch_find_constants(sketch);
  hone__sketch_find_use(sketch);
  hone__sketch_find_outside(sketch);
  hone__sketch_expand(sketch);
  hone__sketch_find_sizes(sketch);
  hone__sketch_ask_clang(sketch);
  if (sketch->path && sketch->language <= HONE__SKETCH_CPLUSPLUS) hone__sketch_ask_compiler(sketch);
  drop_others(sketch);
}

static bool has_tensor(const struct hone__prototype *prototype)
{
  for (size_t i = 0; i < prototype->count; i++)
    if (prototype->parameters[i].is_pointer) return true;
  return false;
}

/* By its text alone: `int capabilities(void)`. */
static bool is_no_kernel(struct hone__sketch *sketch, const char *name)
{
  struct hone__prototype prototype;

  return hone__prototype_find(sketch->source, name, &sketch->arena, &prototype) &&
         !has_tensor(&prototype);
}

/* Kernels come after their helpers. */
static size_t first_seen(const struct hone__sketch *sketch)
{
  size_t count = sketch->functions.count;

  return count > MOST_SEEN ? count - MOST_SEEN : 0;
}

static bool has_kernel(struct hone__sketch *sketch)
{
  for (size_t i = sketch->functions.count; i > first_seen(sketch); i--)
    if (!is_no_kernel(sketch, sketch->functions.list[i - 1].name)) return true;
  return false;
}

struct rank {
  const char *name;
  unsigned nesting;
  size_t place; /* in the source */
};

/* What has the deepest loops takes the time; helpers come before what calls them. */
static int compare_ranks(const void *a, const void *b)
{
  const struct rank *x = a, *y = b;

  if (x->nesting != y->nesting) return x->nesting < y->nesting ? 1 : -1;
  return (x->place < y->place) - (x->place > y->place);
}

static size_t rank_functions(struct hone__sketch *sketch, struct rank *ranks)
{
  const struct hone__code_functions *functions = &sketch->functions;
  size_t count = 0;

  for (size_t i = first_seen(sketch); i < functions->count; i++) {
    const char *name = functions->list[i].name;
    if (functions->count > 1 && is_no_kernel(sketch, name)) continue;
    ranks[count++] = (struct rank){name, hone__sketch_nesting(sketch, name), i};
  }
  qsort(ranks, count, sizeof *ranks, compare_ranks);
  return count;
}

/* The first with a tensor whose parameters are all known; else the first. */
static void choose_function(struct hone__sketch *sketch)
{
  const struct hone__code_functions *functions = &sketch->functions;
  struct rank ranks[MOST_SEEN];
  const char *first = NULL;
  size_t tried = 0, count = rank_functions(sketch, ranks);

  for (size_t i = 0; i < count && tried < MOST_TRIED; i++) {
    if (functions->count > 1 && hone__sketch_is_left_out(sketch, ranks[i].name)) continue;
    read_function(sketch, ranks[i].name);
    if (!hone__sketch_is_open(sketch) && has_tensor(&sketch->prototype)) return;
    if (!tried++) first = ranks[i].name;
  }
  if (tried != 1) read_function(sketch, first ? first : functions->list[functions->count - 1].name);
}

/* Programs have their kernels beside their main, and static. */
static void take_local_functions(struct hone__sketch *sketch)
{
  struct hone__code_functions others = sketch->functions;

  hone__code_functions_find(sketch->text, HONE__FUNCTIONS_C_LOCAL, &sketch->arena,
                            &sketch->functions);
  sketch->is_inner = has_kernel(sketch);
  if (!sketch->is_inner) sketch->functions = others;
}

static bool is_local(struct hone__sketch *sketch, const char *entry)
{
  struct hone__code_functions functions;

  hone__code_functions_find(sketch->text, HONE__FUNCTIONS_C_LOCAL, &sketch->arena, &functions);
  return hone__code_functions_has(&functions, entry);
}

static void find_functions(struct hone__sketch *sketch, enum hone__code_language language,
                           const char *entry)
{
  hone__code_functions_find(sketch->text, language, &sketch->arena, &sketch->functions);
  if (!sketch->functions.is_sure || !has_kernel(sketch)) hone__sketch_add_functions(sketch);
  if (language != HONE__FUNCTIONS_C) return;
  if (entry)
    sketch->is_inner =
        !hone__code_functions_has(&sketch->functions, entry) && is_local(sketch, entry);
  else if (!has_kernel(sketch))
    take_local_functions(sketch);
  sketch->is_inner = sketch->is_inner || hone__code_functions_has_main(sketch->source);
}

/* Neither the text nor a compiler has it; headers may, and macros with ## can make names. */
static bool is_missing(const struct hone__sketch *sketch)
{
  return !sketch->has_prototype && !hone__has_word(sketch->source, sketch->entry) &&
         !sketch->has_headers && !strstr(sketch->source, "##");
}

static hone_status missing(const struct hone__sketch *sketch)
{
  struct hone__text names = {0};
  hone_status status;

  for (size_t i = 0; i < sketch->functions.count; i++)
    hone__text_addf(&names, "%s'%s'", i ? ", " : "; it has ", sketch->functions.list[i].name);
  status = hone__error(HONE_NOT_FOUND, "'%s' has no function '%s'%s", sketch->file, sketch->entry,
                       names.data ? names.data : "");
  hone__text_release(&names);
  return status;
}

/* '.h' is taken for C, so that headers of both languages can be kernels. */
static bool is_other_language(const struct hone__sketch *sketch)
{
  return hone__ends_with(sketch->file, ".h") && (sketch->is_template || sketch->is_scoped);
}

static hone_status other_language(const struct hone__sketch *sketch)
{
  return hone__error(HONE_UNAVAILABLE,
                     "'%s' of '%s' is C++, but a header '.h' is taken for C: rename it, or a link "
                     "to it, to '%.*s.hpp'",
                     sketch->entry, sketch->file, (int)(strlen(sketch->file) - strlen(".h")),
                     sketch->file);
}

static hone_status read_functions(struct hone__sketch *sketch, size_t row, const char *entry)
{
  hone__sketch_find_folders(sketch);
  hone__sketch_find_bodies(sketch);
  find_functions(sketch, languages[row].functions, entry);
  if (!entry && !sketch->functions.count)
    return hone__error(HONE_NOT_FOUND,
                       "'%s' has no function that can be a kernel: name one with --entry",
                       sketch->file);
  if (entry)
    read_function(sketch, entry);
  else
    choose_function(sketch);
  if (is_other_language(sketch)) return other_language(sketch);
  return is_missing(sketch) ? missing(sketch) : NULL;
}

static bool is_parameter(const struct hone__sketch_knob *knob)
{
  return knob->origin != HONE__SKETCH_CONSTANT && !knob->is_type && !knob->is_fixed;
}

static size_t count_parameters(const struct hone__sketch *sketch)
{
  size_t count = 0;

  for (size_t i = 0; i < sketch->knob_count; i++)
    count += is_parameter(&sketch->knobs[i]);
  return count;
}

/* A spec needs a parameter: threads of a block on GPUs, else a flag of the compiler. */
static void guess(struct hone__sketch *sketch)
{
  bool is_gpu = sketch->language == HONE__SKETCH_CUDA || sketch->language == HONE__SKETCH_OPENCL;
  struct hone__sketch_knob *knob;

  if (is_gpu && hone__sketch_guess_blocks(sketch)) return;
  for (size_t i = 0; is_gpu && i < sketch->knob_count; i++)
    if (strcmp(sketch->knobs[i].name, hone__sketch_block(sketch)) == 0 && !sketch->knobs[i].value)
      sketch->knobs[i].value = "256";
  if (is_gpu && !hone__sketch_find(sketch, hone__sketch_block(sketch))) {
    knob = hone__sketch_add(sketch, HONE__SKETCH_GUESS, "BLOCK", strlen("BLOCK"), 0);
    knob->value = "256";
    knob->where = "the threads of a block";
  } else if (sketch->language <= HONE__SKETCH_CPLUSPLUS && !count_parameters(sketch)) {
    knob = hone__sketch_add(sketch, HONE__SKETCH_GUESS, "LEVEL", strlen("LEVEL"), 0);
    knob->value = "2";
    knob->where = "a flag of the compiler, since the source has no macro with a default";
  }
}

/* ---- Printing ---- */

static void print_where(const struct hone__sketch_knob *knob, struct hone__text *out)
{
  static const char *const origins[] = {[HONE__SKETCH_MACRO] = "the macro",
                                        [HONE__SKETCH_TEMPLATE] = "a parameter of the template",
                                        [HONE__SKETCH_CONSTANT] = "a constant",
                                        [HONE__SKETCH_OPTION] = "an option",
                                        [HONE__SKETCH_KEYWORD] = "an argument",
                                        [HONE__SKETCH_GUESS] = ""};

  hone__text_addf(out, "   # %s", knob->where ? knob->where : origins[knob->origin]);
  if (knob->line) hone__text_addf(out, ", line %d", knob->line);
  if (knob->line && knob->value && strcmp(knob->value, "TODO") != 0)
    hone__text_addf(out, ": %s", knob->value);
  hone__text_add(out, "\n");
}

static void print_knob(const struct hone__sketch_knob *knob, struct hone__text *out)
{
  hone__text_addf(out, "  %s%s: ", knob->origin == HONE__SKETCH_OPTION ? "$" : "", knob->name);
  if (strcmp(knob->name, "LEVEL") == 0 && knob->origin == HONE__SKETCH_GUESS)
    hone__text_add(out, "[1, 2, 3]");
  else
    hone__sketch_print_values(knob, out);
  print_where(knob, out);
}

/* `constexpr int TILE = 16;` wins over a macro of that name: the source has to change. */
static void print_constant(const struct hone__sketch *sketch, const struct hone__sketch_knob *knob,
                           struct hone__text *out)
{
  const char *type = isdigit((unsigned char)*knob->value) ? ", type=int" : "";

  hone__text_addf(out, "  # %s = %s (line %d) is a constant. To tune it, ", knob->name, knob->value,
                  knob->line);
  if (sketch->language == HONE__SKETCH_PYTHON)
    hone__text_addf(out, "take it as an option:\n  # add_argument(\"--%s\"%s), and name it here.\n",
                    knob->name, type);
  else
    hone__text_addf(
        out, "write '#ifndef %s', '#define %s %s', '#endif'\n  # instead, and add it here.\n",
        knob->name, knob->name, knob->value);
}

static void print_constants(const struct hone__sketch *sketch, struct hone__text *out)
{
  for (size_t i = 0; i < sketch->knob_count; i++)
    if (sketch->knobs[i].origin == HONE__SKETCH_CONSTANT)
      print_constant(sketch, &sketch->knobs[i], out);
}

static void print_params(const struct hone__sketch *sketch, struct hone__text *out)
{
  hone__text_add(out, "\n# What may change: each parameter with its values. Add yours.\nparams:\n");
  for (size_t i = 0; i < sketch->knob_count; i++)
    if (is_parameter(&sketch->knobs[i])) print_knob(&sketch->knobs[i], out);
  print_constants(sketch, out);
}

static void print_baseline(const struct hone__sketch *sketch, struct hone__text *out)
{
  const char *separator = "";

  hone__text_add(out,
                 "\n# What every candidate is compared with: what you use today.\nbaseline: {");
  for (size_t i = 0; i < sketch->knob_count; i++) {
    if (!is_parameter(&sketch->knobs[i])) continue;
    hone__text_add(out, separator);
    hone__text_addf(out, "%s: ", sketch->knobs[i].name);
    hone__sketch_print_value(&sketch->knobs[i], out);
    separator = ", ";
  }
  hone__text_add(out, "}\n");
}

static const char *argument_of(const struct hone__sketch_knob *knob, bool with_values)
{
  const char *missing = knob->is_type ? "float" : "1";

  if (knob->is_fixed) return knob->value;
  if (!knob->is_type && !with_values) return knob->name;
  return knob->value ? knob->value : missing;
}

void hone__sketch_print_entry(const struct hone__sketch *sketch, bool with_values,
                              struct hone__text *out)
{
  const char *separator = "<";

  hone__text_addf(out, "%s%s", sketch->scope, sketch->entry);
  for (size_t i = 0; sketch->is_template && i < sketch->knob_count; i++) {
    const struct hone__sketch_knob *knob = &sketch->knobs[i];
    if (knob->origin != HONE__SKETCH_TEMPLATE) continue;
    hone__text_addf(out, "%s%s", separator, argument_of(knob, with_values));
    separator = ", ";
  }
  if (sketch->is_template) hone__text_add(out, ">");
}

static void print_entry(const struct hone__sketch *sketch, struct hone__text *out)
{
  const char *quote = sketch->is_template || *sketch->scope ? "\"" : "";

  hone__text_addf(out, "entry: %s", quote);
  hone__sketch_print_entry(sketch, false, out);
  hone__text_add(out, quote);
  if (sketch->functions.count > 1)
    hone__text_addf(out, "   # one of %zu functions that can be a kernel; --entry names another",
                    sketch->functions.count);
  hone__text_add(out, "\n");
}

static bool has_guess(const struct hone__sketch *sketch, const char *name)
{
  const struct hone__sketch_knob *knob = hone__sketch_find(sketch, name);

  return knob && knob->origin == HONE__SKETCH_GUESS;
}

/* "includes: [../include]" */
static void print_folders(const struct hone__sketch *sketch, struct hone__text *out)
{
  for (size_t i = 0; i < sketch->folder_count; i++)
    hone__text_addf(out, "%s%s", i ? ", " : "includes: [", sketch->folders[i]);
  if (sketch->folder_count) hone__text_add(out, "]");
}

static bool has_defines(const struct hone__sketch *sketch)
{
  return sketch->type_count || sketch->body_count;
}

/* "defines: {REAL: float, STB_IMAGE_IMPLEMENTATION: 1}" */
static void print_defines(const struct hone__sketch *sketch, struct hone__text *out)
{
  const char *before = "defines: {";

  for (size_t i = 0; i < sketch->type_count; i++, before = ", ")
    hone__text_addf(out, "%s%s: float", before, sketch->types[i]);
  for (size_t i = 0; i < sketch->body_count; i++, before = ", ")
    hone__text_addf(out, "%s%s: 1", before, sketch->bodies[i]);
  if (has_defines(sketch)) hone__text_add(out, "}");
}

static void end_build(const struct hone__sketch *sketch, struct hone__text *out)
{
  hone__text_addf(out, "}%s\n",
                  sketch->type_count ? "   # types that the source does not declare" : "");
}

/* NVRTC and OpenCL have good defaults. */
static void print_gpu_build(const struct hone__sketch *sketch, struct hone__text *out)
{
  if (!sketch->folder_count && !has_defines(sketch)) return;
  hone__text_add(out, "\nbuild: {");
  print_folders(sketch, out);
  if (sketch->folder_count && has_defines(sketch)) hone__text_add(out, ", ");
  print_defines(sketch, out);
  end_build(sketch, out);
}

static void print_build(const struct hone__sketch *sketch, struct hone__text *out)
{
  hone__text_addf(out,
                  "\n# Parameters and sizes are macros of the source.\nbuild: {flags: [%s, "
                  "-march=native%s]",
                  has_guess(sketch, "LEVEL") ? "\"-O{LEVEL}\"" : "-O3",
                  strstr(sketch->text, "#pragma omp") ? ", -fopenmp" : "");
  if (sketch->folder_count) hone__text_add(out, ", ");
  print_folders(sketch, out);
  if (has_defines(sketch)) hone__text_add(out, ", ");
  print_defines(sketch, out);
  end_build(sketch, out);
}

static void print_reference(const struct hone__sketch *sketch, struct hone__text *out)
{
  size_t stem = strcspn(sketch->file, ".");

  hone__text_addf(
      out,
      "\n# Where right answers come from. Without it they are compared with those of the "
      "baseline.\n# reference: {file: %.*s_reference.c, entry: %s}\n"
      "# reference: {command: \"python3 reference.py {dir}\"}\n",
      (int)stem, sketch->file, sketch->entry);
}

static void print_kernel(const struct hone__sketch *sketch, struct hone__text *out)
{
  bool is_called = sketch->language <= HONE__SKETCH_CPLUSPLUS;

  print_entry(sketch, out);
  hone__sketch_print_problem(sketch, out);
  print_params(sketch, out);
  print_baseline(sketch, out);
  (is_called ? print_build : print_gpu_build)(sketch, out);
  hone__sketch_print_args(sketch, out);
  if (!is_called) hone__sketch_print_launch(sketch, out);
  print_reference(sketch, out);
}

/* A function whose arguments have defaults, in a file that is no program with options. */
static void print_call(const struct hone__sketch *sketch, struct hone__text *out)
{
  hone__text_addf(
      out,
      "# The time of a process that makes this call, with the start of Python. 'hone help "
      "python' has functions that are\n# tuned within a program.\n"
      "run: {command: [python3, -c, \"import runpy; runpy.run_path('{source}')%s\"], time: "
      "wall}",
      sketch->call);
  if (*sketch->missing) hone__text_addf(out, "   # give it: %s", sketch->missing);
  hone__text_add(out, "\n");
}

/* With -o it writes a file of results, as kbench's programs do. What others print is not known:
 * the time of the process is always there. */
static void print_time(const struct hone__sketch *sketch, struct hone__text *out)
{
  if (strstr(sketch->text, "\"-o\"") || strstr(sketch->text, "'-o'"))
    hone__text_add(out, "# A program that writes its times into the file that -o names.\n");
  else
    hone__text_addf(
        out,
        "# The time of the whole process. If the program prints its own as its last line, a "
        "number of milliseconds,\n# 'time: reported' takes that; 'unit: s' is another unit.\n"
        "run: {command: \"python3 {source} %s{args}\", time: wall}%s%s\n",
        *sketch->missing ? "TODO " : "", *sketch->missing ? "   # give it: " : "", sketch->missing);
}

static void print_program(const struct hone__sketch *sketch, struct hone__text *out)
{
  (sketch->call ? print_call : print_time)(sketch, out);
  if (strstr(sketch->text, "triton.jit") || strstr(sketch->text, "tilelang"))
    hone__text_add(out,
                   "# Kernels of Triton and TileLang are tuned where they are called: 'hone help "
                   "python'.\n");
  print_params(sketch, out);
  if (!count_parameters(sketch))
    hone__text_add(out, "  $TODO: [1, 2, 4]   # passed to the program as --TODO=1\n");
  else
    print_baseline(sketch, out);
}

static void print(const struct hone__sketch *sketch, struct hone__text *out)
{
  size_t stem = strcspn(sketch->file, ".");

  hone__text_addf(out,
                  "# Made by 'hone init %s'. Lines with TODO need an answer. hone-spec(5) has all "
                  "keys ('hone help spec').\nname: %.*s\nfile: %s\n",
                  sketch->file, (int)stem, sketch->file, sketch->file);
  (sketch->language == HONE__SKETCH_PYTHON ? print_program : print_kernel)(sketch, out);
}

/* ---- The whole ---- */

static hone_status make(struct hone__sketch *sketch, const char *entry, struct hone__text *out)
{
  size_t row = 0;
  hone_status status = find_language(sketch, &row);

  if (!status && sketch->language == HONE__SKETCH_PYTHON)
    hone__sketch_find_options(sketch);
  else if (!status)
    status = read_functions(sketch, row, entry);
  if (status) return status;
  guess(sketch);
  print(sketch, out);
  return NULL;
}

hone_status hone__sketch_text(const char *name, bool is_file, const char *text, const char *entry,
                              struct hone__text *out)
{
  const char *slash = strrchr(name, '/');
  struct hone__sketch sketch = {.path = is_file ? name : NULL,
                                .file = slash ? slash + 1 : name,
                                .source = text,
                                .text = text};
  hone_status status = make(&sketch, entry, out);

  free(sketch.knobs);
  hone__build_clang_free(sketch.clang);
  hone__build_clang_free(sketch.marked);
  hone__arena_release(&sketch.arena);
  return status;
}

hone_status hone_spec_sketch(const char *source, const char *entry, char **out_yaml)
{
  struct hone__text out = {0};
  char *text = NULL;
  size_t size;
  hone_status status = hone__file_read(source, MOST_BYTES, &text, &size);

  *out_yaml = NULL;
  if (!status) status = hone__sketch_text(source, true, text, entry, &out);
  if (!status) *out_yaml = hone__text_take(&out);
  hone__text_release(&out);
  free(text);
  return status;
}
