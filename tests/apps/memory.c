/*
 * What a program pays for being monitored, as it sees it itself.
 *
 *	memory threads N EVENTS		EVENTS on each of N threads, each some
 *					hundred when those before are taken
 *	memory late N EVENTS		the same in a tight loop, once a line
 *					has come; `attached' says when it may
 *	memory names N FORKS		N names, then FORKS children with a few
 *	memory current | future [KB]	mlockall(2), with that limit
 *
 * It waits until it is attached, unless ORRERY is off, and prints lines of
 * /proc/self/status, in KB.
 */
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <err.h>
#include <linux/capability.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "probe.h"

/* Of a ring's first 1024. */
#define UNTAKEN 500

static pthread_barrier_t all_done;
static bool waits = true; /* for events to be taken */

static void
status(void)
{
	static const char *const wanted[] = { "VmSize:", "VmLck:", "VmHWM:",
		"RssAnon:", "RssShmem:" };
	char line[256];
	FILE *f = fopen("/proc/self/status", "r");

	while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
		for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
			if (strncmp(line, wanted[i], strlen(wanted[i])) == 0)
				fputs(line, stdout);
		}
	}
	if (f != NULL)
		fclose(f);
	fflush(stdout);
}

static void
nap_us(long us)
{
	nanosleep(&(struct timespec){ .tv_nsec = us * 1000 }, NULL);
}

static void
wait_until_attached(void)
{
	const char *s = getenv("ORRERY");

	if (s != NULL && strcmp(s, "off") == 0)
		return;
	for (int i = 0; i < 20000 && !probe_attached(); i++) {
		probe_note(0, 0);
		nap_us(1000);
	}
	if (!probe_attached())
		errx(1, "not attached");
}

static void *
publish(void *events)
{
	int n = *(int *)events;

	for (int i = 0; i < n; i++) {
		probe_note(PROBE_NAME("memory"), i);
		if (waits && i % UNTAKEN == UNTAKEN - 1 &&
		    !probe_flush(60000) && probe_attached())
			errx(1, "nobody takes the events");
	}
	pthread_barrier_wait(&all_done);
	pthread_barrier_wait(&all_done);
	return (NULL);
}

static void
threads(int n, int events)
{
	pthread_t t[512];

	pthread_barrier_init(&all_done, NULL, (unsigned)n + 1);
	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, publish, &events);
	pthread_barrier_wait(&all_done);
	status();
	pthread_barrier_wait(&all_done);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
}

static void
names(int n, int forks)
{
	char text[32];
	int refused = 0, code, bad = 0;

	for (int i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "object-%d", i);
		refused += probe_name(text) == 0;
	}
	printf("refused: %d\n", refused);
	status();
	for (int i = 0; i < forks; i++) {
		if (fork() != 0)
			continue;
		/* one of the parent's, and one of its own */
		snprintf(text, sizeof(text), "object-%d", i);
		probe_note(probe_name(text), i);
		snprintf(text, sizeof(text), "child-%d", i);
		probe_note(probe_name(text), i);
		_exit(0);
	}
	while (wait(&code) > 0)
		bad += code != 0;
	if (bad > 0)
		errx(1, "%d children", bad);
}

/* For root, limits do not hold. */
static void
limit_locked(rlim_t kb)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct caps[2] = { { 0 } };
	struct rlimit limit = { kb * 1024, kb * 1024 };

	if (setrlimit(RLIMIT_MEMLOCK, &limit) == -1 ||
	    syscall(SYS_capset, &head, caps) == -1)
		err(1, "limit");
}

static void
lock(const char *what, const char *kb)
{
	int flags = strcmp(what, "future") == 0 ? MCL_FUTURE : MCL_CURRENT;

	if (kb != NULL)
		limit_locked((rlim_t)strtoul(kb, NULL, 10));
	if (flags == MCL_CURRENT)
		wait_until_attached();
	probe_note(PROBE_NAME("memory"), 1);
	if (mlockall(flags) == -1)
		err(1, "mlockall");
	wait_until_attached();
	probe_note(PROBE_NAME("memory"), 2);
	status();
}

int
main(int argc, char **argv)
{
	if (argc < 2)
		return (64);
	if (strcmp(argv[1], "current") == 0 || strcmp(argv[1], "future") == 0) {
		lock(argv[1], argc > 2 ? argv[2] : NULL);
		return (0);
	}
	if (argc < 4)
		return (64);
	wait_until_attached();
	if (strcmp(argv[1], "late") == 0) {
		puts("attached");
		fflush(stdout);
		waits = false;
		while (getchar() != '\n' && !feof(stdin))
			continue;
	}
	if (strcmp(argv[1], "names") != 0)
		threads(atoi(argv[2]), atoi(argv[3]));
	else
		names(atoi(argv[2]), atoi(argv[3]));
	return (0);
}
