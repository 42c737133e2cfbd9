/* monitorctl check passes a good log and names every planted violation. */
#include "tests/check.h"

#include "tests/unit/tools_log.h"

#define MS 1000000

enum plant {
	NOTHING,
	RECEIVE_FIRST,
	NO_SEND,
	SEQ_GAP,
	RECEIPT_STORED,
	RECEIPT_SUM,
	NO_RECEIPT,
	LATE_BLOCK,
	UNDEFINED_LOCATION,
	BLOCKS_SWAPPED,
	DAMAGED,
	CUT,
	BEHIND_RECEIPT,
	ARRIVE_TWICE,
	INDEX_WRONG,
};

/* The receipt, the last frame, is 16 bytes of head and these fields. */
static struct msg_receipt *
receipt_of(struct make_log *l, struct msg_receipt *r)
{
	size_t body = msg_size(MSG_receipt, r), at;

	at = l->out.n - body - FRAME_HEAD_BYTES;
	assert_int_equal(msg_decode(MSG_receipt,
			     l->out.p + at + FRAME_HEAD_BYTES, body, r),
	    0);
	l->out.n = at;
	return (r);
}

static void
receipt_again(struct make_log *l, uint64_t published, uint64_t stored)
{
	struct msg_receipt r = { 0 };

	receipt_of(l, &r);
	r.published += published;
	r.stored += stored;
	assert_int_equal(frame_append(&l->out, MSG_receipt, &r), 0);
}

/* Two processes on two nodes: messages, a moving object, a task. */
static void
make(struct make_log *l, enum plant plant)
{
	uint32_t at[2];
	struct event *e;

	memset(l, 0, sizeof(*l));
	make_log_head(l, "planted");
	make_log_node(l, 1, "n1");
	make_log_node(l, 2, "n2");
	make_log_po(l, 1, 1, "app");
	make_log_po(l, 2, 1, "app");
	at[0] = make_log_thread(l, 1, 1, 1, "main");
	at[1] = plant == UNDEFINED_LOCATION
		    ? 99
		    : make_log_thread(l, 2, 1, 1, "main");
	l->block_events = 8;
	for (int i = 0; i < 20; i++) {
		int64_t t = (i + 1) * 10 * MS;
		uint64_t id = 100 + (uint64_t)i, hop = (uint64_t)i + 1;

		if (plant == ARRIVE_TWICE && i == 7)
			hop = 7;
		if (plant != NO_SEND || i != 4)
			make_log_event(l, at[i % 2], EV_send, t, id, 8, 0);
		make_log_event(l, at[(i + 1) % 2], EV_receive,
		    plant == RECEIVE_FIRST && i == 3 ? t - MS : t + MS, id, 8,
		    0);
		make_log_event(l, at[i % 2], EV_object_depart, t + 2 * MS, 7,
		    (uint64_t)i + 1, 0);
		make_log_event(l, at[(i + 1) % 2], EV_object_arrive, t + 3 * MS,
		    7, hop, 0);
	}
	if (plant == SEQ_GAP || plant == BLOCKS_SWAPPED) {
		make_log_sort(l);
		for (size_t i = 40; plant == SEQ_GAP && i < l->n; i++)
			if (l->events[i].location == at[0])
				l->events[i].seq += 3;
		if (plant == BLOCKS_SWAPPED) /* before what precedes it */
			for (size_t i = 40; i < l->n; i++) {
				l->events[i].t_mon_ns -= 100 * MS;
				l->events[i].t_node_ns -= 100 * MS;
			}
		/* as make_log_blocks(), but with these numbers and times */
		struct block_writer *w = block_writer_new();

		for (size_t i = 0; i < l->n; i++) {
			e = &l->events[i];
			if (block_events(w) == 8 || block_add(w, e) == -1) {
				block_finish(w, 0, 0, &l->out);
				assert_int_equal(block_add(w, e), 0);
			}
		}
		block_finish(w, 0, 0, &l->out);
		block_writer_free(w);
		l->written = l->n;
		l->n = 0;
	} else {
		make_log_blocks(l, plant == LATE_BLOCK);
	}
	if (plant == INDEX_WRONG)
		l->written++;
	if (plant != NO_RECEIPT)
		make_log_finish(l);
	if (plant == INDEX_WRONG)
		receipt_again(l, -1ull, -1ull);
	if (plant == RECEIPT_STORED)
		receipt_again(l, 5, 5);
	if (plant == RECEIPT_SUM)
		receipt_again(l, 1, 0);
	if (plant == DAMAGED)
		l->out.p[l->out.n / 2] ^= 0x55;
	if (plant == CUT)
		l->out.n -= 10;
	if (plant == BEHIND_RECEIPT)
		make_log_node(l, 3, "n3");
}

static void
every_plant_is_found(void **state)
{
	static const struct {
		enum plant plant;
		const char *option;
		int code;
		const char *says;
	} cases[] = {
		{ NOTHING, NULL, 0, "violations 0, lost 0, late 0, orphans 0" },
		{ NOTHING, "--unfinished", 0, "violations 0" },
		{ RECEIVE_FIRST, NULL, 65, "there is no send of it before it" },
		{ NO_SEND, NULL, 65, "there is no send of it before it" },
		{ SEQ_GAP, NULL, 65, "events of its location are missing" },
		{ RECEIPT_STORED, NULL, 65, "receipt says stored 85" },
		{ RECEIPT_SUM, NULL, 65, "published 81 is not stored 80" },
		{ NO_RECEIPT, NULL, 65, "receipt: none" },
		{ NO_RECEIPT, "--unfinished", 0, "violations 0" },
		{ LATE_BLOCK, NULL, 65, "a finished log with 10 late blocks" },
		{ UNDEFINED_LOCATION, NULL, 65, "location 99, which is not" },
		{ BLOCKS_SWAPPED, NULL, 65, "begins before the last one" },
		{ DAMAGED, NULL, 65, "damaged bytes" },
		{ CUT, NULL, 65, "receipt: none" },
		{ BEHIND_RECEIPT, NULL, 65, "behind the receipt" },
		{ ARRIVE_TWICE, NULL, 65, "no object_depart of it" },
		{ INDEX_WRONG, NULL, 65, "the index is for" },
	};
	static char out[OUTPUT_BYTES];
	struct make_log l;
	char path[32];
	int code;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make(&l, cases[i].plant);
		tools_log_write(&l, path);
		code =
		    tools_run(check_run, "check", cases[i].option, path, out);
		unlink(path);
		make_log_free(&l);
		if (code != cases[i].code || strstr(out, cases[i].says) == NULL)
			fail_msg("case %zu: exit %d, said:\n%s", i, code, out);
	}
}

static void
quiet_says_only_the_sums(void **state)
{
	static char out[OUTPUT_BYTES];
	struct make_log l;
	char path[32];

	(void)state;
	make(&l, RECEIVE_FIRST);
	tools_log_write(&l, path);
	assert_int_equal(tools_run(check_run, "check", "--quiet", path, out),
	    65);
	assert_null(strstr(out, "violation:"));
	assert_non_null(strstr(out, "violations 1,"));
	unlink(path);
	make_log_free(&l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_plant_is_found),
		cmocka_unit_test(quiet_says_only_the_sums),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
