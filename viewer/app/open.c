/*
 * Opens another log in the place of this one.
 *
 * The window is not kept for another log: its model, its feed and all that was
 * chosen in it are of this one.  So the program begins again, with the same
 * options and script, and what it remembers.
 */
#include "app/open.h"

#include <sys/stat.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "log/tracefile.h"

#define PATH_BYTES 4352
#define LOGS_MAX   64
#define NAME_BYTES 256

struct found {
	char name[NAME_BYTES];
	struct timespec t;
};

/* Of the folder of this log: "" where we are. */
static void
folder_of(const struct app *a, char *to, size_t n)
{
	const char *slash = a->file == NULL ? NULL : strrchr(a->file, '/');

	snprintf(to, n, "%.*s", slash == NULL ? 0 : (int)(slash + 1 - a->file),
	    slash == NULL ? "" : a->file);
}

int
app_open(void *app, const char *path, char *why, size_t n)
{
	struct app *a = app;
	char folder[PATH_BYTES], full[2 * PATH_BYTES];
	struct tracefile *tf;
	const char *what;

	folder_of(a, folder, sizeof(folder));
	snprintf(full, sizeof(full), "%s", path);
	if (strchr(path, '/') == NULL && access(path, F_OK) == -1)
		snprintf(full, sizeof(full), "%s%s", folder, path);
	if ((tf = tracefile_open(full, &what)) == NULL) {
		snprintf(why, n, "%s: %s", path, what);
		return (-1);
	}
	tracefile_close(tf);
	free(a->next);
	if ((a->next = strdup(full)) == NULL) {
		snprintf(why, n, "out of memory");
		return (-1);
	}
	a->ui->desks->host.quit = true;
	return (0);
}

static bool
is_log(const char *name)
{
	size_t n = strlen(name);

	return (n > 4 && n < NAME_BYTES && name[0] != '.' &&
		strcmp(name + n - 4, ".orr") == 0);
}

static int
newest_first(const void *x, const void *y)
{
	const struct found *a = x, *b = y;

	if (a->t.tv_sec != b->t.tv_sec)
		return (a->t.tv_sec > b->t.tv_sec ? -1 : 1);
	if (a->t.tv_nsec != b->t.tv_nsec)
		return (a->t.tv_nsec > b->t.tv_nsec ? -1 : 1);
	return (strcmp(a->name, b->name));
}

bool
app_beside(void *app, unsigned i, char *name, size_t n)
{
	char folder[PATH_BYTES];
	struct found *found = calloc(LOGS_MAX, sizeof(*found));
	const struct dirent *e;
	unsigned many = 0;
	struct stat st;
	bool there;
	DIR *d;

	folder_of(app, folder, sizeof(folder));
	d = opendir(folder[0] == '\0' ? "." : folder);
	while (d != NULL && found != NULL && many < LOGS_MAX &&
	       (e = readdir(d)) != NULL) {
		if (!is_log(e->d_name) ||
		    fstatat(dirfd(d), e->d_name, &st, 0) == -1)
			continue;
		snprintf(found[many].name, NAME_BYTES, "%s", e->d_name);
		found[many++].t = st.st_mtim;
	}
	if (d != NULL)
		closedir(d);
	if (many > 0)
		qsort(found, many, sizeof(*found), newest_first);
	there = i < many;
	if (there)
		snprintf(name, n, "%s", found[i].name);
	free(found);
	return (there);
}
