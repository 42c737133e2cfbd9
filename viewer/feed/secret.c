/*
 * The user's secret, in a file of the cache folder.
 *
 * A new one is written under another name and linked to its own, so that of
 * two who make one at a time both use the same, and nobody sees half of it.
 */
#include "feed/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static int
secret_read(const char *path, uint8_t secret[SEAL_SECRET_BYTES])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	bool good;

	if (fd == -1)
		return (-1);
	good = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_uid == geteuid() && (st.st_mode & 077) == 0 &&
	       st.st_size == SEAL_SECRET_BYTES &&
	       read(fd, secret, SEAL_SECRET_BYTES) == SEAL_SECRET_BYTES;
	close(fd);
	if (!good)
		errno = EPERM;
	return (good ? 0 : -1);
}

static int
secret_make(const char *dir, const char *path)
{
	uint8_t secret[SEAL_SECRET_BYTES];
	char new[600];
	bool good;
	int fd;

	snprintf(new, sizeof(new), "%s/secret.XXXXXX", dir);
	if (getrandom(secret, sizeof(secret), 0) != sizeof(secret) ||
	    (fd = mkostemp(new, O_CLOEXEC)) == -1)
		return (-1);
	good = write(fd, secret, sizeof(secret)) == sizeof(secret);
	good = close(fd) == 0 && good;
	good = good && (link(new, path) == 0 || errno == EEXIST);
	unlink(new);
	return (good ? 0 : -1);
}

int
secret_of(const char *dir, bool make, uint8_t secret[SEAL_SECRET_BYTES])
{
	char path[560];
	int n = snprintf(path, sizeof(path), "%s/secret", dir);

	if (n < 0 || (size_t)n >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return (-1);
	}
	if (secret_read(path, secret) == 0)
		return (0);
	if (!make || errno != ENOENT || secret_make(dir, path) == -1)
		return (-1);
	return (secret_read(path, secret));
}
