/*
 * The order of frames in a log.
 *
 * One pass over the file, a handler for each type of frame.  Nothing is
 * believed that can be seen: the index is compared with where the frames are,
 * the summary of a block with its events.
 */
#include "structure.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "intmap.h"

struct walk {
	struct structure *s;
	structure_violation_cb *cb;
	void *arg;
	uint64_t offset; /* of the frame */
	struct intmap
	    threads; /* location + 1 to 1 + its next sequence number */
	struct intmap nodes;
	int64_t last_mon_ns; /* of blocks in order */
	struct tracefile_entry *seen;
	size_t nseen, cap;
	bool index;
	struct buf scratch;
};

__attribute__((format(printf, 2, 3))) static void
violation(struct walk *w, const char *fmt, ...)
{
	char text[400];
	va_list ap;
	int n;

	w->s->violations++;
	n = snprintf(text, sizeof(text), "offset %" PRIu64 ": ", w->offset);
	va_start(ap, fmt);
	vsnprintf(text + n, sizeof(text) - (size_t)n, fmt, ap);
	va_end(ap);
	w->cb(w->arg, text);
}

static int
put(struct intmap *m, uint64_t key, uintptr_t value)
{
	if (intmap_reserve(m) == -1)
		return (-1);
	intmap_put(m, key,
	    (void *)value); /* NOLINT(performance-no-int-to-ptr) */
	return (0);
}

static int
decode(struct walk *w, const struct frame *f, void *msg)
{
	if (msg_decode(f->type, f->body, f->body_bytes, msg) == 0)
		return (0);
	violation(w, "a %s that cannot be read", msg_name(f->type));
	return (-1);
}

static int
on_run(struct walk *w, const struct frame *f)
{
	struct msg_run m;

	if (decode(w, f, &m) == 0 && m.version != TRACEFILE_VERSION)
		violation(w, "a log of version %u, this program knows %u",
		    m.version, TRACEFILE_VERSION);
	if (w->s->frames != 0)
		violation(w, "another head in the middle of the log");
	return (0);
}

static int
on_node(struct walk *w, const struct frame *f)
{
	struct msg_node m;

	return (decode(w, f, &m) == -1 ? 0 : put(&w->nodes, m.node + 1ull, 1));
}

static int
on_thread(struct walk *w, const struct frame *f)
{
	struct msg_thread m;

	if (decode(w, f, &m) == -1)
		return (0);
	if (m.node != 0 && intmap_find(&w->nodes, m.node + 1ull) == NULL)
		violation(w, "location %u is on node %u, which is not defined",
		    m.location, m.node);
	if (intmap_find(&w->threads, m.location + 1ull) != NULL)
		return (0); /* defined again, with a name perhaps */
	return (put(&w->threads, m.location + 1ull, 1));
}

/*
 * Comes right behind the lane of the same location in the block before, or
 * tells of what is missing: whether its count is right is seen event by event.
 */
static int
lane_follows(struct walk *w, const struct block_lane *l)
{
	uintptr_t next =
	    (uintptr_t)intmap_find(&w->threads, l->location + 1ull);

	if (next == 0 && l->location != 0)
		violation(w,
		    "a block has events of location %u, which is not defined "
		    "before it",
		    l->location);
	else if (next != 0 && (l->first_seq < next - 1 ||
				  (l->first_seq > next - 1 &&
				      l->class_events[CLASS_monitor] == 0)))
		violation(w,
		    "location %u goes on with event %" PRIu64
		    ", should be %" PRIuPTR,
		    l->location, l->first_seq, next - 1);
	return (put(&w->threads, l->location + 1ull,
	    (uintptr_t)(l->first_seq + l->events) + 1));
}

/* What the summary says, taken away event by event, must leave nothing. */
static bool
take_away(struct block_lane *lanes, const struct intmap *of,
    const struct event *e, struct block_lane *seen)
{
	uintptr_t i = (uintptr_t)intmap_find(of, e->location + 1ull);
	const struct event_desc *d = event_desc(e->kind);
	struct block_lane *l = &lanes[i - 1], *s = &seen[i - 1];

	if (i == 0 || l->events == s->events)
		return (false);
	if (s->events++ == 0) {
		if (e->seq != l->first_seq || e->t_mon_ns != l->first_mon_ns)
			return (false);
	}
	s->last_mon_ns = e->t_mon_ns;
	if (d != NULL)
		s->class_events[d->class]++;
	return (true);
}

static bool
summary_is_true(struct block_lane *lanes, size_t n, const struct event *e,
    const struct msg_block *b, const struct intmap *of, struct block_lane *seen)
{
	for (uint32_t i = 0; i < b->events; i++)
		if (!take_away(lanes, of, &e[i], seen))
			return (false);
	for (size_t i = 0; i < n; i++) {
		if (seen[i].events != lanes[i].events ||
		    seen[i].last_mon_ns != lanes[i].last_mon_ns)
			return (false);
		/* kinds that this program does not know are not counted */
		for (int k = 0; k < EVENT_CLASSES; k++)
			if (seen[i].class_events[k] > lanes[i].class_events[k])
				return (false);
	}
	return (true);
}

/* The events of a block, beside its summary. */
static int
contents_agree(struct walk *w, const struct msg_block *b,
    struct block_lane *lanes, size_t n)
{
	struct event *e = calloc(b->events + 1ul, sizeof(*e));
	struct block_lane *seen = calloc(n + 1, sizeof(*seen));
	struct intmap of = { 0 };
	int r = -1;

	if (e == NULL || seen == NULL)
		goto out;
	for (size_t i = 0; i < n; i++)
		if (put(&of, lanes[i].location + 1ull, i + 1) == -1)
			goto out;
	r = 0;
	if (block_read(b, e, &w->scratch) == -1) {
		r = errno == ENOMEM ? -1 : 0;
		violation(w, "a block whose events cannot be read");
		goto out;
	}
	if (!summary_is_true(lanes, n, e, b, &of, seen))
		violation(w, "a block whose summary does not agree with its "
			     "events");
	for (uint32_t i = 0; b->late && i < b->events; i++)
		if ((e[i].flags & EVENT_LATE) == 0) {
			violation(w, "a late block with events that are not "
				     "marked as late");
			break;
		}
out:
	intmap_free(&of);
	free(seen);
	free(e);
	return (r);
}

static int
lanes_follow(struct walk *w, const struct msg_block *b)
{
	struct block_lane *lanes;
	uint64_t events = 0;
	size_t n;
	int r = 0;

	if (block_read_lanes(b, &lanes, &n) == -1) {
		if (errno == ENOMEM)
			return (-1);
		violation(w, "a block whose summary cannot be read");
		return (0);
	}
	for (size_t i = 0; r == 0 && i < n; i++) {
		events += lanes[i].events;
		if (lanes[i].first_mon_ns < b->first_mon_ns ||
		    lanes[i].last_mon_ns > b->last_mon_ns)
			violation(w,
			    "a block whose summary names times outside it");
		r = lane_follows(w, &lanes[i]);
	}
	if (events != b->events)
		violation(w, "a block of %u events whose summary has %" PRIu64,
		    b->events, events);
	else if (r == 0 && b->events <= BLOCK_EVENTS_MAX)
		r = contents_agree(w, b, lanes, n);
	free(lanes);
	return (r);
}

static int
on_block(struct walk *w, const struct frame *f)
{
	struct msg_block b;

	if (decode(w, f, &b) == -1)
		return (0);
	w->s->blocks++;
	w->s->late_blocks += b.late != 0;
	w->s->events += b.events;
	if (b.first_mon_ns > b.last_mon_ns)
		violation(w, "a block that ends before it begins");
	if (!b.late && w->s->blocks > w->s->late_blocks + 1 &&
	    b.first_mon_ns < w->last_mon_ns)
		violation(w, "a block that begins before the last one ended");
	if (!b.late)
		w->last_mon_ns = b.last_mon_ns;
	return (lanes_follow(w, &b));
}

static bool
same_entry(const struct tracefile_entry *a, const struct tracefile_entry *b)
{
	return (a->offset == b->offset && a->frame_bytes == b->frame_bytes &&
		a->type == b->type && a->events == b->events &&
		a->late == b->late && a->first_mon_ns == b->first_mon_ns &&
		a->last_mon_ns == b->last_mon_ns);
}

/* The index says of every definition and block where it is. */
static int
on_index(struct walk *w, const struct frame *f)
{
	struct tracefile_entry *e;
	struct msg_index m;
	size_t n, i = 0;

	if (decode(w, f, &m) == -1)
		return (0);
	w->index = true;
	if (m.log_bytes != w->offset || m.events != w->s->events)
		violation(w,
		    "the index is for %" PRIu64 " bytes and %" PRIu64
		    " events, there are %" PRIu64 " and %" PRIu64,
		    m.log_bytes, m.events, w->offset, w->s->events);
	if (tracefile_index_decode(m.entries, &e, &n) == -1) {
		if (errno == ENOMEM)
			return (-1);
		violation(w, "an index that cannot be read");
		return (0);
	}
	while (i < n && i < w->nseen && same_entry(&e[i], &w->seen[i]))
		i++;
	if (i < n && i < w->nseen)
		violation(w,
		    "the index says of its entry %zu: %s at offset %" PRIu64
		    ", there is %s at offset %" PRIu64
		    " (or it is of another length, time or number of events)",
		    i, msg_name(e[i].type), e[i].offset,
		    msg_name(w->seen[i].type), w->seen[i].offset);
	else if (n != w->nseen)
		violation(w, "the index has %zu entries, there are %zu", n,
		    w->nseen);
	free(e);
	return (0);
}

static int
on_receipt(struct walk *w, const struct frame *f)
{
	struct msg_receipt m;

	if (decode(w, f, &m) == -1)
		return (0);
	if (!w->index)
		violation(w, "a receipt without an index before it");
	if (w->s->late_blocks > 0)
		violation(w, "a finished log with %" PRIu64 " late blocks",
		    w->s->late_blocks);
	w->s->finished = true;
	return (0);
}

static int (*const handlers[MSG_TYPES])(struct walk *, const struct frame *) = {
	[MSG_run] = on_run,
	[MSG_node] = on_node,
	[MSG_thread] = on_thread,
	[MSG_block] = on_block,
	[MSG_index] = on_index,
	[MSG_receipt] = on_receipt,
};

/* What is in the index, and how it should be there. */
static bool
indexed(unsigned type)
{
	switch (type) {
	case MSG_kind:
	case MSG_node:
	case MSG_po:
	case MSG_thread:
	case MSG_name:
	case MSG_segment:
	case MSG_module:
	case MSG_symbol:
	case MSG_block:
		return (true);
	default:
		return (false);
	}
}

static int
remember(struct walk *w, const struct frame *f)
{
	struct tracefile_entry *e, *more;
	struct msg_block b;

	if (!indexed(f->type))
		return (0);
	if (w->nseen == w->cap) {
		w->cap = w->cap == 0 ? 64 : w->cap * 2;
		more = realloc(w->seen, w->cap * sizeof(*more));
		if (more == NULL)
			return (-1);
		w->seen = more;
	}
	e = &w->seen[w->nseen];
	*e = (struct tracefile_entry){ .offset = w->offset,
		.frame_bytes = (uint32_t)f->frame_bytes,
		.type = (uint8_t)f->type };
	if (f->type == MSG_block) {
		if (msg_decode(MSG_block, f->body, f->body_bytes, &b) == -1)
			return (0);
		e->events = b.events;
		e->late = b.late;
		e->first_mon_ns = b.first_mon_ns;
		e->last_mon_ns = b.last_mon_ns;
	}
	w->nseen++;
	return (0);
}

static int
walk(struct walk *w, struct tracefile *tf)
{
	uint64_t offset = 0;
	struct frame f;
	int r;

	while ((r = tracefile_next(tf, &offset, &f)) == 1) {
		w->offset = offset - f.frame_bytes;
		if (w->s->frames == 0 && f.type != MSG_run)
			violation(w, "a log begins with its head, not %s",
			    msg_name(f.type));
		if (w->s->finished)
			violation(w, "%s behind the receipt", msg_name(f.type));
		if (f.type < MSG_TYPES && handlers[f.type] != NULL &&
		    handlers[f.type](w, &f) == -1)
			return (-1);
		if (remember(w, &f) == -1)
			return (-1);
		w->s->frames++;
	}
	w->offset = offset;
	if (r == 0 && offset < tracefile_bytes(tf))
		violation(w, "%" PRIu64 " bytes that are no whole frame",
		    tracefile_bytes(tf) - offset);
	if (tracefile_damaged_bytes(tf) > 0)
		violation(w, "%" PRIu64 " damaged bytes so far",
		    tracefile_damaged_bytes(tf));
	return (r);
}

int
structure_check(struct tracefile *tf, structure_violation_cb *cb, void *arg,
    struct structure *s)
{
	struct walk w = { .s = s, .cb = cb, .arg = arg };
	int r, saved;

	*s = (struct structure){ 0 };
	r = walk(&w, tf);
	saved = errno;
	intmap_free(&w.threads);
	intmap_free(&w.nodes);
	free(w.seen);
	buf_free(&w.scratch);
	errno = saved;
	return (r);
}
