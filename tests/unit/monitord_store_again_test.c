/* The log's file goes away while it is written. */
#include "tests/unit/monitord_owner.h"

#include <sys/stat.h>

static void
moved(const struct owner *o, char *path, size_t n)
{
	snprintf(path, n, "%s.moved", o->path);
	assert_int_equal(rename(o->path, path), 0);
}

/* What is at the log's place is what was put into it. */
static void
assert_all_there(struct owner *o)
{
	uint64_t next[LOCATIONS];

	memcpy(next, o->next, sizeof(next));
	store_close(o->st); /* as by a kill */
	assert_int_equal(owner_start(o), 0);
	assert_true(store_continued(o->st));
	assert_memory_equal(o->next, next, sizeof(next));
}

static void
one_that_is_removed_is_written_anew(void **state)
{
	struct owner o;

	(void)state;
	owner_open(&o);
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 1000; k++)
			add(&o, 0, 1000 * i + k);
		if (i == 1) { /* with something written, but not synced */
			for (uint32_t k = 0; k < 3; k++)
				add(&o, 1, 1999);
		}
		assert_int_equal(unlink(o.path), 0);
		assert_true(store_is_gone(o.st));
		assert_true(store_commit(o.st));
		assert_false(store_is_gone(o.st));
		assert_true(store_commit(o.st));
	}
	assert_all_there(&o);
	owner_close(&o);
}

/* Nothing new has come, but what was acknowledged is to be found. */
static void
it_is_missed_when_nothing_is_written(void **state)
{
	struct owner o;

	(void)state;
	owner_open(&o);
	add(&o, 0, 1);
	assert_true(store_commit(o.st));
	assert_false(store_is_gone(o.st));
	assert_int_equal(unlink(o.path), 0);
	assert_false(store_dirty(o.st));
	assert_true(store_is_gone(o.st));
	assert_true(store_commit(o.st));
	assert_all_there(&o);
	owner_close(&o);
}

static void
what_somebody_puts_in_its_place_is_left_alone(void **state)
{
	struct owner o;
	char away[200], text[16] = "";
	const char *why;
	FILE *f;

	(void)state;
	owner_open(&o);
	add(&o, 0, 1);
	assert_true(store_commit(o.st));
	moved(&o, away, sizeof(away));
	f = fopen(o.path, "we");
	assert_non_null(f);
	fputs("not ours", f);
	fclose(f);
	add(&o, 0, 2);
	for (int i = 0; i < 3; i++)
		assert_false(store_commit(o.st));
	assert_true(store_failed(o.st, &why));
	assert_non_null(strstr(why, "another file is at "));
	f = fopen(o.path, "re");
	assert_non_null(f);
	assert_non_null(fgets(text, sizeof(text), f));
	fclose(f);
	assert_string_equal(text, "not ours");
	/* it goes, and all is well */
	assert_int_equal(unlink(o.path), 0);
	assert_true(store_commit(o.st));
	assert_false(store_failed(o.st, &why));
	assert_all_there(&o);
	unlink(away);
	owner_close(&o);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_that_is_removed_is_written_anew),
		cmocka_unit_test(it_is_missed_when_nothing_is_written),
		cmocka_unit_test(what_somebody_puts_in_its_place_is_left_alone),
	};

	log_init("monitord", getenv("V") != NULL ? atoi(getenv("V")) : 0);
	return (cmocka_run_group_tests_name("monitord store again", tests, NULL,
	    NULL));
}
