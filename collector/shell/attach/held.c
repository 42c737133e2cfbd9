/*
 * Memory files.
 *
 * They are sealed against shrinking and growing before anybody else sees
 * them: a process that could cut one would kill us by SIGBUS.  The name is
 * how a successor that has lost everything finds them again (rescue.c).
 */
#include "held.h"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/shell/system/procfs.h"
#include "collector/shell/system/smallfile.h"
#include "event.h"

/* linux/pidfd.h of 6.15: PIDFD_GET_INFO and PIDFD_INFO_EXIT */
#define GET_INFO  _IOC(_IOC_READ | _IOC_WRITE, 0xff, 11, 64)
#define INFO_EXIT 8u

static int
memory_file(const struct pass *m, const char *tag)
{
	char name[128];
	int fd, saved;

	snprintf(name, sizeof(name), "%s:%u", tag, m->po);
	fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd == -1)
		return (-1);
	if (ftruncate(fd, (off_t)m->layout.segment_bytes) == 0 &&
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) ==
		0)
		return (fd);
	saved = errno;
	close(fd);
	errno = saved;
	return (-1);
}

struct held *
held_map(const struct pass *m, const int fds[PASS_FDS])
{
	struct held *h = calloc(1, sizeof(*h));
	struct stat st;
	int saved;

	if (h == NULL)
		return (NULL);
	h->m = *m;
	for (int i = 0; i < PASS_FDS; i++)
		h->fds[i] = fds[i];
	if (fstat(fds[0], &st) == -1)
		goto fail;
	if ((uint64_t)st.st_size != m->layout.segment_bytes) {
		errno = EINVAL;
		goto fail;
	}
	h->seg = mmap(NULL, m->layout.segment_bytes, PROT_READ | PROT_WRITE,
	    MAP_SHARED, fds[0], 0);
	if (h->seg != MAP_FAILED)
		return (h);
	h->seg = NULL;
fail:
	saved = errno;
	held_free(h);
	errno = saved;
	return (NULL);
}

struct held *
held_new(const struct pass *m, const char *tag, uint32_t node, uint32_t mask,
    uint32_t wait_ms)
{
	int fds[PASS_FDS] = { -1, -1 };
	struct held *h;

	fds[0] = memory_file(m, tag);
	if (fds[0] == -1)
		return (NULL);
	fds[1] = (int)syscall(SYS_pidfd_open, (pid_t)m->pid, 0);
	if (fds[1] == -1) { /* it has gone again */
		close(fds[0]);
		return (NULL);
	}
	h = held_map(m, fds);
	if (h != NULL)
		segment_format(h->seg, &m->layout, node, m->po, m->names, mask,
		    wait_ms);
	return (h);
}

void
held_free(struct held *h)
{
	if (h == NULL)
		return;
	if (h->seg != NULL)
		munmap(h->seg, h->m.layout.segment_bytes);
	for (int i = 0; i < PASS_FDS; i++) {
		if (h->fds[i] != -1)
			close(h->fds[i]);
	}
	procfs_free(h->procfs);
	free(h);
}

bool
held_alive(const struct held *h)
{
	struct pollfd pfd = { .fd = h->fds[1], .events = POLLIN };

	return (h->fds[1] != -1 && poll(&pfd, 1, 0) == 0);
}

/* A status as wait(2) has it. */
static uint32_t
ending_of(int status)
{
	if (WIFEXITED(status))
		return (ENDING_EXITED | (uint32_t)WEXITSTATUS(status));
	if (WIFSIGNALED(status))
		return (ENDING_SIGNAL | (uint32_t)WTERMSIG(status));
	return (ENDING_VANISHED);
}

char *
held_stat(uint32_t pid, char text[HELD_STAT])
{
	char path[64], *at;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	if (!smallfile_read(path, text, HELD_STAT))
		return (NULL);
	at = strrchr(text, ')'); /* a name may hold anything */
	return (at == NULL || at[1] != ' ' ? NULL : at + 2);
}

/* While its parent has not waited for it: the last field. */
static bool
status_of_zombie(uint32_t pid, int *status)
{
	char text[HELD_STAT], *at = held_stat(pid, text);

	if (at == NULL || strncmp(at, "Z ", 2) != 0)
		return (false);
	at = strrchr(text, ' ');
	*status = (int)strtol(at, NULL, 10);
	return (true);
}

/* And then, on newer kernels (6.15). */
static bool
status_of_pidfd(int fd, int *status)
{
	struct {
		uint64_t mask, cgroup;
		uint32_t ids[11];
		int32_t exit_code;
	} info = { .mask = INFO_EXIT };

	_Static_assert(sizeof(info) == 64, "struct pidfd_info, as it began");
	if (ioctl(fd, GET_INFO, &info) == -1 || !(info.mask & INFO_EXIT))
		return (false);
	*status = info.exit_code;
	return (true);
}

/*
 * It is no child of ours, so nobody tells us.  Its parent may wait for it
 * between the two looks, but then the first one finds it the next time.
 */
uint32_t
held_ending(const struct held *h)
{
	int status;

	if (status_of_pidfd(h->fds[1], &status) ||
	    status_of_zombie(h->m.pid, &status) ||
	    status_of_pidfd(h->fds[1], &status))
		return (ending_of(status));
	return (ENDING_VANISHED);
}

bool
held_thread_alive(const struct held *h, uint32_t tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/task/%u", h->m.pid, tid);
	return (access(path, F_OK) == 0 || errno != ENOENT);
}

bool
held_measure(struct held *h, struct measures *m)
{
	if (h->procfs == NULL)
		h->procfs = procfs_new(h->m.pid);
	if (h->procfs == NULL)
		return (false);
	if (held_alive(h)) {
		/* its number is its own as long as it lives: asked afterwards
		 */
		procfs_process(h->procfs, m);
		if (held_alive(h))
			return (m->set != 0);
		m->set = 0;
	}
	return (procfs_ended(h->procfs, m));
}
