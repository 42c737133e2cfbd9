/* What all panes ask of the window: its places, its frame, the state of nodes.
 */
#ifndef VIEWER_DESK_H
#define VIEWER_DESK_H

#include "ui/desk/ui.h"

/*
 * The views are drawn again by the next frame: all of a run that stands still,
 * of one that grows what new events would change.
 */
void ui_redo(struct ui *);
/* wants.c: details of [t0, t1) should be read again; says so once. */
bool ui_wants(struct ui *, int64_t *t0_mon_ns, int64_t *t1_mon_ns);
/*
 * What is in sight is known one by one, or as well as it will ever be: it has
 * been asked for, and there is no room for it.
 */
bool ui_known(const struct ui *);
/*
 * Figures of [t0, t1) are only about right; they are drawn as such, and, when
 * the picture stands still, asked for: ui_wants_sums() says so, once.
 */
void ui_rough(struct ui *, enum sums_kind, int64_t t0_mon_ns,
    int64_t t1_mon_ns);
bool ui_wants_sums(struct ui *, enum sums_kind, int64_t *t0_mon_ns,
    int64_t *t1_mon_ns);
bool ui_settling(const struct ui *); /* they will be right soon */

/*
 * run.c: the first event, and how far the run has come.  All times that are
 * told or typed count from the origin, the run's start as monitord's log has
 * it; so do those of monitorctl.
 */
int64_t run_begin(const struct ui *);
int64_t run_origin(const struct ui *);
int64_t run_end(const struct ui *); /* so far */
/* The same with what has not been read yet, as far as that is known. */
int64_t run_far_end(const struct ui *);
/*
 * An instant in words, into buf, which is returned: from the origin, or as the
 * time of day (UTC) when that is wanted and known.
 */
int64_t run_ticks(const struct ui *); /* from which those of it count */
bool run_dated(const struct ui *);    /* it is known */
char *run_time(const struct ui *, int64_t t_mon_ns, int64_t step_ns, char *buf,
    size_t);
/* The playback's instant, or the newest event. */
int64_t run_now(const struct ui *);
/*
 * The instant that stacks and the like are of, and in words what decides it:
 * where the playback stands, else the pointer, the cursor, or the newest
 * event.
 */
int64_t run_instant(const struct ui *, const char **what);
/* As it is then: one that is not over yet has no end. */
struct span run_span_then(const struct ui *, const struct span *);

/* time.c: the range of time that is seen, and the rows */
void time_range(struct ui *, int64_t t0_mon_ns, int64_t t1_mon_ns);
/* From the origin on; before the first event: once it has come. */
void time_asked(struct ui *, int64_t t0_ns, int64_t t1_ns);
void time_zoom(struct ui *, double factor, int32_t x_px);
void time_pan(struct ui *, double share);
void time_fit(struct ui *); /* all of the run */
void time_live(struct ui *);
void time_follow(struct ui *); /* the newest event is in the last pixel */
/* Moves the range until the instant is in it. */
void time_in_sight(struct ui *, int64_t t_mon_ns);
/* The playback stands at this instant; all views show it. */
void time_head_to(struct ui *, int64_t t_mon_ns);
void time_select(struct ui *, int64_t t0, int64_t t1);
/* The selected range, else, and false, the one in sight. */
bool time_selected(const struct ui *, int64_t *t0, int64_t *t1);
/* Unfolds and scrolls until the row of this lane is in sight. */
void time_show_row(struct ui *, uint32_t lane);
int time_scroll(struct ui *, int32_t px);

/* history.c: kind: steps of one kind are one; 0: never merged */
void history_add(struct ui *, unsigned kind);
bool history_step(struct ui *, int step);

/*
 * figures.c: what all figures are of: the selected range or what is in sight,
 * as far as the run and the playback have come.  False: nothing is left of it.
 */
bool figures_range(const struct ui *, int64_t *t0, int64_t *t1);
bool figures_whole(const struct ui *); /* it is the whole run */

/* sums.c: a part of the work, then true; false: it must be gone on with. */
bool sums_prepare(struct ui *, struct sums *, uint32_t lane);
/* When nothing is to be drawn: some more of them.  False: all are done. */
bool sums_go_on(struct ui *);
bool sums_busy(const struct ui *);
/* Those of the panels' range are of the whole run; about: of a while ago. */
bool sums_of_whole(const struct ui *, bool *about);
bool sums_exact(const struct ui *); /* of functions, not only about right */
/* The same of sums of a row, also where it is the whole run. */
bool sums_exact_of(const struct ui *, const struct sums *, uint32_t lane);
void sums_clear(struct sums *);

/* causality.c: what may have caused what, and what it may have affected */
/* How what is in [t0, t1] of a lane stands to it; "": nothing is asked. */
const char *causality_word(const struct ui *, uint32_t lane, int64_t t0,
    int64_t t1);
/* In each frame: when the run has grown, it is asked again before long. */
void causality_refresh(struct ui *);
bool causality_go_on(struct ui *); /* as sums_go_on() */
bool causality_busy(const struct ui *);
void causality_clear(struct ui *);
/* The thread of a row; UINT32_MAX: it stands for none, or for several. */
uint32_t causality_thread(const struct ui *, uint32_t lane);
/* What may have caused what is at t on this thread's lane.  -1: it is said. */
int causality_ask(struct ui *, uint32_t lane, int64_t t_mon_ns);

/* kinds.c: the tree that was made, when it is not that of tasks, goes. */
void grown_clear(struct ui *);
/* kinds.c: what the tree is made of; its numbers are those of this model. */
const struct model *tree_model(const struct ui *);
/* NULL for the tree of tasks, which has none. */
const struct grown_node *tree_node(const struct ui *, uint32_t number);
uint32_t tree_selected(const struct ui *); /* number or TASK_NONE */
void tree_select(struct ui *, uint32_t number);
void tree_show(struct ui *, enum tree_of);
void tree_choose(struct ui *); /* before each frame */
void tree_order(struct ui *);  /* the same */
/* Of the log's trees of several tasks, which is shown, from 1 on; 0: all, or
 * another one.  How many there are. */
uint32_t tree_number(struct ui *, uint32_t *trees);
void tree_zoom(struct ui *, double factor, int32_t x, int32_t y);
void select_task(struct ui *, uint32_t task);           /* in all views */
const char *tree_unit(const struct ui *, bool several); /* "task" */
/*
 * A task of the run as it is at the instant of the playback; suspended_ns is
 * -1 if nobody knows it of then.
 */
void tree_task_then(const struct ui *, const struct model *, uint32_t number,
    struct task *);
/* How long such a task was suspended until its end, or until now; or -1. */
int64_t task_suspended_until(const struct task *, int64_t end_mon_ns);
/* What a colour of "PE" stands for. */
char *tree_colour_label(const struct ui *, uint32_t pe, char *buf, size_t);

/* Of the run: its name, else its file. */
const char *ui_run_name(const struct ui *);

/* label.c: names of things, as they are shown; "?" when not defined */
const char *label_name(const struct model *, uint32_t name);
/* With its place if others are called so; in buf, or where the name is. */
const char *label_name_own(const struct model *, uint32_t name, char *buf,
    size_t n);
const char *label_kind(uint8_t kind); /* enum event_span, in a word */
/* The same, "request (task)" if there are phases or calls of that name, too. */
const char *label_function(const struct model *, uint32_t name, uint8_t kind,
    char *buf, size_t n);
const char *label_node(const struct model *, uint32_t node);
const char *label_program(const struct model *, uint32_t node, uint32_t po);
/* into buf, which is returned */
char *label_lane(const struct model *, const struct lane *, char *buf, size_t);
/* Of a row: of a process of one thread what that is called, too. */
char *label_row(const struct model *, const struct lane *, char *buf, size_t);
uint32_t label_lane_rgb(const struct ui *, const struct lane *);
/*
 * With what it belongs to: "worker-03, web PO 1, node n1"; of an object where
 * it is at t, "drone 3, on n2"; INT64_MIN: that is of no matter.
 */
char *label_where(const struct ui *, uint32_t lane, int64_t t_mon_ns, char *buf,
    size_t);
char *label_task(const struct model *, const struct task *, char *buf, size_t);
char *label_fate(const struct task *, char *buf, size_t);
const char *label_class(unsigned class); /* "waits for a lock" */
const char *label_sched(unsigned state); /* enum sched_state: "ready" */
/* The same, of a span: locks are held, who waits for work is idle. */
const char *label_state(const struct span *);
char *label_tag(uint32_t tag, char *buf, size_t n); /* of a link */
/* A mark's title; what it means, in a sentence or two, into buf. */
const char *label_mark(const struct model *, const struct mark *, char *buf,
    size_t);
/* One sentence about what is under the mouse; "" for nothing. */
char *label_hit(const struct ui *, char *buf, size_t);

/*
 * locks.c: a lock at an instant, or a condition, semaphore, barrier or
 * collective.  Of a span of its lane or of a thread that waits for it; or of
 * its lane, s is NULL.  False: none is meant.
 */
#define LOCK_WAITERS 8 /* that are named */
struct lock_then {
	bool held; /* it is a lock; of others only the waiters are known */
	uint32_t lock, holder; /* lanes; holder UINT32_MAX: nobody */
	int64_t since_mon_ns;
	bool untold; /* nobody, as far as is told: records are missing, or none
		      * are made of locks; since since_mon_ns */
	uint32_t in; /* name of the innermost call in which it was taken; 0 */
	uint32_t waiter[LOCK_WAITERS], nwaiters; /* lanes; so many there are */
	/* who holds it, the longest first: that is holder */
	uint32_t holds[LOCK_WAITERS], nholders;
};
struct lock_holder {
	uint32_t lane;
	int64_t since_mon_ns;
};
/* Who holds that lock at t, the longest first; how many there are. */
size_t lock_holders(const struct model *, uint32_t lock, int64_t t_mon_ns,
    struct lock_holder *, size_t max);
bool lock_then(const struct ui *, uint32_t lane, const struct span *,
    int64_t t_mon_ns, struct lock_then *);
/*
 * Of many of them at one instant: which threads wait, in order of what they
 * wait for.  All threads are asked once.  To be freed; NULL: none waits.
 */
struct lock_wait {
	uint32_t lock, lane;
};
struct lock_wait *lock_waits(const struct model *, int64_t t_mon_ns, size_t *n);
/* As lock_then() of the lane of a lock and the like, with those. */
bool lock_now(const struct ui *, uint32_t lane, int64_t t_mon_ns,
    const struct lock_wait *, size_t n, struct lock_then *);
/* Line i from 0 on: returns its title, the rest is in buf.  NULL: no more. */
const char *lock_words(const struct ui *, const struct lock_then *, unsigned i,
    char *buf, size_t);

/*
 * processor.c: on which processor a thread was in [t0, t1), its own row or one
 * of its depths: "1", "1, then 0", "1, then 0 after 12 moves"; "": not
 * recorded.
 */
char *processor_words(const struct ui *, uint32_t lane, int64_t t0_mon_ns,
    int64_t t1_mon_ns, char *buf, size_t);

/*
 * remote.c: the remote call of a span, of its caller (a wait) or its callee.
 * False: it is of none.
 */
struct remote_then {
	uint32_t caller, callee; /* lanes; UINT32_MAX: not known, not so far */
	int64_t call_mon_ns, begin_mon_ns, end_mon_ns, back_mon_ns;
	bool serves; /* the span is the callee's */
};
bool remote_then(const struct ui *, uint32_t lane, const struct span *,
    struct remote_then *);
/* As lock_words(). */
const char *remote_words(const struct ui *, const struct remote_then *,
    unsigned i, char *buf, size_t);
/* process.c: what is told of a process, by its row; as lock_words(). */
const char *process_words(const struct ui *, uint32_t lane, unsigned i,
    char *buf, size_t);

/*
 * objects.c: an object at an instant.  What it is on, and comes from, are
 * nodes, 0 if that is not known.
 */
enum object_state {
	OBJECT_STAYS,
	OBJECT_MOVES,
	OBJECT_NOT_YET, /* made */
	OBJECT_OVER,
	OBJECT_UNKNOWN /* given up for want of memory */
};
struct object_then {
	uint32_t lane;
	enum object_state state;
	struct object_made made;
	struct span now;  /* its stay, or way; when it is over the last */
	bool told;        /* now is; its id is the number of hops */
	uint32_t on;      /* OBJECT_STAYS */
	bool waits;       /* there, since now.t0_mon_ns, for the reason */
	uint32_t reason;  /* a name; 0: not told */
	int64_t since_ns; /* it is on, or on the way */
	uint32_t from;    /* from where it came, or comes */
	uint32_t to_name; /* OBJECT_MOVES: that it left for; 0: not told */
	uint32_t to;      /* where it has arrived since */
};
/* False: the lane is of no object. */
bool object_then(const struct ui *, uint32_t lane, int64_t t_mon_ns,
    struct object_then *);
/* As lock_words(). */
const char *object_words(const struct ui *, const struct object_then *,
    unsigned i, char *buf, size_t);
/* All as they are now, or where the playback stands: a line each. */
void objects_describe(const struct ui *, FILE *);

/* Says what is wrong, and returns -1. */
int desk_fail(struct ui *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Makes a place clickable. */
void spot_add(struct ui *, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/* NULL: nothing there does anything when it is clicked. */
const struct spot *spot_at(const struct ui *, int32_t x, int32_t y);
enum pane pane_at(const struct ui *, int32_t x, int32_t y);

/*
 * What the box beside the pointer says while it is in this place, a line each
 * after '\n'.  The last one counts.
 */
void hint_add(struct ui *, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/* It is there: worth finding words. */
bool hint_wanted(const struct ui *, int32_t x0, int32_t y0, int32_t x1,
    int32_t y1);

/* The topmost card there; -1: none. */
int card_at(const struct ui *, int32_t x, int32_t y);
/* The pointer is on one, and so not on what lies below. */
bool card_hides(const struct ui *);

/* Something more urgent has come than the frame that is being prepared. */
bool draw_stopped(const struct ui *);
/* A frame's time is nearly over: figures that go on in the next one have had a
 * step in this one, and that is to be enough. */
bool draw_late(const struct ui *);
struct stop draw_stop(struct ui *);

/*
 * Number of events as a layer sees it: in a hasty frame what it has seen
 * already, so that only what the user has changed is drawn anew.
 */
static inline uint64_t
layer_events(const struct ui *ui, uint64_t seen)
{
	return (picture_hasty(ui->picture) ? seen : model_events(ui->model));
}

/*
 * taskcount.c: how many tasks began in [t0, t1).  While task_counts.busy not
 * all have been looked at, there are more; another frame asks again.
 */
uint64_t tasks_in(struct ui *, int64_t t0, int64_t t1);

/*
 * health.c: how far a node can be relied on.  A rank is 0 when all is well;
 * texts go into buf, with the colour that says how bad it is.
 */
/* How a node is, or was at the instant of the playback. */
void health_of(const struct ui *, uint32_t node, struct node_health *);
unsigned health_rank(const struct node_health *);
const char *health_clock_word(unsigned state); /* "locked" */
#define DOUBTS_MAX 256 /* of a node at a time in sight */
/* "locked ±180 ns" */
char *health_clock(const struct ui *, const struct node_health *, uint32_t *rgb,
    char *buf, size_t n);
/* What a node's name must not stand without; false: nothing. */
bool health_badge(const struct ui *, const struct node_health *, uint32_t *rgb,
    char *buf, size_t n);
/* Of a time of doubt: title into buf; returns what it means. */
const char *health_doubt(const struct ui *, const struct doubt *, uint32_t *rgb,
    char *buf, size_t n);
/* A line on how a node is, and one for each time of doubt. */
void health_describe(const struct ui *, uint32_t node, FILE *);
/* The one at this place of a node's row; false: there is none. */
bool health_under(const struct ui *, uint32_t lane, int64_t t_mon_ns,
    struct doubt *);

/* The run goes on: what is dear to draw need not follow each event. */
static inline bool
run_grows(const struct ui *ui)
{
	return (
	    (ui->feed.live || ui->feed.reading) && !model_finished(ui->model));
}
/* Then figures in a picture may be of a moment ago; words are of now. */
static inline bool
run_outruns(const struct ui *ui)
{
	return (run_grows(ui) && ui->picture->stop_cb != NULL);
}

#endif
