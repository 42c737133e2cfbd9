/*
 * The journal of the registry.
 *
 * It holds the frames po, thread, name and account, in the order in which they
 * came to be.  It is read once, when the collector starts, and made afresh
 * when a new run begins or when it has grown far beyond what it says.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "batch.h"
#include "event.h"
#include "ident_inside.h"

#define JOURNAL_BYTES (UINT64_C(4) << 20)

static int
account_read(struct ident *id, const struct msg_account *m)
{
	struct stream *st = ident_stream(id, m->po, m->thread);
	struct po *po = ident_po(id, m->po);
	struct counts c = {
		.records = m->next_seq,
		.lost = m->lost,
		.lost_records = m->next_seq + m->lost - m->published,
	};

	if (st == NULL)
		return (0);
	if (m->known == KNOWN_BEFORE) {
		st->before = c;
		return (0);
	}
	st->next_seq = st->journaled_seq = c.records;
	st->lost = st->journaled_lost = c.lost;
	st->lost_records = c.lost_records;
	if (m->known == KNOWN_END_TOLD && po != NULL)
		po->end_told = true;
	if (m->known == KNOWN_SO_FAR || m->known == KNOWN_END_TOLD || st->ended)
		return (0);
	st->ended = true;
	st->unknown = m->known == 0;
	if (m->thread == 0 && po != NULL)
		po->ended = true;
	return (ident_ended_enter(id, st));
}

static int
journal_entry(void *arg, const struct frame *f, uint64_t offset)
{
	struct ident *id = arg;
	union {
		struct msg_po po;
		struct msg_thread thread;
		struct msg_name name;
		struct msg_account account;
		struct msg_module module;
		struct msg_symbol symbol;
	} m;
	struct po *po = NULL;

	(void)offset;
	if (f->type != MSG_po && f->type != MSG_thread && f->type != MSG_name &&
	    f->type != MSG_account && f->type != MSG_module &&
	    f->type != MSG_symbol)
		return (0);
	if (msg_decode(f->type, f->body, f->body_bytes, &m) == -1)
		return (0);
	switch (f->type) {
	case MSG_po:
		/* 0 is none, and a second one might inherit from its heirs:
		 * both would inherit without end */
		if (m.po.po == 0 || m.po.po > PO_LAST ||
		    ident_po(id, m.po.po) != NULL)
			return (0);
		po = ident_po_enter(id, &m.po);
		if (po == NULL)
			return (-1);
		break;
	case MSG_thread:
		po = ident_po(id, m.thread.po);
		if (po != NULL && ident_stream_enter(id, po, &m.thread) == NULL)
			return (-1);
		break;
	case MSG_name:
		po = ident_po(id, m.name.po);
		if (po != NULL)
			ident_name_enter(po, &m.name);
		break;
	case MSG_module:
		po = ident_po(id, m.module.po);
		break;
	case MSG_symbol:
		po = ident_po(id, m.symbol.po);
		break;
	case MSG_account:
		return (account_read(id, &m.account));
	}
	if (po == NULL)
		return (0);
	return (buf_add(&po->defs, f->body - FRAME_HEAD_BYTES, f->frame_bytes));
}

struct ident *
ident_open(struct env *env, const char *dir)
{
	struct ident *id;
	int saved;

	id = calloc(1, sizeof(*id));
	if (id == NULL)
		return (NULL);
	id->env = env;
	id->next_po = id->next_stream = 1;
	snprintf(id->path, sizeof(id->path), "%.1000s/journal", dir);
	if (journal_open(&id->journal, env, id->path, journal_entry, id) ==
	    -1) {
		saved = errno;
		ident_free(id);
		errno = saved;
		return (NULL);
	}
	return (id);
}

static int
catch_up_events(void *arg, uint32_t number, uint64_t first_seq,
    const struct node_event *e, size_t n)
{
	struct stream *st = ident_stream_by_number(arg, number);
	struct po *po;

	if (st == NULL || n == 0)
		return (0);
	po = st->thread == 0 ? ident_po(arg, st->po) : NULL;
	for (size_t i = 0; i < n; i++) {
		if (e[i].kind == EV_po_end && po != NULL)
			po->end_told = true;
		if (first_seq + i < st->next_seq)
			continue;
		if (e[i].kind == EV_lost) {
			st->lost += e[i].a;
			st->lost_records++;
		}
	}
	if (first_seq + n > st->next_seq)
		st->next_seq = first_seq + n;
	return (st->ended ? 0 : ident_stream_note(arg, st));
}

/* The journal has them all. */
static int
catch_up_definition(void *arg, const struct frame *f)
{
	(void)arg;
	(void)f;
	return (0);
}

int
ident_catch_up(struct ident *id, const struct msg_batch *batch)
{
	static const struct batch_sink sink = {
		.definition = catch_up_definition,
		.events = catch_up_events,
	};

	return (batch_decode(batch->streams, &sink, id));
}

/* What the journal has to say about a thread. */
static int
stream_retell(const struct ident *id, const struct stream *st, struct buf *out)
{
	struct counts since = {
		.records = st->next_seq - st->before.records,
		.lost = st->lost - st->before.lost,
		.lost_records = st->lost_records - st->before.lost_records,
	};
	struct msg_account m;

	ident_stream_total(st, &since, &m);
	m.known = KNOWN_BEFORE;
	if (m.next_seq > 0 && frame_append(out, MSG_account, &m) == -1)
		return (-1);
	if (!st->ended && st->lost == 0 && st->thread != 0)
		return (0);
	ident_stream_total(st, &st->unspooled, &m);
	m.known = st->ended ? !st->unknown : ident_known_so_far(id, st);
	/* its end is the last word of it: then that is in no spool either */
	if (m.known == KNOWN_END_TOLD && st->unspooled.records > 0)
		m.known = KNOWN_SO_FAR;
	return (frame_append(out, MSG_account, &m));
}

/* Writes the journal afresh from what is known now. */
int
ident_rewrite(struct ident *id)
{
	struct journal fresh = { .env = id->env };
	char path[IDENT_PATH_BYTES + 8];
	struct buf all = { 0 };
	int rc = 0;

	snprintf(path, sizeof(path), "%s.new", id->path);
	for (size_t i = 0; i < id->npos && rc == 0; i++)
		rc = buf_add(&all, id->pos[i]->defs.p, id->pos[i]->defs.n);
	for (size_t i = 0; i < id->nstreams && rc == 0; i++)
		rc = stream_retell(id, id->streams[i], &all);
	if (rc == -1)
		goto out;
	rc = -1;
	fresh.file = id->env->ops->open(id->env, path,
	    ENV_WRITE | ENV_CREATE | ENV_TRUNCATE);
	if (fresh.file == NULL || journal_append(&fresh, all.p, all.n) == -1 ||
	    id->env->ops->sync(fresh.file) == -1 ||
	    id->env->ops->rename(id->env, path, id->path) == -1)
		goto out;
	journal_close(&id->journal);
	id->journal = fresh;
	id->rewritten_bytes = fresh.bytes;
	id->unsaved.n = 0;
	fresh.file = NULL;
	rc = 0;
out:
	journal_close(&fresh);
	buf_free(&all);
	return (rc);
}

int
ident_save(struct ident *id)
{
	if (id->unsaved.n == 0)
		return (0);
	if (journal_append(&id->journal, id->unsaved.p, id->unsaved.n) == -1)
		return (-1);
	id->unsaved.n = 0;
	return (0);
}

/*
 * Counts of live threads pile up while they lose events; from time to time
 * the journal is reduced to what it says.
 */
int
ident_settle(struct ident *id)
{
	if (id->unsaved.n > 0 &&
	    id->journal.bytes > JOURNAL_BYTES + 2 * id->rewritten_bytes)
		return (ident_rewrite(id));
	return (ident_save(id));
}
