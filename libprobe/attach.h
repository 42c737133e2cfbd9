/* Getting a segment from a collector. */
#ifndef LIBPROBE_ATTACH_H
#define LIBPROBE_ATTACH_H

#include "internal.h"

/*
 * How long a collector that is there may take to answer a process that begins.
 * Who has waited so long tells others not to.
 */
#define ATTACH_WAIT_MS 1000

struct attach_request {
	uint32_t parent_po;
	uint8_t clock;
	int wait_ms;
	uint64_t unrecorded; /* events so far, for want of an answer */
	struct names_known known;
};

enum attach_result {
	ATTACH_NOBODY,  /* there is no collector; known in some 20 us */
	ATTACH_REFUSED, /* there is one, which does not answer */
	ATTACH_NO_ROOM, /* there is one, and we cannot map what it gives */
	ATTACH_DONE     /* segment, sizes, ids and node name of *out are set */
};

/* Asks this node's collector. */
enum attach_result attach_open(struct attachment *out,
    const struct attach_request *);

/* Some collector of this user listens, perhaps another node's. */
bool attach_any(void);

/* The last word of a process that was never attached.  Does not wait. */
void attach_unheard(uint64_t unrecorded);

#endif
