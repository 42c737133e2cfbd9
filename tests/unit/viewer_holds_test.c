/*
 * A lock that is not given up: held until its process ends, or as far as
 * anybody knows: records of its holder are missing, or none are made of locks.
 */
#include "tests/check.h"

#include <string.h>

#include "tests/unit/make_model.h"
#include "ui/desk/desk.h"

#define US   1000
#define LOCK 0x77

enum {
	PROCESS,
	OWNER,
	OTHER,
	THREADS
};

struct run {
	struct make_log l;
	uint32_t at[THREADS], till;
};

static void
holds_begin(struct run *r)
{
	memset(r, 0, sizeof(*r));
	make_log_head(&r->l, "holds");
	make_log_node(&r->l, 1, "n1");
	make_log_po(&r->l, 1, 1, "shop");
	r->at[PROCESS] = make_log_thread(&r->l, 1, 1, 0, "");
	r->at[OWNER] = make_log_thread(&r->l, 1, 1, 1, "owner");
	r->at[OTHER] = make_log_thread(&r->l, 1, 1, 2, "other");
	r->till = make_log_name(&r->l, "till");
}

#define E(who, kind, us, a, b, c)                                              \
	make_log_event(&r.l, r.at[who], EV_##kind, (us)*US, a, b, c)

/* "held 100-400, lost 400-500, free 500-", in us */
static void
holds_are(struct run *r, const char *expected)
{
	struct model *m;
	struct span s[16];
	uint32_t lock = 0;
	char text[400] = "";
	size_t n, at = 0;

	make_log_sort(&r->l);
	m = make_model(&r->l);
	while (model_lane(m, lock)->kind != LANE_LOCK)
		lock++;
	n = model_lane_spans(m, lock, 0, 5000 * US, s, 16);
	for (size_t i = 0; i < n; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
		    "%s%s %d-%d", i == 0 ? "" : ", ",
		    s[i].id != 0              ? "held"
		    : s[i].class == LANE_lost ? "lost"
					      : "free",
		    (int)(s[i].t0_mon_ns / US),
		    s[i].t1_mon_ns == INT64_MAX ? -1
						: (int)(s[i].t1_mon_ns / US));
	assert_string_equal(text, expected);
	model_free(m);
}

static void
a_loss_of_its_holder_ends_it(void **state)
{
	struct run r;

	(void)state;
	holds_begin(&r);
	E(OWNER, lock_acquire, 100, LOCK, 0, r.till);
	E(OWNER, note, 200, 0, 0, 0);
	E(OTHER, lost, 250, 3, 3, LOST_RING_FULL); /* not of him */
	E(OWNER, lost, 300, 3, 3, LOST_RING_FULL);
	E(OTHER, lock_acquire, 400, LOCK, 1, r.till);
	E(OTHER, lock_release, 450, LOCK, 2, r.till);
	E(OWNER, note, 600, 0, 0, 0);
	holds_are(&r, "held 100-200, lost 200-400, held 400-450");
}

static void
locks_switched_off_end_it(void **state)
{
	const uint64_t all = UINT32_MAX, lock = UINT64_C(1) << CLASS_lock;
	struct run r;

	(void)state;
	holds_begin(&r);
	E(OWNER, lock_acquire, 100, LOCK, 0, r.till);
	E(PROCESS, choice, 150, all & ~UINT64_C(2), all, 0); /* no tasks */
	E(PROCESS, choice, 200, all & ~lock, all, 0);
	E(PROCESS, choice, 300, all, all & ~lock, 0);
	/* it has been given up, and nobody knows when */
	E(OWNER, lock_release, 350, LOCK, 1, r.till);
	E(OWNER, lock_acquire, 400, LOCK, 1, r.till);
	E(OTHER, muted, 420, lock, 0, 0); /* not he */
	E(OWNER, muted, 450, lock, 0, 0);
	E(OWNER, muted, 500, 0, lock, 0);
	E(OTHER, lock_acquire, 600, LOCK, 2, r.till);
	E(OWNER, muted, 700, lock, 0, 1); /* of the process */
	E(OWNER, note, 800, 0, 0, 0);
	holds_are(&r, "held 100-200, lost 200-350, held 400-450, "
		      "lost 450-600, held 600-700, lost 700--1");
}

static void
it_ends_with_its_process(void **state)
{
	struct run r;

	(void)state;
	holds_begin(&r);
	E(OWNER, lock_acquire, 100, LOCK, 0, r.till);
	E(OWNER, thread_end, 200, 5, 0, 0);
	E(OTHER, note, 800, 0, 0, 0);
	E(PROCESS, po_end, 900, 1, 1, 0);
	E(PROCESS, lost, 1000, 1, 1, LOST_GONE);
	holds_are(&r, "held 100-900");
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_loss_of_its_holder_ends_it),
		cmocka_unit_test(locks_switched_off_end_it),
		cmocka_unit_test(it_ends_with_its_process),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
