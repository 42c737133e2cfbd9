/*
 * What `monitorctl run` loads before a program, and whether that works with it.
 *
 * The loader of glibc puts the name of its folder of libraries, lib64 say, for
 * $LIB.  Another C library's loader finds no such file and goes on without,
 * instead of not starting at all, which it would do with our library; so the
 * path is that also for what the program starts itself.
 */
#include "run_auto.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"
#include "run_seen.h"

#define LIBRARY  "libprobe-auto.so"
#define SCRIPTS  4 /* an interpreter may be a script, too */
#define HEAD     4096
#define ORDINARY "ld-linux" /* how glibc's loader is called */

/* Where the library is: beside us when built, in lib when installed. */
static bool
library_path(char *path, size_t n)
{
	static const char *const places[] = { "../auto", "../lib/orrery" };
	char self[PATH_MAX], place[PATH_MAX + 32], file[PATH_MAX + 64];
	char real[PATH_MAX];
	ssize_t got = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (got <= 0)
		return (false);
	self[got] = '\0';
	*strrchr(self, '/') = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(place, sizeof(place), "%s/%s", self, places[i]);
		snprintf(file, sizeof(file), "%s/lib64/" LIBRARY, place);
		if (access(file, R_OK) == -1 || realpath(place, real) == NULL)
			continue;
		snprintf(path, n, "%s/$LIB/" LIBRARY, real);
		return (true);
	}
	return (false);
}

/* Would it run with other privileges than ours?  Then the loader is careful. */
static bool
is_privileged(const struct stat *st)
{
	return (((st->st_mode & S_ISUID) != 0 && st->st_uid != getuid()) ||
		((st->st_mode & S_ISGID) != 0 && st->st_gid != getgid()));
}

/* The beginning of a file, with a 0 behind it.  0: none. */
static size_t
head_of(const char *file, char *head, bool *privileged)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	struct stat st;
	ssize_t n = -1;

	if (fd == -1)
		return (0);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		n = pread(fd, head, HEAD, 0);
	close(fd);
	if (n <= 0)
		return (0);
	head[n] = '\0';
	*privileged = is_privileged(&st);
	return ((size_t)n);
}

/* The loader that a program names, "": none; NULL: no such program. */
static const char *
loader_of(const char *head, size_t n)
{
	Elf64_Ehdr e;
	Elf64_Phdr ph;

	if (n < sizeof(e) || memcmp(head, ELFMAG, SELFMAG) != 0 ||
	    head[EI_CLASS] != ELFCLASS64)
		return (NULL);
	memcpy(&e, head, sizeof(e));
	for (size_t i = 0; i < e.e_phnum; i++) {
		size_t at = e.e_phoff + i * sizeof(ph);

		if (e.e_phoff > n || at + sizeof(ph) > n)
			return (NULL);
		memcpy(&ph, head + at, sizeof(ph));
		if (ph.p_type == PT_INTERP)
			return (ph.p_offset < n ? head + ph.p_offset : NULL);
	}
	return ("");
}

/* Why nothing will be seen of it; NULL: no reason. */
static const char *
why_not(const char *program)
{
	char path[PATH_MAX], head[HEAD + 1];
	const char *loader;
	bool privileged = false;
	size_t n = 0;

	run_program_path(program, path, sizeof(path));
	for (int i = 0; i < SCRIPTS; i++) {
		n = head_of(path, head, &privileged);
		if (n < 2 || memcmp(head, "#!", 2) != 0)
			break;
		head[strcspn(head, "\n")] = '\0';
		n = strspn(head + 2, " \t") + 2;
		head[n + strcspn(head + n, " \t")] = '\0';
		snprintf(path, sizeof(path), "%s", head + n);
		n = 0;
	}
	if (n == 0)
		return (NULL); /* exec will have a word for it */
	if (privileged)
		return ("it is set-user-ID or set-group-ID, and the loader "
			"loads nothing before such programs");
	if (memcmp(head, ELFMAG, SELFMAG) == 0 && head[EI_CLASS] != ELFCLASS64)
		return ("it is a 32-bit program");
	loader = loader_of(head, n);
	if (loader != NULL && *loader == '\0')
		return ("it is linked statically");
	if (loader != NULL && strstr(loader, ORDINARY) == NULL)
		return ("its C library is not glibc");
	return (NULL);
}

/*
 * gcc's AddressSanitizer refuses to run when another library is loaded before
 * its own; this option tells it not to look.  What the program starts inherits
 * it.
 */
static void
sanitizer_comes_second(void)
{
	const char *before = getenv("ASAN_OPTIONS");
	char *value;

	if (asprintf(&value, "%s%sverify_asan_link_order=0",
		before ? before : "", before && *before ? ":" : "") == -1)
		return; /* such a program says what is wrong */
	setenv("ASAN_OPTIONS", value, 1);
	free(value);
}

void
run_auto(const char *program)
{
	const char *before = getenv("LD_PRELOAD"), *why = why_not(program);
	char path[PATH_MAX + 64], value[2 * PATH_MAX], pid[24];

	if (why != NULL)
		log_warnx("%s: its threads and locks are not seen: %s", program,
		    why);
	if (!library_path(path, sizeof(path))) {
		log_warnx("%s: its threads and locks are not seen: there is no "
			  "%s where orrery is installed",
		    program, LIBRARY);
		return;
	}
	if (strpbrk(path, " :") != NULL) {
		log_warnx("%s: its threads and locks are not seen: a library "
			  "with a space or a colon in its path cannot be "
			  "preloaded (%s)",
		    program, path);
		return;
	}
	if (before == NULL || *before == '\0')
		before = NULL;
	snprintf(value, sizeof(value), "%s%s%s", path, before ? ":" : "",
	    before ? before : "");
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	setenv("LD_PRELOAD", value, 1);
	sanitizer_comes_second();
	setenv("ORRERY_RUN", pid, 1);
}

bool
run_auto_usual(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	return (false);
#else
	return (true);
#endif
}
