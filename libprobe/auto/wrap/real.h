/*
 * The functions of the C library behind our wrappers.
 */
#ifndef LIBPROBE_AUTO_REAL_H
#define LIBPROBE_AUTO_REAL_H

#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "probe.h"

struct real {
#define REAL(type, name, arguments) type(*name) arguments;
#include "libprobe/auto/wrap/real.def"
#undef REAL
};

/* All NULL until the first call of any wrapper, which may be before main. */
extern struct real real_;

/* Finds them all; any number of threads may do so at a time. */
const struct real *real_find(void);

/* The real pthread_mutex_lock, say, is CALL(pthread_mutex_lock)(mutex). */
#define CALL(name)                                                             \
	(PROBE_UNLIKELY(PROBE_LOAD(&real_.name) == NULL) ? real_find()->name   \
							 : real_.name)

#endif
