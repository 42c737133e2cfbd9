/* Declared kinds: what their text says, and their parts put together. */
#include <string.h>

#include "own.h"
#include "tests/check.h"

static void
a_text_says_what_fields_are(void **state)
{
	struct own_kind k;

	(void)state;
	assert_null(own_parse(&k, "order n:number who:name price:real:EUR"));
	assert_string_equal(k.name, "order");
	assert_int_equal(k.fields, 3);
	assert_int_equal(k.names, 1);
	assert_string_equal(k.field[2].word, "price:real");
	assert_string_equal(k.field[2].unit, "EUR");
	assert_string_equal(own_unit(&k.field[0]), "");
	assert_int_equal(own_more(&k), 1);
	assert_null(own_parse(&k, "t a:ns"));
	assert_string_equal(own_unit(&k.field[0]), "ns");
}

static void
numbers_and_names_need_so_many_parts(void **state)
{
	static const struct {
		const char *text;
		unsigned more;
	} cases[] = {
		{ "k a:number", 0 },
		{ "k a:number b:number", 0 },
		{ "k a:number b:number c:number", 1 },
		{ "k a:number b:number c:number d:number", 1 },
		{ "k a:number b:number c:number d:number e:flag", 2 },
		{ "k a:name", 1 },
		{ "k a:name b:name c:name d:real e:real f:real g:real h:real",
		    3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct own_kind k;

		assert_null(own_parse(&k, cases[i].text));
		assert_int_equal(own_more(&k), cases[i].more);
	}
}

static void
what_is_no_kind_is_said(void **state)
{
	static const char *const bad[] = { "", "k", "k ", "k a",
		"k a:", "k :", "k a:int", "k  a:name", "k a:name a:real",
		"k\n a:name", "k\302 a:name", "k \377:name",
		"k a:real:\302\233", "k a:real:a:b",
		"k a:name:x y:name z:name w:name", "0k a:name" };
	struct own_kind k;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_non_null(own_parse(&k, bad[i]));
}

static const char *
text(const void *of, uint32_t name)
{
	const char *const *texts = of;

	return (name < 4 ? texts[name] : NULL);
}

static const char *const texts[] = { "",
	"wide a:number b:number c:number x:name", "tiny v:value", "no kind" };

static enum own_part
event(struct own *o, unsigned kind, uint32_t at, uint64_t a, uint32_t c,
    struct own_event *out)
{
	const struct event e = { .kind = (uint16_t)kind,
		.location = at,
		.a = a,
		.b = a + 1,
		.c = c };

	return (own_event(o, &e, out));
}

static void
parts_go_to_the_event_behind_them(void **state)
{
	struct own *o = own_new(text, texts);
	struct own_event e;

	(void)state;
	assert_int_equal(event(o, EV_own_more, 1, 10, 7, &e), OWN_MORE_FOLLOWS);
	/* another thread, and a handler that has interrupted the first */
	assert_int_equal(event(o, EV_own_more, 2, 20, 8, &e), OWN_MORE_FOLLOWS);
	assert_int_equal(event(o, EV_own_more, 1, 30, 9, &e), OWN_MORE_FOLLOWS);
	assert_int_equal(event(o, EV_own, 1, 31, 1, &e), OWN_WHOLE);
	assert_int_equal(e.value[2], 30);
	assert_int_equal(e.value[3], 9);
	assert_int_equal(event(o, EV_own, 1, 5, 2, &e), OWN_WHOLE);
	assert_string_equal(e.kind->name, "tiny");
	assert_int_equal(event(o, EV_own, 1, 11, 1, &e), OWN_WHOLE);
	assert_int_equal(e.value[0], 11);
	assert_int_equal(e.value[1], 12);
	assert_int_equal(e.value[2], 10);
	assert_int_equal(e.value[3], 7);
	assert_true(e.known[3]);
	assert_int_equal(event(o, EV_own, 2, 21, 1, &e), OWN_WHOLE);
	assert_int_equal(e.value[2], 20);
	own_free(o);
}

static void
what_is_lost_is_not_known(void **state)
{
	struct own *o = own_new(text, texts);
	struct own_event e;

	(void)state;
	assert_int_equal(event(o, EV_own_more, 1, 10, 7, &e), OWN_MORE_FOLLOWS);
	assert_int_equal(event(o, EV_lost, 1, 1, 1, &e), OWN_NOT);
	assert_int_equal(event(o, EV_own, 1, 11, 1, &e), OWN_WHOLE);
	assert_true(e.known[0] && e.known[1]);
	assert_false(e.known[2] || e.known[3]);
	assert_int_equal(event(o, EV_own, 1, 11, 3, &e), OWN_NOT);
	assert_int_equal(event(o, EV_own, 1, 11, 0, &e), OWN_NOT);
	assert_int_equal(event(o, EV_own, 1, 11, 99, &e), OWN_NOT);
	assert_null(own_kind_of(o, 3));
	/* more parts than anybody can need, of ends that never come */
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(event(o, EV_own_more, 3, i, i, &e),
		    OWN_MORE_FOLLOWS);
	assert_int_equal(event(o, EV_own, 3, 1, 1, &e), OWN_WHOLE);
	assert_int_equal(e.value[2], 999);
	own_free(o);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_says_what_fields_are),
		cmocka_unit_test(numbers_and_names_need_so_many_parts),
		cmocka_unit_test(what_is_no_kind_is_said),
		cmocka_unit_test(parts_go_to_the_event_behind_them),
		cmocka_unit_test(what_is_lost_is_not_known),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
