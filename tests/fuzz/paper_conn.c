/*
 * Connections of the world on paper: two buffers each.
 *
 * The test is the other end.  It reads at once, so nothing is ever queued; a
 * call-back may close any connection, and since none is freed before the end
 * there is no more to that than a flag.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/paper_inside.h"

#define KEPT_MAX ((size_t)256 << 10)

struct bytes_kept {
	uint8_t *p;
	size_t n, cap;
};

struct env_conn {
	TAILQ_ENTRY(env_conn) entry;
	struct paper *paper;
	const struct env_conn_ops *ops;
	void *arg;
	struct bytes_kept in, out;
	bool open, paused, connecting;
	bool inside; /* the owner is being given what has come */
};

struct env_listener {
	TAILQ_ENTRY(env_listener) entry;
	struct paper *paper;
	void (*accepted)(void *, struct env_conn *);
	void *arg;
};

static void
keep(struct bytes_kept *k, const void *p, size_t n)
{
	if (n == 0)
		return;
	if (k->n + n > k->cap) {
		k->cap = (k->n + n) * 2;
		k->p = realloc(k->p, k->cap);
	}
	memcpy(k->p + k->n, p, n);
	k->n += n;
}

static void
drop(struct bytes_kept *k)
{
	free(k->p);
	*k = (struct bytes_kept){ 0 };
}

static struct env_conn *
conn_new(struct paper *p)
{
	static const struct env_conn_ops nobody;
	struct env_conn *c = calloc(1, sizeof(*c));

	c->paper = p;
	c->ops = &nobody;
	c->open = true;
	TAILQ_INSERT_TAIL(&p->conns, c, entry);
	return (c);
}

static void
conn_over(struct env_conn *c, const char *why)
{
	if (!c->open)
		return;
	c->open = false;
	if (c->ops->closed != NULL)
		c->ops->closed(c->arg, why);
}

static void
offer(struct env_conn *c)
{
	ssize_t used = 1;
	uint8_t *exact;
	size_t n;

	if (c->inside)
		return;
	c->inside = true;
	while (c->open && !c->paused && !c->connecting && c->in.n > 0 &&
	       used > 0) {
		n = c->in.n;
		exact = malloc(n);
		memcpy(exact, c->in.p, n);
		used = (ssize_t)n;
		if (c->ops->received != NULL)
			used = c->ops->received(c->arg, exact, n,
			    c->paper->now_ns);
		free(exact);
		if (c->open && used > 0) {
			c->in.n -= (size_t)used;
			memmove(c->in.p, c->in.p + used, c->in.n);
		}
	}
	c->inside = false;
	if (used < 0)
		conn_over(c, "closed by us");
	if (!c->open)
		drop(&c->in);
}

void
paper_conn_offer_all(struct paper *p)
{
	struct env_conn *c;

	TAILQ_FOREACH (c, &p->conns, entry)
		offer(c);
}

void
paper_conn_free_all(struct paper *p)
{
	struct env_listener *l;
	struct env_conn *c;

	while ((c = TAILQ_FIRST(&p->conns)) != NULL) {
		TAILQ_REMOVE(&p->conns, c, entry);
		drop(&c->in);
		drop(&c->out);
		free(c);
	}
	while ((l = TAILQ_FIRST(&p->listeners)) != NULL)
		paper_listener_free(l);
}

/* --- the test's end --- */

struct env_conn *
paper_dial(struct paper *p)
{
	struct env_listener *l = TAILQ_FIRST(&p->listeners);
	struct env_conn *c;

	if (l == NULL)
		return (NULL);
	c = conn_new(p);
	l->accepted(l->arg, c);
	return (c);
}

struct env_conn *
paper_conn(struct paper *p, size_t i)
{
	struct env_conn *c = TAILQ_FIRST(&p->conns);

	while (c != NULL && i-- > 0)
		c = TAILQ_NEXT(c, entry);
	return (c);
}

void
paper_answer(struct paper *p)
{
	struct env_conn *c;

	TAILQ_FOREACH (c, &p->conns, entry) {
		if (!c->open || !c->connecting)
			continue;
		c->connecting = false;
		if (c->ops->connected != NULL)
			c->ops->connected(c->arg);
	}
}

bool
paper_is_open(const struct env_conn *c)
{
	return (c != NULL && c->open);
}

void
paper_deliver(struct env_conn *c, const void *p, size_t n)
{
	if (!c->open || c->in.n + n > KEPT_MAX)
		return;
	keep(&c->in, p, n);
	offer(c);
}

void
paper_hang_up(struct env_conn *c)
{
	conn_over(c, c->in.n > 0 ? "ended in the middle of a message" : NULL);
	drop(&c->in);
}

const uint8_t *
paper_fetch(struct env_conn *c, size_t *n)
{
	*n = c->out.n;
	c->out.n = 0;
	return (c->out.p);
}

/* --- the tested side's --- */

struct env_listener *
paper_listen(struct env *env, const char *address,
    void (*accepted)(void *, struct env_conn *), void *arg)
{
	struct env_listener *l = calloc(1, sizeof(*l));

	(void)address;
	l->paper = (struct paper *)env;
	l->accepted = accepted;
	l->arg = arg;
	TAILQ_INSERT_TAIL(&l->paper->listeners, l, entry);
	return (l);
}

void
paper_listener_free(struct env_listener *l)
{
	if (l == NULL)
		return;
	TAILQ_REMOVE(&l->paper->listeners, l, entry);
	free(l);
}

struct env_conn *
paper_connect(struct env *env, const char *address,
    const struct env_conn_ops *ops, void *arg)
{
	struct env_conn *c = conn_new((struct paper *)env);

	(void)address;
	c->ops = ops;
	c->arg = arg;
	c->connecting = true;
	return (c);
}

void
paper_conn_set(struct env_conn *c, const struct env_conn_ops *ops, void *arg)
{
	c->ops = ops;
	c->arg = arg;
}

void
paper_conn_urgent(struct env_conn *c)
{
	(void)c;
}

int
paper_send(struct env_conn *c, const void *p, size_t n)
{
	if (!c->open) {
		errno = EPIPE;
		return (-1);
	}
	if (c->out.n + n > KEPT_MAX)
		c->out.n = 0;
	keep(&c->out, p, n);
	return (0);
}

size_t
paper_queued(const struct env_conn *c)
{
	(void)c;
	return (0);
}

void
paper_read_pause(struct env_conn *c, bool pause)
{
	c->paused = pause;
}

void
paper_close(struct env_conn *c, bool flush)
{
	(void)flush;
	c->open = false;
	if (!c->inside)
		drop(&c->in);
}
