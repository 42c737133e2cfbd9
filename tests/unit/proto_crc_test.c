/* The checksum is zlib's, of any length, at any address, in any pieces. */
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "crc.h"
#include "tests/check.h"

#define BYTES 3000

static uint8_t text[BYTES + 16];

static int
fill(void **state)
{
	uint32_t x = 12345;

	(void)state;
	for (size_t i = 0; i < sizeof(text); i++) {
		x = x * 1664525 + 1013904223;
		text[i] = (uint8_t)(x >> 24);
	}
	return (0);
}

static void
all_lengths_are_as_zlibs(void **state)
{
	(void)state;
	for (size_t n = 0; n <= BYTES; n++) {
		const uint8_t *p = text + n % 16;

		assert_int_equal(crc_add(0, p, n), crc32(0, p, (uInt)n));
	}
}

static void
pieces_add_up(void **state)
{
	uint32_t whole = (uint32_t)crc32(0, text, BYTES);

	(void)state;
	for (size_t n = 0; n <= BYTES; n++)
		assert_int_equal(crc_add(crc_add(0, text, n), text + n,
				     BYTES - n),
		    whole);
}

static void
nothing_changes_nothing(void **state)
{
	(void)state;
	assert_int_equal(crc_add(0, NULL, 0), 0);
	assert_int_equal(crc_add(0xdeadbeef, NULL, 0), 0xdeadbeef);
}

static void
every_bit_counts(void **state)
{
	uint32_t whole = crc_add(0, text, 500);

	(void)state;
	for (size_t bit = 0; bit < (size_t)500 * 8; bit++) {
		text[bit / 8] ^= (uint8_t)(1u << bit % 8);
		assert_int_not_equal(crc_add(0, text, 500), whole);
		text[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_lengths_are_as_zlibs),
		cmocka_unit_test(pieces_add_up),
		cmocka_unit_test(nothing_changes_nothing),
		cmocka_unit_test(every_bit_counts),
	};

	return (cmocka_run_group_tests(tests, fill, NULL));
}
