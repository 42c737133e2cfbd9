/*
 * What is on its way over time (ui/traffic/flow.h), added up for the views that
 * show it, of the range that their figures are of.
 */
#ifndef VIEWER_FLOWS_H
#define VIEWER_FLOWS_H

#include "ui/desk/ui.h"
#include "ui/traffic/flow.h"

bool flow_prepare(struct ui *); /* false: it was stopped */
/* Plain data; without figures while the first are added up. */
const struct flow *flow_shown(const struct ui *);
bool flow_busy(const struct ui *);    /* others are being added up */
bool flow_current(const struct ui *); /* they are of what is wanted now */
/* Messages and calls whose effect has not come; false: not all of the run has
 * been looked at for them. */
bool flow_find_open(struct ui *);
struct open_links *flow_open(struct ui *);
void flow_forget_open(struct ui *); /* the run is another one */

#endif
