/*
 * Which calls end a thread that has been cancelled: each is made by a thread
 * whose cancellation is pending, where it need not wait, and where the
 * cancellation comes while it waits; and whether its cleanup runs once, with
 * the locks that it should have.  What it prints is the same with and without
 * monitorctl run.
 */
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int full[2], empty[2], pair[2], file;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t b;
static sem_t some, none;
static char byte[8];
static struct epoll_event event;
static int cleaned;

static const struct timespec soon = { .tv_nsec = 1000000 };

static void
clean_cb(void *held)
{
	cleaned++;
	if (held != NULL)
		cleaned += 10 * (pthread_mutex_unlock(&m) == 0);
}

static void *
ended(void *p)
{
	return (p);
}

/* Calls that need not wait. */
#define CALLS(CALL)                                                            \
	CALL(read_, read(full[0], byte, 1))                                    \
	CALL(readv_, readv(full[0], &(struct iovec){ byte, 1 }, 1))            \
	CALL(preadv2_, preadv2(file, &(struct iovec){ byte, 1 }, 1, 0, 0))     \
	CALL(write_, write(empty[1], byte, 0))                                 \
	CALL(writev_, writev(empty[1], &(struct iovec){ byte, 0 }, 1))         \
	CALL(send_, send(pair[1], byte, 1, 0))                                 \
	CALL(sendto_, sendto(pair[1], byte, 1, 0, NULL, 0))                    \
	CALL(sendmsg_, sendmsg(pair[1], &(struct msghdr){ 0 }, 0))             \
	CALL(recv_, recv(pair[0], byte, 1, MSG_DONTWAIT))                      \
	CALL(recvfrom_, recvfrom(pair[0], byte, 1, MSG_DONTWAIT, NULL, NULL))  \
	CALL(recvmsg_, recvmsg(pair[0], &(struct msghdr){ 0 }, MSG_DONTWAIT))  \
	CALL(accept_, accept(file, NULL, NULL))                                \
	CALL(accept4_, accept4(file, NULL, NULL, 0))                           \
	CALL(connect_, connect(file, NULL, 0))                                 \
	CALL(poll_, poll(NULL, 0, 0))                                          \
	CALL(poll_some, poll(&(struct pollfd){ full[0], POLLIN, 0 }, 1, -1))   \
	CALL(ppoll_, ppoll(NULL, 0, &soon, NULL))                              \
	CALL(select_, select(0, NULL, NULL, NULL, &(struct timeval){ 0 }))     \
	CALL(pselect_, pselect(0, NULL, NULL, NULL, &soon, NULL))              \
	CALL(epoll_wait_, epoll_wait(-1, &event, 1, 0))                        \
	CALL(epoll_pwait_, epoll_pwait(-1, &event, 1, 0, NULL))                \
	CALL(waitpid_, waitpid(-1, NULL, WNOHANG))                             \
	CALL(wait_, wait(NULL))                                                \
	CALL(waitid_, waitid(P_ALL, 0, NULL, WEXITED | WNOHANG))               \
	CALL(nanosleep_, nanosleep(&soon, NULL))                               \
	CALL(clock_nanosleep_,                                                 \
	    clock_nanosleep(CLOCK_MONOTONIC, 0, &soon, NULL))                  \
	CALL(usleep_, usleep(1))                                               \
	CALL(sleep_, sleep(0))                                                 \
	CALL(fsync_, fsync(file))                                              \
	CALL(fdatasync_, fdatasync(file))                                      \
	CALL(flock_, flock(file, LOCK_UN))                                     \
	CALL(lockf_, lockf(file, F_LOCK, 0))                                   \
	CALL(lockf_test, lockf(file, F_TEST, 0))                               \
	CALL(fcntl_flags, fcntl(file, F_GETFL))                                \
	CALL(fcntl_lock,                                                       \
	    fcntl(file, F_SETLKW,                                              \
		&(struct flock){ .l_type = F_RDLCK, .l_whence = SEEK_SET }))   \
	CALL(close_, close(-1))                                                \
	CALL(sigtimedwait_, sigtimedwait(&(sigset_t){ 0 }, NULL, &soon))       \
	CALL(sem_wait_, sem_wait(&some))                                       \
	CALL(sem_timedwait_, sem_timedwait(&some, &soon))                      \
	CALL(sem_trywait_, sem_trywait(&some))                                 \
	CALL(sem_post_, sem_post(&some))                                       \
	CALL(mutex_, pthread_mutex_lock(&m) + pthread_mutex_unlock(&m))        \
	CALL(rwlock_, pthread_rwlock_rdlock(&l) + pthread_rwlock_unlock(&l))   \
	CALL(signal_, pthread_cond_signal(&c))                                 \
	CALL(barrier_, pthread_barrier_wait(&b))                               \
	CALL(malloc_, (free(malloc(byte[0] + 10u)), 0))                        \
	CALL(mmap_,                                                            \
	    munmap(mmap(NULL, 4096, 0, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),    \
		4096))                                                         \
	CALL(fclose_, fclose(fopen("/dev/null", "r")))                         \
	CALL(name_, pthread_setname_np(pthread_self(), "other"))               \
	CALL(create_, pthread_create(&(pthread_t){ 0 }, NULL, ended, NULL))    \
	CALL(testcancel_, (pthread_testcancel(), 0))

/* Calls that wait until they are cancelled. */
#define WAITS(CALL)                                                            \
	CALL(read_waits, read(empty[0], byte, 1))                              \
	CALL(readv_waits, readv(empty[0], &(struct iovec){ byte, 1 }, 1))      \
	CALL(recv_waits, recv(pair[0], byte, 1, 0))                            \
	CALL(recvfrom_waits, recvfrom(pair[0], byte, 1, 0, NULL, NULL))        \
	CALL(recv_all_waits, recv(pair[0], byte, 2, MSG_WAITALL))              \
	CALL(poll_waits, poll(&(struct pollfd){ empty[0], POLLIN, 0 }, 1, -1)) \
	CALL(ppoll_waits,                                                      \
	    ppoll(&(struct pollfd){ empty[0], POLLIN, 0 }, 1, NULL, NULL))     \
	CALL(select_waits, select(0, NULL, NULL, NULL, NULL))                  \
	CALL(pselect_waits, pselect(0, NULL, NULL, NULL, NULL, NULL))          \
	CALL(epoll_waits, epoll_wait(epoll_create1(0), &event, 1, -1))         \
	CALL(sleep_waits, sleep(100))                                          \
	CALL(usleep_waits, usleep(100000000))                                  \
	CALL(nanosleep_waits,                                                  \
	    nanosleep(&(struct timespec){ .tv_sec = 100 }, NULL))              \
	CALL(pause_waits, pause())                                             \
	CALL(sigsuspend_waits, sigsuspend(&(sigset_t){ 0 }))                   \
	CALL(sigwait_waits, sigwaitinfo(&(sigset_t){ { 1 } }, NULL))           \
	CALL(sem_waits, sem_wait(&none))                                       \
	CALL(cond_waits, (pthread_mutex_lock(&m), pthread_cond_wait(&c, &m)))

#define FUNCTION(name, call)                                                   \
	static int name(void)                                                  \
	{                                                                      \
		return ((int)(call));                                          \
	}
CALLS(FUNCTION)
WAITS(FUNCTION)

struct one {
	const char *name;
	int (*call)(void);
	int waits, comes_back;
};
#define ROW(name, call)       { #name, name, 0, 0 },
#define ROW_WAITS(name, call) { #name, name, 1, 0 },
static struct one all[] = { CALLS(ROW) WAITS(ROW_WAITS) };

static void *
run(void *p)
{
	struct one *o = p;
	void *held = o->call == cond_waits ? &m : NULL;

	if (!o->waits)
		pthread_cancel(pthread_self());
	pthread_cleanup_push(clean_cb, held);
	(void)o->call();
	o->comes_back = 1;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	pthread_cleanup_pop(0);
	return (o);
}

int
main(void)
{
	char name[] = "cancels.XXXXXX";
	struct timespec enough = { .tv_nsec = 4000000 };
	pthread_t t;
	void *got;

	file = mkstemp(name);
	if (file == -1 || unlink(name) == -1 || pipe(full) == -1 ||
	    pipe(empty) == -1 || write(full[1], "01234567", 8) != 8 ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == -1)
		return (1);
	pthread_barrier_init(&b, NULL, 1);
	sem_init(&some, 0, 9);
	sem_init(&none, 0, 0);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		cleaned = 0;
		if (all[i].waits && strncmp(all[i].name, "recv", 4) == 0)
			while (recv(pair[0], byte, 8, MSG_DONTWAIT) > 0)
				continue;
		if (pthread_create(&t, NULL, run, &all[i]) != 0)
			return (1);
		if (all[i].waits) {
			nanosleep(&enough, NULL);
			pthread_cancel(t);
		}
		pthread_join(t, &got);
		printf("%s: %s%s, cleaned %d\n", all[i].name,
		    got == PTHREAD_CANCELED ? "cancelled" : "goes on",
		    all[i].comes_back ? " behind it" : "", cleaned);
	}
	return (0);
}
