/*
 * Who gets a message, known when it is sent: formats that name the receiver
 * there look at all events beforehand.
 */
#ifndef TOOLS_EXPORT_MAIL_H
#define TOOLS_EXPORT_MAIL_H

#include "intmap.h"
#include "tools/export/export.h"

/* All zero is empty; 16 bytes a message and more. */
struct mail {
	struct intmap to, from; /* location + 1, by the message */
};

void mail_clear(struct mail *);
/* Beforehand: who has received what.  -1: ENOMEM. */
int mail_look(struct mail *, const struct event *);
/*
 * Then, in order: of a send or receive that has its other side, 1 and where
 * that is; 0: it has none.  -1: ENOMEM.
 */
int mail_other(struct mail *, const struct event *, uint32_t *location);

#endif
