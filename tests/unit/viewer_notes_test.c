/* Notes in their file: what is written is read, what is wrong is told. */
#include "tests/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ui/notes/groups.h"
#include "ui/notes/notefile.h"

#define RUN "01122334-4556-6778-899a-abbccddeef00"

struct fixture {
	char dir[64], log[96], beside[128], own[192];
	struct notes *k;
};

static void
anew(struct fixture *x)
{
	notes_free(x->k);
	x->k = notes_new();
	assert_non_null(x->k);
	snprintf(x->k->run, sizeof(x->k->run), RUN);
}

static int
setup(void **state)
{
	struct fixture *x = calloc(1, sizeof(*x));

	assert_non_null(x);
	snprintf(x->dir, sizeof(x->dir), "/tmp/orrery-notes.XXXXXX");
	assert_non_null(mkdtemp(x->dir));
	snprintf(x->log, sizeof(x->log), "%s/run.orr", x->dir);
	snprintf(x->beside, sizeof(x->beside), "%s.notes", x->log);
	setenv("XDG_STATE_HOME", x->dir, 1);
	snprintf(x->own, sizeof(x->own), "%s/orrery/" RUN ".notes", x->dir);
	anew(x);
	*state = x;
	return (0);
}

static int
teardown(void **state)
{
	struct fixture *x = *state;
	char line[128];

	snprintf(line, sizeof(line), "rm -rf %s", x->dir);
	assert_int_equal(system(line), 0);
	notes_free(x->k);
	free(x);
	return (0);
}

static void
put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void
what_is_spelled_is_parsed(void **state)
{
	static const struct note cases[] = {
		{ .row = NOTE_ALL, .text = "at the start" },
		{ .t0_ns = 1, .t1_ns = 2, .row = 0, .text = "a  b" },
		{ .t0_ns = -5, .t1_ns = 7, .row = NOTE_ALL, .text = "all" },
		{ .t0_ns = 86400000000001,
		    .t1_ns = 86400000000001,
		    .row = 12,
		    .text = "row 3 \xc3\xa4" },
	};
	char line[512];
	const char *why;
	struct note a;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		notefile_spell(&cases[i], line, sizeof(line));
		assert_int_equal(notefile_parse(line, &a, &why), 0);
		assert_int_equal(a.t0_ns, cases[i].t0_ns);
		assert_int_equal(a.t1_ns, cases[i].t1_ns);
		assert_int_equal(a.row, cases[i].row);
		assert_string_equal(a.text, cases[i].text);
	}
}

static void
what_is_no_note_is_refused(void **state)
{
	static const char *const lines[] = { "", "note", "note 1s",
		"note 1s all", "note 1s all ", "note soon all x",
		"note 2s:1s all x", "note 1s row x y",
		"note 1s row 4294967295 y", "note 1s some x", "notes 1s all x",
		"note 1s all \xff", "note 1e99 all x" };
	const char *why = NULL;
	struct note a;

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_int_equal(notefile_parse(lines[i], &a, &why), -1);
		assert_non_null(why);
	}
}

static void
wrong_lines_are_told_and_kept(void **state)
{
	struct fixture *x = *state;
	char why[256], line[256];
	bool there = false;
	FILE *f;

	put(x->beside, "# by hand\nrun " RUN "\nnote 2s all second\nnonsense\n"
		       "note 1s row 7 first\nnote soon all x\n");
	assert_int_equal(notefile_read(x->k, x->log, why, sizeof(why)), -1);
	assert_non_null(strstr(why, "run.orr.notes:4: "));
	assert_non_null(strstr(why, "1 more"));
	assert_int_equal(x->k->n, 2);
	assert_string_equal(x->k->note[0].text, "first");
	assert_int_equal(x->k->note[0].row, 7);
	notes_drop(x->k, 1);
	assert_int_equal(notefile_write(x->k, x->log, why, sizeof(why)), 0);
	f = fopen(x->beside, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		assert_null(strstr(line, "second"));
		there = there || strcmp(line, "nonsense\n") == 0;
	}
	fclose(f);
	assert_true(there);
}

static void
a_file_begins_with_its_run(void **state)
{
	static const char *const begins[] = { " \t\n", "\t\nrun " RUN "\n",
		"note 1s all x\nrun " RUN "\n" };
	struct fixture *x = *state;
	char why[256];

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
		put(x->beside, begins[i]);
		anew(x);
		assert_int_equal(notefile_read(x->k, x->log, why, sizeof(why)),
		    -1);
		assert_non_null(strstr(why, ":1: notes begin with the run"));
		assert_int_equal(x->k->n, 0);
		assert_true(x->k->not_ours);
	}
}

static void
another_runs_notes_stay_alone(void **state)
{
	static const char others[] =
	    "run 99999999-4556-6778-899a-abbccddeef00\n"
	    "note 1s all not ours\n";
	struct fixture *x = *state;
	struct note a = { .row = NOTE_ALL, .text = "ours" };
	char why[256], text[128];
	FILE *f;

	put(x->beside, others);
	assert_int_equal(notefile_read(x->k, x->log, why, sizeof(why)), -1);
	assert_non_null(strstr(why, "notes:1: these notes are of another run"));
	assert_int_equal(x->k->n, 0);
	assert_non_null(notes_insert(x->k, &a));
	assert_int_equal(notefile_write(x->k, x->log, why, sizeof(why)), 0);
	f = fopen(x->beside, "r");
	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(text, others);
	anew(x);
	notefile_read(x->k, x->log, why, sizeof(why));
	assert_int_equal(x->k->n, 1);
	assert_string_equal(x->k->note[0].text, "ours");
	/* when the file is gone, both come together beside the log */
	unlink(x->beside);
	anew(x);
	assert_int_equal(notefile_read(x->k, x->log, why, sizeof(why)), 0);
	assert_int_equal(notefile_write(x->k, x->log, why, sizeof(why)), 0);
	assert_int_equal(access(x->beside, F_OK), 0);
	assert_int_equal(access(x->own, F_OK), -1);
}

/* A folder by that name: what cannot be read or written, also for root. */
static void
what_cannot_be_written_is_elsewhere(void **state)
{
	struct fixture *x = *state;
	struct note a = { .row = NOTE_ALL, .text = "ours" };
	char why[256];

	assert_int_equal(mkdir(x->beside, 0700), 0);
	assert_int_equal(notefile_read(x->k, x->log, why, sizeof(why)), -1);
	assert_non_null(strstr(why, "no file of notes"));
	assert_non_null(notes_insert(x->k, &a));
	assert_int_equal(notefile_write(x->k, x->log, why, sizeof(why)), 0);
	assert_int_equal(access(x->own, F_OK), 0);
	/* one that stands there is not lost by a change that cannot be made */
	x->k->was_beside = true;
	assert_int_equal(notefile_write(x->k, x->log, why, sizeof(why)), -1);
	assert_non_null(strstr(why, "cannot be written"));
	unsetenv("XDG_STATE_HOME");
	setenv("HOME", "nowhere", 1);
	x->k->was_beside = false;
	assert_int_equal(notefile_write(x->k, x->log, why, sizeof(why)), -1);
}

static void
ranges_that_overlap_have_lines(void **state)
{
	static const struct note in[] = {
		{ .t0_ns = 10, .t1_ns = 20, .row = NOTE_ALL },
		{ .t0_ns = 0, .t1_ns = 100, .row = NOTE_ALL },
		{ .t0_ns = 20, .t1_ns = 30, .row = 3 },
		{ .t0_ns = 15, .t1_ns = 16, .row = NOTE_ALL },
		{ .t0_ns = 15, .t1_ns = 18, .row = NOTE_ALL },
		{ .t0_ns = 100, .t1_ns = 110, .row = NOTE_ALL },
	};
	static const uint32_t line[] = { 0, 1, 2, 2, 1, 0 };
	static const int64_t t0[] = { 0, 10, 15, 15, 20, 100 };
	struct fixture *x = *state;

	for (size_t i = 0; i < 6; i++)
		assert_non_null(notes_insert(x->k, &in[i]));
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(x->k->note[i].t0_ns, t0[i]);
		assert_int_equal(x->k->note[i].line, line[i]);
	}
	for (int i = 6; i < NOTES_MAX; i++)
		assert_non_null(notes_insert(x->k, &in[i % 6]));
	assert_null(notes_insert(x->k, &in[0]));
}

/* Where the file beside the log cannot be written: the other one says so. */
static void
a_second_file_can_take_back_groups(void **state)
{
	struct fixture *x = *state;
	struct hand *h = x->k->hand;
	char why[256];

	put(x->beside, "run " RUN "\ngroup 3 mine\nname row 4 four\n");
	assert_int_equal(notefile_read(x->k, x->log, why, sizeof(why)), 0);
	hand_dissolve(h, hand_find(h, "mine"));
	assert_int_equal(hand_call(h, &h->rows, 5, "five"), 0);
	x->k->not_ours = true;
	assert_int_equal(notefile_write(x->k, x->log, why, sizeof(why)), 0);
	anew(x);
	h = x->k->hand;
	assert_int_equal(notefile_read(x->k, x->log, why, sizeof(why)), 0);
	assert_null(hand_find(h, "mine"));
	assert_string_equal(hand_called(&h->rows, 4), "four");
	assert_string_equal(hand_called(&h->rows, 5), "five");
	/* it can be written again: there is one file */
	assert_int_equal(notefile_write(x->k, x->log, why, sizeof(why)), 0);
	assert_int_equal(access(x->own, F_OK), -1);
	anew(x);
	assert_int_equal(notefile_read(x->k, x->log, why, sizeof(why)), 0);
	assert_null(hand_find(x->k->hand, "mine"));
	assert_string_equal(hand_called(&x->k->hand->rows, 5), "five");
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(what_is_spelled_is_parsed),
		TEST(what_is_no_note_is_refused),
		TEST(wrong_lines_are_told_and_kept),
		TEST(a_file_begins_with_its_run),
		TEST(another_runs_notes_stay_alone),
		TEST(what_cannot_be_written_is_elsewhere),
		TEST(ranges_that_overlap_have_lines),
		TEST(a_second_file_can_take_back_groups),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
