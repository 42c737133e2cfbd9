/* See tasks.h. */
#include "tasks.h"

#include <err.h>
#include <getopt.h>
#include <inttypes.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>
#include <time.h>

#include "arguments.h"
#include "probe.h"

int npes = 5;
long spin = 20000;
double pace_ms = 6;

static struct pe pes[PES_MAX];
static atomic_llong unfinished; /* tasks spawned and not yet done */

void
spawn(struct pe *pe, const struct procedure *procedure, struct task of)
{
	struct task *t;

	if ((t = malloc(sizeof(*t))) == NULL)
		err(EX_OSERR, "task");
	*t = of;
	t->id = probe_id();
	t->procedure = procedure;
	atomic_fetch_add(&unfinished, 1);
	probe_task_spawn(t->id, pe->running == NULL ? 0 : pe->running->id,
	    t->procedure->probe);
	TAILQ_INSERT_TAIL(&pe->spawned, t, entry);
}

void
future_init(struct future *f, int missing)
{
	pthread_mutex_init(&f->lock, NULL);
	f->id = missing == 0 ? 0 : probe_id();
	f->missing = missing;
	TAILQ_INIT(&f->waiting);
}

bool
await(struct pe *pe, struct task *t, struct future *f)
{
	bool there;

	pthread_mutex_lock(&f->lock);
	there = f->missing == 0;
	if (there) {
		if (f->id != 0)
			probe_future_get(f->id, t->id);
	} else {
		probe_task_suspend(t->id, f->id);
		TAILQ_INSERT_TAIL(&f->waiting, t, entry);
		pe->suspended++;
	}
	pthread_mutex_unlock(&f->lock);
	return (there);
}

void
future_set(struct pe *pe, struct future *f)
{
	struct tasks woken = TAILQ_HEAD_INITIALIZER(woken);

	pthread_mutex_lock(&f->lock);
	if (--f->missing == 0) {
		probe_future_set(f->id, pe->running->id);
		TAILQ_CONCAT(&woken, &f->waiting, entry);
	}
	pthread_mutex_unlock(&f->lock);
	pthread_mutex_lock(&pe->lock);
	TAILQ_CONCAT(&pe->ready, &woken, entry);
	pthread_mutex_unlock(&pe->lock);
}

static struct task *
take(struct pe *from, bool oldest)
{
	struct task *t;

	pthread_mutex_lock(&from->lock);
	t = oldest ? TAILQ_LAST(&from->ready, tasks)
		   : TAILQ_FIRST(&from->ready);
	if (t != NULL)
		TAILQ_REMOVE(&from->ready, t, entry);
	pthread_mutex_unlock(&from->lock);
	return (t);
}

static struct task *
steal(struct pe *thief)
{
	struct task *t;

	for (int i = 1; i < npes; i++) {
		t = take(&pes[(thief->number + i) % npes], true);
		if (t != NULL) {
			thief->stolen++;
			return (t);
		}
	}
	return (NULL);
}

/* What a task costs besides its additions: computing, then waiting. */
static void
work(void)
{
	int64_t ns = (int64_t)(pace_ms * 1e6);
	struct timespec pace = { ns / 1000000000, ns % 1000000000 };

	for (volatile long i = 0; i < spin; i++)
		;
	if (pace_ms > 0)
		nanosleep(&pace, NULL);
	else
		sched_yield(); /* more PEs than processors: let each have some
				*/
}

static void
run(struct pe *pe, struct task *t)
{
	struct task *child;
	bool done;

	if (t->begun)
		probe_task_resume(t->id, (uint64_t)pe->number,
		    t->procedure->probe);
	else
		probe_task_begin(t->id, (uint64_t)pe->number,
		    t->procedure->probe);
	if (!t->begun) {
		pe->ran++;
		work();
	}
	t->begun = true;
	pe->running = t;
	done = t->procedure->run(pe, t);
	pe->running = NULL;
	if (!done)
		return; /* and perhaps running elsewhere already */
	/* the first child is the next task of this PE */
	pthread_mutex_lock(&pe->lock);
	while ((child = TAILQ_LAST(&pe->spawned, tasks)) != NULL) {
		TAILQ_REMOVE(&pe->spawned, child, entry);
		TAILQ_INSERT_HEAD(&pe->ready, child, entry);
	}
	pthread_mutex_unlock(&pe->lock);
	probe_task_end(t->id);
	free(t);
	atomic_fetch_sub(&unfinished, 1);
}

static void *
pe_main(void *arg)
{
	struct pe *pe = arg;
	struct timespec nap = { 0, 50000 };
	struct task *t;
	char name[16];

	snprintf(name, sizeof(name), "PE %d", pe->number);
	probe_thread_name(name);
	probe_thread_begin(pe->creation, PROBE_NAME("PE"));
	while (atomic_load(&unfinished) > 0) {
		t = take(pe, false);
		if (t == NULL)
			t = steal(pe);
		if (t != NULL)
			run(pe, t);
		else
			nanosleep(&nap, NULL);
	}
	return (NULL);
}

void
tasks_run(struct procedure *procedures, int n, const struct procedure *root)
{
	struct pe *pe;

	for (int i = 0; i < n; i++)
		procedures[i].probe = probe_name(procedures[i].name);
	for (pe = pes; pe < pes + npes; pe++) {
		pe->number = (int)(pe - pes);
		pthread_mutex_init(&pe->lock, NULL);
		TAILQ_INIT(&pe->ready);
		TAILQ_INIT(&pe->spawned);
	}
	spawn(&pes[0], root, (struct task){ 0 });
	TAILQ_CONCAT(&pes[0].ready, &pes[0].spawned, entry);
	for (pe = pes; pe < pes + npes; pe++) {
		pe->creation = probe_thread_create(PROBE_NAME("PE"));
		if (pthread_create(&pe->thread, NULL, pe_main, pe) != 0)
			errx(EX_OSERR, "cannot start a thread");
	}
	for (pe = pes; pe < pes + npes; pe++) {
		probe_thread_wait(pe->creation);
		pthread_join(pe->thread, NULL);
		probe_thread_join(pe->creation);
	}
}

uint64_t
tasks_report(void)
{
	uint64_t tasks = 0, suspended = 0, stolen = 0;

	printf("tasks by PE:");
	for (const struct pe *pe = pes; pe < pes + npes; pe++) {
		printf(" %" PRIu64, pe->ran);
		tasks += pe->ran;
		suspended += pe->suspended;
		stolen += pe->stolen;
	}
	printf("\ntasks %" PRIu64 ", suspended %" PRIu64 ", stolen %" PRIu64
	       "\n",
	    tasks, suspended, stolen);
	return (tasks);
}

int
tasks_options(int argc, char **argv, void (*usage)(int code))
{
	static const struct option options[] = {
		{ "pes", required_argument, NULL, 'p' },
		{ "spin", required_argument, NULL, 's' },
		{ "pace", required_argument, NULL, 'm' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
		switch (c) {
		case 'p':
			npes = (int)number_arg("--pes", optarg, 1, PES_MAX);
			break;
		case 's':
			spin = (long)number_arg("--spin", optarg, 0, 1e9);
			break;
		case 'm':
			pace_ms = number_arg("--pace", optarg, 0, 10000);
			break;
		default:
			usage(c == 'h' ? 0 : EX_USAGE);
		}
	return (optind);
}
