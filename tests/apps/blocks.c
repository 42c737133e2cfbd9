/*
 * A program that knows nothing of Orrery, and waits in calls of the system.
 * A helper lets each call go on when the kernel says that its caller is asleep,
 * so that there certainly is a wait; then the same call is made when it need
 * not wait.  The helper asks the kernel directly, so what it does is not seen.
 * Prints what has to be in the log, a line for each name: how many waits.
 * tests/system/blocks.sh runs it with libprobe-auto.so and without.
 *
 *	blocks [rounds]
 */
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static unsigned rounds = 20;
static _Atomic int give = -1, take = -1, ended; /* for the helper to do */
static pid_t caller;
static char buf[1 << 18];
static int pipes[2], pair[2], poller, listener;
static struct sockaddr_un address = { .sun_family = AF_UNIX };
static char path[256];

static void
need(int is_so, const char *what)
{
	if (is_so)
		return;
	fprintf(stderr, "blocks: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int
sleeps(pid_t tid)
{
	char name[64], text[256], *state;
	long n;
	int fd;

	snprintf(name, sizeof(name), "/proc/self/task/%d/stat", (int)tid);
	fd = (int)syscall(SYS_open, name, O_RDONLY);
	n = fd == -1 ? 0 : syscall(SYS_read, fd, text, sizeof(text) - 1);
	syscall(SYS_close, fd);
	text[n > 0 ? n : 0] = '\0';
	state = strrchr(text, ')');
	return (state != NULL && state[2] == 'S');
}

static void *
helper(void *arg)
{
	static char sink[1 << 16];
	int fd;

	while (!ended) {
		if ((give == -1 && take == -1) || !sleeps(caller)) {
			sched_yield();
			continue;
		}
		if ((fd = atomic_exchange(&give, -1)) != -1)
			need(syscall(SYS_write, fd, "x", 1) == 1, "give");
		if ((fd = atomic_exchange(&take, -1)) != -1)
			while (syscall(SYS_recvfrom, fd, sink, sizeof(sink),
				   MSG_DONTWAIT, NULL, NULL) > 0)
				;
	}
	return (arg);
}

/* The call waits for a byte in `to`; and then one is there before it. */
#define FOR_A_BYTE(to, call)                                                   \
	do {                                                                   \
		give = (to);                                                   \
		need((call) > 0, #call);                                       \
		syscall(SYS_write, (to), "x", 1);                              \
		need((call) > 0, #call);                                       \
	} while (0)

static void
drain(int fd)
{
	need(syscall(SYS_read, fd, buf, sizeof(buf)) > 0, "drain");
}

static void
read_all(void)
{
	struct iovec iov = { buf, 8 };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };

	FOR_A_BYTE(pipes[1], read(pipes[0], buf, 8));
	FOR_A_BYTE(pipes[1], readv(pipes[0], &iov, 1));
	FOR_A_BYTE(pair[1], read(pair[0], buf, 8));
	FOR_A_BYTE(pair[1], recv(pair[0], buf, 8, 0));
	FOR_A_BYTE(pair[1], recvfrom(pair[0], buf, 8, 0, NULL, NULL));
	FOR_A_BYTE(pair[1], recvmsg(pair[0], &m, 0));
}

static int
selects(void)
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(pair[0], &set);
	return (select(pair[0] + 1, &set, NULL, NULL, NULL) +
		(FD_ISSET(pair[0], &set) ? 0 : -9));
}

static void
wait_ready(void)
{
	struct pollfd p = { .fd = pair[0], .events = POLLIN };
	struct epoll_event e;

	FOR_A_BYTE(pair[1], poll(&p, 1, -1));
	drain(pair[0]);
	FOR_A_BYTE(pair[1], ppoll(&p, 1, NULL, NULL));
	drain(pair[0]);
	FOR_A_BYTE(pair[1], selects());
	drain(pair[0]);
	FOR_A_BYTE(pair[1], epoll_wait(poller, &e, 1, -1));
	drain(pair[0]);
	need(poll(&p, 1, 0) == 0, "nothing");
	need(poll(&p, 1, 3) == 0, "nothing in 3 ms");
}

/* More than fits: all of it is written, in one call. */
static void
write_much(void)
{
	take = pair[1];
	need(write(pair[0], buf, sizeof(buf)) == (ssize_t)sizeof(buf), "write");
	while (recv(pair[1], buf, sizeof(buf), MSG_DONTWAIT) > 0)
		;
	need(write(pair[0], buf, 8) == 8, "write 8");
	drain(pair[1]);
	errno = 0;
	need(fcntl(pair[0], F_SETFL, O_NONBLOCK) == 0, "fcntl");
	need(read(pair[0], buf, 8) == -1 && errno == EAGAIN, "EAGAIN");
	need(fcntl(pair[0], F_SETFL, 0) == 0, "fcntl");
}

static void
wait_for_system(void)
{
	int fd = open(path, O_RDWR | O_CREAT, 0600), status;
	pid_t child;

	unlink(path);
	need(fd != -1 && write(fd, "x", 1) == 1 && fsync(fd) == 0, "file");
	need(flock(fd, LOCK_EX) == 0 && flock(fd, LOCK_UN) == 0, "flock");
	close(fd);
	nanosleep(&(struct timespec){ .tv_nsec = 1000 }, NULL);
	usleep(1);
	child = fork();
	if (child == 0)
		_exit(7);
	need(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7,
	    "child");
	need(waitpid(-1, &status, WNOHANG) == -1 && errno == ECHILD, "none");
}

/* Descriptors get each other's numbers, also where that is not seen. */
static void
reuse_numbers(void)
{
	int fd[2], file;
	FILE *f;

	need(socketpair(AF_UNIX, SOCK_STREAM, 0, fd) == 0, "pair");
	need(write(fd[0], "x", 1) == 1 && read(fd[1], buf, 1) == 1, "pair");
	syscall(SYS_close, fd[1]);
	file = open("/proc/self/exe", O_RDONLY);
	need(file == fd[1] && read(file, buf, 4) == 4, "a file after a socket");
	close(file);
	close(fd[0]);
	need(pipe(fd) == 0 && write(fd[1], "x", 1) == 1, "pipe");
	f = fdopen(fd[0], "r");
	need(read(fd[0], buf, 1) == 1 && fclose(f) == 0, "stream");
	need(dup2(listener, fd[0]) == fd[0], "dup2");
	need(fcntl(fd[0], F_SETFL, O_NONBLOCK) == 0 &&
		 accept(fd[0], NULL, NULL) == -1 && errno == EAGAIN,
	    "a listener after a pipe");
	need(fcntl(fd[0], F_SETFL, 0) == 0, "fcntl");
	close(fd[0]);
	close(fd[1]);
}

static void *
cancelled(void *arg)
{
	*(atomic_int *)arg = (int)syscall(SYS_gettid);
	need(read(pipes[0], buf, 1) == 1, "cancelled");
	return (NULL);
}

static void
start(const char *dir)
{
	static const char name[] = "blocks.sock";

	caller = (pid_t)syscall(SYS_gettid);
	snprintf(path, sizeof(path), "%s/blocks.file", dir);
	snprintf(address.sun_path, sizeof(address.sun_path), "%.80s/%s", dir,
	    name);
	need(pipe(pipes) == 0, "pipe");
	need(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "socketpair");
	listener = socket(AF_UNIX, SOCK_STREAM, 0);
	need(bind(listener, (struct sockaddr *)&address, sizeof(address)) ==
		     0 &&
		 listen(listener, 5) == 0,
	    "listen");
	poller = epoll_create1(0);
	need(epoll_ctl(poller, EPOLL_CTL_ADD, pair[0],
		 &(struct epoll_event){ .events = EPOLLIN }) == 0,
	    "epoll");
}

int
main(int argc, char **argv)
{
	pthread_t thread, doomed;
	atomic_int tid = 0;
	void *result;
	int fd;

	if (argc > 1)
		rounds = (unsigned)strtoul(argv[1], NULL, 10);
	start(getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
	need(pthread_create(&thread, NULL, helper, NULL) == 0, "thread");
	for (unsigned i = 0; i < rounds; i++) {
		read_all();
		wait_ready();
		write_much();
		wait_for_system();
		reuse_numbers();
	}
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	need(connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
		 accept(listener, NULL, NULL) != -1,
	    "connect");
	unlink(address.sun_path);
	need(pthread_create(&doomed, NULL, cancelled, &tid) == 0, "thread");
	while (tid == 0 || !sleeps(tid)) /* it cannot be cancelled before */
		sched_yield();
	need(pthread_cancel(doomed) == 0 &&
		 pthread_join(doomed, &result) == 0 &&
		 result == PTHREAD_CANCELED,
	    "cancel");
	ended = 1;
	pthread_join(thread, NULL);
	printf("read pipe\t%u\nread unix\t%u\npoll unix\t%u\nselect\t%u\n"
	       "epoll_wait\t%u\nwrite unix\t%u\nfsync\t%u\n"
	       "lock of a file\t%u\nsleep\t%u\nwait for a child\t%u\n",
	    2 * rounds + 1, 4 * rounds, 3 * rounds, rounds, rounds, rounds,
	    rounds, rounds, 2 * rounds, rounds);
	return (0);
}
