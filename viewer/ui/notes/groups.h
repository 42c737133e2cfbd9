/*
 * Rows that the user has put together, and names that he has given: kept in the
 * file of notes (notefile.h), as struct hand of the model.
 *
 * UI thread only.
 */
#ifndef VIEWER_GROUPS_H
#define VIEWER_GROUPS_H

#include "model/run/hand.h"
#include "ui/notes/notes.h"

/* Each refresh: rows and model know of groups and names, new objects too. */
void groups_arrive(struct ui *);
/* The model, which stays, does not know them any more. */
void groups_leave(struct ui *);
/* The model is another one than before. */
void groups_forget(struct ui *);
/* May a row be in a group?  NULL: yes; else what is wrong. */
const char *groups_refuse(const struct model *, uint32_t lane);
/* "": it may be a name, of a group or not; else what is wrong. */
const char *groups_wrong_name(const char *name, bool group);

/* These are written down at once; -1: it is said. */
int groups_put(struct ui *, const uint32_t *lane, uint32_t n, const char *name);
int groups_take(struct ui *, uint32_t lane); /* out of its group */
int groups_dissolve(struct ui *, uint32_t group);
/* "" is the recorded name; a group has to have one. */
int groups_call_row(struct ui *, uint32_t lane, const char *name);
/* name: the number of one; of all that are called as it is. */
int groups_call_function(struct ui *, uint32_t name, const char *text);
void groups_fold(struct ui *, struct hand_group *, unsigned flag); /* or not */
/* A line each, of groups, classes and names. */
void groups_describe(struct ui *, FILE *);

/* The file. */
int groups_parse(struct hand *, const char *line, const char **why);
void groups_write(FILE *, const struct hand *);
/* "3,5:8" at *at: calls back for each.  -1: that it is not. */
int groups_rows(const char *word, void (*cb)(void *, uint32_t), void *arg);

#endif
