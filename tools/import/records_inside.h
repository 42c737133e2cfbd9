/* What the two halves of reading a table share. */
#ifndef TOOLS_IMPORT_RECORDS_INSIDE_H
#define TOOLS_IMPORT_RECORDS_INSIDE_H

#include "tools/import/records.h"

#define WORDS_MAX 64

/* A line of the table in words. */
struct words {
	char *word[WORDS_MAX];
	unsigned n, line;
};

/* What was found there, as it may be shown. */
struct shown {
	char text[64];
};

const char *records_shown(struct shown *, const char *word);

/* Says what is wrong with a line of the table; -1. */
int records_wrong(struct records *, unsigned line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Number of a field of the head, or of the record; -1. */
int records_field(const struct records *, const struct record *,
    const char *name);
int records_number(const char *word, int64_t *);
/* records_event.c: an event of the last record. */
int records_action(struct records *, const struct words *);
/* A copy without the quotes, if there are any; NULL: ENOMEM. */
char *records_unquoted(const char *);

#endif
