/*
 * Files of the world on paper: names and bytes.  An open file outlives its
 * name, as everywhere.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/paper_inside.h"

#define FILE_MAX ((uint64_t)64 << 20)

struct paper_file {
	TAILQ_ENTRY(paper_file) entry;
	char *path; /* NULL: it has no name any more */
	uint8_t *p;
	size_t n, cap;
};

struct env_file {
	struct paper_file *file;
};

static struct paper_file *
file_find(struct paper *p, const char *path)
{
	struct paper_file *f;

	TAILQ_FOREACH (f, &p->files, entry)
		if (f->path != NULL && strcmp(f->path, path) == 0)
			return (f);
	return (NULL);
}

static struct paper_file *
file_new(struct paper *p, const char *path)
{
	struct paper_file *f = calloc(1, sizeof(*f));

	f->path = strdup(path);
	TAILQ_INSERT_TAIL(&p->files, f, entry);
	return (f);
}

void
paper_file_free_all(struct paper *p)
{
	struct paper_file *f;

	while ((f = TAILQ_FIRST(&p->files)) != NULL) {
		TAILQ_REMOVE(&p->files, f, entry);
		free(f->path);
		free(f->p);
		free(f);
	}
}

struct env_file *
paper_open(struct env *env, const char *path, int how)
{
	struct paper *p = (struct paper *)env;
	struct paper_file *file = file_find(p, path);
	struct env_file *f;

	if (file != NULL && (how & ENV_EXCLUSIVE) != 0)
		errno = EEXIST;
	else if (file == NULL && (how & ENV_CREATE) == 0)
		errno = ENOENT;
	else
		errno = 0;
	if (errno != 0)
		return (NULL);
	if (file == NULL)
		file = file_new(p, path);
	if ((how & ENV_TRUNCATE) != 0)
		file->n = 0;
	f = calloc(1, sizeof(*f));
	f->file = file;
	return (f);
}

ssize_t
paper_read_at(struct env_file *f, void *to, size_t n, uint64_t offset)
{
	const struct paper_file *file = f->file;

	if (offset >= file->n)
		return (0);
	if (n > file->n - offset)
		n = file->n - (size_t)offset;
	memcpy(to, file->p + offset, n);
	return ((ssize_t)n);
}

ssize_t
paper_write_at(struct env_file *f, const void *p, size_t n, uint64_t offset)
{
	struct paper_file *file = f->file;
	size_t end = (size_t)offset + n;

	if (offset > FILE_MAX || n > FILE_MAX - offset) {
		errno = ENOSPC;
		return (-1);
	}
	if (n == 0)
		return (0);
	if (end > file->cap) {
		file->cap = end * 2;
		file->p = realloc(file->p, file->cap);
	}
	if (offset > file->n)
		memset(file->p + file->n, 0, (size_t)offset - file->n);
	memcpy(file->p + offset, p, n);
	if (end > file->n)
		file->n = end;
	return ((ssize_t)n);
}

int
paper_sync(struct env_file *f)
{
	(void)f;
	return (0);
}

int
paper_truncate(struct env_file *f, uint64_t n)
{
	if (n < f->file->n)
		f->file->n = (size_t)n;
	return (0);
}

int64_t
paper_size(struct env_file *f)
{
	return ((int64_t)f->file->n);
}

int
paper_lock(struct env_file *f)
{
	(void)f;
	return (0);
}

void
paper_file_close(struct env_file *f)
{
	free(f);
}

static void
file_forget(struct paper_file *f)
{
	free(f->path);
	f->path = NULL;
}

int
paper_rename(struct env *env, const char *from, const char *to)
{
	struct paper_file *f = file_find((struct paper *)env, from);
	struct paper_file *was = file_find((struct paper *)env, to);

	if (f == NULL) {
		errno = ENOENT;
		return (-1);
	}
	if (was == f)
		return (0);
	if (was != NULL)
		file_forget(was);
	free(f->path);
	f->path = strdup(to);
	return (0);
}

int
paper_unlink(struct env *env, const char *path)
{
	struct paper_file *f = file_find((struct paper *)env, path);

	if (f == NULL) {
		errno = ENOENT;
		return (-1);
	}
	file_forget(f);
	return (0);
}

int
paper_mkdir(struct env *env, const char *path)
{
	(void)env;
	(void)path;
	return (0);
}

/* The call-back may unlink what it is told of. */
int
paper_list(struct env *env, const char *dir, int (*cb)(void *, const char *),
    void *arg)
{
	size_t n = strlen(dir);
	struct paper_file *f;
	int rv;

	TAILQ_FOREACH (f, &((struct paper *)env)->files, entry) {
		if (f->path == NULL || strncmp(f->path, dir, n) != 0 ||
		    f->path[n] != '/' || strchr(f->path + n + 1, '/') != NULL)
			continue;
		if ((rv = cb(arg, f->path + n + 1)) != 0)
			return (rv);
	}
	return (0);
}

int
paper_sync_dir(struct env *env, const char *dir)
{
	(void)env;
	(void)dir;
	return (0);
}

/* --- the test's side --- */

void
paper_put(struct paper *p, const char *path, const void *bytes, size_t n)
{
	struct env_file *f =
	    paper_open(&p->env, path, ENV_WRITE | ENV_CREATE | ENV_TRUNCATE);

	(void)paper_write_at(f, bytes, n, 0);
	paper_file_close(f);
}

const uint8_t *
paper_get(struct paper *p, const char *path, size_t *n)
{
	const struct paper_file *f = file_find(p, path);

	*n = f == NULL ? 0 : f->n;
	return (f == NULL ? NULL : f->p);
}
