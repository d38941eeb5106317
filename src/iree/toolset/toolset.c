/* Finds the executables with a few calls of stat and one small file of the cache, because a worker
 * does this for every candidate. If the user names a folder, other places are not searched, even if
 * it has nothing of IREE.
 */
#include "iree/toolset/toolset.h"

#include "iree/toolset/toolset_kept.h"
#include "iree/toolset/toolset_place.h"

#include <stdlib.h>

static const char *const advice =
    "'pip install iree-base-compiler iree-base-runtime' installs them; --iree-dir or HONE_IREE "
    "names a folder, virtual environment or site-packages that has them";
static const char *const import_advice =
    "it reads .onnx files; 'pip install iree-base-compiler[onnx]' installs it, and 'make iree' in "
    "Hone's source; --iree-dir or HONE_IREE names a folder or virtual environment that has it";

static const struct {
  const char *words, *since;
} features[HONE__IREE_FEATURE_COUNT] = {
#define HONE__IREE_FEATURE_ROW(id, words, since) {words, since},
    HONE__IREE_FEATURES(HONE__IREE_FEATURE_ROW)
#undef HONE__IREE_FEATURE_ROW
};

/* ---- Finding ---- */

static void note(struct hone__text *where, const char *what, const char *value)
{
  hone__text_addf(where, "%s%s", where->length ? ", " : "", what);
  if (value) hone__text_addf(where, " '%s'", value);
}

static const char *variable(const char *name)
{
  const char *value = getenv(name);

  return value && *value ? value : NULL;
}

static void look(const char *dir, char *paths[HONE__IREE_TOOLS], struct hone__text *where)
{
  const char *home = variable("HONE_IREE"), *environment = variable("VIRTUAL_ENV");

  if (dir) note(where, "--iree-dir", dir);
  if (dir && !hone__iree_look_in(dir, paths)) return;
  if (home) note(where, "HONE_IREE", home);
  if (home && !hone__iree_look_in(home, paths) && !dir) return;
  note(where, "PATH", NULL);
  hone__iree_look_in_path(paths);
  if (environment) note(where, "VIRTUAL_ENV", environment);
  if (environment) hone__iree_look_in(environment, paths);
}

void hone__iree_toolset_find(const char *dir, struct hone__iree_toolset *out_toolset)
{
  struct hone__text where = {0};

  *out_toolset = (struct hone__iree_toolset){0};
  look(dir && *dir ? dir : NULL, out_toolset->paths, &where);
  out_toolset->where = hone__text_take(&where);
  hone__iree_probe(out_toolset);
}

void hone__iree_toolset_release(struct hone__iree_toolset *toolset)
{
  for (int tool = 0; tool < HONE__IREE_TOOLS; tool++)
    free(toolset->paths[tool]);
  free(toolset->version);
  free(toolset->identity);
  free(toolset->where);
  *toolset = (struct hone__iree_toolset){0};
}

/* ---- Asking ---- */

hone_status hone__iree_need(const struct hone__iree_toolset *toolset, enum hone__iree_tool tool)
{
  if (toolset->paths[tool]) return NULL;
  return hone__error(HONE_UNAVAILABLE, "cannot find '%s' of IREE in %s: %s",
                     hone__iree_tool_names[tool], toolset->where,
                     tool == HONE__IREE_IMPORT_ONNX ? import_advice : advice);
}

hone_status hone__iree_need_feature(const struct hone__iree_toolset *toolset,
                                    enum hone__iree_feature feature)
{
  if (toolset->features[feature]) return NULL;
  return hone__error(HONE_UNAVAILABLE, "IREE %s has no %s: version %s or later is needed",
                     toolset->version ? toolset->version : "without a compiler",
                     features[feature].words, features[feature].since);
}

const char *hone__iree_tool_name(enum hone__iree_tool tool)
{
  return hone__iree_tool_names[tool];
}

const char *hone__iree_feature_words(enum hone__iree_feature feature)
{
  return features[feature].words;
}

const char *hone__iree_feature_since(enum hone__iree_feature feature)
{
  return features[feature].since;
}
