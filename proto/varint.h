/* Varints: little endian, 7 bits a byte, at most 10 bytes; and zigzag. */
#ifndef PROTO_VARINT_H
#define PROTO_VARINT_H

#include <stddef.h>
#include <stdint.h>

#define VARINT_BYTES_MAX ((size_t)10)

static inline uint64_t
zigzag(int64_t v)
{
	return (((uint64_t)v << 1) ^ (uint64_t)(v >> 63));
}

static inline int64_t
unzigzag(uint64_t v)
{
	return ((int64_t)(v >> 1) ^ -(int64_t)(v & 1));
}

/*
 * Returns where it ends; p has room for VARINT_BYTES_MAX.  One byte or two is
 * the usual length, and which of them is anybody's guess: so no branch there.
 */
static inline uint8_t *
varint_write(uint8_t *p, uint64_t v)
{
	if (v < 1 << 14) {
		unsigned two = v >= 0x80;

		p[0] = (uint8_t)((v & 0x7f) | two << 7);
		p[1] = (uint8_t)(v >> 7);
		return (p + 1 + two);
	}
	while (v >= 0x80) {
		*p++ = (uint8_t)v | 0x80;
		v >>= 7;
	}
	*p++ = (uint8_t)v;
	return (p);
}

static inline size_t
varint_put(uint8_t *p, uint64_t v)
{
	return ((size_t)(varint_write(p, v) - p));
}

/* NULL when it is cut, or longer than 64 bits. */
static inline const uint8_t *
varint_get_long(const uint8_t *p, const uint8_t *end, uint64_t *v)
{
	uint64_t sum = 0;

	for (unsigned shift = 0; shift < 70 && p < end; shift += 7) {
		uint64_t byte = *p++;

		if (shift == 63 && byte > 1)
			return (NULL);
		sum |= (byte & 0x7f) << shift;
		if (byte < 0x80) {
			*v = sum;
			return (p);
		}
	}
	return (NULL);
}

static inline const uint8_t *
varint_get(const uint8_t *p, const uint8_t *end, uint64_t *v)
{
	if (end - p >= 2 && (p[0] & p[1] & 0x80) == 0) {
		unsigned two = p[0] >> 7;

		*v = (p[0] & 0x7fu) | ((unsigned)p[1] << 7 & -two);
		return (p + 1 + two);
	}
	return (varint_get_long(p, end, v));
}

#endif
