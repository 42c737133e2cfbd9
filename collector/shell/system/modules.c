/*
 * See modules.h.  An ELF file says in its program headers which address a part
 * of it is to have, and its notes have the build id; both are read here with a
 * few reads and by hand, since any file may be mapped by a program, and nothing
 * of it is to be believed.
 */
#include "modules.h"

#include <sys/stat.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEADERS_MAX 64u
#define NOTE_BYTES  4096u
#define LINE_BYTES  4608u
#define CACHED      256u

/* "GNU", and what follows it to a multiple of four. */
static void
note_id(const uint8_t *p, size_t n, char id[MODULES_ID_BYTES])
{
	Elf64_Nhdr h;
	size_t name, desc;

	for (; n >= sizeof(h);
	     p += sizeof(h) + name + desc, n -= sizeof(h) + name + desc) {
		memcpy(&h, p, sizeof(h));
		name = ((size_t)h.n_namesz + 3) & ~(size_t)3;
		desc = ((size_t)h.n_descsz + 3) & ~(size_t)3;
		if (name > n || desc > n || sizeof(h) + name + desc > n)
			return;
		if (h.n_type != NT_GNU_BUILD_ID || h.n_namesz != 4 ||
		    memcmp(p + sizeof(h), "GNU", 4) != 0 ||
		    h.n_descsz * 2 >= MODULES_ID_BYTES)
			continue;
		for (size_t i = 0; i < h.n_descsz; i++)
			snprintf(id + 2 * i, 3, "%02x",
			    p[sizeof(h) + name + i]);
		return;
	}
}

static void
read_note(int fd, const Elf64_Phdr *ph, char id[MODULES_ID_BYTES])
{
	uint8_t buf[NOTE_BYTES];
	size_t n = ph->p_filesz < sizeof(buf) ? ph->p_filesz : sizeof(buf);
	ssize_t got = pread(fd, buf, n, (off_t)ph->p_offset);

	if (got > 0 && *id == '\0')
		note_id(buf, (size_t)got, id);
}

int
modules_read(int fd, struct modules_file *m)
{
	const uint64_t page = 4095;
	Elf64_Ehdr h;
	Elf64_Phdr ph[HEADERS_MAX];
	unsigned n;
	int rc = -1;

	m->build_id[0] = '\0';
	if (pread(fd, &h, sizeof(h), 0) != sizeof(h) ||
	    memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 ||
	    h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_phentsize != sizeof(*ph))
		return (-1);
	n = h.e_phnum < HEADERS_MAX ? h.e_phnum : HEADERS_MAX;
	if (pread(fd, ph, n * sizeof(*ph), (off_t)h.e_phoff) !=
	    (ssize_t)(n * sizeof(*ph)))
		return (-1);
	for (unsigned i = 0; i < n; i++) {
		uint64_t from = ph[i].p_offset & ~page;

		if (ph[i].p_type == PT_NOTE)
			read_note(fd, &ph[i], m->build_id);
		if (ph[i].p_type != PT_LOAD || m->offset < from ||
		    m->offset - from >= ph[i].p_filesz + page)
			continue;
		if (rc == 0 && !(ph[i].p_flags & PF_X))
			continue;
		m->base = m->start - m->offset + ph[i].p_offset - ph[i].p_vaddr;
		rc = 0;
	}
	return (rc);
}

/* What has been read of a file: its base, if it were mapped at 0. */
static struct cached {
	dev_t dev;
	ino_t ino;
	struct timespec mtime;
	off_t size;
	uint64_t offset;
	int rc;
	struct modules_file file;
} cache[CACHED];

static bool
cached_is(const struct cached *c, const struct stat *st, uint64_t offset)
{
	return (c->ino == st->st_ino && c->dev == st->st_dev &&
		c->size == st->st_size && c->offset == offset &&
		c->mtime.tv_sec == st->st_mtim.tv_sec &&
		c->mtime.tv_nsec == st->st_mtim.tv_nsec);
}

static const struct cached *
file_read(const char *path, uint64_t offset, ino_t ino)
{
	struct cached *c;
	struct stat st;
	int fd;

	/* replaced since, or a path of another mount namespace */
	if (stat(path, &st) == -1 || st.st_ino != ino || !S_ISREG(st.st_mode))
		return (NULL);
	c = &cache[(st.st_ino * 31 + offset / 4096) % CACHED];
	if (cached_is(c, &st, offset))
		return (c->rc == 0 ? c : NULL);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd == -1)
		return (NULL);
	*c = (struct cached){ .dev = st.st_dev,
		.ino = st.st_ino,
		.mtime = st.st_mtim,
		.size = st.st_size,
		.offset = offset,
		.file = { .offset = offset } };
	c->rc = modules_read(fd, &c->file);
	close(fd);
	return (c->rc == 0 ? c : NULL);
}

/* "start-end r-xp offset dev inode  path" */
static bool
line_module(char *line, modules_cb *cb, void *arg)
{
	const struct cached *c;
	struct msg_module m = { 0 };
	unsigned long start, end, offset, ino;
	char flags[8];
	char *path;
	int at = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%lx-%lx %7s %lx %*s %lu %n", &start, &end, flags,
		&offset, &ino, &at) < 5 ||
	    at == 0 || flags[2] != 'x')
		return (false);
	path = line + at;
	if (strcmp(path, "[vdso]") == 0) {
		path = MODULES_VDSO;
		offset = 0;
	} else if (*path != '/')
		return (false);
	c = *path == '/' ? file_read(path, offset, (ino_t)ino) : NULL;
	m.start = start;
	m.end = end;
	m.base = c != NULL ? c->file.base + start : start - offset;
	m.build_id = BYTES_STR(c != NULL ? c->file.build_id : "");
	m.path = BYTES_STR(path);
	cb(arg, &m);
	return (true);
}

int
modules_each(uint32_t pid, modules_cb *cb, void *arg)
{
	char name[32], line[LINE_BYTES];
	FILE *f;
	int n = 0;

	snprintf(name, sizeof(name), "/proc/%u/maps", pid);
	f = fopen(name, "re");
	if (f == NULL)
		return (-1);
	while (fgets(line, sizeof(line), f) != NULL)
		n += line_module(line, cb, arg);
	fclose(f);
	if (n > 0)
		return (n);
	errno = ESRCH;
	return (-1);
}
