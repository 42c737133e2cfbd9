/* The run's clock and nodes, and what makes its timers run. */
#include "run.h"

#include <string.h>

#define COMMIT_NS         (100 * ENV_MS)
#define COMMIT_WATCHED_NS (20 * ENV_MS)

const char *const core_state_name[CORE_STATES] = {
	[CORE_RUNNING] = "running",
	[CORE_FINISHING] = "finishing",
	[CORE_FINISHED] = "finished",
};

int64_t
core_mon(const struct monitord_core *c, int64_t env_ns)
{
	return (env_ns + c->clock.offset_ns);
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

struct node *
core_node_by_number(struct monitord_core *c, uint32_t number)
{
	struct node *n;

	TAILQ_FOREACH (n, &c->nodes, entry)
		if (n->number == number)
			return (n);
	return (NULL);
}

void
core_kick(struct monitord_core *c)
{
	if (c->timers.tick_set)
		return;
	c->timers.tick_set = true;
	c->env->ops->timer_set(c->timers.tick, REORDER_TICK_NS);
}

void
core_commit_soon(struct monitord_core *c)
{
	int64_t delay =
	    TAILQ_EMPTY(&c->streams) ? COMMIT_NS : COMMIT_WATCHED_NS;

	if (c->timers.commit_set)
		return;
	if (store_failed(c->store, NULL))
		delay = ENV_SEC;
	c->timers.commit_set = true;
	c->env->ops->timer_set(c->timers.commit, delay);
}
