/*
 * Processes that wanted to attach and could not, with what kept them: counted
 * once each however often they try, and no longer once they have attached.
 */
#ifndef COLLECTOR_UNATTACHED_H
#define COLLECTOR_UNATTACHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNATTACHED_KNOWN 1024u /* that may still come, the latest of them */

struct unattached {
	uint64_t processes;
	uint64_t unrecorded; /* events of theirs, as far as they have said so */
	char why[256];       /* of the last one */
	struct {
		uint32_t pid;
		uint64_t born; /* what tells it from another of its number */
		uint64_t events;
	} known[UNATTACHED_KNOWN];
	uint64_t noted; /* the place of the next one, modulo */
};

enum unattached_news {
	UNATTACHED_OLD,  /* it was known, with as many events */
	UNATTACHED_MORE, /* it has more events than before */
	UNATTACHED_NEW
};
/*
 * born: see process_born(); 0, it is gone.  events: so many, as it says, are
 * not recorded so far.
 */
enum unattached_news unattached_add(struct unattached *, uint32_t pid,
    uint64_t born, uint64_t events, const char *why);
/*
 * It has attached after all, and says itself what is missing of it.  true: it
 * was counted until now.
 */
bool unattached_remove(struct unattached *, uint32_t pid, uint64_t born);

/* When a process was started, in ticks since boot; 0: there is none. */
uint64_t process_born(uint32_t pid);

#endif
