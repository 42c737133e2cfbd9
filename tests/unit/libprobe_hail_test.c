/* libprobe's own messages are those of proto. */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "libprobe/meet/hail.h"

static void
checksum_is_zlibs(void **state)
{
	(void)state;
	assert_int_equal(hail_crc32(0, "123456789", 9), 0xcbf43926u);
	assert_int_equal(hail_crc32(hail_crc32(0, "1234", 4), "56789", 5),
	    0xcbf43926u);
}

static void
attach_is_read_by_proto(void **state)
{
	struct hail_attach a = { .layout = 1,
		.parent_po = 42,
		.clock = 2,
		.program = "prog",
		.command = "prog -x y",
		.unrecorded = UINT64_C(1) << 40,
		.names_po = 41,
		.names_t_node_ns = -12345678901,
		.names = 1000 };
	uint8_t buf[HAIL_BYTES_MAX];
	char longer[2000];
	struct msg_attach m;
	struct frame f;
	size_t n;

	(void)state;
	n = hail_attach(buf, &a);
	assert_int_equal(frame_parse(buf, n, &f), FRAME_OK);
	assert_int_equal(f.frame_bytes, n);
	assert_int_equal(f.type, MSG_attach);
	assert_int_equal(msg_decode(MSG_attach, f.body, f.body_bytes, &m), 0);
	assert_int_equal(m.layout, 1);
	assert_int_equal(m.parent_po, 42);
	assert_int_equal(m.clock, 2);
	assert_int_equal(m.program.n, 4);
	assert_memory_equal(m.program.p, "prog", 4);
	assert_int_equal(m.command.n, 9);
	assert_memory_equal(m.command.p, "prog -x y", 9);
	assert_true(m.unrecorded == UINT64_C(1) << 40);
	assert_int_equal(m.names_po, 41);
	assert_true(m.names_t_node_ns == -12345678901);
	assert_int_equal(m.names, 1000);

	memset(longer, 'x', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	a.program = a.command = longer;
	n = hail_attach(buf, &a);
	assert_int_equal(n, HAIL_BYTES_MAX);
	assert_int_equal(frame_parse(buf, n, &f), FRAME_OK);
	assert_int_equal(msg_decode(MSG_attach, f.body, f.body_bytes, &m), 0);
	assert_int_equal(m.command.n, HAIL_TEXT_MAX);
}

static void
unheard_is_read_by_proto(void **state)
{
	uint8_t buf[HAIL_BYTES_MAX];
	struct msg_unheard m;
	struct frame f;
	size_t n = hail_unheard(buf, 12345678901u, "prog");

	(void)state;
	assert_int_equal(frame_parse(buf, n, &f), FRAME_OK);
	assert_int_equal(f.type, MSG_unheard);
	assert_int_equal(msg_decode(MSG_unheard, f.body, f.body_bytes, &m), 0);
	assert_true(m.unrecorded == 12345678901u);
	assert_int_equal(m.program.n, 4);
}

static uint8_t *
attached(size_t *n)
{
	struct msg_attached m = { .node = 3,
		.po = 9,
		.node_name = BYTES_STR("n1"),
		.t_node_ns = -12345678901,
		.names = 77 };

	return (frame_message(MSG_attached, &m, n));
}

static void
attached_is_read_however_it_is_cut(void **state)
{
	struct hail_attached got;
	size_t n;
	uint8_t *frame = attached(&n);

	(void)state;
	for (size_t i = 0; i < n; i++)
		assert_int_equal(hail_read(frame, i, &got), HAIL_SHORT);
	assert_int_equal(hail_read(frame, n, &got), HAIL_OK);
	assert_int_equal(got.node, 3);
	assert_int_equal(got.po, 9);
	assert_string_equal(got.node_name, "n1");
	assert_true(got.t_node_ns == -12345678901);
	assert_int_equal(got.names, 77);
	free(frame);
}

static void
damage_is_noticed(void **state)
{
	struct hail_attached got;
	size_t n;
	uint8_t *frame = attached(&n);

	(void)state;
	for (size_t i = 0; i < n * 8; i++) {
		frame[i / 8] ^= (uint8_t)(1u << i % 8);
		/* a damaged length may also ask for more */
		assert_int_not_equal(hail_read(frame, n, &got), HAIL_OK);
		frame[i / 8] ^= (uint8_t)(1u << i % 8);
	}
	free(frame);
}

static void
other_answers_are_refused(void **state)
{
	struct msg_refuse m = { .code = 69, .reason = BYTES_STR("no") };
	struct hail_attached got;
	char name[300];
	struct msg_attached big = { .node = 1,
		.po = 1,
		.node_name = { name, sizeof(name) } };
	size_t n;
	uint8_t *frame = frame_message(MSG_refuse, &m, &n);

	(void)state;
	assert_int_equal(hail_read(frame, n, &got), HAIL_BAD);
	free(frame);
	memset(name, 'n', sizeof(name));
	frame = frame_message(MSG_attached, &big, &n);
	assert_int_equal(hail_read(frame, n, &got), HAIL_OK);
	assert_int_equal(strlen(got.node_name), HAIL_NODE_MAX - 1);
	free(frame);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(checksum_is_zlibs),
		cmocka_unit_test(attach_is_read_by_proto),
		cmocka_unit_test(unheard_is_read_by_proto),
		cmocka_unit_test(attached_is_read_however_it_is_cut),
		cmocka_unit_test(damage_is_noticed),
		cmocka_unit_test(other_answers_are_refused),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
