/*
 * The picture in the window: is it right, and what is the frame for that is
 * being drawn?
 *
 *	         changed             awaited
 *	RIGHT -----------> CHANGED -----------> AWAITED
 *	  |                 |   ^                  |
 *	  |                 |   | stopped, or      |
 *	  |     begin       |   | end with a       | begin
 *	  '---------------> |   | part undone      |
 *	                    v   |                  v
 *	                  FULL, ANSWER or HASTY <--'
 *	                        |
 *	                        '--- end ---> RIGHT
 *
 * What changes while a frame is being drawn is in that frame: "changed" does
 * nothing then.  Which of the three kinds of frames it is, is said by
 * picture_kind().
 *
 * Two facts are independent of the state and of each other, and so are flags.
 */
#ifndef VIEWER_PICTURE_H
#define VIEWER_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

enum picture_state {
	PICTURE_RIGHT,   /* nothing is to be drawn */
	PICTURE_CHANGED, /* a frame is due, when its time comes */
	PICTURE_AWAITED, /* the same, and the user waits for it */
	/* a frame is being drawn */
	PICTURE_FULL,   /* for the run's sake: the user may stop it */
	PICTURE_ANSWER, /* answers the user, with all that has come since */
	PICTURE_HASTY,  /* answers the user at once: what only new events have
			 * changed may stay as it is; it is never stopped */
	PICTURE_STATES
};

struct picture {
	enum picture_state state;
	/* Something was left for a later frame; any kind of frame may do so,
	 * in any of its parts. */
	bool undone;
	/* The server has forgotten what it showed: the next frame is put there
	 * as a whole, whatever it was drawn for. */
	bool lost;
	uint64_t frame; /* how many were drawn */
	int64_t cpu_ns; /* of a processor: what the loop took for them so far */
	int64_t most_ns; /* the same, for one of them, since it was last told */
	int64_t from_ns; /* the same clock, when this frame was begun */
	int64_t now_ns; /* by a steady clock; 0: pictures do not depend on it */
	/* Between the parts of a frame that may be given up: must it? */
	bool (*stop_cb)(void *);
	void *stop_arg;
	/* Has this frame taken so long that what can be left for the next one
	 * is to be?  Asked with stop_arg; NULL: never. */
	bool (*late_cb)(void *);
};

void picture_changed(struct picture *);
/* The user has done something: what has changed since, he waits for. */
void picture_awaited(struct picture *);
void picture_lost(struct picture *);
/*
 * What a frame is drawn for now; going_on: a key is held, so that the user
 * waits for it; whole: it must have all that has come.
 */
enum picture_state picture_kind(const struct picture *, bool going_on,
    bool whole);
void picture_begin(struct picture *, enum picture_state kind);
void picture_stopped(struct picture *); /* the frame was given up */
void picture_end(struct picture *);

bool picture_due(const struct picture *);
bool picture_drawn(const struct picture *); /* it is being drawn */
/* This frame answers the user. */
bool picture_answers(const struct picture *);
/* The user waits, and only what he has changed must be drawn. */
bool picture_hasty(const struct picture *);

#endif
