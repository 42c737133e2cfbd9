/*
 * Programs that their collector has turned away, for want of memory or of room
 * in its spool.  They ask again, or do not.  What client.c tells of them is
 * told here; the receipt has to have as many.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collector/unattached.h"
#include "tests/sim/inside.h"
#include "tests/sim/world_inside.h"

struct word {
	struct collector_core *core;
	const struct unattached *absent;
};

static void
tell_cb(void *arg)
{
	struct word *word = arg;

	collector_core_unattached(word->core, word->absent);
}

static void
tell_absent(struct host *n)
{
	struct word word = { n->core, n->absent };

	if (!sim_inside(n->env, tell_cb, &word))
		host_fatal(n);
}

void
absent_anew(struct host *n)
{
	n->collectors++;
	n->told_last = false;
	if (n->absent != NULL)
		memset(n->absent, 0, sizeof(*n->absent));
}

uint32_t
absent_process(struct host *n)
{
	uint32_t pid = n->asks_again;

	n->asks_again = 0;
	return (pid != 0 ? pid : ++n->processes);
}

void
absent_add(struct program *p, int error)
{
	struct host *n = p->host;

	if (chance_is(&n->chance, 0.5))
		n->asks_again = p->pid;
	if (n->absent == NULL)
		n->absent = calloc(1, sizeof(*n->absent));
	if (n->absent == NULL)
		abort();
	if (unattached_add(n->absent, p->pid, 1, 0, strerror(error)) !=
	    UNATTACHED_NEW)
		return;
	n->turned_away++;
	n->after_end += n->told_last;
	tell_absent(n);
}

/* The whole is told before it, in each session anew. */
void
absent_told_last(struct host *n)
{
	n->told_last = true;
	n->after_end = 0;
}

void
absent_served(struct program *p)
{
	struct host *n = p->host;

	if (n->absent != NULL && unattached_remove(n->absent, p->pid, 1))
		tell_absent(n);
}

/*
 * What a collector that was killed has known only it may have told or not; and
 * one that has come after it does not know who had asked before.
 */
void
absent_check(struct world *w, uint64_t receipt)
{
	uint64_t least = 0, most = 0, after_end = 0;
	bool sure = w->starts == 1;

	for (size_t i = 0; i < w->hosts_n; i++) {
		const struct host *n = &w->hosts[i];

		sure &= n->collectors == 1;
		most += n->turned_away;
		least += n->absent == NULL ? 0 : n->absent->processes;
		after_end += n->after_end;
	}
	/* who asks after a node has told its last may be behind that */
	if (receipt <= most &&
	    (!sure || (receipt <= least && receipt + after_end >= least)))
		return;
	w->r->violations++;
	wrong(w, "%llu processes could not attach, says the receipt; %llu %s",
	    (unsigned long long)receipt,
	    (unsigned long long)(sure ? least : most),
	    sure ? "in truth" : "were turned away at all");
}
