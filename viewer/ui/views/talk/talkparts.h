/* The parts of Communication. */
#ifndef VIEWER_TALKPARTS_H
#define VIEWER_TALKPARTS_H

#include "ui/traffic/openlinks.h"
#include "ui/traffic/talk.h"

/* talkflow.c: over time */
bool flow_prepare(struct ui *);
void traffic_draw(struct ui *, struct canvas *, const struct rect *);
void queues_draw(struct ui *, struct canvas *, const struct rect *);
/* Messages and calls whose effect has not come; false: not all of the run has
 * been looked at for them. */
bool flow_find_open(struct ui *);
struct open_links *flow_open(struct ui *);
void flow_describe(struct ui *, FILE *);
/* talknow.c: at the instant that all views are of */
void now_draw(struct ui *, struct canvas *, const struct rect *);
void now_describe(struct ui *, FILE *);

#endif
