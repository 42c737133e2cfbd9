/* Of very many pairs those with most messages are listed, in order. */
#include "tests/check.h"

#include <stdlib.h>

#include "tests/unit/make_feed.h"
#include "tests/unit/viewer_ui.h"
#include "ui/views/talk/talkpairs.h"

#define THREADS 512
#define EVENTS  60000

struct known {
	uint64_t count, bytes;
	uint32_t from_po, to_po;
};

static int
by_most(const void *a, const void *b)
{
	const struct known *p = a, *q = b;

	if (p->count != q->count)
		return (p->count < q->count ? 1 : -1);
	if (p->bytes != q->bytes)
		return (p->bytes < q->bytes ? 1 : -1);
	if (p->from_po != q->from_po)
		return (p->from_po < q->from_po ? -1 : 1);
	return (p->to_po < q->to_po ? -1 : p->to_po > q->to_po);
}

/* Of all pairs, sorted. */
static size_t
all_of(const struct model *m, struct known **out)
{
	uint32_t n = model_talks(m), node;
	struct known *v = calloc(n, sizeof(*v));
	struct talk_pair p;
	size_t k = 0;

	assert_non_null(v);
	for (uint32_t i = 0; i < n; i++) {
		model_talk_at(m, i, &p);
		if (p.what != TALK_MESSAGE || p.count == 0)
			continue;
		v[k].count = p.count;
		v[k].bytes = p.bytes;
		(void)model_po(m, p.from, &node, &v[k].from_po);
		(void)model_po(m, p.to, &node, &v[k].to_po);
		k++;
	}
	qsort(v, k, sizeof(*v), by_most);
	*out = v;
	return (k);
}

static void
the_first_of_all_are_kept(void **state)
{
	static struct feed_made f = { .lanes = THREADS, .now = 1000 };
	struct event *e = calloc(EVENTS, sizeof(*e));
	struct model *m = feed_model(THREADS);
	size_t counts[] = { 500, 8000, EVENTS }, n, all, right;
	struct known *known;
	struct talk_row *v;
	struct fixture *x;

	assert_non_null(e);
	f.mix.messages = 100;
	feed_fill(&f, e, EVENTS);
	open_on(state, m, 800, 600);
	x = *state;
	for (size_t i = 0, at = 0; i < 3; at = counts[i++]) {
		model_add_events(m, e + at, counts[i] - at);
		ui_refresh(x->ui, m, &x->ui->feed);
		v = talk_rows(x->ui, false, &n, &all);
		right = all_of(m, &known);
		assert_non_null(v);
		assert_int_equal(all, right);
		assert_int_equal(n,
		    right < TALK_ROWS_MAX ? right : TALK_ROWS_MAX);
		assert_true((i > 0) == (right > TALK_ROWS_MAX));
		for (size_t k = 0; k < n; k++) {
			assert_int_equal(v[k].of[TALK_MESSAGE].count,
			    known[k].count);
			assert_int_equal(v[k].of[TALK_MESSAGE].bytes,
			    known[k].bytes);
			assert_int_equal(v[k].from.po, known[k].from_po);
			assert_int_equal(v[k].to.po, known[k].to_po);
		}
		free(v);
		free(known);
	}
	free(e);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(the_first_of_all_are_kept, teardown),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
