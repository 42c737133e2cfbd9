/*
 * When bytes came, by the kernel: on the raw clock, never too early.
 */
#include "tests/check.h"

#include <sys/socket.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "env_stamp.h"

#define US  INT64_C(1000)
#define MS  INT64_C(1000000)
#define SEC INT64_C(1000000000)
#define DAY (86400 * SEC)

/* The time of day of the tables below is that of the raw clock and DAY. */
static void
stamps_go_over_to_the_raw_clock(void **state)
{
	static const struct {
		const char *what;
		int64_t stamp, last_raw, last_real, raw, real, least, most;
	} cases[] = {
		{ "20 us ago", SEC + DAY, SEC - MS, SEC - MS + DAY,
		    SEC + 20 * US, SEC + 20 * US + DAY, SEC, SEC + 20 },
		{ "slewed by 500 ppm, 20 ms ago", SEC + DAY + 10 * US,
		    SEC - 20 * MS, SEC - 20 * MS + DAY, SEC + 20 * MS,
		    SEC + 20 * MS + DAY + 20 * US, SEC, SEC + 30 * US },
		{ "not before the read before", SEC + DAY - 1 * US, SEC,
		    SEC + DAY, SEC + 20 * US, SEC + 20 * US + DAY, SEC, SEC },
		{ "set forward meanwhile", SEC + DAY, SEC - MS, SEC - MS + DAY,
		    SEC + 20 * US, SEC + 40 * US + DAY, SEC + 20 * US,
		    SEC + 20 * US },
		{ "set back meanwhile", SEC + DAY, SEC - MS, SEC - MS + DAY,
		    SEC + 20 * US, SEC + 9 * US + DAY, SEC + 20 * US,
		    SEC + 20 * US },
		{ "a stamp of the future", SEC + DAY + MS, SEC - MS,
		    SEC - MS + DAY, SEC + 20 * US, SEC + 20 * US + DAY,
		    SEC + 20 * US, SEC + 20 * US },
		{ "a stamp of long ago", DAY, SEC - MS, SEC - MS + DAY,
		    SEC + 20 * US, SEC + 20 * US + DAY, SEC + 20 * US,
		    SEC + 20 * US },
		{ "the first read", SEC + DAY, 0, 0, SEC + 20 * US,
		    SEC + 20 * US + DAY, SEC + 20 * US, SEC + 20 * US },
		{ "the read before was long ago", SEC + DAY, 0, DAY,
		    SEC + 20 * US, SEC + 20 * US + DAY, SEC + 20 * US,
		    SEC + 20 * US },
		{ "the clocks were read apart", SEC + DAY, SEC - MS,
		    SEC - MS + DAY, SEC + 20 * US, 0, SEC + 20 * US,
		    SEC + 20 * US },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct env_stamp_pair last = { cases[i].last_raw,
			cases[i].last_real };
		struct env_stamp_pair now = { cases[i].raw, cases[i].real };
		int64_t at = env_stamp_raw(cases[i].stamp, &last, &now);

		if (at < cases[i].least || at > cases[i].most)
			fail_msg("%s: %lld ns", cases[i].what,
			    (long long)(at - SEC));
	}
}

static int64_t
raw_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return ((int64_t)ts.tv_sec * SEC + ts.tv_nsec);
}

static void
connected_pair(int fd[2])
{
	struct sockaddr_in in = { .sin_family = AF_INET };
	socklen_t len = sizeof(in);
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_return_code(bind(listener, (void *)&in, sizeof(in)), 0);
	assert_return_code(listen(listener, 1), 0);
	assert_return_code(getsockname(listener, (void *)&in, &len), 0);
	fd[0] = socket(AF_INET, SOCK_STREAM, 0);
	assert_return_code(connect(fd[0], (void *)&in, sizeof(in)), 0);
	fd[1] = accept(listener, NULL, NULL);
	assert_return_code(fd[1], 0);
	close(listener);
}

static bool
came_stamped(int from, int to)
{
	_Alignas(struct cmsghdr) char control[128];
	char byte = 0;
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr m = { .msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control) };

	assert_int_equal(write(from, &byte, 1), 1);
	assert_int_equal(recvmsg(to, &m, 0), 1);
	for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c != NULL;
	     c = CMSG_NXTHDR(&m, c)) {
		if (c->cmsg_level == SOL_SOCKET &&
		    c->cmsg_type == SCM_TIMESTAMPNS)
			return (true);
	}
	return (false);
}

/* Some sandboxes stamp nothing; others begin a moment after being asked. */
static bool
kernel_stamps(int from, int to)
{
	int64_t limit = raw_ns() + SEC;

	while (raw_ns() < limit) {
		if (came_stamped(from, to))
			return (true);
	}
	return (false);
}

/* A byte that waits for its reader has come when it was sent. */
static void
waiting_is_not_coming(void **state)
{
	struct env_stamp_pair last = { 0 };
	int64_t sent = 0, done = 0, came = 0;
	int fd[2], early = 0;
	char byte = 0;

	(void)state;
	connected_pair(fd);
	env_stamp_open(fd[1]);
	if (!kernel_stamps(fd[0], fd[1])) {
		print_message("the kernel stamps nothing here\n");
		close(fd[0]);
		close(fd[1]);
		skip();
	}
	for (int i = 0; i < 1000 && early < 20; i++) {
		struct pollfd readable = { .fd = fd[1], .events = POLLIN };

		sent = raw_ns();
		assert_int_equal(write(fd[0], &byte, 1), 1);
		done = raw_ns();
		assert_int_equal(poll(&readable, 1, 1000), 1);
		while (raw_ns() - done < 200 * US)
			continue;
		assert_int_equal(env_stamp_read(fd[1], &byte, 1, &last, &came),
		    1);
		assert_true(came >= sent);
		assert_true(came <= raw_ns());
		early += came < done + 100 * US;
	}
	assert_int_equal(early, 20);
	close(fd[0]);
	assert_int_equal(env_stamp_read(fd[1], &byte, 1, &last, &came), 0);
	close(fd[1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stamps_go_over_to_the_raw_clock),
		cmocka_unit_test(waiting_is_not_coming),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
