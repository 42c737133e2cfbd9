/*
 * The beginning of a run, or of the rest of one.
 *
 * The log is opened, and when there is something in it everything that the
 * run has to go on with is taken back from there: definitions, how far every
 * location has got, the clock maps, and the causes at the end, whose effects
 * may come only now.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "log.h"
#include "log/block.h"
#include "log/tracefile.h"

/*
 * The map that has put an event into the log must not be changed any more.
 * That may be the one of a clock that the node had before.
 */
static void
remember_time(struct monitord_core *c, const struct event *e)
{
	uint32_t node = registry_location(c->registry, e->location)->node;
	struct core_map *m = node < c->nmaps ? &c->maps[node] : NULL;

	if (m == NULL || e->t_node_ns <= m->told_node_ns)
		return;
	if (m->before == NULL ||
	    clockmap_mon(&m->map, e->t_node_ns) == e->t_mon_ns - e->shift_ns)
		m->told_node_ns = e->t_node_ns;
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
		remember_time(c, &e[i]);
		/* effects of what is in the log are still to come */
		if (e[i].location != 0 &&
		    reorder_remember(c->reorder, &e[i]) == -1)
			rv = -1;
	}
	free(e);
	return (rv);
}

/* Without the events: at least as late as any of the lane can be. */
static void
remember_lane(struct monitord_core *c, uint32_t node,
    const struct block_lane *b)
{
	int64_t t_node_ns;

	if (node >= c->nmaps || c->maps[node].map.n == 0)
		return;
	t_node_ns = clockmap_node(&c->maps[node].map, b->last_mon_ns);
	if (t_node_ns > c->maps[node].told_node_ns)
		c->maps[node].told_node_ns = t_node_ns;
}

/* Only the events say which loss it was that this lane tells of. */
static bool
has_losses(const struct block_lane *lanes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (lanes[i].location != 0 &&
		    lanes[i].class_events[CLASS_monitor] > 0)
			return (true);
	return (false);
}

/*
 * The lanes of a block say how far every location has got.  An old one comes
 * without its events, which is all right if it tells of no loss: their causes
 * would be forgotten by now, and the orphans are counted at the end.
 */
static int
restore_block(struct monitord_core *c, const struct frame *f)
{
	struct msg_block b;
	struct block_lane *lanes;
	struct location *l;
	size_t n;
	bool skimmed;
	int rv = 0;

	if (frame_decode(f, MSG_block, &b) == -1 ||
	    block_read_lanes(&b, &lanes, &n) == -1)
		return (-1);
	skimmed = b.columns.n == 0 && b.events > 0;
	if (skimmed && has_losses(lanes, n)) {
		free(lanes);
		return (STORE_WHOLE);
	}
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
		if (skimmed)
			remember_lane(c, l->node, &lanes[i]);
	}
	free(lanes);
	return (rv == 0 && !skimmed ? restore_events(c, &b) : rv);
}

static int
count_orphans_cb(void *arg, const struct frame *f)
{
	struct monitord_core *c = arg;
	struct msg_block b;
	struct event *e;
	int rv;

	if (frame_decode(f, MSG_block, &b) == -1 || b.events > BLOCK_EVENTS_MAX)
		return (-1);
	e = malloc((b.events + 1) * sizeof(*e));
	if (e == NULL)
		return (-1);
	rv = block_read(&b, e, &c->scratch);
	for (uint32_t i = 0; rv == 0 && i < b.events; i++)
		c->orphans += (e[i].flags & EVENT_ORPHAN) != 0;
	free(e);
	return (rv);
}

void
core_count_orphans(struct monitord_core *c)
{
	if (store_each_skimmed(c->store, count_orphans_cb, c) == -1)
		log_warnx("%s: not all of it can be read; the receipt may miss "
			  "orphans",
		    store_path(c->store));
}

/* The map of a node's present clock, empty if there is none.  NULL: ENOMEM. */
static struct core_map *
map_of(struct monitord_core *c, uint32_t node)
{
	struct core_map *p;

	if (node < c->nmaps)
		return (&c->maps[node]);
	p = reallocarray(c->maps, node + 1, sizeof(*p));
	if (p == NULL)
		return (NULL);
	memset(p + c->nmaps, 0, (node + 1 - c->nmaps) * sizeof(*p));
	for (size_t k = c->nmaps; k <= node; k++)
		p[k].told_node_ns = INT64_MIN;
	c->maps = p;
	c->nmaps = node + 1;
	return (&p[node]);
}

/* The node has another clock from here on.  -1: ENOMEM. */
static int
map_anew(struct core_map *m, uint64_t start)
{
	struct core_map *before = malloc(sizeof(*before));

	if (before == NULL)
		return (-1);
	*before = *m;
	*m = (struct core_map){ .before = before,
		.told_node_ns = INT64_MIN,
		.from = start };
	return (0);
}

static int
restore_segment(struct monitord_core *c, const struct frame *f)
{
	struct msg_segment m;
	struct clock_segment seg;
	struct core_map *p;

	if (frame_decode(f, MSG_segment, &m) == -1 ||
	    m.node >= registry_nodes(c->registry) ||
	    (p = map_of(c, m.node)) == NULL)
		return (-1);
	seg = (struct clock_segment){
		.base_node_ns = m.base_node_ns,
		.base_mon_ns = m.base_mon_ns,
		.skew_q40 = m.skew_q40,
		.error_ns = m.error_ns,
		.epoch = m.epoch,
		.state = m.state,
	};
	if (p->map.n > 0 &&
	    clock_segment_is_other(&p->map.segments[p->map.n - 1],
		p->start != m.start, &seg) &&
	    map_anew(p, m.start) == -1)
		return (-1);
	p->start = m.start;
	if (clockmap_add(&p->map, &seg) == 0)
		return (0);
	if (errno == ENOMEM)
		return (-1);
	/* a log of before clocks were told apart, and another machine in it */
	clockmap_clear(&p->map);
	return (clockmap_add(&p->map, &seg));
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
		if (frame_decode(f, MSG_kind, &k) == -1)
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
		tracefile_kind(d, &m);
		core_define(c, MSG_kind, &m);
	}
}

/* Node 0 and location 0 are monitord itself. */
static int
write_self(struct monitord_core *c)
{
	const char *machine = c->env->ops->machine(c->env);
	struct msg_thread t = { .name = BYTES_STR("monitord") };

	c->clock.rebooted =
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
	    (last > now + ENV_SEC || (c->clock.rebooted && last >= now)))
		c->clock.offset_ns = last - now + ENV_MS;
	c->clock.start_ns = c->busy_ns = core_now(c);
}

/* The clocks that it has had, the oldest first.  -1: ENOMEM. */
static int
restore_clock(struct node *n, const struct core_map *m)
{
	if (m->before != NULL && restore_clock(n, m->before) == -1)
		return (-1);
	for (size_t i = 0; i < m->map.n; i++) {
		bool anew = i == 0 && m->before != NULL;

		if (node_restore(n, &m->map.segments[i],
			anew ? m->from : m->start, anew) == -1)
			return (-1);
	}
	clocksync_told(n->clocks.sync, m->told_node_ns);
	return (0);
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
		if (k < c->nmaps && !c->clock.rebooted &&
		    restore_clock(n, &c->maps[k]) == -1)
			return (-1);
	}
	return (0);
}

int
core_open_log(struct monitord_core *c, struct store_error *err)
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
	if (store_events(c->store) > 0)
		reorder_resume(c->reorder, store_last_mon_ns(c->store));
	return (0);
}

void
core_free_maps(struct monitord_core *c)
{
	struct core_map *m, *before;

	for (size_t i = 0; i < c->nmaps; i++) {
		clockmap_clear(&c->maps[i].map);
		for (m = c->maps[i].before; m != NULL; m = before) {
			before = m->before;
			clockmap_clear(&m->map);
			free(m);
		}
	}
	free(c->maps);
}
