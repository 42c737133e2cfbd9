/*
 * What the files of Communication ask of each other.
 *
 * The parts of Communication.
 */
#ifndef VIEWER_TALKPARTS_H
#define VIEWER_TALKPARTS_H

#include "ui/traffic/talk.h"
#include "ui/views/flows.h"

/* talkflow.c: over time */
void traffic_draw(struct ui *, struct canvas *, const struct rect *);
void queues_draw(struct ui *, struct canvas *, const struct rect *);
void flow_describe(struct ui *, FILE *);
/* talknow.c: at the instant that all views are of */
void now_draw(struct ui *, struct canvas *, const struct rect *);
void now_describe(struct ui *, FILE *);

#endif
