/*
 * A thread that waits for half of a frame.  It sleeps until there is some; if
 * it is late, because others compute, nobody has waited for it.
 */
#include "model/keep/both.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

static struct {
	pthread_once_t once;
	pthread_mutex_t lock;
	pthread_cond_t offered, ended;
	enum {
		IDLE,
		OFFERED,
		RUNNING
	} state;
	bool there; /* UI thread only */
	void (*job)(void *, int);
	void *arg;
} helper = { PTHREAD_ONCE_INIT, PTHREAD_MUTEX_INITIALIZER,
	PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, IDLE, false, NULL,
	NULL };

static void *
help(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&helper.lock);
	for (;;) {
		while (helper.state != OFFERED)
			pthread_cond_wait(&helper.offered, &helper.lock);
		helper.state = RUNNING;
		pthread_mutex_unlock(&helper.lock);
		helper.job(helper.arg, 1);
		pthread_mutex_lock(&helper.lock);
		helper.state = IDLE;
		pthread_cond_signal(&helper.ended);
	}
	return (NULL);
}

/* Signals are for the thread that has the window. */
static void
helper_start(void)
{
	sigset_t all, was;
	pthread_t thread;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &was);
	pthread_mutex_lock(&helper.lock);
	if (pthread_create(&thread, NULL, help, NULL) == 0) {
		pthread_detach(thread);
		helper.state = IDLE;
		helper.there = true;
	}
	pthread_mutex_unlock(&helper.lock);
	pthread_sigmask(SIG_SETMASK, &was, NULL);
}

void
both(void (*job)(void *, int), void *arg)
{
	pthread_once(&helper.once, helper_start);
	if (!helper.there) {
		job(arg, 0);
		return;
	}
	pthread_mutex_lock(&helper.lock);
	helper.job = job;
	helper.arg = arg;
	helper.state = OFFERED;
	pthread_cond_signal(&helper.offered);
	pthread_mutex_unlock(&helper.lock);
	job(arg, 0);
	pthread_mutex_lock(&helper.lock);
	while (helper.state == RUNNING)
		pthread_cond_wait(&helper.ended, &helper.lock);
	helper.state = IDLE; /* also when it has not come */
	pthread_mutex_unlock(&helper.lock);
}
