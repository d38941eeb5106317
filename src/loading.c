/* hone_spec_load: a file of MLIR becomes YAML first; from there on all specs are alike. */
#include "iree/iree_task.h"
#include "spec/spec.h"

#include <stdlib.h>

static const char *find_mlir(const struct hone_spec_options *options)
{
  for (size_t i = 0; i < options->file_count; i++)
    if (hone__iree_is_mlir(options->files[i])) return options->files[i];
  return NULL;
}

/* Before those of the text that was made of it. */
static void add_warnings(struct hone_spec *spec, const struct hone_text *warnings)
{
  struct hone_text all = {0};

  if (!warnings->length) return;
  hone__text_addf(&all, "%s%s", warnings->data, spec->warnings ? spec->warnings : "");
  free(spec->warnings);
  spec->warnings = hone__text_take(&all);
}

static hone_status load_mlir(const struct hone_spec_options *options, const char *path,
                             struct hone_spec **out_spec)
{
  struct hone_text yaml = {0}, warnings = {0};
  const char *texts[1];
  hone_status status = hone__iree_spec(path, &options->iree, &yaml, &warnings);

  texts[0] = yaml.data ? yaml.data : "";
  if (!status) status = hone__spec_load(options, texts, out_spec);
  if (!status) add_warnings(*out_spec, &warnings);
  hone__text_release(&warnings);
  hone__text_release(&yaml);
  return status;
}

hone_status hone_spec_load(const struct hone_spec_options *options, struct hone_spec **out_spec)
{
  const char *mlir = find_mlir(options);

  *out_spec = NULL;
  if (!mlir) return hone__spec_load(options, NULL, out_spec);
  if (options->file_count > 1)
    return hone__error(HONE_INVALID_ARGUMENT,
                       "'%s' cannot be joined with other files: give one .mlir file by itself",
                       mlir);
  return load_mlir(options, mlir, out_spec);
}
