/*
 * Clock, timers and chance of the world on paper.
 *
 * Nothing waits: paper_run() jumps from one timer to the next.  There are a
 * dozen or two, so that the next one is found by looking at all of them.
 */
#include "tests/fuzz/paper.h"

#include <stdlib.h>

#include "tests/fuzz/paper_inside.h"

#define START_NS (1000 * ENV_SEC)
#define REAL_NS  (1700000000 * ENV_SEC)

struct env_timer {
	TAILQ_ENTRY(env_timer) entry;
	struct paper *paper;
	void (*cb)(void *);
	void *arg;
	int64_t due_ns, set_ns;
	bool set;
};

static int64_t
now_ns(struct env *env)
{
	return (((struct paper *)env)->now_ns);
}

static int64_t
real_ns(struct env *env)
{
	return (REAL_NS + ((struct paper *)env)->now_ns);
}

static uint64_t
next_random(struct env *env)
{
	struct paper *p = (struct paper *)env;

	p->random = p->random * 6364136223846793005u + 1442695040888963407u;
	return (p->random);
}

static const char *
machine(struct env *env)
{
	(void)env;
	return ("paper");
}

static struct env_timer *
timer_new(struct env *env, void (*cb)(void *), void *arg)
{
	struct env_timer *t = calloc(1, sizeof(*t));

	t->paper = (struct paper *)env;
	t->cb = cb;
	t->arg = arg;
	TAILQ_INSERT_TAIL(&t->paper->timers, t, entry);
	return (t);
}

static void
timer_set(struct env_timer *t, int64_t delay_ns)
{
	t->set_ns = t->paper->now_ns;
	t->due_ns = t->set_ns + (delay_ns > 0 ? delay_ns : 0);
	t->set = true;
}

static void
timer_stop(struct env_timer *t)
{
	t->set = false;
}

static void
timer_free(struct env_timer *t)
{
	if (t == NULL)
		return;
	TAILQ_REMOVE(&t->paper->timers, t, entry);
	free(t);
}

/* Of those that were set before. */
static struct env_timer *
next_due(struct paper *p, int64_t until_ns, int64_t before_ns)
{
	struct env_timer *t, *first = NULL;

	TAILQ_FOREACH (t, &p->timers, entry)
		if (t->set && t->due_ns <= until_ns && t->set_ns < before_ns &&
		    (first == NULL || t->due_ns < first->due_ns))
			first = t;
	return (first);
}

void
paper_run(struct paper *p, int64_t ns, unsigned most)
{
	int64_t until_ns = p->now_ns + ns;
	struct env_timer *t;

	for (; most > 0; most--) {
		paper_conn_offer_all(p);
		t = next_due(p, until_ns, INT64_MAX);
		if (t == NULL)
			break;
		if (t->due_ns > p->now_ns)
			p->now_ns = t->due_ns;
		t->set = false;
		t->cb(t->arg);
	}
	if (p->now_ns < until_ns)
		p->now_ns = until_ns;
}

void
paper_leap(struct paper *p, int64_t ns)
{
	struct env_timer *t;

	p->now_ns += ns > 0 ? ns : 1;
	paper_conn_offer_all(p);
	while ((t = next_due(p, p->now_ns, p->now_ns)) != NULL) {
		t->set = false;
		t->cb(t->arg);
		paper_conn_offer_all(p);
	}
}

static const struct env_ops paper_ops = {
	.now_ns = now_ns,
	.real_ns = real_ns,
	.random = next_random,
	.machine = machine,
	.timer_new = timer_new,
	.timer_set = timer_set,
	.timer_stop = timer_stop,
	.timer_free = timer_free,
	.listen = paper_listen,
	.listener_free = paper_listener_free,
	.connect = paper_connect,
	.conn_set = paper_conn_set,
	.conn_urgent = paper_conn_urgent,
	.send = paper_send,
	.queued = paper_queued,
	.read_pause = paper_read_pause,
	.close = paper_close,
	.open = paper_open,
	.read_at = paper_read_at,
	.write_at = paper_write_at,
	.sync = paper_sync,
	.truncate = paper_truncate,
	.size = paper_size,
	.lock = paper_lock,
	.file_close = paper_file_close,
	.rename = paper_rename,
	.unlink = paper_unlink,
	.mkdir = paper_mkdir,
	.list = paper_list,
	.sync_dir = paper_sync_dir,
};

struct paper *
paper_new(void)
{
	struct paper *p = calloc(1, sizeof(*p));

	p->env.ops = &paper_ops;
	p->now_ns = START_NS;
	p->random = 1;
	TAILQ_INIT(&p->timers);
	TAILQ_INIT(&p->conns);
	TAILQ_INIT(&p->listeners);
	TAILQ_INIT(&p->files);
	return (p);
}

void
paper_free(struct paper *p)
{
	struct env_timer *t;

	paper_conn_free_all(p);
	paper_file_free_all(p);
	while ((t = TAILQ_FIRST(&p->timers)) != NULL)
		timer_free(t);
	free(p);
}

struct env *
paper_env(struct paper *p)
{
	return (&p->env);
}

int64_t
paper_now(const struct paper *p)
{
	return (p->now_ns);
}
