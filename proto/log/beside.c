/*
 * Files that appear when they are whole.
 */
#include "beside.h"

#include <sys/random.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SUFFIX ".new"
#define DIGITS 16
#define TRIES  8

int
beside_name(char name[BESIDE_BYTES], const char *path, uint64_t random)
{
	static const char digits[] = "0123456789abcdef";
	size_t n = strlen(path);

	if (n + 1 + DIGITS + sizeof(SUFFIX) > BESIDE_BYTES) {
		errno = ENAMETOOLONG;
		return (-1);
	}
	memcpy(name, path, n + 1);
	name[n++] = '.';
	for (int shift = 4 * DIGITS; shift > 0; n++) {
		shift -= 4;
		name[n] = digits[random >> shift & 15];
	}
	memcpy(name + n, SUFFIX, sizeof(SUFFIX));
	return (0);
}

bool
beside_is_of(const char *name, const char *of)
{
	size_t n = strlen(of);

	return (strncmp(name, of, n) == 0 && name[n] == '.' &&
		strspn(name + n + 1, "0123456789abcdef") == DIGITS &&
		strcmp(name + n + 1 + DIGITS, SUFFIX) == 0);
}

int
beside_open(const char *path, mode_t mode, char name[BESIDE_BYTES])
{
	uint64_t random;
	int fd;

	for (int i = 0; i < TRIES; i++) {
		if (getrandom(&random, sizeof(random), 0) !=
			(ssize_t)sizeof(random) ||
		    beside_name(name, path, random) == -1)
			return (-1);
		fd = open(name,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		if (fd != -1 || errno != EEXIST)
			return (fd);
	}
	return (-1);
}

int
beside_replace(int fd, const char *name, const char *path)
{
	int saved;

	if (fsync(fd) == 0 && rename(name, path) == 0)
		return (0);
	saved = errno;
	unlink(name);
	errno = saved;
	return (-1);
}
