/*
 * Limits of control groups, in both versions: in the first the memory has a
 * tree of its own, in the second all has one.  A group has at most what those
 * above it have.
 */
#include "memlimit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "smallfile.h"

#define TEXT 4096

struct tree {
	const char *directory, *file;
	const char *controller; /* NULL: of the second version */
};

static const struct tree trees[] = {
	{ "memory", "memory.limit_in_bytes", "memory" },
	{ "unified", "memory.max", NULL }, /* beside the first version */
	{ ".", "memory.max", NULL },
};

/* A line of /proc/PID/cgroup, "4:memory:/a/b" or "0::/a/b", is of that tree. */
static const char *
path_in(char *line, const struct tree *t)
{
	char *controllers = strchr(line, ':'), *path, *word, *rest;

	if (controllers == NULL || (path = strchr(++controllers, ':')) == NULL)
		return (NULL);
	*path++ = '\0';
	if (t->controller == NULL)
		return (*controllers == '\0' ? path : NULL);
	word = strtok_r(controllers, ",", &rest);
	while (word != NULL && strcmp(word, t->controller) != 0)
		word = strtok_r(NULL, ",", &rest);
	return (word == NULL ? NULL : path);
}

/* From that group up to the root. */
static uint64_t
limit_up(const char *directory, const struct tree *t, const char *path,
    char group[MEMLIMIT_GROUP])
{
	char at[MEMLIMIT_GROUP - 1], file[1024], text[TEXT], *end;
	uint64_t least = UINT64_MAX, is;

	if (snprintf(at, sizeof(at), "%s", path) >= (int)sizeof(at))
		return (UINT64_MAX);
	if (strcmp(at, "/") == 0)
		at[0] = '\0';
	for (;;) {
		snprintf(file, sizeof(file), "%s/%s%s/%s", directory,
		    t->directory, at, t->file);
		if (smallfile_read(file, text, sizeof(text)) &&
		    text[0] >= '0' && text[0] <= '9' &&
		    (is = strtoull(text, NULL, 10)) < least) {
			least = is;
			snprintf(group, MEMLIMIT_GROUP, "%s/", at);
		}
		end = strrchr(at, '/');
		if (end == NULL)
			return (least);
		*end = '\0';
	}
}

uint64_t
memlimit_under(const char *directory, const char *cgroup_text,
    char group[MEMLIMIT_GROUP])
{
	char lines[TEXT], at[MEMLIMIT_GROUP], *line, *rest;
	uint64_t least = UINT64_MAX, is;
	const char *path;

	group[0] = '\0';
	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		snprintf(lines, sizeof(lines), "%s", cgroup_text);
		line = strtok_r(lines, "\n", &rest);
		for (; line != NULL; line = strtok_r(NULL, "\n", &rest)) {
			path = path_in(line, &trees[i]);
			if (path == NULL || strstr(path, "/..") != NULL)
				continue;
			is = limit_up(directory, &trees[i], path, at);
			if (is >= least)
				continue;
			least = is;
			memcpy(group, at, sizeof(at));
		}
	}
	return (least);
}

uint64_t
memlimit_of(uint32_t pid, char group[MEMLIMIT_GROUP])
{
	uint64_t machine =
	    (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	char path[64], text[TEXT];
	uint64_t limit;

	snprintf(path, sizeof(path), "/proc/%u/cgroup", pid);
	(void)smallfile_read(path, text, sizeof(text));
	limit = memlimit_under("/sys/fs/cgroup", text, group);
	if (limit < machine)
		return (limit);
	group[0] = '\0';
	return (machine);
}
