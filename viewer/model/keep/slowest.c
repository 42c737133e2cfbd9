/*
 * See slowest.h.  A reader that meets a change reads once more: changes become
 * rare, since each makes the next one less likely.
 */
#include "model/keep/slowest.h"

#include "model/keep/held.h"
#include "model/keep/memory.h"

int
slow_less(const struct slow_call *x, const struct slow_call *y)
{
	if (x->ns != y->ns)
		return (x->ns < y->ns);
	if (x->t0_mon_ns != y->t0_mon_ns)
		return (x->t0_mon_ns > y->t0_mon_ns);
	if (x->lane != y->lane)
		return (x->lane > y->lane);
	if (x->depth != y->depth)
		return (x->depth > y->depth);
	return (x->nth > y->nth);
}

static void
put(struct slow_call *to, const struct slow_call *c)
{
	PUT(to->t0_mon_ns, c->t0_mon_ns);
	PUT(to->ns, c->ns);
	PUT(to->lane, c->lane);
	PUT(to->number, c->number);
	PUT(to->depth, c->depth);
	PUT(to->nth, c->nth);
}

/* From place i on up, as far as it is to go before those. */
static void
rise(struct slow_call *v, size_t i, const struct slow_call *c)
{
	for (; i > 0 && slow_less(c, &v[(i - 1) / 2]); i = (i - 1) / 2)
		put(&v[i], &v[(i - 1) / 2]);
	put(&v[i], c);
}

/* In the place of the first. */
static void
sink(struct slow_call *v, size_t n, const struct slow_call *c)
{
	size_t i = 0;

	for (size_t k; (k = 2 * i + 1) < n; i = k) {
		if (k + 1 < n && slow_less(&v[k + 1], &v[k]))
			k++;
		if (!slow_less(&v[k], c))
			break;
		put(&v[i], &v[k]);
	}
	put(&v[i], c);
}

/* ThreadSanitizer knows no fences, and its order is as strong without. */
static void
fence(memory_order order)
{
#ifdef __SANITIZE_THREAD__
	(void)order;
#else
	atomic_thread_fence(order);
#endif
}

int
slowest_put(_Atomic(struct slowest *) *at, const struct slow_call *c,
    _Atomic uint64_t *bytes)
{
	struct slowest *s = atomic_load_explicit(at, memory_order_relaxed);
	uint32_t turn;

	if (s == NULL) {
		if ((s = memory_zero(1, sizeof(*s))) == NULL)
			return (-1);
		atomic_fetch_add(bytes, sizeof(*s));
		atomic_store_explicit(at, s, memory_order_release);
	}
	if (s->n == SLOWEST && !slow_less(&s->call[0], c))
		return (0);
	turn = atomic_load_explicit(&s->turn, memory_order_relaxed);
	atomic_store_explicit(&s->turn, turn + 1, memory_order_relaxed);
	fence(memory_order_release);
	if (s->n == SLOWEST) {
		sink(s->call, SLOWEST, c);
	} else {
		rise(s->call, s->n, c);
		PUT(s->n, s->n + 1);
	}
	atomic_store_explicit(&s->turn, turn + 2, memory_order_release);
	return (0);
}

void
slowest_clear(_Atomic(struct slowest *) *at)
{
	memory_free(atomic_load(at));
	atomic_store(at, NULL);
}

size_t
slowest_get(_Atomic(struct slowest *) *at, struct slow_call out[SLOWEST])
{
	struct slowest *s = atomic_load_explicit(at, memory_order_acquire);
	uint32_t was, n;

	if (s == NULL)
		return (0);
	do {
		was = atomic_load_explicit(&s->turn, memory_order_acquire);
		n = SEE(s->n);
		n = n > SLOWEST ? SLOWEST : n;
		for (uint32_t i = 0; i < n; i++) {
			out[i].t0_mon_ns = SEE(s->call[i].t0_mon_ns);
			out[i].ns = SEE(s->call[i].ns);
			out[i].lane = SEE(s->call[i].lane);
			out[i].number = SEE(s->call[i].number);
			out[i].depth = SEE(s->call[i].depth);
			out[i].nth = SEE(s->call[i].nth);
		}
		fence(memory_order_acquire);
	} while (was % 2 != 0 ||
		 was != atomic_load_explicit(&s->turn, memory_order_relaxed));
	return (n);
}
