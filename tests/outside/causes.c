/*
 * Pairs, in arrays: the numbers of messages, the turns of locks.
 *
 * Of each pair is known which sides have been there and, until the other
 * comes, when the first one was.  Ten million pairs take 90 MB.
 */
#include "tests/outside/causes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/outside/storm.h"
#include "tests/outside/wrong.h"

#define CAUSE     1u
#define EFFECT    2u
#define ORPHAN    4u
#define CREATIONS 256u
#define NEWS      (1u << 20) /* causes of orphans */

struct track {
	int64_t *t_mon_ns; /* of the side that came first */
	uint8_t *sides;
	uint64_t n;
};

/* A turn at which all wait for all. */
struct all {
	uint64_t parties, entered, early, early_orphans;
	int64_t last_ns;  /* entered */
	int64_t early_ns; /* the first of the early ones that are no orphans */
};

struct causes {
	bool growing, lossy;
	struct track pair[STORM_PROCESSES][STORM_PROCESSES];
	struct track lock[STORM_LOCKS];
	struct track begun, joined; /* threads, by the index of their ids */
	uint64_t creation[CREATIONS];
	struct all *all;
	uint64_t nall;
	struct news {
		uint64_t key;
		int64_t due; /* found more often than told */
	} news[NEWS];
	uint64_t sent[STORM_PROCESSES][STORM_PROCESSES];
	uint64_t received[STORM_PROCESSES][STORM_PROCESSES];
};

struct causes *
causes_new(bool growing, bool lossy)
{
	struct causes *cs = calloc(1, sizeof(*cs));

	if (cs == NULL)
		return (NULL);
	cs->growing = growing;
	cs->lossy = lossy;
	return (cs);
}

static void
each_track(struct causes *cs, void (*what)(struct causes *, struct track *))
{
	for (unsigned from = 0; from < STORM_PROCESSES; from++)
		for (unsigned to = 0; to < STORM_PROCESSES; to++)
			what(cs, &cs->pair[from][to]);
	for (unsigned l = 0; l < STORM_LOCKS; l++)
		what(cs, &cs->lock[l]);
	what(cs, &cs->begun);
	what(cs, &cs->joined);
}

static void
track_free(struct causes *cs, struct track *t)
{
	(void)cs;
	free(t->t_mon_ns);
	free(t->sides);
}

void
causes_free(struct causes *cs)
{
	if (cs == NULL)
		return;
	each_track(cs, track_free);
	free(cs->all);
	free(cs);
}

static int
track_grow(struct track *t, uint64_t i)
{
	uint64_t n = t->n == 0 ? 1024 : t->n;
	int64_t *times;
	uint8_t *sides;

	if (i < t->n)
		return (0);
	while (n <= i)
		n *= 2;
	if ((times = realloc(t->t_mon_ns, n * sizeof(*times))) == NULL)
		return (-1);
	t->t_mon_ns = times;
	if ((sides = realloc(t->sides, n)) == NULL)
		return (-1);
	memset(sides + t->n, 0, n - t->n);
	t->sides = sides;
	t->n = n;
	return (0);
}

/* An orphan's cause is there, or has been told to be. */
static void
news(struct causes *cs, uint64_t key, int due)
{
	uint64_t at = storm_mix(0, key) % NEWS;

	for (unsigned i = 0; i < NEWS; i++, at = (at + 1) % NEWS) {
		if (cs->news[at].key != key && cs->news[at].key != 0)
			continue;
		cs->news[at].key = key;
		cs->news[at].due += due;
		return;
	}
	wrong_say(WRONG_NOT_FOUND, "more than %u", NEWS);
}

/*
 * An effect of that time has stood there before its cause.  While the log
 * grows, what is late is in a block of its own, behind what it belongs before.
 */
static bool
is_put_off(const struct causes *cs, const struct row *cause, int64_t cause_ns,
    int64_t effect_ns)
{
	return (cs->growing && (cause->flags & ROW_LATE) != 0 &&
		cause_ns < effect_ns);
}

static void
was_early(struct causes *cs, const struct row *r, bool orphan,
    int64_t effect_ns)
{
	if (cs->growing && orphan) {
		news(cs, r->a, 1);
		return;
	}
	if (is_put_off(cs, r, r->t_mon_ns, effect_ns))
		return;
	wrong_row(WRONG_BEFORE_CAUSE, r);
	if (orphan)
		wrong_row(WRONG_ORPHAN, r);
}

static void
is_cause(struct causes *cs, struct track *t, uint64_t i, const struct row *r)
{
	uint8_t *sides = &t->sides[i];

	if (*sides & CAUSE)
		wrong_row(WRONG_TWICE, r);
	else if (*sides & EFFECT)
		was_early(cs, r, (*sides & ORPHAN) != 0, t->t_mon_ns[i]);
	else
		t->t_mon_ns[i] = r->t_mon_ns;
	*sides |= CAUSE;
}

/*
 * An effect that stands behind its cause and says that it had none.  In a log
 * that grows the cause may have come when the effect had been let go but not
 * been written, because its time was still to come or both were late: what is
 * written then is in order of time, and the cause is told as found.
 */
static void
behind_its_cause(struct causes *cs, const struct row *r)
{
	if (cs->growing)
		news(cs, r->a, 1);
	else
		wrong_row(WRONG_ORPHAN, r);
}

static void
is_effect(struct causes *cs, struct track *t, uint64_t i, const struct row *r)
{
	uint8_t *sides = &t->sides[i];
	bool orphan = (r->flags & ROW_ORPHAN) != 0;

	if (*sides & EFFECT)
		wrong_row(WRONG_TWICE, r);
	else if (*sides & CAUSE) {
		if (r->t_mon_ns <= t->t_mon_ns[i])
			wrong_row(WRONG_BEFORE_CAUSE, r);
		if (orphan)
			behind_its_cause(cs, r);
	} else
		t->t_mon_ns[i] = r->t_mon_ns;
	*sides |= EFFECT | (orphan ? ORPHAN : 0);
}

typedef void take(struct causes *, struct track *, uint64_t,
    const struct row *);

static int
message(struct causes *cs, const struct row *r, take *side)
{
	unsigned from, to;
	uint64_t number;

	if (!storm_id_of(r->a, &from, &to, &number)) {
		wrong_row(WRONG_UNKNOWN, r);
		return (0);
	}
	if (track_grow(&cs->pair[from][to], number) == -1)
		return (-1);
	if (side == is_cause)
		cs->sent[from][to]++;
	else
		cs->received[from][to]++;
	side(cs, &cs->pair[from][to], number, r);
	return (0);
}

/* Turn 0 is nobody's. */
static int
lock(struct causes *cs, const struct row *r, take *side)
{
	uint64_t l = r->a - STORM_LOCK_ID;

	if (l >= STORM_LOCKS) {
		wrong_row(WRONG_UNKNOWN, r);
		return (0);
	}
	if (track_grow(&cs->lock[l], r->b) == -1)
		return (-1);
	if (r->b != 0)
		side(cs, &cs->lock[l], r->b, r);
	return (0);
}

static int
thread(struct causes *cs, struct track *t, const struct row *r, take *side)
{
	unsigned i = 0;

	if (r->a == 0)
		return (0); /* of a thread that nobody has created */
	while (i < CREATIONS && cs->creation[i] != 0 && cs->creation[i] != r->a)
		i++;
	if (i == CREATIONS || track_grow(t, CREATIONS - 1) == -1)
		return (-1);
	cs->creation[i] = r->a;
	side(cs, t, i, r);
	return (0);
}

static int
created(struct causes *cs, const struct row *r, take *side)
{
	return (thread(cs, &cs->begun, r, side));
}

static int
ended(struct causes *cs, const struct row *r, take *side)
{
	return (thread(cs, &cs->joined, r, side));
}

static struct all *
all_of(struct causes *cs, const struct row *r)
{
	struct all *all;
	uint64_t n = cs->nall == 0 ? 1024 : cs->nall;

	if (r->b >= UINT64_C(1) << 32)
		return (NULL);
	if (r->b >= cs->nall) {
		while (n <= r->b)
			n *= 2;
		if ((all = realloc(cs->all, n * sizeof(*all))) == NULL)
			return (NULL);
		memset(all + cs->nall, 0, (n - cs->nall) * sizeof(*all));
		cs->all = all;
		cs->nall = n;
	}
	cs->all[r->b].parties = r->c;
	return (&cs->all[r->b]);
}

/* One leaves before all have entered. */
static void
leaves_early(struct all *all, const struct row *r, bool orphan)
{
	if (!orphan &&
	    (all->early == all->early_orphans || r->t_mon_ns < all->early_ns))
		all->early_ns = r->t_mon_ns;
	all->early++;
	all->early_orphans += orphan;
}

/* The last one has entered, behind some that have left. */
static void
were_early(struct causes *cs, struct all *all, const struct row *r)
{
	bool put_off = is_put_off(cs, r, all->last_ns, all->early_ns);

	for (; all->early > all->early_orphans; all->early--)
		if (!put_off)
			wrong_row(WRONG_BEFORE_CAUSE, r);
	for (; all->early > 0; all->early--, all->early_orphans--) {
		if (cs->growing) {
			news(cs, r->a, 1);
			continue;
		}
		wrong_row(WRONG_BEFORE_CAUSE, r);
		wrong_row(WRONG_ORPHAN, r);
	}
}

/* Every one that enters happens before each that leaves. */
static int
collective(struct causes *cs, const struct row *r, take *side)
{
	struct all *all = all_of(cs, r);
	bool orphan = (r->flags & ROW_ORPHAN) != 0;

	if (all == NULL)
		return (-1);
	if (side == is_effect && all->entered < all->parties) {
		leaves_early(all, r, orphan);
	} else if (side == is_effect) {
		if (r->t_mon_ns <= all->last_ns)
			wrong_row(WRONG_BEFORE_CAUSE, r);
		if (orphan)
			behind_its_cause(cs, r);
	} else if (++all->entered > all->parties) {
		wrong_row(WRONG_TWICE, r);
	} else {
		if (all->entered == 1 || r->t_mon_ns > all->last_ns)
			all->last_ns = r->t_mon_ns;
		if (all->entered == all->parties)
			were_early(cs, all, r);
	}
	return (0);
}

static const struct {
	const char *kind;
	int (*what)(struct causes *, const struct row *, take *);
	take *side;
} kinds[] = {
	{ "receive", message, is_effect },
	{ "send", message, is_cause },
	{ "task_spawn", message, is_cause },
	{ "task_begin", message, is_effect },
	{ "future_set", message, is_cause },
	{ "future_get", message, is_effect },
	{ "object_depart", message, is_cause },
	{ "object_arrive", message, is_effect },
	{ "lock_release", lock, is_cause },
	{ "lock_acquire", lock, is_effect },
	{ "collective_enter", collective, is_cause },
	{ "collective_leave", collective, is_effect },
	{ "thread_create", created, is_cause },
	{ "thread_begin", created, is_effect },
	{ "thread_end", ended, is_cause },
	{ "thread_join", ended, is_effect },
};

int
causes_row(struct causes *cs, const struct row *r)
{
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(r->kind, kinds[i].kind) == 0)
			return (kinds[i].what(cs, r, kinds[i].side));
	if (cs->growing && strcmp(r->kind, "found") == 0)
		news(cs, r->a, -1);
	return (0);
}

/* Effects that are left without a cause. */
static void
track_end(struct causes *cs, struct track *t)
{
	for (uint64_t i = 0; i < t->n; i++) {
		if ((t->sides[i] & (CAUSE | EFFECT)) != EFFECT)
			continue;
		if (!cs->lossy && !cs->growing)
			wrong_say(WRONG_WITHOUT_CAUSE, "number or turn %llu",
			    (unsigned long long)i);
		if ((t->sides[i] & ORPHAN) == 0)
			wrong_say(WRONG_NO_ORPHAN, "number or turn %llu",
			    (unsigned long long)i);
	}
}

void
causes_end(struct causes *cs, bool cut)
{
	if (cut)
		return;
	each_track(cs, track_end);
	for (uint64_t turn = 0; turn < cs->nall; turn++) {
		const struct all *all = &cs->all[turn];

		if (all->early > 0 && !cs->lossy && !cs->growing)
			wrong_say(WRONG_WITHOUT_CAUSE, "turn %llu of all",
			    (unsigned long long)turn);
		if (all->early > all->early_orphans)
			wrong_say(WRONG_NO_ORPHAN, "turn %llu of all",
			    (unsigned long long)turn);
	}
	for (unsigned i = 0; i < NEWS; i++)
		if (cs->news[i].due != 0)
			wrong_say(WRONG_NOT_FOUND, "%#llx, %+lld",
			    (unsigned long long)cs->news[i].key,
			    (long long)cs->news[i].due);
}

void
causes_pair(const struct causes *cs, unsigned from, unsigned to, uint64_t *sent,
    uint64_t *received)
{
	*sent = cs->sent[from][to];
	*received = cs->received[from][to];
}
