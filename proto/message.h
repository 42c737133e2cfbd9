/*
 * What messages.def becomes: one struct, one id and one descriptor a message;
 * the only encoder and the only decoder.
 */
#ifndef PROTO_MESSAGE_H
#define PROTO_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PROTO_VERSION     1
#define PROTO_VERSION_MIN 1
#define PROTO_STR_MAX     65535

enum peer_role {
	ROLE_COLLECTOR = 1,
	ROLE_CLOCK,
	ROLE_VIEWER,
	ROLE_CONTROL
};

/* What a finish wants of a collector. */
enum finish_step {
	FINISH_TELL, /* everything */
	FINISH_STOP, /* what is still made when programs are let go, too */
	FINISH_GO    /* that is on disk; it need not stay */
};

/* Bytes that belong to somebody else: borrowed, never freed here. */
struct bytes {
	const void *p;
	size_t n;
};
#define BYTES_STR(s) ((struct bytes){ (s), strlen(s) }) /* wants string.h */

struct uuid {
	uint8_t b[16];
};

/*
 * Instants lie within +-146 years of the start of their clock, on every wire
 * and in every file: the difference of any two of them fits in 64 bits, and no
 * reader has to ask.
 */
#define TIME_NS_MAX (((int64_t)1 << 62) - 1)

static inline bool
time_is_sane(int64_t t_ns)
{
	return (t_ns >= -TIME_NS_MAX && t_ns <= TIME_NS_MAX);
}

/*
 * A sum of spans: of many sane ones it may not fit, as where a log by anybody
 * has many threads that each last for decades.  It stays at the greatest then.
 */
static inline int64_t
span_add(int64_t a_ns, int64_t b_ns)
{
	int64_t sum;

	if (!__builtin_add_overflow(a_ns, b_ns, &sum))
		return (sum);
	return (b_ns > 0 ? INT64_MAX : INT64_MIN);
}

/* clang-format off */
typedef uint8_t proto_u8;
typedef uint16_t proto_u16;
typedef uint32_t proto_u32;
typedef uint64_t proto_u64;
typedef int64_t proto_i64;
typedef int64_t proto_time;
typedef struct uuid proto_uuid;
typedef struct bytes proto_str;
typedef struct bytes proto_data;

#define MSG(n, id, dir, what)	       struct msg_##n {
#define FIELD(m, type, f, unit, what)	       proto_##type f;
#define END(n)			       };
#include "messages.def"
#undef MSG
#undef FIELD
#undef END

enum msg_type {
/* NOLINTNEXTLINE(bugprone-macro-parentheses): a number as it stands */
#define MSG(n, id, dir, what) MSG_##n = id,
#define FIELD(m, type, f, unit, what)
#define END(n)
#include "messages.def"
#undef MSG
#undef FIELD
#undef END
	MSG_TYPES = 128 /* ids are below this */
};
/* clang-format on */

enum field_type {
	FIELD_u8,
	FIELD_u16,
	FIELD_u32,
	FIELD_u64,
	FIELD_i64,
	FIELD_time,
	FIELD_uuid,
	FIELD_str,
	FIELD_data
};

struct msg_field {
	const char *name, *unit, *what;
	uint16_t type;   /* enum field_type */
	uint16_t offset; /* in the struct */
};

struct msg_desc {
	const char *name; /* NULL: no such message */
	const char *direction, *what;
	const struct msg_field *fields;
	uint16_t nfields, size; /* size of the struct */
};

extern const struct msg_desc msg_table[MSG_TYPES];

/* Name for logging, "type 99" for what is unknown; static storage. */
const char *msg_name(unsigned type);

/*
 * Bytes that the body of this message takes; msg points to a struct msg_NAME.
 * MSG_SIZE_BAD: a str is too long or holds a NUL; it cannot be encoded.
 */
#define MSG_SIZE_BAD SIZE_MAX
size_t msg_size(enum msg_type, const void *msg);

/*
 * Writes the body to buf, which must hold msg_size() bytes.  Returns that
 * number.
 */
size_t msg_encode(enum msg_type, const void *msg, void *buf);

/*
 * Reads a body.  Strings and data point into buf.  Missing trailing fields
 * are zero or "", surplus bytes are skipped.  Returns 0, or -1 when the type is
 * unknown, a field is cut, a string is too long or holds a NUL, or a time is
 * beyond TIME_NS_MAX.
 */
int msg_decode(enum msg_type, const void *buf, size_t n, void *msg);

#endif
