/* The parts of the reorderer by themselves: table, tournament, sorting. */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "monitord/order/causal/causal.h"
#include "monitord/order/causal/causes.h"
#include "monitord/order/sort.h"
#include "monitord/order/watermark.h"
#include "tests/sim/model.h"

/* The linker sends everybody's calls here (mk/order.mk). */
void *__real_calloc(size_t, size_t);
void *__wrap_calloc(size_t, size_t);

static int calls_left = -1; /* then there is no memory; -1: there always is */

void *
__wrap_calloc(size_t n, size_t k)
{
	if (calls_left == 0)
		return (NULL);
	calls_left -= calls_left > 0;
	return (__real_calloc(n, k));
}

static void
keys_are_as_the_table_says(void **state)
{
	struct event send = { .kind = EV_send, .a = 7, .b = 100 };
	struct event receive = { .kind = EV_receive, .a = 7, .b = 50 };
	struct event release = { .kind = EV_lock_release, .a = 7, .b = 3 };
	struct event acquire = { .kind = EV_lock_acquire, .a = 7, .b = 3 };
	struct event request = { .kind = EV_object_request, .a = 1, .b = 9 };
	struct event create = { .kind = EV_object_create, .a = 2, .b = 9 };
	uint64_t id;

#define ID(e) causes_id(&event_table[(e).kind], &(e))
	(void)state;
	id = ID(send);
	assert_true(id != 0 && id == ID(receive));
	receive.a = 8;
	assert_true(id != ID(receive));
	assert_true(ID(release) == ID(acquire) && ID(release) != id);
	acquire.a = 6;
	assert_true(ID(release) != ID(acquire));
	release.b = 0;
	assert_true(ID(release) == 0);
	assert_true(ID(request) == ID(create));
	create.b = 0;
	assert_true(ID(create) == 0);
	/* one key, two kinds: two spaces */
	send.kind = EV_task_spawn;
	assert_true(ID(send) != id);
#undef ID
}

/* Against a plain list: adding, finding the oldest, removing. */
static void
the_table_is_a_list_by_key(void **state)
{
	struct chance c = { 5 };
	struct causes t;
	struct {
		uint64_t id;
		int64_t t;
	} list[2000];
	size_t n = 0;

	(void)state;
	causes_init(&t, 1 << 16);
	for (int64_t step = 0; step < 60000; step++) {
		/* few keys, in few places: long clusters, many doubles */
		uint64_t id =
		    (chance_below(&c, 500) << 32) + chance_below(&c, 8) + 1;
		struct cause *e = causes_find(&t, id);
		size_t i = 0;

		while (i < n && list[i].id != id)
			i++;
		if (i == n) {
			assert_null(e);
		} else {
			assert_non_null(e);
			assert_int_equal(e->t_mon_ns, list[i].t);
		}
		if (n < 1500 && chance_below(&c, 2) == 0) {
			e = causes_add(&t, id);
			e->t_mon_ns = step;
			list[n].id = id;
			list[n++].t = step;
		} else if (e != NULL) {
			causes_remove(&t, e);
			memmove(&list[i], &list[i + 1],
			    (--n - i) * sizeof(list[0]));
		}
		assert_int_equal(causes_count(&t), n);
	}
	causes_clear(&t);
}

static void
the_oldest_are_forgotten_but_leave_a_trace(void **state)
{
	struct causes t;
	size_t wrong = 0;

	(void)state;
	causes_init(&t, 1000);
	t.traced = true;
	for (uint64_t i = 1; i <= 5000; i++) {
		struct cause *e = causes_add(&t, i * 0x9e3779b97f4a7c15u);

		e->t_mon_ns = (int64_t)i;
		e->known = 1;
		if (i == 17)
			e->waiter = 4; /* somebody waits for more of it */
		assert_true(causes_count(&t) <= 1000);
	}
	assert_non_null(causes_find(&t, 4999 * 0x9e3779b97f4a7c15u));
	assert_null(causes_find(&t, 10 * 0x9e3779b97f4a7c15u));
	assert_non_null(causes_find(&t, 17 * 0x9e3779b97f4a7c15u));
	for (uint64_t i = 1; i <= 3900; i++)
		assert_true(
		    i == 17 || causes_forgotten(&t, i * 0x9e3779b97f4a7c15u));
	for (uint64_t i = 10001; i <= 20000; i++)
		wrong += causes_forgotten(&t, i * 0x9e3779b97f4a7c15u);
	assert_true(wrong < 10);
	assert_true(t.forgotten_ns >= 3900);
	causes_clear(&t);
}

/* Or orphans would pass for effects of what was forgotten, without a mark. */
static void
very_many_traces_are_of_nobody_else(void **state)
{
	const uint64_t n = 1000000;
	struct event send = { .kind = EV_send };
	const struct event_desc *d = &event_table[EV_send];
	struct causes t;

	(void)state;
	causes_init(&t, 1 << 17);
	t.traced = true;
	for (send.a = 1; send.a <= n; send.a++)
		causes_add(&t, causes_id(d, &send))->known = 1;
	assert_true(t.forgotten_n > n - (1 << 17));
	for (send.a = 1; send.a <= t.forgotten_n; send.a += 97)
		assert_true(causes_forgotten(&t, causes_id(d, &send)));
	for (send.a = n + 1; send.a <= n + 100000; send.a++)
		assert_false(causes_forgotten(&t, causes_id(d, &send)));
	/* what is very old is not known, rather than taken for another */
	for (; send.a <= 2 * n + n / 4; send.a++)
		causes_add(&t, causes_id(d, &send))->known = 1;
	send.a = 1;
	assert_false(causes_forgotten(&t, causes_id(d, &send)));
	assert_true(causes_bytes(&t) < 64 << 20);
	causes_clear(&t);
}

static void
the_tournament_knows_the_least(void **state)
{
	struct chance c = { 6 };
	struct watermark w = { 0 };
	int64_t mark[300];

	(void)state;
	assert_true(watermark_min(&w) == WATERMARK_NONE);
	for (size_t i = 0; i < 300; i++)
		mark[i] = WATERMARK_NONE;
	for (size_t step = 0; step < 20000; step++) {
		size_t i = chance_below(&c, 1 + step * 299 / 20000);
		int64_t least = WATERMARK_NONE;

		assert_int_equal(watermark_reserve(&w, i + 1), 0);
		mark[i] = chance_below(&c, 9) == 0
			      ? WATERMARK_NONE
			      : (int64_t)chance_below(&c, 1000);
		watermark_set(&w, i, mark[i]);
		for (size_t k = 0; k < 300; k++)
			least = mark[k] < least ? mark[k] : least;
		assert_int_equal(watermark_min(&w), least);
	}
	watermark_clear(&w);
}

static void
sorting_is_stable(void **state)
{
	static const uint32_t spans[] = { 0, 1, 255, 2047, 65536, 4000000,
		UINT32_MAX };
	struct chance c = { 7 };
	uint64_t keys[6000], tmp[6000];
	struct sort_item items[6000], other[6000];

	(void)state;
	for (size_t s = 0; s < sizeof(spans) / sizeof(spans[0]); s++) {
		for (size_t n = 0; n < 6000; n = n * 2 + 1) {
			struct sort_item *byitem;
			uint64_t *bykey;

			for (size_t i = 0; i < n; i++) {
				uint64_t t =
				    chance_below(&c, (uint64_t)spans[s] + 1);

				keys[i] = t << 32 | i;
				items[i] = (struct sort_item){ (int64_t)t - 9,
					(uint32_t)i, 0 };
			}
			bykey = sort_packed(keys, tmp, n, spans[s]);
			byitem = sort_items(items, other, n);
			for (size_t i = 1; i < n; i++)
				assert_true(bykey[i - 1] < bykey[i]);
			for (size_t i = 0; i < n; i++)
				assert_int_equal(byitem[i].index,
				    (uint32_t)bykey[i]);
		}
	}
}

/*
 * The first ones have their room from the start, and as long as there are free
 * places, want of memory forgets nobody.
 */
static void
the_first_ones_are_kept_without_memory(void **state)
{
	struct causes t;
	uint64_t n = 0;

	(void)state;
	causes_init(&t, 1 << 20);
	assert_int_equal(causes_begin(&t), 0);
	calls_left = 0;
	while (causes_add(&t, (n + 1) * 0x9e3779b97f4a7c15u) != NULL)
		n++;
	calls_left = -1;
	assert_true(n > 800 && n < 1024);
	for (uint64_t i = 0; i < n; i++)
		assert_non_null(causes_find(&t, (i + 1) * 0x9e3779b97f4a7c15u));
	assert_non_null(causes_add(&t, (n + 1) * 0x9e3779b97f4a7c15u));
	assert_int_equal(causes_count(&t), n + 1);
	causes_clear(&t);
	/* and who has no room at the start is told */
	for (int left = 0;; left++) {
		struct doubt d;
		struct causal c;
		int rc;

		doubt_init(&d);
		calls_left = left;
		rc = causal_init(&c, 1, 1 << 20, &d);
		calls_left = -1;
		assert_int_equal(rc, left < 2 ? -1 : 0);
		causal_clear(&c);
		doubt_clear(&d);
		if (rc == 0)
			return;
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_as_the_table_says),
		cmocka_unit_test(the_table_is_a_list_by_key),
		cmocka_unit_test(the_oldest_are_forgotten_but_leave_a_trace),
		cmocka_unit_test(the_first_ones_are_kept_without_memory),
		cmocka_unit_test(very_many_traces_are_of_nobody_else),
		cmocka_unit_test(the_tournament_knows_the_least),
		cmocka_unit_test(sorting_is_stable),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
