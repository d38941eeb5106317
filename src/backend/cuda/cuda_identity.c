/* The identity of an object: as for C, plus the architecture, the entry, and the NVRTC version. A
 * define counts if the source or the entry names it.
 */
#include "backend/cuda/cuda_backend.h"

#include "backend/c/compiler.h"
#include "backend/cuda/nvrtc_library.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

bool hone__cuda_uses_nvrtc(const struct hone__kernel_candidate *candidate)
{
  const char *compiler = candidate->compiler;

  return !compiler || !*compiler || strcmp(compiler, HONE__CUDA_NVRTC) == 0;
}

/* ---- Which NVRTC ---- */

static void identify_file(const char *path, struct hone__digester *digester)
{
  struct stat info;

  hone__digest_add_text(digester, path);
  if (!path || stat(path, &info) != 0) return;
  hone__digest_add(digester, &info.st_size, sizeof info.st_size);
  hone__digest_add(digester, &info.st_mtim, sizeof info.st_mtim);
}

static void identify_opened(struct hone__digester *digester)
{
  const struct hone__nvrtc_library *nvrtc;
  hone_status status = hone__nvrtc_library(&nvrtc);
  int version[2] = {0};
  char *headers = hone__cuda_headers(nvrtc ? nvrtc->path : NULL);

  if (nvrtc) {
    nvrtc->Version(&version[0], &version[1]);
    identify_file(nvrtc->path, digester);
  }
  identify_file(headers, digester); /* a replaced toolkit has a new time */
  free(headers);
  hone__digest_add(digester, version, sizeof version);
  hone_status_free(status);
}

static struct {
  pthread_once_t once;
  char *path;
} likely = {.once = PTHREAD_ONCE_INIT};

static void look_for_file(void)
{
  likely.path = hone__nvrtc_library_file();
}

/* ---- The object ---- */

void hone__cuda_identify(const struct hone__kernel_candidate *candidate,
                         const struct hone__source_text *source, const char *folder, bool ask,
                         struct hone__digester *digester)
{
  const char *entry = candidate->entry ? candidate->entry : "";
  struct hone__source_text whole = *source;

  whole.text = (struct hone__text){0};
  hone__text_addn(&whole.text, source->text.data ? source->text.data : "", source->text.length);
  hone__text_addf(&whole.text, "\n%s", entry);
  hone__digest_add_text(digester, "cuda 1"); /* and the options' implicit additions */
  hone__digest_add_text(digester, entry);
  hone__digest_add_text(digester, candidate->arch ? candidate->arch : "");
  hone__compiler_identify(candidate, &whole, folder, ask, digester);
  if (hone__cuda_uses_nvrtc(candidate) && ask) {
    identify_opened(digester);
  } else if (hone__cuda_uses_nvrtc(candidate)) {
    pthread_once(&likely.once, look_for_file);
    identify_file(likely.path, digester);
  }
  hone__text_release(&whole.text);
}
