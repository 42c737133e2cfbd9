/*
 * Does what it is told, line by line on standard input, and says "done" behind
 * each: tests/system/choose.sh counts what of it is recorded.
 *
 *	go N		N times some of each class, by one thread
 *	together N	the same by two threads called left and right
 *	mute, unmute	of this thread; mute CLASS, unmute CLASS
 *	stop, start	of the process
 *	open, shut	a function that stays open
 *	wait, woke	for a lock
 *	fork N		a child goes N times
 *	flush		"done" when all is out of our hands
 */
#include <sys/wait.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe.h"

static long wanted;

static void
some(long n)
{
	for (long i = 0; i < n; i++) {
		uint64_t id = probe_id();

		probe_enter(NULL, PROBE_NAME("db_query"));
		probe_enter(NULL, PROBE_NAME("ui_draw"));
		probe_leave(NULL, PROBE_NAME("ui_draw"));
		probe_leave(NULL, PROBE_NAME("db_query"));
		probe_lock_wait(id, PROBE_NAME("db_lock"));
		probe_lock_acquire(id, 0, PROBE_NAME("db_lock"));
		probe_lock_release(id, 0, PROBE_NAME("db_lock"));
		probe_lock_acquire(id, 0, PROBE_NAME("log_lock"));
		probe_lock_release(id, 0, PROBE_NAME("log_lock"));
		probe_mem_alloc(&id, 10, 0);
		probe_mem_free(&id, 0);
		probe_phase_begin(PROBE_NAME("phase"));
		probe_phase_end(PROBE_NAME("phase"), 1);
		probe_note(PROBE_NAME("note"), i);
	}
}

static void *
thread(void *name)
{
	probe_thread_name(name);
	some(wanted);
	return (NULL);
}

static void
together(long n)
{
	pthread_t t[2];

	wanted = n;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, thread,
		    (char *)(i == 0 ? "left" : "right"));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}

static void
forked(long n)
{
	pid_t pid = fork();

	if (pid == 0) {
		some(n);
		exit(0);
	}
	waitpid(pid, NULL, 0);
}

static enum probe_class
class_of(const char *name)
{
	return (
	    strcmp(name, "lock") == 0 ? PROBE_CLASS_lock : PROBE_CLASS_call);
}

static int
obey(const char *what, const char *of)
{
	if (strcmp(what, "go") == 0)
		some(atol(of));
	else if (strcmp(what, "together") == 0)
		together(atol(of));
	else if (strcmp(what, "fork") == 0)
		forked(atol(of));
	else if (strcmp(what, "mute") == 0 && *of != '\0')
		probe_mute_class(class_of(of));
	else if (strcmp(what, "mute") == 0)
		probe_mute();
	else if (strcmp(what, "unmute") == 0 && *of != '\0')
		probe_unmute_class(class_of(of));
	else if (strcmp(what, "unmute") == 0)
		probe_unmute();
	else if (strcmp(what, "stop") == 0)
		probe_stop();
	else if (strcmp(what, "start") == 0)
		probe_start();
	else if (strcmp(what, "open") == 0)
		probe_enter(NULL, PROBE_NAME("stays_open"));
	else if (strcmp(what, "shut") == 0)
		probe_leave(NULL, PROBE_NAME("stays_open"));
	else if (strcmp(what, "wait") == 0)
		probe_lock_wait(7, PROBE_NAME("late_lock"));
	else if (strcmp(what, "woke") == 0)
		probe_lock_acquire(7, 0, PROBE_NAME("late_lock"));
	else if (strcmp(what, "flush") == 0)
		return (probe_flush(60000) ? 0 : -1);
	else
		return (-1);
	return (0);
}

int
main(void)
{
	char line[100], what[50], of[50];

	while (fgets(line, sizeof(line), stdin) != NULL) {
		of[0] = what[0] = '\0';
		if (sscanf(line, "%49s %49s", what, of) < 1)
			continue;
		puts(obey(what, of) == 0 ? "done" : "failed");
		fflush(stdout);
	}
	return (0);
}
