/*
 * Who gets a message, known when it is sent: formats that name the receiver
 * there look at all events beforehand.  And how long it was when it was sent,
 * known when it is received, of which the receiver may think otherwise.
 */
#ifndef TOOLS_EXPORT_MAIL_H
#define TOOLS_EXPORT_MAIL_H

#include "intmap.h"
#include "tools/export/export.h"

/* All zero is empty; 24 bytes a message and more. */
struct mail {
	struct intmap to, from;   /* location + 1, by the message */
	struct intmap size_bytes; /* by the message, where it is not 0 */
};

void mail_clear(struct mail *);
/* Beforehand: who has received what.  -1: ENOMEM. */
int mail_look(struct mail *, const struct event *);
/*
 * Then, in order: of a send or receive that has its other side, 1 and where
 * that is; 0: it has none.  -1: ENOMEM.
 */
int mail_other(struct mail *, const struct event *, uint32_t *location);
/* Of a message that has been sent: as long as it was then. */
uint64_t mail_size_bytes(const struct mail *, uint64_t message);

#endif
