/*
 * What is worth a look in the panels' range: a few rules, each with a bound
 * below which it says nothing.  UI thread only.
 */
#ifndef VIEWER_GUIDE_H
#define VIEWER_GUIDE_H

#include "ui/desk/desk.h"

#define GUIDE_PX 16 /* height of a line */

bool guide_prepare(struct ui *);
/* Lines that it has, with the title. */
int32_t guide_lines(const struct ui *);
void guide_draw(struct ui *, struct canvas *, const struct rect *);
void guide_describe(struct ui *, FILE *);

#endif
