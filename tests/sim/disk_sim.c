/*
 * Files of a simulated machine.
 *
 * Each file is what its processes see and what is on disk; writes since the
 * last sync are kept in between.  After a loss of power each of those may have
 * happened, or half, or not, and names that were not synced may be the old
 * ones.
 */
#include <errno.h>
#include <string.h>

#include "tests/sim/inside.h"

struct env_file {
	struct env_file *next;
	struct env_sim *env;
	struct inode *inode;
	bool writable;
};

/* The process is held up by its disk. */
static void
disk_slow(struct env_sim *e)
{
	struct sim *s = e->sim;

	if (sim_strikes(s, FAULT_SLOW_DISK))
		sim_pause(&e->env,
		    s->now_ns +
			(int64_t)chance_exp(&s->faults.chance[FAULT_SLOW_DISK],
			    20e6));
}

static void
bytes_write(unsigned char **data, size_t *n, size_t *cap, const void *p,
    size_t len, uint64_t offset)
{
	size_t end = (size_t)offset + len;

	if (end > *cap) {
		*cap = end * 2;
		*data = realloc(*data, *cap);
	}
	if (offset > *n)
		memset(*data + *n, 0, (size_t)offset - *n);
	memcpy(*data + offset, p, len);
	if (end > *n)
		*n = end;
}

static void
bytes_truncate(unsigned char **data, size_t *n, size_t *cap, uint64_t to)
{
	if (to > *n)
		bytes_write(data, n, cap, "", 0, to);
	*n = (size_t)to;
}

static void
inode_note(struct inode *i, const void *p, size_t n, uint64_t offset)
{
	size_t len = n == SIZE_MAX ? 0 : n;
	struct disk_op *op;

	if (!i->machine->careful)
		return;
	op = malloc(sizeof(*op) + len);
	op->next = NULL;
	op->offset = offset;
	op->n = n;
	if (len > 0)
		memcpy(op->data, p, len);
	*i->last_op = op;
	i->last_op = &op->next;
}

/* Brings what was written to disk; chance: as far as it happened to be. */
static void
inode_settle(struct inode *i, struct chance *chance)
{
	struct disk_op *op, *next;

	for (op = i->ops; op != NULL; op = next) {
		uint64_t luck = chance != NULL ? chance_below(chance, 4) : 0;
		size_t n = op->n;

		next = op->next;
		if (luck == 3 && n != SIZE_MAX)
			n = (size_t)chance_below(chance, n + 1);
		if (luck == 2) {
			/* never happened */
		} else if (n == SIZE_MAX) {
			bytes_truncate(&i->stable, &i->stable_n, &i->stable_cap,
			    op->offset);
		} else {
			bytes_write(&i->stable, &i->stable_n, &i->stable_cap,
			    op->data, n, op->offset);
		}
		free(op);
	}
	i->ops = NULL;
	i->last_op = &i->ops;
}

static struct name *
names_find(struct name *names, size_t n, const char *path)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(names[i].path, path) == 0)
			return (&names[i]);
	}
	return (NULL);
}

static void
names_set(struct name **names, size_t *n, const char *path, struct inode *inode)
{
	struct name *at = names_find(*names, *n, path);

	if (at == NULL) {
		*names = realloc(*names, (*n + 1) * sizeof(**names));
		at = &(*names)[(*n)++];
		at->path = strdup(path);
	}
	at->inode = inode;
}

static void
names_remove(struct name *names, size_t *n, struct name *at)
{
	free(at->path);
	*at = names[--*n];
}

static void
names_free(struct name *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(names[i].path);
	free(names);
}

struct env_file *
env_sim_open(struct env *env, const char *path, int how)
{
	struct env_sim *e = (struct env_sim *)env;
	struct sim_machine *m = e->machine;
	struct name *at = names_find(m->names, m->names_n, path);
	struct env_file *f;

	if (e->dead)
		errno = EIO;
	else if (at == NULL && (how & ENV_CREATE) == 0)
		errno = ENOENT;
	else if (at != NULL && (how & ENV_EXCLUSIVE) != 0)
		errno = EEXIST;
	else if (m->disk_error != 0 && at == NULL)
		errno = m->disk_error;
	else
		errno = 0;
	if (errno != 0)
		return (NULL);
	f = calloc(1, sizeof(*f));
	if (at == NULL) {
		f->inode = calloc(1, sizeof(*f->inode));
		f->inode->last_op = &f->inode->ops;
		f->inode->machine = m;
		f->inode->next = m->inodes;
		m->inodes = f->inode;
		names_set(&m->names, &m->names_n, path, f->inode);
	} else {
		f->inode = at->inode;
	}
	f->env = e;
	f->writable = (how & ENV_WRITE) != 0;
	f->next = e->files;
	e->files = f;
	if ((how & ENV_TRUNCATE) != 0)
		env_sim_truncate(f, 0);
	return (f);
}

ssize_t
env_sim_read_at(struct env_file *f, void *p, size_t n, uint64_t offset)
{
	size_t have = f->inode->n;

	if (f->env->dead) {
		errno = EIO;
		return (-1);
	}
	if (offset >= have)
		return (0);
	if (n > have - offset)
		n = have - (size_t)offset;
	if (sim_strikes(f->env->sim, FAULT_READ_ERROR)) {
		errno = EIO;
		return (-1);
	}
	memcpy(p, f->inode->data + offset, n);
	if (n > 0 && sim_strikes(f->env->sim, FAULT_READ_FLIP)) {
		uint64_t bit =
		    chance_below(&f->env->sim->faults.chance[FAULT_READ_FLIP],
			8 * n);

		((unsigned char *)p)[bit / 8] ^= (unsigned char)(1u << bit % 8);
	}
	disk_slow(f->env);
	return ((ssize_t)n);
}

static int
file_may_write(const struct env_file *f)
{
	errno = f->env->dead                       ? EIO
		: !f->writable                     ? EBADF
		: f->env->machine->disk_error != 0 ? f->env->machine->disk_error
						   : 0;
	return (errno == 0 ? 0 : -1);
}

ssize_t
env_sim_write_at(struct env_file *f, const void *p, size_t n, uint64_t offset)
{
	struct inode *i = f->inode;
	struct sim *s = f->env->sim;
	size_t done = n;
	int error;

	if (file_may_write(f) == -1) {
		error = errno;
		if (f->env->dead || !f->writable ||
		    !chance_is(&f->env->chance, 0.5))
			return (-1);
		/* a full disk takes a part before it says so */
		done = (size_t)chance_below(&f->env->chance, n);
		bytes_write(&i->data, &i->n, &i->cap, p, done, offset);
		inode_note(i, p, done, offset);
		errno = error;
		return (-1);
	}
	sim_may_crash(s);
	if (sim_strikes(s, FAULT_SHORT_WRITE))
		done =
		    (size_t)chance_below(&s->faults.chance[FAULT_SHORT_WRITE],
			n);
	bytes_write(&i->data, &i->n, &i->cap, p, done, offset);
	inode_note(i, p, done, offset);
	sim_may_crash(s);
	disk_slow(f->env);
	return ((ssize_t)done);
}

int
env_sim_sync(struct env_file *f)
{
	if (f->env->dead || f->env->machine->disk_error == EIO) {
		errno = EIO;
		return (-1);
	}
	if (sim_strikes(f->env->sim, FAULT_SYNC)) {
		/* what is dirty may be gone, and the next sync knows nothing */
		inode_settle(f->inode, &f->env->sim->faults.chance[FAULT_SYNC]);
		errno = EIO;
		return (-1);
	}
	inode_settle(f->inode, NULL);
	sim_may_crash(f->env->sim);
	disk_slow(f->env);
	return (0);
}

int
env_sim_truncate(struct env_file *f, uint64_t bytes)
{
	struct inode *i = f->inode;

	if (f->env->dead || !f->writable) {
		errno = f->env->dead ? EIO : EBADF;
		return (-1);
	}
	bytes_truncate(&i->data, &i->n, &i->cap, bytes);
	inode_note(i, NULL, SIZE_MAX, bytes);
	return (0);
}

int64_t
env_sim_size(struct env_file *f)
{
	return (f->env->dead ? -1 : (int64_t)f->inode->n);
}

int
env_sim_lock(struct env_file *f)
{
	if (f->inode->locked_by != NULL && f->inode->locked_by != f->env) {
		errno = EWOULDBLOCK;
		return (-1);
	}
	f->inode->locked_by = f->env;
	return (0);
}

void
env_sim_file_close(struct env_file *f)
{
	struct env_file **at;

	if (f == NULL)
		return;
	for (at = &f->env->files; *at != NULL; at = &(*at)->next) {
		if (*at == f) {
			*at = f->next;
			break;
		}
	}
	if (f->inode->locked_by == f->env)
		f->inode->locked_by = NULL;
	free(f);
}

void
sim_files_free(struct env_sim *e)
{
	while (e->files != NULL)
		env_sim_file_close(e->files);
}

int
env_sim_rename(struct env *env, const char *from, const char *to)
{
	struct env_sim *e = (struct env_sim *)env;
	struct sim_machine *m = e->machine;
	struct name *at = names_find(m->names, m->names_n, from);

	if (e->dead || at == NULL) {
		errno = e->dead ? EIO : ENOENT;
		return (-1);
	}
	names_set(&m->names, &m->names_n, to, at->inode);
	at = names_find(m->names, m->names_n, from);
	names_remove(m->names, &m->names_n, at);
	sim_may_crash(e->sim);
	return (0);
}

int
env_sim_unlink(struct env *env, const char *path)
{
	struct env_sim *e = (struct env_sim *)env;
	struct sim_machine *m = e->machine;
	struct name *at = names_find(m->names, m->names_n, path);

	if (e->dead || at == NULL) {
		errno = e->dead ? EIO : ENOENT;
		return (-1);
	}
	names_remove(m->names, &m->names_n, at);
	sim_may_crash(e->sim);
	return (0);
}

int
env_sim_mkdir(struct env *env, const char *path)
{
	(void)env;
	(void)path; /* every directory is there */
	return (0);
}

/* The name inside dir, or NULL. */
static const char *
name_in(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	while (n > 0 && dir[n - 1] == '/')
		n--;
	if (strcmp(dir, ".") == 0)
		return (strchr(path, '/') == NULL ? path : NULL);
	if (strncmp(path, dir, n) != 0 || path[n] != '/' ||
	    strchr(path + n + 1, '/') != NULL)
		return (NULL);
	return (path + n + 1);
}

int
env_sim_list(struct env *env, const char *dir, int (*cb)(void *, const char *),
    void *arg)
{
	struct env_sim *e = (struct env_sim *)env;
	int rc;

	if (e->dead) {
		errno = EIO;
		return (-1);
	}
	for (size_t i = 0; i < e->machine->names_n; i++) {
		const char *name = name_in(e->machine->names[i].path, dir);

		if (name != NULL && (rc = cb(arg, name)) != 0)
			return (rc);
	}
	return (0);
}

int
env_sim_sync_dir(struct env *env, const char *dir)
{
	struct env_sim *e = (struct env_sim *)env;
	struct sim_machine *m = e->machine;

	if (e->dead || m->disk_error == EIO) {
		errno = EIO;
		return (-1);
	}
	for (size_t i = 0; i < m->stable_n;) {
		if (name_in(m->stable[i].path, dir) != NULL)
			names_remove(m->stable, &m->stable_n, &m->stable[i]);
		else
			i++;
	}
	for (size_t i = 0; i < m->names_n; i++) {
		if (name_in(m->names[i].path, dir) != NULL)
			names_set(&m->stable, &m->stable_n, m->names[i].path,
			    m->names[i].inode);
	}
	return (0);
}

/* --- machines --- */

void
sim_files_kill(struct env_sim *e)
{
	for (struct env_file *f = e->files; f != NULL; f = f->next) {
		if (f->inode->locked_by == e)
			f->inode->locked_by = NULL;
	}
}

void
sim_machine_disk(struct sim_machine *m, int error)
{
	m->disk_error = error;
}

void
sim_machine_power_loss(struct sim_machine *m)
{
	struct chance *c = &m->sim->chance;

	for (struct inode *i = m->inodes; i != NULL; i = i->next) {
		inode_settle(i, c);
		i->n = 0;
		bytes_write(&i->data, &i->n, &i->cap,
		    i->stable != NULL ? (const void *)i->stable : "",
		    i->stable_n, 0);
	}
	if (chance_is(c, 0.5)) {
		for (size_t i = 0; i < m->names_n; i++)
			free(m->names[i].path);
		m->names_n = 0;
		for (size_t i = 0; i < m->stable_n; i++)
			names_set(&m->names, &m->names_n, m->stable[i].path,
			    m->stable[i].inode);
	}
}

const void *
sim_machine_file(struct sim_machine *m, const char *path, size_t *n)
{
	struct name *at = names_find(m->names, m->names_n, path);

	if (at == NULL)
		return (NULL);
	*n = at->inode->n;
	return (at->inode->data);
}

void
sim_disk_free(struct sim_machine *m)
{
	struct inode *i, *next;

	for (i = m->inodes; i != NULL; i = next) {
		next = i->next;
		inode_settle(i, NULL);
		free(i->data);
		free(i->stable);
		free(i);
	}
	names_free(m->names, m->names_n);
	names_free(m->stable, m->stable_n);
}
