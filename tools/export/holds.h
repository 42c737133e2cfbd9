/*
 * Which thread held which lock from when to when, of the events of a log, by
 * the rules of monitorctl(1), report: who takes a lock again holds it until he
 * has given it up as often; who does not hold it gives it up for who has had it
 * for longest; and a hold ends with its process, or where nobody would know of
 * its end.
 */
#ifndef TOOLS_EXPORT_HOLDS_H
#define TOOLS_EXPORT_HOLDS_H

#include "log/tracefile.h"

struct story_hold {
	uint64_t lock;
	uint32_t location, name;
	int64_t from_mon_ns, to_mon_ns;
};

struct holds;

/* tell() is called when one is over.  NULL: ENOMEM. */
struct holds *holds_new(const struct defs *,
    void (*tell)(void *arg, const struct story_hold *), void *arg);
void holds_free(struct holds *); /* NULL is fine */
/*
 * In order of time; before_mon_ns: when the thread's last event before was.
 * -1: ENOMEM.
 */
int holds_event(struct holds *, const struct event *, int64_t before_mon_ns);
void holds_end(struct holds *, int64_t t_mon_ns); /* those that are left */

#endif
