/* The receipt of a run: published = stored + lost, or who is missing. */
#ifndef MONITORD_RECEIPT_H
#define MONITORD_RECEIPT_H

#include "frame.h"

struct monitord_core;

struct receipt {
	struct msg_receipt sums;
	struct buf odd; /* lines about what does not add up */
	unsigned nodd;
	struct buf absent; /* lines about who is not in it */
};

/* Of all that has been told and stored up to now; to be cleared. */
void receipt_add_up(struct monitord_core *, struct receipt *);
bool receipt_good(const struct receipt *);
/* As monitorctl prints it; to be freed.  NULL: ENOMEM. */
char *receipt_text(struct monitord_core *, const struct receipt *);
void receipt_clear(struct receipt *);

#endif
