/*
 * The finished log, wholly ordered.
 *
 * While a run lasts, late events go to blocks of their own and blocks are
 * closed early to be seen soon.  At the end the blocks are merged once more:
 * those in order are one source, each late block is another that is opened
 * when its time has come, and out come full blocks behind all definitions.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "store_inside.h"

#define ZSTD_LEVEL 3 /* once, for good */
#define OUT_BYTES  ((size_t)4 << 20)

/* A sequence of blocks that follow each other in time. */
struct source {
	const size_t *blocks; /* indices of entries still to come */
	size_t nblocks;
	struct event *events;
	size_t n, at, cap;
	unsigned rank; /* among equal times: file order */
};

struct fold {
	struct store *st;
	struct env_file *file;
	struct buf in, scratch, out;
	uint64_t bytes; /* written */
	struct block_writer *writer;
	struct tracefile_entry *entries;
	size_t nentries, cap;
	uint64_t events;
	/* open sources as a heap, the earliest event on top */
	struct source **heap;
	size_t nheap;
};

static int
flush_out(struct fold *fo)
{
	ssize_t n;

	n = fo->st->env->ops->write_at(fo->file, fo->out.p, fo->out.n,
	    fo->bytes);
	if (n != (ssize_t)fo->out.n) {
		if (n >= 0)
			errno = ENOSPC;
		return (-1);
	}
	fo->bytes += fo->out.n;
	fo->out.n = 0;
	return (0);
}

/* A frame has been appended from `at` on: index it. */
static int
appended(struct fold *fo, size_t at)
{
	struct tracefile_entry *e;
	struct msg_block b;
	struct frame f;

	if (frame_parse(fo->out.p + at, fo->out.n - at, &f) != FRAME_OK) {
		errno = EINVAL;
		return (-1);
	}
	if (fo->nentries == fo->cap) {
		fo->cap = fo->cap == 0 ? 256 : fo->cap * 2;
		e = realloc(fo->entries, fo->cap * sizeof(*e));
		if (e == NULL)
			return (-1);
		fo->entries = e;
	}
	e = &fo->entries[fo->nentries++];
	*e = (struct tracefile_entry){
		.offset = fo->bytes + at,
		.frame_bytes = (uint32_t)f.frame_bytes,
		.type = (uint8_t)f.type,
	};
	if (f.type == MSG_block &&
	    msg_decode(f.type, f.body, f.body_bytes, &b) == 0) {
		e->events = b.events;
		e->first_mon_ns = b.first_mon_ns;
		e->last_mon_ns = b.last_mon_ns;
		fo->events += b.events;
	}
	return (fo->out.n > OUT_BYTES ? flush_out(fo) : 0);
}

/* Everything but the blocks, as it is. */
static int
copy_definitions(struct fold *fo)
{
	struct store *st = fo->st;
	struct frame f;
	size_t at;

	if (frame_append(&fo->out, MSG_run, &st->run) == -1)
		return (-1);
	for (size_t i = 0; i < st->nentries; i++) {
		if (st->entries[i].type == MSG_block)
			continue;
		if (store_frame_at(st, st->entries[i].offset, &fo->in, &f) !=
		    1) {
			errno = EIO;
			return (-1);
		}
		at = fo->out.n;
		if (buf_add(&fo->out, fo->in.p, f.frame_bytes) == -1 ||
		    appended(fo, at) == -1)
			return (-1);
	}
	return (0);
}

/* Reads the source's next block.  1; 0: no more; -1 errno. */
static int
source_fill(struct fold *fo, struct source *s)
{
	const struct tracefile_entry *e;
	struct msg_block b;
	struct frame f;

	if (s->nblocks == 0)
		return (0);
	e = &fo->st->entries[s->blocks[0]];
	s->blocks++;
	s->nblocks--;
	errno = EIO;
	if (e->events == 0)
		return (-1); /* none is written */
	if (e->events > s->cap) {
		free(s->events);
		s->cap = e->events;
		s->events = malloc(s->cap * sizeof(*s->events));
		if (s->events == NULL)
			return (-1);
	}
	errno = EIO;
	if (store_frame_at(fo->st, e->offset, &fo->in, &f) != 1 ||
	    msg_decode(MSG_block, f.body, f.body_bytes, &b) == -1 ||
	    b.events != e->events ||
	    block_read(&b, s->events, &fo->scratch) == -1)
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

static int
put_block(struct fold *fo)
{
	size_t at = fo->out.n;

	if (block_events(fo->writer) == 0)
		return (0);
	if (block_finish(fo->writer, 0, ZSTD_LEVEL, &fo->out) == -1)
		return (-1);
	return (appended(fo, at));
}

static int
put_event(struct fold *fo, struct event *e)
{
	if (block_add(fo->writer, e) == 0)
		return (0);
	if (put_block(fo) == -1)
		return (-1);
	return (block_add(fo->writer, e));
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
			   fo->st->entries[sources[opened].blocks[0]]
				   .first_mon_ns <=
			       fo->heap[0]->events[fo->heap[0]->at].t_mon_ns)) {
			if (source_fill(fo, &sources[opened]) != 1)
				return (-1);
			heap_push(fo, &sources[opened++]);
		}
		if (fo->nheap == 0)
			return (0);
		s = fo->heap[0];
		if (put_event(fo, &s->events[s->at]) == -1)
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
static int
merge_blocks(struct fold *fo)
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
	for (size_t i = 0; i < st->nentries; i++) {
		if (st->entries[i].type != MSG_block)
			continue;
		if (st->entries[i].late)
			late[nlate++] = i;
		else
			order[n++] = i;
	}
	qsort_r(late, nlate, sizeof(*late), late_order, st->entries);
	sources[0] = (struct source){ .blocks = order, .nblocks = n };
	for (size_t i = 0; i < nlate; i++)
		sources[i + 1] = (struct source){ .blocks = &late[i],
			.nblocks = 1,
			.rank = (unsigned)late[i] };
	rv = merge(fo, sources, nlate + 1);
	if (rv == 0)
		rv = put_block(fo);
	for (size_t i = 0; i <= nlate; i++)
		source_clear(&sources[i]);
out:
	free(order);
	free(late);
	free(sources);
	free(fo->heap);
	return (rv);
}

struct env_file *
store_fold(struct store *st, const char *path,
    const struct msg_receipt *receipt)
{
	const struct env_ops *ops = st->env->ops;
	struct fold fo = { .st = st };
	bool good = false;
	int saved;

	fo.file =
	    ops->open(st->env, path, ENV_WRITE | ENV_CREATE | ENV_TRUNCATE);
	if (fo.file == NULL)
		return (NULL);
	fo.writer = block_writer_new();
	if (fo.writer == NULL || copy_definitions(&fo) == -1 ||
	    merge_blocks(&fo) == -1 || flush_out(&fo) == -1)
		goto out;
	if (fo.events != st->events) {
		errno = EIO; /* never replace a log by less */
		goto out;
	}
	good = tracefile_tail(fo.entries, fo.nentries, fo.bytes, fo.events,
		   receipt, &fo.out) != -1 &&
	       flush_out(&fo) == 0 && ops->sync(fo.file) == 0;
out:
	saved = errno;
	block_writer_free(fo.writer);
	buf_free(&fo.in);
	buf_free(&fo.scratch);
	buf_free(&fo.out);
	free(fo.entries);
	if (!good) {
		ops->file_close(fo.file);
		ops->unlink(st->env, path);
		fo.file = NULL;
	}
	errno = saved;
	return (fo.file);
}
