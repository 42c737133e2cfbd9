/*
 * The clocks of a finished run, fitted again.
 *
 * On line a clock is known by its past alone.  The log holds what the pings
 * said, so afterwards every instant can be looked at from both sides, and the
 * messages add what they know.  The log is read three times: for the messages,
 * with the maps of the pings; to see what the new maps make of it; and, if a
 * new log is wanted, to write it (refit_write.c).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "log.h"
#include "refit_clock.h"
#include "refit_file.h"
#include "refit_inside.h"
#include "refit_order.h"
#include "refit_talk.h"
#include "spread.h"
#include "tools/logs/argument.h"
#include "tools/logs/logout.h"

#define BOUND_EVERY 64 /* events; the bound of the clocks: their mean */

/* --- the clocks --- */

static int
take_segment(void *arg, const struct frame *f)
{
	struct refit *r = arg;
	struct msg_segment m;
	struct refit_clock *p;

	if (f->type != MSG_segment)
		return (0);
	if (msg_decode(f->type, f->body, f->body_bytes, &m) == -1 ||
	    defs_node(r->defs, m.node) == NULL) {
		log_warnx("a damaged clock segment is left out");
		return (0);
	}
	if (m.node >= r->nclocks) {
		p = reallocarray(r->clocks, (size_t)m.node + 1, sizeof(*p));
		if (p == NULL)
			return (-1);
		memset(p + r->nclocks, 0,
		    (m.node + 1 - r->nclocks) * sizeof(*p));
		r->clocks = p;
		r->nclocks = (size_t)m.node + 1;
	}
	return (refit_clock_add(&r->clocks[m.node], &m));
}

static int
fit_clocks(struct refit *r)
{
	static const struct trace_sink sink = { .definition = take_segment };

	if (tracefile_each(r->tf, INT64_MAX, INT64_MAX, &sink, r) == -1)
		return (-1);
	for (size_t i = 0; i < r->nclocks; i++)
		if (refit_clock_fit(&r->clocks[i]) == -1)
			return (-1);
	return (0);
}

/* --- one event --- */

static void
map_event(const struct refit *r, const struct event *e, struct times *t)
{
	const struct def_thread *th = defs_thread(r->defs, e->location);
	const struct refit_clock *c;
	int64_t said;

	t->node = th == NULL ? 0 : th->node;
	t->was_ns = t->mapped_ns = e->t_mon_ns - e->shift_ns;
	t->mapped = false;
	if (t->node == 0 || t->node >= r->nclocks)
		return;
	c = &r->clocks[t->node];
	if (c->broken || c->map.n == 0)
		return;
	said = clockmap_mon(&c->was, e->t_node_ns);
	/* what the old map did not make is not for the new one either */
	if (e->shift_ns != UINT32_MAX && llabs(said - t->was_ns) > 1)
		return;
	t->was_ns = said;
	t->mapped_ns = clockmap_mon(&c->map, e->t_node_ns);
	t->mapped = true;
}

int
refit_place(struct refit *r, const struct event *e, struct times *t,
    int64_t *corrected_ns, struct refit_met *met)
{
	map_event(r, e, t);
	return (refit_order_next(r->order, e, defs_kind(r->defs, e->kind),
	    t->node, t->mapped_ns, t->was_ns, corrected_ns, met));
}

int
refit_renew_order(struct refit *r)
{
	refit_order_free(r->order);
	r->order = refit_order_new();
	return (r->order == NULL ? -1 : 0);
}

/* --- first pass: messages --- */

static int
message_event(void *arg, const struct event *e)
{
	struct refit *r = arg;
	struct refit_met met;
	struct times t;
	int64_t corrected;

	if (refit_place(r, e, &t, &corrected, &met) == -1)
		return (-1);
	if (!met.met || !t.mapped)
		return (0);
	return (refit_talk_message(r->talk, met.from, t.node, met.sent_mon_ns,
	    t.mapped_ns));
}

static int
use_messages(struct refit *r)
{
	static const struct trace_sink sink = { .event = message_event };

	r->talk = refit_talk_new(r->clocks, r->nclocks);
	if (r->talk == NULL || refit_renew_order(r) == -1 ||
	    tracefile_each(r->tf, INT64_MIN, INT64_MAX, &sink, r) == -1 ||
	    refit_talk_end(r->talk) == -1)
		return (-1);
	for (size_t i = 0; i < r->nclocks; i++)
		if (refit_clock_map(&r->clocks[i]) == -1)
			return (-1);
	return (0);
}

/* --- second pass: how it stands --- */

static void
stand_shift(struct stand *s, int64_t shift)
{
	if (shift <= 0)
		return;
	s->shifted++;
	spread_add(&s->shift, (uint64_t)shift);
}

static int
look_event(void *arg, const struct event *e)
{
	struct refit *r = arg;
	struct refit_met met;
	struct times t;
	int64_t corrected;

	if (refit_place(r, e, &t, &corrected, &met) == -1)
		return (-1);
	if (e->t_mon_ns - corrected > r->behind_ns)
		r->behind_ns = e->t_mon_ns - corrected;
	stand_shift(&r->before, e->shift_ns);
	stand_shift(&r->after, corrected - t.mapped_ns);
	if (t.mapped)
		spread_add(&r->moved, (uint64_t)llabs(t.mapped_ns - t.was_ns));
	if (met.met) {
		r->messages++;
		r->before.reversed += t.was_ns < met.was_mon_ns;
		r->after.reversed += t.mapped_ns < met.sent_mon_ns;
	}
	if (r->events++ % BOUND_EVERY == 0 && t.mapped) {
		const struct refit_clock *c = &r->clocks[t.node];

		r->bounds++;
		r->before.bounds_ns +=
		    (double)clockmap_find(&c->was, e->t_node_ns)->error_ns;
		r->after.bounds_ns +=
		    (double)clockmap_find(&c->map, e->t_node_ns)->error_ns;
	}
	return (0);
}

static int
look(struct refit *r)
{
	static const struct trace_sink sink = { .event = look_event };

	if (refit_renew_order(r) == -1)
		return (-1);
	return (tracefile_each(r->tf, INT64_MIN, INT64_MAX, &sink, r));
}

/* --- what is said --- */

static double
share(uint64_t part, uint64_t of)
{
	return (of == 0 ? 0 : 100.0 * (double)part / (double)of);
}

static void
row(const char *what, double before, double after, const char *unit)
{
	printf("  %-28s %12.3f %12.3f %s\n", what, before, after, unit);
}

static void
tell(const struct refit *r)
{
	size_t fitted = 0, kept = 0;

	for (size_t i = 0; i < r->nclocks; i++) {
		fitted += refit_clock_fitted(&r->clocks[i]);
		kept +=
		    r->clocks[i].nold > 0 && !refit_clock_fitted(&r->clocks[i]);
	}
	printf("clocks: %zu fitted again, %zu as they were\n", fitted, kept);
	printf("events: %" PRIu64 ", messages between nodes %" PRIu64 "\n",
	    r->events, r->messages);
	printf("  %-28s %12s %12s\n", "", "before", "after");
	row("reversed messages", share(r->before.reversed, r->messages),
	    share(r->after.reversed, r->messages), "%");
	row("shifted events", share(r->before.shifted, r->events),
	    share(r->after.shifted, r->events), "%");
	row("shift, mean of these", spread_mean(&r->before.shift) / 1e3,
	    spread_mean(&r->after.shift) / 1e3, "us");
	row("shift, p99 of these",
	    spread_quantile(&r->before.shift, 0.99) / 1e3,
	    spread_quantile(&r->after.shift, 0.99) / 1e3, "us");
	if (r->bounds > 0)
		row("bound of the clocks, mean",
		    r->before.bounds_ns / (double)r->bounds / 1e3,
		    r->after.bounds_ns / (double)r->bounds / 1e3, "us");
	printf("moved: mean %.3f us, p99 %.3f us, most %.3f us\n",
	    spread_mean(&r->moved) / 1e3,
	    spread_quantile(&r->moved, 0.99) / 1e3,
	    (double)r->moved.most / 1e3);
	if (fitted == 0)
		puts("The log does not hold what the pings said: nothing to "
		     "fit.");
}

static int
failed(const char *what)
{
	log_warn("%s", what);
	return (errno == ENOMEM ? EX_OSERR : EX_IOERR);
}

static int
open_out(struct refit *r, const char *path)
{
	r->out = logout_open(path, tracefile_mode(r->tf), tracefile_run(r->tf));
	if (r->out != NULL)
		return (EX_OK);
	if (errno == EEXIST) {
		log_warnx("%s is there already; name another with -o", path);
		return (EX_CANTCREAT);
	}
	log_warn("%s", path);
	return (errno == ENOMEM ? EX_OSERR : EX_CANTCREAT);
}

static int
refit_log(struct refit *r, const char *path, const char *out)
{
	int code;

	r->defs = log_defs(r->tf);
	if (r->defs == NULL)
		return (EX_OSERR);
	if (out != NULL && (code = open_out(r, out)) != EX_OK)
		return (code);
	if (fit_clocks(r) == -1 || (!r->pings_only && use_messages(r) == -1) ||
	    look(r) == -1)
		return (failed(path));
	tell(r);
	if (tracefile_damaged_bytes(r->tf) > 0) {
		log_warnx("%s: %" PRIu64 " damaged bytes were skipped; no log "
			  "is made of what is left",
		    path, tracefile_damaged_bytes(r->tf));
		return (EX_DATAERR);
	}
	if (out == NULL) {
		puts("nothing written; -o OUT writes the log with these maps");
		return (EX_OK);
	}
	if (refit_write(r) == -1) {
		if (errno == EEXIST)
			log_warnx("%s has been made by somebody else", out);
		return (errno == EEXIST ? EX_CANTCREAT : failed(out));
	}
	printf("written: %s\n", out);
	return (EX_OK);
}

static void
refit_clear(struct refit *r)
{
	for (size_t i = 0; i < r->nclocks; i++)
		refit_clock_clear(&r->clocks[i]);
	free(r->clocks);
	free(r->heap);
	refit_order_free(r->order);
	refit_talk_free(r->talk);
	logout_free(r->out);
	defs_free(r->defs);
}

int
refit_file(const char *path, const char *out, bool pings_only)
{
	struct refit r = { .pings_only = pings_only };
	int code;

	if ((r.tf = log_open(path, &code)) == NULL)
		return (code);
	code = refit_log(&r, path, out);
	refit_clear(&r);
	tracefile_close(r.tf);
	return (code);
}
