/* What the rings of each process may grow by, as others come and go. */
#include "tests/check.h"

#include <stdlib.h>
#include <unistd.h>

#include "collector/shell/attach/held.h"
#include "collector/shell/attach/share.h"
#include "collector/shell/system/memlimit.h"

#define MOST 9

static struct held *
process(void)
{
	struct held *h = calloc(1, sizeof(*h));

	assert_non_null(h);
	h->seg = aligned_alloc(64, sizeof(*h->seg));
	assert_non_null(h->seg);
	atomic_store(&h->seg->growth.may, 0);
	h->m.pid = (uint32_t)getpid();
	return (h);
}

static void
process_free(struct held *h)
{
	free(h->seg);
	free(h);
}

/* The same part for each, all of them no more than an eighth of the limit. */
static void
is_fair(struct held *const *h, size_t n, uint64_t parts)
{
	char group[MEMLIMIT_GROUP];
	uint64_t limit = memlimit_of((uint32_t)getpid(), group);

	for (size_t i = 0; i < n; i++)
		assert_int_equal(atomic_load(&h[i]->seg->growth.may),
		    limit / 8 / sizeof(struct ring_record) / parts + 1);
}

static void
each_has_the_same_part(void **state)
{
	static const uint64_t coming[MOST] = { 1, 2, 4, 4, 8, 8, 8, 8, 16 };
	/* of those that are left; a part grows when few want it */
	static const uint64_t going[MOST] = { 0, 4, 8, 8, 16, 16, 16, 16, 16 };
	struct held *h[MOST];
	struct share *all = NULL;

	(void)state;
	for (size_t n = 0; n < MOST; n++) {
		h[n] = process();
		share_join(&all, h[n]);
		is_fair(h, n + 1, coming[n]);
	}
	/* one from the middle, then the oldest: the newest have to be found */
	share_leave(&all, h[4]);
	share_leave(&all, h[4]); /* nothing more */
	process_free(h[4]);
	h[4] = h[0];
	for (size_t n = MOST - 1; n > 0; n--) {
		is_fair(&h[MOST - n], n, going[n]);
		share_leave(&all, h[MOST - n]);
		process_free(h[MOST - n]);
	}
	assert_null(all);
	/* who comes now is alone again */
	h[0] = process();
	share_join(&all, h[0]);
	is_fair(h, 1, 1);
	share_leave(&all, h[0]);
	process_free(h[0]);
	assert_null(all);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_has_the_same_part),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
