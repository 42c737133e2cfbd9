/*
 * Trace events as Chrome has them (chrome://tracing, ui.perfetto.dev).
 *
 * A slice for the life of each thread, so that every flow has something to
 * begin and end at; B and E for what is open, i for instants, a pair of s and
 * f for each link, C for counters, b and e for locks that are held.  ts is in
 * us since the start of the run; the three places behind the point are ns.
 */
#include <errno.h>
#include <stdlib.h>

#include "tools/export/fields.h"
#include "tools/export/places.h"
#include "tools/export/story.h"

struct chrome {
	const struct export_of *of;
	struct out *out;
	struct story *story;
	struct fields fields;
	struct own *own;
	struct places places;
	int64_t *last_mon_ns; /* by location; INT64_MIN: has not begun */
	int64_t start_mon_ns;
	uint64_t links, holds;
	enum own_part part; /* of the event that is being told, and itself */
	struct own_event told;
	bool any;
};

/* {"ph":"B","pid":1,"tid":2,"ts":3.000 */
static void
put_head(struct chrome *c, const char *phase, uint32_t location, int64_t t)
{
	struct out *o = c->out;

	out_str(o, c->any ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
	c->any = true;
	out_str(o, phase);
	out_str(o, "\",\"pid\":");
	out_u64(o, places_process(&c->places, location));
	out_str(o, ",\"tid\":");
	out_u64(o, location);
	out_str(o, ",\"ts\":");
	out_ns(o, t - c->start_mon_ns, 3);
}

static void
put_name(struct chrome *c, const char *cat, const char *name)
{
	out_str(c->out, ",\"cat\":");
	out_json(c->out, cat);
	out_str(c->out, ",\"name\":");
	out_json(c->out, name);
}

static void
lives(struct chrome *c, uint32_t location, int64_t t)
{
	if (location > c->places.locations)
		return;
	if (c->last_mon_ns[location] == INT64_MIN) {
		put_head(c, "B", location, t);
		put_name(c, "thread", "thread");
		out_char(c->out, '}');
	}
	if (t > c->last_mon_ns[location])
		c->last_mon_ns[location] = t;
}

static void
chrome_open(void *arg, uint32_t location, int64_t t,
    const struct story_span *span, size_t depth)
{
	struct chrome *c = arg;
	const struct event_desc *d = defs_kind(c->of->defs, span->kind);

	(void)depth;
	lives(c, location, t);
	put_head(c, "B", location, t);
	put_name(c, d != NULL ? d->name : "?", story_name(c->of->defs, span));
	if (span->span != SPAN_call && span->id != 0) {
		out_str(c->out, ",\"args\":{\"id\":\"");
		out_hex(c->out, span->id);
		out_str(c->out, span->again ? "\",\"goes_on\":true}" : "\"}");
	} else if (span->again) {
		out_str(c->out, ",\"args\":{\"goes_on\":true}");
	}
	out_char(c->out, '}');
}

static void
chrome_close(void *arg, uint32_t location, int64_t t,
    const struct story_span *span, size_t depth)
{
	struct chrome *c = arg;

	(void)span;
	(void)depth;
	lives(c, location, t);
	put_head(c, "E", location, t);
	out_char(c->out, '}');
}

static void
put_counter(struct chrome *c, const struct event *e)
{
	char name[PLACE_BYTES];

	put_head(c, "C", e->location, e->t_mon_ns);
	put_name(c, "counter", defs_name_text(c->of->defs, e->c));
	places_thread_name(&c->places, e->location, name);
	out_str(c->out, ",\"id\":");
	out_json(c->out, name);
	out_str(c->out, ",\"args\":{\"value\":");
	if (e->kind != EV_counter_real)
		out_i64(c->out, (int64_t)e->a);
	else
		out_real(c->out, e->a, "0");
	out_str(c->out, "}}");
}

/* By its own name; what tells more of it comes with it. */
static void
put_own(struct chrome *c, const struct own_event *own, const struct event *e,
    const struct event_desc *d)
{
	put_head(c, "i", e->location, e->t_mon_ns);
	put_name(c, d->name, own->kind->name);
	out_str(c->out, ",\"s\":\"t\",\"args\":{");
	fields_json_own(c->out, own, c->of->defs);
	out_str(c->out, "}}");
}

static void
chrome_instant(void *arg, const struct event *e, const struct event_desc *d)
{
	struct chrome *c = arg;
	const char *name = d->name;

	lives(c, e->location, e->t_mon_ns);
	if (e->kind == EV_counter || e->kind == EV_counter_real ||
	    e->kind == EV_measure) {
		put_counter(c, e);
		return;
	}
	if (c->part == OWN_MORE_FOLLOWS)
		return;
	if (c->part == OWN_WHOLE) {
		put_own(c, &c->told, e, d);
		return;
	}
	if (d->class == CLASS_note && e->c != 0)
		name = defs_name_text(c->of->defs, e->c);
	put_head(c, "i", e->location, e->t_mon_ns);
	put_name(c, d->name, name);
	out_str(c->out, ",\"s\":\"t\",\"args\":{");
	fields_json(&c->fields, c->out, e, c->of->defs);
	out_str(c->out, "}}");
}

static void
put_flow(struct chrome *c, const char *phase, uint32_t location, int64_t t,
    const char *name, const char *more)
{
	put_head(c, phase, location, t);
	put_name(c, name, name);
	out_str(c->out, ",\"id\":");
	out_u64(c->out, c->links);
	out_str(c->out, more);
}

static void
chrome_link(void *arg, const struct story_link *l)
{
	struct chrome *c = arg;

	lives(c, l->effect->location, l->effect->t_mon_ns);
	c->links++;
	put_flow(c, "s", l->from, l->from_mon_ns, l->cause->name, "}");
	put_flow(c, "f", l->effect->location, l->effect->t_mon_ns,
	    l->cause->name, ",\"bp\":\"e\"}");
}

static void
chrome_hold(void *arg, const struct story_hold *h)
{
	static const char *const phase[] = { "b", "e" };
	const int64_t t[] = { h->from_mon_ns, h->to_mon_ns };
	struct chrome *c = arg;
	const char *name = defs_name_text(c->of->defs, h->name);

	c->holds++;
	for (int i = 0; i < 2; i++) {
		put_head(c, phase[i], h->location, t[i]);
		put_name(c, "lock", *name != '\0' ? name : "lock");
		out_str(c->out, ",\"id\":");
		out_u64(c->out, c->holds);
		out_str(c->out, ",\"args\":{\"lock\":\"");
		out_hex(c->out, h->lock);
		out_str(c->out, "\"}}");
	}
}

static const struct story_teller teller = { .open = chrome_open,
	.close = chrome_close,
	.instant = chrome_instant,
	.link = chrome_link,
	.hold = chrome_hold,
	.waits = true };

static void
put_meta(struct chrome *c, uint32_t location, const char *what,
    const char *name)
{
	put_head(c, "M", location, c->start_mon_ns);
	put_name(c, "__metadata", what);
	out_str(c->out, ",\"args\":{\"name\":");
	out_json(c->out, name);
	out_str(c->out, "}}");
}

static void
put_names(struct chrome *c)
{
	char name[PLACE_BYTES];

	for (uint32_t i = 0; i < c->places.processes; i++) {
		places_process_name(&c->places, i, name);
		put_meta(c, c->places.first[i], "process_name", name);
	}
	for (uint32_t i = 0; i <= c->places.locations; i++) {
		if (!c->of->wanted[i] ||
		    (i > 0 && defs_thread(c->of->defs, i) == NULL))
			continue; /* numbers may have gaps, of thousands */
		places_thread_name(&c->places, i, name);
		put_meta(c, i, "thread_name", name);
	}
}

static void
chrome_free(void *arg)
{
	struct chrome *c = arg;

	story_free(c->story);
	own_free(c->own);
	places_clear(&c->places);
	free(c->last_mon_ns);
	free(c);
}

static void *
chrome_begin(const struct export_of *of, struct out *out)
{
	struct chrome *c = calloc(1, sizeof(*c));
	size_t n = (size_t)defs_locations(of->defs) + 1;

	if (c == NULL)
		return (NULL);
	c->of = of;
	c->out = out;
	c->start_mon_ns = of->run->start_mon_ns;
	fields_init(&c->fields, of->defs);
	c->story = story_new(of->defs, of->from_mon_ns, &teller, c);
	c->last_mon_ns = calloc(n, sizeof(*c->last_mon_ns));
	c->own = defs_own(of->defs);
	if (places_init(&c->places, of) == -1 || c->story == NULL ||
	    c->own == NULL || c->last_mon_ns == NULL) {
		chrome_free(c);
		return (NULL);
	}
	for (size_t i = 0; i < n; i++)
		c->last_mon_ns[i] = INT64_MIN;
	out_str(out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{"
		     "\"start_real_ns\":\"");
	out_i64(out, of->run->start_real_ns);
	out_str(out, "\",\"start_mon_ns\":\"");
	out_i64(out, of->run->start_mon_ns);
	out_str(out, "\"},\n\"traceEvents\":[");
	put_names(c);
	return (c);
}

static int
chrome_event(void *arg, const struct event *e)
{
	struct chrome *c = arg;

	c->part = own_event(c->own, e, &c->told);
	if (c->part == OWN_FAILED || story_event(c->story, e) == -1)
		return (-1);
	errno = c->out->error;
	return (c->out->error == 0 ? 0 : -1);
}

static int
chrome_end(void *arg)
{
	struct chrome *c = arg;

	story_end(c->story);
	for (uint32_t i = 0; i <= c->places.locations; i++) {
		if (c->last_mon_ns[i] == INT64_MIN)
			continue;
		put_head(c, "E", i, c->last_mon_ns[i]);
		out_char(c->out, '}');
	}
	out_str(c->out, "\n]}\n");
	return (out_flush(c->out));
}

const struct exporter export_chrome = { .name = "chrome",
	.suffix = ".json",
	.what = "trace events, for ui.perfetto.dev and chrome://tracing",
	.spans = true,
	.begin = chrome_begin,
	.event = chrome_event,
	.end = chrome_end,
	.free = chrome_free };
