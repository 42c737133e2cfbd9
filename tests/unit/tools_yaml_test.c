/* monitord's answers are read into paths and values. */
#include "tests/check.h"

#include <string.h>

#include "tools/doc/yaml.h"

static void
what_monitord_writes(void **state)
{
	static const char text[] =
	    "run: { name: \"a \\\"b\\\", c\", uuid: 12-34, seconds: 1.5 }\n"
	    "names: 7\n"
	    "nodes:\n"
	    "  - name: \"n1\"\n"
	    "    state: running\n"
	    "    clock: { state: locked, error_ns: 180 }\n"
	    "    rate: 5\n"
	    "  - name: \"n\\x09\"\n"
	    "    clock: { state: coarse }\n"
	    "last: yes\n";
	static const struct {
		const char *path, *value;
	} rows[] = {
		{ "run.name", "a \"b\", c" },
		{ "run.uuid", "12-34" },
		{ "run.seconds", "1.5" },
		{ "names", "7" },
		{ "nodes.0.name", "n1" },
		{ "nodes.0.clock.state", "locked" },
		{ "nodes.0.clock.error_ns", "180" },
		{ "nodes.0.rate", "5" },
		{ "nodes.1.name", "n\\x09" }, /* as it may be printed */
		{ "nodes.1.clock.state", "coarse" },
		{ "last", "yes" },
		{ "nodes.2.name", "" },
	};
	struct yaml y;

	(void)state;
	assert_int_equal(yaml_parse(&y, text, sizeof(text) - 1), 0);
	assert_int_equal(y.n, 12);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(yaml_get(&y, "%s", rows[i].path),
		    rows[i].value);
	assert_true(yaml_number(&y, "nodes.%d.clock.error_ns", 0) == 180);
	yaml_clear(&y);
}

/* Every prefix of it, and rubbish, does no harm. */
static void
what_is_cut_does_no_harm(void **state)
{
	static const char text[] = "a: { b: \"c\\x4\", d: e }\n- f: {\n   - - :"
				   "\nnodes:\n  - {\n  -\n\"\n: : :\n}\n";
	char copy[sizeof(text)];
	struct yaml y;

	(void)state;
	for (size_t n = 0; n < sizeof(text); n++) {
		memcpy(copy, text, n);
		assert_int_equal(yaml_parse(&y, copy, n), 0);
		yaml_clear(&y);
	}
	/* as an answer says that there is nothing; UBSan looks */
	assert_int_equal(yaml_parse(&y, NULL, 0), 0);
	yaml_clear(&y);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_monitord_writes),
		cmocka_unit_test(what_is_cut_does_no_harm),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
