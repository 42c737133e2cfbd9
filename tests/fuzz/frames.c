/*
 * A log is taken apart into its frames, one or a few things are done to them,
 * and it is put together again: frames change places, go, come twice; bodies
 * are cut or changed; a block is unpacked, its events changed, and packed
 * again, since a changed byte in a column would be refused for its length.
 */
#include "tests/fuzz/frames.h"

#include <stdlib.h>
#include <string.h>

#include "log/block.h"
#include "tests/rnd.h"

#define FRAMES_MAX   4096
#define CHANGES_MOST 4
#define SCRIPT_LEAST 8
#define SCRIPT_MOST  48

size_t LLVMFuzzerMutate(uint8_t *, size_t, size_t);

struct piece {
	struct frame frame; /* type 0: bytes between frames */
	const uint8_t *at;
};

struct log {
	struct piece piece[FRAMES_MAX];
	size_t n;
	struct buf out;
	const uint8_t *made[CHANGES_MOST + 1]; /* bodies, to be freed */
	size_t nmade;
};

static void
take_apart(struct log *l, const uint8_t *data, size_t n)
{
	size_t at = 0, next;

	for (l->n = 0; at < n && l->n < FRAMES_MAX; at = next) {
		struct piece *p = &l->piece[l->n++];

		*p = (struct piece){ .at = data + at };
		if (frame_parse(data + at, n - at, &p->frame) == FRAME_OK) {
			next = at + p->frame.frame_bytes;
			continue;
		}
		next = frame_resync(data, n, at + 1);
		p->frame = (struct frame){ .body = data + at,
			.body_bytes = next - at };
	}
}

static size_t
put_together(struct log *l, uint8_t *data, size_t max)
{
	l->out.n = 0;
	for (size_t i = 0; i < l->n; i++) {
		const struct frame *f = &l->piece[i].frame;
		size_t head = f->type == 0 ? 0 : FRAME_HEAD_BYTES;

		if (l->out.n + head + f->body_bytes > max ||
		    f->body_bytes > FRAME_BODY_MAX)
			break;
		if (buf_reserve(&l->out, head + f->body_bytes) == -1)
			abort();
		if (f->body_bytes > 0)
			memcpy(l->out.p + l->out.n + head, f->body,
			    f->body_bytes);
		if (head > 0)
			frame_seal(l->out.p + l->out.n, f->type, f->body_bytes);
		l->out.n += head + f->body_bytes;
	}
	if (l->out.n > 0)
		memcpy(data, l->out.p, l->out.n);
	return (l->out.n);
}

/* --- what is done to it --- */

static void
swap(struct log *l, struct piece *p)
{
	struct piece *q = &l->piece[rnd() % l->n], was = *p;

	*p = *q;
	*q = was;
}

static void
drop(struct log *l, struct piece *p)
{
	memmove(p, p + 1, (size_t)(l->piece + --l->n - p) * sizeof(*p));
}

static void
repeat(struct log *l, struct piece *p)
{
	struct piece what = *p, *to = &l->piece[rnd() % l->n];

	if (l->n == FRAMES_MAX)
		return;
	memmove(to + 1, to, (size_t)(l->piece + l->n++ - to) * sizeof(*p));
	*to = what;
}

static void
cut(struct log *l, struct piece *p)
{
	(void)l;
	if (p->frame.body_bytes > 0)
		p->frame.body_bytes = rnd() % p->frame.body_bytes;
}

/* A body of its own, with room for as much again. */
static uint8_t *
own_body(struct log *l, size_t bytes)
{
	uint8_t *p = malloc(bytes);

	if (p == NULL)
		abort();
	l->made[l->nmade++] = p;
	return (p);
}

static void
change(struct log *l, struct piece *p)
{
	size_t n = p->frame.body_bytes, room = n + 64;
	uint8_t *body = own_body(l, room);

	if (n > 0)
		memcpy(body, p->frame.body, n);
	p->frame.body_bytes = LLVMFuzzerMutate(body, n, room);
	p->frame.body = body;
}

/* The number that a definition begins with is another. */
static void
renumber(struct log *l, struct piece *p)
{
	size_t n = p->frame.body_bytes;
	uint32_t number = (uint32_t)rnd_any();
	uint8_t *body;

	if (n < 4)
		return;
	body = own_body(l, n);
	memcpy(body, p->frame.body, n);
	memcpy(body + (rnd() % 2 == 0 ? 0 : rnd() % (n - 3)), &number, 4);
	p->frame.body = body;
}

/* --- scripts --- */

static struct piece *
script_of(struct log *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->piece[i].frame.type == FRAMES_SCRIPT)
			return (&l->piece[i]);
	return (NULL);
}

/* A log of others has none; then it gets one, in front of all frames. */
static void
ask_otherwise(struct log *l, struct piece *p)
{
	size_t n = SCRIPT_LEAST + rnd() % (SCRIPT_MOST - SCRIPT_LEAST);
	uint8_t *body;

	if ((p = script_of(l)) != NULL && rnd() % 4 != 0) {
		change(l, p);
		return;
	}
	if (p == NULL) {
		if (l->n == FRAMES_MAX)
			return;
		memmove(l->piece + 1, l->piece, l->n++ * sizeof(*p));
		p = l->piece;
	}
	body = own_body(l, n);
	for (size_t i = 0; i < n; i++)
		body[i] = (uint8_t)rnd();
	*p = (struct piece){ .frame = { .type = FRAMES_SCRIPT,
				 .body = body,
				 .body_bytes = n } };
}

/* --- blocks --- */

static void
change_event(struct event *e, size_t n)
{
	static const int64_t times[] = { -TIME_NS_MAX, -1, 0, 1, TIME_NS_MAX };
	uint64_t word = rnd() % 2 == 0 ? rnd_any() : rnd() % 16;

	switch (rnd() % 9) {
	case 0:
		e->t_mon_ns = times[rnd() % 5];
		break;
	case 1:
		e->t_mon_ns += (int64_t)(rnd_any() >> 16);
		break;
	case 2:
		e->t_node_ns = times[rnd() % 5];
		break;
	case 3:
		e->kind = (uint16_t)(rnd() % EVENT_KINDS);
		break;
	case 4:
		e->location = (uint32_t)word;
		break;
	case 5:
		e->a = word;
		break;
	case 6:
		e->b = word;
		break;
	case 7:
		e->c = (uint32_t)word;
		break;
	default:
		e->flags = (uint16_t)(rnd() % 16);
		*e = rnd() % 2 == 0 ? e[rnd() % n] : *e;
	}
}

static int
by_time(const void *x, const void *y)
{
	const struct event *a = x, *b = y;

	return (a->t_mon_ns < b->t_mon_ns ? -1 : a->t_mon_ns > b->t_mon_ns);
}

/* As a block wants them: in order, and counted by location. */
static void
pack(struct log *l, struct piece *p, struct event *e, size_t n, bool late)
{
	static struct block_writer *w;
	struct buf out = { 0 };
	struct frame f;
	uint8_t *body;

	if (w == NULL)
		w = block_writer_new();
	qsort(e, n, sizeof(*e), by_time);
	for (size_t i = 0; i < n; i++) {
		for (size_t k = i; k-- > 0;)
			if (e[k].location == e[i].location) {
				e[i].seq = e[k].seq + 1;
				break;
			}
		(void)block_add(w, &e[i]); /* or it is left out */
	}
	if (block_events(w) == 0 || block_finish(w, late, 0, &out) == -1)
		return;
	if (frame_parse(out.p, out.n, &f) != FRAME_OK)
		abort();
	body = own_body(l, f.body_bytes);
	memcpy(body, f.body, f.body_bytes);
	p->frame.body = body;
	p->frame.body_bytes = f.body_bytes;
	buf_free(&out);
}

static void
change_block(struct log *l, struct piece *p)
{
	static struct event e[512];
	struct buf scratch = { 0 };
	struct msg_block b;

	if (p->frame.type != MSG_block ||
	    msg_decode(MSG_block, p->frame.body, p->frame.body_bytes, &b) ==
		-1 ||
	    b.events > sizeof(e) / sizeof(e[0]) ||
	    block_read(&b, e, &scratch) == -1) {
		change(l, p);
	} else {
		size_t from = rnd() % b.events;
		size_t n = 1 + rnd() % (b.events - from);

		for (uint64_t k = rnd() % 4 + 1; k > 0; k--)
			change_event(&e[from], b.events - from);
		if (rnd() % 4 == 0) /* only a part of it is left */
			pack(l, p, e + from, n, rnd() % 4 == 0);
		else
			pack(l, p, e, b.events,
			    rnd() % 8 == 0 ? b.late == 0 : b.late != 0);
	}
	buf_free(&scratch);
}

size_t
frames_mutate(uint8_t *data, size_t n, size_t max, unsigned seed)
{
	static void (*const changes[])(struct log *, struct piece *) = { swap,
		drop, repeat, cut, change, change, renumber, change_block,
		change_block, change_block, ask_otherwise, ask_otherwise };
	static struct log l;

	rnd_state = seed * 2654435761u + 1;
	take_apart(&l, data, n);
	if (l.n == 0 || rnd() % 32 == 0)
		return (LLVMFuzzerMutate(data, n, max));
	for (uint64_t k = 1 + rnd() % CHANGES_MOST; k > 0 && l.n > 0; k--)
		changes[rnd() % (sizeof(changes) / sizeof(changes[0]))](&l,
		    &l.piece[rnd() % l.n]);
	if (script_of(&l) == NULL)
		ask_otherwise(&l, NULL);
	n = put_together(&l, data, max);
	while (l.nmade > 0)
		free((void *)(uintptr_t)l.made[--l.nmade]);
	return (n);
}

/* --- what a script says --- */

struct script
frames_script(const uint8_t *data, size_t n)
{
	struct frame f;

	for (size_t at = 0; at < n; at += f.frame_bytes) {
		if (frame_parse(data + at, n - at, &f) != FRAME_OK)
			break;
		if (f.type == FRAMES_SCRIPT)
			return (
			    (struct script){ f.body, f.body + f.body_bytes });
	}
	return ((struct script){ data, data });
}

uint8_t
script_byte(struct script *s)
{
	return (s->p < s->end ? *s->p++ : 0);
}

bool
script_over(const struct script *s)
{
	return (s->p == s->end);
}

unsigned
script_below(struct script *s, unsigned n)
{
	unsigned v = script_byte(s);

	if (n > 256)
		v |= (unsigned)script_byte(s) << 8;
	return (n == 0 ? 0 : v % n);
}

int64_t
script_number(struct script *s)
{
	unsigned how = script_byte(s);
	uint64_t v = script_byte(s);

	switch (how % 4) {
	case 0:
		return ((int64_t)v);
	case 1:
		return ((int64_t)(v << how / 4));
	case 2:
		return ((int64_t)(INT64_MAX - v));
	default:
		return ((int64_t)(INT64_MIN + v));
	}
}
