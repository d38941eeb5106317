/* The table of languages: see language.h. */
#include "backend/language.h"

const char *const hone__language_suffixes[] = {".mojo", ".py",  ".sh", ".c",   ".cc",      ".cpp",
                                               ".cxx",  ".C",   ".cu", ".hip", ".hip.cpp", ".f",
                                               ".f90",  ".f95", ".F",  ".F90", ".so",      NULL};

#define LIST_DEPS "-MD -MF %/deps.d"
#define GNU_OPTIONS                                                                                \
  .define = "-D%", .include = "-I%", .first_of_library = "-shared -fPIC", .optimisation = "-O%",   \
  .default_optimisation = "3", .debug_levels = {"-g0", "-g1", "-g"}, .march = "-march=%",          \
  .no_warnings = "-w", .has_identifiers = true, .build_timeout_s = 60

static const struct hone__language languages[] = {
    {.name = "mojo",
     .suffixes = {".mojo"},
     .kind = HONE__LANGUAGE_COMPILED,
     .variable = "MODULAR_MOJO_MAX_DRIVER_PATH",
     .program = "mojo",
     .spelling = HONE__TRUE_IS_TRUE,
     .define = "-D %",
     .include = "-I %",
     .first = "build",
     .first_of_library = "--emit shared-lib",
     .optimisation = "-O%",
     .debug_levels = {"--debug-level %"},
     .march = "--march %",
     .no_warnings = "--disable-warnings",
     .accelerator = "--target-accelerator %",
     .build_timeout_s = 600},
    {.name = "python",
     .suffixes = {".py"},
     .kind = HONE__LANGUAGE_INTERPRETED,
     .program = "python3",
     .spelling = HONE__TRUE_IS_TRUE},
    {.name = "shell",
     .suffixes = {".sh"},
     .kind = HONE__LANGUAGE_INTERPRETED,
     .program = "sh",
     .spelling = HONE__TRUE_IS_TRUE},
    {.name = "c",
     .suffixes = {".c"},
     .kind = HONE__LANGUAGE_COMPILED,
     .variable = "CC",
     .program = "cc",
     .is_c = true,
     .last = "-lm",
     .worker_words = LIST_DEPS,
     GNU_OPTIONS},
    {.name = "c++",
     .suffixes = {".cc", ".cpp", ".cxx", ".C"},
     .kind = HONE__LANGUAGE_COMPILED,
     .variable = "CXX",
     .program = "c++",
     .is_c = true,
     .worker_words = LIST_DEPS,
     GNU_OPTIONS},
    {.name = "cuda",
     .suffixes = {".cu"},
     .kind = HONE__LANGUAGE_COMPILED,
     .variable = "NVCC",
     .program = "nvcc",
     .is_c = true,
     .has_identifiers = true,

     .define = "-D%",
     .include = "-I%",
     .first_of_library = "-shared -Xcompiler -fPIC",
     .optimisation = "-O%",
     .default_optimisation = "3",
     .debug_levels = {"", "-lineinfo", "-g -lineinfo"},
     .march = "-Xcompiler -march=%",
     .no_warnings = "-w",
     .accelerator = "-arch=%",
     .worker_words = LIST_DEPS " -keep -keep-dir %",
     .build_timeout_s = 300},
    {.name = "hip",
     .suffixes = {".hip", ".hip.cpp"},
     .kind = HONE__LANGUAGE_COMPILED,
     .variable = "HIPCC",
     .program = "hipcc",
     .is_c = true,
     .accelerator = "--offload-arch=%",
     .worker_words = LIST_DEPS,
     GNU_OPTIONS},
    {.name = "fortran",
     .suffixes = {".f90", ".F90", ".f", ".F", ".f95"},
     .kind = HONE__LANGUAGE_COMPILED,
     .variable = "FC",
     .program = "gfortran",
     .first = "-cpp",
     .worker_words = LIST_DEPS " -J %", /* modules */
     GNU_OPTIONS},
    {.name = "library",
     .suffixes = {".so"},
     .kind = HONE__LANGUAGE_LIBRARY,
     .spelling = HONE__TRUE_IS_TRUE},
    {.name = "executable", .kind = HONE__LANGUAGE_EXECUTABLE, .spelling = HONE__TRUE_IS_TRUE},
    {.name = "other",
     .kind = HONE__LANGUAGE_OTHER,
     .spelling = HONE__TRUE_IS_TRUE,
     .define = "-D%",
     .include = "-I%",
     .build_timeout_s = 600},
};
enum { LANGUAGE_COUNT = sizeof languages / sizeof *languages };

const struct hone__language *hone__language_of_suffix(const char *suffix)
{
  for (size_t i = 0; i < LANGUAGE_COUNT; i++)
    for (const char *const *own = languages[i].suffixes; *own; own++)
      if (strcmp(*own, suffix) == 0) return &languages[i];
  return NULL;
}

const struct hone__language *hone__language_find(const char *name)
{
  for (size_t i = 0; i < LANGUAGE_COUNT; i++)
    if (strcmp(languages[i].name, name) == 0) return &languages[i];
  return NULL;
}

/* ---- Formats ---- */

static void add_word(struct hone__words *words, const char *format, size_t length,
                     const char *value)
{
  struct hone__text word = {0};

  for (size_t i = 0; i < length; i++) {
    if (format[i] == '%')
      hone__text_add(&word, value);
    else
      hone__text_addn(&word, format + i, 1);
  }
  hone__words_add(words, word.data);
  hone__text_release(&word);
}

void hone__language_add(struct hone__words *words, const char *format, const char *value)
{
  while (format && *format) {
    size_t length = strcspn(format, " ");
    add_word(words, format, length, value);
    format += length + strspn(format + length, " ");
  }
}

void hone__language_add_definitions(const struct hone__language *language,
                                    struct hone__words *words,
                                    const struct hone__pairs *definitions)
{
  struct hone__text text = {0};

  for (size_t i = 0; i < definitions->count; i++) {
    text.length = 0;
    hone__text_addf(&text, "%s=%s", definitions->data[i].name, definitions->data[i].value);
    hone__language_add(words, language->define ? language->define : "-D%", text.data);
  }
  hone__text_release(&text);
}
