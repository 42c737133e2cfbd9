/* The log: cut anywhere, full disks, late events, its final order. */
#include "tests/check.h"

#include <sys/resource.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "block.h"
#include "env.h"
#include "log.h"
#include "monitord/store_inside.h"
#include "tracefile.h"

#define LOCATIONS 4

/* What an owner of a store remembers of it. */
struct owner {
	struct env *env;
	struct store *st;
	char dir[64], path[96];
	uint64_t next[LOCATIONS];
	unsigned definitions;
	unsigned without, whole; /* blocks without their events, and with */
	bool wants;              /* all of them */
};

static int
restore(void *arg, const struct frame *f)
{
	struct owner *o = arg;
	struct msg_block b;
	struct block_lane *lanes;
	size_t n;

	if (f->type == MSG_node)
		o->definitions++;
	if (f->type != MSG_block)
		return (0);
	if (msg_decode(f->type, f->body, f->body_bytes, &b) == -1 ||
	    block_read_lanes(&b, &lanes, &n) == -1)
		return (-1);
	if (b.columns.n == 0 && o->wants) {
		free(lanes);
		return (STORE_WHOLE);
	}
	*(b.columns.n == 0 ? &o->without : &o->whole) += 1;
	for (size_t i = 0; i < n; i++) {
		assert_true(lanes[i].location < LOCATIONS);
		/* file order is sequence order: never a hole */
		assert_int_equal(lanes[i].first_seq,
		    o->next[lanes[i].location]);
		o->next[lanes[i].location] += lanes[i].events;
	}
	free(lanes);
	return (0);
}

static int
owner_start(struct owner *o)
{
	struct msg_run run = { .version = TRACEFILE_VERSION,
		.name = BYTES_STR("test"),
		.program = BYTES_STR("test") };
	struct msg_node node = { .node = 1, .name = BYTES_STR("n1") };
	struct store_error err = { 0 };

	memset(o->next, 0, sizeof(o->next));
	o->definitions = o->without = o->whole = 0;
	o->st = store_open(o->env, o->path, &run, restore, o, &err);
	if (o->st == NULL)
		return (err.code);
	if (o->definitions == 0)
		assert_int_equal(store_frame(o->st, MSG_node, &node), 0);
	return (0);
}

static void
owner_open(struct owner *o)
{
	memset(o, 0, sizeof(*o));
	snprintf(o->dir, sizeof(o->dir), "/tmp/orrery-test-XXXXXX");
	assert_non_null(mkdtemp(o->dir));
	snprintf(o->path, sizeof(o->path), "%s/run.orr", o->dir);
	o->env = env_event_new(NULL);
	assert_non_null(o->env);
	assert_int_equal(owner_start(o), 0);
}

static int
remove_cut(void *arg, const char *name)
{
	const struct owner *o = arg;
	char path[400];

	snprintf(path, sizeof(path), "%s/%.255s", o->dir, name);
	if (strstr(name, ".cut-") != NULL)
		unlink(path);
	return (0);
}

static void
owner_close(struct owner *o)
{
	store_close(o->st);
	o->env->ops->list(o->env, o->dir, remove_cut, o);
	env_event_free(o->env);
	unlink(o->path);
	rmdir(o->dir);
}

/* Adds the location's next event at this time. */
static int
add(struct owner *o, uint32_t location, int64_t t)
{
	struct event e = { .t_mon_ns = t,
		.t_node_ns = t - 5,
		.location = location,
		.kind = EV_note,
		.seq = o->next[location] };

	e.a = e.seq;
	o->next[location]++;
	return (store_event(o->st, &e));
}

struct seen {
	uint64_t next[LOCATIONS], events, late;
	int64_t last;
	bool wrong, disorder;
};

static int
see(void *arg, const struct event *e)
{
	struct seen *s = arg;

	if (e->t_mon_ns < s->last)
		s->disorder = true;
	s->last = e->t_mon_ns;
	if (e->seq != s->next[e->location] || e->a != e->seq)
		s->wrong = true;
	s->next[e->location]++;
	s->events++;
	s->late += (e->flags & EVENT_LATE) != 0;
	return (0);
}

static void
read_back(struct owner *o, struct seen *s)
{
	static const struct trace_sink sink = { .event = see };
	const char *why = NULL;
	struct tracefile *t = tracefile_open(o->path, &why);

	memset(s, 0, sizeof(*s));
	s->last = INT64_MIN;
	if (t == NULL)
		fail_msg("%s", why);
	assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink, s), 0);
	assert_int_equal(tracefile_damaged_bytes(t), 0);
	tracefile_close(t);
}

static void
finish(struct owner *o)
{
	struct msg_receipt r = { .published = 1 };
	struct store_error err;

	if (store_finish(o->st, &r, &err) == -1)
		fail_msg("%s", err.text);
	store_close(o->st);
	o->st = NULL;
}

static size_t
slurp(const char *path, uint8_t *p, size_t room)
{
	FILE *f = fopen(path, "re");
	size_t n = fread(p, 1, room, f);

	fclose(f);
	return (n);
}

static void
spit(const char *path, const uint8_t *p, size_t n)
{
	FILE *f = fopen(path, "we");

	assert_int_equal(fwrite(p, 1, n, f), n);
	fclose(f);
}

/*
 * Late and timely events of the same threads in turns: what makes holes if
 * the order in the file is wrong.
 */
static void
fill(struct owner *o, int commits)
{
	int64_t t = 1000;

	for (int i = 0; i < commits; i++) {
		for (int k = 0; k < 6; k++)
			add(o, (uint32_t)(k & 1), t += 10);
		add(o, 2, t - 25);
		add(o, 2, t - 15);
		add(o, 2, t += 10);
		add(o, 3, t - 5);
		add(o, 0, t += 10);
		assert_true(store_commit(o->st));
	}
}

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

/* The first block of the log is damaged: the others are not thrown away. */
static void
what_is_whole_behind_damage_is_kept(void **state)
{
	static uint8_t bytes[65536];
	char path[128];
	struct owner o;
	struct tracefile *t;
	const struct tracefile_entry *e;
	const char *why = NULL;
	uint64_t all, lost = 0, at = 0;
	size_t n, entries;

	(void)state;
	owner_open(&o);
	fill(&o, 3);
	all = store_events(o.st);
	store_close(o.st);
	t = tracefile_open(o.path, &why);
	assert_non_null(t);
	e = tracefile_index(t, &entries);
	for (size_t i = 0; i < entries && lost == 0; i++) {
		lost = e[i].events;
		at = e[i].offset;
	}
	tracefile_close(t);
	n = slurp(o.path, bytes, sizeof(bytes));
	bytes[at + 20] ^= 0x10;
	spit(o.path, bytes, n);
	assert_int_equal(owner_start(&o), 0);
	assert_int_equal(store_events(o.st), 0);
	snprintf(path, sizeof(path), "%s.cut-%llu", o.path,
	    (unsigned long long)at);
	assert_int_equal(events_in(path), all - lost);
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

static void
late_events_end_up_in_their_places(void **state)
{
	struct owner o;
	struct seen s;

	(void)state;
	owner_open(&o);
	fill(&o, 50);
	assert_int_equal(store_late(o.st), 150);
	finish(&o);
	read_back(&o, &s);
	assert_int_equal(s.events, 550);
	assert_int_equal(s.late, 150);
	assert_false(s.wrong);
	assert_false(s.disorder);
	owner_close(&o);
}

/* A finished log has full blocks, none of them late. */
static void
small_blocks_are_joined(void **state)
{
	struct owner o;
	const char *why;
	struct tracefile *t;
	const struct tracefile_entry *e;
	struct msg_receipt r;
	size_t n, blocks = 0;

	(void)state;
	owner_open(&o);
	fill(&o, 200);
	finish(&o);
	t = tracefile_open(o.path, &why);
	assert_non_null(t);
	assert_int_equal(tracefile_receipt(t, &r), 1);
	e = tracefile_index(t, &n);
	for (size_t i = 0; i < n; i++) {
		blocks += e[i].type == MSG_block;
		assert_false(e[i].late);
	}
	assert_int_equal(blocks, 1);
	tracefile_close(t);
	owner_close(&o);
}

static void
many_events_make_full_blocks(void **state)
{
	struct owner o;
	struct seen s;

	(void)state;
	owner_open(&o);
	for (int64_t i = 0; i < 300000; i++)
		assert_int_equal(add(&o, (uint32_t)(i % LOCATIONS), 1000 + i),
		    0);
	assert_true(store_commit(o.st));
	finish(&o);
	read_back(&o, &s);
	assert_int_equal(s.events, 300000);
	assert_false(s.wrong || s.disorder);
	owner_close(&o);
}

static void
limit_files(rlim_t bytes)
{
	struct rlimit rl;

	getrlimit(RLIMIT_FSIZE, &rl);
	rl.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &rl), 0);
}

static void
a_full_disk_stops_the_writing_and_loses_nothing(void **state)
{
	struct owner o;
	struct seen s;
	struct rlimit old;
	const char *why;
	uint64_t bytes;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	owner_open(&o);
	fill(&o, 3);
	bytes = store_bytes(o.st);
	limit_files(bytes + 10);
	for (int i = 0; i < 10; i++)
		add(&o, 0, 100000 + i);
	assert_false(store_commit(o.st));
	assert_false(store_commit(o.st));
	assert_true(store_failed(o.st, &why));
	assert_non_null(strstr(why, "run.orr"));
	assert_int_equal(store_bytes(o.st), bytes);
	for (int i = 10; i < 20; i++)
		add(&o, 0, 100000 + i);
	assert_false(store_commit(o.st));
	/* and it cannot be finished, but goes on when there is room */
	limit_files(old.rlim_cur);
	assert_true(store_commit(o.st));
	assert_false(store_failed(o.st, &why));
	finish(&o);
	read_back(&o, &s);
	assert_int_equal(s.events, 33 + 20);
	assert_false(s.wrong || s.disorder);
	owner_close(&o);
}

static void
a_full_disk_at_the_end_leaves_a_log_that_can_be_finished(void **state)
{
	struct owner o;
	struct seen s;
	struct rlimit old;
	struct msg_receipt r = { .published = 1 };
	struct store_error err;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	owner_open(&o);
	fill(&o, 3);
	limit_files(100);
	assert_int_equal(store_finish(o.st, &r, &err), -1);
	assert_int_equal(err.code, EX_IOERR);
	limit_files(old.rlim_cur);
	store_close(o.st);
	assert_int_equal(owner_start(&o), 0); /* not finished, not torn */
	assert_int_equal(store_events(o.st), 33);
	finish(&o);
	read_back(&o, &s);
	assert_int_equal(s.events, 33);
	owner_close(&o);
}

static void
what_is_not_ours_is_left_alone(void **state)
{
	static const char letter[] = "Dear Tim, this is no log at all.";
	static uint8_t bytes[100];
	struct owner o;

	(void)state;
	owner_open(&o);
	store_close(o.st);
	spit(o.path, (const uint8_t *)letter, sizeof(letter));
	assert_int_equal(owner_start(&o), EX_CANTCREAT);
	assert_int_equal(slurp(o.path, bytes, sizeof(bytes)), sizeof(letter));
	assert_memory_equal(bytes, letter, sizeof(letter));
	owner_close(&o);
}

static void
two_cannot_write_one_log(void **state)
{
	struct owner o, p;

	(void)state;
	owner_open(&o);
	p = o;
	assert_int_equal(owner_start(&p), EX_TEMPFAIL);
	owner_close(&o);
}

static int
read_events(void *arg, const struct frame *f)
{
	struct msg_block b;
	struct event *e;
	struct buf scratch = { 0 };

	assert_int_equal(msg_decode(f->type, f->body, f->body_bytes, &b), 0);
	e = calloc(b.events, sizeof(*e));
	assert_int_equal(block_read(&b, e, &scratch), 0);
	*(uint64_t *)arg += b.events;
	free(e);
	buf_free(&scratch);
	return (0);
}

/* So that it does not take longer, the longer the run has been. */
static void
old_blocks_are_only_looked_over(void **state)
{
	uint64_t whole = store_whole_events;
	uint64_t bytes, seen;
	uint32_t random = 1;
	struct owner o;
	int64_t t = 0;

	(void)state;
	owner_open(&o);
	for (int block = 0; block < 8; block++) {
		for (int i = 0; i < 20000; i++) {
			random = random * 1664525u + 1013904223u;
			t += random >> 20;
			add(&o, 1 + (uint32_t)i % 2, t);
		}
		assert_true(store_commit(o.st));
	}
	bytes = store_bytes(o.st);
	for (int wants = 0; wants < 2; wants++) {
		store_close(o.st);
		store_whole_events = 40000;
		o.wants = wants == 1;
		assert_int_equal(owner_start(&o), 0);
		store_whole_events = whole;
		assert_int_equal(o.without + o.whole, 8);
		assert_int_equal(o.whole, o.wants ? 8 : 2);
		assert_int_equal(o.next[1], 80000);
		assert_int_equal(store_bytes(o.st), bytes);
		assert_int_equal(store_cut_bytes(o.st), 0);
		assert_int_equal(store_events(o.st), 160000);
		for (int once = 0; once < 2; once++) {
			seen = 0;
			assert_int_equal(store_each_skimmed(o.st, read_events,
					     &seen),
			    0);
			assert_int_equal(seen,
			    once == 0 ? o.without * 20000 : 0);
		}
	}
	owner_close(&o);
}

/* A disk as a loss of power sees it, and one that errs in reading. */
static struct {
	const struct env_ops *real;
	struct env_ops ops;
	uint8_t dirty[65536], durable[65536];
	bool sync_fails, name_durable;
	uint32_t random; /* 0: reads are right */
} disk;

static ssize_t
disk_write_at(struct env_file *f, const void *p, size_t n, uint64_t offset)
{
	assert_true(offset + n <= sizeof(disk.dirty));
	memset(disk.dirty + offset, 1, n);
	return (disk.real->write_at(f, p, n, offset));
}

/* After one that has failed, the kernel takes all of it for written. */
static int
disk_sync(struct env_file *f)
{
	for (size_t i = 0; i < sizeof(disk.dirty); i++)
		disk.durable[i] |= disk.dirty[i] && !disk.sync_fails;
	memset(disk.dirty, 0, sizeof(disk.dirty));
	errno = EIO;
	return (disk.sync_fails ? -1 : disk.real->sync(f));
}

static int
disk_sync_dir(struct env *env, const char *dir)
{
	disk.name_durable = true;
	return (disk.real->sync_dir(env, dir));
}

/* Every third read is right, on average. */
static ssize_t
disk_read_at(struct env_file *f, void *p, size_t n, uint64_t offset)
{
	ssize_t got = disk.real->read_at(f, p, n, offset);
	uint32_t bit;

	if (got <= 0 || disk.random == 0)
		return (got);
	disk.random = disk.random * 1664525u + 1013904223u;
	bit = (disk.random >> 8) % (uint32_t)(8 * got);
	if (disk.random >> 24 >= 85)
		((uint8_t *)p)[bit / 8] ^= (uint8_t)(1u << bit % 8);
	return (got);
}

static void
disk_under(struct owner *o)
{
	memset(&disk, 0, sizeof(disk));
	disk.real = o->env->ops;
	disk.ops = *disk.real;
	disk.ops.write_at = disk_write_at;
	disk.ops.read_at = disk_read_at;
	disk.ops.sync = disk_sync;
	disk.ops.sync_dir = disk_sync_dir;
	o->env->ops = &disk.ops;
}

/* Killed after it: the next one reads what no loss of power would leave. */
static void
what_a_failed_sync_left_is_written_again(void **state)
{
	struct owner o;
	size_t n;

	(void)state;
	owner_open(&o);
	disk_under(&o);
	memset(disk.durable, 1, store_bytes(o.st)); /* its head is synced */
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(add(&o, 1 + i % 3, 1000 + i), 0);
	disk.sync_fails = true;
	assert_false(store_commit(o.st));
	disk.sync_fails = false;
	store_close(o.st);
	assert_int_equal(owner_start(&o), 0);
	assert_int_equal(store_events(o.st), 1000);
	n = store_bytes(o.st);
	for (size_t i = 0; i < n; i++)
		if (!disk.durable[i])
			fail_msg("byte %zu of %zu is called stored", i, n);
	assert_true(disk.name_durable);
	o.env->ops = disk.real;
	owner_close(&o);
}

/* Or else a restart would take the longer, the more there is. */
static void
what_a_sync_has_kept_is_not_written_again(void **state)
{
	struct owner o;
	size_t kept, n;

	(void)state;
	owner_open(&o);
	disk_under(&o);
	fill(&o, 3);
	kept = store_bytes(o.st);
	fill(&o, 1); /* nobody was told that this was synced */
	n = store_bytes(o.st);
	store_close(o.st);
	memset(disk.durable, 0, sizeof(disk.durable));
	assert_int_equal(owner_start(&o), 0);
	assert_int_equal(store_bytes(o.st), n);
	assert_true(kept > 0 && kept < n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(disk.durable[i], i >= kept);
	o.env->ops = disk.real;
	owner_close(&o);
}

static void
a_failure_to_write_it_again_is_said(void **state)
{
	struct owner o;

	(void)state;
	owner_open(&o);
	disk_under(&o);
	fill(&o, 3);
	store_close(o.st);
	disk.sync_fails = true;
	assert_int_equal(owner_start(&o), EX_IOERR);
	disk.sync_fails = false;
	assert_int_equal(owner_start(&o), 0);
	o.env->ops = disk.real;
	owner_close(&o);
}

static void
a_disk_that_errs_in_reading_costs_nothing(void **state)
{
	struct owner o;
	uint64_t events, bytes;
	int good = 0;

	(void)state;
	owner_open(&o);
	disk_under(&o);
	fill(&o, 3);
	events = store_events(o.st);
	bytes = store_bytes(o.st);
	store_close(o.st);
	for (uint32_t seed = 1; seed <= 100; seed++) {
		disk.random = seed * 2654435761u;
		if (owner_start(&o) != 0)
			continue; /* it has said so, and cut nothing off */
		good++;
		assert_int_equal(store_cut_bytes(o.st), 0);
		assert_int_equal(store_events(o.st), events);
		assert_int_equal(store_bytes(o.st), bytes);
		store_close(o.st);
	}
	assert_true(good > 50);
	disk.random = 0;
	assert_int_equal(owner_start(&o), 0);
	assert_int_equal(store_bytes(o.st), bytes);
	o.env->ops = disk.real;
	owner_close(&o);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_log_cut_at_any_byte_is_continued),
		cmocka_unit_test(a_flipped_bit_ends_the_good_part),
		cmocka_unit_test(what_is_whole_behind_damage_is_kept),
		cmocka_unit_test(a_log_that_lost_its_first_sync_begins_anew),
		cmocka_unit_test(late_events_end_up_in_their_places),
		cmocka_unit_test(small_blocks_are_joined),
		cmocka_unit_test(many_events_make_full_blocks),
		cmocka_unit_test(
		    a_full_disk_stops_the_writing_and_loses_nothing),
		cmocka_unit_test(
		    a_full_disk_at_the_end_leaves_a_log_that_can_be_finished),
		cmocka_unit_test(what_is_not_ours_is_left_alone),
		cmocka_unit_test(two_cannot_write_one_log),
		cmocka_unit_test(old_blocks_are_only_looked_over),
		cmocka_unit_test(what_a_failed_sync_left_is_written_again),
		cmocka_unit_test(what_a_sync_has_kept_is_not_written_again),
		cmocka_unit_test(a_failure_to_write_it_again_is_said),
		cmocka_unit_test(a_disk_that_errs_in_reading_costs_nothing),
	};

	log_init("monitord", 0);
	return (
	    cmocka_run_group_tests_name("monitord store", tests, NULL, NULL));
}
