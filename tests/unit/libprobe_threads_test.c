/* Threads, their rings, names, numbers and locks; collectors come and go. */
#include "tests/unit/libprobe_streams.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "probe_mutex.h"

static void *
one_short_life(void *arg)
{
	probe_thread_begin((uint64_t)(uintptr_t)arg, 0);
	probe_note(1, (int64_t)(intptr_t)arg);
	return (NULL);
}

static void
short_threads_take_turns(void **state)
{
	enum {
		N = 10000 / SCALE / 8 * 8
	};
	static bool numbered[N + 1];
	struct hub *h = hub_open("n1", NULL);
	struct hub_po *p;
	uint64_t seen = 0, no_ring;
	pthread_t t[8];

	(void)state;
	for (uintptr_t i = 0; i < N; i += 8) {
		for (uintptr_t k = 0; k < 8; k++)
			assert_int_equal(pthread_create(&t[k], NULL,
					     one_short_life,
					     (void *)(i + k + 1)),
			    0);
		for (int k = 0; k < 8; k++)
			pthread_join(t[k], NULL);
	}
	p = hub_wait_po(h, 0);
	check_accounts(h);
	no_ring = atomic_load(&p->segment->lost_no_ring);
	for (size_t i = 0; i < p->nstreams; i++) {
		struct hub_stream *s = p->streams[i];

		assert_true(s->closed);
		assert_int_equal(s->n, 3);
		assert_int_equal(s->lost_total, 0);
		assert_int_equal(record_at(s, 1, EV_note)->a,
		    record_at(s, 0, EV_thread_begin)->a);
		assert_int_equal(record_at(s, 2, EV_thread_end)->a,
		    s->records[0].a);
		assert_in_range(s->thread, 1, p->nstreams);
		assert_false(numbered[s->thread]);
		numbered[s->thread] = true;
		seen++;
	}
	/* a thread that found no ring lost its word, and that is counted */
	assert_true(seen >= N / 2);
	assert_int_equal(seen + no_ring / 2 >= N, true);
	assert_true(atomic_load(&p->segment->rings_used) <= 64);
	hub_close(h, true);
}

static pthread_barrier_t crowd_is_there;

static void *
in_a_crowd(void *arg)
{
	(void)arg;
	probe_note(1, 1);
	pthread_barrier_wait(&crowd_is_there);
	for (int i = 0; i < 999; i++)
		probe_note(1, 1);
	return (NULL);
}

static void
threads_without_a_ring_are_counted(void **state)
{
	struct hub_options o = { .nrings = 4 };
	struct hub *h = hub_open("n1", &o);
	struct hub_po *p;
	uint64_t notes = 0;
	pthread_t t[6];

	(void)state;
	pthread_barrier_init(&crowd_is_there, NULL, 6);
	for (int i = 0; i < 6; i++)
		pthread_create(&t[i], NULL, in_a_crowd, NULL);
	for (int i = 0; i < 6; i++)
		pthread_join(t[i], NULL);
	p = hub_wait_po(h, 0);
	check_accounts(h);
	for (size_t i = 0; i < p->nstreams; i++)
		notes += hub_count(p->streams[i], EV_note);
	assert_int_equal(notes + atomic_load(&p->segment->lost_no_ring), 6000);
	assert_true(notes >= 4000);
	pthread_barrier_destroy(&crowd_is_there);
	hub_close(h, true);
}

static void *
namer(void *out)
{
	uint32_t *n = out;
	char text[32];

	for (uint32_t i = 0; i < 500; i++) {
		snprintf(text, sizeof(text), "name %u", i);
		n[i] = probe_name(text);
	}
	return (NULL);
}

static void
names_have_one_number(void **state)
{
	static uint32_t n[4][500];
	struct hub *h = hub_open("n1", NULL);
	struct hub_po *p;
	pthread_t t[4];
	char text[32];

	(void)state;
	probe_note(PROBE_NAME("first"), 1);
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, namer, n[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	p = hub_wait_po(h, 0);
	for (uint32_t i = 0; i < 500; i++) {
		snprintf(text, sizeof(text), "name %u", i);
		assert_int_not_equal(n[0][i], 0);
		for (int k = 1; k < 4; k++)
			assert_int_equal(n[0][i], n[k][i]);
		assert_string_equal(hub_name(p, n[0][i]), text);
	}
	assert_int_equal(probe_name("first"), PROBE_NAME("first"));
	assert_int_not_equal(probe_name_at("first", "x.c", 3),
	    probe_name("first"));
	assert_int_equal(probe_name_at("first", "x.c", 3),
	    probe_name_at("first", "x.c", 3));
	assert_int_equal(probe_name(NULL), 0);
	hub_close(h, true);
}

static void
a_full_table_gives_no_name(void **state)
{
	struct hub_options o = { .names_bytes = 16384 };
	struct hub *h;
	struct hub_po *p;
	char text[600];
	uint32_t n, good = 0, bad = 0;

	(void)state;
	h = hub_open("n1", &o);
	probe_note(1, 1);
	p = hub_wait_po(h, 0);
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	for (char c = 'a'; c <= 'z'; c++) {
		text[0] = c;
		for (char d = 'a'; d <= 'e'; d++) {
			text[1] = d;
			n = probe_name(text);
			if (n == 0)
				bad++;
			else
				good++;
			if (n != 0 && hub_name(p, n) != NULL)
				assert_string_equal(hub_name(p, n), text);
		}
	}
	assert_true(bad > 0);
	assert_true(atomic_load(&p->segment->names_used) <= 16384);
	hub_close(h, true);
}

static int
compare_ids(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x < y ? -1 : x > y);
}

static void *
take_ids(void *out)
{
	uint64_t *id = out;

	for (int i = 0; i < 70000; i++) {
		id[2 * i] = probe_id();
		id[2 * i + 1] = probe_message_id();
	}
	return (NULL);
}

static void
no_id_is_given_twice(void **state)
{
	enum {
		EACH = 140000,
		N = 4 * EACH
	};
	uint64_t *id = malloc(N * sizeof(*id));
	struct hub *h = hub_open("n1", NULL);
	pthread_t t[2];
	uint64_t steps = 0;

	(void)state;
	take_ids(id); /* not attached yet */
	probe_note(1, 1);
	assert_true(probe_attached());
	take_ids(id + EACH);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, take_ids, id + (2 + i) * EACH);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	for (int i = EACH + 3; i < 2 * EACH; i += 2)
		steps += id[i] - id[i - 2] == 1;
	assert_true(steps >= 69990); /* they count by one */
	qsort(id, N, sizeof(*id), compare_ids);
	assert_int_not_equal(id[0], 0);
	for (int i = 1; i < N; i++)
		assert_true(id[i] != id[i - 1]);
	free(id);
	hub_close(h, true);
}

static struct probe_mutex mutex = PROBE_MUTEX_INITIALIZER;
static int protected;

static void *
lock_often(void *arg)
{
	(void)arg;
	for (int i = 0; i < 500; i++) {
		probe_mutex_lock(&mutex);
		protected++;
		probe_mutex_unlock(&mutex);
	}
	return (NULL);
}

static void
a_mutex_says_whom_it_was_taken_from(void **state)
{
	static bool released[2001], acquired[2001];
	struct hub *h = hub_open("n1", NULL);
	struct hub_po *p;
	pthread_t t[4];

	(void)state;
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, lock_often, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	assert_int_equal(protected, 2000);
	p = hub_wait_po(h, 0);
	check_accounts(h);
	for (size_t i = 0; i < p->nstreams; i++) {
		for (size_t k = 0; k < p->streams[i]->n; k++) {
			struct ring_record *r = &p->streams[i]->records[k];
			bool *seen =
			    r->kind == EV_lock_acquire ? acquired : released;

			if (r->kind != EV_lock_acquire &&
			    r->kind != EV_lock_release)
				continue;
			assert_int_equal(r->a, mutex.id);
			assert_true(r->b <= 2000);
			assert_false(seen[r->b]);
			seen[r->b] = true;
		}
	}
	for (int i = 1; i < 2000; i++)
		assert_true(released[i] && acquired[i]);
	hub_close(h, true);
}

static bool stop_probing;

static void *
probe_until_stopped(void *count)
{
	uint64_t n = 0;

	while (!__atomic_load_n(&stop_probing, __ATOMIC_RELAXED)) {
		probe_note(1, (int64_t)n++);
		if (n % 1000 == 0)
			nanosleep(&(struct timespec){ .tv_nsec = 1000 }, NULL);
	}
	*(uint64_t *)count = n;
	return (NULL);
}

/* Collectors come and go while threads probe; each finds both threads. */
static void
collectors_come_and_go(void **state)
{
	uint64_t n[2];
	pthread_t t[2];

	(void)state;
	stop_probing = false;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, probe_until_stopped, &n[i]);
	for (int round = 0; round < 10; round++) {
		struct hub *h = hub_open(round % 2 ? "n2" : "n1", NULL);
		struct hub_po *p = hub_wait_po(h, 0);
		uint64_t events = 0;

		assert_non_null(p);
		for (int ms = 0; ms < 5000 && events < 5000; ms++) {
			hub_sweep(h);
			pthread_mutex_lock(&h->lock);
			events = p->nstreams < 2 ? 0 : p->streams[0]->n;
			if (events != 0 && p->streams[1]->n < events)
				events = p->streams[1]->n;
			pthread_mutex_unlock(&h->lock);
			nanosleep(&(struct timespec){ .tv_nsec = 1000000 },
			    NULL);
		}
		assert_true(events > 1000);
		assert_int_equal(p->nstreams, 2);
		assert_int_equal(h->npos, 1);
		assert_string_equal(probe_node_name(), round % 2 ? "n2" : "n1");
		assert_int_equal(probe_node(), HUB_NODE);
		assert_string_equal(h->fault, "");
		hub_close(h, true);
		for (int ms = 0; probe_attached() && ms < 5000; ms++)
			nanosleep(&(struct timespec){ .tv_nsec = 1000000 },
			    NULL);
		assert_false(probe_attached());
		/* and probes are cheap again: the switch is a zero */
		for (int ms = 0; probe_enabled(PROBE_CLASS_note) && ms < 5000;
		     ms++)
			nanosleep(&(struct timespec){ .tv_nsec = 1000000 },
			    NULL);
		assert_false(probe_enabled(PROBE_CLASS_note));
	}
	__atomic_store_n(&stop_probing, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}

static void *
named_thread(void *arg)
{
	probe_thread_name(arg);
	probe_note(1, 1);
	return (NULL);
}

static void
threads_have_names(void **state)
{
	struct hub *h = hub_open("n1", NULL);
	struct hub_po *p;
	pthread_t t;

	(void)state;
	probe_note(1, 1);
	pthread_create(&t, NULL, named_thread, "worker");
	pthread_join(t, NULL);
	p = hub_wait_po(h, 0);
	assert_int_equal(p->nstreams, 2);
	assert_memory_equal(p->streams[0]->name, "libprobe_thread", 15);
	assert_string_equal(p->streams[1]->name, "worker");
	hub_close(h, true);
}

static void *
renamed_thread(void *arg)
{
	char name[16];

	(void)arg;
	probe_thread_name("before"); /* the first event tells it */
	probe_note(1, 1);
	probe_thread_name("before");
	for (int i = 0; i < 150; i++) {
		snprintf(name, sizeof(name), "name %d", i);
		probe_thread_name(name);
	}
	return (NULL);
}

/* What a thread is called later is an event, so often and no more. */
static void
new_names_are_told(void **state)
{
	struct hub *h = hub_open("n1", NULL);
	struct hub_stream *s;
	struct hub_po *p;
	char name[16];
	size_t told = 0;
	pthread_t t;

	(void)state;
	probe_note(1, 1);
	pthread_create(&t, NULL, renamed_thread, NULL);
	pthread_join(t, NULL);
	p = hub_wait_po(h, 0);
	assert_int_equal(p->nstreams, 2);
	s = p->streams[1];
	for (size_t i = 0; i < s->n; i++) {
		if (s->records[i].kind != EV_thread_name)
			continue;
		snprintf(name, sizeof(name), "name %zu", told++);
		assert_string_equal(hub_name(p, s->records[i].c), name);
	}
	assert_int_equal(told, 100);
	hub_close(h, true);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_threads_take_turns),
		cmocka_unit_test(threads_without_a_ring_are_counted),
		cmocka_unit_test(names_have_one_number),
		cmocka_unit_test(no_id_is_given_twice),
		cmocka_unit_test(a_mutex_says_whom_it_was_taken_from),
		cmocka_unit_test(threads_have_names),
		cmocka_unit_test(new_names_are_told),
		cmocka_unit_test(collectors_come_and_go),
		cmocka_unit_test(a_full_table_gives_no_name),
	};

	(void)argc;
	hub_setup(argv);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
