/* Every message of the table comes back as it was, and no other does. */
#include "tests/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "tests/any_message.h"
#include "tests/rnd.h"

/* Fills a message with numbers of all sizes and texts of all lengths. */
static void
fill(const struct msg_desc *d, uint8_t *msg, const char *pool, size_t most)
{
	for (unsigned i = 0; i < d->nfields; i++) {
		const struct msg_field *f = &d->fields[i];
		uint64_t v = rnd_any();

		switch ((enum field_type)f->type) {
		case FIELD_u8:
			msg[f->offset] = (uint8_t)v;
			break;
		case FIELD_u16:
			memcpy(msg + f->offset, &(uint16_t){ (uint16_t)v }, 2);
			break;
		case FIELD_u32:
			memcpy(msg + f->offset, &(uint32_t){ (uint32_t)v }, 4);
			break;
		case FIELD_u64:
		case FIELD_i64:
			memcpy(msg + f->offset, &v, 8);
			break;
		case FIELD_time:
			v = v & 1 ? v >> 2 : -(v >> 2);
			memcpy(msg + f->offset, &v, 8);
			break;
		case FIELD_uuid:
			for (int b = 0; b < 16; b++)
				msg[f->offset + b] = (uint8_t)rnd();
			break;
		case FIELD_str:
		case FIELD_data:
			*(struct bytes *)(void *)(msg + f->offset) =
			    (struct bytes){ pool, rnd() % (most + 1) };
			break;
		}
	}
}

static bool
same(const struct msg_desc *d, const uint8_t *x, const uint8_t *y)
{
	static const size_t bytes[] = { 1, 2, 4, 8, 8, 8, 16 };

	for (unsigned i = 0; i < d->nfields; i++) {
		const struct msg_field *f = &d->fields[i];
		const struct bytes *bx = (const void *)(x + f->offset);
		const struct bytes *by = (const void *)(y + f->offset);

		if (f->type != FIELD_str && f->type != FIELD_data) {
			if (memcmp(bx, by, bytes[f->type]) != 0)
				return (false);
		} else if (bx->n != by->n ||
			   (bx->n > 0 && memcmp(bx->p, by->p, bx->n) != 0)) {
			return (false);
		}
	}
	return (true);
}

static char text[70000];

static void
every_message_comes_back(void **state)
{
	unsigned messages = 0;

	(void)state;
	for (unsigned type = 0; type < MSG_TYPES; type++) {
		const struct msg_desc *d = &msg_table[type];

		if (d->name == NULL)
			continue;
		messages++;
		assert_true(d->size <= sizeof(union any_message));
		for (int round = 0; round < 200; round++) {
			union any_message in, out;
			size_t n;
			uint8_t *p;

			memset(&in, 0, sizeof(in));
			fill(d, (uint8_t *)&in, text,
			    round == 0 ? PROTO_STR_MAX : 40);
			n = msg_size(type, &in);
			p = malloc(n); /* exactly, so that ASan sees more */
			assert_int_equal(msg_encode(type, &in, p), n);
			memset(&out, 0xaa, sizeof(out));
			assert_int_equal(msg_decode(type, p, n, &out), 0);
			if (!same(d, (uint8_t *)&in, (uint8_t *)&out))
				fail_msg("%s has changed", d->name);
			free(p);
		}
	}
	assert_true(messages > 20);
}

/*
 * Cut anywhere: either in a field, and then it is refused, or between two, and
 * then the rest is zero.
 */
static void
cut_messages(void **state)
{
	(void)state;
	for (unsigned type = 0; type < MSG_TYPES; type++) {
		const struct msg_desc *d = &msg_table[type];
		union any_message in, out, zero;
		unsigned taken = 0;
		size_t n;
		uint8_t *p;

		if (d->name == NULL)
			continue;
		memset(&in, 0, sizeof(in));
		memset(&zero, 0, sizeof(zero));
		fill(d, (uint8_t *)&in, text, 20);
		n = msg_size(type, &in);
		p = malloc(n);
		msg_encode(type, &in, p);
		for (size_t cut = 0; cut < n; cut++) {
			uint8_t *q = malloc(cut + 1);

			memcpy(q, p, cut);
			if (msg_decode(type, q, cut, &out) == 0)
				taken++;
			free(q);
		}
		/* the whole and each beginning of whole fields */
		if (taken != d->nfields)
			fail_msg("%s: %u cuts of %u fields were taken", d->name,
			    taken, d->nfields);
		assert_int_equal(msg_decode(type, p, 0, &out), 0);
		assert_true(same(d, (uint8_t *)&out, (uint8_t *)&zero));
		free(p);
	}
}

static void
surplus_bytes_are_skipped(void **state)
{
	(void)state;
	for (unsigned type = 0; type < MSG_TYPES; type++) {
		const struct msg_desc *d = &msg_table[type];
		union any_message in, out;
		size_t n;
		uint8_t *p;

		if (d->name == NULL)
			continue;
		memset(&in, 0, sizeof(in));
		fill(d, (uint8_t *)&in, text, 20);
		n = msg_size(type, &in);
		p = malloc(n + 9);
		msg_encode(type, &in, p);
		memset(p + n, 0xff, 9);
		assert_int_equal(msg_decode(type, p, n + 9, &out), 0);
		assert_true(same(d, (uint8_t *)&in, (uint8_t *)&out));
		free(p);
	}
}

static void
texts_are_checked(void **state)
{
	struct msg_refuse m = { .code = 64, .reason = { "a\0b", 3 } };
	uint8_t nul[] = { 64, 0, 3, 0, 'a', 0, 'b' };
	uint8_t longer[] = { 64, 0, 4, 0, 'a', 'b', 'c' };
	struct msg_refuse out;
	size_t n;

	(void)state;
	assert_true(msg_size(MSG_refuse, &m) == MSG_SIZE_BAD);
	assert_null(frame_message(MSG_refuse, &m, &n));
	m.reason = (struct bytes){ text, PROTO_STR_MAX + 1 };
	assert_true(msg_size(MSG_refuse, &m) == MSG_SIZE_BAD);
	assert_int_equal(msg_decode(MSG_refuse, nul, sizeof(nul), &out), -1);
	assert_int_equal(msg_decode(MSG_refuse, longer, sizeof(longer), &out),
	    -1);
	nul[5] = 'x';
	assert_int_equal(msg_decode(MSG_refuse, nul, sizeof(nul), &out), 0);
	assert_int_equal(out.code, 64);
	assert_memory_equal(out.reason.p, "axb", 3);
}

/* Whatever it is an instant of: none is later, or earlier, than can be. */
static void
times_are_checked(void **state)
{
	static const struct {
		int64_t t_ns;
		bool good;
	} cases[] = {
		{ 0, true },
		{ TIME_NS_MAX, true },
		{ -TIME_NS_MAX, true },
		{ TIME_NS_MAX + 1, false },
		{ -TIME_NS_MAX - 1, false },
		{ INT64_MAX, false },
		{ INT64_MIN, false },
	};
	unsigned times = 0;

	(void)state;
	for (unsigned type = 0; type < MSG_TYPES; type++) {
		const struct msg_desc *d = &msg_table[type];

		for (unsigned i = 0; i < d->nfields; i++) {
			if (d->fields[i].type != FIELD_time)
				continue;
			times++;
			for (size_t k = 0; k < 7; k++) {
				union any_message in, out;
				uint8_t *p;
				size_t n;

				memset(&in, 0, sizeof(in));
				memcpy((char *)&in + d->fields[i].offset,
				    &cases[k].t_ns, 8);
				n = msg_size(type, &in);
				p = malloc(n);
				msg_encode(type, &in, p);
				if (msg_decode(type, p, n, &out) !=
				    (cases[k].good ? 0 : -1))
					fail_msg("%s.%s: case %zu", d->name,
					    d->fields[i].name, k);
				free(p);
			}
		}
	}
	assert_true(times > 10);
}

static void
unknown_types_have_a_name_and_no_body(void **state)
{
	union any_message out;

	(void)state;
	assert_string_equal(msg_name(MSG_batch), "batch");
	assert_string_equal(msg_name(99), "type 99");
	assert_string_equal(msg_name(70000), "type 70000");
	assert_int_equal(msg_decode(99, "", 0, &out), -1);
	assert_int_equal(msg_decode(MSG_TYPES + 1, "", 0, &out), -1);
}

static void
numbers_are_little_endian(void **state)
{
	struct msg_ping m = { .seq = 0x01020304, .t1_mon_ns = -2 };
	static const uint8_t want[] = { 4, 3, 2, 1, 0xfe, 0xff, 0xff, 0xff,
		0xff, 0xff, 0xff, 0xff };
	uint8_t got[12];

	(void)state;
	assert_int_equal(msg_size(MSG_ping, &m), 12);
	msg_encode(MSG_ping, &m, got);
	assert_memory_equal(got, want, 12);
}

static void
hostile_bodies_do_no_harm(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 200000; round++) {
		union any_message out;
		size_t n = rnd() % 80;
		uint8_t *p = malloc(n + 1);

		for (size_t i = 0; i < n; i++)
			p[i] = rnd() % 3 == 0 ? (uint8_t)rnd() : 0;
		(void)msg_decode(rnd() % (MSG_TYPES + 2), p, n, &out);
		free(p);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_message_comes_back),
		cmocka_unit_test(cut_messages),
		cmocka_unit_test(surplus_bytes_are_skipped),
		cmocka_unit_test(texts_are_checked),
		cmocka_unit_test(times_are_checked),
		cmocka_unit_test(unknown_types_have_a_name_and_no_body),
		cmocka_unit_test(numbers_are_little_endian),
		cmocka_unit_test(hostile_bodies_do_no_harm),
	};

	memset(text, 't', sizeof(text));
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
