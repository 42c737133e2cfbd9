/* See nodehost.h. */
#include "monitord/run/nodehost.h"

#include <inttypes.h>
#include <stdbool.h>

#include "event.h"
#include "monitord/order/causal/eventpool.h"
#include "monitord/registry/registry.h"

static const char *const names[HOST_FIGURES] = {
	[HOST_USER] = "cpu user",
	[HOST_SYSTEM] = "cpu system",
	[HOST_IDLE] = "cpu idle",
	[HOST_LOAD] = "load",
	[HOST_MEMORY] = "memory used",
	[HOST_RECEIVED] = "network received",
	[HOST_SENT] = "network sent",
};

/* HOST_FIGURES: it is none of these. */
static unsigned
figure_of(struct nodehost *h, const struct registry *r, uint32_t name)
{
	for (unsigned i = 0; i < HOST_FIGURES; i++)
		if (h->name[i] == name && name != 0)
			return (i);
	for (unsigned i = 0; i < HOST_FIGURES; i++)
		if (h->name[i] == 0 && registry_name_is(r, name, names[i])) {
			h->name[i] = name;
			return (i);
		}
	return (HOST_FIGURES);
}

/*
 * What has not changed is not told, so a reading begins as the one before.
 * Readings stand in the words about several processes, of which the later may
 * come first.
 */
static void
take(struct nodehost *h, const struct registry *r, const struct event *e)
{
	unsigned i = figure_of(h, r, e->c);

	if (i == HOST_FIGURES || e->t_node_ns < h->told_node_ns[i])
		return;
	if (h->last.set == 0 || e->t_node_ns > h->last.t_node_ns) {
		h->before = h->last;
		h->last.t_node_ns = e->t_node_ns;
		h->t_mon_ns = e->t_mon_ns;
	}
	h->told_node_ns[i] = e->t_node_ns;
	h->last.value[i] = (int64_t)e->a;
	h->last.set |= 1u << i;
}

void
nodehost_take(struct nodehost *h, const struct registry *r,
    const struct event_slot *slot, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (slot[i].ev.kind == EV_measure &&
		    (slot[i].ev.b & MEASURE_OF) == MEASURE_NODE)
			take(h, r, &slot[i].ev);
}

static bool
has(const struct nodehost *h, unsigned figure)
{
	return ((h->last.set & h->before.set) >> figure & 1);
}

static double
grown(const struct nodehost *h, unsigned figure)
{
	return ((double)(h->last.value[figure] - h->before.value[figure]));
}

static void
put_rate(const struct nodehost *h, unsigned figure, const char *key, FILE *f)
{
	double ns = (double)(h->last.t_node_ns - h->before.t_node_ns);

	if (has(h, figure) && ns > 0)
		fprintf(f, ", %s: %.0f", key, grown(h, figure) / ns * 1e9);
}

void
nodehost_status(const struct nodehost *h, int64_t now_mon_ns, FILE *f)
{
	double busy, all;

	if (h->last.set == 0)
		return;
	fprintf(f, "    host: { age_ms: %.0f",
	    (double)(now_mon_ns - h->t_mon_ns) / 1e6);
	if (has(h, HOST_USER) && has(h, HOST_SYSTEM) && has(h, HOST_IDLE)) {
		busy = grown(h, HOST_USER) + grown(h, HOST_SYSTEM);
		all = busy + grown(h, HOST_IDLE);
		fprintf(f, ", cpu_percent: %.1f",
		    all > 0 ? 100 * busy / all : 0);
	}
	if (h->last.set >> HOST_LOAD & 1)
		fprintf(f, ", load: %.3f",
		    (double)h->last.value[HOST_LOAD] / 1000);
	if (h->last.set >> HOST_MEMORY & 1)
		fprintf(f, ", memory_bytes: %" PRId64,
		    h->last.value[HOST_MEMORY]);
	put_rate(h, HOST_RECEIVED, "received_bytes_per_s", f);
	put_rate(h, HOST_SENT, "sent_bytes_per_s", f);
	fprintf(f, " }\n");
}
