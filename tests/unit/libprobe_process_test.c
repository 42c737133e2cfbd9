/*
 * Programs: how they are started and end, and that each is a PO of its own of
 * which nothing is lost.
 */
#include "tests/unit/libprobe_notes.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dlfcn.h"

static char self[256];

static pid_t
start(const char *scenario)
{
	pid_t pid = fork();

	if (pid == 0) {
		execl(self, self, scenario, (char *)NULL);
		_exit(127);
	}
	return (pid);
}

static void
a_started_program_attaches_by_itself(void **state)
{
	struct hub *h = hub_open("n1", NULL);
	pid_t pid = start("notes");
	struct hub_po *p;

	(void)state;
	assert_int_equal(wait_for(pid), 0);
	p = check_notes(h, pid, 1000);
	assert_string_equal(p->program, "libprobe_process_test");
	assert_non_null(strstr(p->command, "libprobe_process_test notes"));
	assert_int_equal(atomic_load(&p->segment->bye), 1);
	hub_close(h, true);
}

/* The events just before exec are kept, and the new image is a new PO. */
static void
exec_makes_a_new_po(void **state)
{
	struct hub *h = hub_open("n1", NULL);
	pid_t pid = start("exec");

	(void)state;
	assert_int_equal(wait_for(pid), 0);
	assert_non_null(hub_wait_po(h, 1));
	hub_sweep(h);
	assert_int_equal(hub_npos(h), 2);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(h->pos[i]->pid, pid);
		assert_int_equal(h->pos[i]->nstreams, 1);
		assert_int_equal(hub_count(h->pos[i]->streams[0], EV_note),
		    1000);
	}
	hub_close(h, true);
}

static void
death_takes_nothing_along(void **state)
{
	static const struct {
		const char *scenario;
		int signal; /* 0: exit code 3 */
	} ends[] = {
		{ "_exit", 0 },
		{ "abort", SIGABRT },
		{ "kill", SIGKILL },
		{ "handler", 0 },
		{ "segv", SIGSEGV },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct hub *h = hub_open("n1", NULL);
		pid_t pid = start(ends[i].scenario);
		int status = wait_for(pid);
		struct hub_po *p;

		if (ends[i].signal == 0)
			assert_int_equal(WEXITSTATUS(status), 3);
		else if (!SANITIZED)
			assert_int_equal(WTERMSIG(status), ends[i].signal);
		p = check_notes(h, pid, 1000);
		assert_int_equal(atomic_load(&p->segment->bye), 0);
		assert_int_equal(atomic_load(&p->segment->taken), 1);
		hub_close(h, true);
	}
}

static void
killed_at_any_moment(void **state)
{
	struct hub_options o = { .ring_records = 65536 };

	(void)state;
	for (int i = 0; i < 50; i++) {
		struct hub *h = hub_open("n1", &o);
		pid_t pid = start("for ever");
		struct hub_po *p = hub_po_of_pid(h, pid);
		struct hub_stream *s;

		assert_non_null(p);
		hub_drain(h, true);
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 + i * 77777 },
		    NULL);
		kill(pid, SIGKILL);
		wait_for(pid);
		p = hub_po_of_pid(h, pid);
		for (size_t k = 0; k < p->nstreams; k++) {
			uint64_t lost = 0;

			s = p->streams[k];
			for (size_t r = 1; r < s->n; r++) {
				struct ring_record *rec = &s->records[r];

				if (rec->kind == EV_lost)
					lost += rec->a;
				else
					assert_int_equal(rec->a + rec->b, 42);
			}
			assert_true(lost <= s->lost_total);
		}
		assert_string_equal(h->fault, "");
		hub_close(h, true);
	}
}

static void
off_means_off(void **state)
{
	struct hub *h = hub_open("n1", NULL);
	pid_t pid;

	(void)state;
	setenv("ORRERY", "off", 1);
	pid = start("notes");
	unsetenv("ORRERY");
	assert_int_equal(wait_for(pid), 0);
	assert_int_equal(hub_npos(h), 0);
	hub_close(h, true);
}

static void
privileged_programs_say_nothing(void **state)
{
	struct hub *h;
	char copy[] = "/tmp/orr-setuid-XXXXXX", command[400];
	int fd, status;
	pid_t pid;

	(void)state;
	if (geteuid() != 0 || SANITIZED)
		skip();
	fd = mkstemp(copy);
	close(fd);
	snprintf(command, sizeof(command), "cp '%s' %s", self, copy);
	assert_int_equal(system(command), 0);
	assert_int_equal(chown(copy, 65534, 65534), 0);
	assert_int_equal(chmod(copy, 04755), 0);
	h = hub_open("n1", NULL);
	pid = fork();
	if (pid == 0) {
		execl(copy, copy, "notes", (char *)NULL);
		_exit(127);
	}
	status = wait_for(pid);
	unlink(copy);
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(hub_npos(h), 0);
	hub_close(h, true);
}

/* The wanted node's collector, and no other, however many there are. */
static void
it_goes_to_its_node(void **state)
{
	struct hub *h2 = hub_open("n2", NULL), *h1;
	pid_t pid = start("notes"), late;

	(void)state;
	assert_int_equal(wait_for(pid), 0);
	assert_int_equal(hub_npos(h2), 1); /* the only one */
	setenv("ORRERY_NODE", "n1", 1);
	late = start("late");
	/* it has found no n1, and must not have spoilt it for others */
	nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
	assert_int_equal(hub_wake_mask(), ~0u);
	h1 = hub_open("n1", NULL);
	assert_int_equal(wait_for(late), 0);
	assert_non_null(hub_po_of_pid(h1, late));
	pid = start("notes");
	assert_int_equal(wait_for(pid), 0);
	assert_int_equal(hub_npos(h1), 2);
	assert_int_equal(hub_npos(h2), 1);
	unsetenv("ORRERY_NODE");
	pid = start("notes");
	assert_int_equal(wait_for(pid), 0);
	assert_int_equal(hub_npos(h1), 3); /* the first by name */
	hub_close(h1, true);
	hub_close(h2, true);
}

static void
patience_ends(void **state)
{
	struct hub_options o = { .ring_records = 1024, .hold = true };
	struct hub *h = hub_open("n1", &o);
	struct timespec a, b;
	struct hub_po *p;
	pid_t pid;

	(void)state;
	setenv("ORRERY_FULL", "wait:100", 1);
	clock_gettime(CLOCK_MONOTONIC, &a);
	pid = start("notes");
	unsetenv("ORRERY_FULL");
	assert_int_equal(wait_for(pid), 0);
	clock_gettime(CLOCK_MONOTONIC, &b);
	assert_true(
	    (b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000 >=
	    100);
	p = hub_po_of_pid(h, pid);
	hub_sweep(h);
	assert_int_equal(hub_stored(p->streams[0]) + p->streams[0]->lost_total,
	    1001);
	hub_close(h, true);
}

static void
the_other_clock_works_too(void **state)
{
	struct hub *h = hub_open("n1", NULL);
	struct timespec ts;
	struct hub_po *p;
	uint64_t now;
	pid_t pid;

	(void)state;
	setenv("ORRERY_CLOCK", "raw", 1);
	pid = start("notes");
	unsetenv("ORRERY_CLOCK");
	assert_int_equal(wait_for(pid), 0);
	p = check_notes(h, pid, 1000);
	assert_int_equal(p->clock, RING_CLOCK_RAW);
	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	now = (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
	assert_in_range(p->streams[0]->records[500].t_cycles,
	    now - 10000000000u, now);
	hub_close(h, true);
}

static void
it_may_be_loaded_and_unloaded(void **state)
{
	struct hub *h = hub_open("n1", NULL);
	struct hub_po *p;
	pid_t pid;

	(void)state;
	setenv("ORRERY", "off", 1); /* for the copy in this very program */
	pid = start("dlopen");
	unsetenv("ORRERY");
	assert_int_equal(wait_for(pid), 0);
	hub_wait_po(h, 0);
	assert_int_equal(hub_npos(h), 1);
	p = h->pos[0];
	assert_int_equal(p->nstreams, 1);
	assert_int_equal(p->streams[0]->n, 4);
	assert_int_equal(p->streams[0]->records[3].kind, EV_thread_end);
	hub_close(h, true);
}

static void
a_limited_program_keeps_its_memory(void **state)
{
	struct hub_options o = { .nrings = 512, .ring_records = 65536 };
	struct hub *h;
	pid_t pid;

	(void)state;
	if (SANITIZED)
		skip();
	h = hub_open("n1", &o);
	pid = fork();
	if (pid == 0) {
		struct rlimit limit = { 1u << 30, 1u << 30 };

		setrlimit(RLIMIT_AS, &limit);
		execl(self, self, "allocate", (char *)NULL);
		_exit(127);
	}
	assert_int_equal(wait_for(pid), 0);
	hub_close(h, true);
}

/* A segment that nobody but us could have made must not hurt. */
static void
nonsense_is_not_attached_to(void **state)
{
	struct hub_options o = { .ring_records = 1000 };
	struct hub *h = hub_open("n1", &o);
	pid_t pid = start("notes");

	(void)state;
	assert_int_equal(wait_for(pid), 0);
	assert_non_null(hub_wait_po(h, 0));
	assert_int_equal(atomic_load(&h->pos[0]->segment->rings_used), 0);
	hub_close(h, true);
}

/* What started programs do. */

static void *
in_loaded_library(void *handle)
{
	void (*slow)(uint32_t, uint32_t, uint64_t, uint64_t);

	*(void **)&slow = dlsym(handle, "probe_slow");
	slow(PROBE_note, 1, 1, 1);
	if (dlclose(handle) != 0)
		abort();
	slow(PROBE_note, 1, 2, 1);
	return (NULL);
}

static void
end_in_handler(int sig)
{
	(void)sig;
	notes(500);
	_exit(3);
}

static int
scenario(const char *what)
{
	char path[300];
	pthread_t t;
	void *handle;

	if (strcmp(what, "dlopen") == 0) {
		/* tests/unit/x_test -> libprobe.so; this copy keeps silent */
		snprintf(path, sizeof(path), "%s", self);
		for (int i = 0; i < 3; i++)
			*strrchr(path, '/') = '\0';
		strcat(path, "/libprobe.so");
		if (probe_attached())
			return (1);
		unsetenv("ORRERY");
		handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		if (handle == NULL) {
			fprintf(stderr, "%s\n", dlerror());
			return (1);
		}
		pthread_create(&t, NULL, in_loaded_library, handle);
		pthread_join(t, NULL);
		return (0);
	}
	if (strcmp(what, "allocate") == 0) {
		void *p = malloc(800u << 20);

		probe_note(1, 1);
		free(p);
		return (p == NULL);
	}
	if (strcmp(what, "late") == 0) {
		for (int ms = 0; !probe_attached() && ms < 10000; ms++) {
			probe_note(1, 0);
			nanosleep(&(struct timespec){ .tv_nsec = 1000000 },
			    NULL);
		}
		return (probe_attached() ? 0 : 1);
	}
	if (strcmp(what, "for ever") == 0) {
		for (uint64_t i = 0;; i++)
			probe_send(i, 42 - i, 0);
	}
	if (strcmp(what, "handler") == 0) {
		signal(SIGUSR1, end_in_handler);
		notes(500);
		raise(SIGUSR1);
	}
	notes(1000);
	if (strcmp(what, "_exit") == 0)
		_exit(3);
	if (strcmp(what, "abort") == 0)
		abort();
	if (strcmp(what, "kill") == 0)
		kill(getpid(), SIGKILL);
	if (strcmp(what, "segv") == 0)
		raise(SIGSEGV);
	if (strcmp(what, "exec") == 0)
		execl(self, self, "notes", (char *)NULL);
	return (0);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_started_program_attaches_by_itself),
		cmocka_unit_test(exec_makes_a_new_po),
		cmocka_unit_test(death_takes_nothing_along),
		cmocka_unit_test(killed_at_any_moment),
		cmocka_unit_test(off_means_off),
		cmocka_unit_test(privileged_programs_say_nothing),
		cmocka_unit_test(it_goes_to_its_node),
		cmocka_unit_test(patience_ends),
		cmocka_unit_test(the_other_clock_works_too),
		cmocka_unit_test(it_may_be_loaded_and_unloaded),
		cmocka_unit_test(a_limited_program_keeps_its_memory),
		cmocka_unit_test(nonsense_is_not_attached_to),
	};
	struct rlimit no_core = { 0, 0 };

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) <= 0)
		return (1);
	if (argc > 1)
		return (scenario(argv[1]));
	setrlimit(RLIMIT_CORE, &no_core);
	hub_setup(argv);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
