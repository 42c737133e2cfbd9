/*
 * The log against the truth.
 *
 * Two readers look at it.  proto/check/validate.c knows what any log must be
 * like: sequence, order, causes, spans, clock maps, receipt.  The other one
 * knows what the programs have done: every record that was published is there
 * once, in its place, with its contents, its time stamp and its names, or is
 * counted as lost by as many.  Whether the times are right is clockjudge.c's,
 * whether effects stand behind their causes, causes.c's.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check/validate.h"
#include "clockmap.h"
#include "log/tracefile.h"
#include "tests/sim/causes.h"
#include "tests/sim/clockjudge.h"
#include "tests/sim/promises.h"
#include "tests/sim/world_inside.h"

#define SETTLED_NS (5 * ENV_SEC) /* a clock is known well after this */

/* What was seen of a program in the log. */
struct seen {
	const struct program *p;
	uint64_t next[APP_THREADS];
	uint64_t lost[APP_THREADS], no_ring;
};

struct reading {
	struct world *w;
	struct defs *defs;
	struct validate *validate;
	struct promises *promises;
	struct seen *seen;
	size_t seen_n;
	struct seen **by_location; /* a cache */
	size_t locations;
	struct clockjudge *clocks;
	struct causes *causes;
	int64_t *sent_mapped_ns; /* by id, before it was corrected */
	uint64_t late, orphans;
};

static void
bad(struct reading *rd)
{
	rd->w->r->violations++;
}

static void
violation_cb(void *arg, const struct violation *v)
{
	struct reading *rd = arg;

	/* what a monitord said of events that died with it, it says again */
	if (v->kind == VIOLATION_MONITOR && rd->w->starts > 1)
		return;
	bad(rd);
	wrong(rd->w, "%s", v->text);
}

/* --- definitions --- */

static int
read_segment(struct reading *rd, const struct frame *f)
{
	struct msg_segment m;
	struct clock_segment seg;

	if (msg_decode(MSG_segment, f->body, f->body_bytes, &m) == -1 ||
	    m.node > 100000)
		return (-1);
	seg = (struct clock_segment){
		.base_node_ns = m.base_node_ns,
		.base_mon_ns = m.base_mon_ns,
		.skew_q40 = m.skew_q40,
		.error_ns = m.error_ns,
		.epoch = m.epoch,
		.state = m.state,
	};
	promises_segment(rd->promises, m.node, &seg);
	clockjudge_segment(rd->clocks, m.node, &seg, m.start);
	return (0);
}

static int
read_definition(void *arg, const struct frame *f)
{
	struct reading *rd = arg;

	if (defs_add(rd->defs, f) == -1 ||
	    validate_definition(rd->validate, f) == -1)
		return (-1);
	return (f->type == MSG_segment ? read_segment(rd, f) : 0);
}

/* --- events --- */

static struct seen *
seen_find(struct reading *rd, const struct def_thread *t)
{
	const struct def_node *n = defs_node(rd->defs, t->node);

	for (size_t i = 0; n != NULL && i < rd->seen_n; i++) {
		const struct program *p = rd->seen[i].p;

		if (p->app.po == t->po && strcmp(p->host->name, n->name) == 0)
			return (&rd->seen[i]);
	}
	return (NULL);
}

/* The program of an event; NULL: monitord, or one that is not of the run. */
static struct seen *
seen_of(struct reading *rd, uint32_t location, const struct def_thread *t)
{
	if (location >= rd->locations) {
		size_t n = (size_t)location + 64;

		rd->by_location =
		    realloc(rd->by_location, n * sizeof(struct seen *));
		if (rd->by_location == NULL)
			abort();
		memset(rd->by_location + rd->locations, 0,
		    (n - rd->locations) * sizeof(struct seen *));
		rd->locations = n;
	}
	if (rd->by_location[location] == NULL)
		rd->by_location[location] = seen_find(rd, t);
	return (rd->by_location[location]);
}

/* How often the clocks, as mapped, have a message taken before it is sent. */
static void
read_message(struct reading *rd, const struct event *ev)
{
	int64_t *sent = &rd->sent_mapped_ns[ev->a];
	int64_t mapped_ns = ev->t_mon_ns - ev->shift_ns;

	if (ev->kind == EV_send || ev->kind == EV_future_set)
		*sent = mapped_ns;
	if (ev->kind != EV_receive && ev->kind != EV_future_get)
		return;
	rd->w->r->messages++;
	rd->w->r->reversed +=
	    *sent > CLOCK_ORIGIN + SETTLED_NS && mapped_ns < *sent;
}

static bool
same_name(struct reading *rd, const struct event *ev, const struct deed *d,
    const struct app *a)
{
	char text[64];

	if (ev->kind != EV_counter)
		return (ev->kind == EV_lost || ev->c == d->c);
	if (d->c > a->names)
		return (ev->c == 0);
	app_name(text, sizeof(text), a, d->c);
	return (strcmp(defs_name_text(rd->defs, ev->c), text) == 0);
}

static void
read_deed(struct reading *rd, struct seen *s, uint32_t thread,
    const struct event *ev, uint32_t node)
{
	struct world *w = rd->w;
	const struct host *h = s->p->host;
	const struct app_thread *t = &s->p->app.threads[thread];
	const struct deed *d;

	if (ev->seq == t->deeds_n && ev->seq == s->next[thread] &&
	    ev->kind == EV_lost && ev->a == t->gap && t->gap > 0) {
		s->lost[thread] += ev->a; /* the last gap, that had no room */
		s->next[thread]++;
		return;
	}
	if (ev->seq != s->next[thread] || ev->seq >= t->deeds_n) {
		bad(rd);
		wrong(w, "%s po %u thread %u: event %llu where %llu belongs",
		    h->name, s->p->app.po, thread + 1,
		    (unsigned long long)ev->seq,
		    (unsigned long long)s->next[thread]);
		s->next[thread] = ev->seq + 1;
		return;
	}
	d = &t->deeds[s->next[thread]++];
	if (ev->kind == EV_lost)
		s->lost[thread] += ev->a;
	if (d->kind != ev->kind || d->a != ev->a ||
	    (ev->kind != EV_lost && d->b != ev->b) ||
	    !same_name(rd, ev, d, &s->p->app)) {
		bad(rd);
		wrong(w,
		    "%s po %u thread %u: event %llu is not what was "
		    "published",
		    h->name, s->p->app.po, thread + 1,
		    (unsigned long long)ev->seq);
	}
	if (d->node_ns != ev->t_node_ns) {
		bad(rd);
		wrong(w,
		    "%s po %u thread %u: event %llu is stamped %lld ns "
		    "off",
		    h->name, s->p->app.po, thread + 1,
		    (unsigned long long)ev->seq,
		    (long long)(ev->t_node_ns - d->node_ns));
	}
	if (d->a <= w->crowd.next_id)
		read_message(rd, ev);
	clockjudge_event(rd->clocks, h, node, ev, d);
}

static int
read_event(void *arg, const struct event *ev)
{
	struct reading *rd = arg;
	struct world *w = rd->w;
	const struct def_thread *t = defs_thread(rd->defs, ev->location);
	struct seen *s;

	if (validate_event(rd->validate, ev) == -1)
		return (-1);
	if (w->o->verbose) {
		char line[300];

		event_print(line, sizeof(line), ev, rd->defs, 0);
		fprintf(stderr, "log: %s %u.%llu\n", line, ev->location,
		    (unsigned long long)ev->seq);
	}
	rd->late += (ev->flags & EVENT_LATE) != 0;
	rd->orphans += (ev->flags & EVENT_ORPHAN) != 0;
	w->r->shifted += (ev->flags & EVENT_SHIFTED) != 0;
	s = t == NULL || t->po == 0 ? NULL : seen_of(rd, ev->location, t);
	promises_event(rd->promises, ev, s == NULL ? NULL : s->p,
	    t == NULL ? 0 : t->thread);
	if (s == NULL)
		return (0);
	causes_event(rd->causes, ev);
	if (t->thread >= 1 && t->thread <= APP_THREADS)
		read_deed(rd, s, t->thread - 1, ev, t->node);
	else if (ev->kind == EV_lost && ev->c == LOST_NO_RING)
		s->no_ring += ev->a;
	else if (ev->kind == EV_lost) {
		bad(rd);
		wrong(w, "%s po %u: a loss of %llu, reason %u, is told",
		    s->p->host->name, t->po, (unsigned long long)ev->a, ev->c);
	}
	return (0);
}

/* --- sums --- */

static void
check_thread(struct world *w, const struct seen *s, unsigned k)
{
	const struct app_thread *t = &s->p->app.threads[k];
	uint64_t seen = s->next[k], missing = 0;

	w->r->events += t->deeds_n;
	if (seen < t->deeds_n)
		missing = t->deeds_n - seen;
	if (s->lost[k] < t->lost_total)
		missing += t->lost_total - s->lost[k];
	w->r->unaccounted += missing;
	if (missing > 0 || s->lost[k] > t->lost_total)
		wrong(w,
		    "%s po %u thread %u: %llu of %zu events are in the log, "
		    "%llu of %llu counted as lost",
		    s->p->host->name, s->p->app.po, k + 1,
		    (unsigned long long)seen, t->deeds_n,
		    (unsigned long long)s->lost[k],
		    (unsigned long long)t->lost_total);
}

static void
check_counts(struct reading *rd)
{
	struct world *w = rd->w;

	for (size_t i = 0; i < rd->seen_n; i++) {
		const struct seen *s = &rd->seen[i];
		uint64_t no_ring = s->p->app.no_ring;

		for (unsigned k = 0; k < APP_THREADS; k++)
			check_thread(w, s, k);
		if (s->no_ring == no_ring)
			continue;
		if (s->no_ring < no_ring)
			w->r->unaccounted += no_ring - s->no_ring;
		wrong(w, "%s po %u: %llu of %llu events without a ring counted",
		    s->p->host->name, s->p->app.po,
		    (unsigned long long)s->no_ring,
		    (unsigned long long)no_ring);
	}
}

/* What the programs have published, as the receipt should have it. */
static void
check_receipt(struct reading *rd, struct tracefile *tf)
{
	struct world *w = rd->w;
	struct msg_receipt m;
	uint64_t lost = 0, stored = 0;

	if (tracefile_receipt(tf, &m) != 1) {
		wrong(w, "there is no receipt");
		return;
	}
	validate_receipt(rd->validate, &m);
	absent_check(w, m.unattached);
	for (size_t i = 0; i < rd->seen_n; i++) {
		const struct app *a = &rd->seen[i].p->app;

		lost += a->no_ring;
		for (unsigned k = 0; k < APP_THREADS; k++) {
			lost += a->threads[k].lost_total;
			stored +=
			    a->threads[k].deeds_n - a->threads[k].lost_records;
		}
	}
	/* it also counts what collectors say of the programs' lives */
	if (m.lost != lost || m.stored < stored ||
	    m.published != m.stored + m.lost || m.unknown != 0)
		wrong(w,
		    "receipt: published %llu, stored %llu, lost %llu, unknown "
		    "%u; in truth %llu stored, %llu lost",
		    (unsigned long long)m.published,
		    (unsigned long long)m.stored, (unsigned long long)m.lost,
		    m.unknown, (unsigned long long)stored,
		    (unsigned long long)lost);
	if (m.late != rd->late || m.orphans != rd->orphans)
		wrong(w,
		    "receipt: %llu late, %llu orphans; in the log %llu "
		    "and %llu",
		    (unsigned long long)m.late, (unsigned long long)m.orphans,
		    (unsigned long long)rd->late,
		    (unsigned long long)rd->orphans);
}

uint64_t
programs_lost(const struct world *w)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < w->hosts_n; i++) {
		const struct host *n = &w->hosts[i];

		for (unsigned j = 0; j < n->programs_n; j++)
			for (unsigned k = 0; k < APP_THREADS; k++)
				lost +=
				    n->programs[j]->app.threads[k].lost_total;
	}
	return (lost);
}

/* When nothing goes wrong, nothing is late, and every effect has its cause. */
static void
check_calm(struct reading *rd)
{
	struct world *w = rd->w;

	if (!w->p.calm)
		return;
	/* a spool that names have filled lets its node be passed over */
	if (rd->late > 0 && w->p.names <= APP_NAMES)
		wrong(w, "%llu events are late though nothing went wrong",
		    (unsigned long long)rd->late);
	if (programs_lost(w) == 0 && rd->orphans > 0)
		wrong(w, "%llu orphans though nothing was lost",
		    (unsigned long long)rd->orphans);
}

static void
reading_make(struct reading *rd)
{
	struct world *w = rd->w;
	size_t ids = w->crowd.next_id + 1, programs = 0;

	for (size_t i = 0; i < w->hosts_n; i++)
		programs += w->hosts[i].programs_n;

	rd->defs = defs_new();
	rd->validate = validate_new(violation_cb, rd);
	rd->promises = promises_new(w);
	rd->clocks = clockjudge_new(w);
	rd->causes = causes_new(w, NULL);
	rd->sent_mapped_ns = calloc(ids, sizeof(*rd->sent_mapped_ns));
	rd->seen = calloc(programs + 1, sizeof(*rd->seen));
	if (rd->defs == NULL || rd->validate == NULL ||
	    rd->sent_mapped_ns == NULL || rd->seen == NULL)
		abort();
	for (size_t i = 0; i < w->hosts_n; i++) {
		for (unsigned k = 0; k < w->hosts[i].programs_n; k++)
			rd->seen[rd->seen_n++].p = w->hosts[i].programs[k];
	}
}

static void
reading_free(struct reading *rd)
{
	defs_free(rd->defs);
	validate_free(rd->validate);
	promises_free(rd->promises);
	clockjudge_free(rd->clocks);
	causes_free(rd->causes);
	free(rd->sent_mapped_ns);
	free(rd->seen);
	free(rd->by_location);
}

static void
check_file(struct reading *rd, const char *path)
{
	static const struct trace_sink sink = { read_definition, read_event };
	const char *why = "";
	struct tracefile *tf = tracefile_open(path, &why);

	if (tf == NULL) {
		wrong(rd->w, "log: %s", why);
		return;
	}
	if (tracefile_each(tf, INT64_MIN, INT64_MAX, &sink, rd) != 0)
		wrong(rd->w, "log: cannot be read");
	if (tracefile_damaged_bytes(tf) > 0)
		wrong(rd->w, "log: damaged");
	check_counts(rd);
	promises_end(rd->promises);
	causes_end(rd->causes, true);
	if (rd->w->r->why[0] == '\0') {
		check_receipt(rd, tf);
		check_calm(rd);
		clockjudge_end(rd->clocks);
	}
	tracefile_close(tf);
	rd->w->r->late += rd->late;
	rd->w->r->orphans += rd->orphans;
}

void
check_log(struct world *w)
{
	struct reading rd = { .w = w };
	const void *data;
	char path[64];
	size_t n;
	int fd;

	data = sim_machine_file(w->center, LOG_PATH, &n);
	if (data == NULL) {
		wrong(w, "there is no log");
		return;
	}
	fd = memfd_create("log", MFD_CLOEXEC);
	if (fd == -1 || write(fd, data, n) != (ssize_t)n)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	reading_make(&rd);
	check_file(&rd, path);
	reading_free(&rd);
	close(fd);
}
