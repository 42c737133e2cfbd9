/*
 * A part of the log read once more, for what the model has given up: from the
 * file, or over a connection of its own from monitord.  What is to be seen
 * comes before sums that are to be exact (feed_sums.c).
 */
#include "feed/feed_inside.h"

#include <errno.h>

#include "peer.h"

#define PORTION_BYTES (1 << 20)

static void
say_reading(struct feed *f, bool reading)
{
	pthread_mutex_lock(&f->lock);
	f->status.fetching = reading;
	pthread_mutex_unlock(&f->lock);
	feed_wake(f);
}

void
again_pause(struct feed *f)
{
	bool seen = f->again.of == SUMS_KINDS;

	peer_close(f->again.peer, false);
	f->again.peer = NULL;
	if (f->again.detail == NULL)
		return;
	detail_free(f->again.detail);
	f->again.detail = NULL;
	if (seen)
		say_reading(f, false);
}

/* It cannot be had, whatever it was for. */
static void
again_stop(struct feed *f)
{
	bool reads = f->again.detail != NULL;

	again_pause(f);
	if (reads && f->again.of != SUMS_KINDS)
		again_sums_drop(f, f->again.of);
}

/* It is being read, or cannot be had. */
static void
say_looked(struct feed *f, bool reading)
{
	pthread_mutex_lock(&f->lock);
	f->status.fetching = reading;
	f->status.wanting = f->seen.is; /* another one by now? */
	pthread_mutex_unlock(&f->lock);
	feed_wake(f);
}

/* The window wants to see some of it now; so sums are for later. */
static bool
take_seen(struct feed *f)
{
	struct again *a = &f->again;
	struct wish w;

	pthread_mutex_lock(&f->lock);
	w = f->seen;
	f->seen.is = false;
	pthread_mutex_unlock(&f->lock);
	if (!w.is)
		return (false);
	again_pause(f);
	if (detail_plan(f->model, w.t0, w.t1, detail_most(f->model),
		&a->plan)) {
		a->detail = detail_new(f->model, &a->plan);
		a->of = SUMS_KINDS;
		a->at = a->plan.from;
	}
	say_looked(f, a->detail != NULL);
	return (a->detail != NULL);
}

bool
again_take(struct feed *f)
{
	return (take_seen(f) || again_sums(f));
}

static void
hand_over(struct feed *f)
{
	struct model *old;

	detail_ready(f->again.detail);
	pthread_mutex_lock(&f->lock);
	old = f->detail; /* the window has never seen it */
	f->detail = f->again.detail;
	pthread_mutex_unlock(&f->lock);
	detail_free(old);
	f->again.detail = NULL;
	say_reading(f, false);
}

/* What is wanted next is looked for by whoever waits for wishes. */
static void
part_read(struct feed *f)
{
	if (f->again.of != SUMS_KINDS)
		again_sums_read(f);
	else
		hand_over(f);
	feed_ask(f);
}

/* A frame of that part.  False: it was the last one, or had no room. */
static bool
again_frame(struct feed *f, const struct frame *frame)
{
	struct again *a = &f->again;

	a->at += frame->frame_bytes;
	/* one that is damaged was counted when it was read first */
	if (frame->type == MSG_block &&
	    model_add_frame(a->detail, frame) == -1 && errno == ENOMEM) {
		again_stop(f);
		return (false);
	}
	if (a->at < a->plan.until ||
	    (a->at < a->plan.later && detail_lacks(a->detail)))
		return (true);
	part_read(f);
	return (false);
}

void
again_drop(struct feed *f)
{
	struct model *d;

	again_pause(f);
	again_sums_clear(f);
	pthread_mutex_lock(&f->lock);
	d = f->detail;
	f->detail = NULL;
	f->seen.is = false;
	f->status.wanting = false;
	pthread_mutex_unlock(&f->lock);
	detail_free(d);
}

bool
again_read(struct feed *f)
{
	uint64_t end = f->again.at + PORTION_BYTES, at;
	struct frame frame;

	if (f->again.detail == NULL)
		return (false);
	while (f->again.at < end) {
		at = f->again.at;
		if (tracefile_next(f->file, &at, &frame) != 1) {
			again_stop(f); /* it was there once */
			return (false);
		}
		f->again.at = at - frame.frame_bytes; /* damage is skipped */
		if (!again_frame(f, &frame))
			return (false);
	}
	return (true);
}

/* --- from monitord --- */

static int
again_message(void *arg, unsigned type, const void *msg, const struct frame *fr,
    int64_t at_ns)
{
	struct feed *f = arg;
	struct peer *peer = f->again.peer;

	(void)at_ns;
	if (type == MSG_welcome)
		return (feed_subscribe(peer, msg, &f->again.run, f->again.at));
	if (type < MSG_run || type > MSG_symbol)
		return (type == MSG_pulse ? 0 : -1);
	f->again.peer = NULL; /* closed here */
	if (again_frame(f, fr))
		f->again.peer = peer;
	else
		peer_close(peer, false);
	return (0);
}

static void
again_connected(void *arg)
{
	struct feed *f = arg;

	feed_hello(f->again.peer, "viewer, again");
}

static void
again_closed(void *arg, const char *why)
{
	struct feed *f = arg;

	(void)why; /* the feed's own connection tells */
	f->again.peer = NULL;
	again_stop(f);
}

void
again_connect(struct feed *f, struct env *env, const struct uuid *run)
{
	static const struct peer_ops ops = {
		.message = again_message,
		.connected = again_connected,
		.closed = again_closed,
	};

	f->again.run = *run;
	f->again.peer =
	    peer_connect(env, f->address, "monitord, again", &ops, f);
	if (f->again.peer == NULL)
		again_stop(f);
}
