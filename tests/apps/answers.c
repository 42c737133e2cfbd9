/*
 * What calls answer when they are asked wrongly: descriptors that are closed or
 * of another kind, memory that is not there, times and clocks that there are
 * not, threads that are gone, and too much.  A line each: the result, and errno
 * before the call (7) or as the call has set it.  What it prints is the same
 * with and without monitorctl run.
 */
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static sigjmp_buf back;
static int one[2], pair[2], file, listener;
static void *nowhere; /* memory that is mapped, and not to be touched */
static void *edge;    /* here it begins, and before it all is well */
/* What the compiler would warn of if it saw it. */
static volatile int minus = -1, least = INT_MIN, too_many = 5000;
static void *volatile none_at_all;
static char some[64] = "some bytes";

static void
faulted(int sig)
{
	siglongjmp(back, sig);
}

/* Prints what `call` answers; a signal that it raises is an answer, too. */
#define TELL(call)                                                             \
	do {                                                                   \
		int sig_ = sigsetjmp(back, 1);                                 \
		if (sig_ != 0) {                                               \
			printf("%s: signal %d\n", #call, sig_);                \
			break;                                                 \
		}                                                              \
		errno = 7;                                                     \
		long rc_ = (long)(call);                                       \
		int e_ = errno;                                                \
		printf("%s = %ld, %d\n", #call, rc_, e_);                      \
	} while (0)
/* Where only the error is the same each time. */
#define TELL_ERROR(call)                                                       \
	do {                                                                   \
		errno = 7;                                                     \
		long rc_ = (long)(call);                                       \
		int e_ = errno;                                                \
		printf("%s %s, %d\n", #call, rc_ == -1 ? "fails" : "works",    \
		    e_);                                                       \
	} while (0)

static void
reads_and_writes(void)
{
	struct iovec bad[] = { { some, 2 }, { nowhere, 3 } };
	struct iovec huge[] = { { some, SIZE_MAX / 2 },
		{ some, SIZE_MAX / 2 } };
	struct msghdr none = { 0 }, odd = { .msg_iov = bad, .msg_iovlen = 2 },
		      no_iov = { .msg_iov = nowhere, .msg_iovlen = 2 },
		      many = { .msg_iov = bad, .msg_iovlen = 100000 };

	TELL(read(-1, some, 4));
	TELL(read(file, nowhere, 4));
	TELL(read(one[1], some, 4));
	TELL(read(one[0], nowhere, 0));
	TELL(write(99, some, 4));
	TELL(write(one[1], nowhere, 4));
	TELL(write(one[1], some, 0));
	TELL(write(one[0], some, 4));
	TELL(write(pair[0], none_at_all, 5));
	TELL(readv(file, nowhere, 2));
	TELL(readv(file, bad, minus));
	TELL(readv(file, bad, 0));
	TELL(readv(file, huge, 2));
	TELL(writev(one[1], nowhere, 2));
	TELL(writev(one[1], bad, 2));
	TELL(writev(one[1], bad, too_many));
	TELL(writev(one[1], bad, least));
	TELL(writev(pair[0], huge, 2));
	TELL(preadv2(file, nowhere, 1, 0, 0));
	TELL(preadv2(file, bad, 1, -5, 0));
	TELL(preadv2(pair[0], bad, 1, -1, 0x40000000));
	TELL(pwritev2(one[1], bad, 1, -1, 0x40000000));
	TELL(pwritev2(pair[0], nowhere, 1, -1, 0));
	TELL(send(one[1], some, 4, 0));
	TELL(send(pair[0], nowhere, 4, 0));
	TELL(send(pair[0], some, 4, MSG_OOB));
	TELL(sendto(pair[0], some, 4, 0, nowhere, 16));
	TELL(sendto(pair[0], some, 4, 0, (void *)some, 3));
	TELL(sendmsg(pair[0], nowhere, 0));
	TELL(sendmsg(pair[0], NULL, 0));
	TELL(sendmsg(pair[0], &none, 0));
	TELL(sendmsg(pair[0], &odd, 0));
	TELL(sendmsg(pair[0], &no_iov, 0));
	TELL(sendmsg(pair[0], &many, 0));
	TELL(recv(pair[1], nowhere, 4, MSG_DONTWAIT));
	TELL(recv(file, some, 4, 0));
	TELL(recvfrom(pair[1], some, 4, MSG_DONTWAIT, nowhere, NULL));
	TELL(recvfrom(pair[1], some, 4, MSG_DONTWAIT, (void *)some, nowhere));
	TELL(recvmsg(pair[1], nowhere, MSG_DONTWAIT));
	TELL(recvmsg(pair[1], NULL, MSG_DONTWAIT));
	TELL(recvmsg(pair[1], &no_iov, MSG_DONTWAIT));
	TELL(recvmsg(pair[1], &many, MSG_DONTWAIT));
	TELL(sendmmsg(pair[0], nowhere, 2, 0));
	TELL(sendmmsg(pair[0], NULL, 0, 0));
	TELL(recvmmsg(pair[1], nowhere, 2, MSG_DONTWAIT, NULL));
	TELL(recvmmsg(pair[1], NULL, 2, MSG_DONTWAIT, nowhere));
	TELL(sendfile(pair[0], file, nowhere, 4));
	TELL(sendfile(file, pair[0], NULL, 4));
	TELL(sendfile(-1, -1, NULL, 0));
	TELL(splice(file, nowhere, one[1], NULL, 4, 0));
	TELL(splice(file, NULL, file, NULL, 4, 0));
	TELL(splice(one[0], NULL, pair[0], nowhere, 4, 0));
	TELL(tee(one[0], one[1], 4, 0));
	TELL(tee(one[0], file, 4, SPLICE_F_NONBLOCK));
	TELL(vmsplice(one[1], nowhere, 2, 0));
	TELL(vmsplice(one[1], bad, 2, SPLICE_F_NONBLOCK));
	TELL(vmsplice(file, bad, 1, 0));
}

static void
connections(void)
{
	struct sockaddr_un away = { .sun_family = AF_UNIX,
		.sun_path = "/nonexistent/socket" };
	socklen_t n = 3;
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);

	TELL(accept(-1, NULL, NULL));
	TELL(accept(file, NULL, NULL));
	TELL(accept(listener, nowhere, nowhere));
	TELL(accept(s, (void *)some, &n));
	TELL(accept4(listener, NULL, NULL, 0x1234567));
	TELL(connect(-1, (void *)&away, sizeof(away)));
	TELL(connect(s, (void *)&away, sizeof(away)));
	TELL(connect(s, nowhere, sizeof(away)));
	TELL(connect(s, (void *)&away, 1));
	TELL(connect(s, NULL, 0));
	TELL(connect(file, (void *)&away, sizeof(away)));
	close(s);
}

static void
readiness(void)
{
	struct pollfd p[] = { { .fd = 99, .events = POLLIN },
		{ .fd = -3, .events = POLLIN },
		{ .fd = one[0], .events = POLLIN } };
	struct timespec bad = { .tv_nsec = 1000000000 },
			soon = { .tv_nsec = 1000 };
	struct timeval odd = { .tv_usec = -1 }, none = { 0 };
	struct timeval later = { .tv_sec = 3 };
	struct pollfd *volatile all = p;
	struct epoll_event e[2];
	int ep = epoll_create1(0);
	/* the last bytes before memory that is not to be touched */
	fd_set *small = (fd_set *)((char *)edge - sizeof(fd_mask));
	fd_set set;

	FD_ZERO(&set);
	FD_SET(98, &set);
	TELL(poll(nowhere, 3, 0));
	TELL(poll(nowhere, 3, 5));
	TELL(poll(NULL, 0, 1));
	TELL(poll(p, 3, 0));
	TELL(p[0].revents * 100 + p[1].revents * 10 + p[2].revents);
	TELL(poll(p + 1, 2, 1));
	TELL(poll(all, 1u << 30, 0));
	TELL(ppoll(p, 3, &bad, NULL));
	TELL(ppoll(p + 1, 1, nowhere, NULL));
	TELL(ppoll(p + 1, 1, &soon, nowhere));
	TELL(ppoll(p + 1, 1, &soon, NULL));
	TELL(select(-1, NULL, NULL, NULL, &none));
	TELL(select(99, &set, NULL, NULL, &none));
	TELL(select(4, nowhere, NULL, NULL, &none));
	TELL(select(0, NULL, NULL, NULL, &odd));
	TELL(select(0, NULL, NULL, NULL, nowhere));
	TELL(select(INT_MAX, NULL, NULL, NULL, &none));
	memset(small, 0, sizeof(fd_mask));
	FD_SET(one[0], small);
	TELL(select(one[0] + 1, small, NULL, NULL, &later));
	TELL(FD_ISSET(one[0], small) != 0);
	TELL(select(one[0] + 1, small, NULL, NULL, &odd));
	TELL(pselect(one[0] + 1, small, NULL, NULL, &bad, NULL));
	TELL(select(one[0] + 1, (fd_set *)edge, NULL, NULL, &later));
	TELL(pselect(0, NULL, NULL, NULL, &bad, NULL));
	TELL(pselect(0, NULL, NULL, NULL, &soon, nowhere));
	TELL(pselect(0, NULL, NULL, NULL, &soon, NULL));
	TELL(epoll_wait(-1, e, 2, 0));
	TELL(epoll_wait(file, e, 2, 0));
	TELL(epoll_wait(ep, e, 0, 0));
	TELL(epoll_wait(ep, e, minus, 5));
	TELL(epoll_wait(ep, e, 2, 1));
	TELL(epoll_wait(ep, nowhere, 2, 1));
	TELL(epoll_pwait(ep, e, 2, 1, nowhere));
	close(ep);
}

static void
sleeps(void)
{
	struct timespec bad = { .tv_nsec = -1 }, past = { .tv_sec = 1 },
			soon = { .tv_nsec = 1000 };
	sigset_t none;
	siginfo_t info;

	sigemptyset(&none);
	TELL(nanosleep(nowhere, NULL));
	TELL(nanosleep(&bad, NULL));
	TELL(nanosleep(&soon, nowhere));
	TELL(clock_nanosleep(77, 0, &soon, NULL));
	TELL(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &soon, NULL));
	TELL(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &past, NULL));
	TELL(clock_nanosleep(CLOCK_MONOTONIC, 0, &bad, nowhere));
	TELL(clock_nanosleep(CLOCK_REALTIME, 99, &soon, NULL));
	TELL(usleep(1));
	TELL(sleep(0));
	TELL(sigtimedwait(&none, &info, &bad));
	TELL(sigtimedwait(&none, &info, &soon));
	TELL(sigtimedwait(nowhere, &info, &soon));
	TELL(sigtimedwait(&none, NULL, nowhere));
	TELL(sigsuspend(nowhere));
	TELL(sigwaitinfo(nowhere, NULL));
}

static void
children(void)
{
	struct rusage usage;
	siginfo_t info;
	int status = 0;

	TELL(waitpid(-1, &status, WNOHANG));
	TELL(waitpid(-1, &status, 0));
	TELL(waitpid(INT_MIN, &status, 0));
	TELL(waitpid(1, nowhere, 0));
	TELL(waitpid(-1, &status, 0x70));
	TELL(wait4(-1, &status, 0, &usage));
	TELL(wait(&status));
	TELL(waitid(P_ALL, 0, &info, 0));
	TELL(waitid(99, 0, &info, WEXITED));
	TELL(waitid(P_ALL, 0, NULL, WEXITED | WNOHANG));
	if (fork() == 0)
		_exit(3);
	TELL_ERROR(waitpid(-1, nowhere, 0));
	if (fork() == 0)
		_exit(4);
	TELL_ERROR(wait4(-1, &status, 0, nowhere));
	if (fork() == 0)
		_exit(5);
	TELL_ERROR(waitpid(0, &status, 0));
	TELL(WEXITSTATUS(status));
}

static void
files(void)
{
	struct flock l = { .l_type = 77, .l_whence = SEEK_SET };
	int n = 0;

	TELL(fsync(-1));
	TELL(fsync(one[0]));
	TELL(fdatasync(one[0]));
	TELL(flock(-1, LOCK_EX));
	TELL(flock(file, 99));
	TELL(flock(file, LOCK_EX));
	TELL(flock(file, LOCK_UN));
	TELL(lockf(-1, F_LOCK, 0));
	TELL(lockf(file, 99, 0));
	TELL(lockf(file, F_TEST, LONG_MIN));
	TELL(fcntl(-1, F_GETFD));
	TELL(fcntl(file, 9999, 1));
	TELL(fcntl(file, F_SETLKW, nowhere));
	TELL(fcntl(file, F_SETLKW, &l));
	TELL(fcntl(file, F_GETFL) & O_ACCMODE);
	TELL(fcntl(file, F_DUPFD, INT_MAX));
	TELL(ioctl(-1, FIONREAD, &n));
	TELL(ioctl(one[0], FIONREAD, nowhere));
	TELL(ioctl(file, 0x123456, 1, 2, 3));
	TELL(prctl(9999, 1, 2, 3, 4));
	TELL(prctl(PR_SET_NAME, nowhere, 0, 0, 0));
	TELL(prctl(PR_GET_DUMPABLE));
	TELL(dup2(-1, 50));
	TELL(dup2(file, -1));
	TELL(dup2(file, INT_MAX));
	TELL(dup2(file, file) == file);
	TELL(dup3(file, file, 0));
	TELL(dup3(file, 60, 0x12345));
	TELL(dup2(file, 60));
	TELL(close(60));
	TELL(close(60));
	TELL(close(-1));
	TELL(close_range(9, 8, 0));
	TELL(close_range(5000, 6000, 0x1234));
	TELL(close_range(5000, UINT_MAX, 0));
}

static void *
ends(void *p)
{
	return (p);
}

static sem_t may_end;

static void *
ends_when_told(void *p)
{
	sem_wait(&may_end);
	return (p);
}

static void
threads(void)
{
	struct timespec past = { .tv_sec = 1 };
	pthread_barrier_t b;
	pthread_attr_t a;
	pthread_t t;
	void *got;

	TELL(pthread_setname_np(pthread_self(), "a name that is too long"));
	TELL(pthread_setname_np(pthread_self(), ""));
	TELL(pthread_join(pthread_self(), &got));
	TELL(pthread_tryjoin_np(pthread_self(), &got));
	TELL(pthread_create(&t, NULL, ends, some));
	TELL(pthread_clockjoin_np(t, &got, 77, &past));
	TELL(pthread_join(t, &got));
	TELL(got == some);
	pthread_attr_init(&a);
	pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
	TELL(pthread_create(&t, &a, ends, NULL));
	pthread_attr_setdetachstate(&a, PTHREAD_CREATE_JOINABLE);
	TELL(pthread_attr_setstacksize(&a, 1));
	TELL(pthread_attr_setstacksize(&a, 1ul << 46));
	TELL(pthread_create(&t, &a, ends, NULL));
	sem_init(&may_end, 0, 0);
	TELL(pthread_create(&t, NULL, ends_when_told, NULL));
	TELL(pthread_tryjoin_np(t, &got));
	TELL(pthread_timedjoin_np(t, NULL, &past));
	sem_post(&may_end);
	TELL(pthread_join(t, &got));
	TELL(pthread_barrier_init(&b, NULL, 0));
	TELL(pthread_barrier_init(&b, NULL, UINT_MAX));
	TELL(pthread_barrier_init(&b, NULL, 1));
	TELL(pthread_barrier_wait(&b));
	TELL(pthread_barrier_wait(&b));
	TELL(pthread_barrier_destroy(&b));
}

static void
conditions(void)
{
	struct timespec bad = { .tv_nsec = 2000000000 }, past = { .tv_sec = 1 };
	pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
	pthread_cond_t c = PTHREAD_COND_INITIALIZER;

	TELL(pthread_cond_timedwait(&c, &m, &past));
	TELL(pthread_cond_wait(&c, &m));
	TELL(pthread_mutex_unlock(&m));
	TELL(pthread_mutex_lock(&m));
	TELL(pthread_cond_timedwait(&c, &m, &bad));
	TELL(pthread_cond_clockwait(&c, &m, 77, &past));
	TELL(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &past));
	TELL(pthread_cond_timedwait(&c, &m, &past));
	TELL(pthread_cond_signal(&c));
	TELL(pthread_mutex_lock(&m));
	TELL(pthread_mutex_unlock(&m));
}

/* Whether there is a piece, and errno; the pointer is another each time. */
#define TELL_PIECE(call)                                                       \
	do {                                                                   \
		errno = 7;                                                     \
		void *p_ = (call);                                             \
		int e_ = errno;                                                \
		printf("%s %s, %d\n", #call, p_ != NULL ? "given" : "none",    \
		    e_);                                                       \
		free(p_);                                                      \
	} while (0)

static volatile size_t nothing = 0, most = SIZE_MAX, half = SIZE_MAX / 2,
		       odd = 24;

static void
heap(void)
{
	void *p = malloc(10), *q = NULL;

	TELL_PIECE(malloc(most));
	TELL_PIECE(malloc(half));
	TELL_PIECE(malloc(most - most));
	TELL_PIECE(calloc(half, 3));
	TELL_PIECE(calloc(0, 5));
	TELL_PIECE(aligned_alloc(odd, 10));
	TELL_PIECE(aligned_alloc(nothing, 10));
	TELL_PIECE(memalign(odd, 100));
	TELL_PIECE(memalign(most, 100));
	TELL_PIECE(valloc(most));
	TELL_PIECE(pvalloc(most));
	TELL(posix_memalign(&q, odd, 10));
	TELL(posix_memalign(&q, 2, 10));
	TELL(posix_memalign(&q, 64, most));
	TELL(q == NULL);
	errno = 7;
	TELL(realloc(p, most) == NULL);
	TELL(reallocarray(p, half, 3) == NULL);
	TELL(malloc_usable_size(NULL));
	free(p);
	free(NULL);
	TELL(errno);
	TELL_PIECE(realloc(NULL, 30));
	TELL_PIECE(realloc(malloc(30), 0));
	TELL_ERROR(
	    (long)mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	TELL_ERROR((long)mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, -1, 0));
	TELL_ERROR((long)mmap((void *)1, 4096, 0,
	    MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	TELL(munmap((void *)1, 4096));
	TELL(munmap(NULL, 0));
	TELL_ERROR((long)mremap((void *)4096, 4096, 8192, 0));
	TELL_ERROR((long)mremap(NULL, 0, 0, 77));
}

int
main(void)
{
	struct sigaction sa = { .sa_handler = faulted, .sa_flags = SA_NODEFER };
	char name[] = "answers.XXXXXX";

	sigaction(SIGSEGV, &sa, NULL);
	sigaction(SIGBUS, &sa, NULL);
	sigaction(SIGFPE, &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
	edge = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (edge == MAP_FAILED)
		return (1);
	edge = nowhere = (char *)edge + 4096;
	if (mprotect(edge, (1 << 16) - 4096, PROT_NONE) == -1)
		return (1);
	file = mkstemp(name);
	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	if (file == -1 || unlink(name) == -1 || listener == -1 ||
	    pipe(one) == -1 ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == -1 ||
	    bind(listener,
		(struct sockaddr *)&(struct sockaddr_un){
		    .sun_family = AF_UNIX },
		sizeof(sa_family_t)) == -1 ||
	    listen(listener, 1) == -1)
		return (1);
	printf("%zd\n", write(one[1], some, 8) + write(file, some, 8));
	reads_and_writes();
	connections();
	readiness();
	sleeps();
	children();
	files();
	threads();
	conditions();
	heap();
	return (0);
}
