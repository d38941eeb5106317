#include "base/allocators.h"

#include "base/memory.h"

#include <event2/event.h>
#include <jansson.h>
#include <pthread.h>
#include <stdlib.h>
#include <uv.h>

/* ---- jansson: on top of what the host program uses ---- */

static json_malloc_t json_malloc_below;

static void *json_malloc_or_die(size_t size)
{
  return hone__or_die(json_malloc_below(size ? size : 1));
}

static void install_for_json(void)
{
  json_free_t json_free_below;

  json_get_alloc_funcs(&json_malloc_below, &json_free_below);
  json_set_alloc_funcs(json_malloc_or_die, json_free_below);
}

/* ---- libuv: it does not tell what it uses, which is malloc unless somebody was here before ----
 */

static void *malloc_or_die(size_t size)
{
  return hone__or_die(malloc(size ? size : 1));
}

static void *calloc_or_die(size_t count, size_t size)
{
  return hone__or_die(calloc(count ? count : 1, size ? size : 1));
}

static void *realloc_or_die(void *old, size_t size)
{
  return hone__or_die(realloc(old, size ? size : 1));
}

static void install(void)
{
  install_for_json();
  uv_replace_allocator(malloc_or_die, realloc_or_die, calloc_or_die, free);
  event_set_mem_functions(malloc_or_die, realloc_or_die, free);
}

void hone__allocators_install(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;

  if (pthread_once(&once, install) != 0) hone__out_of_memory();
}
