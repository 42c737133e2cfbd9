/* Forks: each child is a PO of its own, and inherits nothing. */
#include "tests/unit/libprobe_notes.h"

#include <sys/syscall.h>

#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

typedef pid_t forker(void);

static pid_t
raw_clone(void)
{
	return ((pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
}

static void
child_is_its_own(forker *how)
{
	struct hub *h = hub_open("n1", NULL);
	struct hub_po *child, *parent;
	uint64_t id, id_of_child;
	int pipes[2];
	pid_t pid;

	notes(1000);
	assert_int_equal(pipe(pipes), 0);
	pid = how();
	if (pid == 0) {
		id = probe_message_id();
		notes(1000);
		notes(1000);
		if (write(pipes[1], &id, sizeof(id)) != sizeof(id))
			_exit(1);
		_exit(probe_po() == 2 ? 0 : 1);
	}
	id = probe_message_id();
	notes(1000);
	assert_int_equal(read(pipes[0], &id_of_child, sizeof(id_of_child)),
	    sizeof(id_of_child));
	assert_int_not_equal(id, id_of_child);
	assert_int_equal(wait_for(pid), 0);
	notes(1000);
	parent = check_notes(h, getpid(), 3000);
	child = check_notes(h, pid, 2000);
	assert_int_equal(parent->parent_po, 0);
	assert_int_equal(child->parent_po, parent->po);
	assert_int_equal(hub_npos(h), 2);
	close(pipes[0]);
	close(pipes[1]);
	hub_close(h, true);
}

static void
a_fork_is_a_new_po(void **state)
{
	(void)state;
	child_is_its_own(fork);
}

static void
so_is_a_bare_clone(void **state)
{
	(void)state;
	if (SANITIZED)
		skip();
	child_is_its_own(raw_clone);
}

static void
a_grandchild_knows_its_parent(void **state)
{
	struct hub *h = hub_open("n1", NULL);
	pid_t pid;

	(void)state;
	notes(1);
	pid = fork();
	if (pid == 0) {
		notes(1);
		pid = fork();
		if (pid == 0) {
			notes(1);
			_exit(0);
		}
		_exit(waitpid(pid, NULL, 0) == pid ? 0 : 1);
	}
	assert_int_equal(wait_for(pid), 0);
	assert_non_null(hub_wait_po(h, 2));
	assert_int_equal(h->pos[1]->parent_po, 1);
	assert_int_equal(h->pos[2]->parent_po, 2);
	hub_close(h, true);
}

/* Nor without a collector, which would number the blocks of ids. */
static void
no_id_is_inherited(void **state)
{
	static forker *const how[] = { fork, raw_clone };
	uint64_t id[3];
	int pipes[2];

	(void)state;
	assert_false(probe_attached());
	for (size_t i = 0; i < sizeof(how) / sizeof(how[0]) - SANITIZED; i++) {
		pid_t pid;

		id[0] = probe_id();
		assert_int_equal(pipe(pipes), 0);
		pid = how[i]();
		if (pid == 0) {
			id[0] = probe_id();
			_exit(write(pipes[1], id, 8) == 8 ? 0 : 1);
		}
		id[1] = probe_id();
		assert_int_equal(read(pipes[0], &id[2], 8), 8);
		assert_int_equal(wait_for(pid), 0);
		assert_int_equal(id[1], id[0] + 1);
		assert_int_not_equal(id[2], id[0]);
		assert_int_not_equal(id[2], id[1]);
		close(pipes[0]);
		close(pipes[1]);
	}
}

static bool stop;

static void *
probe_on(void *arg)
{
	uint64_t *n = arg;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		probe_send(*n, ~*n, 3);
		if (++*n % 500 == 0)
			nanosleep(&(struct timespec){ .tv_nsec = 1000 }, NULL);
	}
	return (NULL);
}

/* Names are made by a thread while another forks: nothing is left locked. */
static void *
name_on(void *arg)
{
	char text[32];

	(void)arg;
	for (int i = 0; !__atomic_load_n(&stop, __ATOMIC_RELAXED); i++) {
		snprintf(text, sizeof(text), "fork %d", i % 3000);
		probe_name(text);
	}
	return (NULL);
}

static void
forks_amid_busy_threads(void **state)
{
	struct hub_options o = { .wait_ms = 10000, .names_bytes = 1u << 20 };
	struct hub *h;
	uint64_t n = 0, next = 0;
	struct hub_stream *s = NULL;
	struct hub_po *p;
	pthread_t t, u;

	(void)state;
	if (SANITIZED)
		skip();
	h = hub_open("n1", &o);
	stop = false;
	pthread_create(&t, NULL, probe_on, &n);
	pthread_create(&u, NULL, name_on, NULL);
	for (int i = 0; i < 50; i++) {
		pid_t pid = i % 2 ? fork() : raw_clone();

		if (pid == 0) {
			probe_note(probe_name("from a child"), 1);
			_exit(0);
		}
		assert_int_equal(wait_for(pid), 0);
		p = hub_po_of_pid(h, pid);
		assert_non_null(p);
		assert_int_equal(p->nstreams, 1);
		assert_int_equal(p->streams[0]->n, 2);
		assert_string_equal(hub_name(p, p->streams[0]->records[1].c),
		    "from a child");
		hub_drain(h, true);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	p = hub_po_of_pid(h, getpid());
	for (size_t i = 0; i < p->nstreams; i++) {
		if (hub_count(p->streams[i], EV_send) > 0)
			s = p->streams[i];
	}
	assert_non_null(s);
	for (size_t i = 0; i < s->n; i++) {
		if (s->records[i].kind != EV_send)
			continue;
		assert_int_equal(s->records[i].a, next);
		assert_int_equal(s->records[i].b, ~next);
		next++;
	}
	assert_int_equal(next + s->lost_total, n);
	assert_string_equal(h->fault, "");
	hub_close(h, true);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_id_is_inherited),
		cmocka_unit_test(a_fork_is_a_new_po),
		cmocka_unit_test(so_is_a_bare_clone),
		cmocka_unit_test(a_grandchild_knows_its_parent),
		cmocka_unit_test(forks_amid_busy_threads),
	};

	(void)argc;
	hub_setup(argv);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
