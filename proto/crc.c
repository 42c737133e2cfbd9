/*
 * CRC-32 by folding.
 *
 * A checksum is the remainder of the message, taken as a polynomial over two
 * elements, by another of degree 32.  What stands far ahead of the end may be
 * replaced by anything that leaves the same remainder: 16 bytes, as two halves
 * h and l, are multiplied without carry by the remainders of x^(n+64) and x^n
 * and added to the 16 bytes that stand n bits further on.  Four such runs go
 * side by side, are folded into one, and the last 16 bytes and the rest are
 * zlib's: their checksum, begun from zero, is that of the whole.
 *
 * Bits are reflected, as the CRC has them, and so the constants are the
 * remainders of x^(n+32) and x^(n-32), reflected, in 33 bits.
 */
#include "crc.h"

#include <string.h>

#include <zlib.h>

#if defined(__x86_64__)
#include <immintrin.h>

#define FOLD_MIN 128 /* bytes; fewer are zlib's */

/* low half: of the first 8 bytes, which stand before the others */
#define FOLD_64_LOW  0x154442bd4
#define FOLD_64_HIGH 0x1c6e41596
#define FOLD_16_LOW  0x1751997d0
#define FOLD_16_HIGH 0x0ccaa009e

#define WITH_CLMUL __attribute__((target("pclmul,sse4.1")))

static inline WITH_CLMUL __m128i
fold(__m128i x, __m128i by, __m128i onto)
{
	return (
	    _mm_xor_si128(onto, _mm_xor_si128(_mm_clmulepi64_si128(x, by, 0x00),
				    _mm_clmulepi64_si128(x, by, 0x11))));
}

static inline WITH_CLMUL __m128i
load(const uint8_t *p)
{
	return (_mm_loadu_si128((const __m128i *)(const void *)p));
}

/* n >= 64.  Returns how many bytes were taken: their checksum is in *crc. */
static WITH_CLMUL size_t
fold_all(uint32_t *crc, const uint8_t *p, size_t n)
{
	const __m128i by64 = _mm_set_epi64x(FOLD_64_HIGH, FOLD_64_LOW);
	const __m128i by16 = _mm_set_epi64x(FOLD_16_HIGH, FOLD_16_LOW);
	__m128i x[4];
	uint8_t last[16];
	size_t at = 64;

	for (int i = 0; i < 4; i++)
		x[i] = load(p + 16 * i);
	x[0] = _mm_xor_si128(x[0], _mm_cvtsi32_si128((int)~*crc));
	for (; n - at >= 64; at += 64) {
		for (int i = 0; i < 4; i++)
			x[i] = fold(x[i], by64, load(p + at + 16 * i));
	}
	for (int i = 1; i < 4; i++)
		x[0] = fold(x[0], by16, x[i]);
	_mm_storeu_si128((__m128i *)(void *)last, x[0]);
	*crc = (uint32_t)crc32(0xffffffff, last, sizeof(last));
	return (at);
}
#endif

uint32_t
crc_add(uint32_t crc, const void *p, size_t n)
{
	const uint8_t *byte = p;

#if defined(__x86_64__)
	if (n >= FOLD_MIN && __builtin_cpu_supports("pclmul") &&
	    __builtin_cpu_supports("sse4.1")) {
		size_t taken = fold_all(&crc, byte, n);

		byte += taken;
		n -= taken;
	}
#endif
	/* zlib returns the initial value, not crc, for a NULL body */
	if (n > 0)
		crc = (uint32_t)crc32_z(crc, byte, n);
	return (crc);
}
