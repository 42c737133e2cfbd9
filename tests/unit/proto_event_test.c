/* What the words of events are, by the types of their fields. */
#include "event.h"
#include "tests/check.h"

static void
types(void **state)
{
	(void)state;
	assert_int_equal(event_word_type(""), WORD_none);
	assert_int_equal(event_word_type("no type"), WORD_none);
	assert_int_equal(event_word_type("bytes:bytes"), WORD_number);
	assert_int_equal(event_word_type("x:unheard of"), WORD_number);
	assert_int_equal(event_word_type("lock:id"), WORD_hex);
	assert_int_equal(event_word_type("block:address"), WORD_hex);
	assert_int_equal(event_word_type("v:value"), WORD_signed);
	assert_int_equal(event_word_type("v:real"), WORD_real);
	assert_int_equal(event_word_type("clean:flag"), WORD_flag);
	assert_int_equal(event_word_type("phase:name"), WORD_name);
	assert_int_equal(event_word_type("from:node"), WORD_node);
	assert_int_equal(event_word_type("of:kind"), WORD_kind);
	assert_int_equal(event_word_type("why:reason"), WORD_reason);
	assert_int_equal(event_word_type("how:ending"), WORD_ending);
}

/* A kind with a word of a new type has to say here that it is a number. */
static bool
is_number(const char *field)
{
	return (event_field_is(field, "number") ||
		event_field_is(field, "bytes") || event_field_is(field, "ns") ||
		event_field_is(field, "work") || event_field_is(field, "type"));
}

static void
table(void **state)
{
	unsigned fields = 0;

	(void)state;
	for (unsigned k = 0; k < EVENT_KINDS; k++) {
		const struct event_desc *d = event_desc(k);
		const char *field[3];

		if (d == NULL)
			continue;
		field[0] = d->a;
		field[1] = d->b;
		field[2] = d->c;
		for (int i = 0; i < 3; i++) {
			if (event_word_type(field[i]) != WORD_number)
				continue;
			fields++;
			if (!is_number(field[i]))
				fail_msg("%s: %s", d->name, field[i]);
		}
	}
	assert_true(fields > 10);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types),
		cmocka_unit_test(table),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
