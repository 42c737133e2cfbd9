/*
 * How the ranks of a parallel program get what is loaded before them.
 *
 * A launcher starts them, here or on other machines, and has an option for
 * variables that they are to have.  It is not loaded into the launcher itself,
 * which is no part of the program.
 */
#include "run_mpi.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLE_WORDS 3 /* at most, of the launcher's option */

/* What a program of an MPI has in its file, and how variables are handed on. */
static const struct mpi {
	const char *name;
	const char *rank, *launcher; /* in the file */
	const char *option;
	bool two_words; /* NAME VALUE, not NAME=VALUE */
} mpis[] = {
	{ "openmpi", "libmpi.so.", "libopen-rte.so", "-x", false },
	{ "openmpi", "libmpi.so.", "libprrte.so", "-x", false },
	{ "mpich", "libmpich.so.", "HYDRA_LAUNCHER", "-genv", true },
};
#define MPIS (sizeof(mpis) / sizeof(mpis[0]))

static bool
has(const char *p, size_t n, const char *what)
{
	return (memmem(p, n, what, strlen(what)) != NULL);
}

const char *
run_mpi(const char *file, bool *launches)
{
	const char *found = NULL;
	struct stat st;
	char *p;
	size_t n;
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	*launches = false;
	if (fd == -1)
		return (NULL);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 4 &&
	    (p = mmap(NULL, n = (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd,
		 0)) != MAP_FAILED) {
		for (size_t i = 0; i < MPIS && found == NULL; i++)
			if (memcmp(p, "\177ELF", 4) == 0 &&
			    (has(p, n, mpis[i].rank) ||
				has(p, n, mpis[i].launcher))) {
				found = mpis[i].name;
				*launches = !has(p, n, mpis[i].rank);
			}
		munmap(p, n);
	}
	close(fd);
	return (found);
}

/* One variable as an option, behind at; it is copied. */
static char **
add(char **at, const struct mpi *m, const char *variable)
{
	char *value = strdup(variable);

	*at++ = strdup(m->option);
	*at++ = value;
	if (m->two_words && value != NULL) {
		char *end = strchr(value, '=');

		*end = '\0';
		*at++ = end + 1;
	}
	return (at);
}

char **
run_mpi_arguments(const char *mpi, char **argv, const char *const *variables)
{
	const struct mpi *m = mpis;
	size_t n = 0, more = 0;
	char **all, **at;

	while (strcmp(m->name, mpi) != 0)
		m++;
	while (argv[n] != NULL)
		n++;
	while (variables[more] != NULL)
		more++;
	all = at = calloc(n + more * VARIABLE_WORDS + 1, sizeof(*all));
	if (all == NULL)
		return (argv);
	*at++ = argv[0];
	for (size_t i = 0; i < more; i++)
		at = add(at, m, variables[i]);
	memcpy(at, argv + 1, n * sizeof(*at)); /* and NULL */
	return (all);
}
