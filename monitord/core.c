/*
 * The run: what holds nodes, order and log together.
 *
 * Four timers drive it.  `tick` lets the reorderer emit while anything is
 * held; `commit` puts what was emitted on disk and has it acknowledged, soon
 * when somebody watches; `second` does what may wait; `pulse` tells the
 * viewers how things are.  When nothing happens only `second` runs.
 */
#include "core.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "block.h"
#include "inside.h"
#include "log.h"

#define TICK_NS           (2 * ENV_MS)
#define COMMIT_NS         (100 * ENV_MS)
#define COMMIT_WATCHED_NS (20 * ENV_MS)
#define PULSE_NS          (100 * ENV_MS)
#define GATHER_NS         (2 * ENV_SEC) /* nodes may come so late to the order */
#define WAITING_MAX       ((size_t)64 << 20)

const char *const core_state_name[CORE_STATES] = {
	[CORE_RUNNING] = "running",
	[CORE_FINISHING] = "finishing",
	[CORE_FINISHED] = "finished",
};

int64_t
core_mon(const struct monitord_core *c, int64_t env_ns)
{
	return (env_ns + c->offset_ns);
}

int64_t
core_now(const struct monitord_core *c)
{
	return (core_mon(c, c->env->ops->now_ns(c->env)));
}

struct node *
core_node(struct monitord_core *c, const char *name)
{
	struct node *n;

	TAILQ_FOREACH (n, &c->nodes, entry)
		if (strcmp(n->name, name) == 0)
			return (n);
	return (NULL);
}

static struct node *
node_by_number(struct monitord_core *c, uint32_t number)
{
	struct node *n;

	TAILQ_FOREACH (n, &c->nodes, entry)
		if (n->number == number)
			return (n);
	return (NULL);
}

/* --- what goes into the log --- */

static void
out_of_memory(void)
{
	fatalx(EX_OSERR, "out of memory; the log can be continued");
}

static void
define_cb(void *arg, enum msg_type type, const void *msg)
{
	struct monitord_core *c = arg;

	if (store_frame(c->store, type, msg) == -1)
		out_of_memory();
	core_commit_soon(c);
}

/* An event is late: it is told in sums, not one by one. */
static void
count_late(struct monitord_core *c, uint32_t node, int64_t by_ns)
{
	struct node *n = node_by_number(c, node);

	if (n == NULL)
		return;
	n->late++;
	n->late_now++;
	if (by_ns > n->late_by_ns)
		n->late_by_ns = by_ns;
}

static void
emit_cb(void *arg, const struct event *e, size_t n)
{
	struct monitord_core *c = arg;
	struct location *l;
	int64_t before;
	int late;

	for (size_t i = 0; i < n; i++) {
		l = registry_location(c->registry, e[i].location);
		if (e[i].seq < l->emitted)
			continue; /* in the log already: see replay_tail */
		l->emitted = e[i].seq + 1;
		l->records += e[i].kind != EV_lost;
		before = store_last_mon_ns(c->store);
		late = store_event(c->store, &e[i]);
		if (late == -1)
			out_of_memory();
		if (late)
			count_late(c, l->node, before - e[i].t_mon_ns);
		if (e[i].flags & EVENT_ORPHAN) {
			c->orphans++;
			core_say(c, EV_orphan, e[i].kind, e[i].a, 0);
		}
	}
	core_commit_soon(c);
}

static void
stall_cb(void *arg, uint32_t node, bool stalled, int64_t ns)
{
	struct monitord_core *c = arg;
	struct node *n = node_by_number(c, node);

	if (n != NULL && stalled)
		log_debug("node %s: silent for %" PRId64 " ms, not waited for",
		    n->name, ns / ENV_MS);
	core_say(c, stalled ? EV_stall : EV_rejoin, node, (uint64_t)ns, 0);
}

void
core_say(struct monitord_core *c, uint16_t kind, uint32_t word, uint64_t a,
    uint64_t b)
{
	if (c->nnotes == CORE_NOTES) {
		c->notes_dropped++;
		return;
	}
	c->notes[c->nnotes++] = (struct core_note){ kind, word, a, b };
}

/* Where monitord's own words stand: behind all that has been emitted. */
static int64_t
say_at(struct monitord_core *c)
{
	int64_t last = store_last_mon_ns(c->store), now = core_now(c);
	int64_t at = reorder_watermark(c->reorder);

	if (at > now || at == INT64_MIN)
		at = now;
	return (at > last ? at : last);
}

void
core_say_all(struct monitord_core *c)
{
	struct location *self = registry_location(c->registry, 0);
	struct node *n;
	struct event e = { .location = 0 };

	TAILQ_FOREACH (n, &c->nodes, entry) {
		if (n->late_now == 0)
			continue;
		core_say(c, EV_late, n->number, n->late_now,
		    (uint64_t)n->late_by_ns);
		n->late_now = 0;
		n->late_by_ns = 0;
	}
	if (c->nnotes == 0)
		return;
	e.t_mon_ns = say_at(c);
	e.t_node_ns = e.t_mon_ns - c->offset_ns;
	for (size_t i = 0; i < c->nnotes; i++) {
		e.kind = c->notes[i].kind;
		e.a = c->notes[i].a;
		e.b = c->notes[i].b;
		e.c = c->notes[i].c;
		e.seq = self->pushed++;
		self->emitted = self->pushed;
		self->records++;
		if (store_event(c->store, &e) == -1)
			out_of_memory();
	}
	c->nnotes = 0;
	core_commit_soon(c);
}

/* --- timers --- */

void
core_kick(struct monitord_core *c)
{
	if (c->tick_set)
		return;
	c->tick_set = true;
	c->env->ops->timer_set(c->tick, TICK_NS);
}

void
core_commit_soon(struct monitord_core *c)
{
	int64_t delay =
	    TAILQ_EMPTY(&c->streams) ? COMMIT_NS : COMMIT_WATCHED_NS;

	if (c->commit_set)
		return;
	if (store_failed(c->store, NULL))
		delay = ENV_SEC;
	c->commit_set = true;
	c->env->ops->timer_set(c->commit, delay);
}

bool
core_commit_now(struct monitord_core *c)
{
	struct node *n;
	bool good = store_commit(c->store);

	stream_news(c);
	if (good)
		TAILQ_FOREACH (n, &c->nodes, entry)
			node_acknowledge(n);
	else
		core_commit_soon(c);
	core_pressure(c);
	return (good);
}

static void
commit_cb(void *arg)
{
	struct monitord_core *c = arg;
	struct node *n;

	c->commit_set = false;
	if (c->state == CORE_FINISHED || !core_commit_now(c))
		return;
	TAILQ_FOREACH (n, &c->nodes, entry)
		if (!STAILQ_EMPTY(&n->batches))
			core_commit_soon(c); /* the reorderer has them */
	finish_check(c);
}

/*
 * After a start some nodes come back before others.  Until all that are known
 * are here, or have had their time, nothing is emitted, or else what the
 * later ones bring would be late.
 */
static bool
gathering(struct monitord_core *c)
{
	struct node *n;

	if (core_now(c) - c->start_ns >= GATHER_NS ||
	    c->state != CORE_RUNNING ||
	    reorder_held_bytes(c->reorder) > reorder_defaults.held_bytes_max)
		return (false);
	TAILQ_FOREACH (n, &c->nodes, entry)
		if (n->state == NODE_NEW || n->state == NODE_SYNCING)
			return (true);
	return (false);
}

static void
tick_cb(void *arg)
{
	struct monitord_core *c = arg;

	c->tick_set = false;
	if (c->state == CORE_FINISHED)
		return;
	if (!gathering(c)) {
		reorder_tick(c->reorder, core_now(c));
		core_say_all(c);
	}
	core_pressure(c);
	if (reorder_held_bytes(c->reorder) > 0)
		core_kick(c);
}

static void
second_cb(void *arg)
{
	struct monitord_core *c = arg;
	struct node *n;
	uint64_t events = store_events(c->store);

	c->rate = (uint32_t)(events - c->rate_events);
	c->rate_events = events;
	TAILQ_FOREACH (n, &c->nodes, entry)
		node_second(n);
	core_kick(c); /* stalls are found by looking */
	finish_check(c);
	c->env->ops->timer_set(c->second, ENV_SEC);
}

static void
pulse_cb(void *arg)
{
	struct monitord_core *c = arg;

	stream_pulse(c);
	c->env->ops->timer_set(c->pulse, PULSE_NS);
}

/*
 * More is held than memory is meant for: reading stops, but never from the
 * node that is the furthest behind, for which all others wait.
 */
void
core_pressure(struct monitord_core *c)
{
	size_t held = reorder_held_bytes(c->reorder);
	size_t cap = reorder_defaults.held_bytes_max;
	bool stuck = store_failed(c->store, NULL) &&
		     store_waiting_bytes(c->store) > WAITING_MAX / 8;
	struct node *n, *last = NULL;

	if (!c->paused && held <= cap && !stuck &&
	    store_waiting_bytes(c->store) <= WAITING_MAX)
		return;
	c->paused = stuck || held > (c->paused ? cap / 2 : cap) ||
		    store_waiting_bytes(c->store) > WAITING_MAX;
	TAILQ_FOREACH (n, &c->nodes, entry)
		if (n->state == NODE_RUNNING && n->end != NODE_FINISHED &&
		    (last == NULL || n->mark_mon_ns < last->mark_mon_ns))
			last = n;
	TAILQ_FOREACH (n, &c->nodes, entry)
		node_pause(n, c->paused && (stuck || n != last));
}

/* --- beginning --- */

/*
 * Keeps the causes at the end of the log: their effects may come after them.
 * Mapped times again, not corrected ones.
 */
static void
remember_cause(struct monitord_core *c, const struct event *e)
{
	const struct event_desc *d = event_desc(e->kind);
	struct event *t;

	if (d == NULL || d->role != ROLE_CAUSE || e->location == 0)
		return;
	if (c->tail == NULL)
		c->tail = calloc(CORE_TAIL, sizeof(*c->tail));
	if (c->tail == NULL)
		return;
	t = &c->tail[c->ntail++ % CORE_TAIL];
	*t = *e;
	t->t_mon_ns -= t->shift_ns;
	t->shift_ns = 0;
	t->flags = 0;
}

/* The map that has put an event into the log must not be changed any more. */
static void
remember_time(struct monitord_core *c, const struct event *e)
{
	uint32_t node = registry_location(c->registry, e->location)->node;

	if (node < c->nmaps && e->t_node_ns > c->told_node_ns[node])
		c->told_node_ns[node] = e->t_node_ns;
}

/* The receipt counts the orphans of the whole run, and only flags tell. */
static int
restore_events(struct monitord_core *c, const struct msg_block *b)
{
	struct event *e;
	int rv;

	if (b->events > BLOCK_EVENTS_MAX)
		return (-1);
	e = malloc((b->events + 1) * sizeof(*e));
	if (e == NULL)
		return (-1);
	rv = block_read(b, e, &c->scratch);
	for (uint32_t i = 0; rv == 0 && i < b->events; i++) {
		if (e[i].kind == EV_lost && e[i].c == LOST_GONE)
			registry_location(c->registry, e[i].location)->gone +=
			    e[i].a;
		c->orphans += (e[i].flags & EVENT_ORPHAN) != 0;
		remember_cause(c, &e[i]);
		remember_time(c, &e[i]);
	}
	free(e);
	return (rv);
}

/* The lanes of a block say how far every location has got. */
static int
restore_block(struct monitord_core *c, const struct frame *f)
{
	struct msg_block b;
	struct block_lane *lanes;
	struct location *l;
	size_t n;
	int rv = 0;

	if (msg_decode(f->type, f->body, f->body_bytes, &b) == -1 ||
	    block_read_lanes(&b, &lanes, &n) == -1)
		return (-1);
	for (size_t i = 0; i < n && rv == 0; i++) {
		if (lanes[i].location >= registry_locations(c->registry)) {
			rv = -1;
			break;
		}
		l = registry_location(c->registry, lanes[i].location);
		if (lanes[i].first_seq + lanes[i].events > l->pushed)
			l->pushed = lanes[i].first_seq + lanes[i].events;
		l->emitted = l->pushed;
		l->records += lanes[i].events;
		if (lanes[i].location != 0)
			l->records -= lanes[i].class_events[CLASS_monitor];
		if (lanes[i].last_mon_ns > l->floor_mon_ns)
			l->floor_mon_ns = lanes[i].last_mon_ns;
	}
	free(lanes);
	return (rv == 0 ? restore_events(c, &b) : rv);
}

static int
restore_segment(struct monitord_core *c, const struct frame *f)
{
	struct msg_segment m;
	struct clock_segment seg;
	struct clockmap *p;
	int64_t *told;

	if (msg_decode(f->type, f->body, f->body_bytes, &m) == -1 ||
	    m.node >= registry_nodes(c->registry))
		return (-1);
	if (m.node >= c->nmaps) {
		p = realloc(c->maps, (m.node + 1) * sizeof(*p));
		if (p == NULL)
			return (-1);
		memset(p + c->nmaps, 0, (m.node + 1 - c->nmaps) * sizeof(*p));
		c->maps = p;
		told = realloc(c->told_node_ns, (m.node + 1) * sizeof(*told));
		if (told == NULL)
			return (-1);
		for (size_t k = c->nmaps; k <= m.node; k++)
			told[k] = INT64_MIN;
		c->told_node_ns = told;
		c->nmaps = m.node + 1;
	}
	seg = (struct clock_segment){
		.base_node_ns = m.base_node_ns,
		.base_mon_ns = m.base_mon_ns,
		.skew_q40 = m.skew_q40,
		.error_ns = m.error_ns,
		.epoch = m.epoch,
		.state = m.state,
	};
	if (clockmap_add(&c->maps[m.node], &seg) == 0)
		return (0);
	/* another machine has taken the name: its clock begins anew */
	clockmap_clear(&c->maps[m.node]);
	return (clockmap_add(&c->maps[m.node], &seg));
}

static int
restore_cb(void *arg, const struct frame *f)
{
	struct monitord_core *c = arg;
	struct msg_kind k;

	switch (f->type) {
	case MSG_block:
		return (restore_block(c, f));
	case MSG_segment:
		return (restore_segment(c, f));
	case MSG_kind:
		if (msg_decode(f->type, f->body, f->body_bytes, &k) == -1)
			return (-1);
		if (k.kind < EVENT_KINDS)
			c->kind_written[k.kind] = true;
		return (0);
	default:
		return (registry_restore(c->registry, f));
	}
}

/* The rows of events.def that the log does not have yet. */
static void
write_kinds(struct monitord_core *c)
{
	const struct event_desc *d;
	struct msg_kind m;

	for (unsigned k = 0; k < EVENT_KINDS; k++) {
		d = event_desc(k);
		if (d == NULL)
			continue;
		c->c_is_name[k] = event_field_is(d->c, "name");
		if (c->kind_written[k])
			continue;
		m = (struct msg_kind){
			.kind = (uint16_t)k,
			.name = BYTES_STR(d->name),
			.class = d->class,
			.shape = d->shape,
			.span = d->span,
			.role = d->role,
			.partner = d->partner,
			.key = d->key,
			.match = d->match,
			.a = BYTES_STR(d->a),
			.b = BYTES_STR(d->b),
			.c = BYTES_STR(d->c),
			.what = BYTES_STR(d->what),
		};
		define_cb(c, MSG_kind, &m);
	}
}

/* Node 0 and location 0 are monitord itself. */
static int
write_self(struct monitord_core *c)
{
	const char *machine = c->env->ops->machine(c->env);
	struct msg_thread t = { .name = BYTES_STR("monitord") };

	c->rebooted =
	    registry_nodes(c->registry) > 0 &&
	    strcmp(registry_node_machine(c->registry, 0), machine) != 0;
	if (registry_node(c->registry, "monitord", machine) != 0 ||
	    registry_thread(c->registry, &t) != 0)
		return (-1);
	return (0);
}

static void
fresh_run(struct monitord_core *c, struct msg_run *m)
{
	static const char program[] = "monitord " ORRERY_VERSION;
	uint64_t r[2] = { c->env->ops->random(c->env),
		c->env->ops->random(c->env) };

	*m = (struct msg_run){
		.version = TRACEFILE_VERSION,
		.name = BYTES_STR(c->set.run_name),
		.start_real_ns = c->env->ops->real_ns(c->env),
		.start_mon_ns = c->env->ops->now_ns(c->env),
		.program = BYTES_STR(program),
	};
	memcpy(m->run.b, r, sizeof(m->run.b));
	m->run.b[6] = (uint8_t)((m->run.b[6] & 0x0f) | 0x40); /* version 4 */
	m->run.b[8] = (uint8_t)((m->run.b[8] & 0x3f) | 0x80);
}

/* The monitor clock of a run never goes back, whatever the machine did. */
static void
set_clock(struct monitord_core *c)
{
	int64_t last = store_last_mon_ns(c->store);
	int64_t now = c->env->ops->now_ns(c->env);

	if (last != INT64_MIN &&
	    (last > now + ENV_SEC || (c->rebooted && last >= now)))
		c->offset_ns = last - now + ENV_MS;
	c->start_ns = core_now(c);
}

/*
 * Nodes that the log or the cluster file knows are waited for.  Those of the
 * file have their numbers in its order, so that every view has it too; their
 * machines are told when they come.
 */
static int
expect_nodes(struct monitord_core *c)
{
	struct node *n;
	uint32_t k;

	for (size_t i = 0; i < c->set.nnodes; i++) {
		n = node_new(c, c->set.nodes[i]);
		if (n == NULL)
			return (-1);
		if (registry_find_node(c->registry, n->name) == REGISTRY_NONE &&
		    registry_node(c->registry, n->name, "") == REGISTRY_NONE) {
			node_free(n);
			return (-1);
		}
		TAILQ_INSERT_TAIL(&c->nodes, n, entry);
	}
	for (k = 1; k < registry_nodes(c->registry); k++) {
		const char *name = registry_node_name(c->registry, k);

		n = core_node(c, name);
		if (n == NULL && c->set.open) {
			n = node_new(c, name);
			if (n == NULL)
				return (-1);
			TAILQ_INSERT_TAIL(&c->nodes, n, entry);
		}
		if (n == NULL || registry_node_machine(c->registry, k)[0] == 0)
			continue; /* it has not come yet */
		n->number = k;
		strncpy(n->machine, registry_node_machine(c->registry, k),
		    sizeof(n->machine) - 1);
		for (size_t i = 0;
		     k < c->nmaps && !c->rebooted && i < c->maps[k].n; i++)
			node_restore(n, &c->maps[k].segments[i]);
		if (k < c->nmaps && !c->rebooted)
			clocksync_restore_told(n->sync, c->told_node_ns[k]);
	}
	return (0);
}

/*
 * Shows the reorderer the causes at the end of the log once more; emit_cb
 * drops what comes out, which is below what the location has in the log.
 */
static int
replay_tail(struct monitord_core *c)
{
	size_t from = c->ntail > CORE_TAIL ? c->ntail - CORE_TAIL : 0;
	const struct event *e;
	struct location *l;

	for (size_t i = from; i < c->ntail; i++) {
		e = &c->tail[i % CORE_TAIL];
		l = registry_location(c->registry, e->location);
		if (node_by_number(c, l->node) == NULL)
			continue;
		if (!l->open) {
			if (reorder_node_add(c->reorder, l->node) == -1 ||
			    reorder_stream_add(c->reorder, e->location,
				l->node) == -1)
				return (-1);
			l->open = true;
		}
		if (reorder_push(c->reorder, e->location, e, 1) == -1)
			return (-1);
	}
	free(c->tail);
	c->tail = NULL;
	if (c->ntail > 0)
		core_kick(c);
	return (0);
}

static int
open_log(struct monitord_core *c, struct store_error *err)
{
	struct msg_run fresh;

	fresh_run(c, &fresh);
	c->store =
	    store_open(c->env, c->set.log_path, &fresh, restore_cb, c, err);
	if (c->store == NULL)
		return (-1);
	if (store_continued(c->store))
		log_info("%s: going on with this run, %" PRIu64 " events in it"
			 "%s",
		    c->set.log_path, store_events(c->store),
		    store_cut_bytes(c->store) > 0 ? "; a torn end was cut off"
						  : "");
	write_kinds(c);
	if (write_self(c) == -1 || expect_nodes(c) == -1)
		return (store_no_memory(err));
	set_clock(c);
	return (replay_tail(c) == -1 ? store_no_memory(err) : 0);
}

/* Nothing has been touched yet when this is said. */
static void
cannot_listen(const char *address, struct store_error *err)
{
	bool local = strncmp(address, "unix:", 5) == 0;

	if (errno == EADDRINUSE && local)
		store_fail(err, EX_TEMPFAIL,
		    "another monitord runs at %s; "
		    "stop it with `monitorctl shutdown', or give this one "
		    "another --dir",
		    address);
	else if (errno == EADDRINUSE)
		store_fail(err, EX_UNAVAILABLE,
		    "%s is used by another "
		    "program; choose another port with --listen",
		    address);
	else
		store_fail(err, EX_UNAVAILABLE, "cannot listen at %s: %s",
		    address, strerror(errno));
}

static int
open_doors(struct monitord_core *c, struct store_error *err)
{
	c->listen = listen_new(c);
	if (c->listen == NULL)
		return (store_no_memory(err));
	for (size_t i = 0; i < c->set.nlisten; i++) {
		if (listen_add(c->listen, c->set.listen[i]) == 0)
			continue;
		cannot_listen(c->set.listen[i], err);
		return (-1);
	}
	return (0);
}

static int
make_timers(struct monitord_core *c)
{
	const struct env_ops *ops = c->env->ops;

	c->tick = ops->timer_new(c->env, tick_cb, c);
	c->commit = ops->timer_new(c->env, commit_cb, c);
	c->second = ops->timer_new(c->env, second_cb, c);
	c->pulse = ops->timer_new(c->env, pulse_cb, c);
	if (c->tick == NULL || c->commit == NULL || c->second == NULL ||
	    c->pulse == NULL)
		return (-1);
	ops->timer_set(c->second, ENV_SEC);
	ops->timer_set(c->pulse, PULSE_NS);
	return (0);
}

struct monitord_core *
core_new(struct env *env, const struct core_settings *set,
    void (*ended)(void *arg, int code), void *arg, struct store_error *err)
{
	struct monitord_core *c = calloc(1, sizeof(*c));

	if (c == NULL) {
		store_no_memory(err);
		return (NULL);
	}
	c->env = env;
	c->set = *set;
	c->ended = ended;
	c->ended_arg = arg;
	TAILQ_INIT(&c->nodes);
	TAILQ_INIT(&c->streams);
	TAILQ_INIT(&c->controls);
	c->registry = registry_new(define_cb, c);
	c->reorder = reorder_new(&reorder_defaults, emit_cb, stall_cb, c);
	if (c->registry == NULL || c->reorder == NULL || make_timers(c) == -1)
		store_no_memory(err);
	else if (open_doors(c, err) == 0 && open_log(c, err) == 0) {
		c->set.nodes = c->set.listen = NULL; /* were borrowed */
		return (c);
	}
	core_free(c);
	return (NULL);
}

void
core_free(struct monitord_core *c)
{
	const struct env_ops *ops;
	struct node *n;

	if (c == NULL)
		return;
	ops = c->env->ops;
	finish_free(c);
	stream_free_all(c);
	control_free_all(c);
	while ((n = TAILQ_FIRST(&c->nodes)) != NULL) {
		TAILQ_REMOVE(&c->nodes, n, entry);
		node_free(n);
	}
	listen_free(c->listen);
	ops->timer_free(c->tick);
	ops->timer_free(c->commit);
	ops->timer_free(c->second);
	ops->timer_free(c->pulse);
	reorder_free(c->reorder);
	store_close(c->store);
	registry_free(c->registry);
	for (size_t i = 0; i < c->nmaps; i++)
		clockmap_clear(&c->maps[i]);
	free(c->told_node_ns);
	free(c->maps);
	buf_free(&c->scratch);
	free(c->tail);
	free(c);
}

void
core_finish(struct monitord_core *c)
{
	finish_start(c);
}

bool
core_finishing(const struct monitord_core *c)
{
	return (c->state != CORE_RUNNING);
}

void
core_node_note(struct monitord_core *c, const char *node, const char *note)
{
	struct node *n = core_node(c, node);

	if (n != NULL)
		snprintf(n->note, sizeof(n->note), "%s", note);
}

bool
core_node_connected(const struct monitord_core *c, const char *node)
{
	const struct node *n;

	TAILQ_FOREACH (n, &c->nodes, entry)
		if (strcmp(n->name, node) == 0)
			return (n->data != NULL);
	return (false);
}
