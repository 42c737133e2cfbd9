/*
 * A good log has no violation; one that is changed in one place has one that
 * names the promise and the event.  One row for each promise of the log, and
 * more where it can be broken in several ways.
 */
#include "tests/check.h"

#include "clockmap.h"
#include "tests/unit/tools_log.h"

#define MS        1000000
#define MADE_MAX  64
#define PIECES    4
#define TIMES_OFF 1000 /* the monitor's clock, at node time 0 */

/* What a log is made of, before it is written. */
struct draft {
	struct msg_segment piece[PIECES];
	struct event event[MADE_MAX];
	size_t n;
	struct msg_receipt receipt;
};

/* In ms of the node's clock; in order of the monitor's. */
static const struct made {
	int ms;
	uint32_t location; /* 1 on n1, 2 and 3 on n2, 0 monitord */
	uint16_t kind, flags;
	uint64_t a, b;
	uint32_t c, shift_ns;
} made[] = {
	{ 10, 1, EV_send, 0, 7, 8, 0, 0 },
	{ 12, 2, EV_receive, 0, 7, 8, 0, 0 },
	{ 14, 1, EV_lock_release, 0, 5, 1, 1, 0 },
	{ 16, 3, EV_lock_acquire, 0, 5, 1, 1, 0 },
	{ 20, 1, EV_barrier_enter, 0, 5, 1, 3, 0 },
	{ 21, 2, EV_barrier_enter, 0, 5, 1, 3, 0 },
	{ 22, 3, EV_barrier_enter, 0, 5, 1, 3, 0 },
	{ 23, 1, EV_barrier_leave, 0, 5, 1, 3, 0 },
	{ 24, 2, EV_barrier_leave, 0, 5, 1, 3, 0 },
	{ 25, 3, EV_barrier_leave, 0, 5, 1, 3, 0 },
	{ 30, 2, EV_receive, EVENT_ORPHAN, 99, 8, 0, 0 },
	{ 31, 0, EV_orphan, 0, 99, 0, EV_receive, 0 },
	{ 33, 3, EV_note, EVENT_LATE, 1, 0, 1, 0 },
	{ 35, 0, EV_stall, 0, 9, 0, 2, 0 },
	{ 36, 0, EV_rejoin, 0, 9, 0, 2, 0 },
	{ 37, 0, EV_late, 0, 1, 9, 2, 0 },
	{ 40, 1, EV_lost, 0, 10, 10, LOST_RING_FULL, 0 },
	{ 42, 1, EV_task_spawn, 0, 70, 0, 1, 0 },
	{ 43, 2, EV_task_begin, 0, 70, 1, 1, 0 },
	{ 44, 2, EV_task_end, 0, 70, 0, 0, 0 },
	{ 45, 1, EV_task_join, 0, 70, 0, 0, 0 },
	{ 50, 1, EV_object_depart, 0, 80, 1, 1, 0 },
	{ 50, 3, EV_object_arrive, EVENT_SHIFTED, 80, 1, 1, 500 },
	{ 60, 0, EV_distrust, 0, 9, 1, 2, 0 },
	{ 61, 0, EV_trust, 0, 9, 1, 2, 0 },
	{ 70, 1, EV_lost, 0, 5, 15, LOST_RING_FULL, 0 },
	{ 150, 1, EV_note, 0, 2, 0, 1, 0 },
	{ 250, 1, EV_note, 0, 3, 0, 1, 0 },
	{ 1000, 0, EV_clock_step, 0, 500 * MS, 1, 1, 0 },
};
#define MADE (sizeof(made) / sizeof(made[0]))

static struct msg_segment
piece(uint32_t node, uint32_t epoch, int64_t node_ns, int64_t mon_ns,
    int64_t skew_q40)
{
	return ((struct msg_segment){ .node = node,
	    .epoch = epoch,
	    .base_node_ns = node_ns,
	    .base_mon_ns = mon_ns,
	    .skew_q40 = skew_q40,
	    .error_ns = 50,
	    .state = CLOCK_LOCKED });
}

/* n1's clock is slow from 100 ms on and jumps at 200 ms; n2's is right. */
static void
draft_good(struct draft *d)
{
	struct clockmap map[2] = { { 0 } };
	uint64_t seq[4] = { 0 };

	*d = (struct draft){ .n = MADE };
	d->piece[0] = piece(1, 0, 0, TIMES_OFF, 0);
	d->piece[1] = piece(2, 0, 0, TIMES_OFF, 0);
	d->piece[2] = piece(1, 0, 100 * MS, 100 * MS + TIMES_OFF, 1 << 22);
	d->piece[3] = piece(1, 1, 200 * MS, 700 * MS, 77);
	d->piece[3].state = CLOCK_STEPPED;
	for (size_t i = 0; i < PIECES; i++) {
		const struct msg_segment *m = &d->piece[i];
		struct clock_segment s = { m->base_node_ns, m->base_mon_ns,
			m->skew_q40, m->error_ns, m->epoch, m->state };

		assert_int_equal(clockmap_add(&map[m->node - 1], &s), 0);
	}
	for (size_t i = 0; i < MADE; i++) {
		const struct made *m = &made[i];
		int64_t node_ns = m->ms * (int64_t)MS;
		uint32_t of = m->location == 1 ? 0 : 1;

		d->event[i] = (struct event){
			.t_mon_ns =
			    clockmap_mon(&map[of], node_ns) + m->shift_ns,
			.t_node_ns = node_ns,
			.seq = seq[m->location]++,
			.a = m->a,
			.b = m->b,
			.c = m->c,
			.location = m->location,
			.shift_ns = m->shift_ns,
			.kind = m->kind,
			.flags = m->flags,
		};
	}
	d->receipt = (struct msg_receipt){ .published = 35,
		.stored = 20,
		.lost = 15,
		.late = 1,
		.orphans = 1 };
	clockmap_clear(&map[0]);
	clockmap_clear(&map[1]);
}

enum change {
	NOTHING,
	DROP,      /* the event, and what follows keeps its number */
	TWICE,     /* the event, right behind itself */
	SWAP,      /* the event and the one before it, times too */
	LATER,     /* by so many ns, in both clocks */
	NODE_TIME, /* later by so many ns, in its node's only */
	SEQ,       /* more, of this and what follows on its location */
	WORD_A,
	WORD_B,
	WORD_C,
	KIND,
	LOCATION,
	FLAG, /* turned */
	SHIFT,
	/* the n-th piece of a clock map */
	PIECE_NODE,
	PIECE_MON,
	PIECE_SKEW,
	PIECE_ERROR,
	PIECE_EPOCH,
	PIECE_DROP,
	/* the receipt */
	PUBLISHED,
	STORED,
	LOST,
	LATE,
	ORPHANS,
};

static void
drop(struct draft *d, size_t i)
{
	memmove(&d->event[i], &d->event[i + 1],
	    (d->n - i - 1) * sizeof(d->event[0]));
	d->n--;
}

static void
twice(struct draft *d, size_t i)
{
	memmove(&d->event[i + 1], &d->event[i],
	    (d->n - i) * sizeof(d->event[0]));
	d->n++;
	d->receipt.stored++;
	d->receipt.published++;
}

static void
swap(struct draft *d, size_t i)
{
	struct event x = d->event[i], *e = &d->event[i - 1];
	int64_t t_mon_ns = x.t_mon_ns, t_node_ns = x.t_node_ns;

	x.t_mon_ns = e->t_mon_ns;
	x.t_node_ns = e->t_node_ns;
	d->event[i] = *e;
	d->event[i].t_mon_ns = t_mon_ns;
	d->event[i].t_node_ns = t_node_ns;
	*e = x;
}

static void
change_seq(struct draft *d, size_t i, int64_t by)
{
	uint32_t location = d->event[i].location;

	for (; i < d->n; i++)
		if (d->event[i].location == location)
			d->event[i].seq += (uint64_t)by;
}

static void
change_event(struct draft *d, size_t i, enum change change, int64_t by)
{
	struct event *e = &d->event[i];

	switch (change) {
	case DROP:
		d->receipt.published -= e->location != 0;
		d->receipt.stored -= e->location != 0;
		drop(d, i);
		break;
	case TWICE:
		twice(d, i);
		break;
	case SWAP:
		swap(d, i);
		break;
	case LATER:
		e->t_mon_ns += by;
		e->t_node_ns += by;
		break;
	case NODE_TIME:
		e->t_node_ns += by;
		break;
	case SEQ:
		change_seq(d, i, by);
		break;
	case WORD_A:
		e->a = (uint64_t)by;
		break;
	case WORD_B:
		e->b = (uint64_t)by;
		break;
	case WORD_C:
		e->c = (uint32_t)by;
		break;
	case KIND:
		e->kind = (uint16_t)by;
		break;
	case LOCATION:
		e->location = (uint32_t)by;
		break;
	case FLAG:
		e->flags ^= (uint16_t)by;
		break;
	case SHIFT:
		e->shift_ns = (uint32_t)by;
		break;
	default:
		break;
	}
}

static void
change_rest(struct draft *d, size_t i, enum change change, int64_t by)
{
	struct msg_segment *p = &d->piece[i];

	switch (change) {
	case PIECE_NODE:
		p->base_node_ns += by;
		break;
	case PIECE_MON:
		p->base_mon_ns += by;
		break;
	case PIECE_SKEW:
		p->skew_q40 = by;
		break;
	case PIECE_ERROR:
		p->error_ns = by;
		break;
	case PIECE_EPOCH:
		p->epoch = (uint32_t)by;
		break;
	case PIECE_DROP:
		p->node = 0;
		break;
	case PUBLISHED:
		d->receipt.published += (uint64_t)by;
		break;
	case STORED:
		d->receipt.stored += (uint64_t)by;
		d->receipt.published += (uint64_t)by;
		break;
	case LOST:
		d->receipt.lost += (uint64_t)by;
		d->receipt.published += (uint64_t)by;
		break;
	case LATE:
		d->receipt.late += (uint64_t)by;
		break;
	case ORPHANS:
		d->receipt.orphans += (uint64_t)by;
		break;
	default:
		break;
	}
}

static void
write_events(struct make_log *l, const struct draft *d)
{
	struct block_writer *w = block_writer_new();

	for (size_t i = 0; i < d->n; i++) {
		if (block_add(w, &d->event[i]) == 0)
			continue;
		assert_int_equal(block_finish(w, 0, 0, &l->out), 0);
		assert_int_equal(block_add(w, &d->event[i]), 0);
	}
	assert_int_equal(block_finish(w, 0, 0, &l->out), 0);
	block_writer_free(w);
	l->written = d->n;
}

/* As make_log_finish has made it, with another receipt. */
static void
write_receipt(struct make_log *l, const struct msg_receipt *r)
{
	struct msg_receipt old = { 0 };

	l->out.n -= FRAME_HEAD_BYTES + msg_size(MSG_receipt, &old);
	assert_int_equal(frame_append(&l->out, MSG_receipt, r), 0);
}

static void
write_log(const struct draft *d, char path[32])
{
	struct make_log l = { 0 };

	make_log_head(&l, "mutations");
	make_log_node(&l, 1, "n1");
	make_log_node(&l, 2, "n2");
	make_log_po(&l, 1, 1, "app");
	make_log_po(&l, 2, 1, "app");
	make_log_thread(&l, 1, 1, 1, "main");
	make_log_thread(&l, 2, 1, 1, "main");
	make_log_thread(&l, 2, 1, 2, "other");
	make_log_name(&l, "work");
	for (size_t i = 0; i < PIECES; i++)
		if (d->piece[i].node != 0)
			assert_int_equal(frame_append(&l.out, MSG_segment,
					     &d->piece[i]),
			    0);
	write_events(&l, d);
	make_log_finish(&l);
	write_receipt(&l, &d->receipt);
	tools_log_write(&l, path);
	make_log_free(&l);
}

/* clang-format off */
static const struct mutation {
	const char *what;
	enum change change;
	int at;           /* which in made, or which piece */
	int64_t by;
	const char *says; /* NULL: nothing */
} mutations[] = {
	{ "nothing", NOTHING, 0, 0, NULL },

	/* each location's events, without gap, once, in order */
	{ "an event is missing", DROP, 18, 0, "sequence: 0.044001000 n2/1.1:5 task_end task=0x46: 1 events of its location are missing before it" },
	{ "the first event is missing", SEQ, 0, 1, "sequence: 0.010001000 n1/1.1:1 send message=0x7 size=8 tag=0: its location does not begin with event 0" },
	{ "three events are missing", SEQ, 7, 3, "sequence: 0.023001000 n1/1.1:6 barrier_leave barrier=0x5 turn=1 parties=3: 3 events of its location are missing before it" },
	{ "an event is there twice", TWICE, 26, 0, "n1/1.1:9 note value=2 text=work: its location was already at event 10" },
	{ "two events change places", SWAP, 19, 0, "sequence: 0.044001000 n2/1.1:4 task_begin task=0x46 pe=1 procedure=work: its location was already at event 6" },

	/* effects behind their causes */
	{ "a receive before its send", SWAP, 1, 0, "cause: 0.010001000 n2/1.1:0 receive message=0x7 size=8 tag=0: there is no send of it before it" },
	{ "a receive without a send", WORD_A, 1, 8, "cause: 0.012001000 n2/1.1:0 receive message=0x8 size=8 tag=0: there is no send of it before it" },
	{ "a receive at the time of its send", LATER, 1, -2 * MS, "cause: 0.010001000 n2/1.1:0 receive message=0x7 size=8 tag=0: its send is at the same time" },
	{ "another turn of the lock", WORD_B, 3, 2, "cause: 0.016001000 n2/1.2:0 lock_acquire lock=0x5 turn=2 lock=work: there is no lock_release" },
	{ "an orphan that is not marked", FLAG, 10, EVENT_ORPHAN, "cause: 0.030001000 n2/1.1:3 receive message=0x63 size=8 tag=0: there is no send of it before it" },
	{ "a task that nobody has made", WORD_A, 17, 71, "cause: 0.043001000 n2/1.1:4 task_begin task=0x46 pe=1 procedure=work: there is no task_spawn" },
	{ "a join of a task that has not ended", WORD_A, 20, 72, "cause: 0.045001000 n1/1.1:6 task_join task=0x48: there is no task_end" },
	{ "an arrival at another hop", WORD_B, 22, 2, "cause: 0.050001500 n2/1.2:4 object_arrive object=0x50 hop=2 source=work shifted=500ns: there is no object_depart" },
	{ "a barrier left too soon", WORD_C, 7, 4, "all causes: 0.023001000 n1/1.1:3 barrier_leave barrier=0x5 turn=1 parties=4: only 3 of 4 causes (barrier_enter)" },
	{ "a barrier entered after it was left", SWAP, 7, 0, "all causes: " },

	/* times */
	{ "not where its map puts it", NODE_TIME, 0, 3, "clock: 0.010001000 n1/1.1:0 send message=0x7 size=8 tag=0: it is -3 ns behind where the clock map puts its node time" },
	{ "one off", NODE_TIME, 26, 1, "clock: " },
	{ "off behind a step", NODE_TIME, 27, -2, "clock: " },
	{ "shifted by less than it says", SHIFT, 22, 501, "clock: 0.050001500 n2/1.2:4 object_arrive object=0x50 hop=1 source=work shifted=501ns: it is " },
	{ "shifted and not marked", FLAG, 22, EVENT_SHIFTED, "clock: 0.050001500 n2/1.2:4" },
	{ "a map that falls", PIECE_MON, 2, -5, "clock map: the clock map of node 1: the piece from node time 100000000 ns on goes back from where the last piece ends" },
	{ "a map that jumps", PIECE_MON, 2, 5, "clock map: the clock map of node 1: the piece from node time 100000000 ns on jumps ahead" },
	{ "a map that goes back at a step", PIECE_MON, 3, -690 * MS, "clock map: the clock map of node 1: the piece from node time 200000000 ns on goes back in time" },
	{ "a map that is too steep", PIECE_SKEW, 2, 1 << 30, "steeper than any clock" },
	{ "a piece before the last one", PIECE_NODE, 2, -100 * MS, "begins before the piece that precedes it" },
	{ "a bound that is none", PIECE_ERROR, 0, -1, "clock map: the clock map of node 1: the piece from node time 0 ns on has an error bound" },
	{ "a step without an epoch", PIECE_EPOCH, 3, 0, "jumps ahead of where the last piece ends" },
	{ "an epoch is left out", PIECE_EPOCH, 3, 2, "leaves out an epoch" },
	{ "a step that is not told", KIND, 28, EV_note, "monitor: the clock map of node 1 is in epoch 1, but no clock_step tells of it" },
	{ "a step that was none", WORD_B, 28, 2, "monitor: 1.000001000 monitord:6 clock_step step=500000000 epoch=2 node=n1: its node's clock map has no such epoch" },
	{ "a node without a map", PIECE_DROP, 1, 0, "clock: 0.012001000 n2/1.1:0 receive message=0x7 size=8 tag=0: its node has no clock map" },

	{ "marked as an orphan behind its cause", FLAG, 1, EVENT_ORPHAN, "orphan: 0.012001000 n2/1.1:0 receive message=0x7 size=8 tag=0 orphan: it is marked as an orphan, but its send is before it" },

	/* what is said of events */
	{ "an orphan that is no effect", FLAG, 2, EVENT_ORPHAN, "flags: 0.014001000 n1/1.1:1 lock_release lock=0x5 turn=1 lock=work orphan: it is marked as orphan" },
	{ "an orphan that was not told of by kind", WORD_C, 11, EV_rpc_begin, "monitor: 1 orphans of kind rpc_begin are told, there are 0 of that kind" },
	{ "more late events than there are", WORD_A, 15, 2, "monitor: 2 late events of node 2 are told, 1 are marked as late" },
	{ "a late event that is not marked", FLAG, 12, EVENT_LATE, "monitor: 1 late events of node 2 are told, 0 are marked as late" },
	{ "a rejoin of another node", WORD_C, 14, 1, "monitor: 0.036001000 monitord:2 rejoin silent=9 node=n1: there is no stall of its node before it" },
	{ "a trust without a distrust", KIND, 23, EV_trust, "monitor: 0.060001000 monitord:4 trust wrong=9 bound=1 node=n2: there is no distrust" },
	{ "a program that speaks for the monitor", KIND, 26, EV_stall, "n1/1.1:9 stall silent=2 node=n1: only the monitor can say this" },
	{ "another task ends", WORD_A, 19, 71, "span: 0.044001000 n2/1.1:5 task_end task=0x47: what it ends is not open; the innermost is 0x46" },
	{ "a loss that does not add up", WORD_B, 25, 16, "lost: 0.070001000 n1/1.1:8 lost records=5 total=16 reason=" },
	{ "a name that is not defined", WORD_C, 17, 2, "name: 0.042001000 n1/1.1:5 task_spawn task=0x46 parent=0x0 procedure=?2: its word \"procedure:name\" is name 2" },
	{ "a node that is not defined", WORD_C, 13, 3, "name: 0.035001000 monitord:1 stall silent=9 node=?3: its word \"node:node\" is node 3" },
	{ "a location that is not defined", LOCATION, 26, 4, "location: " },

	/* published = stored + lost */
	{ "more published than stored and lost", PUBLISHED, 0, 1, "receipt: published 36 is not stored 20 + lost 15" },
	{ "more stored than there is", STORED, 0, 1, "receipt: the receipt says stored 21, the log holds 20" },
	{ "less lost than was told", LOST, 0, -1, "receipt: the receipt says lost 14, the log holds 15" },
	{ "less late than there is", LATE, 0, -1, "receipt: the receipt says late 0, the log holds 1" },
	{ "less orphans than there are", ORPHANS, 0, -1, "receipt: the receipt says orphans 0, the log holds 1" },
};
/* clang-format on */

static void
every_mutation_is_found(void **state)
{
	static char out[OUTPUT_BYTES];
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(mutations) / sizeof(mutations[0]); i++) {
		const struct mutation *m = &mutations[i];
		struct draft d;
		char path[32];
		int code;

		draft_good(&d);
		if (m->change < PIECE_NODE)
			change_event(&d, (size_t)m->at, m->change, m->by);
		else
			change_rest(&d, (size_t)m->at, m->change, m->by);
		write_log(&d, path);
		code = tools_run(check_run, "check", NULL, path, out);
		unlink(path);
		if (code == (m->says == NULL ? 0 : 65) &&
		    (m->says == NULL || strstr(out, m->says) != NULL))
			continue;
		print_message("%s: exit %d, not: %s\n%s", m->what, code,
		    m->says != NULL ? m->says : "", out);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

/*
 * Every byte of a good log, changed: the check ends, and finds it.  (The name
 * of the run and the like are covered by the checksum of their frame.)
 */
static void
every_flipped_byte_is_found(void **state)
{
	static char out[OUTPUT_BYTES];
	struct draft d;
	char path[32], byte;
	off_t size;
	int fd;

	(void)state;
	draft_good(&d);
	write_log(&d, path);
	fd = open(path, O_RDWR);
	size = lseek(fd, 0, SEEK_END);
	for (off_t at = 0; at < size; at += 23) {
		char flipped;

		assert_int_equal(pread(fd, &byte, 1, at), 1);
		flipped = (char)(byte ^ (1 << at % 8));
		assert_int_equal(pwrite(fd, &flipped, 1, at), 1);
		if (tools_run(check_run, "check", "--quiet", path, out) == 0)
			fail_msg("byte %jd: not found", (intmax_t)at);
		assert_int_equal(pwrite(fd, &byte, 1, at), 1);
	}
	close(fd);
	unlink(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_mutation_is_found),
		cmocka_unit_test(every_flipped_byte_is_found),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
