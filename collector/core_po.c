/*
 * The programs of a collector: new ones, those of the process before this one,
 * and those that are missing.
 *
 * After a restart the journal names POs whose memory somebody has to hand on.
 * Until that has happened their counts are unknown; whoever is asked (rescue.c)
 * may find the memory again, and when there is no hope the PO is buried.
 */
#include <errno.h>

#include "core_inside.h"
#include "log.h"
#include "unattached.h"
#include "uplink.h"

/* Ticks may be far apart while there is no PO. */
static struct drain_po *
core_attach(struct collector_core *co, struct po *po,
    const struct source *source, bool adopted)
{
	struct drain_po *dp;

	core_clocks(co);
	dp = drain_attach(co->drain, po, source, adopted, co->now_ns);
	if (dp == NULL)
		return (NULL);
	core_choose(co, dp);
	co->idle = 0;
	core_schedule(co, co->opt.sweep_ns);
	return (dp);
}

static struct po *
core_define(struct collector_core *co, const struct msg_po *m)
{
	struct po *po = ident_po_new(co->ident, m);

	if (po != NULL &&
	    ident_stream_new(co->ident, po, 0, m->pid, "") == NULL)
		return (NULL);
	return (po);
}

/* It has published nothing; its number stays taken. */
static void
core_refuse(struct collector_core *co, struct po *po)
{
	int why = errno;

	/* if there is no memory for that either, a successor misses it */
	if (ident_stream_end(co->ident, po->about, true) == 0)
		ident_po_end(co->ident, po);
	errno = why;
}

uint32_t
collector_core_inherited(struct collector_core *co, uint32_t po,
    int64_t t_node_ns, uint32_t names)
{
	/* what it has told just now as well */
	if (ident_inherited(co->ident, po, t_node_ns, names) < names)
		drain_names_of(co->drain, po);
	return (ident_inherited(co->ident, po, t_node_ns, names));
}

struct drain_po *
collector_core_attach(struct collector_core *co, const struct msg_po *m,
    const struct source *source)
{
	struct msg_po now = *m;
	struct drain_po *dp;
	struct po *po;

	if (co->stopping) {
		errno = ESHUTDOWN;
		return (NULL);
	}
	if (drain_room(co->drain) == -1) {
		errno = ENOSPC;
		return (NULL);
	}
	core_clocks(co);
	now.t_node_ns = co->now_ns;
	po = core_define(co, &now);
	if (po == NULL)
		return (NULL);
	dp = core_attach(co, po, source, false);
	if (dp == NULL)
		core_refuse(co, po);
	return (dp);
}

struct drain_po *
collector_core_adopt(struct collector_core *co, const struct msg_po *m,
    const struct source *source)
{
	struct po *po = ident_po(co->ident, m->po);

	if (po == NULL || po->about == NULL)
		po = core_define(co, m);
	if (po == NULL)
		return (NULL);
	if (po->ended) {
		errno = EEXIST;
		return (NULL);
	}
	ident_po_unknown(co->ident, po, false);
	return (core_attach(co, po, source, true));
}

/* A PO of the journal that nobody has handed on. */
static bool
po_is_missing(struct collector_core *co, const struct po *po)
{
	return (!po->ended && po->about != NULL && !drain_has(co->drain, po));
}

/* Asks for it once more.  True: it is here, or may still come. */
static bool
core_look_for(struct collector_core *co, struct po *po)
{
	bool hope = false;

	if (co->ops->missing != NULL)
		hope = co->ops->missing(co->arg, po);
	if (!po_is_missing(co, po))
		return (true);
	if (!hope)
		return (false);
	ident_po_unknown(co->ident, po, true);
	co->missing = true;
	return (true);
}

void
collector_core_adopted(struct collector_core *co)
{
	co->missing = false;
	for (size_t i = 0; i < ident_pos(co->ident); i++) {
		struct po *po = ident_po_at(co->ident, i);

		if (!po_is_missing(co, po) || core_look_for(co, po))
			continue;
		if (drain_room(co->drain) == -1 ||
		    drain_bury(co->drain, po, co->now_ns) == -1) {
			co->missing = true; /* in a second */
			break;
		}
		log_warnx("po %u (%s, process %u): its memory is gone with "
			  "those who knew it; what it published last is "
			  "unknown",
		    po->number, po->program, po->pid);
	}
}

void
collector_core_unattached(struct collector_core *co, const struct unattached *u)
{
	struct uplink_absent *was = &co->absent_before;
	struct uplink_absent absent = { u->processes, u->unrecorded };

	co->absent = absent;
	if (was->processes > absent.processes)
		was->processes = absent.processes;
	if (was->unrecorded > absent.unrecorded)
		was->unrecorded = absent.unrecorded;
	absent.processes -= was->processes;
	absent.unrecorded -= was->unrecorded;
	uplink_unattached(co->uplink, &absent, u->why);
}

void
collector_core_detach(struct collector_core *co, struct drain_po *dp)
{
	core_clocks(co);
	if (co->state == CORE_RUNNING && !co->blocked)
		sampler_last(co->sampler, dp, co->now_ns);
	drain_detach(dp, drain_po_bye(dp));
	core_schedule(co, 0);
}
