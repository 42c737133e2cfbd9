/* What goes into a batch comes out of it, and nothing hostile gets through. */
#include "tests/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "event.h"
#include "tests/rnd.h"
#include "words.h"

static unsigned
rnd_kind(void)
{
	unsigned k;

	do {
		k = rnd() % EVENT_KINDS;
	} while (event_desc(k) == NULL);
	return (k);
}

/* What a good decoder gives back: words without a meaning are 0. */
static struct node_event
rnd_event(unsigned style, int64_t *t)
{
	static uint64_t count[4];
	unsigned k = rnd_kind();
	const struct event_desc *d = event_desc(k);
	struct node_event e = { .kind = (uint16_t)k };

	if (style == 0) { /* anything */
		e.a = rnd_any();
		e.b = rnd_any();
		e.c = (uint32_t)rnd_any();
		*t += (int64_t)(rnd_any() >> 10);
	} else { /* as programs do */
		uint64_t sender = rnd() % 4;

		e.a = rnd() % 3 == 0 ? 0x7f0012345678 + rnd() % 5 * 64
				     : sender << 32 | ++count[sender];
		e.b = rnd() % 5000;
		e.c = (uint32_t)(rnd() % 9);
		*t += (int64_t)(rnd() % 4000);
	}
	if (d->a[0] == '\0')
		e.a = 0;
	if (d->b[0] == '\0')
		e.b = 0;
	if (d->c[0] == '\0')
		e.c = 0;
	e.t_node_ns = *t;
	return (e);
}

/* Everything that came out of a decoder. */
struct got {
	struct node_event *e;
	size_t n, cap, runs, definitions;
	uint32_t stream;
	uint64_t next_seq;
	uint32_t last_location;
	int stop_after;
};

static int
got_definition(void *arg, const struct frame *f)
{
	struct got *g = arg;
	struct msg_thread m;

	g->definitions++;
	if (f->type == MSG_thread &&
	    msg_decode(MSG_thread, f->body, f->body_bytes, &m) == 0)
		g->last_location = m.location;
	return (0);
}

static int
got_events(void *arg, uint32_t stream, uint64_t first_seq,
    const struct node_event *e, size_t n)
{
	struct got *g = arg;

	assert_in_range(n, 1, BATCH_PIECE);
	if (g->stream != stream || g->next_seq != first_seq)
		g->runs++;
	g->stream = stream;
	g->next_seq = first_seq + n;
	while (g->n + n > g->cap) {
		g->cap = g->cap == 0 ? 1024 : g->cap * 2;
		g->e = realloc(g->e, g->cap * sizeof(*g->e));
		assert_non_null(g->e);
	}
	memcpy(g->e + g->n, e, n * sizeof(*e));
	g->n += n;
	return (g->stop_after != 0 && g->n >= (size_t)g->stop_after ? 77 : 0);
}

static const struct batch_sink sink = { got_definition, got_events };

static void
what_goes_in_comes_out(void **state)
{
	enum {
		N = 5000
	};
	struct batch_writer *w = batch_writer_new();
	struct node_event *e = calloc(N, sizeof(*e));

	(void)state;
	for (unsigned round = 0; round < 60; round++) {
		struct got g = { 0 };
		size_t n = 0, runs = 1 + rnd() % 6;

		batch_writer_reset(w);
		for (size_t r = 0; r < runs; r++) {
			size_t k = r == 0 ? 1 : 1 + rnd() % (N / 6);
			int64_t t = (int64_t)(rnd() >> 8);

			if (round % 7 == 0)
				t = -t;
			for (size_t i = 0; i < k; i++)
				e[n + i] = rnd_event(round % 3, &t);
			assert_int_equal(batch_add_run(w, (uint32_t)r,
					     rnd() >> 1, e + n, k),
			    0);
			n += k;
		}
		assert_int_equal(batch_events(w), n);
		assert_int_equal(batch_decode(batch_bytes(w), &sink, &g), 0);
		assert_int_equal(g.n, n);
		assert_int_equal(g.runs, runs);
		assert_memory_equal(g.e, e, n * sizeof(*e));
		free(g.e);
	}
	free(e);
	batch_writer_free(w);
}

static void
times_may_fall_within_a_run(void **state)
{
	struct batch_writer *w = batch_writer_new();
	struct node_event e[300];
	struct got g = { 0 };

	(void)state;
	for (unsigned round = 0; round < 100; round++) {
		size_t n = 1 + rnd() % 300;

		batch_writer_reset(w);
		g.n = g.runs = 0;
		g.stream = 0;
		for (size_t i = 0; i < n; i++)
			e[i] = (struct node_event){
				.t_node_ns = (int64_t)(rnd_any() >> 2),
				.kind = EV_task_end,
				.a = i,
			};
		e[n / 2].t_node_ns = -TIME_NS_MAX;
		assert_int_equal(batch_add_run(w, 1, 7, e, n), 0);
		assert_int_equal(batch_decode(batch_bytes(w), &sink, &g), 0);
		assert_int_equal(g.n, n);
		assert_int_equal(g.runs, 1);
		assert_memory_equal(g.e, e, n * sizeof(*e));
	}
	free(g.e);
	batch_writer_free(w);
}

static void
definitions_keep_their_place(void **state)
{
	struct batch_writer *w = batch_writer_new();
	struct msg_thread th = { .location = 3,
		.po = 1,
		.thread = 2,
		.name = BYTES_STR("worker") };
	struct msg_po po = { .po = 1, .program = BYTES_STR("pascal") };
	struct node_event e = { .t_node_ns = 5, .kind = EV_task_end, .a = 7 };
	struct got g = { 0 };

	(void)state;
	assert_int_equal(batch_add_definition(w, MSG_po, &po), 0);
	assert_int_equal(batch_add_definition(w, MSG_thread, &th), 0);
	assert_int_equal(batch_add_run(w, 3, 0, &e, 1), 0);
	assert_int_equal(batch_decode(batch_bytes(w), &sink, &g), 0);
	assert_int_equal(g.definitions, 2);
	assert_int_equal(g.last_location, 3);
	assert_int_equal(g.n, 1);
	free(g.e);
	batch_writer_free(w);
}

static void
words_without_meaning_are_dropped(void **state)
{
	struct batch_writer *w = batch_writer_new();
	struct node_event e = { .kind = EV_task_end, .a = 7, .b = 8, .c = 9 };
	struct got g = { 0 };

	(void)state;
	assert_int_equal(batch_add_run(w, 1, 0, &e, 1), 0);
	assert_int_equal(batch_decode(batch_bytes(w), &sink, &g), 0);
	assert_int_equal(g.e[0].a, 7);
	assert_int_equal(g.e[0].b, 0);
	assert_int_equal(g.e[0].c, 0);
	free(g.e);
	batch_writer_free(w);
}

static void
bad_events_are_refused(void **state)
{
	static const struct {
		const char *what;
		struct node_event e[2];
	} cases[] = {
		{ "no such kind",
		    { { 5, 0, 0, 0, EV_enter, 0 }, { 5, 0, 0, 0, 99, 0 } } },
		{ "after all time",
		    { { 5, 0, 0, 0, EV_enter, 0 },
			{ TIME_NS_MAX + 1, 0, 0, 0, EV_enter, 0 } } },
		{ "before all time",
		    { { -TIME_NS_MAX - 1, 0, 0, 0, EV_enter, 0 },
			{ 5, 0, 0, 0, EV_enter, 0 } } },
		{ "kind too high",
		    { { 5, 0, 0, 0, 300, 0 }, { 5, 0, 0, 0, EV_enter, 0 } } },
	};
	struct batch_writer *w = batch_writer_new();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		errno = 0;
		assert_int_equal(batch_add_run(w, 1, 0, cases[i].e, 2), -1);
		assert_int_equal(errno, EINVAL);
		assert_int_equal(batch_bytes(w).n, 0);
	}
	batch_writer_free(w);
}

/* All of it is whole but for the kind, which no descriptor says how to read. */
static void
an_unknown_kind_in_a_whole_batch_is_refused(void **state)
{
	struct batch_writer *w = batch_writer_new();
	struct node_event e = { .t_node_ns = 5, .kind = EV_note, .a = 7 };
	uint8_t bytes[64], *kind = &bytes[6]; /* behind 5 of the run, the tag */
	struct bytes b;
	unsigned unknown = 0;

	(void)state;
	assert_int_equal(batch_add_run(w, 1, 0, &e, 1), 0);
	b = batch_bytes(w);
	assert_true(b.n < sizeof(bytes));
	memcpy(bytes, b.p, b.n);
	assert_int_equal(*kind, EV_note);
	for (unsigned k = 0; k < EVENT_KINDS; k++) {
		struct got g = { 0 };

		if (event_table[k].name != NULL)
			continue;
		unknown++;
		*kind = (uint8_t)k;
		assert_int_equal(batch_decode((struct bytes){ bytes, b.n },
				     &sink, &g),
		    -1);
		assert_int_equal(g.n, 0);
		free(g.e);
	}
	assert_true(unknown > 0);
	batch_writer_free(w);
}

/* A batch in which everything occurs. */
static struct batch_writer *
make_batch(size_t events)
{
	struct batch_writer *w = batch_writer_new();
	struct msg_name nm = { .name = 1, .po = 1, .text = BYTES_STR("work") };
	int64_t t = 1000000;

	assert_int_equal(batch_add_definition(w, MSG_name, &nm), 0);
	for (size_t r = 0; r < 3; r++) {
		struct node_event e[64];

		for (size_t i = 0; i < events; i++)
			e[i] = rnd_event((unsigned)r, &t);
		assert_int_equal(batch_add_run(w, (uint32_t)r, 0, e, events),
		    0);
	}
	return (w);
}

static void
cut_batches_are_refused_or_shorter(void **state)
{
	struct batch_writer *w = make_batch(20);
	struct bytes b = batch_bytes(w);

	(void)state;
	for (size_t n = 0; n < b.n; n++) {
		struct got g = { 0 };
		uint8_t *copy = malloc(n == 0 ? 1 : n);

		memcpy(copy, b.p, n);
		/* between two items a cut cannot be seen: the frame is */
		if (batch_decode((struct bytes){ copy, n }, &sink, &g) == 0)
			assert_true(g.n % 20 == 0 && g.n < 60);
		free(copy);
		free(g.e);
	}
	batch_writer_free(w);
}

static void
hostile_bytes_do_no_harm(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 20000; round++) {
		struct batch_writer *w = make_batch(1 + rnd() % 8);
		struct bytes b = batch_bytes(w);
		uint8_t *copy = malloc(b.n);
		struct got g = { 0 };

		memcpy(copy, b.p, b.n);
		for (unsigned i = rnd() % 8; i < 8; i++)
			copy[rnd() % b.n] = (uint8_t)rnd();
		(void)batch_decode((struct bytes){ copy, b.n }, &sink, &g);
		free(g.e);
		free(copy);
		batch_writer_free(w);
	}
}

/* Whichever byte is changed: no time comes out that cannot be. */
static void
times_end_with_all_time(void **state)
{
	static const struct node_event e[2] = { { TIME_NS_MAX - 1, 3, 0, 0,
						    EV_enter, 0 },
		{ TIME_NS_MAX, 3, 0, 0, EV_leave, 0 } };
	struct batch_writer *w = batch_writer_new();
	struct bytes b;
	unsigned taken = 0;

	(void)state;
	assert_int_equal(batch_add_run(w, 1, 0, e, 2), 0);
	b = batch_bytes(w);
	for (size_t i = 0; i < b.n * 256; i++) {
		struct got g = { 0 };
		uint8_t *copy = malloc(b.n);

		memcpy(copy, b.p, b.n);
		copy[i / 256] = (uint8_t)i;
		taken +=
		    batch_decode((struct bytes){ copy, b.n }, &sink, &g) == 0;
		for (size_t k = 0; k < g.n; k++)
			assert_true(time_is_sane(g.e[k].t_node_ns));
		free(g.e);
		free(copy);
	}
	assert_true(taken > 256 && taken < b.n * 256);
	batch_writer_free(w);
}

static void
silly_numbers_are_refused(void **state)
{
	/* clang-format off */
	static const struct {
		const char *what;
		size_t n;
		uint8_t p[32];
	} cases[] = {
		{ "unknown item", 1, { 3 } },
		{ "no events", 5, { 2, 1, 0, 0, 0 } },
		{ "more events than bytes", 9, { 2, 1, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0 } },
		{ "stream is no u32", 16, { 2, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0, 1, 0, 0xf8, 31, 0, 0, 0, 0 } },
		{ "slot never introduced", 8, { 2, 1, 0, 1, 0, 0x0f, 0, 0 } },
		{ "kind without a row", 10, { 2, 1, 0, 1, 0, 0xff, 99, 0, 0, 0 } },
		{ "kind none", 10, { 2, 1, 0, 1, 0, 0xff, 0, 0, 0, 0 } },
		{ "time beyond the end", 21, { 2, 1, 0, 2, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0xff, EV_enter, 0x8d, 1, 0, 0x07, 1 } },
		{ "endless varint", 14, { 2, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1 } },
		{ "a definition that is no frame", 4, { 1, 'O', 'r', 'y' } },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct got g = { 0 };
		struct bytes b = { cases[i].p, cases[i].n };

		if (batch_decode(b, &sink, &g) != -1)
			fail_msg("%s: taken", cases[i].what);
		free(g.e);
	}
}

static void
the_sink_can_stop_it(void **state)
{
	struct batch_writer *w = make_batch(60);
	struct got g = { .stop_after = 60 };

	(void)state;
	assert_int_equal(batch_decode(batch_bytes(w), &sink, &g), 77);
	assert_int_equal(g.n, 60);
	free(g.e);
	batch_writer_free(w);
}

/*
 * The bytes themselves: a log of last year must be read next year.  When this
 * fails, the format has changed, and its version has to.
 */
static void
the_format_stays(void **state)
{
	static const struct node_event e[] = {
		{ 1000, 0x10, 0, 5, EV_enter, 0 },
		{ 1200, 0x10, 0, 5, EV_leave, 0 },
		{ 1300, 0x10, 0, 5, EV_enter, 0 },
		{ 1300, (uint64_t)2 << 32 | 1, 300, 0, EV_send, 0 },
		{ 1301, (uint64_t)2 << 32 | 2, 300, 0, EV_send, 0 },
		{ 1302, (uint64_t)2 << 32 | 3, 300, 0, EV_send, 0 },
		{ 1500, (uint64_t)7 << 32 | 9, 70, 1, EV_receive, 0 },
		{ 9500, 0x7f0000, 8, 2, EV_lock_acquire, 0 },
		{ 9600, 0x7f0000, 9, 2, EV_lock_release, 0 },
		{ 9700, 0x7f0000, 9, 2, EV_lock_acquire, 0 },
		{ 9800, 0x7f0000, 10, 2, EV_lock_release, 0 },
		{ 9900, 0x10, 0, 5, EV_leave, 0 },
		{ 9999, UINT64_MAX - 1, 0, 0, EV_counter, 0 },
	};
	static const char want[] =
	    "0203640dd00ffa1e8f0100470aff1f9501c801066439fc2807008b808080"
	    "8001b709140108191701f8299703c601ab808080c0039f0202f847f703c0"
	    "3e8780f00f2704f84827648780f00f080420641900002e64190f64fe7805"
	    "630c";
	struct batch_writer *w = batch_writer_new();
	struct bytes b;
	char got[400] = "";

	(void)state;
	assert_int_equal(batch_add_run(w, 3, 100, e, sizeof(e) / sizeof(e[0])),
	    0);
	b = batch_bytes(w);
	for (size_t i = 0; i < b.n && 2 * i < sizeof(got) - 2; i++)
		snprintf(got + 2 * i, 3, "%02x", ((const uint8_t *)b.p)[i]);
	assert_string_equal(got, want);
	batch_writer_free(w);
}

/* What counts and what stays the same costs nothing but tag and time. */
static void
what_is_regular_is_short(void **state)
{
	enum {
		N = 3000
	};
	struct batch_writer *w = batch_writer_new();
	struct node_event *e = calloc(N, sizeof(*e));
	uint64_t sender = (uint64_t)9 << 32;

	(void)state;
	for (int i = 0; i < N; i++) {
		e[i] = (struct node_event){ .t_node_ns = i * 100 };
		switch (i % 4) {
		case 0: /* an address that recurs, and its name */
			e[i].kind = EV_enter;
			e[i].a = 0x5580123400u + (unsigned)(i / 4 % 5) * 64;
			e[i].c = 10 + (unsigned)(i / 4 % 5);
			break;
		case 1:
			e[i].kind = EV_leave;
			e[i].a = e[i - 1].a;
			e[i].c = e[i - 1].c;
			break;
		case 2:
			e[i].kind = EV_send;
			e[i].a = ++sender;
			e[i].b = 512;
			break;
		case 3: /* turns of a lock, each one more */
			e[i].kind =
			    i % 8 == 3 ? EV_lock_acquire : EV_lock_release;
			e[i].a = 0x7f00aa0000;
			e[i].b = (uint64_t)(i + 4) / 8;
			e[i].c = 3;
			break;
		}
	}
	assert_int_equal(batch_add_run(w, 1, 0, e, N), 0);
	/*
	 * Tag and time 2, a byte for the function that is entered, and one
	 * more when two of them share a place in a cache.
	 */
	assert_in_range(batch_bytes(w).n, 2 * N, 2 * N + N / 4 + N / 8);
	free(e);
	batch_writer_free(w);
}

static void
values_come_back(void **state)
{
	static const uint64_t edge[] = { 0, 1, 127, 128, UINT32_MAX,
		(uint64_t)1 << 32, (uint64_t)1 << 61, ((uint64_t)1 << 62) - 1,
		(uint64_t)1 << 62, (uint64_t)1 << 63, UINT64_MAX - 1,
		UINT64_MAX };
	struct value_coder in = { 0 }, out = { 0 };
	const size_t nedge = sizeof(edge) / sizeof(edge[0]);

	(void)state;
	for (unsigned i = 0; i < 200000; i++) {
		uint64_t v = i % 3 == 0 ? edge[rnd() % nedge] : rnd_any(), got;
		uint8_t p[VALUE_BYTES_MAX];
		uint8_t *end = value_put(&in, p, v);

		assert_true(end - p <= VALUE_BYTES_MAX);
		assert_ptr_equal(value_get(&out, p, end, &got), end);
		assert_int_equal(got, v);
		assert_memory_equal(&in, &out, sizeof(in));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_goes_in_comes_out),
		cmocka_unit_test(times_may_fall_within_a_run),
		cmocka_unit_test(definitions_keep_their_place),
		cmocka_unit_test(words_without_meaning_are_dropped),
		cmocka_unit_test(bad_events_are_refused),
		cmocka_unit_test(an_unknown_kind_in_a_whole_batch_is_refused),
		cmocka_unit_test(cut_batches_are_refused_or_shorter),
		cmocka_unit_test(hostile_bytes_do_no_harm),
		cmocka_unit_test(times_end_with_all_time),
		cmocka_unit_test(silly_numbers_are_refused),
		cmocka_unit_test(the_sink_can_stop_it),
		cmocka_unit_test(the_format_stays),
		cmocka_unit_test(what_is_regular_is_short),
		cmocka_unit_test(values_come_back),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
