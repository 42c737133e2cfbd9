/*
 * The real world on libevent: clock, timers, randomness, and the table that
 * ties in connections (env_conn.c) and files (env_file.c).
 */
#include <sys/random.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "env_real.h"

#define WANDER_PERIOD_S 60.0

struct env_timer {
	struct event *ev;
	void (*cb)(void *);
	void *arg;
};

static int64_t
clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ((int64_t)ts.tv_sec * ENV_SEC + ts.tv_nsec);
}

/*
 * The test clock: an offset, a constant drift, and a slow sine whose rate
 * stays within +- wander.  It depends on the raw clock only, so that a
 * collector that is started again goes on with the same clock.
 */
int64_t
env_event_node_ns(struct env *env, int64_t raw_ns)
{
	const struct env_real *er = (struct env_real *)env;
	double s, drift_ns;

	if (!er->test)
		return (raw_ns);
	s = (double)raw_ns * 1e-9;
	drift_ns = (double)raw_ns * er->test_ppm * 1e-6;
	drift_ns += er->test_wander_ppm * 1e3 * WANDER_PERIOD_S / (2 * M_PI) *
		    (1 - cos(s * 2 * M_PI / WANDER_PERIOD_S));
	return (raw_ns + er->test_offset_ns + (int64_t)llrint(drift_ns));
}

int64_t
env_real_now(struct env *env)
{
	return (env_event_node_ns(env, clock_ns(CLOCK_MONOTONIC_RAW)));
}

static int64_t
real_ns(struct env *env)
{
	(void)env;
	return (clock_ns(CLOCK_REALTIME));
}

/* xoroshiro128+, seeded by the kernel: for jitter and ids, not for secrets. */
static uint64_t
real_random(struct env *env)
{
	uint64_t *s = ((struct env_real *)env)->random;
	uint64_t a = s[0], b = s[1], sum = a + b;

	b ^= a;
	s[0] = ((a << 24) | (a >> 40)) ^ b ^ (b << 16);
	s[1] = (b << 37) | (b >> 27);
	return (sum);
}

static const char *
real_machine(struct env *env)
{
	return (((struct env_real *)env)->machine);
}

static void
timer_fired(evutil_socket_t fd, short what, void *arg)
{
	struct env_timer *t = arg;

	(void)fd;
	(void)what;
	t->cb(t->arg);
}

static struct env_timer *
real_timer_new(struct env *env, void (*cb)(void *), void *arg)
{
	struct env_real *er = (struct env_real *)env;
	struct env_timer *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return (NULL);
	t->cb = cb;
	t->arg = arg;
	t->ev = event_new(er->base, -1, 0, timer_fired, t);
	if (t->ev == NULL) {
		free(t);
		errno = ENOMEM;
		return (NULL);
	}
	event_priority_set(t->ev, PRIORITY_URGENT);
	return (t);
}

static void
real_timer_set(struct env_timer *t, int64_t delay_ns)
{
	struct timeval tv;

	if (delay_ns < 0)
		delay_ns = 0;
	tv.tv_sec = delay_ns / ENV_SEC;
	tv.tv_usec = (delay_ns % ENV_SEC + 999) / 1000;
	if (tv.tv_usec == 1000000) {
		tv.tv_sec++;
		tv.tv_usec = 0;
	}
	event_add(t->ev, &tv);
}

static void
real_timer_stop(struct env_timer *t)
{
	event_del(t->ev);
}

static void
real_timer_free(struct env_timer *t)
{
	if (t == NULL)
		return;
	event_free(t->ev);
	free(t);
}

static const struct env_ops real_ops = {
	.now_ns = env_real_now,
	.real_ns = real_ns,
	.random = real_random,
	.machine = real_machine,
	.timer_new = real_timer_new,
	.timer_set = real_timer_set,
	.timer_stop = real_timer_stop,
	.timer_free = real_timer_free,
	.listen = env_real_listen,
	.listener_free = env_real_listener_free,
	.connect = env_real_connect,
	.conn_set = env_real_conn_set,
	.conn_urgent = env_real_conn_urgent,
	.send = env_real_send,
	.queued = env_real_queued,
	.read_pause = env_real_read_pause,
	.close = env_real_close,
	.open = env_real_open,
	.read_at = env_real_read_at,
	.write_at = env_real_write_at,
	.sync = env_real_sync,
	.leads_to = env_real_leads_to,
	.truncate = env_real_truncate,
	.size = env_real_size,
	.lock = env_real_lock,
	.file_close = env_real_file_close,
	.rename = env_real_rename,
	.unlink = env_real_unlink,
	.mkdir = env_real_mkdir,
	.list = env_real_list,
	.sync_dir = env_real_sync_dir,
};

/*
 * Two programs share a clock when they share the boot, the time namespace
 * and the test clock.
 */
static void
name_machine(struct env_real *er, const char *test_clock)
{
	char boot[64] = "?", host[64] = "?";
	struct stat st;
	ssize_t n;
	int fd;

	fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	if (fd != -1) {
		n = read(fd, boot, sizeof(boot) - 1);
		boot[n > 0 ? strcspn(boot, "\n") : 0] = '\0';
		close(fd);
	}
	if (gethostname(host, sizeof(host) - 1) == -1)
		host[0] = '\0';
	if (stat("/proc/self/ns/time", &st) == -1)
		st.st_ino = 0;
	snprintf(er->machine, sizeof(er->machine), "%s/%lu/%s%s%.24s", boot,
	    (unsigned long)st.st_ino, host, test_clock != NULL ? "/" : "",
	    test_clock != NULL ? test_clock : "");
}

static int
parse_test_clock(struct env_real *er, const char *s)
{
	double offset_s = 0, ppm = 0, wander = 0;
	int n = 0, fields;

	fields = sscanf(s, "%lf,%lf%n,%lf%n", &offset_s, &ppm, &n, &wander, &n);
	if (fields < 2 || s[n] != '\0' || !(fabs(offset_s) <= 1e6) ||
	    !(fabs(ppm) <= 500) || !(fabs(wander) <= 100)) {
		errno = EINVAL;
		return (-1);
	}
	er->test = true;
	er->test_offset_ns = (int64_t)(offset_s * 1e9);
	er->test_ppm = ppm;
	er->test_wander_ppm = wander;
	return (0);
}

struct env *
env_event_new(const char *test_clock)
{
	struct env_real *er = calloc(1, sizeof(*er));
	struct event_config *conf = NULL;
	int saved;

	if (er == NULL)
		return (NULL);
	er->env.ops = &real_ops;
	TAILQ_INIT(&er->lingering);
	if (test_clock != NULL && parse_test_clock(er, test_clock) == -1)
		goto fail;
	name_machine(er, test_clock);
	if (getrandom(er->random, sizeof(er->random), 0) == -1)
		goto fail;
	er->random[0] |= 1;
	conf = event_config_new();
	if (conf == NULL)
		goto fail;
	event_config_set_flag(conf, EVENT_BASE_FLAG_PRECISE_TIMER);
	event_config_set_flag(conf, EVENT_BASE_FLAG_NOLOCK);
	/*
	 * A delay begins when it is asked for, not when the loop last woke: or
	 * else a timer that works for longer than its delay is always due, and
	 * being urgent keeps all connections from their turn.
	 */
	event_config_set_flag(conf, EVENT_BASE_FLAG_NO_CACHE_TIME);
	er->base = event_base_new_with_config(conf);
	event_config_free(conf);
	if (er->base == NULL ||
	    event_base_priority_init(er->base, PRIORITIES) == -1)
		goto fail;
	return (&er->env);

fail:
	saved = errno != 0 ? errno : ENOMEM;
	env_event_free(&er->env);
	errno = saved;
	return (NULL);
}

void
env_event_free(struct env *env)
{
	struct env_real *er = (struct env_real *)env;

	if (er == NULL)
		return;
	env_real_linger_end(env);
	if (er->base != NULL)
		event_base_free(er->base);
	free(er);
}

struct event_base *
env_event_base(struct env *env)
{
	return (((struct env_real *)env)->base);
}
