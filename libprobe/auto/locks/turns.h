/*
 * Which release has let whom in.
 *
 * A lock of the C library has no room for a number of ours, so the numbers lie
 * in a table of lines, found by the lock's address.  A line is given to the
 * last lock that has spoken there: its number goes up all the same, so that no
 * lock sees one twice.  A waiter looks before it waits and when it has got in;
 * if the number is the same, or is another lock's, nobody knows (0).
 */
#ifndef LIBPROBE_AUTO_TURNS_H
#define LIBPROBE_AUTO_TURNS_H

#include <stdbool.h>
#include <stdint.h>

/* The id of the lock, condition, ... there: the same in the whole process, and
 * another one in all other processes of the run. */
uint64_t turns_id(const void *);

/* The last number that was given there; 0: none. */
uint32_t turns_now(const void *);
/* A new one, before somebody may be let in. */
uint32_t turns_next(const void *);
/* Who has waited since `before` is in: by which number.  Each is taken once. */
uint32_t turns_take(const void *, uint32_t before);

/*
 * For what does not tell by itself whether somebody waits.  A thread begins and
 * ends to wait there; `got`: it has made an event of holding what is there, so
 * that there has to be one when that is given up.
 */
void turns_wait_begin(const void *);
void turns_wait_end(const void *, bool got);
/* Somebody waits. */
bool turns_waited(const void *);
/* What is there is given up: is there to be an event?  Ask once each time. */
bool turns_given_up(const void *);

#endif
