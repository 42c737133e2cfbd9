/* The dock: one function a tab, and what they share. */
#ifndef VIEWER_DOCK_H
#define VIEWER_DOCK_H

#include "ui/desk/desk.h"

/*
 * Heads of a table: what its rows are, and of what time, before columns of
 * numbers that end at x from the left.
 */
struct dock_head {
	int32_t x;
	const char *text;
};
void dock_heads(struct ui *, struct canvas *, int32_t x0, int32_t y,
    const char *of, const struct dock_head *, size_t n);

bool dock_prepare(struct ui *);
void dock_draw(struct ui *, struct canvas *);

/* Scrolls to the last row of a tab that is a list. */
void dock_last(struct ui *);
void details_draw(struct ui *, struct canvas *, const struct rect *);
/* The same as text: "label<tab>value". */
void details_text(struct ui *, FILE *);
void details_lines(struct ui *, const struct thing *, FILE *);
/*
 * By procedure, of the panels' range: at most max are written, returns how
 * many there are; what range that is into of.
 */
size_t functions_of(struct ui *, struct name_stats *, size_t max, char *of,
    size_t n);
bool functions_prepare(struct ui *);
const char *functions_about(const struct ui *); /* "~": not exact; or "" */
void functions_draw(struct ui *, struct canvas *, const struct rect *);
/* Sorts the table by a column, "": by the next one.  -1: there is none such. */
int functions_sort(struct ui *, const char *column);
extern const char *const functions_column[]; /* up to NULL */
#define FUNCTIONS_TOTAL 2                    /* of these: at first */
void communication_describe(const struct ui *, FILE *);
void communication_draw(struct ui *, struct canvas *, const struct rect *);
void stacks_draw(struct ui *, struct canvas *, const struct rect *);
/* stacks.c: a thread that is there at this time */
bool stacks_alive(const struct model *, uint32_t lane, int64_t t_mon_ns);
const char *stacks_word(const struct ui *, const struct span *);
void stacks_describe(const struct ui *, FILE *);
/* compare_tab.c: the table of procedures of two runs. */
void compare_tab_draw(struct ui *, struct canvas *, const struct rect *);
void compare_describe(struct ui *, FILE *);
void activity_draw(struct ui *, struct canvas *, const struct rect *);
/* list.c: all spans of the selected row */
void list_draw(struct ui *, struct canvas *, const struct rect *);
void list_describe(struct ui *, FILE *);

/*
 * Messages between POs as squares, at most MATRIX_MAX of these; with bars of
 * sums beside them, or sums_px 0.
 */
void messages_matrix(struct ui *, struct canvas *, const struct rect *,
    int32_t sums_px);

/* ns by class in the chosen range, of all threads of a node (0: of all). */
struct share {
	int64_t by_class[LANE_CLASSES];
	int64_t threads_ns; /* threads there, times the range */
	uint32_t threads;
	uint64_t spans;
	bool rough; /* not all of it is exact */
};
const char *share_about(const struct share *); /* "~" if it is not, or "" */
void activity_of(struct ui *, uint32_t node, struct share *);
bool activity_prepare(struct ui *);
bool activity_exact(const struct ui *);      /* not only about right */
void activity_describe(struct ui *, FILE *); /* of each node, in words */
void activity_bar(struct ui *, struct canvas *, int32_t x, int32_t y, int32_t w,
    int32_t h, const struct share *);
/* Percent, rounded. */
int share_percent(int64_t part, int64_t whole);

#endif
