/*
 * The registry of a node, and its journal.
 *
 * The journal holds the frames po, thread, name and account, in the order in
 * which they came to be.  `known` of an account is 1 or 0 as in the protocol
 * for a thread that has ended, KNOWN_SO_FAR for the counts of a live one whose
 * losses have grown (they cannot be had from anywhere else after a crash), and
 * KNOWN_BEFORE for what a live one had published when this run began.
 */
#include "ident.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "event.h"
#include "journal.h"
#include "log.h"
#include "text.h"

#define HASH_SIZE     1024u /* a power of two */
#define KNOWN_SO_FAR  2
#define KNOWN_BEFORE  3
#define PATH_BYTES    1024
#define JOURNAL_BYTES (UINT64_C(4) << 20)

struct ident {
	struct env *env;
	char path[PATH_BYTES];
	struct journal journal;
	struct buf unsaved;
	uint64_t rewritten_bytes; /* of the journal when it was last made */
	struct po **pos;
	size_t npos;
	struct stream **streams; /* in order of their numbers */
	size_t nstreams;
	struct stream **ended; /* threads, in the order of their ends */
	size_t nended;
	uint32_t next_stream, next_po;
	struct stream *hash[HASH_SIZE];
};

static unsigned
hash_of(uint32_t po, uint32_t thread)
{
	return (
	    (po * 2654435761u ^ thread * 2246822519u) >> 16 & (HASH_SIZE - 1));
}

/* Room for one more in an array of n pointers that doubles; NULL: ENOMEM. */
static void *
grow(void *array, size_t n)
{
	if (n != 0 && (n & (n - 1)) != 0)
		return (array);
	return (realloc(array, (n == 0 ? 1 : 2 * n) * sizeof(void *)));
}

static struct po *
po_enter(struct ident *id, const struct msg_po *m)
{
	struct po *po, **pos = grow(id->pos, id->npos);

	if (pos == NULL)
		return (NULL);
	id->pos = pos;
	po = calloc(1, sizeof(*po));
	if (po == NULL)
		return (NULL);
	po->number = m->po;
	po->parent = m->parent_po;
	po->pid = m->pid;
	po->t_node_ns = m->t_node_ns;
	text_copy(po->program, sizeof(po->program), m->program.p, m->program.n);
	text_copy(po->command, sizeof(po->command), m->command.p, m->command.n);
	id->pos[id->npos++] = po;
	if (m->po >= id->next_po)
		id->next_po = m->po + 1;
	return (po);
}

static struct stream *
stream_enter(struct ident *id, struct po *po, const struct msg_thread *m)
{
	struct stream *st, **streams = grow(id->streams, id->nstreams);
	unsigned h = hash_of(m->po, m->thread);

	if (streams == NULL)
		return (NULL);
	id->streams = streams;
	st = calloc(1, sizeof(*st));
	if (st == NULL)
		return (NULL);
	st->number = m->location;
	st->po = m->po;
	st->thread = m->thread;
	st->tid = m->tid;
	text_copy(st->name, sizeof(st->name), m->name.p, m->name.n);
	st->chain = id->hash[h];
	id->hash[h] = st;
	id->streams[id->nstreams++] = st;
	if (m->location >= id->next_stream)
		id->next_stream = m->location + 1;
	if (m->thread == 0)
		po->about = st;
	return (st);
}

/* Keeps the frame of a definition for new sessions and for the journal. */
static int
keep(struct ident *id, struct po *po, enum msg_type type, const void *msg)
{
	if (frame_append(&po->defs, type, msg) == -1)
		return (-1);
	return (frame_append(&id->unsaved, type, msg));
}

struct po *
ident_po_new(struct ident *id, const struct msg_po *m)
{
	struct po *po = po_enter(id, m);

	if (po == NULL || keep(id, po, MSG_po, m) == -1)
		return (NULL);
	return (po);
}

struct stream *
ident_stream_new(struct ident *id, struct po *po, uint32_t thread, uint32_t tid,
    const char *name)
{
	struct msg_thread m = {
		.location = id->next_stream,
		.po = po->number,
		.thread = thread,
		.tid = tid,
		.name = BYTES_STR(name),
	};
	struct stream *st;

	if (ident_stream(id, po->number, thread) != NULL) {
		errno = EEXIST;
		return (NULL);
	}
	st = stream_enter(id, po, &m);
	if (st == NULL || keep(id, po, MSG_thread, &m) == -1)
		return (NULL);
	return (st);
}

int
ident_name_new(struct ident *id, struct po *po, const struct msg_name *m)
{
	if (keep(id, po, MSG_name, m) == -1)
		return (-1);
	if (m->name < IDENT_NAME_PROGRAM)
		po->names++;
	return (0);
}

static int
ended_enter(struct ident *id, struct stream *st)
{
	struct stream **ended = grow(id->ended, id->nended);

	if (ended == NULL)
		return (-1);
	id->ended = ended;
	id->ended[id->nended++] = st;
	return (0);
}

static int
account_read(struct ident *id, const struct msg_account *m)
{
	struct stream *st = ident_stream(id, m->po, m->thread);
	struct po *po = ident_po(id, m->po);
	uint64_t published;

	if (st == NULL)
		return (0);
	if (m->known == KNOWN_BEFORE) {
		st->published_before = m->published;
		st->lost_before = m->lost;
		return (0);
	}
	published = m->published + st->published_before;
	st->next_seq = m->next_seq;
	st->journaled_seq = m->next_seq;
	st->lost = st->journaled_lost = m->lost + st->lost_before;
	st->lost_records = st->lost + st->next_seq - published;
	if (m->known == KNOWN_SO_FAR || st->ended)
		return (0);
	st->ended = true;
	st->unknown = m->known == 0;
	if (m->thread == 0 && po != NULL)
		po->ended = true;
	return (ended_enter(id, st));
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
	} m;
	struct po *po = NULL;

	(void)offset;
	if (f->type != MSG_po && f->type != MSG_thread && f->type != MSG_name &&
	    f->type != MSG_account)
		return (0);
	if (msg_decode(f->type, f->body, f->body_bytes, &m) == -1)
		return (0);
	switch (f->type) {
	case MSG_po:
		po = po_enter(id, &m.po);
		break;
	case MSG_thread:
		po = ident_po(id, m.thread.po);
		if (po != NULL && stream_enter(id, po, &m.thread) == NULL)
			return (-1);
		break;
	case MSG_name:
		po = ident_po(id, m.name.po);
		if (po != NULL && m.name.name < IDENT_NAME_PROGRAM)
			po->names++;
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

void
ident_free(struct ident *id)
{
	if (id == NULL)
		return;
	for (size_t i = 0; i < id->npos; i++) {
		buf_free(&id->pos[i]->defs);
		free(id->pos[i]);
	}
	for (size_t i = 0; i < id->nstreams; i++)
		free(id->streams[i]);
	free(id->pos);
	free(id->streams);
	free(id->ended);
	buf_free(&id->unsaved);
	journal_close(&id->journal);
	free(id);
}

uint32_t
ident_next_po(const struct ident *id)
{
	return (id->next_po);
}

void
ident_skip_pos(struct ident *id, uint32_t next_po)
{
	if (next_po > id->next_po)
		id->next_po = next_po;
}

/* POs are few and the last ones are asked for most. */
struct po *
ident_po(const struct ident *id, uint32_t number)
{
	for (size_t i = id->npos; i-- > 0;) {
		if (id->pos[i]->number == number)
			return (id->pos[i]);
	}
	return (NULL);
}

struct stream *
ident_stream(const struct ident *id, uint32_t po, uint32_t thread)
{
	struct stream *st;

	for (st = id->hash[hash_of(po, thread)]; st != NULL; st = st->chain) {
		if (st->po == po && st->thread == thread)
			return (st);
	}
	return (NULL);
}

/* The array is in order of numbers, with gaps where some were forgotten. */
struct stream *
ident_stream_by_number(const struct ident *id, uint32_t number)
{
	size_t low = 0, high = id->nstreams, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (id->streams[mid]->number < number)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == id->nstreams || id->streams[low]->number != number)
		return (NULL);
	return (id->streams[low]);
}

size_t
ident_pos(const struct ident *id)
{
	return (id->npos);
}

struct po *
ident_po_at(const struct ident *id, size_t i)
{
	return (id->pos[i]);
}

size_t
ident_streams(const struct ident *id)
{
	return (id->nstreams);
}

struct stream *
ident_stream_at(const struct ident *id, size_t i)
{
	return (id->streams[i]);
}

size_t
ident_ended(const struct ident *id)
{
	return (id->nended);
}

const struct stream *
ident_ended_at(const struct ident *id, size_t i)
{
	return (id->ended[i]);
}

void
ident_totals(const struct ident *id, uint64_t *published, uint64_t *lost)
{
	*published = *lost = 0;
	for (size_t i = 0; i < id->nstreams; i++) {
		const struct stream *st = id->streams[i];

		*published += stream_published(st) - st->published_before;
		*lost += st->lost - st->lost_before;
	}
}

uint64_t
stream_published(const struct stream *st)
{
	return (st->next_seq - st->lost_records + st->lost);
}

void
stream_account(const struct stream *st, struct msg_account *m)
{
	*m = (struct msg_account){
		.po = st->po,
		.thread = st->thread,
		.published = stream_published(st) - st->published_before,
		.lost = st->lost - st->lost_before,
		.next_seq = st->next_seq,
		.known = !st->unknown,
	};
}

int
ident_stream_end(struct ident *id, struct stream *st, bool known)
{
	struct msg_account m;

	if (ended_enter(id, st) == -1)
		return (-1);
	st->ended = true;
	st->unknown = !known;
	stream_account(st, &m);
	return (frame_append(&id->unsaved, MSG_account, &m));
}

int
ident_stream_note(struct ident *id, struct stream *st)
{
	struct msg_account m;

	stream_account(st, &m);
	m.known = KNOWN_SO_FAR;
	st->journaled_lost = st->lost;
	st->journaled_seq = st->next_seq;
	return (frame_append(&id->unsaved, MSG_account, &m));
}

void
ident_po_end(struct ident *id, struct po *po)
{
	(void)id;
	po->ended = true;
}

static int
catch_up_events(void *arg, uint32_t number, uint64_t first_seq,
    const struct node_event *e, size_t n)
{
	struct stream *st = ident_stream_by_number(arg, number);

	if (st == NULL || n == 0)
		return (0);
	for (size_t i = 0; i < n; i++) {
		if (e[i].kind == EV_po_end && st->thread == 0)
			ident_po(arg, st->po)->end_told = true;
		if (first_seq + i < st->next_seq)
			continue;
		if (e[i].kind == EV_lost) {
			st->lost += e[i].a;
			st->lost_records++;
		}
	}
	if (first_seq + n > st->next_seq)
		st->next_seq = first_seq + n;
	if (e[n - 1].t_node_ns > st->last_node_ns)
		st->last_node_ns = e[n - 1].t_node_ns;
	return (0);
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

/* A thread that has ended in a live PO stays: its number must stay taken. */
static bool
stream_is_old(const struct ident *id, const struct stream *st)
{
	const struct po *po = ident_po(id, st->po);

	return (po == NULL || po->ended);
}

static void
forget_streams(struct ident *id)
{
	size_t kept = 0;

	memset(id->hash, 0, sizeof(id->hash));
	id->nended = 0;
	for (size_t i = 0; i < id->nstreams; i++) {
		struct stream *st = id->streams[i];
		unsigned h = hash_of(st->po, st->thread);

		if (stream_is_old(id, st)) {
			free(st);
			continue;
		}
		st->chain = id->hash[h];
		id->hash[h] = st;
		id->streams[kept++] = st;
	}
	id->nstreams = kept;
}

static void
forget_pos(struct ident *id)
{
	size_t kept = 0;

	for (size_t i = 0; i < id->npos; i++) {
		if (id->pos[i]->ended) {
			buf_free(&id->pos[i]->defs);
			free(id->pos[i]);
		} else
			id->pos[kept++] = id->pos[i];
	}
	id->npos = kept;
}

/* What the journal has to say about a thread. */
static int
stream_retell(const struct stream *st, struct buf *out)
{
	struct msg_account m = {
		.po = st->po,
		.thread = st->thread,
		.published = st->published_before,
		.lost = st->lost_before,
		.known = KNOWN_BEFORE,
	};

	if (st->published_before > 0 &&
	    frame_append(out, MSG_account, &m) == -1)
		return (-1);
	if (!st->ended && st->lost == 0 && st->thread != 0)
		return (0);
	stream_account(st, &m);
	if (!st->ended)
		m.known = KNOWN_SO_FAR;
	return (frame_append(out, MSG_account, &m));
}

/* Writes the journal afresh from what is known now. */
static int
ident_rewrite(struct ident *id)
{
	struct journal fresh = { .env = id->env };
	char path[PATH_BYTES + 8];
	struct buf all = { 0 };
	int rc = 0;

	snprintf(path, sizeof(path), "%s.new", id->path);
	for (size_t i = 0; i < id->npos && rc == 0; i++)
		rc = buf_add(&all, id->pos[i]->defs.p, id->pos[i]->defs.n);
	for (size_t i = 0; i < id->nstreams && rc == 0; i++)
		rc = stream_retell(id->streams[i], &all);
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
ident_forget_ended(struct ident *id)
{
	struct stream *st;

	forget_streams(id);
	forget_pos(id);
	for (size_t i = 0; i < id->nstreams; i++) {
		st = id->streams[i];
		st->published_before = stream_published(st);
		st->lost_before = st->lost;
	}
	return (ident_rewrite(id));
}

/*
 * Counts of live threads pile up while they lose events; from time to time
 * the journal is reduced to what it says.
 */
int
ident_save(struct ident *id)
{
	if (id->unsaved.n == 0)
		return (0);
	if (id->journal.bytes > JOURNAL_BYTES + 2 * id->rewritten_bytes)
		return (ident_rewrite(id));
	if (journal_append(&id->journal, id->unsaved.p, id->unsaved.n) == -1)
		return (-1);
	id->unsaved.n = 0;
	return (0);
}
