/* allocators.h - the libraries that Hone uses end the process where there is no memory, as
 * hone__alloc does, instead of giving NULL to callers that do not expect it.
 *
 * Every entry of the library that leads to jansson or libuv calls hone__allocators_install first;
 * it may be called often and from any thread. Both libraries know one allocator for the whole
 * process. Ours is the one that was there, malloc unless the host program chose another: memory
 * that either took may be freed by either, before and after. SQLite, libyaml and zlib report that
 * memory is short by their results, which their callers check.
 */
#ifndef HONE_BASE_ALLOCATORS_H
#define HONE_BASE_ALLOCATORS_H

void hone__allocators_install(void);

#endif
