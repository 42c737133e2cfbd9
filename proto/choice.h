/*
 * The choice of a run: what is recorded, where.  An ordered list of rules, each
 * of which puts classes of events in or leaves them out; the later one wins.
 *
 *	+memory			a class; "all" is every class
 *	-lock:db_*		of a class, what has such a name
 *	-db_*			of every class that has names
 *	-call:file:*.hpp	by the file that the name is of
 *
 *	cap:10000		of a function so many calls a second; further
 *				ones are counted only; cap:0 is no cap
 *
 * and with the selections of a rule only on some nodes, in some programs, for
 * some threads.  In patterns * is any text and ? any character.
 *
 * As text, a rule is a line: the words above, then, each behind a tab,
 * "program=PATTERN", "node=PATTERN", "thread=PATTERN".  Texts of one choice are
 * equal when the choices are.
 *
 * Nothing here allocates; a rule is plain data.
 */
#ifndef PROTO_CHOICE_H
#define PROTO_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"

#define CHOICE_PATTERN    120 /* bytes, with the NUL */
#define CHOICE_RULES      64  /* of a run */
/* A rule as text is shorter than this. */
#define CHOICE_LINE       640
#define CHOICE_TEXT_BYTES (CHOICE_RULES * CHOICE_LINE)

#define CHOICE_CLASSES ((UINT32_C(1) << EVENT_CLASSES) - 1)
/* Without these nothing else can be understood, nor counted. */
#define CHOICE_ALWAYS  (UINT32_C(1) << CLASS_life | UINT32_C(1) << CLASS_monitor)
/* Their events can be chosen by name. */
#define CHOICE_NAMED                                                           \
	(UINT32_C(1) << CLASS_call | UINT32_C(1) << CLASS_lock |               \
	    UINT32_C(1) << CLASS_phase | UINT32_C(1) << CLASS_note)

/* Beside classes: a cap. */
#define CHOICE_CAP     (UINT32_C(1) << 30)
#define CHOICE_CAP_MAX 1000000000u

struct choice_rule {
	uint32_t classes; /* bits of CLASS_..., or CHOICE_CAP */
	bool on;
	uint32_t cap;
	char name[CHOICE_PATTERN]; /* "": whatever its name */
	char program[CHOICE_PATTERN], node[CHOICE_PATTERN],
	    thread[CHOICE_PATTERN]; /* "": any */
};

struct choice {
	uint32_t n;
	struct choice_rule rule[CHOICE_RULES];
};

/*
 * Reads a word such as "-lock:db_*" into a rule without selections.  Returns
 * NULL, or what is wrong with it (static storage).
 */
const char *choice_word(struct choice_rule *, const char *word);
/* What is wrong with a pattern, or NULL. */
const char *choice_pattern_problem(const char *pattern);
/* The class of that name, as bits; "all" is all of them.  0: none. */
uint32_t choice_class(const char *name, size_t n);

/*
 * Adds a rule.  Those that it makes meaningless are dropped.  NULL, or why it
 * cannot be (static storage): then nothing has changed.
 */
const char *choice_add(struct choice *, const struct choice_rule *);

/* The text of all rules, one a line; returns its length.  Has room for it. */
size_t choice_print(const struct choice *, char text[CHOICE_TEXT_BYTES]);
/*
 * Adds a rule as it is typed: "-lock --program=a --node=n".  NULL, or what is
 * wrong with it (static storage).
 */
const char *choice_typed(struct choice *, const char *typed);
/* Adds the rules of a text.  NULL, or what is wrong (static storage). */
const char *choice_parse(struct choice *, const char *text, size_t n);

/*
 * What monitord is asked for by words as they are typed, up to NULL: rules,
 * --program, --node, --thread with patterns, --reset, --later,
 * --for with a number of seconds after which it is as before; a pattern
 * without a sign is of the class before it.  NULL, or what is wrong (static
 * storage), and in *bad with which word; NULL: with all of them.  Not for
 * several threads.
 */
#define CHOICE_REQUEST_BYTES (CHOICE_TEXT_BYTES + 128)
#define CHOICE_FOR_MS        UINT64_C(86400000) /* at most */
const char *choice_request(char *const *words, char text[CHOICE_REQUEST_BYTES],
    size_t *n, const char **bad);

/* What a choice comes to in one process. */
struct choice_of {
	uint32_t classes; /* recorded, but for what rules say of names */
	uint32_t some;    /* not recorded, but for some names */
	uint32_t cap;     /* calls of a function in a second; 0: none */
	uint32_t n;
	struct choice_rule rule[CHOICE_RULES]; /* of names and threads */
};
/* base: the classes that are recorded without any rule. */
void choice_of(const struct choice *, uint32_t base, const char *node,
    const char *program, struct choice_of *);

/* In words, for people: "all classes but lock; not db_*".  Fits CHOICE_WORDS.
 */
#define CHOICE_WORDS 1024
void choice_words(const struct choice_of *, char text[CHOICE_WORDS]);

#endif
