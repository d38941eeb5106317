/* The fields of a HELLO. All except the version are optional: a message of another version must be
 * readable enough to be refused.
 */
#include "wire/hello.h"

#include <math.h>

static const struct hone__field fields[] = {
    HONE__TEXT(struct hone__hello, version, HONE__NEEDED),
    HONE__TEXT(struct hone__hello, revision, HONE__OPTIONAL),
    HONE__TEXT(struct hone__hello, sources, HONE__OPTIONAL),
    HONE__TEXT(struct hone__hello, host, HONE__OPTIONAL),
    HONE__INT(struct hone__hello, pid, HONE__OPTIONAL, 0, 0x1p53),
    HONE__TEXT(struct hone__hello, role, HONE__OPTIONAL),
    HONE__TEXT(struct hone__hello, device, HONE__OPTIONAL),
    HONE__INT(struct hone__hello, cores, HONE__OPTIONAL, 0, 0x1p31),
    HONE__SIZE(struct hone__hello, memory_bytes, HONE__OPTIONAL),
    HONE__BOOL(struct hone__hello, zstd, HONE__OPTIONAL),
    HONE__TEXT(struct hone__hello, isolation, HONE__OPTIONAL),
    HONE__TEXT(struct hone__hello, machine, HONE__OPTIONAL),
    HONE__TEXT(struct hone__hello, compilers, HONE__OPTIONAL),
    HONE__TEXT(struct hone__hello, devices, HONE__OPTIONAL),
    HONE__SIZE(struct hone__hello, disk_free_bytes, HONE__OPTIONAL),
    HONE__REAL(struct hone__hello, clock_s, HONE__OPTIONAL, 0, INFINITY),
};

const struct hone__record_type hone__hello_type =
    HONE__RECORD_TYPE("hello", struct hone__hello, fields);
