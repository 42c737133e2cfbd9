/*
 * The critical path (model/asked/critical.h) of the selected range, else of the
 * run up to the instant that is shown: for the view Path and over the lanes. UI
 * thread only.
 */
#ifndef VIEWER_PATHVIEW_H
#define VIEWER_PATHVIEW_H

#include "model/asked/critical.h"
#include "ui/desk/desk.h"

struct path_figures {
	uint64_t wanted; /* frame in which the view was last in sight */
	bool of_thread;  /* of the selected thread, not of all */
	bool not_over;   /* not drawn over the lanes */
	/* of shown: on it, and of all threads, ready without a processor */
	int64_t ready_ns, all_ready_ns;
	uint32_t threads; /* it is on so many; UINT32_MAX: too many to count */
};

extern const char *const path_wait_word[CRITICAL_WAITS];

/* What there is to show; NULL: nothing yet. */
const struct critical *path_shown(const struct ui *);
/* The same for who draws over the lanes: NULL if it should not. */
const struct critical *path_over_lanes(const struct ui *);
/* The i-th longest piece of it, from 0 on, of at most PATH_LONGEST. */
#define PATH_LONGEST 16
size_t path_longest(const struct ui *, struct critical_piece *, size_t max);
/* "all", "thread", "over", "plain", or a number: see the command. -1: said. */
int path_command(struct ui *, const char *);
const char *path_word(const struct ui *, unsigned i); /* NULL: no more */
void path_free(struct ui *);

/* pathview_tables.c; a row of each has PATH_ROW_PX */
#define PATH_ROW_PX 18
void path_parts(struct ui *, struct canvas *, const struct rect *);
void path_waits(struct ui *, struct canvas *, const struct rect *);
/* "sort", "waits for a message: reply"; "worker 3, PO 1, node n2 in f, 80 %" */
char *path_part_name(const struct ui *, const struct critical_part *, char *buf,
    size_t);
char *path_by_words(const struct ui *, const struct critical_waited *,
    char *buf, size_t);
double path_percent(int64_t ns, int64_t of);

/* pathview_ribbon.c: function, node and state of the path, over its time */
#define PATH_RIBBON_PX 58
void path_ribbon(struct ui *, struct canvas *, const struct rect *);

#endif
