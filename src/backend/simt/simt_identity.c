/* The identity of an object: as for C, plus the architecture, the entry, and the NVRTC version. A
 * define counts if the source or the entry names it.
 */
#include "backend/simt/simt_compiler.h"

#include "backend/c/compiler.h"
#include "backend/kernel/pipeline.h"

#include <stdlib.h>
#include <sys/stat.h>

bool hone__simt_uses_rtc(const struct hone__simt_compiler *compiler,
                         const struct hone__kernel_candidate *candidate)
{
  const char *words = candidate->compiler;

  return !words || !*words || strcmp(words, compiler->word) == 0;
}

const struct hone__rtc_dialect *hone__simt_dialect(const struct hone__simt_compiler *compiler,
                                                   const char *source)
{
  const struct hone__rtc_dialect *dialect = compiler->dialects;
  size_t length = strlen(source);

  for (; dialect && dialect->suffix; dialect++) {
    size_t tail = strlen(dialect->suffix);
    if (tail <= length && strcmp(source + length - tail, dialect->suffix) == 0) return dialect;
  }
  return NULL;
}

/* ---- Which compiler ---- */

static void identify_file(const char *path, struct hone__digester *digester)
{
  struct stat info;

  hone__digest_add_text(digester, path);
  if (!path || stat(path, &info) != 0) return;
  hone__digest_add(digester, &info.st_size, sizeof info.st_size);
  hone__digest_add(digester, &info.st_mtim, sizeof info.st_mtim);
}

static void identify_opened(const struct hone__simt_compiler *compiler,
                            struct hone__digester *digester)
{
  const struct hone__rtc_library *rtc;
  hone_status status = compiler->library(&rtc);
  int version[2] = {0};
  char *headers = compiler->headers ? compiler->headers(rtc ? rtc->path : NULL) : NULL;

  if (rtc) {
    rtc->Version(&version[0], &version[1]);
    identify_file(rtc->path, digester);
  }
  identify_file(headers, digester); /* a replaced toolkit has a new time */
  free(headers);
  hone__digest_add(digester, version, sizeof version);
  hone_status_free(status);
}

/* ---- The object ---- */

void hone__simt_identify(const struct hone__simt_compiler *compiler,
                         const struct hone__kernel_candidate *candidate,
                         const struct hone__build_source_text *source, const char *folder, bool ask,
                         struct hone__digester *digester)
{
  const struct hone__rtc_dialect *dialect = hone__simt_dialect(compiler, candidate->source);
  struct hone__build_source_text whole = *source;
  struct hone__text entries = {0};

  whole.text = (struct hone__text){0};
  hone__text_addn(&whole.text, source->text.data ? source->text.data : "", source->text.length);
  hone__pipeline_entries(candidate, &entries);
  hone__text_addf(&whole.text, "\n%s", entries.data ? entries.data : "");
  hone__digest_add_text(digester, compiler->identity);
  if (dialect) hone__digest_add_text(digester, dialect->words);
  hone__digest_add_text(digester, entries.data ? entries.data : "");
  hone__digest_add_text(digester, candidate->arch ? candidate->arch : "");
  hone__compiler_identify(candidate, &whole, folder, ask, digester);
  if (hone__simt_uses_rtc(compiler, candidate) && ask)
    identify_opened(compiler, digester);
  else if (hone__simt_uses_rtc(compiler, candidate))
    identify_file(compiler->library_file(), digester);
  hone__text_release(&whole.text);
  hone__text_release(&entries);
}
