/*
 * Finding segments again.
 *
 * Their memory files are named "orrery:NODE:PLACE:PO", PLACE being the
 * device and inode of the node's directory, which shows in /proc/PID/maps.
 * What a segment's head says about its sizes is hearsay: they are laid out
 * anew from the number and length of its rings, and must come out the same.
 */
#include "rescue.h"

#include <sys/stat.h>
#include <sys/syscall.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log.h"

static int
layout_check(struct pass *m, int fd)
{
	struct ring_record record;
	struct ring_segment s;
	struct stat st;

	if (fstat(fd, &st) == -1 ||
	    pread(fd, &s, sizeof(s), 0) != (ssize_t)sizeof(s) ||
	    s.magic != RING_MAGIC || s.layout != RING_LAYOUT ||
	    s.generations == 0 || s.generations > RING_GENERATIONS)
		return (-1);
	if (segment_layout(&m->layout, s.ring_first * sizeof(record),
		ring_size(s.ring_first, s.generations - 1) * sizeof(record),
		s.nrings, s.names_bytes) == -1 ||
	    m->layout.segment_bytes != (uint64_t)st.st_size ||
	    m->layout.ring_first != s.ring_first ||
	    m->layout.generations != s.generations ||
	    m->layout.rings_offset != s.rings_offset ||
	    m->layout.records_offset != s.records_offset ||
	    m->layout.ring_bytes != s.ring_bytes ||
	    m->layout.names_offset != s.names_offset)
		return (-1);
	m->names = s.names_before;
	return (0);
}

/* Seals are what makes it safe to map. */
static bool
is_sealed(int fd)
{
	int seals = fcntl(fd, F_GET_SEALS);

	return (seals != -1 && (seals & F_SEAL_SHRINK) != 0);
}

/*
 * Anybody can give a memory file such a name.  One that a collector of this
 * user has made belongs to this user, whom root's collector is not.
 */
static bool
is_ours(int fd)
{
	struct stat st;

	return (fstat(fd, &st) == 0 && st.st_uid == geteuid());
}

static void
fds_close(int fds[PASS_FDS])
{
	for (int i = 0; i < PASS_FDS; i++) {
		if (fds[i] != -1)
			close(fds[i]);
		fds[i] = -1;
	}
}

/* Opens the mapping of a process.  1, 0: it makes no sense, -1: not now. */
static int
rescue_open(struct pass *m, const char *range, int fds[PASS_FDS])
{
	char path[128];

	snprintf(path, sizeof(path), "/proc/%u/map_files/%s", m->pid, range);
	fds[0] = open(path, O_RDWR | O_CLOEXEC);
	if (fds[0] == -1)
		return (errno == ENOENT ? 0 : -1);
	fds[1] = (int)syscall(SYS_pidfd_open, (pid_t)m->pid, 0);
	m->type = PASS_SEGMENT;
	m->clock = RING_CLOCK_TSC;
#ifndef __x86_64__
	m->clock = RING_CLOCK_RAW;
#endif
	if (!is_ours(fds[0])) {
		log_warnx("po %u: the memory in process %u is another user's",
		    m->po, m->pid);
		fds_close(fds);
		return (0);
	}
	if (is_sealed(fds[0]) && layout_check(m, fds[0]) == 0)
		return (1);
	log_warnx("po %u: its memory in process %u makes no sense", m->po,
	    m->pid);
	fds_close(fds);
	return (0);
}

/* Goes through a process's segments.  Stops when cb returns non-zero. */
static int
rescue_process(unsigned pid, const char *tag,
    int (*cb)(void *, uint32_t po, const char *range), void *arg)
{
	char path[64], line[512], range[64], want[160], *at;
	unsigned long long start, end;
	uint32_t po, last = 0;
	struct stat st;
	int rv = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u", pid);
	if (stat(path, &st) == -1 || st.st_uid != geteuid())
		return (0); /* others attach to their own collectors */
	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	f = fopen(path, "re");
	if (f == NULL)
		return (0);
	snprintf(want, sizeof(want), "/memfd:%s:", tag);
	while (rv == 0 && fgets(line, sizeof(line), f) != NULL) {
		at = strstr(line, want);
		if (at == NULL || sscanf(line, "%llx-%llx", &start, &end) != 2)
			continue;
		po = (uint32_t)strtoul(at + strlen(want), NULL, 10);
		if (po == last || po == 0)
			continue;
		last = po;
		snprintf(range, sizeof(range), "%llx-%llx", start, end);
		rv = cb(arg, po, range);
	}
	fclose(f);
	return (rv);
}

/* Every process but this one.  Stops when cb returns non-zero. */
static int
processes_each(int (*cb)(void *, unsigned pid), void *arg)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	char *end;
	unsigned long pid;
	int rv = 0;

	while (d != NULL && rv == 0 && (e = readdir(d)) != NULL) {
		pid = strtoul(e->d_name, &end, 10);
		if (*end == '\0' && pid != 0 && pid != (unsigned long)getpid())
			rv = cb(arg, (unsigned)pid);
	}
	if (d != NULL)
		closedir(d);
	return (rv);
}

struct scan {
	const char *tag;
	unsigned pid;
	void (*found)(void *, const struct pass *, const int[PASS_FDS]);
	void *arg;
};

static int
scan_segment(void *arg, uint32_t po, const char *range)
{
	struct scan *s = arg;
	struct pass m = { .po = po, .pid = s->pid };
	int fds[PASS_FDS] = { -1, -1 };

	switch (rescue_open(&m, range, fds)) {
	case 1:
		s->found(s->arg, &m, fds);
		break;
	case -1:
		log_warn("po %u: its memory is in process %u, but cannot be "
			 "opened there",
		    po, s->pid);
		break;
	}
	return (0);
}

static int
scan_process(void *arg, unsigned pid)
{
	struct scan *s = arg;

	s->pid = pid;
	return (rescue_process(pid, s->tag, scan_segment, s));
}

void
rescue_scan(const char *tag,
    void (*found)(void *, const struct pass *, const int[PASS_FDS]), void *arg)
{
	struct scan s = { .tag = tag, .found = found, .arg = arg };

	log_debug("looking through all processes for memory of a collector "
		  "before us");
	(void)processes_each(scan_process, &s);
}

struct search {
	const char *tag;
	struct pass *m; /* of the process looked at */
	int *fds;
};

static int
search_segment(void *arg, uint32_t po, const char *range)
{
	struct search *s = arg;

	return (po == s->m->po ? rescue_open(s->m, range, s->fds) : 0);
}

static int
search_process(void *arg, unsigned pid)
{
	struct search *s = arg;

	s->m->pid = pid;
	return (rescue_process(pid, s->tag, search_segment, s));
}

int
rescue_find(const char *tag, struct pass *m, int fds[PASS_FDS])
{
	struct pass other = *m;
	struct search s = { .tag = tag, .m = m, .fds = fds };
	int rv;

	fds[0] = fds[1] = -1;
	rv = search_process(&s, m->pid);
	if (rv != 0)
		return (rv);
	s.m = &other;
	if (processes_each(search_process, &s) != 1)
		return (0);
	/* a child's, of a process that has ended */
	close(fds[1]);
	fds[1] = -1;
	other.pid = m->pid;
	*m = other;
	return (1);
}
