/* The log, cut or damaged anywhere, is continued and loses no more. */
#include "log/beside.h"
#include "tests/unit/monitord_owner.h"

static void
a_log_cut_at_any_byte_is_continued(void **state)
{
	static uint8_t bytes[65536];
	struct owner o;
	struct seen s;
	size_t n;
	uint64_t before, want[LOCATIONS];

	(void)state;
	owner_open(&o);
	fill(&o, 3);
	memcpy(want, o.next, sizeof(want));
	store_close(o.st);
	n = slurp(o.path, bytes, sizeof(bytes));
	assert_true(n > 500 && n < sizeof(bytes));
	for (size_t cut = 0; cut <= n; cut++) {
		spit(o.path, bytes, cut);
		assert_int_equal(owner_start(&o), 0);
		before = o.next[0] + o.next[1] + o.next[2] + o.next[3];
		assert_int_equal(store_events(o.st), before);
		/* what is missing comes again, as a collector repeats it */
		for (uint32_t l = 0; l < LOCATIONS; l++)
			while (o.next[l] < want[l])
				add(&o, l, 5000 + (int64_t)o.next[l] * 10 + l);
		finish(&o);
		read_back(&o, &s);
		if (s.wrong || s.disorder ||
		    memcmp(s.next, want, sizeof(want)) != 0)
			fail_msg("cut at %zu of %zu", cut, n);
	}
	owner_close(&o);
}

static void
a_flipped_bit_ends_the_good_part(void **state)
{
	static uint8_t bytes[65536];
	struct owner o;
	uint64_t all, got;
	size_t n;

	(void)state;
	owner_open(&o);
	fill(&o, 3);
	all = store_events(o.st);
	store_close(o.st);
	n = slurp(o.path, bytes, sizeof(bytes));
	for (size_t i = 200; i < n; i += 7) {
		bytes[i] ^= 0x10;
		spit(o.path, bytes, n);
		bytes[i] ^= 0x10;
		assert_int_equal(owner_start(&o), 0);
		got = store_events(o.st);
		assert_true(got < all);
		assert_true(store_cut_bytes(o.st) > 0);
		store_close(o.st);
	}
	o.st = NULL;
	owner_close(&o);
}

static int
count(void *arg, const struct event *e)
{
	(void)e;
	++*(uint64_t *)arg;
	return (0);
}

static uint64_t
events_in(const char *path)
{
	static const struct trace_sink sink = { .event = count };
	const char *why = NULL;
	struct tracefile *t = tracefile_open(path, &why);
	uint64_t n = 0;

	assert_non_null(t);
	assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink, &n), 0);
	tracefile_close(t);
	return (n);
}

/* Of a log that is closed; at is where it was, what it returns is lost. */
static uint64_t
damage_first_block(const struct owner *o, uint64_t *at)
{
	static uint8_t bytes[65536];
	struct tracefile *t;
	const struct tracefile_entry *e;
	const char *why = NULL;
	uint64_t lost = 0;
	size_t n, entries;

	t = tracefile_open(o->path, &why);
	assert_non_null(t);
	e = tracefile_index(t, &entries);
	for (size_t i = 0; i < entries && lost == 0; i++) {
		lost = e[i].events;
		*at = e[i].offset;
	}
	tracefile_close(t);
	n = slurp(o->path, bytes, sizeof(bytes));
	bytes[*at + 20] ^= 0x10;
	spit(o->path, bytes, n);
	return (lost);
}

/* The first block of the log is damaged: the others are not thrown away. */
static void
what_is_whole_behind_damage_is_kept(void **state)
{
	char path[128];
	struct owner o;
	uint64_t all, lost, at = 0;

	(void)state;
	owner_open(&o);
	fill(&o, 3);
	all = store_events(o.st);
	store_close(o.st);
	lost = damage_first_block(&o, &at);
	assert_int_equal(owner_start(&o), 0);
	assert_int_equal(store_events(o.st), 0);
	snprintf(path, sizeof(path), "%s.cut-%llu", o.path,
	    (unsigned long long)at);
	assert_int_equal(events_in(path), all - lost);
	owner_close(&o);
}

static uint64_t
seven(struct env *env)
{
	(void)env;
	return (7);
}

/* Even under the very name, which is made by chance. */
static void
a_link_where_it_is_kept_is_not_followed(void **state)
{
	static const uint8_t precious[] = "precious";
	char path[128], planted[BESIDE_BYTES], kept[128];
	struct env_ops ops;
	struct owner o;
	uint64_t at = 0;
	uint8_t got[64];

	(void)state;
	owner_open(&o);
	fill(&o, 3);
	store_close(o.st);
	ops = *o.env->ops;
	ops.random = seven;
	o.env->ops = &ops;
	(void)damage_first_block(&o, &at);
	snprintf(kept, sizeof(kept), "%s/precious", o.dir);
	snprintf(path, sizeof(path), "%s.cut-%llu", o.path,
	    (unsigned long long)at);
	spit(kept, precious, sizeof(precious));
	assert_int_equal(beside_name(planted, path, 7), 0);
	assert_int_equal(symlink(kept, planted), 0);
	assert_int_not_equal(owner_start(&o), 0);
	assert_int_equal(slurp(kept, got, sizeof(got)), sizeof(precious));
	assert_int_equal(unlink(planted), 0);
	assert_int_equal(unlink(kept), 0);
	assert_int_equal(owner_start(&o), 0);
	owner_close(&o);
}

/* The first sync has not come to its end: the file has grown, no more. */
static void
a_log_that_lost_its_first_sync_begins_anew(void **state)
{
	static const size_t kept[] = { 0, 40, 16 };
	static uint8_t bytes[65536], torn[65536];
	struct owner o;
	size_t n;

	(void)state;
	owner_open(&o);
	store_close(o.st);
	n = slurp(o.path, bytes, sizeof(bytes));
	for (size_t i = 0; i < 3; i++) {
		memset(torn, 0, n);
		memcpy(torn, bytes, kept[i]);
		spit(o.path, torn, n);
		assert_int_equal(owner_start(&o), 0);
		assert_int_equal(store_events(o.st), 0);
		store_close(o.st);
	}
	o.st = NULL;
	owner_close(&o);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_log_cut_at_any_byte_is_continued),
		cmocka_unit_test(a_flipped_bit_ends_the_good_part),
		cmocka_unit_test(what_is_whole_behind_damage_is_kept),
		cmocka_unit_test(a_link_where_it_is_kept_is_not_followed),
		cmocka_unit_test(a_log_that_lost_its_first_sync_begins_anew),
	};

	log_init("monitord", 0);
	return (
	    cmocka_run_group_tests_name("monitord store", tests, NULL, NULL));
}
