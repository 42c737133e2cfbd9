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

/* A thread that has ended in a live PO stays: its number must stay taken. */
static bool
stream_is_old(const struct ident *id, const struct stream *st)
{
	const struct po *po = ident_po(id, st->po);

	return (po == NULL || (po->ended && !po->waiting));
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

		if (po->ended && !po->waiting) {
			buf_free(&po->defs);
			free(po);
			continue;
		}
		po->waiting = false;
		id->pos[kept++] = po;
	}
	id->npos = kept;
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
