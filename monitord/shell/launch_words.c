/*
 * See launch_words.h.  The pipe is read as it comes: nobody waits for a child
 * that says nothing, nor for one that never ends a line.
 */
#include "launch_words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "log.h"
#include "plain.h"

#define LINE_BYTES 400

struct launch_words {
	const char *node;
	int fd;
	struct event *ready;
	char line[LINE_BYTES];
	size_t n;
	char last[LINE_BYTES + 200];
};

const char *
launch_words_hint(const char *line)
{
	static const struct {
		const char *part, *hint;
	} hints[] = {
		{ "forwarding failed",
		    "sshd over there must have `AllowStreamLocalForwarding "
		    "yes' and `DisableForwarding no'" },
		{ "administratively prohibited",
		    "sshd over there must have `AllowStreamLocalForwarding "
		    "yes'" },
		{ "Permission denied",
		    "nobody can be asked for a password: give it a key, as "
		    "ssh-copy-id(1) does, and an agent if that has one" },
		{ "Host key verification failed",
		    "connect once by hand, and say yes to its key" },
		{ "not found",
		    "`collector:' in the cluster file says where it is over "
		    "there" },
	};

	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
		if (strstr(line, hints[i].part) != NULL)
			return (hints[i].hint);
	return ("");
}

static void
say_line(struct launch_words *w)
{
	const char *hint;

	if (w->n > 0 && w->line[w->n - 1] == '\r')
		w->n--;
	w->line[w->n] = '\0';
	w->n = 0;
	if (w->line[0] == '\0')
		return;
	hint = launch_words_hint(w->line);
	snprintf(w->last, sizeof(w->last), "%s%s%s%s", w->line,
	    *hint != '\0' ? " (" : "", hint, *hint != '\0' ? ")" : "");
	log_warnx("node %s: %s", w->node, w->last);
}

static void
ready_cb(evutil_socket_t fd, short what, void *arg)
{
	struct launch_words *w = arg;
	char buf[1024];
	ssize_t n;

	(void)what;
	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			if (buf[i] != '\n' && w->n < LINE_BYTES - 1)
				w->line[w->n++] = buf[i];
			if (buf[i] == '\n' || w->n == LINE_BYTES - 1)
				say_line(w);
		}
	}
	if (n == 0 || errno != EAGAIN)
		event_del(w->ready);
}

struct launch_words *
launch_words_new(struct event_base *base, const char *node, int *end)
{
	struct launch_words *w = calloc(1, sizeof(*w));
	int fd[2];

	*end = -1;
	if (w == NULL || pipe2(fd, O_CLOEXEC) == -1) {
		free(w);
		return (NULL);
	}
	w->node = node;
	w->fd = fd[0];
	(void)fcntl(w->fd, F_SETFL, O_NONBLOCK);
	w->ready = event_new(base, w->fd, EV_READ | EV_PERSIST, ready_cb, w);
	if (w->ready == NULL || event_add(w->ready, NULL) == -1) {
		close(fd[1]);
		launch_words_free(w);
		return (NULL);
	}
	*end = fd[1];
	return (w);
}

void
launch_words_free(struct launch_words *w)
{
	if (w == NULL)
		return;
	if (w->ready != NULL)
		event_free(w->ready);
	close(w->fd);
	free(w);
}

const char *
launch_words_last(struct launch_words *w)
{
	ready_cb(w->fd, EV_READ, w);
	if (w->n > 0)
		say_line(w);
	return (w->last);
}
