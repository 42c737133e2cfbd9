/*
 * Messages as they are taken: sums by processes since the last ones that were
 * put away (kept), those that are kept, and messages that have to be noted by
 * themselves (odd).  past/message_sums.c says when to keep
 * them, and answers questions.
 */
#include <errno.h>

#include "events_inside.h"
#include "model/keep/memory.h"

#define KEPT_PART  64 /* of the memory allowed, and as much for odd ones */
#define KEPT_LEAST (UINT64_C(1) << 18)

uint32_t talk_apart = LAST_CAUSES;
uint64_t talk_most_bytes = UINT64_MAX;

static uint64_t
most_bytes(const struct model *m)
{
	uint64_t n = model_memory(m) / KEPT_PART;

	return (n > KEPT_LEAST ? n : KEPT_LEAST);
}

static bool
is_much(const struct model *m, uint64_t bytes)
{
	return (bytes > most_bytes(m) || bytes > talk_most_bytes);
}

static void
kept_drop(struct model *m, uint32_t i)
{
	struct talk_kept *k = chunk_known(&talklog_of(m)->kept, i);

	memory_free(k->p);
	talklog_of(m)->bytes -= k->n;
	atomic_fetch_sub_explicit(&held_of(m)->bytes, k->n,
	    memory_order_relaxed);
	*k = (struct talk_kept){ NULL, 0 };
}

void
talklog_give_up(struct model *m)
{
	struct talk_log *t = talklog_of(m);

	for (uint32_t i = 0; i < t->nkept; i++)
		kept_drop(m, i);
	t->nkept = 0;
	t->lost = true;
	talk_sums_empty(&t->now);
}

static int
kept_put(struct model *m, uint32_t i, const struct talk_sums *s)
{
	struct talk_kept *k =
	    chunk_make(&talklog_of(m)->kept, i, &held_of(m)->bytes);
	size_t n;
	uint8_t *p = k == NULL ? NULL : talk_sums_pack(s, &n);

	if (p == NULL)
		return (-1);
	*k = (struct talk_kept){ p, n };
	talklog_of(m)->bytes += n;
	atomic_fetch_add_explicit(&held_of(m)->bytes, n, memory_order_relaxed);
	return (0);
}

int
talklog_add(const struct model *m, uint32_t i, struct talk_sums *to)
{
	const struct talk_kept *k = chunk_known(&talklog_of(m)->kept, i);

	return (talk_sums_unpack(to, k->p, k->n));
}

/* Two and two become one; of a last one alone more is to come. */
static int
kept_thin(struct model *m)
{
	struct talk_log *t = talklog_of(m);
	struct talk_sums two = { 0 };
	int r = 0;

	for (uint32_t i = 0; r == 0 && i + 1 < t->nkept; i += 2) {
		talk_sums_empty(&two);
		r = talklog_add(m, i, &two) | talklog_add(m, i + 1, &two);
		kept_drop(m, i);
		kept_drop(m, i + 1);
		r |= kept_put(m, i / 2, &two);
	}
	talk_sums_clear(&two);
	if (r == 0 && t->nkept % 2 == 1) {
		r = talklog_add(m, t->nkept - 1, &t->now);
		kept_drop(m, t->nkept - 1);
	}
	t->nkept /= 2;
	t->grain *= 2;
	return (r);
}

static void
odd_add(struct model *m, const struct talk_pair *p, int64_t t_ns)
{
	struct talk_log *t = talklog_of(m);
	struct talk_odd *o;

	if ((t->nodd + 1) * sizeof(*o) > most_bytes(m)) {
		talklog_give_up(m);
		return;
	}
	o = chunk_make(&t->odd, t->nodd, &held_of(m)->bytes);
	if (o == NULL) {
		held_of(m)->failed = ENOMEM;
		return;
	}
	*o = (struct talk_odd){ t_ns, p->ns, p->bytes,
		p->from * TALKS + p->what, p->to };
	t->nodd++;
}

void
talklog_note(struct model *m, const struct talk_pair *p, int64_t t_ns, bool odd)
{
	struct talk_log *t = talklog_of(m);

	if (t->lost ||
	    (fetched_of(m)->whole == NULL ? model_memory(m) == 0
					  : odd || t_ns >= t->until_ns))
		return;
	if (talk_sums_add(&t->now, p) == -1)
		held_of(m)->failed = ENOMEM;
	if (odd)
		odd_add(m, p, t_ns);
}

void
talklog_init(struct model *m)
{
	talklog_of(m)->grain = 1;
	talklog_of(m)->until_ns = INT64_MIN;
	chunk_init(&talklog_of(m)->kept, sizeof(struct talk_kept), 4);
	chunk_init(&talklog_of(m)->odd, sizeof(struct talk_odd), 4);
}

int
talklog_keep(struct model *m)
{
	struct talk_log *t = talklog_of(m);

	if (kept_put(m, t->nkept, &t->now) == -1)
		return (-1);
	t->nkept++;
	talk_sums_empty(&t->now);
	while (is_much(m, t->bytes) && t->nkept > 1)
		if (kept_thin(m) == -1)
			return (-1);
	return (0);
}

void
talklog_clear(struct model *m)
{
	for (uint32_t i = 0; i < talklog_of(m)->nkept; i++)
		kept_drop(m, i);
	chunk_clear(&talklog_of(m)->kept);
	chunk_clear(&talklog_of(m)->odd);
	talk_sums_clear(&talklog_of(m)->now);
}
