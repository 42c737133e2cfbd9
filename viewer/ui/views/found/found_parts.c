/*
 * What the time of a call went to.  The thread's own lane tells at each instant
 * what is innermost, so what it waits for; the row of the next depth tells
 * which call of the call that is.  Both are gone through side by side.  When
 * what the call was made in ends first, the call moves up by a row, and so does
 * what it calls.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/measured/scheds.h"
#include "ui/views/found/found.h"

#define PIECES      1024
#define PIECES_MOST 65536 /* of one call: about 3 ms */
#define ROWS        64    /* different parts */
#define STAYS       16    /* rows that it moves through, the first ones */

/* A row that is read from t on, some spans at once. */
struct row {
	const struct model *m;
	uint32_t lane; /* UINT32_MAX: there is none */
	struct span *span;
	size_t n, at;
	int64_t t, until;
	bool more;
};

static void
row_read(struct row *r)
{
	r->at = r->n = 0;
	if (r->lane == UINT32_MAX || r->t >= r->until)
		return;
	r->n = model_lane_spans(r->m, r->lane, r->t, r->until, r->span, PIECES);
	r->more = r->n > PIECES;
	r->n = r->more ? PIECES : r->n;
}

/* The span of the row at t or the next one; NULL: there is none. */
static const struct span *
row_at(struct row *r, int64_t t)
{
	for (;;) {
		while (r->at < r->n && r->span[r->at].t1_mon_ns <= t)
			r->at++;
		if (r->at < r->n || !r->more)
			break;
		r->t = t;
		r->more = false;
		row_read(r);
	}
	return (r->at < r->n ? &r->span[r->at] : NULL);
}

struct sum {
	struct found_part part[ROWS];
	size_t n;
	uint32_t sched; /* UINT32_MAX: not recorded */
	const struct model *m;
};

static void
add_to(struct sum *s, const struct found_part *p)
{
	struct found_part *v = s->part;
	size_t i = 0;

	while (i < s->n && !(v[i].name == p->name && v[i].of == p->of &&
			       v[i].class == p->class && v[i].kind == p->kind))
		i++;
	if (i == ROWS) { /* no name of its own any more */
		i--;
		v[i].of = PART_REST;
	} else if (i == s->n) {
		v[s->n++] = *p;
		return;
	}
	v[i].ns += p->ns;
}

/* Of what it ran from a to b it may have been without a processor. */
static void
add(struct sum *s, struct found_part *p, int64_t a, int64_t b)
{
	const int64_t t[2] = { a, b };
	struct found_part off = { .of = PART_OFF };
	struct sched_then then[2];

	if (p->of != PART_WAITED && s->sched != UINT32_MAX) {
		model_sched_then(s->m, s->sched, t, 2, then);
		off.ns =
		    then[1].in_ns[SCHED_READY] - then[0].in_ns[SCHED_READY] +
		    then[1].in_ns[SCHED_BLOCKED] - then[0].in_ns[SCHED_BLOCKED];
		off.ns = off.ns < 0 ? 0 : off.ns > b - a ? b - a : off.ns;
	}
	p->ns = b - a - off.ns;
	if (p->ns > 0)
		add_to(s, p);
	if (off.ns > 0)
		add_to(s, &off);
}

/* What it is in from t on, and until when. */
static int64_t
part_at(struct row *own, struct row *below, int64_t t, struct found_part *p)
{
	const struct span *s = row_at(own, t), *in;
	int64_t end = own->until;

	*p = (struct found_part){ .of = PART_OWN };
	if (s != NULL && s->t0_mon_ns > t)
		end = s->t0_mon_ns < end ? s->t0_mon_ns : end;
	else if (s != NULL)
		end = s->t1_mon_ns < end ? s->t1_mon_ns : end;
	if (s != NULL && s->t0_mon_ns <= t &&
	    (s->kind >= SPAN_wait_message || lane_waits(s->class) ||
		s->class == LANE_idle)) {
		p->of = PART_WAITED;
		p->name = s->name;
		p->class = s->class;
		p->kind = s->kind;
		return (end);
	}
	if ((in = row_at(below, t)) == NULL)
		return (end);
	if (in->t0_mon_ns > t)
		return (in->t0_mon_ns < end ? in->t0_mon_ns : end);
	p->of = PART_CALLED;
	p->name = in->name;
	p->kind = in->kind;
	return (in->t1_mon_ns < end ? in->t1_mon_ns : end);
}

static int
largest_first(const void *a, const void *b)
{
	const struct found_part *x = a, *y = b;

	if (x->ns != y->ns)
		return (x->ns < y->ns ? 1 : -1);
	if (x->of != y->of)
		return (x->of < y->of ? -1 : 1);
	return ((x->name > y->name) - (x->name < y->name));
}

static void
take(struct sum *s, struct found_parts *out)
{
	qsort(s->part, s->n, sizeof(*s->part), largest_first);
	for (size_t i = FOUND_PARTS; i < s->n; i++) {
		s->part[FOUND_PARTS - 1].ns += s->part[i].ns;
		s->part[FOUND_PARTS - 1].of = PART_REST;
	}
	out->n = (unsigned)(s->n < FOUND_PARTS ? s->n : FOUND_PARTS);
	memcpy(out->part, s->part, out->n * sizeof(*out->part));
}

/* The rows that the call is in, one after the other. */
struct stays {
	struct span_stay of[STAYS];
	size_t n, at;
};

static void
stays_find(const struct model *m, const struct found_call *c, struct stays *k)
{
	struct span s = { .t0_mon_ns = c->t0_mon_ns,
		.t1_mon_ns = c->t1_mon_ns,
		.name = c->name,
		.class = c->class,
		.kind = c->kind,
		.depth = model_lane(m, c->row)->depth,
		.id = c->id,
		.nth = c->nth };

	k->at = 0;
	k->n = c->row == c->lane
		   ? 0 /* it has no rows */
		   : model_lane_stays(m, c->row, &s, k->of, STAYS);
	k->n = k->n > STAYS ? STAYS : k->n;
	if (k->n == 0)
		k->of[k->n++].lane = c->row;
	k->of[k->n - 1].until_ns = INT64_MAX;
}

/* What it calls at t, and later, is in the row of the next depth. */
static void
below_at(struct row *below, const struct found_call *c, struct stays *k,
    int64_t t)
{
	uint32_t lane;

	while (k->of[k->at].until_ns <= t)
		k->at++;
	lane = c->row == c->lane
		   ? UINT32_MAX
		   : model_lane_next_sibling(below->m, k->of[k->at].lane);
	if (t > c->t0_mon_ns && lane == below->lane)
		return;
	below->lane = lane;
	below->t = t;
	below->more = false;
	row_read(below);
}

/* Until PIECES_MOST have been looked at; true: all of it. */
static bool
parts_add(struct row *own, struct row *below, const struct found_call *c,
    struct sum *s)
{
	int64_t t = c->t0_mon_ns, end;
	struct found_part p;
	struct stays stays;
	unsigned looked = 0;

	stays_find(own->m, c, &stays);
	row_read(own);
	for (; t < c->t1_mon_ns && looked < PIECES_MOST; looked++) {
		below_at(below, c, &stays, t);
		end = part_at(own, below, t, &p);
		if (end > stays.of[stays.at].until_ns)
			end = stays.of[stays.at].until_ns;
		add(s, &p, t, end);
		t = end;
	}
	return (t >= c->t1_mon_ns);
}

void
found_parts(const struct ui *ui, const struct found_call *c,
    struct found_parts *out)
{
	struct row own = { .m = ui->model,
		.lane = c->lane,
		.t = c->t0_mon_ns,
		.until = c->t1_mon_ns },
		   below = own;
	struct sum *s = calloc(1, sizeof(*s));
	int64_t by_class[LANE_CLASSES], t = c->t0_mon_ns;

	*out = (struct found_parts){ .n = 0 };
	own.span = malloc(PIECES * sizeof(*own.span));
	below.span = malloc(PIECES * sizeof(*below.span));
	out->gone = !model_lane_totals(ui->model, c->lane, t,
	    t < c->t1_mon_ns ? c->t1_mon_ns : t + 1, by_class, NULL);
	/* a task that made pauses: meanwhile its thread did something else */
	if (c->ns == c->t1_mon_ns - c->t0_mon_ns && s != NULL &&
	    own.span != NULL && below.span != NULL && !out->gone) {
		s->m = ui->model;
		s->sched = model_sched_of(ui->model, c->lane);
		out->caller = model_caller(ui->model, c->row, c->t0_mon_ns,
		    c->t1_mon_ns, c->nth);
		if (parts_add(&own, &below, c, s))
			take(s, out);
	}
	free(own.span);
	free(below.span);
	free(s);
}

char *
found_part_words(const struct ui *ui, const struct found_part *p, char *buf,
    size_t n)
{
	const char *name = p->name == 0 ? NULL : label_name(ui->model, p->name);

	switch (p->of) {
	case PART_OWN:
		snprintf(buf, n, "own");
		break;
	case PART_OFF:
		snprintf(buf, n, "no processor");
		break;
	case PART_REST:
		snprintf(buf, n, "others");
		break;
	case PART_WAITED:
		snprintf(buf, n, "%s%s", name == NULL ? "" : "waits for ",
		    name == NULL ? label_class(p->class) : name);
		break;
	default:
		snprintf(buf, n, "%s",
		    name == NULL ? label_kind(p->kind) : name);
	}
	return (buf);
}
