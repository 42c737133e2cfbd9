/* The panes: what prepares, draws and tells each of them. */
#ifndef VIEWER_PANES_H
#define VIEWER_PANES_H

#include "ui/desk/desk.h"

/* marker.c: those in sight, over the lanes and in the overview. */
void marker_draw(struct ui *, struct canvas *);
void marker_overview(struct ui *, struct canvas *);
void marker_describe(const struct ui *, FILE *);

struct rect overview_window(const struct ui *);
int64_t overview_time(const struct ui *, int32_t x);
int32_t overview_x(const struct ui *, int64_t t_mon_ns);

void top_draw(struct ui *, struct canvas *);
bool overview_prepare(struct ui *); /* layers; false: was stopped */
void overview_draw(struct ui *, struct canvas *);
/* Of the ruler: at most RULER_TICKS instants, and ns between them; a count. */
#define RULER_TICKS 64
size_t timepane_ticks(const struct ui *, int64_t *t_mon_ns, int64_t *step_ns);
/* The first row in sight from row i on; ui->rows.nrows: there is none. */
size_t timepane_row(const struct ui *, size_t i);
bool timepane_prepare(struct ui *);
void timepane_draw(struct ui *, struct canvas *);
void timepane_hover(struct ui *); /* finds ui->hit */
bool treepane_prepare(struct ui *);
void treepane_draw(struct ui *, struct canvas *);
void treepane_hover(struct ui *); /* finds ui->hovered_task */
void status_draw(struct ui *, struct canvas *);
void tooltip_draw(struct ui *, struct canvas *);

/* causality_draw.c: over the lanes, in their title (returns where it ends), in
 * words */
void causality_draw(struct ui *, struct canvas *);
int32_t causality_title(struct ui *, struct canvas *, int32_t x, int32_t y);
void causality_describe(const struct ui *, FILE *);
/* summary.c: where details have been given up. */
void summary_draw(struct ui *, struct canvas *);
/* The times of doubt of all nodes, on their rows. */
void health_draw(struct ui *, struct canvas *);

#endif
