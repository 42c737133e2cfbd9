/*
 * Events with their names, for the plug-in.
 *
 * What is said of a kind is found once, of a row when something
 * has been defined since.
 */
#include "plugin/host/feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_BYTES 32
#define PLACE_BYTES 96

struct row {
	struct orrery_row told;
	uint64_t defined; /* as of so many definitions, and one */
	char place[PLACE_BYTES], label[2 * PLACE_BYTES];
};

struct rows {
	struct place {
		struct row *row; /* NULL: no event yet */
	} * at;                  /* by location */
	uint32_t n;
};

/* What its words are called, and which of them is a name. */
struct kind {
	bool known;
	int name; /* -1: none */
	char label[3][LABEL_BYTES];
};

struct rows *
rows_new(void)
{
	return (calloc(1, sizeof(struct rows)));
}

static struct row *
row_at(struct rows *r, uint32_t location)
{
	uint32_t n = location + 1;
	struct place *more;

	if (location >= r->n) {
		n = n < 2 * r->n ? 2 * r->n : n;
		more = reallocarray(r->at, n, sizeof(*more));
		if (more == NULL)
			return (NULL);
		memset(more + r->n, 0, (n - r->n) * sizeof(*more));
		r->at = more;
		r->n = n;
	}
	if (r->at[location].row == NULL)
		r->at[location].row = calloc(1, sizeof(struct row));
	return (r->at[location].row);
}

static void
tell_row(struct row *r, const struct defs *defs, uint32_t location)
{
	const struct def_thread *t = defs_thread(defs, location);
	const struct def_node *n = t != NULL ? defs_node(defs, t->node) : NULL;
	const struct def_po *po =
	    t != NULL ? defs_po(defs, t->node, t->po) : NULL;

	location_print(r->place, sizeof(r->place), location, defs);
	r->told = (struct orrery_row){ location, r->place, r->place, "",
		r->label, "" };
	if (t != NULL && t->name != NULL && t->name[0] != '\0')
		r->told.thread = t->name;
	if (po != NULL && po->program != NULL)
		r->told.program = po->program;
	if (n != NULL && n->name != NULL)
		r->told.node = n->name;
	snprintf(r->label, sizeof(r->label), "%.90s%s%.90s",
	    r->told.thread == r->place ? r->told.program : r->told.thread,
	    r->told.thread == r->place && r->told.program[0] == '\0' ? "" : " ",
	    r->place);
}

const struct orrery_row *
rows_of(struct rows *rows, const struct defs *defs, uint64_t defined,
    uint32_t location)
{
	struct row *r = row_at(rows, location);

	if (r == NULL)
		return (NULL);
	if (r->defined != defined + 1)
		tell_row(r, defs, location);
	r->defined = defined + 1;
	return (&r->told);
}

const struct orrery_row *
rows_next(struct rows *rows, const struct defs *defs, uint64_t defined,
    uint32_t from)
{
	for (; from < rows->n; from++)
		if (rows->at[from].row != NULL)
			return (rows_of(rows, defs, defined, from));
	return (NULL);
}

static void
know_kind(struct kind *k, const struct event_desc *d)
{
	const char *const fields[3] = { d->a, d->b, d->c };

	k->known = true;
	k->name = -1;
	for (int i = 0; i < 3; i++) {
		snprintf(k->label[i], LABEL_BYTES, "%.*s",
		    (int)strcspn(fields[i], ":"), fields[i]);
		if (event_word_type(fields[i]) == WORD_name)
			k->name = i;
	}
}

int
event_tell(struct orrery_event *to, const struct event *e, bool late,
    const struct orrery_row *row, const struct defs *defs, int64_t start)
{
	static struct kind kinds[EVENT_KINDS];
	const struct event_desc *d = defs_kind(defs, e->kind);
	struct kind *k;

	if (d == NULL || e->kind >= EVENT_KINDS)
		return (-1);
	k = &kinds[e->kind];
	if (!k->known)
		know_kind(k, d);
	*to = (struct orrery_event){ .t_ns = e->t_mon_ns - start,
		.kind = d->name,
		.kind_class =
		    d->class < EVENT_CLASSES ? event_class_name[d->class] : "",
		.span = d->span < EVENT_SPANS ? event_span_name[d->span] : "",
		.shape = (enum orrery_shape)d->shape,
		.flags = late ? ORRERY_LATE : 0,
		.row = row,
		.word = { e->a, e->b, e->c },
		.label = { k->label[0], k->label[1], k->label[2] } };
	to->name = k->name < 0
		       ? ""
		       : defs_name_text(defs, (uint32_t)to->word[k->name]);
	return (0);
}
