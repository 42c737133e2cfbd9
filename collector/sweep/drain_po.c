/*
 * The programs that a drain looks at: they come, are told of, and go.
 *
 * A PO has a stream of its own besides those of its threads: it begins and ends
 * there, and so does what we have to say about it.
 */
#include "drain.h"

#include <stdlib.h>

#include "drain_choice.h"
#include "drain_in.h"
#include "sampled.h"

#define FLOOR_SLACK_NS INT64_C(1000000000) /* a clock may be set back */

void
drain_po_free(struct drain_po *dp)
{
	if (dp->source.ops->released != NULL)
		dp->source.ops->released(dp->source.arg);
	places_free(dp->places);
	free(dp->slots);
	free(dp->measures);
	sampled_free(dp->sampled);
	drain_choice_free(dp);
	free(dp);
}

int
drain_say(struct drain_po *dp, unsigned kind, uint64_t a, uint64_t b,
    uint32_t c, int64_t now_node_ns)
{
	struct drain *d = dp->d;
	struct stream *st = dp->po->about;
	struct node_event e = {
		.t_node_ns = now_node_ns,
		.a = a,
		.b = b,
		.c = c,
		.kind = (uint16_t)kind,
	};

	/* what the scheduler did until now comes later, and must not be late */
	if (dp->source.sched != NULL &&
	    e.t_node_ns > d->vouch_ns[RING_CLOCK_RAW])
		e.t_node_ns = d->vouch_ns[RING_CLOCK_RAW] > dp->begun_ns
				  ? d->vouch_ns[RING_CLOCK_RAW]
				  : dp->begun_ns;
	if (e.t_node_ns < d->watermark_ns)
		e.t_node_ns = d->watermark_ns;
	if (dp->source.sched != NULL && e.t_node_ns < dp->said_ns)
		e.t_node_ns = dp->said_ns;
	dp->said_ns = e.t_node_ns;
	if (batch_add_run(d->writer, st->number, st->next_seq, &e, 1) == -1)
		return (-1);
	st->next_seq++;
	if (kind == EV_lost) {
		st->lost += a;
		st->lost_records++;
	}
	return (0);
}

/* Definitions that a batch has to carry before the PO's events. */
static int
tell_po(struct drain_po *dp)
{
	const struct po *po = dp->po;
	struct msg_po m = {
		.po = po->number,
		.parent_po = po->parent,
		.pid = po->pid,
		.t_node_ns = po->t_node_ns,
		.program = BYTES_STR(po->program),
		.command = BYTES_STR(po->command),
		.names_po = po->names_po,
		.names = po->inherited,
	};
	struct msg_thread about = {
		.location = po->about->number,
		.po = po->number,
	};
	struct msg_name name = {
		.name = IDENT_NAME_PROGRAM,
		.po = po->number,
		.text = m.program,
	};

	if (batch_add_definition(dp->d->writer, MSG_po, &m) == -1 ||
	    batch_add_definition(dp->d->writer, MSG_thread, &about) == -1 ||
	    ident_name_new(dp->d->ident, dp->po, &name) == -1)
		return (-1);
	return (batch_add_definition(dp->d->writer, MSG_name, &name));
}

/* How switches are known; after a crash of ours again, since some are not. */
static int
tell_sched(struct drain_po *dp, int64_t now_node_ns)
{
	struct msg_name m = {
		.name = IDENT_NAME_SCHED,
		.po = dp->po->number,
		.text = BYTES_STR(dp->source.sched),
	};

	if (ident_name_new(dp->d->ident, dp->po, &m) == -1 ||
	    batch_add_definition(dp->d->writer, MSG_name, &m) == -1)
		return (-1);
	return (drain_say(dp, EV_sched_from, dp->po->pid, 0, IDENT_NAME_SCHED,
	    now_node_ns));
}

int
drain_sampling(struct drain_po *dp, const char *way, uint32_t rate_hz,
    bool kernel, int64_t now_node_ns)
{
	struct msg_name m = {
		.name = IDENT_NAME_SAMPLE,
		.po = dp->po->number,
		.text = BYTES_STR(way),
	};

	if (dp->source.sched == NULL) {
		dp->source.sched = way;
		if (tell_sched(dp, now_node_ns) == -1)
			return (-1);
	}
	if (dp->sampled == NULL &&
	    ((dp->sampled = sampled_new(dp->said_ns)) == NULL ||
		ident_name_new(dp->d->ident, dp->po, &m) == -1 ||
		batch_add_definition(dp->d->writer, MSG_name, &m) == -1))
		return (-1);
	sampled_on(dp->sampled, rate_hz != 0);
	return (drain_say(dp, EV_sample_from, rate_hz, kernel,
	    IDENT_NAME_SAMPLE, now_node_ns));
}

struct drain_po *
drain_attach(struct drain *d, struct po *po, const struct source *source,
    bool adopted, int64_t now_node_ns)
{
	struct drain_po *dp, **p;

	p = realloc(d->pos, (d->npos + 1) * sizeof(struct drain_po *));
	if (p == NULL)
		return (NULL);
	d->pos = p;
	dp = calloc(1, sizeof(*dp));
	if (dp == NULL)
		return (NULL);
	dp->d = d;
	dp->po = po;
	dp->source = *source;
	dp->begun_ns = now_node_ns;
	dp->recovered = adopted;
	dp->floor_ns = adopted ? INT64_MIN : now_node_ns - FLOOR_SLACK_NS;
	dp->no_ring = po->about->lost;
	dp->slots = calloc(source->layout.nrings, sizeof(*dp->slots));
	if (dp->slots == NULL)
		goto fail;
	if (po->about->next_seq == 0 &&
	    (tell_po(dp) == -1 ||
		drain_say(dp, EV_po_begin, po->pid, po->parent,
		    IDENT_NAME_PROGRAM, now_node_ns) == -1))
		goto fail;
	if (source->sched != NULL && tell_sched(dp, now_node_ns) == -1)
		goto fail;
	dp->fresh = true;
	if (adopted) {
		drain_names_skip(dp);
		(void)drain_places_again(dp); /* else they stay addresses */
	}
	d->pos[d->npos++] = dp;
	return (dp);

fail:
	free(dp->slots);
	free(dp);
	return (NULL);
}

void
drain_detach(struct drain_po *dp, bool clean)
{
	dp->detached = true;
	dp->left_ns = dp->d->now_ns[RING_CLOCK_RAW];
	dp->looked = false;
	dp->clean = clean && !dp->buried;
}

void
drain_po_ending(struct drain_po *dp, uint32_t ending)
{
	dp->ending = ending;
}

/*
 * It ends as any other does, with memory in which there is nothing: its account
 * is made when what is told of its end is in the spool, and not before.
 */
int
drain_bury(struct drain *d, struct po *po, int64_t now_node_ns)
{
	static struct ring_segment nothing;
	static const struct source_ops nobody;
	const struct source source = {
		.seg = &nothing,
		.layout = { .nrings = 1 }, /* that no thread has taken */
		.clock = RING_CLOCK_RAW,
		.ops = &nobody,
	};
	struct drain_po *dp = drain_attach(d, po, &source, true, now_node_ns);

	if (dp == NULL)
		return (-1);
	dp->buried = true;
	drain_detach(dp, false);
	return (0);
}

struct po *
drain_po_ident(const struct drain_po *dp)
{
	return (dp->po);
}

bool
drain_po_bye(const struct drain_po *dp)
{
	return (atomic_load(&dp->source.seg->bye) == 1);
}

int
drain_each(struct drain *d, int (*cb)(void *, struct drain_po *), void *arg)
{
	int rc;

	for (size_t i = 0; i < d->npos; i++) {
		rc = cb(arg, d->pos[i]);
		if (rc != 0)
			return (rc);
	}
	return (0);
}
