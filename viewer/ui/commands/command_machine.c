/* Commands of Machine: its shape, or places out of a file; what is chosen. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "ui/desk/parse.h"
#include "ui/views/view.h"

#define FILE_MOST 65536 /* bytes */

/* All of it, or NULL and *wrong says why not. */
static char *
read_all(const char *path, const char **wrong)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char *text = calloc(1, FILE_MOST + 1);
	struct stat st;
	ssize_t n = 1;
	size_t at = 0;

	*wrong = NULL;
	if (text == NULL || fd == -1 || fstat(fd, &st) == -1)
		*wrong = strerror(errno);
	else if (!S_ISREG(st.st_mode))
		*wrong = "not a file";
	while (text != NULL && *wrong == NULL && n > 0 && at < FILE_MOST) {
		n = read(fd, text + at, FILE_MOST - at);
		if (n == -1)
			*wrong = strerror(errno);
		else
			at += (size_t)n;
	}
	if (*wrong == NULL && at == FILE_MOST)
		*wrong = "too large for places of a machine";
	else if (text != NULL && *wrong == NULL &&
		 memchr(text, '\0', at) != NULL)
		*wrong = "not a text";
	if (fd != -1)
		close(fd);
	if (*wrong == NULL)
		return (text);
	free(text);
	return (NULL);
}

static int
shape(struct ui *ui, const char *arg)
{
	const char *wrong;
	char *text;
	int rc;

	if (arg[0] == '\0')
		return (desk_fail(ui,
		    "machine-shape is auto, ring, hypercube, a grid as 4x8 "
		    "(rows by columns), or a file of places"));
	if (machine_shape(ui, arg) == 0)
		return (0);
	text = read_all(arg, &wrong);
	if (text == NULL)
		return (desk_fail(ui,
		    "machine-shape: %s is not auto, ring, hypercube or a grid "
		    "as 4x8, and no file of places: %s",
		    arg, wrong));
	rc = machine_layout_text(ui, arg, text);
	free(text);
	return (rc);
}

static int
on_the_way(struct ui *ui, const char *arg)
{
	uint64_t n;

	if (parse_number(arg, &n) == -1)
		return (desk_fail(ui, "on-the-way wants a number, as in: 1"));
	return (machine_select(ui, n));
}

const struct command command_machine[] = {
	{ "machine-shape", "NAME",
	    "the shape of Machine: auto, ring, hypercube, 4x8, or a file of "
	    "places",
	    shape },
	{ "on-the-way", "N",
	    "selects the N-th message or call on its way, as Machine has them",
	    on_the_way },
	{ 0 },
};
