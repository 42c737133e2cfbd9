/*
 * Words of a view's title line: each is a choice, a click makes it; and the
 * signs of a legend.
 */
#ifndef VIEWER_WORDS_H
#define VIEWER_WORDS_H

#include "ui/desk/ui.h"

#define WORDS_PX 18 /* height of a line */

/* Where the next word goes; a line that is full goes on below. */
struct words {
	int32_t x0, x1;      /* px, of the lines */
	int32_t x, baseline; /* of the next word */
};

void words_begin(struct words *, const struct rect *);
/* What the words that follow are about. */
void words_say(struct ui *, struct canvas *, struct words *, const char *);
/* A choice: clicked it runs a command; on: it is the present one. */
void words_choice(struct ui *, struct canvas *, struct words *, const char *,
    bool on, const char *command);
/* What comes next stays on one line, if it is no more than these two choices.
 */
void words_together(struct words *, const char *, const char *);
/* A square of a colour, and what it stands for. */
void words_sign(struct ui *, struct canvas *, struct words *, uint32_t rgb,
    bool waits, const char *);
int32_t words_end(const struct words *); /* px below them */

/* Of what time nothing is there: "so far", "in this run", "in this time". */
const char *words_when(const struct ui *);
/*
 * When there is nothing to show: why, then what records it, line by line.
 * Returns the px below.
 */
int32_t words_empty(struct ui *, struct canvas *, const struct rect *,
    const char *why, const char *how);

#endif
