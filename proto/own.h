/*
 * Events of kinds that programs have declared, put together again (ownkind.h
 * says how they are told).
 */
#ifndef PROTO_OWN_H
#define PROTO_OWN_H

#include "event.h"
#include "ownkind.h"

struct own_event {
	const struct own_kind *kind;
	uint64_t value[OWN_FIELDS]; /* of a name its number */
	bool known[OWN_FIELDS];     /* else that part of it is lost */
};

enum own_part {
	OWN_NOT, /* an event like others; or its name declares nothing */
	OWN_MORE_FOLLOWS, /* what is in it comes with the one that follows */
	OWN_WHOLE,
	OWN_FAILED /* ENOMEM */
};

struct own;

/* text: the name of that number, of which nothing may be kept; NULL: unknown.
 */
struct own *own_new(const char *(*text)(const void *, uint32_t name),
    const void *of);
void own_free(struct own *); /* NULL is fine */
/*
 * To be called with all events of a thread in their order, those of others
 * between them.  A whole event is valid until the next call, its kind until
 * own_free().
 */
enum own_part own_event(struct own *, const struct event *,
    struct own_event *out);
/* The kind that this name declares; NULL: none, or ENOMEM. */
const struct own_kind *own_kind_of(struct own *, uint32_t name);

#endif
