/*
 * Descriptions of records: which lines a trace has, and which events they are.
 *
 *	begins keyed            a line begins with its record's number or word
 *	begins alike            all lines are records of one sort
 *	between ,;              these part fields, too
 *	first pes               the first line is none: its fields
 *	head sec usec node      fields that every record begins with
 *	time sec s usec us      when: fields with their units
 *	place node n            whose: a field, and what nodes are called
 *	call node -32768 host   what a number of a field is called
 *	record 4 send to type length
 *	    send message=put(node,to,type) size=length tag=type
 *
 * A record has a number, a word and fields: numbers, or "name$" for a word,
 * "name*" for the rest of the line.  The lines behind it that begin with a
 * blank are the events it makes: a kind, and its words by their labels.  Of
 * records with one number all that have as many fields as the line has numbers
 * make events; if none has, those with the most that it has enough for.
 *
 * A word is a number; a field; "text with {field}"; put(...), take(...): the
 * next message that is put into or taken from a channel, in order; id(...): a
 * number for these values, 0 when the last of them is 0; micro(s,us).
 * "here=id(...)" remembers place and time of an event, "at=id(...)" makes it
 * there and then (0: where the record is).  "until-next" holds an event back
 * until the place's next record.
 */
#ifndef TOOLS_IMPORT_RECORDS_H
#define TOOLS_IMPORT_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORD_FIELDS_MAX 24
#ifdef ORRERY_SMALL /* for fuzzing */
#define RECORDS_MAX 48
#define ACTIONS_MAX 96
#define CALLED_MAX  32
#else
#define RECORDS_MAX 512
#define ACTIONS_MAX 1024
#define CALLED_MAX  4096
#endif
#define EXPR_ARGUMENTS    4
#define RECORD_NAME_BYTES 32

enum field_sort {
	FIELD_number,
	FIELD_word,
	FIELD_rest
};

struct record_field {
	char name[RECORD_NAME_BYTES];
	enum field_sort sort;
};

enum expr_op {
	EXPR_none,
	EXPR_number,
	EXPR_field,
	EXPR_text,
	EXPR_put,
	EXPR_take,
	EXPR_id,
	EXPR_micro
};

struct expr {
	enum expr_op op;
	int64_t number;                /* or the channels' number */
	uint8_t field[EXPR_ARGUMENTS]; /* which, head first */
	uint8_t fields;
	char *text;
};

struct record_action {
	uint16_t kind;
	bool until_next;
	struct expr word[3], here, at;
	unsigned line;
};

struct record {
	int64_t id;
	char word[RECORD_NAME_BYTES];
	struct record_field field[RECORD_FIELDS_MAX]; /* behind the head */
	unsigned fields, numbers; /* the latter: of those that are numbers */
	unsigned first, actions;  /* of the table's actions */
};

struct record_time {
	uint8_t field;
	int64_t unit_ns;
};

struct called {
	char field[RECORD_NAME_BYTES];
	int64_t number;
	char *text;
};

struct records {
	bool keyed, begun;
	char between[8];
	struct record_field first[RECORD_FIELDS_MAX], head[RECORD_FIELDS_MAX];
	unsigned firsts, heads;
	struct record_time time[4];
	unsigned times;
	int place; /* field of the head; -1: all is of one */
	char place_name[RECORD_NAME_BYTES];
	struct record *record;
	unsigned nrecords;
	struct record_action *action;
	unsigned nactions;
	struct called *called;
	unsigned ncalled;
	char error[256]; /* what is wrong, with its line */
};

struct records *records_new(void); /* NULL: ENOMEM */
void records_free(struct records *);
/*
 * Reads a table, behind what is there.  -1: error says what is wrong (EINVAL),
 * or ENOMEM.
 */
int records_read(struct records *, const char *text, size_t n);
/* Nothing is missing.  -1: as above. */
int records_ready(struct records *);
/* What this number of a field is called; NULL. */
const char *records_called(const struct records *, const char *field,
    int64_t number);
/* ns of "s", "ms", "us", "ns"; 0: no unit. */
int64_t records_unit(const char *);

#endif
