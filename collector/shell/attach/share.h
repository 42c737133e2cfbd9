/*
 * What the rings of a process may grow by.
 *
 * When we are late, rings grow so that nothing is lost.  That memory is charged
 * to the program's control group, which is killed when it has more than its
 * limit.  So the rings of all processes of a group may grow by no more than an
 * eighth of its limit; without one, of the machine's memory.  Each has the same
 * part of it.
 */
#ifndef COLLECTOR_SHARE_H
#define COLLECTOR_SHARE_H

struct held;
struct share;

/* A process comes; its group is among *all.  Without memory it has no share. */
void share_join(struct share **all, struct held *);
void share_leave(struct share **all, struct held *); /* also without */

#endif
