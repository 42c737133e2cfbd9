/*
 * The messages, driven by messages.def.
 *
 * A body is its fields one after the other, nothing in between: numbers little
 * endian, a uuid as 16 bytes, a str as u16 length and text, data as u32 length
 * and bytes.  There is one encoder and one decoder for all messages; a message
 * is a row of msg_table and its fields are offsets into a plain struct.
 */
#include "message.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "wire.h"

/* clang-format off */
#define MSG(n, id, dir, what)						\
	static const struct msg_field fields_##n[] = {
#define FIELD(m, t, f, u, w)						\
	{ .name = #f, .unit = (u), .what = (w), .type = FIELD_##t,		\
	    .offset = offsetof(struct msg_##m, f) },
#define END(n) };
#include "messages.def"
#undef MSG
#undef FIELD
#undef END

const struct msg_desc msg_table[MSG_TYPES] = {
#define MSG(n, id, dir, w)						\
	[(id)] = { .name = #n, .direction = #dir, .what = (w),		\
	    .fields = fields_##n,					\
	    .nfields = sizeof(fields_##n) / sizeof(fields_##n[0]),	\
	    .size = sizeof(struct msg_##n) },
#define FIELD(m, t, f, u, w)
#define END(n)
#include "messages.def"
#undef MSG
#undef FIELD
#undef END
};

/* What a field takes on the wire, before the bytes of a str or data. */
static const uint8_t fixed_bytes[] = {
	[FIELD_u8] = 1, [FIELD_u16] = 2, [FIELD_u32] = 4, [FIELD_u64] = 8,
	[FIELD_i64] = 8, [FIELD_time] = 8, [FIELD_uuid] = 16, [FIELD_str] = 2, [FIELD_data] = 4,
};
/* clang-format on */

static const struct msg_desc *
find(unsigned type)
{
	if (type >= MSG_TYPES || msg_table[type].name == NULL)
		return (NULL);
	return (&msg_table[type]);
}

const char *
msg_name(unsigned type)
{
	static _Thread_local char unknown[24];
	const struct msg_desc *d = find(type);

	if (d != NULL)
		return (d->name);
	snprintf(unknown, sizeof(unknown), "type %u", type);
	return (unknown);
}

static bool
str_is_good(const struct bytes *s)
{
	return (s->n <= PROTO_STR_MAX &&
		(s->n == 0 || memchr(s->p, '\0', s->n) == NULL));
}

size_t
msg_size(enum msg_type type, const void *msg)
{
	const struct msg_desc *d = find(type);
	size_t n = 0;

	assert(d != NULL);
	for (unsigned i = 0; i < d->nfields; i++) {
		const struct msg_field *f = &d->fields[i];
		const struct bytes *s =
		    (const void *)((const char *)msg + f->offset);

		n += fixed_bytes[f->type];
		if (f->type != FIELD_str && f->type != FIELD_data)
			continue;
		if (f->type == FIELD_str ? !str_is_good(s) : s->n > UINT32_MAX)
			return (MSG_SIZE_BAD);
		n += s->n;
	}
	return (n);
}

size_t
msg_encode(enum msg_type type, const void *msg, void *buf)
{
	const struct msg_desc *d = find(type);
	uint8_t *p = buf;

	assert(d != NULL);
	for (unsigned i = 0; i < d->nfields; i++) {
		const struct msg_field *f = &d->fields[i];
		const void *from = (const char *)msg + f->offset;
		const struct bytes *s = from;

		switch ((enum field_type)f->type) {
		case FIELD_u8:
			*p = *(const uint8_t *)from;
			break;
		case FIELD_u16:
			put_u16(p, *(const uint16_t *)from);
			break;
		case FIELD_u32:
			put_u32(p, *(const uint32_t *)from);
			break;
		case FIELD_u64:
		case FIELD_i64:
		case FIELD_time:
			put_u64(p, *(const uint64_t *)from);
			break;
		case FIELD_uuid:
			memcpy(p, from, sizeof(struct uuid));
			break;
		case FIELD_str:
			put_u16(p, (uint16_t)s->n);
			break;
		case FIELD_data:
			put_u32(p, (uint32_t)s->n);
			break;
		}
		p += fixed_bytes[f->type];
		if ((f->type == FIELD_str || f->type == FIELD_data) &&
		    s->n > 0) {
			memcpy(p, s->p, s->n);
			p += s->n;
		}
	}
	return ((size_t)(p - (uint8_t *)buf));
}

int
msg_decode(enum msg_type type, const void *buf, size_t n, void *msg)
{
	const struct msg_desc *d = find(type);
	const uint8_t *p = n > 0 ? buf : (const void *)"", *end = p + n;

	if (d == NULL)
		return (-1);
	memset(msg, 0, d->size);
	for (unsigned i = 0; i < d->nfields; i++) {
		const struct msg_field *f = &d->fields[i];
		void *to = (char *)msg + f->offset;
		struct bytes *s = to;

		if (p == end) { /* an older sender did not have it */
			if (f->type == FIELD_str || f->type == FIELD_data)
				s->p = "";
			continue;
		}
		if ((size_t)(end - p) < fixed_bytes[f->type])
			return (-1);
		switch ((enum field_type)f->type) {
		case FIELD_u8:
			*(uint8_t *)to = *p;
			break;
		case FIELD_u16:
			*(uint16_t *)to = get_u16(p);
			break;
		case FIELD_u32:
			*(uint32_t *)to = get_u32(p);
			break;
		case FIELD_u64:
		case FIELD_i64:
			*(uint64_t *)to = get_u64(p);
			break;
		case FIELD_time:
			*(int64_t *)to = (int64_t)get_u64(p);
			if (!time_is_sane(*(int64_t *)to))
				return (-1);
			break;
		case FIELD_uuid:
			memcpy(to, p, sizeof(struct uuid));
			break;
		case FIELD_str:
			*s = (struct bytes){ p + 2, get_u16(p) };
			break;
		case FIELD_data:
			*s = (struct bytes){ p + 4, get_u32(p) };
			break;
		}
		p += fixed_bytes[f->type];
		if (f->type != FIELD_str && f->type != FIELD_data)
			continue;
		if (s->n > (size_t)(end - p))
			return (-1);
		if (f->type == FIELD_str && !str_is_good(s))
			return (-1);
		p += s->n;
	}
	return (0);
}
