/* As in the paper: two rounds a word, four in the end. */
#include "model/seal.h"

#include <string.h>

static uint64_t
word_at(const uint8_t *p)
{
	uint64_t w = 0;

	for (int i = 7; i >= 0; i--)
		w = w << 8 | p[i];
	return (w);
}

static uint64_t
turn(uint64_t x, unsigned by)
{
	return (x << by | x >> (64 - by));
}

static void
rounds(uint64_t v[4], int n)
{
	for (; n > 0; n--) {
		v[0] += v[1];
		v[2] += v[3];
		v[1] = turn(v[1], 13) ^ v[0];
		v[3] = turn(v[3], 16) ^ v[2];
		v[0] = turn(v[0], 32);
		v[2] += v[1];
		v[0] += v[3];
		v[1] = turn(v[1], 17) ^ v[2];
		v[3] = turn(v[3], 21) ^ v[0];
		v[2] = turn(v[2], 32);
	}
}

static void
take_word(uint64_t v[4], uint64_t w)
{
	v[3] ^= w;
	rounds(v, 2);
	v[0] ^= w;
}

uint64_t
seal(const uint8_t secret[SEAL_SECRET_BYTES], const void *of, size_t n)
{
	uint64_t k0 = word_at(secret), k1 = word_at(secret + 8);
	uint64_t v[4] = { k0 ^ UINT64_C(0x736f6d6570736575),
		k1 ^ UINT64_C(0x646f72616e646f6d),
		k0 ^ UINT64_C(0x6c7967656e657261),
		k1 ^ UINT64_C(0x7465646279746573) };
	const uint8_t *p = of;
	uint8_t last[8] = { 0 };
	size_t left = n;

	for (; left >= 8; left -= 8, p += 8)
		take_word(v, word_at(p));
	if (left > 0)
		memcpy(last, p, left);
	last[7] = (uint8_t)n;
	take_word(v, word_at(last));
	v[2] ^= 0xff;
	rounds(v, 4);
	return (v[0] ^ v[1] ^ v[2] ^ v[3]);
}
