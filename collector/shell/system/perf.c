/*
 * A dummy event that counts nothing, but has the kernel note each switch of the
 * threads that it is of: one for each thread and processor, handed on to the
 * threads that are made (inherit_thread), not to processes, since those attach
 * themselves.  All write to one ring for each processor, which is an event of
 * our own: a user may lock only so much memory.
 *
 * Times are those of CLOCK_MONOTONIC_RAW, as all times of a node.
 */
#include "perf.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "event.h"

#define PAGES_MAX    256u /* of a ring: 60 ms of a flood; a user has 128 */
#define PAGES_MIN    4u
#define TASKS_MAX    4096 /* of a process that is found running */
#define RECORD_BYTES 512  /* a sample's, others are below 100 */
#define SAMPLE_WORDS 6    /* pid tid, time (2), cpu, 0: at a record's end */
#define CONTEXT      (UINT64_MAX - 4095) /* in chains, from there on: no code */

struct ring {
	int fd;
	uint32_t cpu;
	struct perf_event_mmap_page *page;
	uint8_t *data;
	size_t bytes, mapped;
};

struct perf {
	struct env *env;
	struct ring *rings;
	size_t nrings, next; /* to be read first */
	size_t nfds, fds_max;
	bool user_only; /* of samples: it was found out */
};

/* What an event is for. */
struct wanted {
	bool own;         /* a ring, and nothing else */
	uint32_t rate_hz; /* samples; else switches */
	bool kernel;
};

struct perf_process {
	int *fds;
	size_t nfds;
};

static int
event_open(pid_t pid, uint32_t cpu, struct wanted w)
{
	bool switches = !w.own && w.rate_hz == 0;
	struct perf_event_attr a = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(a),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type =
		    PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
		.sample_id_all = 1,
		.exclude_kernel = !w.kernel,
		.exclude_hv = 1,
		.disabled = w.own,
		.context_switch = switches,
		.task = switches,
		.inherit = !w.own,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC_RAW,
		.watermark = 1, /* nobody sleeps on it */
		.wakeup_watermark = 1u << 30,
	};

	a.inherit_thread = !w.own;
	if (w.rate_hz > 0) {
		a.config = PERF_COUNT_SW_CPU_CLOCK;
		a.sample_period = 1000000000 / w.rate_hz;
		a.sample_type |= PERF_SAMPLE_CALLCHAIN;
		a.exclude_callchain_kernel = 1;
		a.sample_max_stack = CHAIN_MAX;
	}
	return ((int)syscall(SYS_perf_event_open, &a, pid, (int)cpu, -1,
	    PERF_FLAG_FD_CLOEXEC));
}

static bool
ring_map(struct ring *r)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *p;

	for (size_t n = PAGES_MAX; n >= PAGES_MIN; n /= 2) {
		r->mapped = (n + 1) * page;
		p = mmap(NULL, r->mapped, PROT_READ | PROT_WRITE, MAP_SHARED,
		    r->fd, 0);
		if (p == MAP_FAILED)
			continue;
		r->page = p;
		r->data = (uint8_t *)p + page;
		r->bytes = n * page;
		return (true);
	}
	return (false);
}

static int
rings_open(struct perf *p)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	p->rings = calloc((size_t)cpus, sizeof(*p->rings));
	for (uint32_t c = 0; p->rings != NULL && c < cpus; c++) {
		struct ring *r = &p->rings[p->nrings];

		r->cpu = c;
		r->fd = event_open(0, c, (struct wanted){ .own = true });
		if (r->fd == -1 && errno == ENODEV)
			continue; /* it is switched off */
		if (r->fd == -1)
			return (-1);
		p->nrings++;
		if (!ring_map(r))
			return (-1);
	}
	return (p->nrings == 0 ? -1 : 0);
}

struct perf *
perf_new(struct env *env)
{
	struct perf *p = calloc(1, sizeof(*p));
	struct rlimit limit;
	int saved;

	if (p == NULL)
		return (NULL);
	p->env = env;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
		p->fds_max = limit.rlim_cur / 2;
	if (rings_open(p) == 0)
		return (p);
	saved = errno;
	perf_free(p);
	errno = saved;
	return (NULL);
}

void
perf_free(struct perf *p)
{
	if (p == NULL)
		return;
	for (size_t i = 0; i < p->nrings; i++) {
		if (p->rings[i].page != NULL)
			munmap(p->rings[i].page, p->rings[i].mapped);
		close(p->rings[i].fd);
	}
	free(p->rings);
	free(p);
}

/* On all processors; those that are there already are no error. */
static int
open_task(struct perf *p, struct perf_process *of, pid_t tid, struct wanted w)
{
	int *more, fd;

	if (p->nfds + p->nrings > p->fds_max) {
		errno = EMFILE;
		return (-1);
	}
	more = realloc(of->fds, (of->nfds + p->nrings) * sizeof(*more));
	if (more == NULL)
		return (-1);
	of->fds = more;
	for (size_t i = 0; i < p->nrings; i++) {
		fd = event_open(tid, p->rings[i].cpu, w);
		if (fd == -1)
			return (-1);
		of->fds[of->nfds++] = fd;
		p->nfds++;
		if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, p->rings[i].fd) == -1)
			return (-1);
	}
	return (0);
}

/* Threads that it had before; they may make others meanwhile, which inherit. */
static int
open_tasks(struct perf *p, struct perf_process *of, uint32_t pid,
    struct wanted w)
{
	struct dirent *de;
	char path[32];
	DIR *dir;
	int n = 0, r = 0;

	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	if ((dir = opendir(path)) == NULL)
		return (-1);
	while (r == 0 && (de = readdir(dir)) != NULL && n < TASKS_MAX) {
		if (de->d_name[0] == '.')
			continue;
		n++;
		r = open_task(p, of, (pid_t)strtol(de->d_name, NULL, 10), w);
		if (r == -1 && errno == ESRCH)
			r = 0; /* it has ended meanwhile */
	}
	closedir(dir);
	return (r);
}

static struct perf_process *
open_process(struct perf *p, uint32_t pid, struct wanted w)
{
	struct perf_process *of = calloc(1, sizeof(*of));
	int saved;

	if (of == NULL || open_tasks(p, of, pid, w) == 0)
		return (of);
	saved = errno;
	perf_close(p, of);
	errno = saved;
	return (NULL);
}

struct perf_process *
perf_open(struct perf *p, uint32_t pid)
{
	return (open_process(p, pid, (struct wanted){ 0 }));
}

struct perf_process *
perf_sample(struct perf *p, uint32_t pid, uint32_t rate_hz, bool *kernel)
{
	struct wanted w = { .rate_hz = rate_hz, .kernel = !p->user_only };
	struct perf_process *of = open_process(p, pid, w);

	if (of == NULL && w.kernel && (errno == EACCES || errno == EPERM)) {
		p->user_only = true;
		w.kernel = false;
		of = open_process(p, pid, w);
	}
	*kernel = w.kernel;
	return (of);
}

void
perf_close(struct perf *p, struct perf_process *of)
{
	if (of == NULL)
		return;
	for (size_t i = 0; i < of->nfds; i++)
		close(of->fds[i]);
	p->nfds -= of->nfds;
	free(of->fds);
	free(of);
}

/* Behind what all samples have: how many addresses, and those. */
static struct chain *
parse_chain(struct chains *chains, uint32_t pid, const uint32_t *body,
    size_t words)
{
	uint64_t at[CHAIN_MAX], n, one;
	size_t found = 0;

	if (words < SAMPLE_WORDS + 2)
		return (NULL);
	body += SAMPLE_WORDS;
	words -= SAMPLE_WORDS + 2;
	memcpy(&n, body, sizeof(n));
	for (body += 2; n > 0 && words >= 2 && found < CHAIN_MAX; n--) {
		memcpy(&one, body, sizeof(one));
		body += 2;
		words -= 2;
		if (one < CONTEXT)
			at[found++] = one;
	}
	return (found == 0 ? NULL : chains_find(chains, pid, at, found));
}

/* What is wanted of a record; false: it is of another kind. */
static bool
parse(struct perf *p, struct chains *chains, const struct perf_event_header *h,
    const uint32_t *body, size_t words, struct sched_record *r)
{
	bool found = h->type == PERF_RECORD_SAMPLE;
	const uint32_t *sample = found ? body : body + words - SAMPLE_WORDS;
	int64_t raw_ns;

	memcpy(&raw_ns, sample + 2, sizeof(raw_ns));
	*r = (struct sched_record){
		.t_node_ns = env_event_node_ns(p->env, raw_ns),
		.pid = sample[0],
		.tid = sample[1],
		.cpu = sample[4],
	};
	switch (h->type) {
	case PERF_RECORD_SAMPLE:
		r->kind = EV_sample_found;
		r->chain = parse_chain(chains, r->pid, body, words);
		return (true);
	case PERF_RECORD_SWITCH:
		r->kind = h->misc & PERF_RECORD_MISC_SWITCH_OUT ? EV_sched_out
								: EV_sched_in;
		r->preempted =
		    (h->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
		return (true);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT: /* pid ppid tid ptid time */
		r->kind =
		    h->type == PERF_RECORD_FORK ? EV_sched_new : EV_sched_gone;
		r->pid = body[0];
		r->tid = body[2];
		return (true);
	case PERF_RECORD_LOST: /* id lost */
		r->kind = EV_lost;
		r->pid = 0;
		r->tid = body[2];
		return (true);
	default:
		return (false);
	}
}

/* Bytes of the ring, which has no end. */
static void
copy_out(const struct ring *r, uint64_t at, void *to, size_t n)
{
	size_t from = (size_t)(at % r->bytes);
	size_t first = n < r->bytes - from ? n : r->bytes - from;

	memcpy(to, r->data + from, first);
	memcpy((uint8_t *)to + first, r->data, n - first);
}

static size_t
ring_read(struct perf *p, struct ring *r, struct chains *chains,
    struct sched_record *out, size_t max)
{
	uint64_t head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = r->page->data_tail;
	struct perf_event_header h;
	uint32_t body[RECORD_BYTES / sizeof(uint32_t)];
	size_t n = 0, bytes;

	while (tail + sizeof(h) <= head && n < max) {
		copy_out(r, tail, &h, sizeof(h));
		if (h.size < sizeof(h) || h.size > head - tail)
			break; /* the kernel makes no such record */
		bytes = h.size - sizeof(h);
		if (bytes <= sizeof(body) &&
		    bytes >= SAMPLE_WORDS * sizeof(uint32_t)) {
			copy_out(r, tail + sizeof(h), body, bytes);
			n += parse(p, chains, &h, body,
			    bytes / sizeof(uint32_t), &out[n]);
		}
		tail += h.size;
	}
	__atomic_store_n(&r->page->data_tail, tail, __ATOMIC_RELEASE);
	return (n);
}

size_t
perf_read(void *arg, struct chains *chains, struct sched_record *out,
    size_t max)
{
	struct perf *p = arg;
	size_t n = 0;

	if (p->nrings == 0)
		return (0);
	for (size_t i = 0; i < p->nrings && n < max; i++) {
		struct ring *r = &p->rings[(p->next + i) % p->nrings];

		n += ring_read(p, r, chains, out + n, max - n);
	}
	p->next = (p->next + 1) % p->nrings;
	return (n);
}
