/* The views as pictures of lines and in words. */
#ifndef VIEWER_OUT_H
#define VIEWER_OUT_H

#include "ui/desk/desk.h"

/*
 * svg.c: the lanes, the tree, or "all" of them, as they were drawn last.  -1:
 * errno says why not; ENOTSUP: nothing of lines is in sight.
 */
int svg_write(struct ui *, const char *path, const char *view);
int svg_print(struct ui *, FILE *, const char *view);

/*
 * listfile.c: what begins on the selected row in the panels' range, a line each
 * with tabs between, at most LIST_WRITES.  A short one is written when it
 * returns; of a long one the rest follows by list_go_on(), of the row and range
 * that were meant, and ui->told.goes_on says how far it is.  -1: what is wrong
 * is said.
 */
#define LIST_WRITES 1000000
int list_write(struct ui *, const char *path);
/* Some ms of it, until somebody waits for a frame; false: there is none. */
bool list_go_on(struct ui *);
bool list_goes_on(const struct ui *);
/* It is not written, and what was by that name stays.  -1: there is none. */
int list_stop(struct ui *);

/*
 * tablefile.c: what the tables of a view say, of the panels' range, a line each
 * row.  -1: what is wrong is said.
 */
int table_write(struct ui *, enum view_id, const char *path);

/* The same view in words; its figures, and which of them are to be exact. */
void ui_describe(struct ui *, FILE *);
void ui_describe_ready(struct ui *);

#endif
