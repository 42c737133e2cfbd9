/*
 * What the most of a call's time went to: a wait for one lock, say, and who
 * held that meanwhile; or a function within it.  The thread's own lane is read,
 * where each instant belongs to the innermost thing.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/draw/draw.h"
#include "ui/views/found/found.h"

#define PIECES 2048
#define ROWS   64 /* different things */

struct part {
	uint32_t name;
	uint8_t class, kind;
	int64_t ns, longest_ns;
	struct span longest;
};

static void
add(struct part *v, size_t *n, const struct span *s, int64_t a, int64_t b)
{
	size_t i = 0;

	while (i < *n && !(v[i].name == s->name && v[i].class == s->class &&
			     v[i].kind == s->kind))
		i++;
	if (i == ROWS)
		return;
	if (i == *n) {
		v[i] = (struct part){ .name = s->name,
			.class = s->class,
			.kind = s->kind };
		++*n;
	}
	v[i].ns += b - a;
	if (b - a >= v[i].longest_ns) {
		v[i].longest_ns = b - a;
		v[i].longest = *s;
	}
}

/* Who held the lock in the middle of the longest wait for it. */
static void
hold(const struct ui *ui, const struct found_call *c, const struct part *p,
    struct found_why *w)
{
	const struct span *s = &p->longest;
	int64_t end = s->t1_mon_ns < c->t1_mon_ns ? s->t1_mon_ns : c->t1_mon_ns;
	struct lock_then k;

	if (!lock_then(ui, c->lane, s, s->t0_mon_ns + (end - s->t0_mon_ns) / 2,
		&k) ||
	    !k.held)
		return;
	w->lane = k.lock;
	w->holder = k.holder;
	w->in = k.in;
}

void
found_why(const struct ui *ui, const struct found_call *c, struct found_why *w)
{
	struct span *s = malloc(PIECES * sizeof(*s));
	struct part part[ROWS];
	size_t n, parts = 0, most = 0;

	*w = (struct found_why){ .lane = UINT32_MAX, .holder = UINT32_MAX };
	if (s == NULL)
		return;
	n = model_lane_spans(ui->model, c->lane, c->t0_mon_ns,
	    c->t1_mon_ns + (c->t1_mon_ns == c->t0_mon_ns), s, PIECES);
	w->about = n > PIECES;
	for (size_t i = 0; i < n && i < PIECES; i++) {
		int64_t a = s[i].t0_mon_ns, b = s[i].t1_mon_ns;

		a = a < c->t0_mon_ns ? c->t0_mon_ns : a;
		b = b > c->t1_mon_ns ? c->t1_mon_ns : b;
		if (b > a)
			add(part, &parts, &s[i], a, b);
	}
	for (size_t i = 1; i < parts; i++)
		most = part[i].ns > part[most].ns ? i : most;
	if (parts > 0) {
		w->ns = part[most].ns;
		w->name = part[most].name;
		w->class = part[most].class;
		w->waits = lane_waits(part[most].class);
		if (part[most].kind == SPAN_wait_lock)
			hold(ui, c, &part[most], w);
	}
	free(s);
}

char *
found_why_words(const struct ui *ui, const struct found_why *w, char *buf,
    size_t n)
{
	const struct model *m = ui->model;
	char span[32], who[96];
	size_t at;

	buf[0] = '\0';
	if (w->ns == 0)
		return (buf);
	format_span(span, sizeof(span), w->ns);
	if (!w->waits)
		at = (size_t)snprintf(buf, n, "%s%s %s", w->about ? "~" : "",
		    w->name != 0 ? label_name(m, w->name)
				 : label_class(w->class),
		    span);
	else
		at =
		    (size_t)snprintf(buf, n, "%s%s%s%s %s", w->about ? "~" : "",
			w->name == 0 ? label_class(w->class) : "waits for ",
			w->name == 0 ? "" : label_name(m, w->name), "", span);
	if (w->holder != UINT32_MAX && at < n) {
		label_lane(m, model_lane(m, w->holder), who, sizeof(who));
		snprintf(buf + at, n - at, ", held by %s%s%s", who,
		    w->in != 0 ? " in " : "",
		    w->in != 0 ? label_name(m, w->in) : "");
	}
	return (buf);
}
