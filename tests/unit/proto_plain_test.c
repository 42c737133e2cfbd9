/* Text of others is shown, not obeyed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"
#include "tests/check.h"
#include "tests/rnd.h"

static void
what_a_terminal_would_obey_is_shown(void **state)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
		{ "", "" },
		{ "worker 7/3", "worker 7/3" },
		{ "a\\x1b", "a\\x1b" },
		{ "\033[31mred", "\\x1b[31mred" },
		{ "\033]0;title\007", "\\x1b]0;title\\x07" },
		{ "one\nmonitord: all is good",
		    "one\\x0amonitord: all is good" },
		{ "\r\t\177", "\\x0d\\x09\\x7f" },
		{ "Grüße, 世界 🙂", "Grüße, 世界 🙂" },
		/* C1: the escape sequences in one character */
		{ "\302\233"
		  "31m",
		    "\\xc2\\x9b31m" },
		/* right to left */
		{ "a\342\200\256b", "a\\xe2\\x80\\xaeb" },
		/* cut, overlong, a surrogate, too large, a lone byte */
		{ "x\303", "x\\xc3" },
		{ "\300\212", "\\xc0\\x8a" },
		{ "\355\240\200", "\\xed\\xa0\\x80" },
		{ "\364\220\200\200", "\\xf4\\x90\\x80\\x80" },
		{ "\233", "\\x9b" },
	};
	char to[200];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t n =
		    plain(to, sizeof(to), cases[i].text, strlen(cases[i].text));

		assert_string_equal(to, cases[i].shown);
		assert_int_equal(n, strlen(to));
	}
	/* as a message says that there is none; UBSan looks */
	assert_int_equal(plain(to, sizeof(to), NULL, 0), 0);
	plain_print(stderr, NULL, 0);
}

static void
there_is_no_more_than_there_is_room_for(void **state)
{
	unsigned char text[64], *to;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		size_t n = rnd() % sizeof(text), room = rnd() % 300, len;

		for (size_t i = 0; i < n; i++)
			text[i] = (unsigned char)rnd();
		to = malloc(room + 1); /* exactly, so that ASan sees more */
		len = plain((char *)to, room, text, n);
		if (room > 0) {
			assert_true(len < room);
			assert_int_equal(to[len], '\0');
		}
		for (size_t i = 0; i < len; i++)
			assert_true(to[i] >= 0x20 && to[i] != 0x7f);
		if (room >= PLAIN_BYTES(n))
			assert_true(len >= n);
		free(to);
	}
}

/* Lines of ours stay lines; pieces are not cut amid a character. */
static void
lines_are_printed_as_lines(void **state)
{
	char text[1000], got[5000];
	size_t n = 0;
	FILE *f = tmpfile();

	(void)state;
	while (n < 900)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s",
		    n == 300 ? "\n" : "ü");
	plain_print(f, text, n);
	plain_print(f, "\033\n", 2);
	rewind(f);
	n = fread(got, 1, sizeof(got) - 1, f);
	got[n] = '\0';
	fclose(f);
	assert_null(strstr(got, "\\xc3"));
	assert_non_null(strstr(got, "ü\nü"));
	assert_non_null(strstr(got, "\\x1b\n"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_terminal_would_obey_is_shown),
		cmocka_unit_test(there_is_no_more_than_there_is_room_for),
		cmocka_unit_test(lines_are_printed_as_lines),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
