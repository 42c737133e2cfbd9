/*
 * Nothing that is there is written to or replaced: what is made has a name
 * that nobody can know beforehand (beside.h), until it is whole.
 */
#include "exportto.h"

#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "log.h"

/* Who may read a folder may enter it. */
static mode_t
folder_mode(mode_t m)
{
	return (m | ((m & 0444) >> 2));
}

static int
make(struct exportto *t, mode_t mode)
{
	int fd = beside_open(t->path, mode, t->part);

	if (fd == -1)
		t->part[0] = '\0';
	if (fd == -1 || t->to != EXPORT_FOLDER) {
		t->fd = fd;
		return (fd == -1 ? -1 : 0);
	}
	close(fd);
	t->fd = -1;
	if (unlink(t->part) == 0 && mkdir(t->part, folder_mode(mode)) == 0)
		return (0);
	t->part[0] = '\0';
	return (-1);
}

int
exportto_open(struct exportto *t, mode_t mode)
{
	struct stat st;

	t->fd = STDOUT_FILENO;
	t->part[0] = '\0';
	if (t->path == NULL)
		return (EX_OK);
	if (lstat(t->path, &st) == 0) {
		log_warnx("%s is there already; name another with -o", t->path);
		return (EX_CANTCREAT);
	}
	if (make(t, mode) == 0)
		return (EX_OK);
	log_warn("%s", t->path);
	return (EX_CANTCREAT);
}

/* Each entry of a folder, flat or with folders in it, and then itself. */
static int
walk(int in, const char *name,
    int (*each)(int in, const char *name, bool folder))
{
	int fd =
	    openat(in, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd == -1 ? NULL : fdopendir(fd);
	const struct dirent *e;
	int rc = 0;

	if (d == NULL) {
		if (fd != -1)
			close(fd);
		return (-1);
	}
	while (rc == 0 && (e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		rc = e->d_type == DT_DIR ? walk(fd, e->d_name, each)
					 : each(fd, e->d_name, false);
	}
	closedir(d);
	return (rc == 0 ? each(in, name, true) : -1);
}

static int
remove_one(int in, const char *name, bool folder)
{
	return (unlinkat(in, name, folder ? AT_REMOVEDIR : 0));
}

static int
sync_one(int in, const char *name, bool folder)
{
	int fd = openat(in, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	int rc = fd == -1 ? -1 : fsync(fd), saved = errno;

	(void)folder;
	if (fd != -1)
		close(fd);
	errno = saved;
	return (rc);
}

int
exportto_finish(struct exportto *t)
{
	struct stat st;

	if (t->path == NULL)
		return (0);
	if (t->to != EXPORT_FOLDER)
		return (fsync(t->fd) == -1 ? -1 : link(t->part, t->path));
	if (walk(AT_FDCWD, t->part, sync_one) == -1)
		return (-1);
	/* an empty folder of somebody else would be replaced */
	if (lstat(t->path, &st) == 0) {
		errno = EEXIST;
		return (-1);
	}
	if (rename(t->part, t->path) == -1)
		return (-1);
	t->part[0] = '\0';
	return (0);
}

void
exportto_close(struct exportto *t)
{
	if (t->part[0] == '\0')
		return;
	if (t->to == EXPORT_FOLDER) {
		(void)walk(AT_FDCWD, t->part, remove_one);
		return;
	}
	close(t->fd);
	unlink(t->part);
}
