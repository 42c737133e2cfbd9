/*
 * See cone.h.
 *
 * What happens before what is logical/'s affair; it names events by thread and
 * number.  To come from an instant to such a name, and back, the events that
 * are causes or effects of others are kept with their times: only these are
 * ends of a cone on other threads, and between two of them nothing changes.
 */
#include "feed/cone.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "log/tracefile.h"
#include "logical/logical.h"

/* A cause or an effect. */
struct moment {
	uint64_t seq;
	int64_t t_mon_ns;
};

struct thread {
	struct moment *moment;
	uint32_t n, cap;
	int64_t past, future; /* of the answer */
};

/* What was brought. */
struct brought {
	bool wanted; /* a wish that has not been taken */
	struct buf in;
	size_t used;
	uint64_t until; /* of the log, is to come */
	enum feed_frames got;
};

struct cone {
	struct tracefile *file; /* NULL: it is brought */
	struct brought brought;
	struct logical *logical;
	struct event *events; /* of a block */
	struct buf scratch;
	struct thread *thread; /* by location */
	uint32_t nthreads;
	uint64_t at, bytes; /* read so far; kept of it */

	bool asked;
	uint32_t location;
	int64_t t_mon_ns;
	uint64_t max_bytes;
	char why[128];
};

struct cone *
cone_open(const char *path, char *why, size_t n)
{
	struct cone *c = calloc(1, sizeof(*c));
	const char *say = "out of memory";

	if (c != NULL) {
		c->logical = logical_new();
		c->events = malloc(BLOCK_EVENTS_MAX * sizeof(*c->events));
		if (path != NULL)
			c->file = tracefile_open(path, &say);
	}
	if (c == NULL || c->logical == NULL || c->events == NULL ||
	    (path != NULL && c->file == NULL)) {
		snprintf(why, n, "%s: %s", path != NULL ? path : "causes", say);
		cone_close(c);
		return (NULL);
	}
	return (c);
}

void
cone_close(struct cone *c)
{
	if (c == NULL)
		return;
	if (c->file != NULL)
		tracefile_close(c->file);
	logical_free(c->logical);
	for (uint32_t i = 0; i < c->nthreads; i++)
		free(c->thread[i].moment);
	free(c->thread);
	free(c->events);
	buf_free(&c->scratch);
	buf_free(&c->brought.in);
	free(c);
}

void
cone_ask(struct cone *c, uint32_t location, int64_t t, uint64_t max_bytes)
{
	c->asked = true;
	c->location = location;
	c->t_mon_ns = t;
	c->max_bytes = max_bytes;
	c->why[0] = '\0';
	if (c->file != NULL)
		tracefile_refresh(c->file);
	else
		c->brought.wanted = true;
}

/* Cannot be told. */
static void
give_up(struct cone *c, const char *why)
{
	snprintf(c->why, sizeof(c->why), "%s", why);
	c->asked = false;
}

/* The thread of a location; NULL: memory is out. */
static struct thread *
thread_of(struct cone *c, uint32_t location)
{
	uint32_t n = location + 1;
	struct thread *more;

	if (location < c->nthreads)
		return (&c->thread[location]);
	n = n < 2 * c->nthreads ? 2 * c->nthreads : n;
	more = reallocarray(c->thread, n, sizeof(*more));
	if (more == NULL)
		return (NULL);
	memset(more + c->nthreads, 0, (n - c->nthreads) * sizeof(*more));
	c->thread = more;
	c->nthreads = n;
	return (&c->thread[location]);
}

static bool
keep(struct cone *c, const struct event *e)
{
	struct thread *t = thread_of(c, e->location);
	struct moment *more;
	uint32_t cap;

	if (t == NULL)
		return (false);
	if (t->n == t->cap) {
		cap = t->cap < 16 ? 16 : t->cap + t->cap / 2;
		more = reallocarray(t->moment, cap, sizeof(*more));
		if (more == NULL)
			return (false);
		c->bytes += (cap - t->cap) * sizeof(*more);
		t->moment = more;
		t->cap = cap;
	}
	t->moment[t->n++] = (struct moment){ e->seq, e->t_mon_ns };
	return (true);
}

/* False: memory is out. */
static bool
take(struct cone *c, const struct event *e)
{
	const struct event_desc *d = event_desc(e->kind);

	if (logical_add(c->logical, e, d) == -1)
		return (errno == EINVAL); /* late: it is left out */
	return (d == NULL || d->role == ROLE_NONE || keep(c, e));
}

static void
take_block(struct cone *c, const struct frame *f)
{
	uint32_t most = tracefile_number_max(c->at);
	struct logical_stats st;
	struct msg_block b;

	if (msg_decode(MSG_block, f->body, f->body_bytes, &b) == -1 ||
	    b.events > BLOCK_EVENTS_MAX ||
	    block_read(&b, c->events, &c->scratch) == -1)
		return; /* damaged: the feed has counted it */
	for (uint32_t i = 0; i < b.events; i++)
		if (c->events[i].location <= most && !take(c, &c->events[i])) {
			give_up(c, "out of memory: causes cannot be told");
			return;
		}
	logical_stats(c->logical, &st);
	if (st.bytes + c->bytes > c->max_bytes)
		give_up(c, "too many links for causes: allow more --memory");
}

/* The last moment up to t, way -1, or the first from t on; NULL: none. */
static const struct moment *
near(const struct thread *t, int64_t at, int way)
{
	uint32_t lo = 0, hi = t->n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (t->moment[mid].t_mon_ns < at ||
		    (way < 0 && t->moment[mid].t_mon_ns == at))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (way < 0)
		return (lo > 0 ? &t->moment[lo - 1] : NULL);
	return (lo < t->n ? &t->moment[lo] : NULL);
}

/* When an event of that number was, or the one nearest to it. */
static int64_t
time_of(const struct thread *t, uint64_t seq)
{
	uint32_t lo = 0, hi = t->n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (t->moment[mid].seq < seq)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (t->moment[lo < t->n ? lo : t->n - 1].t_mon_ns);
}

/* One side of the answer. */
static bool
cut(struct cone *c, const struct moment *m, int way, struct logical_cut *out)
{
	struct logical_event e;
	size_t n = logical_locations(c->logical);

	if (m == NULL)
		return (true); /* it has neither causes nor effects there */
	e = (struct logical_event){ c->location, m->seq };
	if ((way < 0 ? logical_past_cut : logical_future_cut)(c->logical, e,
		out) == -1)
		return (false);
	for (size_t i = 0; i < n; i++) {
		struct thread *t;

		if (!out[i].any || out[i].location >= c->nthreads)
			continue;
		t = &c->thread[out[i].location];
		if (t->n == 0)
			continue;
		if (way < 0)
			t->past = time_of(t, out[i].seq);
		else
			t->future = time_of(t, out[i].seq);
	}
	return (true);
}

static void
answer(struct cone *c)
{
	size_t n = logical_locations(c->logical);
	struct logical_cut *out = calloc(n + 1, sizeof(*out));
	struct thread *own = thread_of(c, c->location);
	bool ok = out != NULL && own != NULL;

	assert(c->thread != NULL || c->nthreads == 0);
	for (uint32_t i = 0; i < c->nthreads; i++) {
		c->thread[i].past = INT64_MIN;
		c->thread[i].future = INT64_MAX;
	}
	ok = ok && cut(c, near(own, c->t_mon_ns, -1), -1, out) &&
	     cut(c, near(own, c->t_mon_ns, 1), 1, out);
	free(out);
	if (!ok) {
		give_up(c, "out of memory: causes cannot be told");
		return;
	}
	own->past = own->future = c->t_mon_ns;
	c->asked = false;
}

/* 1: a frame, 0: there is no more; -1: it is not to be had. */
static int
next_frame(struct cone *c, struct frame *f)
{
	struct brought *b = &c->brought;

	if (c->file != NULL)
		return (tracefile_next(c->file, &c->at, f));
	if (b->used == b->in.n)
		return (b->got == FRAMES_END ? 0 : -1);
	if (frame_parse(b->in.p + b->used, b->in.n - b->used, f) != FRAME_OK)
		return (-1);
	b->used += f->frame_bytes;
	c->at += f->frame_bytes;
	return (1);
}

bool
cone_step(struct cone *c)
{
	struct frame f;
	int got;

	if (!c->asked || cone_hungry(c))
		return (false);
	got = next_frame(c, &f);
	if (got == -1)
		give_up(c,
		    c->file != NULL
			? "the log cannot be read again"
			: "causes are read from the log, and monitord, which "
			  "has it, is gone: open it with viewer FILE");
	else if (got == 0)
		answer(c);
	else if (f.type == MSG_block)
		take_block(c, &f);
	return (true);
}

bool
cone_wants(struct cone *c, uint64_t *from)
{
	if (c == NULL || !c->brought.wanted)
		return (false);
	c->brought.wanted = false;
	c->brought.got = FRAMES_MORE; /* than there were when it was asked */
	*from = c->at + c->brought.in.n - c->brought.used;
	return (true);
}

bool
cone_hungry(const struct cone *c)
{
	return (cone_busy(c) && c->file == NULL &&
		c->brought.used == c->brought.in.n &&
		(c->brought.wanted || c->brought.got == FRAMES_MORE));
}

void
cone_bring(struct cone *c, struct buf *in, uint64_t until, enum feed_frames got)
{
	struct brought *b = &c->brought;

	buf_free(&b->in);
	b->in = *in;
	b->used = 0;
	b->until = until;
	b->got = got;
}

bool
cone_busy(const struct cone *c)
{
	return (c != NULL && c->asked);
}

unsigned
cone_percent(const struct cone *c)
{
	uint64_t all =
	    c->file != NULL ? tracefile_bytes(c->file) : c->brought.until;

	return (all > 0 ? (unsigned)(c->at * 100 / all) : 0);
}

const char *
cone_why(const struct cone *c)
{
	return (c->why);
}

void
cone_cut(const struct cone *c, uint32_t location, int64_t *past,
    int64_t *future)
{
	*past = INT64_MIN;
	*future = INT64_MAX;
	if (location >= c->nthreads)
		return;
	*past = c->thread[location].past;
	*future = c->thread[location].future;
}
