/*
 * A name of a place in the code is the function that is found there, from then
 * on, and is told apart from others as any name.
 */
#include "tests/unit/make_model.h"

#include "tests/check.h"

static int
symbol(struct model *m, uint32_t name, unsigned level, const char *function)
{
	struct msg_symbol d = { .name = name,
		.level = (uint8_t)level,
		.function = BYTES_STR(function),
		.file = BYTES_STR("x.c"),
		.line = 7 + name,
		.first = 7 + name };
	struct buf b = { 0 };
	struct frame f;
	int r;

	assert_int_equal(frame_append(&b, MSG_symbol, &d), 0);
	assert_int_equal(frame_parse(b.p, b.n, &f), FRAME_OK);
	r = model_add_frame(m, &f);
	buf_free(&b);
	return (r);
}

static void
what_is_found_is_shown(void **state)
{
	struct model *m = model_new();
	struct make_log l = { 0 };
	const char *before, *text;
	uint32_t a, b, line;
	size_t fed = 0;
	char odd[200];

	(void)state;
	make_log_head(&l, "symbols");
	make_log_node(&l, 1, "n1");
	make_log_po(&l, 1, 1, "p");
	a = make_log_name(&l, "p#01+0x10");
	b = make_log_name(&l, "p#01+0x20");
	make_model_tell(m, &l, &fed);
	before = model_name(m, a);
	assert_int_equal(symbol(m, a, 0, "step"), 0);
	assert_string_equal(before, "p#01+0x10"); /* somebody may have it */
	assert_string_equal(model_name(m, a), "step");
	assert_string_equal(model_name_place(m, a, &line), "x.c");
	assert_int_equal(line, 7 + a);
	assert_string_equal(model_name(m, b), "p#01+0x20");
	assert_int_equal(model_name_shared(m, a), NAME_ALONE);
	assert_int_equal(symbol(m, b, 0, "step"), 0);
	assert_int_equal(model_name_shared(m, a), NAME_TEXT_SHARED);
	assert_int_equal(model_name_shared(m, b), NAME_TEXT_SHARED);
	/* told twice, or what it was compiled into: nothing changes */
	text = model_name(m, a);
	assert_int_equal(symbol(m, a, 0, "another"), 0);
	assert_int_equal(symbol(m, a, 1, "outer"), 0);
	assert_ptr_equal(model_name(m, a), text);
	assert_false(model_odd(m, odd, sizeof(odd)));
	assert_int_equal(symbol(m, b + 1, 0, "nobody"), -1);
	assert_true(model_odd(m, odd, sizeof(odd)));
	model_free(m);
	make_log_free(&l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_found_is_shown),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
