/* What reading lines and making their events share. */
#ifndef TOOLS_IMPORT_SCAN_INSIDE_H
#define TOOLS_IMPORT_SCAN_INSIDE_H

#include "tools/import/import.h"

#define TOKENS_MAX    64
#define RECORDS_MATCH 32 /* descriptions of one record */

struct token {
	const char *p;
	size_t n;
	bool number;
	int64_t i;
	int32_t nano; /* behind the point, of the same sign */
};

struct scan {
	struct import *im;
	struct lines *lines;
	const struct records *r;
	bool blank[256];
	struct token token[TOKENS_MAX];
	unsigned n;
	const char *line, *end;
	/* of the record that is looked at: head and fields */
	struct token value[2 * RECORD_FIELDS_MAX];
	const struct record *record;
	/* those that the line may be */
	const struct record *match[RECORDS_MATCH];
	unsigned matches;
	int64_t place_number, t_ns;
	uint32_t place;
};

/* Of the line that was read last: 0 if the import goes on, or -1. */
int scan_refuse(const struct scan *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* scan_event.c: an event of the record that is looked at.  -1: the end. */
int scan_act(struct scan *, const struct record_action *);
/* What was held back for a place, until then. */
int scan_flush(struct scan *, struct imported_place *, int64_t t_ns);

#endif
