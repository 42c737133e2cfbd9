/*
 * How things are, as YAML: what `monitorctl status' prints and watches.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uuid/uuid.h>

#include "inside.h"

/* A string as YAML has it in double quotes. */
static void
quoted(FILE *f, const char *s, size_t n)
{
	putc('"', f);
	for (size_t i = 0; i < n; i++) {
		unsigned char b = (unsigned char)s[i];

		if (b == '"' || b == '\\')
			fprintf(f, "\\%c", b);
		else if (b < 0x20 || b == 0x7f)
			fprintf(f, "\\x%02x", b);
		else
			putc(b, f);
	}
	putc('"', f);
}

static void
status_clock(FILE *f, struct node *n)
{
	struct clocksync_stats s;
	struct tighten_says says;

	clocksync_stats(n->clocks.sync, node_clock_now(n), &s);
	fprintf(f,
	    "    clock: { state: %s, offset_ns: %" PRId64 ", error_ns: %" PRId64
	    ", skew_ppm: %.3f, rtt_min_ns: %" PRId64 ", pongs: %" PRIu64
	    ", steps: %" PRIu64,
	    clock_state_name[s.state], s.offset_ns, s.error_ns, s.skew_ppm,
	    s.rtt_min_ns, s.pongs, s.steps);
	if (together_says(n->core->together, n, &says))
		fprintf(f, ", pair_error_ns: %" PRId64 ", pairs: %u",
		    says.pair_ns, says.pairs);
	fprintf(f, " }\n");
}

static void
status_node(FILE *f, struct node *n, int64_t now)
{
	const struct msg_heartbeat *h = &n->told;

	fprintf(f, "  - name: ");
	quoted(f, n->name, strlen(n->name));
	fprintf(f, "\n    number: %u\n    state: %s\n", n->number,
	    node_state_name[n->state]);
	if (n->note[0] != '\0') {
		fprintf(f, "    note: ");
		quoted(f, n->note, strlen(n->note));
		putc('\n', f);
	}
	status_clock(f, n);
	nodehost_status(&n->host, now, f);
	if (node_unattached(n) > 0) {
		fprintf(f, "    unattached: %" PRIu64 "\n    unattached_why: ",
		    node_unattached(n));
		quoted(f, n->counts.unattached_why,
		    strlen(n->counts.unattached_why));
		putc('\n', f);
	}
	fprintf(f,
	    "    pid: %u\n    pos: %u\n    threads: %u\n"
	    "    received: %" PRIu64 "\n    rate: %u\n"
	    "    published: %" PRIu64 "\n    lost: %" PRIu64 "\n"
	    "    late: %" PRIu64 "\n"
	    "    spool_bytes: %" PRIu64 "\n    spool_limit_bytes: %" PRIu64
	    "\n    lag_ms: %.1f\n    heard_ms: %.1f\n    connects: %u\n"
	    "    paused: %s\n    believed: %s\n",
	    n->pid, h->pos, h->threads, n->counts.events, n->counts.rate,
	    h->published, h->lost, n->counts.late, h->spool_bytes,
	    h->spool_limit_bytes,
	    n->mark_mon_ns == INT64_MIN ? -1.0
					: (double)(now - n->mark_mon_ns) / 1e6,
	    n->heard_ns == 0 ? -1.0 : (double)(now - n->heard_ns) / 1e6,
	    n->counts.connects, n->paused ? "true" : "false",
	    reorder_doubts(n->core->reorder, n->number) ? "false" : "true");
}

static void
status_order(FILE *f, struct monitord_core *c, int64_t now)
{
	struct reorder_stats s;
	int64_t w = reorder_watermark(c->reorder);

	reorder_stats(c->reorder, &s);
	fprintf(f,
	    "order: { resting: %s, lag_ms: %.1f, held_bytes: %zu, late: %" PRIu64
	    ", orphans: %" PRIu64 ", shifted: %" PRIu64 ", matched: %" PRIu64
	    ", cycles: %" PRIu64 ", shift_max_ns: %" PRId64
	    ", parked: %u, stalled_nodes: %u, causes: %" PRIu64
	    ", found: %" PRIu64 ", disbelieved: %" PRIu64
	    ", doubted_nodes: %u, memory_bytes: %zu }\n",
	    c->resting ? "true" : "false",
	    w == INT64_MIN || w > now ? 0.0 : (double)(now - w) / 1e6,
	    reorder_held_bytes(c->reorder), s.late, s.orphans, s.shifted,
	    s.matched, s.cycles, s.shift_max_ns, s.parked, s.stalled_nodes,
	    s.causes, s.found, s.disbelieved, s.doubted,
	    reorder_memory_bytes(c->reorder));
}

static void
status_together(FILE *f, struct monitord_core *c)
{
	struct together_stats s;

	together_stats(c->together, &s);
	fprintf(f,
	    "messages: { between_nodes: %" PRIu64 ", reversed: %" PRIu64
	    ", pairs: %zu, both_ways: %zu, contradictions: %" PRIu64 " }\n",
	    s.messages, s.reversed, s.tighten.pairs, s.tighten.both_ways,
	    s.tighten.contradictions);
}

/*
 * Published by the programs is stored, lost, or on its way; what the monitor
 * itself has to say is in the log beside it.
 */
static void
status_events(FILE *f, struct monitord_core *c)
{
	uint64_t published = 0, lost = 0, stored = 0;
	struct node *n;

	TAILQ_FOREACH (n, &c->nodes, entry) {
		published += n->told.published;
		lost += n->told.lost + n->counts.gone;
	}
	for (uint32_t i = 1; i < registry_locations(c->registry); i++)
		stored += registry_location(c->registry, i)->records;
	/* a node tells of itself now and then only */
	if (published < stored + lost)
		published = stored + lost;
	fprintf(f,
	    "events: { published: %" PRIu64 ", stored: %" PRIu64
	    ", lost: %" PRIu64 ", under_way: %" PRIu64 ", monitor: %" PRIu64
	    " }\n",
	    published, stored, lost, published - stored - lost,
	    store_events(c->store) > stored ? store_events(c->store) - stored
					    : 0);
}

static void
status_log(FILE *f, struct monitord_core *c)
{
	const char *why;

	fprintf(f, "log: { path: ");
	quoted(f, store_path(c->store), strlen(store_path(c->store)));
	fprintf(f,
	    ", bytes: %" PRIu64 ", events: %" PRIu64 ", late: %" PRIu64
	    ", rate: %u, continued: %s, writable: ",
	    store_bytes(c->store), store_events(c->store), store_late(c->store),
	    c->rate, store_continued(c->store) ? "true" : "false");
	if (store_failed(c->store, &why)) {
		fprintf(f, "false, why: ");
		quoted(f, why, strlen(why));
	} else {
		fprintf(f, "true");
	}
	fprintf(f, " }\n");
}

char *
status_text(struct monitord_core *c)
{
	const struct msg_run *run = store_run(c->store);
	int64_t now = core_now(c);
	char id[37], *text = NULL;
	size_t bytes = 0;
	struct node *n;
	FILE *f = open_memstream(&text, &bytes);

	if (f == NULL)
		return (NULL);
	uuid_unparse_lower(run->run.b, id);
	fprintf(f, "run: { name: ");
	quoted(f, run->name.p, run->name.n);
	fprintf(f, ", uuid: %s, state: %s, seconds: %.1f }\n", id,
	    core_state_name[c->state], (double)(now - run->start_mon_ns) / 1e9);
	status_log(f, c);
	status_order(f, c, now);
	status_together(f, c);
	status_events(f, c);
	fprintf(f, "choice: { changes: %" PRIu64 " }\n", choice_number(c));
	fprintf(f, "locations: %u\nnames: %u\nviewers: %u\n",
	    registry_locations(c->registry), registry_names(c->registry),
	    stream_count(c));
	fprintf(f, "nodes:%s\n", TAILQ_EMPTY(&c->nodes) ? " []" : "");
	TAILQ_FOREACH (n, &c->nodes, entry)
		status_node(f, n, now);
	if (fclose(f) != 0) {
		free(text);
		return (NULL);
	}
	return (text);
}
