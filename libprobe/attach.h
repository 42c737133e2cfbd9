/* Finding a collector and getting a segment from it. */
#ifndef LIBPROBE_ATTACH_H
#define LIBPROBE_ATTACH_H

#include "internal.h"

/*
 * How long a collector that is there may take to answer.  Without one there
 * is no waiting at all.
 */
#define ATTACH_WAIT_MS 1000

/* Reads the environment; once, before the others.  false: no place at all. */
bool attach_places(void);

/*
 * Attaches to this node's collector: segment, sizes, ids and node name of
 * *out are set.  false, in some 20 us, if there is none.
 */
bool attach_open(struct attachment *out, uint32_t parent_po, uint8_t clock);

/* Some collector of this user listens, perhaps another node's. */
bool attach_any(void);

/* The wake page, made if there is none; NULL if that cannot be. */
struct ring_wake *attach_wake_page(void);

#endif
