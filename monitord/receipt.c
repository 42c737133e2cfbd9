/*
 * The receipt of a run.
 *
 * Each thread's account is held against what is in the log; a thread without
 * one, and a node that has not told everything, are unknown.  What does not add
 * up is listed, so that a receipt that is not good says who is missing.
 */
#include "receipt.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "inside.h"

#define ODD_LINES 20 /* so many are listed */

static void __attribute__((format(printf, 2, 3)))
odd_line(struct receipt *rc, const char *fmt, ...)
{
	char line[300];
	va_list ap;

	if (++rc->nodd > ODD_LINES)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	buf_add(&rc->odd, line, strlen(line));
}

static void
odd_thread(struct monitord_core *c, struct receipt *rc,
    const struct location *l)
{
	odd_line(rc,
	    "  %s/%u.%u: published %" PRIu64 ", stored %" PRIu64
	    ", lost %" PRIu64 "%s\n",
	    registry_node_name(c->registry, l->node), l->po, l->thread,
	    l->published, l->records, l->lost,
	    l->told && l->known ? "" : ", count unknown");
}

static void
add_location(struct monitord_core *c, struct receipt *rc,
    const struct location *l)
{
	struct msg_receipt *r = &rc->sums;

	r->stored += l->records;
	if (l->told && l->known) {
		r->published += l->published;
		r->lost += l->lost + l->gone;
		if (l->published != l->records + l->lost + l->gone)
			odd_thread(c, rc, l);
		return;
	}
	/* what the collector itself has to say needs no account */
	r->published += l->records + l->gone + (l->told ? l->lost : 0);
	r->lost += l->gone + (l->told ? l->lost : 0);
	if (l->thread != 0 || (l->told && !l->known)) {
		r->unknown++;
		odd_thread(c, rc, l);
	}
}

/* Nothing of these is published, stored or lost: it is said, not added. */
static void
add_unattached(struct receipt *rc, const struct node *n)
{
	uint64_t unrecorded =
	    n->counts.unrecorded_before + n->counts.unrecorded;
	char line[400];

	rc->sums.unattached += node_unattached(n);
	rc->sums.unrecorded += unrecorded;
	snprintf(line, sizeof(line),
	    "  node %s: %" PRIu64 ", of which %" PRIu64
	    " events are known of; the last: %s\n",
	    n->name, node_unattached(n), unrecorded, n->counts.unattached_why);
	buf_add(&rc->absent, line, strlen(line));
}

void
receipt_add_up(struct monitord_core *c, struct receipt *rc)
{
	uint32_t n = registry_locations(c->registry);
	struct node *node;

	*rc = (struct receipt){ 0 };
	for (uint32_t i = 1; i < n; i++)
		add_location(c, rc, registry_location(c->registry, i));
	/* what a node has that was not heard again is anybody's guess */
	TAILQ_FOREACH (node, &c->nodes, entry) {
		if (node_unattached(node) > 0)
			add_unattached(rc, node);
		if (node->counts.beyond > 0) {
			rc->sums.unknown++;
			odd_line(rc,
			    "  node %s: %" PRIu32 " threads are more than a "
			    "run can hold, and not in the log\n",
			    node->name, node->counts.beyond);
		}
		if (node->number == 0 || node->end == NODE_FINISHED)
			continue;
		rc->sums.unknown++;
		odd_line(rc, "  node %s: has not told everything\n",
		    node->name);
	}
	rc->sums.late = store_late(c->store);
	rc->sums.orphans = c->orphans;
	rc->sums.end_real_ns = c->env->ops->real_ns(c->env);
}

bool
receipt_good(const struct receipt *rc)
{
	return (rc->nodd == 0 && rc->sums.unknown == 0 &&
		rc->sums.published == rc->sums.stored + rc->sums.lost);
}

char *
receipt_text(struct monitord_core *c, const struct receipt *rc)
{
	const struct msg_receipt *r = &rc->sums;
	const struct msg_run *run = store_run(c->store);
	char *text = NULL;

	if (asprintf(&text,
		"run        %.*s\n"
		"log        %s\n"
		"published  %" PRIu64 "\n"
		"stored     %" PRIu64 "\n"
		"lost       %" PRIu64 "\n"
		"late       %" PRIu64 "\n"
		"orphans    %" PRIu64 "\n"
		"mended     %" PRIu64 "\n"
		"unknown    %u\n"
		"unattached %" PRIu64 "\n"
		"monitor    %" PRIu64 "\n"
		"%s\n%.*s%s%.*s",
		(int)run->name.n, (const char *)run->name.p,
		store_path(c->store), r->published, r->stored, r->lost, r->late,
		r->orphans, r->mended, r->unknown, r->unattached,
		store_events(c->store) - r->stored,
		receipt_good(rc) ? "good: published = stored + lost"
		: r->unknown > 0
		    ? "not good: not everything is known:"
		    : "not good: published and stored + lost differ:",
		(int)rc->odd.n, (const char *)rc->odd.p,
		r->unattached > 0 ? "but without processes that could not "
				    "attach, of which nothing is known:\n"
				  : "",
		(int)rc->absent.n, (const char *)rc->absent.p) == -1)
		return (NULL);
	return (text);
}

void
receipt_clear(struct receipt *rc)
{
	buf_free(&rc->odd);
	buf_free(&rc->absent);
}
