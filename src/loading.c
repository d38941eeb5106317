/* hone_spec_load and hone_spec_parse: a file of MLIR or a recording becomes YAML first; from there
 * on all specs are alike. */
#include "backend/sim/sim_backend.h"

#include "base/allocators.h"
#include "hone_search.h"
#include "base/options_size.h"
#include "hone_iree.h"
#include "iree/task/iree_task.h"
#include "spec/spec.h"

#include <stdlib.h>

/* Before those of the text that was made of it. */
static void add_warnings(struct hone_spec *spec, const struct hone__text *warnings)
{
  struct hone__text all = {0};

  if (!warnings->length) return;
  hone__text_addf(&all, "%s%s", warnings->data, spec->warnings ? spec->warnings : "");
  free(spec->warnings);
  spec->warnings = hone__text_take(&all);
}

static hone_status load_mlir(const struct hone_spec_options *options, const char *path,
                             struct hone_spec **out_spec)
{
  const struct hone_iree_options none = {0};
  struct hone__text yaml = {0}, warnings = {0};
  const char *texts[1];
  hone_status status =
      hone__iree_spec(path, options->iree ? options->iree : &none, &yaml, &warnings);

  texts[0] = yaml.data ? yaml.data : "";
  if (!status) status = hone__spec_load(options, texts, out_spec);
  if (!status) add_warnings(*out_spec, &warnings);
  hone__text_release(&warnings);
  hone__text_release(&yaml);
  return status;
}

static hone_status load_recording(const struct hone_spec_options *options, const char *path,
                                  struct hone_spec **out_spec)
{
  struct hone__text yaml = {0};
  const char *texts[1];
  hone_status status;

  hone__sim_spec(path, &yaml);
  texts[0] = yaml.data;
  status = hone__spec_load_lent(options, texts, hone__sim_lend, out_spec);
  hone__text_release(&yaml);
  return status;
}

static const struct kind {
  const char *name;
  bool (*is_it)(const char *path);
  hone_status (*load)(const struct hone_spec_options *options, const char *path,
                      struct hone_spec **out_spec);
} kinds[] = {{".mlir file", hone__iree_is_mlir, load_mlir},
             {"recording", hone__sim_is_recording, load_recording}};

/* NULL: YAML, or a source with annotations. */
static const struct kind *kind_of(const char *path)
{
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kinds[i].is_it(path)) return &kinds[i];
  return NULL;
}

static hone_status load(const struct hone_spec_options *options, struct hone_spec **out_spec)
{
  const struct kind *kind = NULL;
  const char *path = NULL;

  for (size_t i = 0; i < options->file_count && !kind; i++) {
    path = options->files[i];
    kind = kind_of(path);
  }
  if (!kind) return hone__spec_load_lent(options, NULL, hone__sim_lend, out_spec);
  if (options->file_count > 1)
    return hone__error(HONE_INVALID_ARGUMENT,
                       "'%s' cannot be combined with other files: give one %s file only", path,
                       kind->name);
  return kind->load(options, path, out_spec);
}

hone_status hone_spec_load(const struct hone_spec_options *options, struct hone_spec **out_spec)
{
  struct hone_spec_options own;
  hone_status status;

  hone__allocators_install();
  *out_spec = NULL;
  hone_spec_options_init(&own);
  status = hone__options_take(&own, sizeof own, options, "hone_spec_options");
  return status ? status : load(&own, out_spec);
}

hone_status hone_spec_open(const char *file, struct hone_spec **out_spec)
{
  struct hone_spec_options options;

  hone_spec_options_init(&options);
  options.files = &file;
  options.file_count = 1;
  return hone_spec_load(&options, out_spec);
}

static hone_status check_text(const char *text, size_t length, const char *name,
                              const struct hone_spec_options *options)
{
  if ((!text && length) || !name || !*name)
    return hone__error(HONE_INVALID_ARGUMENT, "a spec in memory needs a text and a name");
  if (options->file_count)
    return hone__error(HONE_INVALID_ARGUMENT,
                       "'%s' is given as text: the options must not name files as well", name);
  if (hone__iree_is_mlir(name) || hone__ends_with(name, ".json.gz"))
    return hone__error(HONE_INVALID_ARGUMENT,
                       "'%s' cannot be given as text: write it to a file and load that", name);
  return NULL;
}

hone_status hone_spec_parse(const char *text, size_t length, const char *name,
                            const struct hone_spec_options *options, struct hone_spec **out_spec)
{
  struct hone_spec_options own;
  hone_status status;

  hone__allocators_install();
  *out_spec = NULL;
  hone_spec_options_init(&own);
  status = hone__options_take(&own, sizeof own, options, "hone_spec_options");
  if (!status) status = check_text(text, length, name, &own);
  if (status) return status;
  return hone__spec_parse(text ? text : "", length, name, &own, hone__sim_lend, out_spec);
}
