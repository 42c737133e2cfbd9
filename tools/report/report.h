/* What the ways to print a report share. */
#ifndef TOOLS_REPORT_H
#define TOOLS_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/doc/doc.h"
#include "tools/tally/tally.h"

struct report {
	const struct tally *tally;
	const struct defs *defs;
	const struct msg_run *run;
	bool finished;
	struct msg_receipt receipt; /* if finished */
	uint64_t damaged_bytes;
};

void report_text(FILE *, const struct report *);
void report_doc(FILE *, const struct report *, enum doc_form);

/* Parts of these: functions, phases, locks, remote calls, memory. */
void text_code(FILE *, const struct report *);
void text_sched(FILE *, const struct report *);
void doc_sched(struct doc *, const struct report *);
void text_samples(FILE *, const struct report *);
void doc_samples(struct doc *, const struct report *);
void text_own(FILE *, const struct report *);
void doc_own(struct doc *, const struct report *);
void text_counters(FILE *, const struct report *);
void doc_counters(struct doc *, const struct report *);
void doc_code(struct doc *, const struct report *);
void text_memory(FILE *, const struct report *);
void doc_memory(struct doc *, const struct report *);
#define REPORT_ROWS_MAX 40 /* of a table on the page; the YAML has them all */
void text_more(FILE *, size_t rows); /* says how many there are beyond that */
void doc_receipt(struct doc *, const struct msg_receipt *);

/* "n1/3"; "?" for what is not defined. */
#define REPORT_NAME_BYTES  96
#define REPORT_PLACE_BYTES 256
const char *report_po(const struct report *, uint32_t po_index,
    char name[REPORT_NAME_BYTES]);
/* "n1/3.2", "monitord" */
const char *report_location(const struct report *, uint32_t location,
    char name[REPORT_NAME_BYTES]);
const char *report_node(const struct report *, uint32_t node);
/* "sort.c:17" of a name, "" when the log does not say. */
const char *report_place(const struct report *, uint32_t name,
    char text[REPORT_PLACE_BYTES]);
/* What it calls itself, otherwise what the system calls it, or "". */
const char *report_thread(const struct report *, const struct tally_thread *);

/* How many of them have begun, and of these ended; processes by what their
 * collectors said. */
struct report_lives {
	uint64_t processes, processes_ended, threads, threads_ended;
};
struct report_lives report_lives(const struct report *);
/* When its first event was, from the start of the run on. */
int64_t report_begin_ns(const struct report *, const struct tally_thread *);

#endif
