/*
 * A document for programs: maps, lists and scalars, written as YAML or as JSON
 * by the same calls.
 *
 *	doc_begin(&d, stdout, DOC_JSON);
 *	doc_count(&d, "events", 7);
 *	doc_list(&d, "nodes", DOC_LINES);
 *	doc_text(&d, NULL, "n1");
 *	doc_end(&d);
 *	doc_finish(&d);
 *
 * It is valid whatever a text holds: control characters, also those that turn
 * the direction of writing, are escaped, and a byte that is not UTF-8 becomes
 * U+FFFD.
 */
#ifndef TOOLS_DOC_H
#define TOOLS_DOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum doc_form {
	DOC_NONE,
	DOC_YAML,
	DOC_JSON
};
enum doc_shape {
	DOC_LINES,
	DOC_ONE_LINE
}; /* an entry a line, or all in one */

#define DOC_DEPTH 24

struct doc {
	FILE *f;
	enum doc_form form;
	int depth;
	struct doc_level {
		bool list, one_line, any, after_dash;
		int indent;
	} level[DOC_DEPTH];
};

/* The document is a map, or a list, which doc_finish closes. */
void doc_begin(struct doc *, FILE *, enum doc_form);
void doc_begin_list(struct doc *, FILE *, enum doc_form);
void doc_finish(struct doc *);

/*
 * key: NULL in a list.  What is opened is closed by doc_end; within
 * DOC_ONE_LINE all is in one line.
 */
void doc_map(struct doc *, const char *key, enum doc_shape);
void doc_list(struct doc *, const char *key, enum doc_shape);
void doc_end(struct doc *);

void doc_text(struct doc *, const char *key, const char *);
void doc_bytes(struct doc *, const char *key, const void *, size_t n);
void doc_count(struct doc *, const char *key, uint64_t);
void doc_number(struct doc *, const char *key, int64_t);
/* To six figures; null if it is no number. */
void doc_real(struct doc *, const char *key, double);
void doc_bool(struct doc *, const char *key, bool);
/* A number or word as it is written already: "-1.5", "null". */
void doc_word(struct doc *, const char *key, const char *);

#endif
