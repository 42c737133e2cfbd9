/*
 * Who talks to whom, for the views: messages and calls of the panels' range by
 * pairs (messages.c); POs, nodes or threads as rows and columns (talkgroups.c);
 * what is shown of a pair (talkstat.c).
 *
 * UI thread only.
 */
#ifndef VIEWER_TALK_H
#define VIEWER_TALK_H

#include "model/run/talksums.h"
#include "ui/desk/ui.h"

uint32_t processes_all(const struct ui *); /* how many POs; no collectors */

enum talk_part {
	TALK_TOTAL,
	TALK_NOW,
	TALK_QUEUES,
	TALK_TRAFFIC,
	TALK_PARTS
};
extern const char *const talk_part_name[TALK_PARTS];

/* --- rows and columns --- */

enum talk_level {
	TALK_BY_PO,
	TALK_BY_NODE,
	TALK_BY_THREAD,
	TALK_LEVELS
};
extern const char *const talk_level_name[TALK_LEVELS];

struct talk_groups {
	enum talk_level level; /* of which they are */
	uint32_t n;
	struct talk_end *group;
	uint32_t *row; /* lane of each: of a thread, PO, or the first node */
	uint32_t *of; /* by number of a PO, of threads by lane; UINT32_MAX */
	uint32_t nof;
};
/*
 * At most so many: what is more is folded to nodes, and to nodes beside each
 * other.  false: ENOMEM, or there are none.
 */
#define TALK_GROUPS_MAX 256
bool talk_groups_make(const struct ui *, enum talk_level, uint32_t most,
    struct talk_groups *);
void talk_groups_clear(struct talk_groups *);
/* "n1  pascal 35  PO 3", "n1", "n1 to n8", "n1 PO 3 worker 2", into buf. */
char *talk_end_label(const struct ui *, const struct talk_end *, char *buf,
    size_t n);
/* The same where its node stands beside: "pascal 35  PO 3". */
char *talk_end_short(const struct ui *, const struct talk_end *, char *buf,
    size_t n);
/*
 * As a command has it: "n1/3", "n1", "n1:n8", "#12" for the row of a
 * thread.  And back: -1: there is no such thing.
 */
char *talk_end_spell(const struct ui *, const struct talk_end *, char *buf,
    size_t n);
int talk_end_parse(const struct ui *, const char *, struct talk_end *);
bool talk_end_has(const struct talk_end *, const struct lane *);
bool talk_end_same(const struct talk_end *, const struct talk_end *);

/* --- what is shown of a pair --- */

enum talk_of {
	TALK_COUNT,
	TALK_BYTES,
	TALK_MEAN, /* ns */
	TALK_SUM   /* ns */
};
struct talk_statistic {
	const char *name; /* in scripts */
	const char *word; /* in the title line */
	const char *title;
	enum talk what;
	enum talk_of of;
};
#define TALK_STATISTICS 13
#define TALK_CALLS      4 /* of these: their number */
extern const struct talk_statistic talk_statistics[TALK_STATISTICS];
/* The one that is chosen; before: calls, if the run has no messages. */
unsigned talk_shown(const struct ui *);
double talk_value(const struct talk_statistic *, const struct talk_pair *);
char *talk_words(const struct talk_statistic *, double value, char *buf,
    size_t n);

/* --- messages.c --- */

bool messages_prepare(struct ui *); /* as sums_prepare() */
void messages_clear(struct messages *);
/* False: some were given up, and they are only about right. */
bool messages_exact(const struct ui *);
/*
 * What is known of the panels' range, pair by pair: of threads (by lane) when
 * these are the rows, else of POs (by number).  Pairs of a count of 0 are to be
 * passed over.
 */
struct talk_list {
	const struct model *model; /* NULL: sums */
	const struct talk_sums *sums;
	uint32_t n;
};
void talk_list_of(const struct ui *, struct talk_list *);
void talk_list_at(const struct talk_list *, uint32_t i, struct talk_pair *);
enum talk_level talk_level_of(const struct ui *);

#endif
