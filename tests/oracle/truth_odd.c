/*
 * What programs do as well: ends without a begin, spans of two sorts that
 * overlap, a task and a phase and a call of one name, states, notes, counters
 * and samples; and processes that end in every way.
 */
#include "tests/oracle/truth.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void
overlaps(void)
{
	probe_phase_begin(PROBE_NAME("early"));
	truth_spin(3000);
	probe_enter(NULL, PROBE_NAME("late"));
	truth_spin(3000);
	probe_phase_end(PROBE_NAME("early"), 10);
	truth_spin(3000);
	probe_leave(NULL, PROBE_NAME("late"));
}

static void
one_name(void)
{
	uint64_t task = probe_id();

	probe_task_spawn(task, 0, PROBE_NAME("request"));
	probe_task_begin(task, 0, PROBE_NAME("request"));
	probe_phase_begin(PROBE_NAME("request"));
	probe_enter(NULL, PROBE_NAME("request"));
	truth_spin(5000);
	probe_leave(NULL, PROBE_NAME("request"));
	probe_phase_end(PROBE_NAME("request"), 1);
	probe_task_end(task);
}

/* Says what it does by states; ends in the midst of a call. */
static void *
speaker(void *arg)
{
	uint64_t *creation = arg;

	probe_thread_begin(*creation, PROBE_NAME("speaker"));
	probe_leave(NULL, PROBE_NAME("none")); /* what nobody began */
	probe_phase_end(PROBE_NAME("none"), 5);
	probe_task_end(probe_id());
	probe_thread_name("orator");
	probe_state(PROBE_NAME("idle"));
	truth_rest(100000);
	probe_thread_name("preacher");
	probe_state(PROBE_NAME("overhead"));
	truth_spin(20000);
	probe_state(PROBE_NAME("waiting"));
	truth_rest(100000);
	probe_state(PROBE_NAME("solving"));
	truth_spin(20000);
	probe_enter(NULL, PROBE_NAME("left open"));
	probe_enter(NULL, PROBE_NAME("left open, inner"));
	truth_spin(20000);
	return (NULL);
}

void
odd_all(void)
{
	uint64_t creation = probe_thread_create(PROBE_NAME("speaker"));
	pthread_t t;

	PROBE_SCOPE();
	overlaps();
	one_name();
	pthread_create(&t, NULL, speaker, &creation);
	pthread_join(t, NULL);
	for (int i = 0; i < 20; i++)
		probe_counter(PROBE_NAME("queue"), i % 7 - 3);
	probe_note(PROBE_NAME("a word in between"), -42);
	probe_sample(NULL, 1000, PROBE_NAME("sampled"));
	truth_told("late", 1);
	truth_told("left open", 1);
	truth_told("left open, inner", 1);
	truth_told("odd_all", 1);
	truth_told("phase:request", 1);
	truth_told("request", 1);
}

void
odd_exits(void)
{
	PROBE_SCOPE();
	for (int how = 0; how < 5; how++) {
		pid_t pid = fork();

		if (pid > 0) {
			waitpid(pid, NULL, 0);
			continue;
		}
		probe_enter(NULL, PROBE_NAME("child"));
		truth_spin(5000);
		if (how == 0)
			_exit(0);
		if (how == 1)
			exit(3);
		if (how == 2)
			raise(SIGKILL);
		if (how == 3) {
			setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
			abort();
		}
		probe_leave(NULL, PROBE_NAME("child"));
		exit(0);
	}
	truth_told("child", 5);
}
