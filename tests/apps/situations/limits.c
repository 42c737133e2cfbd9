/* Limits, rights and filters: what a program may not do. */
#include "harm.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What libprobe may add to what is resident, and to what is locked. */
#define RESIDENT_KB (8 * 1024)
#define LOCKED_KB   (24 * 1024)

static void
limit(__rlimit_resource_t what, rlim_t to)
{
	struct rlimit l = { to, to };

	setrlimit(what, &l);
}

static int
usual(void)
{
	work(20);
	work_in_thread();
	work_in_child();
	say_facts();
	return (0);
}

static void
no_file_size(void)
{
	limit(RLIMIT_FSIZE, 0);
}

static void
few_descriptors(void)
{
	limit(RLIMIT_NOFILE, REPORT_FD + 1);
}

/* All but the one that ld.so needs are in use. */
static void
one_descriptor(void)
{
	limit(RLIMIT_NOFILE, REPORT_FD + 1);
	while (dup(0) != -1)
		;
	close(REPORT_FD - 1);
}

static void
no_locked_memory(void)
{
	limit(RLIMIT_MEMLOCK, 0);
}

static void
no_processes(void)
{
	limit(RLIMIT_NPROC, 0);
}

static void
small_stack(void)
{
	limit(RLIMIT_STACK, 128 << 10);
}

static void
little_address_space(void)
{
	limit(RLIMIT_AS, 256 << 20);
}

static void
little_data(void)
{
	limit(RLIMIT_DATA, 64 << 20);
}

static void
no_queued_signals(void)
{
	limit(RLIMIT_SIGPENDING, 0);
}

static int
allocates(void)
{
	void *p;

	work(20);
	p = malloc(150 << 20);
	say("150 MB: %s", p == NULL ? "no" : "yes");
	work_in_child();
	free(p);
	return (0);
}

static int
allocates_data(void)
{
	void *p;

	work(20);
	p = malloc(32 << 20);
	say("32 MB: %s", p == NULL ? "no" : "yes");
	free(p);
	return (0);
}

/* The program meets its own limit as ever. */
static int
too_long_a_file(void)
{
	int fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);

	work(3);
	limit(RLIMIT_FSIZE, 10);
	work(3);
	say("wrote %zd", write(fd, "12345678", 8));
	say("wrote %zd", write(fd, "12345678", 8));
	return (write(fd, "12345678", 8) == 8);
}

static int
none_left(void)
{
	int n = 0;

	limit(RLIMIT_NOFILE, 64);
	while (dup(0) != -1)
		n++;
	say("duplicates %d", n);
	work_in_thread();
	work(10);
	say("and one more: %d", dup(0) == -1 ? errno : 0);
	return (0);
}

/* kB, of a line of /proc/self/status. */
static long
status_kb(const char *line)
{
	char text[256];
	FILE *f = fopen("/proc/self/status", "r");
	long kb = -1;

	while (f != NULL && fgets(text, sizeof(text), f) != NULL) {
		if (strncmp(text, line, strlen(line)) == 0)
			kb = strtol(text + strlen(line) + 1, NULL, 10);
	}
	if (f != NULL)
		fclose(f);
	return (kb);
}

static void *
ten_events(void *barrier)
{
	for (int i = 0; i < 10; i++)
		probe_note(1, i);
	pthread_barrier_wait(barrier);
	pthread_barrier_wait(barrier);
	return (NULL);
}

static int
resident(void)
{
	pthread_barrier_t there;
	pthread_t t[32];
	long before = status_kb("VmRSS"), after;

	pthread_barrier_init(&there, NULL, 33);
	for (int i = 0; i < 32; i++)
		pthread_create(&t[i], NULL, ten_events, &there);
	pthread_barrier_wait(&there);
	after = status_kb("VmRSS");
	pthread_barrier_wait(&there);
	for (int i = 0; i < 32; i++)
		pthread_join(t[i], NULL);
	if (after - before > RESIDENT_KB)
		say("ten events on 32 threads take %ld kB", after - before);
	return (0);
}

static int
locked(void)
{
	int rc;

	work(2);
	rc = mlockall(MCL_CURRENT | MCL_FUTURE);
	say("mlockall %d", rc);
	work(10);
	work_in_thread();
	if (status_kb("VmLck") > LOCKED_KB)
		say("locked %ld kB", status_kb("VmLck"));
	return (0);
}

static int
other_user(void)
{
	work(5);
	if (setgroups(0, NULL) == -1 || setgid(65534) == -1 ||
	    setuid(65534) == -1)
		return (1);
	usual();
	say("users %d %d", (int)getuid(), (int)geteuid());
	return (0);
}

static int
other_root(void)
{
	work(5);
	mkdir("root", 0700);
	if (chroot("root") == -1 || chdir("/") == -1)
		return (1);
	work(20);
	work_in_thread();
	work_in_child();
	return (0);
}

static int
other_namespaces(void)
{
	work(5);
	if (unshare(CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWNS) ==
	    -1)
		return (1);
	return (usual());
}

/* The calls end the process, or fail with an error. */
static void
forbid(const int *calls, size_t n, unsigned answer)
{
	struct sock_filter filter[64];
	struct sock_fprog prog = { .filter = filter };
	size_t at = 0;

	filter[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
	    offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < n; i++) {
		filter[at++] =
		    (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
			(unsigned)calls[i], 0, 1);
		filter[at++] =
		    (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, answer);
	}
	filter[at++] =
	    (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	prog.len = (unsigned short)at;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) == -1)
		_exit(123);
}

static const int not_needed[] = { SYS_socket, SYS_connect, SYS_memfd_create,
	SYS_shmget, SYS_shmat, SYS_shmctl, SYS_sendto, SYS_recvmsg, SYS_ppoll,
	SYS_mkdir, SYS_getdents64, SYS_utimensat };

/* It has begun, and shuts itself in. */
static int
own_filter(void)
{
	work(5);
	forbid(not_needed, sizeof(not_needed) / sizeof(*not_needed),
	    SECCOMP_RET_KILL_PROCESS);
	work(20);
	work_in_thread();
	work_in_child();
	return (0);
}

static int
own_filter_from_the_start(void)
{
	forbid(not_needed, sizeof(not_needed) / sizeof(*not_needed),
	    SECCOMP_RET_KILL_PROCESS);
	work(20);
	work_in_thread();
	work_in_child();
	return (0);
}

/* As in a container. */
static void
foreign_filter(void)
{
	forbid(not_needed, sizeof(not_needed) / sizeof(*not_needed),
	    SECCOMP_RET_ERRNO | EPERM);
}

static int
in_a_container(void)
{
	work(20);
	work_in_thread();
	work_in_child();
	return (0);
}

const struct situation harm_limits[] = {
	{ "ulimit -f 0", usual, no_file_size, 0 },
	{ "ten descriptors", usual, few_descriptors, NOT_WATCHED },
	{ "one descriptor", usual, one_descriptor, NOT_WATCHED },
	{ "no locked memory", usual, no_locked_memory, 0 },
	{ "no processes", usual, no_processes, 0 },
	{ "ulimit -s 128", usual, small_stack, NOT_WATCHED },
	{ "ulimit -v", allocates, little_address_space, NOT_WATCHED },
	{ "ulimit -d", allocates_data, little_data, NOT_WATCHED },
	{ "no queued signals", usual, no_queued_signals, 0 },
	{ "its own file is too long", too_long_a_file, NULL, 0 },
	{ "no descriptor is left", none_left, NULL, NOT_WATCHED },
	{ "memory of 32 threads", resident, NULL, NOT_WATCHED },
	{ "mlockall", locked, NULL, NOT_WATCHED | ROOT },
	{ "another user from now on", other_user, NULL, NOT_WATCHED | ROOT },
	{ "another root from now on", other_root, NULL, NOT_WATCHED | ROOT },
	{ "other namespaces", other_namespaces, NULL, NOT_WATCHED | ROOT },
	{ "a filter of its own", own_filter, NULL, NOT_WATCHED },
	{ "a filter before all", own_filter_from_the_start, NULL, NOT_WATCHED },
	{ "a container's filter", in_a_container, foreign_filter, NOT_WATCHED },
	{ NULL, NULL, NULL, 0 },
};
