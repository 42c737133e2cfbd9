/*
 * Tasks for the examples.  Every procedure call is a task that any processing
 * element (PE, a worker thread) may run.  A PE works depth first on its own
 * tasks and steals the oldest one of another PE when it has none.
 *
 * Results are futures: a task that needs one which is not there yet is
 * suspended, and is run again, perhaps on another PE, once it is.
 */
#ifndef EXAMPLES_TASKS_H
#define EXAMPLES_TASKS_H

#include <sys/queue.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define PES_MAX 64

struct pe;
struct task;
/* Returns false when the task was suspended and has to be run again. */
typedef bool procedure_run(struct pe *, struct task *);
struct procedure {
	const char *name;
	procedure_run *run;
	uint32_t probe; /* its name, for the probe */
};

struct task {
	TAILQ_ENTRY(task) entry;
	uint64_t id;
	const struct procedure *procedure;
	bool begun;
	/* arguments, and how far it came before it was suspended */
	int k, j, i;
	uint32_t value;
	int have;
	void *what;
};
TAILQ_HEAD(tasks, task);

/* There when nothing of it is missing any more. */
struct future {
	pthread_mutex_t lock;
	uint64_t id; /* 0: was there from the beginning */
	int missing;
	struct tasks waiting;
};

struct pe {
	int number;
	pthread_t thread;
	uint64_t creation; /* id of the thread */
	pthread_mutex_t lock;
	struct tasks ready;   /* newest first */
	struct tasks spawned; /* by the task that runs now, oldest first */
	struct task *running;
	uint64_t ran, suspended, stolen;
};

/* Set before tasks_run(). */
extern int npes;
extern long spin;      /* turns of a loop in every task */
extern double pace_ms; /* pause in every task; 0: none */

/* Makes a child of the running task; its arguments are 0 but for `of`. */
void spawn(struct pe *, const struct procedure *, struct task of);

/* missing 0: it is there from the beginning. */
void future_init(struct future *, int missing);
/* Is it there?  If not, the task is suspended until it is. */
bool await(struct pe *, struct task *, struct future *);
/* One less is missing; the last one makes the tasks that wait ready again. */
void future_set(struct pe *, struct future *);

/* Runs the root and all that comes of it on npes threads. */
void tasks_run(struct procedure *, int procedures, const struct procedure *);
/* Prints how many tasks each PE ran, and the sums; returns how many. */
uint64_t tasks_report(void);

/*
 * The options --pes, --spin and --pace, with --help; usage ends the program.
 * Returns how many of argv are used.
 */
int tasks_options(int argc, char **argv, void (*usage)(int code));
#define TASKS_USAGE                                                            \
	"  --pes P      processing elements, 1 to 64 (%d)\n"                   \
	"  --spin ITER  turns of a loop in every task (%ld)\n"                 \
	"  --pace MS    pause in every task (%g); 0: none\n",                  \
	    npes, spin, pace_ms

#endif
