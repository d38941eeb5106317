/* hello.h - the first message of a worker: its version and its host. */
#ifndef HONE_WIRE_HELLO_H
#define HONE_WIRE_HELLO_H

#include "wire/record.h"

struct hone__hello {
  const char *version;  /* version of hone: a worker of another version is refused */
  const char *revision; /* that it was built from: a remote worker of another one is refused */
  const char *sources;  /* checksum of those: likewise */
  const char *host;
  int64_t pid;
  const char *role;   /* "build" or "run" */
  const char *device; /* of a runner */
  int64_t cores;
  size_t memory_bytes;
  bool zstd;             /* it expands parts of payloads (parcels.h) */
  const char *isolation; /* how its process tree is contained */
  double clock_s;        /* since 1970, when it was sent; NaN: not known */
  /* What only a probe tells. */
  const char *machine;             /* "x86_64, glibc 2.36" */
  const char *compilers, *devices; /* as texts for people */
  size_t disk_free_bytes;          /* of the cache */
};

extern const struct hone__record_type hone__hello_type;

#endif
