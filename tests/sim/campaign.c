/* Workers, and what they share. */
#include "campaign.h"

#include <err.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "tests/sim/world_inside.h"

#define JOBS_MAX  64
#define FRESH     400 /* seeds of one process: what fatal() leaves, goes */
#define TELL_SECS 60  /* between two lines that say how far it is */

/* For a seed, in CPU time: others may want the processors too.  Asleep is
 * nobody here, but for a lock that is never let go. */
#define LIMIT_CPU_SECS 120
#define LIMIT_SECS     3600

struct slot {
	struct totals totals;
	_Atomic uint64_t seed; /* in work; 0: none */
	pid_t pid;
};

struct shared {
	_Atomic uint64_t next;
	_Atomic bool stop;
	_Atomic uint64_t first_failed; /* 0: none */
	struct slot slots[JOBS_MAX];
};

static void *
share(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		err(EX_OSERR, NULL);
	return (p);
}

static void
failed(const struct campaign *c, struct shared *sh, struct slot *slot,
    uint64_t seed, const char *why)
{
	uint64_t none = 0;

	slot->totals.failed++;
	atomic_compare_exchange_strong(&sh->first_failed, &none, seed);
	if (c->until_failure)
		atomic_store(&sh->stop, true);
	printf("seed %llu: %s\n", (unsigned long long)seed, why);
	fflush(stdout);
}

static bool
wanted(const struct campaign *c, const struct world_options *o)
{
	struct profile p;

	if (!c->calm)
		return (true);
	profile_of(&p, o);
	return (p.calm);
}

/* This process ends when it has taken too long from now; not on: it may. */
static void
limit(bool on)
{
	struct itimerval cpu = { .it_value.tv_sec = on ? LIMIT_CPU_SECS : 0 };

	if (setitimer(ITIMER_PROF, &cpu, NULL) == -1)
		err(EX_OSERR, "setitimer");
	alarm(on ? LIMIT_SECS : 0);
}

static void
work(const struct campaign *c, struct shared *sh, struct slot *slot)
{
	struct world_options o = c->options;
	struct totals *t = &slot->totals;

	for (int i = 0; i < FRESH && !atomic_load(&sh->stop); i++) {
		uint64_t seed = atomic_fetch_add(&sh->next, 1);

		if (seed >= c->first + c->seeds)
			break;
		o.seed = seed;
		if (!wanted(c, &o))
			continue;
		atomic_store(&slot->seed, seed);
		limit(true);
		if (world_run(&o, &t->sum) == -1)
			failed(c, sh, slot, seed, t->sum.why);
		limit(false);
		t->seeds++;
		atomic_store(&slot->seed, 0);
	}
	_exit(0);
}

static void
start(const struct campaign *c, struct shared *sh, struct slot *slot)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == -1)
		err(EX_OSERR, "fork");
	if (pid == 0)
		work(c, sh, slot);
	slot->pid = pid; /* shared: not the child's to set */
}

static struct slot *
slot_of(struct shared *sh, unsigned jobs, pid_t pid)
{
	for (unsigned i = 0; i < jobs; i++) {
		if (sh->slots[i].pid == pid)
			return (&sh->slots[i]);
	}
	return (NULL);
}

static void
why_died(int status, char *why, size_t n)
{
	if (WIFSIGNALED(status) &&
	    (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGPROF))
		snprintf(why, n, "hangs");
	else if (WIFSIGNALED(status))
		snprintf(why, n, "crashes (%s)", strsignal(WTERMSIG(status)));
	else
		snprintf(why, n, "exits with %d", WEXITSTATUS(status));
}

static void
add(struct totals *to, const struct totals *from)
{
	const uint64_t *b = (const uint64_t *)&from->sum;
	uint64_t *a = (uint64_t *)&to->sum;

	to->seeds += from->seeds;
	to->failed += from->failed;
	/* all of it is sums, up to the words at its end */
	for (size_t i = 0; i < offsetof(struct world_result, why) / sizeof(*a);
	     i++)
		a[i] += b[i];
}

/* Once a minute, when a worker has ended: how far all are. */
static void
tell_progress(const struct campaign *c, const struct shared *sh, unsigned jobs)
{
	static time_t began, told;
	const time_t now = time(NULL);
	uint64_t seeds = 0, bad = 0, left;

	if (began == 0)
		began = told = now;
	if (now - told < TELL_SECS)
		return;
	told = now;
	for (unsigned i = 0; i < jobs; i++) {
		seeds += sh->slots[i].totals.seeds;
		bad += sh->slots[i].totals.failed;
	}
	if (seeds == 0)
		return;
	left = (uint64_t)(now - began) * (c->seeds - seeds) / seeds;
	printf("%llu of %llu seeds, %llu failed; about %llu min left\n",
	    (unsigned long long)seeds, (unsigned long long)c->seeds,
	    (unsigned long long)bad, (unsigned long long)(left + 59) / 60);
	fflush(stdout);
}

uint64_t
campaign_run(const struct campaign *c, struct totals *t)
{
	struct shared *sh = share(sizeof(*sh));
	unsigned jobs = c->jobs < JOBS_MAX ? c->jobs : JOBS_MAX, running = jobs;
	struct slot *slot;
	uint64_t seed;
	char why[100];
	int status;
	pid_t pid;

	atomic_store(&sh->next, c->first);
	tell_progress(c, sh, 0);
	for (unsigned i = 0; i < jobs; i++)
		start(c, sh, &sh->slots[i]);
	while (running > 0 && (pid = wait(&status)) != -1) {
		slot = slot_of(sh, jobs, pid);
		if (slot == NULL)
			continue;
		tell_progress(c, sh, jobs);
		seed = atomic_exchange(&slot->seed, 0);
		if (seed != 0) {
			why_died(status, why, sizeof(why));
			failed(c, sh, slot, seed, why);
			slot->totals.seeds++;
		}
		if (!atomic_load(&sh->stop) &&
		    atomic_load(&sh->next) < c->first + c->seeds)
			start(c, sh, slot);
		else
			running--;
	}
	memset(t, 0, sizeof(*t));
	for (unsigned i = 0; i < jobs; i++)
		add(t, &sh->slots[i].totals);
	seed = atomic_load(&sh->first_failed);
	munmap(sh, sizeof(*sh));
	return (seed);
}

bool
campaign_fails(const struct world_options *o, char *why, size_t n,
    struct world_result *result)
{
	struct world_result *r = share(sizeof(*r));
	bool fails;
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == -1)
		err(EX_OSERR, "fork");
	if (pid == 0) {
		limit(true);
		_exit(world_run(o, r) == -1 ? 1 : 0);
	}
	if (waitpid(pid, &status, 0) == -1)
		err(EX_OSERR, "wait");
	fails = status != 0;
	if (fails && r->why[0] != '\0')
		snprintf(why, n, "%s", r->why);
	else if (fails)
		why_died(status, why, n);
	if (result != NULL)
		*result = *r;
	munmap(r, sizeof(*r));
	return (fails);
}
