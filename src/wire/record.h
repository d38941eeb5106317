/* record.h - structs as messages: one table of fields encodes, decodes and checks.
 *
 *   struct hone__place {
 *     const char *host;
 *     int64_t port;
 *     const char **aliases;
 *     size_t aliases_count;
 *   };
 *   static const struct hone__field place_fields[] = {
 *       HONE__TEXT(struct hone__place, host, HONE__NEEDED),
 *       HONE__INT(struct hone__place, port, HONE__NEEDED, 1, 65535),
 *       HONE__TEXTS(struct hone__place, aliases, HONE__OPTIONAL),
 *   };
 *   const struct hone__record_type hone__place_type =
 *       HONE__RECORD_TYPE("place", struct hone__place, place_fields);
 *
 *   packed = hone__pack(&hone__place_type, &place);
 *   status = hone__unpack(packed, &hone__place_type, &arena, &place);
 *   hone__packed_drop(packed);
 *
 * A packed message is JSON, but only this folder depends on that. Unpacking checks the type and
 * range of every field, and its error names the wrong field. Unknown fields are skipped: a newer
 * version may send them. The length of a list `x` is in `x_count`.
 *
 * Optional fields that are NULL, 0, false or NaN are not sent, unless they are HONE__SENT. A
 * missing field is 0, or NaN for a real. An empty list that is not NULL is sent.
 */
#ifndef HONE_WIRE_RECORD_H
#define HONE_WIRE_RECORD_H

#include "base/digest.h"
#include "base/memory.h"
#include "base/pairs.h"
#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hone__field_kind {
  HONE__FIELD_BOOL,    /* bool */
  HONE__FIELD_INT,     /* int64_t */
  HONE__FIELD_SIZE,    /* size_t */
  HONE__FIELD_REAL,    /* double; NaN and infinities are sent as null, "inf" and "-inf" */
  HONE__FIELD_TEXT,    /* const char *; bytes that are not UTF-8 become '?' */
  HONE__FIELD_CHOICE,  /* int (an enum), by name */
  HONE__FIELD_RECORD,  /* const T *; NULL if it is optional and missing */
  HONE__FIELD_TEXTS,   /* const char **, and its count */
  HONE__FIELD_REALS,   /* double *, and its count */
  HONE__FIELD_INTS,    /* int64_t *, and its count */
  HONE__FIELD_PAIRS,   /* struct hone__name_value *, and its count: [["name", "value"], ...] */
  HONE__FIELD_RECORDS, /* T *, and its count */
  HONE__FIELD_PACKED,  /* const struct hone__packed *: a nested message, which the receiver unpacks
                        */
  HONE__FIELD_VALUE,   /* struct hone_value: a bool, number or text; HONE_NONE: none */
  HONE__FIELD_VALUES,  /* struct hone_value *, and its count */
  HONE__FIELD_NAMED,   /* struct hone__named *, and its count: {"registers": 32, ...} */
  HONE__FIELD_REST     /* the same: members of this object that match no other field */
};

struct hone__named { /* a number or text whose name only sender and reader know */
  const char *name;
  struct hone_value value;
};

struct hone__record_type;

struct hone__field {
  const char *name;
  enum hone__field_kind kind;
  size_t offset, count_offset;
  bool is_optional, is_always_sent, is_nullable;
  double least, most;                    /* range of numbers */
  const struct hone__record_type *type;  /* type of records */
  const char *(*choice_name)(int value); /* name of a choice, from 0 on; NULL after the last */
};

struct hone__record_type {
  const char *name; /* used in messages */
  size_t size;
  const struct hone__field *fields;
  size_t field_count;
  /* The first field is a value that is sent alone, without an object around it, if it is set. */
  bool is_plain;
};

#define HONE__RECORD_TYPE(name, T, fields)                                                         \
  {                                                                                                \
    name, sizeof(T), fields, sizeof fields / sizeof *fields, false                                 \
  }
#define HONE__PLAIN_RECORD_TYPE(name, T, fields)                                                   \
  {                                                                                                \
    name, sizeof(T), fields, sizeof fields / sizeof *fields, true                                  \
  }

/* ---- Fields of struct T; the member's name is sent; `must` is one of these ---- */

enum {
  HONE__NEEDED,
  HONE__OPTIONAL,
  HONE__SENT,    /* always sent, though other senders may omit it */
  HONE__NULLABLE /* the same; a list or record that is NULL is sent as null */
};

#define HONE__FIELD_AS(T, label, member, must, ...)                                                \
  {                                                                                                \
    .name = (label), .offset = offsetof(T, member), .is_optional = (must) != HONE__NEEDED,         \
    .is_always_sent = (must) >= HONE__SENT, .is_nullable = (must) == HONE__NULLABLE, __VA_ARGS__   \
  }
#define HONE__FIELD(T, member, must, ...) HONE__FIELD_AS(T, #member, member, must, __VA_ARGS__)
#define HONE__BOOL(T, member, must)       HONE__FIELD(T, member, must, .kind = HONE__FIELD_BOOL)
#define HONE__INT(T, member, must, low, high)                                                      \
  HONE__FIELD(T, member, must, .kind = HONE__FIELD_INT, .least = (low), .most = (high))
#define HONE__SIZE(T, member, must)                                                                \
  HONE__FIELD(T, member, must, .kind = HONE__FIELD_SIZE, .most = 0x1p53)
#define HONE__REAL(T, member, must, low, high)                                                     \
  HONE__FIELD(T, member, must, .kind = HONE__FIELD_REAL, .least = (low), .most = (high))
#define HONE__TEXT(T, member, must) HONE__FIELD(T, member, must, .kind = HONE__FIELD_TEXT)
#define HONE__CHOICE(T, member, must, names)                                                       \
  HONE__FIELD(T, member, must, .kind = HONE__FIELD_CHOICE, .choice_name = (names))
#define HONE__RECORD(T, member, must, sub)                                                         \
  HONE__FIELD(T, member, must, .kind = HONE__FIELD_RECORD, .type = (sub))
#define HONE__PACKED(T, member, must) HONE__FIELD(T, member, must, .kind = HONE__FIELD_PACKED)
#define HONE__FIELD_LIST(T, member, must, ...)                                                     \
  HONE__FIELD(T, member, must, .count_offset = offsetof(T, member##_count), __VA_ARGS__)
#define HONE__TEXTS(T, member, must)  HONE__FIELD_LIST(T, member, must, .kind = HONE__FIELD_TEXTS)
#define HONE__INTS(T, member, must)   HONE__FIELD_LIST(T, member, must, .kind = HONE__FIELD_INTS)
#define HONE__REALS(T, member, must)  HONE__FIELD_LIST(T, member, must, .kind = HONE__FIELD_REALS)
#define HONE__VALUE(T, member, must)  HONE__FIELD(T, member, must, .kind = HONE__FIELD_VALUE)
#define HONE__VALUES(T, member, must) HONE__FIELD_LIST(T, member, must, .kind = HONE__FIELD_VALUES)
#define HONE__PAIRS(T, member, must)  HONE__FIELD_LIST(T, member, must, .kind = HONE__FIELD_PAIRS)
#define HONE__NAMED(T, member, must)  HONE__FIELD_LIST(T, member, must, .kind = HONE__FIELD_NAMED)
#define HONE__REST(T, member)         HONE__FIELD_LIST(T, member, HONE__OPTIONAL, .kind = HONE__FIELD_REST)
#define HONE__RECORDS(T, member, must, sub)                                                        \
  HONE__FIELD_LIST(T, member, must, .kind = HONE__FIELD_RECORDS, .type = (sub))

/* For a member whose name differs from the one that is sent. */
#define HONE__BOOL_AS(T, label, member, must)                                                      \
  HONE__FIELD_AS(T, label, member, must, .kind = HONE__FIELD_BOOL)
#define HONE__CHOICE_AS(T, label, member, must, names)                                             \
  HONE__FIELD_AS(T, label, member, must, .kind = HONE__FIELD_CHOICE, .choice_name = (names))
#define HONE__TEXT_AS(T, label, member, must)                                                      \
  HONE__FIELD_AS(T, label, member, must, .kind = HONE__FIELD_TEXT)

/* ---- Messages ---- */

struct hone__packed;

/* Creates a message. A required field missing in `record` is a bug. */
struct hone__packed *hone__pack(const struct hone__record_type *type, const void *record);
/* Fills `out_record`; everything it points to lives in the arena or in `packed`, which must live as
 * long. INVALID_ARGUMENT: "build reply: 'compile_s' is missing", "... is -1, which is less than 0".
 */
hone_status hone__unpack(const struct hone__packed *packed, const struct hone__record_type *type,
                         struct hone__arena *arena, void *out_record);
/* An empty message, to add fields to. */
struct hone__packed *hone__packed_new(void);
/* Adds the fields of a record; fields of the same name are replaced. */
void hone__packed_add(struct hone__packed *packed, const struct hone__record_type *type,
                      const void *record);
struct hone__packed *hone__packed_copy(const struct hone__packed *packed);
/* Adds all fields of another message; NULL adds none. */
void hone__packed_merge(struct hone__packed *packed, const struct hone__packed *other);
void hone__packed_remove(struct hone__packed *packed, const char *name);
struct hone__packed *
hone__packed_hold(const struct hone__packed *packed); /* NULL is fine, here and below */
void hone__packed_drop(struct hone__packed *packed);
bool hone__packed_equal(const struct hone__packed *a, const struct hone__packed *b);

/* As text, for files, the store, digests and logs: sorted keys, equal text for equal messages. */
void hone__packed_print(const struct hone__packed *packed, struct hone__text *text);
/* A struct, packed and printed. */
const char *hone__record_text(struct hone__arena *arena, const struct hone__record_type *type,
                              const void *record);
/* Prints one field of a record as it is sent, members in the order of their tables or of their
 * names: for digests. Prints nothing if nothing would be sent. */
enum hone__packed_order { HONE__BY_TABLE, HONE__BY_NAME };
void hone__field_print(const struct hone__record_type *type, const void *record, const char *name,
                       enum hone__packed_order order, struct hone__text *text);
/* Adds one member as text to a digest; nothing if it is missing. */
void hone__packed_digest_member(const struct hone__packed *packed, const char *name,
                                struct hone__digester *digester);
/* Parses the object at the start of a text and ignores the rest. INVALID_ARGUMENT names the
 * position of invalid JSON.
 */
hone_status hone__packed_parse_first(const char *text, struct hone__packed **out_packed);
/* A record as it is sent, members in the order of their tables: for files. */
void hone__record_print(const struct hone__record_type *type, const void *record,
                        struct hone__text *text);
/* NULL: not a JSON object. */
struct hone__packed *hone__packed_parse(const char *text, size_t size);

#endif
