/*
 * What a library could have changed of its process.
 */
#include "harm.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "probe_mutex.h"

void
say(const char *format, ...)
{
	char line[512];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(line, sizeof(line) - 1, format, ap);
	va_end(ap);
	line[n++] = '\n';
	if (write(REPORT_FD, line, (size_t)n) != n)
		_exit(125);
}

static void
say_descriptors(void)
{
	char line[256] = "descriptors";
	size_t n = strlen(line);

	for (int fd = 0; fd < 256; fd++) {
		int flags = fcntl(fd, F_GETFD);

		if (flags != -1 && n < sizeof(line) - 8)
			n += (size_t)snprintf(line + n, sizeof(line) - n,
			    " %d%s", fd, flags & FD_CLOEXEC ? "c" : "");
	}
	say("%s", line);
}

static void
say_signals(void)
{
	sigset_t blocked, pending;
	struct sigaction sa;

	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	sigpending(&pending);
	for (int i = 1; i < NSIG; i++) {
		bool in = sigismember(&blocked, i) == 1;
		bool waits = sigismember(&pending, i) == 1;

		if (in || waits)
			say("signal %d%s%s", i, in ? " blocked" : "",
			    waits ? " pending" : "");
		if (sigaction(i, NULL, &sa) == 0 && sa.sa_handler != SIG_DFL)
			say("signal %d is %s", i,
			    sa.sa_handler == SIG_IGN ? "ignored" : "handled");
	}
}

static unsigned
threads(void)
{
	DIR *d = opendir("/proc/self/task");
	unsigned n = 0;

	while (d != NULL && readdir(d) != NULL)
		n++;
	if (d != NULL)
		closedir(d);
	return (n - 2);
}

static double
now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return ((double)t.tv_sec + (double)t.tv_nsec / 1e9);
}

/*
 * Those that stay.  One that was joined may be on its way out for a while yet,
 * on a busy machine; it is not slept for, since a situation may forbid that.
 */
static unsigned
threads_that_stay(void)
{
	double until = now_s() + 2;
	unsigned n = threads();

	while (n > 1 && now_s() < until)
		n = threads();
	return (n);
}

static void
say_prctls(void)
{
	char name[16] = "";

	prctl(PR_GET_NAME, name);
	say("name %s dumpable %d no-new-privs %d subreaper-kept", name,
	    prctl(PR_GET_DUMPABLE), prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
}

void
say_facts(void)
{
	struct itimerval timer = { 0 };
	mode_t mask = umask(0);
	int saved_errno = errno;

	umask(mask);
	say_descriptors();
	say_signals();
	say_prctls();
	getitimer(ITIMER_REAL, &timer);
	say("threads %u timer %ld umask %o locale %s rounding %d exceptions %d",
	    threads_that_stay(), (long)timer.it_interval.tv_usec,
	    (unsigned)mask, setlocale(LC_ALL, NULL), fegetround(),
	    fetestexcept(FE_ALL_EXCEPT));
	if (waitpid(-1, NULL, WNOHANG | __WALL) != -1 || errno != ECHILD)
		say("there are children");
	errno = saved_errno;
}

static void
nested(int depth)
{
	PROBE_SCOPE();
	probe_note(PROBE_NAME_HERE("nested"), depth);
	if (depth > 0)
		nested(depth - 1);
}

void
work_in_handler(void)
{
	static int made;
	char text[32];
	uint64_t id;

	errno = 1234;
	id = probe_id();
	snprintf(text, sizeof(text), "w%d",
	    __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED) % 2000);
	errno = 1234;
	probe_task_spawn(id, 0, probe_name(text));
	probe_send(probe_message_id(), 10, 1);
	nested(3);
	(void)probe_attached();
	(void)probe_enabled(PROBE_CLASS_note);
	if (errno != 1234)
		say("errno has become %d", errno);
}

void
work(int n)
{
	static struct probe_mutex mutex = PROBE_MUTEX_INITIALIZER;

	for (int i = 0; i < n; i++) {
		work_in_handler();
		probe_mutex_lock(&mutex);
		probe_mutex_unlock(&mutex);
	}
}

static void *
thread(void *arg)
{
	probe_thread_begin((uint64_t)(uintptr_t)arg, PROBE_NAME("thread"));
	work(20);
	return (arg);
}

void
work_in_thread(void)
{
	static int own;
	void *out = NULL;
	pthread_t t;
	int error = pthread_create(&t, NULL, thread, &own);

	if (error != 0) {
		say("no thread: %d", error);
		return;
	}
	pthread_join(t, &out);
	say("the thread has returned%s", out == &own ? "" : " something else");
}

void
say_end(int pid)
{
	int status = 0;

	if (waitpid(pid, &status, 0) != pid)
		say("no child: %d", errno);
	else if (WIFSIGNALED(status))
		say("a child: signal %d", WTERMSIG(status));
	else
		say("a child: code %d", WEXITSTATUS(status));
}

void
work_in_child(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		alarm(50);
		work(20);
		_exit(7);
	}
	if (pid == -1)
		say("no child: %d", errno);
	else
		say_end(pid);
}
