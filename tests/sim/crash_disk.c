/*
 * A recording disk.  The log of operations is all there is: an image is made
 * by doing them again (crash_redo.c).  Writes are recorded page by page, since
 * that is how they get lost.
 */
#include "tests/sim/crash_inside.h"

#include <errno.h>
#include <string.h>

#define PAGE 4096u

/* --- the state --- */

void
crash_file_write(struct file *f, const void *p, size_t n, uint64_t offset)
{
	size_t end = (size_t)offset + n;

	if (end > f->cap) {
		f->cap = end * 2;
		f->p = need(realloc(f->p, f->cap));
	}
	if (end > f->n) {
		memset(f->p + f->n, 0, end - f->n);
		f->n = end;
	}
	if (p != NULL && n > 0)
		memcpy(f->p + offset, p, n);
}

void
crash_file_truncate(struct file *f, uint64_t n)
{
	if (n > f->n)
		crash_file_write(f, NULL, 0, n);
	f->n = (size_t)n;
}

struct name *
crash_name_find(const struct crash_disk *d, const char *path)
{
	for (size_t i = 0; i < d->nnames; i++) {
		if (strcmp(d->names[i].path, path) == 0)
			return (&d->names[i]);
	}
	return (NULL);
}

void
crash_name_remove(struct crash_disk *d, const char *path)
{
	struct name *at = crash_name_find(d, path);

	if (at == NULL)
		return;
	free(at->path);
	*at = d->names[--d->nnames];
}

void
crash_name_set(struct crash_disk *d, const char *path, size_t file)
{
	struct name *at = crash_name_find(d, path);

	if (at == NULL) {
		d->names = need(
		    realloc(d->names, (d->nnames + 1) * sizeof(*d->names)));
		at = &d->names[d->nnames++];
		at->path = need(strdup(path));
	}
	at->file = file;
}

size_t
crash_file_new(struct crash_disk *d)
{
	d->files = need(realloc(d->files, (d->nfiles + 1) * sizeof(*d->files)));
	memset(&d->files[d->nfiles], 0, sizeof(*d->files));
	return (d->nfiles++);
}

/* --- recording --- */

struct op *
crash_op_add(struct crash_disk *d, enum op_kind kind, size_t file)
{
	struct op *op;

	if (d->nops == d->ops_cap) {
		d->ops_cap = d->ops_cap * 2 + 64;
		d->ops = need(realloc(d->ops, d->ops_cap * sizeof(*d->ops)));
	}
	op = &d->ops[d->nops++];
	*op = (struct op){ .kind = kind, .file = file, .lasts = NEVER };
	return (op);
}

static void
record_write(struct crash_disk *d, size_t file, const void *p, size_t n,
    uint64_t offset)
{
	const unsigned char *from = p;

	crash_file_write(&d->files[file], p, n, offset);
	while (n > 0) {
		size_t k = PAGE - (size_t)(offset % PAGE);
		struct op *op = crash_op_add(d, OP_WRITE, file);

		k = k < n ? k : n;
		op->offset = offset;
		op->n = k;
		op->data = need(malloc(k));
		memcpy(op->data, from, k);
		from += k;
		offset += k;
		n -= k;
	}
}

static bool
is_of(const struct op *op, bool names, size_t file)
{
	if (names)
		return (op->kind == OP_LINK || op->kind == OP_UNLINK);
	return ((op->kind == OP_WRITE || op->kind == OP_TRUNCATE) &&
		op->file == file);
}

/* A sync has returned: well, or not. */
static void
record_sync(struct crash_disk *d, bool names, size_t file, bool good)
{
	crash_op_add(d, names ? OP_SYNC_DIR : OP_SYNC, file);
	for (size_t i = 0; i + 1 < d->nops; i++) {
		struct op *op = &d->ops[i];

		if (!is_of(op, names, file) || op->lasts != NEVER ||
		    op->forgotten)
			continue;
		if (good)
			op->lasts = d->nops - 1;
		else
			op->forgotten = true;
	}
}

static bool
trouble(struct crash_disk *d)
{
	return (d->trouble > 0 && chance_below(&d->chance, d->trouble) == 0);
}

/* --- struct env --- */

static struct crash_disk *
disk_of(struct env *env)
{
	return ((struct crash_disk *)env);
}

static int64_t
crash_now(struct env *env)
{
	return ((int64_t)disk_of(env)->nops * 1000);
}

static uint64_t
crash_random(struct env *env)
{
	return (chance_next(&disk_of(env)->chance));
}

static const char *
crash_machine(struct env *env)
{
	(void)env;
	return ("crash");
}

static struct env_file *
crash_open(struct env *env, const char *path, int how)
{
	struct crash_disk *d = disk_of(env);
	struct name *at = crash_name_find(d, path);
	struct env_file *f;
	struct op *op;

	if (at == NULL && (how & ENV_CREATE) == 0) {
		errno = ENOENT;
		return (NULL);
	}
	f = need(calloc(1, sizeof(*f)));
	f->disk = d;
	if (at != NULL) {
		f->file = at->file;
	} else {
		f->file = crash_file_new(d);
		op = crash_op_add(d, OP_LINK, f->file);
		op->path = need(strdup(path));
		crash_name_set(d, path, f->file);
	}
	if ((how & ENV_TRUNCATE) != 0 && d->files[f->file].n > 0)
		env->ops->truncate(f, 0);
	return (f);
}

static ssize_t
crash_read_at(struct env_file *f, void *p, size_t n, uint64_t offset)
{
	const struct file *file = &f->disk->files[f->file];

	if (offset >= file->n)
		return (0);
	if (n > file->n - offset)
		n = file->n - (size_t)offset;
	memcpy(p, file->p + offset, n);
	return ((ssize_t)n);
}

static ssize_t
crash_write_at(struct env_file *f, const void *p, size_t n, uint64_t offset)
{
	struct crash_disk *d = f->disk;

	if (trouble(d)) {
		if (chance_is(&d->chance, 0.5))
			record_write(d, f->file, p,
			    (size_t)chance_below(&d->chance, n), offset);
		errno = ENOSPC;
		return (-1);
	}
	record_write(d, f->file, p, n, offset);
	return ((ssize_t)n);
}

static int
crash_sync(struct env_file *f)
{
	bool good = !trouble(f->disk);

	record_sync(f->disk, false, f->file, good);
	errno = EIO;
	return (good ? 0 : -1);
}

static int
crash_truncate(struct env_file *f, uint64_t n)
{
	struct op *op = crash_op_add(f->disk, OP_TRUNCATE, f->file);

	op->offset = n;
	crash_file_truncate(&f->disk->files[f->file], n);
	return (0);
}

static int64_t
crash_size(struct env_file *f)
{
	return ((int64_t)f->disk->files[f->file].n);
}

static int
crash_lock(struct env_file *f)
{
	(void)f;
	return (0);
}

static void
crash_close(struct env_file *f)
{
	free(f);
}

static int
crash_rename(struct env *env, const char *from, const char *to)
{
	struct crash_disk *d = disk_of(env);
	struct name *at = crash_name_find(d, from);
	struct op *op;

	if (at == NULL) {
		errno = ENOENT;
		return (-1);
	}
	op = crash_op_add(d, OP_LINK, at->file);
	op->path = need(strdup(to));
	op->from = need(strdup(from));
	crash_name_set(d, to, at->file);
	crash_name_remove(d, from);
	return (0);
}

static int
crash_unlink(struct env *env, const char *path)
{
	struct crash_disk *d = disk_of(env);
	struct op *op;

	if (crash_name_find(d, path) == NULL) {
		errno = ENOENT;
		return (-1);
	}
	op = crash_op_add(d, OP_UNLINK, 0);
	op->path = need(strdup(path));
	crash_name_remove(d, path);
	return (0);
}

static int
crash_mkdir(struct env *env, const char *path)
{
	(void)env;
	(void)path;
	return (0);
}

/* All names are in one directory, whatever it is called. */
static int
crash_list(struct env *env, const char *dir, int (*cb)(void *, const char *),
    void *arg)
{
	struct crash_disk *d = disk_of(env);
	int rc;

	(void)dir;
	for (size_t i = 0; i < d->nnames; i++) {
		const char *slash = strrchr(d->names[i].path, '/');

		rc = cb(arg, slash != NULL ? slash + 1 : d->names[i].path);
		if (rc != 0)
			return (rc);
	}
	return (0);
}

static int
crash_sync_dir(struct env *env, const char *dir)
{
	bool good = !trouble(disk_of(env));

	(void)dir;
	record_sync(disk_of(env), true, 0, good);
	errno = EIO;
	return (good ? 0 : -1);
}

static const struct env_ops crash_ops = {
	.now_ns = crash_now,
	.real_ns = crash_now,
	.random = crash_random,
	.machine = crash_machine,
	.open = crash_open,
	.read_at = crash_read_at,
	.write_at = crash_write_at,
	.sync = crash_sync,
	.truncate = crash_truncate,
	.size = crash_size,
	.lock = crash_lock,
	.file_close = crash_close,
	.rename = crash_rename,
	.unlink = crash_unlink,
	.mkdir = crash_mkdir,
	.list = crash_list,
	.sync_dir = crash_sync_dir,
};

struct crash_disk *
crash_disk_new(uint64_t seed)
{
	struct crash_disk *d = need(calloc(1, sizeof(*d)));

	d->env.ops = &crash_ops;
	d->chance.state = seed;
	return (d);
}

void
crash_disk_free(struct crash_disk *d)
{
	if (d == NULL)
		return;
	for (size_t i = 0; i < d->nops; i++) {
		free(d->ops[i].data);
		free(d->ops[i].path);
		free(d->ops[i].from);
	}
	for (size_t i = 0; i < d->nfiles; i++)
		free(d->files[i].p);
	for (size_t i = 0; i < d->nnames; i++)
		free(d->names[i].path);
	free(d->ops);
	free(d->files);
	free(d->names);
	free(d);
}

struct env *
crash_disk_env(struct crash_disk *d)
{
	return (&d->env);
}

void
crash_disk_trouble(struct crash_disk *d, unsigned one_in)
{
	d->trouble = one_in;
}

size_t
crash_disk_ops(const struct crash_disk *d)
{
	return (d->nops);
}

const void *
crash_disk_file(const struct crash_disk *d, const char *path, size_t *n)
{
	const struct name *at = crash_name_find(d, path);

	if (at == NULL)
		return (NULL);
	*n = d->files[at->file].n;
	return (*n > 0 ? (const void *)d->files[at->file].p : "");
}
