/*
 * Commands that move about in the run: zoom and scroll, the playback, from
 * marker to marker, along messages to causes and effects.
 */
#ifndef VIEWER_MOVING_H
#define VIEWER_MOVING_H

#include "ui/desk/commandrow.h"
#include "ui/desk/desk.h"

extern const struct command command_move[]; /* where we are */
extern const struct command command_play[]; /* the playback */
extern const struct command command_marker[];
extern const struct command command_link[]; /* along messages */
extern const struct command command_causes[];

/* Kinds of step that merge in the history. */
enum {
	STEP_ZOOM = 1,
	STEP_PAN,
	STEP_TREE
};

/* The tree is the pane that zoom and the like are about. */
bool command_in_tree(const struct ui *);
int command_range(struct ui *, const char *arg);

#endif
