/*
 * The events of a line: their words out of its values.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "plain.h"
#include "tools/import/scan_inside.h"

#define SPACE_PUT  1
#define SPACE_ID   2
#define TEXT_BYTES 512

static const char *
field_name(const struct scan *s, unsigned f)
{
	return (f < s->r->heads ? s->r->head[f].name
				: s->record->field[f - s->r->heads].name);
}

/* A value as text: what it is called, a word, or a number. */
static size_t
value_text(const struct scan *s, unsigned f, char *to, size_t room)
{
	const struct token *v = &s->value[f];
	const char *name;
	int n;

	if (!v->number) {
		n = (int)(v->n < room - 1 ? v->n : room - 1);
		memcpy(to, v->p, (size_t)n);
		return ((size_t)n);
	}
	name = records_called(s->r, field_name(s, f), v->i);
	if (name != NULL)
		n = snprintf(to, room, "%s", name);
	else
		n = snprintf(to, room, "%" PRId64, v->i);
	return ((size_t)n < room ? (size_t)n : room - 1);
}

static int64_t
text_name(struct scan *s, const struct expr *e)
{
	char text[TEXT_BYTES], shown_text[TEXT_BYTES];
	size_t n = 0, f = 0;
	const char *p = e->op == EXPR_text ? e->text : "{";

	for (; *p != '\0' && n < sizeof(text) - 1; p++) {
		if (*p != '{') {
			text[n++] = *p;
			continue;
		}
		n += value_text(s, e->field[f++], text + n, sizeof(text) - n);
		if (e->op != EXPR_text)
			break;
		p = strchr(p, '}');
	}
	/* names of a log are UTF-8 without control characters */
	n = plain(shown_text, sizeof(shown_text), text, n);
	return (imported_name(s->im->made, shown_text, n));
}

/* Number of the tuple of these fields; -1: ENOMEM. */
static int64_t
tuple(struct scan *s, const struct expr *e, uint32_t space)
{
	int64_t v[3] = { 0 };

	for (unsigned i = 0; i < e->fields && i < 3; i++)
		v[i] = s->value[e->field[i]].i;
	return (imported_tuple(s->im->made, space, v));
}

static int
message(struct scan *s, const struct expr *e, uint64_t *word)
{
	int64_t n = tuple(s, e, SPACE_PUT);
	struct imported_tuple *t;

	if (n == -1)
		return (-1);
	t = &s->im->made->tuples[n];
	*word = (uint64_t)(n + 1) << 32 |
		(e->op == EXPR_put ? ++t->puts : ++t->takes);
	return (0);
}

static int
word(struct scan *s, const struct expr *e, const char *field, uint64_t *w)
{
	enum word_type type = event_word_type(field);
	const struct token *v = &s->value[e->field[0]];
	int64_t n = 0;
	double real;

	*w = (uint64_t)e->number;
	if (e->op == EXPR_none)
		*w = 0;
	else if (type == WORD_name || e->op == EXPR_text)
		*w = (uint64_t)(n = text_name(s, e));
	else if (type == WORD_real && e->op == EXPR_field) {
		real = (double)v->i + v->nano / 1e9;
		memcpy(w, &real, sizeof(real));
	} else if (e->op == EXPR_field)
		*w = (uint64_t)v->i;
	else if (e->op == EXPR_micro)
		*w = (uint64_t)v->i * 1000000 +
		     (uint64_t)s->value[e->field[1]].i;
	else if (e->op == EXPR_id && s->value[e->field[e->fields - 1]].i != 0)
		*w = (uint64_t)(n = tuple(s, e, SPACE_ID)) + 1;
	else if (e->op == EXPR_put || e->op == EXPR_take)
		return (message(s, e, w));
	return (n == -1 ? -1 : 0);
}

/* Where and when: that of the record, or of what `at` names. */
static int
where(struct scan *s, const struct record_action *a, struct event *e, bool *ok)
{
	const struct token *last;
	const struct imported_tuple *t;
	int64_t n;

	e->location = s->place + 1;
	e->t_node_ns = s->t_ns;
	if (a->at.op == EXPR_none)
		return (0);
	last = &s->value[a->at.field[a->at.fields - 1]];
	if (last->i == 0)
		return (0);
	if ((n = tuple(s, &a->at, SPACE_ID)) == -1)
		return (-1);
	t = &s->im->made->tuples[n];
	if (!t->noted) {
		*ok = false;
		return (scan_refuse(s,
		    "its %s %" PRId64 " has not been; expected it "
		    "in a line above",
		    field_name(s, a->at.field[a->at.fields - 1]), last->i));
	}
	e->location = t->place + 1;
	e->t_node_ns = t->t_ns;
	return (0);
}

static int
note_here(struct scan *s, const struct record_action *a, const struct event *e)
{
	int64_t n = tuple(s, &a->here, SPACE_ID);
	struct imported_tuple *t;

	if (n == -1)
		return (-1);
	t = &s->im->made->tuples[n];
	t->noted = true;
	t->place = e->location - 1;
	t->t_ns = e->t_node_ns;
	return (0);
}

int
scan_act(struct scan *s, const struct record_action *a)
{
	const struct event_desc *d = event_desc(a->kind);
	struct event e = { .kind = a->kind };
	uint64_t c;
	bool ok = true;

	if (where(s, a, &e, &ok) == -1)
		return (-1);
	if (!ok)
		return (0);
	if (word(s, &a->word[0], d->a, &e.a) == -1 ||
	    word(s, &a->word[1], d->b, &e.b) == -1 ||
	    word(s, &a->word[2], d->c, &c) == -1)
		return (-1);
	e.c = (uint32_t)c;
	if (a->here.op != EXPR_none && note_here(s, a, &e) == -1)
		return (-1);
	if (!a->until_next)
		return (imported_add(s->im->made, &e));
	s->im->made->places[s->place].held = e;
	return (0);
}

int
scan_flush(struct scan *s, struct imported_place *p, int64_t t_ns)
{
	struct event e = p->held;

	p->held.kind = EV_none;
	e.t_node_ns = t_ns;
	return (e.kind == EV_none ? 0 : imported_add(s->im->made, &e));
}
