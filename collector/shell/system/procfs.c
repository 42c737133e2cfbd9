/*
 * Reading /proc.
 *
 * CPU time is asked for from the process's own clock, in ns; what part of it
 * was in the kernel is known to the tick only, and so is adjusted by the kernel
 * itself.  Switches are counted by thread there, and forgotten with the thread:
 * what a thread had at its last reading is kept and added up here.  With very
 * many threads some are read at a time, in turns.
 */
#include "procfs.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "smallfile.h"

#define NS_PER_SEC    UINT64_C(1000000000)
#define TASKS_MAX     4096
#define FIELD_MINOR   7 /* in /proc/PID/stat, from the state (0) on */
#define FIELD_MAJOR   9
#define FIELD_USER    11
#define FIELD_SYSTEM  12
#define FIELD_THREADS 17
#define FIELD_BORN    19
#define FIELD_PAGES   21

struct task {
	uint32_t tid;
	uint64_t voluntary, involuntary;
};

struct procfs {
	uint32_t pid;
	uint64_t born;      /* as /proc has it; 0: not read yet */
	struct task *tasks; /* by rising number */
	size_t ntasks, turn;
	uint64_t voluntary, involuntary; /* of those that have ended */
};

struct procfs *
procfs_new(uint32_t pid)
{
	struct procfs *p = calloc(1, sizeof(*p));

	if (p != NULL)
		p->pid = pid;
	return (p);
}

void
procfs_free(struct procfs *p)
{
	if (p == NULL)
		return;
	free(p->tasks);
	free(p);
}

/* The number behind a label at the beginning of a line; false: none. */
static bool
labelled(const char *text, const char *label, uint64_t *v)
{
	size_t n = strlen(label);

	for (const char *p = text; p != NULL; p = strchr(p, '\n')) {
		p += *p == '\n';
		if (strncmp(p, label, n) != 0)
			continue;
		*v = strtoull(p + n, NULL, 10);
		return (true);
	}
	return (false);
}

static void
set_labelled(struct measures *m, enum measure_id id, const char *text,
    const char *label)
{
	uint64_t v;

	if (labelled(text, label, &v))
		measure_set(m, id, v);
}

static uint64_t
ticks_ns(uint64_t ticks)
{
	return (ticks * (NS_PER_SEC / (uint64_t)sysconf(_SC_CLK_TCK)));
}

/* field[i]: the i-th behind the name. */
static bool
read_stat(const struct procfs *p, uint64_t field[FIELD_PAGES + 1])
{
	char path[32], text[1024], *at;

	snprintf(path, sizeof(path), "/proc/%u/stat", p->pid);
	if (!smallfile_read(path, text, sizeof(text)) ||
	    (at = strrchr(text, ')')) == NULL) /* a name may hold anything */
		return (false);
	for (int i = 0; i <= FIELD_PAGES; i++) {
		at = strchr(at + 1, ' ');
		if (at == NULL)
			return (false);
		field[i] = strtoull(at + 1, NULL, 10);
	}
	return (true);
}

static void
measure_cpu(const struct procfs *p, struct measures *m)
{
	struct timespec ts;
	clockid_t clock;

	if (clock_getcpuclockid((pid_t)p->pid, &clock) == 0 &&
	    clock_gettime(clock, &ts) == 0)
		measure_set(m, MEASURE_cpu,
		    (uint64_t)ts.tv_sec * NS_PER_SEC + (uint64_t)ts.tv_nsec);
}

static void
measure_stat(struct procfs *p, struct measures *m, bool lives)
{
	uint64_t field[FIELD_PAGES + 1];

	if (!read_stat(p, field) ||
	    (p->born != 0 && p->born != field[FIELD_BORN]))
		return;
	p->born = field[FIELD_BORN];
	measure_set(m, MEASURE_user, ticks_ns(field[FIELD_USER]));
	measure_set(m, MEASURE_system, ticks_ns(field[FIELD_SYSTEM]));
	measure_set(m, MEASURE_minor, field[FIELD_MINOR]);
	measure_set(m, MEASURE_major, field[FIELD_MAJOR]);
	if (!lives)
		return;
	measure_set(m, MEASURE_threads, field[FIELD_THREADS]);
	measure_set(m, MEASURE_resident,
	    field[FIELD_PAGES] * (uint64_t)sysconf(_SC_PAGESIZE));
}

static void
measure_io(const struct procfs *p, struct measures *m)
{
	char path[32], text[512];

	snprintf(path, sizeof(path), "/proc/%u/io", p->pid);
	if (!smallfile_read(path, text, sizeof(text)))
		return;
	set_labelled(m, MEASURE_read, text, "rchar: ");
	set_labelled(m, MEASURE_written, text, "wchar: ");
	set_labelled(m, MEASURE_disk_read, text, "read_bytes: ");
	set_labelled(m, MEASURE_disk_written, text, "write_bytes: ");
}

static int
by_tid(const void *a, const void *b)
{
	const struct task *x = a, *y = b;

	return ((x->tid > y->tid) - (x->tid < y->tid));
}

/* The threads that there are, by rising number; NULL: it cannot be told. */
static struct task *
list_tasks(uint32_t pid, size_t *n)
{
	struct task *list = NULL, *more;
	struct dirent *de;
	char path[32];
	DIR *dir;

	*n = 0;
	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	if ((dir = opendir(path)) == NULL)
		return (NULL);
	while ((de = readdir(dir)) != NULL && *n < TASKS_MAX) {
		if (de->d_name[0] == '.')
			continue;
		if ((*n & (*n - 1)) == 0) { /* 0 1 2 4 8... */
			more = realloc(list, (*n * 2 + 1) * sizeof(*list));
			if (more == NULL)
				break;
			list = more;
		}
		list[(*n)++] = (struct task){
			.tid = (uint32_t)strtoul(de->d_name, NULL, 10)
		};
	}
	closedir(dir);
	if (*n > 1)
		qsort(list, *n, sizeof(*list), by_tid);
	return (list);
}

/* What was known of those that are still there; the others have ended. */
static void
keep_tasks(struct procfs *p, struct task *now, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < p->ntasks; i++) {
		const struct task *was = &p->tasks[i];

		while (k < n && now[k].tid < was->tid)
			k++;
		if (k < n && now[k].tid == was->tid) {
			now[k] = *was;
		} else {
			p->voluntary += was->voluntary;
			p->involuntary += was->involuntary;
		}
	}
	free(p->tasks);
	p->tasks = now;
	p->ntasks = n;
}

static void
read_task(const struct procfs *p, struct task *t)
{
	char path[48], text[4096];

	snprintf(path, sizeof(path), "/proc/%u/task/%u/status", p->pid, t->tid);
	if (!smallfile_read(path, text, sizeof(text)))
		return;
	(void)labelled(text, "voluntary_ctxt_switches:", &t->voluntary);
	(void)labelled(text, "nonvoluntary_ctxt_switches:", &t->involuntary);
}

static void
measure_switches(struct procfs *p, struct measures *m)
{
	uint64_t voluntary, involuntary;
	struct task *now;
	size_t n, some;

	if ((now = list_tasks(p->pid, &n)) == NULL)
		return;
	keep_tasks(p, now, n);
	some = n < PROCFS_TASKS ? n : PROCFS_TASKS;
	for (size_t i = 0; i < some; i++)
		read_task(p, &now[p->turn++ % n]);
	voluntary = p->voluntary;
	involuntary = p->involuntary;
	for (size_t i = 0; i < n; i++) {
		voluntary += now[i].voluntary;
		involuntary += now[i].involuntary;
	}
	measure_set(m, MEASURE_voluntary, voluntary);
	measure_set(m, MEASURE_involuntary, involuntary);
}

void
procfs_process(struct procfs *p, struct measures *m)
{
	measure_cpu(p, m);
	measure_stat(p, m, true);
	measure_io(p, m);
	measure_switches(p, m);
}

bool
procfs_ended(struct procfs *p, struct measures *m)
{
	if (p->born == 0)
		return (false);
	measure_stat(p, m, false);
	if (m->set != 0) /* it is still that one */
		measure_cpu(p, m);
	return (m->set != 0);
}

/* "cpu  user nice system idle iowait irq softirq steal ..." */
static void
node_cpu(struct measures *m, const char *text)
{
	uint64_t v[8] = { 0 };
	const char *at = text + 3;
	char *end;

	if (strncmp(text, "cpu ", 4) != 0)
		return;
	for (int i = 0; i < 8; i++) {
		v[i] = strtoull(at, &end, 10);
		at = end;
	}
	measure_set(m, MEASURE_node_user, ticks_ns(v[0] + v[1]));
	measure_set(m, MEASURE_node_system, ticks_ns(v[2] + v[5] + v[6]));
	measure_set(m, MEASURE_node_idle, ticks_ns(v[3] + v[4]));
}

/* "0.53 0.40 0.30 2/345 6789" */
static void
node_load(struct measures *m)
{
	char text[128], *at;
	double load;

	if (!smallfile_read("/proc/loadavg", text, sizeof(text)))
		return;
	load = strtod(text, NULL);
	measure_set(m, MEASURE_node_load, (uint64_t)(load * 1000 + 0.5));
	if ((at = strchr(text, '/')) == NULL)
		return;
	measure_set(m, MEASURE_node_processes, strtoull(at + 1, NULL, 10));
}

static void
node_memory(struct measures *m)
{
	uint64_t total, left;
	char text[512];

	if (smallfile_read("/proc/meminfo", text, sizeof(text)) &&
	    labelled(text, "MemTotal:", &total) &&
	    labelled(text, "MemAvailable:", &left) && left <= total)
		measure_set(m, MEASURE_node_memory, (total - left) * 1024);
}

/* All interfaces but the loopback: "  eth0: bytes packets ..." */
static void
node_network(struct measures *m)
{
	uint64_t received = 0, sent = 0;
	char text[8192], *line, *last = NULL, *at;

	if (!smallfile_read("/proc/net/dev", text, sizeof(text)))
		return;
	for (line = strtok_r(text, "\n", &last); line != NULL;
	     line = strtok_r(NULL, "\n", &last)) {
		line += strspn(line, " ");
		if ((at = strchr(line, ':')) == NULL ||
		    strncmp(line, "lo:", 3) == 0)
			continue;
		received += strtoull(at + 1, &at, 10);
		for (int i = 0; i < 7; i++) /* packets errs drop ... */
			(void)strtoull(at, &at, 10);
		sent += strtoull(at, &at, 10);
	}
	measure_set(m, MEASURE_node_received, received);
	measure_set(m, MEASURE_node_sent, sent);
}

bool
procfs_node(struct measures *m)
{
	char text[16384];

	if (smallfile_read("/proc/stat", text, sizeof(text))) {
		node_cpu(m, text);
		set_labelled(m, MEASURE_node_switches, text, "ctxt ");
		set_labelled(m, MEASURE_node_running, text, "procs_running ");
	}
	node_load(m);
	node_memory(m);
	node_network(m);
	return (m->set != 0);
}
