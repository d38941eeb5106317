/* The JSON that vLLM and kernels of Hugging Face read for a device and a shape: the configuration
 * of each batch size M. The other sizes are in the file's name, which they look for:
 * E=8,N=7168,device_name=NVIDIA_H200.json, or with texts of the problem after it,
 * N=4096,K=512,device_name=NVIDIA_H200,dtype=fp8_w8a8,block_shape=[128,128].json. */
#include "export/formatting.h"

#include "spec/json_writer.h"
#include "spec/word_kind.h"

#include <inttypes.h>
#include <stdlib.h>

static const char batch[] = "M";

static const char *value_of(const struct hone__tuned *tuned, const char *name)
{
  for (size_t i = 0; i < tuned->size_count; i++)
    if (strcmp(tuned->sizes[i].name, name) == 0) return tuned->sizes[i].value;
  return NULL;
}

/* ---- The name ---- */

static bool is_batch(const struct hone__spec_param *size)
{
  return strcmp(size->name, batch) == 0;
}

/* Numbers before the device, texts after it; without spaces. */
static void add_sizes(struct hone__text *name, const struct hone__tuned *tuned, bool numbers)
{
  for (size_t i = 0; i < tuned->size_count; i++) {
    const struct hone__spec_param *size = &tuned->sizes[i];
    if (is_batch(size) || (hone__word_kind(size->value) == HONE__WORD_INT) != numbers) continue;
    hone__text_addf(name, "%s%s=", name->length ? "," : "", size->name);
    for (const char *at = size->value; *at; at++)
      if (*at != ' ') hone__text_addn(name, *at == '/' ? "_" : at, 1);
  }
}

static char *file_name(const struct hone__tuned *tuned)
{
  struct hone__text name = {0};

  add_sizes(&name, tuned, true);
  hone__text_addf(&name, "%sdevice_name=", name.length ? "," : "");
  for (const char *at = tuned->device; *at; at++)
    hone__text_addn(&name, *at == ' ' || *at == '/' ? "_" : at, 1);
  add_sizes(&name, tuned, false);
  hone__text_add(&name, ".json");
  return hone__text_take(&name);
}

/* ---- The file ---- */

static hone_status check(const struct hone__formatting *formatting)
{
  const struct hone__tuned *first = &formatting->tuned[0];
  char *name = file_name(first);
  hone_status status = NULL;

  for (size_t i = 0; i < formatting->count && !status; i++) {
    const struct hone__tuned *tuned = &formatting->tuned[i];
    const char *size = value_of(tuned, batch);
    char *other = file_name(tuned);
    if (tuned->unproved) /* readers take every key for a batch size or an argument */
      status = hone__error(HONE_NOT_FOUND,
                           "run %" PRId64 " proves nothing: %s; vLLM's files have no place to say "
                           "so, not even with '--force'",
                           tuned->run, tuned->unproved);
    else if (!size || hone__word_kind(size) != HONE__WORD_INT)
      status = hone__error(HONE_INVALID_ARGUMENT,
                           "run %" PRId64 " has no size '%s': vLLM's files are by batch size; name "
                           "it so in the spec's 'problem'",
                           tuned->run, batch);
    else if (strcmp(name, other) != 0)
      status = hone__error(HONE_INVALID_ARGUMENT,
                           "run %" PRId64 " belongs into '%s' and run %" PRId64
                           " into '%s': export them separately",
                           first->run, name, tuned->run, other);
    free(other);
  }
  free(name);
  return status;
}

static int by_batch(const void *a, const void *b)
{
  long long x = atoll(value_of(a, batch)), y = atoll(value_of(b, batch));

  return (x > y) - (x < y);
}

static hone_status write_entries(struct hone__formatting *formatting,
                                 struct hone__json_writer *writer)
{
  qsort(formatting->tuned, formatting->count, sizeof *formatting->tuned, by_batch);
  for (size_t i = 0; i < formatting->count; i++) {
    const struct hone__tuned *tuned = &formatting->tuned[i];
    const char *size = value_of(tuned, batch);
    if (i && strcmp(size, value_of(&formatting->tuned[i - 1], batch)) == 0)
      return hone__error(HONE_INVALID_ARGUMENT, "runs %" PRId64 " and %" PRId64 " both have %s=%s",
                         formatting->tuned[i - 1].run, tuned->run, batch, size);
    hone__json_open(writer, size, '{');
    for (size_t k = 0; k < tuned->param_count; k++)
      hone__json_word(writer, tuned->params[k].name, tuned->params[k].value);
    hone__json_close(writer, '}');
  }
  return NULL;
}

hone_status hone__export_vllm(struct hone__formatting *formatting)
{
  struct hone__json_writer writer = {0};
  hone_status status = check(formatting);

  if (status) return status;
  hone__json_open(&writer, NULL, '{');
  status = write_entries(formatting, &writer);
  hone__json_close(&writer, '}');
  hone__text_addf(&formatting->text, "%s\n", writer.text.data);
  formatting->name = file_name(&formatting->tuned[0]);
  hone__text_release(&writer.text);
  return status;
}
