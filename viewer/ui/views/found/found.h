/*
 * The calls that the user has asked for: "find db_exec > 5ms on worker-*".
 * They are looked for in the range that was selected then, else in the whole
 * run, part by part in each frame; what was found last stays in sight until the
 * next is whole, and while a run grows for some frames.
 *
 * UI thread only.
 */
#ifndef VIEWER_FOUND_H
#define VIEWER_FOUND_H

#include "model/asked/findcalls.h"
#include "ui/desk/desk.h"

#define FOUND_TEXT  160
#define FOUND_FIRST 64

/* What is asked for, as it was understood. */
struct found_ask {
	char name[FOUND_TEXT];    /* "": of any function */
	char threads[FOUND_TEXT]; /* "": on all */
	int64_t least_ns, most_ns;
	uint32_t slowest; /* only so many; 0: all */
};

/*
 * found_parts.c: what a call's time went to: what it did itself, calls of each
 * name without their waits, what it and they waited for, and, where the
 * scheduler was recorded, when it or they had no processor.  They are all of
 * it.
 */
#define FOUND_PARTS   8  /* the largest; the last may be the rest */
#define SLOWEST_USUAL 16 /* the model keeps them: slowest.h */
#define SLOWEST_MOST  64
enum part_of {
	PART_OWN,
	PART_CALLED,
	PART_WAITED,
	PART_OFF,
	PART_REST
};
struct found_part {
	int64_t ns;
	uint32_t name; /* 0: it has none */
	uint8_t of, class, kind;
};
struct found_parts {
	struct found_part part[FOUND_PARTS];
	/* 0: not known: it was given up, or is too much; of a call of no time
	 * that is so, too, if it is gone */
	unsigned n;
	bool gone;
	uint32_t caller; /* name of what called it; 0 */
};

struct found_calls {
	bool asked;
	struct found_ask ask;
	int64_t t0, t1; /* asked in this range; t0 == t1: in all of the run */
	/* of those that were found these are chosen, both ends included */
	int64_t lo_ns, hi_ns;
	uint32_t at;   /* of them, from 0; UINT32_MAX: none yet */
	bool stepping; /* next and previous go through them */
	struct find_calls *shown, *next; /* owned; NULL: none yet */
	struct found_of {
		const struct model *model;
		const void *source;
		int64_t t0, t1, head_ns;
		uint64_t events, rewritten, asked;
	} of, next_of;
	bool busy;
	uint64_t due, asks;
	/* while nothing else answers: the longest that next has by now */
	struct found_call so_far[FOUND_FIRST];
	size_t nso_far;
	/* of the slowest: of so many that are shown, from the first */
	struct found_parts parts[SLOWEST_MOST];
	size_t nparts;
};

/* found_ask.c: -1: it is said what is wrong. */
int found_parse(struct ui *, const char *, struct found_ask *);
/* As it would be typed; into buf, which is returned. */
char *found_spell(const struct found_ask *, char *buf, size_t);
/* By number of a name, by lane: 1, it is meant.  NULL: ENOMEM; to be freed. */
uint8_t *found_names(const struct ui *, const struct found_ask *, uint32_t *n);
uint8_t *found_lanes(const struct ui *, const struct found_ask *, uint32_t *n);

/* found.c: NULL: nothing was ever asked. */
struct found_calls *found_get(const struct ui *);
/* As find is told, and only so many, the slowest; 0: all. */
int found_ask(struct ui *, const char *, uint32_t slowest);
/* What is shown is of what was asked last. */
bool found_answered(const struct ui *);
/* Chooses those that are so long; lo > hi: all. */
void found_choose(struct ui *, int64_t lo_ns, int64_t hi_ns);
/* The chosen ones, longest first: how many are known, of *n that there are. */
size_t found_list(const struct ui *, const struct found_call **, uint64_t *n);
/* Where a call is shown: one within a folded row in that row. */
uint32_t found_row(const struct ui *, uint32_t lane);
/* Goes to the i-th of these, from 0.  -1: it is said. */
int found_go(struct ui *, uint32_t i);
int found_step(struct ui *, int way);
bool found_stepping(const struct ui *);
void found_leave(struct ui *);  /* something else is sought; no marks */
void found_forget(struct ui *); /* the run is another one */
void found_free(struct ui *);

/* found_chart.c: at the top of the place; returns where what follows begins. */
int32_t found_charts(struct ui *, struct canvas *, const struct rect *,
    const struct found_calls *);

/* How many there were at once, as it is drawn, in words. */
void found_describe_at_once(struct ui *, const struct found_calls *, FILE *);

/* found_why.c: what most of its time went to. */
struct found_why {
	int64_t ns; /* 0: nobody knows */
	bool waits;
	uint32_t name; /* of the lock, of the function; 0 */
	uint8_t class;
	uint32_t lane, holder, in; /* of a lock; UINT32_MAX, who held it; 0 */
	bool about;
};
void found_why(const struct ui *, const struct found_call *,
    struct found_why *);
/* found_parts.c */
void found_parts(const struct ui *, const struct found_call *,
    struct found_parts *);
/* "waits for queue lock": what a part is, into buf, which is returned. */
char *found_part_words(const struct ui *, const struct found_part *, char *buf,
    size_t);
/* Of the call at this place of the list; NULL: nobody asked for them. */
const struct found_parts *found_parts_at(const struct ui *, size_t i);

/* "waits for queue lock 26.1 ms, held by worker-03 in evict" */
char *found_why_words(const struct ui *, const struct found_why *, char *buf,
    size_t);

#endif
