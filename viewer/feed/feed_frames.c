/*
 * Frames of the log once more, for what the window reads itself (cone.h): from
 * monitord, over a connection of its own, until they are those that come just
 * now; from then on these, so that nothing is missing when monitord is gone.
 */
#include "feed/feed_inside.h"

#include <string.h>

#include "peer.h"

#define WAIT_BYTES ((size_t)16 << 20) /* for the window; a read more */

static void
hang_up(struct frames *r)
{
	peer_close(r->peer, false);
	r->peer = NULL;
	r->resting = false;
}

/* Nothing more comes. */
static void
fail(struct feed *f)
{
	struct frames *r = &f->frames;

	hang_up(r);
	r->following = false;
	pthread_mutex_lock(&f->lock);
	r->failed = true;
	pthread_mutex_unlock(&f->lock);
	feed_wake(f);
}

void
frames_drop(struct feed *f)
{
	struct frames *r = &f->frames;

	hang_up(r);
	pthread_mutex_lock(&f->lock);
	buf_free(&r->in);
	memset(r, 0, sizeof(*r));
	pthread_mutex_unlock(&f->lock);
}

/* False: there is no room for it. */
static bool
keep(struct feed *f, const struct frame *fr, bool *full, bool *all)
{
	struct frames *r = &f->frames;
	bool room;

	pthread_mutex_lock(&f->lock);
	room =
	    buf_add(&r->in, fr->body - FRAME_HEAD_BYTES, fr->frame_bytes) == 0;
	r->at += room ? fr->frame_bytes : 0;
	*full = r->in.n >= WAIT_BYTES;
	*all = r->at >= r->until;
	pthread_mutex_unlock(&f->lock);
	return (room);
}

/* One that the connection has brought. */
static void
take_frame(struct feed *f, const struct frame *fr)
{
	struct frames *r = &f->frames;
	bool full, all;

	if (!keep(f, fr, &full, &all)) {
		fail(f);
		return;
	}
	r->following = r->at == r->now;
	if (r->following || (full && all)) {
		hang_up(r); /* one that rests would hold up monitord's end */
	} else if (full) {
		r->env->ops->read_pause(peer_conn(r->peer), true);
		r->resting = true;
	}
	feed_wake(f);
}

void
frames_follow(struct feed *f, const struct frame *fr, uint64_t offset)
{
	struct frames *r = &f->frames;
	bool full, all;

	r->now = offset + fr->frame_bytes;
	if (r->following && r->at == offset)
		r->following = keep(f, fr, &full, &all) && !full;
}

static int
frames_message(void *arg, unsigned type, const void *msg,
    const struct frame *fr, int64_t at_ns)
{
	struct feed *f = arg;
	struct frames *r = &f->frames;

	(void)at_ns;
	if (type == MSG_welcome)
		return (feed_subscribe(r->peer, msg, &r->run, r->at));
	if (type < MSG_run || type > MSG_symbol)
		return (type == MSG_pulse ? 0 : -1);
	take_frame(f, fr);
	return (0);
}

static void
frames_connected(void *arg)
{
	struct feed *f = arg;

	feed_hello(f->frames.peer, "viewer, causes");
}

static void
frames_closed(void *arg, const char *why)
{
	struct feed *f = arg;

	(void)why; /* the feed's own connection tells */
	f->frames.peer = NULL;
	fail(f);
}

static const struct peer_ops frames_ops = {
	.message = frames_message,
	.connected = frames_connected,
	.closed = frames_closed,
};

/* True: it begins elsewhere than what there is. */
static bool
take_wish(struct frames *r)
{
	bool elsewhere = r->from != r->at - r->in.n;

	r->wanted = r->failed = false;
	r->until = r->now;
	if (elsewhere) {
		r->at = r->from;
		r->in.n = 0;
	}
	return (elsewhere);
}

static void
begin(struct feed *f, bool elsewhere)
{
	struct frames *r = &f->frames;

	if (elsewhere)
		hang_up(r);
	r->following = r->at == r->now;
	if (r->peer == NULL && !r->following) {
		r->peer = peer_connect(r->env, f->address, "monitord, causes",
		    &frames_ops, f);
		if (r->peer == NULL)
			fail(f);
	}
	feed_wake(f);
}

void
frames_take(struct feed *f, struct env *env, const struct uuid *run)
{
	struct frames *r = &f->frames;
	bool wanted, elsewhere = false, room;

	pthread_mutex_lock(&f->lock);
	wanted = r->wanted;
	if (wanted)
		elsewhere = take_wish(r);
	room = r->in.n < WAIT_BYTES;
	pthread_mutex_unlock(&f->lock);
	if (wanted) {
		r->env = env;
		r->run = *run;
		begin(f, elsewhere);
	}
	if (r->resting && room) {
		env->ops->read_pause(peer_conn(r->peer), false);
		r->resting = false;
	}
}

void
feed_want_frames(struct feed *f, uint64_t from)
{
	struct frames *r = &f->frames;

	pthread_mutex_lock(&f->lock);
	r->wanted = true;
	r->from = from;
	pthread_mutex_unlock(&f->lock);
	feed_ask(f);
}

enum feed_frames
feed_frames(struct feed *f, struct buf *out, uint64_t *until)
{
	struct frames *r = &f->frames;
	enum feed_frames got = FRAMES_MORE;

	*out = (struct buf){ 0 };
	pthread_mutex_lock(&f->lock);
	*until = r->until;
	if (!r->wanted) {
		*out = r->in;
		r->in = (struct buf){ 0 };
		got = r->at >= r->until ? FRAMES_END
		      : r->failed       ? FRAMES_FAILED
					: FRAMES_MORE;
	}
	pthread_mutex_unlock(&f->lock);
	if (got == FRAMES_MORE)
		feed_ask(f); /* there is room again */
	return (got);
}
