/*
 * makelog [-dv] [-n EVENTS] [-x SLOW] [-r ROWS] [-p PES] [-b EVENTS] FILE: a
 * finished log made up without any daemon, so that the viewer has something to
 * draw.  It holds pascal on 5 PEs, a tree of 15 processes that merge sorted
 * pieces over four nodes, and seven objects that tour them; with -n also that
 * many events of a mixed load, SLOW times as slow as usual (9 million a
 * second; with -v of all kinds that views are made of), and with -d all that a
 * node can be doubted for.
 */
#include <getopt.h>

#include "clockmap.h"
#include "tests/bench/makelog.h"
#include "tests/unit/make_pascal.h"

#define US 1000ll
#define MS 1000000ll

static const int64_t start = 12400 * MS;
static uint64_t seed = 7;
static uint64_t message;

int64_t
between(int64_t a, int64_t b)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (a + (int64_t)((seed >> 33) % (uint64_t)(b - a + 1)));
}

uint64_t
message_next(void)
{
	return (++message);
}

/* mergesort */

static struct {
	uint32_t location[15];
	uint32_t split, sort, merge;
	int64_t now[15];
} ms;

static void
piece(struct make_log *l, int po, uint32_t name, int64_t ns)
{
	make_log_event(l, ms.location[po], EV_enter, ms.now[po],
	    0x401000 + name * 64, 0, name);
	ms.now[po] += ns;
	make_log_event(l, ms.location[po], EV_leave, ms.now[po],
	    0x401000 + name * 64, 0, name);
	ms.now[po] += between(1 * US, 5 * US);
}

static void
transfer(struct make_log *l, int from, int to, uint64_t bytes)
{
	uint64_t id = message_next();
	int64_t sent = ms.now[from], got;

	make_log_event(l, ms.location[from], EV_send, sent, id, bytes, 1);
	ms.now[from] += between(1 * US, 3 * US);
	make_log_event(l, ms.location[to], EV_receive_wait, ms.now[to], id, 0,
	    1);
	got = sent + between(40 * US, 160 * US);
	if (got < ms.now[to])
		got = ms.now[to] + 500;
	make_log_event(l, ms.location[to], EV_receive, got, id, bytes, 1);
	ms.now[to] = got + between(1 * US, 4 * US);
}

static void
merge_sort(struct make_log *l, int po, uint64_t bytes)
{
	if (po >= 7) {
		piece(l, po, ms.sort, between(400 * US, 900 * US));
		return;
	}
	piece(l, po, ms.split, between(60 * US, 200 * US));
	transfer(l, po, 2 * po + 1, bytes / 2);
	transfer(l, po, 2 * po + 2, bytes / 2);
	merge_sort(l, 2 * po + 1, bytes / 2);
	merge_sort(l, 2 * po + 2, bytes / 2);
	transfer(l, 2 * po + 1, po, bytes / 2);
	transfer(l, 2 * po + 2, po, bytes / 2);
	piece(l, po, ms.merge, between(300 * US, 700 * US));
}

static void
make_mergesort(struct make_log *l)
{
	ms.split = make_log_name(l, "split");
	ms.sort = make_log_name(l, "sort");
	ms.merge = make_log_name(l, "merge");
	for (int i = 0; i < 15; i++) {
		uint32_t node = 1 + (uint32_t)i / 4, po = 4 + (uint32_t)i;

		make_log_po(l, node, po, "mergesort");
		ms.location[i] = make_log_thread(l, node, po, 1, "");
		ms.now[i] = start + between(0, 200 * US);
	}
	for (int round = 0; round < 10; round++) {
		merge_sort(l, 0, 1u << 20);
		for (int i = 1; i < 15; i++) /* nobody lives in the past */
			if (ms.now[i] < ms.now[0] - 3 * MS)
				ms.now[i] = ms.now[0] - 3 * MS;
	}
}

/* drones */

static void
make_drones(struct make_log *l)
{
	uint32_t class = make_log_name(l, "drone"), where[5], nodes[5];
	char text[16];

	for (uint32_t n = 1; n <= 4; n++) {
		make_log_po(l, n, 40 + n, "drones");
		where[n] = make_log_thread(l, n, 40 + n, 1, "server");
		snprintf(text, sizeof(text), "n%u", n - 1);
		nodes[n] = make_log_name(l, text);
	}
	for (uint64_t o = 1; o <= 7; o++) {
		int64_t t = start + between(1 * MS, 6 * MS);
		uint32_t at = 1 + (uint32_t)between(0, 3), to;
		uint64_t maker = o > 1 && o % 2 == 0 ? o - 1 : 0;

		if (maker == 0)
			make_log_event(l, where[at], EV_object_create, t, o, 0,
			    class);
		else {
			make_log_event(l, where[1 + at % 4], EV_object_request,
			    t - 600 * US, maker, o, class);
			make_log_event(l, where[at], EV_object_create, t, o, o,
			    class);
		}
		for (uint64_t hop = 1; hop <= 8; hop++) {
			t += between(2 * MS, 7 * MS);
			to = 1 + (at + (uint32_t)between(0, 2)) % 4;
			if (hop % 3 == 0) {
				make_log_event(l, where[to], EV_object_order,
				    t - 900 * US, o, o * 100 + hop, nodes[to]);
				make_log_event(l, where[at], EV_object_obey,
				    t - 300 * US, o, o * 100 + hop, nodes[to]);
			}
			make_log_event(l, where[at], EV_object_depart, t, o,
			    hop, nodes[to]);
			t += between(500 * US, 1500 * US);
			make_log_event(l, where[to], EV_object_arrive, t, o,
			    hop, nodes[at]);
			at = to;
		}
		if (o % 3 == 0)
			make_log_event(l, where[at], EV_object_dispose,
			    t + 2 * MS, o, 0, 0);
	}
}

/* Clocks in all of their states, a silent node, what is lost, late, orphaned.
 */
static void
make_doubts(struct make_log *l)
{
	static const struct {
		uint32_t node;
		int64_t ms, error_us;
		unsigned state;
	} segments[] = {
		{ 1, 0, 40, CLOCK_COARSE },
		{ 1, 3, 1, CLOCK_LOCKED },
		{ 2, 0, 60, CLOCK_COARSE },
		{ 2, 4, 1, CLOCK_LOCKED },
		{ 2, 20, 12, CLOCK_HOLDOVER },
		{ 2, 30, 90, CLOCK_HOLDOVER },
		{ 3, 0, 50, CLOCK_COARSE },
		{ 3, 2, 1, CLOCK_LOCKED },
		{ 3, 15, 800, CLOCK_STEPPED },
		{ 3, 22, 30, CLOCK_COARSE },
		{ 3, 26, 2, CLOCK_LOCKED },
		{ 4, 0, 45, CLOCK_COARSE },
		{ 4, 5, 1, CLOCK_LOCKED },
	};
	uint32_t monitor = make_log_thread(l, 0, 0, 0, "monitord");
	uint32_t to = ms.location[14], from = ms.location[9];

	for (size_t i = 0; i < sizeof(segments) / sizeof(segments[0]); i++)
		make_log_segment(l, segments[i].node,
		    start + segments[i].ms * MS, segments[i].error_us * US,
		    segments[i].state);
	make_log_event(l, monitor, EV_clock_step, start + 15 * MS, 750 * MS, 2,
	    3);
	make_log_event(l, monitor, EV_distrust, start + 27 * MS, 400 * US,
	    2 * US, 3);
	make_log_event(l, monitor, EV_trust, start + 33 * MS, 400 * US, 2 * US,
	    3);
	make_log_event(l, monitor, EV_stall, start + 16 * MS, 4 * MS, 0, 4);
	make_log_event(l, monitor, EV_rejoin, start + 24 * MS, 12 * MS, 0, 4);
	make_log_event(l, monitor, EV_late, start + 24 * MS + 50 * US, 118,
	    (uint64_t)(8 * MS), 4);
	make_log_event(l, to, EV_receive, start + 25 * MS, 0xfeed, 64, 1);
	l->events[l->n - 1].flags = EVENT_ORPHAN;
	make_log_event(l, from, EV_lost, start + 18 * MS, 4096, 4096,
	    LOST_RING_FULL);
	/* node 2 is in holdover to the end, and says nothing any more */
	make_log_event(l, monitor, EV_stall, start + 34 * MS, 3 * MS, 0, 2);
}

int
main(int argc, char **argv)
{
	static struct pascal pascal;
	struct make_log l = { .level = 1,
		.start_mon_ns = start,
		.start_real_ns = 1000000000000000000 };
	long n = 0, rows = 35, pes = 5, slow = 1;
	bool doubts = false, varied = false;
	FILE *f;
	int c;

	while ((c = getopt(argc, argv, "dvn:x:r:p:b:")) != -1) {
		if (c == 'd')
			doubts = true;
		else if (c == 'v')
			varied = true;
		else if (c == 'n')
			n = atol(optarg);
		else if (c == 'x')
			slow = atol(optarg);
		else if (c == 'r')
			rows = atol(optarg);
		else if (c == 'p')
			pes = atol(optarg);
		else if (c == 'b') /* at most so many in a block */
			l.block_events = (uint32_t)atol(optarg);
		else
			return (64);
	}
	if (argc - optind != 1 || rows < 1 || rows > 36 || pes < 1 ||
	    pes > PASCAL_PES) {
		fprintf(stderr, "usage: makelog [-dv] [-n events] [-x slow] "
				"[-r rows] [-p pes] [-b block-events] file\n");
		return (64);
	}
	make_log_head(&l, "makelog");
	for (uint32_t i = 1; i <= 4; i++) {
		char text[16];

		snprintf(text, sizeof(text), "n%u", i - 1);
		make_log_node(&l, i, text);
	}
	make_log_po(&l, 1, 3, "pascal");
	make_pascal(&pascal, &l, (uint32_t)rows, (uint32_t)pes, 1, 3, start,
	    70 * US);
	make_mergesort(&l);
	make_drones(&l);
	if (n > 0)
		make_load(&l, n, slow, start, varied);
	if (doubts)
		make_doubts(&l);
	make_log_blocks(&l, 0);
	make_log_finish(&l);
	f = fopen(argv[optind], "wb");
	if (f == NULL || fwrite(l.out.p, 1, l.out.n, f) != l.out.n ||
	    fclose(f) != 0) {
		perror(argv[optind]);
		return (74);
	}
	printf("%llu events, %zu bytes; pascal: %u tasks, deepest %u, "
	       "%u suspensions\n",
	    (unsigned long long)l.written, l.out.n, pascal.n, pascal.deepest,
	    pascal.suspended);
	make_log_free(&l);
	return (0);
}
