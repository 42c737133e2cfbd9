/*
 * The run: what holds nodes, order and log together.
 *
 * Four timers drive it.  `tick` lets the reorderer emit while anything is
 * held; `commit` puts what was emitted on disk and has it acknowledged, soon
 * when somebody watches; `second` does what may wait; `pulse` tells the
 * viewers, if there are any, how things are.  When nothing happens only
 * `second` runs: a heartbeat that nobody waits for starts none of them.  After
 * a while of that the nodes rest, too (rest.c).
 */
#include "core.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "inside.h"

#define PULSE_NS    (100 * ENV_MS)
#define GATHER_NS   (2 * ENV_SEC) /* nodes may come so late to the order */
#define WAITING_MAX ((size_t)64 << 20)

/* --- timers --- */

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

	c->timers.commit_set = false;
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

	if (core_now(c) - c->clock.start_ns >= GATHER_NS ||
	    c->state != CORE_RUNNING || reorder_full(c->reorder))
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

	c->timers.tick_set = false;
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
	if (c->together != NULL && c->state != CORE_FINISHED)
		together_second(c->together);
	core_may_rest(c);
	if (c->resting)
		tick_cb(c);
	else
		core_kick(c); /* stalls are found by looking */
	if (c->state != CORE_FINISHED && store_is_gone(c->store))
		core_commit_soon(c);
	finish_check(c);
	c->env->ops->timer_set(c->timers.second, ENV_SEC);
}

static void
pulse_cb(void *arg)
{
	struct monitord_core *c = arg;

	if (reorder_held_bytes(c->reorder) == 0)
		tick_cb(c); /* nobody else asks how far the nodes are */
	stream_pulse(c);
	if (!TAILQ_EMPTY(&c->streams))
		c->env->ops->timer_set(c->timers.pulse, PULSE_NS);
}

void
core_watched(struct monitord_core *c)
{
	c->env->ops->timer_set(c->timers.pulse, PULSE_NS);
}

/* The log is behind: until it has caught up, nobody is read from. */
static bool
log_behind(const struct monitord_core *c)
{
	size_t waiting = store_waiting_bytes(c->store);

	return (waiting > WAITING_MAX ||
		(store_failed(c->store, NULL) && waiting > WAITING_MAX / 8));
}

void
core_pressure_of(struct node *n)
{
	struct monitord_core *c = n->core;

	if (n->state != NODE_RUNNING || n->end == NODE_FINISHED)
		return;
	node_pause(n, log_behind(c) || reorder_ahead(c->reorder, n->number));
	c->paused |= n->paused;
}

void
core_pressure(struct monitord_core *c)
{
	struct node *n;

	if (!c->paused && !log_behind(c) && !reorder_full(c->reorder))
		return;
	c->paused = false;
	TAILQ_FOREACH (n, &c->nodes, entry)
		core_pressure_of(n);
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

	c->timers.tick = ops->timer_new(c->env, tick_cb, c);
	c->timers.commit = ops->timer_new(c->env, commit_cb, c);
	c->timers.second = ops->timer_new(c->env, second_cb, c);
	c->timers.pulse = ops->timer_new(c->env, pulse_cb, c);
	if (c->timers.tick == NULL || c->timers.commit == NULL ||
	    c->timers.second == NULL || c->timers.pulse == NULL)
		return (-1);
	ops->timer_set(c->timers.second, ENV_SEC);
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
	c->choice = choice_new(set->choice);
	c->registry = registry_new(core_define, c);
	c->reorder =
	    reorder_new(&reorder_defaults, core_emitted, core_stalled, c);
	if (c->reorder != NULL) {
		reorder_on_found(c->reorder, core_found, c);
		reorder_on_doubt(c->reorder, core_doubted, c);
	}
	if (c->reorder != NULL && !set->pings_only)
		c->together = together_new(c);
	if (c->choice == NULL || c->registry == NULL || c->reorder == NULL ||
	    (c->together == NULL && !set->pings_only) || make_timers(c) == -1 ||
	    core_notes_new(c) == -1)
		store_no_memory(err);
	else if (open_doors(c, err) == 0 && core_open_log(c, err) == 0) {
		c->set.nodes = c->set.listen = NULL; /* were borrowed */
		c->set.choice = NULL;
		core_begin_at_rest(c);
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
	ops->timer_free(c->timers.tick);
	ops->timer_free(c->timers.commit);
	ops->timer_free(c->timers.second);
	ops->timer_free(c->timers.pulse);
	together_free(c->together);
	reorder_free(c->reorder);
	store_close(c->store);
	registry_free(c->registry);
	free(c->notes.note);
	core_free_maps(c);
	buf_free(&c->scratch);
	choice_free(c);
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

uint64_t
core_finished_events(const struct monitord_core *c)
{
	return (c->state == CORE_FINISHED ? store_events(c->store) : 0);
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

unsigned
core_node_connects(const struct monitord_core *c, const char *node)
{
	const struct node *n;

	TAILQ_FOREACH (n, &c->nodes, entry)
		if (strcmp(n->name, node) == 0)
			return (n->counts.connects);
	return (0);
}
