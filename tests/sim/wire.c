/*
 * What collectors say, as it leaves them.
 *
 * The watermark of a heartbeat or a batch is a promise: every event before
 * that time has been told.  So no later run of events in the same connection
 * may begin before it, whatever else goes wrong: this is seen here even when
 * nobody waits for the events, so that they would not come too late.
 *
 * And a batch is closed when it is long enough, whatever it consists of: one
 * without a bound works until there is a program that makes it longer than a
 * message may be.
 */
#include "batch.h"
#include "collector/sweep/drain.h"
#include "frame.h"
#include "tests/sim/world_inside.h"

/* What it is closed at, with what the last step may add: a ring, a name. */
#define BATCH_MOST (DRAIN_BATCH_BYTES + (32u << 10))

struct listening {
	struct world *w;
	struct host *host;
	int64_t promised_ns;
};

static int
no_definition(void *arg, const struct frame *f)
{
	(void)arg;
	(void)f;
	return (0);
}

static int
run_of_events(void *arg, uint32_t stream, uint64_t first_seq,
    const struct node_event *ev, size_t n)
{
	struct listening *l = arg;

	if (n == 0 || ev[0].t_node_ns >= l->promised_ns || l->host->set_back ||
	    l->host->clocks > 0)
		return (0);
	l->w->r->violations++;
	wrong(l->w,
	    "%s stream %u: event %llu is told %lld ns behind a watermark",
	    l->host->name, stream, (unsigned long long)first_seq,
	    (long long)(l->promised_ns - ev[0].t_node_ns));
	return (1);
}

static void
length_of(struct listening *l, const struct msg_batch *b)
{
	if (b->streams.n <= BATCH_MOST)
		return;
	l->w->r->violations++;
	wrong(l->w, "%s: batch %llu has %zu bytes", l->host->name,
	    (unsigned long long)b->number, b->streams.n);
}

static void
hear(struct listening *l, const struct frame *f)
{
	static const struct batch_sink sink = { no_definition, run_of_events };
	struct msg_heartbeat beat;
	struct msg_batch batch;
	int64_t mark = INT64_MIN;

	if (f->type == MSG_heartbeat &&
	    msg_decode(f->type, f->body, f->body_bytes, &beat) == 0) {
		mark = beat.watermark_node_ns;
	} else if (f->type == MSG_batch &&
		   msg_decode(f->type, f->body, f->body_bytes, &batch) == 0) {
		batch_decode(batch.streams, &sink, l);
		length_of(l, &batch);
		mark = batch.watermark_node_ns;
	} else if (f->type == MSG_pong) {
		l->host->pongs++;
	} else if (f->type == MSG_finished) {
		absent_told_last(l->host);
	}
	/* a clock that was put back shows times that are passed; so does
	 * another clock, and one connection may tell of both */
	if (l->host->set_back || l->host->clocks > 0)
		l->promised_ns = INT64_MIN;
	else if (mark > l->promised_ns)
		l->promised_ns = mark;
}

void
wire_sent(void *arg, struct env *from, int64_t *promised_ns, const void *data,
    size_t n)
{
	struct world *w = arg;
	struct listening l = { .w = w, .promised_ns = *promised_ns };
	const unsigned char *p = data;
	struct frame f;

	for (size_t i = 0; i < w->hosts_n && l.host == NULL; i++) {
		if (w->hosts[i].env == from)
			l.host = &w->hosts[i];
	}
	if (l.host == NULL)
		return;
	while (n > 0 && frame_parse(p, n, &f) == FRAME_OK) {
		hear(&l, &f);
		p += f.frame_bytes;
		n -= f.frame_bytes;
	}
	*promised_ns = l.promised_ns;
}
