/* build_deps_json.h - build_deps.h for a backend's method, which is handed its list as JSON. */
#ifndef HONE_BUILD_BUILD_DEPS_JSON_H
#define HONE_BUILD_BUILD_DEPS_JSON_H

#include "build/build_deps.h"
#include "wire/build_reply.h"
#include "wire/packed_json.h"

static inline bool hone__build_deps_json_are_current(const json_t *deps, hone__file_digest *digest)
{
  json_t *whole = json_pack("{sO*}", "deps", deps);
  struct hone__arena arena = {0};
  struct hone__build_reply reply;
  hone_status status =
      hone__unpack(hone__json_packed(whole), &hone__build_reply_type, &arena, &reply);
  bool current = !status && hone__build_deps_are_current(reply.deps, reply.deps_count, digest);

  hone_status_free(status);
  hone__arena_release(&arena);
  json_decref(whole);
  return current;
}

#endif
