/*
 * Formats that other programs read.  A format is a file in this folder and a
 * row in exporters.c.
 */
#ifndef TOOLS_EXPORT_EXPORT_H
#define TOOLS_EXPORT_EXPORT_H

#include <stdbool.h>

#include "log/tracefile.h"
#include "tools/export/out.h"

/* What is written; borrowed until the export is freed. */
struct export_of {
	const struct defs *defs; /* complete */
	const struct msg_run *run;
	const struct msg_receipt *receipt; /* NULL: it is not finished */
	int64_t from_mon_ns;               /* INT64_MIN: from the beginning */
	const bool *wanted; /* by location, up to defs_locations() */
	/*
	 * For those that write files of their own: an empty file, or an empty
	 * folder, that gets its name when all is done.
	 */
	const char *path;
};

/* What is written: to whoever reads, into a file, or into a folder. */
enum exporter_to {
	EXPORT_STREAM,
	EXPORT_FILE,
	EXPORT_FOLDER
};

struct exporter {
	const char *name, *suffix, *what;
	/*
	 * Made of spans: it is told what is before from, too, to say what is
	 * open then, and no kind can be left out.
	 */
	bool spans;
	enum exporter_to to;
	/*
	 * NULL with errno.  All that is written goes to this out; it is NULL
	 * when it goes to a path.
	 */
	void *(*begin)(const struct export_of *, struct out *);
	/* NULL, or it is told of all events beforehand.  -1 with errno. */
	int (*look)(void *, const struct event *);
	/* In order of time, of wanted locations.  -1 with errno. */
	int (*event)(void *, const struct event *);
	int (*end)(void *); /* -1 with errno */
	void (*free)(void *);
};

/* One after the other; NULL behind the last. */
const struct exporter *exporter_at(size_t);
/* NULL: no format has this name, or this end of a file's name. */
const struct exporter *exporter_named(const char *name);
const struct exporter *exporter_for(const char *path);

extern const struct exporter export_chrome, export_csv, export_ctf,
    export_folded, export_otf2, export_paje, export_speedscope, export_sqlite;

#endif
