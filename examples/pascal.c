/*
 * Pascal's triangle as a task program.
 *
 * Every procedure call is a task that any processing element (PE, a worker
 * thread) may run.  A PE works depth first on its own tasks and steals the
 * oldest one of another PE when it has none.  The numbers are futures: a task
 * that needs one which is not there yet is suspended, and goes on, perhaps on
 * another PE, once the last digit has been set.  So the rows advance as a
 * wavefront: row k needs the numbers of row k - 1.
 *
 * Only the left half of a row is computed; at the end the last row is filled
 * out by its mirror image.  Numbers have digits of radix 10^5.
 *
 *	go		makeRows(1)
 *	makeRows(k)	makeRow(k,0) and makeRows(k+1); at the end fillout
 *	makeRow(k,j)	bigPlus(k,j) and makeRow(k,j+1)
 *	bigPlus(k,j)	C(k+1,j+1) = C(k,j) + C(k,j+1), by bigp(0)
 *	bigp(i)		digit i: setc, and bigp(i+1) with the carry
 *	fillout		rev2 and append(0); rev2: rev3(0)
 *	rev3, append	one step along the row each
 *
 * N = 35 makes 2,235 tasks on 57 levels.
 */
#include <sys/queue.h>

#include <err.h>
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

#include "arguments.h"
#include "probe.h"

#define RADIX      100000
#define N_MAX      1000
#define PES_MAX    64
#define DIGITS_MAX (N_MAX / 16 + 2)

struct task {
	TAILQ_ENTRY(task) entry;
	uint64_t id;
	const struct procedure *procedure;
	int k, j, i;
	uint32_t value; /* carry of bigp, digit of setc */
	int have;       /* operands that bigPlus has seen */
	bool begun;
};
TAILQ_HEAD(tasks, task);

/* A future: C(n,k), set digit by digit. */
struct number {
	pthread_mutex_t lock;
	uint64_t id; /* 0: was there from the beginning */
	int missing; /* digits; 0: it is there */
	uint32_t *digit;
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

/* Returns false when the task was suspended and has to be run again. */
typedef bool procedure_run(struct pe *, struct task *);
static procedure_run go, make_rows, make_row, big_plus, bigp, setc, fillout,
    rev2, rev3, append;

enum {
	GO,
	MAKE_ROWS,
	MAKE_ROW,
	BIG_PLUS,
	BIGP,
	SETC,
	FILLOUT,
	REV2,
	REV3,
	APPEND,
	PROCEDURES
};
static struct procedure {
	const char *name;
	procedure_run *run;
	uint32_t probe; /* its name, for the probe */
} procedures[PROCEDURES] = {
	[GO] = { "go", go, 0 },
	[MAKE_ROWS] = { "makeRows", make_rows, 0 },
	[MAKE_ROW] = { "makeRow", make_row, 0 },
	[BIG_PLUS] = { "bigPlus", big_plus, 0 },
	[BIGP] = { "bigp", bigp, 0 },
	[SETC] = { "setc", setc, 0 },
	[FILLOUT] = { "fillout", fillout, 0 },
	[REV2] = { "rev2", rev2, 0 },
	[REV3] = { "rev3", rev3, 0 },
	[APPEND] = { "append", append, 0 },
};

static int n = 35, digits, npes = 5;
static long spin = 20000;
static double pace_ms = 6;
static struct pe pes[PES_MAX];
static struct number *triangle; /* rows 0..n, n / 2 + 1 numbers each */
static const uint32_t **row;    /* the answer: n + 1 numbers */
static atomic_llong unfinished; /* tasks spawned and not yet done */

/* C(m,j), whose mirror image is C(m,m-j). */
static struct number *
number_at(int m, int j)
{
	if (j > m / 2)
		j = m - j;
	return (&triangle[m * (n / 2 + 1) + j]);
}

/* Makes a child of the running task, or the root. */
static void
spawn(struct pe *pe, int procedure, int k, int j, int i, uint32_t value)
{
	struct task *t;

	if ((t = calloc(1, sizeof(*t))) == NULL)
		err(EX_OSERR, "task");
	t->id = probe_id();
	t->procedure = &procedures[procedure];
	t->k = k;
	t->j = j;
	t->i = i;
	t->value = value;
	atomic_fetch_add(&unfinished, 1);
	probe_task_spawn(t->id, pe->running == NULL ? 0 : pe->running->id,
	    t->procedure->probe);
	TAILQ_INSERT_TAIL(&pe->spawned, t, entry);
}

/* Is it there?  If not, the task is suspended until it is. */
static bool
await(struct pe *pe, struct task *t, struct number *x)
{
	bool there;

	pthread_mutex_lock(&x->lock);
	there = x->missing == 0;
	if (there) {
		if (x->id != 0)
			probe_future_get(x->id, t->id);
	} else {
		probe_task_suspend(t->id, x->id);
		TAILQ_INSERT_TAIL(&x->waiting, t, entry);
		pe->suspended++;
	}
	pthread_mutex_unlock(&x->lock);
	return (there);
}

/* Sets one digit; the last one makes the tasks that wait ready again. */
static void
set_digit(struct pe *pe, struct number *x, int i, uint32_t value)
{
	struct tasks woken = TAILQ_HEAD_INITIALIZER(woken);

	x->digit[i] = value;
	pthread_mutex_lock(&x->lock);
	if (--x->missing == 0) {
		probe_future_set(x->id, pe->running->id);
		TAILQ_CONCAT(&woken, &x->waiting, entry);
	}
	pthread_mutex_unlock(&x->lock);
	pthread_mutex_lock(&pe->lock);
	TAILQ_CONCAT(&pe->ready, &woken, entry);
	pthread_mutex_unlock(&pe->lock);
}

/* The procedures. */

static bool
go(struct pe *pe, struct task *t)
{
	(void)t;
	spawn(pe, MAKE_ROWS, 1, 0, 0, 0);
	return (true);
}

static bool
make_rows(struct pe *pe, struct task *t)
{
	if (t->k < n) {
		spawn(pe, MAKE_ROW, t->k, 0, 0, 0);
		spawn(pe, MAKE_ROWS, t->k + 1, 0, 0, 0);
	} else {
		spawn(pe, FILLOUT, 0, 0, 0, 0);
	}
	return (true);
}

static bool
make_row(struct pe *pe, struct task *t)
{
	int sums = (t->k + 1) / 2;

	if (t->j == sums)
		return (true);
	spawn(pe, BIG_PLUS, t->k, t->j, 0, 0);
	if (t->k % 2 == 0 || t->j < sums - 1)
		spawn(pe, MAKE_ROW, t->k, t->j + 1, 0, 0);
	return (true);
}

static bool
big_plus(struct pe *pe, struct task *t)
{
	for (; t->have < 2; t->have++)
		if (!await(pe, t, number_at(t->k, t->j + t->have)))
			return (false);
	spawn(pe, BIGP, t->k, t->j, 0, 0);
	return (true);
}

static bool
bigp(struct pe *pe, struct task *t)
{
	uint32_t sum;

	if (t->i == digits)
		return (true);
	sum = number_at(t->k, t->j)->digit[t->i] +
	      number_at(t->k, t->j + 1)->digit[t->i] + t->value;
	spawn(pe, SETC, t->k, t->j, t->i, sum % RADIX);
	spawn(pe, BIGP, t->k, t->j, t->i + 1, sum / RADIX);
	return (true);
}

static bool
setc(struct pe *pe, struct task *t)
{
	set_digit(pe, number_at(t->k + 1, t->j + 1), t->i, t->value);
	return (true);
}

static bool
fillout(struct pe *pe, struct task *t)
{
	(void)t;
	spawn(pe, REV2, 0, 0, 0, 0);
	spawn(pe, APPEND, 0, 0, 0, 0);
	return (true);
}

static bool
rev2(struct pe *pe, struct task *t)
{
	(void)t;
	spawn(pe, REV3, 0, 0, 0, 0);
	return (true);
}

/* The right half, from its end. */
static bool
rev3(struct pe *pe, struct task *t)
{
	if (t->i > n / 2)
		return (true);
	if (!await(pe, t, number_at(n, t->i)))
		return (false);
	if (t->i < n - t->i)
		row[n - t->i] = number_at(n, t->i)->digit;
	spawn(pe, REV3, 0, 0, t->i + 1, 0);
	return (true);
}

/* The left half, from its beginning. */
static bool
append(struct pe *pe, struct task *t)
{
	if (t->i > n / 2)
		return (true);
	if (!await(pe, t, number_at(n, t->i)))
		return (false);
	row[t->i] = number_at(n, t->i)->digit;
	spawn(pe, APPEND, 0, 0, t->i + 1, 0);
	return (true);
}

/* The processing elements. */

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

/* The same row without tasks, to compare with; sets digits. */
static uint32_t (*expected_row(void))[DIGITS_MAX]
{
	static uint32_t c[N_MAX + 1][DIGITS_MAX];
	uint32_t sum, carry;

	c[0][0] = 1;
	for (int m = 1; m <= n; m++)
		for (int j = m; j > 0; j--) {
			carry = 0;
			for (int d = 0; d < DIGITS_MAX; d++) {
				sum = c[j][d] + c[j - 1][d] + carry;
				c[j][d] = sum % RADIX;
				carry = sum / RADIX;
			}
		}
	for (digits = DIGITS_MAX; digits > 2; digits--)
		if (c[n / 2][digits - 1] != 0)
			break;
	return (c);
}

static void
print_number(const uint32_t *digit)
{
	int d = digits - 1;

	while (d > 0 && digit[d] == 0)
		d--;
	printf("%u", digit[d]);
	while (d-- > 0)
		printf("%05u", digit[d]);
}

static void
triangle_new(void)
{
	size_t numbers = (size_t)(n + 1) * (size_t)(n / 2 + 1);
	struct number *x;

	triangle = calloc(numbers, sizeof(*triangle));
	row = calloc((size_t)n + 1, sizeof(*row));
	if (triangle == NULL || row == NULL)
		err(EX_OSERR, "triangle");
	for (size_t i = 0; i < numbers; i++) {
		x = &triangle[i];
		x->id = probe_id();
		x->missing = digits;
		x->digit = calloc((size_t)digits, sizeof(*x->digit));
		if (x->digit == NULL)
			err(EX_OSERR, "triangle");
		pthread_mutex_init(&x->lock, NULL);
		TAILQ_INIT(&x->waiting);
	}
	for (int m = 0; m <= n; m++) { /* the edge is all ones */
		number_at(m, 0)->id = 0;
		number_at(m, 0)->missing = 0;
		number_at(m, 0)->digit[0] = 1;
	}
}

static void
run_all(void)
{
	struct pe *pe;

	for (pe = pes; pe < pes + npes; pe++) {
		pe->number = (int)(pe - pes);
		pthread_mutex_init(&pe->lock, NULL);
		TAILQ_INIT(&pe->ready);
		TAILQ_INIT(&pe->spawned);
	}
	spawn(&pes[0], GO, 0, 0, 0, 0);
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

/* Prints the row and who made it; 0 if it is right. */
static int
report(uint32_t (*expected)[DIGITS_MAX])
{
	uint64_t tasks = 0, suspended = 0, stolen = 0;
	int wrong = 0;

	printf("row %d:", n);
	for (int j = 0; j <= n; j++) {
		putchar(' ');
		print_number(row[j]);
		wrong += memcmp(row[j], expected[j],
			     (size_t)digits * sizeof(**expected)) != 0;
	}
	printf("\ntasks by PE:");
	for (const struct pe *pe = pes; pe < pes + npes; pe++) {
		printf(" %" PRIu64, pe->ran);
		tasks += pe->ran;
		suspended += pe->suspended;
		stolen += pe->stolen;
	}
	printf("\ntasks %" PRIu64 ", suspended %" PRIu64 ", stolen %" PRIu64
	       "\n",
	    tasks, suspended, stolen);
	if (wrong != 0)
		warnx("%d numbers of the row are wrong", wrong);
	return (wrong);
}

static _Noreturn void
usage(FILE *to, int code)
{
	fprintf(to,
	    "usage: pascal [--pes P] [--spin ITER] [--pace MS] [N]\n"
	    "Computes row N (35) of Pascal's triangle with P (5) PEs.\n"
	    "  --pes P      processing elements, 1 to %d\n"
	    "  --spin ITER  turns of a loop in every task (20000)\n"
	    "  --pace MS    pause in every task (6); 0: none\n",
	    PES_MAX);
	exit(code);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "pes", required_argument, NULL, 'p' },
		{ "spin", required_argument, NULL, 's' },
		{ "pace", required_argument, NULL, 'm' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	uint32_t(*expected)[DIGITS_MAX];
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
		case 'h':
			usage(stdout, 0);
		default:
			usage(stderr, EX_USAGE);
		}
	if (optind < argc)
		n = (int)number_arg("N", argv[optind++], 1, N_MAX);
	if (optind < argc)
		usage(stderr, EX_USAGE);
	for (c = 0; c < PROCEDURES; c++)
		procedures[c].probe = probe_name(procedures[c].name);
	expected = expected_row();
	triangle_new();
	run_all();
	return (report(expected) == 0 ? 0 : EX_SOFTWARE);
}
