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
	struct ring_segment s;
	struct stat st;

	if (fstat(fd, &st) == -1 ||
	    pread(fd, &s, sizeof(s), 0) != (ssize_t)sizeof(s) ||
	    s.magic != RING_MAGIC || s.layout != RING_LAYOUT ||
	    segment_layout(&m->layout,
		(uint64_t)s.ring_records * sizeof(struct ring_record), s.nrings,
		s.names_bytes) == -1)
		return (-1);
	if (m->layout.segment_bytes != (uint64_t)st.st_size ||
	    m->layout.ring_records != s.ring_records ||
	    m->layout.rings_offset != s.rings_offset ||
	    m->layout.ring_bytes != s.ring_bytes ||
	    m->layout.names_offset != s.names_offset)
		return (-1);
	return (0);
}

/* Seals are what makes it safe to map. */
static bool
is_sealed(int fd)
{
	int seals = fcntl(fd, F_GET_SEALS);

	return (seals != -1 && (seals & F_SEAL_SHRINK) != 0);
}

static void
rescue_one(unsigned pid, const char *range, uint32_t po,
    void (*found)(void *, const struct pass *, const int[PASS_FDS]), void *arg)
{
	struct pass m = { .type = PASS_SEGMENT, .po = po, .pid = pid };
	int fds[PASS_FDS] = { -1, -1 };
	char path[128];

	snprintf(path, sizeof(path), "/proc/%u/map_files/%s", pid, range);
	fds[0] = open(path, O_RDWR | O_CLOEXEC);
	if (fds[0] == -1) {
		log_warn("po %u: its memory is in process %u, but cannot be "
			 "opened there",
		    po, pid);
		return;
	}
	fds[1] = (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
	m.clock = RING_CLOCK_TSC;
#ifndef __x86_64__
	m.clock = RING_CLOCK_RAW;
#endif
	if (is_sealed(fds[0]) && layout_check(&m, fds[0]) == 0) {
		found(arg, &m, fds);
		return;
	}
	log_warnx("po %u: its memory in process %u makes no sense", po, pid);
	for (int i = 0; i < PASS_FDS; i++) {
		if (fds[i] != -1)
			close(fds[i]);
	}
}

static void
rescue_process(unsigned pid, const char *tag,
    void (*found)(void *, const struct pass *, const int[PASS_FDS]), void *arg)
{
	char path[64], line[512], range[64], want[160], *at;
	unsigned long long start, end;
	uint32_t po, last = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	f = fopen(path, "re");
	if (f == NULL)
		return;
	snprintf(want, sizeof(want), "/memfd:%s:", tag);
	while (fgets(line, sizeof(line), f) != NULL) {
		at = strstr(line, want);
		if (at == NULL || sscanf(line, "%llx-%llx", &start, &end) != 2)
			continue;
		po = (uint32_t)strtoul(at + strlen(want), NULL, 10);
		if (po == last || po == 0)
			continue;
		last = po;
		snprintf(range, sizeof(range), "%llx-%llx", start, end);
		rescue_one(pid, range, po, found, arg);
	}
	fclose(f);
}

void
rescue_scan(const char *tag,
    void (*found)(void *, const struct pass *, const int[PASS_FDS]), void *arg)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	char *end;
	unsigned long pid;

	if (d == NULL)
		return;
	while ((e = readdir(d)) != NULL) {
		pid = strtoul(e->d_name, &end, 10);
		if (*end == '\0' && pid != 0 && pid != (unsigned long)getpid())
			rescue_process((unsigned)pid, tag, found, arg);
	}
	closedir(d);
}
