/* Command lines: for the compiler, and for the user to paste. Names in a build are fixed, because
 * they become part of the module.
 */
#include "iree/backend/iree_backend.h"

#include "build/command.h"
#include "iree/backend/iree_tool.h"

/* The compiler's flags, by target, for using a spec and for dumping its result. */
static const struct {
  const char *backend, *spec, *shows;
} ways[] = {
    {"cuda", "--iree-codegen-transform-dialect-library=spec.mlir",
     "--iree-hal-dump-executable-binaries-to=made"},
    {"rocm", "--iree-codegen-tuning-spec-path=spec.mlir",
     "--iree-hal-dump-executable-intermediates-to=made"},
    {"", "--iree-codegen-tuning-spec-path=spec.mlir", NULL},
};
enum { WAY_COUNT = sizeof ways / sizeof *ways };

static size_t find_way(const char *backend)
{
  size_t way = 0;

  while (way + 1 < WAY_COUNT && (!backend || strcmp(ways[way].backend, backend) != 0))
    way++;
  return way;
}

/* All but the first word, which is the file. */
static void add_flags(const struct hone__iree_setup *setup,
                      const struct hone__iree_candidate *candidate, const char *object,
                      struct hone__words *words)
{
  const struct hone__iree_subject *subject = setup->iree;
  size_t way = find_way(subject->backend);

  if (!subject->is_model) hone__words_add(words, "--compile-from=executable-sources");
  for (size_t i = 0; i < subject->flags_count; i++)
    hone__words_add(words, subject->flags[i]);
  for (size_t i = 0; i < candidate->flags_count; i++)
    hone__words_add(words, candidate->flags[i]);
  if (hone__iree_has_spec(candidate)) hone__words_add(words, ways[way].spec);
  hone__words_add(words, "--iree-hal-dump-executable-configurations-to=configured");
  if (ways[way].shows) hone__words_add(words, ways[way].shows);
  hone__words_add(words, "-o");
  hone__words_add(words, object);
}

void hone__iree_build_words(const struct hone__iree_setup *setup,
                            const struct hone__iree_candidate *candidate, const char *object,
                            struct hone__words *words)
{
  hone__words_add(words, "dispatch.mlir");
  add_flags(setup, candidate, object, words);
}

/* ---- For people ---- */

static void print(struct hone__text *line, const struct hone__words *words)
{
  for (size_t i = 0; i < words->count; i++)
    hone__build_command_add(line, words->data[i]);
}

void hone__iree_build_command(const struct hone__iree_setup *setup,
                              const struct hone__iree_candidate *candidate,
                              struct hone__text *out_command)
{
  const char *info = candidate->compilation_info;
  struct hone__words words = {0};
  struct hone__text line = {0};

  hone__text_add(&line, "iree-compile");
  hone__build_command_add(&line, setup->dispatch ? setup->dispatch : "");
  add_flags(setup, candidate, "module.vmfb", &words);
  print(&line, &words);
  if (hone__iree_has_spec(candidate)) hone__text_addf(&line, "  # spec.mlir: %s", info ? info : "");
  hone__text_add(out_command, line.data);
  hone__text_release(&line);
  hone__words_release(&words);
}

void hone__iree_run_command(const struct hone__iree_setup *setup, struct hone__text *out_command)
{
  const char *device = setup->device ? setup->device : "", *colon = strchr(device, ':');
  struct hone__words words = {0};

  hone__iree_benchmark_words(setup->iree, "module.vmfb", colon ? colon + 1 : device, 3, &words);
  hone__text_add(out_command, "iree-benchmark-module");
  print(out_command, &words);
  hone__words_release(&words);
}
