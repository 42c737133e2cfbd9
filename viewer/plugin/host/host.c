/*
 * The process that holds a plug-in.  It reads the log itself, hands every event
 * to the plug-in, and between two parts of that it answers what the viewer
 * asks.  So an answer takes a part and a drawing; one that takes long is the
 * plug-in's fault, and the viewer ends this process.
 */
#include "plugin/host/host.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "plain.h"
#include "plugin/host/feed.h"
#include "plugin/host/pen.h"
#include "plugin/host/source.h"

#define MEMORY_BYTES ((rlim_t)4 << 30)

struct host {
	const struct orrery_plugin *plugin; /* NULL: there is none */
	void *self;
	struct source *source;
	struct rows *rows;
	struct pen pen;
	uint64_t events;
	char name[PLUG_NAME], about[PLUG_WHY];
	char over[PLUG_WHY]; /* "", or why it will never answer */
};

static void
take_event(void *arg, const struct event *e, bool late)
{
	struct host *h = arg;
	const struct defs *defs = source_defs(h->source);
	const struct orrery_row *row =
	    rows_of(h->rows, defs, source_defined(h->source), e->location);
	struct orrery_event told;

	h->events++;
	if (row == NULL || event_tell(&told, e, late, row, defs,
			       source_start_mon_ns(h->source)) == -1)
		return;
	if (h->plugin->event != NULL)
		h->plugin->event(h->self, &told);
}

/* Why it cannot be used; "": it can. */
static void
unfit(const struct orrery_plugin *p, char *why, size_t n)
{
	if (p == NULL)
		snprintf(why, n,
		    "it has no symbol orrery_plugin: see orrery-plugin(3)");
	else if (p->api != ORRERY_PLUGIN_API)
		snprintf(why, n,
		    "it was made for version %u of plug-ins, and this viewer "
		    "has %d: compile it again",
		    p->api, ORRERY_PLUGIN_API);
	else if (p->name == NULL || p->about == NULL ||
		 (p->draw == NULL && p->metric == NULL))
		snprintf(why, n,
		    "it has no name, no sentence, or neither draw nor metric");
}

/* -1: a sentence in h->over. */
static int
load(struct host *h, const char *object)
{
	const struct orrery_plugin *p;
	void *so = dlopen(object, RTLD_NOW | RTLD_LOCAL);

	if (so == NULL) {
		const char *why = dlerror();

		plain(h->over, sizeof(h->over), why, strlen(why));
		return (-1);
	}
	p = dlsym(so, "orrery_plugin");
	unfit(p, h->over, sizeof(h->over));
	if (p == NULL || h->over[0] != '\0')
		return (-1);
	plain(h->name, sizeof(h->name), p->name, strnlen(p->name, 256));
	plain(h->about, sizeof(h->about), p->about, strnlen(p->about, 256));
	h->plugin = p;
	if (p->begin != NULL && (h->self = p->begin()) == NULL) {
		snprintf(h->over, sizeof(h->over), "it says it cannot begin");
		return (-1);
	}
	return (0);
}

static int
by_value(const void *a, const void *b)
{
	const struct orrery_bar *x = a, *y = b;

	if (x->value != y->value)
		return (x->value < y->value ? 1 : -1);
	return (strcmp(x->name, y->name));
}

/* One number a row, the largest first. */
static void
draw_metric(struct host *h)
{
	const struct orrery_row *r;
	struct orrery_bar *bars = NULL, *more;
	struct pen *p = &h->pen;
	size_t n = 0, cap = 0;
	double v;

	for (uint32_t at = 0; (r = rows_next(h->rows, source_defs(h->source),
				   source_defined(h->source), at)) != NULL;
	     at = r->number + 1) {
		if (h->plugin->metric(h->self, r, &p->view, &v) != 0)
			continue;
		if (n == cap) {
			cap = cap == 0 ? 64 : 2 * cap;
			more = reallocarray(bars, cap, sizeof(*bars));
			if (more == NULL)
				break;
			bars = more;
		}
		bars[n++] = (struct orrery_bar){ r->label, v, ORRERY_ACCENT };
	}
	if (n > 1)
		qsort(bars, n, sizeof(*bars), by_value);
	pen_bars(&p->calls, bars, n, h->plugin->unit);
	free(bars);
}

static void
draw(struct host *h, const struct plug_ask *ask)
{
	int64_t start = source_start_mon_ns(h->source);
	const struct orrery_view view = { ask->width, ask->height,
		ask->t0_mon_ns - start, ask->t1_mon_ns - start,
		source_permille(h->source) == 1000, h->events };

	pen_begin(&h->pen, &view, ask->scroll);
	if (ask->said[0] != '\0' && h->plugin->said != NULL)
		h->plugin->said(h->self, ask->said);
	if (h->plugin->draw != NULL)
		h->plugin->draw(h->self, &h->pen.view, &h->pen.calls);
	else
		draw_metric(h);
}

/* False: nobody is there any more. */
static bool
put(const void *from, size_t n)
{
	const char *at = from;
	ssize_t done;

	while (n > 0) {
		done = write(PLUGIN_HOST_FD, at, n);
		if (done == -1 && errno == EINTR)
			continue;
		if (done <= 0)
			return (false);
		at += done;
		n -= (size_t)done;
	}
	return (true);
}

static bool
answer(struct host *h, const struct plug_ask *ask)
{
	struct pen *p = &h->pen;
	struct plug_reply r = { .magic = PLUG_MAGIC, .seq = ask->seq };

	if (h->over[0] == '\0' && ask->seq != 0) {
		draw(h, ask);
		r.permille = source_permille(h->source);
	}
	r.over = h->over[0] != '\0';
	r.events = h->events;
	snprintf(r.why, sizeof(r.why), "%s", r.over ? h->over : p->why);
	snprintf(r.name, sizeof(r.name), "%s", h->name);
	snprintf(r.about, sizeof(r.about), "%s", h->about);
	if (r.why[0] == '\0') {
		r.items = p->nitems;
		r.text_bytes = (uint32_t)p->text_bytes;
		r.words_bytes = (uint32_t)p->words_bytes;
		r.scroll_most = p->scroll_most;
	}
	if (!put(&r, sizeof(r)) ||
	    !put(p->items, r.items * sizeof(*p->items)) ||
	    !put(p->text, r.text_bytes) || !put(p->words, r.words_bytes))
		return (false);
	if (h->source != NULL)
		source_refresh(h->source);
	return (true);
}

/* Answers; false: it is over. */
static bool
asked(struct host *h)
{
	struct plug_ask ask;
	ssize_t n = read(PLUGIN_HOST_FD, &ask, sizeof(ask));

	if (n == -1 && errno == EINTR)
		return (true);
	return (n == sizeof(ask) && plug_ask_right(&ask) && answer(h, &ask));
}

/* Nothing is left of it when the viewer is gone; its memory has an end. */
static void
bounds(void)
{
	struct rlimit none = { 0, 0 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_IGN);
	setrlimit(RLIMIT_CORE, &none);
#ifndef __SANITIZE_ADDRESS__
	struct rlimit most = { MEMORY_BYTES, MEMORY_BYTES };

	setrlimit(RLIMIT_DATA, &most);
#endif
}

/* Opens the log and says so: what is slow from now on is the plug-in. */
static bool
begin(struct host *h, const char *log)
{
	const struct plug_ask nothing = { .seq = 0 };

	if (pen_init(&h->pen) == -1 || (h->rows = rows_new()) == NULL)
		snprintf(h->over, sizeof(h->over), "out of memory");
	else
		h->source = source_open(log, h->over, sizeof(h->over));
	return (answer(h, &nothing));
}

int
plugin_host(const char *object, const char *log)
{
	static struct host h;
	struct pollfd p = { PLUGIN_HOST_FD, POLLIN, 0 };
	bool more;
	int n;

	bounds();
	if (!begin(&h, log))
		return (1);
	more = h.over[0] == '\0' && load(&h, object) == 0;
	for (;;) {
		n = poll(&p, 1, more ? 0 : -1);
		if (n == -1 && errno != EINTR)
			return (1);
		if (n > 0 && !asked(&h))
			return (0);
		if (h.over[0] == '\0')
			more = source_step(h.source, take_event, &h);
	}
}
