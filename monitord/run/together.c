/*
 * Clocks of nodes that talk.
 *
 * The reorderer tells of each effect that has met its cause on another node.
 * A timer, which only runs while there are such, solves for all clocks and has
 * each bend its map towards what came out.  The lines that messages are looked
 * at through are those of the pings alone, never the bent maps: nothing feeds
 * back into itself.
 */
#include "together.h"

#include <stdlib.h>

#include "run.h"

struct together {
	struct monitord_core *core;
	struct tighten *tighten;
	struct env_timer *timer;
	bool timer_set;
	int64_t solved_ns;
	uint64_t messages, reversed;
};

static void
match_cb(void *arg, uint32_t from, uint32_t to, int64_t sent_mon_ns,
    int64_t taken_mon_ns)
{
	struct together *t = arg;

	t->messages++;
	t->reversed += taken_mon_ns < sent_mon_ns;
	tighten_message(t->tighten, from, to, sent_mon_ns, taken_mon_ns);
	if (t->timer_set)
		return;
	t->timer_set = true;
	t->core->env->ops->timer_set(t->timer, tighten_period_ns(t->tighten));
}

static void
together_solve(struct together *t)
{
	struct monitord_core *c = t->core;
	int64_t now = core_now(c);
	struct tighten_says says;
	struct clock_line line;
	struct node *n;
	double beta, off_ns, turn;
	uint32_t epoch;

	TAILQ_FOREACH (n, &c->nodes, entry) {
		if (n->number == 0 ||
		    !clocksync_line(n->clocks.sync, &line, &beta, &epoch))
			continue;
		if (tighten_node(t->tighten, n->number, &line, beta, epoch,
			clocksync_map(n->clocks.sync)) == -1)
			return; /* the pings hold */
		clocksync_proof(n->clocks.sync, now, &off_ns, &turn);
		tighten_doubt(t->tighten, n->number, off_ns, turn);
	}
	tighten_solve(t->tighten, now);
	TAILQ_FOREACH (n, &c->nodes, entry) {
		if (n->number != 0 &&
		    tighten_says(t->tighten, n->number, &says))
			clocksync_tighten(n->clocks.sync, &says.aim,
			    says.error_ns, now);
	}
	t->solved_ns = now;
}

static void
solve_cb(void *arg)
{
	struct together *t = arg;

	t->timer_set = false;
	if (t->core->state != CORE_FINISHED)
		together_solve(t);
}

void
together_second(struct together *t)
{
	struct tighten_stats s;

	if (core_now(t->core) - t->solved_ns < ENV_SEC)
		return;
	tighten_stats(t->tighten, &s);
	if (s.pairs > 0)
		together_solve(t);
}

void
together_forget(struct together *t, const struct node *n)
{
	if (t != NULL)
		tighten_forget(t->tighten, n->number);
}

struct together *
together_new(struct monitord_core *c)
{
	struct together *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return (NULL);
	t->core = c;
	t->tighten = tighten_new();
	t->timer = c->env->ops->timer_new(c->env, solve_cb, t);
	if (t->tighten == NULL || t->timer == NULL) {
		together_free(t);
		return (NULL);
	}
	reorder_on_match(c->reorder, match_cb, t);
	return (t);
}

void
together_free(struct together *t)
{
	if (t == NULL)
		return;
	if (t->timer != NULL)
		t->core->env->ops->timer_free(t->timer);
	tighten_free(t->tighten);
	free(t);
}

bool
together_says(const struct together *t, const struct node *n,
    struct tighten_says *says)
{
	return (t != NULL &&
		clocksync_tight(n->clocks.sync, core_now(t->core)) &&
		tighten_says(t->tighten, n->number, says));
}

void
together_stats(const struct together *t, struct together_stats *s)
{
	*s = (struct together_stats){ 0 };
	if (t == NULL)
		return;
	tighten_stats(t->tighten, &s->tighten);
	s->messages = t->messages;
	s->reversed = t->reversed;
}
