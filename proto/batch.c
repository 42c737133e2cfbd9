/*
 * Batches: runs of one stream's events, one row after the other.
 *
 * An event's row is a tag, its time less that of the one before, and the words
 * that could not be predicted (words.h).  Room is made for a whole run before
 * it is written, so that the inner loop has no check; the reader checks every
 * byte, hands the events on in pieces, and so needs no memory of its own.
 */
#include "batch.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "words.h"

enum {
	ITEM_DEFINITION = 1,
	ITEM_RUN = 2
};

#define RUN_HEAD_MAX (1 + 4 * VARINT_BYTES_MAX)
#define SLACK        8 /* a number may be written with more bytes than it has */

_Static_assert(BATCH_EVENT_BYTES_MAX >=
		   1 + WORDS_NEW_BYTES + VARINT_BYTES_MAX + WORDS_BYTES_MAX,
    "an event always fits");

struct batch_writer {
	struct buf out;
	uint32_t events;
	struct words words;
	struct words_stack stack;
};

struct batch_writer *
batch_writer_new(void)
{
	return (calloc(1, sizeof(struct batch_writer)));
}

void
batch_writer_free(struct batch_writer *w)
{
	if (w == NULL)
		return;
	buf_free(&w->out);
	free(w);
}

void
batch_writer_reset(struct batch_writer *w)
{
	w->out.n = 0;
	w->events = 0;
	memset(&w->words, 0, sizeof(w->words));
}

struct bytes
batch_bytes(const struct batch_writer *w)
{
	return ((struct bytes){ w->out.p, w->out.n });
}

uint32_t
batch_events(const struct batch_writer *w)
{
	return (w->events);
}

static bool
is_definition(unsigned type)
{
	return (type == MSG_po || type == MSG_thread || type == MSG_name ||
		type == MSG_module || type == MSG_symbol);
}

int
batch_add_definition(struct batch_writer *w, enum msg_type type,
    const void *msg)
{
	static const uint8_t tag = ITEM_DEFINITION;

	assert(is_definition(type));
	if (buf_add(&w->out, &tag, 1) == -1)
		return (-1);
	if (frame_append(&w->out, type, msg) == -1) {
		w->out.n--;
		return (-1);
	}
	return (0);
}

/* Counts in how many pieces times rise; 0: a kind makes no sense. */
static size_t
run_pieces(const struct node_event *e, size_t n)
{
	size_t pieces = 1;
	unsigned bad = 0;

	for (size_t i = 0; i < n; i++) {
		bad |= e[i].kind >= EVENT_KINDS;
		bad |= event_table[e[i].kind % EVENT_KINDS].name == NULL;
		pieces += i > 0 && e[i].t_node_ns < e[i - 1].t_node_ns;
		bad |= !time_is_sane(e[i].t_node_ns);
	}
	return (bad ? 0 : pieces);
}

static uint8_t *
put_event(struct batch_writer *w, uint8_t *p, const struct node_event *e,
    uint64_t gap)
{
	uint8_t *tag = p++;
	unsigned slot;
	struct words_slot *s = words_slot_put(&w->words, e->kind, &p, &slot);
	struct words_event we = {
		.a = s->form & FORM_A ? e->a : 0,
		.b = s->form & FORM_B ? e->b : 0,
		.c = s->form & FORM_C ? e->c : 0,
	};

	p = varint_write(p, gap);
	*tag = (uint8_t)(slot << TAG_SLOT |
			 words_put(&w->words, s, &w->stack, &we, &p, &p, &p));
	return (p);
}

/* n events whose times do not fall; there is room. */
static uint8_t *
put_run(struct batch_writer *w, uint8_t *p, uint32_t stream, uint64_t first_seq,
    const struct node_event *e, size_t n)
{
	int64_t last;

	*p++ = ITEM_RUN;
	p = varint_write(p, stream);
	p = varint_write(p, first_seq);
	p = varint_write(p, n);
	p = varint_write(p, zigzag(e[0].t_node_ns));
	words_stack_clear(&w->stack);
	last = e[0].t_node_ns;
	for (size_t i = 0; i < n; i++) {
		p = put_event(w, p, &e[i],
		    (uint64_t)e[i].t_node_ns - (uint64_t)last);
		last = e[i].t_node_ns;
	}
	return (p);
}

int
batch_add_run(struct batch_writer *w, uint32_t stream, uint64_t first_seq,
    const struct node_event *e, size_t n)
{
	size_t pieces = run_pieces(e, n), from = 0;
	uint8_t *p;

	if (n == 0)
		return (0);
	if (pieces == 0 || n > UINT32_MAX - w->events) {
		errno = EINVAL;
		return (-1);
	}
	if (buf_reserve(&w->out, pieces * RUN_HEAD_MAX +
				     n * BATCH_EVENT_BYTES_MAX + SLACK) == -1)
		return (-1);
	p = w->out.p + w->out.n;
	for (size_t i = 1; i <= n; i++) {
		if (i < n && e[i].t_node_ns >= e[i - 1].t_node_ns)
			continue;
		p = put_run(w, p, stream, first_seq + from, e + from, i - from);
		from = i;
	}
	w->out.n = (size_t)(p - w->out.p);
	w->events += (uint32_t)n;
	return (0);
}

struct reader {
	const uint8_t *p, *end;
	const struct batch_sink *sink;
	void *arg;
	struct words words;
	struct words_stack stack;
	struct node_event piece[BATCH_PIECE];
};

/* One event at r->p, *t_ns later by its gap. */
static bool
get_event(struct reader *r, struct node_event *e, int64_t *t_ns)
{
	struct words_event we;
	struct words_slot *s;
	const uint8_t *p = r->p, *end = r->end;
	unsigned tag;
	uint64_t gap;

	if (p == end)
		return (false);
	tag = *p++;
	s = words_slot_get(&r->words, tag >> TAG_SLOT, &p, end);
	if (s == NULL ||
	    (tag >> TAG_SLOT == TAG_NEW && event_table[s->kind].name == NULL))
		return (false);
	p = varint_get(p, end, &gap);
	if (p == NULL || gap > (uint64_t)TIME_NS_MAX - (uint64_t)*t_ns)
		return (false);
	*t_ns = (int64_t)((uint64_t)*t_ns + gap);
	if (!words_get(&r->words, s, &r->stack, tag, &we, &p, end, &p, end, &p,
		end))
		return (false);
	r->p = p;
	e->t_node_ns = *t_ns;
	e->a = we.a;
	e->b = we.b;
	e->c = we.c;
	e->kind = we.kind;
	e->zero = 0;
	return (true);
}

static int
read_run(struct reader *r)
{
	uint64_t head[4], left, seq;
	int64_t t_ns;
	int rc;

	for (int i = 0; i < 4; i++) {
		r->p = varint_get(r->p, r->end, &head[i]);
		if (r->p == NULL)
			return (-1);
	}
	seq = head[1];
	left = head[2];
	t_ns = unzigzag(head[3]);
	/* an event takes two bytes or more */
	if (!time_is_sane(t_ns) || head[0] > UINT32_MAX || left == 0 ||
	    seq > UINT64_MAX - left || left > (size_t)(r->end - r->p) / 2)
		return (-1);
	words_stack_clear(&r->stack);
	while (left > 0) {
		size_t n = left < BATCH_PIECE ? left : BATCH_PIECE;

		for (size_t i = 0; i < n; i++) {
			if (!get_event(r, &r->piece[i], &t_ns))
				return (-1);
		}
		rc = r->sink->events(r->arg, (uint32_t)head[0], seq, r->piece,
		    n);
		if (rc != 0)
			return (rc);
		seq += n;
		left -= n;
	}
	return (0);
}

static int
read_definition(struct reader *r)
{
	struct frame f;

	if (frame_parse(r->p, (size_t)(r->end - r->p), &f) != FRAME_OK ||
	    !is_definition(f.type))
		return (-1);
	r->p += f.frame_bytes;
	return (r->sink->definition(r->arg, &f));
}

int
batch_decode(struct bytes streams, const struct batch_sink *sink, void *arg)
{
	struct reader r;
	int rc = 0;

	if (streams.n == 0)
		return (0); /* p may be NULL */
	r.p = streams.p;
	r.end = r.p + streams.n;
	r.sink = sink;
	r.arg = arg;
	memset(&r.words, 0, sizeof(r.words));
	memset(&r.stack, 0, sizeof(r.stack));
	while (rc == 0 && r.p < r.end) {
		switch (*r.p++) {
		case ITEM_DEFINITION:
			rc = read_definition(&r);
			break;
		case ITEM_RUN:
			rc = read_run(&r);
			break;
		default:
			rc = -1;
		}
	}
	return (rc);
}
