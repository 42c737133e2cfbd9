/* Seals by libsodium, whose crypto_shorthash() is SipHash-2-4. */
#include "model/keep/seal.h"

#include <sodium.h>

_Static_assert(SEAL_SECRET_BYTES == crypto_shorthash_KEYBYTES, "a key");

uint64_t
seal(const uint8_t secret[SEAL_SECRET_BYTES], const void *of, size_t n)
{
	uint8_t hash[crypto_shorthash_BYTES];
	uint64_t value = 0;

	crypto_shorthash(hash, of, n, secret);
	for (int i = crypto_shorthash_BYTES - 1; i >= 0; i--)
		value = value << 8 | hash[i];
	return (value);
}
