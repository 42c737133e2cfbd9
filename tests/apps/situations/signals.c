/* Signals: what is blocked, handled, interrupted, and what kills. */
#include "harm.h"

#include <sys/time.h>

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t handled;
static sigjmp_buf back;

static void
count_and_work(int sig)
{
	int saved_errno = errno;

	(void)sig;
	handled++;
	work_in_handler();
	errno = saved_errno;
}

static void
leave(int sig)
{
	(void)sig;
	handled++;
	probe_note(1, 1);
	siglongjmp(back, 1);
}

static void
abort_in_it(int sig)
{
	(void)sig;
	work_in_handler();
	abort();
}

static int
counted(void)
{
	signal(SIGUSR1, count_and_work);
	for (int i = 0; i < 200; i++) {
		work(1);
		raise(SIGUSR1);
	}
	say("handled %d", (int)handled);
	say_facts();
	return (0);
}

static void
timer(long us)
{
	struct itimerval t = { { 0, us }, { 0, us } };

	setitimer(ITIMER_REAL, &t, NULL);
}

/* However often: the program's own sums come out as they should. */
static int
storm(void)
{
	struct sigaction sa = { .sa_handler = count_and_work,
		.sa_flags = SA_RESTART };
	long sum = 0;

	sigaction(SIGALRM, &sa, NULL);
	timer(200);
	for (long i = 0; i < 20000 || handled < 50; i++) {
		work(i % 100 == 0);
		probe_note(1, i);
		sum += i < 20000 ? i : 0;
	}
	timer(0);
	say("sum %ld", sum);
	say_facts();
	return (0);
}

static int
first_in_handler(void)
{
	static char stack[65536];
	const stack_t ss = { .ss_sp = stack, .ss_size = 8192 };
	struct sigaction sa = { .sa_handler = count_and_work,
		.sa_flags = SA_ONSTACK };

	sigaltstack(&ss, NULL);
	sigaction(SIGUSR1, &sa, NULL);
	raise(SIGUSR1);
	work(1);
	raise(SIGUSR1);
	say("handled %d", (int)handled);
	say_facts();
	return (0);
}

static void
leave_handlers(int times, long every_us)
{
	struct sigaction sa = { .sa_handler = leave, .sa_flags = SA_NODEFER };
	volatile int goes = 0;

	sigaction(SIGALRM, &sa, NULL);
	while (handled < times) {
		if (sigsetjmp(back, 1) == 0) {
			if (goes++ == 0) /* not before there is a way back */
				timer(every_us);
			for (volatile unsigned i = 0;; i++)
				probe_note(1, i);
		}
	}
	timer(0);
	work(10);
	say("left %d times", handled >= times ? times : 0);
	say_facts();
}

static int
long_jumps(void)
{
	leave_handlers(100, 500);
	return (0);
}

/* Sooner than all that a ring holds can be looked through. */
static int
long_jumps_often(void)
{
	leave_handlers(4000, 40);
	return (0);
}

static int
aborts(void)
{
	signal(SIGUSR1, abort_in_it);
	work(2);
	raise(SIGUSR1);
	return (0);
}

static int
faults(void)
{
	volatile int *nowhere = NULL;

	work(2);
	return (*nowhere);
}

static int
broken_pipe(void)
{
	int fds[2];

	work(2);
	if (pipe(fds) == -1)
		return (1);
	close(fds[0]);
	return (write(fds[1], "x", 1) == 1);
}

static int
killed(void)
{
	work(2);
	kill(getpid(), SIGKILL);
	return (0);
}

static void *
with_a_mask(void *arg)
{
	sigset_t set, after;
	int same = 1;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigaddset(&set, SIGRTMIN + 3);
	pthread_sigmask(SIG_SETMASK, &set, NULL);
	work(10);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	for (int i = 1; i < NSIG; i++)
		same &= sigismember(&set, i) == sigismember(&after, i);
	return (same ? arg : NULL);
}

static int
masks(void)
{
	pthread_t t[8];
	void *out;
	int same = 0;

	for (int i = 0; i < 8; i++)
		pthread_create(&t[i], NULL, with_a_mask, &same);
	for (int i = 0; i < 8; i++) {
		pthread_join(t[i], &out);
		same += out != NULL;
	}
	say("masks as they were: %d of 8", same);
	say_facts();
	return (0);
}

/* One that has been sent and waits is still there, once. */
static int
pending(void)
{
	sigset_t set;
	int sig = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	work(10);
	say_facts();
	sigwait(&set, &sig);
	work(1);
	say("it was %d", sig);
	say_facts();
	return (0);
}

static volatile sig_atomic_t has_read;

static void *
interrupt(void *arg)
{
	while (!has_read) {
		pthread_kill(*(pthread_t *)arg, SIGUSR1);
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	return (NULL);
}

static int
interrupted(void)
{
	struct sigaction sa = { .sa_handler = count_and_work };
	pthread_t me = pthread_self(), t;
	char byte;
	int fds[2];
	ssize_t n;

	sigaction(SIGUSR1, &sa, NULL);
	if (pipe(fds) == -1)
		return (1);
	work(2);
	pthread_create(&t, NULL, interrupt, &me);
	n = read(fds[0], &byte, 1);
	say("read %zd, errno %d", n, errno);
	has_read = 1;
	pthread_join(t, NULL);
	return (0);
}

const struct situation harm_signals[] = {
	{ "two hundred handlers", counted, NULL, 0 },
	{ "a storm of alarms", storm, NULL, 0 },
	{ "the first event in a handler", first_in_handler, NULL, NOT_WATCHED },
	{ "handlers that never return", long_jumps, NULL, 0 },
	{ "handlers that never return and come often", long_jumps_often, NULL,
	    NOT_WATCHED },
	{ "abort in a handler", aborts, NULL, NOT_WATCHED },
	{ "a null pointer", faults, NULL, NOT_WATCHED },
	{ "a broken pipe", broken_pipe, NULL, 0 },
	{ "SIGKILL", killed, NULL, 0 },
	{ "masks of threads", masks, NULL, 0 },
	{ "a signal that waits", pending, NULL, 0 },
	{ "a read that is interrupted", interrupted, NULL, 0 },
	{ NULL, NULL, NULL, 0 },
};
