/*
 * Images of a recording disk: all operations are done again, but for those, or
 * parts of those, that a crash has swallowed.
 */
#include "tests/sim/crash_inside.h"

#include <string.h>

#define SECTOR 512u

static bool
is_change(const struct op *op)
{
	return (op->kind != OP_SYNC && op->kind != OP_SYNC_DIR);
}

static bool
is_open(const struct op *op, size_t at)
{
	return (is_change(op) && op->lasts >= at);
}

size_t
crash_disk_open(const struct crash_disk *d, size_t at)
{
	size_t n = 0;

	for (size_t i = 0; i < at; i++)
		n += is_open(&d->ops[i], at);
	return (n);
}

static void
redo(struct crash_disk *d, const struct op *op, size_t n)
{
	switch (op->kind) {
	case OP_WRITE:
		if (n > 0)
			crash_file_write(&d->files[op->file], op->data, n,
			    op->offset);
		break;
	case OP_TRUNCATE:
		crash_file_truncate(&d->files[op->file], op->offset);
		break;
	case OP_LINK:
		crash_name_set(d, op->path, op->file);
		if (op->from != NULL)
			crash_name_remove(d, op->from);
		break;
	case OP_UNLINK:
		crash_name_remove(d, op->path);
		break;
	default:
		break;
	}
}

/* Any part of it, or none. */
static void
redo_somehow(struct crash_disk *d, const struct op *op, struct chance *c)
{
	unsigned how = (unsigned)chance_below(c, op->kind == OP_WRITE ? 7 : 2);

	switch (how) {
	case 0:
		return;
	case 1:
	case 2:
		redo(d, op, op->n);
		return;
	case 3: /* up to a sector */
		redo(d, op,
		    (size_t)chance_below(c, op->n / SECTOR + 1) * SECTOR);
		return;
	case 4: /* up to a byte */
		redo(d, op, (size_t)chance_below(c, op->n + 1));
		return;
	case 5: /* it has grown, and that is all */
		if (d->files[op->file].n < op->offset + op->n)
			crash_file_write(&d->files[op->file], NULL, op->n,
			    op->offset);
		return;
	default: /* some of its sectors */
		for (size_t at = 0; at < op->n; at += SECTOR) {
			size_t n = op->n - at < SECTOR ? op->n - at : SECTOR;

			if (chance_is(c, 0.5))
				crash_file_write(&d->files[op->file],
				    op->data + at, n, op->offset + at);
		}
	}
}

struct crash_disk *
crash_disk_image(const struct crash_disk *from, const struct crash *crash,
    struct chance *c)
{
	struct crash_disk *d = crash_disk_new(chance_next(c));
	size_t open = 0;

	for (size_t i = 0; i < from->nfiles; i++)
		crash_file_new(d);
	for (size_t i = 0; i < crash->at; i++) {
		const struct op *op = &from->ops[i];
		size_t n = op->n;

		if (!is_change(op))
			continue;
		if (crash->kind == CRASH_KILL) {
			if (i + 1 == crash->at && op->kind == OP_WRITE)
				n -= crash->tear % (n + 1);
			redo(d, op, n);
		} else if (!is_open(op, crash->at)) {
			redo(d, op, n);
		} else if (crash->kind == CRASH_RANDOM) {
			redo_somehow(d, op, c);
		} else {
			if (open < crash->keep)
				redo(d, op, n);
			else if (open == crash->keep && op->kind == OP_WRITE &&
				 crash->tear * SECTOR < n)
				redo(d, op, crash->tear * SECTOR);
			open++;
		}
	}
	return (d);
}

size_t
crash_disk_settle(struct crash_disk *d)
{
	for (size_t i = 0; i < d->nfiles; i++) {
		struct op *op = crash_op_add(d, OP_WRITE, i);

		op->n = d->files[i].n;
		op->data = need(malloc(op->n + 1));
		if (op->n > 0)
			memcpy(op->data, d->files[i].p, op->n);
		op->lasts = 0;
	}
	for (size_t i = 0; i < d->nnames; i++) {
		struct op *op = crash_op_add(d, OP_LINK, d->names[i].file);

		op->path = need(strdup(d->names[i].path));
		op->lasts = 0;
	}
	return (d->nops);
}
