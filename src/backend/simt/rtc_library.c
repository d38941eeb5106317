/* The compiler comes with a toolkit, with a wheel, or from a distribution: all are accepted. */
#include "backend/simt/rtc_library.h"

#include "backend/simt/simt_files.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <sys/stat.h>

/* ---- Files ---- */

static bool is_folder(const char *path)
{
  struct stat info;

  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static const char *chosen(const struct hone__rtc_place *place)
{
  const char *path = getenv(place->variable);

  return path && *path ? path : NULL;
}

static void add_chosen(const struct hone__rtc_place *place, struct hone__words *files)
{
  struct hone__text pattern = {0};

  if (is_folder(chosen(place))) {
    hone__text_addf(&pattern, "%s/%s*", chosen(place), place->file);
    hone__simt_files(pattern.data, files);
  } else {
    hone__words_add(files, chosen(place));
  }
  hone__text_release(&pattern);
}

static void list_files(const struct hone__rtc_place *place, struct hone__words *files)
{
  if (chosen(place))
    add_chosen(place, files);
  else
    place->list(files);
}

const char *hone__rtc_library_file(const struct hone__rtc_place *place,
                                   struct hone__rtc_state *state)
{
  struct hone__words files = {0};

  pthread_mutex_lock(&state->mutex);
  if (!state->is_guessed) {
    list_files(place, &files);
    if (files.count) state->guess = hone__strdup(files.data[0]);
    state->is_guessed = true;
    hone__words_release(&files);
  }
  pthread_mutex_unlock(&state->mutex);
  return state->guess;
}

/* ---- Opening ---- */

static bool resolve(void *handle, const struct rtc_names *names, struct hone__rtc_library *library)
{
#define HONE__RTC_RESOLVE(result, name, arguments, nvrtc, hiprtc)                                  \
  *(void **)&library->name = dlsym(handle, names->name);                                           \
  if (!library->name) return false;
  HONE__RTC_FUNCTIONS(HONE__RTC_RESOLVE)
#undef HONE__RTC_RESOLVE
  return true;
}

static bool try_file(const struct hone__rtc_place *place, struct hone__rtc_state *state,
                     const char *name)
{
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  struct link_map *map = NULL;

  hone__text_addf(&state->tried, "%s%s", state->tried.length ? ", " : "", name);
  if (!handle) return false;
  if (!resolve(handle, &place->names, &state->library)) {
    hone__text_add(&state->tried, " (too old)");
    dlclose(handle);
    return false;
  }
  dlinfo(handle, RTLD_DI_LINKMAP, &map);
  state->path = hone__strdup(map && map->l_name ? map->l_name : name);
  state->library.path = state->path;
  if (place->complete) place->complete(&state->library);
  return true;
}

static void open_first(const struct hone__rtc_place *place, struct hone__rtc_state *state)
{
  struct hone__words files = {0};
  bool is_chosen = chosen(place) != NULL;

  state->is_tried = true;
  for (const char *const *name = place->plain_names; !is_chosen && *name && !state->is_found;
       name++)
    state->is_found = try_file(place, state, *name);
  if (!state->is_found) list_files(place, &files);
  for (size_t i = 0; i < files.count && !state->is_found; i++)
    state->is_found = try_file(place, state, files.data[i]);
  hone__words_release(&files);
}

hone_status hone__rtc_library(const struct hone__rtc_place *place, struct hone__rtc_state *state,
                              const struct hone__rtc_library **out_library)
{
  pthread_mutex_lock(&state->mutex);
  if (!state->is_tried) open_first(place, state);
  pthread_mutex_unlock(&state->mutex);
  *out_library = state->is_found ? &state->library : NULL;
  if (state->is_found) return NULL;
  if (chosen(place) && !state->tried.length)
    return hone__error(HONE_UNAVAILABLE, "%s not found: %s is '%s', which has no %s", place->title,
                       place->variable, chosen(place), place->file);
  return hone__error(HONE_UNAVAILABLE, "%s not found (tried %s): %s", place->title,
                     state->tried.data, place->advice);
}
