/* Inside of the loop: what its parts ask of each other. */
#ifndef VIEWER_APP_INSIDE_H
#define VIEWER_APP_INSIDE_H

#include "app/app.h"

/* app_events.c: what the user has done since, all of it. */
void app_take_events(struct app *);
/* What is selected, and what was copied, is there for other programs. */
void app_offer(struct app *);
/*
 * ui->picture->stop_cb: asked while a frame is drawn.  The mouse that just
 * moves about is no reason to give it up; keys, buttons and what is dragged
 * are.
 */
bool app_urgent_cb(void *app);

/* app_news.c: reading begins when there is a frame to be seen, or nobody. */
void app_feed_go(struct app *);
/* What the run, and the other one, have done since. */
void app_take_news(struct app *);

/* app_frame.c: what the run does has been put off for long enough. */
bool app_is_stale(const struct app *, int64_t now_ns);
/* Something is to be drawn. */
bool app_moves(const struct app *);
/* When the next frame may be drawn. */
int64_t app_frame_due(const struct app *);
/* Nobody can see the window, so nobody waits for a frame. */
bool app_asleep(const struct app *);
/*
 * Draws a frame if there is reason to and it is time.  True: the loop must go
 * on at once, a frame was drawn or given up.
 */
bool app_draw(struct app *);
bool app_late_cb(void *app); /* ui->picture->late_cb */
/* The lines about frames that have reached the screen. */
void app_tell_state(struct app *);

#endif
