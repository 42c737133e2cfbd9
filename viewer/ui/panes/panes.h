/* The panes: what prepares, draws and tells each of them. */
#ifndef VIEWER_PANES_H
#define VIEWER_PANES_H

#include "layout/time/overview.h"
#include "ui/desk/desk.h"

/* marker.c: those in sight, over the lanes and in the overview. */
void marker_draw(struct ui *, struct canvas *);
void marker_overview(struct ui *, struct canvas *);
void marker_describe(const struct ui *, FILE *);

/* note_draw.c: below the ruler, over the lanes, in the overview. */
#define NOTE_LINE_PX 14
void notes_strip(struct ui *, struct canvas *);
void notes_draw(struct ui *, struct canvas *);
void notes_overview(struct ui *, struct canvas *);
int32_t notes_px(const struct ui *); /* height of the strip; 0: no notes */

/* The strip with the whole run, as it is drawn. */
struct strip {
	struct layer layer;
	struct overview known; /* while the run grows */
	uint64_t due;          /* frame from which it may be drawn anew */
	uint64_t events;       /* that there were when it was last looked at */
	bool rested;           /* drawn when nothing came any more */
};
struct strip *strip_new(void);     /* NULL: out of memory */
void strip_free(struct strip *);   /* NULL is fine */
void strip_forget(struct strip *); /* the run is another one */

struct rect overview_window(const struct ui *);
int64_t overview_time(const struct ui *, int32_t x);
int32_t overview_x(const struct ui *, int64_t t_mon_ns);

void top_draw(struct ui *, struct canvas *);
bool overview_prepare(struct ui *); /* layers; false: was stopped */
void overview_draw(struct ui *, struct canvas *);
/* Of the ruler: at most RULER_TICKS instants, and ns between them; a count. */
#define RULER_TICKS 64
size_t timepane_ticks(const struct ui *, int64_t *t_mon_ns, int64_t *step_ns);
/* The first row in sight from row i on; ui->timepane.rows.nrows: there is none.
 */
size_t timepane_row(const struct ui *, size_t i);
bool timepane_prepare(struct ui *);
void timepane_draw(struct ui *, struct canvas *);
void timepane_hover(struct ui *); /* finds ui->mouse.hit */
bool treepane_prepare(struct ui *);
void treepane_draw(struct ui *, struct canvas *);
void treepane_hover(struct ui *); /* finds ui->mouse.task */
/*
 * views.c: where views stand.  A place is PANE_LEFT, PANE_RIGHT or PANE_DOCK;
 * the pane of a place is PANE_TIME or PANE_TREE if these stand there.
 */
enum pane view_place(const struct ui *, enum view_id);
enum view_id view_at(const struct ui *, enum pane place);
enum pane view_pane(const struct ui *, enum pane place);
enum view_id view_of_pane(const struct ui *, enum pane);
enum view_id view_focused(const struct ui *);
bool view_is_tab(const struct ui *, enum view_id);
enum view_id view_next_tab(const struct ui *);
/* In any case; or radial, process-time.  VIEWS: there is none. */
enum view_id view_named(const char *, size_t n);
void view_stand(struct ui *, enum view_id, enum pane place);
/* A picture of it alone, without what frames it.  False: it is not there. */
bool view_only(struct ui *, enum view_id);
/* Its tab comes to the front, if that takes nothing of its own from sight. */
void view_offer(struct ui *, enum view_id);
void view_scroll(struct ui *, enum view_id, int32_t rows);
void view_last_row(struct ui *, enum view_id);
/* legend.c: the panel, if the user wants it; a view's legend in words. */
void legend_draw(struct ui *, struct canvas *);
void legend_describe(struct ui *, enum view_id, FILE *);
/*
 * titles.c: what its colours mean, and four marks that end at x1: left, right,
 * alone, dock; where it stands is lit, a click puts it elsewhere.  Returns
 * where they begin.
 */
int32_t place_marks(struct ui *, struct canvas *, int32_t x1, int32_t y,
    enum view_id);
#define PLACE_MARKS_PX 94
/* In the dock it is in the line of the tabs. */
static inline bool
lanes_have_title(const struct ui *ui)
{
	return (ui->places.only != PANES || two_runs(ui) ||
		view_place(ui, VIEW_LANES) != PANE_DOCK);
}
void lanes_title(struct ui *, struct canvas *, const struct rect *);
/* Of a window of one run, not of a picture of one view. */
static inline bool
has_marks(const struct ui *ui)
{
	return (ui->places.only == PANES && !two_runs(ui));
}
/* A view in the place of the lanes or the tree: its title and itself. */
void left_draw(struct ui *, struct canvas *);
void right_draw(struct ui *, struct canvas *);
bool left_prepare(struct ui *);
bool right_prepare(struct ui *);

#define DOCK_TABS_PX 26
bool dock_prepare(struct ui *);
void dock_draw(struct ui *, struct canvas *);
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
void found_marks(struct ui *, struct canvas *); /* over the lanes */
void path_over_draw(struct ui *, struct canvas *); /* the critical path */
/* sched_draw.c: running and ready, at the lower edge of the rows of threads */
void sched_draw(struct ui *, struct canvas *);
/* sample_draw.c: where a sampler found a thread, at the upper edge */
void samples_ticks(struct ui *, struct canvas *);

#endif
