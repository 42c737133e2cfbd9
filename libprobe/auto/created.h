/*
 * By which id a thread was created that somebody may join.  Any number of
 * threads may add and look up at a time; when there are more than the table
 * holds, the oldest of a line are forgotten.
 */
#ifndef LIBPROBE_AUTO_CREATED_H
#define LIBPROBE_AUTO_CREATED_H

#include <pthread.h>
#include <stdint.h>

void created_add(pthread_t, uint64_t creation);
uint64_t created_find(pthread_t); /* 0: nobody knows */
/* It has been joined, or cannot be any more. */
void created_forget(pthread_t, uint64_t creation);

#endif
