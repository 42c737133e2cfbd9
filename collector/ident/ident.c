/*
 * The registry of a node: tables of POs and streams, in memory.  What of it
 * must outlive the collector is collected in `unsaved`, as frames, and written
 * by ident_journal.c.
 */
#include "ident.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ident_inside.h"
#include "text.h"

/* Of children of children: beyond, names are told again. */
#define DEPTH_MAX 16

static const struct counts none;

static unsigned
hash_of(uint32_t po, uint32_t thread)
{
	return ((po * 2654435761u ^ thread * 2246822519u) >> 16 &
		(IDENT_HASH_SIZE - 1));
}

void
ident_hash_enter(struct ident *id, struct stream *st)
{
	unsigned h = hash_of(st->po, st->thread);

	st->chain = id->hash[h];
	id->hash[h] = st;
}

/* Room for one more in an array of n pointers that doubles; NULL: ENOMEM. */
static void *
grow(void *array, size_t n)
{
	if (n != 0 && (n & (n - 1)) != 0)
		return (array);
	return (realloc(array, (n == 0 ? 1 : 2 * n) * sizeof(void *)));
}

struct po *
ident_po_enter(struct ident *id, const struct msg_po *m)
{
	struct po *po, **pos;
	const struct po *from;

	/* the number behind the very last one would be 0, which is nobody */
	if (m->po > PO_LAST) {
		errno = EINVAL;
		return (NULL);
	}
	pos = grow(id->pos, id->npos);
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
	po->names = po->inherited = m->names;
	from = ident_po(id, m->names_po);
	if (from != NULL && from->depth < DEPTH_MAX) {
		po->names_po = m->names_po;
		po->depth = from->depth + 1;
	}
	text_copy(po->program, sizeof(po->program), m->program.p, m->program.n);
	text_copy(po->command, sizeof(po->command), m->command.p, m->command.n);
	id->pos[id->npos++] = po;
	if (m->po >= id->next_po)
		id->next_po = m->po + 1;
	return (po);
}

struct stream *
ident_stream_enter(struct ident *id, struct po *po, const struct msg_thread *m)
{
	struct stream *st, **streams = grow(id->streams, id->nstreams);

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
	ident_hash_enter(id, st);
	id->streams[id->nstreams++] = st;
	if (m->location >= id->next_stream)
		id->next_stream = m->location + 1;
	if (m->thread == 0)
		po->about = st;
	return (st);
}

void
ident_name_enter(struct po *po, const struct msg_name *m)
{
	if (m->name < IDENT_NAME_PROGRAM && m->name > po->names)
		po->names = m->name;
	if (m->name >= IDENT_NAME_CODE &&
	    m->name - IDENT_NAME_CODE >= po->places)
		po->places = m->name - IDENT_NAME_CODE + 1;
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
	struct po *po = ident_po_enter(id, m);

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
	st = ident_stream_enter(id, po, &m);
	if (st == NULL || keep(id, po, MSG_thread, &m) == 0)
		return (st);
	/* as if it had never been, so that it can be made again */
	id->hash[hash_of(m.po, m.thread)] = st->chain;
	id->nstreams--;
	id->next_stream--;
	if (po->about == st)
		po->about = NULL;
	free(st);
	return (NULL);
}

int
ident_name_new(struct ident *id, struct po *po, const struct msg_name *m)
{
	if (keep(id, po, MSG_name, m) == -1)
		return (-1);
	ident_name_enter(po, m);
	return (0);
}

int
ident_code_new(struct ident *id, struct po *po, enum msg_type type,
    const void *msg)
{
	return (keep(id, po, type, msg));
}

int
ident_ended_enter(struct ident *id, struct stream *st)
{
	struct stream **ended = grow(id->ended, id->nended);

	if (ended == NULL)
		return (-1);
	id->ended = ended;
	id->ended[id->nended++] = st;
	return (0);
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
	if (next_po > id->next_po && next_po <= PO_LAST)
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

uint32_t
ident_inherited(const struct ident *id, uint32_t number, int64_t t_node_ns,
    uint32_t names)
{
	const struct po *po = ident_po(id, number);

	if (po == NULL || po->t_node_ns != t_node_ns || po->depth >= DEPTH_MAX)
		return (0);
	return (names < po->names ? names : po->names);
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
		struct msg_account m;

		stream_account(id->streams[i], &m);
		*published += m.published;
		*lost += m.lost;
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
	uint64_t lost = st->lost - st->before.lost;

	*m = (struct msg_account){
		.po = st->po,
		.thread = st->thread,
		.lost = lost,
		.next_seq = st->next_seq,
		.known = !st->unknown,
	};
	if (st->next_seq > st->before.records)
		m->published = stream_published(st) -
			       (st->before.lost - st->before.lost_records);
}

void
ident_stream_total(const struct stream *st, const struct counts *less,
    struct msg_account *m)
{
	*m = (struct msg_account){
		.po = st->po,
		.thread = st->thread,
		.lost = st->lost - less->lost,
		.next_seq = st->next_seq - less->records,
	};
	m->published =
	    m->next_seq + m->lost - (st->lost_records - less->lost_records);
}

int
ident_stream_end(struct ident *id, struct stream *st, bool known)
{
	struct msg_account m;

	st->unknown = !known;
	ident_stream_total(st, &none, &m);
	m.known = known;
	if (frame_append(&id->unsaved, MSG_account, &m) == -1 ||
	    ident_ended_enter(id, st) == -1)
		return (-1);
	st->ended = true;
	return (0);
}

uint8_t
ident_known_so_far(const struct ident *id, const struct stream *st)
{
	const struct po *po = st->thread == 0 ? ident_po(id, st->po) : NULL;

	return (po != NULL && po->end_told ? KNOWN_END_TOLD : KNOWN_SO_FAR);
}

int
ident_stream_note(struct ident *id, struct stream *st)
{
	struct msg_account m;

	ident_stream_total(st, &none, &m);
	m.known = ident_known_so_far(id, st);
	if (frame_append(&id->unsaved, MSG_account, &m) == -1)
		return (-1); /* it is tried again */
	st->journaled_lost = st->lost;
	st->journaled_seq = st->next_seq;
	return (0);
}

void
ident_po_end(struct ident *id, struct po *po)
{
	(void)id;
	po->ended = true;
}

void
ident_po_unknown(struct ident *id, const struct po *po, bool unknown)
{
	for (size_t i = 0; i < id->nstreams; i++) {
		struct stream *st = id->streams[i];

		if (st->po == po->number && !st->ended && st != po->about)
			st->unknown = unknown;
	}
}
