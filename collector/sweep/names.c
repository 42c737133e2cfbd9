/*
 * The names of a PO.
 *
 * They are read in the order in which the program has interned them; a name's
 * number is its ordinal.  Their bytes are copied, then checked.  When the
 * row of names makes no sense any more the rest of it is given up: events
 * then have the name 0.
 */
#include <stdlib.h>
#include <string.h>

#include "collector/ident/text.h"
#include "drain_in.h"
#include "log.h"

#define NAME_HEAD   sizeof(struct ring_name)
#define NAMES_BYTES (512u << 10)

/* Copies and tells the name at dp->names_at.  0: told, 1: bad, -1: ENOMEM. */
static int
name_read(struct drain_po *dp, uint64_t used)
{
	const struct segment_layout *l = &dp->source.layout;
	const char *base = (const char *)dp->source.seg + l->names_offset;
	struct ring_name head;
	struct msg_name m;
	size_t n;
	char *text;
	int rc;

	if (used - dp->names_at < NAME_HEAD)
		return (1);
	memcpy(&head, base + dp->names_at, NAME_HEAD);
	n = (size_t)head.text_bytes + head.file_bytes;
	if (used - dp->names_at - NAME_HEAD < n || head.text_bytes == 0)
		return (1);
	text = malloc(n);
	if (text == NULL)
		return (-1);
	memcpy(text, base + dp->names_at + NAME_HEAD, n);
	text_clean(text, head.text_bytes);
	text_clean(text + head.text_bytes, head.file_bytes);
	m = (struct msg_name){
		.name = dp->po->names + 1,
		.po = dp->po->number,
		.text = { text, head.text_bytes },
		.file = { text + head.text_bytes, head.file_bytes },
		.line = head.line,
	};
	/* told twice is no harm, not told is */
	rc = batch_add_definition(dp->d->writer, MSG_name, &m);
	if (rc == 0)
		rc = ident_name_new(dp->d->ident, dp->po, &m);
	free(text);
	if (rc == -1)
		return (-1);
	dp->names_at += (NAME_HEAD + n + 3) & ~(size_t)3;
	return (rc);
}

/* Passes over names that a process before this one has told. */
void
drain_names_skip(struct drain_po *dp)
{
	const char *base =
	    (const char *)dp->source.seg + dp->source.layout.names_offset;
	struct ring_name head;

	for (uint32_t i = dp->po->inherited; i < dp->po->names; i++) {
		if (dp->source.layout.names_bytes - dp->names_at < NAME_HEAD) {
			dp->names_bad = true;
			return;
		}
		memcpy(&head, base + dp->names_at, NAME_HEAD);
		dp->names_at +=
		    (NAME_HEAD + head.text_bytes + head.file_bytes + 3) &
		    ~(size_t)3;
		if (dp->names_at > dp->source.layout.names_bytes) {
			dp->names_bad = true;
			return;
		}
	}
}

void
drain_names_of(struct drain *d, uint32_t po)
{
	for (size_t i = 0; i < d->npos; i++) {
		if (d->pos[i]->po->number != po)
			continue;
		d->names_taken = 0;
		(void)drain_names(d->pos[i]); /* what fails is tried again */
		return;
	}
}

/* Its events go on, but nobody will know what some of them are about. */
static void
names_full(struct drain_po *dp)
{
	if (atomic_load_explicit(&dp->source.seg->names_missed,
		memory_order_relaxed) == 0)
		return;
	dp->names_full = true;
	log_warnx("po %u (%s): it has more names than there is room for; what "
		  "it calls by one of the others has none",
	    dp->po->number, dp->po->program);
}

/*
 * A program may come with a million names, and others are waiting: no more than
 * NAMES_BYTES of them are read in one take, and its events wait for the rest.
 */
int
drain_names(struct drain_po *dp)
{
	struct drain *d = dp->d;
	uint64_t used = atomic_load_explicit(&dp->source.seg->names_used,
	    memory_order_acquire);
	uint64_t from;
	int rc;

	if (!dp->names_full)
		names_full(dp);
	dp->names_behind = false;
	if (dp->names_bad || used <= dp->names_at)
		return (0);
	if (used > dp->source.layout.names_bytes)
		used = dp->source.layout.names_bytes;
	while (dp->names_at < used) {
		if (d->names_taken >= NAMES_BYTES) {
			dp->names_behind = d->unready = true;
			return (1);
		}
		from = dp->names_at;
		if (drain_room(d) == -1 || (rc = name_read(dp, used)) == -1)
			return (-1);
		d->names_taken += dp->names_at - from;
		if (rc == 1) {
			log_warnx("po %u: its names make no sense beyond %u",
			    dp->po->number, dp->po->names);
			dp->names_bad = true;
			break;
		}
	}
	return (0);
}
