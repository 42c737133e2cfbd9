/*
 * Paje, for pajeng and ViTE: containers for run, processes and threads, states
 * that are pushed and popped, messages as links, counters as variables, all
 * else as events; those of kinds that the program has declared have a
 * definition each, with its fields behind what every event has.  Lines are in
 * order of time, so a link begins where it is known to end (mail.h).
 */
#include <errno.h>
#include <stdlib.h>

#include "plain.h"
#include "tools/export/fields.h"
#include "tools/export/mail.h"
#include "tools/export/places.h"
#include "tools/export/story.h"

struct paje {
	const struct export_of *of;
	struct out *out;
	struct story *story;
	struct places places;
	struct mail mail;
	bool *variable; /* by name: it has a type */
	uint32_t names;
	struct own *own;
	enum own_part part; /* of the event that is being told, and itself */
	struct own_event told;
	int64_t base_mon_ns, last_mon_ns;
};

static const char head[] =
    "%EventDef PajeDefineContainerType 0\n%  Alias string\n%  Type string\n"
    "%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineStateType 1\n%  Alias string\n%  Type string\n"
    "%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineEventType 2\n%  Alias string\n%  Type string\n"
    "%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineVariableType 3\n%  Alias string\n%  Type string\n"
    "%  Name string\n%  Color color\n%EndEventDef\n"
    "%EventDef PajeDefineLinkType 4\n%  Alias string\n%  Type string\n"
    "%  StartContainerType string\n%  EndContainerType string\n"
    "%  Name string\n%EndEventDef\n"
    "%EventDef PajeCreateContainer 5\n%  Time date\n%  Alias string\n"
    "%  Type string\n%  Container string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeDestroyContainer 6\n%  Time date\n%  Name string\n"
    "%  Type string\n%EndEventDef\n"
    "%EventDef PajePushState 7\n%  Time date\n%  Type string\n"
    "%  Container string\n%  Value string\n%EndEventDef\n"
    "%EventDef PajePopState 8\n%  Time date\n%  Type string\n"
    "%  Container string\n%EndEventDef\n"
    "%EventDef PajeNewEvent 9\n%  Time date\n%  Type string\n"
    "%  Container string\n%  Value string\n%EndEventDef\n"
    "%EventDef PajeSetVariable 10\n%  Time date\n%  Type string\n"
    "%  Container string\n%  Value double\n%EndEventDef\n"
    "%EventDef PajeStartLink 11\n%  Time date\n%  Type string\n"
    "%  Container string\n%  Value string\n%  StartContainer string\n"
    "%  Key string\n%EndEventDef\n"
    "%EventDef PajeEndLink 12\n%  Time date\n%  Type string\n"
    "%  Container string\n%  Value string\n%  EndContainer string\n"
    "%  Key string\n%EndEventDef\n";
#define DEFINED 13u /* and on: kinds of the program's own, by name */

static const char types[] =
    "0 R 0 Run\n0 P R Process\n0 T P Thread\n1 S T State\n2 E T Event\n"
    "4 M R T T Message\n5 0.000000000 run R 0 run\n";

/* " text" in quotes; what ends a line or a text is as plain.h has it. */
static void
put_text(struct paje *p, const char *text)
{
	char shown[PLACE_BYTES];
	size_t n = plain(shown, sizeof(shown), text, strlen(text));

	out_str(p->out, " \"");
	for (size_t i = 0; i < n; i++)
		out_char(p->out, shown[i] == '"' ? '\'' : shown[i]);
	out_char(p->out, '"');
}

/* Their fields are called "own.price", so that none is called as others are. */
static void
put_kind(struct paje *p, uint32_t name, const struct own_kind *k)
{
	out_str(p->out, "%EventDef PajeNewEvent ");
	out_u64(p->out, DEFINED + name);
	out_str(p->out, "\n%  Time date\n%  Type string\n%  Container string\n"
			"%  Value string\n");
	for (unsigned i = 0; i < k->fields; i++) {
		enum word_type t = event_word_type(k->field[i].word);

		out_str(p->out, "%  own.");
		fields_own_label(p->out, k, i);
		out_str(p->out, t == WORD_real                    ? " double\n"
				: t == WORD_name || t == WORD_hex ? " string\n"
								  : " int\n");
	}
	out_str(p->out, "%EndEventDef\n");
}

static void
put_kinds(struct paje *p)
{
	const struct def_name *name;
	struct own_kind k;

	/* each once, so that there is nothing to be kept of the others */
	for (uint32_t i = 1; i <= p->names; i++)
		if ((name = defs_name(p->of->defs, i)) != NULL &&
		    own_parse(&k, name->text) == NULL)
			put_kind(p, i, &k);
}

/* "7 0.000000012" */
static void
put_event(struct paje *p, unsigned event, int64_t t)
{
	out_u64(p->out, event);
	out_char(p->out, ' ');
	out_ns(p->out, t > p->base_mon_ns ? t - p->base_mon_ns : 0, 9);
}

static void
put_at(struct paje *p, uint32_t location)
{
	out_str(p->out, " t");
	out_u64(p->out, location);
}

static void
paje_open(void *arg, uint32_t location, int64_t t,
    const struct story_span *span, size_t depth)
{
	struct paje *p = arg;

	(void)depth;
	put_event(p, 7, t);
	out_str(p->out, " S");
	put_at(p, location);
	put_text(p, story_name(p->of->defs, span));
	out_char(p->out, '\n');
}

static void
paje_close(void *arg, uint32_t location, int64_t t,
    const struct story_span *span, size_t depth)
{
	struct paje *p = arg;

	(void)span;
	(void)depth;
	put_event(p, 8, t);
	out_str(p->out, " S");
	put_at(p, location);
	out_char(p->out, '\n');
}

static void
put_counter(struct paje *p, const struct event *e)
{
	bool known = e->c <= p->names;

	if (known && !p->variable[e->c]) {
		p->variable[e->c] = true;
		out_str(p->out, "3 V");
		out_u64(p->out, e->c);
		out_str(p->out, " T");
		put_text(p, defs_name_text(p->of->defs, e->c));
		out_str(p->out, " \"0 0 1\"\n");
	}
	if (!known)
		return;
	put_event(p, 10, e->t_mon_ns);
	out_str(p->out, " V");
	out_u64(p->out, e->c);
	put_at(p, e->location);
	out_char(p->out, ' ');
	if (e->kind == EV_counter_real)
		out_real(p->out, e->a, "0");
	else
		out_i64(p->out, (int64_t)e->a);
	out_char(p->out, '\n');
}

/* An empty text is none to readers. */
static void
put_own_text(struct paje *p, uint32_t name)
{
	const char *text = defs_name_text(p->of->defs, name);

	put_text(p, name == 0 || *text == '\0' ? "-" : text);
}

static void
put_own(struct paje *p, const struct event *e)
{
	put_event(p, DEFINED + e->c, e->t_mon_ns);
	out_str(p->out, " E");
	put_at(p, e->location);
	put_text(p, p->told.kind->name);
	for (unsigned i = 0; i < p->told.kind->fields; i++) {
		enum word_type t = event_word_type(p->told.kind->field[i].word);
		uint64_t v = p->told.value[i];

		out_char(p->out, ' ');
		if (t == WORD_name)
			put_own_text(p, (uint32_t)v);
		else if (t == WORD_hex)
			out_hex(p->out, v);
		else if (t == WORD_real)
			out_real(p->out, v, "nan");
		else if (t == WORD_signed)
			out_i64(p->out, (int64_t)v);
		else
			out_u64(p->out, v);
	}
	out_char(p->out, '\n');
}

static void
paje_instant(void *arg, const struct event *e, const struct event_desc *d)
{
	struct paje *p = arg;
	const char *name = d->name;

	if (e->kind == EV_counter || e->kind == EV_counter_real ||
	    e->kind == EV_measure) {
		put_counter(p, e);
		return;
	}
	if (p->part == OWN_MORE_FOLLOWS)
		return;
	if (p->part == OWN_WHOLE && fields_own_whole(&p->told)) {
		put_own(p, e);
		return;
	}
	if (d->class == CLASS_note && e->c != 0)
		name = p->part == OWN_WHOLE ? p->told.kind->name
					    : defs_name_text(p->of->defs, e->c);
	put_event(p, 9, e->t_mon_ns);
	out_str(p->out, " E");
	put_at(p, e->location);
	put_text(p, name);
	out_char(p->out, '\n');
}

static const struct story_teller teller = { .open = paje_open,
	.close = paje_close,
	.instant = paje_instant,
	.waits = true };

static void
put_places(struct paje *p)
{
	char name[PLACE_BYTES];

	for (uint32_t i = 0; i < p->places.processes; i++) {
		places_process_name(&p->places, i, name);
		out_str(p->out, "5 0.000000000 p");
		out_u64(p->out, i);
		out_str(p->out, " P run");
		put_text(p, name);
		out_char(p->out, '\n');
	}
	for (uint32_t i = 0; i <= p->places.locations; i++) {
		if (!p->of->wanted[i])
			continue;
		(void)location_print(name, sizeof(name), i, p->of->defs);
		out_str(p->out, "5 0.000000000");
		put_at(p, i);
		out_str(p->out, " T p");
		out_u64(p->out, places_process(&p->places, i));
		put_text(p, name);
		out_char(p->out, '\n');
	}
}

static void
paje_free(void *arg)
{
	struct paje *p = arg;

	story_free(p->story);
	places_clear(&p->places);
	mail_clear(&p->mail);
	free(p->variable);
	own_free(p->own);
	free(p);
}

static void *
paje_begin(const struct export_of *of, struct out *out)
{
	struct paje *p = calloc(1, sizeof(*p));

	if (p == NULL)
		return (NULL);
	p->of = of;
	p->out = out;
	p->base_mon_ns = of->from_mon_ns;
	p->last_mon_ns = INT64_MIN;
	p->names = defs_names(of->defs);
	p->variable = calloc((size_t)p->names + 1, sizeof(*p->variable));
	p->story = story_new(of->defs, of->from_mon_ns, &teller, p);
	p->own = defs_own(of->defs);
	if (places_init(&p->places, of) == -1 || p->story == NULL ||
	    p->variable == NULL || p->own == NULL) {
		paje_free(p);
		return (NULL);
	}
	out_str(out, head);
	put_kinds(p);
	out_str(out, types);
	put_places(p);
	return (p);
}

static int
paje_look(void *arg, const struct event *e)
{
	struct paje *p = arg;

	return (mail_look(&p->mail, e));
}

static int
put_link(struct paje *p, const struct event *e)
{
	uint32_t other;
	int rc = mail_other(&p->mail, e, &other);

	if (rc != 1)
		return (rc);
	put_event(p, e->kind == EV_send ? 11 : 12, e->t_mon_ns);
	out_str(p->out, " M run ");
	/* the same at both ends, or the file is none */
	out_u64(p->out, mail_size_bytes(&p->mail, e->a));
	put_at(p, e->location);
	out_char(p->out, ' ');
	out_u64(p->out, e->a);
	out_char(p->out, '\n');
	return (0);
}

static int
paje_event(void *arg, const struct event *e)
{
	struct paje *p = arg;

	if (p->base_mon_ns == INT64_MIN)
		p->base_mon_ns = e->t_mon_ns;
	p->last_mon_ns = e->t_mon_ns;
	p->part = own_event(p->own, e, &p->told);
	if (p->part == OWN_FAILED)
		return (-1);
	if (story_event(p->story, e) == -1)
		return (-1);
	if ((e->kind == EV_send || e->kind == EV_receive) &&
	    e->t_mon_ns >= p->of->from_mon_ns && put_link(p, e) == -1)
		return (-1);
	errno = p->out->error;
	return (p->out->error == 0 ? 0 : -1);
}

static int
paje_end(void *arg)
{
	struct paje *p = arg;

	story_end(p->story);
	for (uint32_t i = 0; i <= p->places.locations; i++) {
		if (!p->of->wanted[i])
			continue;
		put_event(p, 6, p->last_mon_ns);
		put_at(p, i);
		out_str(p->out, " T\n");
	}
	return (out_flush(p->out));
}

const struct exporter export_paje = { .name = "paje",
	.suffix = ".paje",
	.what = "Paje, for pajeng and ViTE",
	.spans = true,
	.begin = paje_begin,
	.look = paje_look,
	.event = paje_event,
	.end = paje_end,
	.free = paje_free };
