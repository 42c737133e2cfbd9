/*
 * What monitorctl makes of an answer by anybody: it asks at a socket where a
 * thread answers with the input, whatever was asked, and hangs up.  The first
 * byte says what is asked; then come frames, u8 type, u16 length and body, and
 * what is left is said as it is.
 */
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <getopt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frame.h"
#include "log.h"
#include "tools/monitorctl.h"
#include "wire.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

const char *__asan_default_options(void);
const char *
__asan_default_options(void)
{
	return ("malloc_context_size=8:quarantine_size_mb=4");
}

static char dir[] = "/dev/shm/fuzz_answer.XXXXXX";
static char node_dir[64], monitord_path[64], collector_path[64];
static struct buf answer; /* the thread's while something is asked */

static void
tidy_up(void)
{
	(void)unlink(monitord_path);
	(void)unlink(collector_path);
	(void)rmdir(node_dir);
	(void)rmdir(dir);
}

static void
answer_one(int fd)
{
	char asked[4096];
	size_t at = 0;
	ssize_t n = 1;

	while (at < answer.n && n > 0) {
		n = send(fd, answer.p + at, answer.n - at, MSG_NOSIGNAL);
		at += n > 0 ? (size_t)n : 0;
	}
	(void)shutdown(fd, SHUT_WR);
	while (read(fd, asked, sizeof(asked)) > 0)
		continue; /* until it has been read, and closed */
	close(fd);
}

static void *
answerer(void *arg)
{
	int at = *(const int *)arg, fd;

	while ((fd = accept(at, NULL, NULL)) != -1)
		answer_one(fd);
	return (NULL);
}

static void
listen_at(const char *path, int *fd)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	pthread_t thread;

	memcpy(sun.sun_path, path, strlen(path));
	*fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (*fd == -1 ||
	    bind(*fd, (struct sockaddr *)&sun, sizeof(sun)) == -1 ||
	    listen(*fd, 8) == -1 ||
	    pthread_create(&thread, NULL, answerer, fd) != 0)
		abort();
	pthread_detach(thread);
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static int fds[2];

	(void)argc;
	(void)argv;
	log_init("fuzz", -1);
	if (freopen("/dev/null", "w", stdout) == NULL ||
	    (stderr = fopen("/dev/null", "w")) == NULL || mkdtemp(dir) == NULL)
		abort(); /* libFuzzer has its own stderr already */
	setenv("ORRERY_DIR", dir, 1);
	snprintf(monitord_path, sizeof(monitord_path), "%s/monitord.sock", dir);
	snprintf(node_dir, sizeof(node_dir), "%s/n1", dir);
	snprintf(collector_path, sizeof(collector_path), "%s/n1/collector.sock",
	    dir);
	if (mkdir(node_dir, 0700) == -1)
		abort();
	listen_at(monitord_path, &fds[0]);
	listen_at(collector_path, &fds[1]);
	atexit(tidy_up);
	return (0);
}

static void
add_frame(unsigned type, const uint8_t *body, size_t n)
{
	if (buf_reserve(&answer, FRAME_HEAD_BYTES + n) == -1)
		abort();
	if (n > 0)
		memcpy(answer.p + answer.n + FRAME_HEAD_BYTES, body, n);
	answer.n += frame_seal(answer.p + answer.n, type, n);
}

static void
make_answer(const uint8_t *p, size_t n, bool welcome)
{
	static const struct msg_welcome m = { .version = PROTO_VERSION };
	size_t body;

	answer.n = 0;
	if (welcome)
		(void)frame_append(&answer, MSG_welcome, &m);
	for (; n >= 3 && p[0] != 0; p += 3 + body, n -= 3 + body) {
		body = get_u16(p + 1) < n - 3 ? get_u16(p + 1) : n - 3;
		add_frame(p[0], p + 3, body);
	}
	if (n > 0)
		(void)buf_add(&answer, p, n);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static char *const asked[][4] = {
		{ "status" },
		{ "status", "--yaml" },
		{ "shutdown" },
		{ "who", "--node", "n1" },
		{ "status", "--json" },
	};
	static command_run *const run[] = { status_run, status_run,
		shutdown_run, who_run, status_run };
	static const struct globals g;
	unsigned what = n == 0 ? 0 : data[0] % 5;
	char *words[5] = { NULL };
	int nwords = 0;

	while (nwords < 4 && asked[what][nwords] != NULL) {
		words[nwords] = asked[what][nwords];
		nwords++;
	}
	if (n > 0)
		make_answer(data + 1, n - 1, what < 3 && data[0] < 128);
	optind = 0; /* starts getopt anew */
	(void)run[what](&g, nwords, words);
	return (0);
}
