/*
 * A program that knows nothing of Orrery and spoils what we might rely on: it
 * writes over its environment, closes all descriptors and has the numbers used
 * again, forks in a thread, makes a child that has nothing of the environment
 *any more, and ends in a handler.  It prints what it sees;
 *tests/system/spoils.sh runs it with libprobe-auto.so and without.
 *
 *	spoils		all of that
 *	spoils user	becomes another user, has then two threads, and ends
 */
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;

/* As those do that write a title there. */
static void
overwrite_environment(char **argv)
{
	size_t n = strlen(argv[0]);

	for (char **e = environ; *e != NULL; e++)
		memset(*e, 'x', strlen(*e));
	memset(argv[0], 'y', n);
	environ = calloc(1, sizeof(*environ));
	printf("environment: %s, name of %zu\n",
	    getenv("PATH") == NULL ? "none" : "some", n);
}

static void
use_again(void)
{
	int fd, first;

	if (close_range(3, ~0u, 0) != 0)
		exit(2);
	first = open("/dev/null", O_RDWR);
	for (fd = 3; fd < 200; fd++)
		if (dup2(first, fd) != fd)
			exit(3);
	printf("first %d, then %d\n", first, dup(first));
}

static void *
locks(void *unused)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&mutex);
		free(malloc((size_t)(1 + ++shared % 5000)));
		if (i % 50 == 0)
			usleep(100);
		pthread_mutex_unlock(&mutex);
	}
	return (unused);
}

static void
two_threads(void)
{
	pthread_t t[2];

	shared = 0;
	for (int i = 0; i < 2; i++)
		if (pthread_create(&t[i], NULL, locks, NULL) != 0)
			exit(4);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}

/* The child has threads of its own, and descriptors that are not ours. */
static void *
forks(void *unused)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		two_threads();
		exit(shared == 2000 ? 5 : 6);
	}
	if (waitpid(pid, &status, 0) != pid)
		exit(7);
	printf("child %d\n", WEXITSTATUS(status));
	return (unused);
}

static void
handler_cb(int sig)
{
	(void)sig;
	exit(9);
}

/* One by vfork(2) does so, too, and is not told of. */
static int
other_user(void)
{
	int status;
	pid_t pid = vfork();

	if (pid == 0)
		_exit(setuid(65534) == 0 ? 11 : 12);
	if (waitpid(pid, &status, 0) != pid)
		return (7);
	printf("by vfork: %d, still %d\n", WEXITSTATUS(status), (int)geteuid());
	errno = 123;
	if (setresuid(65534, 65534, 65534) != 0 || errno != 123)
		return (10);
	two_threads();
	printf("user %d, shared %d\n", (int)geteuid(), shared);
	return (setuid(0) == -1 && errno == EPERM ? 9 : 11);
}

int
main(int argc, char **argv)
{
	pthread_t t;

	if (argc > 1)
		return (other_user());
	setvbuf(stdout, NULL, _IONBF, 0);
	overwrite_environment(argv);
	use_again();
	two_threads();
	printf("shared %d\n", shared);
	if (pthread_create(&t, NULL, forks, NULL) != 0)
		return (8);
	pthread_join(t, NULL);
	signal(SIGUSR1, handler_cb);
	raise(SIGUSR1);
	return (1);
}
