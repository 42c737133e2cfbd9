/*
 * What an event costs, beside the least that it could cost: one read of the
 * cycle counter and one store of 32 bytes into memory that has been touched.
 *
 * Both are measured in turn, in bursts that fit a ring, while a collector in
 * another process drains; the figure is the median of many bursts, in thread
 * CPU time.  Prints lines of bench.tsv.
 */
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "probe.h"
#include "tests/unit/libprobe_harness.h"

enum {
	RING = 65536, /* records: 2 MiB */
	BURST = 40000,
	BURSTS = 201,
	STARTS = 60,
};

struct cost {
	double floor_ns[BURSTS], event_ns[BURSTS], ratio[BURSTS];
	double off_ns[BURSTS], clock_ns[BURSTS];
	int cpu;
};

static double
now_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ((double)ts.tv_sec * 1e9 + (double)ts.tv_nsec);
}

static uint64_t
cycles(void)
{
#if defined(__x86_64__)
	return (__builtin_ia32_rdtsc());
#else
	return (probe_clock());
#endif
}

static __attribute__((noinline)) void
store_only(struct probe_record *ring, uint64_t from)
{
	for (uint64_t i = from; i < from + BURST; i++) {
		struct probe_record *r = &ring[i & (RING - 1)];

		r->t_cycles = cycles();
		r->kind_c = PROBE_send;
		r->a = i;
		r->b = 8;
		PROBE_BARRIER();
	}
}

static __attribute__((noinline)) void
events(uint64_t from)
{
	for (uint64_t i = from; i < from + BURST; i++)
		probe_send(i, 8, 0);
}

static __attribute__((noinline)) void
disabled_events(uint64_t from)
{
	for (uint64_t i = from; i < from + BURST; i++)
		probe_mem_alloc((void *)(uintptr_t)i, 8, 0);
}

static __attribute__((noinline)) void
clock_reads(void)
{
	struct timespec ts;

	for (int i = 0; i < BURST; i++)
		clock_gettime(CLOCK_MONOTONIC, &ts);
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x < y ? -1 : x > y);
}

static double
median(double *v)
{
	qsort(v, BURSTS, sizeof(*v), compare);
	return (v[BURSTS / 2]);
}

static pthread_barrier_t together;

static void *
measure(void *arg)
{
	clockid_t cpu = CLOCK_THREAD_CPUTIME_ID;
	struct cost *c = arg;
	struct probe_record *ring =
	    mmap(NULL, RING * sizeof(*ring), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(c->cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	probe_send(0, 0, 0);
	for (int i = -5; i < BURSTS; i++) {
		uint64_t n = (uint64_t)(i + 5) * BURST;
		double t[5];

		pthread_barrier_wait(&together);
		t[0] = now_ns(cpu);
		store_only(ring, n);
		t[1] = now_ns(cpu);
		events(n);
		t[2] = now_ns(cpu);
		disabled_events(n);
		t[3] = now_ns(cpu);
		if (i % 8 == 0)
			clock_reads();
		t[4] = now_ns(cpu);
		if (i >= 0) {
			c->floor_ns[i] = (t[1] - t[0]) / BURST;
			c->event_ns[i] = (t[2] - t[1]) / BURST;
			c->ratio[i] = c->event_ns[i] / c->floor_ns[i];
			c->off_ns[i] = (t[3] - t[2]) / BURST;
			c->clock_ns[i] = i % 8 == 0 ? (t[4] - t[3]) / BURST
						    : c->clock_ns[i - 1];
		}
		/* let the collector take it all */
		nanosleep(&(struct timespec){ .tv_nsec = 1500000 }, NULL);
	}
	munmap(ring, RING * sizeof(*ring));
	return (NULL);
}

/* In a child: one thread, then two. */
static void
measure_all(void)
{
	static struct cost one, two[2];
	pthread_t t;
	double f, e;

	pthread_barrier_init(&together, NULL, 1);
	measure(&one);
	f = median(one.floor_ns);
	e = median(one.event_ns);
	printf("probe: event, one thread\t%.2f\tns\t"
	       "counter read + 32-byte store\t%.2f\t%.3f\n",
	    e, f, median(one.ratio));
	printf("probe: event, one thread, best\t%.2f\tns\t"
	       "counter read + 32-byte store\t%.2f\t%.3f\n",
	    one.event_ns[0], one.floor_ns[0],
	    one.event_ns[0] / one.floor_ns[0]);
	printf("probe: event, disabled\t%.2f\tns\tgoal\t0.50\t%.2f\n",
	    median(one.off_ns), one.off_ns[BURSTS / 2] / 0.5);
	printf("probe: clock_gettime\t%.2f\tns\tevent\t%.2f\t%.2f\n",
	    median(one.clock_ns), e, one.clock_ns[BURSTS / 2] / e);

	two[1].cpu = sysconf(_SC_NPROCESSORS_ONLN) > 1;
	pthread_barrier_init(&together, NULL, 2);
	pthread_create(&t, NULL, measure, &two[1]);
	measure(&two[0]);
	pthread_join(t, NULL);
	for (int i = 0; i < 2; i++)
		printf("probe: event, two threads, %s\t%.2f\tns\t"
		       "counter read + 32-byte store\t%.2f\t%.3f\n",
		    i == 0 ? "first" : "second", median(two[i].event_ns),
		    median(two[i].floor_ns), median(two[i].ratio));
}

/* From here on the kernel kills this process at any system call but exit. */
static void
forbid_system_calls(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]),
		filter };

	/* not the strict mode: it takes the cycle counter away */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		_exit(2);
}

/* In a child: n events, however full the ring may be at times. */
static void
no_system_calls(uint64_t n)
{
	probe_send(0, 0, 0);
	forbid_system_calls();
	for (uint64_t i = 1; i < n; i++)
		probe_send(i, 0, 0);
	syscall(SYS_exit, 0);
}

static void
check_system_calls(struct hub *h)
{
	const uint64_t n = 100000000;
	struct hub_stream *s;
	struct hub_po *p;
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (pid == 0)
		no_system_calls(n);
	waitpid(pid, &status, 0);
	p = hub_po_of_pid(h, pid);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || p == NULL) {
		printf("probe: system calls in 1e8 events\t%s\tcalls\tgoal\t0\t"
		       "\n",
		    WIFSIGNALED(status) ? "1 or more" : "not measured");
		return;
	}
	hub_sweep(h);
	s = p->streams[0];
	printf("probe: system calls in 1e8 events\t0\tcalls\tgoal\t0\t\n");
	/* lost_records and thread_begin are in the ring, too */
	printf("probe: of these stored + lost\t%llu\tevents\tmade\t%llu\t"
	       "%.9f\n",
	    (unsigned long long)(s->n - s->lost_records - 1 + s->lost_total),
	    (unsigned long long)n,
	    (double)(s->n - s->lost_records - 1 + s->lost_total) / (double)n);
	hub_drain(h, true);
}

/* From vfork to the end of a program that does this; wall clock. */
static double
start_us(const char *self, const char *what)
{
	double v[STARTS];

	for (int i = 0; i < STARTS; i++) {
		double from = now_ns(CLOCK_MONOTONIC);
		pid_t pid = vfork();

		if (pid == 0) {
			execl(self, self, what, (char *)NULL);
			_exit(127);
		}
		waitpid(pid, NULL, 0);
		v[i] = (now_ns(CLOCK_MONOTONIC) - from) / 1e3;
	}
	qsort(v, STARTS, sizeof(*v), compare);
	return (v[STARTS / 4]);
}

static void
report_starts(const char *self)
{
	struct hub_options o = { .nrings = 16,
		.ring_records = RING,
		.grows = 3 };
	double off, absent, present, event, silent;
	struct hub *h;

	setenv("ORRERY", "off", 1);
	off = start_us(self, "nothing");
	unsetenv("ORRERY");
	absent = start_us(self, "nothing") - off;
	h = hub_open("bench", &o);
	present = start_us(self, "nothing") - off;
	event = start_us(self, "event") - off;
	hub_close(h, true);
	o.deaf = true;
	h = hub_open("bench", &o);
	silent = start_us(self, "nothing") - off; /* one has waited */
	hub_close(h, true);
	printf("probe: start-up, no collector\t%.0f\tus\tgoal\t200\t%.2f\n",
	    absent, absent / 200);
	printf("probe: start-up, attaching\t%.0f\tus\tgoal\t1000\t%.2f\n",
	    present, present / 1000);
	printf("probe: start-up, attaching, first event\t%.0f\tus\tgoal\t"
	       "1000\t%.2f\n",
	    event, event / 1000);
	printf("probe: start-up, collector stopped\t%.0f\tus\tgoal\t1000\t"
	       "%.2f\n",
	    silent, silent / 1000);
}

int
main(int argc, char **argv)
{
	struct hub_options o = { .nrings = 16,
		.ring_records = RING,
		.grows = 3,
		.mask = 0xfff & ~(1u << PROBE_CLASS_memory),
		.sweep_us = 200,
		.discard = true };
	char self[256] = "";
	struct hub *h;
	pid_t pid;

	if (argc > 1) {
		if (strcmp(argv[1], "event") == 0)
			probe_send(1, 2, 3);
		_exit(0);
	}
	hub_setup(argv);
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) <= 0)
		return (1);
	h = hub_open("bench", &o);
	pid = fork();
	if (pid == 0) {
		measure_all();
		fflush(stdout);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	for (size_t i = 0; i < hub_npos(h); i++) {
		struct hub_po *p = hub_wait_po(h, i);

		for (size_t k = 0; k < p->nstreams; k++) {
			if (p->streams[k]->lost_total > 0)
				printf("probe: lost meanwhile\t%llu\tevents\t"
				       "goal\t0\t\n",
				    (unsigned long long)p->streams[k]
					->lost_total);
		}
	}
	hub_drain(h, true);
	check_system_calls(h);
	hub_close(h, true);
	report_starts(self);
	return (0);
}
