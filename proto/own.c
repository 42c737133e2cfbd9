/*
 * A stack for each thread holds the parts whose end has not come: a signal
 * handler may tell events of its own between two parts of another one, and
 * takes away just what it has put there.  Where records are lost, what is there
 * belongs to nothing that comes.
 */
#include "own.h"

#include <stdlib.h>

#include "intmap.h"

#define PARTS 64u /* of a thread; what is older than that is not whole */

struct parts {
	struct parts *next;
	struct {
		uint64_t a, b;
		uint32_t c;
	} at[PARTS];
	unsigned n;
};

struct entry {
	struct entry *next;
	bool good;
	struct own_kind kind;
};

struct own {
	const char *(*text)(const void *, uint32_t);
	const void *of;
	struct intmap kinds, threads;
	struct entry *entries;
	struct parts *parts;
};

struct own *
own_new(const char *(*text)(const void *, uint32_t), const void *of)
{
	struct own *o = calloc(1, sizeof(*o));

	if (o != NULL) {
		o->text = text;
		o->of = of;
	}
	return (o);
}

void
own_free(struct own *o)
{
	struct entry *e;
	struct parts *p;

	if (o == NULL)
		return;
	while ((e = o->entries) != NULL) {
		o->entries = e->next;
		free(e);
	}
	while ((p = o->parts) != NULL) {
		o->parts = p->next;
		free(p);
	}
	intmap_free(&o->kinds);
	intmap_free(&o->threads);
	free(o);
}

/* Names come before what is called so, and stay; -1: ENOMEM. */
static int
find_kind(struct own *o, uint32_t name, const struct own_kind **kind)
{
	struct entry *e = intmap_find(&o->kinds, name);
	const char *text;

	*kind = NULL;
	if (e == NULL) {
		text = name == 0 ? NULL : o->text(o->of, name);
		if (text == NULL)
			return (0);
		if (intmap_reserve(&o->kinds) == -1 ||
		    (e = calloc(1, sizeof(*e))) == NULL)
			return (-1);
		e->good = own_parse(&e->kind, text) == NULL;
		e->next = o->entries;
		o->entries = e;
		intmap_put(&o->kinds, name, e);
	}
	*kind = e->good ? &e->kind : NULL;
	return (0);
}

const struct own_kind *
own_kind_of(struct own *o, uint32_t name)
{
	const struct own_kind *kind;

	return (find_kind(o, name, &kind) == -1 ? NULL : kind);
}

static enum own_part
put(struct own *o, const struct event *e)
{
	struct parts *p = intmap_find(&o->threads, e->location);

	if (p == NULL) {
		if (intmap_reserve(&o->threads) == -1 ||
		    (p = calloc(1, sizeof(*p))) == NULL)
			return (OWN_FAILED);
		p->next = o->parts;
		o->parts = p;
		intmap_put(&o->threads, e->location, p);
	}
	if (p->n == PARTS) {
		memmove(&p->at[0], &p->at[1], (PARTS - 1) * sizeof(p->at[0]));
		p->n--;
	}
	p->at[p->n].a = e->a;
	p->at[p->n].b = e->b;
	p->at[p->n++].c = e->c;
	return (OWN_MORE_FOLLOWS);
}

/* From the parts, the first of which is at `from`; of `more` there are n. */
static void
take(const struct parts *p, unsigned from, unsigned n, const struct event *e,
    struct own_event *out)
{
	unsigned number = 0, name = 0;

	for (unsigned i = 0; i < out->kind->fields; i++) {
		bool is_name = out->kind->field[i].is_name;
		unsigned at = is_name ? name++ : number++;
		unsigned part = is_name ? at : (at - 2) / 2;

		out->value[i] = 0;
		out->known[i] = true;
		if (!is_name && at < 2)
			out->value[i] = at == 0 ? e->a : e->b;
		else if (part >= n)
			out->known[i] = false;
		else
			out->value[i] = is_name       ? p->at[from + part].c
					: at % 2 == 0 ? p->at[from + part].a
						      : p->at[from + part].b;
	}
}

static enum own_part
whole(struct own *o, const struct event *e, struct own_event *out)
{
	struct parts *p = intmap_find(&o->threads, e->location);
	unsigned more, n = 0;

	if (find_kind(o, e->c, &out->kind) == -1)
		return (OWN_FAILED);
	if (out->kind == NULL)
		return (OWN_NOT);
	more = own_more(out->kind);
	if (p != NULL && p->n >= more) {
		p->n -= more;
		n = more;
	} else if (p != NULL) {
		p->n = 0; /* some are lost: which, nobody knows */
	}
	take(p, p == NULL ? 0 : p->n, n, e, out);
	return (OWN_WHOLE);
}

enum own_part
own_event(struct own *o, const struct event *e, struct own_event *out)
{
	struct parts *p;

	if (e->kind == EV_own_more)
		return (put(o, e));
	if (e->kind == EV_own)
		return (whole(o, e, out));
	if (e->kind == EV_lost &&
	    (p = intmap_find(&o->threads, e->location)) != NULL)
		p->n = 0;
	return (OWN_NOT);
}
