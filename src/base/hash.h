/* hash.h - one 64-bit hash for tables inside the process. */
#ifndef HONE_BASE_HASH_H
#define HONE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t hone__mix(uint64_t x) /* splitmix64's finaliser: a bijection */
{
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static inline uint64_t hone__hash_add(uint64_t hash, uint64_t word)
{
  return (hash ^ word) * 0x9e3779b97f4a7c15u + (hash >> 32);
}

static inline uint64_t hone__hash_bytes(uint64_t hash, const void *data, size_t size)
{
  const unsigned char *p = data;

  for (; size >= 8; p += 8, size -= 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    hash = hone__hash_add(hash, word);
  }
  for (; size; p++, size--)
    hash = hone__hash_add(hash, *p);
  return hone__mix(hash);
}

#endif
