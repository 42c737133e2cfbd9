/* Characters of UTF-8, also for libprobe, which links nothing of proto. */
#ifndef PROTO_UTF8_H
#define PROTO_UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * Bytes of the character at p, of which there are n > 0, and which it is; 0: it
 * is none of UTF-8.
 */
static inline size_t
utf8_character(const unsigned char *p, size_t n, uint32_t *c)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t bytes;

	if (p[0] < 0x80) {
		*c = p[0];
		return (1);
	}
	bytes = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
	if (p[0] < 0xc2 || p[0] > 0xf4 || bytes > n)
		return (0);
	*c = p[0] & (0x7fu >> bytes);
	for (size_t i = 1; i < bytes; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return (0);
		*c = *c << 6 | (p[i] & 0x3f);
	}
	if (*c < least[bytes] || *c > 0x10ffff || (*c >= 0xd800 && *c < 0xe000))
		return (0);
	return (bytes);
}

#endif
