/* An installation may have been moved: the folder of the loaded library tells where it is now. */
#include "pool/worker_program.h"

#include "base/paths.h"
#include "base/quote.h"
#include "base/text.h"
#include "install_places.h" /* made by the build */

#include <dlfcn.h>
#include <stdlib.h>

static const char name[] = "hone";

struct search {
  struct hone__text looked_at; /* for the message */
  char *found;                 /* or NULL */
};

/* Takes over `path`. */
static void look_at(struct search *search, char *path)
{
  hone__text_addf(&search->looked_at, "%s'%s'", search->looked_at.length ? ", " : "", path);
  if (!search->found && hone__path_is_program(path))
    search->found = path;
  else
    free(path);
}

static char *join(const char *folder, size_t length)
{
  struct hone__text path = {0};

  hone__text_addn(&path, folder, length);
  hone__text_addf(&path, "%s%s", length ? "/" : "", name);
  return hone__text_take(&path);
}

/* The address of this library's file; NULL: it is linked into the program. */
static char *own_library(void)
{
  static const char inside[] = "libhone";
  Dl_info info;
  char *path, *slash;

  if (!dladdr(inside, &info) || !info.dli_fname) return NULL;
  path = realpath(info.dli_fname, NULL);
  slash = path ? strrchr(path, '/') : NULL;
  if (slash && strncmp(slash + 1, inside, strlen(inside)) == 0) return path;
  free(path);
  return NULL;
}

static void look_beside_library(struct search *search)
{
  char *library = own_library();
  struct hone__text folder = {0};
  char *real;

  if (!library || !*HONE__BIN_FROM_LIB) {
    free(library);
    return;
  }
  *strrchr(library, '/') = 0;
  hone__text_addf(&folder, "%s/%s", library, HONE__BIN_FROM_LIB);
  real = realpath(folder.data, NULL);
  if (real) look_at(search, join(real, strlen(real)));
  free(real);
  free(library);
  hone__text_release(&folder);
}

static void look_in_path(struct search *search)
{
  const char *path = getenv("PATH");

  while (path && *path && !search->found) {
    size_t length = strcspn(path, ":");
    char *file = join(path, length);
    if (length && hone__path_is_program(file))
      search->found = file;
    else
      free(file);
    path += length + (path[length] == ':');
  }
  hone__text_addf(&search->looked_at, "%s'%s' in PATH", search->looked_at.length ? ", " : "", name);
}

static hone_status take_given(const char *path, const char *whence, char **out_program)
{
  if (!hone__path_is_program(path))
    return hone__error(HONE_NOT_FOUND, "%s names '%s', which is not an executable file", whence,
                       path);
  *out_program = hone__strdup(path);
  return NULL;
}

hone_status hone__worker_program_find(const char *given, char **out_program)
{
  const char *variable = getenv("HONE_PROGRAM");
  struct search search = {0};
  hone_status status = NULL;

  *out_program = NULL;
  if (given && *given) return take_given(given, "the option 'hone_program'", out_program);
  if (variable && *variable) return take_given(variable, "HONE_PROGRAM", out_program);
  look_beside_library(&search);
  if (!search.found) look_at(&search, join(HONE__BIN_FOLDER, strlen(HONE__BIN_FOLDER)));
  if (!search.found) look_in_path(&search);
  if (!search.found)
    status = hone__error(HONE_UNAVAILABLE,
                         "cannot find the program 'hone', which builds and measures for the "
                         "library; looked for %s: install it, or set HONE_PROGRAM to its file",
                         search.looked_at.data);
  *out_program = search.found;
  hone__text_release(&search.looked_at);
  return status;
}

/* ---- After a launcher ---- */

static bool is_ssh(const char *word)
{
  const char *slash = strrchr(word, '/');

  return strcmp(slash ? slash + 1 : word, "ssh") == 0;
}

/* Once for each ssh. */
static void add_quoted(struct hone__words *command, const char *program)
{
  char *word = hone__strdup(program);

  for (size_t i = 0, count = command->count; i < count; i++) {
    struct hone__text quoted = {0};
    if (!is_ssh(command->data[i])) continue;
    hone__quote_shell(&quoted, word);
    free(word);
    word = hone__text_take(&quoted);
  }
  hone__words_add(command, word);
  free(word);
}

const char *hone__worker_program_add(struct hone__words *command, const char *program)
{
  const char *elsewhere = command->count ? getenv("HONE_REMOTE_PROGRAM") : NULL;

  if (elsewhere && *elsewhere)
    hone__words_add(command, program = elsewhere);
  else
    add_quoted(command, program);
  return hone__path_keep(program);
}
