/* Pairs of the panels' range that have most of something, as lists. */
#ifndef VIEWER_TALKPAIRS_H
#define VIEWER_TALKPAIRS_H

#include "ui/traffic/talk.h"

/* What there is from one end to the other, of each kind. */
struct talk_row {
	struct talk_end from, to;
	struct talk_pair of[TALKS];
};
#define TALK_ROWS_MAX 1000 /* in a list */

/*
 * Those that have most of what comes first: messages, or calls in any phase;
 * then of bytes, or of the time of whole calls; then in order of nodes and POs.
 * The caller frees them; *n of *all.  NULL: ENOMEM.
 */
struct talk_row *talk_rows(const struct ui *, bool calls, size_t *n,
    size_t *all);
/* The sums of two groups, one and all TALKS of it. */
void talk_between(const struct ui *, const struct talk_groups *, uint32_t row,
    uint32_t col, struct talk_pair of[TALKS]);

/* All that a row has sent to others or itself, and received: kind by kind. */
void talk_sums_of(const struct ui *, const struct talk_groups *, uint32_t row,
    struct talk_pair sent[TALKS], struct talk_pair received[TALKS]);
/* "sent 3, 24 bytes; received 1, 8 bytes; calls made 2, served 0" */
char *talk_sums_words(const struct ui *, const struct talk_groups *,
    uint32_t row, char *buf, size_t n);

#endif
