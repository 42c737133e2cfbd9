/*
 * One viewer: its place in the log file, and nothing else.  What it is sent
 * is read back from the file, a bounded piece at a time, whenever its
 * connection has room; so a slow one costs no memory and holds nobody up.
 */
#ifndef MONITORD_STREAM_H
#define MONITORD_STREAM_H

#include <stdbool.h>
#include <stdint.h>

struct monitord_core;

/* The log has grown: whoever has seen all of it gets the rest. */
void stream_news(struct monitord_core *);
/* How things are, to every viewer that keeps up. */
void stream_pulse(struct monitord_core *);
/* Every viewer has all of the log. */
bool stream_all_sent(struct monitord_core *);
/* Bytes of the log that the viewers have taken: it grows while one reads. */
uint64_t stream_taken(struct monitord_core *);
/* Says who has not, and is not waited for. */
void stream_give_up(struct monitord_core *);
unsigned stream_count(const struct monitord_core *);
void stream_free_all(struct monitord_core *);

#endif
