/*
 * Beside the spool: what one worker knew of the clocks, for the next one.
 *
 * Without it each would draw its lines anew, a little off those of the one
 * before, and a thread's time could fall where one stopped and the other went
 * on.  The file is mapped, so it is right wherever a worker is killed.  Its
 * room on the disk is taken at once: a page without would kill who writes it.
 */
#include "linefile.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/sweep/drain.h"
#include "log.h"

#define LINEFILE_MAGIC UINT64_C(0x31656e696c79726f) /* "oryline1" */

struct linefile {
	uint64_t magic, bytes;
	char machine[256]; /* and its clock: see env.h */
	struct nodeclock lines[DRAIN_CLOCKS];
};

static struct linefile *
map(int fd)
{
	struct linefile *f =
	    mmap(NULL, sizeof(*f), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return (f == MAP_FAILED ? NULL : f);
}

/* The one that is there, when it is of this clock. */
static struct linefile *
map_old(const char *path, const char *machine)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	struct linefile *f = NULL;
	struct stat st;

	if (fd == -1)
		return (NULL);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_size == (off_t)sizeof(*f))
		f = map(fd);
	close(fd);
	if (f != NULL &&
	    (f->magic != LINEFILE_MAGIC || f->bytes != sizeof(*f) ||
		strncmp(f->machine, machine, sizeof(f->machine)) != 0)) {
		munmap(f, sizeof(*f));
		f = NULL;
	}
	return (f);
}

static struct linefile *
map_new(const char *path, const char *machine)
{
	char fresh[1100];
	struct linefile *f = NULL;
	int fd, rc;

	snprintf(fresh, sizeof(fresh), "%.1000s.XXXXXX", path);
	fd = mkostemp(fresh, O_CLOEXEC);
	if (fd == -1)
		return (NULL);
	rc = posix_fallocate(fd, 0, (off_t)sizeof(*f));
	if (rc == 0 && (f = map(fd)) != NULL) {
		f->magic = LINEFILE_MAGIC;
		f->bytes = sizeof(*f);
		snprintf(f->machine, sizeof(f->machine), "%s", machine);
	} else if (rc == 0) {
		rc = errno;
	}
	close(fd);
	if (f == NULL || rename(fresh, path) == -1)
		unlink(fresh); /* this process has it all the same */
	errno = rc;
	return (f);
}

struct nodeclock *
linefile_map(struct env *env, const char *spool_dir)
{
	const char *machine = env->ops->machine(env);
	char path[1000];
	struct linefile *f;

	snprintf(path, sizeof(path), "%.900s/lines", spool_dir);
	if ((f = map_old(path, machine)) == NULL &&
	    (f = map_new(path, machine)) == NULL) {
		log_warn("%s: a worker after this one draws its clock anew",
		    path);
		return (NULL);
	}
	return (f->lines);
}
