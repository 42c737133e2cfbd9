/*
 * All events of the log in their order.
 *
 * Blocks in order are one source, each late block is another that is opened
 * when its time has come; a heap has the earliest event on top.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fold_inside.h"
#include "log/block.h"

/* A sequence of blocks that follow each other in time. */
struct source {
	const size_t *blocks; /* indices of entries still to come */
	size_t nblocks;
	struct event *events;
	size_t n, at, cap;
	unsigned rank; /* among equal times: file order */
};

int
fold_read(struct store *st, const struct tracefile_entry *e, struct buf *in,
    struct buf *scratch, struct event **events, size_t *cap)
{
	struct msg_block b;
	struct frame f;

	errno = EIO;
	if (e->events == 0 || e->events > BLOCK_EVENTS_MAX)
		return (-1); /* none is written */
	if (e->events > *cap) {
		free(*events);
		*cap = e->events;
		*events = malloc(*cap * sizeof(**events));
		if (*events == NULL) {
			*cap = 0;
			return (-1);
		}
	}
	errno = EIO;
	if (store_frame_at(st, e->offset, in, &f) != 1 ||
	    msg_decode(MSG_block, f.body, f.body_bytes, &b) == -1 ||
	    b.events != e->events || block_read(&b, *events, scratch) == -1)
		return (-1);
	st->closed += e->events;
	if (st->closing != NULL && st->to_close > 0)
		st->closing(st->closing_arg,
		    (unsigned)(st->closed * 100 / st->to_close));
	return (0);
}

/* Reads the source's next block.  1; 0: no more; -1 errno. */
static int
source_fill(struct fold *fo, struct source *s)
{
	const struct tracefile_entry *e;

	if (s->nblocks == 0)
		return (0);
	e = &fo->st->entries.entry[s->blocks[0]];
	s->blocks++;
	s->nblocks--;
	if (fold_read(fo->st, e, &fo->in, &fo->scratch, &s->events, &s->cap) ==
	    -1)
		return (-1);
	s->n = e->events;
	s->at = 0;
	return (1);
}

static bool
before(const struct source *a, const struct source *b)
{
	int64_t ta = a->events[a->at].t_mon_ns, tb = b->events[b->at].t_mon_ns;

	return (ta != tb ? ta < tb : a->rank < b->rank);
}

static void
heap_down(struct fold *fo, size_t i)
{
	struct source *s;
	size_t k;

	for (; (k = 2 * i + 1) < fo->nheap; i = k) {
		if (k + 1 < fo->nheap && before(fo->heap[k + 1], fo->heap[k]))
			k++;
		if (!before(fo->heap[k], fo->heap[i]))
			break;
		s = fo->heap[k];
		fo->heap[k] = fo->heap[i];
		fo->heap[i] = s;
	}
}

static void
heap_push(struct fold *fo, struct source *s)
{
	size_t i = fo->nheap++, up;

	fo->heap[i] = s;
	for (; i > 0; i = up) {
		up = (i - 1) / 2;
		if (!before(fo->heap[i], fo->heap[up]))
			break;
		s = fo->heap[up];
		fo->heap[up] = fo->heap[i];
		fo->heap[i] = s;
	}
}

static void
source_clear(struct source *s)
{
	free(s->events);
	s->events = NULL;
	s->cap = 0;
}

/* Late blocks by the time they begin. */
static int
late_order(const void *a, const void *b, void *entries)
{
	const struct tracefile_entry *all = entries;
	const struct tracefile_entry *x = &all[*(const size_t *)a];
	const struct tracefile_entry *y = &all[*(const size_t *)b];

	if (x->first_mon_ns != y->first_mon_ns)
		return (x->first_mon_ns < y->first_mon_ns ? -1 : 1);
	return (x->offset < y->offset ? -1 : 1);
}

/*
 * sources[0] is the blocks in order, the others are the late ones.  One is
 * opened when nothing earlier can come before its first event.
 */
static int
merge(struct fold *fo, struct source *sources, size_t nsources)
{
	struct source *s;
	size_t opened = 1;
	int rv;

	if ((rv = source_fill(fo, &sources[0])) == -1)
		return (-1);
	if (rv == 1)
		heap_push(fo, &sources[0]);
	for (;;) {
		while (opened < nsources &&
		       (fo->nheap == 0 ||
			   fo->st->entries.entry[sources[opened].blocks[0]]
				   .first_mon_ns <=
			       fo->heap[0]->events[fo->heap[0]->at].t_mon_ns)) {
			if (source_fill(fo, &sources[opened]) != 1)
				return (-1);
			heap_push(fo, &sources[opened++]);
		}
		if (fo->nheap == 0)
			return (0);
		s = fo->heap[0];
		if (fold_event(fo, &s->events[s->at]) == -1)
			return (-1);
		if (++s->at == s->n && (rv = source_fill(fo, s)) != 1) {
			if (rv == -1)
				return (-1);
			source_clear(s);
			fo->heap[0] = fo->heap[--fo->nheap];
		}
		heap_down(fo, 0);
	}
}

/* Sorts the blocks into sources and merges them. */
int
fold_merge(struct fold *fo)
{
	struct store *st = fo->st;
	size_t n = 0, nlate = 0, *order, *late;
	struct source *sources;
	int rv = -1;

	order = calloc(st->blocks + 1, sizeof(*order));
	late = calloc(st->late_blocks + 1, sizeof(*late));
	sources = calloc(st->late_blocks + 1, sizeof(*sources));
	fo->heap = calloc(st->late_blocks + 1, sizeof(struct source *));
	fo->nheap = 0;
	if (order == NULL || late == NULL || sources == NULL ||
	    fo->heap == NULL)
		goto out;
	for (size_t i = 0; i < st->entries.n; i++) {
		if (st->entries.entry[i].type != MSG_block)
			continue;
		if (st->entries.entry[i].late)
			late[nlate++] = i;
		else
			order[n++] = i;
	}
	qsort_r(late, nlate, sizeof(*late), late_order, st->entries.entry);
	sources[0] = (struct source){ .blocks = order, .nblocks = n };
	for (size_t i = 0; i < nlate; i++)
		sources[i + 1] = (struct source){ .blocks = &late[i],
			.nblocks = 1,
			.rank = (unsigned)late[i] };
	rv = merge(fo, sources, nlate + 1);
	for (size_t i = 0; i <= nlate; i++)
		source_clear(&sources[i]);
out:
	free(order);
	free(late);
	free(sources);
	free(fo->heap);
	return (rv);
}
