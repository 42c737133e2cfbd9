/*
 * See logname.h.  The link is what says which log is the newest: one that was
 * not finished is continued by it, as by any other name.
 */
#include "logname.h"

#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINK_NEW   LOGNAME_LINK ".new"
#define NUMBER_MAX 999999999u

/* 0: it is none of ours. */
static unsigned
number_of(const char *name)
{
	char again[LOGNAME_BYTES];
	unsigned n = 0;

	if (sscanf(name, "run-%9u.orr", &n) != 1)
		return (0);
	snprintf(again, sizeof(again), "run-%u.orr", n);
	return (strcmp(name, again) == 0 ? n : 0);
}

/* Greater than that of any that is there. */
static unsigned
free_number(void)
{
	unsigned n, most = 0;
	struct dirent *e;
	DIR *d = opendir(".");

	while (d != NULL && (e = readdir(d)) != NULL) {
		n = number_of(e->d_name);
		if (n > most)
			most = n;
	}
	if (d != NULL)
		closedir(d);
	return (most + 1);
}

/* What run.orr points to, if that is a log of ours. */
static bool
linked(char name[LOGNAME_BYTES])
{
	ssize_t n = readlink(LOGNAME_LINK, name, LOGNAME_BYTES - 1);

	if (n < 0)
		return (false);
	name[n] = '\0';
	return (number_of(name) != 0);
}

static void
numbered(char name[LOGNAME_BYTES], unsigned n)
{
	snprintf(name, LOGNAME_BYTES, "run-%u.orr", n);
}

void
logname_newest(char name[LOGNAME_BYTES])
{
	struct stat st;

	if (linked(name) && (lstat(name, &st) == 0 || errno != ENOENT))
		return;
	if (!linked(name) && lstat(LOGNAME_LINK, &st) == 0)
		snprintf(name, LOGNAME_BYTES, LOGNAME_LINK);
	else
		numbered(name, free_number());
}

int
logname_next(char name[LOGNAME_BYTES])
{
	unsigned n = free_number();
	struct stat st;

	if (n >= NUMBER_MAX) {
		errno = EOVERFLOW;
		return (-1);
	}
	numbered(name, n);
	if (lstat(LOGNAME_LINK, &st) == -1 || !S_ISREG(st.st_mode))
		return (0);
	/* link(2) and not rename(2): it replaces nothing */
	if (link(LOGNAME_LINK, name) == -1 || unlink(LOGNAME_LINK) == -1)
		return (-1);
	numbered(name, n + 1);
	return (0);
}

int
logname_link(const char *name)
{
	char now[LOGNAME_BYTES];
	struct stat st;

	if (number_of(name) == 0 || (linked(now) && strcmp(now, name) == 0))
		return (0);
	/* what is not our link stays */
	if (lstat(LOGNAME_LINK, &st) == 0 && !S_ISLNK(st.st_mode)) {
		errno = EEXIST;
		return (-1);
	}
	(void)unlink(LINK_NEW);
	if (symlink(name, LINK_NEW) == -1)
		return (-1);
	return (rename(LINK_NEW, LOGNAME_LINK));
}
