/*
 * Viewers and exporters.
 *
 * A stream is an offset into the log.  It sends whole frames read back from
 * the file while less than QUEUE_BYTES wait in its connection, and goes on
 * when these have drained.  The place in the file is the only thing that
 * grows.
 */
#include "stream.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "inside.h"
#include "log.h"

#define QUEUE_BYTES ((size_t)256 << 10)
#define CHUNK_BYTES ((size_t)128 << 10)

struct stream {
	TAILQ_ENTRY(stream) entry;
	struct monitord_core *core;
	struct guest *guest;
	bool subscribed, receipt_sent;
	uint64_t offset;
};

/* Where the log ends for viewers: index and receipt come as messages. */
static uint64_t
log_end(const struct monitord_core *c)
{
	return (
	    c->state == CORE_FINISHED ? c->end.log_end : store_bytes(c->store));
}

/* Length of the frame that begins at p, 16 bytes of it; 0: none does. */
static size_t
frame_length(const uint8_t *p)
{
	struct frame f;

	switch (frame_parse(p, FRAME_HEAD_BYTES, &f)) {
	case FRAME_OK:
	case FRAME_SHORT:
		return (f.frame_bytes);
	default:
		return (0);
	}
}

/* Bytes of the whole frames in p; when there is none, what the first needs. */
static size_t
whole_frames(const uint8_t *p, size_t n, size_t *need)
{
	size_t at = 0, k = 0;

	while (n - at >= FRAME_HEAD_BYTES) {
		k = frame_length(p + at);
		if (k == 0 || k > n - at)
			break;
		at += k;
	}
	*need = k;
	return (at);
}

/* Sends the next frames; false when there is nothing more to send now. */
static bool
send_some(struct stream *s, struct buf *b)
{
	struct monitord_core *c = s->core;
	uint64_t left = log_end(c) - s->offset;
	size_t want = left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES, whole;
	ssize_t n;

	for (;;) {
		if (buf_reserve(b, want) == -1)
			return (false);
		n = store_read(c->store, b->p, want, s->offset);
		if (n <= 0)
			return (false);
		whole = whole_frames(b->p, (size_t)n, &want);
		if (whole > 0)
			break;
		if (want <= (size_t)n || want > left)
			return (false);
	}
	if (peer_send_raw(guest_peer(s->guest), b->p, whole) == -1)
		return (false);
	s->offset += whole;
	return (true);
}

static void
stream_send(struct stream *s)
{
	struct monitord_core *c = s->core;
	struct buf b = { 0 };

	if (!s->subscribed)
		return;
	while (s->offset < log_end(c) &&
	       peer_queued(guest_peer(s->guest)) < QUEUE_BYTES)
		if (!send_some(s, &b))
			break;
	buf_free(&b);
	if (c->state == CORE_FINISHED && s->offset == log_end(c) &&
	    !s->receipt_sent) {
		s->receipt_sent = true;
		guest_send(s->guest, MSG_receipt, &c->end.receipt);
	}
}

/* An offset must be where a frame begins. */
static bool
offset_ok(struct monitord_core *c, uint64_t offset)
{
	uint8_t head[FRAME_HEAD_BYTES];

	if (offset >= log_end(c))
		return (offset == log_end(c));
	return (
	    store_read(c->store, head, sizeof(head), offset) == sizeof(head) &&
	    frame_length(head) > 0);
}

/* What is recorded, or shall be: a viewer may ask, too. */
static int
stream_request(struct stream *s, const struct msg_request *m)
{
	struct msg_reply r = { .code = EX_USAGE };
	char text[CHOICE_SENTENCE] = "monitord does this for no viewer";
	const char *why;

	if (m->verb.n == 5 && memcmp(m->verb.p, "probe", 5) == 0) {
		r.code = EX_OK;
		if (m->arguments.n > 0)
			r.code = (uint16_t)choice_change(s->core, m->arguments,
			    &why);
		if (r.code == EX_OK)
			choice_sentence(s->core, text);
		else
			snprintf(text, sizeof(text), "%s", why);
	}
	r.text = BYTES_STR(text);
	guest_send(s->guest, MSG_reply, &r);
	return (0);
}

static int
stream_message(void *arg, unsigned type, const void *msg, const struct frame *f,
    int64_t at_ns)
{
	struct stream *s = arg;
	const struct msg_subscribe *m = msg;

	(void)f;
	(void)at_ns;
	if (type == MSG_request)
		return (stream_request(s, msg));
	if (type != MSG_subscribe) {
		log_warnx("%s: unexpected %s; closing",
		    peer_what(guest_peer(s->guest)), msg_name(type));
		return (-1);
	}
	if (!offset_ok(s->core, m->offset))
		return (guest_refuse(s->guest, EX_DATAERR,
		    "there is no frame at offset %llu of the log; "
		    "subscribe from 0",
		    (unsigned long long)m->offset));
	s->offset = m->offset;
	s->subscribed = true;
	stream_send(s);
	return (0);
}

static void
stream_drained(void *arg)
{
	stream_send(arg);
}

static void
stream_closed(void *arg, const char *why)
{
	struct stream *s = arg;

	(void)why; /* viewers come and go */
	TAILQ_REMOVE(&s->core->streams, s, entry);
	free(s);
}

static const struct guest_role stream_role = {
	.message = stream_message,
	.drained = stream_drained,
	.closed = stream_closed,
};

int
stream_hello(struct monitord_core *c, struct guest *g,
    const struct msg_hello *m)
{
	struct stream *s = calloc(1, sizeof(*s));

	(void)m;
	if (s == NULL)
		return (guest_refuse(g, EX_OSERR, "monitord is out of memory"));
	s->core = c;
	s->guest = g;
	if (TAILQ_EMPTY(&c->streams))
		core_watched(c);
	TAILQ_INSERT_TAIL(&c->streams, s, entry);
	core_busy(c);
	guest_become(g, &stream_role, s);
	guest_welcome(g, 0, 0);
	return (0);
}

void
stream_news(struct monitord_core *c)
{
	struct stream *s;

	TAILQ_FOREACH (s, &c->streams, entry)
		stream_send(s);
}

/* Everything has gone out to it, or it wants nothing. */
static bool
all_sent(const struct stream *s)
{
	return (!s->subscribed ||
		(s->receipt_sent && peer_queued(guest_peer(s->guest)) == 0));
}

bool
stream_all_sent(struct monitord_core *c)
{
	struct stream *s;

	TAILQ_FOREACH (s, &c->streams, entry)
		if (!all_sent(s))
			return (false);
	return (true);
}

uint64_t
stream_taken(struct monitord_core *c)
{
	struct stream *s;
	uint64_t sum = 0;

	TAILQ_FOREACH (s, &c->streams, entry)
		sum += s->offset - peer_queued(guest_peer(s->guest));
	return (sum);
}

void
stream_give_up(struct monitord_core *c)
{
	struct stream *s;
	size_t queued;

	TAILQ_FOREACH (s, &c->streams, entry) {
		if (all_sent(s))
			continue;
		queued = peer_queued(guest_peer(s->guest));
		log_warnx("%s is not waited for: it has %llu of %llu bytes, "
			  "the rest is in %s",
		    peer_what(guest_peer(s->guest)),
		    (unsigned long long)(s->offset > queued ? s->offset - queued
							    : 0),
		    (unsigned long long)log_end(c), store_path(c->store));
	}
}

unsigned
stream_count(const struct monitord_core *c)
{
	const struct stream *s;
	unsigned n = 0;

	TAILQ_FOREACH (s, &c->streams, entry)
		n++;
	return (n);
}

static void
pulse_fill(struct monitord_core *c, struct msg_pulse *m)
{
	int64_t last = store_last_mon_ns(c->store);
	struct node *n;
	int64_t error;

	*m = (struct msg_pulse){
		.now_mon_ns = core_now(c),
		.watermark_mon_ns = reorder_watermark(c->reorder),
		.events = store_events(c->store),
		.log_bytes = log_end(c),
		.rate = c->rate,
	};
	if (m->watermark_mon_ns > m->now_mon_ns)
		m->watermark_mon_ns = m->now_mon_ns;
	if (m->watermark_mon_ns == INT64_MIN)
		m->watermark_mon_ns =
		    last != INT64_MIN ? last : c->clock.start_ns;
	m->lag_ns = m->now_mon_ns - m->watermark_mon_ns;
	TAILQ_FOREACH (n, &c->nodes, entry) {
		m->lost += n->told.lost + n->counts.gone;
		if (n->data == NULL)
			continue;
		m->nodes++;
		m->pos += n->told.pos;
		error = node_clock_error(n);
		if (error > m->error_ns)
			m->error_ns = error;
	}
	m->state = c->state == CORE_FINISHED      ? 2
		   : store_failed(c->store, NULL) ? 3
		   : c->state == CORE_FINISHING   ? 1
						  : 0;
}

void
stream_pulse(struct monitord_core *c)
{
	struct msg_pulse m;
	struct stream *s;

	if (TAILQ_EMPTY(&c->streams))
		return;
	pulse_fill(c, &m);
	TAILQ_FOREACH (s, &c->streams, entry)
		if (s->subscribed &&
		    peer_queued(guest_peer(s->guest)) < QUEUE_BYTES / 4)
			guest_send(s->guest, MSG_pulse, &m);
}

void
stream_free_all(struct monitord_core *c)
{
	struct stream *s;

	while ((s = TAILQ_FIRST(&c->streams)) != NULL) {
		TAILQ_REMOVE(&c->streams, s, entry);
		free(s); /* its guest is closed with the others */
	}
}
