/* How a program is started, and how it ends. */
#include "harm.h"

#include <sys/prctl.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int
usual(void)
{
	say_facts();
	work(50);
	work_in_thread();
	work_in_child();
	say_facts();
	return (42);
}

static void
close_input(void)
{
	close(0);
}

static void
close_standard(void)
{
	for (int fd = 0; fd < 3; fd++)
		close(fd);
}

/* A descriptor that a program opens next has the number it would have. */
static int
numbers(void)
{
	int fd[3];

	work(3);
	for (int i = 0; i < 3; i++) {
		fd[i] = open("/dev/null", O_RDONLY);
		work(3);
		say("opened %d", fd[i]);
	}
	close(fd[1]);
	work_in_thread();
	say("again %d", open("/dev/null", O_RDONLY));
	say_facts();
	return (0);
}

static void
block_all(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
}

static void
ignore_some(void)
{
	signal(SIGPIPE, SIG_IGN);
	signal(SIGCHLD, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGSYS, SIG_IGN);
}

static void
no_new_privileges(void)
{
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_DUMPABLE, 0);
}

static void
no_directory(void)
{
	if (mkdir("gone", 0700) == -1 || chdir("gone") == -1 ||
	    rmdir("../gone") == -1)
		_exit(124);
}

static void
mask_everything(void)
{
	umask(0777);
}

static void
odd_node(void)
{
	setenv("ORRERY_NODE", "../../etc", 1);
}

static void
long_directory(void)
{
	char path[400];

	memset(path, 'x', sizeof(path));
	path[0] = '/';
	path[sizeof(path) - 1] = '\0';
	setenv("ORRERY_DIR", path, 1);
}

static void
forbidden_directory(void)
{
	setenv("ORRERY_DIR", "/proc/nothing/here", 1);
}

/* What a program has set for itself stays. */
static int
own_settings(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	fesetround(FE_UPWARD);
	feraiseexcept(FE_INEXACT);
	prctl(PR_SET_NAME, "own name");
	umask(027);
	usual();
	return (0);
}

static void
first_word(void)
{
	work(1);
	say("the first to be called last");
}

static void
second_word(void)
{
	work(1);
	say("the second");
}

static int
at_exit(void)
{
	atexit(first_word);
	work(5);
	atexit(second_word);
	exit(5);
}

static int
quick(void)
{
	work(5);
	printf("never seen");
	_exit(6);
}

static int
buffered(void)
{
	printf("in the buffer, ");
	work(5);
	work_in_child();
	printf("and out once\n");
	return (0);
}

static int
chain(void)
{
	const char *left = getenv("HARM_LEFT");
	int n = left == NULL ? 10 : atoi(left);
	char text[16];

	work(3);
	if (n == 0)
		return (9);
	snprintf(text, sizeof(text), "%d", n - 1);
	setenv("HARM_LEFT", text, 1);
	execl("/proc/self/exe", "harm", "run", "exec after exec", (char *)NULL);
	return (1);
}

const struct situation harm_starts[] = {
	{ "nothing special", usual, NULL, 0 },
	{ "standard input closed", usual, close_input, 0 },
	{ "all of stdio closed", usual, close_standard, NOT_WATCHED },
	{ "numbers of descriptors", numbers, NULL, 0 },
	{ "numbers from 0 on", numbers, close_standard, NOT_WATCHED },
	{ "all signals blocked", usual, block_all, 0 },
	{ "signals ignored", usual, ignore_some, 0 },
	{ "no new privileges", usual, no_new_privileges, NOT_WATCHED },
	{ "a removed directory", usual, no_directory, 0 },
	{ "umask 0777", usual, mask_everything, 0 },
	{ "a node by an odd name", usual, odd_node, 0 },
	{ "a directory too long", usual, long_directory, 0 },
	{ "a directory that cannot be", usual, forbidden_directory, 0 },
	{ "settings of its own", own_settings, NULL, 0 },
	{ "words at exit", at_exit, NULL, 0 },
	{ "a quick exit", quick, NULL, 0 },
	{ "buffers and a fork", buffered, NULL, 0 },
	{ "exec after exec", chain, NULL, 0 },
	{ NULL, NULL, NULL, 0 },
};
