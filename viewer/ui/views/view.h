/*
 * A view: one way to look at the run.  A row of one table (ui/desk/views.def)
 * makes it a tab of the dock, lets it stand at the left, at the right and
 * alone, and has it in the menu, in the commands put and tab, in --describe.
 */
#ifndef VIEWER_VIEW_H
#define VIEWER_VIEW_H

#include "ui/desk/desk.h"
#include "ui/traffic/running.h"
#include "ui/views/legend.h"
#include "ui/views/plugged.h"

#define VIEW_DESCRIBED 1u /* it has words also when it is not in sight */
#define VIEW_SCROLLS   2u /* to its last row, which it finds itself */
#define VIEW_TABLE     4u /* what its rows say can be written (out.h) */

struct view {
	const char *name;
	const char *what; /* half a sentence */
	enum pane pane;   /* as which it is drawn; PANES: where it stands */
	bool (*there)(const struct ui *);
	bool (*prepare)(struct ui *);
	void (*draw)(struct ui *, struct canvas *, const struct rect *);
	void (*describe)(struct ui *, FILE *);
	const struct legend_row *legend;
	unsigned flags;
};
extern const struct view views[VIEWS];
#define VIEW(id, name, what, pane, there, prepare, draw, describe, legend,     \
    flags)                                                                     \
	bool there(const struct ui *);                                         \
	bool prepare(struct ui *);                                             \
	void draw(struct ui *, struct canvas *, const struct rect *);          \
	void describe(struct ui *, FILE *);                                    \
	extern const struct legend_row legend[];
#include "ui/desk/views.def"
#undef VIEW

/*
 * So many bytes that the view keeps from one frame to the next, for this run,
 * zero at first; always as many.  NULL: no memory.  What they point to is not
 * freed, so they point to nothing of their own.
 */
void *view_own(struct ui *, enum view_id, size_t n);
void view_own_free(struct ui *); /* of all: the run is another one */

/* The same as text: "label<tab>value". */
void details_text(struct ui *, FILE *);
void details_lines(struct ui *, const struct thing *, FILE *);
/*
 * By procedure, of the panels' range: at most max are written, returns how
 * many there are; what range that is into of.
 */
size_t functions_of(struct ui *, struct name_stats *, size_t max, char *of,
    size_t n);
const char *functions_about(const struct ui *); /* "~": not exact; or "" */
/* Sorts the table by a column, "": by the next one.  -1: there is none such. */
int functions_sort(struct ui *, const char *column);
/* The columns behind the first; NULL: there are no more. */
const char *functions_column(const struct ui *, unsigned i, bool *shown);
/* -1: there is none such, or it cannot be hidden. */
int functions_show_column(struct ui *, const char *column, bool shown);
#define FUNCTIONS_TOTAL 2              /* of these: at first */
unsigned functions_hidden_first(void); /* that are hidden at first, as bits */
/* stacks.c: a thread that is there at this time */
bool stacks_alive(const struct model *, uint32_t lane, int64_t t_mon_ns);
/* and, while a group is selected, one of it */
bool stacks_meant(const struct ui *, uint32_t lane, int64_t t_mon_ns);
const char *stacks_word(const struct ui *, const struct span *);

/* ns by class in the chosen range, of all threads of a node (0: of all). */
struct share {
	int64_t by_class[LANE_CLASSES];
	int64_t threads_ns; /* so long they lived in it, together */
	uint32_t threads;
	uint64_t spans;
	bool rough; /* not all of it is exact */
};
struct activity *activity_new(void);           /* NULL: out of memory */
void activity_free(struct activity *);         /* NULL is fine */
void activity_forget(struct activity *);       /* the run is another one */
const char *share_about(const struct share *); /* "~" if it is not, or "" */
int64_t share_talk_ns(const struct share *);   /* waits for messages, calls */
void activity_of(struct ui *, uint32_t node, struct share *);
/*
 * The lanes of all processes, by node and number.  The caller frees them; NULL:
 * out of memory, and *n is 0.
 */
uint32_t *activity_processes(const struct ui *, uint32_t *n);
void activity_po(struct ui *, uint32_t node, uint32_t po, struct share *);
bool activity_exact(const struct ui *); /* not only about right */
void activity_bar(struct ui *, struct canvas *, int32_t x, int32_t y, int32_t w,
    int32_t h, const struct share *);
bool activity_prepare(struct ui *); /* that much; the view's has more */
/* How many run at once (ui/traffic/running.h); without figures while the first
 * are added up. */
const struct running *activity_running(const struct ui *);
const struct running *activity_recent(const struct ui *); /* before an instant */
/* More of either; true: there is a new answer. */
bool activity_add(struct ui *, enum asked_what, const struct asked_of *);
/* So long at least one thread of a row ran; false: it is not added up. */
bool activity_ran(struct ui *, uint32_t lane, int64_t t0, int64_t t1,
    int64_t *ns);
/* Threads in each state over time; at how many of the time k of them ran. */
void count_draw(struct ui *, struct canvas *, const struct rect *);
void profile_draw(struct ui *, struct canvas *, const struct rect *);
void count_prepare(struct ui *);
void count_describe(struct ui *, FILE *);
/* Shows one state alone, or all if it is that already or "".  -1: there is no
 * such state; and their names, NULL: no more. */
int count_only(struct ui *, const char *);
const char *count_state(const struct ui *, unsigned);
/* activity/stays.c: the same of how often and how long States has columns. */
int stays_show(struct ui *, const char *);
const char *stays_state(const struct ui *, unsigned);
void radar_prepare(struct ui *);
void radar_whole(struct ui *); /* now */
void meters_draw(struct ui *, struct canvas *, const struct rect *);
void meters_describe(struct ui *, FILE *);
void speed_prepare(struct ui *);
void speed_draw(struct ui *, struct canvas *, const struct rect *);
void speed_describe(struct ui *, FILE *);
void portrait_draw(struct ui *, struct canvas *, const struct rect *);
void portrait_describe(struct ui *, FILE *);
void radar_draw(struct ui *, struct canvas *, const struct rect *);
enum activity_part {
	ACTIVITY_ALL,
	ACTIVITY_COUNT,
	ACTIVITY_BARS,
	ACTIVITY_PROFILE,
	ACTIVITY_RADAR,
	ACTIVITY_SPEED,
	ACTIVITY_METERS,
	ACTIVITY_PORTRAIT,
	ACTIVITY_PARTS
};
extern const char *const activity_part_name[ACTIVITY_PARTS];
/* talk/machine.c: the run is another one; all of it goes */
void machine_forget(struct ui *);
void machine_free(struct ui *);
/*
 * The shape by its name, "": said what it is; or places out of a file's text,
 * which is changed.  -1: it is said what is wrong.
 */
int machine_shape(struct ui *, const char *name);
int machine_layout_text(struct ui *, const char *file, char *text);
/* Selects the n-th of what is on its way, as the words have them, from 1 on. */
int machine_select(struct ui *, uint64_t n);
/* Percent, rounded. */
int share_percent(int64_t part, int64_t whole);

#endif
