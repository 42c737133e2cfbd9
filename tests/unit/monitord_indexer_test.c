/* When a finished log is indexed: what `index` may say. */
#include "tests/check.h"

#include "monitord/shell/indexer.h"

static void
words_and_numbers(void **state)
{
	static const struct {
		const char *text;
		uint64_t events;
	} good[] = {
		{ "yes", 10000000 },
		{ "no", UINT64_MAX },
		{ "0", 0 },
		{ "123", 123 },
	};
	static const char *const bad[] = { "", "often", "-1", "12k", " 3",
		"99999999999999999999" };
	uint64_t events;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(indexer_when(good[i].text, &events));
		assert_int_equal(events, good[i].events);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(indexer_when(bad[i], &events));
	assert_true(indexer_when(INDEXER_DEFAULT, &events));
	assert_int_equal(events, 10000000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_and_numbers),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
