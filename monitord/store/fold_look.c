/*
 * Has the log causes of what was let go without them?
 *
 * Two passes over its blocks, in any order: which effects these are, and
 * whether there are such causes.  A log without them need not be written anew.
 */
#include <errno.h>
#include <stdlib.h>

#include "fold_inside.h"

#define HELD_EVENTS ((size_t)4 << 20) /* 256 MB; what happens in a second */

typedef int look_event(struct mend *, const struct event *);

static int
look_want(struct mend *m, const struct event *e)
{
	return (mend_want(m, e));
}

static int
look_count(struct mend *m, const struct event *e)
{
	mend_count(m, e);
	return (0);
}

static int
look(struct store *st, struct mend *m, look_event *each)
{
	struct buf in = { 0 }, scratch = { 0 };
	struct event *events = NULL;
	size_t cap = 0;
	int rv = 0;

	for (size_t i = 0; rv == 0 && i < st->entries.n; i++) {
		const struct tracefile_entry *e = &st->entries.entry[i];

		if (e->type != MSG_block)
			continue;
		rv = fold_read(st, e, &in, &scratch, &events, &cap);
		for (size_t k = 0; rv == 0 && k < e->events; k++)
			rv = each(m, &events[k]);
	}
	buf_free(&in);
	buf_free(&scratch);
	free(events);
	return (rv);
}

int
store_look(struct store *st, struct mend **mend)
{
	struct mend *m = mend_new(HELD_EVENTS);

	*mend = NULL;
	if (m == NULL || look(st, m, look_want) == -1 ||
	    look(st, m, look_count) == -1) {
		mend_free(m);
		return (-1);
	}
	if (mend_needed(m))
		*mend = m;
	else
		mend_free(m);
	return (0);
}
