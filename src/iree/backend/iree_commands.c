/* Command lines: for the compiler, and for people to paste. Names in a build are always the same,
 * for they end up in the module. */
#include "iree/backend/iree_backend.h"

#include "build/command.h"
#include "iree/backend/iree_model.h"
#include "iree/backend/iree_tool.h"
#include "wire/message_text.h"

bool hone__iree_has_spec(const json_t *candidate)
{
  return *hone__message_text(candidate, "compilation_info") ||
         *hone__message_text(candidate, "decomposition_config") ||
         json_array_size(json_object_get(candidate, "entries"));
}

static void add(json_t *words, const char *word)
{
  json_array_append_new(words, hone__json_string(word, strlen(word)));
}

/* Which of the compiler's flags makes it take a spec, and show what it made, on which target. */
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

json_t *hone__iree_build_words(const json_t *setup, const json_t *candidate, const char *object)
{
  const json_t *iree = json_object_get(setup, "iree"), *flags = json_object_get(iree, "flags");
  json_t *words = json_array();
  size_t way = 0;

  while (way + 1 < WAY_COUNT && strcmp(ways[way].backend, hone__message_text(iree, "backend")) != 0)
    way++;
  add(words, "dispatch.mlir");
  if (!hone__iree_model_is(setup)) add(words, "--compile-from=executable-sources");
  for (size_t i = 0; i < json_array_size(flags); i++)
    add(words, hone__message_word(flags, i));
  if (hone__iree_has_spec(candidate)) add(words, ways[way].spec);
  add(words, "--iree-hal-dump-executable-configurations-to=configured");
  if (ways[way].shows) add(words, ways[way].shows);
  add(words, "-o");
  add(words, object);
  return words;
}

/* ---- For people ---- */

hone_status hone__iree_build_command(const json_t *setup, const json_t *candidate,
                                     struct hone__text *out_command)
{
  json_t *words = hone__iree_build_words(setup, candidate, "module.vmfb");
  struct hone__text line = {0};

  hone__text_add(&line, "iree-compile");
  hone__command_add(&line, hone__message_text(setup, "dispatch"));
  json_array_remove(words, 0);
  for (size_t i = 0; i < json_array_size(words); i++)
    hone__command_add(&line, hone__message_word(words, i));
  if (hone__iree_has_spec(candidate))
    hone__text_addf(&line, "  # spec.mlir: %s", hone__message_text(candidate, "compilation_info"));
  hone__text_add(out_command, line.data);
  hone__text_release(&line);
  json_decref(words);
  return NULL;
}

hone_status hone__iree_run_command(const json_t *setup, const json_t *candidate,
                                   struct hone__text *out_command)
{
  const char *device = hone__message_text(setup, "device"), *colon = strchr(device, ':');
  json_t *words = hone__iree_benchmark_words(setup, "module.vmfb", colon ? colon + 1 : device, 3);

  (void)candidate;
  hone__text_add(out_command, "iree-benchmark-module");
  for (size_t i = 0; i < json_array_size(words); i++)
    hone__command_add(out_command, hone__message_word(words, i));
  json_decref(words);
  return NULL;
}
