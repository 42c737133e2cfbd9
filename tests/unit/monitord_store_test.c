/* The log: late events, its final order, and whose it is. */
#include "tests/unit/monitord_owner.h"

#include <sys/stat.h>
#include <sysexits.h>

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

/* An effect that was let go, and its cause behind it; nothing is late. */
static void
let_go(struct owner *o, int64_t t, uint64_t key, bool comes)
{
	struct event e = { .t_mon_ns = t,
		.t_node_ns = t - 5,
		.location = 1,
		.kind = EV_receive,
		.seq = o->next[1]++,
		.flags = EVENT_ORPHAN,
		.a = key };

	assert_int_equal(store_event(o->st, &e), 0);
	e.location = 2;
	e.kind = comes ? EV_send : EV_note;
	e.seq = o->next[2]++;
	e.t_mon_ns += 100;
	e.t_node_ns += 100;
	e.flags = 0;
	assert_int_equal(store_event(o->st, &e), 0);
}

struct pairs {
	uint64_t sent[100];
	uint64_t behind, orphans, raw;
	size_t n;
};

static int
see_pair(void *arg, const struct event *e)
{
	struct pairs *p = arg;

	p->n++;
	p->raw += e->t_mon_ns - e->shift_ns == e->t_node_ns + 5;
	if (e->kind == EV_send)
		p->sent[e->a] = (uint64_t)e->t_mon_ns;
	if (e->kind != EV_receive)
		return (0);
	p->orphans += (e->flags & EVENT_ORPHAN) != 0;
	p->behind +=
	    p->sent[e->a] != 0 && (uint64_t)e->t_mon_ns > p->sent[e->a];
	return (0);
}

/* Also when no block is late, and none is small. */
static void
effects_that_were_let_go_end_up_behind_their_causes(void **state)
{
	static const struct trace_sink sink = { .event = see_pair };
	struct msg_receipt r = { .published = 1, .orphans = 20 }, got;
	struct pairs p = { 0 };
	struct store_error err;
	struct tracefile *t;
	const char *why;
	struct owner o;

	(void)state;
	owner_open(&o);
	for (uint64_t i = 1; i <= 20; i++)
		let_go(&o, (int64_t)i * 1000, i, i % 4 != 0);
	assert_int_equal(store_finish(o.st, &r, &err), 0);
	assert_int_equal(r.orphans, 5);
	assert_int_equal(r.mended, 15);
	t = tracefile_open(o.path, &why);
	assert_non_null(t);
	assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink, &p), 0);
	assert_int_equal(tracefile_receipt(t, &got), 1);
	assert_int_equal(got.orphans, 5);
	assert_int_equal(got.mended, 15);
	tracefile_close(t);
	assert_int_equal(p.n, 40);
	assert_int_equal(p.raw, 40);
	assert_int_equal(p.behind, 15);
	assert_int_equal(p.orphans, 5);
	owner_close(&o);
}

struct told {
	unsigned times, last;
};

static void
closing(void *arg, unsigned percent)
{
	struct told *t = arg;

	assert_in_range(percent, t->last, 100);
	t->last = percent;
	t->times++;
}

/* Else nobody knows whether it goes on, for minutes. */
static void
how_far_the_end_is_is_told(void **state)
{
	struct msg_receipt r = { .published = 1, .orphans = 20 };
	struct store_error err;
	struct told t = { 0 };
	struct owner o;

	(void)state;
	owner_open(&o);
	for (uint64_t i = 1; i <= 20; i++)
		let_go(&o, (int64_t)i * 1000, i, i % 4 != 0);
	store_tell_closing(o.st, closing, &t);
	assert_int_equal(store_finish(o.st, &r, &err), 0);
	assert_int_equal(t.last, 100);
	assert_in_range(t.times, 3, 3 * 20);
	owner_close(&o);
}

/* A log whose orphans have no cause in it is left as it is. */
static void
what_cannot_be_mended_is_not_written_anew(void **state)
{
	struct msg_receipt r = { .published = 1, .orphans = 3 };
	struct store_error err;
	struct owner o;
	struct stat before, after;

	(void)state;
	owner_open(&o);
	for (uint64_t i = 1; i <= 3; i++)
		let_go(&o, (int64_t)i * 1000, i, false);
	assert_int_equal(stat(o.path, &before), 0);
	assert_int_equal(store_finish(o.st, &r, &err), 0);
	assert_int_equal(r.orphans, 3);
	assert_int_equal(r.mended, 0);
	assert_int_equal(stat(o.path, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	owner_close(&o);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(late_events_end_up_in_their_places),
		cmocka_unit_test(small_blocks_are_joined),
		cmocka_unit_test(many_events_make_full_blocks),
		cmocka_unit_test(what_is_not_ours_is_left_alone),
		cmocka_unit_test(two_cannot_write_one_log),
		cmocka_unit_test(old_blocks_are_only_looked_over),
		cmocka_unit_test(
		    effects_that_were_let_go_end_up_behind_their_causes),
		cmocka_unit_test(how_far_the_end_is_is_told),
		cmocka_unit_test(what_cannot_be_mended_is_not_written_anew),
	};

	log_init("monitord", 0);
	return (
	    cmocka_run_group_tests_name("monitord store", tests, NULL, NULL));
}
