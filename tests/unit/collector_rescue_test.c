/*
 * Memory files found again in /proc: this user's, and nobody else's, whatever
 * they are called.
 */
#include <sys/mman.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "collector/shell/self/rescue.h"
#include "collector/sweep/segment.h"
#include "log.h"
#include "tests/check.h"

#define TAG    "orrery:test-rescue:1.1"
#define NOBODY 65534

/* A program of a user that holds a good segment of such a name, of a user. */
static pid_t
holder(uid_t program, uid_t memory)
{
	struct segment_layout l;
	struct ring_segment *s;
	int ready[2], fd;
	char byte = 0;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		if (seteuid(memory) == -1)
			_exit(1);
		fd = memfd_create(TAG ":7", MFD_ALLOW_SEALING);
		if (seteuid(getuid()) == -1 ||
		    setresuid(program, program, program) == -1 || fd == -1 ||
		    segment_layout(&l, 4096, 4096, 4, 8192) == -1 ||
		    ftruncate(fd, (off_t)l.segment_bytes) == -1)
			_exit(1);
		s = mmap(NULL, l.segment_bytes, PROT_READ | PROT_WRITE,
		    MAP_SHARED, fd, 0);
		segment_format(s, &l, 1, 7, 0, ~0u, 0);
		if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == -1)
			_exit(1);
		(void)!write(ready[1], "", 1);
		for (;;)
			pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return (pid);
}

static void
found(void *arg, const struct pass *m, const int fds[PASS_FDS])
{
	(void)m;
	++*(int *)arg;
	for (int i = 0; i < PASS_FDS; i++)
		if (fds[i] != -1)
			close(fds[i]);
}

static int
found_of(uid_t program, uid_t memory)
{
	pid_t pid = holder(program, memory);
	int n = 0;

	rescue_scan(TAG, found, &n);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return (n);
}

static void
memory_of_this_user_is_found(void **state)
{
	(void)state;
	assert_int_equal(found_of(geteuid(), geteuid()), 1);
}

static void
memory_of_others_is_not_taken(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip(); /* only root can see it at all */
	assert_int_equal(found_of(NOBODY, NOBODY), 0);
	assert_int_equal(found_of(0, NOBODY), 0);
	assert_int_equal(found_of(NOBODY, 0), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_of_this_user_is_found),
		cmocka_unit_test(memory_of_others_is_not_taken),
	};

	log_init("test", -1);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
