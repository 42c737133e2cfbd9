/* What all panes ask of the window: its places, its frame, the state of nodes.
 */
#ifndef VIEWER_DESK_H
#define VIEWER_DESK_H

#include "ui/ui.h"

/* Says what is wrong, and returns -1. */
int desk_fail(struct ui *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Makes a place clickable. */
void spot_add(struct ui *, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    const char *fmt, ...) __attribute__((format(printf, 6, 7)));

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
struct stop draw_stop(struct ui *);

/*
 * Number of events as a layer sees it: in a hasty frame what it has seen
 * already, so that only what the user has changed is drawn anew.
 */
static inline uint64_t
layer_events(const struct ui *ui, uint64_t seen)
{
	return (ui->hasty ? seen : model_events(ui->model));
}

/* messages.c: a process, and its number in the model, which goes by definition.
 */
#define MATRIX_MAX 64 /* more are left out and said so */
struct process {
	uint32_t node, po, number;
};
/* The first MATRIX_MAX of them, in order of nodes; collectors are none. */
uint32_t processes(const struct ui *, struct process *);
/* Messages of the panels' range from one to another of these. */
uint64_t messages_of(const struct ui *, const struct process *, uint32_t from,
    uint32_t to, uint64_t *bytes);
/* False: some were given up, and they are only about right. */
bool messages_exact(const struct ui *);

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
/* The times of doubt of all nodes, on their rows. */
void health_draw(struct ui *, struct canvas *);
/* The one at this place of a node's row; false: there is none. */
bool health_under(const struct ui *, uint32_t lane, int64_t t_mon_ns,
    struct doubt *);

/* summary.c: where details have been given up. */
void summary_draw(struct ui *, struct canvas *);

/* The run goes on: what is dear to draw need not follow each event. */
static inline bool
run_grows(const struct ui *ui)
{
	return (
	    (ui->feed.live || ui->feed.reading) && !model_finished(ui->model));
}

#endif
