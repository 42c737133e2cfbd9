/*
 * Commands of the user's own: a name for several commands, with the words that
 * are given to it in them, and keys for commands.  What runs them is in
 * ui/commands/command_macro.c.
 */
#ifndef VIEWER_MACRO_H
#define VIEWER_MACRO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct ui;

#define MACROS_MAX 32
#define MACRO_NAME 24
#define MACRO_BODY 200
#define MACRO_LINE 512 /* a command with the words in it */

struct macros {
	unsigned n, nkeys;
	unsigned deep; /* so many are being run within each other */
	unsigned ran;  /* commands of the outermost, so far */
	struct macro {
		char name[MACRO_NAME], body[MACRO_BODY];
	} of[MACROS_MAX];
	struct macro_key {
		char key[MACRO_NAME], line[MACRO_BODY];
	} key[MACROS_MAX];
};

struct macros *macros_new(void); /* NULL: out of memory */
void macros_free(struct macros *);

/*
 * Each 0, or -1 as desk_fail().  Of what is defined: "NAME COMMAND; COMMAND",
 * in which $1 to $9 are the words that are given, the last of them with all
 * that follows, $* is all of them, and $$ and \; are a $ and a semicolon.
 * Whether there are such commands is not looked at.  Of a key: "KEY COMMAND";
 * "KEY" is as before.
 */
int macro_define(struct ui *, const char *words);
int macro_forget(struct ui *, const char *name);
int macro_bind(struct ui *, const char *words);

/* NULL: there is none of this name, of n bytes. */
const struct macro *macro_find(const struct ui *, const char *name, size_t n);
/* What a key is bound to; NULL: nothing of the user's. */
const char *macro_key(const struct ui *, const char *key);
/* The i-th; false: there are no more. */
bool macro_each(const struct ui *, unsigned i, const char **name,
    const char **body);
bool macro_key_each(const struct ui *, unsigned i, const char **key,
    const char **line);
/* As the configuration file and scripts have them. */
void macro_put(const struct ui *, FILE *);

/* How many words it wants; more: it takes any number. */
unsigned macro_words(const char *body, bool *more);
/* One command of a body, without blanks around; where the next one begins. */
const char *macro_cut(const char *, const char **from, size_t *n);

/* The words that are given; the last one has all that is left. */
struct macro_given {
	unsigned n;
	struct {
		const char *p;
		size_t n;
	} word[10]; /* [0]: all */
};
void macro_give(struct macro_given *, const char *arg, unsigned want);
/* A command, of n bytes, with its words; false: it is too long. */
bool macro_fill(char line[MACRO_LINE], const char *, size_t n,
    const struct macro_given *);

#endif
