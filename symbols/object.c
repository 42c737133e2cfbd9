/*
 * ELF files, and where the debug information of one is.
 *
 * A file of debug information belongs to another if both have the same build
 * id.  Who has none goes by the checksum in .gnu_debuglink.
 */
#include <sys/stat.h>

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crc.h"
#include "inside.h"

#define DEBUG_DIR  "/usr/lib/debug"
#define PATH_BYTES 4096

int
object_open(struct object *o, const char *path, bool mapped)
{
	struct stat st;

	*o = (struct object){ .fd = -1, .mapped = mapped };
	(void)elf_version(EV_CURRENT);
	o->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (o->fd == -1)
		return (-1);
	if (fstat(o->fd, &st) == 0 && S_ISREG(st.st_mode))
		o->elf = elf_begin(o->fd, mapped ? ELF_C_READ_MMAP : ELF_C_READ,
		    NULL);
	if (o->elf != NULL && elf_kind(o->elf) == ELF_K_ELF)
		return (0);
	object_close(o);
	errno = ENOEXEC;
	return (-1);
}

void
object_close(struct object *o)
{
	if (o->elf != NULL)
		elf_end(o->elf);
	if (o->fd != -1)
		close(o->fd);
	*o = (struct object){ .fd = -1 };
}

void
object_build_id(const struct object *o, char id[OBJECT_ID_BYTES])
{
	const void *bits = NULL;
	ssize_t n = dwelf_elf_gnu_build_id(o->elf, &bits);

	id[0] = '\0';
	for (ssize_t i = 0; i < n && 2 * i + 2 < OBJECT_ID_BYTES; i++)
		snprintf(id + 2 * i, 3, "%02x", ((const uint8_t *)bits)[i]);
}

bool
object_has_section(const struct object *o, const char *name)
{
	size_t names;
	Elf_Scn *s = NULL;

	if (elf_getshdrstrndx(o->elf, &names) != 0)
		return (false);
	while ((s = elf_nextscn(o->elf, s)) != NULL) {
		GElf_Shdr h;
		const char *is;

		if (gelf_getshdr(s, &h) == NULL || h.sh_type == SHT_NOBITS)
			continue;
		is = elf_strptr(o->elf, names, h.sh_name);
		if (is != NULL && strcmp(is, name) == 0)
			return (true);
	}
	return (false);
}

static bool
has_debug(const struct object *o)
{
	return (object_has_section(o, ".debug_info") ||
		object_has_section(o, ".zdebug_info"));
}

static uint32_t
file_crc(int fd)
{
	uint8_t buf[1u << 16];
	uint32_t crc = 0;
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, buf, sizeof(buf), at)) > 0) {
		crc = crc_add(crc, buf, (size_t)n);
		at += n;
	}
	return (crc);
}

/* What is wanted of the other file: this build id, or else this checksum. */
struct wanted {
	char id[OBJECT_ID_BYTES];
	bool by_crc, mapped;
	uint32_t crc;
};

static int
try(struct object *to, const char *path, const struct wanted *w)
{
	char id[OBJECT_ID_BYTES];

	if (object_open(to, path, w->mapped) == -1)
		return (-1);
	object_build_id(to, id);
	if (w->id[0] != '\0' ? strcmp(id, w->id) == 0
			     : w->by_crc && file_crc(to->fd) == w->crc)
		return (0);
	object_close(to);
	return (-1);
}

static int
by_link(const char *path, const char *link, const struct wanted *w,
    struct object *to)
{
	static const char *const where[] = { "%.*s%s", "%.*s.debug/%s",
		DEBUG_DIR "%.*s%s" };
	const char *slash = strrchr(path, '/');
	int dir = slash == NULL ? 0 : (int)(slash - path) + 1;
	char at[PATH_BYTES];

	if (strchr(link, '/') != NULL)
		return (-1);
	for (size_t i = 0; i < sizeof(where) / sizeof(where[0]); i++) {
		int n = snprintf(at, sizeof(at), where[i], dir, path, link);

		if (n < (int)sizeof(at) && strcmp(at, path) != 0 &&
		    try(to, at, w) == 0)
			return (0);
	}
	return (-1);
}

int
object_debug(const struct object *o, const char *path, struct object *to)
{
	struct wanted w = { .mapped = o->mapped };
	char at[PATH_BYTES];
	const char *link;
	GElf_Word crc = 0;

	*to = (struct object){ .fd = -1 };
	if (has_debug(o))
		return (-1); /* no need */
	object_build_id(o, w.id);
	if (strlen(w.id) > 2) {
		snprintf(at, sizeof(at), DEBUG_DIR "/.build-id/%.2s/%s.debug",
		    w.id, w.id + 2);
		if (try(to, at, &w) == 0)
			return (0);
	}
	link = dwelf_elf_gnu_debuglink(o->elf, &crc);
	if (link == NULL)
		return (-1);
	w.by_crc = true;
	w.crc = crc;
	return (by_link(path, link, &w, to));
}
