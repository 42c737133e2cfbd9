/*
 * A run begins: what of the registry goes on in it, and what is forgotten.
 *
 * Events may be of the run before it is known here: programs come while there
 * is none.  Those are told by ident_waits, first; what they need is kept.
 */
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "event.h"
#include "ident_inside.h"

struct ident_waiting {
	struct ident *ident;
	bool spooled;
};

static void
counts_add(struct counts *c, const struct counts *more)
{
	c->records += more->records;
	c->lost += more->lost;
	c->lost_records += more->lost_records;
}

static bool
po_is_old(const struct po *po)
{
	return (po->ended && !po->waiting);
}

/* A thread that has ended in a live PO stays: its number must stay taken. */
static bool
stream_is_old(const struct ident *id, const struct stream *st)
{
	const struct po *po = ident_po(id, st->po);

	return (po == NULL || po_is_old(po));
}

/* Of a PO that stays all accounts are told again, if it is of nothing. */
static void
forget_ended(struct ident *id)
{
	size_t kept = 0;

	for (size_t i = 0; i < id->nended; i++) {
		if (!stream_is_old(id, id->ended[i]))
			id->ended[kept++] = id->ended[i];
	}
	id->nended = kept;
}

static void
forget_streams(struct ident *id)
{
	size_t kept = 0;

	forget_ended(id);
	memset(id->hash, 0, sizeof(id->hash));
	for (size_t i = 0; i < id->nstreams; i++) {
		struct stream *st = id->streams[i];

		if (stream_is_old(id, st)) {
			free(st);
			continue;
		}
		ident_hash_enter(id, st);
		id->streams[kept++] = st;
	}
	id->nstreams = kept;
}

static void
forget_pos(struct ident *id)
{
	size_t kept = 0;

	for (size_t i = 0; i < id->npos; i++) {
		struct po *po = id->pos[i];

		if (po_is_old(po)) {
			buf_free(&po->defs);
			free(po);
			continue;
		}
		po->waiting = false;
		id->pos[kept++] = po;
	}
	id->npos = kept;
}

/* The first names of a PO, as those of another. */
static int
names_collect(const struct ident *id, const struct po *po, uint32_t names,
    uint32_t as, struct buf *out)
{
	const struct po *from = ident_po(id, po->names_po);
	struct frame f;
	struct msg_name m;

	/* no more than DEPTH_MAX of them */
	if (from != NULL &&
	    names_collect(id, from,
		names < po->inherited ? names : po->inherited, as, out) == -1)
		return (-1);
	for (size_t at = 0; at < po->defs.n; at += f.frame_bytes) {
		if (frame_parse(po->defs.p + at, po->defs.n - at, &f) !=
		    FRAME_OK)
			break;
		if (f.type != MSG_name ||
		    msg_decode(f.type, f.body, f.body_bytes, &m) == -1 ||
		    m.name > names)
			continue;
		m.po = as;
		if (frame_append(out, MSG_name, &m) == -1)
			return (-1);
	}
	return (0);
}

/* The names that it has inherited become its own. */
static int
names_settle(struct ident *id, struct po *po)
{
	struct buf defs = { 0 };
	struct frame f;
	struct msg_po m;

	if (frame_parse(po->defs.p, po->defs.n, &f) != FRAME_OK ||
	    f.type != MSG_po ||
	    msg_decode(f.type, f.body, f.body_bytes, &m) == -1)
		return (0);
	m.names_po = 0;
	if (frame_append(&defs, MSG_po, &m) == -1 ||
	    names_collect(id, ident_po(id, po->names_po), po->inherited,
		po->number, &defs) == -1 ||
	    buf_add(&defs, po->defs.p + f.frame_bytes,
		po->defs.n - f.frame_bytes) == -1) {
		buf_free(&defs);
		return (-1);
	}
	buf_free(&po->defs);
	po->defs = defs;
	po->names_po = 0;
	po->depth = 0;
	return (0);
}

/* Those of POs that will be forgotten. */
static int
settle_names(struct ident *id)
{
	for (size_t i = 0; i < id->npos; i++) {
		struct po *po = id->pos[i];
		const struct po *from = ident_po(id, po->names_po);

		if (from != NULL && po_is_old(from) && !po_is_old(po) &&
		    names_settle(id, po) == -1)
			return (-1);
	}
	return (0);
}

static int
waiting_events(void *arg, uint32_t number, uint64_t first_seq,
    const struct node_event *e, size_t n)
{
	struct ident_waiting *to = arg;
	struct stream *st = ident_stream_by_number(to->ident, number);
	struct po *po;
	struct counts c = { .records = n };

	(void)first_seq;
	if (st == NULL)
		return (0);
	for (size_t i = 0; i < n; i++) {
		if (e[i].kind == EV_lost) {
			c.lost += e[i].a;
			c.lost_records++;
		}
	}
	counts_add(&st->waiting, &c);
	if (!to->spooled)
		counts_add(&st->unspooled, &c);
	po = ident_po(to->ident, st->po);
	if (po != NULL)
		po->waiting = true;
	return (0);
}

/* The registry has them already. */
static int
waiting_definition(void *arg, const struct frame *f)
{
	(void)arg;
	(void)f;
	return (0);
}

/* Of what is damaged, what comes before the damage; monitord takes no more. */
void
ident_waits(struct ident *id, struct bytes streams, bool spooled)
{
	static const struct batch_sink sink = {
		.definition = waiting_definition,
		.events = waiting_events,
	};
	struct ident_waiting to = { .ident = id, .spooled = spooled };

	if (streams.n > 0)
		(void)batch_decode(streams, &sink, &to);
}

int
ident_new_run(struct ident *id)
{
	struct stream *st;
	int rc;

	if (settle_names(id) == -1)
		return (-1);
	forget_streams(id);
	forget_pos(id);
	for (size_t i = 0; i < id->nstreams; i++) {
		st = id->streams[i];
		st->before = (struct counts){
			.records = st->next_seq - st->waiting.records,
			.lost = st->lost - st->waiting.lost,
			.lost_records =
			    st->lost_records - st->waiting.lost_records,
		};
	}
	rc = ident_rewrite(id);
	for (size_t i = 0; i < id->nstreams; i++)
		id->streams[i]->waiting = id->streams[i]->unspooled =
		    (struct counts){ 0 };
	return (rc);
}
