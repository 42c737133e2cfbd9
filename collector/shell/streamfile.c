/*
 * All collectors and processes of a runtime directory share one table, which
 * outlives them: what it says is of a boot, since numbers of pipes and sockets
 * begin anew with the next.  Its room on the disk is taken at once; a process
 * that wrote to a page without would be killed.
 */
#include "streamfile.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log.h"
#include "streamtable.h"

static void
read_boot(char boot[STREAMTABLE_BOOT])
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

	memset(boot, 0, STREAMTABLE_BOOT);
	if (fd == -1)
		return;
	if (read(fd, boot, STREAMTABLE_BOOT - 1) == -1)
		memset(boot, 0, STREAMTABLE_BOOT);
	close(fd);
}

/* What stands before the streams. */
struct head {
	uint64_t magic, bytes;
	char boot[STREAMTABLE_BOOT];
};
_Static_assert(offsetof(struct streamtable, boot) ==
		   offsetof(struct head, boot),
    "the beginning of a table");

/* There is one that others may be using. */
static bool
is_good(const char *path, const char boot[STREAMTABLE_BOOT])
{
	struct head head;
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	bool good;

	if (fd == -1)
		return (false);
	good = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_size == (off_t)sizeof(struct streamtable) &&
	       read(fd, &head, sizeof(head)) == (ssize_t)sizeof(head) &&
	       head.magic == STREAMTABLE_MAGIC &&
	       head.bytes == sizeof(struct streamtable) &&
	       memcmp(head.boot, boot, STREAMTABLE_BOOT) == 0;
	close(fd);
	return (good);
}

/* A whole one under a name that nobody knows. */
static int
write_new(char *path, const char boot[STREAMTABLE_BOOT])
{
	struct head head = { STREAMTABLE_MAGIC, sizeof(struct streamtable),
		"" };
	int fd = mkostemp(path, O_CLOEXEC), saved_errno;

	if (fd == -1)
		return (-1);
	memcpy(head.boot, boot, STREAMTABLE_BOOT);
	if ((errno = posix_fallocate(fd, 0, (off_t)head.bytes)) == 0 &&
	    write(fd, &head, sizeof(head)) == (ssize_t)sizeof(head) &&
	    close(fd) == 0)
		return (0);
	saved_errno = errno;
	close(fd);
	unlink(path);
	errno = saved_errno;
	return (-1);
}

void
streamfile_make(const char *runtime_dir)
{
	char path[300], fresh[320], boot[STREAMTABLE_BOOT];

	snprintf(path, sizeof(path), "%s/%s", runtime_dir, STREAMTABLE_FILE);
	snprintf(fresh, sizeof(fresh), "%s.XXXXXX", path);
	read_boot(boot);
	if (is_good(path, boot))
		return;
	if (write_new(fresh, boot) == -1) {
		log_warn("%s: messages through sockets and pipes are not seen",
		    path);
		return;
	}
	unlink(path);
	if (link(fresh, path) == -1 && errno != EEXIST)
		log_warn("%s", path);
	unlink(fresh);
}
