/*
 * Who could not be served.
 *
 * A program that could not attach goes on without us, so nothing of it is
 * published, stored or lost: no count would ever say that something is missing.
 * Here is the place where it is known.  A process is told from another by its
 * number and the time it was started; of very many the first are forgotten, and
 * counted again if they come again.
 */
#include "unattached.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STAT_BORN 20 /* fields behind the name, in /proc/PID/stat */

uint64_t
process_born(uint32_t pid)
{
	char path[32], text[1024], *at;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		return (0);
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return (0);
	text[n] = '\0';
	at = strrchr(text, ')'); /* a name may hold anything */
	for (int i = 0; at != NULL && i < STAT_BORN; i++)
		at = strchr(at + 1, ' ');
	return (at == NULL ? 0 : strtoull(at + 1, NULL, 10));
}

/*
 * Its place; UNATTACHED_KNOWN: it is not there.  One that has ended is known by
 * its number alone: it was there a moment ago.
 */
static size_t
find(const struct unattached *u, uint32_t pid, uint64_t born)
{
	size_t i;

	for (i = 0; i < UNATTACHED_KNOWN; i++)
		if (u->known[i].pid == pid &&
		    (u->known[i].born == born || born == 0))
			break;
	return (i);
}

enum unattached_news
unattached_add(struct unattached *u, uint32_t pid, uint64_t born,
    uint64_t events, const char *why)
{
	enum unattached_news news = UNATTACHED_OLD;
	size_t at = find(u, pid, born);

	if (at == UNATTACHED_KNOWN) {
		at = u->noted++ % UNATTACHED_KNOWN;
		u->processes++;
		snprintf(u->why, sizeof(u->why), "%s (process %u)", why, pid);
		u->known[at].pid = pid;
		u->known[at].born = born;
		u->known[at].events = 0;
		news = UNATTACHED_NEW;
	}
	if (events > u->known[at].events) {
		u->unrecorded += events - u->known[at].events;
		u->known[at].events = events;
		news = news == UNATTACHED_OLD ? UNATTACHED_MORE : news;
	}
	return (news);
}

bool
unattached_remove(struct unattached *u, uint32_t pid, uint64_t born)
{
	size_t at = find(u, pid, born);

	if (at == UNATTACHED_KNOWN || u->known[at].born != born)
		return (false);
	u->processes--;
	u->unrecorded -= u->known[at].events;
	memset(&u->known[at], 0, sizeof(u->known[at]));
	return (true);
}
