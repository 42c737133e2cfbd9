/* monitorctl before, past and future: what is asked is found and proved. */
#include "tests/check.h"

#include "tests/unit/tools_log.h"

#define MS 1000000

/*
 * Three threads.  A message goes from the first to the second, another on to
 * the third; the third's first event is concurrent to all of it.
 */
static void
make(char path[32])
{
	struct make_log l = { 0 };
	uint32_t at[3];

	make_log_head(&l, "before");
	for (uint32_t i = 0; i < 3; i++) {
		char name[] = { 'n', (char)('1' + i), '\0' };

		make_log_node(&l, i + 1, name);
		make_log_po(&l, i + 1, 1, "app");
		at[i] = make_log_thread(&l, i + 1, 1, 1, "main");
	}
	make_log_event(&l, at[2], EV_note, 5 * MS, 1, 0, 0);
	make_log_event(&l, at[0], EV_note, 10 * MS, 1, 0, 0);
	make_log_event(&l, at[0], EV_send, 20 * MS, 7, 8, 0);
	make_log_event(&l, at[1], EV_receive, 30 * MS, 7, 8, 0);
	make_log_event(&l, at[1], EV_send, 40 * MS, 9, 8, 0);
	make_log_event(&l, at[2], EV_receive, 50 * MS, 9, 8, 0);
	make_log_event(&l, at[2], EV_note, 60 * MS, 1, 0, 0);
	make_log_event(&l, at[0], EV_note, 70 * MS, 1, 0, 0);
	make_log_blocks(&l, 0);
	make_log_finish(&l);
	tools_log_write(&l, path);
	make_log_free(&l);
}

static void
what_is_said(void **state)
{
	static const struct {
		command_run *run;
		const char *words[4];
		int code;
		const char *says;
	} cases[] = {
		{ before_run, { "before", "n1/1.1:0", "n3/1.1:2" }, 0,
		    "before: the first happens before the second, through 2 "
		    "causes\n"
		    "  0.010000000 n1/1.1:0 note value=1 text=-\n"
		    "  0.020000000 n1/1.1:1 send message=0x7 size=8 tag=0\n"
		    "> 0.030000000 n2/1.1:0 receive message=0x7 size=8 tag=0\n"
		    "  0.040000000 n2/1.1:1 send message=0x9 size=8 tag=0\n"
		    "> 0.050000000 n3/1.1:1 receive message=0x9 size=8 tag=0\n"
		    "  0.060000000 n3/1.1:2 note value=1 text=-\n" },
		{ before_run, { "before", "n2/1.1:0", "n1/1.1:1" }, 0,
		    "after: the second happens before the first, through 1 "
		    "cause\n"
		    "  0.020000000 n1/1.1:1 send message=0x7 size=8 tag=0\n"
		    "> 0.030000000 n2/1.1:0 receive message=0x7 size=8 "
		    "tag=0\n" },
		{ before_run, { "before", "n1/1.1:2", "n3/1.1:2" }, 0,
		    "concurrent: neither happens before the other\n"
		    "  0.070000000 n1/1.1:2 note value=1 text=-\n"
		    "  0.060000000 n3/1.1:2 note value=1 text=-\n" },
		{ before_run, { "before", "n1/1.1:0", "n1/1.1:2" }, 0,
		    "before: the first happens before the second, on one "
		    "thread\n"
		    "  0.010000000 n1/1.1:0 note value=1 text=-\n"
		    "  0.070000000 n1/1.1:2 note value=1 text=-\n" },
		{ before_run, { "before", "n1/1.1:1", "n1/1.1@0.069" }, 0,
		    "same: both are one event\n"
		    "  0.020000000 n1/1.1:1 send message=0x7 size=8 tag=0\n" },
		{ past_run, { "past", "n2/1.1@0.04" }, 0,
		    "- monitord\n"
		    "0.020000000 n1/1.1:1 send message=0x7 size=8 tag=0\n"
		    "0.040000000 n2/1.1:1 send message=0x9 size=8 tag=0\n"
		    "- n3/1.1\n" },
		{ past_run, { "past", "--tsv", "n3/1.1:1" }, 0,
		    "thread\tlocation\tseq\tt_mon_ns\tkind\n"
		    "monitord\t0\t\t\t\n"
		    "n1/1.1\t1\t1\t20000000\tsend\n"
		    "n2/1.1\t2\t1\t40000000\tsend\n"
		    "n3/1.1\t3\t1\t50000000\treceive\n" },
		{ future_run, { "future", "n2/1.1:0" }, 0,
		    "- monitord\n"
		    "- n1/1.1\n"
		    "0.030000000 n2/1.1:0 receive message=0x7 size=8 tag=0\n"
		    "0.050000000 n3/1.1:1 receive message=0x9 size=8 tag=0\n" },
		{ future_run, { "future", "n3/1.1@0.004" }, 69, "" },
		{ past_run, { "past", "n3/1.1:3" }, 69, "" },
		{ past_run, { "past", "n4/1.1:0" }, 69, "" },
		{ past_run, { "past", "n3/1.1" }, 64, "" },
		{ past_run, { "past", ":1" }, 64, "" },
	};
	static char out[OUTPUT_BYTES];
	char path[32];

	(void)state;
	make(path);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *words[6];
		int n = 0, code;

		for (int k = 0; k < 4 && cases[i].words[k] != NULL; k++) {
			if (k > 0 && cases[i].words[k][0] != '-' &&
			    (n == 1 || words[n - 1][0] == '-'))
				words[n++] = path;
			words[n++] = (char *)cases[i].words[k];
		}
		words[n] = NULL;
		code = tools_run_words(cases[i].run, words, out);
		if (code != cases[i].code || strcmp(out, cases[i].says) != 0)
			fail_msg("case %zu: exit %d, said:\n%s", i, code, out);
	}
	unlink(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_said),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
