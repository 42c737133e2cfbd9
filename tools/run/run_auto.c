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
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "run_mpi.h"
#include "run_seen.h"

#define LIBRARY     "libprobe-auto.so"
#define MPI_LIBRARY "libprobe-mpi-%s.so"
#define SCRIPTS     4 /* an interpreter may be a script, too */
#define HEAD        4096
#define ORDINARY    "ld-linux" /* how glibc's loader is called */

/* A library for this MPI is there, too. */
static bool
has_library(const char *place, const char *mpi)
{
	char file[PATH_MAX + 128];

	snprintf(file, sizeof(file), "%s/lib64/" MPI_LIBRARY, place, mpi);
	return (access(file, R_OK) == 0);
}

/* Where the libraries are: beside us when built, in lib when installed. */
static bool
library_place(char *found, size_t n)
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
		snprintf(found, n, "%s", real);
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

/* What is loaded before a program, and what was to be before; "": nothing. */
static void
preload_of(const char *program, const char *mpi, char *value, size_t n)
{
	const char *before = getenv("LD_PRELOAD");
	char place[PATH_MAX + 64];

	*value = '\0';
	if (!library_place(place, sizeof(place))) {
		log_warnx("%s: its threads and locks are not seen: there is no "
			  "%s where orrery is installed",
		    program, LIBRARY);
		return;
	}
	if (strpbrk(place, " :") != NULL) {
		log_warnx("%s: its threads and locks are not seen: a library "
			  "with a space or a colon in its path cannot be "
			  "preloaded (%s)",
		    program, place);
		return;
	}
	snprintf(value, n, "%s/$LIB/" LIBRARY, place);
	if (mpi != NULL && has_library(place, mpi))
		snprintf(value + strlen(value), n - strlen(value),
		    ":%s/$LIB/" MPI_LIBRARY, place, mpi);
	else if (mpi != NULL)
		log_warnx("%s: its messages are not seen: orrery was built "
			  "where there was no %s",
		    program, mpi);
	if (before != NULL && *before != '\0')
		snprintf(value + strlen(value), n - strlen(value), ":%s",
		    before);
}

/* "NAME=" and what it is here; NULL: no such variable. */
static char *
variable(const char *name)
{
	const char *value = getenv(name);
	char *both;

	if (value == NULL || asprintf(&both, "%s=%s", name, value) == -1)
		return (NULL);
	return (both);
}

/* The ranks get all that, the launcher itself nothing to load. */
static char **
for_ranks(const char *mpi, char **argv, const char *preload)
{
	static const char *const names[] = { "ORRERY_DIR", "ORRERY_NODE",
		"ORRERY_FULL", "ORRERY_MEMORY", "ORRERY_LOCKS", "ORRERY_PYTHON",
		"ORRERY_JOB", "ASAN_OPTIONS" };
	const char *all[sizeof(names) / sizeof(names[0]) + 2];
	size_t n = 0;
	char *first;

	if (asprintf(&first, "LD_PRELOAD=%s", preload) == -1)
		return (argv);
	all[n++] = first;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if ((all[n] = variable(names[i])) != NULL)
			n++;
	all[n] = NULL;
	return (run_mpi_arguments(mpi, argv, all));
}

char **
run_auto(char **argv)
{
	const char *program = argv[0], *why = why_not(program), *mpi;
	char path[PATH_MAX], value[3 * PATH_MAX], pid[24], job[24];
	bool launches;

	if (why != NULL)
		log_warnx("%s: its threads and locks are not seen: %s", program,
		    why);
	run_program_path(program, path, sizeof(path));
	mpi = run_mpi(path, &launches);
	preload_of(program, mpi, value, sizeof(value));
	if (*value == '\0')
		return (argv);
	sanitizer_comes_second();
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	setenv("ORRERY_RUN", pid, 1);
	/* what no other job of this run has: when it began, and by whom */
	snprintf(job, sizeof(job), "%llu",
	    (unsigned long long)time(NULL) << 22 ^
		(unsigned long long)getpid());
	setenv("ORRERY_JOB", job, 1);
	if (mpi != NULL && launches)
		return (for_ranks(mpi, argv, value));
	setenv("LD_PRELOAD", value, 1);
	return (argv);
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
