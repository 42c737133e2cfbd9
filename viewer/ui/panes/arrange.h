/*
 * Which places are there, and arrangements: what stands in them, by a name.
 * Some are built in, others are the user's and kept in the layout file.
 */
#ifndef VIEWER_ARRANGE_H
#define VIEWER_ARRANGE_H

#include "ui/desk/desk.h"

/* Name of the i-th pane that can be hidden, and which it is; NULL: no more. */
const char *pane_each(unsigned i, enum pane *);
/* The same by its name, or by an older one.  PANES: there is none. */
enum pane pane_named(const char *, size_t n);

/*
 * Hides these panes, bits, and shows the others; the focus goes to one that is
 * there.  -1: one of the three places stays.
 */
int places_hide(struct ui *, unsigned hidden);
/* The focused view alone, or all as before. */
int places_maximise(struct ui *);

/* The i-th arrangement's name, built-in ones first; NULL: no more. */
const char *arrange_name(const struct ui *, unsigned i);
/* Puts views and panes as it says.  -1: there is none of that name. */
int arrange(struct ui *, const char *name);
/*
 * Keeps how it is now, or with words after the name what they say; what there
 * was of that name is replaced.  -1: desk_fail() says why not.
 */
int arrange_save(struct ui *, const char *name_and_words);
int arrange_forget(struct ui *, const char *name);
/* "NAME WORDS" of the user's i-th into buf, as arrange_save() takes it. */
bool arrange_spell(const struct ui *, unsigned i, char *buf, size_t n);
/* "arrangements: NAME..." */
void arrange_describe(const struct ui *, FILE *);

#endif
