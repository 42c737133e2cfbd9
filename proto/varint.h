/* Varints: little endian, 7 bits a byte, at most 10 bytes; and zigzag. */
#ifndef PROTO_VARINT_H
#define PROTO_VARINT_H

#include <stddef.h>
#include <stdint.h>

#include "wire.h"

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
 * Groups of 7 bits, the lowest in the lowest byte, from a number of up to 56
 * bits, and back.
 */
static inline uint64_t
varint_spread(uint64_t v)
{
	v = (v & 0x0fffffff) | (v & 0x00fffffff0000000) << 4;
	v = (v & 0x00003fff00003fff) | (v & 0x0fffc0000fffc000) << 2;
	return ((v & 0x007f007f007f007f) | (v & 0x3f803f803f803f80) << 1);
}

static inline uint64_t
varint_gather(uint64_t v)
{
	v = (v & 0x007f007f007f007f) | (v & 0x7f007f007f007f00) >> 1;
	v = (v & 0x00003fff00003fff) | (v & 0x3fff00003fff0000) >> 2;
	return ((v & 0x0fffffff) | (v & 0x0fffffff00000000) >> 4);
}

/* Of up to 56 bits, without a branch; p has room for 8 bytes. */
static inline uint8_t *
varint_write_short(uint8_t *p, uint64_t v)
{
	uint64_t bytes = varint_spread(v);
	unsigned last =
	    63u & ~7u & (63u ^ (unsigned)__builtin_clzll(bytes | 1));

	put_u64(p, bytes | (0x8080808080808080 & (((uint64_t)1 << last) - 1)));
	return (p + last / 8 + 1);
}

/*
 * Returns where it ends; p has room for VARINT_BYTES_MAX, of which more may be
 * overwritten than it takes.  One byte or two is the usual length, and which
 * of them is anybody's guess: so no branch there.
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
	if (v >> 56 == 0)
		return (varint_write_short(p, v));
	while (v >= 0x80) {
		*p++ = (uint8_t)v | 0x80;
		v >>= 7;
	}
	*p++ = (uint8_t)v;
	return (p);
}

/* NULL when it is cut, or longer than 64 bits. */
static inline const uint8_t *
varint_get_long(const uint8_t *p, const uint8_t *end, uint64_t *v)
{
	uint64_t sum = 0;

	for (unsigned shift = 0; shift < 70 && p < end; shift += 7) {
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
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

/*
 * Eight bytes at p: the number that they begin with, and its bytes; 0 when it
 * is longer.
 */
static inline unsigned
varint_get_short(const uint8_t *p, uint64_t *v)
{
	uint64_t bytes = get_u64(p), ends = ~bytes & 0x8080808080808080;
	unsigned last;

	if (ends == 0)
		return (0);
	last = (unsigned)__builtin_ctzll(ends);
	*v = varint_gather(bytes & (((uint64_t)2 << last) - 1));
	return (last / 8 + 1);
}

static inline const uint8_t *
varint_get(const uint8_t *p, const uint8_t *end, uint64_t *v)
{
	unsigned n;

	if (end - p >= 2 && (p[0] & p[1] & 0x80) == 0) {
		unsigned two = p[0] >> 7;

		*v = (p[0] & 0x7fu) | ((unsigned)p[1] << 7 & -two);
		return (p + 1 + two);
	}
	if (end - p >= 8 && (n = varint_get_short(p, v)) != 0)
		return (p + n);
	return (varint_get_long(p, end, v));
}

#endif
