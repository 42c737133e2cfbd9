/* A frame is taken when it is whole and undamaged, and found again if not. */
#include "tests/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "tests/any_message.h"
#include "wire.h"

static uint8_t *
make(size_t *n)
{
	struct msg_refuse m = { .code = 64,
		.reason = BYTES_STR("another monitord has this run") };
	uint8_t *p = frame_message(MSG_refuse, &m, n);

	assert_non_null(p);
	return (p);
}

static void
a_frame_comes_back(void **state)
{
	struct msg_refuse m;
	struct frame f;
	size_t n;
	uint8_t *p = make(&n);

	(void)state;
	assert_int_equal(frame_parse(p, n, &f), FRAME_OK);
	assert_int_equal(f.type, MSG_refuse);
	assert_int_equal(f.frame_bytes, n);
	assert_int_equal(f.body_bytes, n - FRAME_HEAD_BYTES);
	assert_ptr_equal(f.body, p + FRAME_HEAD_BYTES);
	assert_int_equal(msg_decode(f.type, f.body, f.body_bytes, &m), 0);
	assert_int_equal(m.code, 64);
	free(p);
}

static void
an_empty_body_is_a_frame(void **state)
{
	uint8_t p[FRAME_HEAD_BYTES];
	struct frame f;

	(void)state;
	assert_int_equal(frame_seal(p, MSG_finish, 0), FRAME_HEAD_BYTES);
	assert_int_equal(frame_parse(p, sizeof(p), &f), FRAME_OK);
	assert_int_equal(f.body_bytes, 0);
	p[8] ^= 1;
	assert_int_equal(frame_parse(p, sizeof(p), &f), FRAME_CHECKSUM_BAD);
}

static void
every_flipped_bit_is_seen(void **state)
{
	struct frame f;
	size_t n;
	uint8_t *p = make(&n);

	(void)state;
	for (size_t bit = 0; bit < n * 8; bit++) {
		p[bit / 8] ^= (uint8_t)(1u << bit % 8);
		if (frame_parse(p, n, &f) == FRAME_OK)
			fail_msg("bit %zu may flip", bit);
		p[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	assert_int_equal(frame_parse(p, n, &f), FRAME_OK);
	free(p);
}

static void
a_cut_frame_says_how_much_it_wants(void **state)
{
	struct frame f;
	size_t n;
	uint8_t *p = make(&n);

	(void)state;
	for (size_t cut = 0; cut < n; cut++) {
		uint8_t *q = malloc(cut + 1);

		memcpy(q, p, cut);
		assert_int_equal(frame_parse(q, cut, &f), FRAME_SHORT);
		assert_int_equal(f.frame_bytes, cut < FRAME_HEAD_BYTES ? 0 : n);
		free(q);
	}
	free(p);
}

static void
what_is_no_frame_is_refused(void **state)
{
	uint8_t p[FRAME_HEAD_BYTES] = { 0 };
	struct frame f;

	(void)state;
	assert_int_equal(frame_parse("GET / HTTP/1.1\r\n", 16, &f),
	    FRAME_MAGIC_BAD);
	/* at once, before more is waited for */
	assert_int_equal(frame_parse("G", 1, &f), FRAME_MAGIC_BAD);
	frame_seal(p, 1, 0);
	put_u32(p + 4, FRAME_BODY_MAX + 1);
	put_u16(p + 10, 0);
	assert_int_equal(frame_parse(p, sizeof(p), &f), FRAME_TOO_LONG);
	/* a wrong length is not waited for */
	frame_seal(p, 1, 100);
	assert_int_equal(frame_parse(p, sizeof(p), &f), FRAME_SHORT);
	for (int bit = 0; bit < 96; bit++) {
		p[bit / 8] ^= (uint8_t)(1 << bit % 8);
		assert_int_not_equal(frame_parse(p, sizeof(p), &f),
		    FRAME_SHORT);
		p[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	for (int s = FRAME_OK; s <= FRAME_CHECKSUM_BAD; s++)
		assert_non_null(frame_strstatus(s));
}

static void
too_long_a_message_is_not_made(void **state)
{
	struct msg_batch m = { .streams = { NULL, FRAME_BODY_MAX } };
	struct buf b = { 0 };
	size_t n;

	(void)state;
	errno = 0;
	assert_null(frame_message(MSG_batch, &m, &n));
	assert_int_equal(errno, EMSGSIZE);
	assert_int_equal(frame_append(&b, MSG_batch, &m), -1);
	assert_int_equal(b.n, 0);
	buf_free(&b);
}

static void
the_next_frame_is_found(void **state)
{
	uint8_t junk[200];
	size_t n;
	uint8_t *p = make(&n);

	(void)state;
	assert_true(n < 150);
	for (size_t at = 0; at + n <= sizeof(junk); at++) {
		memset(junk, 'O', sizeof(junk)); /* first byte of the magic */
		memcpy(junk + at, p, n);
		assert_int_equal(frame_resync(junk, sizeof(junk), 0), at);
		assert_int_equal(frame_resync(junk, at, 0),
		    at == 0 ? 0 : at - 1); /* an 'O' at the end may be one */
	}
	memset(junk, 0, sizeof(junk));
	assert_int_equal(frame_resync(junk, sizeof(junk), 0), sizeof(junk));
	assert_int_equal(frame_resync(junk, sizeof(junk), sizeof(junk)),
	    sizeof(junk));
	memcpy(junk + 197, p, 3);
	assert_int_equal(frame_resync(junk, sizeof(junk), 3), 197);
	free(p);
}

/* There would not be room for another one. */
static void
a_frame_is_decoded_as_what_it_is_only(void **state)
{
	struct msg_refuse wanted = { .code = 7, .reason = BYTES_STR("no") };
	union any_message got = { .refuse = { .code = 1 } };
	struct buf b = { 0 };
	struct frame f;

	(void)state;
	assert_int_equal(frame_append(&b, MSG_refuse, &wanted), 0);
	assert_int_equal(frame_parse(b.p, b.n, &f), FRAME_OK);
	for (unsigned type = 0; type < MSG_TYPES; type++)
		if (type != MSG_refuse)
			assert_int_equal(frame_decode(&f, type, &got), -1);
	assert_int_equal(got.refuse.code, 1); /* nothing has been written */
	assert_int_equal(frame_decode(&f, MSG_refuse, &got), 0);
	assert_int_equal(got.refuse.code, 7);
	buf_free(&b);
}

static void
buffers_grow(void **state)
{
	struct buf b = { 0 };

	(void)state;
	for (int i = 0; i < 100000; i++)
		assert_int_equal(buf_add(&b, &i, sizeof(i)), 0);
	for (int i = 0; i < 100000; i++)
		assert_memory_equal(b.p + 4 * i, &i, sizeof(i));
	assert_int_equal(buf_reserve(&b, SIZE_MAX - 10), -1);
	assert_int_equal(buf_add(&b, NULL, 0), 0);
	buf_free(&b);
	assert_null(b.p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_comes_back),
		cmocka_unit_test(an_empty_body_is_a_frame),
		cmocka_unit_test(every_flipped_bit_is_seen),
		cmocka_unit_test(a_cut_frame_says_how_much_it_wants),
		cmocka_unit_test(what_is_no_frame_is_refused),
		cmocka_unit_test(too_long_a_message_is_not_made),
		cmocka_unit_test(the_next_frame_is_found),
		cmocka_unit_test(a_frame_is_decoded_as_what_it_is_only),
		cmocka_unit_test(buffers_grow),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
