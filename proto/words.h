/*
 * How the kind and the words of an event become few bytes, in a batch and in
 * a block of the log.
 *
 *	tag	u8: slot of the kind << 3 | what was predicted rightly
 *	a c b	those that the kind has and that were not predicted: a and b
 *		by the value coder, c as a zigzag difference from the last c
 *		of that kind
 *
 * Slots are given to kinds in order of appearance.  Slot 31 introduces a
 * kind: the tag is followed by the kind as u8 and its form as a varint, and
 * the kind takes the next free slot; when there is none, it is introduced each
 * time.  So the bytes can be read without events.def, by an older reader too.
 *
 * Predictions: what ends a span has the words of what began it; otherwise a
 * word goes on as it did last time (the same step as from the one before to
 * the last, so that what counts and what stays cost nothing), c is the one
 * that was last seen with such an a, and a turn starts from the last turn of
 * that lock.  Both sides keep the same state, from zero in each batch and
 * block; hostile bytes can make it wrong, but not leave its tables.
 *
 * The state is a few KiB and all loops have fixed bounds: about 10 ns an event
 * each way.  Plain, the coder is
 *
 *	if (v == guess) set the tag's bit; else put v
 */
#ifndef PROTO_WORDS_H
#define PROTO_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "event.h"
#include "varint.h"
#include "wire.h"

/*
 * The value coder.  A value is a varint whose lowest two bits say
 *
 *	0 a zigzag difference from the last value
 *	1 one of 16 recent values, by hash of the value
 *	2 a zigzag difference from the successor of the last value with the
 *	  same upper half (by hash): ids that count, from several senders
 *	3 the value plus one; 0: 8 bytes follow
 */
struct value_coder {
	union {
		struct {
			uint64_t last;
			uint64_t recent[16];
			uint64_t high[16];
			uint64_t zero;
		};
		uint64_t base[34]; /* all of them */
	};
};
#define VALUE_BYTES_MAX 10

static inline unsigned
value_hash(uint64_t v)
{
	return ((unsigned)((v * 0x9e3779b97f4a7c15u) >> 60));
}

static inline void
value_learn(struct value_coder *vc, uint64_t v)
{
	vc->last = v;
	vc->recent[value_hash(v)] = v;
	vc->high[value_hash(v >> 32)] = v;
}

/* Which of the four is best is anybody's guess, too: so no branch. */
static inline uint8_t *
value_put(struct value_coder *vc, uint8_t *p, uint64_t v)
{
	unsigned h = value_hash(v), hu = value_hash(v >> 32);
	uint64_t near = zigzag((int64_t)(v - vc->last));
	uint64_t next = zigzag((int64_t)(v - vc->high[hu] - 1));
	uint64_t code = near << 2;
	bool again = vc->recent[h] == v;

	value_learn(vc, v);
	next = next >> 58 == 0 ? next << 4 | hu : UINT64_MAX;
	code = next < near ? next << 2 | 2 : code;
	near = next < near ? next : near;
	code = v < near ? (v + 1) << 2 | 3 : code;
	near = v < near ? v + 1 : near;
	code = again ? h << 2 | 1 : code;
	near = again ? 0 : near;
	if (near >> 54 == 0)
		return (varint_write_short(p, code));
	if (near >> 62 == 0)
		return (varint_write(p, code));
	*p++ = 3;
	put_u64(p, v);
	return (p + 8);
}

static inline const uint8_t *
value_get(struct value_coder *vc, const uint8_t *p, const uint8_t *end,
    uint64_t *v)
{
	/* by the lowest two bits: where the base is, what else is no number */
	static const uint8_t first[4] = { 0, 1, 17, 33 };
	static const uint8_t which[4] = { 0, 15, 15, 0 };
	static const uint8_t drop[4] = { 2, 2, 6, 2 };
	uint64_t code, rest, sign;
	unsigned how, base;

	p = varint_get(p, end, &code);
	if (p == NULL)
		return (NULL);
	how = code & 3;
	base = first[how] + (code >> 2 & which[how]);
	rest = how == 1 ? 0 : code >> drop[how];
	sign = how == 3 ? 0 : rest & 1;
	rest = how == 3 ? rest - 1 : rest >> 1;
	*v = vc->base[base] + (how == 2) + (rest ^ (0 - sign));
	if (code == 3) {
		if (end - p < 8)
			return (NULL);
		*v = get_u64(p);
		p += 8;
	}
	value_learn(vc, *v);
	return (p);
}

/* What the coder needs to know about a kind; travels with it. */
enum words_form {
	FORM_A = 1,
	FORM_B = 2,
	FORM_C = 4,
	FORM_BEGIN = 8,
	FORM_END = 16,
	FORM_TURN = 32, /* b counts for each a, on all kinds with this bit */
	FORM_SPAN = 6,  /* from this bit on: the span, 4 bits */
	FORM_MAX = 0x3ff
};

enum words_tag {
	TAG_A = 1,
	TAG_B = 2,
	TAG_C = 4,
	TAG_SLOT = 3, /* from this bit on: the slot */
	TAG_NEW = 31  /* the slot of what has none */
};

/*
 * What has been begun and not ended on a thread: the last few of each span.
 * All of one span lies together, and so does where its innermost one is.
 */
#define WORDS_DEPTH 8
struct words_open {
	uint64_t a;
	uint32_t c;
	uint32_t top; /* of the first: where the innermost is */
};
struct words_stack {
	struct words_open span[16][WORDS_DEPTH];
	uint32_t used; /* spans that are not as they were in the beginning */
	uint32_t room[15]; /* a stack is whole lines of the cache */
};

static inline void
words_stack_clear(struct words_stack *st)
{
	for (unsigned used = st->used; used != 0; used &= used - 1) {
		unsigned span = (unsigned)__builtin_ctz(used);

		memset(st->span[span], 0, sizeof(st->span[span]));
	}
	st->used = 0;
}

/*
 * Of a kind.  What its form says is turned into numbers that save branches:
 * kinds follow one another at random, and a wrongly predicted branch costs as
 * much as all the rest.
 */
struct words_slot {
	uint8_t kind;
	uint8_t span;        /* that it begins or ends */
	bool begin, end;     /* neither: a point, which has no span */
	bool a_open, c_open; /* guessed from the begin */
	bool turn;
	uint16_t form;
	uint16_t spans; /* the bit of that span */
	uint32_t c;
	uint64_t a_step, b_step;
	uint32_t c_of[16]; /* by hash of a */
	struct value_coder a, b;
};

struct words {
	uint8_t slot_of[EVENT_KINDS]; /* slot + 1; 0: not introduced */
	uint8_t used;
	uint64_t turn[16]; /* by hash of a */
	struct words_slot slot[32];
	struct words_open none[WORDS_DEPTH]; /* for what has no span */
	struct words_open scrap;             /* for what is no begin */
};

/* Form of a kind that has a descriptor. */
static inline unsigned
words_form(const struct event_desc *d)
{
	return ((d->a[0] != '\0' ? FORM_A : 0) |
		(d->b[0] != '\0' ? FORM_B : 0) |
		(d->c[0] != '\0' ? FORM_C : 0) |
		(d->shape == SHAPE_BEGIN ? FORM_BEGIN : 0) |
		(d->shape == SHAPE_END ? FORM_END : 0) |
		(d->key == KEY_AB ? FORM_TURN : 0) |
		(unsigned)d->span << FORM_SPAN);
}

/* One event's kind and words, as the coder sees them. */
struct words_event {
	uint64_t a, b;
	uint32_t c;
	uint8_t kind;
};

/* Guesses for one event, made the same way on both sides. */
struct words_guess {
	uint64_t a, b;
	uint64_t a_base, b_base; /* what the steps are from */
	uint32_t c;
};

static inline void
words_set_form(struct words_slot *s, unsigned kind, unsigned form)
{
	unsigned span = form >> FORM_SPAN & 15;

	s->kind = (uint8_t)kind;
	s->form = (uint16_t)form;
	s->span = (uint8_t)span;
	s->begin = form & FORM_BEGIN;
	s->end = form & FORM_END;
	s->a_open = (form & FORM_END) && (form & FORM_A);
	s->c_open = (form & FORM_END) && (form & FORM_C);
	s->turn = form & FORM_TURN;
	s->spans = form & (FORM_BEGIN | FORM_END) ? (uint16_t)(1u << span) : 0;
}

/* What is open of the span that this kind begins or ends. */
static inline struct words_open *
words_span(struct words *w, const struct words_slot *s, struct words_stack *st)
{
	return (s->spans != 0 ? st->span[s->span] : w->none);
}

static inline void
words_guess_a(const struct words_slot *s, const struct words_open *open,
    struct words_guess *g)
{
	unsigned top = open->top % WORDS_DEPTH;

	g->a_base = s->a.last;
	g->a = g->a_base + s->a_step;
	g->a = s->a_open ? open[top].a : g->a;
	g->c = open[top].c;
}

/* With a known. */
static inline void
words_guess_bc(const struct words *w, const struct words_slot *s, uint64_t a,
    struct words_guess *g)
{
	unsigned h = value_hash(a);

	g->b_base = *(s->turn ? &w->turn[h] : &s->b.last);
	g->b = g->b_base + s->b_step;
	g->c = s->c_open ? g->c : s->c_of[h];
}

/* What both sides remember of an event besides what the value coder does. */
static inline void
words_learn(struct words *w, struct words_slot *s, struct words_open *open,
    const struct words_event *e, const struct words_guess *g)
{
	unsigned h = value_hash(e->a), top = open->top;
	struct words_open *to =
	    s->begin ? &open[(top + 1) % WORDS_DEPTH] : &w->scrap;

	s->a_step = e->a - g->a_base;
	s->a.last = e->a;
	s->a.high[value_hash(e->a >> 32)] = e->a;
	s->b_step = e->b - g->b_base;
	s->b.last = e->b;
	*(s->turn ? &w->turn[h] : &s->b.last) = e->b;
	s->c_of[h] = s->c = e->c;
	to->a = e->a;
	to->c = e->c;
	open->top = top + s->begin - s->end;
}

/*
 * Slot of a kind that has a descriptor; *slot is what goes into the tag.  One
 * that has none yet is introduced by bytes at *p, at most WORDS_NEW_BYTES.
 */
#define WORDS_NEW_BYTES 3
static inline struct words_slot *
words_slot_put(struct words *w, unsigned kind, uint8_t **p, unsigned *slot)
{
	struct words_slot *s;

	*slot = w->slot_of[kind];
	if (*slot != 0) {
		*slot -= 1;
		return (&w->slot[*slot]);
	}
	*slot = TAG_NEW;
	s = &w->slot[w->used];
	words_set_form(s, kind, words_form(&event_table[kind]));
	if (w->used < TAG_NEW)
		w->slot_of[kind] = ++w->used;
	*(*p)++ = (uint8_t)kind;
	*p = varint_write(*p, s->form);
	return (s);
}

/* The same from the tag; NULL when it makes no sense. */
static inline struct words_slot *
words_slot_get(struct words *w, unsigned slot, const uint8_t **p,
    const uint8_t *end)
{
	struct words_slot *s;
	uint64_t form;
	unsigned kind;

	if (slot != TAG_NEW)
		return (slot < w->used ? &w->slot[slot] : NULL);
	if (*p == end)
		return (NULL);
	s = &w->slot[w->used];
	kind = *(*p)++;
	*p = varint_get(*p, end, &form);
	if (*p == NULL || form > FORM_MAX || kind == EV_none)
		return (NULL);
	words_set_form(s, kind, (unsigned)form);
	if (w->used < TAG_NEW)
		w->used++;
	return (s);
}

/*
 * Writes the words of one event where *pa, *pb and *pc point, which may be
 * columns or all the same variable, and returns the low bits of the tag.
 * Words that the kind does not have must be 0.
 */
#define WORDS_BYTES_MAX 25 /* of a, b and c together */
static inline __attribute__((always_inline)) unsigned
words_put(struct words *w, struct words_slot *s, struct words_stack *st,
    const struct words_event *e, uint8_t **pa, uint8_t **pb, uint8_t **pc)
{
	struct words_open *open = words_span(w, s, st);
	struct words_guess g;
	unsigned bits = 0;

	st->used |= s->spans;
	words_guess_a(s, open, &g);
	if (g.a == e->a)
		bits |= TAG_A;
	else
		*pa = value_put(&s->a, *pa, e->a);
	words_guess_bc(w, s, e->a, &g);
	if (g.b == e->b) {
		bits |= TAG_B;
	} else {
		s->b.last = g.b_base;
		*pb = value_put(&s->b, *pb, e->b);
	}
	if (g.c == e->c)
		bits |= TAG_C;
	else
		*pc = varint_write(*pc, zigzag((int32_t)(e->c - s->c)));
	words_learn(w, s, open, e, &g);
	return (bits);
}

/* Reads them; false when they are cut. */
static inline __attribute__((always_inline)) bool
words_get(struct words *w, struct words_slot *s, struct words_stack *st,
    unsigned bits, struct words_event *e, const uint8_t **pa,
    const uint8_t *a_end, const uint8_t **pb, const uint8_t *b_end,
    const uint8_t **pc, const uint8_t *c_end)
{
	struct words_open *open = words_span(w, s, st);
	struct words_guess g;

	st->used |= s->spans;
	words_guess_a(s, open, &g);
	e->kind = s->kind;
	e->a = g.a;
	if (!(bits & TAG_A)) {
		*pa = value_get(&s->a, *pa, a_end, &e->a);
		if (*pa == NULL)
			return (false);
	}
	words_guess_bc(w, s, e->a, &g);
	e->b = g.b;
	if (!(bits & TAG_B)) {
		s->b.last = g.b_base;
		*pb = value_get(&s->b, *pb, b_end, &e->b);
		if (*pb == NULL)
			return (false);
	}
	e->c = g.c;
	if (!(bits & TAG_C)) {
		uint64_t v;

		*pc = varint_get(*pc, c_end, &v);
		if (*pc == NULL)
			return (false);
		e->c = s->c + (uint32_t)unzigzag(v);
	}
	words_learn(w, s, open, e, &g);
	return (true);
}

#endif
