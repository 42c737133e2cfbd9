/*
 * A row an event, the words as they are and, where they mean something else
 * than a number, what that is.
 */
#include <errno.h>
#include <stdlib.h>

#include "tools/export/fields.h"
#include "tools/export/places.h"

struct csv {
	const struct export_of *of;
	struct out *out;
	struct fields fields;
	struct own *own;
	int64_t start_mon_ns;
};

static void *
csv_begin(const struct export_of *of, struct out *out)
{
	struct csv *c = calloc(1, sizeof(*c));

	if (c == NULL)
		return (NULL);
	c->of = of;
	c->out = out;
	c->start_mon_ns = of->run->start_mon_ns;
	fields_init(&c->fields, of->defs);
	if ((c->own = defs_own(of->defs)) == NULL) {
		free(c);
		return (NULL);
	}
	out_str(out, "time_s,t_mon_ns,t_node_ns,location,node,po,thread,seq,"
		     "kind,flags,shift_ns,a,b,c,value,text\n");
	return (c);
}

static void
put_place(struct csv *c, uint32_t location)
{
	const struct def_thread *t = defs_thread(c->of->defs, location);
	const struct def_node *n =
	    t == NULL ? NULL : defs_node(c->of->defs, t->node);

	out_u64(c->out, location);
	out_char(c->out, ',');
	if (n != NULL)
		out_csv(c->out, n->name);
	out_char(c->out, ',');
	out_u64(c->out, t != NULL ? t->po : 0);
	out_char(c->out, ',');
	out_u64(c->out, t != NULL ? t->thread : 0);
}

/* One of a declared kind: all that it says, as a text. */
static void
put_own(struct csv *c, const struct own_event *own)
{
	char text[OWN_PRINT_BYTES];

	own_print(text, sizeof(text), own, c->of->defs);
	out_str(c->out, ",,");
	out_csv(c->out, text);
}

/* The first number with a sign or a fraction, and the first text. */
static void
put_meaning(struct csv *c, const struct event *e)
{
	const struct field *f =
	    c->fields.of[e->kind < EVENT_KINDS ? e->kind : 0];
	const uint64_t word[3] = { e->a, e->b, e->c };
	char room[WORD_TEXT_BYTES];
	int i;

	out_char(c->out, ',');
	if (f[0].type == WORD_signed)
		out_i64(c->out, (int64_t)e->a);
	else if (f[0].type == WORD_real)
		out_real(c->out, e->a, "");
	out_char(c->out, ',');
	for (i = 0; i < 3 && f[i].type < WORD_name; i++)
		;
	if (i < 3 && (f[i].type != WORD_name || word[i] != 0))
		out_csv(c->out,
		    field_text(f[i].type, word[i], c->of->defs, room));
}

static int
csv_event(void *arg, const struct event *e)
{
	struct csv *c = arg;
	const struct event_desc *d = defs_kind(c->of->defs, e->kind);
	struct own_event own;
	enum own_part part = own_event(c->own, e, &own);
	const uint64_t rest[] = { e->flags, e->shift_ns, e->a, e->b, e->c };

	out_ns(c->out, e->t_mon_ns - c->start_mon_ns, 9);
	out_char(c->out, ',');
	out_i64(c->out, e->t_mon_ns);
	out_char(c->out, ',');
	out_i64(c->out, e->t_node_ns);
	out_char(c->out, ',');
	put_place(c, e->location);
	out_char(c->out, ',');
	out_u64(c->out, e->seq);
	out_char(c->out, ',');
	out_str(c->out, d != NULL ? d->name : "?");
	for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++) {
		out_char(c->out, ',');
		out_u64(c->out, rest[i]);
	}
	if (part == OWN_WHOLE)
		put_own(c, &own);
	else
		put_meaning(c, e);
	out_char(c->out, '\n');
	errno = part == OWN_FAILED ? ENOMEM : c->out->error;
	return (errno == 0 ? 0 : -1);
}

static int
csv_end(void *arg)
{
	return (out_flush(((struct csv *)arg)->out));
}

static void
csv_free(void *arg)
{
	struct csv *c = arg;

	own_free(c->own);
	free(c);
}

const struct exporter export_csv = { .name = "csv",
	.suffix = ".csv",
	.what = "a row an event, for scripts, spreadsheets and data bases",
	.begin = csv_begin,
	.event = csv_event,
	.end = csv_end,
	.free = csv_free };
