/* One read, so that what the kernel makes up is of one instant. */
#include "smallfile.h"

#include <fcntl.h>
#include <unistd.h>

bool
smallfile_read(const char *path, char *text, size_t size)
{
	ssize_t n = -1;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd != -1) {
		n = read(fd, text, size - 1);
		close(fd);
	}
	text[n > 0 ? n : 0] = '\0';
	return (n > 0);
}
