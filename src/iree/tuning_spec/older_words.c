/* The two spellings of pipelines are one table: "LLVMGPU" and a name, "#iree_gpu.pipeline<" and the
 * same name. */
#include "iree/tuning_spec/older_words.h"

#include "iree/tuning_spec/tuning_spec_parts.h"

static const struct {
  const char *older;
  const char *now, *end;
  const char *const *names;
  const char *only; /* one name; NULL: all others */
} spellings[] = {
    {"LLVMGPU", "#iree_gpu.pipeline<", ">", hone__spec_gpu_pipelines, NULL},
    {"", "#iree_cpu.pipeline<", ">", hone__spec_cpu_pipelines, "Mmt4dTilingExpert"},
    {"CPU", "#iree_cpu.pipeline<", ">", hone__spec_cpu_pipelines, NULL},
};
enum { SPELLINGS = sizeof spellings / sizeof *spellings };

bool hone__iree_wants_older(const struct hone__iree_toolset *toolset)
{
  return toolset->version && !toolset->features[HONE__IREE_HAS_PIPELINE_ATTRIBUTES];
}

bool hone__iree_has_older(const char *text)
{
  static const char *const marks[] = {"pipeline = LLVMGPU", "pipeline = CPU", "pipeline = Mmt4d"};

  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (strstr(text, marks[i])) return true;
  return false;
}

/* ---- From today's ---- */

/* How much of the text is a pipeline in today's words, whose older ones are added; 0: none is. */
static size_t add_older(const char *at, struct hone__text *out)
{
  for (size_t s = 0; s < SPELLINGS; s++) {
    const char *name = at + strlen(spellings[s].now);
    size_t length;
    if (!hone__starts_with(at, spellings[s].now)) continue;
    length = strcspn(name, spellings[s].end);
    if (!name[length]) return 0;
    if (spellings[s].only &&
        (length != strlen(spellings[s].only) || strncmp(name, spellings[s].only, length) != 0))
      continue;
    hone__text_addf(out, "%s%.*s", spellings[s].older, (int)length, name);
    return (size_t)(name - at) + length + strlen(spellings[s].end);
  }
  return 0;
}

void hone__iree_spell_older(struct hone__text *text)
{
  struct hone__text out = {0};
  const char *at = text->data ? text->data : "";

  while (*at) {
    size_t taken = strcspn(at, "#"), length;
    hone__text_addn(&out, at, taken);
    at += taken;
    if (!*at) break;
    length = add_older(at, &out);
    if (!length) hone__text_addn(&out, at, length = 1);
    at += length;
  }
  hone__text_release(text);
  *text = out;
}

/* ---- To today's ---- */

bool hone__iree_pipeline_now(const char *older, struct hone__text *out)
{
  for (size_t s = 0; s < SPELLINGS; s++) {
    const char *name = older + strlen(spellings[s].older);
    if (!hone__starts_with(older, spellings[s].older)) continue;
    if (spellings[s].only && strcmp(name, spellings[s].only) != 0) continue;
    for (size_t i = 0; spellings[s].names[i]; i++)
      if (!strcmp(spellings[s].names[i], name)) {
        hone__text_addf(out, "%s%s%s", spellings[s].now, name, spellings[s].end);
        return true;
      }
  }
  return false;
}

/* ---- What is too new ---- */

hone_status hone__iree_need_words(const struct hone__iree_toolset *toolset, const char *spec)
{
  static const struct {
    const char *words;
    enum hone__iree_feature feature;
  } newer[] = {{"#iree_gpu.pipeline<", HONE__IREE_HAS_PIPELINE_ATTRIBUTES},
               {"#iree_cpu.pipeline<", HONE__IREE_HAS_PIPELINE_ATTRIBUTES},
               {"transform.iree.match.online_attention", HONE__IREE_HAS_ONLINE_ATTENTION}};

  for (size_t i = 0; toolset->version && i < sizeof newer / sizeof *newer; i++)
    if (strstr(spec, newer[i].words)) {
      hone_status status = hone__iree_need_feature(toolset, newer[i].feature);
      if (status) return status;
    }
  return NULL;
}

/* Kernels are looked up by name since 3.12, and were by their number before. */
hone_status hone__iree_need_dump(const struct hone__iree_toolset *toolset, const char *path,
                                 const char *text)
{
  const enum hone__iree_feature lookup = HONE__IREE_HAS_FUNCTION_LOOKUP;

  if (!toolset->version) return NULL;
  if (strstr(text, "hal.executable.lookup.function"))
    return hone__annotate(hone__iree_need_feature(toolset, lookup),
                          "'%s' was dumped by another version of IREE", path);
  if (strstr(text, "hal.executable.export.ordinal") && toolset->features[lookup])
    return hone__error(HONE_UNAVAILABLE,
                       "'%s' was dumped by IREE before 3.12, and this is %s: compile the model "
                       "again, with this version",
                       path, toolset->version);
  return NULL;
}
