/*
 * Files of the real env: plain descriptors, retried over signals.
 */
#include <sys/file.h>
#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "env_real.h"

struct env_file {
	int fd;
};

struct env_file *
env_real_open(struct env *env, const char *path, int how)
{
	struct env_file *f;
	int flags = O_CLOEXEC, saved;

	(void)env;
	flags |= (how & ENV_WRITE) ? O_RDWR : O_RDONLY;
	flags |= (how & ENV_CREATE) ? O_CREAT : 0;
	/* what is made anew is never what a link points to */
	flags |= (how & ENV_EXCLUSIVE) ? O_EXCL | O_NOFOLLOW : 0;
	flags |= (how & ENV_TRUNCATE) ? O_TRUNC | O_NOFOLLOW : 0;
	f = calloc(1, sizeof(*f));
	if (f == NULL)
		return (NULL);
	f->fd = open(path, flags, 0600);
	if (f->fd == -1) {
		saved = errno;
		free(f);
		errno = saved;
		return (NULL);
	}
	return (f);
}

ssize_t
env_real_read_at(struct env_file *f, void *p, size_t n, uint64_t offset)
{
	size_t done = 0;
	ssize_t r;

	while (done < n) {
		r = pread(f->fd, (char *)p + done, n - done,
		    (off_t)(offset + done));
		if (r == -1 && errno == EINTR)
			continue;
		if (r == -1)
			return (done > 0 ? (ssize_t)done : -1);
		if (r == 0)
			break;
		done += (size_t)r;
	}
	return ((ssize_t)done);
}

ssize_t
env_real_write_at(struct env_file *f, const void *p, size_t n, uint64_t offset)
{
	size_t done = 0;
	ssize_t r;

	while (done < n) {
		r = pwrite(f->fd, (const char *)p + done, n - done,
		    (off_t)(offset + done));
		if (r == -1 && errno == EINTR)
			continue;
		if (r == -1)
			return (-1);
		done += (size_t)r;
	}
	return ((ssize_t)done);
}

int
env_real_sync(struct env_file *f)
{
	return (fdatasync(f->fd));
}

/* What cannot be looked at for another reason is taken to be there. */
int
env_real_leads_to(struct env *env, const char *path, struct env_file *f)
{
	struct stat at, ours;

	(void)env;
	if (stat(path, &at) == -1)
		return (errno != ENOENT && errno != ENOTDIR);
	return (fstat(f->fd, &ours) == -1 ||
		(at.st_dev == ours.st_dev && at.st_ino == ours.st_ino));
}

int
env_real_truncate(struct env_file *f, uint64_t n)
{
	return (ftruncate(f->fd, (off_t)n));
}

int64_t
env_real_size(struct env_file *f)
{
	struct stat st;

	return (fstat(f->fd, &st) == -1 ? -1 : (int64_t)st.st_size);
}

int
env_real_lock(struct env_file *f)
{
	return (flock(f->fd, LOCK_EX | LOCK_NB));
}

void
env_real_file_close(struct env_file *f)
{
	if (f == NULL)
		return;
	close(f->fd);
	free(f);
}

int
env_real_rename(struct env *env, const char *from, const char *to)
{
	(void)env;
	return (rename(from, to));
}

int
env_real_unlink(struct env *env, const char *path)
{
	(void)env;
	return (unlink(path));
}

int
env_real_mkdir(struct env *env, const char *path)
{
	char part[4096];
	size_t n = strlen(path);

	(void)env;
	if (n == 0 || n >= sizeof(part)) {
		errno = ENAMETOOLONG;
		return (-1);
	}
	memcpy(part, path, n + 1);
	for (char *p = part + 1; *p != '\0'; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		if (mkdir(part, 0700) == -1 && errno != EEXIST)
			return (-1);
		*p = '/';
	}
	if (mkdir(part, 0700) == -1 && errno != EEXIST)
		return (-1);
	return (0);
}

int
env_real_list(struct env *env, const char *dir, int (*cb)(void *, const char *),
    void *arg)
{
	struct dirent *de;
	DIR *d = opendir(dir);
	int rv = 0;

	(void)env;
	if (d == NULL)
		return (-1);
	while (rv == 0 && (de = readdir(d)) != NULL) {
		if (strcmp(de->d_name, ".") == 0 ||
		    strcmp(de->d_name, "..") == 0)
			continue;
		rv = cb(arg, de->d_name);
	}
	closedir(d);
	return (rv);
}

int
env_real_sync_dir(struct env *env, const char *dir)
{
	int fd, rv, saved;

	(void)env;
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd == -1)
		return (-1);
	rv = fsync(fd);
	saved = errno;
	close(fd);
	errno = saved;
	return (rv);
}
