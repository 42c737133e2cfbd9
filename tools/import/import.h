/*
 * Traces of others, made into a log of ours.  A format is a row in
 * importers.c: how its lines look, and in most cases a table of record
 * descriptions (records.h), which anybody can extend by a file.
 */
#ifndef TOOLS_IMPORT_IMPORT_H
#define TOOLS_IMPORT_IMPORT_H

#include <stdbool.h>

#include "tools/import/imported.h"
#include "tools/import/lines.h"
#include "tools/import/records.h"

struct import {
	struct imported *made;
	struct records *records;
	bool keep;               /* goes on after what is wrong */
	const char *unit;        /* of a time that has only one field; NULL */
	uint64_t taken, refused; /* records */
	/*
	 * What is wrong with a line, in words that begin with "line 7: "; the
	 * first ones, and how many there are is in refused.
	 */
	void (*complain)(void *arg, const char *text);
	void *arg;
};

struct importer {
	const char *name, *what;
	/* Whether a file begins so; the second line may be "". */
	bool (*looks)(const char *first, const char *second);
	const char *records; /* the table that it begins with */
	/*
	 * Reads all.  0, or -1: it has complained and does not go on, or with
	 * errno ENOMEM.
	 */
	int (*read)(struct import *, struct lines *);
};

const struct importer *importer_at(size_t); /* NULL behind the last */
const struct importer *importer_named(const char *);
/* NULL: it looks like none of them. */
const struct importer *importer_for(struct lines *);

/* The reader of what has a table.  As in struct importer. */
int scan_lines(struct import *, struct lines *);
/* Says so, and counts it.  -1 with EINVAL, or 0 if it is to go on. */
int import_refuse(struct import *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

extern const char records_picl[], records_vista[];

#endif
